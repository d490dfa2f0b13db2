"""What tests of worlds share."""

from collections import Counter
from typing import Any

import numpy as np

from phieb.worlds import Atari, TabularWorld

FIVE = ["montezuma_revenge", "venture", "freeway", "frostbite", "qbert"]


def outcomes(
    env: TabularWorld, state: int, action: int, n: int = 4_000
) -> dict[tuple[int, float], float]:
    """How often each (next state, reward) follows."""
    env.reset(seed=1)
    seen: Counter[tuple[int, float]] = Counter()
    for _ in range(n):
        env._state = np.int64(state)
        arrived, reward, *_ = env.step(np.int64(action))
        seen[int(arrived), reward] += 1
    return {outcome: count / n for outcome, count in seen.items()}


def play(world: Atari, decisions: int, seed: int = 0) -> list[tuple[Any, ...]]:
    """Random play; everything seen, episodes one after the other."""
    rng = np.random.default_rng(seed)
    seen = []
    for _ in range(decisions):
        screen, reward, terminated, truncated, info = world.step(
            np.int64(rng.integers(world.num_actions))
        )
        seen.append((screen.tobytes(), reward, terminated, truncated, *info.values()))
        if terminated or truncated:
            screen, info = world.reset()
            seen.append((screen.tobytes(), *info.values()))
    return seen


def started(game: str, **settings: Any) -> Atari:
    world = Atari(game, **settings)
    world.reset(seed=settings.get("seed", 1))
    return world
