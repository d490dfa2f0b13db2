"""`phieb reproduce`."""

from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console

from phieb import arguments
from phieb.cli.options import Count, Counts, bonuses
from phieb.cli.report import say_report
from phieb.cli.trials import TrialsCommand
from phieb.experiments.paper import GAMES, Arm, plan
from phieb.training.presets import preset
from phieb.trials.trial import Trial

STAGE_EPISODES = 100  # of evaluation, at most, after every stage but the last


@dataclass
class Reproduce(TrialsCommand):
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
