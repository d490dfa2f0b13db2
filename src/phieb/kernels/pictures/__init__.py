"""From screens to small pictures."""
