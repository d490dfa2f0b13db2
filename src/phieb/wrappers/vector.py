"""The bonus added to the rewards of many environments, counted together."""

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
    """`ExplorationBonus` for vector environments: one bonus learns from all, in their order.

    `infos` has arrays "extrinsic_reward", "bonus" and "pseudocount", with the masks "_bonus" and
    "_pseudocount": false where an episode started and there was no bonus.

    Autoreset is as `envs.metadata["autoreset_mode"]` says. NEXT_STEP: the step after an episode's
    last leads to a first state, which is counted and has no bonus. SAME_STEP: the bonus is of the
    last state, in `infos["final_obs"]`; then the new first state is counted. DISABLED: first
    states are those of `reset`, which takes a `reset_mask` among its options.

    Args:
        env: any vector environment.
        bonus: how new is a state? One that `remembers` the observation before cannot be shared:
            wrap each environment in `ExplorationBonus` instead.
        features: what the bonus is told of a state; each environment has a copy of the map, with a
            memory of its own. None: `phieb.features.features_for` chooses.
        scale: what the bonus is multiplied by: a number, or a function from the number of steps
            so far, of all environments together, to one.
        normalise: "returns" divides the bonus by the running standard deviation of its discounted
            return within an episode: one estimate for all environments, which learns from the
            return of each.
        gamma: the discount of that return.
        episodic: as in `ExplorationBonus`, with counts of its own for each environment.
        intrinsic_only: whether the bonus is the whole reward.
        info_key: what to look at instead of the observations, by its name in `infos`.

    Attributes:
        bonus: the one given.
        features: the map given, or the one that was chosen; the repr of the wrapper names it.

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
        """New episodes, in all environments or in those of `options["reset_mask"]`."""
        # Read first: the environments take it out of the options.
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
        """A step of each environment, with the bonus of the state that each arrived at."""
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
        """Bonuses and pseudocounts of what was arrived at, and where there are some."""
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
        """What to look at, one for each environment."""
        if self._info_key is not None:
            return list(_of_all("infos", infos, self._info_key, needed))
        return list(iterate(self.observation_space, observations))

    def _last(self, infos: dict[str, Any], over: NDArray[np.bool_]) -> Any:
        """The same for environments that have been reset since."""
        if self._info_key is not None:
            said = arguments.part("infos", infos, "final_info")
            return _of_all("final_info", said, self._info_key, over)
        return arguments.part("infos", infos, "final_obs")

    def _numbers(self, actions: Any) -> list[Any]:
        space, each = self.single_action_space, iterate(self.action_space, actions)
        return [action_number(space, action) for action in each]


def _of_all(name: str, infos: dict[str, Any], key: str, needed: NDArray[np.bool_]) -> Any:
    """What `infos` has under a key, of all environments where it is needed.

    Gymnasium fills in zeros for those that did not say, and puts a mask beside it.
    """
    said = arguments.part(name, infos, key)
    if isinstance(said, dict):
        raise TypeError(f"{name}[{key!r}] must be an array, with a row for each environment")
    lack = needed & ~np.asarray(infos.get(f"_{key}", needed), bool)
    if lack.any():
        which = ", ".join(map(str, np.flatnonzero(lack)))
        raise ValueError(f"{name} must have {key!r} of every environment, lacks it of {which}")
    return said
