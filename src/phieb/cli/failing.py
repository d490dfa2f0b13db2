"""Ending a command with a one-line error and an exit code."""

import errno
import resource
import sys
from typing import NoReturn

from phieb.plain_text import visible

FAILED, BAD_INPUT, INTERRUPTED = 1, 2, 130  # exit codes


def fail(problem: str, code: int = BAD_INPUT) -> NoReturn:
    """Print the problem and exit."""
    print(f"phieb: {visible(problem)}", file=sys.stderr)
    sys.exit(code)


def exceeded_limit(error: Exception) -> str:
    """The resource limit that caused an error, in words; "" if none did."""
    kept_out = isinstance(error, ImportError | MemoryError | SystemError)
    number = error.errno if isinstance(error, OSError) else None
    if number in (errno.EMFILE, errno.ENFILE) or (kept_out and "many open files" in str(error)):
        return f"too many open files: the limit is {_limit(resource.RLIMIT_NOFILE):,} (ulimit -n)"
    # Errors from loading a shared library usually have no errno.
    if kept_out or (isinstance(error, OSError) and number in (None, errno.ENOMEM)):
        limit = _limit(resource.RLIMIT_AS)
        if limit != resource.RLIM_INFINITY:
            return f"out of memory: the limit is {limit / 1e6:,.0f} MB (ulimit -v)"
    return "out of memory" if isinstance(error, MemoryError) else ""


def _limit(kind: int) -> int:
    return resource.getrlimit(kind)[0]
