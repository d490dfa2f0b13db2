"""`phieb reproduce` and `phieb sweep`: many trials at a time."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

import numpy as np
from rich.console import Console
from rich.live import Live
from rich.table import Table

from phieb import arguments
from phieb.cli.options import Count
from phieb.cli.report import say_report
from phieb.reports import trials
from phieb.reports.paper import GAMES, MILLION, NAMES, Arm, plan
from phieb.runs import RunError, preset
from phieb.runs.folder import locked
from phieb.runs.local import Local
from phieb.runs.ray_backend import Cluster
from phieb.runs.trial import Trial
from phieb.runs.trials import Backend, Progress, run_all
from phieb.worlds.games import find_game

SPEED, LENGTH = 7_000, 6_000  # for the estimate: frames a second on one core, and an episode
LINE_EVERY = 60  # looks, where there is no terminal


@dataclass
class Reproduce:
    """The paper's experiments (§5.1), or some; started again, it goes on where it was stopped."""

    out: Path = Path("reproduction")
    """The folder of all runs."""
    games: str = ",".join(GAMES)
    """Which, separated by commas."""
    agents: str = "phi-eb,epsilon"
    """Which, separated by commas."""
    frames: Count | None = None
    """Of training, a trial; by default the paper's 100M, 80M in Q*bert."""
    trials: int | None = None
    """How many, with the seeds 1, 2, …; by default the paper's five or two."""
    episodes: int = 500
    """Of evaluation, a trial; 0 for none."""
    preset: Literal["default", "paper", "martin2017"] = "default"
    """All other settings: `phieb presets` prints them."""
    workers: int | None = None
    """Trials at a time; by default as many as there are cores."""
    backend: Literal["local", "ray"] = "local"
    """Where: on this machine, or on the Ray cluster that it is a node of."""
    address: str = "auto"
    """Of the cluster, with --backend ray: HOST:PORT, or auto to find it."""
    plan: bool = False
    """Print what would be run, and how long that would take."""

    def check(self) -> None:
        """Everything that can be wrong, before anything is run."""
        _check(self.games, self.trials, self.episodes, self.workers)
        _check_backend(self.backend, self.address)
        for agent in self.agents.split(","):
            arguments.one_of("--agents", agent, ("phi-eb", "epsilon"))
        for game in self.games.split(","):
            arguments.one_of("--games", find_game(game), GAMES)
        _check_trials(self._trials())

    def run(self, console: Console) -> None:
        """All trials, and what came of them."""
        backend = _backend(self.backend, self.address, self.workers)
        if self.plan:
            console.print(_plan_table(self._arms(), backend))
            return
        _run(self._trials(), self.out, backend, console)

    def _arms(self) -> list[Arm]:
        games = {find_game(game) for game in self.games.split(",")}
        return [
            replace(
                arm,
                frames=arm.frames if self.frames is None else self.frames,
                trials=arm.trials if self.trials is None else self.trials,
                episodes=self.episodes,
            )
            for arm in plan()
            if arm.game in games and arm.agent in self.agents.split(",")
        ]

    def _trials(self) -> list[Trial]:
        return [
            _trial(self.preset, arm, seed, self.out)
            for arm in self._arms()
            for seed in range(1, arm.trials + 1)
        ]


@dataclass
class Sweep:
    """A search for β (§5.1): every β in every game with every seed."""

    out: Path = Path("sweep")
    """The folder of all runs."""
    games: str = "venture"
    """Which, separated by commas."""
    betas: str = "0.0125,0.025,0.05,0.1"
    """Which, separated by commas, or LOW:HIGH:N for N at equal ratios."""
    trials: int = 2
    """How many, with the seeds 1, 2, …"""
    frames: Count = 2_000_000
    """Of training, a trial."""
    episodes: int = 0
    """Of evaluation, a trial; 0 for none."""
    preset: Literal["default", "paper", "martin2017"] = "default"
    """All other settings."""
    workers: int | None = None
    """Trials at a time; by default as many as there are cores."""
    backend: Literal["local", "ray"] = "local"
    """Where: on this machine, or on the Ray cluster that it is a node of."""
    address: str = "auto"
    """Of the cluster, with --backend ray: HOST:PORT, or auto to find it."""

    def check(self) -> None:
        """Everything that can be wrong, before anything is run."""
        _check(self.games, self.trials, self.episodes, self.workers)
        _check_backend(self.backend, self.address)
        _check_trials(self._trials())

    def run(self, console: Console) -> None:
        """All trials, and what came of them."""
        backend = _backend(self.backend, self.address, self.workers)
        _run(self._trials(), self.out, backend, console)

    def _trials(self) -> list[Trial]:
        games = [find_game(game) for game in self.games.split(",")]
        arms = [
            Arm(game, "phi-eb", beta, self.trials, self.frames, self.episodes)
            for game in games
            for beta in _betas(self.betas)
        ]
        seeds = range(1, self.trials + 1)
        return [_trial(self.preset, arm, seed, self.out) for arm in arms for seed in seeds]


def _check(games: str, trials: int | None, episodes: int, workers: int | None) -> None:
    for game in games.split(","):
        find_game(game)
    if trials is not None:
        arguments.whole("--trials", trials, low=1, high=1_000)
    arguments.whole("--episodes", episodes, low=0, high=1_000_000)
    if workers is not None:
        arguments.whole("--workers", workers, low=1, high=1_024)


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


def _backend(name: str, address: str, workers: int | None) -> Backend:
    return Local(workers) if name == "local" else Cluster(address, workers)


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


def _trial(name: str, arm: Arm, seed: int, out: Path) -> Trial:
    beta = {} if arm.beta is None else {"beta": arm.beta}
    config = preset(name, arm.game, agent=arm.agent, seed=seed, frames=arm.frames, **beta)
    return Trial(config, out / f"{arm.name}-{seed}", arm.episodes)


def _plan_table(arms: Sequence[Arm], backend: Backend) -> Table:
    table = Table("game", "agent", "β", "trials", "frames", "evaluation episodes")
    for arm in arms:
        beta = "" if arm.beta is None else f"{arm.beta:g}"
        frames = f"{arm.frames / MILLION:g} M"
        table.add_row(arm.game, NAMES[arm.agent], beta, str(arm.trials), frames, str(arm.episodes))
    each = [arm.frames + arm.episodes * LENGTH for arm in arms for _ in range(arm.trials)]
    at_once = max(1, min(backend.at_once, len(each)))
    hours = max(max(each), sum(each) / at_once) / SPEED / 3600
    table.caption = (
        f"about {hours:,.1f} hours, evaluation included, with {at_once} trials at a time, "
        f"if each plays {SPEED:,} frames a second and episodes have {LENGTH:,} frames"
    )
    return table


def _run(todo: Sequence[Trial], out: Path, backend: Backend, console: Console) -> None:
    """All trials, with a live table; then a report of what came of them."""
    out.mkdir(parents=True, exist_ok=True)
    with locked(out, "these trials"):
        ended = _run_and_show(todo, backend, console)
    failed = [one for one in ended if one.state == "failed"]
    for one in failed:
        console.print(f"failed: {one.trial.path.name}: {one.problem}", soft_wrap=True)
    if len(failed) < len(ended):
        say_report(console, out, out / "report")
    if failed:
        raise RunError(f"{out}: {len(failed)} of {len(ended)} trials failed")


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

    def look(self, everything: list[Progress]) -> None:
        """Every half minute."""
        if self._looks % LINE_EVERY == 0:
            self._console.print(trials.in_a_line(everything), soft_wrap=True)
        self._looks += 1
