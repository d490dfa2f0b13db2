"""Runs killed at random times, many times over, and resumed: is each the same as one left alone?

    python -m tests.faults.soak --kills 200
    python -m tests.faults.soak --kills 20 --ray        # and on Ray: workers, raylets

Each run has a game, a bonus, a kind of value and a probability of sticky actions, dealt from a
shuffled pack of all there are; it is killed some times while it starts, plays, ends an episode or
saves, and then compared with a run of the same settings that nothing happened to: weights, traces,
counts, random states and the log. Exit code 1 and the settings if any run is another; with --seed
the same runs are dealt again. What was counted is written after each run, to --out if it is given.
"""

import argparse
import json
import os
import random
import shutil
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from itertools import product
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from phieb.files import writing
from phieb.training.config import versions
from tests.faults.ray_cluster import cluster, kill_raylet
from tests.faults.support import (
    Started,
    assert_identical,
    config,
    options,
    phieb,
    saved_frames,
)
from tests.faults.test_identity import killed_and_resumed

GAMES = ("freeway", "frostbite", "montezuma_revenge", "qbert", "venture")
BONUSES: dict[str, dict[str, Any]] = {
    "none": {"bonus": "none"},
    "phi, per feature": {"bonus": "phi"},
    "phi, product": {"bonus": "phi", "per-feature": False},
    "cts": {"bonus": "cts"},
}
VALUES: dict[str, dict[str, Any]] = {
    "joint": {"value": "joint", "continuing": False},
    "split": {"value": "split"},
}
STICKY = (0.0, 0.25)
KILLS_A_RUN = 5
KILLS_A_TRIAL = 4  # of a worker; then the raylet, of every other trial on Ray
LONGER = 4  # times as many frames on Ray, where it takes longer to kill something
Dealt = tuple[str, dict[str, Any], list[str]]


def dealt(rng: random.Random) -> Iterator[Dealt]:
    """Games, settings, and what they are called: every combination before one comes again."""
    while True:
        pack = list(product(GAMES, BONUSES, VALUES, STICKY))
        rng.shuffle(pack)
        for game, bonus, value, sticky in pack:
            settings = {**BONUSES[bonus], **VALUES[value], "sticky": sticky}
            names = [game, bonus, value, f"sticky {sticky}"]
            yield game, {**settings, "seed": rng.randrange(2**31)}, names


def soak_here(folder: Path, kills: int, frames: int, run: Dealt, rng: random.Random) -> int:
    """One run, killed so many times on this machine, or a little less often if it was too quick.

    Raises:
        AssertionError: it is not the same as the run that nothing happened to.
    """
    game, settings, _ = run
    given = options(game, frames=frames, **settings)
    whole(folder / "whole", given)
    path = folder / "run"
    try:
        killed = killed_and_resumed(path, [*given, "--out", str(path)], frames, kills, rng)
        assert_identical(path, folder / "whole")
    except AssertionError as error:
        raise AssertionError(f"{given}: {error}") from None
    return killed


def soak_ray(folder: Path, kills: int, frames: int, run: Dealt, rng: random.Random) -> int:
    """One trial on a cluster of its own, killed so many times, and the same on this machine.

    The last of an odd number of kills is that of the raylet: the command ends with its line, and
    goes on from there on another cluster.
    """
    game, settings, _ = run
    path, given = folder / "run", options(game, frames=frames, **settings)
    changes = {name.replace("-", "_"): value for name, value in settings.items()}
    asked = json.dumps(asdict(config(game, frames=frames, **changes)))
    targets = sorted(rng.sample(range(frames - frames // 4), kills))
    with cluster() as (address, inside), on_ray(address, path, asked) as command:
        for number, target in enumerate(targets):
            worker = wait_for_worker(command, path, target)
            sleep(rng.uniform(0.0, 0.1))
            if kills % 2 and number == kills - 1:
                kill_raylet(inside)
            else:
                os.kill(worker, signal.SIGKILL)
        code, _, err = command.end()
    if kills % 2:
        assert (code, "the Ray cluster is lost" in err) == (1, True), (given, err)
        with cluster() as (address, _), on_ray(address, path, asked) as command:
            code, _, err = command.end()
    assert (code, err) == (0, ""), (given, err)
    whole(folder / "whole", given)
    assert_identical(path, folder / "whole")
    return kills


def on_ray(address: str, path: Path, asked: str) -> Started:
    """The command that runs a trial on a cluster."""
    return Started(address, path, asked, module="tests.faults.ray_trial")


def wait_for_worker(command: Started, path: Path, frames: int) -> int:
    """The process that trains a run, when it has a checkpoint past some frame."""
    worker = 0

    def is_there() -> bool:
        nonlocal worker
        lock = path / "lock"
        text = lock.read_text().strip() if lock.exists() else ""
        worker = int(text) if text and is_alive(text) else 0
        return worker > 0 and saved_frames(path) >= frames

    command.wait_for(is_there)
    return worker


def is_alive(pid: str) -> bool:
    """Whether a process of this number is a worker of Ray."""
    try:
        return b"ray::" in Path("/proc", pid, "cmdline").read_bytes()
    except OSError:
        return False


def whole(path: Path, given: list[str]) -> None:
    """A run that nothing happens to."""
    done = phieb("train", *given, "--out", path)
    assert done.returncode == 0, (given, done.stderr)


@contextmanager
def emptied(folder: Path) -> Iterator[Path]:
    """A folder for one run, which is kept if something was wrong."""
    folder.mkdir()
    yield folder
    shutil.rmtree(folder)


class Tally:
    """What was killed so far, in a file if one is given: what the docs say is made from it.

    Args:
        file: where to write it after each run, or None.
        seed: that the runs were dealt with.
    """

    def __init__(self, file: Path | None, seed: int) -> None:
        self.kills, self.runs, self._began = 0, Counter[str](), monotonic()
        self._file, self._seed = file, seed

    def add(self, kills: int, names: list[str]) -> None:
        """One more run, which was identical."""
        self.kills += kills
        self.runs.update(names)
        print(f"{self.kills} kills, identical: {', '.join(names)}", flush=True)
        if self._file is not None:
            writing.write(self._file, json.dumps(self.facts(), indent=1) + "\n")

    def facts(self) -> dict[str, Any]:
        """All of it; the numbers of runs by game, bonus and so on."""
        return {
            "version": versions()["phieb"],
            "seed": self._seed,
            "kills": self.kills,
            "seconds": round(monotonic() - self._began),
            "runs": dict(sorted(self.runs.items())),
        }

    def next_on_ray(self) -> bool:
        """Whether it is the turn of Ray: every fourth run."""
        return self.runs["Ray"] * 3 < self.runs["local"]


def soak_one(folder: Path, left: int, run: Dealt, asked: argparse.Namespace, tally: Tally) -> None:
    """One run, here or on Ray, and no more kills than are left.

    Raises:
        AssertionError: it is not the same as the run that nothing happened to.
    """
    on_ray = asked.ray and tally.next_on_ray()
    most = KILLS_A_TRIAL + tally.runs["Ray"] % 2 if on_ray else KILLS_A_RUN
    kills, soak = min(most, left), soak_ray if on_ray else soak_here
    frames = asked.frames * LONGER if on_ray else asked.frames
    with emptied(folder / str(tally.runs.total())) as mine:
        killed = soak(mine, kills, frames, run, asked.rng)
    raylet = ["raylet"] * (on_ray and kills % 2)
    tally.add(killed, [*run[2], "Ray" if on_ray else "local", *raylet])


def main(given: list[str] | None = None) -> int:
    """Soak, and count."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--kills", type=int, default=200, help="how many, at least")
    parser.add_argument("--frames", type=int, default=10_000, help="of each run")
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))
    parser.add_argument("--ray", action="store_true", help="every fourth run on a Ray cluster")
    parser.add_argument("--out", type=Path, help="write what was counted here (.json)")
    asked = parser.parse_args(given)
    asked.rng, tally = random.Random(asked.seed), Tally(asked.out, asked.seed)
    print(f"seed {asked.seed}", flush=True)
    folder = Path(tempfile.mkdtemp(prefix="phieb-soak-"))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # with the cluster
    for run in dealt(asked.rng):
        try:
            soak_one(folder, asked.kills - tally.kills, run, asked, tally)
        except AssertionError as error:
            print(f"FAILED after {tally.kills} kills, kept in {folder}: {error}")
            return 1
        if tally.kills >= asked.kills:
            break
    print(f"all runs identical: {json.dumps(tally.facts())}")
    folder.rmdir()
    return 0


if __name__ == "__main__":
    sys.exit(main())
