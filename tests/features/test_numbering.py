"""The numbering of screen features: ids, decoded rows, and descriptions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phieb.features import BlobProst

BIAS = (3, -1, -1, 0, 0)


def test_the_published_counts() -> None:
    assert BlobProst.preset("liang2016").size == 114_702_400 + 1  # the bias
    assert BlobProst().size == BlobProst.preset("martin2017").size == 20_598_848 + 1


@given(st.data(), st.sampled_from([(15, 10), (7, 4)]))
def test_every_id_has_a_row_of_its_own(data: st.DataObject, tile: tuple[int, int]) -> None:
    features = BlobProst(tile)
    ids = data.draw(st.lists(st.integers(0, features.size - 1), unique=True, max_size=30))
    rows = features.decode(ids)
    assert features.encode(rows).tolist() == ids
    assert len(set(map(tuple, rows.tolist()))) == len(ids)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ((0, 24, -1, 3, 5), "blob of colour 24 in tile row 3, column 5"),
        ((1, 24, 66, -3, 0), "blob of colour 24 three tiles above one of colour 66"),
        (
            (1, 24, 66, 1, -2),
            "blob of colour 24 one tile below and two tiles left of one of colour 66",
        ),
        ((1, 24, 24, 0, 0), "blob of colour 24 in the same tile as one of colour 24"),
        ((1, 2, 9, 0, 12), "blob of colour 2 12 tiles right of one of colour 9"),
        ((2, 24, 66, -3, 0), "blob of colour 66 three tiles below where one of colour 24 was"),
        ((2, 7, 7, 0, 0), "blob of colour 7 where one of colour 7 was"),
        (BIAS, "bias, always on"),
    ],
)
def test_features_in_words(row: tuple[int, ...], words: str) -> None:
    features = BlobProst()
    assert features.describe(int(features.encode([row])[0])) == words


@pytest.mark.parametrize(
    "bad",
    [(0, 128, -1, 0, 0), (0, 3, -1, 14, 0), (0, 3, 4, 0, 0), (1, 9, 4, 0, 0), (1, 4, 4, -1, 0),
     (1, 3, 4, 14, 0), (2, 3, -1, 0, 0), (4, 0, 0, 0, 0), (3, -1, -1, 1, 0)],
)  # fmt: skip
def test_invalid_rows_are_refused(bad: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="rows must hold features of this map, got"):
        BlobProst().encode([bad])


def test_ids_and_rows_may_repeat() -> None:
    features = BlobProst()
    rows = features.decode([5, 7, 5])
    assert features.encode(rows).tolist() == [5, 7, 5]
    for bad in ([[0.5] * 5], [["a"] * 5], [1, 2]):
        with pytest.raises(ValueError, match="rows must be whole numbers of shape"):
            features.encode(bad)
    with pytest.raises(ValueError, match="feature must be a whole number in"):
        features.describe(10**30)
