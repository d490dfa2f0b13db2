"""Looking at it: tables and figures, made from what runs wrote."""
