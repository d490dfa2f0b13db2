"""A wrapper for vector environments that adds the bonus to the rewards, with shared counts."""

from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv, VectorWrapper
from gymnasium.vector.utils import iterate
from numpy.typing import NDArray

from phieb import arguments
from phieb.features import FeatureMap
from phieb.novelty import Bonus
from phieb.wrappers.counting import Counting, action_number
from phieb.wrappers.shaping import Normalise, Scale, Shaping

if TYPE_CHECKING:
    _VectorWrapper = VectorWrapper[Any, Any, Any, Any, NDArray[Any]]
else:  # before Gymnasium 1.4 the class takes no type parameters
    _VectorWrapper = VectorWrapper


class VectorExplorationBonus(Counting, _VectorWrapper):
    """`ExplorationBonus` for vector environments: one bonus learns from all of them, in order.

    `infos` has arrays "extrinsic_reward", "bonus" and "pseudocount", and the masks "_bonus" and
    "_pseudocount", which are False where an episode started, so that there was no bonus.

    Autoreset follows `envs.metadata["autoreset_mode"]`. NEXT_STEP: the step after the last one of
    an episode leads to a first state, which is counted and has no bonus. SAME_STEP: the bonus is
    that of the last state, `infos["final_obs"]`; then the new first state is counted. DISABLED:
    first states come from `reset`, with an optional `reset_mask` in its options.

    Args:
        env: any vector environment.
        bonus: the exploration bonus. One that `remembers` the previous observation cannot be
            shared: wrap each environment in an `ExplorationBonus` instead.
        features: the feature map of the bonus; each environment has its own copy. None:
            `phieb.features.features_for` chooses one for the observation space.
        scale: a factor of the bonus: a number, or a function of the number of steps so far, summed
            over the environments.
        normalise: "returns" divides the bonus by the running standard deviation of its discounted
            return within an episode, estimated from all environments together.
        gamma: the discount of that return.
        episodic: as in `ExplorationBonus`, with separate counts for each environment.
        intrinsic_only: whether the bonus replaces the reward.
        info_key: the key in `infos` of what `features` observes instead of the observations.

    Attributes:
        bonus: the exploration bonus.
        features: the feature map, given or chosen; the repr of the wrapper shows it.

    Example:
        >>> import gymnasium
        >>> from phieb.novelty import PhiBonus
        >>> envs = gymnasium.make_vec("FrozenLake-v1", 3)
        >>> envs = VectorExplorationBonus(envs, PhiBonus(beta=0.05))
        >>> _ = envs.reset(seed=0)
        >>> *_, infos = envs.step([2, 2, 1])
        >>> infos["bonus"].shape
        (3,)
    """

    def __init__(
        self,
        env: VectorEnv[Any, Any, NDArray[Any]],
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
        super().__init__(env)
        self._shaping = Shaping(scale, normalise, gamma, episodic, intrinsic_only)
        name = env.spec.id if env.spec is not None else type(env.unwrapped).__name__
        names = [f"environment {i} of {name}" for i in range(env.num_envs)]
        self._count_with(
            bonus, features, self._shaping, info_key, env.single_observation_space, names
        )
        mode = AutoresetMode(env.metadata.get("autoreset_mode", AutoresetMode.NEXT_STEP))
        self._resets_at_once = mode == AutoresetMode.SAME_STEP

    def reset(
        self, *, seed: Any = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start episodes in all environments, or in those of `options["reset_mask"]`."""
        # Read it first: the environments remove it from the options.
        mask = (options or {}).get("reset_mask", np.ones(self.num_envs, bool))
        observations, infos = self.env.reset(seed=seed, options=options)
        if not self._frozen:
            seen = self._seen(observations, infos, np.asarray(mask, bool))
            for watcher, one, starts in zip(self._watchers, seen, mask, strict=True):
                if starts:
                    watcher.start(one)
        return observations, infos

    def step(
        self, actions: Any
    ) -> tuple[Any, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Take a step in each environment; the rewards include the bonuses of the next states."""
        observations, rewards, terminations, truncations, infos = self.env.step(actions)
        nothing = {"bonus": np.zeros(self.num_envs), "_bonus": np.zeros(self.num_envs, bool)}
        infos = {**infos, "extrinsic_reward": rewards.copy(), **nothing}
        if not self._frozen:
            over = np.logical_or(terminations, truncations)
            bonuses, pseudocounts, counted = self._count(observations, actions, over, infos)
            infos |= {"bonus": bonuses, "_bonus": counted}
            infos |= {"pseudocount": pseudocounts, "_pseudocount": counted.copy()}
            rewards = bonuses.copy() if self._shaping.intrinsic_only else rewards + bonuses
        return observations, rewards, terminations, truncations, infos

    def __repr__(self) -> str:
        return self._said_of(self.env)

    def _count(
        self, observations: Any, actions: Any, over: NDArray[np.bool_], infos: dict[str, Any]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.bool_]]:
        """(environment,) each: bonus and pseudocount of the next state, and whether it has them."""
        bonuses, pseudocounts = np.zeros((2, self.num_envs))
        counted = np.zeros(self.num_envs, bool)
        seen = self._seen(observations, infos, np.ones(self.num_envs, bool))
        last = self._last(infos, over) if self._resets_at_once and over.any() else []
        for i, action in enumerate(self._numbers(actions)):
            watcher, new_start = self._watchers[i], self._resets_at_once and over[i]
            bonus = watcher.arrive(last[i] if new_start else seen[i], action)
            if bonus is not None:
                bonuses[i], pseudocounts[i], counted[i] = bonus, watcher.pseudocount, True
            if new_start:
                watcher.start(seen[i])
            elif over[i]:
                watcher.forget()
        return bonuses, pseudocounts, counted

    def _seen(
        self, observations: Any, infos: dict[str, Any], needed: NDArray[np.bool_]
    ) -> list[Any]:
        """What each environment's feature map observes."""
        if self._info_key is not None:
            return list(_of_all("infos", infos, self._info_key, needed))
        return list(iterate(self.observation_space, observations))

    def _last(self, infos: dict[str, Any], over: NDArray[np.bool_]) -> Any:
        """The same for the last states of environments that were reset in this step."""
        if self._info_key is not None:
            said = arguments.part("infos", infos, "final_info")
            return _of_all("final_info", said, self._info_key, over)
        return arguments.part("infos", infos, "final_obs")

    def _numbers(self, actions: Any) -> list[Any]:
        space, each = self.single_action_space, iterate(self.action_space, actions)
        return [action_number(space, action) for action in each]


def _of_all(name: str, infos: dict[str, Any], key: str, needed: NDArray[np.bool_]) -> Any:
    """The entry of `infos` under a key, checked to be present for all environments that need it.

    Gymnasium fills in zeros for environments without the entry, and adds a mask.
    """
    said = arguments.part(name, infos, key)
    if isinstance(said, dict):
        raise TypeError(f"{name}[{key!r}] must be an array, with a row for each environment")
    lack = needed & ~np.asarray(infos.get(f"_{key}", needed), bool)
    if lack.any():
        which = ", ".join(map(str, np.flatnonzero(lack)))
        raise ValueError(f"{name} must have {key!r} of every environment, lacks it of {which}")
    return said
