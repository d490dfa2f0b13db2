"""PPO on pictures with seven bonuses: the question of docs/deep.md.

python -m benchmarks.pictures [TEXT …]   runs what is missing in results/pictures.csv, seed by seed,
                                         where task or arm has one of the texts
python -m benchmarks.pictures --page     writes the table and the figure of the page
"""

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from gymnasium import spaces
from stable_baselines3 import PPO
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.vec_env import DummyVecEnv
from torch import nn

from benchmarks.picture_worlds import SIDE, Maze, Pictured, Rooms
from phieb.features import FeatureMap, GridObjects, Tiles, Unchanged, Values
from phieb.novelty import Bonus, CountBonus, PhiBonus, SimHashBonus
from phieb.reports.tables import read_csv, write_csv
from phieb.sb3 import BonusVecEnv, NetworkBonus, NetworkFeatures, RndBonus

ROOT = Path(__file__).parents[1]
FILE, PAGE = ROOT / "results" / "pictures.csv", ROOT / "docs" / "deep.md"
ONCE = ("task", "arm", "seed", "steps", "episodes", "first_win", "return", "covered")
COLUMNS = (*ONCE, "returns", "coverage")
SEEDS, PARTS, LAST = range(1, 6), 20, 100
NUM_ENVS, SCALE, GAMMA = 8, 0.1, 0.99
PPO_SETTINGS = {"n_steps": 128, "batch_size": 256, "n_epochs": 4, "learning_rate": 1e-3}
UNITS = 64  # of the last hidden layer


class Task(NamedTuple):
    """A world, how long it is trained in, and the features of its state made by hand."""

    steps: int
    worlds: Callable[[], list[Callable[[], Pictured]]]
    by_hand: Callable[[Any], FeatureMap]


def _mazes() -> list[Callable[[], Pictured]]:
    visited = set[tuple[int, int]]()
    return [partial(Maze, visited)] * NUM_ENVS


def _rooms(name: str) -> list[Callable[[], Pictured]]:
    return [partial(Rooms, name)] * NUM_ENVS


DOOR, MAZE = "DoorKey-6x6", "PointMaze2D, small"
TASKS = {
    MAZE: Task(50_000, _mazes, Tiles),
    DOOR: Task(80_000, partial(_rooms, "MiniGrid-DoorKey-6x6-v0"), GridObjects),
}


class Means(NamedTuple):
    """A bonus, what it is told of a state, and whether that is the state behind the picture."""

    bonus: Bonus
    features: FeatureMap | None = None
    info_key: str | None = None


Make = Callable[[spaces.Box, spaces.Space[Any], Task, int], Means]


def _network(together: int, pictures: spaces.Box, *_: Any) -> Means:
    return Means(NetworkBonus(PhiBonus(), NetworkFeatures(pictures, together)))


def _simhash(pictures: spaces.Box, _: Any, __: Any, seed: int) -> Means:
    values = Values(pictures)
    return Means(SimHashBonus(1.0, values.size, seed=seed), values)


ARMS: dict[str, Make | None] = {
    "no bonus": None,
    "counts of pictures": lambda pictures, *_: Means(CountBonus(), Unchanged(pictures)),
    "SimHash of pictures": _simhash,
    "φ-EB, features by hand": lambda _, state, task, __: Means(
        PhiBonus(), task.by_hand(state), "state"
    ),
    "φ-EB, own units": partial(_network, 1),
    "φ-EB, own units, 8 together": partial(_network, 8),
    "RND": lambda pictures, _, __, seed: Means(RndBonus(pictures, seed=seed)),
}


class SmallCnn(BaseFeaturesExtractor):  # type: ignore[misc]  # typed only where it is installed
    """Two convolutions and a layer of `UNITS`, the last hidden one of policy and values."""

    def __init__(self, observation_space: spaces.Box) -> None:
        super().__init__(observation_space, UNITS)
        layers = [nn.Conv2d(3, 16, 6, 6), nn.ReLU(), nn.Conv2d(16, 32, 3), nn.ReLU()]
        convolutions = nn.Sequential(*layers, nn.Flatten())
        with torch.no_grad():
            width = convolutions(torch.zeros(1, 3, SIDE, SIDE)).shape[1]
        self.layers = nn.Sequential(convolutions, nn.Linear(width, UNITS), nn.ReLU())

    def forward(self, pictures: torch.Tensor) -> torch.Tensor:
        """(n, UNITS)."""
        return self.layers(pictures)


class Course:
    """What came of a run, noted while it trains."""

    def __init__(self) -> None:
        self.ends: list[tuple[int, float, float]] = []  # step, return, covered

    def note(self, here: dict[str, Any], _: dict[str, Any]) -> bool:
        """A callback of PPO."""
        for info in here["infos"]:
            if "episode" in info:
                self.ends.append(
                    (here["self"].num_timesteps, info["episode"]["r"], info["covered"])
                )
        return True

    def in_parts(self, column: int, steps: int) -> list[float]:
        """Means over the episodes that ended in each part of a run, or in the last one before."""
        found: list[float] = []
        for part in range(1, PARTS + 1):
            first, last = ((part - k) * steps / PARTS for k in (1, 0))
            mine = [end[column] for end in self.ends if first < min(end[0], steps) <= last]
            found.append(float(np.mean(mine)) if mine else found[-1] if found else 0.0)
        return found


def run(task_name: str, arm: str, seed: int, steps: int | None = None, scale: float = SCALE) -> Any:
    """Train once; returns a row of the file."""
    task, make, course = TASKS[task_name], ARMS[arm], Course()
    steps = steps or task.steps
    envs: Any = DummyVecEnv([partial(_monitored, one) for one in task.worlds()])
    envs.seed(seed)
    bonus = None
    if make is not None:
        state_space = envs.get_attr("env")[0].env.observation_space
        bonus, features, info_key = make(envs.observation_space, state_space, task, seed)
        how: dict[str, Any] = {"scale": scale, "normalise": "returns", "gamma": GAMMA}
        envs = BonusVecEnv(envs, bonus, features, info_key=info_key, **how)
    agent = PPO("CnnPolicy", envs, seed=seed, **policy())
    if isinstance(bonus, NetworkBonus):
        bonus.follow(agent)
    agent.learn(steps, callback=course.note)
    wins = [at for at, score, _ in course.ends if score > 0]
    returns, coverage = (course.in_parts(column, steps) for column in (1, 2))
    last = np.mean([score for _, score, _ in course.ends[-LAST:]])
    values = (task_name, arm, seed, steps, len(course.ends), wins[0] if wins else "", f"{last:.3f}")
    curves = [" ".join(f"{value:.3f}" for value in curve) for curve in (returns, coverage)]
    return dict(zip(COLUMNS, (*values, f"{np.mean(coverage):.3f}", *curves), strict=True))


def policy() -> dict[str, Any]:
    """The settings of PPO."""
    looks = {"features_extractor_class": SmallCnn, "net_arch": []}
    how = {"gamma": GAMMA, "ent_coef": 0.01, "device": "cpu", "policy_kwargs": looks}
    return {**how, **PPO_SETTINGS}


def _monitored(make: Callable[[], Pictured]) -> Monitor:
    return Monitor(make())


def main() -> None:
    """Run what is missing; a row is written as soon as it is known."""
    torch.set_num_threads(1)
    rows = read_csv(FILE) if FILE.exists() else []
    done = {(row["task"], row["arm"], int(row["seed"])) for row in rows}
    texts = sys.argv[1:]
    for seed in SEEDS:
        for task, arm in ((task, arm) for task in TASKS for arm in ARMS):
            if (task, arm, seed) in done or not any(text in task + arm for text in texts or [""]):
                continue
            row = run(task, arm, seed)
            rows.append({name: str(value) for name, value in row.items()})
            write_csv(rows, COLUMNS, FILE)
            print(row, flush=True)


if __name__ == "__main__":
    main()
