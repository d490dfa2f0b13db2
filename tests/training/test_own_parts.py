"""A user's own bonus, map and agent, on Atari and on CartPole: log, checkpoint, resume, judgement.

Also the commands, and every declared part by its name.
"""

import shutil
from pathlib import Path

import numpy as np
import pytest

from phieb.cli.main import main
from phieb.evaluation.evaluate import evaluate
from phieb.features import FEATURES
from phieb.learning import AGENTS
from phieb.training import Run, preset, resume, train

EXAMPLE = Path(__file__).parents[2] / "examples" / "own_parts.py"
PARTS = {
    "bonus": "own_parts:FirstTime",
    "features": "own_parts:Levels",
    "agent": "own_parts:OneStepQ",
}
GAMES = {"venture": {"frames": 3_000, "max_frames": 900}, "CartPole-v1": {"frames": 600}}


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(EXAMPLE, tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("kind", PARTS)
def test_one_s_own_part_has_all_that_a_run_has(kind: str, game: str) -> None:
    settings = {"seed": 1, kind: PARTS[kind], **GAMES[game]}
    run = train(preset("default", game, **settings), "a")
    assert run.config().__dict__[kind] == PARTS[kind]
    lines = [{k: v for k, v in e.items() if k != "frames_per_second"} for e in run.episodes()]
    assert len(lines) > 2
    frames = GAMES[game]["frames"]
    resume("a", frames=2 * frames)
    whole = train(preset("default", game, **{**settings, "frames": 2 * frames}), "b")
    extended = [{k: v for k, v in e.items() if k != "frames_per_second"} for e in run.episodes()]
    assert extended[: len(lines)] == lines
    once = [{k: v for k, v in e.items() if k != "frames_per_second"} for e in whole.episodes()]
    assert extended == once
    result = evaluate(run, 2, workers=1)
    assert len(result["behaviour"]["scores"]) == 2
    main(["report", "a", "--out", "report"])
    assert (Path("report") / "report.html").exists()


@pytest.mark.parametrize("features", ["liang2016", "basic", "b-pros", "b-prost"])
def test_every_map_of_the_ladder_trains(features: str) -> None:
    config = preset("default", "venture", seed=1, features=features, frames=1_500, max_frames=900)
    run = train(config, "a")
    assert run.episodes()[-1]["observed"] > 20
    assert features in FEATURES


@pytest.mark.parametrize("bonus", ["phi", "none", "count"])
@pytest.mark.parametrize("agent", AGENTS.without_extras())
def test_every_agent_resumes_to_the_bit(agent: str, bonus: str) -> None:
    settings = {"agent": agent, "bonus": bonus, "seed": 1, "max_frames": 900}
    train(preset("default", "venture", frames=2_500, **settings), "a")
    resume("a", frames=4_000)
    train(preset("default", "venture", frames=4_000, **settings), "b")
    one, other = (Run(path).newest(print) for path in "ab")
    assert one is not None
    assert other is not None
    for part, arrays in one[0].items():
        for name, array in arrays.items():
            assert np.array_equal(array, other[0][part][name], equal_nan=True), (part, name)


def test_the_commands_take_them_too(capsys: pytest.CaptureFixture[str]) -> None:
    given = ["--frames", "400", "--seed", "1", "--quiet", "--bonus", PARTS["bonus"]]
    main(["train", "CartPole-v1", *given])
    main(["show", "runs/CartPole-v1-own_parts_FirstTime-1"])
    assert "CartPole-v1" in capsys.readouterr().out
    with pytest.raises(SystemExit) as stopped:
        main(["train", "CartPole-v1", "--agent", "own_parts:Nobody"])
    assert stopped.value.code == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "Nobody" in said
