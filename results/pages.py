"""Put what `phieb report` wrote into the pages: python results/pages.py REPORT."""

import shutil
import sys
from pathlib import Path

from phieb.reports import ledger
from phieb.reports.table_1 import score_rows
from phieb.reports.tables import markdown

ROOT = Path(__file__).parents[1]
LEDGER, BESIDE = ROOT / "results" / "ledger.csv", ROOT / "results" / "figure-1.md"
PAGES = (ROOT / "README.md", ROOT / "docs" / "results.md")


def parts() -> dict[str, str]:
    """What stands between the marks of each name."""
    rows = ledger.read(LEDGER)
    table = BESIDE.read_text().split("\n\n", 1)[1].strip()  # without its title
    return {
        "scores": markdown(score_rows(rows)),
        "beside": table,
        "version": ", ".join(sorted({row["version"] for row in rows})),
    }


def with_parts(page: str) -> str:
    """A page with these parts."""
    for name, text in parts().items():
        between = text if name == "version" else f"\n{text}\n"
        first, last = f"<!-- {name} -->", f"<!-- /{name} -->"
        if first in page:
            head, rest = page.split(first)
            page = head + first + between + last + rest.split(last)[1]
    return page


def take(report: Path) -> None:
    """Copy what is kept of a report."""
    shutil.copy(report / "ledger.csv", LEDGER)
    shutil.copy(report / "figure-1-beside-the-paper.md", BESIDE)
    shutil.copy(report / "figure-1-trials.png", ROOT / "docs" / "figure-1.png")
    if (report / "rooms.png").exists():
        shutil.copy(report / "rooms.png", ROOT / "docs" / "rooms.png")


if __name__ == "__main__":
    take(Path(sys.argv[1]))
    for path in PAGES:
        path.write_text(with_parts(path.read_text()))
