"""Two worlds of which the agent sees a picture, and the bonus the picture or what is behind it."""

from functools import cache
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from minigrid.core.constants import OBJECT_TO_IDX
from minigrid.core.grid import Grid
from minigrid.core.world_object import WorldObj
from numpy.typing import NDArray

from phieb.worlds import PointMaze2D

SIDE, CELL = 42, 6  # pixels of a picture and of a cell
WALL, FREE, GOAL, POINT = (60, 60, 72), (245, 245, 240), (90, 200, 120), (220, 60, 50)
Picture = NDArray[np.uint8]


class Pictured(gymnasium.Wrapper[Any, Any, Any, Any]):
    """The observation is a picture; `info["state"]` is what the environment's own would be.

    At the end of an episode `info["covered"]` is what has been seen of the world, in [0, 1].
    """

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        super().__init__(env)
        self.observation_space = spaces.Box(0, 255, (SIDE, SIDE, 3), np.uint8)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Picture, dict[str, Any]]:
        """A new episode."""
        state, info = self.env.reset(seed=seed, options=options)
        self.look(state, start=True)
        return self.picture(state), {**info, "state": state}

    def step(self, action: Any) -> tuple[Picture, Any, bool, bool, dict[str, Any]]:
        """One step."""
        state, reward, ended, cut, info = self.env.step(action)
        self.look(state, start=False)
        info = {**info, "state": state}
        if ended or cut:
            info["covered"] = self.covered()
        return self.picture(state), reward, ended, cut, info

    def picture(self, state: Any) -> Picture:
        """What the agent sees."""
        raise NotImplementedError

    def look(self, state: Any, start: bool) -> None:
        """Take note of what is seen."""
        raise NotImplementedError

    def covered(self) -> float:
        """What has been seen."""
        raise NotImplementedError


class Rooms(Pictured):
    """Rooms of MiniGrid with a door, in a new layout every episode; the agent's view is drawn.

    The picture is drawn from the codes of the view with MiniGrid's tiles, which are kept: asking
    MiniGrid for it takes several times as long. Covered is 1 if a door was opened in the episode.
    """

    def __init__(self, name: str) -> None:
        super().__init__(gymnasium.make(name))
        self._opened = False

    def picture(self, state: Any) -> Picture:
        """The 7 × 7 cells in front of the agent, 6 pixels each."""
        columns = [[tile(*codes) for codes in column] for column in state["image"].tolist()]
        return np.concatenate([np.concatenate(column, axis=0) for column in columns], axis=1)

    def look(self, state: Any, start: bool) -> None:
        """Whether a door is or was open."""
        game: Any = self.unwrapped
        is_open = any(getattr(cell, "is_open", False) for cell in game.grid.grid)
        self._opened = is_open or (self._opened and not start)

    def covered(self) -> float:
        """1 if a door was opened."""
        return float(self._opened)


@cache
def tile(kind: int, colour: int, status: int) -> Picture:
    """A cell as MiniGrid draws it; black if it cannot be seen."""
    if kind == OBJECT_TO_IDX["unseen"]:
        return np.zeros((CELL, CELL, 3), np.uint8)
    drawn = Grid.render_tile(WorldObj.decode(kind, colour, status), tile_size=CELL)
    return np.asarray(drawn, np.uint8)


class Maze(Pictured):
    """`PointMaze2D` seen from above, 6 pixels a block.

    Covered is the share of its blocks that were visited since training began.

    Args:
        visited: blocks so far, shared by all environments of a run.
    """

    def __init__(self, visited: set[tuple[int, int]]) -> None:
        maze = PointMaze2D("small")
        super().__init__(maze)
        colours = {"#": WALL, "G": GOAL}
        blocks = np.array([[colours.get(block, FREE) for block in row] for row in maze.layout])
        self._scale = SIDE // len(blocks)
        self._empty = blocks.repeat(self._scale, 0).repeat(self._scale, 1)
        self._num_free = sum(block != "#" for row in maze.layout for block in row)
        self._visited = visited

    def picture(self, state: Any) -> Picture:
        """The maze, and the point with smooth edges, so that its smallest moves can be seen."""
        y, x = np.ogrid[:SIDE, :SIDE]
        at = self._scale * state - 0.5
        distance = np.hypot(x - at[0], y - at[1])
        share = np.clip(self._scale / 3 + 0.5 - distance, 0.0, 1.0)[:, :, None]
        return np.asarray(self._empty * (1 - share) + share * POINT).astype(np.uint8)

    def look(self, state: Any, start: bool) -> None:
        """The block that the point is in."""
        self._visited.add((int(state[0]), int(state[1])))

    def covered(self) -> float:
        """The share of blocks."""
        return len(self._visited) / self._num_free
