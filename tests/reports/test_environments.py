"""Tables of the maze and of MiniGrid, from rows as the benchmarks write them."""

from phieb.reports.environments import GRIDS, MAZE, STARTS, grid_rows, maze_rows, recipe_rows


def maze(arm: str, first: str, last: int) -> dict[str, str]:
    return {"arm": arm, "first_goal": first, "last_20": str(last), "blocks": "40"}


def test_an_agent_has_a_row_in_the_order_of_the_page() -> None:
    found = [maze(MAZE[-1], "7000", 18), maze(MAZE[-1], "", 0), maze(MAZE[0], "", 17)]
    header, *rows = maze_rows(found)
    assert len(header) == 5
    assert rows == [
        [MAZE[0], "0 of 1", "0 of 1", "–", "40"],
        [MAZE[-1], "1 of 2", "1 of 2", "7,000", "40"],
    ]


def test_seeds_stand_in_order() -> None:
    shared = {"env": GRIDS[1], "arm": "PPO", "steps": "50000", "episodes": "120"}
    found = [
        {**shared, "seed": "2", "first_win": "900", "won": "80", "last_100": "70"},
        {**shared, "seed": "1", "first_win": "", "won": "0", "last_100": "0"},
    ]
    _, row = grid_rows(found)
    assert row == ["MultiRoom-N4-S5", "50,000", "PPO", "1 of 2", "900", "0, 70", "80 of 240"]


def test_every_start_has_the_scores_of_its_seeds() -> None:
    rows = [("A", STARTS[0], "0.5"), ("A", STARTS[2], "1"), ("A", STARTS[0], "0.25")]
    found = [
        {"env": env, "start": start, "last_100": last, "steps": "20000"}
        for env, start, last in rows
    ]
    header, row = recipe_rows(found)
    assert header[2:] == list(STARTS)
    assert row == ["A", "20,000", "0.5, 0.25", "", "1", "", ""]
