"""Compile the kernels that training and evaluation of Atari games need, in two processes.

    python tools/compile_kernels.py FOLDER

Numba caches compiled kernels on disk, and each process uses what the other has finished. One
process compiles the features, the other the agent and its bonus. Then short runs with and without
the bonus, and an evaluation, compile what is left. The runs replace FOLDER.
"""

import shutil
import sys
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from phieb.cli.main import main
from phieb.learning import CompiledLearner
from phieb.training import preset
from phieb.training.parts import new_learner, new_world

SHORT = ["--frames", "600", "--max-frames", "300", "--cap", "end", "--quiet"]


def _learner() -> CompiledLearner:
    config = preset("default", "venture")
    learner = new_learner(config, new_world(config, 0), 0)
    assert isinstance(learner, CompiledLearner)
    return learner


def compile_features() -> None:
    """The kernels of Blob-PROST, and those that act without learning."""
    config = preset("default", "venture")
    screen, _ = new_world(config, 0).reset()
    learner = _learner()
    learner.agent.act(learner.features.active(screen))


def compile_agent() -> None:
    """The kernels of Sarsa(λ) and of the density, with the types of a run with the defaults."""
    learner, ids = _learner(), np.arange(50)
    ids.flags.writeable = False  # as feature maps return them
    learner.start_from_ids(ids)
    learner.end_from_ids(ids, 0.0)


def run(folder: Path) -> None:
    """Train and evaluate for a moment."""
    shutil.rmtree(folder, ignore_errors=True)
    for bonus in ("phi", "none"):
        main(["train", "venture", *SHORT, "--bonus", bonus, "--out", str(folder / bonus)])
    main(["evaluate", str(folder / "phi"), "--episodes", "1", "--workers", "1"])


if __name__ == "__main__":
    other = get_context("spawn").Process(target=compile_agent)
    other.start()
    compile_features()
    other.join()
    run(Path(sys.argv[1]))
