"""evaluation.json: what came of an evaluation, and whether what it says can be believed."""

from pathlib import Path
from statistics import fmean
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from phieb.files import reading, writing
from phieb.files.errors import DamagedError, MissingError, RunError
from phieb.files.records import Count, Number, Range, Sha256, Text, Versions
from phieb.training import checkpoint
from phieb.training.run_folder import Run

LEARNER = "learner.safetensors"  # of the files of a checkpoint, the one that is evaluated
NUM_BYTES = 50  # of an episode in the file, at most


class Identity(TypedDict):
    """Which checkpoint was evaluated.

    Two identical runs differ in the digest alone: the manifest covers the log, and so the speeds
    in it; the learner depends on no clock.
    """

    name: Annotated[str, Text(rf"[0-9]{{1,{checkpoint.DIGITS}}}")]
    digest: Sha256
    learner: Sha256


class Scores(TypedDict):
    """What came of the episodes that acted on one value."""

    mean: Number
    interval: list[Number]
    scores: list[Number]
    frames: list[Count]


class Evaluation(TypedDict):
    """All of it; files of 0.5.0 have no versions and no digest."""

    frames: Count
    checkpoint: Identity
    epsilon: Annotated[float, Range(0, 1)]
    evaluate_on: Literal["behaviour", "extrinsic"]
    versions: NotRequired[Versions]  # that it was evaluated with
    behaviour: NotRequired[Scores]
    extrinsic: NotRequired[Scores]
    digest: NotRequired[Sha256]


def read_evaluation(run: Run) -> dict[str, Any] | None:
    """What `evaluate` wrote, or None if it never did.

    Raises:
        DamagedError: it is not what was written, or says something else than its scores, or is of
            another checkpoint than the run has.
    """
    return _read(run, run.evaluation_file)


def evaluation_of(run: Run, name: str) -> dict[str, Any] | None:
    """What `evaluate` wrote of a checkpoint, or None if it was never evaluated."""
    return _read(run, run.evaluations / f"{name}.json")


def write_evaluation(run: Run, results: dict[str, Any]) -> None:
    """Write it to evaluation.json, and once more under the name of its checkpoint.

    Raises:
        RunError: it cannot be written.
    """
    # One a checkpoint as well: a run that is extended is evaluated again.
    results["digest"] = checkpoint.digest_of(results)
    for path in _files(run, results["checkpoint"]["name"]):
        run.write_json(path, results)


def check_writable(run: Run, name: str, episodes: int) -> None:
    """Find out whether an evaluation of a checkpoint with so many episodes could be written.

    Raises:
        RunError: it could not.
    """
    try:
        writing.make_folder(run.evaluations, within=run.path)
        for path in _files(run, name):
            writing.check_writable(path, 1_000 + NUM_BYTES * episodes, within=run.path)
    except OSError as error:
        raise RunError(f"{error.filename}: {error.strerror}") from None


def num_kept(run: Run, name: str) -> int:
    """How many episodes of a checkpoint are written already, with each value."""
    found = []
    for path in _files(run, name):
        try:
            found.append(_read(run, path))
        except DamagedError:
            continue
    mine = [one for one in found if one is not None and one["checkpoint"]["name"] == name]
    return max((_num_episodes(one) for one in mine), default=0)


def _num_episodes(results: dict[str, Any]) -> int:
    return len(results[results["evaluate_on"]]["scores"])


def _files(run: Run, name: str) -> list[Path]:
    return [run.evaluations / f"{name}.json", run.evaluation_file]


def _read(run: Run, path: Path) -> dict[str, Any] | None:
    try:
        found = reading.read_record(Evaluation, path, reading.EVALUATION, within=run.path)
    except MissingError:
        return None
    wrong = _problem(found) or _problem_of_identity(run, found)
    if wrong:
        raise DamagedError(f"{path}: {wrong}")
    return dict(found)


def _problem(found: Evaluation) -> str:
    """What is wrong with what a record says, seen from what else it says."""
    if "digest" in found and found["digest"] != checkpoint.digest_of(found):
        return "not what was written"
    if int(found["checkpoint"]["name"]) != found["frames"]:
        return "is of another checkpoint than it says"
    if found["evaluate_on"] not in found:
        return f"{found['evaluate_on']} is missing"
    for kind in ("behaviour", "extrinsic"):
        if kind in found and not _adds_up(found[kind]):
            return f"{kind}: the mean or the interval is not that of the scores"
    return ""


def _adds_up(one: Scores) -> bool:
    """Whether the mean is that of the scores, and the interval among them."""
    scores, interval = one["scores"], one["interval"]
    if not scores or len(scores) != len(one["frames"]) or len(interval) != 2:
        return False
    mean, (low, high) = fmean(scores), interval
    least, most = min(scores), max(scores)
    slack = 1e-9 * (1.0 + max(abs(least), abs(most)))  # for rounding
    near = abs(one["mean"] - mean) <= slack
    return near and least - slack <= low <= high <= most + slack


def _problem_of_identity(run: Run, found: Evaluation) -> str:
    """A checkpoint that is still there must be the one that was evaluated."""
    name = found["checkpoint"]["name"]
    try:
        facts = checkpoint.read_facts(run.checkpoints / name)
    except DamagedError:  # long deleted; or it is said elsewhere
        return ""
    learner = facts["files"].get(LEARNER)
    same = learner is not None and learner["sha256"] == found["checkpoint"]["learner"]
    return "" if same else f"is of another checkpoint {name} than the run has"
