"""Counting of states, shared by the wrappers: one bonus, and a feature map per environment."""

import os
from copy import deepcopy
from typing import Any

import numpy as np
from gymnasium import spaces

from phieb import arguments
from phieb.features import FeatureMap, Unchanged, features_for
from phieb.features.protocol import feature_map
from phieb.novelty import Bonus
from phieb.wrappers.shaping import ShapedBonus, Shaping


class Watcher:
    """Counts the states of one environment.

    Args:
        name: the name of the environment, for error messages.
        features: its feature map, not shared because it may remember the previous observation.
        shared: the bonus, shared by all environments.

    Attributes:
        ids: the features of the last observation.
    """

    def __init__(self, name: str, features: FeatureMap, shared: ShapedBonus) -> None:
        self._name, self._features, self._shared = name, features, shared
        episodic = shared.shaping.episodic
        self._product = isinstance(episodic, Bonus)
        forgets = episodic if isinstance(episodic, Bonus) else shared.bonus
        self._own = deepcopy(forgets) if episodic else None  # reset when an episode starts
        self._nothing = {} if self._own is None else self._own.state()
        self._goes_on, self._total = False, 0.0
        self.ids: Any = None

    @property
    def pseudocount(self) -> float:
        """The pseudocount of the last state; with `episodic=True` that within the episode."""
        alone = self._own if self._own is not None and not self._product else self._shared.bonus
        return alone.pseudocount

    def forget(self) -> None:
        """Count the next state as the first of an episode."""
        self._goes_on = False

    def start(self, seen: Any) -> None:
        """Count the first state of an episode."""
        self._features.reset()
        self._shared.reset()
        if self._own is not None:
            self._own.restore(self._nothing)
            self._own.reset()
        self._look(seen)
        try:
            self._observe(None)
        except (TypeError, ValueError) as error:
            bonus, features = type(self._shared.bonus).__name__, type(self._features).__name__
            said = f"{bonus} cannot observe the output of {features}: {error}"
            raise ValueError(f"{said}; choose `features` that suit the bonus") from error
        self._goes_on, self._total = True, 0.0

    def arrive(self, seen: Any, action: Any) -> float | None:
        """Count the state that an action led to; returns its scaled bonus.

        If it is the first state of an episode, it is counted as such and None is returned.
        """
        if not self._goes_on:
            self.start(seen)
            return None
        self._look(seen)
        added, self._total = self._shared.added(self._observe(action), self._total)
        return added

    def _look(self, seen: Any) -> None:
        try:
            self.ids = self._features.active(seen)
        except ValueError as error:
            raise ValueError(f"{self._name}: {error}") from error

    def _observe(self, action: Any) -> float:
        if self._own is None:
            return self._shared.observe(self.ids, action)
        within = self._own.observe(self.ids, action)
        return within * self._shared.observe(self.ids, action) if self._product else within


class Counting:
    """The part that the wrappers for single and vector environments have in common.

    Attributes:
        bonus: the exploration bonus.
        features: the feature map, given or chosen: `Unchanged` for a bonus that observes
            observations, otherwise by `features_for`.
    """

    def _count_with(
        self,
        bonus: Bonus,
        features: FeatureMap | None,
        shaping: Shaping,
        info_key: str | None,
        observations: spaces.Space[Any],
        names: list[str],
    ) -> None:
        self.features = _chosen(features, bonus, observations, info_key)
        self.bonus = bonus
        self._shaped = ShapedBonus(bonus, shaping, self.features)
        maps = [self.features, *(deepcopy(self.features) for _ in names[1:])]
        pairs = zip(names, maps, strict=True)
        self._watchers = [Watcher(name, one, self._shaped) for name, one in pairs]
        self._info_key = info_key
        self._frozen = False
        if len(names) > 1 and bonus.remembers and shaping.episodic is not True:
            raise ValueError(
                f"bonus must not remember the previous observation when {len(names)} environments "
                f"share it, and {type(bonus).__name__} does: wrap each environment in an "
                "ExplorationBonus with its own bonus"
            )

    @property
    def frozen(self) -> bool:
        """Whether rewards are returned unchanged and nothing is counted, for evaluation.

        If it is set to False within an episode, the next state is counted as a first state.
        """
        return self._frozen

    @frozen.setter
    def frozen(self, frozen: bool) -> None:
        if arguments.flag("frozen", frozen) != self._frozen:
            self._frozen = bool(frozen)
            self._forget()

    @property
    def steps(self) -> int:
        """The number of steps with a bonus, which is the argument of a `scale` function."""
        return self._shaped.steps

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the counts and the number of steps to a safetensors file."""
        self._shaped.save(path)

    def load(self, path: str | os.PathLike[str]) -> None:
        """Continue from a file that `save` wrote; reset the environment afterwards."""
        self._shaped.load(path)
        self._forget()

    def _forget(self) -> None:
        for watcher in self._watchers:
            watcher.forget()

    def _said_of(self, env: object) -> str:
        """The repr of the wrapper: its bonus, its feature map, and the environment."""
        features, bonus = self.features, type(self.bonus).__name__
        has_words = type(features).__repr__ is not object.__repr__
        words = repr(features) if has_words else f"{type(features).__name__} of {features.size:,}"
        return f"<{type(self).__name__}({bonus}, {words}){env}>"


def _chosen(
    features: FeatureMap | None,
    bonus: Bonus,
    observations: spaces.Space[Any],
    info_key: str | None,
) -> FeatureMap:
    """The given feature map, or one that suits the bonus and the observation space."""
    if features is None and info_key is not None:
        raise ValueError(f"features must be given with info_key={info_key!r}")
    if features is None and getattr(bonus, "observes", "") == "observation":
        return Unchanged(observations)
    if features is None:
        return features_for(observations)
    return feature_map("features", features)


def action_number(space: spaces.Space[Any], action: Any) -> Any:
    """The number of a discrete action, from 0; other actions are returned unchanged."""
    if isinstance(space, spaces.Discrete):
        return int(np.asarray(action).item()) - int(space.start)
    return action
