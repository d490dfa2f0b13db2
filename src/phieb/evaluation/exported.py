"""From a run to a policy that can be saved as a file, and from a policy to what plays."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from phieb import arguments
from phieb.drawing.playing import Now
from phieb.evaluation.frozen import EPSILON, Frozen, Moment, saved
from phieb.evaluation.held_checkpoint import Held
from phieb.evaluation.policy import (
    DTYPES,
    SCHEMA,
    Facts,
    Policy,
    Scores,
    check_licence,
    policy_bytes,
)
from phieb.evaluation.record import LEARNER, evaluation_of
from phieb.features import FeatureMap, Tiles
from phieb.features.ranges import Ranges
from phieb.files.errors import DamagedError, RunError
from phieb.learning import EpsilonGreedy
from phieb.learning.agent import LinearAgent, Weights
from phieb.novelty import PhiBonus
from phieb.sparse.rows import Rows
from phieb.training.config import Config
from phieb.training.given import NOTHING
from phieb.training.parts import new_features, new_world
from phieb.training.run_folder import Run
from phieb.training.training import seeds_of
from phieb.worlds.names import GIVEN

MEGABYTE = 10**6
LAST = 100  # episodes that a training score is the mean of
_LARGEST = {"half": 1.0, "byte": 127.0}  # weight of a feature, as it is stored
# Settings that decide how a game is played; all others are of learning. A later version that adds
# one must change `policy.SCHEMA`: an earlier phieb would play another game without a word.
PLAYED = (
    *("game", "env_args", "features", "seed", "sticky", "frame_skip"),
    *("max_frames", "cap", "noops", "actions", "screen"),
)


class Exported:
    """The agent of a policy: it plays as its run would, as far as the weights are the same.

    Args:
        policy: from `phieb.evaluation.policy.read_policy`.
        imports: whether to import the modules that the policy names (`package.module:Name`).

    Raises:
        RunError: its game or its feature map cannot be made, or is in a module that is not to be
            imported.
    """

    given = NOTHING
    epsilon = EPSILON

    def __init__(self, policy: Policy, *, imports: bool = False) -> None:
        self.name, self._value = policy.name, policy.facts["value"]
        self.label, self.frames = policy.facts["agent"], policy.facts["frames"]
        settings = policy.facts["settings"]
        played: dict[str, Any] = {name: settings[name] for name in PLAYED if name in settings}
        named = [f"{one}" for one in played.values() if isinstance(one, str) and ":" in one]
        if named and not imports:
            said = f"is played with code of {' and '.join(named)}, which it may not import"
            raise RunError(f"{policy.name}: {said}; if you trust that code, allow it (--imports)")
        try:
            self.config = Config(**played, bonus="none")
            self.features = _features(self.config, policy)
        except (TypeError, ValueError) as error:
            raise RunError(f"{policy.name}: {error}") from None
        self._rows = Rows()
        self._rows.of(policy.ids)
        self._weights = policy.weights.astype(np.float32) * policy.scale

    def q(self, active: NDArray[np.int64], kind: str) -> NDArray[np.float64]:
        """(action,): the values of the policy; a feature that is not in the file counts 0."""
        found: NDArray[np.float64]
        found = self._weights[self._rows.known(active)].sum(axis=0, dtype=np.float64)
        return found

    def start(self) -> None:
        """An episode starts."""
        self.features.reset()

    def choose(
        self, observation: Any, active: NDArray[np.int64], kind: str, policy: EpsilonGreedy
    ) -> int:
        """The number of an action."""
        return policy.choose(self.q(active, kind))

    def kinds(self) -> list[str]:
        """The one value that it acts on."""
        return [self._value]

    def now(self, moment: Moment, most: int) -> Now:
        """What a picture shows of a moment; the file has no counts, so nothing is new or known."""
        observation, active, score, frames, picture, room = moment
        return Now(observation, active, score, frames, picture, None, None, room)


def policy_of(
    run: Run,
    *,
    checkpoint: int | None = None,
    precision: Literal["single", "half", "byte"] = "single",
    megabytes: float | None = None,
    licence: str = "",
    warn: Callable[[str], None] = print,
) -> Policy:
    """The policy that a run has learnt: the value that the run is judged by (`evaluate_on`).

    Args:
        run: the run.
        checkpoint: its frames; by default the newest that is whole.
        precision: of a weight: 4 bytes, 2 or 1, multiplied by a factor for each feature.
        megabytes: the largest file; the features that matter least are left out until it fits.
        licence: what the weights may be used under, such as "MIT".
        warn: told of damaged checkpoints, and of one of other versions.

    Raises:
        RunError: the run has no policy that can be exported.
    """
    arguments.one_of("precision", precision, tuple(DTYPES))
    check_licence("licence", licence)
    config, held = saved(run, checkpoint, warn)
    if GIVEN in (config.game, config.features):
        part = "the environment" if config.game == GIVEN else "the features"
        said = f"{part} of the run was given from Python and has no name; a file needs one"
        raise RunError(f"{run.path}: {said}")
    frozen = Frozen(config, held)
    if not isinstance(frozen.agent, LinearAgent):
        said = f"an agent with linear values can be exported, not {config.agent}"
        raise RunError(f"{run.path}: {said}")
    kind = config.evaluate_on if len(frozen.kinds()) > 1 else "behaviour"
    weights = frozen.agent.weights()
    facts = _facts(run, config, held, kind, len(weights.ids))
    facts |= {"licence": licence, "precision": precision}
    policy = _stored(facts, weights, kind, _ranges(frozen.features))
    if megabytes is None:
        return policy
    try:
        return fitted(policy, int(megabytes * MEGABYTE), _how_often(frozen, policy.ids))
    except ValueError as error:
        raise RunError(f"{run.path}: {error}") from None


def fitted(policy: Policy, num_bytes: int, how_often: NDArray[np.float64]) -> Policy:
    """A policy whose file has at most so many bytes.

    The features that matter least are left out. A feature matters as much as its weights differ
    between the actions (what all actions have in common changes no decision), times how often it
    is active.

    Args:
        policy: with all features.
        num_bytes: the largest file.
        how_often: (n,), for each feature of the policy.

    Raises:
        ValueError: not even one feature fits.
    """
    size = len(policy_bytes(policy))
    if size <= num_bytes:
        return policy
    spread = np.ptp(policy.weights.astype(np.float32), axis=1) * policy.scale[:, 0]
    order = np.argsort(-spread * how_often, kind="stable")
    none = _part(policy, order[:0])
    each = (size - len(policy_bytes(none))) / order.size
    num_kept = order.size - int(np.ceil((size - num_bytes) / each)) - 8  # the header may grow
    if num_kept < 1:
        least = size - (order.size - 9) * each
        raise ValueError(f"a file of this policy has at least {least:,.0f} bytes")
    return _part(policy, order[:num_kept])


def _part(policy: Policy, places: NDArray[np.int64]) -> Policy:
    """The same with some of its features."""
    kept = np.sort(places)
    return policy._replace(
        facts={**policy.facts, "kept": kept.size},
        ids=policy.ids[kept],
        weights=policy.weights[kept],
        scale=policy.scale[kept],
    )


def _how_often(frozen: Frozen, ids: NDArray[np.int64]) -> NDArray[np.float64]:
    """How often each of these features was active in training; 1 where that was not counted."""
    bonus = frozen.training.learner.bonus
    if not isinstance(bonus, PhiBonus):
        return np.ones(ids.size)
    counts = bonus.density.state()
    order = np.argsort(counts["ids"])
    found: NDArray[np.float64] = counts["counts"][order].astype(np.float64)
    return found if np.array_equal(counts["ids"][order], ids) else np.ones(ids.size)


def _stored(facts: Facts, weights: Weights, kind: str, ranges: NDArray[np.float64]) -> Policy:
    """Weights in the order of their features, in the precision of the file.

    With 16 or 8 bits those of a feature are divided by the largest of them.
    """
    order = np.argsort(weights.ids)
    found = (weights.extrinsic if kind == "extrinsic" else weights.behaviour)[order]
    scale = np.ones((order.size, 1))
    if facts["precision"] != "single":
        largest = np.abs(found).max(axis=1, keepdims=True, initial=0.0)
        scale = np.where(largest > 0, largest, 1.0) / _LARGEST[facts["precision"]]
        found = found / scale
    dtype = DTYPES[facts["precision"]]
    stored = (np.rint(found) if dtype is np.int8 else found).astype(dtype)
    name = f"{facts['settings']['game']} after {facts['frames']:,}"
    return Policy(name, facts, weights.ids[order], stored, scale.astype(np.float32), ranges)


def _facts(run: Run, config: Config, held: Held, kind: str, num_features: int) -> Facts:
    """What is known of the agent of a checkpoint."""
    facts: Any = {
        "schema": SCHEMA,
        "agent": config.label,
        "settings": asdict(config),
        "versions": held.facts["versions"],
        "frames": held.frames,
        "learner": held.facts["files"][LEARNER]["sha256"],
        "value": kind,
        "precision": "single",
        "observed": num_features,
        "kept": num_features,
        "epsilon": EPSILON,
        "licence": "",
    }
    last = [line["score"] for line in run.episodes() if line["frames"] <= held.frames][-LAST:]
    if last:
        facts["training"] = {"episodes": len(last), "mean": sum(last) / len(last)}
    try:
        evaluation = evaluation_of(run, held.path.name)
    except DamagedError:
        evaluation = None
    if evaluation is not None and kind in evaluation:
        facts["evaluation"] = scores_of(evaluation[kind])
    found: Facts = facts
    return found


def scores_of(one: dict[str, Any]) -> Scores:
    """The scores of an evaluation, without those of its episodes."""
    return {"episodes": len(one["scores"]), "mean": one["mean"], "interval": one["interval"]}


def _features(config: Config, policy: Policy) -> FeatureMap:
    """The feature map of a policy.

    Raises:
        ValueError: the policy is of another number of actions than its game has.
    """
    world = new_world(config, 0)
    actions = int(world.action_space.n)
    if policy.weights.shape[1] != actions:
        there = f"{policy.weights.shape[1]} actions, {config.game} has {actions}"
        raise ValueError(f"is of a game with {there}")
    ranges = Ranges(*policy.ranges) if policy.ranges.size else None
    return new_features(config, world, seeds_of(config)[1], ranges)


def _ranges(features: FeatureMap) -> NDArray[np.float64]:
    """Where tiles lie: they may have been learnt from random play."""
    if isinstance(features, Tiles):
        return np.stack([features.low, features.high]).astype(np.float64)
    return np.zeros((2, 0))
