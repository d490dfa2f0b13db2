"""Scalars for TensorBoard, in addition to the log (`pip install "phieb[tensorboard]"`)."""

import os
from pathlib import Path
from time import time
from typing import Any

from phieb.training.loop import Watch
from phieb.training.training import Training

SCALARS = ("score", "bonus", "pseudocount", "active", "observed", "length", "frames_per_second")


class WithTensorBoard:
    """A `Watch` that writes the scalars of each episode, and passes all calls on to another.

    Args:
        watch: the other one.
        out: the folder of the run; events go to its subfolder "tensorboard".
    """

    def __init__(self, watch: Watch, out: str | os.PathLike[str]) -> None:
        self._watch, self._folder = watch, Path(out) / "tensorboard"
        self.decision, self.warn = watch.decision, watch.warn

    def begin(self, training: Training, episodes: list[dict[str, Any]]) -> None:
        """Open the event file."""
        from tensorboard.summary.writer.event_file_writer import EventFileWriter

        self._writer = EventFileWriter(str(self._folder))
        self._watch.begin(training, episodes)

    def episode(self, line: dict[str, Any]) -> None:
        """Write the scalars of an episode, at the frame at which it ended."""
        from tensorboard.compat.proto.event_pb2 import Event
        from tensorboard.compat.proto.summary_pb2 import Summary

        values = [Summary.Value(tag=name, simple_value=line[name]) for name in SCALARS]
        summary = Summary(value=values)
        self._writer.add_event(Event(wall_time=time(), step=line["frames"], summary=summary))
        self._writer.flush()
        self._watch.episode(line)
