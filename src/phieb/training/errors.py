"""What goes wrong with a run."""


class RunError(Exception):
    """A run folder cannot be used as asked; the message says why, in one line."""
