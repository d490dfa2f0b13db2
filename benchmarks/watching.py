"""What `phieb watch` takes on a folder with many long trials: seconds, share of a core, memory.

    python benchmarks/watching.py RUN RUN … [--trials 20] [--frames 10M] [--seconds 120]

The folder is made from real runs: their logs are repeated until they are long enough, and their
newest checkpoints are copied. Two of the trials then go on: a line of the log each second. The page
is asked for as a browser asks, every two seconds, and what it costs the process is read from /proc.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, replace
from itertools import cycle
from pathlib import Path
from time import monotonic, sleep
from typing import Any
from urllib.request import urlopen

from phieb.cli.options import count
from phieb.training import Run, checkpoint
from phieb.training.checkpoint import Facts
from phieb.training.config import versions
from phieb.training.episode_log import log_digest

RUNNING = 2
TICKS = os.sysconf("SC_CLK_TCK")


def lines_of(run: Run) -> Iterator[dict[str, Any]]:
    """The lines of a log over and over, with numbers that go on."""
    number = frames = decisions = 0
    for line in cycle(run.logged()):
        number, frames = number + 1, frames + int(line["length"])
        decisions += int(line["length"]) // 5
        yield {**line, "episode": number, "frames": frames, "decisions": decisions}


def long_run(run: Run, out: Path, seed: int, frames: int) -> Iterator[dict[str, Any]]:
    """Write a long run that is made from a short one; returns the lines that would be next."""
    config = replace(run.config(), frames=2 * frames, seed=seed)
    made, lines, reached = Run(out), lines_of(run), 0
    made.create(config)
    with made.log_file.open("w", encoding="utf-8") as log:
        while reached < frames:
            line = next(lines)
            log.write(json.dumps(line) + "\n")
            reached = line["frames"]
    newest = run.newest(print)
    assert newest is not None
    num_bytes = made.log_file.stat().st_size
    known: Any = {"bytes": num_bytes, "sha256": log_digest(made.log_file, num_bytes)}
    facts = Facts(reached, asdict(config), versions(), known)
    checkpoint.write(made.checkpoints, newest[0], facts)
    return lines


def cpu_seconds(pid: int) -> float:
    """Of the processor, that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def megabytes(pid: int, what: str) -> float:
    """Memory that is resident, or was at most."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    (line,) = [line for line in status.splitlines() if line.startswith(what)]
    return int(line.split()[1]) / 1024


def get(address: str) -> bytes:
    """What the page is answered."""
    with urlopen(address, timeout=600) as answer:
        found: bytes = answer.read()
        return found


def measure(folder: Path, made: list[tuple[Run, Iterator[dict[str, Any]]]], seconds: float) -> None:
    """Start `phieb watch`, look at it as a browser does, and print what it took."""
    start, began = "from phieb.cli import main; main()", monotonic()
    with subprocess.Popen(
        [sys.executable, "-c", start, "watch", str(folder)], stdout=subprocess.PIPE, text=True
    ) as watching:
        try:
            assert watching.stdout is not None
            address = watching.stdout.readline().split()[-1]
            listening = monotonic()
            page = get(address)
            shown, used = monotonic() - listening, cpu_seconds(watching.pid)
            print(
                f"address after {listening - began:.2f} s, the first page {shown:.2f} s later "
                f"({len(page) / 1e6:.1f} MB); processor time so far {used:.2f} s, "
                f"{megabytes(watching.pid, 'VmRSS'):.0f} MB"
            )
            _look_on(watching.pid, address, made, seconds)
        finally:
            watching.terminate()


def _look_on(
    pid: int, address: str, made: list[tuple[Run, Iterator[dict[str, Any]]]], seconds: float
) -> None:
    num_runs, going = len(made), made[:RUNNING]
    version, seen, numbers, screens = -1, "", 0, 0
    trial = going[0][0].path.name
    # The first numbers of all runs and the first screen are no refresh.
    while not json.loads(get(f"{address}now?trial={trial}"))["look"]:
        sleep(0.2)
    while len(json.loads(get(f"{address}data"))["runs"]) < num_runs:
        sleep(0.2)
    used, began = cpu_seconds(pid), monotonic()
    while monotonic() < began + seconds:
        for run, lines in going:
            with run.log_file.open("a", encoding="utf-8") as log:
                log.write(json.dumps(next(lines)) + "\n")
        found = json.loads(get(f"{address}now?trial={trial}&seen={seen}"))
        if found["look"]:
            seen, screens = found["look_number"], screens + 1
            assert "problem" not in found["look"], found["look"]
        if found["version"] != version:
            get(f"{address}data")
            version, numbers = found["version"], numbers + 1
        sleep(2.0)
    share = (cpu_seconds(pid) - used) / (monotonic() - began)
    print(
        f"{seconds:.0f} s of looking on: {share:.1%} of a core, {numbers} times new numbers, "
        f"{screens} times new screens; at most {megabytes(pid, 'VmHWM'):.0f} MB"
    )


def main() -> None:
    """Make the folder, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("runs", nargs="+", type=Path)
    parser.add_argument("--trials", type=int, default=20)
    parser.add_argument("--frames", type=count, default=10_000_000)
    parser.add_argument("--seconds", type=float, default=120.0)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        made = []
        for seed, source in zip(range(1, asked.trials + 1), cycle(asked.runs), strict=False):
            out = Path(folder) / f"{source.name}-{seed}"
            made.append((Run(out), long_run(Run(source), out, seed, asked.frames)))
        episodes = sum(len(run.logged()) for run, _ in made)
        print(f"{asked.trials} trials of {asked.frames / 1e6:g} M frames, {episodes:,} episodes")
        measure(Path(folder), made, asked.seconds)


if __name__ == "__main__":
    main()
