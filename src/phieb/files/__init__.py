"""One way for files to be read and one for them to be written; no link in a folder leads out."""
