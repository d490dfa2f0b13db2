"""`phieb reproduce`, `phieb sweep` and `phieb compare`: many trials at a time."""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from phieb import arguments
from phieb.cli.many import Many
from phieb.cli.options import Count, bonuses
from phieb.reports.paper import BETA, GAMES, Arm, plan
from phieb.runs.config import BONUSES


@dataclass
class Reproduce(Many):
    """The paper's experiments (§5.1), or some; started again, it goes on where it was stopped."""

    out: Path = Path("reproduction")
    """The folder of all runs."""
    games: str = ",".join(GAMES)
    """Of the paper's five, separated by commas."""
    agents: str = "phi,none"
    """By their bonus, separated by commas: the paper's phi and none, or any of docs/bonuses.md."""
    frames: Count | None = None
    """Of training, for each trial; by default the paper's 100M, 80M in Q*bert."""
    trials: int | None = None
    """How many, with the seeds 1, 2, …; by default the paper's five or two."""

    def check(self) -> None:
        """Everything that can be wrong, before anything is run."""
        for game in self.named_games():
            arguments.one_of("--games", game, GAMES)
        super().check()

    def arms(self) -> list[Arm]:
        """The paper's, as far as they are asked for."""
        games = self.named_games()
        return [
            replace(
                arm,
                frames=arm.frames if self.frames is None else self.frames,
                trials=arm.trials if self.trials is None else self.trials,
                episodes=self.episodes,
            )
            for arm in plan(bonuses("--agents", self.agents))
            if arm.game in games
        ]


@dataclass
class Sweep(Many):
    """A search for β (§5.1): every β in every game with every seed."""

    out: Path = Path("sweep")
    """The folder of all runs."""
    games: str = "venture"
    """Any that ale-py ships, separated by commas."""
    betas: str = "0.0125,0.025,0.05,0.1"
    """Values of β, separated by commas, or LOW:HIGH:N for N at equal ratios."""
    trials: int = 2
    """How many, with the seeds 1, 2, …"""
    frames: Count = 2_000_000
    """Of training, for each trial."""
    episodes: int = 0
    """Of evaluation, for each trial; 0 for none."""

    def arms(self) -> list[Arm]:
        """Every β in every game."""
        return [
            Arm(game, "phi", beta, self.trials, self.frames, self.episodes)
            for game in self.named_games()
            for beta in _betas(self.betas)
        ]


@dataclass
class Compare(Many):
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
            Arm(game, bonus, beta, self.trials, self.frames, self.episodes)
            for game in self.named_games()
            for bonus in bonuses("--bonuses", self.bonuses)
            for beta in [None if bonus == "none" else BETA]
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
