"""A run trained once more in memory, to look at what it had learnt on the way."""

from collections.abc import Iterator

from phieb.training.run_folder import Run, RunError
from phieb.training.training import Training


def replayed(run: Run, frames: int, times: int) -> Iterator[Training]:
    """Train again as a run was trained, as far as `frames`; it takes as long as that did.

    A run is the same from the same settings. Every episode is compared with the log.

    Args:
        run: the run, which is only read.
        frames: of one of its checkpoints.
        times: how often to stop and look, evenly.

    Raises:
        RunError: an episode is not as the log has it.
    """
    training, log = Training(run.config()), run.episodes()
    training.start_episode()
    for number in range(1, times + 1):
        while training.frames < frames * number // times:
            if training.step():
                _check_same(run, training, log)
                training.start_episode()
        yield training


def _check_same(run: Run, training: Training, log: list[dict[str, object]]) -> None:
    line = training.line()
    there = log[training.episode - 1] if training.episode <= len(log) else {}
    differ = [name for name, value in line.items() if there.get(name) != value]
    if differ:
        said = f"episode {training.episode} has another {differ[0]} when it is trained again"
        raise RunError(
            f"{run.path}: {said}: other versions, or an environment that does not follow its seed"
        )
