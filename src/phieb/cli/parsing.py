"""Parsing of the command line into a command with checked options."""

import difflib
import io
import re
import shutil
from contextlib import redirect_stderr, redirect_stdout
from textwrap import fill

import tyro

from phieb.cli.commands import COMMANDS, Command, command_class
from phieb.cli.failing import BAD_INPUT, fail

_KINDS = {
    "COUNT": "a whole number such as 300k or 10M",
    "INT": "a whole number",
    "FLOAT": "a number",
    "PATH": "a path",
}


def checked(given: list[str]) -> Command:
    """The parsed command; bad input exits with one line and code 2."""
    command = parsed(given)
    try:
        command.check()
    except (TypeError, ValueError) as error:
        fail(str(error))
    return command


def parsed(given: list[str]) -> Command:
    """The command with its options; an error of tyro becomes one line."""
    commands = {name: command_class(name) for name in _named(given[0])}
    # tyro draws frames only if the output's encoding is UTF-8, which a StringIO lacks.
    help_text, framed = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    try:
        with redirect_stdout(help_text), redirect_stderr(framed):
            command: Command = tyro.extras.subcommand_cli_from_dict(
                commands,
                prog="phieb",
                args=given,
                config=(tyro.conf.FlagCreatePairsOff,),
            )
            return command
    except SystemExit as stop:
        if stop.code == BAD_INPUT:
            fail(_one_line(framed.getvalue()))
        help_text.seek(0)
        text = help_text.read()
        is_help = {"-h", "--help"} & set(given)  # --help, or a completion script
        print(_wrapped(text) if is_help else text, end="")
        raise


def _named(word: str) -> list[str]:
    """The command of this name, or all commands for options such as shell completion."""
    if word in COMMANDS:
        return [word]
    if word.startswith("-"):
        return COMMANDS
    near = difflib.get_close_matches(word, COMMANDS, n=1)
    hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(COMMANDS)}"
    return fail(f"no command {word!r}; {hint}")


def _wrapped(text: str) -> str:
    """Text with long lines wrapped; tyro wraps only the options."""
    width = shutil.get_terminal_size().columns
    return "".join(
        fill(line, width) + "\n" if len(line) > width else f"{line}\n" for line in text.splitlines()
    )


def _one_line(framed: str) -> str:
    """The text of a framed error, up to the first horizontal rule."""
    inside = [line.strip("│ ") for line in framed.splitlines() if line.startswith("│")]
    lines = inside[: next((i for i, line in enumerate(inside) if set(line) == {"─"}), None)]
    text = " ".join(lines) or framed.strip()
    # An optional option: do not list the types that tyro tried.
    found = re.match(
        r"Error parsing (--\S+): no type matching \{None\}\|(\w+) .*? from \['(.*?)'\]", text
    )
    return f"{found[1]} must be {_KINDS[found[2]]}, got {found[3]!r}" if found else text
