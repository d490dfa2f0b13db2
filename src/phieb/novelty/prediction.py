"""The prediction error of a model of the dynamics (MP-EB, Stadie et al. 2015)."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phieb import arguments
from phieb.kernels.novelty.prediction import learn, scatter
from phieb.novelty.base import BONUSES, Bonus


class PredictionErrorBonus(Bonus):
    """β·ē/(t·C), where e = ‖σ(s′) − M(σ(s), a)‖² and ē is e over the largest e so far.

    This is the bonus of Stadie, Levine & Abbeel (2015) with a small model: σ hashes the ids of the
    active features into a vector of norm about 1, and M is one linear map per action, initially 0,
    trained by normalised least mean squares after every prediction.

    t counts all predictions, so that the same error earns less and less, however rare it is: after
    10⁶ decisions even the largest error earns only β/(10⁶·C). Only β/C matters, and it must be
    large for the bonus to last.

    At the start of an episode there is nothing to predict from, and the bonus is 0.

    Args:
        beta: β, the scale of the bonus.
        num_actions: the number of actions.
        size: dimension of σ.
        decay: C; None omits the divisor t·C, so that the bonus is β·ē.
        learning_rate: the fraction of an error that one update removes.
        seed: of the hash.

    Attributes:
        t: the number of predictions.

    Example:
        >>> bonus = PredictionErrorBonus(beta=1.0, num_actions=2, decay=None, learning_rate=0.5)
        >>> bonus.observe([3])
        0.0
        >>> [round(bonus.observe([3], action=0), 3) for _ in range(3)]
        [1.0, 0.25, 0.062]
    """

    def __init__(
        self,
        beta: float,
        num_actions: int,
        size: int = 128,
        decay: float | None = 1.0,
        learning_rate: float = 0.1,
        seed: int = 0,
    ) -> None:
        self.beta = arguments.number("beta", beta, low=0.0)
        self.num_actions = arguments.whole("num_actions", num_actions, low=1)
        self.size = arguments.whole("size", size, low=1)
        self.decay = None if decay is None else arguments.number("decay", decay, above=0.0)
        self.learning_rate = arguments.number("learning_rate", learning_rate, above=0.0, high=1.0)
        self.seed = arguments.whole("seed", seed, high=2**63 - 1)
        self.t = 0
        self._model = np.zeros((self.num_actions, self.size, self.size))
        self._error = np.zeros(self.size)
        self._largest = 0.0  # error so far
        self._before: NDArray[np.float64] | None = None  # σ(s)

    def observe(self, seen: Any, action: int | None = None) -> float:
        """Predict the active features `seen`, then learn; returns the bonus of the error."""
        ids = arguments.feature_ids("seen", seen)
        if action is not None:
            action = arguments.whole("action", action, high=self.num_actions - 1)
        after = np.empty(self.size)
        scatter(ids, self.seed, after)
        before, self._before = self._before, after
        if before is None or action is None:
            return 0.0
        error = learn(self._model[action], before, after, self.learning_rate, self._error)
        self.t += 1
        self._largest = max(self._largest, error)
        normalised = error / self._largest if self._largest else 0.0
        return self.beta * normalised / (1.0 if self.decay is None else self.t * self.decay)

    def reset(self) -> None:
        """Start an episode: the next observation is not predicted."""
        self._before = None

    def settings(self) -> dict[str, Any]:
        """The constructor arguments, JSON-serialisable."""
        names = ("beta", "num_actions", "size", "decay", "learning_rate", "seed")
        return {name: getattr(self, name) for name in names}

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything learnt, as arrays for `restore` of a bonus with the same settings."""
        return {
            "model": self._model.copy(),
            "before": np.empty(0) if self._before is None else self._before.copy(),
            "largest_error": np.array([self._largest]),
            "t": np.array([self.t]),
        }

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from a saved `state`."""
        floats = {
            name: arguments.array_part("state", state, name, np.float64, shape)
            for name, shape in (
                ("model", self._model.shape),
                ("before", (None,)),
                ("largest_error", (1,)),
            )
        }
        for name, part in floats.items():
            if not np.isfinite(part).all():
                raise ValueError(f"state[{name!r}] must hold finite numbers")
        before, largest = floats["before"], floats["largest_error"].item()
        t = arguments.array_part("state", state, "t", np.int64, (1,)).item()
        if before.size not in (0, self.size):
            raise ValueError(f"state['before'] must hold 0 or {self.size}, got {before.size}")
        if largest < 0.0 or t < 0:
            raise ValueError(
                f"state['largest_error'] and state['t'] must be >= 0, got {largest} and {t}"
            )
        self._model, self._largest, self.t = floats["model"].copy(), largest, t
        self._before = before.copy() if before.size else None


DECAY = 0.001  # C in training: the largest error earns β after 1,000 decisions, then less


@BONUSES.declare("mp", label="MP", citation="Stadie, Levine & Abbeel 2015")
def mp(beta: float, num_actions: int, seed: int) -> PredictionErrorBonus:
    """The prediction error of a model of the dynamics."""
    return PredictionErrorBonus(beta, num_actions, decay=DECAY, seed=seed)
