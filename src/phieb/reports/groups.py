"""The runs in a folder, grouped by their settings without the seed."""

import dataclasses
import json
import shlex
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from phieb.experiments.paper import GAMES
from phieb.novelty import BONUSES
from phieb.reports import ledger
from phieb.reports.runs import preset_of
from phieb.training import Config, Run, RunError
from phieb.training.config import usual_beta
from phieb.training.presets import PRESETS, preset
from phieb.training.run_folder import runs_in


@dataclass(frozen=True)
class Result:
    """A run, as read from its files.

    Attributes:
        name: its folder, relative to the folder of all runs.
        path: its folder.
        row: its row of the ledger.
    """

    name: str
    config: Config
    episodes: list[dict[str, Any]]
    row: ledger.Row
    versions: dict[str, str]
    path: Path


@dataclass(frozen=True)
class Group:
    """Runs of one game that make one curve: their settings are the same except for the seed."""

    game: str
    label: str
    results: list[Result]

    @property
    def config(self) -> Config:
        """Settings of the first run; the others differ in seed and length (mixed ones in more)."""
        return self.results[0].config


@dataclass(frozen=True)
class GroupedRuns:
    """All runs of a folder.

    Attributes:
        groups: sorted by game, in the order of the paper.
        left_out: a line for each run that is left out, with the reason.
    """

    folder: Path
    groups: list[Group]
    left_out: list[str]

    def games(self) -> dict[str, list[Group]]:
        """The groups of each game."""
        found = defaultdict[str, list[Group]](list)
        for group in self.groups:
            found[group.game].append(group)
        return dict(found)

    def results(self) -> list[Result]:
        """All runs."""
        return [result for group in self.groups for result in group.results]


def read_runs(folder: Path, *, mix: bool = False) -> GroupedRuns:
    """Read all runs in a folder and its subfolders.

    Args:
        folder: holds runs, or is the folder of one.
        mix: put runs with the same label in one group even if their settings differ.

    Raises:
        RunError: there is no run, or the settings of runs in a group differ.
    """
    results, left_out = list[Result](), list[str]()
    for run in runs_in(folder):
        try:
            results.append(read_result(run, folder))
        except RunError as error:
            left_out.append(str(error))
    runs = grouped(folder, results, left_out)
    if not runs.groups:
        why = f": {'; '.join(left_out)}" if left_out else " (no config.json)"
        raise RunError(f"{folder}: no run to report on{why}")
    if not mix:
        for group in runs.groups:
            _check_same(group)
    return runs


def grouped(folder: Path, results: Sequence[Result], left_out: Sequence[str]) -> GroupedRuns:
    """Runs in groups; of those with the same settings and seed only the longest.

    Args:
        folder: of all runs.
        results: what was read of them.
        left_out: a line for each run that could not be read.
    """
    left_out = list(left_out)
    return GroupedRuns(folder, _groups(_once_each(results, left_out)), left_out)


def command_of(config: Config) -> str:
    """The command that trains with these settings."""
    name = preset_of(config)
    name = name if name in PRESETS else "default"
    usual = dataclasses.asdict(preset(name, config.game, agent=config.agent, bonus=config.bonus))
    usual["beta"] = usual_beta(config.per_feature)  # the default of β depends on the count
    own = [f"--preset {name}"] if name != "default" else []
    own += [f"--bonus {config.bonus}"] if config.bonus != "phi" else []
    own += [f"--agent {config.agent}"] if config.agent != "sarsa" else []
    for setting, value in dataclasses.asdict(config).items():
        if setting not in ("game", "frames", "seed") and value != usual[setting]:
            said = shlex.quote(json.dumps(value) if isinstance(value, dict) else str(value))
            own.append(f"--{setting.rstrip('_').replace('_', '-')} {said}")
    game = shlex.quote(config.game)
    said = f"phieb train {game} --frames {config.frames} --seed {config.seed}"
    return " ".join([said, *own])


def name_of(run: Run, folder: Path) -> str:
    """What a run is called in a report on a folder."""
    return str(run.path.relative_to(folder)) if run.path != folder else run.path.name


def read_result(run: Run, folder: Path) -> Result:
    """Read the files of a run.

    Args:
        run: the run.
        folder: of all runs.

    Raises:
        RunError: they cannot be read, or no episode has ended yet.
    """
    config, episodes = run.config(), run.episodes()
    row = ledger.row_of(run, episodes)
    result = Result(name_of(run, folder), config, episodes, row, run.versions(), run.path)
    if not run.log_file.exists() and run.saved_frames():
        raise RunError(f"{run.log_file}: no such file")
    if not episodes:
        raise RunError(f"{run.path}: no episode has ended yet")
    return result


def _once_each(results: Sequence[Result], left_out: list[str]) -> list[Result]:
    """Keep only the longest of runs with the same settings and seed."""
    kept = dict[tuple[str, int], Result]()
    for result in sorted(results, key=lambda one: -int(one.row["frames"])):
        same = kept.setdefault((result.row["settings"], result.config.seed), result)
        if same is not result:
            left_out.append(f"{result.name}: has the settings and the seed of {same.name}")
    return list(kept.values())


def _groups(results: list[Result]) -> list[Group]:
    found = defaultdict[tuple[str, str], list[Result]](list)
    for result in sorted(results, key=_order):
        found[result.config.game, ledger.label_of(result.row)].append(result)
    return [Group(game, label, mine) for (game, label), mine in found.items()]


def _order(result: Result) -> tuple[Any, ...]:
    """Sort key: the paper's games first, ε-greedy after all bonuses, the usual β before others."""
    config = result.config
    place = GAMES.index(config.game) if config.game in GAMES else len(GAMES)
    return (
        place,
        config.game,
        [*BONUSES, config.bonus].index(config.bonus),
        preset_of(config) != "default",
        config.beta != usual_beta(config.per_feature),
        config.beta,
        config.seed,
    )


def _check_same(group: Group) -> None:
    first = group.results[0]
    for other in group.results[1:]:
        if other.row["settings"] != first.row["settings"]:
            mine = dataclasses.asdict(first.config)
            differ = [
                f"{name} {mine[name]} and {value}"
                for name, value in dataclasses.asdict(other.config).items()
                if value != mine[name] and name not in ("seed", "frames", "checkpoint_every")
            ]
            raise RunError(
                f"{first.name} and {other.name} are both {group.game}, {group.label}, but differ: "
                f"{', '.join(differ)}; --mix puts them in one curve"
            )
