"""`phieb compare`."""

from dataclasses import dataclass
from pathlib import Path

from phieb.cli.options import Count, bonuses
from phieb.cli.trials import TrialsCommand
from phieb.experiments.paper import Arm
from phieb.novelty import BONUSES


@dataclass
class Compare(TrialsCommand):
    """Every bonus in the same games, with the same seeds and frames: one table, one figure."""

    out: Path = Path("comparison")
    """The folder of all runs."""
    games: str = "venture,montezuma_revenge"
    """Any that ale-py ships, separated by commas."""
    bonuses: str = ",".join(BONUSES)
    """Of docs/bonuses.md, separated by commas."""
    trials: int = 2
    """How many, with the seeds 1, 2, …"""
    frames: Count = 2_000_000
    """Of training, for each trial."""
    episodes: int = 0
    """Of evaluation, for each trial; 0 for none."""

    def arms(self) -> list[Arm]:
        """Every bonus in every game."""
        return [
            Arm(game, bonus, None, self.trials, self.frames, self.episodes)
            for game in self.named_games()
            for bonus in bonuses("--bonuses", self.bonuses)
        ]
