"""Progress of trials, from the logs of real runs."""

import re

import pytest
from rich.console import Console

from phieb.reports.trials import Overview
from phieb.training import preset, train
from phieb.trials.scheduler import Progress
from phieb.trials.trial import Trial

FRAMES = 4_000
SETTINGS = {"max_frames": 900, "frames": FRAMES}


@pytest.fixture(scope="module")
def trials(tmp_path_factory: pytest.TempPathFactory) -> list[Trial]:
    """Two trials of 4,000 frames: the first is done, the second has not begun."""
    out = tmp_path_factory.mktemp("trials")
    made = [
        Trial(preset("default", "venture", seed=seed, **SETTINGS), out / f"v-{seed}", 0)
        for seed in (1, 2)
    ]
    train(made[0].config, made[0].path)
    return made


def shown(overview: Overview, everything: list[Progress]) -> str:
    console = Console(width=120, record=True)
    with console.capture() as captured:
        console.print(overview.table(everything))
    return captured.get()


def test_a_trial_that_is_done_shows_its_frames_and_not_how_many_of_them(
    trials: list[Trial],
) -> None:
    everything = [Progress(trials[0], "done"), Progress(trials[1])]
    table = shown(Overview(), everything)
    (row,) = [line for line in table.splitlines() if "v-1" in line]
    assert "4,000" in row
    assert "of" not in row
    running = shown(Overview(), [Progress(trials[0], "running"), Progress(trials[1])])
    assert re.search(r"3,\d{3} of 4,000", running)


def test_the_overall_progress_and_the_time_left_are_told(trials: list[Trial]) -> None:
    clock = iter([10.0, 20.0, 40.0])
    overview = Overview(lambda: next(clock))
    nothing = [Progress(trials[1]), Progress(trials[1])]
    assert overview.line(nothing) == "trials: 2 waiting; training: 0% of 8,000 frames"
    half = [Progress(trials[0], "done"), Progress(trials[1], "running")]
    # 4,000 frames in ten seconds, and 4,000 to go; then in thirty.
    assert "training: 50% of 8,000 frames, about 10 s left" in overview.line(half)
    assert "50% of 8,000 frames, about 30 s left" in shown(overview, half)


def test_nothing_is_left_to_wait_for_when_all_trials_have_ended(trials: list[Trial]) -> None:
    clock = iter([0.0, 10.0])
    overview = Overview(lambda: next(clock))
    overview.line([Progress(trials[1]), Progress(trials[1])])
    ended = [Progress(trials[0], "done"), Progress(trials[1], "failed")]
    assert overview.line(ended) == "trials: 1 done, 1 failed; training: 50% of 8,000 frames"
