"""Learning curves of single trials and of groups.

Figures and tables are made from `GroupCurves`. These come from the folders of runs (`group_curves`)
or from results/curves.csv (`phieb.reports.curve_files`).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from phieb.experiments.paper import FREEWAY_BETA
from phieb.intervals import bootstrap_band
from phieb.reports.groups import Group, Result
from phieb.reports.ledger import Trial
from phieb.reports.paper import FIGURE_1, Reading
from phieb.reports.runs import LAST, millions
from phieb.training.config import usual_beta
from phieb.worlds.names import is_atari

POINTS = 200
MEANS = ("score", "bonus", "pseudocount", "frames_per_second")

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class TrialCurves:
    """Learning curves of one trial.

    Attributes:
        row: columns of the ledger that identify the trial.
        frames: increasing; the last one is the trial's length so far.
        values: arrays as long as `frames`, by name: "score", "bonus", "pseudocount" and
            "frames_per_second" are means over the last hundred episodes that had ended;
            "observed" and "rooms" are the numbers of features observed and rooms visited so far;
            NaN where unknown.
        visits: number of decisions in each room.
        name: name of its folder, if there is one.
    """

    row: Trial
    frames: Ints
    values: Mapping[str, Floats]
    visits: Mapping[int, int] = field(default_factory=dict)
    name: str = ""

    @property
    def reached(self) -> int:
        """Frames of training so far."""
        return int(self.frames[-1])

    def at(self, what: str, frames: Ints) -> Floats:
        """The latest values at these numbers of frames; NaN beyond the end of the trial."""
        place = np.searchsorted(self.frames, frames, side="right") - 1
        known = (place >= 0) & (frames <= self.reached)
        return np.where(known, self.values[what][np.maximum(place, 0)], np.nan)

    def known_at(self, frames: int, what: str = "score") -> float | None:
        """The latest value at one number of frames; None where unknown."""
        found = float(self.at(what, np.array([frames]))[0])
        return None if np.isnan(found) else found


@dataclass(frozen=True)
class GroupCurves:
    """Learning curves of trials that differ only in the seed.

    Attributes:
        bonus: name of the bonus; "none" for ε-greedy.
        readings: points read off the curve of the same agent in the paper's Figure 1.
        frame_skip: frames per decision, if known and the same for all trials.
    """

    game: str
    label: str
    bonus: str
    trials: list[TrialCurves]
    readings: list[Reading]
    frame_skip: int | None

    @property
    def title(self) -> str:
        """The label, the number of trials and their frames."""
        num = len(self.trials)
        frames = frames_text([trial.reached for trial in self.trials])
        return f"{self.label} ({num} trial{'s' * (num > 1)}, {frames} {self.unit})"

    @property
    def unit(self) -> str:
        """The unit of frames: "frames" for Atari games, else "steps"."""
        return "frames" if is_atari(self.game) else "steps"

    def at(self, what: str, frames: Ints) -> Floats:
        """(trials, points): see `TrialCurves.at`."""
        return np.stack([trial.at(what, frames) for trial in self.trials])

    def known_at(self, frames: int, what: str = "score") -> list[float]:
        """The values at a number of frames, of the trials that have reached it."""
        found = (trial.known_at(frames, what) for trial in self.trials)
        return [value for value in found if value is not None]


class Curve(NamedTuple):
    """The trials of a group at the same numbers of frames.

    Statistics over trials are NaN where a trial has no value: a mean over the longer trials alone
    would jump where one ends.

    Attributes:
        trials: (trials, points), each trial's score, the mean of its last hundred episodes.
        deviation: the standard deviation over trials (0 for one trial).
        low, high: the minimum and the maximum over trials.
        band: (2, points), the 95 % bootstrap interval of the mean; NaN for one trial.
    """

    frames: Ints
    trials: Floats
    mean: Floats
    deviation: Floats
    low: Floats
    high: Floats
    band: Floats


def trial_curves(result: Result) -> TrialCurves:
    """The curves of a run, with a point at the end of each episode."""
    episodes, reached = result.episodes, int(result.row["frames"])
    frames = np.array([0, *(episode["frames"] for episode in episodes), reached], np.int64)
    values = {what: _last_mean(episodes, what) for what in MEANS}
    values["observed"] = np.array([0.0, *(episode["observed"] for episode in episodes)])
    values["rooms"] = _rooms(episodes)
    ended = {what: np.append(value, value[-1]) for what, value in values.items()}
    return TrialCurves(result.row, frames, ended, _visits(episodes), result.name)


def group_curves(
    group: Group, curves_of: Callable[[Result], TrialCurves] = trial_curves
) -> GroupCurves:
    """The curves of runs read from their folders.

    Args:
        group: the runs.
        curves_of: returns those of one run.
    """
    skips = {one.config.frame_skip for one in group.results if one.config.is_atari}
    config = group.config
    return GroupCurves(
        group.game,
        group.label,
        config.bonus,
        [curves_of(one) for one in group.results],
        readings(group.game, config.bonus, config.beta, config.per_feature),
        skips.pop() if len(skips) == 1 else None,
    )


def by_game(groups: Iterable[GroupCurves]) -> dict[str, list[GroupCurves]]:
    """The groups of each game."""
    found = dict[str, list[GroupCurves]]()
    for group in groups:
        found.setdefault(group.game, []).append(group)
    return found


def grid(groups: Iterable[GroupCurves]) -> Ints:
    """Numbers of frames at equal distances, from 0 to the end of the longest run."""
    most = max(trial.reached for group in groups for trial in group.trials)
    return np.linspace(0, most, POINTS + 1).astype(np.int64)


def curve(frames: Ints, trials: Floats) -> Curve:
    """Statistics over trials at these numbers of frames."""
    num = len(trials)
    unknown = np.full((2, frames.size), np.nan)
    return Curve(
        frames,
        trials,
        mean=trials.mean(axis=0),
        deviation=trials.std(axis=0, ddof=1) if num > 1 else 0.0 * trials[0],
        low=trials.min(axis=0),
        high=trials.max(axis=0),
        band=bootstrap_band(trials) if num > 1 else unknown,
    )


def readings(game: str, bonus: str, beta: float, per_feature: bool) -> list[Reading]:
    """Points read off the curve of such an agent in the paper's Figure 1."""
    changed = game == "freeway" and not per_feature
    usual = FREEWAY_BETA if changed else usual_beta(per_feature)
    if bonus == "phi" and beta != usual:
        return []
    return [one for one in FIGURE_1.get((game, bonus), ()) if one.frames]


def frames_text(frames: Sequence[int]) -> str:
    """The range of numbers of frames.

    Example:
        >>> frames_text([10_000_004, 2_500_000]), frames_text([40_000])
        ('2.5–10 M', '0.04 M')
    """
    low, high = (millions(f(frames)) for f in (min, max))
    return low if low == high else f"{low.removesuffix(' M')}–{high}"


def last_means(values: Sequence[float]) -> Floats:
    """The mean over the last hundred episodes at the end of each."""
    padded = np.concatenate([np.full(LAST - 1, np.nan), np.array(values, np.float64)])
    windows = np.lib.stride_tricks.sliding_window_view(padded, LAST)
    means: Floats = np.nanmean(windows, axis=1)
    return means


def _last_mean(episodes: Sequence[Mapping[str, float]], what: str) -> Floats:
    """The same of what the log says of episodes; NaN before the first."""
    return np.concatenate([[np.nan], last_means([episode[what] for episode in episodes])])


def _rooms(episodes: Sequence[Mapping[str, Mapping[str, int]]]) -> Floats:
    """Number of rooms visited by the end of each episode, first 0; NaN in games without rooms."""
    if not any("rooms" in episode for episode in episodes):
        return np.full(len(episodes) + 1, np.nan)
    seen, counts = set[str](), [0.0]
    for episode in episodes:
        seen |= episode.get("rooms", {}).keys()
        counts.append(len(seen))
    return np.array(counts)


def _visits(episodes: Sequence[Mapping[str, Mapping[str, int]]]) -> dict[int, int]:
    found = dict[int, int]()
    for episode in episodes:
        for room, decisions in episode.get("rooms", {}).items():
            found[int(room)] = found.get(int(room), 0) + int(decisions)
    return found
