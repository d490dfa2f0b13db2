"""Counts of hashed observations (#Exploration, Tang et al. 2017)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from phieb import arguments
from phieb.features import Bass, Grey
from phieb.kernels.novelty.simhash import project
from phieb.novelty.base import BONUSES
from phieb.novelty.observing import ObservingBonus
from phieb.novelty.visits import VisitBonus


class SimHashBonus(VisitBonus):
    """β/√n(c), where n counts occurrences of the code c = sign(A·g), including this one.

    A has a row of N(0, 1) entries for each bit. The probability that a bit differs between two
    vectors is their angle over π, so similar vectors share a code; with more bits they have to be
    more similar. Tang et al. (2017) use 64 to 256 bits and β = 0.01·256/bits.

    Args:
        beta: β, the scale of the bonus.
        size: length of the vectors g; the `size` of `Grey` or `Bass`.
        bits: length of the code.
        seed: of A.

    Attributes:
        pseudocount: n − 1 of the last observation (0 before the first).

    Example:
        >>> bonus = SimHashBonus(beta=1.0, size=3)
        >>> first, longer, opposite = [1, 2, 3], [2, 4, 6], [-1, -2, -3]
        >>> [round(bonus.observe(g), 3) for g in (first, longer, opposite)]
        [1.0, 0.707, 1.0]
    """

    def __init__(self, beta: float, size: int, bits: int = 64, seed: int = 0) -> None:
        self.size = arguments.whole("size", size, low=1)
        self.bits = arguments.whole("bits", bits, low=1)
        self.seed = arguments.whole("seed", seed)
        super().__init__(beta, key_size=-(-self.bits // 8))
        # Single precision suffices for random entries, and halves the memory traffic.
        rng = np.random.default_rng(self.seed)
        a = rng.standard_normal((self.bits, self.size), np.float32)
        self._columns = np.ascontiguousarray(a.T)
        self._products = np.zeros(self.bits)

    def observe(self, seen: Any, action: int | None = None) -> float:
        """Count the code of `seen`, `size` numbers in any shape; returns its bonus."""
        return self._count(self.code(seen).tobytes())

    def peek(self, seen: Any, action: int | None = None) -> tuple[float, float]:
        """The count and the bonus that observing `seen` would give; nothing is counted."""
        return self._worth(self.code(seen).tobytes())

    def code(self, seen: Any) -> NDArray[np.uint8]:
        """The bits of sign(A·g), eight per byte; 0 means not positive."""
        project(self._vector(seen), self._columns, self._products)
        return np.packbits(self._products > 0.0)

    def settings(self) -> dict[str, Any]:
        """The constructor arguments, JSON-serialisable."""
        return {"beta": self.beta, "size": self.size, "bits": self.bits, "seed": self.seed}

    def _vector(self, seen: Any) -> NDArray[np.float64]:
        array = arguments.array("seen", seen)
        if array.size != self.size:
            raise ValueError(f"seen must hold {self.size} numbers, got shape {array.shape}")
        if array.dtype.kind not in "biuf":
            raise TypeError(f"seen must hold numbers, got dtype {array.dtype}")
        vector = array.reshape(-1).astype(np.float64)
        if array.dtype.kind == "f":
            arguments.finite("seen", array)
        return vector


CODE = 64  # bits


@BONUSES.declare("simhash", label="SimHash", citation="Tang et al. 2017")
def simhash(beta: float, seed: int) -> ObservingBonus:
    """Counts of hashed grey screens."""
    grey = Grey((52, 52))
    return ObservingBonus(SimHashBonus(beta, grey.size, CODE, seed), grey)


@BONUSES.declare("simhash-bass", label="SimHash-BASS", citation="Tang et al. 2017")
def simhash_bass(beta: float, seed: int, shape: tuple[int, int]) -> ObservingBonus:
    """Counts of hashed BASS features."""
    bass = Bass(shape=shape)
    return ObservingBonus(SimHashBonus(beta, bass.size, CODE, seed), bass)
