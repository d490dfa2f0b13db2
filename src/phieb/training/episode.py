"""One episode of Algorithm 1, with any Gymnasium environment, feature map, agent and bonus."""

from typing import Any, Literal, NamedTuple

import gymnasium
from gymnasium import spaces

from phieb.features import FeatureMap
from phieb.learning import Agent, ComposedLearner
from phieb.novelty import Bonus


class Episode(NamedTuple):
    """The result of an episode; the score is the sum of the environment's own rewards."""

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
    """Train for one episode, until the environment terminates or truncates.

    At termination the agent learns from the last reward alone; at truncation it bootstraps from
    the last state.

    Args:
        env: a Gymnasium environment with discrete actions.
        features: the feature map φ.
        agent: the RL algorithm.
        bonus: the exploration bonus; None for no bonus.
        bonus_for: reward an action with the bonus of the state it led to (as in the paper), or of
            the state it was taken in (as in the authors' program).
        seed: the seed of the environment; None continues its random stream.
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
