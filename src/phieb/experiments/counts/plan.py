"""The worlds, feature maps, bonuses and inputs of bonuses that `phieb counts` compares."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from phieb.features import OneHot, RandomBinary, Tiles
from phieb.novelty import Bonus, CtsBonus, NaivePhiBonus, PhiBonus, SimHashBonus
from phieb.worlds import Plane

SIZE = 16  # cells across the world; a power of two, so that tiles meet cells without rounding
WORLDS = {"grid": 0.0, "plane": 0.25}  # the noise of a move
TILINGS = (1, 4, 16)
BLOCK = 2  # pixels across a cell, and across the agent, in the picture
PIXELS = SIZE * BLOCK
LEVELS = 8

Position = NDArray[np.float64]


class Case(NamedTuple):
    """A bonus and its view of a position."""

    bonus: str
    sees: str
    make: Callable[[int], Bonus]  # from a seed


def world_of(name: str) -> Plane:
    """The world of this name."""
    return Plane(SIZE, WORLDS[name])


def tilings(count: int) -> str:
    """The name of a feature map with this number of tilings."""
    return f"{count} tiling{'s' if count > 1 else ''}"


WIDE = "16 wide tilings"  # each tile as wide as two cells
MAPS = ("OneHot", *map(tilings, TILINGS), WIDE, "RandomBinary")


def views(seed: int) -> dict[str, Callable[[Position], Any]]:
    """Views of a position by name: its features, the scaled position, a picture."""
    box, one_hot = world_of("plane").observation_space, OneHot(SIZE**2)
    return {
        "OneHot": lambda position: one_hot.active(cell(position)),
        **{tilings(count): Tiles(box, SIZE, count).active for count in TILINGS},
        WIDE: Tiles(box, SIZE // 2, 16).active,
        "RandomBinary": RandomBinary(box, bits=64, seed=seed).active,
        "position": scaled,
        "picture": picture,
    }


CASES = (
    *(
        Case(name, sees, make)
        for name, make in (
            ("product", lambda seed: PhiBonus(per_feature=False)),
            ("per feature", lambda seed: PhiBonus(per_feature=True)),
            ("naive", lambda seed: NaivePhiBonus()),
        )
        for sees in MAPS
    ),
    Case("SimHash", "position", lambda seed: SimHashBonus(1.0, size=3, seed=seed)),
    Case("SimHash", "picture", lambda seed: SimHashBonus(1.0, size=PIXELS**2, seed=seed)),
    Case("CTS", "picture", lambda seed: CtsBonus(shape=(PIXELS, PIXELS), levels=LEVELS)),
)


def scaled(position: Position) -> Position:
    """The position in [−1, 1]², and 1: without the 1, SimHash would depend on the angle alone."""
    return np.append(2.0 * position / SIZE - 1.0, 1.0)


def picture(position: Position) -> NDArray[np.uint8]:
    """The agent as a white block of one cell on black, at the nearest pixel."""
    made = np.zeros((PIXELS, PIXELS), np.uint8)
    corner = np.rint((position - 0.5) * BLOCK).astype(np.int64)
    row, column = np.clip(corner, 0, PIXELS - BLOCK)
    made[row : row + BLOCK, column : column + BLOCK] = LEVELS - 1
    return made


def cell(position: Position) -> int:
    """The number of the cell that a position lies in."""
    row, column = np.minimum(position.astype(np.int64), SIZE - 1)
    return int(row * SIZE + column)
