"""The start of the values in environments off Atari: should the shortfall be the default?

python -m benchmarks.recipe [TEXT]   runs what is missing in results/recipe.csv, of environments
                                     with TEXT in their name

`make results` writes the table of docs/own-environment.md.
"""

import json
import sys
import tempfile
from pathlib import Path
from statistics import fmean
from typing import Any

import phieb
from benchmarks.rows import add_row, read_rows

FILE = Path(__file__).parents[1] / "results" / "recipe.csv"
SEEDS = range(1, 6)
ENVS: dict[str, tuple[str, dict[str, Any], int]] = {  # id, arguments, steps
    "FrozenLake-v1": ("FrozenLake-v1", {}, 20_000),
    "FrozenLake8x8-v1": ("FrozenLake8x8-v1", {}, 50_000),
    "CartPole-v1": ("CartPole-v1", {}, 20_000),
    "MiniGrid-DoorKey-5x5-v0": ("MiniGrid-DoorKey-5x5-v0", {}, 20_000),
    "PointMaze2D, small": ("phieb/PointMaze2D-v0", {"size": "small"}, 20_000),
    "PointMaze2D, middle": ("phieb/PointMaze2D-v0", {"size": "middle"}, 20_000),
    "DeepSea, size 10": ("phieb/DeepSea-v0", {"size": 10}, 20_000),
}
SETTINGS: dict[str, dict[str, Any]] = {
    "ε-greedy": {"bonus": "none"},
    "default": {},
    "shortfall": {"shortfall": True},
    "β = 0.005": {"beta": 0.005},
    "shortfall, β = 0.005": {"beta": 0.005, "shortfall": True},
}


def run(env: str, start: str, seed: int) -> dict[str, Any]:
    """One run of `phieb.train`."""
    game, args, steps = ENVS[env]
    settings = {"env_args": args, "frames": steps, "seed": seed, **SETTINGS[start]}
    with tempfile.TemporaryDirectory() as folder:
        found = phieb.train(phieb.preset("default", game, **settings), Path(folder) / "run")
        scores = [episode["score"] for episode in found.episodes()]
    return {
        "env": env,
        "args": json.dumps(args),
        "start": start,
        "seed": seed,
        "steps": steps,
        "episodes": len(scores),
        "mean": f"{fmean(scores):.4g}" if scores else "",
        "last_100": f"{fmean(scores[-100:]):.4g}" if scores else "",
    }


def main() -> None:
    """Run what is missing; a row is written as soon as it is known."""
    done = {(row["env"], row["start"], int(row["seed"])) for row in read_rows(FILE)}
    for seed in SEEDS:
        for env in ENVS:
            for start in SETTINGS:
                if (env, start, seed) in done or not all(text in env for text in sys.argv[1:]):
                    continue
                made = run(env, start, seed)
                add_row(FILE, made)
                print(made, flush=True)


if __name__ == "__main__":
    main()
