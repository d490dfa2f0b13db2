"""The committed results: thinned curves, merged trial by trial, and the tables made from them."""

import runpy
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phieb.reports import ledger, results
from phieb.reports.curve_files import curve_rows, groups_of, room_rows, round_step, thinned
from phieb.reports.curves import POINTS, group_curves, trial_curves
from phieb.reports.figure_files import source_digest, source_digest_in
from phieb.reports.groups import read_runs
from phieb.reports.ledger import label_of
from phieb.reports.results import Results, merged, shown
from phieb.reports.results_tables import evaluation_rows, growth_rows, hours_rows, rooms_rows
from phieb.reports.sentences import caption, sentences
from phieb.reports.table_1 import figure_rows, front_rows, score_rows
from phieb.reports.tables import read_csv
from phieb.training import preset, train
from tests.reports.support import write_run

ROOT = Path(__file__).parents[2]
M = 1_000_000
NOTHING = Results([], [], [])


def merged_with(folder: Path, kept: Results = NOTHING) -> Results:
    return kept.with_runs(read_runs(folder), least_frames=0)


# ----------------------------------------------------------------------------- thinning


@given(st.integers(1, 10**12))
def test_a_step_is_round_and_the_least_that_gives_few_points(frames: int) -> None:
    step = round_step(frames)
    assert str(step).rstrip("0") in ("1", "2", "5")
    assert -(-frames // step) <= POINTS
    assert step == 1 or frames / step > POINTS / 2.5  # the next smaller one is at least 0.4 of it


@pytest.mark.parametrize(("episodes", "length"), [(3, 1_000), (1_000, 1_003), (450, 20_000)])
def test_a_thinned_curve_is_the_curve_at_its_points(
    episodes: int, length: int, tmp_path: Path
) -> None:
    scores = np.random.default_rng(0).integers(0, 900, episodes).astype(float).tolist()
    write_run(tmp_path / "a", scores, length=length)
    (result,) = read_runs(tmp_path).results()
    whole = trial_curves(result)
    few = thinned(whole)
    assert few.frames.size <= POINTS
    assert few.reached == whole.reached == episodes * length
    assert few.at("score", few.frames).tolist() == whole.at("score", few.frames).tolist()
    assert few.known_at(few.reached) == pytest.approx(np.mean(scores[-100:]))
    assert len(curve_rows(few)) == few.frames.size


def test_files_have_what_the_runs_have(tmp_path: Path) -> None:
    seen = [{"1": 5}, {"1": 2, "2": 1}, {"0": 9}]
    write_run(tmp_path / "m", [0.0, 100.0, 400.0], game="montezuma_revenge", rooms=seen)
    write_run(tmp_path / "e", [0.0] * 3, game="montezuma_revenge", bonus="none")
    study = read_runs(tmp_path)
    trials = [thinned(trial_curves(result)) for result in study.results()]
    curves = [row for trial in trials for row in curve_rows(trial)]
    rooms = [row for trial in trials for row in room_rows(trial)]
    phi, epsilon = groups_of(curves, rooms)
    for found, group in zip((phi, epsilon), study.groups, strict=True):
        there = group_curves(group)
        assert (found.label, found.bonus, found.frame_skip) == (there.label, there.bonus, 5)
        assert found.readings == there.readings
    assert phi.trials[0].visits == {0: 9, 1: 7, 2: 1}
    assert phi.known_at(2_000, "rooms") == [2.0]
    assert phi.known_at(3_000) == [pytest.approx(500 / 3, abs=1e-3)]
    assert epsilon.known_at(3_000, "rooms") == []  # its log does not tell
    assert curves[-1]["rooms"] == ""


# ------------------------------------------------------------------------------ merging


def test_a_longer_trial_replaces_a_shorter_one_and_nothing_else_does(tmp_path: Path) -> None:
    write_run(tmp_path / "one" / "a", [1.0, 2.0], seed=1)
    write_run(tmp_path / "one" / "b", [5.0, 5.0], seed=2)
    write_run(tmp_path / "two" / "a", [1.0, 2.0, 6.0], seed=1)  # extended
    write_run(tmp_path / "two" / "b", [9.0], seed=2)  # started again
    write_run(tmp_path / "two" / "c", [7.0], seed=3)  # new
    first = merged_with(tmp_path / "one")
    both = merged_with(tmp_path / "two", first)
    assert [(row["seed"], row["frames"]) for row in both.ledger] == [
        ("1", "3000"),
        ("2", "2000"),
        ("3", "1000"),
    ]
    (group,) = both.groups()
    assert [trial.reached for trial in group.trials] == [3_000, 2_000, 1_000]
    assert group.trials[1].known_at(2_000) == 5.0
    assert merged_with(tmp_path / "two", both) == both  # again: nothing changes
    assert merged_with(tmp_path / "one", both) == both  # nor with what is shorter


def test_as_many_frames_replace_if_they_are_evaluated_since(tmp_path: Path) -> None:
    write_run(tmp_path / "one" / "a", [1.0, 2.0])
    write_run(tmp_path / "two" / "a", [1.0, 2.0], evaluated=[4.0, 6.0])
    before, after = merged_with(tmp_path / "one"), merged_with(tmp_path / "two")
    assert merged(before.ledger, after.ledger) == after.ledger
    assert merged(after.ledger, before.ledger) == after.ledger


def test_an_evaluation_stays_when_the_run_goes_on(tmp_path: Path) -> None:
    run = write_run(tmp_path / "a", [100.0, 300.0], length=10 * M, evaluated=[50.0, 70.0])
    longer = write_run(tmp_path / "longer", [100.0, 300.0, 800.0], length=10 * M)
    shutil.copy(longer.log_file, run.log_file)
    shutil.rmtree(longer.path)
    found = merged_with(tmp_path)
    header, row = score_rows(found.ledger)
    cells = dict(zip(header, row, strict=True))
    assert (cells["frames"], cells["training"]) == ("30 M", "400.0")
    assert (cells["evaluation"], cells["evaluated at"]) == ("60.0", "20 M")
    header, row = evaluation_rows(found.ledger, found.groups())
    cells = dict(zip(header, row, strict=True))
    assert (cells["frames"], cells["training"]) == ("20 M", "200.0")  # as it was then
    assert cells["evaluation, behaviour value"] == "60.0"


def test_readme_shows_the_default_or_what_is_closest_to_it(tmp_path: Path) -> None:
    write_run(tmp_path / "v" / "p", [1.0], length=M, per_feature=False, beta=0.05)
    write_run(tmp_path / "v" / "e", [2.0], length=M, bonus="none")
    old = merged_with(tmp_path / "v")
    for row in (*old.ledger, *old.curves):
        row |= {"settings": "0", "version": "0.2.0"}  # of settings that there are no more
    labels = [label_of(row) for row in shown(old.ledger)]
    assert labels == ["Sarsa-φ-EB (paper's count, version 0.2.0)", "Sarsa-ε (version 0.2.0)"]
    write_run(tmp_path / "w" / "d", [3.0], length=M)
    both = merged_with(tmp_path / "w", old)
    assert len(both.ledger) == 3
    labels = [label_of(row) for row in shown(both.ledger)]
    assert labels == ["Sarsa-φ-EB", "Sarsa-ε (version 0.2.0)"]
    assert [group.label for group in both.shown().groups()] == labels
    (said,) = sentences(both.shown())
    assert said == (
        "**Venture**: after 1 M frames Sarsa-φ-EB is 1.0 ahead of Sarsa-ε (version 0.2.0) "
        "(3.0 and 2.0; 1 trial each)."
    )
    (said,) = sentences(old)
    assert "Sarsa-φ-EB (paper's count, version 0.2.0) is 1.0 behind Sarsa-ε (1.0 and 2.0" in said


def test_readme_shows_the_newest_minor_version_of_the_default(tmp_path: Path) -> None:
    for seed in (1, 2, 3):
        write_run(tmp_path / str(seed), [1.0], seed=seed)
    found = merged_with(tmp_path).ledger
    for row, version in zip(found, ("0.5.3", "0.10.0", "0.10.2"), strict=True):
        row["version"] = version
    assert [row["seed"] for row in shown(found)] == ["2", "3"]


def test_of_old_trials_readme_shows_those_with_the_usual_beta(tmp_path: Path) -> None:
    for beta in (0.035, 0.05):
        write_run(tmp_path / str(beta), [1.0], game="freeway", per_feature=False, beta=beta)
    found = merged_with(tmp_path).ledger
    assert sorted(map(label_of, found)) == [
        "Sarsa-φ-EB (paper's count)",
        "Sarsa-φ-EB (β = 0.035, paper's count)",
    ]
    assert [row["beta"] for row in shown(found)] == ["0.05"]


# ------------------------------------------------------------------------------- tables


def test_tables_have_the_numbers_computed_by_hand(tmp_path: Path) -> None:
    write_run(tmp_path / "a", [100.0, 400.0], length=5 * M, seed=1, evaluated=[10.0, 30.0])
    write_run(tmp_path / "b", [0.0, 0.0], length=5 * M, seed=2, evaluated=[0.0])
    write_run(tmp_path / "c", [60.0], length=5 * M, seed=3)
    write_run(tmp_path / "e", [20.0, 0.0], length=5 * M, bonus="none")
    found = merged_with(tmp_path)
    groups = found.groups()
    _, *beside = figure_rows(groups)
    assert beside == [
        ["venture", "Sarsa-φ-EB", "5 M", "3", "53.3", "100, 0, 60", "150–200"],
        ["venture", "Sarsa-φ-EB", "10 M", "2 of 3", "125.0", "250, 0", ""],
        ["venture", "Sarsa-ε", "5 M", "1", "20.0", "20", ""],
        ["venture", "Sarsa-ε", "10 M", "1", "10.0", "10", ""],
    ]
    header, phi, _ = front_rows(found.ledger)
    assert dict(zip(header, phi, strict=True)) == {
        "game": "Venture",
        "agent": "Sarsa-φ-EB",
        "frames": "5–10 M",
        "trials": "3",
        "training": "103.3",
        "evaluation [95 % interval]": "10.0 [0.0, 20.0] at 10 M",
        "paper at 100 M": "1,169.2",
    }
    assert evaluation_rows(found.ledger, groups)[1:] == [
        ["venture", "Sarsa-φ-EB", "2", "10 M", "125.0", "10.0"]
    ]
    *_, last = hours_rows(found.ledger)
    hours = 35 * M / 8_000 / 3_600
    assert last == ["all", "", "4", "35 M", f"{hours:.1f}"]
    (said,) = sentences(found)
    assert said == (
        "**Venture**: after 10 M frames Sarsa-φ-EB is 115.0 ahead of Sarsa-ε (125.0 in 2 trials, "
        "10.0 in 1 trial), and at 5 M it is 121.7 behind the paper's Figure 1 (53.3 in 3 trials "
        "and about 150–200)."
    )


def test_a_game_without_readings_or_with_all_frames_is_compared_with_table_1(
    tmp_path: Path,
) -> None:
    write_run(tmp_path / "v", [800.0, 800.0], length=50 * M, evaluated=[1_200.0])
    write_run(tmp_path / "f", [10.0], game="frostbite", length=5 * M, evaluated=[20.0, 40.0])
    write_run(tmp_path / "m", [10.0], game="montezuma_revenge", length=5 * M)
    venture, montezuma, frostbite = sentences(merged_with(tmp_path))
    assert venture == (
        "**Venture**: after 100 M frames Sarsa-φ-EB scores 800.0 (1 trial), Sarsa-ε has not been "
        "run, and its evaluation after 100 M, 1,200.0, is 30.8 ahead of the paper's 1,169.2 "
        "after 100 M."
    )
    assert frostbite.endswith(
        "its evaluation after 5 M, 30.0, is 2,740.1 behind the paper's 2,770.1 after 100 M."
    )
    assert montezuma.endswith("scores 10.0 (1 trial), Sarsa-ε has not been run.")


def test_the_caption_of_the_animated_picture_has_all_scores() -> None:
    agents = [
        {"agent": "Sarsa-ε", "seed": 1, "version": "0.5.0", "frames": 2 * M, "scores": [0.0, 0.0]},
        {"agent": "Sarsa-φ-EB", "seed": 1, "version": "0.5.0", "frames": 2 * M, "scores": [1e3, 0]},
    ]
    shown: Any = {"speed": 3.0, "cut": False, "agents": [{**a, "shown_frames": 9} for a in agents]}
    said = caption(shown)
    assert said == (
        "Sarsa-ε (seed 1, 2 M frames of training, version 0.5.0) scored 0 in each, "
        "Sarsa-φ-EB (seed 1, 2 M frames of training, version 0.5.0) scored 0 and 1,000. "
        "It is 3 times as fast as the game"
    )
    assert caption({**shown, "cut": True}) == f"{said}; shown until frame 9"


def test_growth_has_the_last_sample_of_memory_that_is_near(tmp_path: Path) -> None:
    run = write_run(tmp_path / "a", [0.0, 0.0, 0.0], length=2 * M)
    (group,) = merged_with(tmp_path).groups()
    which = {name: ledger.row_of(run)[name] for name in ledger.TRIAL}  # type: ignore[literal-required]
    near: Any = {**which, "frames": "4800000", "megabytes": "250.4"}
    early: Any = {**which, "frames": "4600000", "megabytes": "240"}
    _, *rows = growth_rows([group], [near, early])
    assert rows == [["venture", "Sarsa-φ-EB", "0", "5 M", "1", "250 MB", "8,000"]]
    header, *_ = growth_rows([group], [])
    assert "resident memory" not in header


def test_rooms_are_listed_trial_by_trial(tmp_path: Path) -> None:
    seen = [{"1": 6}, {"1": 2, "2": 1, "10": 1}]
    write_run(tmp_path / "m", [0.0, 100.0], game="montezuma_revenge", rooms=seen, length=M)
    write_run(tmp_path / "v", [0.0], length=M)
    assert rooms_rows(merged_with(tmp_path).groups())[1:] == [
        ["Sarsa-φ-EB", "0", "2 M", "3", "1, 2, 10", "80 %"]
    ]


def test_seeds_have_scored_if_their_curve_is_above_0_by_then(tmp_path: Path) -> None:
    for seed, scores in enumerate([[0.0, 0.0, 5.0], [0.0, 5.0, 0.0], [5.0]]):
        write_run(tmp_path / str(seed), scores, length=M, seed=seed)
    write_run(tmp_path / "other", [5.0] * 3, length=M, seed=7, beta=1.0)  # not the default
    found = merged_with(tmp_path)
    assert found.scored("venture", "phi", 2 * M) == {"0": False, "1": True}
    assert found.scored("venture", "none", 2 * M) == {}


# ------------------------------------------------------------------------------ the pages


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The repository's results and pages, to be changed."""
    place = tmp_path / "copy"
    shutil.copytree(ROOT / "results", place / "results")
    shutil.copytree(ROOT / "docs", place / "docs")
    corpus = Path("tests") / "faults" / "corpus"
    shutil.copytree(ROOT / corpus, place / corpus)
    shutil.copy(ROOT / "README.md", place)
    return place


def bytes_of(place: Path) -> dict[str, bytes]:
    files = [path for path in place.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    return {str(path.relative_to(place)): path.read_bytes() for path in files}


def keep_only_0_2(folder: Path) -> None:
    """Leave out the trials that later versions have added; 0.2.0 has no curves."""
    file = folder / "ledger.csv"
    ledger.write([row for row in ledger.read(file) if row["version"] == "0.2.0"], file)
    for name in ("curves", "rooms"):
        path = folder / f"{name}.csv"
        path.write_text(path.read_text().splitlines()[0] + "\n")


def test_without_runs_the_pages_stay_as_they_are(copy: Path) -> None:
    before = bytes_of(copy)
    runpy.run_path(str(copy / "results" / "pages.py"))["main"]()
    assert bytes_of(copy) == before


def test_runs_are_merged_and_drawn_and_once_more_changes_nothing(
    copy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = tmp_path / "runs"
    train(preset("default", "montezuma_revenge", frames=3_000, max_frames=1_000), runs / "real")
    seen = [{"1": 5}, {"1": 2, "2": 1}] * 60
    write_run(runs / "m", [0.0, 100.0] * 60, game="montezuma_revenge", rooms=seen, length=50_000)
    write_run(runs / "e", [0.0] * 120, game="montezuma_revenge", bonus="none", length=50_000)
    main = runpy.run_path(str(copy / "results" / "pages.py"))["main"]
    keep_only_0_2(copy / "results")
    main()
    before = bytes_of(copy)
    main("runs", str(runs))
    assert "left out: real: below a million frames" in capsys.readouterr().out
    after = bytes_of(copy)
    changed = {name for name in after if after[name] != before.get(name)}
    files = {f"results/{name}.csv" for name in ("ledger", "curves", "rooms")}
    pictures = {"docs/figure-1.png", "docs/rooms.png"}
    assert changed == {*files, *pictures, "README.md", "docs/results.md"}
    page = (copy / "docs" / "results.md").read_text()
    assert "| montezuma_revenge | Sarsa-φ-EB | 5 M | 1 | 50.0 | 50 |  |" in page
    assert "| montezuma_revenge | Sarsa-φ-EB (paper's count, version 0.2.0) |" in page
    front = (copy / "README.md").read_text()
    assert "| Montezuma's Revenge | Sarsa-φ-EB | 6 M | 1 | 50.0 |  | 2,745.4 |" in front
    assert "| Montezuma's Revenge | Sarsa-φ-EB (paper's count, version 0.2.0) |" not in front
    main("runs", str(runs))
    assert bytes_of(copy) == after
    shutil.rmtree(runs)  # lost: what is committed stays
    main()
    assert bytes_of(copy) == after


def test_a_comparison_keeps_its_curves_and_is_drawn_from_them(copy: Path, tmp_path: Path) -> None:
    for bonus in ("phi", "count", "none"):
        write_run(tmp_path / "runs" / bonus, [0.0, 50.0] * 60, bonus=bonus, length=10_000)
    main = runpy.run_path(str(copy / "results" / "pages.py"))["main"]
    main("comparison", str(tmp_path / "runs"))
    curves = read_csv(copy / "results" / "comparison-curves.csv")
    assert {row["agent"] for row in curves} == {"sarsa+phi", "sarsa+count", "sarsa+none"}
    assert source_digest_in(copy / "docs" / "comparison.png") == source_digest(curves)
    assert "| Sarsa-count | 25 | 50 |" in (copy / "docs" / "bonuses.md").read_text()


def test_the_figures_are_of_the_committed_curves() -> None:
    front = results.read(ROOT / "results").shown()
    assert source_digest_in(ROOT / "docs" / "figure-1.png") == source_digest(front.curves)
    mine = [row for row in front.curves if row["game"] == "montezuma_revenge"]
    assert source_digest_in(ROOT / "docs" / "rooms.png") == source_digest([mine, front.rooms])


def test_trials_with_sticky_actions_have_a_table_of_their_own(
    copy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = tmp_path / "runs"
    for seed, score in ((8, 30.0), (9, 70.0)):
        evaluated = [score, score + 20]
        sticky: Any = {"sticky": 0.25, "noops": 1, "seed": seed}
        write_run(
            runs / f"{seed}", [5.0] * 4, game="solaris", length=M, evaluated=evaluated, **sticky
        )
    write_run(runs / "running", [5.0], game="solaris", length=M, sticky=0.25, noops=1, seed=7)
    main = runpy.run_path(str(copy / "results" / "pages.py"))["main"]
    main()
    before = bytes_of(copy)
    main("runs", str(runs))
    assert "left out: 8: below a million frames, a seed of the race, or sticky" in (
        capsys.readouterr().out
    )
    changed = {name for name, data in bytes_of(copy).items() if before.get(name) != data}
    assert changed <= {"docs/rooms.png"}
    main("hard7", str(runs))
    page = (copy / "docs" / "results.md").read_text()
    assert "| Solaris | Sarsa-φ-EB | 4 M | 2 | 5.0 | 60.0 | 40.0, 80.0 | 5 |" in page
    after = bytes_of(copy)
    changed = {name for name, data in after.items() if before.get(name) != data}
    assert changed - {"docs/rooms.png"} == {"docs/results.md", "results/hard7.csv"}
    main("hard7", str(runs))
    assert bytes_of(copy) == after


def test_the_committed_curves_are_those_of_the_ledger() -> None:
    found = results.read(ROOT / "results")
    reached = {
        (row["game"], row["agent"], row["settings"], row["seed"]): row["frames"]
        for row in found.ledger
    }
    for group in found.groups():
        for trial in group.trials:
            assert trial.frames.size <= POINTS
            key = tuple(trial.row[name] for name in ("game", "agent", "settings", "seed"))
            assert reached[key] == str(trial.reached)  # type: ignore[index]
