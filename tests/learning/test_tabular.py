"""What tabular agents have in common."""

import math

import pytest
from gymnasium import spaces

from phieb.learning import DynaQPlus, MbieEb, Ucb1


def test_features_that_are_not_a_state() -> None:
    agent = MbieEb(3, 2, beta=1.0, r_max=1.0)
    with pytest.raises(ValueError, match="active must hold one id, the state"):
        agent.start([0, 1])
    with pytest.raises(ValueError, match=r"active must hold feature ids in \[0, 2\], got 3"):
        agent.start([3])


def test_bad_settings_are_refused() -> None:
    with pytest.raises(ValueError, match="beta must be a finite number >= 0, got nan"):
        MbieEb(3, 2, beta=math.nan, r_max=1.0)
    with pytest.raises(
        ValueError, match=r"gamma must be a finite number in \[0, 0.9999\], got 1.0"
    ):
        MbieEb(3, 2, beta=1.0, r_max=1.0, gamma=1.0)
    with pytest.raises(ValueError, match="kappa must be a finite number >= 0, got -1.0"):
        DynaQPlus(3, 2, kappa=-1.0)
    with pytest.raises(ValueError, match="scale must be a finite number >= 0"):
        Ucb1(3, scale=-1.0)
    with pytest.raises(TypeError, match="actions must be a Discrete space"):
        Ucb1(spaces.MultiBinary(3))
    with pytest.raises(ValueError, match="seed must be a whole number >= 0, got -1"):
        Ucb1(3, seed=-1)


def test_no_learning_before_an_episode_starts() -> None:
    agent = MbieEb(3, 2, beta=1.0, r_max=1.0)
    with pytest.raises(RuntimeError, match="call start first"):
        agent.learn([0], 1.0)
    agent.start([0])
    agent.end(1.0)
    with pytest.raises(RuntimeError, match="call start first"):
        agent.end(1.0)
    assert agent.model.clock[0] == 1
