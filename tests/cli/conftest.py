"""What the tests of all commands share."""

from collections.abc import Callable
from pathlib import Path

import pytest

from phieb.cli.main import main

Refused = Callable[[list[str], str], None]


@pytest.fixture
def assert_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Refused:
    """Bad input is one line and exit code 2, and nothing is written."""

    def check(given: list[str], says: str) -> None:
        monkeypatch.chdir(tmp_path)
        with pytest.raises(SystemExit) as stop:
            main(given)
        out, err = capsys.readouterr()
        assert (stop.value.code, out, err.count("\n")) == (2, "", 1)
        assert err.startswith("phieb: ")
        assert says in err
        assert list(tmp_path.iterdir()) == []

    return check
