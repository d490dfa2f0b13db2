"""The command line as a user meets it: bad input, help, and what is imported."""

import subprocess
import sys
from pathlib import Path

import pytest


def phieb(*given: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-c", "from phieb.cli import main; main()", *given]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, check=False)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (["small", "--seeds", "0"], "--seeds must be a whole number in [2, 1000], got 0"),
        (["small", "--seeds", "many"], "--seeds"),
        (["small", "--sed", "3"], "Unrecognized options: --sed"),
        (["small", "--out", "f.txt"], "--out must end in .png or .svg or .pdf, got f.txt"),
        (["small", "--out", "no/f.png"], "--out must be a file in a folder"),
        (["small", "--json", "f.png"], "--json must end in .json, got f.png"),
        (["counts", "--steps", "many"], "--steps"),
        (["smal"], "no command 'smal'; did you mean small?"),
        (["trian", "venture"], "no command 'trian'; did you mean train?"),
        (["xyzzy"], "no command 'xyzzy'; there are train, resume"),
        (
            ["blobs", "ventur"],
            "game must be one that ale-py ships, got 'ventur'; similar names: venture",
        ),
        (["blobs", "combat"], "game must be a single-player game"),
        (["blobs"], "Any game that ale-py ships"),
        (["blobs", "venture", "--out", "x.bmp"], "--out must end in .png, got x.bmp"),
        (["blobs", "venture", "--decisions", "0"], "--decisions must be a whole number in"),
        (["train", "venture", "--kappa", "x"], "--kappa must be a number, got 'x'"),
        (["train", "venture", "--max-frames", "x"], "--max-frames must be a whole number such as"),
        (["train", "venture", "--frames", "1.5"], "must be a whole number such as 300k or 10M"),
        (["train"], "GAME"),
        (["evaluate", "run", "--workers", "x"], "--workers must be a whole number, got 'x'"),
        (["sweep", "--backend", "slurm"], "invalid choice 'slurm' for argument '--backend'"),
        (["blobs", "venture", "--seed", "-1"], "--seed must be a whole number >= 0, got -1"),
    ],
)
def test_bad_input_is_one_line_and_writes_nothing(
    given: list[str], says: str, tmp_path: Path
) -> None:
    done = phieb(*given, cwd=tmp_path)
    assert done.returncode == 2
    assert says in done.stderr
    assert done.stderr.startswith("phieb: ")
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""
    assert list(tmp_path.iterdir()) == []


def test_help_and_version() -> None:
    assert "small" in phieb("--help").stdout
    assert "--seeds" in phieb("small", "--help").stdout
    assert phieb().stdout == phieb("--help").stdout
    assert phieb("--version").stdout.startswith("phieb 0.")


def test_importing_warns_of_nothing_and_brings_no_torch() -> None:
    check = (
        "import sys, phieb; assert 'torch' not in sys.modules and 'matplotlib' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", check], check=False)
    assert done.returncode == 0
