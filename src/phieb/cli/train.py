"""`phieb train`."""

import dataclasses
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, Optional, get_args, get_type_hints

import tyro
from rich.console import Console

from phieb.cli.options import Count, names_of
from phieb.cli.watching import check_tensorboard, say_result, watching
from phieb.features import FEATURES
from phieb.learning import AGENTS
from phieb.novelty import BONUSES
from phieb.training import Config, preset, train
from phieb.training.config import SETTINGS

# Options of their own, above the others.
_NAMED = (
    "game",
    "bonus",
    "agent",
    "features",
    "frames",
    "seed",
    "beta",
)


@dataclass
class TrainOptions:
    """Train an agent on a game; if the run is there already, go on with it."""

    game: Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="GAME")]
    """An Atari game (venture, montezuma_revenge, …), a Gymnasium id, or package.module:make_env."""
    bonus: Annotated[str, tyro.conf.arg(metavar="NAME", help=names_of(BONUSES))] = "phi"
    agent: Annotated[str, tyro.conf.arg(metavar="NAME", help=names_of(AGENTS))] = "sarsa"
    features: Annotated[
        str | None,
        tyro.conf.arg(
            metavar="NAME",
            help=names_of(FEATURES),
            help_behavior_hint="(default: martin2017 for Atari games, auto elsewhere)",
        ),
    ] = None
    frames: Count = 10_000_000
    """How many frames of the game to train for; 300k and 10M are understood."""
    beta: float | None = None
    """β, the scale of the bonus; by default 0.3 with a count per feature, otherwise 0.05."""
    seed: int = 0
    """Of the game and of the agent."""
    preset: Literal["default", "product", "paper", "martin2017"] = "default"
    """Where all other settings come from: `phieb presets` prints them."""
    out: Path | None = None
    """The folder of the run; by default runs/GAME-BONUS-SEED, or GAME-BONUS-PRESET-SEED."""
    quiet: bool = False
    """Show warnings only."""
    tensorboard: bool = False
    """Write scalars for TensorBoard too (an extra: pip install "phieb[tensorboard]")."""

    def config(self) -> Config:
        """All settings."""
        given = {name: getattr(self, name) for name in SETTINGS}
        changes = {name: value for name, value in given.items() if value is not None}
        return preset(self.preset, **changes)

    def check(self) -> None:
        """Everything that can be wrong, before anything is written."""
        self.config()
        if self.tensorboard:
            check_tensorboard()

    def run(self, console: Console) -> None:
        """Train, and say what came of it."""
        config = self.config()
        out = self.out or Path("runs") / self._name(config)
        with watching(console, out, self.quiet, self.tensorboard) as watch:
            run = train(config, out, watch)
        say_result(console, run, self.quiet)

    def _name(self, config: Config) -> str:
        agent = [] if config.agent == "sarsa" else [config.agent]
        preset = [] if self.preset == "default" else [self.preset]
        words = [config.game, *agent, config.bonus, *preset, str(config.seed)]
        return re.sub(r"[^\w.-]", "_", "-".join(words))  # a name may have / and : in it


def _options() -> list[Any]:
    """An option for each other setting, by default as the preset has it."""
    hints = get_type_hints(Config)
    options = []
    for name, setting in SETTINGS.items():
        if name not in _NAMED:
            hint: Any = Count if name in ("checkpoint_every", "max_frames") else hints[name]
            arg = tyro.conf.arg(
                name=name.rstrip("_").replace("_", "-"),
                help=setting.doc,
                help_behavior_hint="(default: as in the preset)",
                metavar=_metavar(hint),
            )
            options.append((name, Annotated[Optional[hint], arg], dataclasses.field(default=None)))  # noqa: UP045
    return options


def _metavar(hint: Any) -> str:
    words = [word for word in get_args(hint) if isinstance(word, str)]
    if words:
        return "{" + ",".join(words) + "}"
    if hint is bool:
        return "{True,False}"
    return "COUNT" if hint is Count else str(hint.__name__).upper()


Train = dataclasses.make_dataclass("Train", _options(), bases=(TrainOptions,))
Train.__doc__ = TrainOptions.__doc__
