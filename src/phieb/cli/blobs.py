"""`phieb look`."""

from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import tyro
from rich.console import Console

from phieb import arguments
from phieb.cli.options import check_file
from phieb.worlds import random_screens


@dataclass
class Look:
    """Play some random decisions and save a picture of the blobs that the features see."""

    game: Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="GAME")]
    """Any game that ale-py ships: venture, montezuma_revenge, …"""
    out: Path = Path("blobs.png")
    """Where to save the picture (.png)."""
    decisions: int = 100
    """How many decisions to play first."""
    seed: int = 0
    """Of the game and of the random play."""
    preset: Literal["martin2017", "liang2016"] = "martin2017"
    """The settings of Blob-PROST."""

    def check(self) -> None:
        """Everything that can be wrong, before anything is run."""
        from phieb.worlds.games import find_game

        find_game(self.game)
        arguments.whole("--decisions", self.decisions, low=1, high=1_000_000)
        arguments.whole("--seed", self.seed)
        check_file("--out", self.out, (".png",))

    def run(self, console: Console) -> None:
        """Play, draw, and say what there is to see."""
        from matplotlib.image import imsave

        from phieb.features import BlobProst
        from phieb.features.blob_prost import PRESETS

        (screen,) = deque(random_screens(self.game, self.decisions, self.seed), maxlen=1)
        tile, tolerance = PRESETS[self.preset]
        features = BlobProst(tile, tolerance, screen.shape)
        imsave(self.out, features.draw(screen))
        num_blobs, num_features = len(features.blobs(screen)), features.active(screen).size
        console.print(
            f"{num_blobs} blobs, {num_features} features without pairs in time; "
            f"tiles of {tile[0]} x {tile[1]}, tolerance {tolerance}\npicture: {self.out}"
        )
