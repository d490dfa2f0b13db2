"""What the bonus does, beside the scores in the log; and it is saved with the model."""

import io
import math
from pathlib import Path
from typing import Any

from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import unwrap_vec_wrapper

from phieb import arguments
from phieb.files import writing
from phieb.sb3.vec_env import BonusVecEnv


class BonusCallback(BaseCallback):  # type: ignore[misc]  # typed only where it is installed
    """Logs `bonus/mean`, `bonus/pseudocount` and `bonus/observed`; saves bonus and model together.

    Means are over the steps since the log was last written. `bonus/observed` is how many different
    features, or keys, have been seen, of a bonus that says so.

    Args:
        folder: where to save `model.zip` and `bonus.safetensors` (`BonusVecEnv.save`); None:
            nothing is saved.
        every: also save after so many steps; None: at the end of training only.
    """

    def __init__(self, folder: str | Path | None = None, every: int | None = None) -> None:
        super().__init__()
        self._folder = None if folder is None else Path(folder)
        self._every = None if every is None else arguments.whole("every", every, low=1)
        if self._every is not None and self._folder is None:
            raise ValueError(f"folder must be given with every={every}")
        self._saved_at = 0

    def _on_training_start(self) -> None:
        self._saved_at = self.num_timesteps
        self._envs()  # says at once if there is no bonus

    def _on_step(self) -> bool:
        for info in self.locals["infos"]:
            self._record("bonus/mean", info.get("bonus", math.nan))
            self._record("bonus/pseudocount", info.get("pseudocount", math.nan))
        observed = _num_observed(self._envs())
        if observed is not None:
            self.logger.record("bonus/observed", observed)
        if self._every is not None and self.num_timesteps - self._saved_at >= self._every:
            self._save()
        return True

    def _on_training_end(self) -> None:
        self._save()

    def _record(self, name: str, number: float) -> None:
        if math.isfinite(number):  # infinite where nothing was learnt, NaN of a bonus without
            self.logger.record_mean(name, number)

    def _envs(self) -> BonusVecEnv:
        envs: BonusVecEnv | None = unwrap_vec_wrapper(self.training_env, BonusVecEnv)
        if envs is None:
            raise ValueError(f"the environments must have a BonusVecEnv, got {self.training_env}")
        return envs

    def _save(self) -> None:
        if self._folder is None:
            return
        model = io.BytesIO()
        self.model.save(model)
        writing.make_folder(self._folder)
        writing.write(self._folder / "model.zip", model.getvalue())
        self._envs().save(self._folder / "bonus.safetensors")
        self._saved_at = self.num_timesteps


def _num_observed(envs: BonusVecEnv) -> int | None:
    bonus: Any = envs.bonus
    return getattr(getattr(bonus, "density", bonus), "num_observed", None)
