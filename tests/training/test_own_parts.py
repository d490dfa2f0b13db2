"""A user's own bonus, map and agent, on Atari and on CartPole: log, checkpoint, resume, judgement.

Also the commands, and every declared part by its name.
"""

from pathlib import Path

import numpy as np
import pytest

from phieb.cli.main import main
from phieb.evaluation.evaluate import evaluate
from phieb.features import FEATURES
from phieb.learning import AGENTS
from phieb.training import Run, preset, resume, train

MODULE = '''
import numpy as np
from phieb.learning import TrainableAgent
from phieb.novelty import Bonus

class Once(Bonus):
    """1 for each number of active features that was never there before."""
    def __init__(self, beta, seed):
        self.beta, self.seen = beta, set()
    def observe(self, seen, action=None):
        new = len(seen) not in self.seen
        self.seen.add(len(seen))
        return self.beta * new
    def settings(self):
        return {"beta": self.beta}
    def state(self):
        return {"seen": np.array(sorted(self.seen), np.int64)}
    def restore(self, state):
        self.seen = set(state["seen"].tolist())

class Coarse:
    """Which sixteenth of its range the mean of an observation is in."""
    size = 17
    def __init__(self, observation_space):
        low, high = observation_space.low, observation_space.high
        self.low, self.high = max(low.min(), -5.0), min(high.max(), 300.0)
    def reset(self): pass
    def active(self, observation):
        share = (np.mean(observation) - self.low) / (self.high - self.low)
        return np.array([int(16 * np.clip(share, 0, 0.999)), 16], np.int64)

class Last(TrainableAgent):
    """Prefers the action that was rewarded last."""
    def __init__(self, num_actions, seed):
        self.values, self.action = np.zeros(num_actions), 0
        self.rng = np.random.default_rng(seed)
    def _choose(self):
        self.action = int(np.argmax(self.values + 0.1 * self.rng.random(self.values.size)))
        return self.action
    def start(self, active): return self._choose()
    def learn(self, active, reward, bonus=0.0):
        self.values[self.action] += 0.1 * (reward + bonus - self.values[self.action])
        return self._choose()
    def end(self, reward, bonus=0.0): self.values[self.action] *= 0.9
    def q(self, active): return self.values
    def state(self):
        rng = np.random.default_rng(int(self.rng.integers(2**31)))
        self.rng = rng
        state = rng.bit_generator.state["state"]
        words = [w for n in (state["state"], state["inc"]) for w in divmod(n, 2**64)]
        return {"values": self.values.copy(), "rng": np.array(words, np.uint64)}
    def restore(self, state):
        self.values = state["values"].copy()
        a, b, c, d = (int(w) for w in state["rng"])
        given = self.rng.bit_generator.state
        given["state"] = {"state": a * 2**64 + b, "inc": c * 2**64 + d}
        self.rng.bit_generator.state = given
'''
PARTS = {"bonus": "own_parts:Once", "features": "own_parts:Coarse", "agent": "own_parts:Last"}
GAMES = {"venture": {"frames": 3_000, "max_frames": 900}, "CartPole-v1": {"frames": 600}}


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own_parts.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("kind", PARTS)
def test_one_s_own_part_has_all_that_a_run_has(kind: str, game: str) -> None:
    settings = {"seed": 1, kind: PARTS[kind], **GAMES[game]}
    run = train(preset("default", game, **settings), "a")
    assert run.config().__dict__[kind] == PARTS[kind]
    lines = [{k: v for k, v in e.items() if k != "frames_per_second"} for e in run.episodes()]
    assert len(lines) > 2
    frames = GAMES[game]["frames"]
    resume("a", frames=2 * frames)
    whole = train(preset("default", game, **{**settings, "frames": 2 * frames}), "b")
    extended = [{k: v for k, v in e.items() if k != "frames_per_second"} for e in run.episodes()]
    assert extended[: len(lines)] == lines
    if kind != "agent":  # whose stream goes on anew from each checkpoint
        once = [{k: v for k, v in e.items() if k != "frames_per_second"} for e in whole.episodes()]
        assert extended == once
    result = evaluate(run, 2, workers=1)
    assert len(result["behaviour"]["scores"]) == 2
    main(["report", "a", "--out", "report"])
    assert (Path("report") / "report.html").exists()


@pytest.mark.parametrize("features", ["liang2016", "basic", "b-pros", "b-prost"])
def test_every_map_of_the_ladder_trains(features: str) -> None:
    config = preset("default", "venture", seed=1, features=features, frames=1_500, max_frames=900)
    run = train(config, "a")
    assert run.episodes()[-1]["observed"] > 20
    assert features in FEATURES


@pytest.mark.parametrize("bonus", ["phi", "none", "count"])
@pytest.mark.parametrize("agent", AGENTS)
def test_every_agent_resumes_to_the_bit(agent: str, bonus: str) -> None:
    settings = {"agent": agent, "bonus": bonus, "seed": 1, "max_frames": 900}
    train(preset("default", "venture", frames=2_500, **settings), "a")
    resume("a", frames=4_000)
    train(preset("default", "venture", frames=4_000, **settings), "b")
    one, other = (Run(path).newest(print) for path in "ab")
    assert one is not None
    assert other is not None
    for part, arrays in one[0].items():
        for name, array in arrays.items():
            assert np.array_equal(array, other[0][part][name], equal_nan=True), (part, name)


def test_the_commands_take_them_too(capsys: pytest.CaptureFixture[str]) -> None:
    given = ["--frames", "400", "--seed", "1", "--quiet", "--bonus", PARTS["bonus"]]
    main(["train", "CartPole-v1", *given])
    main(["show", "runs/CartPole-v1-own_parts_Once-1"])
    assert "CartPole-v1" in capsys.readouterr().out
    with pytest.raises(SystemExit) as stopped:
        main(["train", "CartPole-v1", "--agent", "own_parts:Nobody"])
    assert stopped.value.code == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "Nobody" in said
