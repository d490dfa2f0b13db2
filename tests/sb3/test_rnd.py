"""Random network distillation, and its plain twin."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium import spaces

from tests.naive import network as naive
from tests.novelty.support import check_loads_only_its_own, check_refuses, check_resumes, same

pytest.importorskip("stable_baselines3")

import torch
from stable_baselines3 import PPO
from stable_baselines3.common.env_util import make_vec_env

from phieb.sb3 import BonusVecEnv, RndBonus

pytestmark = pytest.mark.sb3
SPACE = spaces.Box(-9, 9, (3,))
HOW: dict[str, Any] = {"size": 5, "warm_up": 20, "batch": 16, "learning_rate": 0.01}
Layers = list[tuple[Any, Any]]


def layers(state: dict[str, Any], name: str) -> Layers:
    """Weights and biases, in their order."""
    of = sorted(
        (key for key in state if key.startswith(name)), key=lambda key: int(key.split(".")[1])
    )
    pairs = zip(of[::2], of[1::2], strict=True)
    found = [sorted(pair, reverse=True) for pair in pairs]
    return [(state[w].astype(float), state[b].astype(float)) for w, b in found]


def vectors(number: int, seed: int = 0) -> Any:
    """Some are far out, and the last component never changes."""
    found = np.random.default_rng(seed).standard_t(2, (number, 3))
    found[:, 2] = 4.0
    return found


def test_it_is_the_twin() -> None:
    bonus = RndBonus(SPACE, **HOW)
    state = bonus.state()
    twin = naive.Rnd(layers(state, "target"), layers(state, "predictor"), 20, 16, 0.01)
    assert len(twin.target) == 2
    assert len(twin.predictor) == 3
    for seen in vectors(300):
        peeked = bonus.peek(seen)[1]
        expected = twin.observe(seen)
        assert bonus.observe(seen) == peeked == pytest.approx(expected, rel=1e-3, abs=1e-6)
    learnt = layers(bonus.state(), "predictor")
    for mine, theirs in zip(learnt, twin.predictor, strict=True):
        assert np.allclose(mine[0], theirs[0], atol=1e-4)
        assert np.allclose(mine[1], theirs[1], atol=1e-4)
    assert twin.steps == 280 // 16


def test_of_pictures_the_target_is_two_convolutions() -> None:
    bonus = RndBonus(spaces.Box(0, 255, (12, 12, 3), np.uint8), size=4)
    state = bonus.state()
    white = np.random.default_rng(0).normal(size=(12, 12, 3))
    hidden = naive.convolved(white.transpose(2, 0, 1), state["target.1.weight"], 2)
    hidden = naive.convolved(hidden, state["target.3.weight"], 2).ravel()
    for name in ("target.6", "target.8"):
        hidden = state[f"{name}.weight"] @ hidden
        hidden = np.maximum(hidden, 0.0) if name == "target.6" else hidden
    with torch.no_grad():
        made = bonus.target(torch.as_tensor(white[None], dtype=torch.float32))[0].numpy()
    assert np.allclose(made, hidden, atol=1e-4)
    for shape in ((3, 12, 12), (12, 12)):
        other = RndBonus(spaces.Box(0, 255, shape, np.uint8), warm_up=1)
        assert [other.observe(np.full(shape, k)) > 0 for k in range(3)] == [False, True, True]


def test_the_error_falls_where_it_has_learnt_and_not_elsewhere() -> None:
    bonus, rng = RndBonus(SPACE, warm_up=100, learning_rate=0.003), np.random.default_rng(0)
    often, never = np.array([1.0, 1.0, 0.0]), np.array([-1.0, 0.5, 1.0])
    for _ in range(100):
        bonus.observe(rng.normal(size=3))
    first = bonus.peek(often)[1] / bonus.peek(never)[1]
    for _ in range(3_000):
        bonus.observe(often + 0.1 * rng.normal(size=3))
    assert bonus.peek(often)[1] / bonus.peek(never)[1] < first / 20


def test_it_resumes_to_the_bit(tmp_path: Path) -> None:
    steps = [(seen, None if k % 50 == 0 else 1) for k, seen in enumerate(vectors(120))]
    for cut in (10, 30, 70):  # within the warm-up, before the first step and after it
        check_resumes(lambda: RndBonus(SPACE, **HOW), steps[:cut], steps[cut:], tmp_path / "rnd")


def test_what_was_saved_otherwise_is_refused(tmp_path: Path) -> None:
    bonus = RndBonus(SPACE, **HOW)
    for seen in vectors(50):
        bonus.observe(seen)
    state = bonus.state()
    check_refuses(bonus, {"target.1.bias": state["target.1.bias"][1:]}, "must be float32")
    check_refuses(bonus, {"adam.0.exp_avg": state["adam.0.exp_avg"] * np.nan}, "finite number")
    check_refuses(bonus, {"squares": -state["squares"]}, "must be >= 0")
    check_refuses(bonus, {"mean": state["mean"] * np.nan}, "must hold finite numbers")
    check_refuses(
        bonus, {"pending": np.zeros((16, 3), np.float32)}, "must be fewer than 16, got 16"
    )
    other = RndBonus(SPACE, **{**HOW, "batch": 17})
    check_loads_only_its_own(bonus, other, "batch is 17 there and 16 here", tmp_path / "rnd")
    with pytest.raises(ValueError, match=r"seen must have shape \(3,\), got \(2,\)"):
        bonus.observe([1.0, 2.0])
    with pytest.raises(ValueError, match=r"seen\[1\] must be a finite number, got nan"):
        bonus.observe([1.0, np.nan, 2.0])
    with pytest.raises(TypeError, match="observations must be a space of arrays, got Dict"):
        RndBonus(spaces.Dict({"a": SPACE}))


def test_the_seed_makes_both_networks_and_leaves_torch_s_own_stream_alone() -> None:
    torch.manual_seed(3)
    expected = torch.rand(1)
    torch.manual_seed(3)
    one, two, three = (RndBonus(SPACE, seed=seed).state() for seed in (1, 1, 2))
    assert torch.rand(1) == expected
    assert same(one, two)
    assert not same(one, three)


def test_an_agent_learns_with_it() -> None:
    bonus = RndBonus(gymnasium_space(), warm_up=50)
    envs = BonusVecEnv(make_vec_env("CartPole-v1", 2, seed=0), bonus, normalise="returns")
    seen: list[float] = []

    def note(here: dict[str, Any], _: dict[str, Any]) -> bool:
        seen.extend(info["bonus"] for info in here["infos"])
        return True

    PPO("MlpPolicy", envs, n_steps=64, batch_size=64, seed=0, device="cpu").learn(256, note)
    assert seen[:40] == [0.0] * 40
    assert 0 < np.mean(seen[60:]) < np.inf


def gymnasium_space() -> spaces.Space[Any]:
    space: spaces.Space[Any] = make_vec_env("CartPole-v1", 1).observation_space
    return space
