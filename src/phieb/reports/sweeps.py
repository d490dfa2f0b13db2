"""Scores against β, of agents that have runs with several values: numbers and a figure."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.figure import Figure

from phieb.reports.colours import colour_of
from phieb.reports.curves import GroupCurves
from phieb.worlds.games import title_of


class Sweep(NamedTuple):
    """Scores of an agent against β, after as many frames as all its trials have.

    Attributes:
        game: the game.
        label: of the agent, without β.
        frames: the number of frames, with its unit.
        points: each β with the scores of its trials, in order.
    """

    game: str
    label: str
    frames: str
    points: list[tuple[float, list[float]]]

    @property
    def places(self) -> list[float]:
        """Where the values of β are on an axis: by their logarithms, evenly where one is 0."""
        betas = [beta for beta, _ in self.points]
        return [float(x) for x in (np.log(betas) if min(betas) > 0 else range(len(betas)))]


def sweeps(groups: Sequence[GroupCurves]) -> list[Sweep]:
    """All that there are of a game."""
    found = dict[str, dict[float, GroupCurves]]()
    for group in groups:
        beta = group.trials[0].row["beta"]
        if beta:
            said = f"β = {float(beta):g}"
            name = group.label.replace(f" ({said})", "").replace(f"{said}, ", "")
            found.setdefault(name, {})[float(beta)] = group
    made = []
    for name, by_beta in found.items():
        frames = min(trial.reached for group in by_beta.values() for trial in group.trials)
        points = [(beta, by_beta[beta].known_at(frames)) for beta in sorted(by_beta)]
        if len(points) > 1:
            one = by_beta[points[0][0]]
            made.append(Sweep(one.game, name, f"{frames:,} {one.unit}", points))
    return made


def figure(found: Sequence[Sweep]) -> Figure:
    """A panel for each: a dot for each trial, and the line of the means."""
    drawn = Figure(figsize=(4.4 * len(found), 3.4), layout="constrained")
    for one, axes in zip(found, drawn.subplots(1, len(found), squeeze=False)[0], strict=True):
        _draw(axes, one)
    drawn.supxlabel(
        "scores of the game without bonus; dots: trials, line: their mean", size="small"
    )
    return drawn


def _draw(axes: Any, one: Sweep) -> None:
    colour = colour_of(one.label)
    for place, (_, scores) in zip(one.places, one.points, strict=True):
        axes.plot([place] * len(scores), scores, "o", color=colour, alpha=0.5)
    means = [np.mean(scores) if scores else np.nan for _, scores in one.points]
    axes.plot(one.places, means, color=colour)
    axes.set_xticks(one.places, [f"{beta:g}" for beta, _ in one.points])
    axes.set_title(f"{title_of(one.game)}: {one.label}\nafter {one.frames}", fontsize="medium")
    axes.set(xlabel="β", ylabel="score")
    axes.spines[["right", "top"]].set_visible(False)
    axes.grid(alpha=0.25)
