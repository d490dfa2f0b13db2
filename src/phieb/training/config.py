"""The settings of a run, each with its documentation, default and range."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import version
from typing import Annotated, Any, Literal, get_type_hints

from phieb.features import FEATURES
from phieb.learning import AGENTS
from phieb.novelty import BONUSES
from phieb.training.settings import (
    Setting,
    flag,
    game,
    json_object,
    number,
    part,
    usual,
    whole,
    word,
)
from phieb.worlds.games import check_blends
from phieb.worlds.names import GIVEN, is_atari, world_name

PAPER_BETA = 0.05  # β of the paper, "after a coarse parameter search"; of its product, N̂
RACE_BETA = 0.3  # β of the count per feature, N̄: docs/race.md

# Packages whose versions a run's numbers depend on: it is resumed only with the same versions.
PACKAGES = ("phieb", "ale-py", "numpy", "numba")


@dataclass(frozen=True)
class Config:
    """All settings of a run. A ValueError lists all invalid ones in one line."""

    game: Annotated[
        str,
        Setting("Any game that ale-py ships, a Gymnasium id, or package.module:make_env.", game),
    ]
    bonus: Annotated[
        str,
        Setting("The bonus (docs/bonuses.md); none: ε-greedy exploration only.", part(BONUSES)),
    ] = "phi"
    agent: Annotated[str, Setting("The RL algorithm.", part(AGENTS))] = "sarsa"
    frames: Annotated[
        int,
        Setting(
            "Frames of training, including skipped ones; steps of a Gymnasium environment.",
            whole(1, 10**12),
        ),
    ] = 10_000_000
    seed: Annotated[int, Setting("Seed of the game and of the agent.", whole(0, 2**63))] = 0
    beta: Annotated[
        float,
        Setting(
            f"β, the scale of the bonus; None: {RACE_BETA} with per_feature, else {PAPER_BETA}.",
            usual(number(low=0.0)),
        ),
    ] = None  # type: ignore[assignment]  # __post_init__ replaces None
    per_feature: Annotated[
        bool,
        Setting(
            "φ-EB: the count per feature N̄ instead of the paper's N̂; None: yes with bonus phi.",
            usual(flag),
        ),
    ] = None  # type: ignore[assignment]  # __post_init__ replaces None
    kappa: Annotated[
        float,
        Setting("κ, added to the pseudocount; bounds the bonus by β/√κ.", number(above=0.0)),
    ] = 0.01
    bonus_for: Annotated[
        Literal["arrival", "departure"],
        Setting(
            "An action earns the bonus of the state it leads to, or of the state it is taken in.",
            word("arrival", "departure"),
        ),
    ] = "arrival"
    first_sight: Annotated[
        float,
        Setting(
            "The factor of a feature that is on for the first time is this over t + 1.",
            number(above=0.0),
        ),
    ] = 0.5
    value: Annotated[
        Literal["joint", "split"],
        Setting(
            "One value function of r⁺ = r + bonus, or one of r and one of the bonus.",
            word("joint", "split"),
        ),
    ] = "split"
    continuing: Annotated[
        bool,
        Setting(
            "With a split value: the value of the bonus bootstraps past the end of an episode.",
            flag,
        ),
    ] = True
    dial: Annotated[
        bool,
        Setting(
            "With a split value: UCB1 on the scores sets the weight of the value of the bonus.",
            flag,
        ),
    ] = False
    optimistic: Annotated[
        bool,
        Setting(
            "Weights of new features start at β/√κ over the number of active features, not at 0.",
            flag,
        ),
    ] = False
    shortfall: Annotated[
        bool,
        Setting("Use the bonus minus the largest bonus so far, which is never above 0.", flag),
    ] = False
    alpha: Annotated[
        float,
        Setting(
            "α; the step size is α over the largest number of active features so far.",
            number(above=0.0, high=1.0),
        ),
    ] = 0.5
    gamma: Annotated[float, Setting("γ, the discount.", number(low=0.0, high=1.0))] = 0.99
    lambda_: Annotated[float, Setting("λ, the decay of traces.", number(low=0.0, high=1.0))] = 0.9
    epsilon: Annotated[float, Setting("ε of the ε-greedy policy.", number(low=0.0, high=1.0))] = (
        0.01
    )
    features: Annotated[
        str,
        Setting(
            "The feature map; None: martin2017 for Atari games, auto for other environments.",
            usual(part(FEATURES)),
        ),
    ] = None  # type: ignore[assignment]  # __post_init__ replaces None
    env_args: Annotated[
        dict[str, Any],
        Setting("Arguments of a Gymnasium environment, as a JSON object.", json_object),
    ] = field(default_factory=dict)
    agent_args: Annotated[
        dict[str, Any],
        Setting("Settings of a deep agent (docs/deep-systems.md), as a JSON object.", json_object),
    ] = field(default_factory=dict)
    sticky: Annotated[
        float,
        Setting("Probability that a frame repeats the previous action.", number(low=0.0, high=1.0)),
    ] = 0.0
    frame_skip: Annotated[
        int, Setting("Frames per decision; None: 5, or 4 for deep agents.", usual(whole(1, 60)))
    ] = None  # type: ignore[assignment]  # __post_init__ replaces None
    max_frames: Annotated[
        int, Setting("Maximum number of frames in an episode.", whole(1, 10**9))
    ] = 18_000
    cap: Annotated[
        Literal["cut", "end"],
        Setting(
            "At max_frames, truncate the episode (the agent bootstraps) or treat it as ended.",
            word("cut", "end"),
        ),
    ] = "cut"
    noops: Annotated[
        int,
        Setting("Maximum number of no-op decisions at the start of an episode.", whole(1, 1_000)),
    ] = 24
    actions: Annotated[
        Literal["full", "minimal"],
        Setting("All 18 actions, or only those that have an effect.", word("full", "minimal")),
    ] = "full"
    screen: Annotated[
        Literal["last", "blend"],
        Setting(
            "The observation: the last frame of a decision, or the average of the last two.",
            word("last", "blend"),
        ),
    ] = "last"
    evaluate_on: Annotated[
        Literal["behaviour", "extrinsic"],
        Setting(
            "The value function that evaluation acts on: the one used in training, or that of r.",
            word("behaviour", "extrinsic"),
        ),
    ] = "behaviour"
    checkpoint_every: Annotated[int, Setting("Frames between checkpoints.", whole(1, 10**12))] = (
        1_000_000
    )

    def __post_init__(self) -> None:
        problems = self._problems()
        if problems:
            raise ValueError("; ".join(problems))
        object.__setattr__(self, "game", world_name(self.game))
        for name in ("env_args", "agent_args"):
            object.__setattr__(self, name, json_object(name, getattr(self, name)))
        if self.is_atari and self.env_args:
            raise ValueError(f"env_args must be empty for an Atari game, got {self.env_args}")
        if self.features is None:
            object.__setattr__(self, "features", "martin2017" if self.is_atari else "auto")
        if self.frame_skip is None:
            object.__setattr__(self, "frame_skip", AGENTS.usual(self.agent).get("frame_skip", 5))
        if self.per_feature is None:
            object.__setattr__(self, "per_feature", self.bonus == "phi")
        if self.beta is None:
            object.__setattr__(self, "beta", usual_beta(self.per_feature))
        if self.screen == "blend":
            check_blends(self.game)

    @property
    def is_atari(self) -> bool:
        """Whether the game is an Atari game."""
        return is_atari(self.game)

    @property
    def unit(self) -> str:
        """The unit of `frames`: "frames" for Atari games, else "steps"."""
        return "frames" if self.is_atari else "steps"

    @property
    def label(self) -> str:
        """The name of agent and bonus in tables: Sarsa-φ-EB, Q-CTS, …."""
        return label(self.agent, self.bonus)

    def _problems(self) -> list[str]:
        problems = []
        for name, setting in SETTINGS.items():
            try:
                setting.check(name.rstrip("_"), getattr(self, name))
            except (TypeError, ValueError) as error:
                problems.append(str(error))
        if self.continuing is True and self.value == "joint":
            problems.append('continuing must be False with value "joint"')
        if self.dial is True and (self.value == "joint" or self.bonus == "none"):
            problems.append('dial must be False with value "joint" or bonus "none"')
        if self.shortfall is True and self.bonus == "none":
            problems.append('shortfall must be False with bonus "none"')
        if self.per_feature is True and self.bonus != "phi":
            problems.append(f"per_feature must be False with bonus {self.bonus!r}")
        return problems

    def differences(self, other: Mapping[str, Any]) -> list[str]:
        """The settings that differ from those of `other`, in words; `frames` may differ."""
        return [
            f"{name} is {other.get(name)!r} there and {mine!r} here"
            for name, mine in vars(self).items()
            if name not in ("frames", "checkpoint_every") and other.get(name) != mine
        ]


SETTINGS: dict[str, Setting] = {
    name: hint.__metadata__[0] for name, hint in get_type_hints(Config, include_extras=True).items()
}
# For `help(Config)`: plain types in the signature, and the documentation of each setting.
Config.__init__.__annotations__ = {**get_type_hints(Config), "return": None}
_MEANINGS = "\n".join(f"    {name}: {setting.doc}" for name, setting in SETTINGS.items())
Config.__doc__ = f"{Config.__doc__}\n\nAttributes:\n{_MEANINGS}"


def label(agent: str, bonus: str) -> str:
    """The name of an agent with a bonus in tables and figures.

    Example:
        >>> label("sarsa", "phi"), label("q", "none")
        ('Sarsa-φ-EB', 'Q-ε')
    """
    if bonus == "none" and AGENTS.needs_extra(agent):
        return AGENTS.label(agent)  # as in Table 1 of the paper: not all of them are ε-greedy
    both = (AGENTS, agent), (BONUSES, bonus)
    return "-".join("own" if name == GIVEN else parts.label(name) for parts, name in both)


def usual_beta(per_feature: bool) -> float:
    """The default of β: 0.3 for the count per feature (docs/race.md), else the paper's 0.05."""
    return RACE_BETA if per_feature else PAPER_BETA


# Settings that runs of version 0.5.0 lack, with the values that they had.
SINCE_0_5: dict[str, Any] = {"agent": "sarsa", "agent_args": {}, "env_args": {}, "shortfall": False}


def from_json(saved: object) -> Config:
    """A config from the field "config" of a file; no setting may be missing or unknown."""
    if not isinstance(saved, dict):
        raise ValueError("config must be an object with settings")
    saved = {**SINCE_0_5, **saved}
    problems = [f"{name} is missing" for name in sorted(set(SETTINGS) - set(saved))]
    problems += [f"{name} is not a setting" for name in sorted(set(saved) - set(SETTINGS))]
    if problems:
        raise ValueError("; ".join(problems))
    return Config(**saved)


def versions() -> dict[str, str]:
    """The installed versions of `PACKAGES`."""
    return dict(_installed())


@cache
def _installed() -> tuple[tuple[str, str], ...]:
    """Looked up once: it would take a third of the time that a checkpoint takes."""
    return tuple((package, version(package)) for package in PACKAGES)
