"""Everything that decides what a run does, and the named sets of settings."""

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from typing import Annotated, Any, Literal, NamedTuple, get_type_hints

from phieb import arguments
from phieb.features import FEATURES
from phieb.learning import AGENTS
from phieb.novelty import BONUSES
from phieb.worlds.games import check_blends
from phieb.worlds.names import find_world, is_atari

PAPER_BETA = 0.05  # β of the paper, "after a coarse parameter search"; of its product, N̂
RACE_BETA = 0.3  # β of the count per feature, N̄: docs/race.md

# What a run's numbers depend on: it is resumed with the same versions or not at all.
PACKAGES = ("phieb", "ale-py", "numpy", "numba")


Check = Callable[[str, Any], Any]  # of a name and a value


class Setting(NamedTuple):
    """What a setting means, and the check that its value must pass."""

    doc: str
    check: Check

    def __repr__(self) -> str:
        return f"Setting({self.doc!r})"


def _number(**limits: Any) -> Check:
    return lambda name, value: arguments.number(name, value, **limits)


def _whole(low: int, high: int) -> Check:
    return lambda name, value: arguments.whole(name, value, low=low, high=high)


def _word(*words: str) -> Check:
    return lambda name, value: arguments.one_of(name, value, words)


def _game(_: str, game: Any) -> str:
    return find_world(game)


def _or_usual(check: Check) -> Check:
    """None is right too: the usual value of the bonus takes its place."""
    return lambda name, value: value if value is None else check(name, value)


@dataclass(frozen=True)
class Config:
    """All settings of a run, checked: what is wrong is said at once, everything in one line."""

    game: Annotated[
        str,
        Setting("Any game that ale-py ships, a Gymnasium id, or package.module:make_env.", _game),
    ]
    bonus: Annotated[
        str,
        Setting("How novelty is measured: docs/bonuses.md; none is ε-greedy alone.", BONUSES.check),
    ] = "phi"
    agent: Annotated[str, Setting("How it learns.", AGENTS.check)] = "sarsa"
    frames: Annotated[
        int,
        Setting("Frames of the emulator, those that are skipped included.", _whole(1, 10**12)),
    ] = 10_000_000
    seed: Annotated[int, Setting("Of the game and of the agent.", _whole(0, 2**63))] = 0
    beta: Annotated[
        float,
        Setting("β, the scale of the bonus; None: what is usual.", _or_usual(_number(low=0.0))),
    ] = None  # type: ignore[assignment]  # always a number once the config is made
    per_feature: Annotated[
        bool,
        Setting(
            "φ-EB: count per feature, N̄, or with the product, the paper's N̂; None: what is usual.",
            _or_usual(arguments.flag),
        ),
    ] = None  # type: ignore[assignment]  # always a flag once the config is made
    kappa: Annotated[
        float,
        Setting("κ, added to the pseudocount: no bonus is larger than β/√κ.", _number(above=0.0)),
    ] = 0.01
    bonus_for: Annotated[
        Literal["arrival", "departure"],
        Setting(
            "An action earns the bonus of the state it leads to, or of the one it is taken in.",
            _word("arrival", "departure"),
        ),
    ] = "arrival"
    first_sight: Annotated[
        float,
        Setting(
            "A feature that is on for the first time has ρ = this/(t + 1).", _number(above=0.0)
        ),
    ] = 0.5
    value: Annotated[
        Literal["joint", "split"],
        Setting(
            "One value of r⁺ = r + bonus, or one of r and one of the bonus.",
            _word("joint", "split"),
        ),
    ] = "split"
    continuing: Annotated[
        bool,
        Setting(
            "With a split value: the value of the bonus looks past an episode's end.",
            arguments.flag,
        ),
    ] = True
    dial: Annotated[
        bool,
        Setting(
            "With a split value: UCB1 on the score chooses how much the value of the bonus weighs.",
            arguments.flag,
        ),
    ] = False
    optimistic: Annotated[
        bool,
        Setting(
            "Weights of a new feature start at (β/√κ)/(number of active features), not at 0.",
            arguments.flag,
        ),
    ] = False
    alpha: Annotated[
        float,
        Setting(
            "α; the step size is α over the largest number of active features so far.",
            _number(above=0.0, high=1.0),
        ),
    ] = 0.5
    gamma: Annotated[float, Setting("γ, the discount.", _number(low=0.0, high=1.0))] = 0.99
    lambda_: Annotated[float, Setting("λ, the decay of traces.", _number(low=0.0, high=1.0))] = 0.9
    epsilon: Annotated[float, Setting("ε of the ε-greedy policy.", _number(low=0.0, high=1.0))] = (
        0.01
    )
    features: Annotated[
        str,
        Setting(
            "What it sees; None: martin2017 for Atari games, auto elsewhere.",
            _or_usual(FEATURES.check),
        ),
    ] = None  # type: ignore[assignment]  # always a name once the config is made
    sticky: Annotated[
        float,
        Setting("Probability that a frame repeats the action before.", _number(low=0.0, high=1.0)),
    ] = 0.0
    frame_skip: Annotated[int, Setting("Frames a decision.", _whole(1, 60))] = 5
    max_frames: Annotated[
        int, Setting("Frames after which an episode is cut.", _whole(1, 10**9))
    ] = 18_000
    cap: Annotated[
        Literal["cut", "end"],
        Setting(
            "Such an episode is cut, and the agent looks ahead, or it counts as ended.",
            _word("cut", "end"),
        ),
    ] = "cut"
    noops: Annotated[
        int,
        Setting("Most decisions of doing nothing at the start of an episode.", _whole(1, 1_000)),
    ] = 24
    actions: Annotated[
        Literal["full", "minimal"],
        Setting("All 18 actions, or those that do something.", _word("full", "minimal")),
    ] = "full"
    screen: Annotated[
        Literal["last", "blend"],
        Setting(
            "The last frame of a decision, or the average of its last two.", _word("last", "blend")
        ),
    ] = "last"
    evaluate_on: Annotated[
        Literal["behaviour", "extrinsic"],
        Setting(
            "The value that the run is judged by: the one acted on, or that of r alone.",
            _word("behaviour", "extrinsic"),
        ),
    ] = "behaviour"
    checkpoint_every: Annotated[
        int, Setting("Frames from one checkpoint to the next.", _whole(1, 10**12))
    ] = 1_000_000

    def __post_init__(self) -> None:
        problems = self._problems()
        if problems:
            raise ValueError("; ".join(problems))
        object.__setattr__(self, "game", find_world(self.game))
        if self.features is None:
            object.__setattr__(self, "features", "martin2017" if self.is_atari else "auto")
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
        if self.per_feature is True and self.bonus != "phi":
            problems.append(f"per_feature must be False with bonus {self.bonus!r}")
        return problems

    def differences(self, other: Mapping[str, Any]) -> list[str]:
        """Settings that `other` has otherwise, in words; the number of frames may differ."""
        return [
            f"{name} is {other.get(name)!r} there and {mine!r} here"
            for name, mine in dataclasses.asdict(self).items()
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
    return f"{AGENTS[agent].label}-{BONUSES[bonus].label}"


def usual_beta(per_feature: bool) -> float:
    """β where none is given: the one of the race (docs/race.md), or the paper's."""
    return RACE_BETA if per_feature else PAPER_BETA


# Settings that runs of 0.5.0 do not know, and what they had instead.
SINCE_0_5 = {"agent": "sarsa"}


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
