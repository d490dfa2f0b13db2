"""The base classes of the commands that run many trials."""

import re
import shlex
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, Literal

import tyro
from rich.console import Console
from rich.table import Table

from phieb import arguments
from phieb.cli.options import (
    AgentArgs,
    AgentName,
    Count,
    FeaturesName,
    OptionalInt,
    PresetName,
    once_each,
)
from phieb.cli.report import write_and_print_report
from phieb.cli.trials_progress import run_with_progress
from phieb.experiments.paper import SETS, Arm
from phieb.files import writing
from phieb.reports.runs import millions
from phieb.training import Run, RunError, preset
from phieb.training.config import SETTINGS, label
from phieb.training.lock import locked
from phieb.training.parts import check_parts
from phieb.training.settings import json_object
from phieb.trials.commands import add_command
from phieb.trials.local import Local
from phieb.trials.ray import Cluster
from phieb.trials.scheduler import Backend
from phieb.trials.trial import Trial
from phieb.worlds.names import file_name, find_world, is_atari

DECIDED = ("game", "bonus", "beta", "frames", "seed", "env_args")  # by the command, trial by trial
DECLARED = ("agent", "agent_args", "features")  # options of `ShortTrials`
OF_PHI = ("per_feature",)  # settings that have no meaning with another bonus
OF_BONUS = (*OF_PHI, "shortfall", "dial")  # and without one
SPEED, LENGTH = 7_000, 6_000  # for estimates: frames per second on one core, and per episode


@dataclass
class TrialsCommand(ABC):
    """A command that runs many trials; repeated, it resumes those that are not done."""

    out: Path
    """Folder of all runs."""
    games: str
    """Games, separated by commas."""
    episodes: int = 500
    """Evaluation episodes for each trial; 0 for none."""
    preset: PresetName = "default"
    """Preset of all other settings (printed by `phieb presets`)."""
    workers: OptionalInt = None
    """Number of trials at a time; by default one for each core."""
    backend: Literal["local", "ray"] = "local"
    """Run trials on this machine, or on the Ray cluster that it belongs to."""
    address: str = "auto"
    """Address of the Ray cluster, HOST:PORT; auto finds it."""
    plan: bool = False
    """Only print the trials and an estimate of their time."""

    @abstractmethod
    def arms(self) -> list[Arm]:
        """The arms to run."""

    def planned(self) -> list[Arm]:
        """The arms that `--plan` prints."""
        return self.arms()

    def check(self) -> None:
        """Check all options before anything is run."""
        arguments.whole("--episodes", self.episodes, low=0, high=1_000_000)
        if self.workers is not None:
            arguments.whole("--workers", self.workers, low=1, high=1_024)
        _check_backend(self.backend, self.address)
        for arm in self.arms():
            arguments.whole("--trials", arm.trials, low=1, high=1_000)
        todo = self._trials()
        _check_trials(todo)
        for game in dict.fromkeys(trial.config.game for trial in todo):
            check_parts(next(trial.config for trial in todo if trial.config.game == game))

    def run(self, console: Console) -> None:
        """Run all trials and print the results, or print the plan."""
        if self.plan:
            console.print(_plan_table(self.planned(), self.make_backend()))
        else:
            self._run(console)

    def print_results(self, console: Console) -> None:
        """Report on the trials."""
        write_and_print_report(console, self.out, self.out / "report")

    def make_backend(self) -> Backend:
        """The backend that the trials run on."""
        local = self.backend == "local"
        return Local(self.workers) if local else Cluster(self.address, self.workers)

    def named_games(self) -> list[str]:
        """The games by ale-py's names, and Gymnasium ids; a set by the games in it."""
        words = [one for word in self.games.split(",") for one in SETS.get(word, (word,))]
        games = [find_world(game) for game in words]
        return once_each("--games", self.games, games)

    def environment(self) -> dict[str, Any]:
        """Arguments of the Gymnasium environments."""
        return {}

    def command_line(self) -> str:
        """The command with all options that are not the default, so that it can be typed again."""
        words = ["phieb", type(self).__name__.lstrip("_").lower()]
        for option in fields(self):
            value = getattr(self, option.name)
            if value != option.default:
                text = ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
                name = "--" + option.name.replace("_", "-")
                words += [name] if value is True else [name, text]
        return shlex.join(words)

    def _run(self, console: Console) -> None:
        """Run all trials with a live table; then print the results."""
        backend = self.make_backend()  # raises before anything is written
        writing.make_folder(self.out)
        with locked(self.out, "these trials"):
            add_command(self.out, self.command_line())
            ended = run_with_progress(self._trials(), backend, console)
        failed = [one for one in ended if one.state == "failed"]
        for one in failed:
            console.print(f"failed: {one.trial.path.name}: {one.problem}", soft_wrap=True)
        logs = [Run(one.trial.path).log_file for one in ended]
        with_episodes = sum(log.is_file() and log.stat().st_size > 0 for log in logs)
        if with_episodes > 1 or with_episodes == len(ended):
            self.print_results(console)
        elif len(failed) < len(ended):
            # Without a finished episode in every trial there is nothing to compare.
            many = f"{with_episodes or 'none'} of {len(ended)} trials"
            problem = f"nothing to report: an episode ended in {many}; give more --frames"
            console.print(problem, soft_wrap=True)
        if failed:
            raise RunError(f"{self.out}: {len(failed)} of {len(ended)} trials failed")

    def _trials(self) -> list[Trial]:
        return [self._trial(arm, seed) for arm in self.arms() for seed in arm.seeds]

    def _trial(self, arm: Arm, seed: int) -> Trial:
        beta = {} if arm.beta is None else {"beta": arm.beta}
        args = {} if is_atari(arm.game) else {"env_args": self.environment()}
        changes = {"bonus": arm.bonus, "seed": seed, "frames": arm.frames, **args, **beta}
        config = preset(self.preset, arm.game, **{**changes, **arm.settings})
        return Trial(config, self.out / f"{file_name(arm.name)}-{seed}", arm.episodes)


@dataclass
class ShortTrials(TrialsCommand):
    """Few and short trials, without evaluation unless asked for."""

    episodes: int = 0
    """Evaluation episodes for each trial; 0 for none."""
    trials: int = 2
    """Number of trials, with seeds from 1."""
    frames: Count = 2_000_000
    """Frames of training for each trial."""
    agent: AgentName = "sarsa"
    agent_args: AgentArgs = None
    features: FeaturesName = None
    env_args: Annotated[str, tyro.conf.arg(metavar="JSON")] = "{}"
    """Arguments of Gymnasium environments, such as '{"size": 20}'."""

    def environment(self) -> dict[str, Any]:
        """Arguments of the Gymnasium environments."""
        return json_object("--env-args", self.env_args)

    def arm(self, game: str, bonus: str, beta: float | None) -> Arm:
        """Trials of a bonus in a game, with the settings that were given as options."""
        given = {name: getattr(self, name, None) for name in SETTINGS if name not in DECIDED}
        meaningless = OF_BONUS if bonus == "none" else OF_PHI if bonus != "phi" else ()
        settings = {
            name: value
            for name, value in given.items()
            if value is not None and name not in meaningless
        }
        if self.agent_args is not None:
            settings["agent_args"] = json_object("--agent-args", self.agent_args)
        beta = None if bonus == "none" else beta
        return Arm(game, bonus, beta, self.trials, self.frames, self.episodes, settings=settings)


def _check_backend(name: str, address: str) -> None:
    if name == "local" and address != "auto":
        raise ValueError(f"--address needs --backend ray, got {address!r}")
    if name == "ray" and find_spec("ray") is None:
        raise ValueError('--backend ray needs ray: pip install "phieb[ray]"')
    if address != "auto" and not re.fullmatch(r"[\w.-]+:\d{1,5}", address):
        raise ValueError(f"--address must be auto or HOST:PORT, got {address!r}")


def _check_trials(todo: Sequence[Trial]) -> None:
    names = [trial.path.name for trial in todo]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"each trial must be asked for once, got twice: {', '.join(twice)}")


def _plan_table(arms: Sequence[Arm], backend: Backend) -> Table:
    what = "candidate" if any(arm.candidate for arm in arms) else "β"
    table = Table("game", "agent", what, "trials", _unit(arms), "evaluation episodes")
    for arm in arms:
        beta = arm.candidate if arm.beta is None else f"{arm.beta:g}"
        frames, who = millions(arm.frames), label(arm.agent, arm.bonus)
        table.add_row(arm.game, who, beta, str(arm.trials), frames, str(arm.episodes))
    table.caption = _estimate(arms, backend)
    return table


def _unit(arms: Sequence[Arm]) -> str:
    """What frames are called: steps, if no trial is of an Atari game."""
    return "frames" if any(is_atari(arm.game) for arm in arms) else "steps"


def _estimate(arms: Sequence[Arm], backend: Backend) -> str:
    """An estimate of the duration of the trials, with its assumptions, in words."""
    each = [arm.frames + arm.episodes * LENGTH for arm in arms for _ in range(arm.trials)] or [0]
    at_once = max(1, min(backend.at_once, len(each)))
    minutes = max(max(each), sum(each) / at_once) / SPEED / 60
    time = f"{minutes / 60:,.1f} hours" if minutes >= 60 else f"{minutes:.0f} minutes"
    at_a_time = f"with {at_once} trial{'s' * (at_once != 1)} at a time"
    speed = f"{SPEED:,} {_unit(arms)} per second and trial"
    if any(arm.episodes for arm in arms):
        length = f"{LENGTH:,} {_unit(arms)} per evaluation episode"
        return f"about {time}, evaluation included, {at_a_time}, at {speed} and {length}"
    return f"about {time} {at_a_time}, at {speed}"
