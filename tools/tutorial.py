"""Run the commands that docs/tutorial.md shows, and put what they print below them.

    python tools/tutorial.py

The commands of all ```console blocks are run one after another, as a reader would, in an empty
folder. Each must succeed. What is long is shortened, and what lies in between is shown as "…".
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "tutorial.md"
BLOCK = re.compile(r"(?<=```console\n)(.*?)(?=```)", re.DOTALL)
MOST = 14  # lines of output that are shown of a command
WIDTH = 180  # characters of a line that are shown


def shown(output: str) -> list[str]:
    """Output as the page has it: the first lines and the last ones, none of them too long."""
    lines = [line.rstrip() for line in output.splitlines() if line.strip()]
    if len(lines) > MOST:
        lines = [*lines[: MOST // 2], "…", *lines[-MOST // 2 :]]
    return [line if len(line) <= WIDTH else f"{line[: WIDTH - 1]}…" for line in lines]


def run(command: str, folder: str) -> list[str]:
    """A command with its output, as the page has them."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"{command}\n{done.stdout}\nexit code {done.returncode}")
    print(f"$ {command}", file=sys.stderr)
    return [f"$ {command}", *shown(done.stdout)]


def with_outputs(page: str) -> str:
    """The page with what its commands print now."""
    with tempfile.TemporaryDirectory() as folder:

        def replaced(block: re.Match[str]) -> str:
            commands = [line[2:] for line in block[1].splitlines() if line.startswith("$ ")]
            lines = [line for command in commands for line in run(command, folder)]
            return "\n".join(lines) + "\n"

        return BLOCK.sub(replaced, page)


if __name__ == "__main__":
    PAGE.write_text(with_outputs(PAGE.read_text()))
