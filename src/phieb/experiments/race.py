"""The race for the default settings: its candidates (docs/race.md says what came of it)."""

from typing import Any

from phieb.training.config import PAPER_BETA, Config
from phieb.training.presets import PRESETS, preset

# Frames of training in each game: as many as it takes for the first scores, in millions.
MILLIONS = {"venture": 2, "montezuma_revenge": 2, "freeway": 1, "frostbite": 1, "qbert": 1}
FIRST_SEED = 101  # other seeds than those that results are reported with

_PRODUCT = {"per_feature": False, "beta": PAPER_BETA}


def _per_feature(beta: float, **others: Any) -> dict[str, Any]:
    return {"per_feature": True, "beta": beta, **others}


# What each candidate has otherwise than the default; all but ε-greedy are Sarsa-φ-EB.
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
    """Which candidate has these settings; "" if none."""
    for name, settings in CANDIDATES.items():
        usual = preset("default", config.game, seed=config.seed, **settings)
        if not usual.differences(config.__dict__):
            return name
    return ""
