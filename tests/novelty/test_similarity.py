"""Definition 4 (its properties are in test_theory.py)."""

import pytest

from phieb.novelty import hamming_similarity


def test_the_definition() -> None:
    assert hamming_similarity([1, 0, 1, 0], [1, 1, 0, 0]) == 0.5


@pytest.mark.parametrize(
    ("phi", "other", "says"),
    [
        ([0, 1], [0, 1, 1], r"phi_prime must have phi's shape \(2,\), got \(3,\)"),
        ([0, 2], [0, 1], "phi must hold only 0 and 1"),
        ([], [], r"phi must be a binary vector of length >= 1"),
        ([[0]], [[0]], r"phi must be a binary vector"),
    ],
)
def test_bad_vectors_are_refused(phi: list[int], other: list[int], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        hamming_similarity(phi, other)
