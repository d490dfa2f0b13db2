"""`phieb race`: real trials, and trials that need not be run again."""

import shutil
from pathlib import Path

import pytest

from phieb.cli.main import main
from phieb.cli.race import Race
from phieb.experiments.race import CANDIDATES
from phieb.reports import race
from phieb.reports.ledger import settings_hash
from phieb.training import preset
from tests.cli.conftest import Refused

SHORT = ["race", "--games", "freeway", "--candidates", "epsilon,dial", "--trials", "1"]


def test_trials_are_run_once_and_told_from_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "race"
    given = [*SHORT, "--frames", "12000", "--out", str(out)]
    main(given)
    said = capsys.readouterr().out
    assert "epsilon" in said
    assert "dial" in said
    assert (out / "race.png").is_file()
    rows = race.read(out / race.FILE)
    assert [(row["candidate"], row["seed"]) for row in rows] == [
        ("dial", "101"),
        ("epsilon", "101"),
    ]
    for run in out.glob("freeway-*"):
        shutil.rmtree(run)
    main(given)
    assert not list(out.glob("freeway-*"))
    assert race.read(out / race.FILE) == rows


def test_seed_by_seed_so_that_a_race_that_is_stopped_was_fair(tmp_path: Path) -> None:
    arms = Race(tmp_path, trials=2).arms()
    assert [arm.first_seed for arm in arms] == [101] * (len(arms) // 2) + [102] * (len(arms) // 2)
    assert {arm.frames for arm in arms if arm.game == "venture"} == {2_000_000}
    assert {arm.frames for arm in arms if arm.game == "qbert"} == {1_000_000}


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (["race", "--candidates", "x"], '--candidates must be "epsilon" or'),
        (["race", "--candidates", "dial,dial"], "--candidates must name each once"),
        (["race", "--games", "pong"], '--games must be "venture" or'),
        (
            ["race", "--preset", "paper"],
            "--preset must be default in a race",
        ),
        (["race", "--trials", "0"], "--trials must be a whole number in [1, 1000], got 0"),
        (["race", "--first-seed", "-1"], "--first-seed must be a whole number"),
    ],
)
def test_bad_input_is_one_line_and_writes_nothing(
    given: list[str], says: str, assert_refused: Refused
) -> None:
    assert_refused(given, says)


def test_the_plan_names_candidates_and_leaves_out_what_is_known(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [*SHORT, "--frames", "12000", "--out", str(tmp_path), "--plan"]
    main(given)
    said = capsys.readouterr().out
    assert "epsilon" in said
    assert "dial" in said
    settings = settings_hash(preset("default", "freeway", **CANDIDATES["dial"]))
    known = {"candidate": "dial", "game": "freeway", "seed": "101", "frames": "12000"}
    known |= {"area": "1", "score": "1", "best": "1", "rooms": "", "settings": settings}
    race.write([{**known, "version": "0.5.0"}], tmp_path / race.FILE)
    main(given)
    assert "dial" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("garbage\n1,2\n", "row 1 has more or fewer columns than there are"),
        ("candidate,game,seed,frames,area\na,b,c,d,e\n", "line 2 is not a row of a race"),
    ],
)
def test_a_damaged_file_is_one_line(
    text: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / race.FILE).write_text(text)
    with pytest.raises(SystemExit):
        main([*SHORT, "--frames", "12000", "--out", str(tmp_path)])
    said = capsys.readouterr().err
    assert said == f"phieb: {tmp_path / race.FILE}: {says}\n"
