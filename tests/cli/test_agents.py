"""The agents that phieb ships, and what a command takes for an agent."""

import shutil
from pathlib import Path

import pytest

from phieb.cli.agents import AGENTS, agent_at, check_agent, shipped
from phieb.cli.main import main
from phieb.evaluation.card import card
from phieb.evaluation.exported import Exported
from phieb.evaluation.frozen import decisions
from phieb.evaluation.policy import Policy, read_policy
from phieb.training import Run
from tests.cli.conftest import Refused
from tests.evaluation.support import lake

NAMES = ["freeway", "montezuma_revenge", "venture"]


def test_there_are_three() -> None:
    assert shipped() == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_an_agent_is_small_has_a_card_and_plays(name: str) -> None:
    file = AGENTS / f"{name}.safetensors"
    assert file.stat().st_size <= 3_000_000
    policy = read_policy(file)
    facts = policy.facts
    assert facts["settings"]["game"] == name
    assert facts["licence"] == "MIT"
    assert facts["exported"]["episodes"] >= 10
    assert facts["exported"]["mean"] > 0.0
    assert file.with_suffix(".md").read_text() == card(facts, file.name)
    player = Exported(policy)
    (kind,) = player.kinds()
    moments = [one for one, _ in zip(decisions(player, kind, 0), range(30), strict=False)]
    assert len(moments) == 30
    assert max(abs(player.q(one.active, kind)).max() for one in moments) > 0.0


def test_it_is_called_by_its_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    main(["evaluate", "ALE/Freeway-v5", "--episodes", "1", "--workers", "1"])
    assert "freeway after" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []


def test_a_run_or_a_file_of_that_name_comes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = agent_at(Path("venture"))
    assert isinstance(found, Policy)
    run = lake(tmp_path / "venture", frames=60)
    check_agent(Path("venture"), checkpoint=60)
    found = agent_at(Path("venture"))
    assert isinstance(found, Run)
    assert found.path == Path("venture")
    shutil.rmtree(run.path)
    shutil.copy(AGENTS / "freeway.safetensors", tmp_path / "venture")
    found = agent_at(Path("venture"))
    assert isinstance(found, Policy)
    assert found.facts["settings"]["game"] == "freeway"


def test_what_is_no_agent_is_refused(assert_refused: Refused) -> None:
    known = "or the file of a policy, or one of freeway, montezuma_revenge, venture"
    for command in ("evaluate", "play"):
        assert_refused([command, "qbert"], f"got qbert (no such folder); {known}")
        assert_refused([command, "ventura"], known)
        assert_refused([command, "venture", "--checkpoint", "5"], "--checkpoint needs the folder")
