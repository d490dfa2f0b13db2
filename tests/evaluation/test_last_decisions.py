"""The last decisions before a checkpoint are those that were made, and only looked at."""

import hashlib
from pathlib import Path

import numpy as np
import pytest

from phieb.evaluation.last_decisions import last_decisions
from phieb.files.errors import RunError
from phieb.novelty.around import visits_of
from phieb.training import Run, preset, train
from phieb.training.training import Training
from phieb.worlds import Atari


def digests(folder: Path) -> dict[str, str]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def restored(run: Run) -> Training:
    """The training, as `phieb resume` has it."""
    training, newest = Training(run.config()), run.newest(print)
    assert newest is not None
    training.restore(newest[0])
    return training


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("runs") / "m"
    config = preset("default", "montezuma_revenge", frames=4_000, max_frames=1_500, seed=1)
    return train(config, folder)


def test_the_last_one_is_where_the_checkpoint_is(run: Run) -> None:
    before, training = digests(run.path), restored(run)
    found = last_decisions(run, 20, print)
    assert found is not None
    moments = list(found.moments)
    assert len(moments) == 20
    assert found.frames == training.frames
    assert found.score == training.sums["score"]
    assert isinstance(training.world, Atari)
    assert np.array_equal(moments[-1].observation, training.world.screen)
    assert [one.frames for one in moments] == list(
        range(training.world.frames - 95, training.world.frames + 1, 5)
    )
    assert all(one.room == 1 for one in moments)
    counts = visits_of(training.learner.bonus)
    assert counts is not None
    on = np.sort(counts.active_set.active_ids())
    last = moments[-1].sighting
    assert last is not None
    assert last.t == counts.t - 1
    assert {one.feature for one in last.novel} <= set(on.tolist())
    for novel in last.novel:  # this observation is counted, and is left out
        assert novel.seen == counts.counts_of([novel.feature])[0] - 1
    assert digests(run.path) == before


def test_the_bonus_is_that_of_the_saved_counts(run: Run) -> None:
    found = last_decisions(run, 3, print)
    assert found is not None
    bonus = restored(run).learner.bonus
    assert bonus is not None
    for one in found.moments:
        assert one.novelty is not None
        assert one.novelty[1] > 0
    counts = visits_of(bonus)
    assert counts is not None
    assert one.novelty == bonus.peek(counts.active_set.active_ids())


def test_no_more_than_there_were_in_the_episode(run: Run) -> None:
    found = last_decisions(run, 10**6, print)
    assert found is not None
    moments = list(found.moments)
    training = restored(run)
    assert len(moments) == int(training.sums["decisions"]) + moments[0].frames // 5 - 1 or moments
    assert moments[0].frames < moments[-1].frames == training.world.frames


def test_without_a_bonus_nothing_is_new(tmp_path: Path) -> None:
    run = train(preset("default", "venture", bonus="none", frames=600, max_frames=300), tmp_path)
    found = last_decisions(run, 2, print)
    assert found is not None
    for one in found.moments:
        assert (one.sighting, one.novelty) == (None, None)


def test_an_environment_is_at_the_start_of_an_episode(tmp_path: Path) -> None:
    config = preset("default", "phieb/DeepSea-v0", frames=60, env_args={"size": 5})
    found = last_decisions(train(config, tmp_path), 9, print)
    assert found is not None
    (one,) = found.moments
    assert one.frames == 0
    assert one.sighting is not None
    assert one.sighting.novel[0].words


def test_no_checkpoint_yet_and_other_versions(run: Run, tmp_path: Path) -> None:
    empty = Run(tmp_path / "new")
    empty.create(run.config())
    assert last_decisions(empty, 5, print) is None
    other = Run(tmp_path / "other")
    other.create(preset("default", "venture"))
    other.log_file.write_bytes(run.log_file.read_bytes())
    other.checkpoints.symlink_to(run.checkpoints)
    with pytest.raises(RunError, match="symbolic link"):
        last_decisions(other, 5, print)
