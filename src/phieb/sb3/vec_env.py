"""The bonus added to the rewards of a vector environment of Stable-Baselines3."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv, VecEnvWrapper, VecNormalize, unwrap_vec_wrapper

from phieb import arguments
from phieb.features import FeatureMap
from phieb.novelty import Bonus
from phieb.wrappers.counting import Counting, action_number
from phieb.wrappers.shaping import Normalise, Scale, Shaping


class BonusVecEnv(Counting, VecEnvWrapper):  # type: ignore[misc]  # typed only where it is installed
    """`VectorExplorationBonus` for Stable-Baselines3: one bonus learns from all workers.

    Counting happens here, in the process of the agent, also for the workers of a `SubprocVecEnv`.
    The bonus of an episode's last step is that of its last state, `info["terminal_observation"]`;
    then the new first state is counted. Each `info` has "extrinsic_reward", "bonus", "pseudocount"
    and "feature_ids", what the map made of the state arrived at.

    Wrappers that change observations while they learn (`VecNormalize`) go around it, or the same
    state would be counted as others later.

    Args:
        venv: any vector environment. A `Monitor` or `VecMonitor` inside reports the
            environment's returns, outside those with the bonus.
        bonus: how new is a state? One that `remembers` cannot be shared.
        features: what the bonus is told of a state; None: `phieb.features.features_for` chooses.
        scale: as in `phieb.wrappers.ExplorationBonus`, as are the others.
        normalise: "returns", or None.
        gamma: the discount of those returns.
        episodic: True, False or a bonus.
        intrinsic_only: whether the bonus is the whole reward.
        info_key: what to look at instead of the observations, by its name in `info`.

    Attributes:
        bonus: the one given.
        features: the map given, or the one that was chosen.
    """

    def __init__(
        self,
        venv: VecEnv,
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
        if not isinstance(venv, VecEnv):
            raise TypeError(f"venv must be a VecEnv of Stable-Baselines3, got {venv}")
        inside = unwrap_vec_wrapper(venv, VecNormalize)
        if inside is not None and inside.norm_obs:
            raise ValueError(
                "venv must not normalise observations, which the bonus would count: put "
                "VecNormalize around BonusVecEnv"
            )
        VecEnvWrapper.__init__(self, venv)
        self._shaping = Shaping(scale, normalise, gamma, episodic, intrinsic_only)
        names = [f"environment {i}" for i in range(venv.num_envs)]
        space = venv.observation_space
        self._count_with(bonus, features, self._shaping, info_key, space, names)
        self._actions: list[Any] = []

    def reset(self) -> Any:
        """New episodes in all environments; their first states are counted."""
        observations = self.venv.reset()
        if not self._frozen:
            for i, watcher in enumerate(self._watchers):
                watcher.start(self._first(observations, i))
        return observations

    def step_async(self, actions: NDArray[Any]) -> None:
        """Tell the environments what to do."""
        space = self.action_space
        self._actions = [action_number(space, action) for action in actions]
        self.venv.step_async(actions)

    def step_wait(self) -> tuple[Any, NDArray[Any], NDArray[Any], list[dict[str, Any]]]:
        """What came of it, with the bonus of the state that each environment arrived at."""
        observations, rewards, dones, infos = self.venv.step_wait()
        infos = [
            {**info, "extrinsic_reward": float(reward), "bonus": 0.0}
            for info, reward in zip(infos, rewards, strict=True)
        ]
        if self._frozen:
            return observations, rewards, dones, infos
        for i, (watcher, info) in enumerate(zip(self._watchers, infos, strict=True)):
            arrived = self._arrived(observations, i, info, dones[i])
            bonus = watcher.arrive(arrived, self._actions[i]) or 0.0
            ids = np.array(watcher.ids)  # a map may use its array again
            info |= {"bonus": bonus, "pseudocount": watcher.pseudocount, "feature_ids": ids}
            if dones[i]:
                watcher.start(self._first(observations, i))
        # Rewards of processes are whole numbers where the environment's are.
        bonuses = np.array([info["bonus"] for info in infos], np.float32)
        rewards = bonuses if self._shaping.intrinsic_only else rewards + bonuses
        return observations, rewards, dones, infos

    def _first(self, observations: Any, i: int) -> Any:
        """What to look at where an episode of one environment starts."""
        if self._info_key is None:
            return _row(observations, i)
        return arguments.part("info of reset", self.unwrapped.reset_infos[i], self._info_key)

    def _arrived(self, observations: Any, i: int, info: dict[str, Any], over: bool) -> Any:
        """What to look at where a step of one environment led."""
        if self._info_key is not None:
            return arguments.part("info", info, self._info_key)
        return info["terminal_observation"] if over else _row(observations, i)

    def worth(self, ids: NDArray[np.int64]) -> float:
        """What arriving at these features would add to a reward now; nothing is counted."""
        return self._shaped.scaled(self.bonus.peek(ids)[1])

    @property
    def shaping(self) -> Shaping:
        """How the bonus becomes part of a reward."""
        return self._shaping

    def __repr__(self) -> str:
        return self._said_of(f"<{type(self.venv).__name__} of {self.num_envs}>")


def _row(observations: Any, i: int) -> Any:
    """The observation of one environment, of what all have made."""
    if isinstance(observations, dict):
        return {name: _row(part, i) for name, part in observations.items()}
    if isinstance(observations, tuple):
        return tuple(_row(part, i) for part in observations)
    return observations[i]
