"""PPO of Stable-Baselines3 on MiniGrid's DoorKey, with the φ-exploration bonus or without it.

python examples/doorkey_sb3.py --bonus phi --seed 1 --steps 100000
"""

import argparse
from functools import partial
from typing import Any

import gymnasium
import minigrid  # noqa: F401 - registers its environments
import torch
from gymnasium.wrappers import FlattenObservation
from minigrid.wrappers import ImgObsWrapper, OneHotPartialObsWrapper
from stable_baselines3 import PPO
from stable_baselines3.common.env_util import make_vec_env

from phieb.features import FromFunction
from phieb.novelty import Bonus, PhiBonus
from phieb.wrappers import ExplorationBonus

WINDOW = 100  # episodes
SETTINGS = {
    "n_steps": 128,
    "batch_size": 256,
    "n_epochs": 4,
    "learning_rate": 1e-3,
    "ent_coef": 0.01,
}
Env = gymnasium.Env[Any, Any]


def at_hand(observation: dict[str, Any]) -> list[int]:
    """One feature: the object carried, the object in front, and whether that is open or locked."""
    (carried, _, _), (ahead, _, state) = observation["image"][3, [6, 5]].tolist()
    return [64 * carried + 4 * ahead + state]


def with_bonus(env: Env, bonus: Bonus | None) -> Env:
    """Wrap an environment: the bonus for `at_hand`, and a one-hot view for the agent."""
    if bonus is not None:
        env = ExplorationBonus(env, bonus, FromFunction(at_hand))
    return FlattenObservation(ImgObsWrapper(OneHotPartialObsWrapper(env)))


def train(bonus: Bonus | None, seed: int, steps: int, env: str) -> tuple[list[bool], list[int]]:
    """Train PPO; returns for each episode whether it reached the goal, and its last step."""
    # Monitors are inside `wrapper_class`: their returns exclude the bonus, which is shared.
    envs = make_vec_env(env, 8, seed=seed, wrapper_class=partial(with_bonus, bonus=bonus))
    agent = PPO("MlpPolicy", envs, seed=seed, device="cpu", **SETTINGS)
    won: list[bool] = []
    ended: list[int] = []

    def note(here: dict[str, Any], _: dict[str, Any]) -> bool:
        scores = [info["episode"]["r"] for info in here["infos"] if "episode" in info]
        won.extend(score > 0 for score in scores)
        ended.extend([agent.num_timesteps] * len(scores))
        return True

    agent.learn(steps, callback=note)
    return won, ended


def more_than_half(won: list[bool], ended: list[int]) -> int | None:
    """The first step by which more than half of the last hundred episodes were won."""
    for end in range(WINDOW, len(won) + 1):
        if sum(won[end - WINDOW : end]) > WINDOW / 2:
            return ended[end - 1]
    return None


def main() -> None:
    """Train once and print the result."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bonus", choices=["phi", "none"], default="phi")
    parser.add_argument("--beta", type=float, default=0.1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--steps", type=int, default=100_000)
    parser.add_argument("--env", default="MiniGrid-DoorKey-8x8-v0")
    args = parser.parse_args()
    torch.set_num_threads(1)  # the network is too small for several threads
    bonus = PhiBonus(args.beta, per_feature=False) if args.bonus == "phi" else None
    won, ended = train(bonus, args.seed, args.steps, args.env)
    print(f"{args.env}, bonus {args.bonus}, seed {args.seed}, {args.steps} steps:")
    print(f"{sum(won)} of {len(won)} episodes won, {sum(won[-WINDOW:])} of the last {WINDOW}")
    print(f"first step with more than half of {WINDOW} episodes won: {more_than_half(won, ended)}")


if __name__ == "__main__":
    main()
