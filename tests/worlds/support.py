"""What tests of worlds share."""

from collections import Counter

import numpy as np

from phieb.worlds import TabularWorld


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
