"""φ-EB on the features of a network that learns: counts are made anew at set intervals."""

from collections.abc import Mapping
from typing import Any, NoReturn, cast

import numpy as np
from numpy.typing import NDArray
from stable_baselines3.common.base_class import BaseAlgorithm

from phieb import arguments
from phieb.novelty import PhiBonus, VisitDensity, density_from_counts
from phieb.novelty.around import BonusAround
from phieb.sb3.network_features import NetworkFeatures
from phieb.sb3.reservoir import Reservoir

_KEPT, _SEEN = "reservoir", "observations_seen"  # in a saved state


class NetworkBonus(BonusAround):
    """A `PhiBonus` that counts `NetworkFeatures`, refitted while the network learns.

    Every `every` observations (and, in the beginning, after 1, 2, 4, 8, …) the network is copied,
    medians are taken over a reservoir of past observations, and all counts are replaced:
    N_i becomes t times the share of the reservoir in which feature i is on, and t stays. While the
    reservoir holds everything, these are the counts of the new map, exactly; later, a feature
    that is on in none of it is forgotten.

    Args:
        bonus: with a `VisitDensity`; per feature or not.
        features: the map.
        every: observations between two refits.
        reservoir: how many observations are kept, a uniform sample of all.
        seed: of that sample.

    Attributes:
        refits: how often counts were replaced.
    """

    observes = "observation"
    bonus: PhiBonus

    def __init__(
        self,
        bonus: PhiBonus,
        features: NetworkFeatures,
        every: int = 10_000,
        reservoir: int = 2_000,
        seed: int = 0,
    ) -> None:
        if not isinstance(getattr(bonus, "density", None), VisitDensity):
            raise TypeError(f"bonus must be a PhiBonus with a VisitDensity, got {bonus!r}")
        if not isinstance(features, NetworkFeatures):
            raise TypeError(f"features must be NetworkFeatures, got {features!r}")
        super().__init__(bonus)
        self.features = features
        self.every = arguments.whole("every", every, low=1)
        self.capacity = arguments.whole("reservoir", reservoir, low=1)
        self.seed = arguments.whole("seed", seed)
        self._reservoir = Reservoir(self.capacity, features.shape, features.dtype, self.seed)
        self.refits = 0

    @property
    def density(self) -> VisitDensity:
        """The current one; a refit puts another in its place."""
        return cast(VisitDensity, self.bonus.density)

    def follow(self, agent: BaseAlgorithm) -> None:
        """Take the features of this agent's network; what was seen before is counted anew."""
        self.features.follow(agent)
        if self._reservoir.t:
            self.refit()

    def observe(self, seen: Any, action: int | None = None) -> float:
        """Count an observation; returns its bonus. Then counts are refitted, if it is time."""
        bonus = self.bonus.observe(self.features.active(seen))
        self._reservoir.add(seen)
        t = self._reservoir.t
        if t % self.every == 0 or (t < self.every and t & (t - 1) == 0):
            self.refit()
        return bonus

    def peek(self, seen: Any, action: int | None = None) -> tuple[float, float]:
        """The pseudocount and the bonus that observing `seen` would give; nothing is counted."""
        return self.bonus.peek(self.features.active(seen))

    def refit(self) -> None:
        """Copy the network as it is now, and count the reservoir in its features."""
        kept, t = self._reservoir.kept(), self._reservoir.t
        ids, num_on = np.unique(np.concatenate(self.features.fit(kept)), return_counts=True)
        counts = np.clip(np.rint(num_on * (t / len(kept))), 1, t).astype(np.int64)
        self.bonus.density = density_from_counts(ids, counts, t, like=self.density)
        self.refits += 1

    def settings(self) -> dict[str, Any]:
        """The constructor arguments, JSON-serialisable."""
        own = {"every": self.every, "reservoir": self.capacity, "seed": self.seed}
        return {**self.bonus.settings(), **self.features.settings(), **own}

    def state(self) -> dict[str, NDArray[Any]]:
        """Counts, network, medians and reservoir."""
        seen = np.array([self._reservoir.t, self.refits])
        own = {_KEPT: self._reservoir.kept(), _SEEN: seen}
        return {**self.bonus.state(), **self.features.state(), **own}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from what `state` returned; `follow` an agent first."""
        seen = arguments.array_part("state", state, _SEEN, np.int64, (2,))
        t, refits = (arguments.whole(f"state[{_SEEN!r}]", int(number)) for number in seen)
        shape = (min(t, self.capacity), *self.features.shape)
        kind: Any = self.features.dtype.type
        kept = arguments.array_part("state", state, _KEPT, kind, shape)
        if int(np.asarray(arguments.part("state", state, "clock")).flat[0]) != t:
            raise ValueError(f"state['clock'] must be that of {t} observations")
        before = self.features.state()
        self.features.restore(state)
        try:
            self.bonus.restore(state)
        except ValueError:
            self.features.restore(before)
            raise
        self._reservoir.restore(kept, t)
        self.refits = refits

    def __deepcopy__(self, memo: dict[int, Any]) -> NoReturn:
        """Refused: a copy would refit the features of the original."""
        raise TypeError("a NetworkBonus cannot be copied, and so cannot be episodic")
