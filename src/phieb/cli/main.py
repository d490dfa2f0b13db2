"""The command `phieb`: what is asked for, checked, run by the other rooms, and printed.

Exit codes: 0 done, 1 a run cannot go on, 2 bad input, 130 and 143 stopped by Ctrl-C and SIGTERM.
"""

import io
import re
import sys
from collections.abc import Callable
from contextlib import redirect_stderr
from typing import NoReturn, Protocol

import tyro
from rich.console import Console

from phieb import __version__
from phieb.cli.bench import Bench
from phieb.cli.compare import Compare
from phieb.cli.counts import Counts
from phieb.cli.evaluate import Evaluate
from phieb.cli.look import Look
from phieb.cli.play import Play
from phieb.cli.presets import Presets
from phieb.cli.race import Race
from phieb.cli.report import Report
from phieb.cli.reproduce import Reproduce
from phieb.cli.resume import Resume
from phieb.cli.runs import Runs
from phieb.cli.show import Show
from phieb.cli.small import Small
from phieb.cli.sweep import Sweep
from phieb.cli.train import Train
from phieb.training import RunError, StoppedError
from phieb.training.signals import exit_code

FAILED, BAD_INPUT, INTERRUPTED = 1, 2, 130  # exit codes


_KINDS = {
    "COUNT": "a whole number such as 300k or 10M",
    "INT": "a whole number",
    "FLOAT": "a number",
    "PATH": "a path",
}

DESCRIPTION = "φ-EB: explore by counting. `phieb --version` says which version this is."


class Command(Protocol):
    """What a parsed command can do."""

    def check(self) -> None:
        """Everything that can be wrong, before anything is run."""

    def run(self, console: Console) -> None:
        """Do it."""


COMMANDS: dict[str, Callable[..., Command]] = {
    "train": Train,
    "resume": Resume,
    "evaluate": Evaluate,
    "play": Play,
    "show": Show,
    "runs": Runs,
    "reproduce": Reproduce,
    "sweep": Sweep,
    "compare": Compare,
    "race": Race,
    "report": Report,
    "presets": Presets,
    "bench": Bench,
    "look": Look,
    "small": Small,
    "counts": Counts,
}


def main(arguments_given: list[str] | None = None) -> None:
    """Parse, check, run; bad input is one line and exit code 2."""
    given = sys.argv[1:] if arguments_given is None else arguments_given
    if given == ["--version"]:
        print(f"phieb {__version__}")
        return
    command = _parse(given or ["--help"])
    try:
        command.check()
    except (TypeError, ValueError) as error:
        _fail(str(error))
    except RunError as error:  # a run that is there already is not what is asked for
        _fail(str(error), FAILED)
    try:
        # A file or a pipe has no width: wide enough that no table is folded.
        # Without markup: brackets in a path are part of it.
        width = None if sys.stdout.isatty() else 160
        command.run(Console(width=width, markup=False, emoji=False))
    except StoppedError as stopped:
        _fail(str(stopped), exit_code(stopped.signal))
    except RunError as error:
        _fail(str(error), FAILED)
    except OSError as error:
        _fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except KeyboardInterrupt:
        _fail("stopped", INTERRUPTED)


def _parse(given: list[str]) -> Command:
    """The command and its options; tyro's framed complaint becomes one line."""
    complaint = io.StringIO()
    try:
        with redirect_stderr(complaint):
            command: Command = tyro.extras.subcommand_cli_from_dict(
                COMMANDS,
                prog="phieb",
                description=DESCRIPTION,
                args=given,
            )
            return command
    except SystemExit as stop:
        if stop.code == BAD_INPUT:
            _fail(_one_line(complaint.getvalue()))
        raise


def _one_line(framed: str) -> str:
    """The text in a frame, up to its first rule."""
    inside = [line.strip("│ ") for line in framed.splitlines() if line.startswith("│")]
    said = inside[: next((i for i, line in enumerate(inside) if set(line) == {"─"}), None)]
    text = " ".join(said) or framed.strip()
    # An option that need not be given: what its parser tried is no help.
    found = re.match(
        r"Error parsing (--\S+): no type matching \{None\}\|(\w+) .*? from \['(.*?)'\]", text
    )
    return f"{found[1]} must be {_KINDS[found[2]]}, got {found[3]!r}" if found else text


def _fail(problem: str, code: int = BAD_INPUT) -> NoReturn:
    print(f"phieb: {problem}", file=sys.stderr)
    sys.exit(code)
