"""Tabular worlds: Gymnasium's own checks, truncation, and bad input."""

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from phieb.worlds import Bandit, DeepSea, RiverSwim
from phieb.worlds.tabular import tables

IDS = ["phieb/RiverSwim-v0", "phieb/SixArms-v0", "phieb/DeepSea-v0", "phieb/Bandit-v0"]


@pytest.mark.parametrize("name", IDS)
def test_gymnasium_s_checks_pass(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(name).unwrapped)


@pytest.mark.parametrize("name", ["phieb/RiverSwim-v0", "phieb/SixArms-v0", "phieb/Bandit-v0"])
def test_worlds_without_an_end_are_cut_after_5000_steps(name: str) -> None:
    env = gymnasium.make(name)
    env.reset(seed=0)
    cuts = [env.step(0)[2:4] for _ in range(5_000)]
    assert cuts[-1] == (False, True)
    assert set(cuts[:-1]) == {(False, False)}


def test_bad_input_is_refused() -> None:
    with pytest.raises(ValueError, match="size must be a whole number >= 2, got 1"):
        DeepSea(1)
    with pytest.raises(ValueError, match=r"arms must be a finite number in \[0, 1\], got 1.5"):
        Bandit((0.5, 1.5))
    with pytest.raises(ValueError, match="arms must hold at least one probability"):
        Bandit(())
    env = RiverSwim()
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(np.int64(0))
    env.reset(seed=0)
    with pytest.raises(ValueError, match=r"action must be in Discrete\(2\), got"):
        env.step(np.int64(2))
    with pytest.raises(ValueError, match="must add up to 1"):
        tables([[[(0.5, 0, 0.0)]]], starts=[0])
