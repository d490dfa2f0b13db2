"""Bonuses on the code of an autoencoder."""

from typing import Any

import numpy as np
import pytest

pytest.importorskip("stable_baselines3")

import torch

from phieb.deep.mp_ae import MpAe
from phieb.deep.simhash_ae import ROUND, SimHashAe, binary_pressure
from phieb.novelty import BONUSES, Bonus
from tests.deep.catch import Catch
from tests.deep.support import same

pytestmark = pytest.mark.deep

NAMES = ["simhash-ae", "mp-ae"]


def made(name: str, seed: int = 0) -> Any:
    offered = {
        "beta": 0.5,
        "num_actions": 3,
        "seed": seed,
        "observation_space": Catch().observation_space,
        "game": "tests.deep.catch:Catch",
    }
    return BONUSES.make(name, offered)


def observe(bonus: Bonus, decisions: int, seed: int = 0) -> list[float]:
    """The bonuses of random play."""
    world, rng, earned = Catch(), np.random.default_rng(seed), list[float]()
    over, observation = True, None
    for _ in range(decisions):
        if over:
            bonus.reset()
            observation, _ = world.reset(seed=int(rng.integers(1_000)))
            bonus.observe(observation)
        action = int(rng.integers(3))
        observation, _, over, _, _ = world.step(np.int64(action))
        earned.append(bonus.observe(observation, action))
    return earned


@pytest.mark.parametrize("name", NAMES)
def test_restored_it_goes_on_bit_for_bit(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("phieb.deep.simhash_ae.ROUND", 70)
    monkeypatch.setattr("phieb.deep.simhash_ae.UPDATES", 10)
    bonus, other = made(name), made(name)
    observe(bonus, 150)
    observe(other, 40, seed=7)
    other.restore(bonus.state())
    torch.manual_seed(3)
    assert observe(bonus, 90, seed=2) == observe(other, 90, seed=2)
    assert same(bonus.state(), other.state())
    with pytest.raises(ValueError, match="was saved with "):
        other.restore({**bonus.state(), "model.libraries": np.zeros(3, np.uint8)})


def test_the_code_comes_to_tell_pictures_apart_and_stays_between_rounds() -> None:
    bonus = made("simhash-ae")
    first = loss_of(bonus.model)
    observe(bonus, 1_200)
    assert loss_of(bonus.model) < 0.3 * first
    while bonus.model.total % ROUND:
        observe(bonus, 1, seed=bonus.model.total)
    world, rng, counts = Catch(), np.random.default_rng(1), dict[bytes, int]()
    earned, exact = list[float](), list[float]()
    for episode in range(100):
        observation, over = world.reset(seed=episode)[0], False
        while not over:
            earned.append(bonus.observe(observation))
            counts[observation.tobytes()] = counts.get(observation.tobytes(), 0) + 1
            exact.append(0.5 / np.sqrt(counts[observation.tobytes()]))
            observation, _, over, _, _ = world.step(np.int64(rng.integers(3)))
    # About the bonus of true counts: more if codes change, less if pictures share one.
    assert 0.8 * np.mean(exact) < np.mean(earned) < 1.2 * np.mean(exact)


def loss_of(model: Any) -> float:
    """The squared error of the pictures of a game, from the definition."""
    world, total = Catch(), 0.0
    for seed in range(5):
        picture = model.picture(world.reset(seed=seed)[0])
        with torch.no_grad():
            decoded = torch.sigmoid(model.net.decoder(model.code(picture[None])))[0].numpy()
        total += float(((decoded - picture / 255.0) ** 2).sum())
    return total


def test_what_a_code_costs_that_is_not_binary() -> None:
    code = torch.rand(3, 128)
    expected = 0.0
    for row in code.tolist():
        expected += sum(min((1 - b) ** 2, b**2) for b in row) / 3
    assert binary_pressure(code, 1_600).item() == pytest.approx(10.0 / (128 * 1_600) * expected)


def test_peeking_counts_nothing() -> None:
    bonus = made("simhash-ae")
    observe(bonus, 60)
    before, seen = bonus.state(), Catch().reset(seed=1)[0]
    count, worth = bonus.peek(seen)
    assert worth == pytest.approx(0.5 / np.sqrt(count + 1))
    assert same(before, bonus.state())


def test_the_bonus_is_the_error_over_the_largest_so_far_and_over_time() -> None:
    bonus, errors, t = made("mp-ae"), list[float](), 0
    assert isinstance(bonus, MpAe)
    world, rng = Catch(), np.random.default_rng(0)
    for episode in range(10):
        bonus.reset()
        before, _ = world.reset(seed=episode)
        assert bonus.observe(before) == 0.0
        over = False
        while not over:
            action = int(rng.integers(3))
            after, _, over, _, _ = world.step(np.int64(action))
            t += 1
            errors.append(error_of(bonus, before, action, after))
            expected = 0.5 * errors[-1] / max(errors) / (t * 0.001)
            assert bonus.observe(after, action) == pytest.approx(expected, rel=1e-4)
            before = after


def error_of(bonus: MpAe, before: Any, action: int, after: Any) -> float:
    """‖σ(s′) − M(σ(s), a)‖², layer by layer."""
    net: Any = bonus.model.net
    weights = {name: t.double().numpy() for name, t in net.state_dict().items()}

    def layer(name: str, x: Any) -> Any:
        return weights[f"{name}.weight"] @ x + weights[f"{name}.bias"]

    def code(picture: Any) -> Any:
        pixels = bonus.model.picture(picture) / 255.0
        hidden = np.maximum(layer("encoder.0", pixels), 0.0)
        return 1.0 / (1.0 + np.exp(-layer("encoder.2", hidden)))

    x = np.concatenate([code(before), np.eye(3)[action]])
    x = np.maximum(layer("head.layers.0", x), 0.0)
    x = np.maximum(layer("head.layers.2", x), 0.0)
    return float(((layer("head.layers.4", x) - code(after)) ** 2).sum())


def test_the_dynamics_are_learnt() -> None:
    """What comes next is predicted better than by "nothing changes"."""
    bonus = made("mp-ae")
    observe(bonus, 1_500)
    errors, changes = [], []
    for seed in range(6):
        world = Catch()
        before = bonus.model.picture(world.reset(seed=seed)[0])
        for action in (0, 1, 2):
            after = bonus.model.picture(world.step(np.int64(action))[0])
            codes = bonus.model.code(np.stack([before, after])).double()
            changes.append(float(((codes[0] - codes[1]) ** 2).sum()))
            errors.append(bonus.error(before, action, after))
            before = after
    assert np.mean(errors) < 0.5 * np.mean(changes)


def test_both_are_declared() -> None:
    assert isinstance(made("simhash-ae"), SimHashAe)
    assert [BONUSES[name].label for name in NAMES] == ["SimHash-AE", "MP-AE"]
