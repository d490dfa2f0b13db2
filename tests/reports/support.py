"""Runs as files, made by hand: real folders, known scores."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from phieb.training import Run, preset


def write_run(
    path: Path,
    scores: Sequence[float],
    *,
    game: str = "venture",
    length: int = 1_000,
    rooms: Sequence[dict[str, int]] | None = None,
    evaluated: Sequence[float] | None = None,
    **settings: Any,
) -> Run:
    """A run of episodes of one length, with these scores."""
    frames = length * len(scores)
    run = Run(path)
    run.create(preset("default", game, **{"frames": frames, **settings}))
    lines = []
    for k, score in enumerate(scores, start=1):
        line = dict.fromkeys(("bonus", "pseudocount", "active", "observed"), 1.0)
        line |= {"episode": k, "frames": k * length, "decisions": k * length // 5}
        line |= {"score": score, "length": length, "frames_per_second": 8_000.0}
        lines.append({**line, "rooms": rooms[k - 1]} if rooms else line)
    run.log_file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    if evaluated is not None:
        mean = sum(evaluated) / len(evaluated)
        one = {
            "mean": mean,
            "interval": [min(evaluated), max(evaluated)],
            "scores": list(evaluated),
            "frames": [length] * len(evaluated),
        }
        found = evaluation(frames, one)
        run.evaluation_file.write_text(json.dumps(found))
    return run


def evaluation(frames: int, behaviour: dict[str, Any]) -> dict[str, Any]:
    """An evaluation of some checkpoint after so many frames."""
    known = {"name": f"{frames:012d}", "digest": "0a" * 32, "learner": "1b" * 32}
    told = {"frames": frames, "checkpoint": known, "epsilon": 0.01, "evaluate_on": "behaviour"}
    return {**told, "behaviour": behaviour}
