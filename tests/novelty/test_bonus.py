"""Definition 3: the bonus, and keeping it."""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from phieb.novelty import PhiBonus, VisitDensity, pseudocount

observations = st.lists(st.sets(st.integers(0, 200), max_size=60).map(sorted), max_size=15)


@given(observations, st.floats(0, 10), st.floats(1e-6, 1))
def test_the_definition(history: list[list[int]], beta: float, kappa: float) -> None:
    bonus, density = PhiBonus(beta, kappa, per_feature=False), VisitDensity()
    for active in history:
        count = pseudocount(*density.observe(active))
        assert bonus.observe(active) == beta / math.sqrt(count + kappa)
        assert bonus.pseudocount == count


def test_many_new_features_at_once_stay_below_the_bound() -> None:
    bonus = PhiBonus(beta=0.05, kappa=0.01, per_feature=False)
    assert bonus.largest == pytest.approx(0.5)
    bonus.observe(range(1_000))
    assert bonus.observe(range(1_000, 3_000)) == pytest.approx(bonus.largest)


def test_the_bonus_shrinks_with_the_root_of_the_count() -> None:
    """One of two states, seen again and again: β/√N̂ falls like 1/√N."""
    bonus = PhiBonus(beta=1.0)
    bonus.observe([1])
    seen = [bonus.observe([0]) for _ in range(400)]
    assert seen == sorted(seen, reverse=True)
    assert seen[99] / seen[399] == pytest.approx(2.0, rel=0.02)


@given(observations, observations)
def test_a_restored_bonus_resumes_exactly(first: list[list[int]], second: list[list[int]]) -> None:
    bonus, copy = PhiBonus(), PhiBonus()
    for active in first:
        bonus.observe(active)
    copy.restore(bonus.state())
    assert copy.pseudocount == bonus.pseudocount
    assert [copy.observe(a) for a in second] == [bonus.observe(a) for a in second]


def test_saved_and_loaded(tmp_path: Path) -> None:
    bonus, copy = PhiBonus(), PhiBonus()
    bonus.observe([3, 70])
    bonus.save(tmp_path / "bonus.safetensors")
    copy.load(tmp_path / "bonus.safetensors")
    assert copy.observe([3]) == bonus.observe([3])
    assert [p.name for p in tmp_path.iterdir()] == ["bonus.safetensors"]


def test_other_settings_are_refused_field_by_field(tmp_path: Path) -> None:
    PhiBonus(beta=0.1).save(tmp_path / "b")
    with pytest.raises(ValueError, match=r"beta is 0\.1 there and 0\.3 here; estimator is 'kt'"):
        PhiBonus(density=VisitDensity(estimator="empirical")).load(tmp_path / "b")


@given(st.data())
def test_a_damaged_file_is_a_clear_error(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    file = tmp_path_factory.getbasetemp() / f"bonus-{data.draw(st.uuids())}"
    bonus = PhiBonus()
    bonus.observe([1, 2])
    bonus.save(file)
    whole = file.read_bytes()
    place = data.draw(st.integers(0, len(whole) - 1))
    cut = data.draw(st.booleans())
    file.write_bytes(whole[:place] if cut else _flipped(whole, place))
    copy = PhiBonus()
    with pytest.raises(ValueError, match=f"^cannot load {file}: "):
        copy.load(file)
    assert copy.density.t == 0  # type: ignore[attr-defined]


def _flipped(data: bytes, place: int) -> bytes:
    return data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]


@pytest.mark.parametrize("beta", [math.nan, math.inf, -0.1])
def test_a_bad_beta(beta: float) -> None:
    with pytest.raises(ValueError, match="beta must be a finite number >= 0, got"):
        PhiBonus(beta=beta)


@pytest.mark.parametrize("kappa", [0.0, -1.0, math.nan])
def test_a_bad_kappa(kappa: float) -> None:
    with pytest.raises(ValueError, match="kappa must be a finite number > 0, got"):
        PhiBonus(kappa=kappa)


def test_a_beta_of_the_wrong_type() -> None:
    with pytest.raises(TypeError, match="beta must be a finite number >= 0, got '0.05'"):
        PhiBonus(beta="0.05")  # type: ignore[arg-type]


def test_invalid_densities_and_states_are_refused() -> None:
    with pytest.raises(TypeError, match="density must have observe, settings, state and restore"):
        PhiBonus(density=3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"state must have 'pseudocount', got \[\]"):
        PhiBonus().restore({})
    with pytest.raises(ValueError, match="beta must be a finite number >= 0"):
        PhiBonus(beta=10**400)


def test_a_folder_is_refused_as_a_file(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=f"cannot save {tmp_path}: it is a folder"):
        PhiBonus().save(tmp_path)
    assert list(tmp_path.parent.glob("*.part")) == []


def test_transposed_arrays_are_saved_correctly(tmp_path: Path) -> None:
    table = np.arange(6).reshape(2, 3).T

    class Own(PhiBonus):
        def state(self) -> dict[str, NDArray[Any]]:
            return {"table": table, "some": np.arange(9)[::2]}

        def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
            assert np.array_equal(state["table"], table)
            assert state["some"].tolist() == [0, 2, 4, 6, 8]

    Own().save(tmp_path / "own")
    Own().load(tmp_path / "own")
