"""Which blobs and features of a screen are novel."""

from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from phieb.features import BlobProst
from phieb.features.numbering import BASIC, SPACE, TIME

_NO_BLOBS = np.zeros((0, 5), np.int64)


class Counts(Protocol):
    """How often features were on: a `VisitDensity` or saved counts."""

    @property
    def t(self) -> int:
        """The number of observations."""

    def counts_of(self, ids: NDArray[np.int64], /) -> NDArray[np.int64]:
        """The number of observations in which each feature was on."""


class Novel(NamedTuple):
    """An active feature that was seldom on before.

    Attributes:
        feature: its id.
        seen: the number of earlier observations in which it was on.
        words: its description; empty if the feature map has no `describe`.
        blobs: indices of the blobs that it refers to, where this screen determines them.
    """

    feature: int
    seen: int
    words: str
    blobs: tuple[int, ...] = ()

    @property
    def times(self) -> str:
        """`seen` in words."""
        return {0: "never before", 1: "once before"}.get(self.seen, f"{self.seen:,} times before")


class Sighting(NamedTuple):
    """What is novel on one screen.

    Attributes:
        t: the number of observations counted before this one.
        boxes: (n, 5): colour, top, bottom, left and right, all inclusive, of each blob.
        counts: (n,): for each blob the geometric mean of the counts of its features: its basic
            feature, and its pairs with the other blobs.
        novel: the features with the smallest counts, in ascending order.
    """

    t: int
    boxes: NDArray[np.int64] = _NO_BLOBS
    counts: NDArray[np.float64] = np.zeros(0)
    novel: tuple[Novel, ...] = ()

    @property
    def levels(self) -> NDArray[np.float64]:
        """(n,): the `level` of novelty of each blob."""
        return level(self.counts, self.t)


def level(counts: Any, t: int) -> NDArray[np.float64]:
    """A level of novelty, logarithmic in the count: 1 for a count of 0, and 0 for a count of t.

    Example:
        >>> level([0, 9, 99, 999], 999)
        array([1.        , 0.66666667, 0.33333333, 0.        ])
    """
    share = np.log1p(counts) / np.log1p(max(t, 1))
    return np.asarray(np.clip(1.0 - share, 0.0, 1.0))


def sight(
    features: Any,
    counts: Counts,
    observation: Any,
    active: NDArray[np.int64],
    *,
    most: int = 4,
    counted: bool = False,
) -> Sighting:
    """What is novel in an observation. Nothing is counted: the agent's own density can be passed.

    Args:
        features: the feature map; only `BlobProst` has blobs.
        counts: how often each feature was on.
        observation: the agent's observation.
        active: the ids of its active features.
        most: the number of features to return: at most one of each kind and pair of colours, and
            at most half of them pairs in time, which are hard to see in a picture.
        counted: whether `counts` include this observation; if so, it is subtracted.

    Example:
        >>> import gymnasium, phieb
        >>> from phieb.novelty import VisitDensity
        >>> env = gymnasium.make("phieb/Atari-v0", game="venture")
        >>> screen, _ = env.reset(seed=1)
        >>> features, density = BlobProst(), VisitDensity()
        >>> seen = sight(features, density, screen, features.active(screen), most=1)
        >>> print(seen.novel[0].words, "-", seen.novel[0].times)
        blob of colour 0 in tile row 6, column 7 - never before
    """
    before = counts.counts_of(active) - int(counted)
    boxes, of_blobs = _NO_BLOBS, np.zeros(0)
    if isinstance(features, BlobProst):
        boxes = features.blobs(observation).astype(np.int64)
        of_blobs = _blob_counts(features, counts, boxes, counted)
    newest = []
    for place in _newest(features, active, before, most):
        feature = int(active[place])
        words = features.describe(feature) if hasattr(features, "describe") else ""
        of = blobs_of(features, feature, boxes)
        newest.append(Novel(feature, int(before[place]), words, of))
    return Sighting(counts.t - int(counted), boxes, of_blobs, tuple(newest))


def _newest(
    features: Any, active: NDArray[np.int64], before: NDArray[np.int64], most: int
) -> list[int]:
    """Indices in `active` of the least observed features, one of each kind and pair of colours."""
    order = np.argsort(before, kind="stable")  # with equal counts the simplest kind comes first
    if not isinstance(features, BlobProst):
        return [int(place) for place in order[:most]]
    chosen: dict[tuple[int, ...], int] = {}
    num_timed = 0
    rows = features.decode(active[order]).tolist()
    for place, (kind, c1, c2, *_) in zip(order.tolist(), rows, strict=True):
        if (kind, c1, c2) not in chosen and (kind != TIME or num_timed < most // 2):
            chosen[kind, c1, c2] = place
            num_timed += kind == TIME
        if len(chosen) == most:
            break
    return list(chosen.values())


def _tiles(features: BlobProst, boxes: NDArray[np.int64]) -> NDArray[np.int64]:
    """(n, 2): the tile of the centre of each blob."""
    centres = np.stack([boxes[:, 1] + boxes[:, 2], boxes[:, 3] + boxes[:, 4]], 1) // 2
    tiles: NDArray[np.int64] = centres // np.array(features.tile)
    return tiles


def _blob_counts(
    features: BlobProst, counts: Counts, boxes: NDArray[np.int64], counted: bool
) -> NDArray[np.float64]:
    """The geometric mean of (count + 1) of each blob's features, minus one."""
    tiles = _tiles(features, boxes)
    alone = np.full_like(boxes, BASIC)
    alone[:, 1], alone[:, 2], alone[:, 3:] = boxes[:, 0], -1, tiles
    one, other = np.triu_indices(len(boxes), 1)
    pairs = _pairs(boxes[one, 0], boxes[other, 0], tiles[one] - tiles[other])
    ids = features.encode(np.concatenate([alone, pairs]))
    logs = np.log1p(np.maximum(counts.counts_of(ids) - int(counted), 0))
    total, of_pairs = logs[: len(boxes)].copy(), logs[len(boxes) :]
    np.add.at(total, one, of_pairs)
    np.add.at(total, other, of_pairs)
    return np.asarray(np.expm1(total / max(len(boxes), 1)))  # each is in as many as there are


def _pairs(
    c1: NDArray[np.int64], c2: NDArray[np.int64], offsets: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Pairs in space as decoded rows, in the canonical order of `Numbering`."""
    upper = (offsets[:, 0] > 0) | ((offsets[:, 0] == 0) & (offsets[:, 1] >= 0))
    turn = (c1 > c2) | ((c1 == c2) & ~upper)
    first, second = np.where(turn, c2, c1), np.where(turn, c1, c2)
    offsets = np.where(turn[:, None], -offsets, offsets)
    return np.column_stack([np.full_like(c1, SPACE), first, second, offsets])


def blobs_of(features: Any, feature: int, boxes: NDArray[np.int64]) -> tuple[int, ...]:
    """Indices of the blob or the two blobs that a feature refers to.

    For a pair in time this is the blob on this screen, if it is the only one of its colour.
    """
    if not isinstance(features, BlobProst):
        return ()
    kind, c1, c2, *where = features.decode([feature])[0].astype(np.int64).tolist()
    tiles = _tiles(features, boxes)
    if kind == BASIC:
        there = (boxes[:, 0] == c1) & (tiles == where).all(1)
        return tuple(np.flatnonzero(there)[:1].tolist())
    if kind == TIME:
        there = np.flatnonzero(boxes[:, 0] == c2)
        return (int(there[0]),) if len(there) == 1 else ()
    if kind != SPACE:
        return ()
    for one in np.flatnonzero(boxes[:, 0] == c1).tolist():
        there = (boxes[:, 0] == c2) & (tiles[one] - tiles == where).all(1)
        there[one] = False
        if there.any():
            return one, int(np.flatnonzero(there)[0])
    return ()
