"""What the commands that run many trials have in common."""

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from rich.console import Console
from rich.live import Live
from rich.table import Table

from phieb import arguments
from phieb.cli.options import once_each
from phieb.cli.report import say_report
from phieb.experiments.paper import MILLION, Arm
from phieb.reports import trials
from phieb.training import Run, RunError, preset
from phieb.training.config import label
from phieb.training.lock import locked
from phieb.trials.local import Local
from phieb.trials.ray import Cluster
from phieb.trials.scheduler import Backend, Progress, run_all
from phieb.trials.trial import Trial
from phieb.worlds.games import find_game

LINE_EVERY = 60  # looks, where there is no terminal
SPEED, LENGTH = 7_000, 6_000  # for the estimate: frames a second on one core, and an episode


@dataclass
class TrialsCommand(ABC):
    """Trials of some games; started again, the same command goes on where it was stopped."""

    out: Path
    """The folder of all runs."""
    games: str
    """Games, separated by commas."""
    episodes: int = 500
    """Of evaluation, for each trial; 0 for none."""
    preset: Literal["default", "product", "paper", "martin2017"] = "default"
    """All other settings: `phieb presets` prints them."""
    workers: int | None = None
    """Trials at a time; by default as many as there are cores."""
    backend: Literal["local", "ray"] = "local"
    """Where: on this machine, or on the Ray cluster that it is a node of."""
    address: str = "auto"
    """Of the cluster, with --backend ray: HOST:PORT, or auto to find it."""
    plan: bool = False
    """Print what would be run, and how long that would take."""

    @abstractmethod
    def arms(self) -> list[Arm]:
        """What is to be run."""

    def planned(self) -> list[Arm]:
        """What `--plan` shows."""
        return self.arms()

    def check(self) -> None:
        """Everything that can be wrong, before anything is run."""
        arguments.whole("--episodes", self.episodes, low=0, high=1_000_000)
        if self.workers is not None:
            arguments.whole("--workers", self.workers, low=1, high=1_024)
        _check_backend(self.backend, self.address)
        for arm in self.arms():
            arguments.whole("--trials", arm.trials, low=1, high=1_000)
        _check_trials(self._trials())

    def run(self, console: Console) -> None:
        """All trials, and what came of them; or the plan."""
        if self.plan:
            console.print(_plan_table(self.planned(), self.place()))
        else:
            self._run(console)

    def tell(self, console: Console) -> None:
        """What came of the trials."""
        say_report(console, self.out, self.out / "report")

    def place(self) -> Backend:
        """Where the trials run."""
        local = self.backend == "local"
        return Local(self.workers) if local else Cluster(self.address, self.workers)

    def named_games(self) -> list[str]:
        """The games as ale-py calls them."""
        games = [find_game(game) for game in self.games.split(",")]
        return once_each("--games", self.games, games)

    def _run(self, console: Console) -> None:
        """All trials, with a live table; then what came of them."""
        place = self.place()  # says what is wrong with it before anything is written
        self.out.mkdir(parents=True, exist_ok=True)
        with locked(self.out, "these trials"):
            ended = _run_and_show(self._trials(), place, console)
        failed = [one for one in ended if one.state == "failed"]
        for one in failed:
            console.print(f"failed: {one.trial.path.name}: {one.problem}", soft_wrap=True)
        logs = [Run(one.trial.path).log_file for one in ended]
        if any(log.is_file() and log.stat().st_size for log in logs):
            self.tell(console)
        elif len(failed) < len(ended):
            console.print("nothing to report on: with so few --frames no episode has ended")
        if failed:
            raise RunError(f"{self.out}: {len(failed)} of {len(ended)} trials failed")

    def _trials(self) -> list[Trial]:
        return [
            _trial(self.preset, arm, seed, self.out) for arm in self.arms() for seed in arm.seeds
        ]


def _check_backend(name: str, address: str) -> None:
    if name == "local" and address != "auto":
        raise ValueError(f"--address is of a Ray cluster: --backend ray, got {address!r}")
    if name == "ray" and find_spec("ray") is None:
        raise ValueError('--backend ray needs ray: pip install "phieb[ray]"')
    if address != "auto" and not re.fullmatch(r"[\w.-]+:\d{1,5}", address):
        raise ValueError(f"--address must be auto or HOST:PORT, got {address!r}")


def _check_trials(todo: Sequence[Trial]) -> None:
    names = [trial.path.name for trial in todo]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"no trial must be asked for twice, got {', '.join(twice)}")


def _trial(name: str, arm: Arm, seed: int, out: Path) -> Trial:
    beta = {} if arm.beta is None else {"beta": arm.beta}
    changes = {"bonus": arm.bonus, "seed": seed, "frames": arm.frames, **beta, **arm.settings}
    config = preset(name, arm.game, **changes)
    return Trial(config, out / f"{arm.name}-{seed}", arm.episodes)


def _plan_table(arms: Sequence[Arm], backend: Backend) -> Table:
    what = "candidate" if any(arm.candidate for arm in arms) else "β"
    table = Table("game", "agent", what, "trials", "frames", "evaluation episodes")
    for arm in arms:
        beta = arm.candidate if arm.beta is None else f"{arm.beta:g}"
        frames = f"{arm.frames / MILLION:g} M"
        table.add_row(
            arm.game, label("sarsa", arm.bonus), beta, str(arm.trials), frames, str(arm.episodes)
        )
    each = [arm.frames + arm.episodes * LENGTH for arm in arms for _ in range(arm.trials)] or [0]
    at_once = max(1, min(backend.at_once, len(each)))
    minutes = max(max(each), sum(each) / at_once) / SPEED / 60
    table.caption = (
        f"about {f'{minutes / 60:,.1f} hours' if minutes >= 60 else f'{minutes:.0f} minutes'}, "
        f"evaluation included, with {at_once} trial{'s' * (at_once != 1)} at a time, "
        f"if each plays {SPEED:,} frames a second and episodes have {LENGTH:,} frames"
    )
    return table


def _run_and_show(todo: Sequence[Trial], backend: Backend, console: Console) -> list[Progress]:
    if not console.is_terminal:
        return run_all(todo, backend, _Lines(console).look)
    with Live(console=console, auto_refresh=False) as live:
        return run_all(
            todo,
            backend,
            lambda all_: live.update(trials.live_table(all_), refresh=True),
        )


class _Lines:
    """Where there is no terminal: a line now and then."""

    def __init__(self, console: Console) -> None:
        self._console, self._looks = console, 0
        self._attempts: dict[Path, int] = {}

    def look(self, everything: list[Progress]) -> None:
        """Every half minute how far all are; at once which are tried again, and why."""
        if self._looks % LINE_EVERY == 0:
            self._console.print(trials.in_a_line(everything), soft_wrap=True)
        self._looks += 1
        for one in everything:
            if one.attempts > 1 and one.attempts != self._attempts.get(one.trial.path):
                said = f"{one.trial.path.name}: tried again: {one.problem}"
                self._console.print(said, soft_wrap=True)
            self._attempts[one.trial.path] = one.attempts
