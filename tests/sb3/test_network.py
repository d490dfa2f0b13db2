"""φ-EB on the units of a network: one that stands still, and one that learns."""

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces

from phieb.novelty import CountableDensity, PhiBonus, VisitDensity
from tests.naive import network as naive
from tests.novelty.support import check_loads_only_its_own, check_refuses, check_resumes, same
from tests.wrappers.support import Count

pytest.importorskip("stable_baselines3")

import torch
from stable_baselines3 import DQN, PPO
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.vec_env import DummyVecEnv, VecNormalize

from phieb.sb3 import BonusCallback, BonusVecEnv, NetworkBonus, NetworkFeatures
from phieb.sb3.reservoir import Reservoir

pytestmark = pytest.mark.sb3
POLE = gymnasium.make("CartPole-v1").observation_space
HOW: dict[str, Any] = {"n_steps": 32, "batch_size": 32, "device": "cpu", "seed": 0}
HOW["policy_kwargs"] = {"net_arch": [12, 10]}


def an_agent(**settings: Any) -> Any:
    return PPO("MlpPolicy", make_vec_env("CartPole-v1", 2), **{**HOW, **settings})


def a_bonus(agent: Any, per_feature: bool = True, together: int = 1, **how: Any) -> NetworkBonus:
    inside = PhiBonus(per_feature=per_feature)
    bonus = NetworkBonus(inside, NetworkFeatures(POLE, together), **{"every": 64, **how})
    bonus.follow(agent)
    return bonus


def states(number: int, seed: int = 0) -> np.ndarray[Any, Any]:
    return np.random.default_rng(seed).normal(size=(number, 4)).astype(np.float32)


def change(agent: Any, seed: int) -> None:
    """As if it had learnt a lot."""
    torch.manual_seed(seed)
    with torch.no_grad():
        for weight in agent.policy.parameters():
            weight.add_(torch.randn_like(weight))


def counts_in(features: NetworkFeatures, seen: Any) -> VisitDensity:
    """Those of a fixed map that observed everything."""
    density = VisitDensity()
    for one in seen:
        density.observe(features.active(one))
    return density


@pytest.mark.parametrize("per_feature", [True, False])
@pytest.mark.parametrize("together", [1, 4])
def test_of_a_network_that_stands_still_counts_are_those_of_a_fixed_map(
    together: int, per_feature: bool
) -> None:
    bonus, seen = a_bonus(an_agent(), per_feature, together), states(256)
    for one in seen:
        bonus.observe(one)
    assert bonus.refits == 6 + 4  # after 1, 2, …, 32 and 64, 128, 192, 256
    features, ids = bonus.features, np.arange(bonus.features.size)
    fixed = PhiBonus(per_feature=per_feature, density=counts_in(features, seen))
    assert np.array_equal(bonus.density.counts_of(ids), fixed.density.counts_of(ids))  # type: ignore[attr-defined]
    twin = naive.counts([features.units(one).tolist() for one in seen], together)
    assert bonus.density.counts_of(ids).tolist() == [twin[i] for i in ids.tolist()]
    for one in states(60, seed=1):  # until the next refit
        expected = fixed.observe(features.active(one))
        assert bonus.peek(one)[1] == pytest.approx(expected, rel=1e-9)
        assert bonus.observe(one) == pytest.approx(expected, rel=1e-9)
        assert bonus.pseudocount == pytest.approx(fixed.pseudocount, rel=1e-9)


def test_of_one_that_learns_counts_are_those_of_its_new_features() -> None:
    agent = an_agent()
    bonus, seen = a_bonus(agent), states(128)
    for one in seen[:100]:
        bonus.observe(one)
    features, ids = bonus.features, np.arange(bonus.features.size)
    before, stale = features.active(seen[0]), bonus.density.counts_of(ids)
    change(agent, seed=1)
    assert np.array_equal(features.active(seen[0]), before)  # none of it shows until the refit
    for one in seen[100:127]:
        bonus.observe(one)
    grown = bonus.density.counts_of(ids) - stale
    assert grown.min() >= 0
    assert grown.max() <= 27
    bonus.observe(seen[127])
    fixed = counts_in(features, seen)
    assert np.array_equal(bonus.density.counts_of(ids), fixed.counts_of(ids))
    assert bonus.density.t == 128
    other = NetworkFeatures(POLE)  # of the agent that did not learn
    other.follow(an_agent())
    other.fit(seen)
    changed = [not np.array_equal(features.active(one), other.active(one)) for one in seen]
    assert np.mean(changed) > 0.9


def test_a_small_reservoir_keeps_the_time_and_estimates_the_counts() -> None:
    bonus, seen = a_bonus(an_agent(), together=2, every=1_000, reservoir=400), states(2_000)
    for one in seen:
        bonus.observe(one)
    assert bonus.density.t == 2_000
    ids, true = np.arange(bonus.features.size), counts_in(bonus.features, seen)
    shares = bonus.density.counts_of(ids) / 2_000
    # Twenty values of 400 draws each: a deviation of at most ½/√400.
    assert np.abs(shares - true.counts_of(ids) / 2_000).max() < 4 * 0.025


def test_a_reservoir_is_a_uniform_sample() -> None:
    found = np.zeros(50)
    for seed in range(400):
        reservoir = Reservoir(10, (), np.dtype(np.int64), seed)
        for number in range(50):
            reservoir.add(number)
        assert np.unique(reservoir.kept()).size == 10
        found[reservoir.kept()] += 1
    # Each of 50 is kept in 80 of 400 cases; the deviation is 8.
    assert np.abs(found - 80).max() < 4 * 8


def test_the_median_tells_little_and_units_together_tell_more() -> None:
    """A state never seen, beside one seen a hundred times: docs/deep.md has the reason."""
    agent = an_agent(policy_kwargs={"net_arch": [64, 64]})
    often, other = np.array([0.1, 0.2, 0.0, 0.0], np.float32), states(1_000)
    ratios = []
    for together in (1, 8):
        bonus = a_bonus(agent, together=together, every=1_000)
        for k, one in enumerate(other):
            bonus.observe(often if k % 10 == 0 else one)
        bonus.refit()
        news = [bonus.peek(one)[0] for one in states(20, seed=5)]
        ratios.append(bonus.peek(often)[0] / np.median(news))
    assert ratios[0] < 2 < 5 < ratios[1]


@pytest.mark.parametrize("reservoir", [50, 500])
def test_it_resumes_to_the_bit(reservoir: int, tmp_path: Path) -> None:
    agent = an_agent()
    steps = [(one, None if k % 10 == 0 else 1) for k, one in enumerate(states(200))]
    made = [a_bonus(agent, reservoir=reservoir) for _ in range(3)]
    check_resumes(iter(made).__next__, steps[:100], steps[100:], tmp_path / "bonus")
    # The copy of the network is part of the state, and is not the live one.
    other = an_agent(seed=7)
    later = a_bonus(other, reservoir=reservoir)
    later.restore(made[0].state())
    assert later.peek(steps[0][0]) == made[0].peek(steps[0][0])
    assert same(later.state(), made[0].state())


def test_what_was_saved_otherwise_is_refused(tmp_path: Path) -> None:
    agent = an_agent()
    bonus = a_bonus(agent)
    for one in states(70):
        bonus.observe(one)
    state = bonus.state()
    check_refuses(bonus, {"medians": state["medians"][1:]}, r"state\['medians'\] must be")
    check_refuses(bonus, {"medians": state["medians"] * np.nan}, "must be a finite number")
    check_refuses(bonus, {"reservoir": state["reservoir"][1:]}, r"state\['reservoir'\] must be")
    check_refuses(bonus, {"observations_seen": np.array([71, 1])}, "must be")
    check_refuses(bonus, {"counts": state["counts"] * 0}, "must hold counts")
    name = next(name for name in state if name.startswith("weights."))
    check_refuses(bonus, {name: state[name].T[..., :1]}, f"{name}'] must be")
    other = a_bonus(agent, every=65)
    check_loads_only_its_own(bonus, other, "every is 65 there and 64 here", tmp_path / "bonus")


def test_agents_learn_with_it_and_are_saved_with_it(tmp_path: Path) -> None:
    envs = make_vec_env("CartPole-v1", 2, seed=0)
    bonus = NetworkBonus(PhiBonus(), NetworkFeatures(POLE, 8), every=100)
    envs = BonusVecEnv(envs, bonus)
    assert "Unchanged()" in repr(envs)
    agent = PPO("MlpPolicy", envs, **HOW)
    bonus.follow(agent)
    agent.learn(256, callback=BonusCallback(tmp_path))
    assert bonus.refits > 8
    assert bonus.density.t > 256
    assert bonus.density.num_observed > 1
    later = NetworkBonus(PhiBonus(), NetworkFeatures(POLE, 8), every=100)
    there = BonusVecEnv(make_vec_env("CartPole-v1", 2, seed=0), later)
    again = PPO.load(tmp_path / "model.zip", env=there, device="cpu")
    with pytest.raises(RuntimeError, match=r"call follow\(agent\) first"):
        there.load(tmp_path / "bonus.safetensors")
    later.follow(again)
    there.load(tmp_path / "bonus.safetensors")
    assert same(later.state(), bonus.state())
    again.learn(64)


def test_pictures_and_numbers_and_other_agents() -> None:
    pictures = spaces.Box(0, 255, (40, 40, 3), np.uint8)

    class Shown(gymnasium.Env[Any, Any]):
        observation_space, action_space = pictures, spaces.Discrete(2)

    agent = PPO("CnnPolicy", DummyVecEnv([Shown]), device="cpu", n_steps=8, batch_size=8)
    features = NetworkFeatures(pictures)
    features.follow(agent)
    picture = pictures.sample()
    assert features.units(picture).shape == (512,)
    with torch.no_grad():
        tensor, _ = agent.policy.obs_to_tensor(picture)
        values = agent.policy.value_net(torch.as_tensor(features.units(picture)))
        assert agent.policy.predict_values(tensor).item() == pytest.approx(values.item(), rel=1e-5)
    q = DQN("MlpPolicy", DummyVecEnv([Count]), device="cpu", policy_kwargs={"net_arch": [9]})
    numbers = NetworkFeatures(Count.observation_space, together=4)
    numbers.follow(q)
    assert numbers.size == 3 * 16
    assert repr(numbers) == "NetworkFeatures(4 together of 9 units)"
    fitted = numbers.fit(np.arange(5))
    assert [ids.tolist() for ids in fitted] == [numbers.active(k).tolist() for k in range(5)]


def test_an_agent_that_is_followed_later_is_counted_from_the_start() -> None:
    bonus, seen = a_bonus(an_agent()), states(100)
    for one in seen:
        bonus.observe(one)
    bonus.follow(an_agent(seed=3))
    ids = np.arange(bonus.features.size)
    fixed = counts_in(bonus.features, seen)
    assert np.array_equal(bonus.density.counts_of(ids), fixed.counts_of(ids))


def test_what_it_cannot_follow_or_count_is_refused() -> None:
    features = NetworkFeatures(POLE)
    with pytest.raises(RuntimeError, match=r"call follow\(agent\) first"):
        features.active(states(1)[0])
    with pytest.raises(ValueError, match=r"agent must see observations of shape \(4,\), got \(\)"):
        features.follow(DQN("MlpPolicy", DummyVecEnv([Count]), device="cpu"))
    normalised = VecNormalize(make_vec_env("CartPole-v1", 2))
    with pytest.raises(ValueError, match="must see the observations that are counted"):
        features.follow(PPO("MlpPolicy", normalised, **HOW))
    with pytest.raises(TypeError, match="observations must be a space of arrays, got Dict"):
        NetworkFeatures(spaces.Dict({"a": POLE}))
    with pytest.raises(TypeError, match="bonus must be a PhiBonus with a VisitDensity"):
        NetworkBonus(PhiBonus(density=CountableDensity(4)), features)
    with pytest.raises(TypeError, match="features must be NetworkFeatures"):
        NetworkBonus(PhiBonus(), Count)  # type: ignore[arg-type]
    features.follow(an_agent())
    with pytest.raises(ValueError, match=r"observation must have shape \(4,\), got \(3,\)"):
        features.active([0.0, 1.0, 2.0])
    envs = make_vec_env("CartPole-v1", 2)
    with pytest.raises(TypeError, match="cannot be episodic"):
        BonusVecEnv(envs, NetworkBonus(PhiBonus(), features), episodic=True)
