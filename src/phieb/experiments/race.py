"""Candidates in the race for the default settings (results: docs/race.md)."""

from typing import Any

from phieb.training.config import PAPER_BETA, Config
from phieb.training.presets import PRESETS, preset

# Millions of frames of training in each game: enough for the first scores.
MILLIONS = {"venture": 2, "montezuma_revenge": 2, "freeway": 1, "frostbite": 1, "qbert": 1}
FIRST_SEED = 101  # no reported result uses these seeds

_PRODUCT = {"per_feature": False, "beta": PAPER_BETA}


def _per_feature(beta: float, **others: Any) -> dict[str, Any]:
    return {"per_feature": True, "beta": beta, **others}


# Settings of each candidate that differ from the default; all but ε-greedy are Sarsa-φ-EB.
CANDIDATES: dict[str, dict[str, Any]] = {
    "epsilon": {"bonus": "none", **_PRODUCT},
    "product": _PRODUCT,
    "per-feature-0.1": _per_feature(0.1),
    "per-feature-0.3": _per_feature(0.3),
    "per-feature-1.1": _per_feature(1.1),
    "per-feature-2.5": _per_feature(2.5),
    "episodic": _per_feature(0.3, continuing=False),
    "blend": _per_feature(0.3, screen="blend"),
    "minimal": _per_feature(0.3, actions="minimal"),
    "dial": _per_feature(0.3, dial=True),
    "martin2017": {**_PRODUCT, **PRESETS["martin2017"]},
}


def candidate_of(config: Config) -> str:
    """The name of the candidate with these settings; "" if there is none."""
    for name, settings in CANDIDATES.items():
        usual = preset("default", config.game, seed=config.seed, **settings)
        if not usual.differences(config.__dict__):
            return name
    return ""
