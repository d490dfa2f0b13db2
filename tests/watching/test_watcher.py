"""The live page of runs that train, asked as a browser asks."""

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep, time
from urllib.request import urlopen

import pytest

from phieb.training import Run, preset, train
from phieb.training.lock import locked
from phieb.training.run_folder import runs_in
from phieb.watching.budget import Budget
from phieb.watching.statuses import Statuses
from tests.faults.support import PATIENCE, Started, phieb
from tests.reports.support import write_run
from tests.watching.support import Served


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    train(preset("default", "venture", frames=1_500, max_frames=700, seed=1), tmp_path / "v 1")
    write_run(tmp_path / "long", [5.0, 7.0], frames=10_000_000)
    (tmp_path / "secret.txt").write_text("secret")
    made = Served(tmp_path)
    yield made
    made.end()


def row(served: Served, name: str) -> dict[str, str]:
    """The row of a run in the ledger, as the page has it."""
    served.json("now")  # somebody looks on
    (found,) = [one["row"] for one in served.json("data")["runs"] if one["name"] == name]
    return dict(found)


def test_the_page_is_that_of_the_report_and_asks_for_more(served: Served) -> None:
    text = served.text()
    assert 'id="games"' in text
    assert "connect-src 'self'" in text
    assert "phieb watch does not answer" in text
    data = served.json("data")
    assert [one["title"] for one in data["games"]] == ["Venture"]
    assert {one["name"] for one in data["runs"]} == {"v 1", "long"}
    assert data["games"][0]["films"] == []
    assert "secret" not in text


def test_how_far_the_trials_are(served: Served, tmp_path: Path) -> None:
    served.text()
    now = served.json("now")
    one, two = now["trials"]
    reached = Run(tmp_path / "v 1").saved_frames()
    assert (two["name"], two["state"], two["frames"]) == ("v 1", "done", reached)
    assert two["total"] == 1_500
    assert one["state"] == "running"  # written just now
    assert one["score"] == 6.0
    assert one["left"] == "20 min 50 s"  # 10 M less 2,000 frames, at 8,000 a second
    assert now["overall"]["done"] == 1
    assert now["overall"]["running"] == 1
    assert now["look"] is None


def test_the_screen_of_a_trial(served: Served, tmp_path: Path) -> None:
    served.text()
    found = served.look("v 1")
    moments = found["look"]["moments"]
    assert found["look"]["trial"] == "v 1"
    assert found["look"]["frames"] == Run(tmp_path / "v 1").saved_frames()
    assert all(one["picture"].startswith("data:image/png;base64,") for one in moments)
    assert all(one["bonus"] > 0 and len(one["new"]) == 4 for one in moments)
    assert moments[-1]["frames"] - moments[0]["frames"] == 5 * (len(moments) - 1)
    seen = f"now?trial=v%201&seen={found['look_number']}"
    assert served.json(seen)["look"] is None  # the page has it
    assert served.look("long")["look"]["problem"] == "no checkpoint yet"
    assert served.json("now?trial=../../etc")["look"] is None


def test_new_episodes_are_shown_and_nothing_is_written(served: Served, tmp_path: Path) -> None:
    served.text()
    before = served.json("now")
    run = Run(tmp_path / "long")
    there = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    line = json.loads(run.log_file.read_text().splitlines()[-1])
    more = {**line, "episode": 3, "frames": 3_000, "score": 9.0}
    with run.log_file.open("a") as log:
        log.write(json.dumps(more) + "\n" + '{"episode": 4, "fra')  # a line that is not whole yet
    until = monotonic() + PATIENCE
    while (found := row(served, "long"))["score"] != "7.0":
        assert monotonic() < until
        sleep(0.05)
    assert found["episodes"] == "3"
    assert served.json("now")["version"] > before["version"]
    while (now := served.json("now"))["trials"][0]["episodes"] != 3:
        assert monotonic() < until
        sleep(0.05)
    assert now["trials"][0]["frames"] == 3_000
    after = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    assert {path for path in after if after[path] != there.get(path)} == {run.log_file}
    with locked(run.path, "this run"):  # nobody has it
        pass


def test_a_folder_without_runs_has_a_page(tmp_path: Path) -> None:
    made = Served(tmp_path)
    try:
        assert 'id="live"' in made.text()
        assert made.json("now")["trials"] == []
        (tmp_path / "bad").mkdir()
        (tmp_path / "bad" / "config.json").write_text("?")
        until = monotonic() + PATIENCE
        while not made.json("data")["left_out"]:
            assert monotonic() < until
            sleep(0.05)
    finally:
        made.end()


def test_ctrl_c_stops_it_while_a_run_trains(tmp_path: Path) -> None:
    out = tmp_path / "run"
    settings = ("venture", "--quiet", "--frames", "100M", "--checkpoint-every", "1k", "--out", out)
    with Started("train", *settings) as training, Started("watch", tmp_path) as watching:
        assert watching.process.stdout is not None
        address = watching.process.stdout.readline().split()[-1]
        with urlopen(address, timeout=PATIENCE) as answer:
            assert b"Now" in answer.read()
        training.wait_for(lambda: Run(out).saved_frames() > 5_000)
        with urlopen(f"{address}now?trial=run", timeout=PATIENCE) as answer:
            assert json.load(answer)["trials"] is not None
        watching.send(signal.SIGINT)
        code, _, err = watching.end()
        assert (code, err) == (130, "phieb: stopped\n")
        training.send(signal.SIGINT)
        code, _, err = training.end()
        assert code == 130
        assert "resume with" in err
    assert {path.name for path in tmp_path.iterdir()} == {"run"}


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (["missing"], "DIR must be a folder of runs, got missing"),
        ([".", "--port", "70000"], "--port must be a whole number in [0, 65535], got 70000"),
    ],
)
def test_bad_input_is_one_line(given: list[str], says: str, tmp_path: Path) -> None:
    ended = phieb("watch", *given, cwd=tmp_path)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.count("\n") == 1
    assert says in ended.stderr


def test_work_that_takes_long_is_repeated_late() -> None:
    short, long = Budget(0.05, 0.0), Budget(0.05, 0.0)
    with short.spent():
        pass
    with long.spent():
        until = monotonic() + 0.1
        while monotonic() < until:
            pass
    sleep(0.02)
    assert short.is_due
    assert not long.is_due


def test_a_trial_without_news_is_called_quiet(tmp_path: Path) -> None:
    run = write_run(tmp_path / "a", [1.0], frames=10_000_000)
    then = time() - 600.0
    for path in (run.config_file, run.log_file):
        os.utime(path, (then, then))
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "config.json").write_text("{")
    found = Statuses(tmp_path).of(list(runs_in(tmp_path)))
    (one,) = found["trials"]
    assert one["state"].startswith("quiet for 10 min")
    assert one["left"] is None
    assert found["overall"] == {
        "frames": 1_000,
        "total": 10_000_000,
        "running": 0,
        "done": 0,
        "left": None,
    }
