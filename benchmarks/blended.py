"""Frames a second with a blended screen against those with the last frame, in turns.

    python benchmarks/blended.py [--frames 100000] [--slices 40]

Two agents of each game train side by side, and are then measured in alternating slices.
"""

import argparse
import statistics

from phieb.benchmarking.bench import WARM_UP, Pair
from phieb.experiments.paper import GAMES
from phieb.training import preset


def ratio(game: str, frames: int, slices: int) -> float:
    """The median over slices of how much longer the last frame takes: at most 1."""
    pairs = [
        Pair(preset("default", game, seed=1, screen=screen))  # the same but for the screen
        for screen in ("last", "blend")
    ]
    for pair in pairs:
        pair.train(frames)
    times = [tuple(pair.slice().agent for pair in pairs) for _ in range(WARM_UP + slices)]
    return statistics.median(last / blend for last, blend in times[WARM_UP:])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=100_000)
    parser.add_argument("--slices", type=int, default=40)
    asked = parser.parse_args()
    for game in GAMES:
        print(f"| {game} | {ratio(game, asked.frames, asked.slices):.2f} |", flush=True)
