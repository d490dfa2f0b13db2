"""DQN of Stable-Baselines3 on Deep Sea: bonuses that are stored, computed anew, or none.

python examples/deep_sea_sb3.py --seeds 0 1 2 --steps 8000
"""

import argparse
from functools import partial
from time import perf_counter
from typing import Any

import gymnasium
import torch
from stable_baselines3 import DQN
from stable_baselines3.common.buffers import ReplayBuffer
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import DummyVecEnv

import phieb  # noqa: F401 - registers its environments
from phieb.novelty import PhiBonus
from phieb.sb3 import BonusVecEnv, RecomputingReplayBuffer

TREASURE = 0.9  # more than any episode without it
BUFFERS = {"none": ReplayBuffer, "stored": ReplayBuffer, "recomputed": RecomputingReplayBuffer}


def train(bonuses: str, seed: int, steps: int, size: int, beta: float) -> list[bool]:
    """Of each episode, whether it found the treasure."""
    make = partial(gymnasium.make, "phieb/DeepSea-v0", size=size)
    envs: Any = DummyVecEnv([lambda: Monitor(make())])
    if bonuses != "none":
        envs = BonusVecEnv(envs, PhiBonus(beta))
    settings: dict[str, Any] = {"learning_starts": 200, "train_freq": 1, "learning_rate": 1e-3}
    settings |= {"target_update_interval": 200, "exploration_final_eps": 0.05, "buffer_size": steps}
    kind: Any = BUFFERS[bonuses]
    agent = DQN("MlpPolicy", envs, replay_buffer_class=kind, seed=seed, device="cpu", **settings)
    if isinstance(agent.replay_buffer, RecomputingReplayBuffer):
        agent.replay_buffer.recompute_with(envs)
    found: list[bool] = []

    def note(here: dict[str, Any], _: dict[str, Any]) -> bool:
        found.extend(i["episode"]["r"] > TREASURE for i in here["infos"] if "episode" in i)
        return True

    agent.learn(steps, callback=note)
    return found


def main() -> None:
    """Train with every seed and each of the three, and print how it went."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--steps", type=int, default=8_000)
    parser.add_argument("--size", type=int, default=8)
    parser.add_argument("--beta", type=float, default=0.1)
    args = parser.parse_args()
    torch.set_num_threads(1)  # the network is small: threads would only wait for each other
    print("| bonuses | seed | treasures | of episodes | of the last 100 | first in | seconds |")
    print("|---|---|---|---|---|---|---|")
    for seed in args.seeds:
        for bonuses in BUFFERS:
            began = perf_counter()
            found = train(bonuses, seed, args.steps, args.size, args.beta)
            first = found.index(True) + 1 if any(found) else "–"
            took = f"{perf_counter() - began:.0f}"
            row = (bonuses, seed, sum(found), len(found), sum(found[-100:]), first, took)
            print(f"| {' | '.join(map(str, row))} |", flush=True)


if __name__ == "__main__":
    main()
