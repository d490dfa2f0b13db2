"""The tables of docs/own-environment.md are made from results/own-environment.csv."""

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[1]


def benchmark() -> ModuleType:
    file = ROOT / "benchmarks" / "own_environment.py"
    spec = importlib.util.spec_from_file_location("own_environment", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def table(mark: str) -> str:
    page = (ROOT / "docs" / "own-environment.md").read_text(encoding="utf-8")
    found = re.search(rf"{mark}\n(.*)\n{mark.replace('!-- ', '!-- /')}", page, re.DOTALL)
    assert found is not None
    return found[1]


def test_the_tables_are_those_of_the_results() -> None:
    script = benchmark()
    marks = {"maze": "<!-- maze -->", "maze-betas": "<!-- maze-betas -->"}
    assert set(marks) == set(script.tables())
    for name, made in script.tables().items():
        assert made.count("\n") > 3
        assert table(marks[name]) == made


def test_the_recipe_solves_the_maze_where_epsilon_greedy_does_not() -> None:
    script = benchmark()
    solved = {
        arm: [
            int(row["last_20"]) >= script.SOLVED
            for row in script.read()
            if row["arm"] == arm and int(row["seed"]) in script.SEEDS
        ]
        for arm in script.SARSA
    }
    with_bonus, without = solved["Sarsa(λ) + φ-EB, shortfall"], solved["Sarsa(λ), ε-greedy"]
    assert len(with_bonus) == len(without) == 10
    assert sum(with_bonus) >= 9
    assert not any(without)


def test_a_row_is_what_the_script_makes() -> None:
    """The fastest one, once more."""
    script = benchmark()
    (row,) = [r for r in script.read() if (r["arm"], r["seed"]) == ("Q-learning, ε-greedy", "1")]
    again = script.q_learning("Q-learning, ε-greedy", 1)
    assert {name: str(value) for name, value in again.items()} == row
