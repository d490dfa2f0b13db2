"""A report on a folder of runs: figures, tables and an HTML page in one folder."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from matplotlib import rc_context

from phieb.files import writing
from phieb.reports import figure_1, ledger, rooms, sweeps
from phieb.reports.curves import GroupCurves, by_game, group_curves
from phieb.reports.figure_files import save_figure
from phieb.reports.groups import GroupedRuns
from phieb.reports.other_programs import rows_of
from phieb.reports.page import write_page
from phieb.reports.table_1 import figure_rows, paper_rows, score_numbers, score_rows
from phieb.reports.tables import Rows, comma_separated, latex, markdown, text

SCORES = "Scores of the game, without bonus"
TABLE_1 = "Table 1: mean evaluation scores, ours and others'"
FIGURE_1 = "Mean training scores compared with the paper's Figure 1"
_NAMES = {SCORES: "scores", TABLE_1: "table-1", FIGURE_1: "figure-1-beside-the-paper"}

_NUMBERS = SCORES, ".csv"  # the one file that has numbers instead of what the page says

# Without dates, so that the same runs give the same files.
_UNDATED: dict[str, dict[str, Any]] = {
    ".png": {},
    ".svg": {"Date": None},
    ".pdf": {"CreationDate": None},
}

_FORMS: dict[str, Callable[[str, Rows], str]] = {
    ".txt": text,
    ".md": lambda title, rows: f"## {title}\n\n{markdown(rows)}",
    ".csv": lambda _, rows: comma_separated(rows).rstrip("\n"),
    ".tex": lambda title, rows: f"% {title}\n{latex(rows)}",
}


def tables_of(
    runs: GroupedRuns,
    curves: Sequence[GroupCurves] | None = None,
    others: Sequence[GroupCurves] = (),
) -> dict[str, Rows]:
    """All tables that have rows, by title.

    Args:
        runs: the runs to report on.
        curves: of their groups, where they are made already.
        others: curves of other programs.
    """
    rows = _rows(runs, others)
    curves = [group_curves(group) for group in runs.groups] if curves is None else curves
    made = {
        SCORES: score_rows(rows),
        FIGURE_1: figure_rows([*curves, *others]),
        TABLE_1: paper_rows(rows),
    }
    return {title: rows for title, rows in made.items() if len(rows) > 1}


def _rows(runs: GroupedRuns, others: Sequence[GroupCurves]) -> list[ledger.Row]:
    games = list(runs.games())
    rows = [*(result.row for result in runs.results()), *rows_of(others)]
    return sorted(rows, key=lambda row: games.index(row["game"]))


def write_report(
    runs: GroupedRuns,
    out: Path,
    still: Callable[[str], bytes | None],
    others: Sequence[GroupCurves] = (),
) -> list[Path]:
    """Write the report; returns its files, the page first.

    Args:
        runs: the runs to report on.
        out: the folder to write to; created if needed.
        still: returns a picture of a game as PNG, since reports play no games themselves.
        others: curves of other programs.
    """
    # A folder that was received may have a link in the place of its report.
    writing.make_folder(out, within=runs.folder if out.parent == runs.folder else None)
    own = [group_curves(group) for group in runs.groups]
    curves = [*own, *others]
    tables = tables_of(runs, own, others)
    figures = {
        "figure-1": figure_1.paper_form(curves),
        "figure-1-trials": figure_1.our_form(curves),
    }
    for groups in by_game(curves).values():
        if rooms.has_rooms(groups):
            figures["rooms"] = rooms.figure([one for one in groups if rooms.has_rooms([one])])
    found = [one for groups in by_game(curves).values() for one in sweeps.sweeps(groups)]
    if found:
        figures["score-against-beta"] = sweeps.figure(found)
    written = [out / "report.html"]
    write_page(runs, curves, tables, written[0], still)
    for name, figure in figures.items():
        for ending, made in _UNDATED.items():
            written.append(out / f"{name}{ending}")
            with rc_context({"svg.hashsalt": "phieb"}):
                save_figure(figure, written[-1], dpi=150, metadata=made)
    for title, rows in tables.items():
        for ending, form in _FORMS.items():
            written.append(out / f"{_NAMES[title]}{ending}")
            shown = score_numbers(_rows(runs, others)) if (title, ending) == _NUMBERS else rows
            writing.write(written[-1], form(title, shown) + "\n")
    written.append(out / "ledger.csv")
    ledger.write([result.row for result in runs.results()], written[-1])
    return written
