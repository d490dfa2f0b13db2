"""What is new on a screen: counts of blobs from the definition, and the features in words."""

import math

import numpy as np
import pytest

from phieb.drawing import Sighting, sight
from phieb.features import BlobProst, OneHot
from phieb.novelty import VisitDensity
from phieb.worlds import random_screens


def seen(game: str, num: int) -> tuple[BlobProst, VisitDensity, np.ndarray, np.ndarray]:
    """Features and density after some screens, the last screen and its features."""
    features, density = BlobProst(), VisitDensity()
    for screen in random_screens(game, num, 3):
        last, active = screen.copy(), features.active(screen).copy()
        density.observe(active)
    return features, density, last, active


def test_a_blob_has_the_geometric_mean_of_the_counts_of_its_features() -> None:
    """Found again in a dictionary of all counts, by decoded rows."""
    features, density, screen, active = seen("venture", 30)
    state = density.state()
    rows = map(tuple, features.decode(state["ids"]).tolist())
    counts = dict(zip(rows, state["counts"].tolist(), strict=True))
    found = sight(features, density, screen, active)
    blobs = [
        (colour, (top + bottom) // 2 // 15, (left + right) // 2 // 10)
        for colour, top, bottom, left, right in found.boxes.tolist()
    ]
    for one, (c1, row, column) in enumerate(blobs):
        logs = [math.log1p(counts[0, c1, -1, row, column])]
        for other, (c2, its_row, its_column) in enumerate(blobs):
            if other != one:
                a, b = row - its_row, column - its_column
                there = counts.get((1, c1, c2, a, b)), counts.get((1, c2, c1, -a, -b))
                logs.append(math.log1p(next(n for n in there if n is not None)))
        assert found.counts[one] == pytest.approx(math.expm1(sum(logs) / len(blobs)), rel=1e-9)


def test_the_newest_features_are_named_with_their_blobs() -> None:
    features, density, screen, active = seen("montezuma_revenge", 40)
    found = sight(features, density, screen, active, most=5)
    kinds = features.decode([novel.feature for novel in found.novel])[:, :3].tolist()
    assert len(found.novel) == 5 == len({tuple(kind) for kind in kinds})
    assert [kind for kind, _, _ in kinds].count(2) <= 2
    counts = [novel.seen for novel in found.novel]
    assert counts == sorted(counts)
    assert counts[0] == density.counts_of(active).min()
    for novel in found.novel:
        kind, c1, c2, *_ = features.decode([novel.feature])[0].tolist()
        assert novel.words == features.describe(novel.feature)
        colours = [int(found.boxes[blob][0]) for blob in novel.blobs]
        assert colours == {0: [c1], 1: [c1, c2]}.get(kind, [])


def test_an_observation_that_was_counted_is_left_out() -> None:
    features, density, screen, _ = seen("venture", 3)
    fresh = BlobProst()
    new = fresh.active(np.roll(screen, 40, 0)).copy()
    before = sight(features, density, np.roll(screen, 40, 0), new)
    density.observe(new)
    after = sight(features, density, np.roll(screen, 40, 0), new, counted=True)
    assert before.novel == after.novel
    assert np.allclose(before.counts, after.counts)
    assert before.novel[0].times == "never before"
    assert before.levels.max() > 0.9


def test_nothing_of_a_live_agent_is_changed() -> None:
    features, density, screen, active = seen("venture", 10)
    before = {name: part.copy() for name, part in density.state().items()}
    sight(features, density, screen, active)
    for name, part in density.state().items():
        assert np.array_equal(part, before[name])
    others = BlobProst()
    for shown in random_screens("venture", 10, 3):
        others.active(shown)
    assert np.array_equal(features.active(screen), others.active(screen))


def test_other_maps_have_no_blobs() -> None:
    features, density = OneHot(5), VisitDensity()
    density.observe(features.active(2))
    found = sight(features, density, 3, features.active(3))
    assert found.boxes.shape == (0, 5)
    assert [(novel.feature, novel.seen) for novel in found.novel] == [(3, 0)]


def test_levels_fall_with_the_count() -> None:
    levels = Sighting(999, counts=np.array([0.0, 9.0, 99.0, 999.0])).levels
    assert levels == pytest.approx([1, 2 / 3, 1 / 3, 0])
