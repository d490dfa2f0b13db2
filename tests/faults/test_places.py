"""Where it runs: installed where nothing can be written, without a home, with tight limits."""

import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import phieb as package
from tests.faults.support import PATIENCE, command, phieb

# A kernel that compiles in a moment, called for two kinds of arrays: compiled twice.
SMALL_KERNEL = (
    "import numpy as np; from phieb.kernels.tabular.chance import choose;"
    "rng = np.random.default_rng(0);"
    "choose(np.zeros(2), 0.1, rng); choose(np.zeros(2, np.float32), 0.1, rng)"
)


# Root can write everywhere, unless it gives that up for a process to come.
MORTAL = ["setpriv", "--bounding-set=-dac_override", "--inh-caps=-dac_override"]


@pytest.fixture
def installed(tmp_path: Path) -> Iterator[Path]:
    """A copy of the package that nobody can write to, nor anywhere near it."""
    source, folder = Path(package.__file__).parent, tmp_path / "installed"
    shutil.copytree(source, folder / "phieb", ignore=shutil.ignore_patterns("__pycache__"))
    _chmod(folder, 0o555)
    if run_in(folder, ["touch", str(folder / "phieb" / "new")]).returncode == 0:
        pytest.skip("nothing is read-only for who runs the tests, and there is no setpriv")
    yield folder
    _chmod(folder, 0o755)


def _chmod(folder: Path, mode: int) -> None:
    for path in [folder, *folder.rglob("*")]:
        if path.is_dir():
            path.chmod(mode)


def run_in(
    installed: Path, given: list[str], **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run a command with that copy, and with a home that is not there and cannot be made."""
    usual = {"PYTHONPATH": str(installed), "PYTHONDONTWRITEBYTECODE": "1"}
    usual |= {"HOME": str(installed / "home"), "NUMBA_DISABLE_JIT": "0"}
    inherited = ("XDG_CACHE_HOME", "NUMBA_CACHE_DIR")
    gives_up = MORTAL if os.geteuid() == 0 and shutil.which(MORTAL[0]) else []
    return subprocess.run(
        [*gives_up, *given],
        capture_output=True,
        text=True,
        env={k: v for k, v in os.environ.items() if k not in inherited} | usual | environment,
        cwd="/",
        timeout=PATIENCE,
        check=False,
    )


def test_a_read_only_installation_without_a_home(installed: Path) -> None:
    """Nothing is compiled to say which version it is; a kernel is compiled, with one warning."""
    version = command("--version")
    version[1:3] = []  # without -W error
    done = run_in(installed, version)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    assert done.stdout == f"phieb {package.__version__}\n"
    done = run_in(installed, [sys.executable, "-c", SMALL_KERNEL])
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("no writable folder to cache compiled kernels in") == 1
    assert done.stderr.count("Warning") == 1
    assert not list(installed.rglob("__pycache__"))


def test_a_folder_for_kernels_makes_it_quiet(installed: Path, tmp_path: Path) -> None:
    given = [sys.executable, "-W", "error", "-c", SMALL_KERNEL]
    done = run_in(installed, given, NUMBA_CACHE_DIR=str(tmp_path / "kept"))
    assert (done.returncode, done.stderr) == (0, "")
    assert list((tmp_path / "kept").rglob("*.nbi"))


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
