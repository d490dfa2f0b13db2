"""`phieb compare`."""

from dataclasses import dataclass
from pathlib import Path

from phieb.cli.options import Beta, bonuses
from phieb.cli.setting_options import with_settings
from phieb.cli.trials import DECIDED, DECLARED, ShortTrials
from phieb.experiments.paper import Arm
from phieb.novelty import BONUSES


@dataclass
class CompareOptions(ShortTrials):
    """Compare bonuses on the same games and seeds.

    Trains with every bonus for the same number of frames, and writes the runs to OUT and tables,
    figures and an HTML report to OUT/report. Repeated, it resumes trials that were stopped.

    Example: phieb compare --games venture --bonuses phi,cts,none --frames 1M
    """

    out: Path = Path("comparison")
    """Folder of all runs and of the report."""
    games: str = "venture,montezuma_revenge"
    """Atari games or Gymnasium ids, separated by commas; hard7 for seven with sparse rewards."""
    bonuses: str = ",".join(BONUSES.without_extras())
    """Names of bonuses, separated by commas (docs/bonuses.md)."""

    beta: Beta = None

    def arms(self) -> list[Arm]:
        """Every bonus in every game."""
        return [
            self.arm(game, bonus, self.beta)
            for game in self.named_games()
            for bonus in bonuses("--bonuses", self.bonuses)
        ]


Compare = with_settings(CompareOptions, (*DECIDED, *DECLARED))
