"""The command `phieb`: parses and checks the options, then runs a command.

Exit codes: 0 success; 1 a run failed or cannot be resumed, or output was lost; 2 bad input; 128
plus the number of the signal that stopped a command: 129 a closed terminal, 130 Ctrl-C, 141 a
closed pipe, 143 SIGTERM.
"""

import sys
from signal import SIGPIPE

from phieb import __version__
from phieb.cli.commands import overview
from phieb.cli.failing import FAILED, INTERRUPTED, exceeded_limit, fail
from phieb.cli.streams import BROKEN_PIPE, standard_streams
from phieb.files.errors import RunError
from phieb.signals import StoppedError, exit_code


def main(arguments_given: list[str] | None = None) -> None:
    """Parse and check the arguments, and run the command; bad input exits with code 2."""
    given = sys.argv[1:] if arguments_given is None else arguments_given
    with standard_streams() as output:
        try:
            _obey(given)
            output.flush()
        except SystemExit as ended:
            if ended.code:  # --help exits with None or 0
                raise
        if output.problem == BROKEN_PIPE:
            sys.exit(exit_code(SIGPIPE))
        if output.problem:
            fail(f"standard output: {output.problem}", FAILED)


def _obey(given: list[str]) -> None:
    """Run the command; errors are printed in one line and give an exit code."""
    try:
        if given == ["--version"]:
            print(f"phieb {__version__}")
        elif not given or given[0] in ("-h", "--help"):
            print(overview())
        else:
            _run(given)
    except StoppedError as stopped:
        fail(str(stopped), exit_code(stopped.signal))
    except RunError as error:
        fail(str(error), FAILED)
    except KeyboardInterrupt:
        fail("stopped", INTERRUPTED)
    except Exception as error:
        if limit := exceeded_limit(error):
            fail(limit, FAILED)
        if not isinstance(error, OSError):
            raise
        fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))


def _run(given: list[str]) -> None:
    """Run a command; the parser is imported here because `--help` and `--version` do without."""
    from phieb.cli.console import SafeConsole
    from phieb.cli.parsing import checked

    command = checked(given)
    # Files and pipes have no width: 160 columns are enough for every table.
    # Without markup: brackets may be part of a path.
    width = None if sys.stdout.isatty() else 160
    command.run(SafeConsole(width=width, markup=False, emoji=False))
