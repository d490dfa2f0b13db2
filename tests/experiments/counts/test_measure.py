"""`phieb counts`: true counts counted plainly, and what is claimed of the estimates."""

import json
from collections import Counter
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from phieb.experiments.counts import measure as counts
from phieb.experiments.counts import plan as plan
from phieb.experiments.counts.agreement import agreement
from phieb.experiments.counts.walks import BEHAVIOURS, trajectory
from phieb.novelty import PhiBonus

STEPS = 8_000
SETTINGS = [(world, behaviour) for world in plan.WORLDS for behaviour in BEHAVIOURS]


class Walk(NamedTuple):
    """A trajectory, its true counts, and N̂ and N̄ by number of tilings."""

    positions: NDArray[np.float64]
    true: NDArray[np.int64]
    product: dict[int, NDArray[np.float64]]
    per_feature: dict[int, NDArray[np.float64]]


@pytest.fixture(scope="module", params=SETTINGS, ids=" ".join)
def walk(request: pytest.FixtureRequest) -> Walk:
    world, behaviour = request.param
    positions = trajectory(plan.world_of(world), behaviour, seed=5, steps=STEPS)
    views = plan.views(5)
    histories = {k: [views[plan.tilings(k)](x) for x in positions] for k in plan.TILINGS}
    product, per_feature = (
        {k: counts.estimates(PhiBonus(per_feature=flag), h) for k, h in histories.items()}
        for flag in (False, True)
    )
    return Walk(positions, counts.true_counts(positions), product, per_feature)


@pytest.mark.parametrize("k", plan.TILINGS)
def test_the_count_per_feature_is_within_a_factor_of_two(walk: Walk, k: int) -> None:
    assert 0.5 <= agreement(walk.per_feature[k], walk.true).factor <= 2.0


def test_the_count_per_feature_does_not_depend_on_the_tilings(walk: Walk) -> None:
    found = [agreement(walk.per_feature[k], walk.true).factor for k in plan.TILINGS]
    assert max(found) / min(found) < 1.3


def test_the_product_falls_with_the_number_of_tilings(walk: Walk) -> None:
    """As 1/k where counts are far above k, and faster below: see the formula below."""
    one, four, sixteen = (agreement(walk.product[k], walk.true).factor for k in plan.TILINGS)
    assert 1 / 8 < four / one < 1 / 3
    assert 1 / 100 < sixteen / one < 1 / 16
    often = walk.true >= 48
    assert np.count_nonzero(often) >= 100
    ratios = {k: np.median(walk.product[k][often] / walk.true[often]) for k in plan.TILINGS}
    assert 1 / 5 < ratios[4] / ratios[1] < 1 / 3.8
    assert 1 / 25 < ratios[16] / ratios[1] < 1 / 15


def test_in_a_grid_the_counts_are_n_and_a_half_and_the_formula_of_the_page() -> None:
    positions = trajectory(plan.world_of("grid"), "random", seed=3, steps=2_000)
    active, true = plan.views(0)["16 tilings"], counts.true_counts(positions)
    product, per_feature = (
        counts.estimates(PhiBonus(per_feature=flag), map(active, positions))[1_000:]
        for flag in (False, True)
    )
    expected = true[1_000:] + 0.5
    np.testing.assert_allclose(per_feature, expected, rtol=0.05)
    np.testing.assert_allclose(product, 1 / ((1 + 1 / expected) ** 16 - 1), rtol=0.05)


def test_in_a_grid_the_true_count_is_that_of_a_counter() -> None:
    positions = trajectory(plan.world_of("grid"), "learning", seed=1, steps=500)
    visits: Counter[int] = Counter()
    for position, count in zip(positions, counts.true_counts(positions), strict=True):
        assert visits[plan.cell(position)] == count
        visits[plan.cell(position)] += 1


def test_in_the_plane_the_true_count_is_that_of_the_square_around_it() -> None:
    positions = trajectory(plan.world_of("plane"), "random", seed=1, steps=300)
    found = counts.true_counts(positions).tolist()
    for t, (x, y) in enumerate(positions.tolist()):
        near = [abs(a - x) <= 0.5 and abs(b - y) <= 0.5 for a, b in positions[:t].tolist()]
        assert found[t] == sum(near)
    assert max(found) > 3


@pytest.mark.parametrize(("world", "behaviour"), SETTINGS)
def test_the_same_seed_gives_the_same_trajectory(world: str, behaviour: str) -> None:
    first, again, other = (
        trajectory(plan.world_of(world), behaviour, seed, 300) for seed in (4, 4, 5)
    )
    assert first.shape == (300, 2)
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_learning_goes_back_to_the_goal_more_often_than_chance() -> None:
    goals = {}
    for behaviour in BEHAVIOURS:
        positions = trajectory(plan.world_of("grid"), behaviour, seed=0, steps=5_000)
        goals[behaviour] = np.count_nonzero(np.all(positions >= plan.SIZE - 1, axis=1))
    assert goals["learning"] > 5 * goals["random"]


def test_a_behaviour_that_is_none() -> None:
    with pytest.raises(ValueError, match="behaviour must be .*, got 'greedy'"):
        trajectory(plan.world_of("grid"), "greedy", 0, 100)


def test_the_picture_has_one_block_that_follows_the_agent() -> None:
    for position, corner in (([0.5, 0.5], [0, 0]), ([15.5, 3.5], [30, 6]), ([16.0, 0.0], [30, 0])):
        made = plan.picture(np.array(position))
        assert np.argwhere(made)[0].tolist() == corner
        assert np.count_nonzero(made) == plan.BLOCK**2


def test_the_results_hold_what_was_run_and_repeat_exactly() -> None:
    calls: list[int] = []
    first = counts.run(1, 200, lambda: calls.append(1))
    assert len(calls) == counts.num_jobs(1) == len(first["rows"])
    assert first == counts.run(1, 200, lambda: None)
    assert json.loads(counts.to_json(first)) == first
    assert {(row["bonus"], row["sees"]) for row in first["rows"]} == {
        (case.bonus, case.sees) for case in plan.CASES
    }
    assert all(point[0] >= 1 for row in first["rows"] for point in row["points"])


def test_each_case_counts_as_its_name_says() -> None:
    made = {case.bonus: case.make(0) for case in plan.CASES}
    for name, per_feature in (("product", False), ("per feature", True), ("naive", False)):
        bonus = made[name]
        assert isinstance(bonus, PhiBonus)
        assert bonus.per_feature is per_feature
