"""Two trials at the same time on two cores, against one alone: frames a second of both together.

One alone, both, one alone, both, …, each for some seconds in processes of their own.
"""

import argparse
import statistics
from multiprocessing import get_context
from multiprocessing.queues import Queue
from time import perf_counter
from typing import Any

from phieb.training import preset
from phieb.training.training import Training
from phieb.worlds.games import find_game


def train(game: str, seed: int, seconds: float, starts: Any, speeds: "Queue[float]") -> None:
    """Frames a second of one trial, from when all are ready."""
    training = Training(preset("default", game, seed=seed))
    training.start_episode()
    for _ in range(200):
        if training.step():
            training.start_episode()
    starts.wait()
    began, decisions = perf_counter(), training.decisions
    while perf_counter() - began < seconds:
        if training.step():
            training.start_episode()
    done = training.decisions - decisions
    speeds.put(done * training.config.frame_skip / (perf_counter() - began))


def together(game: str, trials: int, seconds: float) -> float:
    """Frames a second of so many trials together."""
    context = get_context("spawn")
    starts, speeds = context.Barrier(trials), context.Queue()
    processes = [
        context.Process(target=train, args=(game, seed, seconds, starts, speeds))
        for seed in range(trials)
    ]
    for process in processes:
        process.start()
    total: float = sum(speeds.get() for _ in processes)
    for process in processes:
        process.join()
    return total


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="venture")
    parser.add_argument("--seconds", type=float, default=15.0)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    find_game(given.game)
    ratios = []
    for _ in range(given.rounds):
        one, two = (together(given.game, trials, given.seconds) for trials in (1, 2))
        ratios.append(two / one)
        print(
            f"one {one:,.0f} frames/s, two together {two:,.0f}, ratio {two / one:.2f}", flush=True
        )
    print(f"{given.game}: median ratio {statistics.median(ratios):.2f}")


if __name__ == "__main__":
    main()
