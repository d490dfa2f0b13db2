"""The cost of the features relative to the emulator's time per decision, in one run.

    python -m benchmarks.screen_to_features [--decisions 3000] [--json FILE]

For each game: the emulator alone (frame skip 5, no blending, the screen read each decision), and
`BlobProst` with the settings of martin2017 on the screens it gives. Both are timed on the same
random play, in short alternating slices, so that noise hits both alike; the ratio is the median
over slices. The feature map is called as users call it, from Python, checks included.
"""

import statistics
from time import perf_counter
from typing import Any

import numpy as np
from ale_py import ALEInterface, LoggerMode
from benchmarks.games import SLICE, measure_all

from phieb.features import BlobProst
from phieb.worlds.games import rom_path

GAMES = ("montezuma_revenge", "venture", "frostbite", "qbert", "freeway")
COLUMNS = {
    "game": "{game}",
    "features": "{features:.0f}",
    "emulator, µs": "{emulator_us:.0f}",
    "features, µs": "{features_us:.0f}",
    "ratio": "{ratio:.3f}",
    "quartiles": "{ratio_low:.3f}–{ratio_high:.3f}",
}


def measure(game: str, decisions: int) -> dict[str, Any]:
    """Median microseconds a decision of both, and of their ratio, with its quartiles."""
    ale = ALEInterface()
    ale.setInt("random_seed", 1)
    ale.setFloat("repeat_action_probability", 0.0)
    ale.setInt("frame_skip", 5)
    ale.loadROM(rom_path(game))
    ale.reset_game()
    actions = ale.getLegalActionSet()
    rng = np.random.default_rng(0)
    features = BlobProst.preset("martin2017")
    screens = np.zeros((SLICE, 210, 160), np.uint8)
    counts: list[int] = []
    times: list[tuple[float, float]] = []
    for _ in range(decisions // SLICE):
        chosen = [actions[i] for i in rng.integers(len(actions), size=SLICE)]
        began = perf_counter()
        for screen, action in zip(screens, chosen, strict=True):
            ale.act(action)
            ale.getScreen(screen)
        played = perf_counter()
        for screen in screens:
            features.active(screen)
        done = perf_counter()
        times.append((played - began, done - played))
        counts.append(features.active(screens[-1]).size)
        if ale.game_over():
            ale.reset_game()
            features.reset()
    times = times[2:]  # the first slices compile and warm up
    ratios = [ours / emulator for emulator, ours in times]
    low, middle, high = statistics.quantiles(ratios, n=4)
    return {
        "game": game,
        "features": statistics.median(counts),
        "emulator_us": statistics.median(e for e, _ in times) / SLICE * 1e6,
        "features_us": statistics.median(f for _, f in times) / SLICE * 1e6,
        "ratio": middle,
        "ratio_low": low,
        "ratio_high": high,
    }


if __name__ == "__main__":
    ALEInterface.setLoggerMode(LoggerMode.Error)
    measure_all(__doc__, measure, GAMES, 3_000, COLUMNS)
