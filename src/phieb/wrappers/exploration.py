"""A Gymnasium wrapper that adds the bonus to the reward."""

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
    """Adds to each reward the bonus of the next state. The first state is counted at `reset`.

    The `info` of a step has "extrinsic_reward", the reward of the environment, "bonus", what was
    added to it, and "pseudocount", that of the next state before it was counted.

    Args:
        env: any environment. A `RecordEpisodeStatistics` inside this wrapper reports returns
            without the bonus, one outside with it.
        bonus: the exploration bonus.
        features: the feature map of the bonus; None: `phieb.features.features_for` chooses one for
            the observation space.
        scale: a factor of the bonus: a number, or a function of the number of steps so far.
        normalise: "returns" divides the bonus by the running standard deviation of its discounted
            return within an episode, so that `scale` means the same for every bonus.
        gamma: the discount of that return.
        episodic: True: counts are reset to their initial state when an episode starts. A bonus:
            its counts are reset when an episode starts, those of `bonus` are kept, and the product
            of both bonuses is added.
        intrinsic_only: whether the bonus replaces the reward.
        info_key: the key in `info` of what `features` observes instead of the observation, such
            as "screen" of `AleScreen`.

    Attributes:
        bonus: the exploration bonus.
        features: the feature map, given or chosen; the repr of the wrapper shows it.

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
        """Start an episode; its first state is counted."""
        observation, info = self.env.reset(seed=seed, options=options)
        if not self._frozen:
            self._watchers[0].start(self._seen(observation, info))
        return observation, info

    def step(self, action: Any) -> tuple[Any, SupportsFloat, bool, bool, dict[str, Any]]:
        """Take a step; the reward includes the bonus of the next state."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        info = {**info, "extrinsic_reward": reward, "bonus": 0.0}
        if not self._frozen:
            number = action_number(self.action_space, action)
            bonus = self._watchers[0].arrive(self._seen(observation, info), number) or 0.0
            info |= {"bonus": bonus, "pseudocount": self._watchers[0].pseudocount}
            reward = bonus if self._shaping.intrinsic_only else float(reward) + bonus
            if terminated or truncated:  # an inner wrapper may start the next episode itself
                self._watchers[0].forget()
        return observation, reward, terminated, truncated, info

    @property
    def spec(self) -> EnvSpec | None:  # type: ignore[override]
        """The spec of the environment, marked as nondeterministic: rewards depend on the counts."""
        spec = super().spec
        if spec is not None:
            spec.nondeterministic = True
        return spec

    def __str__(self) -> str:  # Gymnasium's repr calls this too
        return self._said_of(self.env)

    def _seen(self, observation: Any, info: dict[str, Any]) -> Any:
        if self._info_key is None:
            return observation
        return arguments.part("info", info, self._info_key)


def _name(env: gymnasium.Env[Any, Any]) -> str:
    """The id of an environment, or its class."""
    return env.spec.id if env.spec is not None else type(env.unwrapped).__name__
