"""How fast a run is beside the emulator alone, and where the time of a decision goes.

The emulator is the limit: nothing can train faster than it plays. For each agent a second emulator
in the same state plays the same actions, and its screen is read; agent and emulator take turns in
short slices, so that noise hits both alike. What is reported are medians over slices.

The compiled parts are timed apart, on what the agent has just seen, many decisions in a row. In a
run the emulator has emptied the caches before each decision: what that costs is in "bookkeeping",
with Python and its calls.
"""

import os
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from phieb.kernels.blobs import new_scratch
from phieb.kernels.places import new_places
from phieb.kernels.replay import DENSITY, ROWS, VALUE, replay_blobs, replay_ids
from phieb.novelty import VisitDensity
from phieb.runs.config import Config
from phieb.runs.explorer import Explorer
from phieb.runs.folder import Run, RunError
from phieb.runs.phi_explorer import PhiExplorer
from phieb.runs.training import Training, new_explorer, new_features
from phieb.worlds.emulator import Emulator

SLICE = 100  # decisions
COMPARED = ("none", "phi")  # bonuses that are measured if nothing else is asked for
WARM_UP = 3  # slices that are not counted
PARTS = ("emulator", "screen", "blobs", "pairs", "rows", "density", "value", "bookkeeping")


class Slice(NamedTuple):
    """Seconds that the agent and the emulator alone took for the same decisions."""

    agent: float
    emulator: float


class Pair:
    """An agent that trains, and an emulator that plays what the agent has played.

    Args:
        config: of the agent. The emulator shows the last frame, whatever the agent's does.
    """

    def __init__(self, config: Config) -> None:
        self.training = Training(config)
        self.training.start_episode()

    @classmethod
    def of_run(cls, run: Run) -> "Pair":
        """An agent as its newest checkpoint has it."""
        newest = run.newest(print)
        if newest is None:
            raise RunError(f"{run.path}: no checkpoint yet")
        parts, facts = newest
        pair = cls(run.config())
        run.check_same(pair.training.config, facts)
        try:
            pair.training.restore(parts)
        except (ValueError, KeyError, TypeError) as error:
            raise RunError(f"{run.checkpoints}: {error}") from None
        pair._follow()
        return pair

    def train(self, frames: int, advance: Callable[[int], None] = lambda frames: None) -> None:
        """Train so far, before anything is measured; `advance` is told how far it is."""
        training = self.training
        while training.frames < frames:
            if training.step():
                training.start_episode()
                advance(training.frames)
        self._follow()

    def slice(self) -> Slice:
        """Train for a slice, then play the same with the emulator alone."""
        training, agent = self.training, 0.0
        plans, known = [], self._played().size
        began = perf_counter()
        for _ in range(SLICE):
            if training.step():
                agent += perf_counter() - began
                plans.append(self._played())  # the clock stands still
                began = perf_counter()
                training.start_episode()
        agent += perf_counter() - began
        plans.append(self._played())
        plans[0] = plans[0][known:]
        return Slice(agent, self._play(plans))

    def record(self) -> "Recording":
        """Train for a slice and keep what was seen; the other emulator follows."""
        seen = record(self.training)
        self._follow()
        return seen

    def _follow(self) -> None:
        """An emulator where the agent's is, that shows the last frame."""
        last, state = self.training.world.settings._replace(blend=False), self._state()
        start, screen, actions = bytes(state["start"]), state["start_screen"], state["actions"]
        self.emulator = Emulator.played(last, start, screen, actions.tolist())

    def _played(self) -> NDArray[np.uint8]:
        """The actions of this episode, those at its start included."""
        return self._state()["actions"]

    def _state(self) -> dict[str, NDArray[Any]]:
        return self.training.world.state()

    def _play(self, plans: list[NDArray[np.uint8]]) -> float:
        """Seconds to go on with an episode, and to play more from their start."""
        actions = {one.value: one for one in self.emulator.action_set(minimal=False)}
        todo = [[actions[number] for number in plan.tolist()] for plan in plans]
        began = perf_counter()
        for number, plan in enumerate(todo):
            if number:
                self.emulator.reset()
            for action in plan:
                self.emulator.act(action)
                self.emulator.screen()
        return perf_counter() - began


class Recording(NamedTuple):
    """What an agent saw in a slice of training, and an agent as it was before."""

    screens: NDArray[np.uint8]
    ids: NDArray[np.int64]  # of all decisions, one after the other
    ends: NDArray[np.int64]  # where in `ids` each decision's end
    learner: dict[str, NDArray[Any]]


def record(training: Training) -> Recording:
    """Train for one slice, or to the end of the episode, and keep what was seen."""
    learner, screens, ids = training.explorer.state(), [], []
    for _ in range(SLICE):
        reward, ended, cut = training.world.decide(training.action)
        screen = training.world.screen.copy()
        active = training.features.active(screen)
        if ended or (cut and training.config.cap == "end"):
            training.explorer.end(active, reward, screen)
        else:
            training.action, _ = training.explorer.learn(active, reward, screen)
        screens.append(screen)
        ids.append(active.copy())
        if ended or cut:
            training.start_episode()
            break
    ends = np.cumsum([one.size for one in ids])
    return Recording(np.stack(screens), np.concatenate(ids), ends, learner)


def parts_of(training: Training, seen: Recording) -> dict[str, float]:
    """Seconds a decision in each compiled part, by what it adds to the parts before it."""
    blobs, features = _blobs_and_features(training, seen)
    rows = _learnt(training, seen, ROWS)
    density = _counted(training, seen, rows)
    value = _learnt(training, seen, VALUE) - rows
    began = perf_counter()
    for _ in seen.screens:
        training.world.screen  # noqa: B018
    seconds = (perf_counter() - began, blobs, features - blobs, rows, density, value)
    names = ("screen", "blobs", "pairs", "rows", "density", "value")
    return {n: max(s, 0.0) / len(seen.screens) for n, s in zip(names, seconds, strict=True)}


def _blobs_and_features(training: Training, seen: Recording) -> tuple[float, float]:
    features = new_features(training.config, training.world)
    num_rows = -(-features.shape[0] // features.tile[0])
    scratch = tuple(new_scratch(*features.shape, num_rows))
    places = new_places(num_rows)
    replay_blobs(seen.screens[:1], features.tolerance, features.tile, scratch, places)
    began = perf_counter()
    replay_blobs(seen.screens, features.tolerance, features.tile, scratch, places)
    blobs = perf_counter() - began
    features.active(seen.screens[0])
    began = perf_counter()
    for screen in seen.screens:
        features.active(screen)
    return blobs, perf_counter() - began


def _counted(training: Training, seen: Recording, rows: float) -> float:
    """Seconds that the bonus takes: φ-EB's is compiled with the agent, others are told apart."""
    if isinstance(training.explorer, PhiExplorer):
        return _learnt(training, seen, DENSITY) - rows
    if training.explorer.bonus is None:
        return 0.0
    copy = _copy(training, seen)
    each = np.split(seen.ids, seen.ends[:-1])
    began = perf_counter()
    for ids, screen in zip(each, seen.screens, strict=True):
        copy.observe(ids, screen)
    return perf_counter() - began


def _copy(training: Training, seen: Recording) -> Explorer:
    """The agent as it was before."""
    copy = new_explorer(training.config, training.world, seed=0)
    copy.restore(seen.learner)
    return copy


def _learnt(training: Training, seen: Recording, parts: int) -> float:
    """Seconds to play a slice again in a copy of the agent, with these parts."""
    copy = _copy(training, seen)
    copy.agent.policy.position[0] = 0  # enough random numbers for a slice
    copy.agent.make_room(seen.ids.size)
    copy.agent.linear.make_room(len(seen.ends) + 2)
    counts = copy.density if isinstance(copy, PhiExplorer) else VisitDensity()
    counts.make_room()
    tables = (*copy.agent.tables(), tuple(counts.tables))
    began = perf_counter()
    replay_ids(seen.ids, seen.ends, parts, *tables)
    return perf_counter() - began


def bench(
    config: Config,
    stages: Sequence[int],
    slices: int,
    bonuses: Sequence[str] = COMPARED,
    advance: Callable[[str, int], None] = lambda doing, far: None,
) -> list[dict[str, Any]]:
    """Measure one game, after so many frames of training, then after more.

    Args:
        config: of an agent; the others differ in nothing but the bonus.
        stages: how far to train before each measurement.
        slices: how many of 100 decisions to measure at each.
        bonuses: which.
        advance: told what is being done, and how far it is.

    Returns:
        For each stage what was measured of each agent: frames a second of it and of the emulator
        alone, the share of the first in the second with its quartiles, microseconds a decision in
        each part, features observed; and the memory of this process.
    """
    pairs = {bonus: Pair(replace(config, bonus=cast(Any, bonus))) for bonus in bonuses}
    results = []
    for frames in sorted(stages):
        for agent, pair in pairs.items():
            pair.train(frames, partial(advance, f"{config.game}, {agent}: training"))
        found: dict[str, Any] = {"game": config.game, "frames": frames, "megabytes": resident()}
        told = partial(advance, f"{config.game}: measuring")
        results.append({**found, **_measure(pairs, slices, told)})
    return results


def bench_run(run: Run, slices: int) -> dict[str, Any]:
    """Measure an agent where its run is, as `bench` does after so many frames."""
    pair = Pair.of_run(run)
    training = pair.training
    found = {"game": training.config.game, "frames": training.frames, "megabytes": resident()}
    return {**found, **_measure({training.config.bonus: pair}, slices, lambda far: None)}


def _measure(
    pairs: Mapping[str, Pair], slices: int, advance: Callable[[int], None]
) -> dict[str, Any]:
    """All agents in turns: first as a whole, then their parts, which need copies of all tables."""
    measured: dict[str, list[Slice]] = {agent: [] for agent in pairs}
    for number in range(-WARM_UP, slices):
        advance(max(number, 0))
        for agent, pair in pairs.items():
            one = pair.slice()
            if number >= 0:
                measured[agent].append(one)
    parts: dict[str, list[dict[str, float]]] = {agent: [] for agent in pairs}
    for _ in range(max(slices // 5, 3)):
        for agent, pair in pairs.items():
            parts[agent].append(parts_of(pair.training, pair.record()))
    return {a: _summary(pairs[a].training, measured[a], parts[a]) for a in pairs}


def _summary(
    training: Training, slices: list[Slice], parts: list[dict[str, float]]
) -> dict[str, Any]:
    low, share, high = statistics.quantiles([one.emulator / one.agent for one in slices], n=4)
    split = {name: statistics.median(one[name] for one in parts) for name in parts[0]}
    emulator = statistics.median(one.emulator for one in slices) / SLICE
    agent = statistics.median(one.agent for one in slices) / SLICE
    # Alone it reads its screen too. A blended one costs more, and is read frame by frame.
    split["emulator"] = emulator - (0.0 if training.world.settings.blend else split["screen"])
    split["bookkeeping"] = max(agent - sum(split.values()), 0.0)
    return {
        "frames_per_second": training.config.frame_skip / agent,
        "emulator_frames_per_second": training.config.frame_skip / emulator,
        "share": share,
        "share_quartiles": [low, high],
        "features": training.explorer.num_observed,
        "microseconds": {name: split[name] * 1e6 for name in PARTS},
    }


def resident() -> float | None:
    """Megabytes of memory that this process has now, where the system tells."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return None
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
