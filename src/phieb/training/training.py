"""A run under way: its parts, what it counts, and its exact state."""

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

# What is summed up over an episode, in the order in which it is saved.
SUMS = ("score", "bonus", "pseudocount", "active", "decisions")


class Counted(TypedDict):
    """What a checkpoint says of where a run is."""

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
    """World and learner as a config says, and where in the run they are.

    Attributes:
        frames: of all finished episodes and of this one.
        decisions: the same in decisions.
        episode: the number of the episode under way, counting from 1.
        decision: the last, with what the agent does next.
        sums: of this episode.
        rooms: decisions in each room, of this episode, in games that tell the room.
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
        """A new game: its first features, the first action."""
        observation, info = self.world.reset()
        self.decision = self.learner.start(observation)
        self.sums = dict.fromkeys(SUMS, 0.0)
        self.rooms.clear()
        self.finished_frames = self.frames
        self.episode += 1
        self.frames += info["frames"]

    def step(self) -> bool:
        """One decision, as in Algorithm 1; returns whether it was the episode's last."""
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
        if math.isfinite(decision.pseudocount):  # infinite where nothing was learnt
            sums["pseudocount"] += decision.pseudocount
        sums["active"] += decision.num_active
        sums["decisions"] += 1
        self.decisions += 1
        self.frames = self.finished_frames + self.world.frames
        room = self.world.room
        if room is not None:
            self.rooms[room] += 1

    def line(self) -> dict[str, Any]:
        """What the log says of the episode that is over."""
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
        """Everything, as arrays, for `restore`."""
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
        """What tiles cover: they may have learnt it."""
        features = self.learner.features
        return (
            {"ranges": np.stack([features.low, features.high])}
            if isinstance(features, Tiles)
            else {}
        )

    def restore(self, state: Mapping[str, Mapping[str, NDArray[Any]]]) -> None:
        """Go on from what `state` returned, to the bit."""
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
        phi = self.learner.features.active(observation)  # what the next has pairs in time with
        self.frames, self.decisions = counted["frames"], counted["decisions"]
        self.finished_frames, self.episode = counted["finished_frames"], counted["episode"]
        self.decision = Decision(action, 0.0, 0.0, len(phi))
        self.rooms = Counter({int(room): n for room, n in rooms.items()})
        self.sums = dict(zip(SUMS, sums.tolist(), strict=True))
