"""What is shown while a run goes on."""

import io

import numpy as np
from rich.console import Console

from phieb.training import preset
from phieb.training.live_view import LiveWatch, Screen, duration, sparkline
from phieb.training.newest import Newest
from phieb.training.training import Training


def test_a_sparkline_rises_with_the_values() -> None:
    assert sparkline([], 5) == ""
    assert sparkline([3.0, 3.0], 5) == "▁▁"
    assert sparkline([0.0, 7.0], 5) == "▁█"
    long = sparkline([float(n) for n in range(1_000)], 8)
    assert long == "▁▂▃▄▅▆▇█"


def test_durations() -> None:
    assert [duration(s) for s in (4, 64, 3_600, 86_399)] == [
        "4 s",
        "1 min 04 s",
        "1 h 00 min",
        "23 h 59 min",
    ]


def episode(number: int, score: float) -> dict[str, object]:
    return {
        "episode": number,
        "frames": 500 * number,
        "score": score,
        "length": 500,
        "bonus": 20.0,
        "pseudocount": 3.5,
        "rooms": {"1": 90, "2": 10},
    }


def test_a_line_has_all_that_is_asked_for() -> None:
    training = Training(preset("default", "montezuma_revenge", frames=4_000))
    training.start_episode()
    screen = Screen(training, [episode(1, 0.0), episode(2, 300.0)])
    line = screen.plain()
    for part in (
        f"{training.frames:,} frames",
        "score (last 100): 150.0",
        "best score: 300",
        "bonus a decision: 0.2000",
        "pseudocount: 3.5",
        "features active",
        "features observed",
        "rooms visited: 2 (1, 2)",
    ):
        assert part in line, part
    file = io.StringIO()
    Console(file=file, width=100).print(screen.panel())
    assert "▁█" in file.getvalue()
    assert "bonus a decision  0.2000  ▁▁" in file.getvalue()


def test_the_features_that_were_new_lately_are_named() -> None:
    training, now = Training(preset("default", "venture", frames=4_000, seed=1)), 0.0
    training.start_episode()
    newest = Newest(training.learner, lambda: now)
    first = newest.look()
    assert len(first) == 4
    assert all(line.startswith("never before: ") for line in first)
    assert any("blob of colour" in line for line in first)
    for _ in range(300):
        training.step()
    assert newest.look() == first  # it looks every two seconds
    state = training.state()
    now = 2.0
    later = newest.look()
    assert len(later) == 4
    assert later != first
    assert all(" before: " in line for line in later)
    for name, part in training.state().items():  # nothing has changed by that
        assert all(np.array_equal(array, state[name][key]) for key, array in part.items())


def test_without_counts_no_feature_is_new() -> None:
    training = Training(preset("default", "venture", bonus="none", frames=4_000))
    training.start_episode()
    assert Newest(training.learner).look() == []
    file = io.StringIO()
    Console(file=file, width=100).print(Screen(training, []).panel())
    assert "new features" not in file.getvalue()


def test_long_words_do_not_break_the_lines() -> None:
    training = Training(preset("default", "montezuma_revenge", frames=4_000))
    training.start_episode()
    for width in (60, 80, 160):
        file = io.StringIO()
        Console(file=file, width=width).print(Screen(training, [episode(1, 0.0)]).panel())
        lines = file.getvalue().splitlines()
        assert len(lines) == 18
        assert max(map(len, lines)) <= width


def test_plain_lines_where_there_is_no_terminal_and_silence_when_asked() -> None:
    training = Training(preset("default", "venture", frames=4_000))
    training.start_episode()
    for quiet in (False, True):
        file = io.StringIO()
        watch = LiveWatch(Console(file=file, width=100), quiet)
        watch.begin(training, [])
        watch.end()
        assert ("frames" in file.getvalue()) is not quiet
        watch.warn("no room")
        assert "phieb: warning: no room" in file.getvalue()
