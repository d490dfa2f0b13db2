"""Tile coding in the plane."""

import numpy as np

from phieb.experiments.small_worlds import plan as plan
from phieb.experiments.small_worlds import plane as small_plane


def mean_cells(agent: str, tilings: int) -> float:
    return float(np.mean([small_plane.run_agent(agent, tilings, s).cells for s in range(2)]))


def test_tilings_change_what_the_product_explores_and_not_the_count_per_feature() -> None:
    cells = {
        (agent, tilings): mean_cells(agent, tilings)
        for agent in (small_plane.PRODUCT, small_plane.PER_FEATURE)
        for tilings in (1, 16)
    }
    assert cells[small_plane.PRODUCT, 1] == cells[small_plane.PER_FEATURE, 1]
    assert cells[small_plane.PRODUCT, 16] < 0.5 * cells[small_plane.PRODUCT, 1]
    assert cells[small_plane.PER_FEATURE, 16] > 0.8 * cells[small_plane.PER_FEATURE, 1]
