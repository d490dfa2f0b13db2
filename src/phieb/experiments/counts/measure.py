"""Measure pseudocounts against true counts."""

import json
import math
from collections.abc import Callable, Iterable
from importlib.metadata import version
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phieb.experiments.counts import plan as plan
from phieb.experiments.counts.agreement import agreement
from phieb.experiments.counts.walks import BEHAVIOURS, trajectory
from phieb.novelty import Bonus

PER_OCTAVE = 8  # points kept for the figure with a true count in [1, 2), in [2, 4), …


def run(num_seeds: int, steps: int, advance: Callable[[], None]) -> dict[str, Any]:
    """All results of `phieb counts` as JSON values; calls `advance` after each job."""
    rows = [
        row
        for world in plan.WORLDS
        for behaviour in BEHAVIOURS
        for seed in range(num_seeds)
        for row in _trial(world, behaviour, seed, steps, advance)
    ]
    return {
        "versions": {name: version(name) for name in ("phieb", "numpy", "numba", "gymnasium")},
        "steps": steps,
        "seeds": [0, num_seeds],
        "rows": rows,
    }


def num_jobs(num_seeds: int) -> int:
    """How often `run` calls `advance`."""
    return len(plan.WORLDS) * len(BEHAVIOURS) * num_seeds * len(plan.CASES)


def true_counts(positions: NDArray[np.float64]) -> NDArray[np.int64]:
    """For each position, the number of earlier ones in the square of one cell centred on it.

    In a grid this is the number of earlier visits to the cell. In the plane the square is not
    aligned with any grid and so favours no tiling; it has the area of a tile as wide as a cell.
    """
    return np.array(
        [
            np.count_nonzero(np.all(np.abs(positions[:t] - position) <= 0.5, axis=1))
            for t, position in enumerate(positions)
        ],
        np.int64,
    )


def estimates(bonus: Bonus, history: Iterable[Any]) -> NDArray[np.float64]:
    """The pseudocount of each observation before it is counted."""
    found = []
    for seen in history:
        bonus.observe(seen)
        found.append(bonus.pseudocount)
    return np.array(found)


def to_json(results: dict[str, Any]) -> str:
    """JSON with one line for each row, since the points of a row are many short lists."""
    rows = ",\n  ".join(json.dumps(row) for row in results["rows"])
    head = json.dumps({**results, "rows": []}, indent=1)
    return head.replace('"rows": []', f'"rows": [\n  {rows}\n ]') + "\n"


def _trial(
    world: str, behaviour: str, seed: int, steps: int, advance: Callable[[], None]
) -> Iterable[dict[str, Any]]:
    """All bonuses on the same trajectory, with a row for each."""
    positions = trajectory(plan.world_of(world), behaviour, seed, steps)
    true = true_counts(positions)
    views = plan.views(seed)
    histories = {name: [view(position) for position in positions] for name, view in views.items()}
    for case in plan.CASES:
        estimated = estimates(case.make(seed), histories[case.sees])
        yield {
            "world": world,
            "behaviour": behaviour,
            "seed": seed,
            "bonus": case.bonus,
            "sees": case.sees,
            **{name: _finite(x) for name, x in agreement(estimated, true)._asdict().items()},
            "points": _points(estimated, true, seed) if seed == 0 else [],
        }
        advance()


def _points(
    estimated: NDArray[np.float64], true: NDArray[np.int64], seed: int
) -> list[list[float]]:
    """True count and estimate of a few random observations in each octave of the true count."""
    rng = np.random.default_rng(seed)
    octave = np.floor(np.log2(np.maximum(true, 0.5))).astype(np.int64)
    points = []
    for number in range(int(octave.max()) + 1):
        inside = np.flatnonzero((octave == number) & np.isfinite(estimated))
        chosen = rng.permutation(inside)[:PER_OCTAVE]
        points += [[int(true[i]), _short(estimated[i])] for i in np.sort(chosen)]
    return points


def _finite(x: float | None) -> float | None:
    """Three significant digits; None for infinity and NaN, which JSON does not have."""
    return _short(x) if x is not None and math.isfinite(x) else None


def _short(x: float) -> float:
    return float(f"{x:.3g}")
