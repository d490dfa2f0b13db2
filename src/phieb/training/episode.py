"""One episode of Algorithm 1, with any Gymnasium environment, feature map, agent and bonus."""

from typing import Any, Literal, NamedTuple

import gymnasium
from gymnasium import spaces

from phieb.features import FeatureMap
from phieb.learning import Agent, ComposedLearner
from phieb.novelty import Bonus


class Episode(NamedTuple):
    """What came of an episode; the score is the environment's, without the bonus."""

    score: float
    bonus: float
    steps: int


def run_episode(
    env: gymnasium.Env[Any, Any],
    features: FeatureMap,
    agent: Agent,
    bonus: Bonus | None = None,
    *,
    bonus_for: Literal["arrival", "departure"] = "arrival",
    seed: int | None = None,
) -> Episode:
    """Play and learn until the environment terminates or truncates.

    A terminal state has no value beyond its reward; a truncated episode is cut, not ended, so the
    agent still looks ahead from its last state.

    Args:
        env: a Gymnasium environment with discrete actions.
        features: φ.
        agent: learns and chooses.
        bonus: adds to the reward what it returns for each φ(s); None for none.
        bonus_for: reward an action with the bonus of the state it led to (as in the paper), or of
            the state it was taken in (as in the authors' program).
        seed: of the environment; None to go on with its random stream.
    """
    if not isinstance(env.action_space, spaces.Discrete):
        raise TypeError(f"env must have a Discrete action space, got {env.action_space}")
    learner = ComposedLearner(features, agent, bonus, bonus_for)
    observation, _ = env.reset(seed=seed)
    decision = learner.start(observation)
    score = total_bonus = 0.0
    steps, over = 0, False
    while not over:
        observation, reward, ended, cut, _ = env.step(decision.action)
        decision = (learner.end if ended else learner.learn)(observation, float(reward))
        score, total_bonus = score + float(reward), total_bonus + decision.bonus
        steps, over = steps + 1, ended or cut
    return Episode(score, total_bonus, steps)
