"""Bonuses that hash: visit counts, SimHash codes, prediction errors of scattered features."""

import functools
import math
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray


def visit_bonuses(beta: float, keys: Sequence[Any]) -> list[float]:
    """β/√N of each key, where N counts it in the list so far."""
    return [beta / math.sqrt(list(keys[: t + 1]).count(key)) for t, key in enumerate(keys)]


def simhash_bits(rows: Sequence[Sequence[float]], vector: Sequence[float]) -> list[bool]:
    """sign(A·g), row by row."""
    products = [[a * g for a, g in zip(row, vector, strict=True)] for row in rows]
    return [functools.reduce(operator.add, terms, 0.0) > 0.0 for terms in products]


def scattered(ids: Sequence[int], seed: int, size: int) -> list[float]:
    """σ, with hashes in Python integers."""
    vector = [0.0] * size
    start = splitmix64((seed + 0x9E3779B97F4A7C15) % 2**64)
    for i in ids:
        word = splitmix64((i + start) % 2**64)
        vector[word % size] += 1 if word >= 2**63 else -1
    return [total / math.sqrt(len(ids) or 1) for total in vector]


def splitmix64(word: int) -> int:
    """The last step of splitmix64 (Steele, Lea & Flood 2014)."""
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) % 2**64
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) % 2**64
    return word ^ (word >> 31)


class PredictionError:
    """MP-EB with matrices; it stores every error."""

    def __init__(self, num_actions: int, size: int, rate: float, seed: int) -> None:
        self.models = [np.zeros((size, size)) for _ in range(num_actions)]
        self.size, self.rate, self.seed = size, rate, seed
        self.errors: list[float] = []
        self.before: NDArray[np.float64] | None = None

    def observe(self, ids: Sequence[int], action: int | None) -> float | None:
        """The error over the largest so far; None if nothing was predicted."""
        before, after = self.before, np.array(scattered(ids, self.seed, self.size))
        self.before = after
        if before is None or action is None:
            return None
        error = after - self.models[action] @ before
        if before @ before > 0:
            self.models[action] += self.rate * np.outer(error, before) / (before @ before)
        self.errors.append(float(error @ error))
        return self.errors[-1] / (max(self.errors) or 1.0)
