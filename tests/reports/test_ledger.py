"""The ledger, and the tables of the documents that are made from it."""

import json
from pathlib import Path

import pytest

from phieb.reports import ledger
from phieb.reports.tables import markdown
from phieb.training import Run, RunError, checkpoint, preset, train
from tests.reports.support import evaluation

ROOT = Path(__file__).parents[2]


def test_a_row_says_what_came_of_a_run(tmp_path: Path) -> None:
    config = preset("paper", "venture", frames=2_000, max_frames=600, seed=4)
    run = train(config, tmp_path / "a")
    scores = [episode["score"] for episode in run.episodes()]
    damaged = Run(tmp_path / "b")
    damaged.create(config)
    damaged.config_file.write_text("{}")
    with pytest.raises(RunError):
        ledger.row_of(damaged)
    (named,) = ledger.named_rows_of(tmp_path)
    row = ledger.row_of(run)
    assert named == {"run": "a", "folder": str(run.path), **row}
    assert (row["game"], row["agent"], row["seed"]) == ("venture", "sarsa+phi", "4")
    assert row["preset"] == "own settings"  # another cap on episodes
    assert int(row["frames"]) >= 2_000
    assert int(row["episodes"]) == len(scores) > 0
    assert float(row["score"]) == round(sum(scores) / len(scores), 2)
    ledger.write([row], tmp_path / "l.csv")
    assert ledger.read(tmp_path / "l.csv") == [row]


def test_settings_have_the_same_hash_whatever_the_seed_and_the_length() -> None:
    one, other = preset("default", "venture"), preset("default", "venture", seed=3, frames=7)
    assert ledger.settings_hash(one) == ledger.settings_hash(other)
    assert ledger.settings_hash(one) != ledger.settings_hash(preset("paper", "venture"))


def test_the_documents_have_the_numbers_of_the_ledger() -> None:
    rows = ledger.read(ROOT / "results" / "presets.csv")
    page = (ROOT / "docs" / "deviations.md").read_text()
    for game in ("venture", "montezuma_revenge"):
        assert markdown(ledger.preset_table(rows, game)) in page
    assert all(row["version"] for row in rows)


def test_what_is_evaluated_is_in_the_row(tmp_path: Path) -> None:
    run = train(preset("default", "venture", frames=500), tmp_path / "a")
    one = {"mean": 5.0, "interval": [1.0, 9.0], "scores": [0.0, 10.0], "frames": [7, 8]}
    frames = run.saved_frames()
    found = evaluation(frames, one)
    files = checkpoint.read_facts(run.checkpoints / found["checkpoint"]["name"])["files"]
    found["checkpoint"]["learner"] = files["learner.safetensors"]["sha256"]
    run.evaluation_file.write_text(json.dumps(found))
    row = ledger.row_of(run)
    assert (row["evaluation_mean"], row["evaluation_low"]) == ("5.0", "1.0")
    assert row["evaluation_episodes"] == "2"
    run.evaluation_file.write_text(json.dumps(evaluation(frames - 100, one)))
    row = ledger.row_of(run)
    assert int(row["evaluation_frames"]) == int(row["frames"]) - 100  # the run has gone on since
    assert (row["behaviour"], row["extrinsic"]) == ("5.0", "")
