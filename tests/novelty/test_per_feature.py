"""The count per feature N̄: Definition 2 applied to the geometric mean of the factors."""

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phieb.features import OneHot
from phieb.novelty import (
    CountableDensity,
    NaivePhiBonus,
    PhiBonus,
    VisitDensity,
    hamming_similarity,
    naive_pseudocount,
    pseudocount,
)
from phieb.reports.tables import markdown
from phieb.worlds import RiverSwim
from tests import naive
from tests.novelty.test_density import Vector, histories, on
from tests.novelty.test_theory import ROUNDING, observed

PAGE = Path(__file__).parents[2] / "docs" / "count-per-feature.md"
sets = st.sets(st.integers(0, 30), max_size=12).map(sorted)


def counts(bonus: PhiBonus, history: list[list[int]]) -> list[float]:
    """The pseudocount of each observation."""
    found = []
    for active in history:
        bonus.observe(active)
        found.append(bonus.pseudocount)
    return found


@given(st.lists(sets, min_size=1, max_size=12))
def test_the_definition(history: list[list[int]]) -> None:
    """From densities counted plainly, their k-th root taken."""
    for t, found in enumerate(counts(PhiBonus(per_feature=True), history)):
        past, now = history[:t], history[t]
        k = max(len(now), 1)
        before = naive.leave_out_log_density(past, now) / k
        after = naive.leave_out_log_density([*past, now], now) / k
        assert found == pytest.approx(pseudocount(before, after), rel=1e-9)


@given(st.lists(sets, min_size=1, max_size=12), st.integers(2, 5))
def test_copies_of_every_feature_change_nothing(history: list[list[int]], m: int) -> None:
    copied = [[m * i + copy for i in active for copy in range(m)] for active in history]
    once, often = (counts(PhiBonus(per_feature=True), each) for each in (history, copied))
    for active, one, other in zip(history, once, often, strict=True):
        if active:  # with nothing on there is no root to take
            assert one == pytest.approx(other, rel=1e-9)


@given(st.lists(sets.filter(bool), min_size=8, max_size=12))
def test_the_paper_s_count_falls_with_copies(history: list[list[int]]) -> None:
    """What the count per feature is for: N̂ of the same history, every feature copied, is less."""
    copied = [[2 * i + copy for i in active for copy in range(2)] for active in history]
    once, twice = (counts(PhiBonus(per_feature=False), each) for each in (history, copied))
    assert all(two < one for one, two in zip(once, twice, strict=True))


@given(st.integers(1, 400), st.integers(1, 3_000))
def test_what_was_always_seen_has_been_seen_n_times_whatever_k(n: int, k: int) -> None:
    bonus = PhiBonus(per_feature=True)
    assert counts(bonus, [list(range(k))] * n)[-1] == pytest.approx(n - 1 + 0.5, rel=1e-9)


@given(st.lists(st.integers(0, 9), min_size=1, max_size=40))
def test_for_a_single_active_feature_it_is_the_paper_s(states: list[int]) -> None:
    history = [[state] for state in states]
    per_feature, product = (counts(PhiBonus(per_feature=flag), history) for flag in (True, False))
    assert per_feature == product


def test_one_hot_features_are_counted_as_before() -> None:
    world = RiverSwim()
    features, (one, other) = (
        OneHot(world.observation_space),
        (PhiBonus(0.1, per_feature=flag) for flag in (True, False)),
    )
    state, _ = world.reset(seed=0)
    for step in range(300):
        state, *_ = world.step(np.int64(step % 3 > 0))
        active = features.active(state)
        assert one.observe(active) == other.observe(active)


@pytest.mark.parametrize("k", [2, 30, 1_000])
def test_all_new_features_count_a_half(k: int) -> None:
    """N̄ has a floor near ½ for what is new, so that κ is not what keeps the bonus finite."""
    bonus = PhiBonus(beta=1.0, kappa=1e-9, per_feature=True)
    bonus.observe([0])
    for _ in range(1_000):
        bonus.observe([])
    assert bonus.peek(range(1, k + 1))[0] == pytest.approx(0.5, rel=0.01)


def test_a_few_features_among_many_can_count_next_to_nothing() -> None:
    """What was nearly always on and is off adds to the gain, and not to k; then κ is the bound."""
    bonus = PhiBonus(beta=1.0, kappa=0.01, per_feature=True)
    for _ in range(1_000):
        bonus.observe(range(700))
    count, extra = bonus.peek([0])
    assert count < 1e-9
    assert extra == pytest.approx(bonus.largest)


@given(histories(min_length=1), st.data())
def test_theorem_1_and_corollary_1(case: tuple[list[Vector], Vector], data: st.DataObject) -> None:
    """ρ^(1/k) ≤ ρ^(1/M) ≤ the mean similarity for all k ≤ M, so t·ρ^(1/k) ≤ the total one."""
    history, phi = case
    t, m = len(history), len(phi)
    k = data.draw(st.integers(1, m)) if m > 1 else 1
    log_rho = observed(history, m).log_density(on(phi)) / k
    total = sum(hamming_similarity(phi, past) for past in history)
    assert math.exp(log_rho) <= total / t + ROUNDING
    assert naive_pseudocount(t, log_rho) <= total + t * ROUNDING


@given(st.integers(1, 20_000), st.floats(-1e6, -1e-6), st.floats(0.0, 1.0))
def test_no_nan_far_down(k: int, log_rho: float, share: float) -> None:
    gain = min(k * math.log(3.0), -log_rho) * share
    count = pseudocount(log_rho / k, (log_rho + gain) / k)
    assert count >= 0.0


def test_hundreds_of_thousands_of_features_at_once() -> None:
    """Log ρ is below −10⁶, far below the log of any double."""
    bonus, seen = PhiBonus(per_feature=True), np.zeros(3_150_000)
    for t in range(20):
        active = np.arange(t * 150_000, t * 150_000 + 300_000)
        known = np.arange(t * 150_000 + 300_000)  # a feature joins when it is first on
        same = np.where(known >= active[0], seen[known], t - seen[known])
        log_rho = np.log((same + 0.5) / (t + 1)).sum()
        log_rho_prime = np.log((same + 1.5) / (t + 2)).sum()
        bonus.observe(active)
        expected = pseudocount(log_rho / active.size, log_rho_prime / active.size)
        assert bonus.pseudocount == pytest.approx(expected, rel=1e-9)
        seen[active] += 1
    assert log_rho < -1e6


def test_the_worked_example_of_section_3_1() -> None:
    """The table of docs/count-per-feature.md, computed."""
    density = VisitDensity(3, unobserved="prototype")
    for _ in range(3):
        density.observe([1])
    rows = [["φ", "k", "ρ", "ρ′", "N̂", "ρ^(1/k)", "ρ′^(1/k)", "N̄"]]
    for active in ([1], [0, 1], [0, 2]):
        logs, k, cells = density.peek(active), len(active), list[str]()
        for root in (1, k):
            log_rho, log_rho_prime = (log / root for log in logs)
            cells += [f"{math.exp(log_rho):.3f}", f"{math.exp(log_rho_prime):.3f}"]
            cells.append(f"{pseudocount(log_rho, log_rho_prime):.2f}")
        phi = tuple(int(i in active) for i in range(3))
        rows.append([str(phi), str(k), *cells])
    assert f"<!-- example -->\n{markdown(rows)}\n<!-- /example -->" in PAGE.read_text()


def test_without_active_features_the_count_is_the_paper_s() -> None:
    one, other = PhiBonus(per_feature=True), PhiBonus(per_feature=False)
    history = [[], [1, 2], [], [3], [], []]
    found = list(zip(history, counts(one, history), counts(other, history), strict=True))
    assert all(mine == its for active, mine, its in found if not active)
    assert found[0][1] == math.inf  # nothing was ever on: the product is empty, and nothing learnt


@given(st.lists(sets, max_size=8), sets, st.booleans())
def test_peek_returns_what_observe_will(
    history: list[list[int]], active: list[int], per_feature: bool
) -> None:
    bonus = PhiBonus(0.3, per_feature=per_feature)
    counts(bonus, history)
    before = bonus.state()
    count, extra = bonus.peek(active)
    assert all(np.array_equal(before[name], part) for name, part in bonus.state().items())
    assert bonus.observe(active) == pytest.approx(extra, rel=1e-9)
    assert bonus.pseudocount == pytest.approx(count, rel=1e-9)


def test_peek_of_other_densities() -> None:
    naive_bonus, values = NaivePhiBonus(), PhiBonus(density=CountableDensity(2), per_feature=True)
    for _ in range(3):
        naive_bonus.observe([1])
        values.observe(["a", 3])
    count, extra = naive_bonus.peek([1])
    assert count == pytest.approx(3 * 3.5 / 4)
    assert (naive_bonus.observe([1]), naive_bonus.pseudocount) == (extra, count)
    count, extra = values.peek(["a", 4])
    assert (values.observe(["a", 4]), values.pseudocount) == (extra, count)


def test_bad_values() -> None:
    with pytest.raises(TypeError, match=r"per_feature must be True or False, got 1"):
        PhiBonus(per_feature=1)  # type: ignore[arg-type]
    for bad in (None, [[1, 2]], [0.5]):
        with pytest.raises((TypeError, ValueError), match="active must"):
            PhiBonus(per_feature=True).observe(bad)
