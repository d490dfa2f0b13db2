"""The measurements of docs/own-environment.md, and the programs that made them."""

from pathlib import Path

import pytest

from benchmarks import grids, own_environment, recipe
from benchmarks.rows import add_row, read_rows
from phieb.reports.environments import GRIDS, MAZE, SOLVED, STARTS


def test_the_recipe_solves_the_maze_where_epsilon_greedy_does_not() -> None:
    solved = {
        arm: [
            int(row["last_20"]) >= SOLVED
            for row in read_rows(own_environment.FILE)
            if row["arm"] == arm and int(row["seed"]) in own_environment.SEEDS
        ]
        for arm in own_environment.SARSA
    }
    with_bonus, without = solved["Sarsa(λ) + φ-EB, shortfall"], solved["Sarsa(λ), ε-greedy"]
    assert len(with_bonus) == len(without) == 10
    assert sum(with_bonus) >= 9
    assert not any(without)


def test_a_row_is_what_the_script_makes() -> None:
    """The fastest one, once more."""
    name, seed = "Q-learning, ε-greedy", "1"
    (row,) = [r for r in read_rows(own_environment.FILE) if (r["arm"], r["seed"]) == (name, seed)]
    again = own_environment.q_learning(name, 1)
    assert {column: str(value) for column, value in again.items()} == row


def test_every_row_was_made_once_and_is_in_the_tables() -> None:
    maze = read_rows(own_environment.FILE)
    known = [(row["arm"], row["seed"], row["steps"]) for row in maze]
    assert len(set(known)) == len(known)
    assert {arm for arm, *_ in known} == {*MAZE, *own_environment.BETAS}
    found = read_rows(grids.FILE)
    names = [(row["env"], row["arm"], row["seed"]) for row in found]
    assert len(set(names)) == len(names)
    assert {env for env, *_ in names} <= set(GRIDS)
    assert all(int(row["steps"]) == grids.STEPS[row["env"]] for row in found)
    starts = [(row["env"], row["start"], row["seed"]) for row in read_rows(recipe.FILE)]
    assert len(set(starts)) == len(starts)
    assert {env for env, *_ in starts} <= set(recipe.ENVS)
    assert {start for _, start, _ in starts} == set(STARTS) == set(recipe.SETTINGS)


def test_rows_are_added_to_a_file_that_need_not_exist(tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    rows = [{"arm": "Sarsa(λ), ε-greedy", "seed": seed, "first": ""} for seed in (1, 2)]
    assert read_rows(file) == []
    for row in rows:
        add_row(file, row)
    assert read_rows(file) == [{k: str(v) for k, v in row.items()} for row in rows]
    assert file.read_text().startswith("arm,seed,first\n")


def test_what_ended_after_the_last_step_is_left_out() -> None:
    mazes = [own_environment.Visited() for _ in range(2)]
    mazes[0].ends, mazes[1].ends = [(100, 0.0), (250, 1.0)], [(200, 1.0)]
    mazes[0].blocks, mazes[1].blocks = {(1, 1): 1, (1, 2): 300}, {(1, 1): 5, (2, 1): 200}
    made = own_environment.row("a", 1, mazes, 400)
    expected = {"first_goal": 400, "episodes": 2, "goals": 1, "last_20": 1, "blocks": 2}
    assert made.items() >= expected.items()
    made = grids.row("e", "a", 1, [False, True, True], [10, 20, 31], 30)
    assert (made["first_win"], made["episodes"], made["won"]) == (20, 2, 1)


@pytest.mark.sb3
def test_ppo_is_measured_in_both() -> None:
    assert own_environment.ppo("PPO + φ-EB", 1, steps=1_024)["blocks"] > 1
    assert grids.ppo(GRIDS[0], "PPO + φ-EB", 1, steps=1_024)["won"] >= 0
