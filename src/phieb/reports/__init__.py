"""Tables, figures and pages, made from the files of runs."""
