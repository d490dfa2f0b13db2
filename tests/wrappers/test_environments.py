"""Real environments: Gymnasium's own checks, a thousand steps, and the engine's bonuses."""

from typing import Any

import gymnasium
import minigrid  # noqa: F401 - registers its environments
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers import FrameStackObservation
from numpy.typing import NDArray

from phieb.features import BlobProst, GridObjects
from phieb.learning import CompiledLearner, SarsaLambda
from phieb.novelty import PhiBonus, VisitDensity
from phieb.sparse.active_set import ActiveSet
from phieb.worlds import Atari
from phieb.wrappers import AleScreen, ExplorationBonus, VectorExplorationBonus
from tests.wrappers.support import Count

NAMES = ["CartPole-v1", "FrozenLake-v1", "MiniGrid-DoorKey-5x5-v0", "ALE/Venture-v5"]


def wrapped(name: str) -> ExplorationBonus:
    env = gymnasium.make(name)
    if name.startswith("MiniGrid"):
        return ExplorationBonus(env, PhiBonus(), GridObjects(env.observation_space))
    if name.startswith("ALE"):
        return ExplorationBonus(AleScreen(env), PhiBonus(), BlobProst(), info_key="screen")
    return ExplorationBonus(env, PhiBonus())


# The checker would rather have no wrapper; CartPole's velocities have no bounds.
@pytest.mark.filterwarnings("ignore:.*is different from the unwrapped version:UserWarning")
@pytest.mark.filterwarnings("ignore:.*A Box observation space m.* value is:UserWarning")
@pytest.mark.parametrize("frozen", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_gymnasium_s_own_checks(name: str, frozen: bool) -> None:
    env = wrapped(name)
    env.frozen = frozen
    check_env(env, skip_render_check=True)
    env.close()


@pytest.mark.filterwarnings("ignore:.*is different from the unwrapped version:UserWarning")
def test_gymnasium_s_own_checks_of_what_is_not_registered() -> None:
    """There is no spec to say that rewards depend on what was seen: frozen, they do not."""

    class Corridor(Count):
        def reset(self, **kwargs: Any) -> Any:
            self.state = self.first
            return super().reset(**kwargs)

    env = ExplorationBonus(Corridor(), PhiBonus())
    assert env.spec is None
    env.frozen = True
    check_env(env, skip_render_check=True)


@pytest.mark.parametrize("name", NAMES)
def test_a_thousand_steps(name: str) -> None:
    """Warnings are errors in all tests here."""
    env = wrapped(name)
    env.action_space.seed(0)
    env.reset(seed=0)
    bonuses = []
    for _ in range(1_000):
        observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
        assert observation in env.observation_space
        assert reward == float(info["extrinsic_reward"]) + info["bonus"]
        bonuses.append(info["bonus"])
        if terminated or truncated:
            env.reset()
    env.close()
    assert env.steps == 1_000
    assert 0 < np.mean(bonuses[-100:]) < np.mean(bonuses[:100])


def engine(seed: int, decisions: int) -> tuple[list[int], NDArray[np.float64]]:
    """Actions and bonuses of Sarsa-φ-EB as `phieb train` has it; an episode's end is action -1."""
    world = Atari("venture", max_frames=400, seed=seed)
    active_set = ActiveSet()
    bonus = PhiBonus(density=VisitDensity(active_set=active_set))
    agent = SarsaLambda(world.num_actions, epsilon=0.2, seed=seed, active_set=active_set)
    learner = CompiledLearner(BlobProst(), agent, bonus)
    actions, bonuses = [], []
    over = True
    for _ in range(decisions):
        if over:
            actions.append(-1)
            screen, _ = world.reset()
            decision = learner.start(screen)
        actions.append(decision.action)
        screen, reward, ended, cut = world.decide(decision.action)
        over = ended or cut
        decision = (learner.end if ended else learner.learn)(screen, reward)
        bonuses.append(decision.bonus)
    return actions, np.array(bonuses)


def test_the_bonus_is_the_engine_s() -> None:
    actions, expected = engine(seed=3, decisions=600)
    env = gymnasium.make("phieb/Atari-v0", game="venture", max_frames=400, seed=3)
    wrapper = ExplorationBonus(env, PhiBonus(), BlobProst())
    got = []
    for action in actions:
        if action == -1:
            wrapper.reset()
        else:
            got.append(wrapper.step(action)[-1]["bonus"])
    assert actions.count(-1) > 5
    assert np.max(np.abs(got - expected)) < 1e-9


def grey_and_stacked() -> gymnasium.Env[Any, Any]:
    env = gymnasium.make("ALE/Venture-v5", obs_type="grayscale")
    return AleScreen(FrameStackObservation(env, 4))


def test_screens_of_the_emulator_whatever_the_agent_sees() -> None:
    """The same bonus as on palette screens, for agents that see four grey ones."""
    envs = gymnasium.vector.AsyncVectorEnv([grey_and_stacked] * 2)
    both = VectorExplorationBonus(envs, PhiBonus(), BlobProst(), info_key="screen")
    alone = ExplorationBonus(grey_and_stacked(), PhiBonus(), BlobProst(), info_key="screen")
    plain, features = PhiBonus(), [BlobProst() for _ in range(2)]
    observations, infos = both.reset(seed=0)
    _, info = alone.reset(seed=0)
    assert observations.shape == (2, 4, 210, 160)
    for i in range(2):
        plain.observe(features[i].active(infos["screen"][i]))
    for action in (1, 2, 5, 5, 3, 0, 4, 4):
        *_, infos = both.step([action, action])
        for i in range(2):
            assert infos["bonus"][i] == plain.observe(features[i].active(infos["screen"][i]))
        *_, info = alone.step(action)
        assert np.array_equal(info["screen"], infos["screen"][0])
    both.close()
    alone.close()
