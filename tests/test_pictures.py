"""The tables of docs/deep.md are made from results/pictures.csv and results/picture-counts.csv."""

from pathlib import Path

from benchmarks import pictures_page

PAGE = (Path(__file__).parents[1] / "docs" / "deep.md").read_text(encoding="utf-8")
OPENED = {"pictures": "<!-- pictures -->", "picture-counts": "<!-- picture-counts -->"}


def test_the_tables_are_those_of_the_results() -> None:
    tables = pictures_page.tables()
    assert tables.keys() == OPENED.keys()
    for name, opened in OPENED.items():
        assert f"{opened}\n{tables[name]}\n<!-- /{name} -->" in PAGE


def test_intervals_need_several_seeds_and_arms_keep_their_order() -> None:
    row = {"task": "maze", "steps": "100", "first_win": "", "returns": "0 1", "coverage": "0 0.5"}
    rows = [
        {**row, "arm": arm, "return": value, "covered": "0.5"}
        for arm, value in (("RND", "1.0"), ("no bonus", "0.0"), ("no bonus", "1.0"))
    ]
    table = pictures_page.results_table(rows).splitlines()
    assert (
        table[2] == "| maze | no bonus | 2 | 0.50 [0.00, 1.00] | 0.50 [0.50, 0.50] | 0 of 2 | – |"
    )
    assert table[3] == "| maze | RND | 1 | 1.00 | 0.50 | 0 of 1 | – |"
    assert len(pictures_page.figure(rows).axes) == 2
