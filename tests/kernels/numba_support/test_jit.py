"""The cache of compiled kernels."""

import subprocess
import sys
from pathlib import Path


def test_compiled_code_is_kept_between_runs(tmp_path: Path) -> None:
    """The second process loads what the first compiled."""
    code = (
        "import numpy as np; from phieb.kernels.tabular.chance import choose;"
        "choose(np.zeros(2), 0.1, np.random.default_rng(0));"
        "print(sum(choose.stats.cache_hits.values()), sum(choose.stats.cache_misses.values()))"
    )
    import os

    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    env.pop("NUMBA_DISABLE_JIT", None)
    runs = [
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, env=env, check=True
        )
        for _ in range(2)
    ]
    assert [run.stdout.split() for run in runs] == [["0", "1"], ["1", "0"]]
