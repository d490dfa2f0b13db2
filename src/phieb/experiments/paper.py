"""The paper's experiments (§5.1): games, trials, frames and β."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

GAMES = ("venture", "montezuma_revenge", "freeway", "frostbite", "qbert")
FREEWAY_BETA = 0.035  # of the curve of Freeway in Figure 1; Table 1 has 0.05
MILLION = 10**6


@dataclass(frozen=True)
class Arm:
    """A row of the plan: trials that differ in nothing but their seeds.

    Attributes:
        bonus: which, or none.
        beta: its scale; None for the usual one.
        trials: how many.
        frames: of training, each.
        episodes: of evaluation, each.
        first_seed: of the trials, which have one after the other.
        settings: others that differ from the preset.
        candidate: what such settings are called.
    """

    game: str
    bonus: str
    beta: float | None
    trials: int
    frames: int
    episodes: int = 500
    first_seed: int = 1
    settings: Mapping[str, Any] = field(default_factory=dict)
    candidate: str = ""

    @property
    def seeds(self) -> range:
        """Of all trials."""
        return range(self.first_seed, self.first_seed + self.trials)

    @property
    def name(self) -> str:
        """Of its folder and in tables: game, bonus and, if it is not the usual one, β."""
        if self.candidate:
            return f"{self.game}-{self.candidate}"
        own = "" if self.beta is None else f"-beta{self.beta:g}"
        return f"{self.game}-{self.bonus}{own}"


def plan(bonuses: Sequence[str] = ("phi", "none"), *, product: bool = True) -> list[Arm]:
    """All that the paper ran: five trials of two games, two of the others.

    Args:
        bonuses: others are run in the same way.
        product: with the paper's count, whose β had to be changed for the curve of Freeway.
    """
    arms = []
    for game in GAMES:
        trials = 5 if game in ("venture", "montezuma_revenge") else 2
        frames = (80 if game == "qbert" else 100) * MILLION
        for bonus in bonuses:
            twice = product and (game, bonus) == ("freeway", "phi")
            betas = [None, FREEWAY_BETA] if twice else [None]
            arms += [Arm(game, bonus, beta, trials, frames) for beta in betas]
    return arms
