"""Frames per second of CPU time of each deep system, beside Sarsa-φ-EB, in one process.

    python benchmarks/deep.py --game venture

Every system trains in slices that take turns, so that all meet the same machine. Only slices with
learning are counted: as many decisions as one update of PPO and TRPO needs.
"""

import argparse
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from time import process_time
from typing import Any

from phieb.training import Config
from phieb.training.training import Training

SLICE = 128  # decisions
REPLAYING = {"learning_starts": 64, "buffer_size": 4_096}
SYSTEMS: list[tuple[str, str, dict[str, Any]]] = [
    ("sarsa", "phi", {}),
    ("dqn", "none", REPLAYING),
    ("ddqn", "none", REPLAYING),
    ("dueling", "none", REPLAYING),
    ("dqn-pa", "none", REPLAYING),
    ("ddqn-mmc", "cts", REPLAYING),
    ("dqn", "mp-ae", REPLAYING),
    ("a2c", "cts", {}),
    ("trpo", "none", {}),
    ("trpo", "simhash-ae", {}),
]


@dataclass
class Speed:
    """What a system has done, and the CPU time that it took."""

    agent: str
    bonus: str
    decisions: int = 0
    frames: int = 0
    seconds: float = 0.0


def measured(game: str, slices: int) -> list[Speed]:
    """All systems, after one slice of each that is not counted."""
    trainings = []
    for agent, bonus, args in SYSTEMS:
        config = Config(game=game, agent=agent, bonus=bonus, seed=1, agent_args=args)
        training = Training(config)
        training.start_episode()
        trainings.append((training, Speed(training.config.label, bonus)))
    for number in range(slices + 1):
        for training, speed in trainings:
            began, frames = process_time(), training.frames
            for _ in range(SLICE):
                if training.step():
                    training.start_episode()
            if number:
                speed.seconds += process_time() - began
                speed.frames += training.frames - frames
                speed.decisions += SLICE
    return [speed for _, speed in trainings]


def main() -> None:
    """Measure, print a table, and write it as JSON if asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="venture")
    parser.add_argument("--slices", type=int, default=8)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    found = measured(options.game, options.slices)
    print("| system | frames per second of CPU time | ms per decision |\n|---|---|---|")
    for one in found:
        rate, each = one.frames / one.seconds, 1_000 * one.seconds / one.decisions
        print(f"| {one.agent} | {rate:,.0f} | {each:.1f} |")
    if options.json is not None:
        options.json.write_text(json.dumps([asdict(one) for one in found], indent=1) + "\n")


if __name__ == "__main__":
    main()
