"""The tables of docs/own-environment.md: the maze and MiniGrid, with the bonus and without."""

from collections.abc import Sequence

import numpy as np

from phieb.reports.tables import Rows

Found = Sequence[dict[str, str]]  # rows of results/own-environment.csv or results/grids.csv

MAZE_STEPS, SOLVED = (
    20_000,
    18,
)  # training; goals in the last 20 episodes of an agent that solves it
MAZE = (
    "Sarsa(λ), ε-greedy",
    "Sarsa(λ) + φ-EB, values start at 0",
    "Sarsa(λ) + φ-EB, optimistic start",
    "Sarsa(λ) + φ-EB, shortfall",
    "Q-learning, ε-greedy",
    "Q-learning + φ-EB, values start at 0",
    "Q-learning + φ-EB, shortfall",
    "PPO",
    "PPO + φ-EB",
)
MAZE_BETAS = ("β = 0.3", "β = 0.02", "β = 0.005")
GRIDS = ("MiniGrid-DoorKey-8x8-v0", "MiniGrid-MultiRoom-N4-S5-v1", "MiniGrid-KeyCorridorS3R3-v0")
STARTS = ("ε-greedy", "default", "shortfall", "β = 0.005", "shortfall, β = 0.005")


def maze_rows(found: Found) -> Rows:
    """A row for each agent."""
    rows = [["agent", "seeds that solve it", "seeds that find the goal"]]
    rows[0] += ["first goal, median step", "blocks visited, median of 71"]
    for arm in (arm for arm in MAZE if any(row["arm"] == arm for row in found)):
        mine = [row for row in found if row["arm"] == arm]
        solved = sum(int(row["last_20"]) >= SOLVED for row in mine)
        firsts = [int(row["first_goal"]) for row in mine if row["first_goal"]]
        blocks = f"{np.median([int(row['blocks']) for row in mine]):g}"
        shares = [f"{number} of {len(mine)}" for number in (solved, len(firsts))]
        rows.append([arm, *shares, _median(firsts), blocks])
    return rows


def maze_beta_rows(found: Found) -> Rows:
    """What came of some values of β with one seed."""
    rows = [["", "first goal, step", "episodes", "that reach the goal"]]
    for row in (row for arm in MAZE_BETAS for row in found if row["arm"] == arm):
        first = f"{int(row['first_goal']):,}" if row["first_goal"] else "–"
        rows.append([row["arm"], first, row["episodes"], row["goals"]])
    return rows


def grid_rows(found: Found) -> Rows:
    """A row for each environment and agent, with one number for each seed."""
    rows = [["environment", "steps", "agent", "seeds that ever win", "first win, median step"]]
    rows[0] += ["won of the last 100 episodes, each seed", "of all episodes"]
    for env in GRIDS:
        for arm in dict.fromkeys(row["arm"] for row in found if row["env"] == env):
            mine = [row for row in found if (row["env"], row["arm"]) == (env, arm)]
            mine.sort(key=lambda row: int(row["seed"]))
            firsts = [int(row["first_win"]) for row in mine if row["first_win"]]
            last = ", ".join(row["last_100"] for row in mine)
            won = [sum(int(row[name]) for row in mine) for name in ("won", "episodes")]
            every = f"{won[0]:,} of {won[1]:,}"
            name = env.removeprefix("MiniGrid-").rpartition("-v")[0]
            ever = f"{len(firsts)} of {len(mine)}"
            steps = f"{int(mine[0]['steps']):,}"
            rows.append([name, steps, arm, ever, _median(firsts), last, every])
    return rows


def recipe_rows(found: Found) -> Rows:
    """A row for each environment, with the last score of each seed for each start of the values."""
    rows = [["environment", "steps", *STARTS]]
    for env in dict.fromkeys(row["env"] for row in found):
        mine = [row for row in found if row["env"] == env]
        cells = [
            ", ".join(f"{float(row['last_100']):.3g}" for row in mine if row["start"] == start)
            for start in STARTS
        ]
        rows.append([env, f"{int(mine[0]['steps']):,}", *cells])
    return rows


def _median(steps: Sequence[int]) -> str:
    return f"{np.median(steps):,.0f}" if steps else "–"
