"""The race: areas of known curves, who is ahead, and rows that outlive their runs."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from phieb.experiments.race import CANDIDATES, candidate_of
from phieb.intervals import interquartile_mean
from phieb.reports import race
from phieb.reports.race_figure import figure
from phieb.training import preset
from tests.reports.support import write_run

FRAMES = {"venture": 100_000, "freeway": 100_000}


def write_trial(folder: Path, name: str, game: str, seed: int, scores: Sequence[float]) -> None:
    settings = {"seed": seed, **CANDIDATES[name]}
    write_run(folder / f"{game}-{name}-{seed}", scores, game=game, **settings)


def rows_of(areas: dict[tuple[str, str], list[float]]) -> list[race.Row]:
    return [
        {"candidate": name, "game": game, "seed": str(101 + k), "frames": "100000"}
        | {"area": str(area), "score": "1", "best": "1", "rooms": "", "settings": "", "version": ""}
        for (name, game), values in areas.items()
        for k, area in enumerate(values)
    ]


def test_every_candidate_is_known_by_its_settings() -> None:
    for name, settings in CANDIDATES.items():
        assert candidate_of(preset("default", "venture", seed=7, frames=5, **settings)) == name
    assert candidate_of(preset("default", "venture", beta=0.123)) == ""


def test_the_area_is_the_mean_of_the_curve(tmp_path: Path) -> None:
    """Nothing for half of the frames, then 8: a mean of the last 100 that grows from 0 to 4."""
    write_trial(tmp_path, "product", "venture", 101, [0.0] * 50 + [8.0] * 50)
    race.collect(tmp_path, candidate_of, FRAMES)
    (row,) = race.read(tmp_path / race.FILE)
    assert (row["candidate"], row["seed"], row["frames"]) == ("product", "101", "100000")
    assert float(row["score"]) == 4.0
    curve = [8.0 * max(k - 50, 0) / k for k in range(1, 101)]
    assert float(row["area"]) == pytest.approx(np.mean(curve), rel=0.02)


def test_what_stands_in_the_file_stays_and_short_runs_are_left_out(tmp_path: Path) -> None:
    write_trial(tmp_path, "product", "venture", 101, [1.0] * 100)
    race.collect(tmp_path, candidate_of, FRAMES)
    first = race.read(tmp_path / race.FILE)
    for file in (tmp_path / "venture-product-101").iterdir():
        file.unlink()
    write_trial(tmp_path, "epsilon", "venture", 101, [1.0] * 100)
    write_trial(tmp_path, "epsilon", "venture", 102, [1.0] * 50)
    race.collect(tmp_path, candidate_of, FRAMES)
    rows = race.read(tmp_path / race.FILE)
    assert [(row["candidate"], row["seed"]) for row in rows] == [
        ("epsilon", "101"),
        ("product", "101"),
    ]
    assert first[0] in rows
    assert race.rows_at({"venture": 99}, rows) == []


def test_one_seed_has_no_interval() -> None:
    rows = rows_of({("dial", "venture"): [2.0, 3.0], ("epsilon", "venture"): [1.0, 1.0]})
    for seeds, interval in (([101], "–"), ([101, 102], "0.")):
        _, *found = race.table_rows(rows, seeds)
        assert found[-1][2].startswith(interval)


def test_the_best_in_each_game_is_one_and_means_are_over_games() -> None:
    rows = rows_of(
        {
            ("product", "venture"): [10.0, 20.0, 30.0],
            ("dial", "venture"): [40.0, 40.0, 40.0],
            ("product", "freeway"): [8.0, 8.0, 8.0],
            ("dial", "freeway"): [2.0, 2.0, 2.0],
        }
    )
    first, second = race.standings(race.areas_of(rows, range(101, 104)))
    assert (first.candidate, second.candidate) == ("product", "dial")
    assert first.games == {"venture": 0.5, "freeway": 1.0}
    assert first.mean == 0.75
    assert second.mean == pytest.approx(0.625)
    assert first.low < first.mean < first.high
    assert second.low == second.high == second.mean  # its seeds do not differ
    assert first.worst == "venture"


def test_interquartile_means_over_seeds() -> None:
    values = [1.0, 2.0, 3.0, 4.0, 100.0, 5.0]
    rows = rows_of({("dial", "venture"): values, ("product", "venture"): [10.0] * 6})
    found = {s.candidate: s for s in race.standings(race.areas_of(rows, range(101, 107)))}
    assert found["dial"].games["venture"] == pytest.approx(interquartile_mean(values) / 10)


def test_who_is_significantly_below_epsilon() -> None:
    rows = rows_of(
        {
            ("epsilon", "venture"): [10.0, 11.0, 12.0],
            ("dial", "venture"): [1.0, 2.0, 3.0],
            ("product", "venture"): [1.0, 11.0, 30.0],
        }
    )
    found = {s.candidate: s.below for s in race.standings(race.areas_of(rows, range(101, 104)))}
    assert found == {"epsilon": [], "dial": ["venture"], "product": []}


def test_who_has_not_run_everywhere_is_not_compared() -> None:
    rows = rows_of(
        {
            ("epsilon", "venture"): [1.0, 2.0],
            ("epsilon", "freeway"): [1.0, 2.0],
            ("dial", "venture"): [9.0, 9.0],
        }
    )
    assert {name for name, _ in race.areas_of(rows, [101, 102])} == {"epsilon"}
    assert race.areas_of(rows, [101, 102, 103]) == {}
    assert race.table_rows(rows, [101, 102, 103]) == []


def test_tables_and_figure(tmp_path: Path) -> None:
    rows = rows_of(
        {
            ("epsilon", "venture"): [0.0, 0.0, 0.0],
            ("dial", "venture"): [1.0, 2.0, 3.0],
            ("epsilon", "freeway"): [0.0, 0.0, 0.0],
            ("dial", "freeway"): [0.0, 0.0, 0.0],
        }
    )
    table = race.table_rows(rows, range(101, 104))
    assert table[1][:2] == ["dial", "0.50"]
    assert table[1][-2:] == ["1.00", "0.00"]  # where nobody scored all are 0
    assert race.score_rows(rows, range(101, 104))[1] == ["epsilon", "1, 1, 1", "1, 1, 1"]
    figure(rows, range(101, 104)).savefig(tmp_path / "race.png")
    assert (tmp_path / "race.png").stat().st_size > 10_000
