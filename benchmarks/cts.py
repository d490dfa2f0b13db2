"""What the CTS bonus costs: microseconds a screen, and how its trees grow.

    python -m benchmarks.cts [--decisions 5000] [--json FILE]

For each game: random play, made into grey pictures of 42 × 42 in 8 levels by `Grey`, which are then
given to `CtsBonus`. The three take turns in short slices; a time is the median over the slices of
the last half, when most nodes have been made. The bonus is called as users call it, from Python,
checks included. Processor time is measured, so that other programs may run at the same time.
"""

import statistics
from itertools import islice
from time import process_time
from typing import Any

from benchmarks.games import SLICE, measure_all

from phieb.features import Grey
from phieb.novelty import CtsBonus
from phieb.worlds import random_screens

GAMES = ("venture", "montezuma_revenge")
COLUMNS = {
    "game": "{game}",
    "emulator, µs": "{emulator_us:.0f}",
    "grey, µs": "{grey_us:.0f}",
    "bonus, µs": "{bonus_us:.0f}",
    "quartiles": "{low_us:.0f}–{high_us:.0f}",
    "nodes": "{nodes:,}",
    "MB": "{megabytes:.1f}",
}


def measure(game: str, decisions: int) -> dict[str, Any]:
    """Median microseconds a decision of each, with the quartiles of the bonus, and its nodes."""
    grey, bonus = Grey((42, 42), levels=8), CtsBonus()
    play = random_screens(game, decisions, seed=1)
    times: list[tuple[float, float, float]] = []
    for _ in range(decisions // SLICE):
        began = process_time()
        screens = [screen.copy() for screen in islice(play, SLICE)]
        played = process_time()
        pictures = [grey.active(screen) for screen in screens]
        drawn = process_time()
        for picture in pictures:
            bonus.observe(picture)
        done = process_time()
        times.append((played - began, drawn - played, done - drawn))
    late = times[len(times) // 2 :]
    low, middle, high = statistics.quantiles((b for _, _, b in late), n=4)
    tables = (*bonus.density.rows.table, *bonus.density.trees)
    return {
        "game": game,
        "emulator_us": statistics.median(e for e, _, _ in late) / SLICE * 1e6,
        "grey_us": statistics.median(g for _, g, _ in late) / SLICE * 1e6,
        "bonus_us": middle / SLICE * 1e6,
        "low_us": low / SLICE * 1e6,
        "high_us": high / SLICE * 1e6,
        "nodes": len(bonus.density.rows),
        "megabytes": sum(table.nbytes for table in tables) / 1e6,
    }


if __name__ == "__main__":
    measure_all(__doc__, measure, GAMES, 5_000, COLUMNS)
