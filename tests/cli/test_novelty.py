"""`phieb novelty`."""

from pathlib import Path

import av
import pytest

from phieb.cli import main
from phieb.training import Config, Run, train


@pytest.fixture(scope="module")
def car(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("runs") / "car"
    return train(Config("MountainCar-v0", frames=400), folder)


def said(
    capsys: pytest.CaptureFixture[str], code: int, *given: str | Path
) -> tuple[list[str], list[str]]:
    """The lines of both streams, of a command that ends with this code."""
    try:
        main(["novelty", *map(str, given)])
        assert code == 0
    except SystemExit as stop:
        assert stop.code == code
    out, err = capsys.readouterr()
    return out.splitlines(), err.splitlines()


def test_a_picture_of_a_run(car: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {file: file.stat().st_mtime_ns for file in car.path.rglob("*")}
    picture = tmp_path / "map.png"
    lines, _ = said(capsys, 0, car.path, "--out", picture, "--bins", "8")
    share = float(lines[0].split("%")[0])
    assert 10.0 < share < 90.0
    assert picture.stat().st_size > 10_000
    assert {file: file.stat().st_mtime_ns for file in car.path.rglob("*")} == before


def test_a_film_of_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = train(Config("FrozenLake-v1", frames=6), tmp_path / "lake")
    film = tmp_path / "map.mp4"
    lines, _ = said(capsys, 0, run.path, "--out", tmp_path / "map.png", "--film", film)
    assert lines[-1] == f"film: {film}"
    with av.open(str(film)) as opened:
        assert sum(1 for _ in opened.decode(video=0)) == run.saved_frames()


def test_a_run_in_a_table_of_states(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = train(Config("FrozenLake-v1", frames=300), tmp_path / "lake")
    newest = run.newest(print)
    assert newest is not None
    observed = newest[0]["learner"]["bonus.ids"].size
    assert 4 < observed < 16
    lines, _ = said(capsys, 0, run.path, "--out", tmp_path / "map.svg", "--columns", "4")
    assert lines[0] == f"{observed / 16:.1%} of the cells have a pseudocount of at least 1"


def test_what_cannot_be_mapped_is_one_line(
    car: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "novelty.png"
    pole = train(Config("CartPole-v1", frames=50), tmp_path / "pole")
    plain = train(Config("FrozenLake-v1", bonus="none", frames=50), tmp_path / "plain")
    atari = Run(tmp_path / "atari")
    atari.create(Config("venture", frames=50))
    cases: list[tuple[int, str, list[str | Path]]] = [
        (2, "RUN must be in a Gymnasium environment, got venture", [atari.path]),
        (2, "RUN must be the folder of a run, got", [tmp_path]),
        (1, "has no bonus, and so no pseudocounts", [plain.path]),
        (
            1,
            "dimensions must be a whole number in [0, 1], got 5",
            [car.path, "--elements", "0", "5"],
        ),
        (2, "--across and --up must be given together", [car.path, "--up", "0", "1"]),
        (2, "--out must end in .png", [car.path, "--out", "map.txt"]),
        (2, "--bins must be a whole number in [1, 1000], got 0", [car.path, "--bins", "0"]),
    ]
    for code, says, given in cases:
        if "--out" not in given:
            given = [*given, "--out", out]
        _, lines = said(capsys, code, *given)
        assert len(lines) == 1
        assert lines[0].startswith("phieb: ")
        assert says in lines[0]
    assert not out.exists()
    # Velocities have no bounds, but once they are given.
    ranges = ["--across", "-2", "2", "--up", "-3", "3"]
    said(capsys, 0, pole.path, *ranges, "--out", out, "--bins", "5")
