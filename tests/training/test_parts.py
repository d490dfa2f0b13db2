"""Every way to measure novelty, in the same Sarsa(λ) on the same features."""

from pathlib import Path

import numpy as np
import pytest

from phieb.learning import ComposedLearner
from phieb.novelty import BONUSES, PhiBonus, VisitDensity
from phieb.training import preset, train
from phieb.training.training import Training

RIVALS = [bonus for bonus in BONUSES.without_extras() if bonus not in ("phi", "none")]


def training(bonus: str, **settings: object) -> Training:
    given = {"seed": 3, "max_frames": 900, "frames": 10_000, **settings}
    made = Training(preset("default", "venture", bonus=bonus, **given))
    made.start_episode()
    return made


def live(one: Training, decisions: int) -> list[float]:
    """The bonus of every decision."""
    earned, before = [], 0.0
    for _ in range(decisions):
        over = one.step()
        earned.append(one.sums["bonus"] - before)
        before = one.sums["bonus"]
        if over:
            one.start_episode()
            before = 0.0
    return earned


@pytest.mark.parametrize("bonus", BONUSES.without_extras())
def test_a_restored_run_goes_on_to_the_bit(bonus: str) -> None:
    one, other = training(bonus), training(bonus)
    live(one, 250)  # past the end of an episode
    other.restore(one.state())
    assert live(one, 60) == live(other, 60)
    for part, arrays in one.state().items():
        for name, array in arrays.items():
            assert np.array_equal(array, other.state()[part][name], equal_nan=True), (part, name)


@pytest.mark.parametrize("bonus", ["cts", "simhash", "simhash-bass", "mp"])
def test_what_is_seen_again_earns_less(bonus: str) -> None:
    early, *_, late = np.array_split(live(training(bonus), 600), 4)
    assert early.min() >= 0.0
    assert late.mean() < early.mean()


def test_the_naive_count_of_hundreds_of_features_is_always_zero() -> None:
    """t·ρ is as good as 0 for every screen, and the bonus the largest (§3.2 has why)."""
    assert live(training("naive-phi"), 200)[1:] == pytest.approx([0.5] * 199, abs=1e-6)


def test_the_agent_is_told_what_phi_says() -> None:
    """φ told apart leads to the actions, and earns what, φ compiled with the agent does."""
    config = preset("default", "venture", seed=3, max_frames=900)
    compiled, told = Training(config), Training(config)
    parts = told.learner.features, told.learner.agent
    told.learner = ComposedLearner(*parts, PhiBonus(config.beta, config.kappa, VisitDensity()))
    compiled.start_episode()
    told.start_episode()
    assert live(told, 400) == pytest.approx(live(compiled, 400), rel=1e-9)
    assert told.decision.action == compiled.decision.action


@pytest.mark.parametrize("bonus_for", ["arrival", "departure"])
def test_an_action_earns_where_it_leads_or_where_it_is_taken(bonus_for: str) -> None:
    one = training("count", bonus_for=bonus_for)
    told: list[float] = []
    observe = one.learner.bonus.observe  # type: ignore[union-attr]

    def listen(seen: object, action: int | None = None) -> float:
        told.append(observe(seen, action))
        return told[-1]

    one.learner.bonus.observe = listen  # type: ignore[union-attr, method-assign]
    earned = live(one, 40)
    expected = told if bonus_for == "arrival" else told[:-1]
    assert earned[1:] == pytest.approx(expected[-39:], abs=1e-12)


@pytest.mark.parametrize("bonus", RIVALS)
def test_a_run_with_it_leaves_a_log_and_can_be_read(bonus: str, tmp_path: Path) -> None:
    config = preset("default", "venture", bonus=bonus, frames=2_000, max_frames=900, seed=1)
    run = train(config, tmp_path / "a")
    assert run.config() == config
    assert sum(episode["bonus"] for episode in run.episodes()) > 0.0
