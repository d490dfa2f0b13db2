"""`phieb report`: runs with known scores, and what is said of them."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phieb.experiments.paper import FREEWAY_BETA, plan
from phieb.intervals import bootstrap_band, bootstrap_mean, interquartile_mean
from phieb.reports import rooms
from phieb.reports.curves import curve, grid, group_curves, trial_curves
from phieb.reports.groups import command_of, read_runs
from phieb.reports.paper import COMPARED, FIGURE_1, PAPER, SINCE
from phieb.reports.report import FIGURE_1 as BESIDE
from phieb.reports.report import SCORES, TABLE_1, tables_of, write_report
from phieb.reports.tables import comma_separated, latex, markdown, text
from phieb.training import Run, RunError, preset
from phieb.worlds.rooms import PYRAMID, place_of
from phieb.worlds.still import still
from tests.faults.support import assert_clean_error, phieb
from tests.reports.support import write_run

M = 1_000_000


# ------------------------------------------------------------------------------- curves


@given(
    scores=st.lists(st.integers(0, 900), min_size=1, max_size=350),
    at=st.integers(0, 400_000),
)
def test_a_score_is_the_mean_of_the_last_hundred_episodes_over_by_then(
    scores: list[int], at: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("one")
    write_run(folder / "a", scores)
    (result,) = read_runs(folder).results()
    found = trial_curves(result).at("score", np.array([at]))[0]
    over = [score for k, score in enumerate(scores, start=1) if k * 1_000 <= at]
    if over and at <= 1_000 * len(scores):
        assert found == pytest.approx(np.mean(over[-100:]))
    else:
        assert np.isnan(found)


def test_what_is_said_of_all_trials_is_said_where_all_are(tmp_path: Path) -> None:
    write_run(tmp_path / "a", [10.0] * 10, seed=1)
    write_run(tmp_path / "b", [30.0] * 5, seed=2)
    (group,) = read_runs(tmp_path).groups
    frames = np.array([0, 1_000, 5_000, 6_000])
    one = curve(frames, group_curves(group).at("score", frames))
    assert np.isnan(one.mean[[0, 3]]).all()
    assert one.mean[1:3].tolist() == [20.0, 20.0]
    assert one.deviation[1] == pytest.approx(np.std([10, 30], ddof=1))
    assert (one.low[1], one.high[1]) == (10.0, 30.0)
    assert one.trials[0].tolist()[1:] == [10.0, 10.0, 10.0]
    assert grid([group_curves(group)])[-1] == 10_000


def test_a_band_is_the_interval_of_the_mean_at_each_point() -> None:
    trials = np.random.default_rng(3).normal(5.0, 2.0, (7, 4))
    band = bootstrap_band(trials)
    for point in range(4):
        mean, low, high = bootstrap_mean(trials[:, point].tolist())
        assert band[:, point] == pytest.approx([low, high], abs=0.15)
        assert band[0, point] < mean < band[1, point]
    assert np.isnan(curve(np.array([0]), trials[:1, :1]).band).all()  # nothing to say of one


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=40))
def test_the_interquartile_mean_leaves_out_a_quarter_at_each_end(values: list[float]) -> None:
    cut = len(values) // 4
    middle = sorted(values)[cut : len(values) - cut]
    assert interquartile_mean(values) == pytest.approx(np.mean(middle), abs=1e-6)


# -------------------------------------------------------------------------------- study


def test_groups_are_runs_that_differ_in_the_seed_only(tmp_path: Path) -> None:
    write_run(tmp_path / "e", [0.0], bonus="none", seed=1)
    write_run(tmp_path / "x" / "p2", [1.0], seed=2)
    write_run(tmp_path / "p1", [2.0], seed=1)
    write_run(tmp_path / "b", [3.0], beta=0.1, seed=1)
    write_run(tmp_path / "q", [4.0], game="qbert", seed=1)
    found = [(g.game, g.label, [r.name for r in g.results]) for g in read_runs(tmp_path).groups]
    assert found == [
        ("venture", "Sarsa-φ-EB", ["p1", "x/p2"]),
        ("venture", "Sarsa-φ-EB (β = 0.1)", ["b"]),
        ("venture", "Sarsa-ε", ["e"]),
        ("qbert", "Sarsa-φ-EB", ["q"]),
    ]


def test_runs_with_other_settings_are_mixed_on_request_only(tmp_path: Path) -> None:
    write_run(tmp_path / "a", [0.0], seed=1, gamma=0.9)
    write_run(tmp_path / "b", [10.0], seed=2, gamma=0.8)
    with pytest.raises(RunError, match=r"a and b are both venture.*gamma 0.9 and 0.8.*--mix"):
        read_runs(tmp_path)
    (group,) = read_runs(tmp_path, mix=True).groups
    assert group_curves(group).known_at(1_000) == [0.0, 10.0]


def test_what_cannot_be_read_is_left_out_and_named(tmp_path: Path) -> None:
    write_run(tmp_path / "good", [7.0], seed=1)
    write_run(tmp_path / "copy", [7.0], seed=1)
    damaged = write_run(tmp_path / "damaged", [7.0], seed=2)
    damaged.log_file.write_text("nonsense\n")
    Run(tmp_path / "new").create(preset("default", "venture", seed=3))
    study = read_runs(tmp_path)
    assert [result.name for result in study.results()] == ["copy"]
    assert len(study.left_out) == 3
    for said in (
        "damaged/episodes.jsonl: line 1 is damaged",
        "new: no episode has ended yet",
        "good: has the settings and the seed of copy",
    ):
        assert any(said in line for line in study.left_out)
    (tmp_path / "empty").mkdir()
    with pytest.raises(RunError, match="no run to report on"):
        read_runs(tmp_path / "empty")


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"bonus": "none"},
        {"beta": 0.1},
        {"per_feature": False, "beta": 0.3, "kappa": 0.02},
        {"continuing": False, "lambda_": 0.8},
    ],
)
def test_the_command_trains_with_these_settings(settings: dict[str, object]) -> None:
    from phieb.cli.parsing import parsed

    for name in ("default", "martin2017"):
        config = preset(name, "venture", seed=3, frames=70, **settings)
        assert parsed(command_of(config).split()[1:]).config() == config  # type: ignore[attr-defined]


# ------------------------------------------------------------------------------- tables


def test_scores_stand_beside_those_of_the_paper(tmp_path: Path) -> None:
    for seed, mean in enumerate((100.0, 300.0, 200.0, 1_000.0), start=1):
        write_run(tmp_path / f"v{seed}", [mean] * 3, seed=seed, evaluated=[mean, mean])
    write_run(tmp_path / "f", [20.0], game="freeway", beta=FREEWAY_BETA, evaluated=[19.0, 21.0])
    tables = tables_of(read_runs(tmp_path))
    header, venture, freeway = tables[SCORES]
    row = dict(zip(header, venture, strict=True))
    assert (row["trials"], row["training"], row["evaluation"]) == ("4", "400.0", "400.0")
    assert (row["IQM"], row["over"]) == ("250.0", "4 trials")
    low, high = row["95 % interval"].split(" to ")
    assert 100.0 <= float(low) < 400.0 < float(high.replace(",", "")) <= 1_000.0
    assert (row["paper"], row["paper's frames"]) == ("1,169.2", "100 M")
    row = dict(zip(header, freeway, strict=True))
    assert (row["paper"], row["95 % interval"]) == ("", "19.0 to 21.0")  # Table 1 has β = 0.05
    assert row["over"] == "2 episodes"
    systems = {row[0]: row for row in tables[TABLE_1]}
    assert systems["Sarsa-φ-EB, here"][2:4] == ["400.0", ""]
    assert systems["DQN-PixelCNN"][1:] == ["150 M", "1,356", "31.7", "Ostrovski et al. 2017"]


def test_curves_stand_beside_figure_1_at_the_same_frames(tmp_path: Path) -> None:
    write_run(tmp_path / "a", [100.0, 400.0], length=3 * M, seed=1)
    write_run(tmp_path / "b", [0.0, 0.0], length=3 * M, seed=2)
    (_, *rows) = tables_of(read_runs(tmp_path))[BESIDE]
    assert rows == [["venture", "Sarsa-φ-EB", "5 M", "2", "50.0", "100, 0", "150–200"]]
    (group,) = read_runs(tmp_path).groups
    assert [one.frames for one in group_curves(group).readings] == [
        5 * M,
        20 * M,
        50 * M,
        60 * M,
        100 * M,
    ]


def test_the_plan_is_that_of_the_paper() -> None:
    arms = plan()
    assert sum(arm.trials for arm in arms) == 2 * 5 * 2 + (3 + 2 + 2) * 2
    assert {arm.episodes for arm in arms} == {500}
    assert {arm.frames for arm in arms if arm.game != "qbert"} == {100 * M}
    assert {arm.frames for arm in arms if arm.game == "qbert"} == {80 * M}
    freeway = {arm.beta for arm in arms if arm.game == "freeway"}
    assert freeway == {FREEWAY_BETA, None}
    assert {(arm.game, arm.bonus) for arm in arms} == set(FIGURE_1)
    games = {arm.game for arm in arms}
    assert all(set(report.scores) <= games for report in (*PAPER, *COMPARED, *SINCE))


def test_every_form_of_a_table_has_every_cell() -> None:
    rows = [["system", "β"], ["Sarsa-φ-EB, 50 %", "0.05"], ["a_b|c", "x, y"]]
    assert all(cell in text("t", rows) for row in rows for cell in row)
    assert markdown(rows).splitlines()[3] == "| a_b\\|c | x, y |"
    assert list(csv.reader(comma_separated(rows).splitlines())) == rows
    made = latex(rows)
    assert r"Sarsa-$\phi$-EB, 50 \% & 0.05 \\" in made
    assert r"a\_b|c & x, y \\" in made
    assert made.count("&") == 3


# -------------------------------------------------------------------------------- rooms


def test_rooms_are_counted_over_time_and_have_their_places(tmp_path: Path) -> None:
    seen = [{"1": 5}, {"1": 2, "2": 1}, {"1": 1}, {"0": 9}]
    write_run(tmp_path / "a", [0.0] * 4, game="montezuma_revenge", rooms=seen)
    (group,) = read_runs(tmp_path).groups
    curves = group_curves(group)
    at = curves.trials[0].at("rooms", np.array([0, 1_000, 2_500, 4_000, 9_000]))
    assert at[:4].tolist() == [0, 1, 2, 3]
    assert np.isnan(at[4])
    assert rooms.visits(curves) == {0: 9, 1: 8, 2: 1}
    places = [place_of(room) for row in PYRAMID for room in row]
    assert len(set(places)) == len(places) == 24
    assert place_of(1)[1] == place_of(5)[1] == 4  # one is above the other


# --------------------------------------------------------------------------- the command


def test_the_same_runs_give_the_same_files(tmp_path: Path) -> None:
    write_run(tmp_path / "in" / "a", [0.0, 5.0], game="montezuma_revenge", rooms=[{"1": 3}] * 2)
    study = read_runs(tmp_path / "in")
    files = [write_report(study, tmp_path / name, still) for name in ("x", "y")]
    names = {path.name for path in files[0]}
    assert {"report.html", "figure-1.pdf", "rooms.svg", "scores.tex", "ledger.csv"} <= names
    for one, other in zip(*files, strict=True):
        assert one.read_bytes() == other.read_bytes(), one.name


def test_a_damaged_run_is_named_and_the_report_is_finished(tmp_path: Path) -> None:
    write_run(tmp_path / "good", [7.0], seed=1)
    write_run(tmp_path / "bad", [7.0], seed=2).config_file.write_text("{}")
    done = phieb("report", tmp_path)
    assert done.returncode == 0, done.stderr
    assert f"left out: {tmp_path / 'bad' / 'config.json'}" in done.stdout
    assert "venture" in done.stdout
    page = (tmp_path / "report" / "report.html").read_text()
    data = page.split('id="data">')[1].split("</script>")[0]
    assert [run["name"] for run in json.loads(data)["runs"]] == ["good"]


@pytest.mark.parametrize("path", ["nowhere", "file"])
def test_what_is_no_folder_is_refused_in_one_line(path: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert_clean_error(phieb("report", tmp_path / path), 2, "DIR must be a folder of runs, got")
