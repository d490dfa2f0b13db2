"""What `phieb train` and `phieb resume` print: the live view, then the result."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from rich.console import Console

from phieb.training import Run
from phieb.training.live_view import LiveWatch
from phieb.training.loop import Watch
from phieb.training.tensorboard import WithTensorBoard


@contextmanager
def live_view(console: Console, out: Path, quiet: bool, tensorboard: bool) -> Iterator[Watch]:
    """The live view of a run, with TensorBoard if asked for."""
    live = LiveWatch(console, quiet)
    watch = WithTensorBoard(live, out) if tensorboard else live
    try:
        yield watch
    finally:
        live.end()


def print_result(console: Console, run: Run, quiet: bool) -> None:
    """Print the number of episodes, the latest mean score and the folder of a run."""
    if quiet:
        return
    scores = [episode["score"] for episode in run.episodes()]
    last = scores[-100:]
    mean = f", mean score of the last {len(last)}: {sum(last) / len(last):,.1f}" if last else ""
    console.print(f"episodes: {len(scores):,}{mean}\nrun: {run.path}", soft_wrap=True)


def check_tensorboard() -> None:
    """Raise ValueError unless the extra is installed."""
    if find_spec("tensorboard") is None:
        raise ValueError('--tensorboard needs TensorBoard: pip install "phieb[tensorboard]"')
