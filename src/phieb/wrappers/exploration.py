"""The bonus added to the reward of an environment."""

from typing import Any, SupportsFloat

import gymnasium
from gymnasium.envs.registration import EnvSpec
from gymnasium.utils import RecordConstructorArgs

from phieb import arguments
from phieb.features import FeatureMap
from phieb.novelty import Bonus
from phieb.wrappers.counting import Counting, action_number
from phieb.wrappers.shaping import Normalise, Scale, Shaping


class ExplorationBonus(Counting, gymnasium.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """Adds to each reward the bonus of the state arrived at; the first state is counted at reset.

    `info` of a step has "extrinsic_reward", the environment's own, "bonus", what was added to it,
    and "pseudocount", how often the state had been seen before, as the bonus counts.

    Args:
        env: any environment. A `RecordEpisodeStatistics` inside reports its own returns, without
            the bonus; outside, with it.
        bonus: how new is a state?
        features: what the bonus is told of a state; None: `phieb.features.features_for` chooses by
            the observation space.
        scale: what the bonus is multiplied by: a number, or a function from the number of steps
            so far to one.
        normalise: "returns" divides the bonus by the running standard deviation of its discounted
            return within an episode, so that `scale` means the same for every bonus.
        gamma: the discount of that return.
        episodic: True: counts are forgotten at an episode's start (a copy of the bonus, as it is
            when given, counts). A bonus: its counts are forgotten at an episode's start, those of
            `bonus` are not, and what is added is the product of the two.
        intrinsic_only: whether the bonus is the whole reward.
        info_key: what to look at instead of the observation, by its name in `info`, such as
            "screen" of `AleScreen`.

    Attributes:
        bonus: the one given.
        features: the map given, or the one that was chosen; the repr of the wrapper names it.

    Example:
        >>> from phieb.novelty import PhiBonus
        >>> env = ExplorationBonus(gymnasium.make("FrozenLake-v1"), PhiBonus(beta=0.05))
        >>> _ = env.reset(seed=0)
        >>> *_, reward, terminated, truncated, info = env.step(2)
        >>> reward == info["extrinsic_reward"] + info["bonus"] > 0
        True
    """

    def __init__(
        self,
        env: gymnasium.Env[Any, Any],
        bonus: Bonus,
        features: FeatureMap | None = None,
        *,
        scale: Scale = 1.0,
        normalise: Normalise = None,
        gamma: float = 0.99,
        episodic: bool | Bonus = False,
        intrinsic_only: bool = False,
        info_key: str | None = None,
    ) -> None:
        RecordConstructorArgs.__init__(
            self,
            bonus=bonus,
            features=features,
            scale=scale,
            normalise=normalise,
            gamma=gamma,
            episodic=episodic,
            intrinsic_only=intrinsic_only,
            info_key=info_key,
        )
        gymnasium.Wrapper.__init__(self, env)
        self._shaping = Shaping(scale, normalise, gamma, episodic, intrinsic_only)
        space, name = env.observation_space, _name(env)
        self._count_with(bonus, features, self._shaping, info_key, space, [name])

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """A new episode; its first state is counted."""
        observation, info = self.env.reset(seed=seed, options=options)
        if not self._frozen:
            self._watchers[0].start(self._seen(observation, info))
        return observation, info

    def step(self, action: Any) -> tuple[Any, SupportsFloat, bool, bool, dict[str, Any]]:
        """A step whose reward has the bonus of the state arrived at."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        info = {**info, "extrinsic_reward": reward, "bonus": 0.0}
        if not self._frozen:
            number = action_number(self.action_space, action)
            bonus = self._watchers[0].arrive(self._seen(observation, info), number) or 0.0
            info |= {"bonus": bonus, "pseudocount": self._watchers[0].pseudocount}
            reward = bonus if self._shaping.intrinsic_only else float(reward) + bonus
            if terminated or truncated:  # something inside may start the next episode by itself
                self._watchers[0].forget()
        return observation, reward, terminated, truncated, info

    @property
    def spec(self) -> EnvSpec | None:  # type: ignore[override]
        """The environment's, which is no longer deterministic: rewards depend on what was seen."""
        spec = super().spec
        if spec is not None:
            spec.nondeterministic = True
        return spec

    def __str__(self) -> str:  # and repr, which Gymnasium makes of it
        return self._said_of(self.env)

    def _seen(self, observation: Any, info: dict[str, Any]) -> Any:
        if self._info_key is None:
            return observation
        return arguments.part("info", info, self._info_key)


def _name(env: gymnasium.Env[Any, Any]) -> str:
    """The id of an environment, or its class."""
    return env.spec.id if env.spec is not None else type(env.unwrapped).__name__
