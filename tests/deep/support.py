"""What the tests of deep agents share: each agent by its name, with settings for small worlds."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from phieb.learning import AGENTS
from phieb.training import Config, Run, checkpoint
from tests.deep.catch import Catch

QUICK: dict[str, Any] = {
    "learning_starts": 100,
    "train_every": 2,
    "target_every": 100,
    "epsilon_decisions": 1_500,
    "learning_rate": 1e-3,
    "buffer_size": 5_000,
}
ROLLOUT = {"n_steps": 128, "batch_size": 64, "learning_rate": 1e-3}
SETTINGS: dict[str, dict[str, Any]] = {
    "dqn": QUICK,
    "ddqn": QUICK,
    "dueling": QUICK,
    "dqn-pa": QUICK,
    "ddqn-mmc": QUICK,
    "a2c": {},
    "ppo": ROLLOUT,
    "trpo": {**ROLLOUT, "sub_sampling_factor": 1},
}
REPLAYING = [name for name, settings in SETTINGS.items() if settings is QUICK]
DRAWING = [name for name in SETTINGS if name not in REPLAYING]


def catching(name: str, frames: int, bonus: str = "none", **more: Any) -> Config:
    """The settings of a run in the small world."""
    usual: dict[str, Any] = {"seed": 1, "epsilon": 0.02, "agent_args": SETTINGS.get(name, QUICK)}
    return Config(
        game="tests.deep.catch:Catch", agent=name, bonus=bonus, frames=frames, **{**usual, **more}
    )


def made(name: str, seed: int = 0, **settings: Any) -> Any:
    """An agent for the small world."""
    world = Catch()
    offered: dict[str, Any] = {
        "observation_space": world.observation_space,
        "actions": world.action_space,
        "game": "tests.deep.catch:Catch",
        "gamma": 0.9,
        "epsilon": 0.1,
        "seed": seed,
        "agent_args": {**SETTINGS[name], **settings},
    }
    return AGENTS.make(name, offered)


def play(agent: Any, decisions: int, seed: int = 0, cut_every: int = 0) -> list[Any]:
    """Let an agent learn; returns what happened: (action, reward, whether it ended or was cut)."""
    world, happened = Catch(), list[Any]()
    observation, _ = world.reset(seed=seed)
    agent.sees.reset()
    action = agent.start(agent.sees.active(observation))
    for number in range(1, decisions + 1):
        observation, reward, ended, _, _ = world.step(np.int64(action))
        cut = not ended and cut_every > 0 and number % cut_every == 0
        happened.append((action, reward + 0.5 * ended, ended, cut))
        if ended:
            agent.end(reward, 0.5)
        else:
            action = agent.learn(agent.sees.active(observation), reward, 0.0)
        if ended or cut:
            observation, _ = world.reset()
            agent.sees.reset()
            action = agent.start(agent.sees.active(observation))
    return happened


def same(one: dict[str, NDArray[Any]], other: dict[str, NDArray[Any]]) -> bool:
    """Whether two states are the same, bit for bit."""
    return one.keys() == other.keys() and all(
        one[name].dtype == other[name].dtype and one[name].tobytes() == other[name].tobytes()
        for name in one
    )


def newest(run: Run) -> dict[str, Any]:
    """All arrays of the newest checkpoint of a run."""
    name = checkpoint.names(run.checkpoints)[0]
    parts, _ = checkpoint.read(run.checkpoints / name)
    return {f"{part}.{key}": value for part, found in parts.items() for key, value in found.items()}
