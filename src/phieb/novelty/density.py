"""The feature visit-density over binary features (Definition 1)."""

from collections.abc import Mapping
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phieb import arguments
from phieb.kernels.density import (
    NUM_FEATURES,
    NUM_FREQUENT,
    T,
    density_and_gain,
    new_counts,
    observe,
    one_factor,
    with_room,
)
from phieb.rows import Rows


class VisitDensity:
    """ρ_t(φ) = Π_i ρ_t^i(φ_i), one count-based factor a feature (Definition 1, §3.1).

    With N_i the number of observations, out of t, in which feature i was on, a factor is
    (N + ½)/(t + 1) (KT) or N/t (empirical), with N = N_i if i is on and t − N_i if it is off.

    Which features the product runs over decides what is new. "leave-out" takes those observed so
    far, a feature joining with N = 0 in the observation where it is first on; so the number of
    possible features does not matter. "prototype" takes all `num_features`, with one shared
    factor for those not observed yet (the paper's §3.3): the exact joint density.

    With KT the cost of an observation depends on the features that are on, not on how many were
    ever observed, but for a sum over all of them whenever t has grown by 2 %.

    Args:
        num_features: M; ids must be below it. None: any ids >= 0 ("leave-out" only).
        estimator: "kt" or "empirical".
        unobserved: "leave-out" or "prototype".

    Example: the worked example of §3.1.
        >>> density = VisitDensity(num_features=3, unobserved="prototype")
        >>> for _ in range(3):
        ...     log_rho, log_rho_prime = density.observe([1])  # φ = (0, 1, 0)
        >>> round(float(np.exp(density.log_density([0, 1]))), 4)  # ⅛·⅞·⅞
        0.0957
        >>> round(float(np.exp(density.log_density([0, 2]))), 4)  # ⅛·⅛·⅛
        0.002
    """

    def __init__(
        self,
        num_features: int | None = None,
        estimator: Literal["kt", "empirical"] = "kt",
        unobserved: Literal["leave-out", "prototype"] = "leave-out",
    ) -> None:
        if num_features is not None:
            num_features = arguments.whole("num_features", num_features, low=1)
        self.num_features = num_features
        self.estimator = arguments.one_of("estimator", estimator, ("kt", "empirical"))
        self.unobserved = arguments.one_of("unobserved", unobserved, ("leave-out", "prototype"))
        if self.unobserved == "prototype" and num_features is None:
            raise ValueError('num_features must be given with unobserved="prototype", got None')
        self._rows = Rows()
        self._counts = new_counts(0)

    @property
    def t(self) -> int:
        """How many feature vectors have been observed."""
        return int(self._counts.clock[T])

    @property
    def num_observed(self) -> int:
        """How many features have been on at least once."""
        return len(self._rows)

    def log_density(self, active: ArrayLike) -> float:
        """Log ρ_t(φ) of the vector φ in which the features `active` are on, the others off."""
        ids = arguments.feature_ids("active", active, self.num_features)
        on = self._rows.known(ids)
        num_new = ids.size - on.size
        if self.estimator == "empirical":
            return self._empirical(on, num_new)
        log_rho, _ = density_and_gain(on, self._counts)
        new, _ = one_factor(0, self.t)
        never_on, _ = self._never_on(num_new)
        return float(log_rho + num_new * new + never_on)

    def observe(self, active: ArrayLike) -> tuple[float, float]:
        """Algorithm 1's "ρ_t, update, ρ_{t+1}": returns log ρ_t(φ) and log ρ_{t+1}(φ)."""
        ids = arguments.feature_ids("active", active, self.num_features)
        on = self._rows.of(ids)
        num_features = len(self._rows)
        self._counts = with_room(self._counts, num_features)
        if self.estimator == "empirical":
            before = self._empirical(on)
            observe(on, num_features, self._counts)
            return before, self._empirical(on)
        never_on, never_on_gain = self._never_on()
        log_rho, gain = observe(on, num_features, self._counts)
        log_rho += never_on
        return float(log_rho), float(log_rho + gain + never_on_gain)

    def settings(self) -> dict[str, Any]:
        """What the density was made with."""
        names = ("num_features", "estimator", "unobserved")
        return {name: getattr(self, name) for name in names}

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything learnt, as arrays, for `restore` of a density with the same settings."""
        counts, clock, sums, frequent, _ = self._counts
        return {
            "ids": self._rows.ids(),
            "counts": counts[: len(self._rows)].copy(),
            "clock": clock.copy(),
            "sums": sums.copy(),
            "frequent": frequent[: clock[NUM_FREQUENT]].copy(),
        }

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from what `state` returned, to the last bit."""
        ids = arguments.part("state", state, "ids")
        ids = arguments.feature_ids("state['ids']", ids, self.num_features)
        restored = with_room(new_counts(0), ids.size)
        for name, part, kind in (
            ("counts", restored.counts[: ids.size], "i"),
            ("clock", restored.clock, "i"),
            ("sums", restored.sums, "f"),
        ):
            saved = np.asarray(arguments.part("state", state, name))
            if saved.shape != part.shape or saved.dtype.kind != kind:
                raise ValueError(f"state[{name!r}] must have shape {part.shape} and kind {kind}")
            part[:] = saved
        t, counts = int(restored.clock[T]), restored.counts[: ids.size]
        if t < 0 or np.any((counts < 1) | (counts > t)):
            raise ValueError(f"state['counts'] must hold counts in [1, t = {t}]")
        frequent = arguments.part("state", state, "frequent")
        frequent = arguments.feature_ids("state['frequent']", frequent, max(ids.size, 1))
        if [ids.size, frequent.size] != restored.clock[[NUM_FEATURES, NUM_FREQUENT]].tolist():
            raise ValueError("state['clock'] must agree with the other parts")
        restored.frequent[: frequent.size] = frequent
        self._counts, self._rows = restored, Rows()
        self._rows.of(ids)

    def _never_on(self, num_new: int = 0) -> tuple[float, float]:
        """What the features never observed add to log ρ_t and to the gain ("prototype")."""
        if self.unobserved == "leave-out":
            return 0.0, 0.0
        count = cast(int, self.num_features) - len(self._rows) - num_new
        log_rho, gain = one_factor(self.t, self.t)
        return count * log_rho, count * gain

    def _empirical(self, on: NDArray[np.int64], num_new: int = 0) -> float:
        """Σ_i log(N/t), plainly; `num_new` more features are on that were never on before."""
        counts, t = self._counts.counts[: len(self._rows)], max(self.t, 1)
        off = np.ones(counts.size, bool)
        off[on] = False
        # Before the first observation every value is new: 0/0 counts as 0.
        everything_is_new = self.t == 0 and self.unobserved == "prototype"
        if num_new or everything_is_new:
            return -np.inf
        with np.errstate(divide="ignore"):
            return float(np.log(counts[on] / t).sum() + np.log((self.t - counts[off]) / t).sum())
