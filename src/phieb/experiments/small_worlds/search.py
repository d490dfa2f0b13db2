"""How the settings of `phieb small` were chosen: every one of a grid, on seeds of its own."""

from collections.abc import Callable
from functools import partial

from phieb.experiments.small_worlds import plan as plan
from phieb.experiments.small_worlds.run import episodes_to_solve, in_parallel, total_reward


def search(advance: Callable[[], None]) -> list[plan.Entry]:
    """The best setting of each agent in each world, by the mean over the search seeds."""
    tries = _tries()
    scores = in_parallel([partial(_score, entry) for entry in tries], advance)
    best: dict[tuple[str, str], tuple[float, plan.Entry]] = {}
    for score, entry in zip(scores, tries, strict=True):
        key = (entry.world, entry.agent)
        if key not in best or score > best[key][0]:
            best[key] = (score, entry)
    return [entry for _, entry in best.values()]


def num_jobs() -> int:
    """How often `search` calls `advance`."""
    return len(_tries())


def _tries() -> list[plan.Entry]:
    return [
        plan.Entry(world, agent, setting)
        for world, grids in plan.GRIDS.items()
        for agent, grid in grids.items()
        for setting in plan.settings_of(grid)
    ]


def _score(entry: plan.Entry) -> float:
    """The mean total reward; in Deep Sea minus the mean episodes, unsolved as the limit."""
    if entry.world != "DeepSea":
        return sum(total_reward(entry, seed) for seed in plan.SEARCH_SEEDS) / len(plan.SEARCH_SEEDS)
    episodes = [
        episodes_to_solve(entry, size, seed) or plan.DEEP_SEA_EPISODES
        for size in plan.DEEP_SEA_SEARCH_SIZES
        for seed in plan.DEEP_SEA_SEARCH_SEEDS
    ]
    return -sum(episodes) / len(episodes)
