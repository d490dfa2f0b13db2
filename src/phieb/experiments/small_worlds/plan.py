"""The agents, worlds and settings of `phieb small`, and the grids that settings were chosen from.

Settings marked `published` are those of the papers in docs/small-worlds.md. All others are the
best of `GRIDS` on the search seeds, which no reported number uses; `phieb small --search` repeats
the search.
"""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import NamedTuple

Setting = Mapping[str, float]

STEPS = 5_000
SEARCH_SEEDS = range(1_000, 1_050)  # reported are seeds 0, 1, 2, …, at most 999

DEEP_SEA_SIZES = (10, 20, 30, 40, 50)
DEEP_SEA_EPISODES = 10_000
DEEP_SEA_SEARCH_SIZES = (10, 20)
DEEP_SEA_SEARCH_SEEDS = range(1_000, 1_020)

EPSILON, OPTIMISTIC = "Sarsa-ε", "Sarsa, optimistic start"
PHI_EB, PHI_EB_ZERO = "Sarsa-φ-EB", "Sarsa-φ-EB, zero start"
MBIE_EB, DYNA, UCB1 = "MBIE-EB", "Dyna-Q+", "UCB1"

# Settings that are not searched. `optimistic`: weights start at β/√κ, as in the authors' code.
_FIXED: dict[str, Setting] = {
    EPSILON: {"gamma": 0.95},
    OPTIMISTIC: {"gamma": 0.95},
    PHI_EB: {"gamma": 0.95, "kappa": 0.01, "optimistic": True},
    PHI_EB_ZERO: {"gamma": 0.95, "kappa": 0.01},
    MBIE_EB: {"gamma": 0.95},
    DYNA: {"gamma": 0.95, "num_backups": 10},
    UCB1: {},
}


class Entry(NamedTuple):
    """One agent in one world, with the settings that differ from `_FIXED`."""

    world: str
    agent: str
    chosen: Setting
    published: bool = False

    def setting(self) -> dict[str, float]:
        """All settings of the agent."""
        return {**_FIXED[self.agent], **self.chosen}


def _grids(r_max: float) -> dict[str, dict[str, tuple[float, ...]]]:
    """Grids for a continuing world; bonuses and values are in units of its largest reward."""
    fractions = (0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0)
    scaled = tuple(round(fraction * r_max, 6) for fraction in fractions)
    step = {"alpha": (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0), "lambda_": (0.0, 0.5, 0.9)}
    bonus = {"beta": scaled, "epsilon": (0.0, 0.01)}
    starts = (*scaled, 10 * r_max, 20 * r_max)
    return {
        EPSILON: {**step, "epsilon": (0.003, 0.01, 0.03, 0.1, 0.2, 0.3, 0.5)},
        OPTIMISTIC: {**step, "epsilon": (0.0, 0.01), "initial_value": starts},
        PHI_EB: {**step, **bonus},
        PHI_EB_ZERO: {**step, **bonus},
        DYNA: {
            "kappa": tuple(round(f * r_max, 6) for f in (1e-5, 1e-4, 1e-3, 1e-2, 1e-1)),
            "alpha": (0.1, 0.3, 1.0),
            "epsilon": (0.0, 0.01, 0.1),
        },
    }


_SEA_STEP = {"alpha": (0.1, 0.5, 1.0), "gamma": (0.99, 1.0), "lambda_": (0.0, 0.9)}
_SEA_BONUS = {"beta": (0.01, 0.03, 0.1, 0.3, 1.0), "epsilon": (0.0, 0.01)}
_SEA_STARTS = {"epsilon": (0.0, 0.01), "initial_value": (0.03, 0.1, 0.3, 1.0, 3.0)}

GRIDS: dict[str, dict[str, dict[str, tuple[float, ...]]]] = {
    "RiverSwim": _grids(10_000.0),
    "SixArms": _grids(6_000.0),
    "Bandit": _grids(1.0),
    "DeepSea": {
        EPSILON: {**_SEA_STEP, "epsilon": (0.01, 0.03, 0.1, 0.2, 0.3)},
        OPTIMISTIC: {**_SEA_STEP, **_SEA_STARTS},
        PHI_EB: {**_SEA_STEP, **_SEA_BONUS},
        PHI_EB_ZERO: {**_SEA_STEP, **_SEA_BONUS},
    },
}


def settings_of(grid: Mapping[str, tuple[float, ...]]) -> Iterator[dict[str, float]]:
    """Every combination in a grid."""
    return (dict(zip(grid, values, strict=True)) for values in product(*grid.values()))


CHOSEN = (
    Entry("RiverSwim", EPSILON, {"alpha": 0.1, "lambda_": 0.9, "epsilon": 0.1}),
    Entry(
        "RiverSwim",
        OPTIMISTIC,
        {"alpha": 0.5, "lambda_": 0.5, "epsilon": 0.0, "initial_value": 3000.0},
    ),
    Entry("RiverSwim", PHI_EB, {"alpha": 0.7, "lambda_": 0.5, "beta": 100.0, "epsilon": 0.0}),
    Entry(
        "RiverSwim", PHI_EB_ZERO, {"alpha": 0.5, "lambda_": 0.9, "beta": 1000.0, "epsilon": 0.01}
    ),
    Entry("RiverSwim", DYNA, {"kappa": 10.0, "alpha": 0.1, "epsilon": 0.0}),
    Entry("SixArms", EPSILON, {"alpha": 0.01, "lambda_": 0.5, "epsilon": 0.003}),
    Entry(
        "SixArms",
        OPTIMISTIC,
        {"alpha": 0.01, "lambda_": 0.0, "epsilon": 0.0, "initial_value": 18000.0},
    ),
    Entry("SixArms", PHI_EB, {"alpha": 0.01, "lambda_": 0.5, "beta": 6000.0, "epsilon": 0.0}),
    Entry("SixArms", PHI_EB_ZERO, {"alpha": 0.5, "lambda_": 0.9, "beta": 1.8, "epsilon": 0.0}),
    Entry("SixArms", DYNA, {"kappa": 60.0, "alpha": 0.3, "epsilon": 0.0}),
    Entry("Bandit", EPSILON, {"alpha": 0.3, "lambda_": 0.5, "epsilon": 0.1}),
    Entry(
        "Bandit", OPTIMISTIC, {"alpha": 0.3, "lambda_": 0.9, "epsilon": 0.0, "initial_value": 20.0}
    ),
    Entry("Bandit", PHI_EB, {"alpha": 0.3, "lambda_": 0.9, "beta": 3.0, "epsilon": 0.0}),
    Entry("Bandit", PHI_EB_ZERO, {"alpha": 0.7, "lambda_": 0.9, "beta": 0.0003, "epsilon": 0.01}),
    Entry("Bandit", DYNA, {"kappa": 1e-05, "alpha": 0.1, "epsilon": 0.1}),
    Entry("DeepSea", EPSILON, {"alpha": 0.5, "gamma": 1.0, "lambda_": 0.9, "epsilon": 0.3}),
    Entry(
        "DeepSea",
        OPTIMISTIC,
        {"alpha": 1.0, "gamma": 1.0, "lambda_": 0.0, "epsilon": 0.0, "initial_value": 0.03},
    ),
    Entry(
        "DeepSea",
        PHI_EB,
        {"alpha": 1.0, "gamma": 0.99, "lambda_": 0.9, "beta": 0.1, "epsilon": 0.0},
    ),
    Entry(
        "DeepSea",
        PHI_EB_ZERO,
        {"alpha": 0.5, "gamma": 0.99, "lambda_": 0.9, "beta": 0.3, "epsilon": 0.01},
    ),
)

PUBLISHED = (
    Entry("RiverSwim", MBIE_EB, {"beta": 4_000.0, "r_max": 10_000.0}, published=True),
    Entry("SixArms", MBIE_EB, {"beta": 4_800.0, "r_max": 6_000.0}, published=True),
    Entry("Bandit", UCB1, {"scale": 1.0}, published=True),
)

ENTRIES = (*CHOSEN, *PUBLISHED)
