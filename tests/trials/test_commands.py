"""The commands of a folder of runs: written down once each, and read by the report."""

import json
from pathlib import Path

import pytest

from phieb.cli.main import main
from phieb.cli.reproduce import Reproduce
from phieb.cli.sweep import Sweep
from phieb.trials.commands import MOST, add_command, commands_in


def test_each_is_kept_once_and_the_oldest_go_first(tmp_path: Path) -> None:
    assert commands_in(tmp_path) == []
    for command in ("phieb sweep", "phieb race", "phieb sweep"):
        add_command(tmp_path, command)
    assert commands_in(tmp_path) == ["phieb sweep", "phieb race"]
    for number in range(MOST):
        add_command(tmp_path, f"phieb sweep --trials {number}")
    assert len(commands_in(tmp_path)) == MOST
    assert commands_in(tmp_path)[0] == "phieb sweep --trials 0"


@pytest.mark.parametrize("text", ["{", "[]", '{"commands": [1]}', '{"commands": "x"}'])
def test_a_file_that_says_something_else_is_not_believed(tmp_path: Path, text: str) -> None:
    (tmp_path / "commands.json").write_text(text)
    assert commands_in(tmp_path) == []


def test_a_command_has_the_options_that_are_not_the_default(tmp_path: Path) -> None:
    assert Reproduce().command_line() == "phieb reproduce"
    given = Reproduce(games="venture", frames=2_000_000, trials=1, out=Path("my runs"))
    said = "phieb reproduce --out 'my runs' --games venture --frames 2000000 --trials 1"
    assert given.command_line() == said
    staged = Reproduce(stages=(10_000, 30_000), episodes=5)
    assert [one.command_line() for one in staged._stages()] == 2 * [
        "phieb reproduce --episodes 5 --stages 10000,30000"
    ]
    sweep = Sweep(env_args='{"size": 5}', games="phieb/DeepSea-v0")
    assert sweep.command_line() == (
        "phieb sweep --games phieb/DeepSea-v0 --env-args '{\"size\": 5}'"
    )


def test_trials_write_it_down(tmp_path: Path) -> None:
    out = tmp_path / "out"
    given = ["sweep", "--games", "phieb/DeepSea-v0", "--betas", "0.3", "--trials", "1"]
    main([*given, "--frames", "40", "--out", str(out)])
    (command,) = json.loads((out / "commands.json").read_text())["commands"]
    assert command == (
        f"phieb sweep --out {out} --games phieb/DeepSea-v0 --trials 1 --frames 40 --betas 0.3"
    )
    assert command in (out / "report" / "report.html").read_text().replace("\\u003c", "<")
