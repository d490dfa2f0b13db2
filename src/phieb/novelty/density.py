"""The feature visit-density over binary features (Definition 1)."""

from collections.abc import Mapping
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phieb import arguments
from phieb.rows import Rows, grown


class VisitDensity:
    """ρ_t(φ) = Π_i ρ_t^i(φ_i), one count-based factor a feature (Definition 1, §3.1).

    With N_i the number of observations, out of t, in which feature i was on, a factor is
    (N + ½)/(t + 1) (KT) or N/t (empirical), with N = N_i if i is on and t − N_i if it is off.

    Which features the product runs over decides what is new. "leave-out" takes those observed so
    far, a feature joining with N = 0 in the observation where it is first on; so the number of
    possible features does not matter. "prototype" takes all `num_features`, with one shared
    factor for those not observed yet (the paper's §3.3): the exact joint density.

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
        self.t = 0
        self._rows = Rows()
        self._counts = np.zeros(0, np.int64)

    @property
    def num_observed(self) -> int:
        """How many features have been on at least once."""
        return len(self._rows)

    def log_density(self, active: ArrayLike) -> float:
        """Log ρ_t(φ) of the vector φ in which the features `active` are on, the others off."""
        ids = arguments.feature_ids("active", active, self.num_features)
        rows = self._rows.known(ids)
        return self._log_product(rows, num_new=ids.size - rows.size)

    def observe(self, active: ArrayLike) -> tuple[float, float]:
        """Algorithm 1's "ρ_t, update, ρ_{t+1}": returns log ρ_t(φ) and log ρ_{t+1}(φ)."""
        ids = arguments.feature_ids("active", active, self.num_features)
        rows = self._rows.of(ids)
        self._counts = grown(self._counts, len(self._rows))
        log_rho = self._log_product(rows)
        self._counts[rows] += 1
        self.t += 1
        return log_rho, self._log_product(rows)

    def settings(self) -> dict[str, Any]:
        """What the density was made with."""
        names = ("num_features", "estimator", "unobserved")
        return {name: getattr(self, name) for name in names}

    def state(self) -> dict[str, NDArray[np.int64]]:
        """Everything learnt, as arrays, for `restore` of a density with the same settings."""
        counts = self._counts[: len(self._rows)].copy()
        return {"t": np.array([self.t]), "ids": self._rows.ids(), "counts": counts}

    def restore(self, state: Mapping[str, NDArray[np.int64]]) -> None:
        """Continue from what `state` returned."""
        t = arguments.whole("state['t']", np.asarray(arguments.part("state", state, "t")).item())
        ids = arguments.feature_ids(
            "state['ids']", arguments.part("state", state, "ids"), self.num_features
        )
        counts = np.array(arguments.part("state", state, "counts"), np.int64)
        if counts.shape != ids.shape or np.any((counts < 1) | (counts > t)):
            raise ValueError(f"state['counts'] must hold one count in [1, t = {t}] for each id")
        self.t, self._rows, self._counts = t, Rows(), counts
        self._rows.of(ids)

    def _log_product(self, on_rows: NDArray[np.int64], num_new: int = 0) -> float:
        """Σ_i log ρ^i; `num_new` more features are on that no row is kept for yet."""
        counts = self._counts[: len(self._rows)]
        off = np.ones(counts.size, bool)
        off[on_rows] = False
        log_rho = self._log_factors(counts[on_rows]).sum()
        log_rho += self._log_factors(self.t - counts[off]).sum()
        if num_new:
            log_rho += num_new * self._log_factors(0)
        if self.unobserved == "prototype":
            num_never_on = cast(int, self.num_features) - counts.size - num_new
            if num_never_on:
                log_rho += num_never_on * self._log_factors(self.t)
        return float(log_rho)

    def _log_factors(self, n: NDArray[np.int64] | int) -> NDArray[np.float64]:
        """Log ρ^i of values that occurred n times in t observations."""
        counts = np.asarray(n, np.float64)
        if self.estimator == "kt":
            return _log_ratio(counts + 0.5, self.t + 1.0)
        # Before the first observation every value is new: 0/0 counts as 0.
        return _log_ratio(counts, max(self.t, 1))


def _log_ratio(part: NDArray[np.float64], whole: float) -> NDArray[np.float64]:
    """log(part/whole), also where the two are nearly the same: N̂ depends on the last digits."""
    with np.errstate(divide="ignore"):
        low, high = np.log(part / whole), np.log1p((part - whole) / whole)
    return np.where(2 * part > whole, high, low)
