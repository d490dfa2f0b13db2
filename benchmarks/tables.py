"""Write the tables of README.md from what `phieb bench --json` measured."""

import json
from pathlib import Path

from phieb.reports.bench import part_rows, speed_rows
from phieb.reports.tables import markdown

HERE = Path(__file__).parent
PAGE = HERE / "README.md"


def tables() -> dict[str, str]:
    """What stands between the marks of each name."""
    made = {}
    for name in ("speed", "growth"):
        found = json.loads((HERE / f"{name}.json").read_text())
        machine = found["machine"]
        versions = ", ".join(f"{key} {machine[key]}" for key in machine if key not in _NOT_VERSIONS)
        said = f"{machine['cores']} cores, {machine['processor']}; {versions}."
        made[name] = f"{said}\n\n{markdown(speed_rows(found['games']))}"
        made[f"{name}-parts"] = markdown(part_rows(found["games"]))
    return made


def with_tables(page: str) -> str:
    """The page with its tables as they should be."""
    for name, table in tables().items():
        before, marked, rest = page.partition(f"<!-- {name} -->\n")
        _, end, after = rest.partition(f"<!-- /{name} -->")
        if not marked or not end:
            raise ValueError(f"{PAGE}: must have the marks of {name}")
        page = f"{before}{marked}{table}\n{end}{after}"
    return page


_NOT_VERSIONS = ("cores", "processor")

if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text()))
