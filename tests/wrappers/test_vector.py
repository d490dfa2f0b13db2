"""Many environments, one bonus: the same counts as one after another, however they are reset."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv, VectorEnv
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics
from numpy.typing import NDArray

from phieb.features import OneHot, Parts
from phieb.novelty import CountBonus, PhiBonus
from phieb.wrappers import VectorExplorationBonus
from tests.wrappers.support import Count, Diary, Forgetful

NEXT, SAME, DISABLED = AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP, AutoresetMode.DISABLED
NUM_ENVS = 3


class Pairs:
    """The state, and the state before: a map with a memory."""

    size = 1_000

    def __init__(self) -> None:
        self.before: int | None = None

    def active(self, observation: Any) -> NDArray[np.int64]:
        ids = [int(observation)] if self.before is None else [int(observation), 100 + self.before]
        self.before = int(observation)
        return np.array(ids)

    def reset(self) -> None:
        self.before = None


def lake(stacked: bool = False) -> gymnasium.Env[Any, Any]:
    env = gymnasium.make("FrozenLake-v1", max_episode_steps=8)
    if not stacked:
        return env
    space = spaces.Dict({"at": env.observation_space})
    return gymnasium.wrappers.TransformObservation(env, lambda at: {"at": at}, space)


def run(envs: VectorEnv[Any, Any, Any], actions: NDArray[np.int64]) -> list[NDArray[np.float64]]:
    """Plays, resetting by hand those that are over where nothing else does."""
    disabled = envs.metadata["autoreset_mode"] == DISABLED
    envs.reset(seed=7)
    bonuses = []
    for row in actions:
        _, rewards, terminations, truncations, infos = envs.step(row)
        assert np.allclose(rewards, infos["extrinsic_reward"] + infos["bonus"])
        bonuses.append(infos["bonus"])
        over = terminations | truncations
        if disabled and over.any():
            envs.reset(options={"reset_mask": over})
    envs.close()
    return bonuses


def twin(mode: AutoresetMode, actions: NDArray[np.int64]) -> tuple[PhiBonus, list[list[float]]]:
    """The same from single environments, in plain words."""
    bonus, envs, maps = PhiBonus(), [lake() for _ in range(NUM_ENVS)], [Pairs() for _ in range(3)]
    over = [False] * NUM_ENVS
    bonuses = []

    def start(i: int, seed: int | None = None) -> None:
        maps[i].reset()
        bonus.observe(maps[i].active(envs[i].reset(seed=seed)[0]))

    for i in range(NUM_ENVS):
        start(i, seed=7 + i)
    for row in actions:
        bonuses.append([0.0] * NUM_ENVS)
        for i in range(NUM_ENVS):
            if over[i] and mode == NEXT:
                start(i)
                over[i] = False
                continue
            state, _, terminated, truncated, _ = envs[i].step(row[i])
            bonuses[-1][i] = bonus.observe(maps[i].active(state))
            over[i] = terminated or truncated
            if over[i] and mode == SAME:
                start(i)
        if mode == DISABLED:
            for done in np.flatnonzero(over):
                start(int(done))
    return bonus, bonuses


@pytest.mark.parametrize("mode", [NEXT, SAME, DISABLED])
@pytest.mark.parametrize("kind", [SyncVectorEnv, AsyncVectorEnv])
@pytest.mark.parametrize("stacked", [False, True])
def test_the_same_counts_as_single_environments_in_the_same_order(
    kind: Callable[..., Any], mode: AutoresetMode, stacked: bool
) -> None:
    actions = np.random.default_rng(0).integers(4, size=(60, NUM_ENVS))
    envs = kind([partial(lake, stacked)] * NUM_ENVS, autoreset_mode=mode)
    bonus = PhiBonus()
    features = Parts({"at": Pairs()}) if stacked else Pairs()
    got = run(VectorExplorationBonus(envs, bonus, features), actions)
    expected_bonus, expected = twin(mode, actions)
    assert np.array_equal(got, expected)
    state = bonus.state()
    for name, part in expected_bonus.state().items():
        assert np.array_equal(state[name], part), name


def counts(mode: AutoresetMode = NEXT, num_envs: int = 2) -> SyncVectorEnv:
    makers = [partial(Count, 100 * i, cut=i == 1) for i in range(num_envs)]
    return SyncVectorEnv(makers, autoreset_mode=mode)


def test_what_is_told_and_reported_when_the_next_step_resets() -> None:
    diary = Diary()
    envs = VectorExplorationBonus(counts(), diary)
    envs.reset()
    infos = [envs.step([1, 2])[-1] for _ in range(5)]
    told = [(seen[0], action) for seen, action in diary.told]
    first, second = told[::2], told[1::2]
    assert first == [(0, None), (1, 1), (2, 1), (3, 1), (3, None), (4, 1)]
    assert second == [(100, None), (101, 2), (102, 2), (103, 2), (103, None), (104, 2)]
    assert infos[3]["bonus"].tolist() == infos[3]["extrinsic_reward"].tolist() == [0, 0]
    assert infos[3]["_bonus"].tolist() == infos[3]["_pseudocount"].tolist() == [False, False]
    assert infos[4]["bonus"].tolist() == [110, 120]
    assert infos[4]["pseudocount"].tolist() == [10, 11]
    assert envs.steps == 8


@pytest.mark.parametrize("mode", [NEXT, SAME])
def test_what_infos_have_can_be_looked_at_instead(mode: AutoresetMode) -> None:
    diary = Diary()
    envs = VectorExplorationBonus(counts(mode), diary, OneHot(2_000), info_key="twice")
    envs.reset()
    for _ in range(3):
        envs.step([0, 0])
    assert [seen for seen, _ in diary.told[4:6]] == [[4], [204]]
    assert [(seen[0], action) for seen, action in diary.told[6:]] == (
        [(6, 0), (206, 0)] if mode == NEXT else [(6, 0), (6, None), (206, 0), (206, None)]
    )


def test_statistics_inside_are_the_games() -> None:
    envs = VectorExplorationBonus(RecordEpisodeStatistics(counts()), Diary())
    envs.reset()
    infos = [envs.step([0, 0])[-1] for _ in range(3)][-1]
    assert infos["episode"]["r"].tolist() == [1 + 2 + 3, 101 + 102 + 103]


def test_infos_as_a_list() -> None:
    envs = DictInfoToList(VectorExplorationBonus(counts(), Diary()))
    envs.reset()
    infos: Any = [envs.step([0, 0])[-1] for _ in range(4)]
    assert infos[0][1]["bonus"] == 40.0
    assert infos[3][0] == {"extrinsic_reward": 0.0, "twice": 6}


def test_frozen_scaled_and_alone() -> None:
    envs = VectorExplorationBonus(counts(), Diary(), scale=lambda n: n, intrinsic_only=True)
    envs.reset()
    assert envs.step([0, 0])[1].tolist() == [0 * 30, 1 * 40]
    envs.frozen = True
    *_, infos = envs.step([0, 0])
    assert infos["extrinsic_reward"].tolist() == [2, 102]
    assert infos["_bonus"].tolist() == [False, False]
    envs.frozen = False
    assert envs.step([0, 0])[1].tolist() == [0, 0]  # starts, since what led there was not counted
    assert envs.steps == 2


def test_saved_from_many_and_loaded_for_one(tmp_path: Path) -> None:
    envs = VectorExplorationBonus(counts(), PhiBonus())
    envs.reset()
    envs.step([0, 0])
    envs.save(tmp_path / "bonus")
    alone = VectorExplorationBonus(counts(num_envs=1), PhiBonus())
    alone.load(tmp_path / "bonus")
    assert alone.steps == 2
    for mine, theirs in zip(alone.bonus.state().values(), envs.bonus.state().values(), strict=True):
        assert np.array_equal(mine, theirs)


def test_a_bonus_with_a_memory_is_not_for_many() -> None:
    with pytest.raises(ValueError, match=r"when 2 environments share it, and Forgetful"):
        VectorExplorationBonus(counts(), Forgetful())
    alone = VectorExplorationBonus(counts(num_envs=1), Forgetful())
    alone.reset()
    assert isinstance(alone.bonus, Forgetful)


def test_exact_counts_of_states_are_for_many_and_of_pairs_are_not() -> None:
    envs = VectorExplorationBonus(SyncVectorEnv([Count, Count]), CountBonus(beta=1.0))
    envs.reset()
    assert envs.step([0, 0])[-1]["pseudocount"].tolist() == [0, 1]
    with pytest.raises(ValueError, match="and CountBonus does"):
        VectorExplorationBonus(counts(), CountBonus(of="state-action"))


def test_an_environment_that_does_not_say_what_is_to_be_looked_at() -> None:
    """Gymnasium would have put a zero there."""

    class Silent(Count):
        def step(self, action: np.int64) -> Any:
            *others, info = super().step(action)
            return *others, {} if self.state == 1 else info

    makers: list[Callable[[], Count]] = [partial(Count, 100), Silent]
    envs = VectorExplorationBonus(SyncVectorEnv(makers), Diary(), OneHot(2_000), info_key="twice")
    envs.reset()
    with pytest.raises(ValueError, match="infos must have 'twice' of every environment, .* of 1"):
        envs.step([0, 0])
    same = VectorExplorationBonus(counts(SAME), Diary(), OneHot(2_000), info_key="twice")
    with pytest.raises(ValueError, match="infos must have 'final_info', got"):
        same._last({}, np.ones(2, bool))


def test_what_info_has_of_many_must_be_in_rows() -> None:
    class Told(Count):
        def reset(self, **settings: Any) -> Any:
            observation, _ = super().reset(**settings)
            return observation, {"told": {"a": 1}}

    envs = VectorExplorationBonus(SyncVectorEnv([Told]), Diary(), OneHot(9), info_key="told")
    with pytest.raises(TypeError, match=r"infos\['told'\] must be an array, with a row for each"):
        envs.reset()


def test_the_mode_may_be_a_word() -> None:
    envs = counts()
    envs.metadata = {**envs.metadata, "autoreset_mode": "sometimes"}
    with pytest.raises(ValueError, match="'sometimes' is not a valid AutoresetMode"):
        VectorExplorationBonus(envs, Diary())
    envs.metadata["autoreset_mode"] = SAME.value
    assert VectorExplorationBonus(envs, Diary())._resets_at_once
