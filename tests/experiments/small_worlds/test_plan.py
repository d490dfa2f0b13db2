"""The settings of the small worlds."""

from phieb.experiments.small_worlds import plan as plan


def test_every_setting_is_published_or_from_the_grid() -> None:
    for e in plan.CHOSEN:
        assert dict(e.chosen) in list(plan.settings_of(plan.GRIDS[e.world][e.agent]))
    assert {(e.world, e.agent) for e in plan.CHOSEN} == {
        (world, agent) for world, grids in plan.GRIDS.items() for agent in grids
    }


def test_no_reported_seed_was_used_for_choosing() -> None:
    searched = {*plan.SEARCH_SEEDS, *plan.DEEP_SEA_SEARCH_SEEDS}
    assert searched.isdisjoint(range(1_000))  # the command takes at most 1,000 seeds
