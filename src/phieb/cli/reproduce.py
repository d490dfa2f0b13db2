"""`phieb reproduce`, `phieb sweep` and `phieb compare`: many trials at a time."""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from rich.console import Console

from phieb import arguments
from phieb.cli.many import Many
from phieb.cli.options import Count, Counts, bonuses
from phieb.cli.report import say_report
from phieb.reports.paper import GAMES, Arm, plan
from phieb.runs.config import BONUSES, preset
from phieb.runs.trial import Trial

STAGE_EPISODES = 100  # of evaluation, at most, after every stage but the last


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
    stages: Counts = ()
    """Instead of --frames: 10M,30M,100M takes all trials to 10M frames, evaluates and reports, then
    extends all to 30M, and so on; before the last stage, at most 100 episodes are evaluated."""

    def check(self) -> None:
        """Everything that can be wrong, before anything is run."""
        for game in self.named_games():
            arguments.one_of("--games", game, GAMES)
        if self.stages and self.frames is not None:
            raise ValueError("--stages and --frames: only one of them can be given")
        if list(self.stages) != sorted(set(self.stages)):
            raise ValueError(f"--stages must grow, got {','.join(map(str, self.stages))}")
        for stage in self._stages():
            super(Reproduce, stage).check()

    def run(self, console: Console) -> None:
        """All trials, stage by stage; or the plan of the last stage."""
        for stage in self._stages()[-1:] if self.plan else self._stages():
            super(Reproduce, stage).run(console)

    def _stages(self) -> list["Reproduce"]:
        """One command after the other; one alone if there are no stages."""
        if not self.stages:
            return [self]
        given = {name: value for name, value in vars(self).items() if name != "stages"}
        few = min(self.episodes, STAGE_EPISODES)
        return [
            _Stage(**{**given, "frames": frames, "episodes": episodes})
            for frames in self.stages
            for episodes in [self.episodes if frames == self.stages[-1] else few]
        ]

    def arms(self) -> list[Arm]:
        """The paper's, as far as they are asked for."""
        games = self.named_games()
        product = not preset(self.preset, GAMES[0]).per_feature
        return [
            replace(
                arm,
                frames=self._frames(arm),
                trials=arm.trials if self.trials is None else self.trials,
                episodes=self.episodes,
            )
            for arm in plan(bonuses("--agents", self.agents), product=product)
            if arm.game in games
        ]

    def _frames(self, arm: Arm) -> int:
        return arm.frames if self.frames is None else self.frames


class _Stage(Reproduce):
    """One of several stages: no trial is longer than the paper's, and none is taken back."""

    def tell(self, console: Console) -> None:
        """A report of its own; where later stages have begun, it would be one on them."""
        if any(trial.is_extended() for trial in super()._trials()):
            console.print(f"{self.frames:,} frames: no report, as some trials are further already")
        else:
            say_report(console, self.out, self.out / f"report-{self.frames}")

    def _frames(self, arm: Arm) -> int:
        return min(arm.frames, super()._frames(arm))

    def _trials(self) -> list[Trial]:
        """Those that no later stage has extended already."""
        return [trial for trial in super()._trials() if not trial.is_extended()]


@dataclass
class Sweep(Many):
    """A search for β (§5.1): every β in every game with every seed."""

    out: Path = Path("sweep")
    """The folder of all runs."""
    games: str = "venture"
    """Any that ale-py ships, separated by commas."""
    betas: str = "0.1,0.3,1,3"
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
            Arm(game, bonus, None, self.trials, self.frames, self.episodes)
            for game in self.named_games()
            for bonus in bonuses("--bonuses", self.bonuses)
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
