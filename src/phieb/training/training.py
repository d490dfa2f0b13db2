"""A run under way: its parts, what it counts, and its exact state."""

import json
import math
from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phieb.features import BlobProst
from phieb.features.blob_prost import PRESETS
from phieb.learning import SarsaLambda
from phieb.learning.dial import Dial
from phieb.novelty import PhiBonus, VisitDensity
from phieb.sparse.active_set import ActiveSet
from phieb.training.config import Config
from phieb.training.explorer import Explorer
from phieb.training.phi_explorer import PhiExplorer
from phieb.training.rivals import new_rival
from phieb.worlds import Atari

# What is summed up over an episode, in the order in which it is saved.
SUMS = ("score", "bonus", "pseudocount", "active", "decisions")


class Training:
    """World, features and explorer as a config says, and where in the run they are.

    Attributes:
        frames: of all finished episodes and of this one.
        decisions: the same in decisions.
        episode: the number of the episode under way, counting from 1.
        action: what the agent does next.
        sums: of this episode.
        rooms: decisions in each room, of this episode, in games that tell the room.
    """

    def __init__(self, config: Config) -> None:
        self.config = config
        world_seed, agent_seed = np.random.SeedSequence(config.seed).generate_state(2, np.uint64)
        self.world = new_world(config, int(world_seed >> np.uint64(1)))
        self.features = new_features(config, self.world)
        self.explorer = new_explorer(config, self.world, int(agent_seed))
        self.frames = self.decisions = self.finished_frames = 0
        self.episode = 0
        self.action = 0
        self.sums = dict.fromkeys(SUMS, 0.0)
        self.rooms = Counter[int]()

    def start_episode(self) -> None:
        """A new game: its first features, the first action."""
        screen, info = self.world.reset()
        self.features.reset()
        self.action = self.explorer.start(self.features.active(screen), screen)
        self.sums = dict.fromkeys(SUMS, 0.0)
        self.rooms.clear()
        self.finished_frames = self.frames
        self.episode += 1
        self.frames += info["frames"]

    def step(self) -> bool:
        """One decision, as in Algorithm 1; returns whether it was the episode's last."""
        reward, ended, cut = self.world.decide(self.action)  # observe s, r
        screen, features = self.world.screen, self.features
        if ended or (cut and self.config.cap == "end"):
            active = features.active(screen)
            bonus, num_active = self.explorer.end(active, reward, screen), active.size
        else:  # φ(s); ρ_t … N̂, R; r⁺ → θ; the next action
            self.action, bonus, num_active = self.explorer.learn_screen(features, screen, reward)
        self._count(reward, bonus, num_active)
        if ended or cut:
            self.explorer.game_over(self.sums["score"])
        return ended or cut

    def _count(self, reward: float, bonus: float, num_active: int) -> None:
        sums = self.sums
        sums["score"] += reward
        sums["bonus"] += bonus
        pseudocount = self.explorer.pseudocount
        if math.isfinite(pseudocount):  # infinite where nothing was learnt
            sums["pseudocount"] += pseudocount
        sums["active"] += num_active
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
            "observed": self.explorer.num_observed,
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
            "action": self.action,
            "rooms": {str(room): n for room, n in self.rooms.items()},
        }
        return {
            "learner": self.explorer.state(),
            "world": self.world.state(),
            "progress": {
                "sums": np.array([self.sums[name] for name in SUMS]),
                "counted": np.frombuffer(json.dumps(counted).encode(), np.uint8).copy(),
            },
        }

    def restore(self, state: Mapping[str, Mapping[str, NDArray[Any]]]) -> None:
        """Go on from what `state` returned, to the bit."""
        counted = json.loads(bytes(state["progress"]["counted"]))
        if not np.all(state["world"]["under_way"]):
            raise ValueError("no episode is under way in it")
        actions, rooms = range(self.world.num_actions), counted["rooms"]
        if counted["action"] not in actions or not isinstance(rooms, dict):
            raise ValueError("its action or its rooms are not such")
        sums = state["progress"]["sums"]
        if sums.shape != (len(SUMS),) or not np.isfinite(sums).all():
            raise ValueError("the sums of its episode are not numbers")
        self.explorer.restore(state["learner"])
        screen, _ = self.world.restore(state["world"])
        self.features.reset()
        self.features.active(screen)  # what the next screen has pairs in time with
        self.frames, self.decisions = counted["frames"], counted["decisions"]
        self.finished_frames, self.episode = counted["finished_frames"], counted["episode"]
        self.action = counted["action"]
        self.rooms = Counter({int(room): n for room, n in rooms.items()})
        self.sums = dict(zip(SUMS, sums.tolist(), strict=True))


def new_world(config: Config, seed: int | None) -> Atari:
    """The game, with the settings of a run."""
    return Atari(
        config.game,
        sticky=config.sticky,
        frame_skip=config.frame_skip,
        max_frames=config.max_frames,
        noops=config.noops,
        actions=config.actions,
        screen=config.screen,
        seed=seed,
    )


def new_features(config: Config, world: Atari) -> BlobProst:
    """φ, with the settings of a run."""
    tile, tolerance = PRESETS[config.features]
    return BlobProst(tile, tolerance, world.shape)


def new_explorer(config: Config, world: Atari, seed: int) -> Explorer:
    """The agent and its bonus, with the settings of a run."""
    active_set, largest = ActiveSet(), config.beta / math.sqrt(config.kappa)
    dial = Dial() if config.dial else None
    agent = SarsaLambda(
        world.num_actions,
        alpha=config.alpha,
        gamma=config.gamma,
        lambda_=config.lambda_,
        epsilon=config.epsilon,
        # Without a bonus there is nothing to tell apart.
        value=config.value if config.bonus != "none" else "joint",
        continuing=config.continuing and config.bonus != "none",
        initial_value=largest if config.optimistic and config.bonus != "none" else 0.0,
        scale_reward=True,
        precision="single",
        seed=seed,
        active_set=active_set,
    )
    if config.bonus == "phi":
        density = VisitDensity(first_sight=config.first_sight, active_set=active_set)
        bonus = PhiBonus(config.beta, config.kappa, density, config.per_feature)
        return PhiExplorer(agent, bonus, config.bonus_for, dial)
    return Explorer(agent, *new_rival(config, world, seed % 2**63), config.bonus_for, dial)
