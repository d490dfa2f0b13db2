"""Which films a page has inside, and which it links to."""

import base64
from pathlib import Path

from phieb.reports.films import ALL, SMALL, films_of
from phieb.reports.groups import read_runs
from phieb.training import Run
from tests.reports.support import write_run


def test_small_ones_are_inside_until_the_page_is_full(tmp_path: Path) -> None:
    sizes = {"a": 1_000, "b": SMALL + 1, **{f"c{k}": SMALL for k in range(5)}, "none": None}
    for seed, (name, size) in enumerate(sizes.items()):
        run = write_run(tmp_path / name, [1.0], seed=seed)
        if size is not None:
            run.film.write_bytes(bytes([seed]) * size)
    found = films_of(read_runs(tmp_path).results(), tmp_path / "report")
    assert list(found) == ["a", "b", *(f"c{k}" for k in range(5))]
    start = "data:video/mp4;base64,"
    assert found["a"]["address"] == start + base64.b64encode(bytes(1_000)).decode()
    assert found["b"] == {"name": "b", "address": "../b/play.mp4", "inside": False, "megabytes": 5}
    assert sum(film["inside"] for film in found.values()) == 1 + (ALL - 1_000) // SMALL


def test_an_address_is_no_script_and_no_link_is_followed(tmp_path: Path) -> None:
    run = write_run(tmp_path / "javascript:alert(1) #?", [1.0])
    run.film.write_bytes(bytes(SMALL + 1))
    results = read_runs(tmp_path).results()
    (film,) = films_of(results, tmp_path).values()
    assert film["address"] == "javascript%3Aalert%281%29%20%23%3F/play.mp4"
    run.film.unlink()
    (tmp_path / "secret").write_text("secret")
    run.film.symlink_to(tmp_path / "secret")
    assert films_of(results, tmp_path) == {}
    assert Run(tmp_path).film == tmp_path / "play.mp4"
