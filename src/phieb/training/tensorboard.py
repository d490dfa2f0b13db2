"""Scalars for TensorBoard, beside the log (an extra: `pip install "phieb[tensorboard]"`)."""

import os
from pathlib import Path
from time import time
from typing import Any

from phieb.files import writing
from phieb.training.loop import Watch
from phieb.training.training import Training

SCALARS = ("score", "bonus", "pseudocount", "active", "observed", "length", "frames_per_second")


class WithTensorBoard:
    """Writes what another watch is shown of each episode, at the frame where it ended.

    Args:
        watch: is told everything too.
        out: the run's folder; events go to its folder "tensorboard".
    """

    def __init__(self, watch: Watch, out: str | os.PathLike[str]) -> None:
        self._watch, self._folder = watch, Path(out) / "tensorboard"
        self.decision, self.warn = watch.decision, watch.warn

    def begin(self, training: Training, episodes: list[dict[str, Any]]) -> None:
        """The run starts or goes on."""
        from tensorboard.summary.writer.event_file_writer import EventFileWriter

        writing.make_folder(self._folder, within=self._folder.parent)  # it follows links
        self._writer = EventFileWriter(str(self._folder))
        self._watch.begin(training, episodes)

    def episode(self, line: dict[str, Any]) -> None:
        """An episode is over."""
        from tensorboard.compat.proto.event_pb2 import Event
        from tensorboard.compat.proto.summary_pb2 import Summary

        values = [Summary.Value(tag=name, simple_value=line[name]) for name in SCALARS]
        summary = Summary(value=values)
        self._writer.add_event(Event(wall_time=time(), step=line["frames"], summary=summary))
        self._writer.flush()
        self._watch.episode(line)
