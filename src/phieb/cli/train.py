"""`phieb train` and `phieb resume`."""

import dataclasses
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, Optional, get_args, get_type_hints

import tyro
from rich.console import Console

from phieb import arguments
from phieb.cli.options import Count
from phieb.runs import Config, Run, preset, resume, train
from phieb.runs.config import SETTINGS
from phieb.runs.tensorboard import WithTensorBoard
from phieb.runs.train import Watch
from phieb.runs.watch import LiveWatch

_NAMED = ("game", "bonus", "frames", "seed", "beta")  # options of their own, above the others


@dataclass
class TrainOptions:
    """Train an agent on a game; if the run is there already, go on with it."""

    game: Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="GAME")]
    """Any game that ale-py ships: venture, montezuma_revenge, freeway, frostbite, qbert, …"""
    bonus: Literal["phi", "naive-phi", "count", "cts", "simhash", "simhash-bass", "mp", "none"] = (
        "phi"
    )
    """How novelty is measured: the paper's φ-EB, one of its rivals, or not: ε-greedy alone."""
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
            _check_tensorboard()

    def run(self, console: Console) -> None:
        """Train, and say what came of it."""
        config = self.config()
        out = self.out or Path("runs") / self._name(config)
        with _watch(console, out, self.quiet, self.tensorboard) as watch:
            run = train(config, out, watch)
        _say(console, run, self.quiet)

    def _name(self, config: Config) -> str:
        preset = [] if self.preset == "default" else [self.preset]
        return "-".join([config.game, config.bonus, *preset, str(config.seed)])


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


@dataclass
class Resume:
    """Go on with a run that was stopped, crashed or killed: exactly as if it had not been."""

    path: Annotated[tyro.conf.Positional[Path], tyro.conf.arg(metavar="RUN")]
    """The folder of the run."""
    frames: Count | None = None
    """Train up to another number of frames than before."""
    quiet: bool = False
    """Show warnings only."""
    tensorboard: bool = False
    """Write scalars for TensorBoard too."""

    def check(self) -> None:
        """Everything that can be wrong, before anything is written."""
        if self.frames is not None:
            arguments.whole("--frames", self.frames, low=1)
        if self.tensorboard:
            _check_tensorboard()

    def run(self, console: Console) -> None:
        """Go on, and say what came of it."""
        with _watch(console, self.path, self.quiet, self.tensorboard) as watch:
            run = resume(self.path, watch, frames=self.frames)
        _say(console, run, self.quiet)


@contextmanager
def _watch(console: Console, out: Path, quiet: bool, tensorboard: bool) -> Iterator[Watch]:
    live = LiveWatch(console, quiet)
    watch = WithTensorBoard(live, out) if tensorboard else live
    try:
        yield watch
    finally:
        live.end()


def _say(console: Console, run: Run, quiet: bool) -> None:
    if quiet:
        return
    scores = [episode["score"] for episode in run.episodes()]
    last = scores[-100:]
    mean = f", mean score of the last {len(last)}: {sum(last) / len(last):,.1f}" if last else ""
    console.print(f"episodes: {len(scores):,}{mean}\nrun: {run.path}", soft_wrap=True)


def _check_tensorboard() -> None:
    from importlib.util import find_spec

    if find_spec("tensorboard") is None:
        raise ValueError('--tensorboard needs TensorBoard: pip install "phieb[tensorboard]"')
