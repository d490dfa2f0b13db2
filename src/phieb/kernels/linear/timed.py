"""The compiled call of a decision with a clock in it: what each part takes inside a run.

`learn_screen` and `explore_screen` are those of `phieb.kernels.linear.sarsa`, line by line, and do
the same. What a part takes depends on what is in the caches when its turn comes, so parts are timed
where they are and not on their own.
"""

import time
from typing import Any

import numba
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from phieb.kernels.blob_prost.blobs import Scratch, find_blobs
from phieb.kernels.blob_prost.screens import ids_in, ids_of_places
from phieb.kernels.linear import sarsa
from phieb.kernels.linear.value_tables import Value
from phieb.kernels.novelty.density import Counts
from phieb.kernels.numba_support.jit import kernel
from phieb.kernels.sparse.active import Active, see
from phieb.kernels.sparse.rows import Rows

PARTS = ("blobs", "pairs", "rows", "density", "value")  # what `spent` has nanoseconds of
BLOBS, PAIRS, ROWS, DENSITY, VALUE = range(5)
KERNELS = ("learn", "explore", "learn_screen", "explore_screen")  # that take `spent` first


def _nanoseconds(typing_context: Any) -> Any:
    """The system's clock, as `time.monotonic_ns` reads it."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word, clock = ir.IntType(64), ir.IntType(32)
        both = builder.alloca(ir.ArrayType(word, 2))  # seconds and nanoseconds
        kind = ir.FunctionType(clock, [clock, both.type])
        function = cgutils.get_or_insert_function(builder.module, kind, "clock_gettime")
        builder.call(function, [clock(time.CLOCK_MONOTONIC), both])
        seconds, rest = (builder.extract_value(builder.load(both), k) for k in range(2))
        return builder.add(builder.mul(seconds, word(10**9)), rest)

    return types.int64(), generate


_interpreted: bool = getattr(numba.config, "DISABLE_JIT", False)
nanoseconds: Any = time.monotonic_ns if _interpreted else intrinsic(_nanoseconds)


@kernel
def blob_ids(spent, screen, held):
    """Blobs, their places, the ids of their features; returns how many ids."""
    (tolerance, tile, scratch), memory = held.tables
    began = nanoseconds()
    find_blobs(screen, tolerance, tile, Scratch(*scratch), memory[1])
    found = nanoseconds()
    count = ids_of_places(*memory)
    spent[BLOBS] += found - began
    spent[PAIRS] += nanoseconds() - found
    return count


@kernel
def learn(spent, ids, reward, bonus, rows, active_set, value, agent):
    """The last action led to `ids`, with this reward and bonus; returns the next action."""
    began = nanoseconds()
    active_set, value = Active(*active_set), Value(*value)
    see(ids, Rows(*rows), active_set)
    seen = nanoseconds()
    sarsa.fetch_changed(active_set, value.table)
    action = sarsa.go_on(reward, bonus, active_set, value, sarsa.Agent(*agent))
    spent[ROWS] += seen - began
    spent[VALUE] += nanoseconds() - seen
    return action


@kernel
def explore(spent, ids, reward, rows, active_set, value, agent, counts, novelty):
    """Algorithm 1, one decision: φ(s) = `ids` and r_t are observed; the next action, the bonus."""
    began = nanoseconds()
    active_set, value, counts = Active(*active_set), Value(*value), Counts(*counts)
    see(ids, Rows(*rows), active_set)
    seen = nanoseconds()
    sarsa.fetch_changed(active_set, counts.features)
    sarsa.fetch_changed(active_set, value.table)
    bonus = sarsa.bonus_of(rows[-1][0], active_set, counts, sarsa.Novelty(*novelty))
    counted = nanoseconds()
    action = sarsa.go_on(reward, bonus, active_set, value, sarsa.Agent(*agent))
    spent[ROWS] += seen - began
    spent[DENSITY] += counted - seen
    spent[VALUE] += nanoseconds() - counted
    return action, bonus


@kernel
def learn_screen(spent, screen, reward, bonus, features, held):
    """`learn` from a screen; also returns how many features are on."""
    count, ids = blob_ids(spent, screen, features), ids_in(features)
    if count > ids.size:
        return sarsa.TOO_MANY, count
    return learn(spent, ids[:count], reward, bonus, *held.tables), count


@kernel
def explore_screen(spent, screen, reward, features, held):
    """Algorithm 1 from s to a: `explore` from a screen; also returns how many features are on."""
    count, ids = blob_ids(spent, screen, features), ids_in(features)
    if count > ids.size:
        return sarsa.TOO_MANY, 0.0, count
    action, bonus = explore(spent, ids[:count], reward, *held.tables)
    return action, bonus, count
