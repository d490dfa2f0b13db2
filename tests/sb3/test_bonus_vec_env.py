"""One bonus for all workers of Stable-Baselines3's vector environments."""

import pickle
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from phieb.features import OneHot
from phieb.novelty import CountBonus, PhiBonus
from phieb.wrappers import VectorExplorationBonus
from tests.wrappers.support import LENGTH, Count, Diary, Forgetful

pytest.importorskip("stable_baselines3")

import torch
from stable_baselines3 import A2C, DQN, PPO
from stable_baselines3.common.base_class import BaseAlgorithm
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.evaluation import evaluate_policy
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import (
    DummyVecEnv,
    SubprocVecEnv,
    VecEnv,
    VecMonitor,
    VecNormalize,
)

from phieb.sb3 import BonusCallback, BonusVecEnv, RecomputingReplayBuffer

pytestmark = pytest.mark.sb3
NUM_ENVS = 2


def lakes(vec_env_cls: type[VecEnv] = DummyVecEnv, num_envs: int = NUM_ENVS) -> VecEnv:
    return make_vec_env("FrozenLake-v1", num_envs, seed=0, vec_env_cls=vec_env_cls)


def same_arrays(one: PhiBonus, other: PhiBonus) -> bool:
    mine, theirs = one.state(), other.state()
    return all(np.array_equal(mine[name], theirs[name]) for name in mine)


@pytest.mark.parametrize("settings", [{}, {"normalise": "returns"}, {"episodic": True}])
def test_it_counts_as_the_wrapper_for_gymnasium_s_vectors(settings: dict[str, Any]) -> None:
    """With the same actions, where environments are reset at once."""
    games = [partial(Count, first=100 * i, cut=i == 1) for i in range(NUM_ENVS)]
    mine = BonusVecEnv(DummyVecEnv(games), PhiBonus(), **settings)
    same_step = SyncVectorEnv(games, autoreset_mode=AutoresetMode.SAME_STEP)
    twin = VectorExplorationBonus(same_step, PhiBonus(), **settings)
    mine.reset()
    twin.reset()
    for action in range(3 * LENGTH):
        _, rewards, dones, infos = mine.step(np.full(NUM_ENVS, action % 5))
        _, expected, *_, theirs = twin.step(np.full(NUM_ENVS, action % 5))
        assert np.allclose(rewards, expected)
        assert [info["bonus"] for info in infos] == theirs["bonus"].tolist()
        assert [info["pseudocount"] for info in infos] == theirs["pseudocount"].tolist()
        assert [info["feature_ids"].tolist() for info in infos] == (
            [[100 * i + action + 1] for i in range(NUM_ENVS)]
        )
        assert dones.all() == ((action + 1) % LENGTH == 0)


@pytest.mark.parametrize("vec_env_cls", [DummyVecEnv, SubprocVecEnv])
def test_what_is_looked_at_can_be_in_info(vec_env_cls: type[VecEnv]) -> None:
    """Also of the state in which an episode ends, and of the next one's first."""
    games = [partial(Count, first=100 * i) for i in range(NUM_ENVS)]
    twice, one = Diary(), OneHot(2_000)
    envs = VecMonitor(vec_env_cls(games))
    mine = BonusVecEnv(envs, twice, one, info_key="twice")
    same_step = SyncVectorEnv(games, autoreset_mode=AutoresetMode.SAME_STEP)
    twin_diary = Diary()
    twin = VectorExplorationBonus(same_step, twin_diary, one, info_key="twice")
    mine.reset()
    twin.reset()
    for _ in range(2 * LENGTH):
        mine.step(np.zeros(NUM_ENVS, int))
        twin.step(np.zeros(NUM_ENVS, int))
    assert twice.told == twin_diary.told
    assert [2 * LENGTH] in [ids for ids, _ in twice.told]
    mine.close()
    with pytest.raises(ValueError, match="info of reset must have 'thrice'"):
        BonusVecEnv(DummyVecEnv(games), Diary(), one, info_key="thrice").reset()


def test_processes_share_the_bonus_and_count_as_environments_in_this_process() -> None:
    bonuses = []
    for vec_env_cls in (DummyVecEnv, SubprocVecEnv):
        bonus = PhiBonus()
        envs = BonusVecEnv(lakes(vec_env_cls), bonus)
        envs.reset()
        for action in np.random.default_rng(0).integers(4, size=(40, NUM_ENVS)):
            _, rewards, _, infos = envs.step(action)
            extrinsic = [info["extrinsic_reward"] + info["bonus"] for info in infos]
            assert np.allclose(rewards, extrinsic)
        envs.close()
        bonuses.append(bonus)
    assert bonuses[0].density.t > 40 * NUM_ENVS  # type: ignore[attr-defined]
    assert same_arrays(*bonuses)


AGENTS: list[Callable[[Any], BaseAlgorithm]] = [
    partial(PPO, "MlpPolicy", n_steps=32, batch_size=32, device="cpu", seed=0),
    partial(A2C, "MlpPolicy", device="cpu", seed=0),
    partial(DQN, "MlpPolicy", learning_starts=20, buffer_size=200, device="cpu", seed=0),
]


@pytest.mark.parametrize("vec_env_cls", [DummyVecEnv, SubprocVecEnv])
@pytest.mark.parametrize("make", AGENTS, ids=["PPO", "A2C", "DQN"])
def test_agents_train(make: Callable[[Any], BaseAlgorithm], vec_env_cls: type[VecEnv]) -> None:
    bonus = PhiBonus()
    envs = BonusVecEnv(lakes(vec_env_cls), bonus)
    agent = make(envs).learn(128)
    assert envs.steps == agent.num_timesteps
    assert bonus.pseudocount > 0
    envs.close()


def test_observations_in_a_dictionary() -> None:
    space = gymnasium.spaces.Dict({"at": Count.observation_space})

    def game() -> Any:
        return gymnasium.wrappers.TransformObservation(Count(), lambda at: {"at": at}, space)

    bonus = PhiBonus()
    envs = BonusVecEnv(DummyVecEnv([game, game]), bonus)
    envs.reset()
    found = [envs.step(np.zeros(2, int))[3] for _ in range(2 * LENGTH)]
    assert found[0][0]["feature_ids"].tolist() == [1]
    # Two starts at 0 and the steps; the last state of an episode is also the next one's first.
    assert bonus.density.t == 2 * (1 + 2 * LENGTH + 2)  # type: ignore[attr-defined]


def test_with_vec_normalize_around_it_the_bonus_counts_what_the_environment_shows() -> None:
    plain, bonus = PhiBonus(), PhiBonus()
    pole = partial(make_vec_env, "CartPole-v1", NUM_ENVS, seed=3)
    inner = BonusVecEnv(pole(), bonus, normalise="returns")
    envs = VecNormalize(inner, norm_reward=False)
    twin = BonusVecEnv(pole(), plain, normalise="returns")
    seen, raw = envs.reset(), twin.reset()
    assert not np.allclose(seen, raw)
    for action in np.random.default_rng(0).integers(2, size=(60, NUM_ENVS)):
        _, rewards, *_ = envs.step(action)
        assert np.allclose(rewards, twin.step(action)[1])
    assert same_arrays(plain, bonus)
    AGENTS[0](envs).learn(64)
    with pytest.raises(ValueError, match="put VecNormalize around BonusVecEnv"):
        BonusVecEnv(VecNormalize(pole()), PhiBonus())
    BonusVecEnv(VecNormalize(pole(), norm_obs=False), PhiBonus())  # the game's rewards alone


def test_frozen_nothing_is_counted(tmp_path: Path) -> None:
    bonus, before = PhiBonus(), PhiBonus()
    envs = BonusVecEnv(lakes(), bonus)
    agent = AGENTS[0](envs).learn(64)
    before.restore(bonus.state())
    envs.frozen = True
    mean, _ = evaluate_policy(agent, envs, n_eval_episodes=3)
    assert 0.0 <= mean <= 1.0
    assert same_arrays(bonus, before)
    envs.save(tmp_path / "bonus")
    other = BonusVecEnv(lakes(), PhiBonus())
    other.load(tmp_path / "bonus")
    assert isinstance(other.bonus, PhiBonus)
    assert same_arrays(other.bonus, bonus)
    assert other.steps == envs.steps == 64


def test_it_says_what_it_is_and_what_it_cannot_be() -> None:
    envs = BonusVecEnv(lakes(), PhiBonus())
    assert repr(envs) == "<BonusVecEnv(PhiBonus, OneHot of 16)<DummyVecEnv of 2>>"
    with pytest.raises(ValueError, match="and Forgetful does"):
        BonusVecEnv(lakes(), Forgetful())
    with pytest.raises(TypeError, match="venv must be a VecEnv of Stable-Baselines3, got"):
        BonusVecEnv(gymnasium.make("FrozenLake-v1"), PhiBonus())


class Written(Logger):  # type: ignore[misc]  # typed only where it is installed
    """What is logged, by its name, each time."""

    def __init__(self) -> None:
        super().__init__(None, [])
        self.rows: list[dict[str, Any]] = []

    def dump(self, step: int = 0) -> None:
        self.rows.append(dict(self.name_to_value))
        super().dump(step)


def test_the_callback_logs_what_the_bonus_does_beside_the_scores(tmp_path: Path) -> None:
    envs = BonusVecEnv(DummyVecEnv([lambda: Monitor(Count()), lambda: Monitor(Count(50))]), Diary())
    agent, log = AGENTS[0](envs), Written()
    agent.set_logger(log)
    agent.learn(64, callback=BonusCallback(tmp_path, every=10))
    row = log.rows[0]
    # Bonuses 10, 20, 30, … of 64 steps; two more for every start.
    starts = 2 + 2 * (32 // LENGTH)
    told = [10.0 * (k + 1) for k in range(64 + starts)]
    assert 10.0 * starts < row["bonus/mean"] < max(told)
    assert row["bonus/mean"] == pytest.approx(10.0 * (row["bonus/pseudocount"] + 1.0))
    assert row["rollout/ep_rew_mean"] < 200.0 < row["bonus/mean"]
    assert "bonus/observed" not in row  # a diary does not say
    assert sorted(file.name for file in tmp_path.iterdir()) == ["bonus.safetensors", "model.zip"]


def test_model_and_bonus_are_saved_together_and_go_on_together(tmp_path: Path) -> None:
    bonus, log = PhiBonus(), Written()
    envs = BonusVecEnv(lakes(), bonus)
    agent = AGENTS[0](VecNormalize(envs, norm_obs=False))
    agent.set_logger(log)
    agent.learn(64, callback=BonusCallback(tmp_path))
    assert log.rows[0]["bonus/observed"] == len(bonus.state()["ids"]) > 1
    later = BonusVecEnv(lakes(), PhiBonus())
    later.load(tmp_path / "bonus.safetensors")
    again = PPO.load(tmp_path / "model.zip", env=later, device="cpu")
    assert isinstance(later.bonus, PhiBonus)
    assert same_arrays(later.bonus, bonus)
    assert later.steps == again.num_timesteps == 64
    weights = (one.policy.state_dict() for one in (agent, again))
    assert all(map(torch.equal, *(state.values() for state in weights)))
    with pytest.raises(ValueError, match="the environments must have a BonusVecEnv"):
        AGENTS[0](lakes()).learn(64, callback=BonusCallback())
    with pytest.raises(ValueError, match="folder must be given with every=10"):
        BonusCallback(every=10)


def replaying(num_envs: int, **settings: Any) -> tuple[BonusVecEnv, Any]:
    envs = BonusVecEnv(lakes(num_envs=num_envs), CountBonus(beta=1.0), **settings)
    kind: Any = RecomputingReplayBuffer
    agent = DQN(
        "MlpPolicy", envs, replay_buffer_class=kind, learning_starts=20, buffer_size=300, seed=0
    )
    buffer: Any = agent.replay_buffer
    buffer.recompute_with(envs)
    return envs, agent


@pytest.mark.parametrize("num_envs", [1, NUM_ENVS])
@pytest.mark.parametrize("settings", [{}, {"intrinsic_only": True}, {"scale": 3.0}])
def test_recomputed_bonuses_are_those_of_now(num_envs: int, settings: dict[str, Any]) -> None:
    envs, agent = replaying(num_envs, **settings)
    agent.learn(100)
    buffer, before = agent.replay_buffer, envs.bonus.state()
    for _ in range(5):
        samples = buffer.sample(16)
        states = samples.next_observations.flatten().tolist()
        extrinsic = [float(state == 15 and "intrinsic_only" not in settings) for state in states]
        worth = [settings.get("scale", 1.0) * envs.bonus.peek([state])[1] for state in states]
        assert samples.rewards.flatten().tolist() == pytest.approx(np.add(extrinsic, worth))
    after = envs.bonus.state()
    assert all(np.array_equal(before[name], after[name]) for name in before)


def test_a_saved_buffer_is_told_again_where_bonuses_come_from(tmp_path: Path) -> None:
    envs, agent = replaying(1)
    agent.learn(50)
    agent.save_replay_buffer(tmp_path / "buffer")
    agent.load_replay_buffer(tmp_path / "buffer")
    with pytest.raises(RuntimeError, match="tell the replay buffer where bonuses come from"):
        agent.replay_buffer.sample(4)
    agent.replay_buffer.recompute_with(envs)
    assert agent.replay_buffer.sample(4).rewards.min() > 0
    assert pickle.dumps(agent.replay_buffer)
    with pytest.raises(ValueError, match="envs must not have episodic counts"):
        agent.replay_buffer.recompute_with(BonusVecEnv(lakes(), PhiBonus(), episodic=True))
    with pytest.raises(TypeError, match="envs must be a BonusVecEnv"):
        agent.replay_buffer.recompute_with(lakes())
