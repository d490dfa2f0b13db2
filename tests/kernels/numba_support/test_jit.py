"""Kinds of kernels, and the cache of compiled ones."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from phieb.kernels.numba_support.jit import inlined, inner, kernel, merged


@inner
def plus_one(x: Any) -> Any:
    return x + 1


@inlined
def doubled(x: Any) -> Any:
    return 2 * x


@merged
def squared(x: Any) -> Any:
    return x * x


@kernel
def all_of_them(x: Any) -> Any:
    return plus_one(doubled(squared(x)))


def test_kernels_call_every_kind_and_python_only_those_with_a_wrapper() -> None:
    assert all_of_them(3) == 19
    assert squared(3) == 9
    for function in (plus_one, doubled):
        with pytest.raises(TypeError, match=f"{function.__name__} can be called by kernels only"):
            function(3)


def test_compiled_code_is_kept_between_runs(tmp_path: Path) -> None:
    """The second process loads what the first compiled."""
    code = (
        "import numpy as np; from phieb.kernels.tabular.chance import choose;"
        "choose(np.zeros(2), 0.1, np.random.default_rng(0));"
        "print(sum(choose.stats.cache_hits.values()), sum(choose.stats.cache_misses.values()))"
    )
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    env.pop("NUMBA_DISABLE_JIT", None)
    runs = [
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, env=env, check=True
        )
        for _ in range(2)
    ]
    assert [run.stdout.split() for run in runs] == [["0", "1"], ["1", "0"]]
