"""A replay buffer whose bonuses are those of now, not of when the transition was seen."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from stable_baselines3.common.buffers import ReplayBuffer

from phieb.sb3.vec_env import BonusVecEnv


class RecomputingReplayBuffer(ReplayBuffer):  # type: ignore[misc]  # typed where it is installed
    """Keeps feature ids and the environment's rewards; adds bonuses when it is sampled.

    Of a state seen a thousand times since, an old transition then has a small bonus, where the
    usual `ReplayBuffer` has the large one that was stored. Computing it costs a `Bonus.peek` for
    each transition of a batch, of each environment.

        agent = DQN("MlpPolicy", envs, replay_buffer_class=RecomputingReplayBuffer)
        agent.replay_buffer.recompute_with(envs)

    Saved, it keeps its transitions, not the bonus: tell it again after loading.
    """

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self._extrinsic = np.zeros_like(self.rewards)
        self._ids = np.empty(self.rewards.shape, object)
        self._envs: BonusVecEnv | None = None

    def recompute_with(self, envs: BonusVecEnv) -> None:
        """Take bonuses from here."""
        if not isinstance(envs, BonusVecEnv):
            raise TypeError(f"envs must be a BonusVecEnv, got {envs!r}")
        if envs.shaping.episodic:
            raise ValueError("envs must not have episodic counts: they are those of an episode")
        self._envs = envs

    def add(
        self,
        obs: NDArray[Any],
        next_obs: NDArray[Any],
        action: NDArray[Any],
        reward: NDArray[Any],
        done: NDArray[Any],
        infos: list[dict[str, Any]],
    ) -> None:
        """One transition of each environment."""
        for i, info in enumerate(infos):
            self._extrinsic[self.pos, i] = info["extrinsic_reward"]
            self._ids[self.pos, i] = info.get("feature_ids")  # none where it was frozen
        super().add(obs, next_obs, action, reward, done, infos)

    def _get_samples(self, batch_inds: NDArray[np.int64], env: Any = None) -> Any:
        if self._envs is None:
            raise RuntimeError("tell the replay buffer where bonuses come from: recompute_with")
        shaping = self._envs.shaping
        for place in np.unique(batch_inds):
            for i in range(self.n_envs):
                ids = self._ids[place, i]
                bonus = 0.0 if ids is None else self._envs.worth(ids)
                extrinsic = 0.0 if shaping.intrinsic_only else self._extrinsic[place, i]
                self.rewards[place, i] = extrinsic + bonus
        return super()._get_samples(batch_inds, env)

    def __getstate__(self) -> dict[str, Any]:
        """Everything but the environments, which may be processes."""
        return {**self.__dict__, "_envs": None}
