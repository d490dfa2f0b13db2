"""The paper's experiments (§5.1): games, trials, frames and β."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

GAMES = ("venture", "montezuma_revenge", "freeway", "frostbite", "qbert")
# Hard exploration with sparse rewards, in the taxonomy of Bellemare et al. (2016).
HARD7 = (
    *("montezuma_revenge", "pitfall", "private_eye", "gravitar", "venture", "solaris"),
    "freeway",
)
SETS = {"hard7": HARD7}  # names that stand for several games
FREEWAY_BETA = 0.035  # of the curve of Freeway in Figure 1; Table 1 has 0.05
MILLION = 10**6


@dataclass(frozen=True)
class Arm:
    """Trials that differ only in their seeds.

    Attributes:
        bonus: name of the bonus; "none" for ε-greedy.
        beta: scale of the bonus; None for the default.
        trials: number of trials.
        frames: frames of training, for each trial.
        episodes: evaluation episodes, for each trial.
        first_seed: seed of the first trial; the others have the seeds after it.
        settings: further settings that differ from the preset.
        candidate: name of these settings in the race.
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
        """Seeds of all trials."""
        return range(self.first_seed, self.first_seed + self.trials)

    @property
    def agent(self) -> str:
        """Name of the agent."""
        return str(self.settings.get("agent", "sarsa"))

    @property
    def name(self) -> str:
        """Its name in folders and tables: game, agent, bonus and, if given, β."""
        if self.candidate:
            return f"{self.game}-{self.candidate}"
        own = "" if self.beta is None else f"-beta{self.beta:g}"
        agent = "" if self.agent == "sarsa" else f"-{self.agent}"
        return f"{self.game}{agent}-{self.bonus}{own}"


def paper_frames(game: str) -> int:
    """Frames of training of the paper's trials, and of trials in games that it has not."""
    return (80 if game == "qbert" else 100) * MILLION


def plan(
    bonuses: Sequence[str] = ("phi", "none"),
    *,
    product: bool = True,
    games: Sequence[str] = GAMES,
) -> list[Arm]:
    """All arms of the paper: five trials each in two games, two in the others.

    Args:
        bonuses: names of bonuses; those that are not in the paper run in the same games.
        product: for the paper's count, add its second β in Freeway (Figure 1).
        games: those of the paper; others get two trials each.
    """
    arms = []
    for game in games:
        trials = 5 if game in ("venture", "montezuma_revenge") else 2
        frames = paper_frames(game)
        for bonus in bonuses:
            twice = product and (game, bonus) == ("freeway", "phi")
            betas = [None, FREEWAY_BETA] if twice else [None]
            arms += [Arm(game, bonus, beta, trials, frames) for beta in betas]
    return arms
