"""A run in progress: its parts, its counters, and its exact state."""

import json
import math
from collections import Counter
from collections.abc import Mapping
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from phieb.features import Tiles
from phieb.files.reading import parsed
from phieb.files.records import Count, RoomVisits, checked
from phieb.learning.learner import Decision
from phieb.training.config import Config
from phieb.training.given import NOTHING, Given
from phieb.training.parts import new_learner, new_world

# Quantities summed over an episode, in the order of the saved array.
SUMS = ("score", "bonus", "pseudocount", "active", "decisions")


class Counted(TypedDict):
    """The counters in a checkpoint."""

    frames: Count
    decisions: Count
    finished_frames: Count
    episode: Count
    action: Count
    rooms: RoomVisits


def seeds_of(config: Config) -> tuple[int, int]:
    """The seeds of the world and of the agent."""
    world, agent = np.random.SeedSequence(config.seed).generate_state(2, np.uint64)
    return int(world >> np.uint64(1)), int(agent)


class Training:
    """The world and the learner of a run, and its counters.

    Attributes:
        frames: frames so far, including the current episode.
        decisions: decisions so far, including the current episode.
        episode: the number of the current episode, from 1.
        decision: the last decision, which contains the next action.
        sums: sums over the current episode, by the names in `SUMS`.
        rooms: decisions of the current episode in each room, in games with known rooms.
    """

    def __init__(self, config: Config, given: Given = NOTHING) -> None:
        self.config = config
        world_seed, agent_seed = seeds_of(config)
        self.world = new_world(config, world_seed, given)
        self.learner = new_learner(config, self.world, agent_seed, given)
        self.frames = self.decisions = self.finished_frames = 0
        self.episode = 0
        self.decision = Decision(0, 0.0, 0.0, 0)
        self.sums = dict.fromkeys(SUMS, 0.0)
        self.rooms = Counter[int]()

    def start_episode(self) -> None:
        """Start an episode: observe its first state and choose the first action."""
        observation, info = self.world.reset()
        self.decision = self.learner.start(observation)
        self.sums = dict.fromkeys(SUMS, 0.0)
        self.rooms.clear()
        self.finished_frames = self.frames
        self.episode += 1
        self.frames += info["frames"]

    def step(self) -> bool:
        """One pass of the loop of Algorithm 1; returns whether the episode ended or was cut."""
        observation, reward, ended, cut = self.world.decide(self.decision.action)
        is_end = ended or (cut and self.config.cap == "end")
        self.decision = (self.learner.end if is_end else self.learner.learn)(observation, reward)
        self._count(reward, self.decision)
        if ended or cut:
            self.learner.agent.episode_over(self.sums["score"])
        return ended or cut

    def _count(self, reward: float, decision: Decision) -> None:
        sums = self.sums
        sums["score"] += reward
        sums["bonus"] += decision.bonus
        if math.isfinite(decision.pseudocount):  # infinite if the density did not increase
            sums["pseudocount"] += decision.pseudocount
        sums["active"] += decision.num_active
        sums["decisions"] += 1
        self.decisions += 1
        self.frames = self.finished_frames + self.world.frames
        room = self.world.room
        if room is not None:
            self.rooms[room] += 1

    def line(self) -> dict[str, Any]:
        """The line of the log for the episode that has just ended, without its speed."""
        sums, decisions = self.sums, int(self.sums["decisions"])
        line: dict[str, Any] = {
            "episode": self.episode,
            "frames": self.frames,
            "decisions": self.decisions,
            "score": sums["score"],
            "length": self.frames - self.finished_frames,
            "bonus": sums["bonus"],
            "pseudocount": sums["pseudocount"] / decisions,
            "active": sums["active"] / decisions,
            "observed": self.learner.agent.num_observed,
        }
        if self.rooms:
            line["rooms"] = {str(room): self.rooms[room] for room in sorted(self.rooms)}
        return line

    def state(self) -> dict[str, dict[str, NDArray[Any]]]:
        """The whole state, as arrays for `restore`."""
        counted = {
            "frames": self.frames,
            "decisions": self.decisions,
            "finished_frames": self.finished_frames,
            "episode": self.episode,
            "action": self.decision.action,
            "rooms": {str(room): n for room, n in self.rooms.items()},
        }
        return {
            "learner": self.learner.state(),
            "world": self.world.state(),
            "progress": {
                **self._ranges(),
                "sums": np.array([self.sums[name] for name in SUMS]),
                "counted": np.frombuffer(json.dumps(counted).encode(), np.uint8).copy(),
            },
        }

    def _ranges(self) -> dict[str, NDArray[np.float64]]:
        """The bounds of `Tiles`, which may have been estimated from random play."""
        features = self.learner.features
        return (
            {"ranges": np.stack([features.low, features.high])}
            if isinstance(features, Tiles)
            else {}
        )

    def restore(self, state: Mapping[str, Mapping[str, NDArray[Any]]]) -> None:
        """Continue from a saved `state`, bit for bit."""
        counted = checked(Counted, parsed(bytes(state["progress"]["counted"])))
        if not np.all(state["world"]["under_way"]):
            raise ValueError("no episode is under way in it")
        action, rooms = counted["action"], counted["rooms"]
        if not self.world.action_space.contains(action):
            raise ValueError("its action is none of the world")
        sums = state["progress"]["sums"]
        if sums.shape != (len(SUMS),) or not np.isfinite(sums).all():
            raise ValueError("the sums of its episode are not numbers")
        for name, mine in self._ranges().items():
            if not np.array_equal(mine, state["progress"][name]):
                raise ValueError(
                    "its tiles have other ranges: they were learnt from random play, which this "
                    "environment does not repeat; give Tiles with low and high"
                )
        self.learner.restore(state["learner"])
        observation, _ = self.world.restore(state["world"])
        self.learner.features.reset()
        phi = self.learner.features.active(observation)  # the next screen's pairs in time need it
        self.frames, self.decisions = counted["frames"], counted["decisions"]
        self.finished_frames, self.episode = counted["finished_frames"], counted["episode"]
        self.decision = Decision(action, 0.0, 0.0, len(phi))
        self.rooms = Counter({int(room): n for room, n in rooms.items()})
        self.sums = dict(zip(SUMS, sums.tolist(), strict=True))
