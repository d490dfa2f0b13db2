"""`phieb race`: settings compared on the same games and seeds."""

from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from phieb import arguments
from phieb.cli.options import Count, words
from phieb.cli.trials import TrialsCommand
from phieb.experiments.paper import MILLION, Arm
from phieb.experiments.race import CANDIDATES, FIRST_SEED, MILLIONS, candidate_of
from phieb.reports.ledger import settings_hash
from phieb.trials.trial import Trial


@dataclass
class Race(TrialsCommand):
    """Candidates for the default settings, on the same games and seeds: which learns fastest?"""

    out: Path = Path("race")
    """The folder of all runs, and of race.csv: trials that stand in it are not run again."""
    games: str = ",".join(MILLIONS)
    """Of the paper's five, separated by commas."""
    candidates: str = ",".join(CANDIDATES)
    """Which, separated by commas."""
    trials: int = 3
    """How many of each candidate in each game."""
    first_seed: int = FIRST_SEED
    """Of the trials, which have one after the other."""
    frames: Count | None = None
    """Of training, for each trial; by default 2M in Venture and Montezuma's Revenge, else 1M."""
    episodes: int = 0
    """Of evaluation, for each trial; 0 for none."""

    def check(self) -> None:
        """Everything that can be wrong, before anything is run."""
        for game in self.named_games():
            arguments.one_of("--games", game, tuple(MILLIONS))
        if self.preset != "default":
            raise ValueError(f"--preset must be default: candidates are whole, got {self.preset}")
        arguments.whole("--trials", self.trials, low=1, high=1_000)
        arguments.whole("--first-seed", self.first_seed)
        super().check()

    def arms(self) -> list[Arm]:
        """Every candidate in every game, seed by seed: stopped early, it has been fair."""
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
        """Those whose trials do not stand in race.csv yet."""
        todo = {trial.path.name for trial in self._trials()}
        return [arm for arm in self.arms() if f"{arm.name}-{arm.first_seed}" in todo]

    def tell(self, console: Console) -> None:
        """The table and the figure, from race.csv."""
        from phieb.reports import race
        from phieb.reports.race_figure import figure
        from phieb.reports.tables import table

        file, seeds = self.out / race.FILE, self._seeds()
        frames = {game: self._frames(game) for game in self.named_games()}
        race.collect(self.out, candidate_of, frames)
        rows = race.at(frames, race.read(file), self._names())
        standings = race.table_rows(rows, seeds)
        if not standings:
            said = "no candidate has run in all games with all seeds yet"
            console.print(f"{said}\nall trials: {file}", soft_wrap=True)
            return
        console.print(table(f"Seeds {', '.join(map(str, seeds))}", standings))
        console.print(table("Score at the end, a number a seed", race.score_rows(rows, seeds)))
        figure(rows, seeds).savefig(self.out / "race.png", dpi=130)
        console.print(f"all trials: {file}\nfigure: {self.out / 'race.png'}", soft_wrap=True)

    def _run(self, console: Console) -> None:
        if self._trials():
            super()._run(console)
        else:
            self.tell(console)

    def _trials(self) -> list[Trial]:
        """Those that do not stand in race.csv yet."""
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
    """What the row of a trial is known by, and the hash of its settings."""
    config = trial.config
    name = candidate_of(config)
    return (name, config.game, config.seed, config.frames), settings_hash(config)
