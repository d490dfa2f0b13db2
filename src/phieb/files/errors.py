"""What goes wrong with a run or one of its files."""


class RunError(Exception):
    """A run folder cannot be used as asked; the message says why, in one line."""


class DamagedError(RunError):
    """A file cannot be read, or is not what was written; the message names it."""


class MissingError(DamagedError):
    """There is no such file."""
