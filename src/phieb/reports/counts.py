"""The tables of `phieb counts`: how far each estimate is from the true count."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from phieb.reports.tables import Rows

Results = Mapping[str, Any]
Row = Mapping[str, Any]

# Symbols of the bonuses in tables and in the figure.
NAMES = {"product": "N̂", "per feature": "N̄", "naive": "Ñ", "SimHash": "SimHash", "CTS": "CTS"}


def factor_rows(results: Results) -> Rows:
    """The factor of bias, with the rank correlation in brackets."""
    return _table(results, lambda rows: f"{number(factor(rows))} ({_rank(rows)})")


def new_rows(results: Results) -> Rows:
    """The estimate where the true count is 0."""
    return _table(results, lambda rows: number(_median([row["new"] for row in rows])))


def titles(results: Results) -> tuple[str, str]:
    """Titles of the two tables."""
    first, end = results["seeds"]
    of = f"{results['steps']:,} steps, median of seeds {first}..{end - 1}"
    return (
        f"Factor of bias: median of estimated/true count where the true count is at least 1; in "
        f"brackets the rank correlation over the last fifth of the observations ({of})",
        f"Median estimate where the true count is 0 ({of})",
    )


def chosen(results: Results, **given: str) -> list[Row]:
    """The rows with these values."""
    return [row for row in results["rows"] if all(row[key] == given[key] for key in given)]


def factor(rows: Sequence[Row]) -> float:
    """The median factor of bias over trials; infinite factors are stored as None."""
    return _median([math.inf if row["factor"] is None else row["factor"] for row in rows])


def rank(rows: Sequence[Row]) -> float:
    """The median rank correlation over trials."""
    return _median([row["rank"] for row in rows])


def number(x: float) -> str:
    """Two digits after the point, fewer for large numbers, a power of ten for very small ones.

    Example:
        >>> [number(x) for x in (1.0436, 86.6, 0.0374, 7.8e-43)]
        ['1.04', '87', '0.037', '8e-43']
    """
    if not math.isfinite(x):
        return "—" if math.isnan(x) else "∞"
    if x and abs(x) < 0.001:
        return f"{x:.0e}"
    return f"{x:.{0 if abs(x) >= 10 else 2 if abs(x) >= 0.1 or x == 0 else 3}f}"


def _table(results: Results, cell: Any) -> Rows:
    """A row for each bonus and its input, a column for each world and behaviour."""
    every = results["rows"]
    settings = dict.fromkeys((row["world"], row["behaviour"]) for row in every)
    made = [["bonus", "sees", *(", ".join(setting) for setting in settings)]]
    for bonus, sees in dict.fromkeys((row["bonus"], row["sees"]) for row in every):
        made.append([NAMES[bonus], sees])
        for world, behaviour in settings:
            given = {"bonus": bonus, "sees": sees, "world": world, "behaviour": behaviour}
            made[-1].append(cell(chosen(results, **given)))
    return made


def _rank(rows: Sequence[Row]) -> str:
    value = rank(rows)
    return "—" if math.isnan(value) else f"{value:.2f}"


def _median(values: Sequence[float | None]) -> float:
    """The median of the values that are not None; NaN if all are."""
    known = [value for value in values if value is not None]
    return float(np.median(known)) if known else math.nan
