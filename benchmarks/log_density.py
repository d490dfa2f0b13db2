"""What an exact log ρ costs: Σ log((m + ½)/(t + 1)) over the features whose value is unusual.

python benchmarks/log_density.py

Three ways to the same sum, on the density of an agent after 100,000 frames, taking turns in one
run: none (the gain L alone, which is all that the product's pseudocount needs in Atari), one
logarithm for each factor, and factors multiplied before a logarithm is taken, as the program does.
"""

import statistics
from time import perf_counter
from typing import Any

import numpy as np

from phieb.kernels.novelty import density
from phieb.kernels.novelty.density import FACTORS, FIRST, NUM_UNUSUAL, T, logs_of_all, unusual_sums
from phieb.kernels.numba_support.jit import kernel
from phieb.kernels.numba_support.lanes import LANES, load, padded, splat
from phieb.novelty import PhiBonus
from phieb.reports.tables import markdown
from phieb.training import preset
from phieb.training.training import Training

GAMES = ("montezuma_revenge", "venture", "frostbite", "qbert", "freeway")
FRAMES, TURNS, CALLS = 100_000, 40, 50


@kernel
def gain_alone(counts: Any) -> Any:
    """L of the unusual features."""
    others, t, size = counts.others, counts.clock[T], padded(counts.clock[NUM_UNUSUAL])
    gain, length = 0.0, LANES * FACTORS
    for begin in range(0, size, length):
        grown = splat(0.0)
        for k in range(begin, min(begin + length, size), LANES):
            x = splat(1.0) / (splat(t + 0.5) - load(others, (k,)))
            grown = grown + x * (grown + 1.0)
        gain += logs_of_all(grown, counts.batch[FIRST])
    return 0.0, gain - size * np.log1p(1.0 / (t + 1.0))


@kernel
def a_logarithm_a_factor(counts: Any) -> Any:
    """Both sums, a logarithm at a time."""
    log_rho, gain = gain_alone(counts)
    for k in range(counts.clock[NUM_UNUSUAL]):
        log_rho += density.log_ratio(
            counts.clock[T] - counts.others[k] + 0.5, counts.clock[T] + 1.0
        )
    return log_rho, gain


@kernel
def often(function: Any, counts: Any, calls: Any) -> Any:
    """The same call again and again."""
    log_rho = gain = 0.0
    for _ in range(calls):
        more, more_gain = function(counts)
        log_rho += more
        gain += more_gain
    return log_rho / calls, gain / calls


def counts_of(game: str) -> Any:
    """The density of an agent that has played so many frames."""
    training = Training(preset("default", game, seed=1))
    training.start_episode()
    while training.frames < FRAMES:
        if training.step():
            training.start_episode()
    bonus = training.learner.bonus
    assert isinstance(bonus, PhiBonus)
    density: Any = bonus.density
    return density.tables


def main() -> None:
    """Measure, and print a table."""
    ways = {"L alone": gain_alone, "a log a factor": a_logarithm_a_factor, "products": unusual_sums}
    rows = [["game", "features summed one by one", *(f"{way}, µs" for way in ways)]]
    for game in GAMES:
        counts = counts_of(game)
        results = {way: often(function, counts, 1) for way, function in ways.items()}
        assert np.allclose(results["a log a factor"], results["products"], rtol=1e-12)
        times: dict[str, list[float]] = {way: [] for way in ways}
        for _ in range(TURNS):
            for way, function in ways.items():
                began = perf_counter()
                often(function, counts, CALLS)
                times[way].append((perf_counter() - began) / CALLS * 1e6)
        medians = [f"{statistics.median(times[way]):.2f}" for way in ways]
        rows.append([game, f"{counts.clock[NUM_UNUSUAL]:,}", *medians])
    print(markdown(rows))


if __name__ == "__main__":
    main()
