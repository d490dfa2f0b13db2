"""The feature visit-density over binary features (Definition 1)."""

from collections.abc import Mapping
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phieb import arguments
from phieb.kernels.novelty.counting import REFUSED, Counted, observe_ids
from phieb.kernels.novelty.density import (
    EARLY,
    NUM_UNUSUAL,
    NUM_USUAL,
    OTHER,
    PLACE,
    REFERENCE,
    T,
    first_sight_log_ratio,
    new_counts,
    one_factor,
    peek,
    with_capacity,
)
from phieb.kernels.numba_support.held import Held, hold
from phieb.kernels.numba_support.jit import specialized
from phieb.sparse.active_set import ActiveSet

MAX_OBSERVATIONS = 2**53  # doubles represent integers exactly up to here


class VisitDensity:
    """ρ_t(φ) = Π_i ρ_t^i(φ_i), with one count-based factor per feature (Definition 1, §3.1).

    If feature i was on in N_i of t observations, its factor is (N + ½)/(t + 1) (KT) or N/t
    (empirical), where N = N_i if i is on and t − N_i if it is off.

    `unobserved` says which features the product includes. "leave-out": those observed so far; a
    feature joins with N = 0 in the observation in which it is first on, so that the number of
    possible features does not matter. "prototype": all `num_features`, with one shared factor for
    those not observed yet (§3.3); this is the exact joint density.

    With KT the cost of an observation depends on the number of features that switch or have an
    unusual value, not on how many have been observed, except for a sum over all features each time
    t has grown by 2 %.

    Args:
        num_features: M; ids must be below it. None: any ids >= 0 ("leave-out" only).
        estimator: "kt" or "empirical".
        unobserved: "leave-out" or "prototype".
        first_sight: a feature has the factor first_sight/(t + 1) in the observation in which it is
            first on; KT has ½. Only with KT and "leave-out". The authors' program has 1.001.
        active_set: one shared with an agent; only `CompiledLearner` updates it, not `observe`. By
            default the density has its own.

    Attributes:
        tables: the arrays of the kernels (`phieb.kernels.novelty.density.Counts`).

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
        first_sight: float = 0.5,
        active_set: ActiveSet | None = None,
    ) -> None:
        if num_features is not None:
            num_features = arguments.whole("num_features", num_features, low=1)
        self.num_features = num_features
        self.estimator = arguments.one_of("estimator", estimator, ("kt", "empirical"))
        self.unobserved = arguments.one_of("unobserved", unobserved, ("leave-out", "prototype"))
        if self.unobserved == "prototype" and num_features is None:
            raise ValueError('num_features must be given with unobserved="prototype", got None')
        self.first_sight = arguments.number("first_sight", first_sight, above=0.0)
        if self.first_sight != 0.5 and (estimator, unobserved) != ("kt", "leave-out"):
            raise ValueError(
                'first_sight must be 0.5 except with estimator="kt" and unobserved="leave-out", '
                f"got {first_sight}"
            )
        self._shares = active_set is not None
        self.active_set = ActiveSet() if active_set is None else active_set
        self.tables = new_counts(64)
        self._largest = arguments.MAX_ID if num_features is None else num_features - 1
        self._held: tuple[Counted, Held] | None = None  # what the kernel is handed, once it is
        self._main: Any = None  # the kernel, once it is known for what kinds of arrays

    @property
    def t(self) -> int:
        """The number of feature vectors observed."""
        return int(self.tables.clock[T])

    @property
    def num_observed(self) -> int:
        """The number of features that have been active at least once."""
        return len(self.active_set.rows)

    def log_density(self, active: ArrayLike) -> float:
        """Log ρ_t(φ), where φ has the features `active` on and all others off."""
        return self.peek(active)[0]

    def peek(self, active: ArrayLike) -> tuple[float, float]:
        """Log ρ_t(φ) and log ρ_{t+1}(φ) as `observe` would return them; nothing is counted."""
        ids = arguments.feature_ids("active", active, self.num_features)
        self.ensure_capacity()
        on = self.active_set.rows.known(ids)
        num_new = ids.size - on.size
        if self.estimator == "empirical":
            return self._empirical(on, num_new, 0), self._empirical(on, num_new, 1)
        log_rho, gain = peek(on, self.active_set.tables, self.tables)
        new, new_gain = one_factor(0, self.t)
        log_rho, gain = log_rho + num_new * new, gain + num_new * new_gain
        return self._whole(log_rho, gain, self.t, num_new, *self._never_on(self.t, num_new))

    def observe(self, active: ArrayLike) -> tuple[float, float]:
        """Observe φ (Algorithm 1: ρ_t, update, ρ_{t+1}); returns log ρ_t(φ) and log ρ_{t+1}(φ)."""
        if self._shares:
            raise RuntimeError(
                "the active set is shared: only the learner that owns it can observe"
            )
        empirical = self.peek(active) if self.estimator == "empirical" else None
        log_rho, gain, extra, num_new = self._count(active)
        if self.unobserved == "leave-out":
            # Rounding may make a sum positive.
            return empirical or (min(log_rho + extra, 0.0), min(log_rho + gain, 0.0))
        never_on = self._never_on(self.t - 1)
        return empirical or self._whole(log_rho, gain, self.t - 1, num_new, *never_on)

    def _count(self, active: ArrayLike) -> tuple[float, float, float, int]:
        """Log ρ_t, the gain, the share of `first_sight`, and the number of new features."""
        if type(active) is np.ndarray and active.ndim == 1 and active.dtype == np.int64:
            ids = np.ascontiguousarray(active)  # the kernel checks them
        else:
            ids = arguments.feature_ids("active", active, self.num_features)
        held = self._hold()
        if self._main is None:
            self._main = specialized(observe_ids, ids, self._largest, self.first_sight, held)
        found: tuple[float, float, float, int]
        found = self._main(ids, self._largest, self.first_sight, held)
        if found[-1] != REFUSED:
            return found
        ids = np.sort(arguments.feature_ids("active", ids, self.num_features))
        self.active_set.ensure_capacity(ids.size)
        found = self._main(ids, self._largest, self.first_sight, self._hold())
        return found

    def __getstate__(self) -> dict[str, Any]:
        """Without what is handed to the kernel: a copy makes its own."""
        return {**self.__dict__, "_held": None, "_main": None}

    def _hold(self) -> Held:
        """The tables as the kernel takes them, held anew when one has been replaced."""
        rows, active_set, held = self.active_set.rows.table, self.active_set.tables, self._held
        if (
            held is not None
            and held[0].counts is self.tables
            and held[0].rows is rows
            and held[0].active_set is active_set
        ):
            return held[1]
        self.ensure_capacity()
        counted = Counted(rows, active_set, self.tables)
        self._held = counted, hold(counted)
        return self._held[1]

    def ensure_capacity(self) -> None:
        """Grow the tables to the capacity of the active set."""
        self.tables = with_capacity(self.tables, self.active_set.rows.capacity)

    def counts_of(self, ids: ArrayLike) -> NDArray[np.int64]:
        """N_i of each of these features, in the order given; 0 for one that was never on."""
        asked, back = np.unique(np.asarray(ids, np.int64), return_inverse=True)
        rows = self.active_set.rows.known(asked)
        counts = self.tables.features[rows, OTHER]
        counts = np.where(np.isin(rows, self.active_set.on()), self.t - counts, counts)
        found = np.zeros(asked.size, np.int64)
        found[np.searchsorted(asked, self.active_set.rows.table.ids[rows])] = counts
        return found[back]

    def counts_on(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The ids of the active features, and N_i of each."""
        rows = self.active_set.on()
        return self.active_set.active_ids(), self.t - self.tables.features[rows, OTHER]

    def settings(self) -> dict[str, Any]:
        """The constructor arguments, JSON-serialisable."""
        names = ("num_features", "estimator", "unobserved", "first_sight")
        return {name: getattr(self, name) for name in names}

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything learnt, as arrays for `restore` of a density with the same settings."""
        return {
            **self.active_set.state(),
            "counts": self._counts(),
            "clock": self.tables.clock.copy(),
            "sums": self.tables.sums.copy(),
            "unusual": self.tables.unusual[: self.tables.clock[NUM_UNUSUAL]].copy(),
        }

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from a saved `state`, bit for bit."""
        active_set = ActiveSet()
        active_set.restore(state)
        ids = active_set.rows.ids()
        arguments.feature_ids("state['ids']", ids, self.num_features)
        tables, counts = new_counts(active_set.rows.capacity), np.zeros(ids.size, np.int64)
        for name, part in (("counts", counts), ("clock", tables.clock), ("sums", tables.sums)):
            saved = np.asarray(arguments.part("state", state, name))
            if saved.shape != part.shape or saved.dtype != part.dtype:
                raise ValueError(f"state[{name!r}] must be {part.dtype} {part.shape}")
            part[:] = saved
        t = int(tables.clock[T])
        if not 0 <= t <= MAX_OBSERVATIONS or not 0 <= tables.clock[REFERENCE] <= t:
            raise ValueError(f"state['clock'] must hold times in [0, {MAX_OBSERVATIONS}]")
        if np.any((counts < 1) | (counts > t)):
            raise ValueError(f"state['counts'] must hold counts in [1, t = {t}]")
        unusual = arguments.part("state", state, "unusual")
        unusual = arguments.feature_ids("state['unusual']", unusual, max(ids.size, 1))
        others = _with_on_reversed(counts, t, active_set.on())
        usual = (tables.clock[REFERENCE] >= EARLY) & (2 * others <= tables.clock[REFERENCE])
        sizes = [ids.size - unusual.size, unusual.size]
        if sizes != tables.clock[[NUM_USUAL, NUM_UNUSUAL]].tolist() or (
            not np.array_equal(np.sort(unusual), np.flatnonzero(~usual))
        ):
            raise ValueError("state['unusual'] and state['clock'] must agree with the other parts")
        tables.features[: ids.size, OTHER] = others
        tables.features[unusual, PLACE] = np.arange(unusual.size)
        tables.unusual[: unusual.size], tables.others[: unusual.size] = unusual, others[unusual]
        self.active_set.restore(state)
        self.tables = tables

    def _counts(self) -> NDArray[np.int64]:
        """(row,): N_i."""
        others = self.tables.features[: self.num_observed, OTHER]
        return _with_on_reversed(others, self.t, self.active_set.on())

    def _whole(
        self,
        log_rho: float,
        gain: float,
        t: int,
        num_new: int,
        never_on: float,
        never_on_gain: float,
    ) -> tuple[float, float]:
        """Log ρ_t and log ρ_{t+1}, with `first_sight` for new features, and unobserved ones."""
        extra = num_new * first_sight_log_ratio(self.first_sight, t)
        before, after = log_rho + extra + never_on, log_rho + gain + never_on + never_on_gain
        return min(before, 0.0), min(after, 0.0)  # rounding may make a sum positive

    def _never_on(self, t: int, num_new: int = 0) -> tuple[float, float]:
        """The share of features never observed in log ρ_t and in the gain ("prototype")."""
        if self.unobserved == "leave-out":
            return 0.0, 0.0
        count = cast(int, self.num_features) - self.num_observed - num_new
        log_rho, gain = one_factor(t, t)
        return count * log_rho, count * gain

    def _empirical(self, on: NDArray[np.int64], num_new: int, more: int) -> float:
        """Σ_i log(N/t) after `more` (0 or 1) observations of φ.

        φ has the rows `on` active, and `num_new` features that were never on before.
        """
        # Before the first observation every value is new: 0/0 is taken as 0.
        everything_is_new = self.t == 0 and self.unobserved == "prototype"
        if not more and (num_new or everything_is_new):
            return -np.inf
        counts, t = self._counts(), max(self.t + more, 1)
        off = np.ones(counts.size, bool)
        off[on] = False
        seen = np.concatenate([counts[on] + more, self.t + more - counts[off], np.ones(num_new)])
        with np.errstate(divide="ignore"):
            return float(np.log(seen / t).sum())


def _with_on_reversed(
    counts: NDArray[np.int64], t: int, on: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Convert counts of the other value to counts of "on", or back: (row,) each."""
    counts = counts.copy()
    counts[on] = t - counts[on]
    return counts
