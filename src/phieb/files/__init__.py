"""Reading and writing of all files: atomic, with size limits, without following links."""
