"""A bonus and a feature map of one's own in Atari, relative to the built-in ones.

    python -m benchmarks.own_parts [--games venture freeway] [--decisions 4000]

Runs as `phieb train` makes them take turns in slices of 100 decisions. Times are of the processor;
a share is the built-in's time for a slice divided by that of the other, the median over slices.
"""

import argparse
from statistics import median
from time import thread_time

from phieb.training import Config
from phieb.training.training import Training

SLICE, WARM_UP = 100, 1_000  # decisions
BUILT_IN = "built-in"
RUNS = {
    BUILT_IN: {},
    "own bonus": {"bonus": "examples.own_parts:FirstTime"},
    "own map": {"features": "examples.own_parts:Levels"},
    "own bonus and map": {
        "bonus": "examples.own_parts:FirstTime",
        "features": "examples.own_parts:Levels",
    },
    "own bonus, map and agent": {
        "bonus": "examples.own_parts:FirstTime",
        "features": "examples.own_parts:Levels",
        "agent": "examples.own_parts:OneStepQ",
    },
}


def seconds(training: Training, decisions: int) -> float:
    """Time of the processor for some decisions."""
    began = thread_time()
    for _ in range(decisions):
        if training.step():
            training.start_episode()
    return thread_time() - began


def shares(game: str, decisions: int) -> dict[str, tuple[float, float]]:
    """Frames per second of each run, and its share of the built-in's."""
    runs = {name: Training(Config(game, **settings)) for name, settings in RUNS.items()}  # type: ignore[arg-type]
    for training in runs.values():
        training.start_episode()
        seconds(training, WARM_UP)
    times = {name: list[float]() for name in runs}
    for _ in range(decisions // SLICE):
        for name, training in runs.items():
            times[name].append(seconds(training, SLICE))
    frames = SLICE * Config(game).frame_skip
    return {
        name: (
            frames / median(mine),
            median(built_in / own for built_in, own in zip(times[BUILT_IN], mine, strict=True)),
        )
        for name, mine in times.items()
    }


def main() -> None:
    """Measure all and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", nargs="+", default=["venture", "freeway"])
    parser.add_argument("--decisions", type=int, default=4_000)
    given = parser.parse_args()
    print("| game | parts | frames/s | share |\n|---|---|---|---|")
    for game in given.games:
        for name, (speed, share) in shares(game, given.decisions).items():
            print(f"| {game} | {name} | {speed:,.0f} | {share:.2f} |", flush=True)


if __name__ == "__main__":
    main()
