"""How fast a run is beside the emulator alone, and where the time of a decision goes.

The emulator is the limit: nothing can train faster than it plays. For each agent a second emulator
in the same state plays the same actions, and its screen is read; agent and emulator take turns in
short slices, so that noise hits both alike. What is reported are medians over slices.

Then the parts of a decision are timed, each where it is in a run.
"""

import os
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from phieb.kernels.numba_support import clock as kernel_clock
from phieb.learning import CompiledLearner
from phieb.novelty import BONUSES
from phieb.training.config import Config, label
from phieb.training.run_folder import Run, RunError
from phieb.training.training import Training
from phieb.worlds import Atari
from phieb.worlds.emulator import Emulator

SLICE = 100  # decisions
# What can be measured, by its bonus; and φ-EB as in the paper, if it is not that anyway.
AGENTS = {bonus: label("sarsa", bonus) for bonus in BONUSES} | {"product": "Sarsa-φ-EB, product"}
COMPARED = ("none", "phi")  # what is measured if nothing else is asked for
WARM_UP = 3  # slices that are not counted
PARTS = ("emulator", "screen", *kernel_clock.PARTS, "bookkeeping")


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

    def split(self) -> dict[str, float]:
        """Train for a slice, or to the end of the episode; returns seconds a decision in each part.

        The other emulator follows.
        """
        training, whole, made, over = self.training, 0.0, 0, False
        with clocks(training) as parts:
            while made < SLICE and not over:
                began = perf_counter()
                over = training.step()
                whole += perf_counter() - began
                made += 1
        if over:
            training.start_episode()
        self._follow()
        parts["bookkeeping"] = max(whole - sum(parts.values()), 0.0)
        return {name: parts[name] / made for name in PARTS}

    def _follow(self) -> None:
        """An emulator where the agent's is, that shows the last frame."""
        last, state = cast(Atari, self.training.world).settings._replace(blend=False), self._state()
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


class Clocked:
    """Something some of whose methods are timed; all else is as it was.

    Args:
        thing: what it is.
        parts: the seconds that each part has taken so far.
        methods: which part each method belongs to.
    """

    def __init__(self, thing: Any, parts: dict[str, float], methods: Mapping[str, str]) -> None:
        self.thing, self._parts = thing, parts
        for method, part in methods.items():
            setattr(self, method, partial(self._timed, part, getattr(thing, method)))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.thing, name)

    def _timed(self, part: str, method: Callable[..., Any], *arguments: Any) -> Any:
        began = perf_counter()
        result = method(*arguments)
        self._parts[part] += perf_counter() - began
        return result


@contextmanager
def clocks(training: Training) -> Iterator[dict[str, float]]:
    """Put a clock in every part of a decision; yields the seconds that each has taken so far.

    Those of the compiled parts are there in the end.
    """
    clock, parts = kernel_clock.new_clock(), dict.fromkeys(PARTS[:-1], 0.0)
    world, learner = cast(Any, training.world), cast(Any, training.learner)
    timed: list[tuple[Any, str, dict[str, str]]] = [
        (world, "_emulator", {"act": "emulator", "screen": "screen"})
    ]
    if isinstance(learner, CompiledLearner):
        learner.use_clock(clock)
    else:
        timed += [
            (learner, "features", {"active": "blobs"}),
            (learner, "agent", {"learn": "value"}),
        ]
        timed += [(learner, "bonus", {"observe": "density"})] if learner.bonus is not None else []
    for owner, name, its in timed:
        setattr(owner, name, Clocked(getattr(owner, name), parts, its))
    try:
        yield parts
    finally:
        for owner, name, _ in timed:
            setattr(owner, name, getattr(owner, name).thing)
        if isinstance(learner, CompiledLearner):
            learner.use_clock(None)
    spent = clock[: kernel_clock.LAP].tolist()
    for name, nanoseconds in zip(kernel_clock.PARTS, spent, strict=True):
        parts[name] += nanoseconds * 1e-9


def bench(
    config: Config,
    stages: Sequence[int],
    slices: int,
    agents: Sequence[str] = COMPARED,
    advance: Callable[[str, int], None] = lambda doing, far: None,
) -> list[dict[str, Any]]:
    """Measure one game, after so many frames of training, then after more.

    Args:
        config: of an agent; the others differ in nothing but the bonus.
        stages: how far to train before each measurement.
        slices: how many of 100 decisions to measure at each.
        agents: which of `AGENTS`.
        advance: told what is being done, and how far it is.

    Returns:
        For each stage what was measured of each agent: frames a second of it and of the emulator
        alone, the share of the first in the second with its quartiles, microseconds a decision in
        each part, features observed; and the memory of this process.
    """
    pairs = {agent: Pair(_with_agent(config, agent)) for agent in agents}
    results = []
    for frames in sorted(stages):
        for agent, pair in pairs.items():
            pair.train(frames, partial(advance, f"{config.game}, {agent}: training"))
        found: dict[str, Any] = {"game": config.game, "frames": frames, "megabytes": resident()}
        told = partial(advance, f"{config.game}: measuring")
        results.append({**found, **_measure(pairs, slices, told)})
    return results


def _with_agent(config: Config, agent: str) -> Config:
    """The settings of one of `AGENTS`."""
    bonus, per_feature = ("phi", False) if agent == "product" else (agent, None)
    changes: dict[str, Any] = {"bonus": bonus, "per_feature": per_feature, "beta": None}
    return replace(config, **changes)


def bench_run(run: Run, slices: int) -> dict[str, Any]:
    """Measure an agent where its run is, as `bench` does after so many frames."""
    pair = Pair.of_run(run)
    training = pair.training
    found = {"game": training.config.game, "frames": training.frames, "megabytes": resident()}
    return {**found, **_measure({training.config.bonus: pair}, slices, lambda far: None)}


def _measure(
    pairs: Mapping[str, Pair], slices: int, advance: Callable[[int], None]
) -> dict[str, Any]:
    """All agents in turns: first as a whole, then with clocks in their parts."""
    measured: dict[str, list[Slice]] = {agent: [] for agent in pairs}
    for number in range(-WARM_UP, slices):
        advance(max(number, 0))
        for agent, pair in pairs.items():
            one = pair.slice()
            if number >= 0:
                measured[agent].append(one)
    parts: dict[str, list[dict[str, float]]] = {agent: [] for agent in pairs}
    for number in range(-1, max(slices // 2, 4)):
        for agent, pair in pairs.items():
            split = pair.split()
            if number >= 0:  # at first, kernels with clocks may have to be compiled
                parts[agent].append(split)
    return {a: _summary(pairs[a].training, measured[a], parts[a]) for a in pairs}


def _summary(
    training: Training, slices: list[Slice], parts: list[dict[str, float]]
) -> dict[str, Any]:
    low, share, high = statistics.quantiles([one.emulator / one.agent for one in slices], n=4)
    agent, emulator = (statistics.median(times) / SLICE for times in zip(*slices, strict=True))
    return {
        "frames_per_second": training.config.frame_skip / agent,
        "emulator_frames_per_second": training.config.frame_skip / emulator,
        "share": share,
        "share_quartiles": [low, high],
        "features": training.learner.agent.num_observed,
        "microseconds": {n: statistics.median(one[n] for one in parts) * 1e6 for n in PARTS},
    }


def resident() -> float | None:
    """Megabytes of memory that this process has now, where the system tells."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return None
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
