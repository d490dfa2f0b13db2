"""The screen of a run in an environment of the user's."""

from pathlib import Path

import pytest

from phieb.training import preset, train
from phieb.watching.looks import look
from tests.watching.moody import Moody


def test_whatever_it_raises_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = train(preset("default", "tests.watching.moody:make", frames=300), tmp_path / "run")
    found = look(run)
    (moment,) = found["moments"]
    assert moment["frames"] == 0
    assert moment["new"]
    monkeypatch.setattr(Moody, "broken", True)
    assert look(run) == {"problem": "RuntimeError: no light"}
