"""Named sets of settings."""

from typing import Any

from phieb import arguments
from phieb.training.config import Config

# Settings that differ from the defaults of Config, which learn best (docs/deviations.md).
PRESETS: dict[str, dict[str, Any]] = {
    "default": {},
    "product": {"per_feature": False},  # the default up to version 0.4.0
    "paper": {"per_feature": False, "value": "joint", "continuing": False, "sticky": 0.25},
    # Randomness as papers have it today (Machado et al. 2018): sticky actions, no random no-ops.
    "sticky": {"sticky": 0.25, "noops": 1},
    "martin2017": {
        "per_feature": False,
        "bonus_for": "departure",
        "continuing": False,
        "optimistic": True,
        "kappa": 0.001,
        "first_sight": 1.001,
        "cap": "end",
        "actions": "minimal",
        "screen": "blend",
        "evaluate_on": "extrinsic",
    },
}


def preset(name: str, game: str, **changes: Any) -> Config:
    """The settings of a preset; `changes` override some of them.

    Example:
        >>> preset("martin2017", "venture", frames=2_000_000).kappa
        0.001
    """
    arguments.one_of("preset", name, tuple(PRESETS))
    return Config(**{"game": game, **PRESETS[name], **changes})
