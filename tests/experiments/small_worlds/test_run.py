"""`phieb small`: the plan, and the claims that must hold, on the seeds that are reported."""

import numpy as np
import pytest

from phieb.experiments.small_worlds import plan as plan
from phieb.experiments.small_worlds import run as small


def entry(world: str, agent: str) -> plan.Entry:
    (found,) = [e for e in plan.ENTRIES if (e.world, e.agent) == (world, agent)]
    return found


def mean_total(world: str, agent: str, seeds: int = 100) -> float:
    e = entry(world, agent)
    return float(np.mean([small.total_reward(e, s) for s in range(seeds)]))


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


def test_a_failing_job_stops_the_others_and_is_raised() -> None:
    def fails() -> None:
        raise ValueError("job")

    with pytest.raises(ValueError, match="job"):
        small.in_parallel([fails, lambda: 1], lambda: None)
