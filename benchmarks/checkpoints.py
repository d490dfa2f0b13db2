"""Milliseconds that a checkpoint takes with one version of phieb and with another, in turns.

    python benchmarks/checkpoints.py RUN OLD/src NEW/src [--times 40]

Each restores the newest checkpoint of its own copy of the run, and then saves it repeatedly.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

WORKER = """
import sys, time
from phieb.training import Run
from phieb.training.episode_log import EpisodeLog
from phieb.training.loop import Unwatched, _restore, _save
from phieb.training.training import Training
run = Run(sys.argv[1])
training = Training(run.config())
log = EpisodeLog(run.log_file, _restore(run, training, Unwatched()))
for _ in sys.stdin:
    training.frames += 1
    wall, processor = time.perf_counter(), time.process_time()
    _save(run, training, log)
    wall, processor = time.perf_counter() - wall, time.process_time() - processor
    print(1e3 * wall, 1e3 * processor, flush=True)
"""


def started(source: str, run: Path) -> subprocess.Popen[str]:
    """A process with this version and this run."""
    return subprocess.Popen(
        [sys.executable, "-c", WORKER, str(run)],
        env={**os.environ, "PYTHONPATH": source},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def milliseconds(process: subprocess.Popen[str]) -> list[float]:
    """Of one checkpoint: those of the clock and those of the processor."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("\n")
    process.stdin.flush()
    return [float(number) for number in process.stdout.readline().split()]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", type=Path)
    parser.add_argument("sources", nargs=2)
    parser.add_argument("--times", type=int, default=40)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        copies = [shutil.copytree(asked.run, Path(folder) / str(number)) for number in range(2)]
        both = [started(*pair) for pair in zip(asked.sources, copies, strict=True)]
        times = [[milliseconds(process) for process in both] for _ in range(asked.times + 5)][5:]
        for process in both:
            process.communicate()
    for number, clock in enumerate(("clock", "processor")):
        old, new = ([pair[which][number] for pair in times] for which in (0, 1))
        ratio = statistics.median(b / a for a, b in zip(old, new, strict=True))
        print(
            f"{clock}: {statistics.median(old):.1f} ms and {statistics.median(new):.1f} ms; "
            f"median ratio of a pair {ratio:.3f}"
        )
