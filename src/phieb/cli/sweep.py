"""`phieb sweep`."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from phieb.cli.setting_options import with_settings
from phieb.cli.trials import DECIDED, DECLARED, ShortTrials
from phieb.experiments.paper import Arm


@dataclass
class SweepOptions(ShortTrials):
    """Search for β (§5.1) on the same games and seeds.

    Trains with every β for the same number of frames, and writes the runs to OUT and tables,
    figures and an HTML report to OUT/report. Repeated, it resumes trials that were stopped.

    Example: phieb sweep --games venture --betas 0.01:1:5 --frames 1M
    """

    out: Path = Path("sweep")
    """Folder of all runs and of the report."""
    games: str = "venture"
    """Atari games or Gymnasium ids, separated by commas; hard7 for seven with sparse rewards."""
    betas: str = "0.1,0.3,1,3"
    """Values of β, separated by commas, or LOW:HIGH:N for N values at equal ratios."""

    def arms(self) -> list[Arm]:
        """Every β in every game."""
        return [
            self.arm(game, "phi", beta)
            for game in self.named_games()
            for beta in _betas(self.betas)
        ]


def _betas(text: str) -> list[float]:
    """Numbers separated by commas, or a range LOW:HIGH:N.

    Example:
        >>> _betas("0.0125:0.1:4")
        [0.0125, 0.025, 0.05, 0.1]
    """
    try:
        if ":" not in text:
            return [float(beta) for beta in text.split(",")]
        low, high, number = text.split(":")
        if not (0 < float(low) < float(high) < np.inf and 2 <= int(number) <= 1_000):
            raise ValueError
        return [float(f"{beta:g}") for beta in np.geomspace(float(low), float(high), int(number))]
    except ValueError:
        what = "numbers, or LOW:HIGH:N with 0 < LOW < HIGH and N in [2, 1000]"
        raise ValueError(f"--betas must be {what}, got {text!r}") from None


Sweep = with_settings(SweepOptions, (*DECIDED, *DECLARED))
