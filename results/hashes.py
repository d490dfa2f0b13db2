"""Hashes of short runs: what a change that should change no number is held against.

python results/hashes.py          train all of them and write results/hashes.json
python results/hashes.py --check  train all of them and compare

Five games with φ-EB and without a bonus, 200,000 frames with seed 1, all else as by default. One
hash is of episodes.jsonl without the speed, the other of all arrays in the last checkpoint:
weights, traces, counts, random streams, the emulator. The test suite trains three of the ten.
"""

import hashlib
import json
import platform
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from phieb.experiments.paper import GAMES
from phieb.training import Run, preset, train
from phieb.training.config import versions

FILE = Path(__file__).parent / "hashes.json"
FRAMES, SEED = 200_000, 1
NAMES = [f"{game}-{bonus}" for game in GAMES for bonus in ("phi", "none")]


def hashes_of(name: str) -> dict[str, str]:
    """Train one of `NAMES`; the hashes of its log and of its checkpoint."""
    game, bonus = name.rsplit("-", 1)
    with tempfile.TemporaryDirectory() as folder:
        run = train(preset("default", game, bonus=bonus, frames=FRAMES, seed=SEED), folder)
        return {"episodes": _hash_of_log(run), "checkpoint": _hash_of_checkpoint(run)}


def made_with() -> dict[str, str]:
    """What numbers depend on besides settings; machine code differs between processors."""
    here = {name: version for name, version in versions().items() if name != "phieb"}
    return {**here, "machine": platform.machine()}


def _hash_of_log(run: Run) -> str:
    lines = [
        {name: value for name, value in episode.items() if name != "frames_per_second"}
        for episode in run.episodes()
    ]
    return hashlib.sha256(json.dumps(lines, sort_keys=True).encode()).hexdigest()


def _hash_of_checkpoint(run: Run) -> str:
    newest = run.newest(print)
    assert newest is not None
    digest = hashlib.sha256()
    for part, arrays in sorted(newest[0].items()):
        for name, array in sorted(arrays.items()):
            digest.update(f"{part} {name} {array.dtype} {array.shape}".encode())
            digest.update(array.tobytes())
    return digest.hexdigest()


def main(check: bool) -> int:
    """Train all, two at a time; returns how many differ from the file."""
    with ProcessPoolExecutor(2) as pool:
        found = dict(zip(NAMES, pool.map(hashes_of, NAMES), strict=True))
    if not check:
        facts: dict[str, Any] = {"phieb": versions()["phieb"], "frames": FRAMES, "seed": SEED}
        FILE.write_text(
            json.dumps({**facts, "made_with": made_with(), "runs": found}, indent=1) + "\n"
        )
        return 0
    expected = json.loads(FILE.read_text())["runs"]
    for name in NAMES:
        print(f"{name}: {'the same' if found[name] == expected[name] else 'DIFFERENT'}")
    return sum(found[name] != expected[name] for name in NAMES)


if __name__ == "__main__":
    sys.exit(1 if main("--check" in sys.argv) else 0)
