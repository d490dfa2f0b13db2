"""Make the pages from what is in this folder.

python results/pages.py             all tables between marks in README.md and docs
python results/pages.py runs RUNS   the same, after merging a folder of runs into ledger.csv,
                                    curves.csv and rooms.csv, and drawing the figures

`make results RUNS=DIR` is the second. What `phieb report` wrote is put into the pages by

python results/pages.py comparison REPORT   the bonuses side by side

what `phieb counts --out REPORT/counts.png --json REPORT/counts.json` wrote by

python results/pages.py counts REPORT

and what `phieb race --out FOLDER` wrote by

python results/pages.py race FOLDER

Early scores of the default on seeds that the race did not have come from a folder of runs by

python results/pages.py default RUNS
"""

import json
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from phieb.experiments.paper import GAMES, MILLION
from phieb.experiments.race import FIRST_SEED, MILLIONS
from phieb.reports import counts, figure_1, ledger, race, results, rooms
from phieb.reports.claims import claim_rows
from phieb.reports.curves import by_game
from phieb.reports.groups import read_runs
from phieb.reports.race_figure import figure
from phieb.reports.results_tables import evaluation_rows, hours_rows
from phieb.reports.sentences import sentences
from phieb.reports.table_1 import figure_rows, score_rows
from phieb.reports.tables import Rows, markdown, read_csv, write_csv
from phieb.training import RunError
from phieb.worlds.games import title_of

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md"]
PAGES += [ROOT / "docs" / f"{name}.md" for name in ("results", "bonuses", "counts", "race")]

# What is kept of each kind of report: files there, and where they go.
KEPT = {
    "comparison": {
        "ledger.csv": "results/comparison.csv",
        "figure-1-trials.png": "docs/comparison.png",
    },
    "counts": {"counts.json": "results/counts.json", "counts.png": "docs/counts.png"},
    "race": {"race.csv": "results/race.csv"},
}
DEFAULT = ("game", "seed", "frames", "best", "version")  # of the ledger, in default.csv
ROUNDS = {"race-1": 3, "race-2": 6}  # of the race, and how many seeds each had


def parts() -> dict[str, str]:
    """What stands between the marks of each name."""
    compared = ledger.read(ROOT / "results" / "comparison.csv")
    counted = json.loads((ROOT / "results" / "counts.json").read_text())
    return {
        **result_parts(results.read(ROOT / "results")),
        "comparison": f"\n{markdown(side_by_side(compared))}\n",
        "comparison-version": _versions(compared),
        "counts": f"\n{markdown(counts.factor_rows(counted))}\n",
        "counts-new": f"\n{markdown(counts.new_rows(counted))}\n",
        "demo": demo_sentence(),
        "default": f"\n{markdown(default_rows())}\n",
        **race_parts(),
    }


def result_parts(found: results.Results) -> dict[str, str]:
    """The results beside the paper's: in the README those of the default, elsewhere all."""
    groups, front = found.groups(), found.shown()
    now = figure_rows(groups)
    lines = "\n".join(f"- {line}" for line in sentences(front))
    beside = (ROOT / "results" / "figure-1.md").read_text().split("\n\n", 1)[1]
    return {
        "scores": f"\n{markdown(score_rows(front.ledger))}\n",
        "sentences": f"\n{lines}\n",
        "all-scores": f"\n{markdown(score_rows(found.ledger))}\n",
        "version": _versions(found.ledger),
        "figures-of": _versions(front.curves) or "0.2.0, whose curves were not kept",
        "beside": f"\n{markdown(now)}\n" if len(now) > 1 else "\nNo curve is so long yet.\n",
        "beside-product": f"\n{beside.strip()}\n",
        "evaluation": f"\n{markdown(evaluation_rows(found.ledger, groups))}\n",
        "hours": f"\n{markdown(hours_rows(found.ledger))}\n",
        "claims": f"\n{markdown(claim_rows(found))}\n",
    }


def merge_runs(folder: Path) -> None:
    """Merge a folder of runs into the results."""
    study = read_runs(folder)
    for line in study.left_out:
        print(f"left out: {line}")
    for result in study.results():
        if not results.is_reported(result.row):
            print(f"left out: {result.name}: below a million frames, or a seed of the race")
    results.write(results.read(ROOT / "results").with_runs(study), ROOT / "results")


def draw() -> None:
    """Figure 1, once all games have curves, and the rooms of Montezuma's Revenge."""
    groups = results.read(ROOT / "results").shown().groups()
    if set(by_game(groups)) >= set(GAMES):
        figure_1.our_form(groups).savefig(ROOT / "docs" / "figure-1.png", dpi=150)
    for of_a_game in by_game(groups).values():
        if rooms.has_rooms(of_a_game):
            rooms.figure(of_a_game).savefig(ROOT / "docs" / "rooms.png", dpi=150)


def race_parts() -> dict[str, str]:
    """Standings and scores of every round, and what minimal actions do where they are fewer."""
    found = dict[str, str]()
    for name, num_seeds in ROUNDS.items():
        seeds = race_seeds(num_seeds)
        found[name] = f"\n{markdown(race.table_rows(race_rows(), seeds))}\n"
        found[f"{name}-scores"] = f"\n{markdown(race.score_rows(race_rows(), seeds))}\n"
    found["race-frames"] = f"{sum(int(row['frames']) for row in race_rows()) / MILLION:.0f}"
    fewer = [row for row in race_rows() if row["game"] in ("freeway", "qbert")]
    both = [row for row in fewer if row["candidate"] in ("minimal", "per-feature-0.3")]
    found["race-minimal"] = f"\n{markdown(race.score_rows(both, race_seeds(3)))}\n"
    return found


def demo_sentence() -> str:
    """Of the race's trials in Venture, as long as the demo: how many scored."""
    said = []
    for name in ("per-feature-0.3", race.EPSILON):
        mine = [r for r in race_rows() if (r["candidate"], r["game"]) == (name, "venture")]
        said.append(f"{sum(float(row['best']) > 0 for row in mine)} of {len(mine)}")
    return f"{said[0]} with these settings had scored by then, and {said[1]} without the bonus"


def write_default(folder: Path) -> None:
    """Mean scores of the last episodes of the default's runs in a folder, a row a trial."""
    rows = []
    for result in read_runs(folder).results():
        scores = [episode["score"] for episode in result.episodes]
        if result.config.bonus == "phi" and result.row["preset"] == "default":
            last = {f"last_{n}": f"{fmean(scores[-n:]):.1f}" for n in (30, 100)}
            row: dict[str, Any] = {**result.row}
            rows.append({name: row[name] for name in DEFAULT} | last)
    write_csv(rows, (*DEFAULT, "last_30", "last_100"), ROOT / "results" / "default.csv")


def default_rows() -> Rows:
    """A row a game, a number a seed."""
    rows = read_csv(ROOT / "results" / "default.csv")
    table = [["game", "frames", "seeds", "mean of the last 30 episodes", "of the last 100"]]
    for game in dict.fromkeys(row["game"] for row in rows):
        mine = [row for row in rows if row["game"] == game]
        cells = [", ".join(row[name] for row in mine) for name in ("seed", "last_30", "last_100")]
        frames = f"{min(int(row['frames']) for row in mine) / MILLION:.2g} M"
        table.append([title_of(game), frames, *cells])
    return table


def race_rows() -> list[race.Row]:
    """Trials of the race, as long as each game's first rounds were."""
    frames = {game: millions * MILLION for game, millions in MILLIONS.items()}
    return race.rows_at(frames, race.read(ROOT / "results" / race.FILE))


def race_seeds(number: int) -> range:
    """The first so many."""
    return range(FIRST_SEED, FIRST_SEED + number)


def side_by_side(rows: Sequence[ledger.Row]) -> Rows:
    """A row for each agent: its score in each game with each seed, and its best episode."""
    games = list(dict.fromkeys(row["game"] for row in rows))
    agents = {row["agent"]: ledger.agent_label(row) for row in rows}
    table = [["agent", *(f"{game}: {what}" for game in games for what in ("score", "best"))]]
    for agent, label in agents.items():
        cells = [label]
        for game in games:
            trials = [row for row in rows if (row["game"], row["agent"]) == (game, agent)]
            cells.append(", ".join(f"{float(row['score']):,.0f}" for row in trials))
            cells.append(f"{max(float(row['best']) for row in trials):,.0f}")
        table.append(cells)
    return table


def _versions(rows: Sequence[ledger.Trial]) -> str:
    return ", ".join(sorted({row["version"] for row in rows}))


def with_parts(page: str) -> str:
    """A page with these parts."""
    for name, text in parts().items():
        first, last = f"<!-- {name} -->", f"<!-- /{name} -->"
        if first in page:
            head, rest = page.split(first)
            page = head + first + text + last + rest.split(last)[1]
    return page


def main(kind: str = "", folder: str = "") -> None:
    """Take over what is new, and write all pages."""
    if kind == "runs":
        merge_runs(Path(folder))
        draw()
    for there, here in KEPT.get(kind, {}).items():
        shutil.copy(Path(folder) / there, ROOT / here)
    if kind == "default":
        write_default(Path(folder))
    if kind == "race":
        for name, num_seeds in ROUNDS.items():
            drawn = figure(race_rows(), race_seeds(num_seeds))
            drawn.savefig(ROOT / "docs" / f"{name}.png", dpi=110)
    for path in PAGES:
        path.write_text(with_parts(path.read_text()))


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except RunError as error:
        sys.exit(str(error))
