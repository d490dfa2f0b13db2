"""Milliseconds that a checkpoint takes with one version of phieb and with another, in turns.

    python benchmarks/checkpoints.py RUN OLD/src NEW/src [--times 40] [--json FILE]

Each restores the newest checkpoint of its own copy of the run, and then saves it repeatedly. With
`--json results/checkpoints.json` the numbers go into docs/reliability.md (results/pages.py).
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from phieb.training import Run

WORKER = """
import sys, time
try:
    from phieb.training import Run
    from phieb.training.episode_log import EpisodeLog
    from phieb.training.loop import Unwatched, _restore, _save
    from phieb.training.training import Training
except ImportError:  # as it was called in 0.5.0
    from phieb.runs import Run
    from phieb.runs.episode_log import EpisodeLog
    from phieb.runs.train import Unwatched, _restore, _save
    from phieb.runs.training import Training
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
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        copies = [shutil.copytree(asked.run, Path(folder) / str(number)) for number in range(2)]
        both = [started(*pair) for pair in zip(asked.sources, copies, strict=True)]
        times = [[milliseconds(process) for process in both] for _ in range(asked.times + 5)][5:]
        for process in both:
            process.communicate()
    last = Run(asked.run).newest(print)
    assert last is not None
    size = sum(one["bytes"] for one in last[1]["files"].values())
    found: dict[str, Any] = {"game": last[1]["config"]["game"], "frames": last[1]["frames"]}
    found |= {"bytes": size, "pairs": asked.times}
    for number, clock in enumerate(("clock", "processor")):
        old, new = ([pair[which][number] for pair in times] for which in (0, 1))
        ratio = statistics.median(b / a for a, b in zip(old, new, strict=True))
        medians = [round(statistics.median(one), 1) for one in (old, new)]
        found[clock] = {"ms": medians, "ratio": round(ratio, 3)}
    print(json.dumps(found, indent=1))
    if asked.json is not None:
        asked.json.write_text(json.dumps(found, indent=1) + "\n")
