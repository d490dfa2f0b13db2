"""`phieb blobs`."""

from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro
from rich.console import Console

from phieb import arguments
from phieb.cli.options import check_file, choice
from phieb.features.blob_prost import PRESETS
from phieb.worlds import random_screens
from phieb.worlds.games import find_game


@dataclass
class Blobs:
    """Draw the blobs of a screen after random play.

    The picture shows what Blob-PROST features are made of: the blobs, their centres and the tiles.

    Example: phieb blobs montezuma_revenge --out blobs.png
    """

    game: Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="GAME")]
    """Any game that ale-py ships: venture, montezuma_revenge, …"""
    out: Path = Path("blobs.png")
    """Save the picture here (.png)."""
    decisions: int = 100
    """Number of random decisions before the screen that is drawn."""
    seed: int = 0
    """Seed of the game and of the random decisions."""
    preset: Annotated[str, choice(PRESETS)] = "martin2017"
    """Size of the tiles and tolerance of the blobs."""

    def check(self) -> None:
        """Check all options before anything is run."""
        find_game(self.game)
        arguments.whole("--decisions", self.decisions, low=1, high=1_000_000)
        arguments.whole("--seed", self.seed)
        check_file("--out", self.out, (".png",))

    def run(self, console: Console) -> None:
        """Play, save the picture, and print the number of blobs and features."""
        from phieb.features import BlobProst
        from phieb.reports.figure_files import save_picture

        (screen,) = deque(random_screens(self.game, self.decisions, self.seed), maxlen=1)
        tile, tolerance = PRESETS[self.preset]
        features = BlobProst(tile, tolerance, screen.shape)
        save_picture(features.draw(screen), self.out)
        num_blobs, num_features = len(features.blobs(screen)), features.active(screen).size
        console.print(
            f"{num_blobs} blobs, {num_features} active features (pairs in time left out); "
            f"tiles of {tile[0]} x {tile[1]} pixels, tolerance {tolerance}\npicture: {self.out}",
            soft_wrap=True,
        )
