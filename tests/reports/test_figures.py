"""What must be seen in figures: curves at 0, names that do not overlap, one colour for an agent."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.text import Text

from phieb.novelty import BONUSES
from phieb.reports import rooms
from phieb.reports.colours import OF_BONUS, colour_of
from phieb.reports.curves import GroupCurves, group_curves
from phieb.reports.end_labels import spread
from phieb.reports.figure_1 import our_form, paper_form
from phieb.reports.groups import read_runs
from phieb.training.config import label
from tests.reports.support import write_run

Form = Callable[[Sequence[GroupCurves]], Figure]
FORMS = [our_form, paper_form]


def groups_in(folder: Path) -> list[GroupCurves]:
    return [group_curves(group) for group in read_runs(folder).groups]


def pixels_of(figure: Figure, axes: Axes, colour: str) -> int:
    """How many pixels inside the axes, above the line at their bottom, have this colour."""
    figure.set_dpi(300)
    canvas: Any = FigureCanvasAgg(figure)
    canvas.draw()
    picture = np.asarray(canvas.buffer_rgba())[::-1, :, :3].astype(int)
    box = axes.get_window_extent()
    inside = picture[int(box.y0) + 2 : int(box.y1), int(box.x0) + 2 : int(box.x1)]
    wanted = np.round(np.array(to_rgb(colour)) * 255).astype(int)
    return int((np.abs(inside - wanted).max(axis=2) <= 2).sum())


def texts_of(axes: Axes) -> list[Text]:
    """Titles, labels, names and the tick labels inside the limits."""
    found = [axes.title, axes.xaxis.label, axes.yaxis.label, *axes.texts]
    for axis in (axes.xaxis, axes.yaxis) if axes.axison else ():
        low, high = sorted(axis.get_view_interval())
        ticks = [tick for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high]
        found += [tick.label1 if tick.label1.get_visible() else tick.label2 for tick in ticks]
    children = [one for one in axes.child_axes if isinstance(one, Axes)]
    return found + [text for child in children for text in texts_of(child)]


def overlapping(figure: Figure) -> list[tuple[str, str]]:
    """Pairs of texts in the figure whose boxes overlap."""
    figure.draw_without_rendering()
    shown = [*figure.texts, *(text for part in figure.subfigs for text in part.texts)]
    for axes in figure.axes:
        shown += texts_of(axes) if axes.get_visible() else []
    shown = [one for one in shown if one.get_visible() and one.get_text()]
    boxes = [(one.get_text(), Text.get_window_extent(one)) for one in shown]
    assert len(boxes) > 10
    return [(a, b) for (a, one), (b, two) in combinations(boxes, 2) if one.overlaps(two)]


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> list[GroupCurves]:
    """Two games; in Venture two agents never score, three end at the same score."""
    folder = tmp_path_factory.mktemp("few")
    for seed in (1, 2):
        write_run(folder / f"p{seed}", [0.0] * 60, length=100_000, seed=seed)
        write_run(folder / f"e{seed}", [0.0] * 60, length=100_000, seed=seed, bonus="none")
    write_run(folder / "c", [500.0] * 60, length=100_000, bonus="count")
    write_run(folder / "b", [500.0] * 60, length=100_000, beta=0.035)
    seen = [{"1": 5, str(k % 5): 1} for k in range(60)]
    for bonus in ("phi", "none"):
        settings = {"length": 100_000, "bonus": bonus, "game": "montezuma_revenge"}
        write_run(folder / f"m-{bonus}", [100.0] * 60, rooms=seen, **settings)  # type: ignore[arg-type]
    return groups_in(folder)


@pytest.mark.parametrize("form", FORMS)
def test_every_curve_is_seen_also_two_at_0(few: list[GroupCurves], form: Form) -> None:
    figure = form(few)
    venture, montezuma = (axes for axes in figure.axes if axes.get_title())
    for axes, game in ((venture, "venture"), (montezuma, "montezuma_revenge")):
        assert axes.get_ylim()[0] < 0
        wide = axes.get_window_extent().width
        for group in few:
            if group.game == game:
                assert pixels_of(figure, axes, colour_of(group.label)) > 0.8 * wide, group.label


@pytest.mark.parametrize("form", FORMS)
def test_curves_are_named_and_no_texts_overlap(few: list[GroupCurves], form: Form) -> None:
    figure = form(few)
    texts = [text.get_text() for text in figure.findobj(Text)]
    for group in few:
        name = group.label.replace(" (", "\n(")
        assert any(text.startswith(f"{name}\n") for text in texts), group.label
    assert overlapping(figure) == []
    assert all(axes.get_legend() is None for axes in figure.axes)


def test_the_points_of_the_paper_are_inside_with_their_range(few: list[GroupCurves]) -> None:
    figure = our_form(few)
    (venture, *_) = figure.axes
    bars: list[Any] = list(venture.containers)
    (bar,) = bars
    (segment,) = bar.lines[2][0].get_segments()
    assert segment.tolist() == [[5e6, 150.0], [5e6, 200.0]]
    low, high = venture.get_ylim()
    assert low < 150
    assert high > 200
    assert "read off the paper's Figure 1" in figure.get_supxlabel()


def test_the_caption_describes_what_is_there(tmp_path: Path) -> None:
    write_run(tmp_path / "a", [1.0] * 5)
    alone = our_form(groups_in(tmp_path)).get_supxlabel().replace("\n", " ")
    assert "one trial: its curve, no band" in alone
    assert "bootstrap" not in alone
    assert "paper" not in alone
    write_run(tmp_path / "b", [2.0] * 5, seed=2)
    both = our_form(groups_in(tmp_path)).get_supxlabel().replace("\n", " ")
    assert "bootstrap band" in both
    assert "one trial" not in both


def test_many_agents_have_a_panel_each(tmp_path: Path) -> None:
    for bonus in ("phi", "count", "cts", "mp", "none"):
        write_run(tmp_path / bonus, [0.0] * 20, length=100_000, bonus=bonus)
    groups = groups_in(tmp_path)
    figure = our_form(groups)
    shown = [axes for axes in figure.axes if axes.get_visible()]
    assert [axes.get_title() for axes in shown] == [f"{one.label}, 1 trial" for one in groups]
    assert len({axes.get_ylim() for axes in shown}) == 1
    for axes, group in zip(shown, groups, strict=True):
        assert pixels_of(figure, axes, colour_of(group.label)) > axes.get_window_extent().width
    assert overlapping(figure) == []


def test_rooms_have_a_key_and_the_colours_of_figure_1(few: list[GroupCurves]) -> None:
    mine = [group for group in few if group.game == "montezuma_revenge"]
    drawn, scores = rooms.figure(mine), our_form(few)
    of_scores = next(axes for axes in scores.axes if "Montezuma" in axes.get_title())
    for group in mine:
        for figure, axes in ((drawn, drawn.axes[0]), (scores, of_scores)):
            assert pixels_of(figure, axes, colour_of(group.label)) > 100
    assert any("decisions in a room" in axes.get_xlabel() for axes in drawn.axes)
    assert overlapping(drawn) == []


def test_the_title_of_rooms_describes_what_is_there(few: list[GroupCurves]) -> None:
    mine = [group for group in few if group.game == "montezuma_revenge"]
    assert rooms.figure(mine).axes[0].get_title() == ""  # a trial each
    twice = [replace(mine[0], trials=mine[0].trials * 2), mine[1]]
    assert rooms.figure(twice).axes[0].get_title() == "thin: trials; thick: their mean"


def test_every_agent_has_a_colour_of_its_own() -> None:
    assert set(OF_BONUS) <= set(BONUSES)
    labels = [label("sarsa", bonus) for bonus in OF_BONUS]
    labels += [f"Sarsa-φ-EB (β = {beta})" for beta in (0.01, 0.03, 0.1, 1, 3)]
    labels += ["Q-φ-EB", "Sarsa-φ-EB (preset martin2017)", "Sarsa-mine", "MBIE-EB", "Dyna-Q+"]
    colours = [np.array(to_rgb(colour_of(one))) for one in labels]
    for (one, first), (other, second) in combinations(zip(labels, colours, strict=True), 2):
        assert np.abs(first - second).max() > 0.03, (one, other)


@given(st.lists(st.tuples(st.floats(-2, 2), st.floats(0.01, 0.09)), min_size=1, max_size=10))
def test_names_are_moved_apart_and_no_further(given: list[tuple[float, float]]) -> None:
    wanted, sizes = map(np.array, zip(*given, strict=True))
    placed = spread(wanted, sizes, 0.0, 1.0)
    order = np.argsort(wanted, kind="stable")
    gaps = np.diff(placed[order]) - (sizes[order][1:] + sizes[order][:-1]) / 2
    assert (gaps >= -1e-9).all()
    assert (placed - sizes / 2 >= -1e-9).all()
    assert (placed + sizes / 2 <= 1 + 1e-9).all()
    apart = np.diff(wanted[order]) >= (sizes[order][1:] + sizes[order][:-1]) / 2
    if apart.all() and (wanted - sizes / 2 >= 0).all() and (wanted + sizes / 2 <= 1).all():
        assert placed == pytest.approx(wanted)
