"""Put what `phieb report` wrote into the pages.

python results/pages.py results REPORT      the results beside the paper's
python results/pages.py comparison REPORT   the bonuses side by side
"""

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from phieb.reports import ledger
from phieb.reports.table_1 import score_rows
from phieb.reports.tables import Rows, markdown

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "docs" / "results.md", ROOT / "docs" / "bonuses.md"]

# What is kept of each kind of report: files there, and where they go.
KEPT = {
    "results": {
        "ledger.csv": "results/ledger.csv",
        "figure-1-beside-the-paper.md": "results/figure-1.md",
        "figure-1-trials.png": "docs/figure-1.png",
        "rooms.png": "docs/rooms.png",
    },
    "comparison": {
        "ledger.csv": "results/comparison.csv",
        "figure-1-trials.png": "docs/comparison.png",
    },
}


def parts() -> dict[str, str]:
    """What stands between the marks of each name."""
    rows, compared = _ledger("ledger"), _ledger("comparison")
    beside = (ROOT / "results" / "figure-1.md").read_text().split("\n\n", 1)[1]
    return {
        "scores": f"\n{markdown(score_rows(rows))}\n",
        "beside": f"\n{beside.strip()}\n",
        "version": _versions(rows),
        "comparison": f"\n{markdown(side_by_side(compared))}\n",
        "comparison-version": _versions(compared),
    }


def side_by_side(rows: Sequence[ledger.Row]) -> Rows:
    """A row for each agent: its score in each game with each seed, and its best episode."""
    games, agents = (list(dict.fromkeys(row[of] for row in rows)) for of in ("game", "agent"))
    table = [["agent", *(f"{game}: {what}" for game in games for what in ("score", "best"))]]
    for agent in agents:
        cells = [agent]
        for game in games:
            trials = [row for row in rows if (row["game"], row["agent"]) == (game, agent)]
            cells.append(", ".join(f"{float(row['score']):,.0f}" for row in trials))
            cells.append(f"{max(float(row['best']) for row in trials):,.0f}")
        table.append(cells)
    return table


def _ledger(name: str) -> list[ledger.Row]:
    return ledger.read(ROOT / "results" / f"{name}.csv")


def _versions(rows: Sequence[ledger.Row]) -> str:
    return ", ".join(sorted({row["version"] for row in rows}))


def with_parts(page: str) -> str:
    """A page with these parts."""
    for name, text in parts().items():
        first, last = f"<!-- {name} -->", f"<!-- /{name} -->"
        if first in page:
            head, rest = page.split(first)
            page = head + first + text + last + rest.split(last)[1]
    return page


if __name__ == "__main__":
    kind, report = sys.argv[1], Path(sys.argv[2])
    for there, here in KEPT[kind].items():
        shutil.copy(report / there, ROOT / here)
    for path in PAGES:
        path.write_text(with_parts(path.read_text()))
