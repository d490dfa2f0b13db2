"""Everything that decides what a run does, and the named sets of settings."""

from collections.abc import Mapping
from dataclasses import dataclass, field
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
from phieb.worlds.names import GIVEN, find_world, is_atari

PAPER_BETA = 0.05  # β of the paper, "after a coarse parameter search"; of its product, N̂
FRAME_SKIP = 5  # of the paper
RACE_BETA = 0.3  # β of the count per feature, N̄: docs/race.md

# What a run's numbers depend on: it is resumed with the same versions or not at all.
PACKAGES = ("phieb", "ale-py", "numpy", "numba")


@dataclass(frozen=True)
class Config:
    """All settings of a run, checked: what is wrong is said at once, everything in one line."""

    game: Annotated[
        str,
        Setting("Any game that ale-py ships, a Gymnasium id, or package.module:make_env.", game),
    ]
    bonus: Annotated[
        str,
        Setting("How novelty is measured: docs/bonuses.md; none is ε-greedy alone.", part(BONUSES)),
    ] = "phi"
    agent: Annotated[str, Setting("How it learns.", part(AGENTS))] = "sarsa"
    frames: Annotated[
        int,
        Setting(
            "Frames of the emulator, those that are skipped included; elsewhere steps.",
            whole(1, 10**12),
        ),
    ] = 10_000_000
    seed: Annotated[int, Setting("Of the game and of the agent.", whole(0, 2**63))] = 0
    beta: Annotated[
        float,
        Setting("β, the scale of the bonus; None: what is usual.", usual(number(low=0.0))),
    ] = None  # type: ignore[assignment]  # always a number once the config is made
    per_feature: Annotated[
        bool,
        Setting(
            "φ-EB: count per feature, N̄, or with the product, the paper's N̂; None: what is usual.",
            usual(flag),
        ),
    ] = None  # type: ignore[assignment]  # always a flag once the config is made
    kappa: Annotated[
        float,
        Setting("κ, added to the pseudocount: no bonus is larger than β/√κ.", number(above=0.0)),
    ] = 0.01
    bonus_for: Annotated[
        Literal["arrival", "departure"],
        Setting(
            "An action earns the bonus of the state it leads to, or of the one it is taken in.",
            word("arrival", "departure"),
        ),
    ] = "arrival"
    first_sight: Annotated[
        float,
        Setting("A feature that is on for the first time has ρ = this/(t + 1).", number(above=0.0)),
    ] = 0.5
    value: Annotated[
        Literal["joint", "split"],
        Setting(
            "One value of r⁺ = r + bonus, or one of r and one of the bonus.",
            word("joint", "split"),
        ),
    ] = "split"
    continuing: Annotated[
        bool,
        Setting(
            "With a split value: the value of the bonus looks past an episode's end.",
            flag,
        ),
    ] = True
    dial: Annotated[
        bool,
        Setting(
            "With a split value: UCB1 on the score chooses how much the value of the bonus weighs.",
            flag,
        ),
    ] = False
    optimistic: Annotated[
        bool,
        Setting(
            "Weights of a new feature start at (β/√κ)/(number of active features), not at 0.",
            flag,
        ),
    ] = False
    shortfall: Annotated[
        bool,
        Setting("The bonus counts as what it falls short of the largest so far.", flag),
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
            "What it sees; None: martin2017 for Atari games, auto elsewhere.",
            usual(part(FEATURES)),
        ),
    ] = None  # type: ignore[assignment]  # always a name once the config is made
    env_args: Annotated[
        dict[str, Any],
        Setting("What a Gymnasium environment is made with: a JSON object.", json_object),
    ] = field(default_factory=dict)
    agent_args: Annotated[
        dict[str, Any],
        Setting("Settings of the agent's own (docs/deep-systems.md): a JSON object.", json_object),
    ] = field(default_factory=dict)
    sticky: Annotated[
        float,
        Setting("Probability that a frame repeats the action before.", number(low=0.0, high=1.0)),
    ] = 0.0
    frame_skip: Annotated[
        int,
        Setting(
            "Frames a decision; None: what is usual, 5, or 4 for deep agents.", usual(whole(1, 60))
        ),
    ] = None  # type: ignore[assignment]  # always a number once the config is made
    max_frames: Annotated[
        int, Setting("Frames after which an episode is cut.", whole(1, 10**9))
    ] = 18_000
    cap: Annotated[
        Literal["cut", "end"],
        Setting(
            "Such an episode is cut, and the agent looks ahead, or it counts as ended.",
            word("cut", "end"),
        ),
    ] = "cut"
    noops: Annotated[
        int,
        Setting("Most decisions of doing nothing at the start of an episode.", whole(1, 1_000)),
    ] = 24
    actions: Annotated[
        Literal["full", "minimal"],
        Setting("All 18 actions, or those that do something.", word("full", "minimal")),
    ] = "full"
    screen: Annotated[
        Literal["last", "blend"],
        Setting(
            "The last frame of a decision, or the average of its last two.", word("last", "blend")
        ),
    ] = "last"
    evaluate_on: Annotated[
        Literal["behaviour", "extrinsic"],
        Setting(
            "The value that the run is judged by: the one acted on, or that of r alone.",
            word("behaviour", "extrinsic"),
        ),
    ] = "behaviour"
    checkpoint_every: Annotated[
        int, Setting("Frames from one checkpoint to the next.", whole(1, 10**12))
    ] = 1_000_000

    def __post_init__(self) -> None:
        problems = self._problems()
        if problems:
            raise ValueError("; ".join(problems))
        object.__setattr__(self, "game", find_world(self.game))
        for name in ("env_args", "agent_args"):
            object.__setattr__(self, name, json_object(name, getattr(self, name)))
        if self.is_atari and self.env_args:
            raise ValueError(f"env_args must be empty for an Atari game, got {self.env_args}")
        if self.features is None:
            object.__setattr__(self, "features", "martin2017" if self.is_atari else "auto")
        if self.frame_skip is None:
            object.__setattr__(self, "frame_skip", usual_frame_skip(self.agent))
        if self.per_feature is None:
            object.__setattr__(self, "per_feature", self.bonus == "phi")
        if self.beta is None:
            object.__setattr__(self, "beta", usual_beta(self.per_feature))
        if self.screen == "blend":
            check_blends(self.game)

    @property
    def is_atari(self) -> bool:
        """Whether the game is one of the emulator's."""
        return is_atari(self.game)

    @property
    def unit(self) -> str:
        """What `frames` are called: an environment of Gymnasium's takes steps."""
        return "frames" if self.is_atari else "steps"

    @property
    def label(self) -> str:
        """What the agent with its bonus is called: Sarsa-φ-EB, Q-CTS and so on."""
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
        """Settings that `other` has otherwise, in words; the number of frames may differ."""
        return [
            f"{name} is {other.get(name)!r} there and {mine!r} here"
            for name, mine in vars(self).items()
            if name not in ("frames", "checkpoint_every") and other.get(name) != mine
        ]


SETTINGS: dict[str, Setting] = {
    name: hint.__metadata__[0] for name, hint in get_type_hints(Config, include_extras=True).items()
}
# What `help(Config)` shows: plain types in the signature, and what each setting means.
Config.__init__.__annotations__ = {**get_type_hints(Config), "return": None}
_MEANINGS = "\n".join(f"    {name}: {setting.doc}" for name, setting in SETTINGS.items())
Config.__doc__ = f"{Config.__doc__}\n\nAttributes:\n{_MEANINGS}"


def label(agent: str, bonus: str) -> str:
    """What an agent with a bonus is called.

    Example:
        >>> label("sarsa", "phi"), label("q", "none")
        ('Sarsa-φ-EB', 'Q-ε')
    """
    if bonus == "none" and AGENTS.needs_extra(agent):
        return AGENTS[agent].label  # as in Table 1 of the paper: not all of them are ε-greedy
    both = (AGENTS, agent), (BONUSES, bonus)
    return "-".join("own" if name == GIVEN else parts[name].label for parts, name in both)


def usual_beta(per_feature: bool) -> float:
    """β where none is given: the one of the race (docs/race.md), or the paper's."""
    return RACE_BETA if per_feature else PAPER_BETA


def usual_frame_skip(agent: str) -> int:
    """Frames a decision where none are given: the paper's 5, or what an agent is declared with."""
    known = agent != GIVEN and ":" not in agent
    return int(AGENTS[agent].usual.get("frame_skip", FRAME_SKIP)) if known else FRAME_SKIP


# Settings that runs of 0.5.0 do not know, and what they had instead.
SINCE_0_5: dict[str, Any] = {
    "agent": "sarsa",
    "agent_args": {},
    "env_args": {},
    "shortfall": False,
}


def from_json(saved: object) -> Config:
    """A config from what a file has under "config"; nothing may be missing or unknown."""
    fields = set(SETTINGS)
    if not isinstance(saved, dict):
        raise ValueError("config must be an object with settings")
    saved = {**SINCE_0_5, **saved}
    problems = [f"{name} is missing" for name in sorted(fields - set(saved))]
    problems += [f"{name} is not a setting" for name in sorted(set(saved) - fields)]
    if problems:
        raise ValueError("; ".join(problems))
    return Config(**saved)


def versions() -> dict[str, str]:
    """The versions that a run's numbers depend on."""
    return {package: version(package) for package in PACKAGES}
