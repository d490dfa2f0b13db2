"""`phieb race`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro
from rich.console import Console

from phieb import arguments
from phieb.cli.options import Count, words
from phieb.cli.trials import TrialsCommand
from phieb.experiments.paper import MILLION, Arm
from phieb.experiments.race import CANDIDATES, FIRST_SEED, MILLIONS, candidate_of
from phieb.reports.ledger import settings_hash
from phieb.trials.trial import Trial
from phieb.worlds.games import title_of

_DEFAULT_FRAMES = ", ".join(f"{most}M in {title_of(game)}" for game, most in MILLIONS.items())


@dataclass
class Race(TrialsCommand):
    """Compare candidates for the default settings: which learns fastest?

    Trains all candidates on the same games and seeds, and ranks them by the area under their
    learning curves. Writes the runs, race.csv and race.png to OUT. Trials in race.csv are not run
    again.

    Example: phieb race --games freeway --candidates epsilon,dial --trials 2
    """

    out: Path = Path("race")
    """Folder of all runs, of race.csv and of race.png."""
    games: str = ",".join(MILLIONS)
    """Games of the paper, separated by commas."""
    candidates: str = ",".join(CANDIDATES)
    """Names of candidates, separated by commas (docs/race.md)."""
    trials: int = 3
    """Trials of each candidate in each game."""
    first_seed: int = FIRST_SEED
    """Seed of the first trial; the others have the seeds after it."""
    frames: Annotated[
        Count | None,
        tyro.conf.arg(
            metavar="COUNT",
            help="Frames of training for each trial.",
            help_behavior_hint=f"(default: {_DEFAULT_FRAMES})",
        ),
    ] = None
    episodes: int = 0
    """Evaluation episodes for each trial; 0 for none."""

    def check(self) -> None:
        """Check all options before anything is run."""
        for game in self.named_games():
            arguments.one_of("--games", game, tuple(MILLIONS))
        if self.preset != "default":
            raise ValueError(f"--preset must be default in a race, got {self.preset!r}")
        arguments.whole("--trials", self.trials, low=1, high=1_000)
        arguments.whole("--first-seed", self.first_seed)
        super().check()

    def arms(self) -> list[Arm]:
        """Every candidate in every game, ordered by seed, so that a race can be stopped early."""
        return [
            Arm(
                game=game,
                bonus=CANDIDATES[name].get("bonus", "phi"),
                beta=None,
                trials=1,
                frames=self._frames(game),
                episodes=self.episodes,
                first_seed=seed,
                settings=CANDIDATES[name],
                candidate=name,
            )
            for seed in self._seeds()
            for game in self.named_games()
            for name in self._names()
        ]

    def planned(self) -> list[Arm]:
        """The arms with trials that are not in race.csv yet."""
        todo = {trial.path.name for trial in self._trials()}
        return [arm for arm in self.arms() if f"{arm.name}-{arm.first_seed}" in todo]

    def print_results(self, console: Console) -> None:
        """Update race.csv; print its tables and draw its figure."""
        from phieb.reports import race
        from phieb.reports.figure_files import save_figure
        from phieb.reports.race_figure import figure
        from phieb.reports.tables import table

        file, seeds = self.out / race.FILE, self._seeds()
        frames = {game: self._frames(game) for game in self.named_games()}
        race.collect(self.out, candidate_of, frames)
        rows = race.rows_at(frames, race.read(file), self._names())
        standings = race.table_rows(rows, seeds)
        if not standings:
            problem = "no candidate has been run in all games with all seeds yet"
            console.print(f"{problem}\nall trials: {file}", soft_wrap=True)
            return
        console.print(table(f"Seeds {', '.join(map(str, seeds))}", standings))
        console.print(table("Score at the end, one number per seed", race.score_rows(rows, seeds)))
        save_figure(figure(rows, seeds), self.out / "race.png", dpi=130)
        console.print(f"all trials: {file}\nfigure: {self.out / 'race.png'}", soft_wrap=True)

    def _run(self, console: Console) -> None:
        if self._trials():
            super()._run(console)
        else:
            self.print_results(console)

    def _trials(self) -> list[Trial]:
        """The trials that are not in race.csv yet."""
        from phieb.reports import race

        known = {(race.key_of(row), row["settings"]) for row in race.read(self.out / race.FILE)}
        return [trial for trial in super()._trials() if _key(trial) not in known]

    def _names(self) -> list[str]:
        return words("--candidates", self.candidates, tuple(CANDIDATES))

    def _frames(self, game: str) -> int:
        return self.frames or MILLIONS[game] * MILLION

    def _seeds(self) -> range:
        return range(self.first_seed, self.first_seed + self.trials)


def _key(trial: Trial) -> tuple[tuple[str, str, int, int], str]:
    """The key of a trial's row, and the hash of its settings."""
    config = trial.config
    name = candidate_of(config)
    return (name, config.game, config.seed, config.frames), settings_hash(config)
