"""The search for the settings of `phieb small`: a grid search on separate seeds."""

from collections.abc import Callable
from functools import partial

from phieb.experiments.small_worlds import plan as plan
from phieb.experiments.small_worlds.run import episodes_to_solve, in_parallel, total_reward


def search(advance: Callable[[], None]) -> list[plan.Entry]:
    """The best settings of each agent in each world, by the mean over the search seeds."""
    entries = _entries()
    scores = in_parallel([partial(_score, entry) for entry in entries], advance)
    best: dict[tuple[str, str], tuple[float, plan.Entry]] = {}
    for score, entry in zip(scores, entries, strict=True):
        key = (entry.world, entry.agent)
        if key not in best or score > best[key][0]:
            best[key] = (score, entry)
    return [entry for _, entry in best.values()]


def num_jobs() -> int:
    """How often `search` calls `advance`."""
    return len(_entries())


def _entries() -> list[plan.Entry]:
    return [
        plan.Entry(world, agent, setting)
        for world, grids in plan.GRIDS.items()
        for agent, grid in grids.items()
        for setting in plan.settings_of(grid)
    ]


def _score(entry: plan.Entry) -> float:
    """Mean total reward; in Deep Sea minus the mean number of episodes, at most the limit."""
    if entry.world != "DeepSea":
        return sum(total_reward(entry, seed) for seed in plan.SEARCH_SEEDS) / len(plan.SEARCH_SEEDS)
    episodes = [
        episodes_to_solve(entry, size, seed) or plan.DEEP_SEA_EPISODES
        for size in plan.DEEP_SEA_SEARCH_SIZES
        for seed in plan.DEEP_SEA_SEARCH_SEEDS
    ]
    return -sum(episodes) / len(episodes)
