"""Whatever bytes a file has, its loader returns or says in one line what is wrong: atheris.

    python -m tests.faults.fuzz --minutes 10            # make test-fuzz installs atheris before

Bytes take the place of a file in a small run, whose hashes are made to agree, and everything that
reads that file reads it. What brings them forth looks for bytes that reach new lines of the loaders
and of the records. It starts from the files of a run and from the corpus. Anything but one line is
a failure: the bytes are kept in the folder for what was found, and belong in the corpus.
"""

import argparse
import json
import shutil
import sys
import tempfile
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from time import monotonic
from typing import Any

import atheris

import phieb as package

HOUSE = Path(package.__file__).parent
KERNELS = [".".join(file.relative_to(HOUSE.parent).with_suffix("").parts)
           for file in HOUSE.rglob("kernels/**/*.py")]  # fmt: skip

with atheris.instrument_imports(include=["phieb"], exclude=KERNELS):  # Numba reads bytecode too
    from phieb.evaluation.evaluate import evaluate
    from phieb.evaluation.record import read_evaluation
    from phieb.files import reading, writing
    from phieb.novelty import PhiBonus
    from phieb.training import Run, RunError, checkpoint, train
    from tests.faults.support import config, newest, redescribe
    from tests.faults.test_corpus import SMALL, know

CORPUS = Path(__file__).parent / "corpus"
BONUS = "bonus.safetensors"
SAID_EVERY = 5.0  # seconds


def settings(run: Path) -> None:
    """What reads config.json."""
    Run(run).config()


def log(run: Path) -> None:
    """What reads the log, which every checkpoint knows as it is."""
    know(run)
    Run(run).last_episodes()
    Run(run).episodes()


def evaluation(run: Path) -> None:
    """What reads an evaluation, whose digest is made to agree if it has one."""
    _agree(run / "evaluation.json")
    read_evaluation(Run(run))


def manifest(run: Path) -> None:
    """What reads the newest checkpoint, whose manifest has the right digest."""
    _agree(newest(run) / "manifest.json")
    checkpoint.read(newest(run))


def arrays(run: Path) -> None:
    """What reads the arrays of the newest checkpoint, which its manifest describes as they are."""
    redescribe(newest(run))
    checkpoint.read(newest(run))


def bonus(run: Path) -> None:
    """What reads a saved bonus."""
    try:
        PhiBonus().load(run / BONUS)
    except ValueError as error:  # where arguments are wrong, as in Python
        raise RunError(str(error)) from None


LOADERS: dict[str, Callable[[Path], None]] = {
    "config.json": settings,
    "episodes.jsonl": log,
    "evaluation.json": evaluation,
    "manifest.json": manifest,
    "learner.safetensors": arrays,
    BONUS: bonus,
}


def place(run: Path, name: str) -> Path:
    """Where a file of this name is."""
    inside = name in ("manifest.json", "learner.safetensors")
    return (newest(run) if inside else run) / name


def _agree(file: Path) -> None:
    """Give a record the digest that it should have."""
    try:
        found = reading.parsed(file.read_bytes())
        found["digest"] = checkpoint.digest_of(found)
        data = json.dumps(found).encode()
    except (ValueError, TypeError, AttributeError, RecursionError):
        return
    file.write_bytes(data)


class Fuzzed:
    """A small run, one file of which is something else at each call.

    Args:
        folder: to make it in.
        out: where to write how many calls there were, every few seconds; or None.
    """

    def __init__(self, folder: Path, out: Path | None) -> None:
        self.run = folder / "run"
        evaluate(train(config("FrozenLake-v1", **SMALL), self.run), 2, workers=1)
        PhiBonus().save(self.run / BONUS)
        self.sound = shutil.copytree(self.run, folder / "sound")
        self.calls, self.refused, self.failures = 0, 0, 0
        self._out, self._began, self._due = out, monotonic(), 0.0

    def __call__(self, data: bytes) -> None:
        """The first byte says which file it is."""
        try:
            self._try(data)
        except BaseException:
            self.failures += 1
            self._due = 0.0
            raise
        finally:
            self.calls += 1
            if self._out is not None and monotonic() >= self._due:
                self._due = monotonic() + SAID_EVERY
                writing.write(self._out, json.dumps(self.facts(), indent=1) + "\n")

    def facts(self) -> dict[str, Any]:
        """What was counted."""
        return {
            "version": version("phieb"),
            "seconds": round(monotonic() - self._began),
            "runs": self.calls,
            "refused": self.refused,
            "failures": self.failures,
        }

    def _try(self, data: bytes) -> None:
        name = sorted(LOADERS)[data[0] % len(LOADERS)] if data else "config.json"
        file = place(self.run, name)
        file.write_bytes(data[1:])
        try:
            LOADERS[name](self.run)
        except RunError as error:
            self.refused += 1
            if "\n" in str(error) or "\r" in str(error):
                raise AssertionError(f"more than a line: {error!r}") from None
            str(error).encode()
        for changed in {file, *self.run.glob("checkpoints/*/manifest.json")}:
            shutil.copy(self.sound / changed.relative_to(self.run), changed)

    def seeds(self, folder: Path) -> None:
        """The files of the run, and the corpus, as what atheris starts from."""
        folder.mkdir()
        for number, name in enumerate(sorted(LOADERS)):
            found = [place(self.sound, name), *(CORPUS / name).glob("*")]
            for file in found:
                (folder / f"{name}-{file.name}").write_bytes(bytes([number]) + file.read_bytes())


def main() -> None:
    """Fuzz for some minutes; libFuzzer says how many runs that were."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--found", type=Path, default=Path(tempfile.gettempdir()), metavar="DIR")
    parser.add_argument("--out", type=Path, help="write what was counted here (.json)")
    asked = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="phieb-fuzz-"))
    fuzzed = Fuzzed(folder, asked.out)
    fuzzed.seeds(folder / "seeds")
    options = [
        f"-max_total_time={asked.minutes * 60:.0f}",
        "-max_len=20000",
        "-timeout=10",
        "-rss_limit_mb=4096",
        f"-artifact_prefix={asked.found}/phieb-fuzz-",
    ]
    atheris.Setup([sys.argv[0], *options, str(folder / "seeds")], fuzzed)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
