"""`phieb small`: the plan, and the claims that must hold, on the seeds that are reported."""

import numpy as np
import pytest

from phieb.experiments.small_worlds import plan as plan
from phieb.experiments.small_worlds import plane as small_plane
from phieb.experiments.small_worlds import run as small
from phieb.experiments.small_worlds.search import search


def entry(world: str, agent: str) -> plan.Entry:
    (found,) = [e for e in plan.ENTRIES if (e.world, e.agent) == (world, agent)]
    return found


def mean_total(world: str, agent: str, seeds: int = 100) -> float:
    e = entry(world, agent)
    return float(np.mean([small.total_reward(e, s) for s in range(seeds)]))


def test_every_setting_is_published_or_from_the_grid() -> None:
    for e in plan.CHOSEN:
        assert dict(e.chosen) in list(plan.settings_of(plan.GRIDS[e.world][e.agent]))
    assert {(e.world, e.agent) for e in plan.CHOSEN} == {
        (world, agent) for world, grids in plan.GRIDS.items() for agent in grids
    }


def test_no_reported_seed_was_used_for_choosing() -> None:
    searched = {*plan.SEARCH_SEEDS, *plan.DEEP_SEA_SEARCH_SEEDS}
    assert searched.isdisjoint(range(1_000))  # the command takes at most 1,000 seeds


def test_on_river_swim_the_bonus_earns_twenty_times_as_much() -> None:
    assert mean_total("RiverSwim", plan.PHI_EB) >= 20 * mean_total("RiverSwim", plan.EPSILON)


def test_mbie_eb_reaches_its_published_reward() -> None:
    assert mean_total("RiverSwim", plan.MBIE_EB) == pytest.approx(3.08e6, rel=0.05)


def test_deep_sea_of_fifty_is_solved_with_the_bonus_and_not_without() -> None:
    with_bonus = [small.episodes_to_solve(entry("DeepSea", plan.PHI_EB), 50, s) for s in range(3)]
    without = [small.episodes_to_solve(entry("DeepSea", plan.EPSILON), 20, s) for s in range(3)]
    assert None not in with_bonus
    assert without == [None] * 3


def test_the_results_hold_what_was_run_and_repeat_exactly() -> None:
    calls = []
    first = small.run(2, lambda: calls.append(1))
    assert len(calls) == small.num_jobs(2)
    assert first == small.run(2, lambda: None)
    river = next(r for r in first["total_reward"] if r["world"] == "RiverSwim")
    e = entry("RiverSwim", river["agent"])
    assert river["totals"] == [small.total_reward(e, 0), small.total_reward(e, 1)]


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


def test_a_failing_job_stops_the_others_and_is_raised() -> None:
    def fails() -> None:
        raise ValueError("job")

    with pytest.raises(ValueError, match="job"):
        small.in_parallel([fails, lambda: 1], lambda: None)


@pytest.mark.slow
def test_the_search_chooses_what_the_plan_says() -> None:
    assert search(lambda: None) == list(plan.CHOSEN)
