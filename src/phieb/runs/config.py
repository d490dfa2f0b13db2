"""Everything that decides what a run does, and the named sets of settings."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, Literal, get_type_hints

from phieb import arguments
from phieb.features.blob_prost import PRESETS as FEATURES
from phieb.worlds.games import find_game

# What a run's numbers depend on: it is resumed with the same versions or not at all.
PACKAGES = ("phieb", "ale-py", "numpy", "numba")


@dataclass(frozen=True)
class Config:
    """All settings of a run, checked: what is wrong is said at once, everything in one line."""

    game: str
    """Any game that ale-py ships: venture, montezuma_revenge, …"""
    agent: Literal["phi-eb", "epsilon"] = "phi-eb"
    """Sarsa-φ-EB, or Sarsa-ε: the same without a bonus."""
    frames: int = 10_000_000
    """Frames of the emulator, those that are skipped included."""
    seed: int = 0
    """Of the game and of the agent."""
    beta: float = 0.05
    """β, the scale of the bonus."""
    kappa: float = 0.01
    """κ, added to the pseudocount: no bonus is larger than β/√κ."""
    bonus_for: Literal["arrival", "departure"] = "arrival"
    """An action earns the bonus of the state it leads to, or of the state it is taken in."""
    first_sight: float = 0.5
    """A feature first on has ρ = first_sight/(t + 1)."""
    value: Literal["joint", "split"] = "split"
    """One value of r⁺ = r + bonus, or one of r and one of the bonus."""
    continuing: bool = True
    """The value of the bonus looks past an episode's end (with a split value)."""
    optimistic: bool = False
    """Weights of a new feature start at (β/√κ)/(number of active features) instead of 0."""
    alpha: float = 0.5
    """α; the step size is α over the largest number of active features so far."""
    gamma: float = 0.99
    """γ, the discount."""
    lambda_: float = 0.9
    """λ, the decay of traces."""
    epsilon: float = 0.01
    """ε of the ε-greedy policy."""
    features: Literal["martin2017", "liang2016"] = "martin2017"
    """Blob-PROST with tiles of 15 x 10 and tolerance 3, or 7 x 4 and 6."""
    sticky: float = 0.0
    """Probability that a frame repeats the action before."""
    frame_skip: int = 5
    """Frames a decision."""
    max_frames: int = 18_000
    """Frames after which an episode is cut."""
    cap: Literal["cut", "end"] = "cut"
    """Such an episode is cut (the agent looks ahead) or counts as ended."""
    noops: int = 24
    """Most decisions of doing nothing at the start of an episode."""
    actions: Literal["full", "minimal"] = "full"
    """All 18 actions, or those that do something in this game."""
    screen: Literal["last", "blend"] = "last"
    """The last frame of a decision, or the average of its last two."""
    evaluate_on: Literal["behaviour", "extrinsic"] = "behaviour"
    """Which value's evaluation is the run's: the one that was acted on, or that of r alone."""
    checkpoint_every: int = 1_000_000
    """Frames from one checkpoint to the next."""

    def __post_init__(self) -> None:
        problems = self._problems()
        if problems:
            raise ValueError("; ".join(problems))
        object.__setattr__(self, "game", find_game(self.game))

    def _problems(self) -> list[str]:
        problems = []
        for field, check in _CHECKS.items():
            try:
                check(field.rstrip("_"), getattr(self, field))
            except (TypeError, ValueError) as error:
                problems.append(str(error))
        if self.continuing is True and self.value == "joint":
            problems.append('continuing must be False with value "joint"')
        return problems

    def differences(self, other: Mapping[str, Any]) -> list[str]:
        """Settings that `other` has otherwise, in words; the number of frames may differ."""
        return [
            f"{name} is {other.get(name)!r} there and {mine!r} here"
            for name, mine in dataclasses.asdict(self).items()
            if name not in ("frames", "checkpoint_every") and other.get(name) != mine
        ]


def _number(**limits: Any) -> Any:
    return lambda name, value: arguments.number(name, value, **limits)


def _whole(**limits: Any) -> Any:
    return lambda name, value: arguments.whole(name, value, **limits)


def _word(*words: str) -> Any:
    return lambda name, value: arguments.one_of(name, value, words)


_CHECKS: dict[str, Any] = {
    "game": lambda _, game: find_game(game),
    "agent": _word("phi-eb", "epsilon"),
    "frames": _whole(low=1, high=10**12),
    "seed": _whole(high=2**63),
    "beta": _number(low=0.0),
    "kappa": _number(above=0.0),
    "bonus_for": _word("arrival", "departure"),
    "first_sight": _number(above=0.0),
    "value": _word("joint", "split"),
    "continuing": arguments.flag,
    "optimistic": arguments.flag,
    "alpha": _number(above=0.0, high=1.0),
    "gamma": _number(low=0.0, high=1.0),
    "lambda_": _number(low=0.0, high=1.0),
    "epsilon": _number(low=0.0, high=1.0),
    "features": _word(*FEATURES),
    "sticky": _number(low=0.0, high=1.0),
    "frame_skip": _whole(low=1, high=60),
    "max_frames": _whole(low=1, high=10**9),
    "cap": _word("cut", "end"),
    "noops": _whole(low=1, high=1_000),
    "actions": _word("full", "minimal"),
    "screen": _word("last", "blend"),
    "evaluate_on": _word("behaviour", "extrinsic"),
    "checkpoint_every": _whole(low=1, high=10**12),
}

# What differs from the defaults of Config, which are the ones that learn best: docs/deviations.md.
PRESETS: dict[str, dict[str, Any]] = {
    "default": {},
    "paper": {"value": "joint", "continuing": False},
    "martin2017": {
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
    """The settings of a preset, with changes.

    Example:
        >>> preset("martin2017", "venture", frames=2_000_000).kappa
        0.001
    """
    arguments.one_of("preset", name, tuple(PRESETS))
    return Config(**{"game": game, **PRESETS[name], **changes})


def from_json(saved: object) -> Config:
    """A config from what a file has under "config"; nothing may be missing or unknown."""
    fields = set(get_type_hints(Config))
    if not isinstance(saved, dict):
        raise ValueError("config must be an object with settings")
    problems = [f"{name} is missing" for name in sorted(fields - set(saved))]
    problems += [f"{name} is not a setting" for name in sorted(set(saved) - fields)]
    if problems:
        raise ValueError("; ".join(problems))
    return Config(**saved)


def versions() -> dict[str, str]:
    """The versions that a run's numbers depend on."""
    return {package: version(package) for package in PACKAGES}
