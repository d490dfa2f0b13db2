"""Text that leaves: nothing in it is obeyed by a terminal, a spreadsheet or LaTeX."""

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phieb.plain_text import SPELL, cell, from_cell, visible
from phieb.reports.tables import comma_separated, latex, markdown, read_csv, text, write_csv

ANY_TEXT = st.text(st.one_of(st.characters(), st.sampled_from("=+-@\t\n'1.")))


@given(st.text())
def test_visible_text_can_be_printed_and_has_no_controls(given: str) -> None:
    shown = visible(given)
    shown.encode()
    assert all(ord(sign) >= 32 and not 0x7F <= ord(sign) <= 0x9F for sign in shown)
    assert visible(shown) == shown


def test_what_is_shown_of_hidden_signs() -> None:
    assert visible("a\x1b[31m\r\n\udcff\u202e") == r"a\x1b[31m\r\n\xff\u202e"
    assert visible("φ-EB, β = 0.3 – fine\n", keep="\n") == "φ-EB, β = 0.3 – fine\n"


@given(ANY_TEXT)
def test_a_cell_is_no_formula_and_comes_back(given: str) -> None:
    made = str(cell(given))
    assert from_cell(made) == visible(given, keep="\n\t")
    assert next(csv.reader(io.StringIO(comma_separated([[given, "x"]])))) == [made, "x"]
    if made[:1] in ("=", "+", "-", "@", "\t", "\r"):
        float(made)  # else it raises


@pytest.mark.parametrize("formula", ["=1+2", "+1+2", "-1+2", "@SUM(A1)", "\t=1", "=cmd|x"])
def test_formulas_in_files(formula: str, tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    write_csv([{"name": formula, "score": "-3.5", "mean": -2.0}], ["name", "score", "mean"], path)
    with path.open(newline="", encoding="utf-8") as file:
        assert list(csv.reader(file))[1] == [f"'{formula}", "-3.5", "-2.0"]
    assert read_csv(path)[0] == {"name": formula, "score": "-3.5", "mean": "-2.0"}
    assert comma_separated([["name"], [formula]]).splitlines()[1].lstrip('"').startswith("'")


def test_commands_and_controls_in_papers_and_pages() -> None:
    rows = [["name"], ["\\input{x}\n\n%~^&_#$"], ["a\x1b[2Jb|c\nd"]]
    made = latex(rows)
    assert r"\textbackslash{}input\{x\}\textbackslash{}n" in made
    assert r"\%\textasciitilde{}\textasciicircum{}\&\_\#\$" in made
    assert made.count("\n") == len(rows) + 4
    assert markdown(rows).splitlines()[-1] == r"| a\x1b[2Jb\|c\nd |"
    assert r"a\x1b[2Jb|c\nd" in text("table", rows)


def test_signs_of_ours_are_spelled_where_there_is_no_greek() -> None:
    assert "φ-EB, ε … é 語".encode("ascii", SPELL) == rb"phi-EB, epsilon ... \xe9 \u8a9e"
    assert "φ é".encode("latin-1", SPELL) == b"phi \xe9"
