"""Training scores against frames: of each trial, and of all trials of a group together."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from phieb.intervals import bootstrap_band
from phieb.reports.paper import BETA, FIGURE_1, FREEWAY_BETA, Reading
from phieb.reports.runs import LAST
from phieb.reports.study import Group, Result

POINTS = 200

Floats = NDArray[np.float64]


class Curve(NamedTuple):
    """The trials of a group at the same numbers of frames; NaN where there is nothing to say.

    What is said of all trials together is said where all of them are: a mean over those that
    happen to be further would jump where one ends.

    Attributes:
        trials: (trials, points), each trial's score: the mean of its last hundred episodes.
        deviation: of the trials from their mean, one standard deviation (0 for one trial).
        low, high: the lowest and the highest trial.
        band: (2, points), the 95 % bootstrap interval of the mean; NaN for one trial.
    """

    frames: NDArray[np.int64]
    trials: Floats
    mean: Floats
    deviation: Floats
    low: Floats
    high: Floats
    band: Floats


def grid(groups: Sequence[Group]) -> NDArray[np.int64]:
    """Numbers of frames, from 0 to where the longest run is."""
    most = max(int(one.row["frames"]) for group in groups for one in group.results)
    return np.linspace(0, most, POINTS + 1).astype(np.int64)


def score_at(result: Result, frames: NDArray[np.int64]) -> Floats:
    """The mean score of the last hundred episodes over by then; NaN where there is none."""
    ends = np.array([episode["frames"] for episode in result.episodes])
    total = np.cumsum([0.0, *(episode["score"] for episode in result.episodes)])
    over = np.searchsorted(ends, frames, side="right")
    first = np.maximum(over - LAST, 0)
    score = (total[over] - total[first]) / np.maximum(over - first, 1)
    return np.where((over > 0) & (frames <= int(result.row["frames"])), score, np.nan)


def rooms_at(result: Result, frames: NDArray[np.int64]) -> Floats:
    """How many rooms had been visited by the end of the last episode over by then."""
    seen, counts = set[str](), [0]
    for episode in result.episodes:
        seen |= episode.get("rooms", {}).keys()
        counts.append(len(seen))
    ends = [episode["frames"] for episode in result.episodes]
    found = np.array(counts, np.float64)[np.searchsorted(ends, frames, side="right")]
    return np.where(frames <= int(result.row["frames"]), found, np.nan)


def curve(frames: NDArray[np.int64], trials: Floats) -> Curve:
    """What is said of trials together."""
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


def score_curve(group: Group, frames: NDArray[np.int64]) -> Curve:
    """Training scores of a group."""
    return curve(frames, np.stack([score_at(one, frames) for one in group.results]))


def readings(group: Group) -> list[Reading]:
    """Where the curve of the same agent is in the paper's Figure 1, at known numbers of frames."""
    beta = FREEWAY_BETA if group.game == "freeway" else BETA
    config = group.config
    if config.bonus == "phi" and config.beta != beta:
        return []
    found = FIGURE_1.get((group.game, config.bonus), ())
    return [one for one in found if one.frames]
