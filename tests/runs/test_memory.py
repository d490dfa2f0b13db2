"""How much memory a feature takes, as the documents say."""

import re
from pathlib import Path

import pytest

from phieb.runs import preset
from phieb.runs.phi_explorer import PhiExplorer
from phieb.runs.training import new_explorer
from phieb.worlds import Atari

PAGE = Path(__file__).parents[2] / "docs" / "runs.md"


@pytest.mark.parametrize(("value", "place"), [("split", 0), ("joint", 1)])
def test_bytes_a_feature(value: str, place: int) -> None:
    config = preset("default", "venture", value=value, continuing=False)
    explorer = new_explorer(config, Atari("venture"), seed=0)
    assert isinstance(explorer, PhiExplorer)
    explorer.agent.make_room(10_000)
    explorer.density.make_room()
    capacity = explorer.agent.active_set.rows.capacity
    tables = [
        *explorer.agent.active_set.rows.table,
        *explorer.agent.active_set.tables,
        *explorer.agent.linear.tables,
        *explorer.density.tables,
    ]
    by_row = sum(t.nbytes for t in tables if t.shape[0] in (capacity, 2 * capacity))
    (said,) = re.findall(r"<!-- bytes -->(.*?)<!-- /bytes -->", PAGE.read_text(), re.DOTALL)
    assert by_row / capacity == float(re.findall(r"\d{3}", said)[place])
