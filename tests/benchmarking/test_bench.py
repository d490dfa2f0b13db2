"""The benchmark measures what it says: the same play, all parts, nothing left out."""

import runpy
from pathlib import Path

import numpy as np
import pytest

from phieb.benchmarking.bench import COMPARED, PARTS, Pair, bench, bench_run, clocks
from phieb.reports import bench as report
from phieb.training import Run, RunError, preset, train
from phieb.training.training import Training
from phieb.worlds import Atari


@pytest.mark.parametrize(
    ("bonus", "screen"), [*((bonus, "last") for bonus in COMPARED), ("phi", "blend")]
)
def test_the_emulator_alone_plays_what_the_agent_played(bonus: str, screen: str) -> None:
    """Also past the end of an episode, and after a slice with clocks in it."""
    settings = {"seed": 2, "max_frames": 900, "sticky": 0.25}
    config = preset("default", "venture", bonus=bonus, screen=screen, **settings)
    pair = Pair(config)
    pair.train(1_000)
    for number in range(6):
        if number % 2:
            pair.split()
        else:
            done = pair.slice()
            assert done.agent > 0.0
            assert done.emulator > 0.0
        world, alone = pair.training.world, pair.emulator
        assert isinstance(world, Atari)
        assert np.array_equal(world.state()["actions"], alone.state()["actions"])
        assert np.array_equal(world._emulator.ram(), alone.ram())
        if screen == "last":
            assert np.array_equal(world.screen, alone.screen())


@pytest.mark.parametrize("bonus", ["none", "phi", "count"])
def test_clocks_change_nothing(bonus: str) -> None:
    config = preset("default", "venture", seed=2, bonus=bonus)
    timed, plain = Training(config), Training(config)
    for training in (timed, plain):
        training.start_episode()
    with clocks(timed) as parts:
        for _ in range(60):
            timed.step()
    for _ in range(60):
        plain.step()
    assert all(parts[name] > 0 for name in ("emulator", "screen", "blobs", "value"))
    assert (parts["density"] > 0) == (bonus != "none")
    assert timed.learner.agent.num_observed > 100
    for name, part in plain.learner.state().items():
        assert np.array_equal(timed.learner.state()[name], part), name


def test_a_table_and_a_figure(tmp_path: Path) -> None:
    told: list[str] = []
    config = preset("default", "venture", seed=2)
    results = bench(config, (2_000, 500), 4, advance=lambda doing, far: told.append(doing))
    assert [result["frames"] for result in results] == [500, 2_000]
    early, result = results
    assert 0 < early["phi"]["features"] < result["phi"]["features"]
    assert 50 < result["megabytes"] < 2_000
    for bonus in COMPARED:
        parts = result[bonus]["microseconds"]
        assert list(parts) == list(PARTS)
        assert all(parts[name] > 0 for name in ("emulator", "screen", "blobs", "rows", "value"))
        assert (parts["density"] > 0) == (bonus == "phi")
        low, high = result[bonus]["share_quartiles"]
        assert 0 < low <= result[bonus]["share"] <= high
    assert told[-1] == "venture: measuring"
    for header, *body in (report.speed_rows(results), report.part_rows(results)):
        assert [len(row) for row in body] == [len(header)] * 4
    report.figure(results, tmp_path / "f.png")
    assert (tmp_path / "f.png").stat().st_size > 10_000


def test_a_run_is_measured_where_it_is(tmp_path: Path) -> None:
    config = preset("default", "venture", seed=2, frames=1_500, max_frames=900)
    run = train(config, tmp_path / "a")
    pair = Pair.of_run(run)
    assert pair.training.frames == run.saved_frames()
    pair.slice()
    world = pair.training.world
    assert isinstance(world, Atari)
    assert np.array_equal(world._emulator.ram(), pair.emulator.ram())
    result = bench_run(run, 4)
    assert (result["game"], result["frames"]) == ("venture", run.saved_frames())
    assert len(report.speed_rows([result])) == 2
    with pytest.raises(RunError, match="no checkpoint yet"):
        Pair.of_run(Run(tmp_path / "b"))


def test_the_page_has_the_numbers_that_were_measured() -> None:
    folder = Path(__file__).parents[2] / "benchmarks"
    page = (folder / "README.md").read_text()
    assert runpy.run_path(str(folder / "tables.py"))["with_tables"](page) == page
