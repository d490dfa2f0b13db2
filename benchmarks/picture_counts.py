"""What pseudocounts say of pictures of a maze, and what a refit does to them: docs/deep.md.

python -m benchmarks.picture_counts [SEED …]   writes results/picture-counts.csv
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3 import PPO
from stable_baselines3.common.vec_env import DummyVecEnv

from benchmarks.picture_worlds import Maze
from benchmarks.pictures import ARMS, GAMMA, MAZE, SCALE, TASKS, policy
from phieb.experiments.counts.agreement import agreement, rank_correlation
from phieb.features import Unchanged
from phieb.novelty import Bonus
from phieb.reports.tables import read_csv, write_csv
from phieb.sb3 import BonusVecEnv, NetworkBonus

FILE = Path(__file__).parents[1] / "results" / "picture-counts.csv"
COLUMNS = ("seed", "bonus", "factor", "ranks", "new", "refits", "refit_ratio", "refit_ranks")
STEPS, EVERY, NEAR = 4_096, 1_000, 0.25  # half of a push: positions in a square count as one
LEADS = "φ-EB, own units, 8 together"  # its bonus is the one that the agent gets


class Panel(Bonus):
    """Several bonuses that count the same states; the agent gets one of them.

    Args:
        maze: draws the pictures.
        seed: of the bonuses.
    """

    def __init__(self, maze: Maze, seed: int) -> None:
        self._maze, task = maze, TASKS[MAZE]
        state, pictures = maze.env.observation_space, maze.observation_space
        assert isinstance(pictures, spaces.Box)
        made = {arm: make(pictures, state, task, seed) for arm, make in ARMS.items() if make}
        self.means = {arm: means for arm, means in made.items() if arm != "RND"}  # counts nothing
        self.networks = {
            arm: means.bonus
            for arm, means in self.means.items()
            if isinstance(means.bonus, NetworkBonus)
        }
        for bonus in self.networks.values():
            bonus.every = EVERY
        self.states: list[NDArray[np.float32]] = []
        self.counts: dict[str, list[float]] = {arm: [] for arm in self.means}
        self.refits: dict[str, list[tuple[float, float]]] = {arm: [] for arm in self.networks}

    def observe(self, seen: Any, action: int | None = None) -> float:
        """Count a position, or its picture, with each of them."""
        picture, given = self._maze.picture(seen), 0.0
        about_to_refit = (len(self.states) + 1) % EVERY == 0
        self.states.append(np.array(seen))
        for arm, means in self.means.items():
            before = self._of_some(arm) if about_to_refit and arm in self.networks else None
            looked = seen if means.info_key else picture
            bonus = means.bonus.observe(means.features.active(looked) if means.features else looked)
            self.counts[arm].append(means.bonus.pseudocount)
            given = bonus if arm == LEADS else given
            if before is not None:
                after = self._of_some(arm)
                ratio = float(np.median(after / before))
                self.refits[arm].append((ratio, rank_correlation(before, after)))
        return given

    def _of_some(self, arm: str) -> NDArray[np.float64]:
        """Pseudocounts of states from all of the past."""
        some = self.states[:: max(len(self.states) // 200, 1)]
        bonus = self.networks[arm]
        return np.array([bonus.peek(self._maze.picture(state))[0] for state in some])

    def true_counts(self) -> NDArray[np.int64]:
        """Of each state, how many before it were nearer than `NEAR` in both coordinates."""
        states = np.array(self.states)
        near = [np.abs(states[:t] - one).max(axis=1) < NEAR for t, one in enumerate(states) if t]
        return np.array([0, *(np.count_nonzero(one) for one in near)])

    def settings(self) -> dict[str, Any]:
        """Nothing: it is not saved."""
        return {}

    def state(self) -> dict[str, NDArray[Any]]:
        """Nothing: it is not saved."""
        return {}

    def restore(self, state: Any) -> None:
        """Nothing: it is not saved."""


def rows(seed: int) -> list[dict[str, Any]]:
    """Train PPO once, and compare."""
    visited = set[tuple[int, int]]()
    panel = Panel(Maze(visited), seed)
    plain = DummyVecEnv([lambda: Maze(visited)] * 8)
    plain.seed(seed)
    envs = BonusVecEnv(
        plain,
        panel,
        Unchanged(plain.observation_space),
        scale=SCALE,
        normalise="returns",
        gamma=GAMMA,
        info_key="state",
    )
    agent = PPO("CnnPolicy", envs, seed=seed, **policy())
    for bonus in panel.networks.values():
        bonus.follow(agent)
    agent.learn(STEPS)
    true, made = panel.true_counts(), []
    for arm, counts in panel.counts.items():
        found = agreement(np.array(counts), true)
        row = {"seed": seed, "bonus": arm, "factor": f"{found.factor:.3g}"}
        row |= {"ranks": f"{found.rank:.2f}", "new": f"{found.new:.3g}"}
        of_refits = np.array(panel.refits.get(arm, np.empty((0, 2))))
        row |= {"refits": len(of_refits), "refit_ratio": "", "refit_ranks": ""}
        if len(of_refits):
            ratio, ranks = np.median(of_refits, axis=0)
            row |= {"refit_ratio": f"{ratio:.3g}", "refit_ranks": f"{ranks:.2f}"}
        made.append(row)
    return made


def main() -> None:
    """Write the rows of these seeds."""
    torch.set_num_threads(1)
    kept = read_csv(FILE) if FILE.exists() else []
    for seed in [int(text) for text in sys.argv[1:] if text.isdigit()] or [1]:
        made = rows(seed)
        kept = [row for row in kept if int(row["seed"]) != seed]
        kept += [{name: str(value) for name, value in row.items()} for row in made]
        write_csv(kept, COLUMNS, FILE)
        print(*made, sep="\n", flush=True)


if __name__ == "__main__":
    main()
