"""A continuous maze in the plane, with walls and a reward at the goal only."""

from typing import Any, Literal, NamedTuple

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from phieb import arguments

LENGTH, NOISE = 0.5, 0.05  # of a push: its length, and the standard deviation along each axis
_MOST = 0.4  # noise is clipped here: no push is as long as a wall is thick
_PUSHES = ((LENGTH, 0.0), (0.0, -LENGTH), (-LENGTH, 0.0), (0.0, LENGTH))
_PIXELS = 16  # of a block's side in a picture
_COLOURS = {"#": (60, 60, 72), "G": (90, 200, 120), "S": (200, 210, 235)}
_FREE, _POINT = (245, 245, 240), (220, 60, 50)


class Layout(NamedTuple):
    """A maze: # is a wall, S the start, G the goal; and after how many pushes an episode is cut."""

    steps: int
    rows: tuple[str, ...]


# Drawn by a depth-first search with random.Random(0): any two places have one path between them.
# From start to goal there are 16, 40 and 208 blocks, two pushes each.
LAYOUTS = {
    "small": Layout(
        100, ("#######", "#S#   #", "# # # #", "# # # #", "# # # #", "#   #G#", "#######")
    ),
    "middle": Layout(
        300,
        (
            "#############",
            "#S#   #     #",
            "# # ### ### #",
            "# #       # #",
            "# ### ##### #",
            "#   # #   # #",
            "### ### # # #",
            "#   #   #   #",
            "# ### ##### #",
            "# #   # #   #",
            "# # ### # ###",
            "#   #      G#",
            "#############",
        ),
    ),
    "large": Layout(
        1_500,
        (
            "#########################",
            "#S#           #       # #",
            "# # # ####### # ##### # #",
            "# # # #   #   #     # # #",
            "# ### # # # ####### # # #",
            "#   #   # #         #   #",
            "### ##### ############# #",
            "#   #   # # #       #   #",
            "# ### # # # # # ##### ###",
            "# #   # # # # #       # #",
            "# # ### # # # ######### #",
            "# # #     # #   #       #",
            "# # ####### ### # ##### #",
            "# #     #     # # #     #",
            "# ##### ### # # ### ### #",
            "# #   #   # # #     # # #",
            "# # # ### # # ####### # #",
            "#   #     # #   # #     #",
            "########### # # # # #####",
            "#         # # #   #   # #",
            "######### # # ####### # #",
            "#         # #         # #",
            "# ######### ########### #",
            "#                      G#",
            "#########################",
        ),
    ),
}


class PointMaze2D(gymnasium.Env[NDArray[np.float32], np.int64]):
    """A point in a maze, pushed right, up, left or down by half a block, with a little noise.

    The observation is its position, x to the right and y downwards, in blocks. A push into a wall
    moves the point only along the wall. The goal ends the episode with a reward of 1; there is no
    other reward. An episode is cut after 100, 300 or 1,500 pushes.

    Args:
        size: "small", 3 × 3 rooms; "middle", 6 × 6; or "large", 12 × 12.
        render_mode: "rgb_array" or None.

    Example:
        >>> world = PointMaze2D("small")
        >>> position, _ = world.reset(seed=0)
        >>> position
        array([1.5, 1.5], dtype=float32)
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 30}  # noqa: RUF012

    def __init__(
        self,
        size: Literal["small", "middle", "large"] = "middle",
        render_mode: Literal["rgb_array"] | None = None,
    ) -> None:
        self.max_steps, self.layout = LAYOUTS[arguments.one_of("size", size, tuple(LAYOUTS))]
        if render_mode not in (None, "rgb_array"):
            raise ValueError(f'render_mode must be None or "rgb_array", got {render_mode!r}')
        self.render_mode = render_mode
        self.observation_space = spaces.Box(0.0, float(len(self.layout)), (2,), np.float32)
        self.action_space = spaces.Discrete(len(_PUSHES))
        self._position: tuple[float, float] | None = None
        self._steps, self._over = 0, True

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Start in the middle of the block S."""
        super().reset(seed=seed)
        row, column = next((y, row.index("S")) for y, row in enumerate(self.layout) if "S" in row)
        self._position = column + 0.5, row + 0.5
        self._steps, self._over = 0, False
        return np.array(self._position, np.float32), {}

    def step(
        self, action: np.int64
    ) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """One push; the episode ends at the goal and is cut by time."""
        if self._position is None or self._over:
            raise gymnasium.error.ResetNeeded("call reset before step")
        if not self.action_space.contains(action):
            raise ValueError(f"action must be in {self.action_space}, got {action!r}")
        # One axis after the other: a push into a wall moves the point along it.
        (x, y), (push_x, push_y) = self._position, _PUSHES[action]
        noise_x, noise_y = self.np_random.standard_normal(2).tolist()
        moved = _moved(x, push_x, noise_x)
        x = x if self._block(moved, y) == "#" else moved
        moved = _moved(y, push_y, noise_y)
        y = y if self._block(x, moved) == "#" else moved
        self._position = x, y
        self._steps += 1
        arrived = self._block(x, y) == "G"
        cut = not arrived and self._steps >= self.max_steps
        self._over = arrived or cut
        return np.array(self._position, np.float32), float(arrived), arrived, cut, {}

    def render(self) -> NDArray[np.uint8] | None:
        """The maze and the point in it, in render mode "rgb_array"."""
        if self.render_mode is None or self._position is None:
            return None
        colours = [[_COLOURS.get(block, _FREE) for block in row] for row in self.layout]
        picture = np.array(colours, np.uint8).repeat(_PIXELS, 0).repeat(_PIXELS, 1)
        y, x = np.ogrid[: picture.shape[0], : picture.shape[1]]
        at_x, at_y = (_PIXELS * where for where in self._position)
        picture[(x - at_x) ** 2 + (y - at_y) ** 2 <= (_PIXELS / 4) ** 2] = _POINT
        return picture

    def _block(self, x: float, y: float) -> str:
        return self.layout[int(y)][int(x)]


def _moved(at: float, push: float, noise: float) -> float:
    """A coordinate after a push."""
    return at + push + min(max(NOISE * noise, -_MOST), _MOST)
