"""Small runs whose agents have learnt something, and the policies that are exported from them."""

from pathlib import Path
from typing import Any

from phieb.evaluation.policy import Policy
from phieb.training import Run, preset, train

# In these three thousand steps, about a second, it learns to reach the goal.
LAKE = {
    "agent": "expected-sarsa",
    "beta": 0.02,
    "shortfall": True,
    "frames": 3_000,
    "checkpoint_every": 3_000,
    "seed": 1,
}


def lake(path: Path, name: str = "default", **others: Any) -> Run:
    """A run in FrozenLake that is mostly at the goal when it ends."""
    args = {"is_slippery": False}
    return train(preset(name, "FrozenLake-v1", env_args=args, **{**LAKE, **others}), path)


def venture(path: Path, name: str = "default", **others: Any) -> Run:
    """A short run in Venture."""
    return train(preset(name, "venture", **{"frames": 2_500, "max_frames": 600, **others}), path)


def facts_of(policy: Policy, **others: Any) -> Policy:
    """The same policy with other facts; settings are added to those that it has."""
    found: Any = {**policy.facts, **others}
    found["settings"] = {**policy.facts["settings"], **others.get("settings", {})}
    return policy._replace(facts=found)
