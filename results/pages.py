"""Write the generated parts of README.md and docs from the files in this folder and from the code.

A generated part stands between two comments with its name. The commands are

python results/pages.py                     write all generated parts, and draw figures whose
                                            curves have changed (`make results`)
python results/pages.py runs RUNS           first merge a folder of runs into ledger.csv, curves.csv
                                            and rooms.csv (`make results RUNS=DIR`)
python results/pages.py comparison RUNS     first write comparison.csv and comparison-curves.csv
                                            from a folder of runs (`phieb compare --out RUNS`),
                                            and draw their figure
python results/pages.py counts REPORT       first copy what `phieb counts --out REPORT/counts.png
                                            --json REPORT/counts.json` wrote
python results/pages.py race FOLDER         first copy what `phieb race --out FOLDER` wrote, and
                                            draw its figures
python results/pages.py hard7 RUNS          first merge a folder of runs (phieb reproduce --games
                                            hard7 --preset sticky) into hard7.csv
python results/pages.py default RUNS        first write default.csv, scores of the default on seeds
                                            that the race did not use, from a folder of runs
python results/pages.py faults FILE …       first write faults.json, from `make test-faults`
python results/pages.py soak FILE …         first sum up what soaks wrote, in soak.json

`make test-soak` and `make test-fuzz` write their files themselves.
"""

import json
import shutil
import sys
from collections.abc import Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path
from statistics import fmean
from typing import Any

from phieb.experiments.paper import GAMES, MILLION
from phieb.experiments.race import FIRST_SEED, MILLIONS
from phieb.features import FEATURES
from phieb.learning import AGENTS
from phieb.novelty import BONUSES
from phieb.reports import (
    counts,
    environments,
    figure_1,
    ledger,
    race,
    reliability,
    results,
    rooms,
    small,
)
from phieb.reports.claims import claim_rows, claims_counted
from phieb.reports.curve_files import CURVES, curve_rows, groups_of, thinned
from phieb.reports.curves import by_game, frames_text, trial_curves
from phieb.reports.figure_files import redraw
from phieb.reports.groups import read_runs
from phieb.reports.parts import part_rows, preset_rows, setting_rows
from phieb.reports.race_figure import figure
from phieb.reports.results_tables import evaluation_rows, growth_rows, hours_rows, rooms_rows
from phieb.reports.sentences import caption, sentences
from phieb.reports.table_1 import by_agent, figure_rows, front_rows, score_rows
from phieb.reports.tables import Rows, markdown, read_csv, write_csv
from phieb.training import RunError
from phieb.worlds.games import title_of

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md"]
PAGES += [ROOT / "docs" / f"{name}.md" for name in ("results", "bonuses", "counts", "race", "runs")]
PAGES += [
    ROOT / "docs" / f"{name}.md" for name in ("small-worlds", "own-environment", "reliability")
]

# The files that are kept of each kind of report, and where they are copied to.
KEPT = {
    "counts": {"counts.json": "results/counts.json", "counts.png": "docs/counts.png"},
    "race": {"race.csv": "results/race.csv"},
}
DEFAULT = ("game", "seed", "frames", "best", "version")  # columns of the ledger in default.csv
DEMO = 2 * MILLION  # frames of each agent in `make demo`
HARD7 = ROOT / "results" / "hard7.csv"
ROUNDS = {"race-1": 3, "race-2": 6}  # rounds of the race, and their numbers of seeds


def parts() -> dict[str, str]:
    """The text of each generated part, by name."""
    compared = ledger.read(ROOT / "results" / "comparison.csv")
    counted = _json("counts")
    return {
        **result_parts(results.read(ROOT / "results")),
        "comparison": f"\n{markdown(side_by_side(compared))}\n",
        "comparison-version": _versions(compared),
        "counts": f"\n{markdown(counts.factor_rows(counted))}\n",
        "counts-new": f"\n{markdown(counts.new_rows(counted))}\n",
        "demo": demo_sentence(),
        "venture": caption(json.loads((ROOT / "results" / "venture.json").read_text())),
        "default": f"\n{markdown(default_rows())}\n",
        "hard7": hard7_table(),
        **race_parts(),
        **small_parts(),
        **reliability_parts(),
        **environment_parts(),
        **code_parts(),
    }


def result_parts(found: results.Results) -> dict[str, str]:
    """Our results and the paper's: a selection for README, all of them for docs/results.md."""
    groups, front = found.groups(), found.shown()
    now, memory = figure_rows(groups), results.read_memory(ROOT / "results")
    lines = "\n".join(f"- {line}" for line in sentences(front))
    product = (ROOT / "results" / "figure-1.md").read_text().split("\n\n", 1)[1]
    return {
        "scores": f"\n{markdown(front_rows(front.ledger))}\n",
        "sentences": f"\n{lines}\n",
        "all-scores": f"\n{markdown(score_rows(found.ledger))}\n",
        "version": _versions(found.ledger),
        "figures-of": figures_of(front),
        "figure-1": f"\n{markdown(now)}\n" if len(now) > 1 else "\nNo curve is that long yet.\n",
        "figure-1-product": f"\n{product.strip()}\n",
        "rooms": f"\n{markdown(rooms_rows(groups))}\n",
        "trial-growth": f"\n{markdown(growth_rows(groups, memory))}\n",
        "evaluation": f"\n{markdown(evaluation_rows(found.ledger, groups))}\n",
        "hours": f"\n{markdown(hours_rows(found.ledger))}\n",
        "claims-counted": claims_counted(found),
        "claims": f"\n{markdown(claim_rows(found))}\n",
    }


def figures_of(front: results.Results) -> str:
    """What Figure 1 shows: versions, and which games have no curves yet."""
    drawn = by_game(front.groups())
    missing = [title_of(game).replace("*", "\\*") for game in GAMES if game not in drawn]
    said = _versions(front.curves)
    return f"{said}; no curves yet of {', '.join(missing)}" if missing else said


def merge_runs(folder: Path) -> None:
    """Merge a folder of runs into the results."""
    study = read_runs(folder)
    for line in study.left_out:
        print(f"left out: {line}")
    for result in study.results():
        if not results.is_reported(result.row):
            why = "below a million frames, a seed of the race, or sticky actions (hard7)"
            print(f"left out: {result.name}: {why}")
    results.write(results.read(ROOT / "results").with_runs(study), ROOT / "results")


def draw() -> None:
    """Draw Figure 1 and the rooms of Montezuma's Revenge, where their curves have changed."""
    front = results.read(ROOT / "results").shown()
    groups = front.groups()
    if groups:
        redraw(DOCS / "figure-1.png", front.curves, partial(figure_1.our_form, groups))
    for game, of_a_game in by_game(groups).items():
        if rooms.has_rooms(of_a_game):
            curves = [row for row in front.curves if row["game"] == game]
            source = curves, front.rooms
            redraw(DOCS / "rooms.png", source, partial(rooms.figure, of_a_game))


def write_comparison(folder: Path) -> None:
    """Write comparison.csv and comparison-curves.csv from a folder of runs, and their figure."""
    study = read_runs(folder)
    kept = [thinned(trial_curves(result)) for result in study.results()]
    curves = [row for trial in kept for row in curve_rows(trial)]
    ledger.write([result.row for result in study.results()], ROOT / "results" / "comparison.csv")
    write_csv(curves, CURVES, ROOT / "results" / "comparison-curves.csv")
    redraw(DOCS / "comparison.png", curves, partial(figure_1.our_form, groups_of(curves, [])))


def race_parts() -> dict[str, str]:
    """Standings and scores of every round, and the effect of minimal actions."""
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


def small_parts() -> dict[str, str]:
    """The tables of the small worlds."""
    written = _json("small")
    made = {
        "small-rewards": small.reward_rows(written),
        "small-deep-sea": small.deep_sea_rows(written),
        "small-plane": small.plane_rows(written),
    }
    return {name: f"\n{markdown(rows)}\n" for name, rows in made.items()}


def reliability_parts() -> dict[str, str]:
    """What the tests of faults, the soak and the fuzzer counted."""
    found = {name: _json(name) for name in ("soak", "fuzz", "checkpoints")}
    known = (ROOT / "results" / "faults.json").exists()
    faults = (
        markdown(reliability.fault_rows(_json("faults"))) if known else "Not run as a whole yet."
    )
    return {
        "faults": f"\n{faults}\n",
        "soak": reliability.soak_sentence(found["soak"]),
        "cost": reliability.cost_sentence(found["checkpoints"]),
        "fuzz": reliability.fuzz_sentence(found["fuzz"]),
        "corpus": f"{sum(1 for _ in (ROOT / 'tests/faults/corpus').glob('*/*'))}",
    }


def write_reliability(kind: str, files: Sequence[str]) -> None:
    """Write what tests of faults counted, or what several soaks did together."""
    try:
        texts = [Path(file).read_text() for file in files]
        if kind == "faults":
            found = reliability.faults_of(texts, version("phieb"))
        else:
            found = reliability.summed([json.loads(text) for text in texts])
    except (OSError, ValueError) as error:
        raise RunError(f"{', '.join(files)}: {error}") from None
    (ROOT / "results" / f"{kind}.json").write_text(json.dumps(found, indent=1) + "\n")


def _json(name: str) -> Any:
    return json.loads((ROOT / "results" / f"{name}.json").read_text())


def environment_parts() -> dict[str, str]:
    """The tables of the maze and of MiniGrid."""
    maze = read_csv(ROOT / "results" / "own-environment.csv")
    grids = read_csv(ROOT / "results" / "grids.csv")
    made = {
        "maze": environments.maze_rows(maze),
        "maze-betas": environments.maze_beta_rows(maze),
        "grids": environments.grid_rows(grids),
        "recipe": environments.recipe_rows(read_csv(ROOT / "results" / "recipe.csv")),
    }
    return {name: f"\n{markdown(rows)}\n" for name, rows in made.items()}


def code_parts() -> dict[str, str]:
    """What a run can be made of, from the registries."""
    made = {
        "bonuses": part_rows(BONUSES),
        "features": part_rows(FEATURES),
        "agents": part_rows(AGENTS),
        "settings": setting_rows(),
        "presets": preset_rows(),
    }
    return {name: f"\n{markdown(rows)}\n" for name, rows in made.items()}


def demo_sentence() -> str:
    """How many seeds have scored in Venture within the frames of the demo, in all trials there are.

    They are those of the race, of default.csv and of the ledger; the same seed counts once.
    """
    said, kept = [], results.read(ROOT / "results")
    for bonus, name in (("phi", "per-feature-0.3"), ("none", race.EPSILON)):
        mine = [r for r in race_rows() if (r["candidate"], r["game"]) == (name, "venture")]
        scored = {row["seed"]: float(row["best"]) > 0 for row in mine}
        scored |= kept.scored("venture", bonus, DEMO)
        if bonus == "phi":
            rows = read_csv(ROOT / "results" / "default.csv")
            scored |= {r["seed"]: float(r["best"]) > 0 for r in rows if r["game"] == "venture"}
        said.append(f"{sum(scored.values())} of {len(scored)} seeds")
    return f"{said[0]} with the bonus scored within two million frames, {said[1]} without it"


def write_default(folder: Path) -> None:
    """Write default.csv: mean scores of the last episodes, a row for each run of the default."""
    rows = []
    for result in read_runs(folder).results():
        scores = [episode["score"] for episode in result.episodes]
        if result.config.bonus == "phi" and result.row["preset"] == "default":
            last = {f"last_{n}": f"{fmean(scores[-n:]):.1f}" for n in (30, 100)}
            row: dict[str, Any] = {**result.row}
            rows.append({name: row[name] for name in DEFAULT} | last)
    write_csv(rows, (*DEFAULT, "last_30", "last_100"), ROOT / "results" / "default.csv")


def default_rows() -> Rows:
    """A row for each game, with one number for each seed."""
    rows = read_csv(ROOT / "results" / "default.csv")
    table = [["game", "frames", "seeds", "mean of the last 30 episodes", "of the last 100"]]
    for game in dict.fromkeys(row["game"] for row in rows):
        mine = [row for row in rows if row["game"] == game]
        cells = [", ".join(row[name] for row in mine) for name in ("seed", "last_30", "last_100")]
        frames = f"{min(int(row['frames']) for row in mine) / MILLION:.2g} M"
        table.append([title_of(game), frames, *cells])
    return table


def merge_hard7(folder: Path) -> None:
    """Merge the evaluated runs of a folder into hard7.csv; longer trials replace shorter ones."""
    found = [one.row for one in read_runs(folder).results() if one.row["evaluation_mean"]]
    ledger.write(results.merged(ledger.read(HARD7), found), HARD7)


def hard7_table() -> str:
    """A row for each agent in each game, with the evaluation of each trial."""
    table = [["game", "agent", "frames", "trials", "training", "evaluation", "each trial", "best"]]
    for (game, label), rows in by_agent(ledger.read(HARD7)).items():
        scores = [float(row["score"]) for row in rows]
        evaluated = [float(row["evaluation_mean"]) for row in rows]
        each = ", ".join(f"{score:,.1f}" for score in evaluated)
        frames = frames_text([int(row["frames"]) for row in rows])
        best = max(float(row["best"]) for row in rows)
        cells = [title_of(game), label.removesuffix(" (preset sticky)"), frames, str(len(rows))]
        cells += [f"{fmean(scores):,.1f}", f"{fmean(evaluated):,.1f}", each, f"{best:,.0f}"]
        table.append(cells)
    return f"\n{markdown(table)}\n" if len(table) > 1 else "\nNo trial has been evaluated yet.\n"


def race_rows() -> list[race.Row]:
    """The trials of the race, cut to the length that each game had in the first rounds."""
    frames = {game: millions * MILLION for game, millions in MILLIONS.items()}
    return race.rows_at(frames, race.read(ROOT / "results" / race.FILE))


def race_seeds(number: int) -> range:
    """The first seeds of the race."""
    return range(FIRST_SEED, FIRST_SEED + number)


def side_by_side(rows: Sequence[ledger.Row]) -> Rows:
    """A row for each agent: in each game, its score with each seed and its best episode."""
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
    """A page with its generated parts written anew."""
    for name, text in parts().items():
        first, last = f"<!-- {name} -->", f"<!-- /{name} -->"
        if first in page:
            head, rest = page.split(first)
            page = head + first + text + last + rest.split(last)[1]
    return page


def main(kind: str = "", folder: str = "", *others: str) -> None:
    """Take over new results of one kind, then write all pages."""
    if kind == "runs":
        merge_runs(Path(folder))
    if kind == "comparison":
        write_comparison(Path(folder))
    draw()
    for there, here in KEPT.get(kind, {}).items():
        shutil.copy(Path(folder) / there, ROOT / here)
    if kind == "hard7":
        merge_hard7(Path(folder))
    if kind == "default":
        write_default(Path(folder))
    if kind in ("faults", "soak"):
        write_reliability(kind, (folder, *others))
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
