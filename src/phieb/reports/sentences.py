"""Results in words: for each game our scores, with and without the bonus, and the paper's."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from phieb.experiments.paper import GAMES, MILLION
from phieb.reports.curves import GroupCurves, frames_text
from phieb.reports.ledger import Row, agent_label, bonus_of, own_settings
from phieb.reports.paper import PAPER, Reading
from phieb.reports.results import Results
from phieb.reports.table_1 import by_agent, evaluated_alike, reading_text
from phieb.worlds.games import title_of


class Standing(NamedTuple):
    """The mean training score of an agent's trials after some number of frames.

    Attributes:
        name: of the agent with its bonus.
        own: what differs from today's default.
    """

    name: str
    own: list[str]
    score: float
    trials: int
    frames: str

    @property
    def label(self) -> str:
        """The name, with what differs from today's default in brackets."""
        return f"{self.name} ({', '.join(self.own)})" if self.own else self.name


def common_frames(groups: Sequence[GroupCurves]) -> int:
    """Frames reached by two trials of each group, or by the only one; rounded down to two digits.

    Not by all: a trial that was started later would hide how far the others are.
    """
    far = [sorted((one.reached for one in group.trials), reverse=True)[:2] for group in groups]
    return rounded_down(min(min(two) for two in far))


def rounded_down(frames: int) -> int:
    """A number of frames, rounded down to two digits.

    Example:
        >>> rounded_down(10_000_004), rounded_down(12_999_999), rounded_down(7)
        (10000000, 12000000, 7)
    """
    unit = 10 ** max(len(str(frames)) - 2, 0)
    return int(frames // unit * unit)


def sentences(results: Results) -> list[str]:
    """For each game that has trials with the bonus."""
    games = [game for game in GAMES if any(_is(row, game, "phi") for row in results.ledger)]
    return [_sentence(results, game) for game in games]


def _sentence(results: Results, game: str) -> str:
    mine, other = standings(results, game)
    title = title_of(game).replace("*", "\\*")
    said = f"**{title}**: after {mine.frames} frames {_against_epsilon(mine, other)}"
    paper = _against_the_paper(results, game, mine.trials)
    return f"{said}, and {paper}." if paper else f"{said}."


def _against_epsilon(mine: Standing, other: Standing | None) -> str:
    if other is None:
        scores = f"{mine.score:,.1f} ({trials_text(mine.trials)})"
        return f"{mine.label} scores {scores}, Sarsa-ε has not been run"
    first, second = f"{mine.score:,.1f}", f"{other.score:,.1f}"
    if other.frames != mine.frames:
        second += f" after {other.frames}"
    if other.trials == mine.trials:
        both = f"{first} and {second}; {trials_text(mine.trials)} each"
    else:
        both = f"{first} in {trials_text(mine.trials)}, {second} in {trials_text(other.trials)}"
    return f"{mine.label} is {_compared(mine.score - other.score)} {_after(mine, other)} ({both})"


def _after(first: Standing, other: Standing) -> str:
    """A label without what the first one has said already."""
    own = [one for one in other.own if one not in first.own]
    return f"{other.name} ({', '.join(own)})" if own else other.name


def standings(results: Results, game: str) -> tuple[Standing, Standing | None]:
    """With and without the bonus; after the same number of frames if both have curves."""
    groups = [_group(results, game, bonus) for bonus in ("phi", "none")]
    rows = [_rows(results, game, bonus) for bonus in ("phi", "none")]
    with_curves = [group for group in groups if group is not None]
    if len(with_curves) == sum(bool(one) for one in rows):
        frames = common_frames(with_curves)
        found = [_at(group, frames) for group in with_curves]
    else:
        found = [_at_the_end(one) for one in rows if one]
    return found[0], found[1] if len(found) > 1 else None


def _at(group: GroupCurves, frames: int) -> Standing:
    scores = group.known_at(frames)
    mean = sum(scores) / max(len(scores), 1)
    row = group.trials[0].row
    frames_reached = frames_text([frames])
    return Standing(agent_label(row), own_settings(row), mean, len(scores), frames_reached)


def _at_the_end(rows: Sequence[Row]) -> Standing:
    (first, *_) = by_agent(rows).values()
    mean = sum(float(row["score"]) for row in first) / len(first)
    frames = frames_text([int(row["frames"]) for row in first])
    return Standing(agent_label(first[0]), own_settings(first[0]), mean, len(first), frames)


def _against_the_paper(results: Results, game: str, trials: int) -> str:
    """Against Table 1 once an evaluation is of as many frames; until then against Figure 1.

    Where Figure 1 was not read at any number of frames that we have reached, against Table 1.
    """
    done, theirs = evaluated_alike(_rows(results, game, "phi")), PAPER[0].scores.get(game)
    read = _at_a_reading(_group(results, game, "phi"))
    end = (80 if game == "qbert" else 100) * MILLION
    as_long = bool(done) and min(int(row["evaluation_frames"]) for row in done) >= end
    if read is not None and not as_long:
        return _against_figure_1(*read, trials)
    if not done or theirs is None:
        return ""
    mean = sum(float(row["evaluation_mean"]) for row in done) / len(done)
    at = frames_text([int(row["evaluation_frames"]) for row in done])
    return (
        f"its evaluation after {at}, {mean:,.1f}, is {_compared(mean - theirs)} the paper's "
        f"{theirs:,.1f} after {frames_text([end])}"
    )


def _at_a_reading(group: GroupCurves | None) -> tuple[Reading, list[float]] | None:
    """The last point read off the paper's curve that ours has reached, and our scores there."""
    for one in reversed(group.readings if group else []):
        scores = group.known_at(one.frames or 0) if group else []
        if scores:
            return one, scores
    return None


def _against_figure_1(one: Reading, scores: Sequence[float], trials: int) -> str:
    mean, middle = sum(scores) / len(scores), (one.low + one.high) / 2
    ours = f"{mean:,.1f}"
    if len(scores) != trials:
        ours += f" in {trials_text(len(scores))}"
    return (
        f"at {frames_text([one.frames or 0])} it is {_compared(mean - middle)} the paper's "
        f"Figure 1 ({ours} and about {reading_text(one)})"
    )


def trials_text(num: int) -> str:
    """A number of trials.

    Example:
        >>> trials_text(1), trials_text(5)
        ('1 trial', '5 trials')
    """
    return f"{num} trial{'s' * (num != 1)}"


def _compared(difference: float) -> str:
    """A difference in words, to one decimal.

    Example:
        >>> _compared(12.34), _compared(-3.0), _compared(0.01)
        ('12.3 ahead of', '3.0 behind', 'level with')
    """
    if abs(difference) < 0.05:
        return "level with"
    return f"{difference:,.1f} ahead of" if difference > 0 else f"{-difference:,.1f} behind"


def caption(shown: Mapping[str, Any]) -> str:
    """What the animated picture of README shows: the facts that tools/side_by_side.py wrote."""
    said = [
        f"{one['agent']} (seed {one['seed']}, {frames_text([one['frames']])} frames of training, "
        f"version {one['version']}) scored {_scores(one['scores'])}"
        for one in shown["agents"]
    ]
    end = f"; shown until frame {max(one['shown_frames'] for one in shown['agents']):,}"
    speed = f"{shown['speed']:g} times as fast as the game{end if shown['cut'] else ''}"
    return f"{', '.join(said)}. It is {speed}"


def _scores(scores: Sequence[float]) -> str:
    """All scores in order; once if they are the same.

    Example:
        >>> _scores([200.0, 0.0, 1400.0]), _scores([0.0, 0.0])
        ('0, 200 and 1,400', '0 in each')
    """
    few = [f"{score:,.0f}" for score in sorted(scores)]
    return f"{few[0]} in each" if len(set(few)) == 1 else f"{', '.join(few[:-1])} and {few[-1]}"


def _rows(results: Results, game: str, bonus: str) -> list[Row]:
    return [row for row in results.ledger if _is(row, game, bonus)]


def _is(row: Row, game: str, bonus: str) -> bool:
    return (row["game"], bonus_of(row)) == (game, bonus)


def _group(results: Results, game: str, bonus: str) -> GroupCurves | None:
    """The first group: that with the settings closest to today's default."""
    found = (one for one in results.groups() if (one.game, one.bonus) == (game, bonus))
    return next(found, None)
