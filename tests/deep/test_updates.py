"""Each update rule against its formula, on random batches."""

from copy import deepcopy
from typing import Any

import numpy as np
import pytest

pytest.importorskip("stable_baselines3")

import torch
from stable_baselines3.common.type_aliases import ReplayBufferSamples

from tests.deep.catch import Catch
from tests.deep.support import DRAWING, REPLAYING, made

pytestmark = pytest.mark.deep

BATCH = 16


def random_batch(agent: Any, seed: int) -> ReplayBufferSamples:
    rng = np.random.default_rng(seed)
    shape = (BATCH, *agent.sees.space.shape)
    seen, after = (torch.from_numpy(rng.integers(256, size=shape).astype(np.uint8)) for _ in "12")
    actions = torch.from_numpy(rng.integers(3, size=(BATCH, 1)))
    ends = torch.from_numpy(rng.integers(2, size=(BATCH, 1)).astype(np.float32))
    rewards, returns = (
        torch.from_numpy(rng.normal(scale=3, size=(BATCH, 1)).astype(np.float32)) for _ in "12"
    )
    return ReplayBufferSamples(seen, actions, after, ends, rewards, returns)


def outputs(net: Any, observations: torch.Tensor) -> np.ndarray[Any, Any]:
    """What a network returns for each observation by itself."""
    with torch.no_grad():
        return np.array([net(one[None])[0].double().numpy() for one in observations])


def target(name: str, agent: Any, batch: ReplayBufferSamples, k: int) -> float:
    """The target of one transition, from the definition."""
    algorithm = agent.algorithm
    scale = getattr(algorithm, "deviation", 1.0)
    shift = getattr(algorithm, "mean", 0.0)
    mine = outputs(algorithm.q_net, batch.next_observations[k : k + 1])[0]
    others = scale * outputs(algorithm.q_net_target, batch.next_observations[k : k + 1])[0] + shift
    best = max(range(3), key=lambda a: others[a] if name == "dqn" else mine[a])
    after = 0.0 if batch.dones[k].item() else float(others[best])
    found = float(batch.rewards[k].item()) + 0.9 * after
    if name == "ddqn-mmc":
        found = 0.9 * found + 0.1 * float(batch.discounts[k].item())
    return found


def unlike(agent: Any) -> None:
    """Make the target network another, as it is after some updates."""
    with torch.no_grad():
        for parameter in agent.algorithm.q_net_target.parameters():
            parameter += 0.02 * torch.randn(parameter.shape)


@pytest.mark.parametrize("name", REPLAYING)
def test_an_update_descends_the_huber_loss(name: str) -> None:
    torch.manual_seed(0)
    agent = made(name)
    unlike(agent)
    algorithm = agent.algorithm
    for seed in range(3):
        batch = random_batch(agent, seed)
        algorithm.replay_buffer.sample = lambda size, env=None, batch=batch: batch
        if name == "dqn":  # the library's own; its `discounts` would be those of n steps
            plain = batch._replace(discounts=None)
            algorithm.replay_buffer.sample = lambda size, env=None, batch=plain: batch
        targets = np.array([target(name, agent, batch, k) for k in range(BATCH)])
        twin = deepcopy(algorithm.q_net)
        if name == "dqn-pa":
            twin_rescale(agent, twin, targets)
        gradient(agent, twin, batch, targets)
        with agent.random.used():
            algorithm.train(1, BATCH)
        mine = dict(algorithm.q_net.named_parameters())
        for key, parameter in twin.named_parameters():
            assert torch.allclose(mine[key].grad, parameter.grad, rtol=1e-3, atol=1e-6), key


def twin_rescale(agent: Any, twin: Any, targets: np.ndarray[Any, Any]) -> None:
    """Pop-Art: moments follow the targets, and the twin's last layer is corrected."""
    first, second = agent.algorithm.moments
    mean, deviation = first, np.sqrt(second - first**2)
    first += 1e-3 * (targets.mean() - first)
    second += 1e-3 * ((targets**2).mean() - second)
    agent.twin_mean, agent.twin_deviation = first, np.sqrt(second - first**2)
    with torch.no_grad():
        layer = twin.q_net[-1]
        layer.weight.copy_(layer.weight * deviation / agent.twin_deviation)
        layer.bias.copy_((deviation * layer.bias + mean - first) / agent.twin_deviation)


def gradient(agent: Any, twin: Any, batch: Any, targets: np.ndarray[Any, Any]) -> None:
    """Of the mean of h(target − Q): h(x) = x²/2 if |x| < 1, else |x| − ½. Clipped at 10."""
    scale, shift = getattr(agent, "twin_deviation", 1.0), getattr(agent, "twin_mean", 0.0)
    loss = torch.zeros(())
    for k in range(BATCH):
        q = twin(batch.observations[k : k + 1])[0, batch.actions[k].item()]
        error = (targets[k] - shift) / scale - q
        loss = loss + (error**2 / 2 if abs(error.item()) < 1 else error.abs() - 0.5) / BATCH
    twin.zero_grad()
    loss.backward()
    norm = torch.sqrt(sum((p.grad**2).sum() for p in twin.parameters()))
    for parameter in twin.parameters():
        parameter.grad *= min(1.0, 10.0 / (norm.item() + 1e-6))


def test_pop_art_changes_no_value_when_it_rescales() -> None:
    torch.manual_seed(1)
    agent = made("dqn-pa", moments_step=0.3)
    algorithm = agent.algorithm
    seen = random_batch(agent, 0).observations
    for net in (algorithm.q_net, algorithm.q_net_target):
        before = algorithm.unnormalised(net(seen))
        algorithm.rescale(torch.randn(BATCH, 1) * 400 + 70)
        assert algorithm.deviation > 10
        assert torch.allclose(algorithm.unnormalised(net(seen)), before, rtol=1e-4, atol=1e-3)


def test_a_dueling_network_adds_the_value_and_what_is_above_the_mean_advantage() -> None:
    agent = made("dueling")
    net, batch = agent.algorithm.q_net, random_batch(agent, 0)
    with torch.no_grad():
        features = net.extract_features(batch.observations, net.features_extractor)
        value, advantage = net.q_net.value(features), net.q_net.advantage(features)
    expected = [[float(v + a - sum(row) / 3) for a in row] for v, row in zip(value, advantage)]  # noqa: B905
    assert np.allclose(outputs(net, batch.observations), expected, atol=1e-5)


@pytest.mark.parametrize("cut_every", [1_000, 7])
@pytest.mark.parametrize("name", DRAWING)
def test_advantages_are_those_of_the_decisions_made(name: str, cut_every: int) -> None:
    agent = made(name, n_steps=64)
    kept: dict[str, Any] = {}
    agent.algorithm.train = lambda: kept.update(
        advantages=agent.rollout.advantages[:, 0].copy(), values=agent.rollout.values[:, 0].copy()
    )
    happened, ahead = decide(agent, 64, cut_every)
    lambda_, carried = agent.settings.gae_lambda, 0.0
    for k in range(63, -1, -1):
        reward, over = happened[k]
        is_last = k == 63
        after = ahead[k] if over or is_last else kept["values"][k + 1]
        carried = (reward + 0.9 * after - kept["values"][k]) + (
            0.0 if over else 0.9 * lambda_ * carried
        )
        assert kept["advantages"][k] == pytest.approx(carried, abs=1e-4)


def decide(agent: Any, decisions: int, cut_every: int) -> tuple[list[tuple[float, bool]], Any]:
    """Play; returns (r⁺, whether the episode was over), and the value of what came after."""
    world, happened, ahead = Catch(), list[tuple[float, bool]](), dict[int, float]()
    seen = agent.sees.active(world.reset(seed=0)[0])
    action = agent.start(seen)
    for k in range(decisions):
        observation, reward, ended, _, _ = world.step(np.int64(action))
        cut = not ended and (k + 1) % cut_every == 0
        happened.append((reward + 0.5, ended or cut))
        ahead[k] = 0.0
        if ended:
            agent.end(3.0 * reward, 0.5)  # clipped to 1
        else:
            seen = agent.sees.active(observation)
            with torch.no_grad():
                ahead[k] = agent.algorithm.policy.predict_values(
                    torch.from_numpy(seen[None])
                ).item()
            action = agent.learn(seen, 3.0 * reward, 0.5)
        if ended or cut:
            agent.sees.reset()
            action = agent.start(agent.sees.active(world.reset()[0]))
    return happened, ahead
