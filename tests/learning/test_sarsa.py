"""Sarsa(λ): the update of ALGORITHM §2 by hand, and what must follow from linearity."""

import math
from collections import defaultdict

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from hypothesis import given
from hypothesis import strategies as st

from phieb.features import OneHot, Tiles
from phieb.learning import SarsaLambda
from phieb.novelty import PhiBonus
from phieb.training import run_episode

ALPHA, GAMMA, LAMBDA = 0.4, 0.9, 0.8

steps = st.tuples(
    st.sets(st.integers(0, 9), min_size=1, max_size=5).map(sorted),  # the features arrived at
    st.floats(-2, 2),  # reward
    st.floats(0, 1),  # bonus
    st.sampled_from(["on", "on", "on", "end", "cut"]),
)
lives = st.lists(steps, max_size=25)
Step = tuple[list[int], float, float, str]


class ByHand:
    """θ and e as dictionaries of (feature, action), every formula written out."""

    def __init__(self, initial: float) -> None:
        self.initial, self.most = initial, 1
        self.theta: dict[tuple[int, int], float] = {}
        self.e: dict[tuple[int, int], float] = defaultdict(float)

    def see(self, active: list[int]) -> None:
        self.most = max(self.most, len(active))
        for i in active:
            for a in range(3):
                self.theta.setdefault((i, a), self.initial / len(active))

    def q(self, active: list[int], a: int) -> float:
        return sum(self.theta[i, a] for i in active)

    def take(self, active: list[int], a: int) -> None:
        for key in self.e:
            self.e[key] *= GAMMA * LAMBDA
        for i in active:
            self.e[i, a] = 1.0

    def update(self, delta: float) -> None:
        for key, trace in self.e.items():
            self.theta[key] += ALPHA / self.most * delta * trace


@given(lives, st.floats(0, 2))
def test_every_step_is_the_rule_of_the_paper(steps: list[Step], initial: float) -> None:
    agent = SarsaLambda(
        3, alpha=ALPHA, gamma=GAMMA, lambda_=LAMBDA, epsilon=0.3, initial_value=initial, seed=1
    )
    twin = ByHand(initial)
    s = [0, 1]
    twin.see(s)
    a = agent.start(s)
    twin.take(s, a)
    for arrived, r, bonus, then in steps:
        if then == "end":
            agent.end(r, bonus)
            twin.update(r + bonus - twin.q(s, a))
        else:
            twin.see(arrived)
            a2 = agent.learn(arrived, r, bonus)
            twin.update(r + bonus + GAMMA * twin.q(arrived, a2) - twin.q(s, a))
            s, a = arrived, a2
            twin.take(s, a)
        if then != "on":
            twin.e.clear()
            s = [0, 1]
            a = agent.start(s)
            twin.take(s, a)
        expected = [twin.q(s, b) for b in range(3)]
        assert agent.q(s) == pytest.approx(expected, rel=1e-9, abs=1e-9)


def play(agent: SarsaLambda, steps: list[Step]) -> list[int]:
    """The actions an agent takes in a fixed sequence of steps."""
    actions = [agent.start([0])]
    for arrived, r, bonus, then in steps:
        if then == "end":
            agent.end(r, bonus)
        else:
            actions.append(agent.learn(arrived, r, bonus))
        if then != "on":
            actions.append(agent.start([0]))
    return actions


@given(lives, st.integers(0, 99))
def test_the_split_values_sum_to_the_joint_value(steps: list[Step], seed: int) -> None:
    """At ε = 1, so that no tie is broken by a sum's last bit."""
    joint = SarsaLambda(3, epsilon=1.0, initial_value=1.0, seed=seed)
    split = SarsaLambda(3, epsilon=1.0, initial_value=1.0, seed=seed, value="split")
    assert play(joint, steps) == play(split, steps)
    for i in range(10):
        assert split.q([i]) == pytest.approx(joint.q([i]), abs=1e-9)


def test_a_split_value_makes_the_same_decisions() -> None:
    scores = []
    for value in ("joint", "split"):
        env, bonus = gymnasium.make("phieb/DeepSea-v0", size=6), PhiBonus()
        agent = SarsaLambda(2, initial_value=bonus.largest, seed=0, value=value)
        features = OneHot(37)
        scores.append([run_episode(env, features, agent, bonus).score for _ in range(60)])
    assert scores[0] == scores[1]
    assert max(scores[0]) > 0.9


@given(lives)
def test_the_extrinsic_value_is_independent_of_the_bonus(steps: list[Step]) -> None:
    silent = [(arrived, r, 0.0, then) for arrived, r, _, then in steps]
    with_bonus = SarsaLambda(1, epsilon=0.0, value="split", seed=0)
    without = SarsaLambda(1, epsilon=0.0, seed=0)
    play(with_bonus, steps)
    play(without, silent)
    for i in range(10):
        assert with_bonus.q_extrinsic([i]) == pytest.approx(without.q([i]), abs=1e-9)


def test_a_continuing_intrinsic_value_bootstraps_past_the_end() -> None:
    """δ of the intrinsic head at an end is bonus + γ Q_i(s₀′, a₀′) − Q_i(s, a)."""
    agent = SarsaLambda(1, alpha=1.0, gamma=0.5, lambda_=0.0, epsilon=0.0, value="split",
                        continuing=True, initial_value=8.0)  # fmt: skip
    agent.start([0])
    agent.end(3.0, 1.0)
    assert agent.q([0]) == 8.0  # learnt when the next episode starts
    agent.start([1])
    assert agent.q_extrinsic([0]) == 3.0
    assert agent.q([0]) == 3.0 + 1.0 + 0.5 * 8.0
    agent.end(0.0, 0.0)
    agent.start([0])
    assert agent.q([1]) == 0.5 * 5.0  # traces were cleared: [0] is as it was
    assert agent.q([0]) == 8.0


def test_the_step_size_never_grows() -> None:
    agent = SarsaLambda(1, alpha=1.0, gamma=0.0, lambda_=0.0)
    agent.start([0])
    agent.learn([0, 1, 2, 3], 4.0)
    assert agent.q([0]) == 1.0  # 4 features were seen by then: α/4
    agent.learn([5], 4.0)
    agent.end(4.0)
    assert agent.q([5]) == 1.0


def test_rewards_scaled_by_the_first() -> None:
    agent = SarsaLambda(1, alpha=1.0, gamma=0.0, lambda_=0.0, scale_reward=True)
    agent.start([0])
    agent.learn([1], 0.0)
    agent.learn([2], -200.0)
    agent.learn([3], 100.0)
    agent.end(-400.0)
    assert [agent.q([i])[0] for i in range(4)] == [0.0, -1.0, 0.5, -2.0]


def test_ties_are_broken_evenly_and_epsilon_explores() -> None:
    first = [SarsaLambda(4, epsilon=0.0, seed=s).start([0]) for s in range(400)]
    assert np.bincount(first, minlength=4).min() > 60
    agent = SarsaLambda(2, epsilon=0.5, initial_value=0.0, seed=3)
    action = agent.start([0])
    agent.learn([0], 1.0 if action == 0 else -1.0)  # now action 0 is better
    best = int(np.argmax(agent.q([0])))
    taken = [agent.policy.choose(agent.q([0])) for _ in range(2_000)]
    assert taken.count(1 - best) / 2_000 == pytest.approx(0.25, abs=0.04)


def test_actions_that_do_not_start_at_zero() -> None:
    agent = SarsaLambda(spaces.Discrete(3, start=5), seed=0)
    assert {agent.start([0]) for _ in range(50)} == {5, 6, 7}


def test_it_learns_a_classic_task_with_tiles() -> None:
    """Mountain Car, solved in under 200 steps within 60 episodes (at random: never)."""
    env = gymnasium.make("MountainCar-v0", max_episode_steps=1_000)
    space = env.observation_space
    assert isinstance(space, spaces.Box)
    features = Tiles(space, bins=8, tilings=8)
    agent = SarsaLambda(env.action_space, gamma=1.0, epsilon=0.0, seed=0)
    scores = [run_episode(env, features, agent, seed=k).score for k in range(60)]
    assert np.mean(scores[-10:]) > -200
    env.close()


def test_the_bonus_finds_what_epsilon_greedy_does_not() -> None:
    """Algorithm 1 through the public parts alone: Deep Sea of size 12, 300 episodes."""
    found = {}
    for name, beta in (("phi-eb", 0.05), ("epsilon", 0.0)):
        env = gymnasium.make("phieb/DeepSea-v0", size=12)
        bonus = PhiBonus(beta)
        space = env.observation_space
        assert isinstance(space, spaces.Discrete)
        agent = SarsaLambda(env.action_space, initial_value=bonus.largest, seed=0)
        scores = [run_episode(env, OneHot(space), agent, bonus).score for _ in range(300)]
        found[name] = sum(score > 0.9 for score in scores)
    assert found["phi-eb"] > 30
    assert found["epsilon"] == 0


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        ({"alpha": 0.0}, "alpha must be a finite number > 0 and <= 1, got 0.0"),
        ({"gamma": 1.1}, r"gamma must be a finite number in \[0, 1\], got 1.1"),
        ({"lambda_": 1.5}, r"lambda_ must be a finite number in \[0, 1\], got 1.5"),
        ({"epsilon": math.nan}, r"epsilon must be a finite number in \[0, 1\], got nan"),
        ({"value": "both"}, 'value must be "joint" or "split"'),
        ({"continuing": True}, "continuing must be False with value"),
        ({"initial_value": math.inf}, "initial_value must be a finite number, got inf"),
    ],
)
def test_bad_settings_are_refused(setting: dict[str, object], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        SarsaLambda(2, **setting)  # type: ignore[arg-type]


def test_actions_that_are_not_discrete() -> None:
    with pytest.raises(TypeError, match="actions must be a Discrete space or a number of actions"):
        SarsaLambda(spaces.Box(-1, 1))
    with pytest.raises(ValueError, match="actions must be a whole number >= 1, got 0"):
        SarsaLambda(0)


def test_bad_steps_are_refused() -> None:
    agent = SarsaLambda(2)
    with pytest.raises(RuntimeError, match="call start first"):
        agent.learn([0], 0.0)
    agent.start([0])
    with pytest.raises(ValueError, match="reward must be a finite number, got nan"):
        agent.learn([0], math.nan)
    with pytest.raises(ValueError, match="bonus must be a finite number, got inf"):
        agent.learn([0], 0.0, math.inf)
    with pytest.raises(ValueError, match="active must hold feature ids"):
        agent.learn([-1], 0.0)
    with pytest.raises(ValueError, match="seed must be a whole number >= 0, got -1"):
        SarsaLambda(2, seed=-1)


def test_acting_without_learning_on_either_value() -> None:
    """The bonus made one action better, the reward the other."""
    agent = SarsaLambda(2, epsilon=0.0, lambda_=0.0, value="split", seed=0)
    for _ in range(40):
        action = agent.start([0])
        agent.end(1.0 if action == 0 else 0.0, 5.0 if action == 1 else 0.0)
    agent.policy.epsilon = 1.0
    for _ in range(40):
        action = agent.start([0])
        agent.end(1.0 if action == 0 else 0.0, 5.0 if action == 1 else 0.0)
    agent.policy.epsilon = 0.0
    before = agent.q([0]).tolist()
    assert agent.act([0]) == 1
    assert agent.act([0], extrinsic=True) == 0
    assert agent.q([0]).tolist() == before
