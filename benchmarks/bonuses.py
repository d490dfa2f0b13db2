"""What each bonus costs a decision, and the map that makes what it observes.

    python benchmarks/bonuses.py [--game venture] [--decisions 3000]

All see the screens of the same random play, called as users call them, from Python. Times are of
the processor; medians, after the first 100 decisions.
"""

import argparse
import statistics
from time import thread_time
from typing import Any

from phieb.features import Bass, BlobProst, Grey
from phieb.novelty import (
    Bonus,
    CountBonus,
    CtsBonus,
    NaivePhiBonus,
    PhiBonus,
    PredictionErrorBonus,
    SimHashBonus,
)
from phieb.worlds import random_screens

WARM_UP = 100  # decisions
ACTIONS = 18


class Screen:
    """The screen itself, for a bonus that takes it as it is."""

    def active(self, screen: Any) -> Any:
        """The screen."""
        return screen


def rivals() -> dict[tuple[str, str], tuple[Any, Bonus]]:
    """Every bonus with a map that suits it."""
    grey, bass, levels = Grey((52, 52)), Bass(), Grey((42, 42), levels=8)
    return {
        ("`PhiBonus`", "`BlobProst`"): (BlobProst(), PhiBonus()),
        ("`NaivePhiBonus`", "`BlobProst`"): (BlobProst(), NaivePhiBonus()),
        ("`CountBonus`", "the screen"): (Screen(), CountBonus()),
        ("`CountBonus`, pairs", "the screen"): (Screen(), CountBonus(of="state-action")),
        ("`CtsBonus`", "`Grey((42, 42), levels=8)`"): (levels, CtsBonus()),
        ("`SimHashBonus`, 64 bits", "`Grey((52, 52))`"): (grey, SimHashBonus(0.01, grey.size)),
        ("`SimHashBonus`, 256 bits", "`Bass`"): (bass, SimHashBonus(0.01, bass.size, bits=256)),
        ("`PredictionErrorBonus`", "`BlobProst`"): (
            BlobProst(),
            PredictionErrorBonus(0.01, ACTIONS),
        ),
    }


def main() -> None:
    """Measure all and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="venture")
    parser.add_argument("--decisions", type=int, default=3_000)
    given = parser.parse_args()
    if given.decisions < 2 * WARM_UP:
        parser.error(f"--decisions must be at least {2 * WARM_UP}, got {given.decisions}")
    pairs = rivals()
    times: dict[tuple[str, str], list[tuple[float, float]]] = {names: [] for names in pairs}
    for k, screen in enumerate(random_screens(given.game, given.decisions, seed=0)):
        for names, (features, bonus) in pairs.items():
            began = thread_time()
            active = features.active(screen)
            mapped = thread_time()
            bonus.observe(active, k % ACTIONS)
            times[names].append((mapped - began, thread_time() - mapped))
    print("| bonus | observes | map, µs | bonus, µs |")
    print("|---|---|---|---|")
    for (name, observes), both in times.items():
        of_map, of_bonus = (
            statistics.median(each) * 1e6 for each in zip(*both[WARM_UP:], strict=True)
        )
        print(f"| {name} | {observes} | {of_map:.0f} | {of_bonus:.0f} |")


if __name__ == "__main__":
    main()
