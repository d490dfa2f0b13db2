"""The command `phieb`: parses and checks the options, then runs a command.

Exit codes: 0 done, 1 a run failed, cannot be resumed or its output was lost, 2 bad input, and 128
plus the signal where something was stopped: 129 a closed terminal, 130 Ctrl-C, 141 output that
nobody reads, 143 SIGTERM.
"""

import difflib
import inspect
import io
import re
import shutil
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from signal import SIGPIPE
from textwrap import fill
from typing import NoReturn, Protocol

import tyro
from rich.console import Console

from phieb import __version__
from phieb.cli.bench import Bench
from phieb.cli.blobs import Blobs
from phieb.cli.compare import Compare
from phieb.cli.counts import Counts
from phieb.cli.evaluate import Evaluate
from phieb.cli.novelty import Novelty
from phieb.cli.play import Play
from phieb.cli.presets import Presets
from phieb.cli.race import Race
from phieb.cli.report import Report
from phieb.cli.reproduce import Reproduce
from phieb.cli.resume import Resume
from phieb.cli.runs import Runs
from phieb.cli.show import Show
from phieb.cli.small import Small
from phieb.cli.streams import BROKEN_PIPE, SafeConsole, standard_streams
from phieb.cli.sweep import Sweep
from phieb.cli.train import Train
from phieb.plain_text import visible
from phieb.training import RunError, StoppedError
from phieb.training.signals import exit_code

FAILED, BAD_INPUT, INTERRUPTED = 1, 2, 130  # exit codes


_KINDS = {
    "COUNT": "a whole number such as 300k or 10M",
    "INT": "a whole number",
    "FLOAT": "a number",
    "PATH": "a path",
}


class Command(Protocol):
    """A parsed command."""

    def check(self) -> None:
        """Raise ValueError or TypeError if an option is wrong; nothing has been written yet."""

    def run(self, console: Console) -> None:
        """Run the command and print its results."""


# All commands, under the headings of `phieb --help`.
GROUPS: dict[str, dict[str, Callable[..., Command]]] = {
    "One run": {
        "train": Train,
        "resume": Resume,
        "evaluate": Evaluate,
        "play": Play,
        "novelty": Novelty,
        "show": Show,
    },
    "Many runs": {
        "reproduce": Reproduce,
        "compare": Compare,
        "sweep": Sweep,
        "race": Race,
        "runs": Runs,
        "report": Report,
    },
    "Experiments without Atari training": {"small": Small, "counts": Counts},
    "Features, settings, speed": {"blobs": Blobs, "presets": Presets, "bench": Bench},
}
COMMANDS = {name: command for group in GROUPS.values() for name, command in group.items()}


def main(arguments_given: list[str] | None = None) -> None:
    """Parse, check, run; bad input is one line and exit code 2."""
    given = sys.argv[1:] if arguments_given is None else arguments_given
    with standard_streams() as output:
        try:
            _obey(given)
            output.flush()
        except SystemExit as ended:
            if ended.code:  # None and 0 are of --help
                raise
        if output.problem == BROKEN_PIPE:
            sys.exit(exit_code(SIGPIPE))
        if output.problem:
            _fail(f"standard output: {output.problem}", FAILED)


def _obey(given: list[str]) -> None:
    """Do what is asked for; what goes wrong is one line and an exit code."""
    if given == ["--version"]:
        print(f"phieb {__version__}")
        return
    if not given or given[0] in ("-h", "--help"):
        print(overview())
        return
    try:
        command = _checked(given)
        # A file or a pipe has no width: take one at which no table is folded.
        # Without markup: brackets may be part of a path.
        width = None if sys.stdout.isatty() else 160
        command.run(SafeConsole(width=width, markup=False, emoji=False))
    except StoppedError as stopped:
        _fail(str(stopped), exit_code(stopped.signal))
    except RunError as error:
        _fail(str(error), FAILED)
    except OSError as error:
        _fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except MemoryError:
        _fail("out of memory (is there a limit, ulimit -v?)", FAILED)
    except KeyboardInterrupt:
        _fail("stopped", INTERRUPTED)


def overview() -> str:
    """What `phieb --help` prints: all commands with the first sentence of their help."""
    lines = [
        "usage: phieb COMMAND [OPTIONS]",
        "",
        "φ-EB: count-based exploration in feature space (Martin et al. 2017).",
    ]
    for heading, commands in GROUPS.items():
        lines += ["", f"{heading}:"]
        for name, command in commands.items():
            summary = (inspect.getdoc(command) or "").partition("\n")[0]
            lines.append(f"  {name:9}  {summary}")
    return "\n".join(
        [
            *lines,
            "",
            "phieb COMMAND --help  options of a command, with an example",
            "phieb --version       version",
        ]
    )


def _checked(given: list[str]) -> Command:
    """The command, after everything that can be wrong with it has been looked at."""
    command = _parse(given)
    try:
        command.check()
    except (TypeError, ValueError) as error:
        _fail(str(error))
    return command


def _parse(given: list[str]) -> Command:
    """The command and its options; tyro's framed error becomes one line."""
    if not given[0].startswith("-") and given[0] not in COMMANDS:
        near = difflib.get_close_matches(given[0], COMMANDS, n=1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(COMMANDS)}"
        _fail(f"no command {given[0]!r}; {hint}")
    # tyro draws its frames if the output is in UTF-8, which a StringIO does not say.
    help_text, framed = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    try:
        with redirect_stdout(help_text), redirect_stderr(framed):
            command: Command = tyro.extras.subcommand_cli_from_dict(
                COMMANDS,
                prog="phieb",
                args=given,
                config=(tyro.conf.FlagCreatePairsOff,),
            )
            return command
    except SystemExit as stop:
        if stop.code == BAD_INPUT:
            _fail(_one_line(framed.getvalue()))
        help_text.seek(0)
        text = help_text.read()
        is_help = {"-h", "--help"} & set(given)  # or a script for the shell's completion
        print(_wrapped(text) if is_help else text, end="")
        raise


def _wrapped(text: str) -> str:
    """Text with its long lines folded: tyro frames the options but does not fold the rest."""
    width = shutil.get_terminal_size().columns
    return "".join(
        fill(line, width) + "\n" if len(line) > width else f"{line}\n" for line in text.splitlines()
    )


def _one_line(framed: str) -> str:
    """The text of a framed error, up to the first horizontal rule."""
    inside = [line.strip("│ ") for line in framed.splitlines() if line.startswith("│")]
    lines = inside[: next((i for i, line in enumerate(inside) if set(line) == {"─"}), None)]
    text = " ".join(lines) or framed.strip()
    # An optional option: the types that tyro tried do not help.
    found = re.match(
        r"Error parsing (--\S+): no type matching \{None\}\|(\w+) .*? from \['(.*?)'\]", text
    )
    return f"{found[1]} must be {_KINDS[found[2]]}, got {found[3]!r}" if found else text


def _fail(problem: str, code: int = BAD_INPUT) -> NoReturn:
    print(f"phieb: {visible(problem)}", file=sys.stderr)
    sys.exit(code)
