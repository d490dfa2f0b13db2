"""`phieb export`."""

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Literal

import tyro
from rich.console import Console

from phieb import arguments
from phieb.cli.options import Checkpoint, OptionalPath, check_file, check_run, progress_bar
from phieb.evaluation.card import card, summary
from phieb.evaluation.evaluate import MOST, evaluate_policy
from phieb.evaluation.exported import policy_of, scores_of
from phieb.evaluation.policy import SUFFIX, Policy, check_licence, write_policy
from phieb.files import writing
from phieb.plain_text import visible
from phieb.training import Run

TABLES = (".csv", ".parquet")


@dataclass
class Export:
    """Save the policy of a run, or curves and scores of runs, as files.

    A policy is one .safetensors file, with a model card (.md) beside it; `phieb play FILE` and
    `phieb evaluate FILE` read it. The files of --curves and --scores are for other programs.

    Example: phieb export runs/venture-phi-0 venture.safetensors --episodes 20
    """

    path: Annotated[
        tyro.conf.Positional[Path],
        tyro.conf.arg(metavar="RUN", help="Folder of the run; with --curves, --scores of runs."),
    ]
    out: Annotated[
        tyro.conf.Positional[Path | None],
        tyro.conf.arg(
            metavar="[FILE]", help="Save the policy here (.safetensors).", help_behavior_hint=""
        ),
    ] = None
    checkpoint: Checkpoint = None
    precision: Literal["single", "half", "byte"] = "half"
    """Precision of the weights: 4 bytes each, 2, or 1."""
    megabytes: Annotated[
        float | None,
        tyro.conf.arg(
            metavar="FLOAT",
            help="Leave out the features that matter least until the file is so small.",
            help_behavior_hint="(default: all features)",
        ),
    ] = None
    licence: str = ""
    """Licence of the weights for the card, such as MIT."""
    episodes: int = 0
    """Evaluate what is in the file in so many episodes, for the card; 0 for none."""
    curves: OptionalPath = None
    """Save the learning curves of all runs here, a row for each point (.csv or .parquet)."""
    scores: OptionalPath = None
    """Save their final scores here, a row for each seed and a column for each game (.csv)."""

    def check(self) -> None:
        """Check all options before anything is written."""
        if self.out is None:
            self._check_tables()
            return
        if self.curves is not None or self.scores is not None:
            raise ValueError("FILE and --curves or --scores: export one of them at a time")
        check_run(self.path)
        check_file("FILE", self.out, (SUFFIX,))
        check_licence("--licence", self.licence)
        arguments.whole("--episodes", self.episodes, low=0, high=MOST)
        if self.megabytes is not None:
            arguments.number("--megabytes", self.megabytes, above=0.0)

    def run(self, console: Console) -> None:
        """Write the files and print what is in them."""
        if self.out is None:
            self._tables(console)
            return
        policy = policy_of(
            Run(self.path),
            checkpoint=self.checkpoint,
            precision=self.precision,
            megabytes=self.megabytes,
            licence=self.licence,
            warn=lambda text: console.print(f"phieb: warning: {text}", soft_wrap=True),
        )
        policy = self._with_scores(console, policy)
        write_policy(self.out, policy)
        writing.write(self.out.with_suffix(".md"), card(policy.facts, self.out.name))
        for name, value in summary(policy.facts).items():
            console.print(f"{name}: {value}", soft_wrap=True)
        size = self.out.stat().st_size / 1e6
        console.print(f"policy: {self.out} ({size:.1f} MB)", soft_wrap=True)
        console.print(f"card: {self.out.with_suffix('.md')}", soft_wrap=True)

    def _with_scores(self, console: Console, policy: Policy) -> Policy:
        """The policy, evaluated if that was asked for."""
        if not self.episodes:
            return policy
        with progress_bar(console) as progress:
            task = progress.add_task("episodes", total=self.episodes)
            found = evaluate_policy(policy, self.episodes, advance=lambda: progress.advance(task))
        scores = scores_of(found[policy.facts["value"]])
        return policy._replace(facts={**policy.facts, "exported": scores})

    def _check_tables(self) -> None:
        if self.curves is None and self.scores is None:
            raise ValueError("give FILE.safetensors for the policy of a run, --curves or --scores")
        if not self.path.is_dir():
            raise ValueError(f"RUN must be a folder of runs, got {self.path}")
        if self.curves is not None:
            check_file("--curves", self.curves, TABLES)
            if self.curves.suffix.lower() == ".parquet" and find_spec("pyarrow") is None:
                raise ValueError("--curves: .parquet needs pyarrow: pip install pyarrow; or .csv")
        if self.scores is not None:
            check_file("--scores", self.scores, (".csv",))

    def _tables(self, console: Console) -> None:
        # Imported here: it takes a second, which no other command needs.
        from phieb.reports.exports import curve_rows, score_rows, write_curves, write_scores
        from phieb.reports.groups import read_runs

        runs = read_runs(self.path, mix=self.scores is None)
        for line in runs.left_out:
            console.print(f"left out: {visible(line)}", soft_wrap=True)
        many = f"{len(runs.results()):,} runs"
        if self.scores is not None:  # first: it is the one that can be refused
            scores, kind = score_rows(runs)
            write_scores(scores, self.scores)
            console.print(f"{kind} scores of {many}: {self.scores}", soft_wrap=True)
        if self.curves is not None:
            curves = curve_rows(runs)
            write_curves(curves, self.curves)
            console.print(f"{len(curves):,} points of {many}: {self.curves}", soft_wrap=True)
