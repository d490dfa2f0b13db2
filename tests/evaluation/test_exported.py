"""From a run to a file and back: what plays is the agent that was trained."""

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

from phieb.evaluation.evaluate import evaluate, evaluate_policy
from phieb.evaluation.exported import Exported, fitted, policy_of
from phieb.evaluation.frozen import Frozen, decisions, play_episode
from phieb.evaluation.policy import Policy, policy_bytes, read_policy, write_policy
from phieb.training import Run, RunError, train
from tests.evaluation.support import facts_of, lake, venture
from tests.faults.support import config

AGENTS = ["sarsa", "q", "expected-sarsa", "true-online-sarsa"]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return venture(tmp_path_factory.mktemp("venture") / "run")


@pytest.fixture(scope="module")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return lake(tmp_path_factory.mktemp("lake") / "run")


def read_back(policy: Policy, folder: Path) -> Policy:
    write_policy(folder / "agent.safetensors", policy)
    return read_policy(folder / "agent.safetensors")


def largest_difference(run: Run, player: Exported, num_moments: int = 60) -> float:
    """Between the values of an exported agent and of its run, relative to the largest value."""
    frozen, (kind,) = Frozen.of_run(run), player.kinds()
    found, largest = 0.0, 0.0
    for moment, _ in zip(decisions(frozen, kind, 0), range(num_moments), strict=False):
        values = frozen.agent.q_extrinsic if kind == "extrinsic" else frozen.agent.q
        there, here = values(moment.active), player.q(moment.active, kind)
        found = max(found, float(np.abs(there - here).max()))
        largest = max(largest, float(np.abs(there).max()))
    assert largest > 0.0
    return found / largest


# 32 bits are what the run has; of 16 and 8 bits a weight is off by half a step at most.
@pytest.mark.parametrize(("precision", "step"), [("single", 1e-6), ("half", 1e-3), ("byte", 0.1)])
def test_values_are_those_of_the_run_as_far_as_the_weights_are(
    precision: str, step: float, run: Run, tmp_path: Path
) -> None:
    policy = policy_of(run, precision=precision)  # type: ignore[arg-type]
    assert largest_difference(run, Exported(read_back(policy, tmp_path))) < step


@pytest.mark.parametrize("precision", ["half", "byte"])
def test_each_weight_is_off_by_half_a_step_of_its_feature(precision: str, run: Run) -> None:
    exact = policy_of(run).weights.astype(np.float64)
    policy = policy_of(run, precision=precision)  # type: ignore[arg-type]
    largest = np.abs(exact).max(axis=1, keepdims=True)
    found = policy.weights.astype(np.float64) * policy.scale
    half_a_step = largest * (2.0**-11 if precision == "half" else 0.5 / 127)
    assert (np.abs(found - exact) <= half_a_step * 1.001 + 1e-30).all()


@pytest.mark.parametrize("agent", AGENTS)
def test_any_linear_agent_plays_the_same_episodes(agent: str, tmp_path: Path) -> None:
    run = lake(tmp_path / "run", agent=agent)
    player = Exported(read_back(policy_of(run), tmp_path))
    assert largest_difference(run, player) < 1e-6
    there = [play_episode(Frozen.of_run(run), "behaviour", k) for k in range(20)]
    assert [play_episode(player, "behaviour", k) for k in range(20)] == there


JOINT = {"value": "joint", "continuing": False}


@pytest.mark.parametrize("settings", [{"dial": True}, {"optimistic": True}, JOINT])
def test_settings_of_learning_are_in_the_weights(settings: dict[str, Any], tmp_path: Path) -> None:
    run = lake(tmp_path / "run", **settings)
    assert largest_difference(run, Exported(policy_of(run))) < 1e-6


def test_the_value_is_the_one_that_the_run_is_judged_by(tmp_path: Path) -> None:
    run = lake(tmp_path / "run", evaluate_on="extrinsic")
    policy = policy_of(run)
    assert policy.facts["value"] == "extrinsic"
    assert Exported(policy).kinds() == ["extrinsic"]
    assert largest_difference(run, Exported(policy)) < 1e-6


def test_the_game_is_made_from_the_settings_of_the_run(tmp_path: Path) -> None:
    run = venture(tmp_path / "run", "sticky", features="liang2016", actions="minimal", seed=7)
    found, there = Exported(policy_of(run)).config, run.config()
    for name in ("game", "features", "seed", "sticky", "noops", "actions", "max_frames"):
        assert getattr(found, name) == getattr(there, name)


def test_tiles_lie_where_the_run_has_learnt_them_to(tmp_path: Path) -> None:
    run = train(config("CartPole-v1", frames=1_500), tmp_path / "run")
    policy = read_back(policy_of(run), tmp_path)
    frozen, player = Frozen.of_run(run), Exported(policy)
    observations = gymnasium.make("CartPole-v1").observation_space
    observations.seed(1)
    for _ in range(20):
        one = np.clip(observations.sample(), -5, 5)
        assert player.features.active(one).tolist() == frozen.features.active(one).tolist()
    assert policy.ranges.shape == (2, 4)


def test_an_evaluation_is_the_same_on_any_number_of_processes(walk: Run) -> None:
    policy = policy_of(walk)
    one, two = (evaluate_policy(policy, 4, workers=workers) for workers in (1, 2))
    assert one == two
    there = evaluate(walk, 4, workers=1)
    assert one["behaviour"] == there["behaviour"]
    assert one["frames"] == there["frames"]
    assert one["behaviour"]["mean"] == 1.0


def test_scores_are_in_the_facts(walk: Run) -> None:
    found = evaluate(walk, 5, workers=1)["behaviour"]
    facts = policy_of(walk).facts
    scores = [line["score"] for line in walk.episodes()][-100:]
    assert facts["training"] == {"episodes": 100, "mean": pytest.approx(np.mean(scores))}
    assert facts["evaluation"]["episodes"] == 5
    assert facts["evaluation"]["mean"] == found["mean"]
    assert facts["versions"]["phieb"]
    assert len(facts["learner"]) == 64


# ---------------------------------------------------------------------------------- sizes


@pytest.mark.parametrize("precision", ["single", "half", "byte"])
def test_a_smaller_file_has_the_features_that_matter_most(precision: str, run: Run) -> None:
    whole = policy_of(run, precision=precision)  # type: ignore[arg-type]
    size = len(policy_bytes(whole))
    for wanted in (size, size - 1, size // 2, size // 5):
        policy = policy_of(run, precision=precision, megabytes=wanted / 1e6)  # type: ignore[arg-type]
        found = len(policy_bytes(policy))
        assert 0.9 * wanted - 1_000 < found <= wanted
        assert policy.facts["kept"] == policy.ids.size
        assert policy.facts["observed"] == whole.ids.size
        assert np.isin(policy.ids, whole.ids).all()
        assert (np.diff(policy.ids) > 0).all()


def test_what_matters_is_the_difference_between_actions_and_how_often_it_counts(
    walk: Run,
) -> None:
    policy = policy_of(walk)._replace(ids=np.arange(1_000), scale=np.ones((1_000, 1), np.float32))
    weights = np.zeros((1_000, 4), np.float32)
    weights[:500, 0] = 1.0
    weights[500:] = 9.0  # the same for all actions
    often = np.ones(1_000)
    often[200] = 0.01
    size = len(policy_bytes(policy._replace(weights=weights)))
    found = fitted(policy._replace(weights=weights), size - 501 * 24, often)
    assert 480 < found.ids.size <= 499
    assert found.ids.max() < 500
    assert 200 not in found.ids


def test_no_feature_fits(walk: Run) -> None:
    with pytest.raises(RunError, match="a file of this policy has at least [0-9,]+ bytes"):
        policy_of(walk, megabytes=1e-4)


# ------------------------------------------------------------------------ what is refused


def test_a_run_without_a_policy_that_a_file_can_have(tmp_path: Path) -> None:
    own = gymnasium.make("FrozenLake-v1")
    run = train(config("FrozenLake-v1", frames=60), tmp_path / "given", env=own)
    with pytest.raises(RunError, match="the environment of the run was given from Python"):
        policy_of(run)
    Run(tmp_path / "empty").create(config())
    with pytest.raises(RunError, match="no checkpoint yet"):
        policy_of(Run(tmp_path / "empty"))


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"game": "qbrt"}, "similar names: qbert"),
        ({"game": "CartPole-v1", "env_args": {}}, "is of a game with 4 actions, CartPole-v1 has 2"),
        ({"game": None}, "game must be a name"),
        ({"features": "best"}, "features must be one of"),
        ({"seed": -1}, "seed must be a whole number"),
        ({"env_args": {"size": 3}}, "cannot be made with"),
    ],
)
def test_facts_of_no_game(settings: dict[str, object], says: str, walk: Run) -> None:
    with pytest.raises(RunError, match=says) as refused:
        Exported(facts_of(policy_of(walk), settings=settings))
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("setting", ["game", "features"])
def test_code_is_not_imported_unless_that_is_allowed(
    setting: str, walk: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    name = f"harmful_{setting}"
    (tmp_path / f"{name}.py").write_text("open('harm', 'w').close()\n")
    policy = facts_of(policy_of(walk), settings={setting: f"{name}:Name"})
    with pytest.raises(RunError, match=f"code of {name}:Name, which it may not import"):
        Exported(policy)
    with pytest.raises(RunError, match="may not import"):
        evaluate_policy(policy, 1)
    assert not (tmp_path / "harm").exists()
    with pytest.raises(RunError, match="has no attribute 'Name'"):
        Exported(policy, imports=True)
    assert (tmp_path / "harm").exists()


def test_own_parts_of_learning_are_not_needed_to_play(walk: Run) -> None:
    policy = facts_of(policy_of(walk), settings={"bonus": "lost:Bonus", "agent": "lost:Agent"})
    player = Exported(policy)
    assert play_episode(player, "behaviour", 0).frames > 0
