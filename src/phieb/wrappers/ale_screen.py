"""A wrapper that provides the emulator's screen, for agents that observe something else."""

from typing import Any, SupportsFloat

import gymnasium
from gymnasium.utils import RecordConstructorArgs


class AleScreen(gymnasium.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """Adds the screen in palette bytes, which `BlobProst` requires, as `info["screen"]`.

    Observations are unchanged, and any other wrappers may be inside, for example for grey-scale
    or stacked frames.

    Args:
        env: an Atari environment of ale-py (`ALE/…-v5`).

    Example:
        >>> from phieb.features import BlobProst
        >>> from phieb.novelty import PhiBonus
        >>> from phieb.wrappers import ExplorationBonus
        >>> env = AleScreen(gymnasium.make("ALE/Venture-v5"))
        >>> env = ExplorationBonus(env, PhiBonus(), BlobProst(), info_key="screen")
    """

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        RecordConstructorArgs.__init__(self)
        gymnasium.Wrapper.__init__(self, env)
        if not hasattr(env.unwrapped, "ale"):
            raise TypeError(f"env must be an Atari environment of ale-py, got {env}")

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start an episode; `info` has its first screen."""
        observation, info = self.env.reset(seed=seed, options=options)
        return observation, self._with_screen(info)

    def step(self, action: Any) -> tuple[Any, SupportsFloat, bool, bool, dict[str, Any]]:
        """Take a step; `info` has the screen after it."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        return observation, reward, terminated, truncated, self._with_screen(info)

    def _with_screen(self, info: dict[str, Any]) -> dict[str, Any]:
        return {**info, "screen": self.unwrapped.ale.getScreen()}  # type: ignore[attr-defined]
