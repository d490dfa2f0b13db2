"""Make docs/venture.gif: two trained agents play Venture side by side.

    python tools/side_by_side.py RUN_WITH_BONUS RUN_WITHOUT

Each plays an episode of its evaluation (it does not learn, ε = 0.01): of the first eleven the one
with the median score. What the picture is of is written to results/venture.json, from which
README's caption is made (`make results`).
"""

import io
import json
import sys
from collections.abc import Iterator
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from PIL import Image

from phieb.drawing import lit_screen
from phieb.drawing.text import BACK, INK, QUIET, write
from phieb.evaluation.frozen import Frozen, Moment, decisions, play_episode
from phieb.files import writing
from phieb.training import Run

ROOT = Path(__file__).parents[1]
PICTURE, FACTS = ROOT / "docs" / "venture.gif", ROOT / "results" / "venture.json"
SCREEN, GAP, HEAD, FOOT = (400, 300), 16, 34, 30  # pixels
EPISODES = 11
EVERY, PER_SECOND, MOST = 3, 12, 480  # decisions a picture; pictures a second, and in all
STAYS = 2_500  # milliseconds that the last picture is shown
MAX_BYTES = 2_000_000
COLOURS = 64


class Side(NamedTuple):
    """An agent and the episode that it plays."""

    name: str
    frames: int
    seed: int
    version: str
    scores: list[float]
    moments: list[Moment]

    def drawn(self, moment: Moment) -> Image.Image:
        """Its name, the screen, and score and frames of the episode."""
        picture = Image.new("RGB", (SCREEN[0], HEAD + SCREEN[1] + FOOT), BACK)
        write(picture, (0, 24), self.name, 20, bold=True)
        trained = f"{self.frames / 1e6:.3g} M frames of training"
        write(picture, (SCREEN[0], 24), trained, 15, ink=QUIET, right=True)
        picture.paste(lit_screen(moment.observation, size=SCREEN), (0, HEAD))
        over = ", over" if moment is self.moments[-1] else ""
        base = HEAD + SCREEN[1] + 23
        write(picture, (0, base), f"score {moment.score:,.0f}", 20, bold=True, ink=INK)
        said = f"{moment.frames:,} frames of this episode{over}"
        write(picture, (SCREEN[0], base), said, 15, ink=QUIET, right=True)
        return picture


def side_of(folder: Path) -> Side:
    """The agent in the folder of a run."""
    run = Run(folder)
    frozen = Frozen.of_run(run)
    scores = [play_episode(frozen, "behaviour", k).score for k in range(EPISODES)]
    shown = scores.index(sorted(scores)[EPISODES // 2])
    moments = list(decisions(frozen, "behaviour", shown))
    config, version = frozen.config, run.versions()["phieb"]
    return Side(config.label, frozen.frames, config.seed, version, scores, moments)


def pictures(sides: list[Side]) -> Iterator[Image.Image]:
    """Both agents side by side; one whose episode is over waits for the other."""
    every = [[*side.moments[:-1:EVERY], side.moments[-1]] for side in sides]
    for both in zip_longest(*every):
        shown = [one or side.moments[-1] for one, side in zip(both, sides, strict=True)]
        drawn = [side.drawn(one) for side, one in zip(sides, shown, strict=True)]
        whole = Image.new("RGB", (2 * SCREEN[0] + 3 * GAP, drawn[0].height), BACK)
        for number, one in enumerate(drawn):
            whole.paste(one, (GAP + number * (SCREEN[0] + GAP), 0))
        yield whole


def gif_of(shown: list[Image.Image]) -> bytes:
    """An animated picture that starts anew for ever; all pictures have the same few colours."""
    sample = Image.fromarray(np.concatenate([np.asarray(one) for one in shown[:: len(shown) // 8]]))
    palette = sample.quantize(COLOURS)
    few = [one.quantize(palette=palette, dither=Image.Dither.NONE) for one in shown]
    times = [1_000 // PER_SECOND] * (len(few) - 1) + [STAYS]
    file = io.BytesIO()
    few[0].save(file, "GIF", save_all=True, append_images=few[1:], duration=times, loop=0)
    return file.getvalue()


def main(with_bonus: str, without: str) -> None:
    """Draw the picture and write what it is of."""
    sides = [side_of(Path(without)), side_of(Path(with_bonus))]
    shown = list(islice(pictures(sides), MOST))
    made = gif_of(shown)
    if len(made) > MAX_BYTES:
        raise SystemExit(f"{len(made):,} bytes, more than {MAX_BYTES:,}: lower MOST")
    writing.write(PICTURE, made)
    speed = EVERY * PER_SECOND / 12  # the game has 12 decisions a second
    cut = len(shown) == MOST
    facts = {"speed": speed, "cut": cut, "agents": [_facts(side) for side in sides]}
    writing.write(FACTS, json.dumps(facts, indent=1, ensure_ascii=False) + "\n")
    print(f"{PICTURE}: {len(made):,} bytes, {len(shown)} pictures")


def _facts(side: Side) -> dict[str, Any]:
    return {
        "agent": side.name,
        "seed": side.seed,
        "version": side.version,
        "frames": side.frames,
        "scores": side.scores,
        "score": side.moments[-1].score,
        "shown_frames": side.moments[: EVERY * MOST][-1].frames,
        "shown_score": side.moments[: EVERY * MOST][-1].score,
    }


if __name__ == "__main__":
    main(*sys.argv[1:])
