"""`phieb train`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro
from rich.console import Console

from phieb.cli.options import (
    AgentArgs,
    AgentName,
    Beta,
    Count,
    FeaturesName,
    OptionalPath,
    PresetName,
    names_of,
)
from phieb.cli.run_output import check_tensorboard, live_view, print_result
from phieb.cli.setting_options import with_settings
from phieb.novelty import BONUSES
from phieb.training import Config, preset, train
from phieb.training.config import SETTINGS
from phieb.training.parts import check_parts
from phieb.training.settings import json_object
from phieb.worlds.names import file_name

# Settings declared as options below, before all others.
_FIRST = ("game", "bonus", "agent", "agent_args", "features", "env_args", "frames", "seed", "beta")


@dataclass
class TrainOptions:
    """Train an agent on a game, or resume the run if it exists.

    Writes the run to a folder: settings, a log of episodes, and checkpoints. Ctrl-C saves it;
    the same command resumes it.

    Example: phieb train venture --frames 2M --seed 1
    """

    game: Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="GAME")]
    """An Atari game (venture, montezuma_revenge, …), a Gymnasium id, or package.module:make_env."""
    bonus: Annotated[str, tyro.conf.arg(metavar="NAME", help=names_of(BONUSES))] = "phi"
    agent: AgentName = "sarsa"
    agent_args: AgentArgs = None
    features: FeaturesName = None
    env_args: Annotated[str | None, tyro.conf.arg(metavar="JSON", help_behavior_hint="")] = None
    """Arguments of a Gymnasium environment, such as '{"size": 20}'."""
    frames: Count = 10_000_000
    """Frames of training, or steps of an environment, such as 300k or 10M."""
    beta: Beta = None
    seed: int = 0
    """Seed of the game and of the agent."""
    preset: PresetName = "default"
    """Preset of all other settings (printed by `phieb presets`)."""
    out: OptionalPath = None
    """Folder of the run; by default runs/GAME-BONUS-SEED, or runs/GAME-BONUS-PRESET-SEED."""
    quiet: bool = False
    """Print warnings only."""
    tensorboard: bool = False
    """Write scalars for TensorBoard too (needs pip install "phieb[tensorboard]")."""

    def config(self) -> Config:
        """All settings of the run."""
        given = {name: getattr(self, name) for name in SETTINGS}
        changes = {name: value for name, value in given.items() if value is not None}
        for name in ("env_args", "agent_args"):
            if name in changes:
                changes[name] = json_object(f"--{name.replace('_', '-')}", changes[name])
        return preset(self.preset, **changes)

    def check(self) -> None:
        """Check all options before anything is written."""
        check_parts(self.config())
        if self.tensorboard:
            check_tensorboard()

    def run(self, console: Console) -> None:
        """Train, and print the result."""
        config = self.config()
        out = self.out or Path("runs") / self._name(config)
        with live_view(console, out, self.quiet, self.tensorboard) as watch:
            run = train(config, out, watch)
        print_result(console, run, self.quiet)

    def _name(self, config: Config) -> str:
        agent = [] if config.agent == "sarsa" else [config.agent]
        preset = [] if self.preset == "default" else [self.preset]
        args = [str(value) for pair in config.env_args.items() for value in pair]
        words = [config.game, *args, *agent, config.bonus, *preset, str(config.seed)]
        return file_name("-".join(words))


Train = with_settings(TrainOptions, _FIRST)
