"""`phieb counts`: what it writes, and what it refuses."""

import json
from pathlib import Path

import pytest

from phieb.cli.main import main
from tests.cli.conftest import Refused


def test_it_prints_and_writes_everything(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    figure, numbers = tmp_path / "f.png", tmp_path / "n.json"
    main(["counts", "--seeds", "1", "--steps", "150", "--out", str(figure), "--json", str(numbers)])
    said = capsys.readouterr().out
    assert "Factor of bias" in said
    assert "RandomBinary" in said
    assert figure.stat().st_size > 10_000
    written = json.loads(numbers.read_text())
    assert (written["steps"], written["seeds"]) == (150, [0, 1])


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (["counts", "--seeds", "0"], "--seeds must be a whole number in [1, 1000], got 0"),
        (["counts", "--steps", "99"], "--steps must be a whole number in [100, 100000], got 99"),
        (["counts", "--out", "f.txt"], "--out must end in .png or .svg or .pdf, got f.txt"),
        (["counts", "--json", "no/n.json"], "--json must be a file in a folder"),
    ],
)
def test_bad_input_is_one_line_and_writes_nothing(
    given: list[str], says: str, assert_refused: Refused
) -> None:
    assert_refused(given, says)
