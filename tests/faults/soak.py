"""Runs killed at random times, many times over, and resumed: is each the same as one left alone?

    python -m tests.faults.soak --kills 200
    python -m tests.faults.soak --kills 20 --ray        # and workers of a Ray cluster

Each run draws a game, a bonus, a kind of value and a probability of sticky actions; it is killed
some times while it starts, plays, ends an episode or saves, and then compared with a run of the
same settings that nothing happened to: weights, traces, counts, random states and the log. Exit
code 1 and the settings if any run is another; with --seed the same runs are drawn again.
"""

import argparse
import os
import random
import shutil
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from time import monotonic
from typing import Any

from tests.faults.ray_cluster import cluster
from tests.faults.support import Started, assert_identical, options, phieb
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
KILLS_A_RUN = 5
KILLS_A_TRIAL = 2  # a third attempt in a row that comes to nothing would be the last


def drawn(rng: random.Random) -> tuple[str, dict[str, Any], list[str]]:
    """A game, settings, and what they are called."""
    game, bonus, value = (rng.choice(sorted(kinds)) for kinds in (GAMES, BONUSES, VALUES))
    sticky = rng.choice([0.0, 0.25])
    settings = {**BONUSES[bonus], **VALUES[value], "sticky": sticky, "seed": rng.randrange(2**31)}
    return game, settings, [game, bonus, value, f"sticky {sticky}"]


def soak_here(folder: Path, kills: int, frames: int, rng: random.Random) -> list[str]:
    """One run, killed so many times on this machine; returns what its settings are called.

    Raises:
        AssertionError: it is not the same as the run that nothing happened to.
    """
    game, settings, names = drawn(rng)
    given = options(game, frames=frames, **settings)
    done = phieb("train", *given, "--out", folder / "whole")
    assert done.returncode == 0, (names, given, done.stderr)
    path = folder / "run"
    try:
        killed_and_resumed(path, [*given, "--out", str(path)], frames, kills, rng)
        assert_identical(path, folder / "whole")
    except AssertionError as error:
        raise AssertionError(f"{given}: {error}") from None
    return [*names, "local"]


def soak_ray(folder: Path, kills: int, address: str, rng: random.Random) -> list[str]:
    """One trial on a cluster, its worker killed so many times, and the same on this machine."""
    game = rng.choice(GAMES)
    given = ["sweep", "--games", game, "--betas", "0.1", "--trials", "1", "--frames", "60k"]
    on_ray = [*given, "--out", folder / "ray", "--backend", "ray", "--address", address]
    run = folder / "ray" / f"{game}-phi-beta0.1-1"
    with Started(*on_ray) as command:
        before = ""
        for _ in range(kills):
            command.wait_for(lambda: (run / "lock").exists() and _pid(run) not in ("", before))  # noqa: B023
            before = _pid(run)
            until = monotonic() + rng.uniform(0.0, 3.0)
            command.wait_for(lambda: monotonic() > until)  # noqa: B023
            with suppress(ProcessLookupError):  # it was just done
                os.kill(int(before), signal.SIGKILL)
        code, _, err = command.end()
    assert (code, err) == (0, ""), (given, err)
    done = phieb(*given, "--out", folder / "local")
    assert done.returncode == 0, (given, done.stderr)
    assert_identical(run, folder / "local" / run.name)
    return [game, "phi, per feature", "split", "sticky 0.0", "Ray"]


def _pid(run: Path) -> str:
    return (run / "lock").read_text().strip()


@contextmanager
def emptied(folder: Path) -> Iterator[Path]:
    """A folder for one run, which is kept if something was wrong."""
    folder.mkdir()
    yield folder
    shutil.rmtree(folder)


def main(given: list[str] | None = None) -> int:
    """Soak, and count."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--kills", type=int, default=200, help="how many, at least")
    parser.add_argument("--frames", type=int, default=40_000, help="of each run")
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))
    parser.add_argument("--ray", action="store_true", help="every fourth run on a Ray cluster")
    asked = parser.parse_args(given)
    rng, began, counted, killed = random.Random(asked.seed), monotonic(), Counter[str](), 0
    print(f"seed {asked.seed}", flush=True)
    folder = Path(tempfile.mkdtemp(prefix="phieb-soak-"))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # with the cluster
    with _cluster(asked.ray) as (address, _):
        while killed < asked.kills:
            kills, number = min(KILLS_A_RUN, asked.kills - killed), sum(counted.values())
            try:
                with emptied(folder / str(number)) as mine:
                    if address and counted["Ray"] * 3 < counted["local"]:
                        kills = min(kills, KILLS_A_TRIAL)
                        names = soak_ray(mine, kills, address, rng)
                    else:
                        names = soak_here(mine, kills, asked.frames, rng)
            except AssertionError as error:
                print(f"NOT IDENTICAL after {killed} kills, kept in {folder}: {error}")
                return 1
            killed += kills
            counted.update(names)
            print(f"{killed} kills, identical: {', '.join(names)}", flush=True)
    said = ", ".join(f"{name} {count}" for name, count in sorted(counted.items()))
    print(f"{killed} kills, all runs identical, {monotonic() - began:,.0f} s; runs: {said}")
    folder.rmdir()
    return 0


def _cluster(wanted: bool) -> AbstractContextManager[tuple[str, Path]]:
    """A Ray cluster of this machine, or "" where none is wanted."""
    return cluster() if wanted else nullcontext(("", Path()))


if __name__ == "__main__":
    sys.exit(main())
