"""How much memory a feature takes, as the documents say."""

import re
from pathlib import Path

import pytest

from phieb.kernels.numba_support.lanes import LANES
from phieb.learning import CompiledLearner
from phieb.novelty import VisitDensity
from phieb.training import preset
from phieb.training.parts import new_learner
from phieb.worlds import Atari

PAGE = Path(__file__).parents[3] / "docs" / "runs.md"


@pytest.mark.parametrize(("kind", "place"), [("split", 0), ("joint", 1)])
def test_bytes_a_feature(kind: str, place: int) -> None:
    config = preset("default", "venture", value=kind, continuing=False)
    learner = new_learner(config, Atari("venture"), seed=0)
    assert isinstance(learner, CompiledLearner)
    assert learner.bonus is not None
    density = learner.bonus.density
    assert isinstance(density, VisitDensity)
    learner.agent.ensure_capacity(10_000)
    density.ensure_capacity()
    capacity = learner.agent.active_set.rows.capacity
    value = learner.agent.linear.tables
    tables = [
        *learner.agent.active_set.rows.table,
        *learner.agent.active_set.tables,
        *(table for table in value if table is not value.times),  # a part of the table
        *density.tables,
    ]
    sizes = (capacity, capacity + LANES, 2 * capacity)
    by_row = sum(t.nbytes for t in tables if t.shape[0] in sizes)
    (said,) = re.findall(r"<!-- bytes -->(.*?)<!-- /bytes -->", PAGE.read_text(), re.DOTALL)
    assert by_row // capacity == int(re.findall(r"\d{3}", said)[place])
