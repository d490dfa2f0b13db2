"""The speed of training relative to the emulator alone, and the time of each part of a decision.

The emulator is an upper bound: training cannot be faster. For each agent, a second emulator in the
same state plays the same actions and its screens are read. Agent and emulator alternate in short
slices, so that noise affects both alike; medians over slices are reported.

Then the parts of a decision are timed in place, during training.
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
from phieb.learning import CompiledLearner, DivergedError
from phieb.novelty import BONUSES
from phieb.training.config import Config, label
from phieb.training.run_folder import Run, RunError
from phieb.training.training import Training
from phieb.worlds import Atari
from phieb.worlds.emulator import Emulator

SLICE = 100  # decisions
# What can be measured: agents by their bonus, and φ-EB with the paper's product of densities.
AGENTS = {bonus: label("sarsa", bonus) for bonus in BONUSES.without_extras()} | {
    "product": "Sarsa-φ-EB, product"
}
COMPARED = ("none", "phi")  # measured by default
WARM_UP = 3  # slices that are not measured
PARTS = ("emulator", "screen", *kernel_clock.PARTS, "bookkeeping")


class Slice(NamedTuple):
    """Seconds of the agent and of the emulator alone for the same decisions."""

    agent: float
    emulator: float


class Pair:
    """An agent that trains, and an emulator that repeats its actions.

    Args:
        config: settings of the agent. The emulator alone always shows the last frame.
    """

    def __init__(self, config: Config) -> None:
        self.training = Training(config)
        self.training.start_episode()

    @classmethod
    def of_run(cls, run: Run) -> "Pair":
        """The agent of a run's newest checkpoint."""
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
        """Train up to a number of frames without measuring; calls `advance` after each episode."""
        training = self.training
        while training.frames < frames:
            if training.step():
                training.start_episode()
                advance(training.frames)
        self._follow()

    def slice(self) -> Slice:
        """Train for a slice, then repeat its actions with the emulator alone."""
        training, agent = self.training, 0.0
        plans, known = [], self._played().size
        began = perf_counter()
        for _ in range(SLICE):
            if training.step():
                agent += perf_counter() - began
                plans.append(self._played())  # not timed
                began = perf_counter()
                training.start_episode()
        agent += perf_counter() - began
        plans.append(self._played())
        plans[0] = plans[0][known:]
        return Slice(agent, self._play(plans))

    def split(self) -> dict[str, float]:
        """Train for a slice or to the end of the episode; returns seconds per decision by part.

        The emulator alone is brought to the same state.
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
        """Bring the emulator alone to the state of the agent's; it shows the last frame."""
        last, state = cast(Atari, self.training.world).settings._replace(blend=False), self._state()
        start, screen, actions = bytes(state["start"]), state["start_screen"], state["actions"]
        self.emulator = Emulator.played(last, start, screen, actions.tolist())

    def _played(self) -> NDArray[np.uint8]:
        """The actions of this episode, including those at its start."""
        return self._state()["actions"]

    def _state(self) -> dict[str, NDArray[Any]]:
        return self.training.world.state()

    def _play(self, plans: list[NDArray[np.uint8]]) -> float:
        """Seconds to play actions: the first list continues an episode, the others begin one."""
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
    """A proxy that times some methods of an object.

    Args:
        thing: the object.
        parts: the seconds of each part so far, which are added to.
        methods: the part that each timed method belongs to.
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
    """Time every part of a decision; yields the seconds of each so far.

    Compiled parts are added at the end.
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
    advance: Callable[[str, int], None] = lambda activity, reached: None,
) -> list[dict[str, Any]]:
    """Measure the agents in one game after each of several numbers of frames.

    Args:
        config: settings of an agent; those of the others differ in the bonus.
        stages: frames of training before each measurement.
        slices: number of slices of 100 decisions in each measurement.
        agents: some of `AGENTS`.
        advance: called with the current activity and its progress.

    Returns:
        For each stage the memory of this process, and for each agent: frames per second of the
        agent and of the emulator alone, their ratio with its quartiles, microseconds per decision
        in each part, and the number of features observed.
    """
    pairs = {agent: Pair(_with_agent(config, agent)) for agent in agents}
    results = []
    for frames in sorted(stages):
        for agent, pair in pairs.items():
            pair.train(frames, partial(advance, f"{config.game}, {agent}: training"))
        found: dict[str, Any] = {"game": config.game, "frames": frames, "megabytes": resident()}
        progress = partial(advance, f"{config.game}: measuring")
        results.append({**found, **_measure(pairs, slices, progress)})
    return results


def _with_agent(config: Config, agent: str) -> Config:
    """The settings of one of `AGENTS`."""
    bonus, per_feature = ("phi", False) if agent == "product" else (agent, None)
    changes: dict[str, Any] = {"bonus": bonus, "per_feature": per_feature, "beta": None}
    return replace(config, **changes)


def bench_run(run: Run, slices: int) -> dict[str, Any]:
    """Measure the agent of a run's newest checkpoint, as `bench` does."""
    pair = Pair.of_run(run)
    training = pair.training
    found = {"game": training.config.game, "frames": training.frames, "megabytes": resident()}
    try:
        measured = _measure({training.config.bonus: pair}, slices, lambda reached: None)
    except DivergedError as error:
        raise RunError(f"{run.path}: diverged at frame {training.frames:,}: {error}") from None
    return {**found, **measured}


def _measure(
    pairs: Mapping[str, Pair], slices: int, advance: Callable[[int], None]
) -> dict[str, Any]:
    """Measure all agents alternately: first whole decisions, then their parts."""
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
            if number >= 0:  # the first time, kernels with a clock may have to be compiled
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
    """Resident memory of this process in megabytes; None where the system does not tell it."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return None
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
