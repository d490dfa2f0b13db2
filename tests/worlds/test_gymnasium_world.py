"""Any Gymnasium environment as a world: seeded by episode, saved at the start of one."""

from typing import Any

import gymnasium
import numpy as np
import pytest

from phieb.worlds.gymnasium_world import GymnasiumWorld, SeedingWarning
from phieb.worlds.names import make_env


def world(name: str, seed: int, max_steps: int = 18_000) -> GymnasiumWorld:
    return GymnasiumWorld(name, make_env(name), seed, max_steps)


def lived(one: GymnasiumWorld, steps: int) -> list[Any]:
    """What is seen, with a new episode where one is over."""
    seen = []
    for k in range(steps):
        observation, reward, ended, cut = one.decide(k % 2)
        seen.append((observation.tolist(), reward, ended, cut))
        if ended or cut:
            seen.append(one.reset()[0].tolist())
    return seen


def test_episodes_depend_on_the_seed_and_their_number() -> None:
    one, same, other = (world("CartPole-v1", seed) for seed in (1, 1, 2))
    first = one.reset()[0].tolist()
    assert first == same.reset()[0].tolist() != other.reset()[0].tolist()
    assert lived(one, 100) == lived(same, 100)
    assert one.reset()[0].tolist() != first


def test_saved_at_the_start_of_an_episode_and_restored_there() -> None:
    one, other = world("CartPole-v1", 1), world("CartPole-v1", 5)
    one.reset()
    lived(one, 60)
    one.reset()
    assert one.can_be_saved
    state = one.state()
    expected = lived(one, 60)
    assert not np.array_equal(other.reset()[0], one.reset()[0])
    other.restore(state)
    assert lived(other, 60) == expected
    other.reset()
    other.decide(0)
    assert not other.can_be_saved
    with pytest.raises(RuntimeError, match="start of an episode"):
        other.state()


def test_a_state_of_another_environment_is_refused() -> None:
    one, other = world("CartPole-v1", 1), world("Acrobot-v1", 1)
    one.reset()
    with pytest.raises(ValueError, match="another environment"):
        other.restore(one.state())


class Unseeded(gymnasium.Env[Any, Any]):
    """Does not keep Gymnasium's seeding contract."""

    observation_space = gymnasium.spaces.Box(0, 1, (1,))
    action_space = gymnasium.spaces.Discrete(2)

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        return np.random.default_rng().random(1, np.float32), {}

    def step(self, action: Any) -> Any:
        return self.observation_space.sample(), 0.0, False, False, {}


def test_an_environment_that_ignores_its_seed_is_told_on() -> None:
    unseeded = world(f"{__name__}:Unseeded", 1)
    unseeded.reset()
    with pytest.warns(SeedingWarning, match="is not reproducible from its seed"):
        unseeded.restore(unseeded.state())


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("Pendulum-v1", "must have Discrete actions"),
        ("phieb/Atari-v0", "cannot be made"),
    ],
)
def test_what_cannot_be_trained_on_is_said(name: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        world(name, 1)
