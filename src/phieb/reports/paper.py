"""Published scores, as data: the paper's Table 1 and Figure 1, and later work.

All are scores of the game, without bonus.
"""

from typing import NamedTuple

from phieb.experiments.paper import GAMES, MILLION

# Frames at which curves are compared.
MARKS = tuple(millions * MILLION for millions in (5, 10, 20, 30, 60, 100))


class Report(NamedTuple):
    """Mean evaluation scores that a paper reports, by game, and the frames of training."""

    system: str
    frames: int | None
    scores: dict[str, float]
    source: str


class Reading(NamedTuple):
    """A mean training score read off Figure 1, between `low` and `high`.

    Attributes:
        frames: of training; None for the level at which the curve ends.
    """

    frames: int | None
    low: float
    high: float


def _scores(*scores: float | None) -> dict[str, float]:
    return {game: one for game, one in zip(GAMES, scores, strict=True) if one is not None}


_TABLE_1 = "Table 1"

# Q*bert was trained for 80 million frames.
PAPER = [
    Report("Sarsa-φ-EB", 100 * MILLION, _scores(1169.2, 2745.4, 0.0, 2770.1, 4111.8), _TABLE_1),
    Report("Sarsa-ε", 100 * MILLION, _scores(0.0, 399.5, 29.9, 1394.3, 3895.3), _TABLE_1),
]

# The other rows of Table 1.
COMPARED = [
    Report("DDQN-PC", 100 * MILLION, _scores(None, 3459, None, None, None), _TABLE_1),
    Report("A3C+", 200 * MILLION, _scores(0, 142, 27, 507, 15805), _TABLE_1),
    Report("TRPO-Hash", 200 * MILLION, _scores(445, 75, 34, 5214, None), _TABLE_1),
    Report("MP-EB", 20 * MILLION, _scores(None, 0, 12, 380, None), _TABLE_1),
    Report("DDQN", 200 * MILLION, _scores(98, 0, 33, 1683, 15088), _TABLE_1),
    Report("DQN-PA", 200 * MILLION, _scores(1172, 0, 33, 3469, 5237), _TABLE_1),
    Report("Gorila", 200 * MILLION, _scores(1245, 4, 12, 605, 10816), _TABLE_1),
    Report("TRPO", 200 * MILLION, _scores(121, 0, 16, 2869, 7733), _TABLE_1),
    Report("Dueling", 200 * MILLION, _scores(497, 0, 0, 4672, 19220), _TABLE_1),
]

# What others have reported since, or with the same features.
SINCE = [
    Report(
        "Blob-PROST, Sarsa-ε",
        200 * MILLION,
        _scores(245, 778, 31.5, 3390, 6947),
        "Liang, Machado, Talvitie & Bowling 2016, 24 trials",
    ),
    Report("DQN-CTS", 150 * MILLION, _scores(82, 3705, 31.7, None, None), "Ostrovski et al. 2017"),
    Report(
        "DQN-PixelCNN",
        150 * MILLION,
        _scores(1356, 2514, 31.7, None, None),
        "Ostrovski et al. 2017",
    ),
    Report(
        "TRPO-pixel-SimHash", 200 * MILLION, _scores(263, 0, 31.6, 4683, None), "Tang et al. 2017"
    ),
    Report(
        "TRPO-BASS-SimHash", 200 * MILLION, _scores(616, 238, 28.4, 3150, None), "Tang et al. 2017"
    ),
    Report(
        "DQN + SR counts",
        100 * MILLION,
        _scores(1242, 1779, 29.5, None, None),
        "Machado, Bellemare & Bowling 2020",
    ),
    Report("RND", 1_970 * MILLION, _scores(1859, 8152, None, None, None), "Burda et al. 2019"),
    Report(
        "Agent57", 78_000 * MILLION, _scores(2624, 9352, 32.6, 541281, 580328), "Badia et al. 2020"
    ),
    Report("human", None, _scores(1188, 4753, 29.6, 4335, 13455), "Badia et al. 2020"),
]

# Figure 1, by game and bonus. Freeway's curve is of β = 0.035.
FIGURE_1: dict[tuple[str, str], tuple[Reading, ...]] = {
    ("venture", "phi"): (
        Reading(5 * MILLION, 150, 200),
        Reading(20 * MILLION, 450, 450),
        Reading(50 * MILLION, 450, 450),
        Reading(60 * MILLION, 800, 800),
        Reading(100 * MILLION, 1100, 1100),
    ),
    ("venture", "none"): (Reading(0, 0, 0), Reading(100 * MILLION, 0, 0)),
    ("montezuma_revenge", "phi"): (
        Reading(10 * MILLION, 100, 300),
        Reading(20 * MILLION, 500, 500),
        Reading(35 * MILLION, 2000, 2000),
        Reading(60 * MILLION, 2500, 2500),
    ),
    ("montezuma_revenge", "none"): (
        Reading(20 * MILLION, 370, 370),
        Reading(100 * MILLION, 370, 370),
    ),
    ("qbert", "phi"): (Reading(10 * MILLION, 2000, 2000), Reading(40 * MILLION, 4000, 4000)),
    ("qbert", "none"): (Reading(None, 3300, 3300),),
    ("frostbite", "phi"): (
        Reading(10 * MILLION, 2000, 2000),
        Reading(None, 2500, 2500),
    ),
    ("frostbite", "none"): (Reading(None, 1400, 1400),),
    ("freeway", "phi"): (Reading(2 * MILLION, 20, 20), Reading(20 * MILLION, 27, 28)),
    ("freeway", "none"): (Reading(20 * MILLION, 27, 28),),
}
