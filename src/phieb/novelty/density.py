"""The feature visit-density over binary features (Definition 1)."""

from collections.abc import Mapping
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phieb import arguments
from phieb.kernels.novelty.density import (
    EARLY,
    NUM_UNUSUAL,
    NUM_USUAL,
    OTHER,
    PLACE,
    REFERENCE,
    T,
    density_and_gain,
    head_start,
    new_counts,
    observe,
    one_factor,
    with_room,
)
from phieb.kernels.sparse.active import FIRST_NEW, see
from phieb.sparse.active_set import ActiveSet

MOST_OBSERVATIONS = 2**53  # as far as whole numbers are exact


class VisitDensity:
    """ρ_t(φ) = Π_i ρ_t^i(φ_i), one count-based factor a feature (Definition 1, §3.1).

    With N_i the number of observations, out of t, in which feature i was on, a factor is
    (N + ½)/(t + 1) (KT) or N/t (empirical), with N = N_i if i is on and t − N_i if it is off.

    Which features the product runs over decides what is new. "leave-out" takes those observed so
    far, a feature joining with N = 0 in the observation where it is first on; so the number of
    possible features does not matter. "prototype" takes all `num_features`, with one shared
    factor for those not observed yet (the paper's §3.3): the exact joint density.

    With KT the cost of an observation depends on the features that switch and on those whose value
    is unusual, not on how many were ever observed, but for a sum over all whenever t has grown by
    2 %.

    Args:
        num_features: M; ids must be below it. None: any ids >= 0 ("leave-out" only).
        estimator: "kt" or "empirical".
        unobserved: "leave-out" or "prototype".
        first_sight: a feature has ρ = first_sight/(t + 1) in the observation where it is first on,
            with "leave-out" and KT, whose own is ½. The authors' program has 1.001.
        active_set: one that is shared with an agent; `CompiledLearner` fills
            it, and `observe` cannot be called. By default its own.

    Attributes:
        tables: what the kernels work on (`phieb.kernels.novelty.density.Counts`).

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
            raise ValueError('first_sight must be 0.5 but with "kt" and "leave-out"')
        self._shares = active_set is not None
        self.active_set = ActiveSet() if active_set is None else active_set
        self.tables = new_counts(64)

    @property
    def t(self) -> int:
        """How many feature vectors have been observed."""
        return int(self.tables.clock[T])

    @property
    def num_observed(self) -> int:
        """How many features have been on at least once."""
        return len(self.active_set.rows)

    def log_density(self, active: ArrayLike) -> float:
        """Log ρ_t(φ) of the vector φ in which the features `active` are on, the others off."""
        return self.peek(active)[0]

    def peek(self, active: ArrayLike) -> tuple[float, float]:
        """Log ρ_t(φ) and what log ρ_{t+1}(φ) would be, without observing φ."""
        ids = arguments.feature_ids("active", active, self.num_features)
        self.make_room()
        on = self.active_set.rows.known(ids)
        num_new = ids.size - on.size
        if self.estimator == "empirical":
            return self._empirical(on, num_new, 0), self._empirical(on, num_new, 1)
        log_rho, gain = density_and_gain(on, self.active_set.tables, self.tables)
        new, new_gain = one_factor(0, self.t)
        log_rho, gain = log_rho + num_new * new, gain + num_new * new_gain
        return self._whole(log_rho, gain, self.t, num_new, *self._never_on(num_new))

    def observe(self, active: ArrayLike) -> tuple[float, float]:
        """Algorithm 1's "ρ_t, update, ρ_{t+1}": returns log ρ_t(φ) and log ρ_{t+1}(φ)."""
        if self._shares:
            raise RuntimeError("the active set is shared: the learner that fills it counts")
        ids = arguments.feature_ids("active", active, self.num_features)
        empirical = self.peek(ids) if self.estimator == "empirical" else None
        self.active_set.make_room(ids.size)
        self.make_room()
        see(ids, self.active_set.rows.table, self.active_set.tables)
        never_on = self._never_on()
        log_rho, gain = observe(self.num_observed, self.active_set.tables, self.tables)
        num_new = self.num_observed - int(self.active_set.tables.sizes[FIRST_NEW])
        return empirical or self._whole(log_rho, gain, self.t - 1, num_new, *never_on)

    def make_room(self) -> None:
        """Room for all that the active set has room for."""
        self.tables = with_room(self.tables, self.active_set.rows.capacity)

    def settings(self) -> dict[str, Any]:
        """What the density was made with."""
        names = ("num_features", "estimator", "unobserved", "first_sight")
        return {name: getattr(self, name) for name in names}

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything learnt, as arrays, for `restore` of a density with the same settings."""
        return {
            **self.active_set.state(),
            "counts": self._counts(),
            "clock": self.tables.clock.copy(),
            "sums": self.tables.sums.copy(),
            "unusual": self.tables.unusual[: self.tables.clock[NUM_UNUSUAL]].copy(),
        }

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from what `state` returned, to the last bit."""
        active_set = ActiveSet()
        active_set.restore(state)
        ids = active_set.rows.ids()
        arguments.feature_ids("state['ids']", ids, self.num_features)
        room, counts = new_counts(active_set.rows.capacity), np.zeros(ids.size, np.int64)
        for name, part in (("counts", counts), ("clock", room.clock), ("sums", room.sums)):
            saved = np.asarray(arguments.part("state", state, name))
            if saved.shape != part.shape or saved.dtype != part.dtype:
                raise ValueError(f"state[{name!r}] must be {part.dtype} {part.shape}")
            part[:] = saved
        t = int(room.clock[T])
        if not 0 <= t <= MOST_OBSERVATIONS or not 0 <= room.clock[REFERENCE] <= t:
            raise ValueError(f"state['clock'] must hold times in [0, {MOST_OBSERVATIONS}]")
        if np.any((counts < 1) | (counts > t)):
            raise ValueError(f"state['counts'] must hold counts in [1, t = {t}]")
        unusual = arguments.part("state", state, "unusual")
        unusual = arguments.feature_ids("state['unusual']", unusual, max(ids.size, 1))
        others = _with_on_reversed(counts, t, active_set.on())
        usual = (room.clock[REFERENCE] >= EARLY) & (2 * others <= room.clock[REFERENCE])
        sizes = [ids.size - unusual.size, unusual.size]
        if sizes != room.clock[[NUM_USUAL, NUM_UNUSUAL]].tolist() or (
            not np.array_equal(np.sort(unusual), np.flatnonzero(~usual))
        ):
            raise ValueError("state['unusual'] and state['clock'] must agree with the other parts")
        room.features[: ids.size, OTHER] = others
        room.features[unusual, PLACE] = np.arange(unusual.size)
        room.unusual[: unusual.size], room.others[: unusual.size] = unusual, others[unusual]
        self.active_set.restore(state)
        self.tables = room

    def _counts(self) -> NDArray[np.int64]:
        """N_i by row."""
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
        """Log ρ_t and log ρ_{t+1}, with a head start for new features, and those never observed."""
        ahead = num_new * head_start(self.first_sight, t)
        before, after = log_rho + ahead + never_on, log_rho + gain + never_on + never_on_gain
        return min(before, 0.0), min(after, 0.0)  # by rounding a sum may be above

    def _never_on(self, num_new: int = 0) -> tuple[float, float]:
        """What the features never observed add to log ρ_t and to the gain ("prototype")."""
        if self.unobserved == "leave-out":
            return 0.0, 0.0
        count = cast(int, self.num_features) - self.num_observed - num_new
        log_rho, gain = one_factor(self.t, self.t)
        return count * log_rho, count * gain

    def _empirical(self, on: NDArray[np.int64], num_new: int, more: int) -> float:
        """Σ_i log(N/t), plainly, or after one `more` observation.

        `num_new` more features are on that were never on before.
        """
        # Before the first observation every value is new: 0/0 counts as 0.
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
    """From how often each feature had the other value to how often it was on, and back."""
    counts = counts.copy()
    counts[on] = t - counts[on]
    return counts
