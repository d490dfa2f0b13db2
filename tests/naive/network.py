"""Binarised units counted from the whole history, and RND with gradients by hand."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Layers = list[tuple[NDArray[np.float64], NDArray[np.float64]]]  # weights and biases


def medians(history: Sequence[Sequence[float]]) -> list[float]:
    """Of each unit: the middle value, or the mean of the two in the middle."""
    found = []
    for column in zip(*history, strict=True):
        ordered, half = sorted(column), len(column) // 2
        middle = ordered[half : half + 1] if len(column) % 2 else ordered[half - 1 : half + 1]
        found.append(sum(middle) / len(middle))
    return found


def features_on(units: Sequence[float], thresholds: Sequence[float], together: int) -> list[int]:
    """Ids of the features of one observation; the first unit of a group is the lowest bit."""
    bits = [unit > threshold for unit, threshold in zip(units, thresholds, strict=True)]
    if together == 1:
        return [i for i, bit in enumerate(bits) if bit]
    ids = []
    for group, start in enumerate(range(0, len(bits), together)):
        value = sum(2**k for k, bit in enumerate(bits[start : start + together]) if bit)
        ids.append(group * 2**together + value)
    return ids


def counts(history: Sequence[Sequence[float]], together: int) -> Counter[int]:
    """N_i over a history of units, with its own medians."""
    thresholds = medians(history)
    on = (features_on(units, thresholds, together) for units in history)
    return Counter(i for ids in on for i in ids)


class Rnd:
    """Random network distillation of vectors: whole history, gradients and Adam written out."""

    def __init__(self, target: Layers, predictor: Layers, warm_up: int, batch: int, rate: float):
        self.target, self.predictor = target, predictor
        self.warm_up, self.batch, self.rate = warm_up, batch, rate
        self.history: list[NDArray[np.float64]] = []
        self.pending: list[NDArray[np.float64]] = []
        self.steps = 0
        self.first = [(np.zeros_like(w), np.zeros_like(b)) for w, b in predictor]
        self.second = [(np.zeros_like(w), np.zeros_like(b)) for w, b in predictor]

    def observe(self, seen: NDArray[np.float64]) -> float:
        """The error of the predictor, before it learns."""
        self.history.append(seen)
        if len(self.history) <= self.warm_up:
            return 0.0
        deviation = np.std(self.history, axis=0)
        deviation[deviation == 0] = 1.0
        white = np.clip((seen - np.mean(self.history, axis=0)) / deviation, -5, 5)
        error = outputs(self.predictor, white)[-1] - outputs(self.target, white)[-1]
        self.pending.append(white)
        if len(self.pending) == self.batch:
            self.learn()
            self.pending = []
        return float(np.mean(error**2))

    def learn(self) -> None:
        """One step of Adam on the mean error of the batch."""
        gradients = [(np.zeros_like(w), np.zeros_like(b)) for w, b in self.predictor]
        for white in self.pending:
            layers = outputs(self.predictor, white)
            back = layers[-1] - outputs(self.target, white)[-1]
            back = 2 * back / back.size / len(self.pending)
            for k in reversed(range(len(self.predictor))):
                gradients[k][0][:] += np.outer(back, layers[k])
                gradients[k][1][:] += back
                back = (self.predictor[k][0].T @ back) * (layers[k] > 0)
        self.steps += 1
        for k, pair in enumerate(gradients):
            for j, gradient in enumerate(pair):
                first, second = self.first[k][j], self.second[k][j]
                first[:] = 0.9 * first + 0.1 * gradient
                second[:] = 0.999 * second + 0.001 * gradient**2
                size = np.sqrt(second / (1 - 0.999**self.steps)) + 1e-8
                self.predictor[k][j][:] -= self.rate * first / (1 - 0.9**self.steps) / size


def outputs(layers: Layers, seen: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """The input, what each hidden layer makes of it, cut off at 0, and the output."""
    found = [seen]
    for k, (weights, biases) in enumerate(layers):
        made = weights @ found[-1] + biases
        found.append(made if k == len(layers) - 1 else np.maximum(made, 0.0))
    return found


def convolved(
    pictures: NDArray[np.float64], kernels: NDArray[np.float64], stride: int
) -> NDArray[np.float64]:
    """(channel, row, column) through (out, channel, row, column), without padding, cut off at 0."""
    size = kernels.shape[2]
    side = (pictures.shape[1] - size) // stride + 1
    found = np.zeros((len(kernels), side, side))
    for o, kernel in enumerate(kernels):
        for y in range(side):
            for x in range(side):
                part = pictures[:, y * stride : y * stride + size, x * stride : x * stride + size]
                found[o, y, x] = max((part * kernel).sum(), 0.0)
    return found
