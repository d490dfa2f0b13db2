"""Four environments of Gymnasium's through every command, and parts given from Python."""

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

from phieb.cli.main import main
from phieb.evaluation.evaluate import evaluate
from phieb.evaluation.video import play
from phieb.features import ColourCells, GridObjects, OneHot, Tiles
from phieb.learning import SarsaLambda
from phieb.novelty import PhiBonus, Shortfall
from phieb.training import Config, Run, RunError, preset, resume, train
from phieb.training.given import Given
from phieb.training.training import Training
from phieb.worlds import PointMaze2D

IDS = ("CartPole-v1", "FrozenLake-v1", "MiniGrid-DoorKey-5x5-v0", "phieb/PointMaze2D-v0")
CHOSEN = dict(zip(IDS, (Tiles, OneHot, GridObjects, Tiles), strict=True))


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def lines(path: str) -> list[dict[str, Any]]:
    return [{k: v for k, v in e.items() if k != "frames_per_second"} for e in Run(path).episodes()]


@pytest.mark.parametrize("game", IDS)
def test_every_command(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(["train", game, "--frames", "700", "--max-frames", "90", "--out", "a"])
    said = capsys.readouterr().out
    assert said.count(f"features: {CHOSEN[game].__name__}") == 1
    assert " steps " in said
    assert "frames" not in said
    main(["resume", "a", "--frames", "1400", "--quiet"])
    train(preset("default", game, frames=1_400, max_frames=90), "b")
    assert lines("a") == lines("b")
    assert isinstance(Training(Run("a").config()).learner.features, CHOSEN[game])
    main(["evaluate", "a", "--episodes", "2", "--workers", "1"])
    main(["show", "a"])
    main(["runs", "."])
    main(["report", "a", "--out", "report"])
    said = capsys.readouterr().out
    assert "mean steps" in said
    assert game in said
    assert Path("report/report.html").stat().st_size > 1_000
    main(["play", "a", "--out", "film.mp4"])  # CartPole's and FrozenLake's need pygame
    assert Path("film.mp4").stat().st_size > 1_000
    assert " steps" in capsys.readouterr().out


def test_sweep_and_compare(capsys: pytest.CaptureFixture[str]) -> None:
    usual = ["--games", "phieb/PointMaze2D-v0", "--env-args", '{"size": "small"}']
    few = ["--frames", "300", "--trials", "1", "--workers", "2"]
    main(["sweep", *usual, *few, "--betas", "0.1,0.2", "--out", "s"])
    main(["compare", *usual, *few, "--bonuses", "phi,none", "--out", "c"])
    assert capsys.readouterr().out.count("report.html") == 2
    configs = [Run(found.parent).config() for found in Path().glob("[sc]/*/config.json")]
    assert len(configs) == 4
    assert all(config.env_args == {"size": "small"} for config in configs)


ENVIRONMENTS = """
import gymnasium
import numpy as np

def make_env(size=5):
    return gymnasium.make("phieb/DeepSea-v0", size=size)

class Nothing(gymnasium.Env):
    action_space = gymnasium.spaces.Discrete(2)
    observation_space = gymnasium.spaces.Discrete(2)

class NoMap:
    size = 3

def not_an_env():
    return 7
"""


@pytest.fixture
def _environments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own_envs.py").write_text(ENVIRONMENTS)
    monkeypatch.syspath_prepend(str(tmp_path))


@pytest.mark.usefixtures("_environments")
@pytest.mark.parametrize(
    ("given", "says"),
    [
        (["CartPol-v1"], "similar names: CartPole-v1"),
        (["MiniGrid-DoorKey-8x9-v0"], "similar names: MiniGrid-DoorKey-8x8-v0"),
        (["Pendulum-v1"], "must have Discrete actions"),
        (["CartPole-v1", "--env-args", "[20]"], "--env-args must be a JSON object"),
        (["CartPole-v1", "--env-args", "{20"], "--env-args must be a JSON object"),
        (["CartPole-v1", "--env-args", '{"sise": 20}'], "sise"),
        (["venture", "--env-args", '{"size": 20}'], "env_args must be empty"),
        (["own_envs:make_env", "--env-args", '{"sise": 20}'], "sise"),
        (["own_envs:Nothing"], "must have the method reset"),
        (["own_envs:not_an_env"], "must be a gymnasium.Env, got 7"),
        (["own_envs:nothing_at_all"], "nothing_at_all"),
        (["FrozenLake-v1", "--features", "own_envs:NoMap"], "must have size, active and reset"),
        (["FrozenLake-v1", "--bonus", "own_envs:NoMap"], "must be a phieb.novelty.Bonus"),
        (["FrozenLake-v1", "--agent", "own_envs:NoMap"], "must be a phieb.learning.TrainableAgent"),
        (["FrozenLake-v1", "--bonus", "none", "--shortfall", "True"], "shortfall must be False"),
    ],
)
def test_bad_input_is_one_line(
    given: list[str], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(tmp_path.iterdir())
    with pytest.raises(SystemExit) as stopped:
        main(["train", *given, "--frames", "100", "--out", "new"])
    said = capsys.readouterr().err
    assert stopped.value.code == 2
    assert said.count("\n") == 1
    assert says in said
    assert [path for path in sorted(tmp_path.iterdir()) if path.name != "__pycache__"] == before


@pytest.mark.usefixtures("_environments")
def test_one_s_own_environment_with_arguments() -> None:
    main(["train", "own_envs:make_env", "--env-args", '{"size": 7}', "--frames", "200", "--quiet"])
    run = Run("runs/own_envs_make_env-size-7-phi-0")
    assert {line["length"] for line in run.episodes()} == {7}


def maze() -> gymnasium.Env[Any, Any]:
    return PointMaze2D("small")


def test_parts_are_given_from_python_as_objects_and_as_what_makes_them() -> None:
    config = preset("default", "given", frames=800, seed=3)

    def bonus(beta: float) -> Shortfall:
        return Shortfall(PhiBonus(beta))

    def parts() -> dict[str, Any]:
        space = PointMaze2D("small").observation_space
        agent = SarsaLambda(4, seed=1, epsilon=0.2, value="split", continuing=True)
        features = Tiles(space, bins=7, tilings=4)
        return {"env": maze, "features": features, "bonus": bonus, "agent": agent}

    train(config, "whole", **parts())
    run = train(Config("given", frames=400, seed=3), "parts", **parts())
    kept = run.config()
    assert kept.game == f"{__name__}:maze"
    assert (kept.features, kept.bonus, kept.agent) == ("given", "given", "given")
    resume("parts", frames=800, **parts())
    assert lines("parts") == lines("whole")
    given = Given(**parts())
    assert len(evaluate(run, 2, given=given)["behaviour"]["scores"]) == 2
    assert "own-own" in kept.label


def test_what_was_given_has_to_be_given_again(capsys: pytest.CaptureFixture[str]) -> None:
    run = train(Config("given", frames=300), "a", env=PointMaze2D("small"))
    assert len(run.episodes()) >= 3
    with pytest.raises(RunError, match="was given from Python"):
        resume("a", frames=600)
    with pytest.raises(SystemExit) as stopped:
        main(["evaluate", "a", "--episodes", "1"])
    assert stopped.value.code == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "was given from Python" in said
    film = play(run, Path("a.mp4"), given=Given(env=PointMaze2D("small", "rgb_array")))
    assert film.frames > 0


class Unseeded(gymnasium.Wrapper[Any, Any, Any, Any]):
    """Rewards that no seed repeats; every first observation is the same."""

    def __init__(self) -> None:
        super().__init__(PointMaze2D("small"))

    def step(self, action: Any) -> Any:
        observation, _, ended, cut, info = self.env.step(action)
        return observation, float(np.random.default_rng().random()), ended, cut, info


def test_an_environment_that_repeats_nothing_is_reported_once(
    capsys: pytest.CaptureFixture[str],
) -> None:
    main(["train", f"{__name__}:Unseeded", "--frames", "300", "--quiet", "--out", "a"])
    main(["resume", "a", "--frames", "600", "--quiet"])
    said = capsys.readouterr().out
    assert said.count("is not reproducible from its seed") == 1
    assert Run("a").episodes()[-1]["frames"] >= 500


def test_pictures_are_seen_in_coarse_colours() -> None:
    config = Config("given", frames=200, bonus="none")

    class Pictures(gymnasium.ObservationWrapper[Any, Any, Any]):
        def __init__(self) -> None:
            super().__init__(PointMaze2D("small", "rgb_array"))
            self.observation_space = gymnasium.spaces.Box(0, 255, (112, 112, 3), np.uint8)

        def observation(self, observation: Any) -> Any:
            return self.env.render()

    env = Pictures()
    training = Training(config, Given(env=env))
    assert isinstance(training.learner.features, ColourCells)
    assert len(train(config, "a", env=env).episodes()) >= 1
