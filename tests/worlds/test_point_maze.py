"""The continuous maze: Gymnasium's own checks, walls, the goal, pictures."""

import warnings
from collections import deque
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from phieb.worlds import PointMaze2D
from phieb.worlds.point_maze import LAYOUTS

SIZES: Any = tuple(LAYOUTS)


def distances(rows: tuple[str, ...], start: str = "S") -> dict[tuple[int, int], int]:
    """Of every free block from the start, in blocks."""
    row = next(k for k, text in enumerate(rows) if start in text)
    first = row, rows[row].index(start)
    found, queue = {first: 0}, deque([first])
    while queue:
        y, x = queue.popleft()
        for block in ((y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)):
            if rows[block[0]][block[1]] != "#" and block not in found:
                found[block] = found[y, x] + 1
                queue.append(block)
    return found


@pytest.mark.parametrize("size", SIZES)
def test_gymnasium_has_nothing_to_say(size: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made = gymnasium.make("phieb/PointMaze2D-v0", size=size, render_mode="rgb_array")
        check_env(made.unwrapped)


@pytest.mark.parametrize(("size", "far"), [("small", 16), ("middle", 40), ("large", 208)])
def test_the_goal_is_as_far_as_said_and_every_free_block_can_be_reached(
    size: str, far: int
) -> None:
    rows = LAYOUTS[size].rows
    found = distances(rows)
    goal = next((y, row.index("G")) for y, row in enumerate(rows) if "G" in row)
    assert found[goal] == far
    assert len(found) == sum(len(row) - row.count("#") for row in rows)


@pytest.mark.parametrize("size", SIZES)
def test_random_pushes_stay_out_of_walls_and_are_cut(size: Any) -> None:
    maze = PointMaze2D(size)
    maze.reset(seed=1)
    rng = np.random.default_rng(1)
    for step in range(1, maze.max_steps + 1):
        position, reward, ended, cut, _ = maze.step(rng.integers(4))
        assert position in maze.observation_space
        assert maze.layout[int(position[1])][int(position[0])] != "#"
        if ended:
            break
        assert (reward, cut) == (0.0, step == maze.max_steps)
    with pytest.raises(gymnasium.error.ResetNeeded):
        maze.step(np.int64(0))


def test_the_shortest_way_leads_to_the_goal_and_pays() -> None:
    maze = PointMaze2D("middle")
    away = distances(maze.layout, "G")
    position, _ = maze.reset(seed=3)
    total, ended, steps = 0.0, False, 0
    while not ended:
        y, x = int(position[1]), int(position[0])
        ahead = {0: (y, x + 1), 1: (y - 1, x), 2: (y, x - 1), 3: (y + 1, x)}
        action = min(ahead, key=lambda a: away.get(ahead[a], 999))
        position, reward, ended, cut, _ = maze.step(np.int64(action))
        total, steps = total + reward, steps + 1
        assert not cut
    assert total == 1.0
    assert 70 <= steps <= 100  # 40 blocks, two pushes each


def test_a_picture_shows_where_the_point_is() -> None:
    maze = PointMaze2D("small", render_mode="rgb_array")
    assert maze.render() is None
    maze.reset(seed=0)
    before = maze.render()
    maze.step(np.int64(3))
    after = maze.render()
    assert before is not None
    assert after is not None
    assert before.shape == (7 * 16, 7 * 16, 3)
    red = np.argwhere((after == (220, 60, 50)).all(axis=2)).mean(axis=0)
    assert red == pytest.approx((2.0 * 16, 1.5 * 16), abs=4)
    assert (before != after).any()


def test_what_it_cannot_be_made_with() -> None:
    with pytest.raises(ValueError, match="size must be"):
        PointMaze2D("huge")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="render_mode must be"):
        PointMaze2D(render_mode="human")  # type: ignore[arg-type]
