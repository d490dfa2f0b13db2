"""The screen of a run as its newest checkpoint has it: its last decisions, lit by novelty."""

import base64
import io
from itertools import islice
from typing import Any

from PIL import Image

from phieb.drawing import lit_screen
from phieb.drawing.playing import Now, fitting
from phieb.evaluation.last_decisions import last_decisions
from phieb.files.errors import RunError
from phieb.training import Run

DECISIONS = 96  # eight seconds of a game
SIZE = (320, 240)


def look(run: Run) -> dict[str, Any]:
    """The last decisions before the newest checkpoint, or why they cannot be shown; as JSON.

    Args:
        run: the run, which is only read.
    """
    try:
        last = last_decisions(run, DECISIONS, lambda text: None)
        if last is None:
            return {"problem": "no checkpoint yet"}
        moments = [_shown(now) for now in islice(last.moments, DECISIONS + 1)]
    except RunError as error:
        return {"problem": str(error)}
    except Exception as error:  # whatever an environment or a map of the user's raises
        said = str(error).partition("\n")[0]
        return {"problem": f"{type(error).__name__}: {said}" if said else type(error).__name__}
    return {"frames": last.frames, "score": last.score, "moments": moments}


def _shown(now: Now) -> dict[str, Any]:
    novel = () if now.sighting is None else now.sighting.novel
    count, bonus = (None, None) if now.novelty is None else now.novelty
    return {
        "picture": _picture(now),
        "frames": now.frames,
        "room": now.room,
        "bonus": None if bonus is None else float(f"{bonus:.4g}"),
        "pseudocount": None if count is None else float(f"{min(count, 1e18):.4g}"),
        "new": [[one.words or f"feature {one.feature:,}", one.times] for one in novel],
    }


def _picture(now: Now) -> str | None:
    """As a data URL; None for an environment that renders none."""
    is_screen = getattr(now.observation, "dtype", None) == "uint8" and now.observation.ndim == 2
    if now.rendered is not None:
        drawn = fitting(now.rendered, SIZE)
    elif is_screen:
        drawn = lit_screen(now.observation, now.sighting, SIZE)
    else:
        return None
    return "data:image/png;base64," + base64.b64encode(_png(drawn)).decode()


def _png(drawn: Image.Image) -> bytes:
    file = io.BytesIO()
    drawn.save(file, "PNG", compress_level=1)
    return file.getvalue()
