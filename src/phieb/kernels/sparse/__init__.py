"""Feature ids to rows, and the set of active rows."""
