"""`phieb reproduce`."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import tyro
from rich.console import Console

from phieb import arguments
from phieb.cli.options import Counts, OptionalCount, OptionalInt, bonuses
from phieb.cli.report import write_and_print_report
from phieb.cli.trials import TrialsCommand
from phieb.experiments.paper import GAMES, HARD7, Arm, plan
from phieb.training.presets import preset
from phieb.trials.trial import Trial

_KNOWN = tuple(dict.fromkeys((*GAMES, *HARD7)))
STAGE_EPISODES = 100  # at most so many evaluation episodes after every stage but the last


@dataclass
class Reproduce(TrialsCommand):
    """Run the paper's experiments (§5.1), all or some of them.

    Writes the runs to OUT and tables, figures and an HTML report to OUT/report. Repeated, it
    resumes trials that were stopped. --plan prints the trials and the time they take.

    Example: phieb reproduce --games venture --frames 2M --trials 1 --episodes 0
    """

    out: Path = Path("reproduction")
    """Folder of all runs and of the report."""
    games: str = ",".join(GAMES)
    """Games of the paper, separated by commas; hard7 for seven with sparse rewards."""
    agents: str = "phi,none"
    """Bonuses of the agents, separated by commas; the paper has phi and none (docs/bonuses.md)."""
    frames: OptionalCount = None
    """Frames of training for each trial; by default the paper's 100M, 80M in Q*bert."""
    trials: OptionalInt = None
    """Trials of each agent in each game, with seeds from 1; by default the paper's five or two."""
    stages: Annotated[
        Counts,
        tyro.conf.arg(
            help="Instead of --frames: 10M,30M trains all trials to 10M frames, evaluates and "
            "reports, and then extends them to 30M. Stages before the last evaluate at most "
            f"{STAGE_EPISODES} episodes.",
            help_behavior_hint="",
        ),
    ] = ()

    def check(self) -> None:
        """Check all options before anything is run."""
        for game in self.named_games():
            arguments.one_of("--games", game, _KNOWN)
        if self.stages and self.frames is not None:
            raise ValueError("--stages and --frames: only one of them can be given")
        if list(self.stages) != sorted(set(self.stages)):
            raise ValueError(f"--stages must grow, got {','.join(map(str, self.stages))}")
        for stage in self._stages():
            super(Reproduce, stage).check()

    def run(self, console: Console) -> None:
        """Run all trials, stage by stage, or print the plan of the last stage."""
        for stage in self._stages()[-1:] if self.plan else self._stages():
            super(Reproduce, stage).run(console)

    def _stages(self) -> list["Reproduce"]:
        """The command of each stage; this one alone if there are no stages."""
        if not self.stages:
            return [self]
        given = {name: value for name, value in vars(self).items() if name != "stages"}
        few = min(self.episodes, STAGE_EPISODES)
        stages: list[Reproduce] = []
        for frames in self.stages:
            episodes = self.episodes if frames == self.stages[-1] else few
            stage = _Stage(**{**given, "frames": frames, "episodes": episodes})
            stage.told = self.command_line()
            stages.append(stage)
        return stages

    def arms(self) -> list[Arm]:
        """The arms of the paper that are asked for."""
        games = [game for game in _KNOWN if game in self.named_games()]
        product = not preset(self.preset, GAMES[0]).per_feature
        return [
            replace(
                arm,
                frames=self._frames(arm),
                trials=arm.trials if self.trials is None else self.trials,
                episodes=self.episodes,
            )
            for arm in plan(bonuses("--agents", self.agents), product=product, games=games)
        ]

    def _frames(self, arm: Arm) -> int:
        return arm.frames if self.frames is None else self.frames


class _Stage(Reproduce):
    """One of several stages. Trials are at most as long as the paper's and are never shortened."""

    told = ""  # the command that has the stages

    def command_line(self) -> str:
        """The command of all stages."""
        return self.told

    def print_results(self, console: Console) -> None:
        """Write a report on this stage, unless a later one has extended some trials."""
        if any(trial.is_extended() for trial in super()._trials()):
            console.print(f"{self.frames:,} frames: no report, as some trials are further already")
        else:
            out = self.out / f"report-{self.frames}"
            write_and_print_report(console, self.out, out)

    def _frames(self, arm: Arm) -> int:
        return min(arm.frames, super()._frames(arm))

    def _trials(self) -> list[Trial]:
        """The trials that no later stage has extended."""
        return [trial for trial in super()._trials() if not trial.is_extended()]
