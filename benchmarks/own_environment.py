"""The maze of docs/own-environment.md: with and without the bonus, and how the values start.

python -m benchmarks.own_environment [TEXT]   runs what is missing in results/own-environment.csv,
                                              of agents with TEXT in their name
python -m benchmarks.own_environment --page   writes the tables of the page
"""

import csv
import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np

import phieb
from phieb.features import OneHot
from phieb.novelty import PhiBonus, Shortfall
from phieb.wrappers import ExplorationBonus

FILE = Path(__file__).parents[1] / "results" / "own-environment.csv"
PAGE = FILE.parents[1] / "docs" / "own-environment.md"
COLUMNS = ("arm", "seed", "steps", "first_goal", "episodes", "goals", "last_20", "blocks")
SEEDS, STEPS, BETA, SOLVED = range(1, 11), 20_000, 0.005, 18
SARSA: dict[str, dict[str, Any]] = {
    "Sarsa(λ), ε-greedy": {"bonus": "none"},
    "Sarsa(λ) + φ-EB, values start at 0": {},
    "Sarsa(λ) + φ-EB, optimistic start": {"optimistic": True},
    "Sarsa(λ) + φ-EB, shortfall": {"shortfall": True},
}
BETAS: dict[str, dict[str, Any]] = {
    f"β = {beta:g}": {"shortfall": True, "beta": beta} for beta in (0.3, 0.02, BETA)
}
BETA_SEED = 0  # β was chosen with this one, which is none of SEEDS
Q: dict[str, Callable[[], Any] | None] = {
    "Q-learning, ε-greedy": None,
    "Q-learning + φ-EB, values start at 0": lambda: PhiBonus(BETA),
    "Q-learning + φ-EB, shortfall": lambda: Shortfall(PhiBonus(BETA)),
}
TABLE = 26  # places of the tabular agent along a side: half a block each


class Visited(gymnasium.Wrapper[Any, Any, Any, Any]):
    """Remembers the blocks that were visited, and the last steps of episodes and their scores."""

    def __init__(self) -> None:
        super().__init__(gymnasium.make("phieb/PointMaze2D-v0", size="middle"))
        self.blocks, self.steps = set[tuple[int, int]](), 0
        self.ends: list[tuple[int, float]] = []

    def step(self, action: Any) -> Any:
        """One push, remembered."""
        observation, reward, ended, cut, info = self.env.step(action)
        self.steps += 1
        self.blocks.add((int(observation[0]), int(observation[1])))
        if ended or cut:
            self.ends.append((self.steps, float(reward)))
        return observation, reward, ended, cut, info

    def row(self, arm: str, seed: int) -> dict[str, Any]:
        """What came of it, within the steps that count."""
        ends = [(at, score) for at, score in self.ends if at <= STEPS]
        goals = [at for at, score in ends if score > 0]
        last = sum(score > 0 for _, score in ends[-20:])
        first = goals[0] if goals else ""
        values = arm, seed, STEPS, first, len(ends), len(goals), last, len(self.blocks)
        return dict(zip(COLUMNS, values, strict=True))


class Places(gymnasium.ObservationWrapper[Any, Any, Any]):
    """Half a block of the maze as a number, for a tabular agent."""

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        super().__init__(env)
        self.observation_space = gymnasium.spaces.Discrete(TABLE**2)

    def observation(self, observation: Any) -> np.int64:
        """The number of a place."""
        x, y = (2 * observation).astype(int)
        return np.int64(y * TABLE + x)


def sarsa(arm: str, seed: int) -> dict[str, Any]:
    """One run of `phieb.train`."""
    env = Visited()
    settings = {**SARSA, **BETAS}[arm]
    beta = {} if settings.get("bonus") == "none" else {"beta": BETA}
    changes = {"frames": STEPS, "seed": seed, **beta, **settings}
    config = phieb.preset("default", "given", **changes)
    with tempfile.TemporaryDirectory() as folder:
        phieb.train(config, Path(folder) / "run", env=env)
    return env.row(arm, seed)


def q_learning(arm: str, seed: int, alpha: float = 0.5, gamma: float = 0.99) -> dict[str, Any]:
    """Tabular Q-learning, ε = 0.01, that knows nothing of the bonus."""
    visited, make = Visited(), Q[arm]
    env: gymnasium.Env[Any, Any] = Places(visited)
    if make is not None:
        env = ExplorationBonus(env, make(), OneHot(TABLE**2))
    rng, q = np.random.default_rng(seed), np.zeros((TABLE**2, 4))
    while visited.steps < STEPS:
        state, _ = env.reset(seed=int(rng.integers(2**31)))
        over = False
        while not over:
            best = rng.choice(np.flatnonzero(q[state] == q[state].max()))
            action = rng.integers(4) if rng.random() < 0.01 else best
            following, reward, ended, cut, _ = env.step(action)
            ahead = 0.0 if ended else gamma * q[following].max()
            q[state, action] += alpha * (float(reward) + ahead - q[state, action])
            state, over = following, ended or cut
    return visited.row(arm, seed)


def read() -> list[dict[str, str]]:
    """The rows so far."""
    if not FILE.exists():
        return []
    with FILE.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def beta_table(rows: list[dict[str, str]]) -> str:
    """What came of some values of β with one seed, in Markdown."""
    lines = ["| | first goal, step | episodes | that reach the goal |", "|---|---|---|---|"]
    for row in (row for arm in BETAS for row in rows if row["arm"] == arm):
        first = f"{int(row['first_goal']):,}" if row["first_goal"] else "–"
        lines.append(f"| {row['arm']} | {first} | {row['episodes']} | {row['goals']} |")
    return "\n".join(lines)


def table(rows: list[dict[str, str]]) -> str:
    """The agents of the page, in Markdown."""
    lines = [
        "| agent | seeds that solve it | seeds that find the goal | first goal, median step "
        "| blocks visited, median of 71 |",
        "|---|---|---|---|---|",
    ]
    for arm in (*SARSA, *Q):
        mine = [row for row in rows if row["arm"] == arm]
        if not mine:
            continue
        firsts = [int(row["first_goal"]) for row in mine if row["first_goal"]]
        solved = sum(int(row["last_20"]) >= SOLVED for row in mine)
        first = f"{np.median(firsts):,.0f}" if firsts else "–"
        blocks = f"{np.median([int(row['blocks']) for row in mine]):g}"
        of = len(mine)
        lines.append(f"| {arm} | {solved} of {of} | {len(firsts)} of {of} | {first} | {blocks} |")
    return "\n".join(lines)


def tables() -> dict[str, str]:
    """The tables of the page, by their marks."""
    return {"maze-betas": beta_table(read()), "maze": table(read())}


def main() -> None:
    """Run what is missing; a row is written as soon as it is known."""
    if "--page" in sys.argv:
        page = PAGE.read_text(encoding="utf-8")
        for name, made in tables().items():
            between = rf"(<!-- {name} -->\n).*(<!-- /{name} -->)"
            page = re.sub(between, rf"\g<1>{made}\n\g<2>", page, flags=re.DOTALL)
        PAGE.write_text(page, encoding="utf-8")
        return
    done = {(row["arm"], int(row["seed"])) for row in read()}
    every = [(arm, seed) for seed in SEEDS for arm in (*SARSA, *Q)]
    every += [(arm, BETA_SEED) for arm in BETAS]
    texts = sys.argv[1:]
    for arm, seed in every:
        if (arm, seed) in done or not all(text in arm for text in texts):
            continue
        row = (q_learning if arm in Q else sarsa)(arm, seed)
        is_new = not FILE.exists()
        with FILE.open("a", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            if is_new:
                writer.writeheader()
            writer.writerow(row)
        print(row, flush=True)


if __name__ == "__main__":
    main()
