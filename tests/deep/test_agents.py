"""Deep agents in runs: resumed, evaluated, refused, and learning."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("stable_baselines3")

import torch

from phieb.evaluation.evaluate import evaluate
from phieb.learning import AGENTS
from phieb.reports.groups import read_runs
from phieb.reports.report import write_report
from phieb.training import Config, Run, checkpoint, train
from tests.deep.support import SETTINGS, catching, made, newest, play, same

pytestmark = pytest.mark.deep


@pytest.mark.parametrize("name", SETTINGS)
def test_a_restored_agent_goes_on_bit_for_bit(name: str) -> None:
    agent, other = made(name), made(name, seed=9)
    play(agent, 203, cut_every=50)
    other.restore(agent.state())
    torch.manual_seed(5)  # neither depends on generators of the process
    np.random.seed(5)  # noqa: NPY002
    assert play(agent, 203, seed=3) == play(other, 203, seed=3)
    assert same(agent.state(), other.state())
    assert agent.is_sound()


def test_every_deep_agent_is_tested() -> None:
    assert {*SETTINGS, "gorila"} == {name for name in AGENTS if AGENTS.needs_extra(name)}


@pytest.mark.parametrize("name", ["ddqn-mmc", "trpo"])
def test_a_run_that_is_resumed_is_the_run_that_was_not_stopped(name: str, tmp_path: Path) -> None:
    whole = train(catching(name, 600), tmp_path / "whole")
    train(catching(name, 330), tmp_path / "parts")
    parts = train(catching(name, 600), tmp_path / "parts")
    assert same(newest(whole), newest(parts))
    lines = [[{**one, "frames_per_second": 0} for one in run.episodes()] for run in (whole, parts)]
    assert lines[0] == lines[1]


COMMAND = """venture --agent ddqn --bonus cts --frames 1200 --max-frames 400 --seed 3 --quiet
 --checkpoint-every 200 --sticky 0.25 --agent-args"""


def test_killed_and_resumed_in_a_game(tmp_path: Path) -> None:
    args = [*COMMAND.split(), '{"learning_starts": 40, "buffer_size": 200}']
    phieb = [sys.executable, "-m", "phieb", "train", *args, "--out"]
    subprocess.run([*phieb, str(tmp_path / "whole")], check=True)
    killed, run = subprocess.Popen([*phieb, str(tmp_path / "killed")]), Run(tmp_path / "killed")
    while killed.poll() is None and len(checkpoint.names(run.checkpoints)) < 2:
        time.sleep(0.05)
    os.kill(killed.pid, signal.SIGKILL)
    assert killed.wait() == -signal.SIGKILL
    assert run.saved_frames() < 1_200
    subprocess.run([*phieb, str(tmp_path / "killed")], check=True)
    assert same(newest(Run(tmp_path / "whole")), newest(run))


@pytest.mark.parametrize("name", ["dqn-pa", "a2c"])
def test_evaluated_by_any_number_of_workers_and_reported(name: str, tmp_path: Path) -> None:
    run = train(catching(name, 300), tmp_path / "runs" / name)
    one, two = (evaluate(run, 6, workers=workers) for workers in (1, 2))
    assert one["behaviour"] == two["behaviour"]
    assert one["epsilon"] == (0.0 if name == "a2c" else 0.01)
    write_report(read_runs(tmp_path / "runs"), tmp_path / "report", lambda game: None)
    page = (tmp_path / "report" / "report.html").read_text()
    assert AGENTS[name].label in page


def test_usual_settings_and_names() -> None:
    deep, linear = Config("venture", agent="trpo", bonus="none"), Config("venture")
    assert (deep.frame_skip, linear.frame_skip) == (4, 5)
    assert (deep.label, linear.label) == ("TRPO", "Sarsa-φ-EB")
    assert Config("venture", agent="ddqn", bonus="cts").label == "DDQN-CTS"


@pytest.mark.parametrize(
    ("agent", "given", "said"),
    [
        ("ddqn", {"bufer": 1}, "agent_args must be some of buffer_size"),
        ("ddqn", {"buffer_size": 0}, "buffer_size must be a whole number >= 1, got 0"),
        ("a2c", {"learning_rate": -1.0}, "learning_rate must be"),
        ("ddqn-mmc", {"monte_carlo": 2.0}, "monte_carlo must be at most 1, got 2.0"),
        ("sarsa", {"buffer_size": 9}, "agent_args must be empty for agent sarsa"),
    ],
)
def test_bad_settings_write_nothing(
    agent: str, given: dict[str, Any], said: str, tmp_path: Path
) -> None:
    config = Config("venture", agent=agent, bonus="none", agent_args=given)
    with pytest.raises((ValueError, TypeError), match=said):
        train(config, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_states_of_other_versions_and_networks_are_refused() -> None:
    agent = made("ddqn")
    saved = agent.state()
    torn = {name: array for name, array in saved.items() if not name.startswith("policy.")}
    for state, said in (
        ({**saved, "libraries": saved["libraries"][:-1]}, "was saved with torch"),
        (torn, "is of another network"),
        ({**saved, "stack": saved["stack"][:2]}, "stack"),
        ({**saved, "optimizer.77.step": np.zeros((), np.float32)}, "is of another optimiser"),
    ):
        with pytest.raises(ValueError, match=said):
            agent.restore(state)


FRAMES = {"a2c": 6_000, "dqn-pa": 6_000}


@pytest.mark.parametrize("name", SETTINGS)
def test_it_learns_to_catch(name: str, tmp_path: Path) -> None:
    """A random policy catches less than half."""
    run = train(catching(name, FRAMES.get(name, 4_000)), tmp_path / "run")
    scores = [one["score"] for one in run.episodes()]
    assert np.mean(scores[:50]) < 0.6
    assert np.mean(scores[-100:]) > 0.75
