"""Gorila: what its processes do, by itself and on Ray."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("stable_baselines3")
pytest.importorskip("ray")

import ray
import torch

from phieb.deep import arrays
from phieb.deep.gorila import Learner, Mailbox, ParameterServer
from phieb.learning import AGENTS
from phieb.training import train
from tests.deep.catch import Catch
from tests.deep.support import QUICK, catching, made, newest, play, same

pytestmark = pytest.mark.deep


def settings(seed: int = 0) -> dict[str, Any]:
    world = Catch()
    return {
        "observation_space": world.observation_space,
        "actions": world.action_space,
        "game": "tests.deep.catch:Catch",
        "gamma": 0.9,
        "epsilon": 0.1,
        "seed": seed,
        "agent_args": QUICK,
    }


def parameters(seed: int) -> arrays.Arrays:
    return arrays.of_module(made("dqn", seed).algorithm.q_net)


def letters(decisions: int) -> Any:
    """What an actor sees."""
    actor = made("dqn")
    actor.replay = Mailbox()
    actor._train = lambda: None
    play(actor, decisions)
    return actor.replay.taken()


def test_a_learner_sends_the_gradient_that_dqn_descends() -> None:
    first, seen = parameters(1), letters(150)
    learner = Learner(settings(3), first)
    assert learner.gradient(first, seen[:40], 30) is None
    found = learner.gradient(first, seen[40:], 150)
    assert found is not None
    twin = made("dqn", 3)
    for net in (twin.algorithm.q_net, twin.algorithm.q_net_target):
        arrays.into_module(net, first)
    for method, *given in seen:
        getattr(twin.replay, method)(*given)
    with twin.random.used():
        twin.algorithm.train(1, 32)
    for mine, parameter in zip(found, twin.algorithm.q_net.parameters(), strict=True):
        assert np.array_equal(mine, parameter.grad.numpy())
    assert same(arrays.of_module(learner.agent.algorithm.q_net), first)  # it moves nothing itself


def test_the_server_applies_gradients_in_order() -> None:
    first = parameters(1)
    server = ParameterServer(settings(), first)
    rng = np.random.default_rng(0)
    steps = [
        [rng.normal(size=p.shape).astype(np.float32) for p in server.net.parameters()]
        for _ in range(3)
    ]
    assert same(server.apply(None), first)
    server.apply(steps[0], None)
    found = server.apply(steps[1], steps[2])
    for name, at in (("features_extractor.linear.0.bias", 7), ("q_net.0.bias", 1)):
        names = [key for key, _ in server.net.named_parameters()]
        theta, m, v = float(first[name][at]), 0.0, 0.0
        for t, gradient in enumerate(steps, start=1):  # Adam
            g = float(gradient[names.index(name)][at])
            m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
            theta -= 1e-3 * (m / (1 - 0.9**t)) / (np.sqrt(v / (1 - 0.999**t)) + 1e-8)
        assert found[name][at] == pytest.approx(theta, abs=1e-6)


def test_both_are_restored_bit_for_bit() -> None:
    first, seen = parameters(1), letters(150)
    pair = Learner(settings(3), first), ParameterServer(settings(), first)
    pair[1].apply(pair[0].gradient(first, seen[:150], 110))
    other = Learner(settings(4), parameters(5)), ParameterServer(settings(6), parameters(7))
    other[0].restore(pair[0].state())
    other[1].restore(pair[1].state())
    states = list[arrays.Arrays]()
    for learner, server in (pair, other):
        torch.manual_seed(len(states))
        now = server.apply()
        states.append(server.apply(learner.gradient(now, seen[150:], 210)))
    assert same(*states)
    assert not same(states[0], first)


@pytest.fixture
def cluster() -> Iterator[None]:
    ray.init(num_cpus=2, log_to_driver=False, include_dashboard=False)
    yield
    ray.shutdown()


@pytest.mark.slow
@pytest.mark.usefixtures("cluster")
@pytest.mark.filterwarnings("ignore::ResourceWarning")  # of Ray's own sockets
def test_a_run_on_ray_is_resumed_bit_for_bit_and_learns(tmp_path: Path) -> None:
    more: dict[str, Any] = {"agent_args": {**QUICK, "learners": 2}}
    whole = train(catching("gorila", 3_000, **more), tmp_path / "whole")
    train(catching("gorila", 700, **more), tmp_path / "parts")
    parts = train(catching("gorila", 3_000, **more), tmp_path / "parts")
    assert same(newest(whole), newest(parts))
    scores = [one["score"] for one in whole.episodes()]
    assert np.mean(scores[:50]) < 0.6
    assert np.mean(scores[-100:]) > 0.75
    assert AGENTS["gorila"].label == "Gorila"
