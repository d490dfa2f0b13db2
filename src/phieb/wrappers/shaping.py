"""Scaling and normalisation of a bonus that is added to rewards, saved together with it."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from phieb import arguments
from phieb.features import FeatureMap
from phieb.novelty import Bonus

Scale = float | Callable[[int], float]
Normalise = Literal["returns"] | None

# Names of arrays in a saved state, in addition to those of the bonus.
_STEPS, _RETURNS = "steps_with_a_bonus", "returns_of_the_bonus"


@dataclass(frozen=True)
class Shaping:
    """How a bonus is added to rewards: the options of `ExplorationBonus`.

    Args:
        scale: a factor of the bonus: a number, or a function of the number of steps.
        normalise: "returns" divides the bonus by the standard deviation of its return.
        gamma: the discount of that return.
        episodic: True: counts are reset when an episode starts. A bonus: its counts are, and it
            is multiplied with the other bonus.
        intrinsic_only: whether the bonus replaces the reward.
    """

    scale: Scale = 1.0
    normalise: Normalise = None
    gamma: float = 0.99
    episodic: bool | Bonus = False
    intrinsic_only: bool = False

    def __post_init__(self) -> None:
        if not callable(self.scale):
            arguments.number("scale", self.scale, low=0.0)
        if self.normalise is not None:
            arguments.one_of("normalise", self.normalise, ("returns",))
        arguments.number("gamma", self.gamma, low=0.0, high=1.0)
        if not isinstance(self.episodic, bool | np.bool_ | Bonus):
            raise TypeError(f"episodic must be True, False or a bonus, got {self.episodic!r}")
        arguments.flag("intrinsic_only", self.intrinsic_only)

    def settings(self) -> dict[str, Any]:
        """The options that a saved bonus depends on, which `scale` is not."""
        episodic: Any = self.episodic
        if isinstance(episodic, Bonus):
            episodic = {"bonus": type(episodic).__name__, **episodic.settings()}
        gamma = self.gamma if self.normalise else None
        return {"normalise": self.normalise, "gamma": gamma, "episodic": episodic or None}


class Spread:
    """The running standard deviation of a sequence of numbers, of which the first is 0.

    Example:
        >>> spread = Spread()
        >>> spread.learn(4.0)
        >>> spread.deviation
        2.0
    """

    def __init__(self) -> None:
        self._count, self._mean, self._squares = 1.0, 0.0, 0.0

    def learn(self, value: float) -> None:
        """Add a number (Welford 1962)."""
        self._count += 1.0
        before = value - self._mean
        self._mean += before / self._count
        self._squares += before * (value - self._mean)

    @property
    def deviation(self) -> float:
        """The standard deviation; 0 as long as all numbers were 0."""
        return math.sqrt(self._squares / self._count)

    def state(self) -> NDArray[np.float64]:
        """(3,): the count, the mean, and the sum of squared deviations."""
        return np.array([self._count, self._mean, self._squares])

    def restore(self, state: NDArray[np.float64]) -> None:
        """Continue from a saved `state`."""
        self._count, self._mean, self._squares = state.tolist()


class ShapedBonus(Bonus):
    """A bonus shared by environments, with the statistics for its normalisation.

    Args:
        bonus: the exploration bonus.
        shaping: how it is added to rewards.
        features: its feature map; `load` refuses a file saved with another class or size of map.
    """

    def __init__(self, bonus: Bonus, shaping: Shaping, features: FeatureMap) -> None:
        if not isinstance(bonus, Bonus):
            raise TypeError(f"bonus must be a phieb.novelty.Bonus, got {bonus!r}")
        self.bonus, self.shaping = bonus, shaping
        self._map = {"features": type(features).__name__, "features_size": int(features.size)}
        self.steps, self._spread = 0, Spread()

    def observe(self, seen: Any, action: int | None = None) -> float:
        """Count a state; returns its bonus before scaling."""
        return self.bonus.observe(seen, action)

    def reset(self) -> None:
        """Start an episode: forget the previous observation."""
        self.bonus.reset()

    def added(self, bonus: float, total: float) -> tuple[float, float]:
        """Scale the bonus of a step, and update the statistics of its return.

        Args:
            bonus: the bonus of the step.
            total: the discounted sum of bonuses in this environment and episode before the step.

        Returns:
            The scaled bonus, and the discounted sum after the step.
        """
        total = self.shaping.gamma * total + bonus
        if self.shaping.normalise:
            self._spread.learn(total)
        scaled = self.scaled(bonus)
        self.steps += 1
        return scaled, total

    def scaled(self, bonus: float) -> float:
        """The scaled bonus; the statistics are not changed."""
        scale = self.shaping.scale
        if callable(scale):
            scale = arguments.number(f"scale({self.steps})", scale(self.steps), low=0.0)
        # If the deviation is 0, all bonuses were 0, including this one.
        deviation = self._spread.deviation if self.shaping.normalise else 1.0
        return scale * bonus / (deviation or 1.0)

    @property
    def _saved_by(self) -> str:
        return "a wrapper (`env.bonus.load` reads the file of a bonus alone)"

    @property
    def _key(self) -> str:
        return "phieb.ScaledBonus"  # its name in the files of earlier versions

    def settings(self) -> dict[str, Any]:
        """The settings of bonus, feature map and normalisation, JSON-serialisable."""
        made = {"bonus": type(self.bonus).__name__, **self.bonus.settings(), **self._map}
        return {**made, **self.shaping.settings()}

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything learnt, as arrays for `restore`."""
        returns = {_RETURNS: self._spread.state()} if self.shaping.normalise else {}
        return {**self.bonus.state(), _STEPS: np.array([self.steps]), **returns}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from a saved `state`."""
        steps = np.asarray(arguments.part("state", state, _STEPS)).item()
        steps = arguments.whole(f"state[{_STEPS!r}]", steps)
        returns = None
        if self.shaping.normalise:
            returns = arguments.array_part("state", state, _RETURNS, np.float64, (3,))
            if not np.isfinite(returns).all() or returns[0] < 1.0 or returns[2] < 0.0:
                raise ValueError(f"state[{_RETURNS!r}] must hold a count, a mean and squares")
        own = (_STEPS, _RETURNS)
        self.bonus.restore({name: part for name, part in state.items() if name not in own})
        self.steps = steps
        if returns is not None:
            self._spread.restore(returns)
