"""Definition 1: the visit-density over binary features."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phieb.features import BlobProst
from phieb.novelty import VisitDensity, pseudocount
from phieb.sparse.active_set import ActiveSet
from phieb.worlds import random_screens
from tests import naive

Vector = tuple[int, ...]


@st.composite
def histories(draw: st.DrawFn, min_length: int = 0) -> tuple[list[Vector], Vector]:
    """A random history of binary vectors, and one more vector of the same length."""
    m = draw(st.integers(1, 8))
    vector = st.tuples(*[st.integers(0, 1)] * m)
    return draw(st.lists(vector, min_size=min_length, max_size=12)), draw(vector)


def on(phi: Vector) -> list[int]:
    return [i for i, value in enumerate(phi) if value]


def test_the_worked_example_of_section_3_1() -> None:
    density = VisitDensity(num_features=3, unobserved="prototype")
    for _ in range(3):
        density.observe(on((0, 1, 0)))
    eighth = Fraction(1, 8)
    first, second = density.log_density(on((1, 1, 0))), density.log_density(on((1, 0, 1)))
    assert math.exp(first) == pytest.approx(float(eighth * (7 * eighth) ** 2), rel=1e-14)
    assert math.exp(second) == pytest.approx(float(eighth**3), rel=1e-14)


@given(histories(), st.sampled_from(["kt", "empirical"]))
def test_prototype_is_the_dense_product_over_all_features(
    case: tuple[list[Vector], Vector], estimator: str
) -> None:
    history, phi = case
    if estimator == "empirical" and not history:
        return  # 0/0: see the test below
    density = VisitDensity(len(phi), estimator=estimator, unobserved="prototype")  # type: ignore[arg-type]
    for past in history:
        density.observe(on(past))
    before = naive.dense_log_density(history, phi, estimator)
    after = naive.dense_log_density([*history, phi], phi, estimator)
    assert density.log_density(on(phi)) == pytest.approx(before, abs=1e-10)
    assert density.observe(on(phi)) == pytest.approx((before, after), abs=1e-10)


@given(histories())
def test_leave_out_is_the_product_over_the_features_observed(
    case: tuple[list[Vector], Vector],
) -> None:
    history, phi = case
    density = VisitDensity()
    for past in history:
        density.observe(on(past))
    past_on = [on(past) for past in history]
    before = naive.leave_out_log_density(past_on, on(phi))
    after = naive.leave_out_log_density([*past_on, on(phi)], on(phi))
    assert density.log_density(on(phi)) == pytest.approx(before, abs=1e-10)
    assert density.observe(on(phi)) == pytest.approx((before, after), abs=1e-10)


@given(histories())
def test_the_density_is_a_probability_distribution(case: tuple[list[Vector], Vector]) -> None:
    history, phi = case
    density = VisitDensity(len(phi), unobserved="prototype")
    for past in history:
        density.observe(on(past))
    every = np.ndindex(*[2] * len(phi))
    assert math.fsum(math.exp(density.log_density(on(v))) for v in every) == pytest.approx(1.0)


@given(histories(min_length=2), st.sampled_from(["kt", "empirical"]), st.randoms())
def test_the_order_of_history_does_not_matter(
    case: tuple[list[Vector], Vector],
    estimator: str,
    random: "st.random.Random",  # type: ignore[name-defined]
) -> None:
    history, phi = case
    shuffled = random.sample(history, len(history))
    densities = [VisitDensity(estimator=estimator) for _ in range(2)]  # type: ignore[arg-type]
    for density, order in zip(densities, (history, shuffled), strict=True):
        for past in order:
            density.observe(on(past))
    first, second = (density.log_density(on(phi)) for density in densities)
    assert first == pytest.approx(second, abs=1e-12)


@given(histories(), st.sampled_from(["leave-out", "prototype"]))
def test_observing_always_makes_kt_more_probable(
    case: tuple[list[Vector], Vector], unobserved: str
) -> None:
    history, phi = case
    density = VisitDensity(len(phi), unobserved=unobserved)  # type: ignore[arg-type]
    for past in history:
        density.observe(on(past))
    log_rho, log_rho_prime = density.observe(on(phi))
    counted = unobserved == "prototype" or density.num_observed > 0
    assert log_rho_prime > log_rho if counted else log_rho_prime == log_rho == 0.0


def test_any_number_of_possible_features() -> None:
    density = VisitDensity()
    density.observe([2**62, 5])
    assert density.num_observed == 2
    assert density.log_density([2**62]) < density.log_density([2**62, 5])


def test_empirical_before_anything_was_observed() -> None:
    density = VisitDensity(num_features=2, estimator="empirical", unobserved="prototype")
    assert density.observe([0]) == (-math.inf, 0.0)


def test_prototype_with_the_features_of_atari_needs_no_memory() -> None:
    density = VisitDensity(num_features=114_702_400, unobserved="prototype")
    log_rho, log_rho_prime = density.observe([7])
    assert log_rho == pytest.approx(114_702_400 * math.log(0.5), rel=1e-12)
    assert log_rho_prime == pytest.approx(114_702_400 * math.log(0.75), rel=1e-12)


@given(histories(), histories())
def test_a_restored_density_resumes_exactly(
    first: tuple[list[Vector], Vector], second: tuple[list[Vector], Vector]
) -> None:
    density, copy = VisitDensity(), VisitDensity()
    for past in first[0]:
        density.observe(on(past))
    copy.restore(density.state())
    for past in second[0]:
        assert density.observe(on(past)) == copy.observe(on(past))


@pytest.mark.parametrize(
    ("active", "error", "says"),
    [
        ([-1], ValueError, r"active must hold feature ids in \[0, 9\], got -1"),
        ([10], ValueError, r"active must hold feature ids in \[0, 9\], got 10"),
        ([0, 1, 0], ValueError, "active must list each feature id once"),
        ([0.5], TypeError, "active must hold whole-number feature ids, got dtype float64"),
        ([[1]], ValueError, r"active must be a flat list of feature ids, got shape \(1, 1\)"),
        (3, ValueError, "active must be a flat list"),
        ([True], TypeError, "dtype bool"),
    ],
)
def test_bad_ids_are_refused_and_nothing_is_counted(
    active: object, error: type[Exception], says: str
) -> None:
    density = VisitDensity(num_features=10)
    for method in (density.observe, density.log_density):
        with pytest.raises(error, match=says):
            method(active)  # type: ignore[arg-type]
    assert density.t == 0


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"num_features": 0}, "num_features must be a whole number >= 1, got 0"),
        ({"estimator": "mle"}, 'estimator must be "kt" or "empirical", got \'mle\''),
        ({"unobserved": "all"}, 'unobserved must be "leave-out" or "prototype"'),
        ({"unobserved": "prototype"}, "num_features must be given"),
    ],
)
def test_bad_settings_are_refused(settings: dict[str, object], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        VisitDensity(**settings)  # type: ignore[arg-type]


def test_a_bad_state_changes_nothing() -> None:
    density = VisitDensity()
    density.observe([1])
    before = density.log_density([1])
    for bad in (
        {"counts": np.array([5])},
        {"ids": np.array([-1])},
        {"clock": np.array([-1, 0, 0, 0])},
        {"clock": np.array([1, 1, 1, 0])},
        {"clock": np.array([1])},
        {"sums": np.zeros(9, np.int64)},
        {"unusual": np.array([1])},
        {"clock": np.array([1, 1, 1, 0]), "unusual": np.zeros(0, np.int64)},
        {"clock": np.array([2**62, 0, 0, 1])},
        {"clock": np.array([1, 2, 0, 1])},
    ):
        with pytest.raises(ValueError, match="state"):
            density.restore({**density.state(), **bad})
    assert density.log_density([1]) == before


@pytest.mark.parametrize("t", [10**3, 10**6, 10**8])
def test_a_feature_that_was_always_on_is_counted_to_the_last(t: int) -> None:
    """ρ is nearly 1 and the gain nearly 0, and still N̂ = t + ½."""
    density = VisitDensity(1, unobserved="prototype")
    density.observe([0])
    clock = np.array([t - 1, 0, 0, 1])  # t, reference time, usual features, unusual ones
    density.restore({**density.state(), "counts": np.array([t - 1]), "clock": clock})
    density.observe([0])  # the reference time is t from now on
    assert pseudocount(*density.observe([0])) == pytest.approx(t + 0.5, rel=1e-7)


def test_peek_returns_what_observe_will_and_changes_nothing() -> None:
    rng = np.random.default_rng(1)
    for estimator in ("kt", "empirical"):
        density = VisitDensity(estimator=estimator)
        for _ in range(200):
            active = np.unique(rng.geometric(0.1, 8))
            first, second = density.peek(active), density.peek(active)
            assert first == second
            assert density.observe(active) == pytest.approx(first, rel=1e-9)


def test_first_sight() -> None:
    """The authors' program: ρ = 1.001/(t + 1) where KT has ½/(t + 1); ρ′ and later as KT."""
    kt, authors = VisitDensity(), VisitDensity(first_sight=1.001)
    for t, active in enumerate(([0], [0, 1], [2, 3], [0, 1])):
        num_new = len([i for i in active if i >= kt.num_observed])
        plain, found = kt.observe(active), authors.observe(active)
        assert found[0] == pytest.approx(plain[0] + num_new * math.log(2.002 if t else 2.0))
        assert found[1] == pytest.approx(plain[1])
    with pytest.raises(ValueError, match="first_sight must be 0.5 except with"):
        VisitDensity(3, unobserved="prototype", first_sight=1.001)


def test_a_ragged_list_is_refused() -> None:
    with pytest.raises(ValueError, match="active must be an array of numbers, got"):
        VisitDensity().observe([[1], [2, 3]])


def test_a_long_history_is_restored_exactly() -> None:
    rng = np.random.default_rng(0)
    density, copy = VisitDensity(), VisitDensity()
    lives = [np.unique(rng.geometric(0.01, 30)) for _ in range(900)]
    for active in lives[:600]:
        density.observe(active)
    copy.restore(density.state())
    for active in lives[600:]:
        assert density.observe(active) == copy.observe(active)


def test_a_real_game_against_the_sum_over_all_features() -> None:
    """Blob-PROST features of random play: thousands observed, hundreds on; L to 1e-9."""
    features, density = BlobProst(), VisitDensity()
    counts: dict[int, int] = {}
    for t, screen in enumerate(random_screens("venture", 400, 1)):
        ids = features.active(screen).tolist()
        for i in ids:
            counts.setdefault(i, 0)
        log_rho, log_rho_prime = density.observe(ids)
        if t % 40 == 39:
            place = {feature: k for k, feature in enumerate(counts)}
            on = [place[i] for i in ids]
            exact, gain = naive.kt_log_density_and_gain(list(counts.values()), t, on)
            assert log_rho == pytest.approx(exact, rel=1e-12)
            assert log_rho_prime - log_rho == pytest.approx(gain, abs=1e-9)
        for i in ids:
            counts[i] += 1
    assert density.num_observed == len(counts) > 1_000


def test_observe_is_refused_if_the_active_set_is_shared() -> None:
    density = VisitDensity(active_set=ActiveSet())
    with pytest.raises(RuntimeError, match="the active set is shared"):
        density.observe([1])


@given(st.integers(1, 3_000))
def test_rounding_never_gives_a_density_above_one(num_new: int) -> None:
    density = VisitDensity(first_sight=1.001)
    log_rho, log_rho_prime = density.observe(np.arange(num_new))
    assert log_rho <= 0.0
    assert log_rho == pytest.approx(0.0, abs=1e-9)  # all is new, and ρ = 1 for each
    assert log_rho_prime < 0.0


def test_counts_of_any_features_in_any_order() -> None:
    """Whether a feature is on now, off now or was never on."""
    density = VisitDensity()
    for active in ([3, 900], [3], [7], [900]):
        density.observe(active)
    assert density.counts_of([900, 5, 3, 7, 900]).tolist() == [2, 0, 2, 1, 2]
    assert density.counts_of([]).tolist() == []
