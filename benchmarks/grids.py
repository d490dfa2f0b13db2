"""MiniGrid with and without the bonus: Sarsa(λ) and PPO (the extra sb3), for the same steps.

python -m benchmarks.grids [TEXT]   runs what is missing in results/grids.csv, of agents with TEXT
                                    in their name

Sarsa(λ) counts and learns `GridObjects`, as `phieb train` chooses for MiniGrid. PPO and its bonus
are those of examples/doorkey_sb3.py. `make results` writes the table of docs/own-environment.md.
"""

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import phieb
from benchmarks.rows import add_row, read_rows
from phieb.novelty import PhiBonus
from phieb.reports.environments import GRIDS

FILE = Path(__file__).parents[1] / "results" / "grids.csv"
COLUMNS = ("env", "arm", "seed", "steps", "first_win", "episodes", "won", "last_100")
SEEDS = range(1, 6)
STEPS = dict(zip(GRIDS, (100_000, 50_000, 50_000), strict=True))
SARSA: dict[str, dict[str, Any]] = {
    "Sarsa(λ), ε-greedy": {"bonus": "none"},
    "Sarsa(λ) + φ-EB, shortfall": {"beta": 0.005, "shortfall": True},
}
PPO = {"PPO": None, "PPO + φ-EB": 0.1}  # β


def row(
    env: str, arm: str, seed: int, won: Sequence[bool], ends: Sequence[int], steps: int
) -> dict[str, Any]:
    """What came of it, of episodes that ended within so many steps."""
    won = [win for win, end in zip(won, ends, strict=True) if end <= steps]
    first = ends[won.index(True)] if any(won) else ""
    values = env, arm, seed, steps, first, len(won), sum(won), sum(won[-100:])
    return dict(zip(COLUMNS, values, strict=True))


def sarsa(env: str, arm: str, seed: int, steps: int, **more: Any) -> dict[str, Any]:
    """One run of `phieb.train`."""
    config = phieb.preset("default", env, frames=steps, seed=seed, **{**SARSA[arm], **more})
    with tempfile.TemporaryDirectory() as folder:
        episodes = phieb.train(config, Path(folder) / "run").episodes()
    won = [episode["score"] > 0 for episode in episodes]
    return row(env, arm, seed, won, [episode["frames"] for episode in episodes], steps)


def ppo(env: str, arm: str, seed: int, steps: int) -> dict[str, Any]:
    """One run of examples/doorkey_sb3.py."""
    import torch

    from examples.doorkey_sb3 import train

    torch.set_num_threads(1)
    beta = PPO[arm]
    bonus = None if beta is None else PhiBonus(beta, per_feature=False)
    won, ends = train(bonus, seed, steps, env)
    return row(env, arm, seed, won, ends, steps)


def main() -> None:
    """Run what is missing; a row is written as soon as it is known."""
    done = {(row["env"], row["arm"], int(row["seed"])) for row in read_rows(FILE)}
    texts = sys.argv[1:]
    for seed in SEEDS:
        for env in GRIDS:
            for arm in (*SARSA, *PPO):
                if (env, arm, seed) in done or not all(text in arm for text in texts):
                    continue
                made = (ppo if arm in PPO else sarsa)(env, arm, seed, STEPS[env])
                add_row(FILE, made)
                print(made, flush=True)


if __name__ == "__main__":
    main()
