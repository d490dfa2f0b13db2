"""Every agent on the small worlds with many seeds, in compiled loops on all cores."""

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from importlib.metadata import version
from typing import Any

import numpy as np

from phieb.cores import num_cores
from phieb.experiments.small_worlds import plan as plan
from phieb.experiments.small_worlds import plane as small_plane
from phieb.kernels.tabular import bandit, model, one_hot
from phieb.learning.dyna import dyna_settings
from phieb.learning.mbie import mbie_settings
from phieb.worlds import Bandit, DeepSea, RiverSwim, SixArms, Tables, TabularWorld
from phieb.worlds.deep_sea import BEST_RETURN

Rngs = tuple[np.random.Generator, np.random.Generator]  # of the world and of the agent


def seeded(seed: int) -> Rngs:
    """The two random streams of a run."""
    return np.random.default_rng(2 * seed), np.random.default_rng(2 * seed + 1)


def total_reward(entry: plan.Entry, seed: int, steps: int = plan.STEPS) -> float:
    """The sum of the rewards of an agent's first `steps` steps."""
    run_agent = _RUNNERS[entry.agent]
    return float(run_agent(_tables(entry.world), entry.setting(), seeded(seed), steps))


def episodes_to_solve(entry: plan.Entry, size: int, seed: int) -> int | None:
    """Episodes of Deep Sea until fewer than 90 % were bad; None if the limit is reached."""
    world = _deep_sea(size, seed)
    settings, memory = _sarsa_parts(world, entry.setting())
    # Only the treasure gives a return near the best: half of it separates good episodes from bad.
    limits = (BEST_RETURN / 2, plan.DEEP_SEA_EPISODES)
    return one_hot.episodes_to_solve(world, settings, memory, *seeded(seed), *limits) or None


def run(num_seeds: int, advance: Callable[[], None]) -> dict[str, Any]:
    """All results of `phieb small` as JSON values; calls `advance` after each job."""
    sea_seeds = range(deep_sea_seeds(num_seeds))
    small = [e for e in plan.ENTRIES if e.world != "DeepSea"]
    sea = [(e, size) for e in plan.ENTRIES if e.world == "DeepSea" for size in plan.DEEP_SEA_SIZES]
    totals = [partial(total_reward, e, seed) for e in small for seed in range(num_seeds)]
    solves = [partial(episodes_to_solve, e, size, seed) for e, size in sea for seed in sea_seeds]
    done = in_parallel([*solves, *totals], advance)  # the long ones first
    solved, rewards = done[: len(solves)], done[len(solves) :]
    return {
        "versions": {name: version(name) for name in ("phieb", "numpy", "numba", "gymnasium")},
        "steps": plan.STEPS,
        "total_reward": [
            {**_describe(e), "seeds": [0, num_seeds], "totals": part}
            for e, part in zip(small, _parts(rewards, num_seeds), strict=True)
        ],
        "max_episodes": plan.DEEP_SEA_EPISODES,
        "deep_sea": [
            {**_describe(e), "size": size, "seeds": [0, len(sea_seeds)], "episodes": part}
            for (e, size), part in zip(sea, _parts(solved, len(sea_seeds)), strict=True)
        ],
        "plane": small_plane.run(plane_seeds(num_seeds), advance),
    }


def num_jobs(num_seeds: int) -> int:
    """How often `run` calls `advance`."""
    num_sea = sum(e.world == "DeepSea" for e in plan.ENTRIES)
    per_sea = len(plan.DEEP_SEA_SIZES) * deep_sea_seeds(num_seeds)
    num_totals = (len(plan.ENTRIES) - num_sea) * num_seeds
    return num_totals + num_sea * per_sea + small_plane.num_jobs()


def deep_sea_seeds(num_seeds: int) -> int:
    """A fifth of the seeds: Deep Sea takes long."""
    return max(1, num_seeds // 5)


def plane_seeds(num_seeds: int) -> int:
    """A twentieth of the seeds: the plane is not compiled."""
    return max(1, num_seeds // 20)


def in_parallel(jobs: Sequence[Callable[[], Any]], advance: Callable[[], None]) -> list[Any]:
    """The results of all jobs, in order. Kernels release the GIL, so threads use all cores."""

    def work(job: Callable[[], Any]) -> Any:
        result = job()
        advance()
        return result

    with ThreadPoolExecutor(num_cores()) as pool:
        try:
            return list(pool.map(work, jobs))
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


@cache
def _tables(world: str) -> Tables:
    made: TabularWorld = {"Bandit": Bandit, "RiverSwim": RiverSwim, "SixArms": SixArms}[world]()
    return made.tables


@cache
def _deep_sea(size: int, seed: int) -> Tables:
    return DeepSea(size, mapping_seed=seed).tables


def _sarsa_parts(world: Tables, s: plan.Setting) -> tuple[one_hot.Settings, one_hot.Memory]:
    beta, kappa = s.get("beta", 0.0), s.get("kappa", 1.0)
    start = beta / math.sqrt(kappa) if s.get("optimistic") else s.get("initial_value", 0.0)
    settings = one_hot.Settings(s["alpha"], s["gamma"], s["lambda_"], s["epsilon"], beta, kappa)
    num_states, num_actions, _ = world.successors.shape
    return settings, one_hot.new_memory(num_states, num_actions, start)


def _sarsa(world: Tables, setting: plan.Setting, rngs: Rngs, steps: int) -> Any:
    return one_hot.episode(world, *_sarsa_parts(world, setting), *rngs, steps)


def _mbie(world: Tables, setting: plan.Setting, rngs: Rngs, steps: int) -> Any:
    settings = mbie_settings(**setting)
    num_states, num_actions, _ = world.successors.shape
    memory = model.new_model(num_states, num_actions, settings.unvisited)
    return model.mbie_episode(world, settings, memory, *rngs, steps)


def _dyna(world: Tables, setting: plan.Setting, rngs: Rngs, steps: int) -> Any:
    settings = dyna_settings(**setting)  # type: ignore[arg-type]  # num_backups is whole
    num_states, num_actions, _ = world.successors.shape
    memory = model.new_model(num_states, num_actions, 0.0)
    return model.dyna_episode(world, settings, memory, *rngs, steps)


def _ucb(world: Tables, setting: plan.Setting, rngs: Rngs, steps: int) -> Any:
    num_arms = world.successors.shape[1]
    arms = np.zeros(num_arms), np.zeros(num_arms, np.int64)
    return bandit.ucb_episode(world, setting["scale"], *arms, *rngs, steps)


_RUNNERS = {
    plan.EPSILON: _sarsa,
    plan.OPTIMISTIC: _sarsa,
    plan.PHI_EB: _sarsa,
    plan.PHI_EB_ZERO: _sarsa,
    plan.MBIE_EB: _mbie,
    plan.DYNA: _dyna,
    plan.UCB1: _ucb,
}


def _describe(entry: plan.Entry) -> dict[str, Any]:
    return {
        "world": entry.world,
        "agent": entry.agent,
        "setting": entry.setting(),
        "setting_is": "published" if entry.published else "chosen on other seeds",
    }


def _parts(values: list[Any], size: int) -> list[list[Any]]:
    return [values[i : i + size] for i in range(0, len(values), size)]
