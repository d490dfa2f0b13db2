"""The cost of `PhiBonus.observe` on Venture's features, compared with another phieb.

    git worktree add --detach /tmp/before main
    python benchmarks/observe.py --beside /tmp/before/src

Both observe the features of the same random play, in slices that take turns, in a process each:
they answer every slice with its time and the sum of its bonuses, which must be the same.
"""

import argparse
import os
import statistics
import subprocess
import sys
from pathlib import Path
from time import perf_counter

import numpy as np

HERE = Path(__file__).parents[1] / "src"
SLICE, WARM_UP = 200, 2  # observations; slices that are not measured


def observations(game: str, decisions: int) -> list[np.ndarray]:
    """The features of random play."""
    from phieb.features import BlobProst
    from phieb.worlds import random_screens

    features = BlobProst()
    return [features.active(screen).copy() for screen in random_screens(game, decisions, seed=0)]


def serve(file: str) -> None:
    """Observe a slice for every line read, and print its microseconds and the sum of bonuses."""
    from phieb.novelty import PhiBonus

    bonus = PhiBonus()
    with np.load(file) as found:
        seen = [found[str(k)] for k in range(len(found.files))]
    for begin in range(0, len(seen), SLICE):
        sys.stdin.readline()
        part = seen[begin : begin + SLICE]
        began = perf_counter()
        total = sum((bonus.observe(ids) for ids in part), 0.0)
        print((perf_counter() - began) / len(part) * 1e6, total.hex(), flush=True)


def started(source: Path, file: Path) -> subprocess.Popen[str]:
    """A process that observes with the phieb of this folder."""
    command = [sys.executable, __file__, "--serve", str(file)]
    env = {**os.environ, "PYTHONPATH": str(source)}
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=env)


def answer(process: subprocess.Popen[str]) -> list[str]:
    """The next slice's time and sum."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("\n")
    process.stdin.flush()
    return process.stdout.readline().split()


def main() -> None:
    """Measure both, and print medians and their ratio."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--beside", type=Path, help="the src of another phieb")
    parser.add_argument("--game", default="venture")
    parser.add_argument("--decisions", type=int, default=8_000)
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        serve(given.serve)
        return
    seen = observations(given.game, given.decisions - given.decisions % SLICE)
    file = Path(f"/tmp/observe-{os.getpid()}.npz")
    np.savez(file, **{str(k): ids for k, ids in enumerate(seen)})  # type: ignore[arg-type]
    sources = [given.beside, HERE] if given.beside else [HERE]
    processes = [started(source, file) for source in sources]
    slices = [[answer(process) for process in processes] for _ in range(len(seen) // SLICE)]
    file.unlink()
    for process in processes:
        process.communicate()
    assert all(len({total for _, total in one}) == 1 for one in slices), "the bonuses differ"
    times = np.array([[float(time) for time, _ in one] for one in slices])[WARM_UP:]
    for source, each in zip(sources, times.T, strict=True):
        low, middle, high = statistics.quantiles(each, n=4)
        print(f"{source}: {middle:.1f} µs an observation (quartiles {low:.1f}–{high:.1f})")
    if given.beside:
        ratio = statistics.median(times[:, 0] / times[:, 1])
        print(f"{np.mean([ids.size for ids in seen]):.0f} features on; before/now {ratio:.1f}")


if __name__ == "__main__":
    main()
