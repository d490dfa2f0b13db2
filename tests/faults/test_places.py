"""Where it runs: installed where nothing can be written, without a home, with tight limits."""

import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import phieb as package
from tests.faults.support import PATIENCE, command, phieb

NOBODY = 65_534

# A kernel that compiles in a moment, called for two kinds of arrays: compiled twice.
SMALL_KERNEL = (
    "import numpy as np; from phieb.kernels.tabular.chance import choose;"
    "rng = np.random.default_rng(0);"
    "choose(np.zeros(2), 0.1, rng); choose(np.zeros(2, np.float32), 0.1, rng)"
)


def nobody() -> None:
    """In a process to come: root could write all the same."""
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)


@pytest.fixture
def installed() -> Iterator[Path]:
    """A copy of the package that nobody can write to, nor anywhere near it."""
    folder = Path(tempfile.mkdtemp(prefix="phieb-", dir="/tmp"))  # pytest's is root's alone
    source = Path(package.__file__).parent
    shutil.copytree(source, folder / "phieb", ignore=shutil.ignore_patterns("__pycache__"))
    _chmod(folder, write=False)
    yield folder
    _chmod(folder, write=True)
    shutil.rmtree(folder)


def _chmod(folder: Path, *, write: bool) -> None:
    for path in [folder, *folder.rglob("*")]:
        path.chmod((0o755 if path.is_dir() else 0o644) if write else path.stat().st_mode & 0o555)
    if not write:
        folder.chmod(0o555)


def run_in(
    installed: Path, given: list[str], limits: Callable[[], None] = nobody, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run Python with that copy, without a home; skips where it cannot even be read."""
    inherited = {k: v for k, v in os.environ.items() if k not in ("HOME", "NUMBA_CACHE_DIR")}
    usual = {"PYTHONPATH": str(installed), "HOME": "/nonexistent", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        given,
        capture_output=True,
        text=True,
        env={**inherited, **usual, **environment},
        preexec_fn=limits,
        cwd="/",
        timeout=PATIENCE,
        check=False,
    )
    if done.returncode and "PermissionError" in done.stderr and str(installed) not in done.stderr:
        pytest.skip("another user cannot read this Python")
    return done


def test_a_read_only_installation_without_a_home(installed: Path) -> None:
    """Nothing is compiled to say which version it is; a kernel is compiled, with one warning."""
    version = command("--version")
    version[1:3] = []  # without -W error
    done = run_in(installed, version)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    assert done.stdout == f"phieb {package.__version__}\n"
    done = run_in(installed, [sys.executable, "-c", SMALL_KERNEL], NUMBA_DISABLE_JIT="0")
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("no folder to keep compiled kernels in") == 1
    assert done.stderr.count("Warning") == 1
    assert not list(installed.rglob("__pycache__"))


def test_a_folder_for_kernels_makes_it_quiet(installed: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="phieb-", dir="/tmp") as kept:
        Path(kept).chmod(0o777)
        given = [sys.executable, "-W", "error", "-c", SMALL_KERNEL]
        done = run_in(installed, given, NUMBA_CACHE_DIR=kept, NUMBA_DISABLE_JIT="0")
        assert (done.returncode, done.stderr) == (0, "")
        assert list(Path(kept).rglob("*.nbi"))


def test_without_a_home(reference: Path) -> None:
    environment = {k: v for k, v in os.environ.items() if k not in ("HOME", "XDG_CACHE_HOME")}
    done = subprocess.run(
        command("show", reference), capture_output=True, text=True, env=environment, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def _few_files() -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (32, 32))


def test_few_files_are_enough_for_a_run(begun: Path) -> None:
    """The limit of open files that some clusters have by mistake."""
    done = phieb("resume", begun, "--frames", "5k", "--quiet", before=_few_files)
    assert (done.returncode, done.stderr) == (0, "")
    done = phieb("runs", begun, before=_few_files)
    assert (done.returncode, done.stderr) == (0, "")


def test_little_memory_is_enough_to_look_at_a_run(begun: Path) -> None:
    """A limit that leaves room for the libraries but not for the run."""
    for megabytes in (700, 1_000, 1_500):

        def little(limit: int = megabytes << 20) -> None:
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

        done = phieb("show", begun, before=little)
        assert "Traceback" not in done.stderr, megabytes
        assert done.returncode in (0, 1), megabytes
