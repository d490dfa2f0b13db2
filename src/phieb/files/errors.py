"""Errors of runs and their files."""


class RunError(Exception):
    """A run folder cannot be used as requested; the message is one line."""


class DamagedError(RunError):
    """A file cannot be read or is damaged; the message names it."""


class MissingError(DamagedError):
    """A file does not exist."""
