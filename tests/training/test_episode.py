"""One episode of Algorithm 1: what the agent and the bonus are told, in which order."""

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from numpy.typing import ArrayLike, NDArray

from phieb.features import OneHot
from phieb.novelty import Bonus
from phieb.training import run_episode
from phieb.worlds import DeepSea


class Diary(Bonus):
    """An agent and a bonus that write down what they are told; the bonus is 10, 20, 30, …"""

    def __init__(self) -> None:
        self.told: list[tuple[Any, ...]] = []
        self.seen = self.episodes = 0
        self.actions: list[int | None] = []

    def reset(self) -> None:
        self.episodes += 1

    def observe(self, seen: Any, action: int | None = None) -> float:
        self.seen += 1
        self.actions.append(action)
        return 10.0 * self.seen

    def settings(self) -> dict[str, Any]:
        return {}

    def state(self) -> dict[str, NDArray[Any]]:
        return {}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        assert not state

    def start(self, active: ArrayLike) -> int:
        self.told.append(("start", np.asarray(active).tolist()))
        return 0

    def learn(self, active: ArrayLike, reward: float, bonus: float = 0.0) -> int:
        self.told.append(("learn", np.asarray(active).tolist(), bonus))
        return 0

    def end(self, reward: float, bonus: float = 0.0) -> None:
        self.told.append(("end", bonus))


@pytest.mark.parametrize(("bonus_for", "bonuses"), [("arrival", (20, 30)), ("departure", (10, 20))])
def test_which_bonus_an_action_gets(bonus_for: Any, bonuses: tuple[float, float]) -> None:
    diary, env = Diary(), DeepSea(2)
    episode = run_episode(env, OneHot(5), diary, diary, bonus_for=bonus_for, seed=0)
    kinds = [entry[0] for entry in diary.told]
    assert kinds == ["start", "learn", "end"]
    assert [entry[-1] for entry in diary.told[1:]] == list(bonuses)
    assert diary.seen == 3  # every state once, the first and the last included
    assert (diary.episodes, diary.actions) == (1, [None, 0, 0])
    assert (episode.bonus, episode.steps) == (sum(bonuses), 2)


def test_a_cut_episode_is_not_an_end() -> None:
    diary = Diary()
    env = gymnasium.make("phieb/RiverSwim-v0", max_episode_steps=3)
    episode = run_episode(env, OneHot(6), diary, seed=0)
    assert [entry[0] for entry in diary.told] == ["start", "learn", "learn", "learn"]
    assert episode.bonus == 0.0


def test_bad_settings_are_named() -> None:
    with pytest.raises(ValueError, match='bonus_for must be "arrival" or "departure"'):
        run_episode(DeepSea(2), OneHot(5), Diary(), bonus_for="both")  # type: ignore[arg-type]


def test_any_gymnasium_environment_with_discrete_actions() -> None:
    from phieb.learning import SarsaLambda
    from phieb.novelty import PhiBonus

    env = gymnasium.make("FrozenLake-v1")
    space = env.observation_space
    assert isinstance(space, spaces.Discrete)
    agent, bonus = SarsaLambda(env.action_space, seed=0), PhiBonus()
    episodes = [run_episode(env, OneHot(space), agent, bonus, seed=k) for k in range(20)]
    assert all(e.steps > 0 and e.bonus > 0 for e in episodes)


def test_an_environment_with_other_actions() -> None:
    with pytest.raises(TypeError, match="env must have a Discrete action space, got Box"):
        run_episode(gymnasium.make("Pendulum-v1"), OneHot(5), Diary())
