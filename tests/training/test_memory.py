"""How much memory a feature takes, as the documents say."""

import re
from pathlib import Path

import pytest

from phieb.kernels.numba_support.lanes import LANES
from phieb.training import preset
from phieb.training.phi_explorer import PhiExplorer
from phieb.training.training import new_explorer
from phieb.worlds import Atari

PAGE = Path(__file__).parents[2] / "docs" / "runs.md"


@pytest.mark.parametrize(("kind", "place"), [("split", 0), ("joint", 1)])
def test_bytes_a_feature(kind: str, place: int) -> None:
    config = preset("default", "venture", value=kind, continuing=False)
    explorer = new_explorer(config, Atari("venture"), seed=0)
    assert isinstance(explorer, PhiExplorer)
    explorer.agent.make_room(10_000)
    explorer.density.make_room()
    capacity = explorer.agent.active_set.rows.capacity
    value = explorer.agent.linear.tables
    tables = [
        *explorer.agent.active_set.rows.table,
        *explorer.agent.active_set.tables,
        *(table for table in value if table is not value.times),  # a part of the table
        *explorer.density.tables,
    ]
    sizes = (capacity, capacity + LANES, 2 * capacity)
    by_row = sum(t.nbytes for t in tables if t.shape[0] in sizes)
    (said,) = re.findall(r"<!-- bytes -->(.*?)<!-- /bytes -->", PAGE.read_text(), re.DOTALL)
    assert by_row // capacity == int(re.findall(r"\d{3}", said)[place])
