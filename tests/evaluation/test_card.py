"""What a model card says."""

from pathlib import Path

import pytest

from phieb.evaluation.card import card, summary
from phieb.evaluation.evaluate import evaluate, evaluate_policy
from phieb.evaluation.exported import policy_of, scores_of
from phieb.evaluation.policy import Facts
from tests.evaluation.support import lake, venture


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Facts:
    run = lake(tmp_path_factory.mktemp("lake") / "run")
    evaluate(run, 4, workers=1)
    policy = policy_of(run, precision="byte", licence="MIT")
    scores = scores_of(evaluate_policy(policy, 3, workers=1)["behaviour"])
    return {**policy.facts, "exported": scores}


def rows(text: str) -> dict[str, list[str]]:
    """The rows of its tables by their first cell."""
    lines = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    return {line[0]: line[1:] for line in lines}


def test_a_card_has_scores_and_origin(facts: Facts) -> None:
    text = card(facts, "lake.safetensors")
    found = rows(text)
    assert found["this file"][0] == "3"
    assert found["the checkpoint"][0] == "4"
    assert found["in training, at the end"][0] == "100"
    assert " to " in found["this file"][2]
    assert found["training"] == ["3,001 steps, seed 1"]
    assert found["licence"] == ["MIT"]
    assert found["weights"] == ["8-bit integers, with a 32-bit factor for each feature"]
    assert f"phieb {facts['versions']['phieb']}" in found["versions"][0]
    assert found["checkpoint"] == [f"SHA-256 {facts['learner']}"]
    assert "phieb evaluate lake.safetensors --episodes 100" in text
    header = text.split("---")[1].splitlines()
    assert header[1:4] == ["license: mit", "library_name: phieb", "tags:"]


def test_a_card_says_what_is_not_known(tmp_path: Path) -> None:
    facts = policy_of(venture(tmp_path / "run", frames=300)).facts
    facts.pop("training", None)
    text = card(facts, "venture.safetensors")
    assert "| none recorded | | | |" in text
    assert rows(text)["licence"] == ["not stated"]
    assert "license:" not in text
    assert text.split("---")[2].strip().startswith("# Sarsa-φ-EB in Venture")
    assert "300" in rows(text)["training"][0]
    assert "frames" in rows(text)["training"][0]


def test_a_summary_has_the_same_in_a_few_lines(facts: Facts) -> None:
    found = summary(facts)
    assert found["game"] == "FrozenLake-v1"
    assert found["this file"].endswith("(3 episodes)")
    assert found["licence"] == "MIT"
