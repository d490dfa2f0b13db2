"""What both wrappers count with: a bonus, how much of it is added, and since when."""

import os
from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from phieb import arguments
from phieb.features import FeatureMap, features_for
from phieb.features.protocol import feature_map
from phieb.novelty import Bonus

Scale = float | Callable[[int], float]

_STEPS = "steps_with_a_bonus"  # in a saved state, beside what the bonus itself saves


class ScaledBonus(Bonus):
    """A bonus times a scale, saved with the number of steps that the scale depends on.

    Args:
        bonus: what is scaled.
        scale: a number, or a function from the number of steps so far to one.
        features: what the bonus sees with; a file of another kind or size of map is not loaded.
    """

    def __init__(self, bonus: Bonus, scale: Scale, features: FeatureMap) -> None:
        if not isinstance(bonus, Bonus):
            raise TypeError(f"bonus must be a phieb.novelty.Bonus, got {bonus!r}")
        self.bonus = bonus
        self.scale = scale if callable(scale) else arguments.number("scale", scale, low=0.0)
        self._map = {"features": type(features).__name__, "features_size": int(features.size)}
        self.steps = 0

    def observe(self, seen: Any, action: Any = None) -> float:
        """Count a state, and return what is added to the reward: nothing at a start."""
        plain = self.bonus.observe(seen, action)
        if action is None:
            return 0.0
        scale = self.scale
        if callable(scale):
            scale = arguments.number(f"scale({self.steps})", scale(self.steps), low=0.0)
        self.steps += 1
        return scale * plain

    def reset(self) -> None:
        """An episode starts."""
        self.bonus.reset()

    @property
    def _saved_by(self) -> str:
        return "a wrapper (`env.bonus.load` reads the file of a bonus alone)"

    def settings(self) -> dict[str, Any]:
        """What the bonus and the map were made with; the scale may be another one later."""
        return {"bonus": type(self.bonus).__name__, **self.bonus.settings(), **self._map}

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything learnt, and the number of steps."""
        return {**self.bonus.state(), _STEPS: np.array([self.steps])}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from what `state` returned."""
        steps = np.asarray(arguments.part("state", state, _STEPS)).item()
        steps = arguments.whole(f"state[{_STEPS!r}]", steps)
        self.bonus.restore({name: part for name, part in state.items() if name != _STEPS})
        self.steps = steps


class Watcher:
    """One environment as the bonus sees it.

    Args:
        features: its own, since a map may remember the observation before.
        bonus: one that environments may share.
    """

    def __init__(self, features: FeatureMap, bonus: ScaledBonus) -> None:
        self._features, self._bonus = features, bonus
        self._goes_on = False

    def forget(self) -> None:
        """What comes next does not follow on what was counted last: count it as a start."""
        self._goes_on = False

    def start(self, seen: Any) -> None:
        """Count the first state of an episode."""
        self._features.reset()
        self._bonus.reset()
        self._observe_first(self._features.active(seen))
        self._goes_on = True

    def arrive(self, seen: Any, action: Any) -> float | None:
        """Count the state that an action led to; returns its bonus, None if it is a start."""
        if not self._goes_on:
            self.start(seen)
            return None
        return self._bonus.observe(self._features.active(seen), action)

    def _observe_first(self, found: Any) -> None:
        try:
            self._bonus.observe(found)
        except (TypeError, ValueError) as error:
            bonus, features = type(self._bonus.bonus).__name__, type(self._features).__name__
            said = f"{bonus} cannot observe what {features} makes of a state: {error}"
            raise ValueError(f"{said}; `features` is to be a map that suits the bonus") from error


class Counting:
    """What a wrapper that counts has, for one environment or many.

    Attributes:
        bonus: the one given.
    """

    def _count_with(
        self,
        bonus: Bonus,
        features: FeatureMap | None,
        scale: Scale,
        info_key: str | None,
        observations: spaces.Space[Any],
        num_envs: int,
    ) -> None:
        features = _chosen(features, observations, info_key)
        self.bonus = bonus
        self._scaled = ScaledBonus(bonus, scale, features)
        maps = [features, *(deepcopy(features) for _ in range(num_envs - 1))]
        self._watchers = [Watcher(one, self._scaled) for one in maps]
        self._info_key = info_key
        self._frozen = False

    @property
    def frozen(self) -> bool:
        """Whether rewards are the environment's own and nothing is counted: for evaluation.

        Thawed in mid-episode, the next state is counted as a start.
        """
        return self._frozen

    @frozen.setter
    def frozen(self, frozen: bool) -> None:
        if arguments.flag("frozen", frozen) != self._frozen:
            self._frozen = bool(frozen)
            self._forget()

    @property
    def steps(self) -> int:
        """How many steps had a bonus: what a scale that is a function is told."""
        return self._scaled.steps

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write what was counted, and the number of steps, to one file."""
        self._scaled.save(path)

    def load(self, path: str | os.PathLike[str]) -> None:
        """Go on from a file that `save` wrote; reset then, as after making the environment."""
        self._scaled.load(path)
        self._forget()

    def _forget(self) -> None:
        for watcher in self._watchers:
            watcher.forget()


def _chosen(
    features: FeatureMap | None, observations: spaces.Space[Any], info_key: str | None
) -> FeatureMap:
    """The map given, or the one that suits the observations if those are looked at."""
    if features is None and info_key is not None:
        raise ValueError(f"features must be given with info_key={info_key!r}")
    if features is None:
        return features_for(observations)
    return feature_map("features", features)


def action_number(space: spaces.Space[Any], action: Any) -> Any:
    """Of a discrete action, counting from 0; other actions as they are."""
    if isinstance(space, spaces.Discrete):
        return int(np.asarray(action).item()) - int(space.start)
    return action
