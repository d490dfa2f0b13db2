"""What the wrapper counts, adds and reports, in which order."""

import pickle
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.wrappers import Autoreset, RecordEpisodeStatistics

from phieb.features import OneHot, Values
from phieb.novelty import CountableDensity, PhiBonus, SimHashBonus
from phieb.wrappers import AleScreen, ExplorationBonus
from tests.wrappers.support import LENGTH, Count, Diary, Forgetful


@pytest.mark.parametrize("cut", [False, True])
def test_each_state_once_and_the_bonus_of_the_one_arrived_at(cut: bool) -> None:
    diary = Diary()
    env = ExplorationBonus(Count(cut=cut), diary)
    rewards = []
    for _ in range(2):
        env.reset(seed=1)
        over = False
        while not over:
            _, reward, terminated, truncated, info = env.step(np.int64(4))
            assert reward == info["extrinsic_reward"] + info["bonus"]
            assert info["pseudocount"] == diary.pseudocount
            rewards.append(reward)
            over = terminated or truncated
        assert truncated == cut
    assert rewards == [1 + 20, 2 + 30, 3 + 40, 4 + 60, 5 + 70, 6 + 80]
    episodes = [(0, None), (1, 4), (2, 4), (3, 4), (3, None), (4, 4), (5, 4), (6, 4)]
    assert diary.told == [([state], action) for state, action in episodes]
    assert env.steps == 2 * LENGTH


def test_the_bonus_is_told_of_episodes() -> None:
    forgetful = Forgetful()
    env = ExplorationBonus(Count(), forgetful)
    env.reset()
    env.step(1)
    env.reset()
    assert forgetful.told == [([], None), ([0], None), ([1], 1), ([], None), ([1], None)]


def test_statistics_inside_are_the_game_s_and_outside_the_agent_s() -> None:
    env = ExplorationBonus(RecordEpisodeStatistics(Count()), Diary())
    assert _last_info(env)["episode"]["r"] == 1 + 2 + 3
    outside = RecordEpisodeStatistics(ExplorationBonus(Count(), Diary()))
    assert _last_info(outside)["episode"]["r"] == 1 + 2 + 3 + 20 + 30 + 40


def _last_info(env: gymnasium.Env[Any, Any]) -> dict[str, Any]:
    env.reset()
    return [env.step(0)[-1] for _ in range(LENGTH)][-1]


def test_a_number_or_a_schedule_scales_and_the_bonus_may_be_all_there_is() -> None:
    asked = []

    def halves(steps: int) -> float:
        asked.append(steps)
        return 0.5**steps

    for scale, rewards in ((3.0, [60.0, 90.0, 120.0]), (halves, [20.0, 15.0, 10.0])):
        env = ExplorationBonus(Count(), Diary(), scale=scale, intrinsic_only=True)
        env.reset()
        assert [env.step(0)[1] for _ in range(3)] == rewards
    assert asked == [0, 1, 2]


def test_frozen_it_is_the_environment_alone() -> None:
    diary = Diary()
    env = ExplorationBonus(Count(), diary, intrinsic_only=True)
    env.reset()
    env.frozen = True
    _, reward, *_, info = env.step(0)
    assert (reward, info["extrinsic_reward"], info["bonus"]) == (1, 1, 0.0)
    assert "pseudocount" not in info
    env.reset()
    env.frozen = False
    _, reward, *_ = env.step(0)  # nothing that was counted led here: a start
    assert reward == 0.0
    assert env.step(3)[1] == 30.0
    assert diary.told == [([0], None), ([2], None), ([3], 3)]
    assert env.steps == 1


def test_saved_and_loaded_with_the_steps_of_the_schedule(tmp_path: Path) -> None:
    def new() -> ExplorationBonus:
        return ExplorationBonus(Count(), PhiBonus(), scale=lambda steps: 1 / (1 + steps))

    env, later = new(), new()
    for _ in range(5):
        _last_info(env)
    env.save(tmp_path / "bonus.safetensors")
    later.load(tmp_path / "bonus.safetensors")
    later.unwrapped.state = env.unwrapped.state  # type: ignore[attr-defined]
    assert later.steps == env.steps == 5 * LENGTH
    assert _last_info(later) == _last_info(env)


def test_a_file_of_another_map_or_of_no_wrapper_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "bonus"
    ExplorationBonus(Count(), PhiBonus()).save(file)
    with pytest.raises(ValueError, match="features_size is 1000 there and 7 here"):
        ExplorationBonus(Count(), PhiBonus(), OneHot(7)).load(file)
    with pytest.raises(ValueError, match="bonus is 'PhiBonus' there and 'Diary' here"):
        ExplorationBonus(Count(), Diary()).load(file)
    PhiBonus().save(file)
    with pytest.raises(ValueError, match="cannot load .*bonus: it was not saved by a wrapper"):
        ExplorationBonus(Count(), PhiBonus()).load(file)
    with pytest.raises(ValueError, match="cannot load .*: it is a folder"):
        ExplorationBonus(Count(), PhiBonus()).load(tmp_path)


def test_what_info_has_can_be_looked_at_instead() -> None:
    diary = Diary()
    env = ExplorationBonus(Count(), diary, OneHot(2_000), info_key="twice")
    env.reset()
    env.step(0)
    assert [seen for seen, _ in diary.told] == [[0], [2]]
    with pytest.raises(ValueError, match="features must be given with info_key='twice'"):
        ExplorationBonus(Count(), diary, info_key="twice")
    with pytest.raises(ValueError, match=r"info must have 'thrice', got \['twice'\]"):
        ExplorationBonus(Count(), diary, OneHot(9), info_key="thrice").reset()


class Lamps(Count):
    """The state as four binary digits."""

    observation_space: Any = spaces.MultiDiscrete([2, 2, 2, 2])

    def reset(self, **kwargs: Any) -> Any:
        state, info = super().reset(**kwargs)
        return self._digits(state), info

    def step(self, action: Any) -> Any:
        state, *rest = super().step(action)
        return self._digits(state), *rest

    def _digits(self, state: np.int64) -> Any:
        return (int(state) >> np.arange(4)) & 1


def test_densities_over_values_rather_than_features() -> None:
    bonus, plain = (PhiBonus(density=CountableDensity(4, 2)) for _ in range(2))
    env = ExplorationBonus(Lamps(), bonus, Values(Lamps.observation_space))
    for _ in range(3):
        observation, _ = env.reset()
        plain.observe(observation)
        for _ in range(LENGTH):
            observation, *_, info = env.step(0)
            assert info["bonus"] == plain.observe(observation)


class Seeing(Count):
    """Numbers under another name or shape; what is random follows the seed."""

    def __init__(self, space: spaces.Space[Any]) -> None:
        super().__init__()
        self.observation_space: Any = space

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        _, info = super().reset(seed=seed)
        if seed is not None:
            self.observation_space.seed(seed)
        return self.observation_space.sample(), info

    def step(self, action: Any) -> Any:
        _, reward, _, _, info = super().step(action)
        return self.observation_space.sample(), reward, False, False, info


@pytest.mark.parametrize(
    "space",
    [
        spaces.Discrete(7, start=-3),
        spaces.MultiBinary([3, 4]),
        spaces.MultiDiscrete([3, 4, 5]),
        spaces.Box(-1, 1, (3,)),
        spaces.Box(-np.inf, np.inf, (3,)),
        spaces.Box(0, 255, (8, 8, 3), np.uint8),
        spaces.Dict({"a": spaces.Discrete(3), "b": spaces.Tuple([spaces.MultiBinary(3)])}),
    ],
)
def test_every_kind_of_observation_and_the_same_seed_the_same_bonus(
    space: spaces.Space[Any],
) -> None:
    def bonuses() -> list[float]:
        env = ExplorationBonus(Seeing(space), PhiBonus())
        env.reset(seed=5)
        return [env.step(0)[-1]["bonus"] for _ in range(20)]

    first = bonuses()
    assert first == bonuses()
    assert all(0 < bonus <= PhiBonus().largest for bonus in first)


def test_pickled_it_goes_on_alike() -> None:
    env = ExplorationBonus(gymnasium.make("CartPole-v1"), PhiBonus(), scale=0.5)
    env.reset(seed=0)
    env.step(0)
    copy = pickle.loads(pickle.dumps(env))  # noqa: S301
    for action in (0, 1, 1):
        assert env.step(action)[1:] == copy.step(action)[1:]


def test_made_again_from_its_spec() -> None:
    env = ExplorationBonus(gymnasium.make("FrozenLake-v1"), PhiBonus(beta=0.2), scale=2.0)
    env.reset(seed=0)
    env.step(0)
    assert env.spec is not None
    assert env.spec.nondeterministic
    again = gymnasium.make(env.spec)
    assert isinstance(again, ExplorationBonus)
    assert isinstance(again.bonus, PhiBonus)
    assert (again.bonus.beta, again.steps) == (0.2, 0)
    assert not gymnasium.spec("FrozenLake-v1").nondeterministic


def test_bad_arguments_are_named() -> None:
    with pytest.raises(TypeError, match="bonus must be a phieb.novelty.Bonus, got 3"):
        ExplorationBonus(Count(), 3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="features must have size, active and reset, got 'tiles'"):
        ExplorationBonus(Count(), Diary(), "tiles")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a function goes into FromFunction"):
        ExplorationBonus(Count(), Diary(), lambda state: [state])  # type: ignore[arg-type]
    says = "SimHashBonus cannot observe the output of OneHot: seen must hold 4 numbers.*`features`"
    with pytest.raises(ValueError, match=says):
        ExplorationBonus(Count(), SimHashBonus(0.05, 4)).reset()
    with pytest.raises(ValueError, match="scale must be a finite number >= 0, got -1"):
        ExplorationBonus(Count(), Diary(), scale=-1)
    with pytest.raises(TypeError, match="intrinsic_only must be True or False, got 'no'"):
        ExplorationBonus(Count(), Diary(), intrinsic_only="no")  # type: ignore[arg-type]
    env = ExplorationBonus(Count(), Diary(), scale=lambda steps: -1.0)
    env.reset()
    with pytest.raises(ValueError, match=r"scale\(0\) must be a finite number >= 0, got -1"):
        env.step(0)
    with pytest.raises(TypeError, match="env must be an Atari environment of ale-py, got"):
        AleScreen(Count())


def test_a_bonus_that_observes_observations_is_given_them_as_they_are() -> None:
    class Seeing(Diary):
        observes: Any = "observation"

    class Picture(Count):
        observation_space: Any = spaces.Box(0, 9, (2, 2))

        def step(self, action: np.int64) -> Any:
            return np.eye(2), *super().step(action)[1:]

    diary = Seeing()
    env = ExplorationBonus(Picture(first=3), diary)
    env.reset()
    env.step(np.int64(1))
    assert diary.told == [(3, None), ([[1.0, 0.0], [0.0, 1.0]], 1)]
    assert "Unchanged()" in str(env)


def test_an_environment_that_starts_its_next_episode_by_itself() -> None:
    forgetful = Forgetful()
    env = ExplorationBonus(Autoreset(Count()), forgetful)
    env.reset()
    bonuses = [env.step(2)[-1]["bonus"] for _ in range(LENGTH + 2)]
    states = [(seen[0], action) for seen, action in forgetful.told if seen]
    assert states == [(0, None), (1, 2), (2, 2), (3, 2), (3, None), (4, 2)]
    assert bonuses[LENGTH] == 0.0 < bonuses[LENGTH + 1]
    assert env.steps == LENGTH + 1


def test_told_again_that_it_is_not_frozen_it_goes_on() -> None:
    env = ExplorationBonus(Count(), Diary())
    env.reset()
    for _ in range(LENGTH):
        env.frozen = False
        env.step(0)
    assert env.steps == LENGTH


def test_actions_that_do_not_count_from_zero() -> None:
    class Signed(Count):
        action_space = spaces.Discrete(3, start=-1)

    diary = Diary()
    env = ExplorationBonus(Signed(), diary)
    env.reset()
    for action in (-1, np.int64(1), np.array([0])):
        env.step(action)
    assert [action for _, action in diary.told] == [None, 0, 2, 1]


def test_the_size_of_a_map_is_a_whole_number(tmp_path: Path) -> None:
    features = OneHot(1_000)
    features.size = np.int64(1_000)  # type: ignore[assignment]
    env = ExplorationBonus(Count(), PhiBonus(), features)
    env.save(tmp_path / "saved")
    ExplorationBonus(Count(), PhiBonus()).load(tmp_path / "saved")
    features.size = 2.5  # type: ignore[assignment]
    with pytest.raises(TypeError, match="features.size must be a whole number >= 1, got 2.5"):
        ExplorationBonus(Count(), PhiBonus(), features)
