"""One plain sentence a game: ahead of or behind ε and the paper, by how much, at which frames."""

from collections.abc import Sequence
from typing import NamedTuple

from phieb.experiments.paper import GAMES
from phieb.reports.curves import GroupCurves, frames_text
from phieb.reports.ledger import Row, bonus_of
from phieb.reports.paper import PAPER
from phieb.reports.results import Results
from phieb.reports.table_1 import by_agent, evaluated_alike, reading_text
from phieb.worlds.games import title_of


class Standing(NamedTuple):
    """The mean training score of some trials, after some number of frames."""

    label: str
    score: float
    trials: int
    frames: str


def common_frames(groups: Sequence[GroupCurves]) -> int:
    """How far two trials of each group are, or the only one; two digits, rounded down.

    Two, since a third that was started later would keep all others from being told.
    """
    far = [sorted((one.reached for one in group.trials), reverse=True)[:2] for group in groups]
    return rounded_down(min(min(two) for two in far))


def rounded_down(frames: int) -> int:
    """To two digits.

    Example:
        >>> rounded_down(10_000_004), rounded_down(12_999_999), rounded_down(7)
        (10000000, 12000000, 7)
    """
    unit = 10 ** max(len(str(frames)) - 2, 0)
    return int(frames // unit * unit)


def sentences(results: Results) -> list[str]:
    """Of each game that has trials with the bonus."""
    games = [game for game in GAMES if any(_is(row, game, "phi") for row in results.ledger)]
    return [_sentence(results, game) for game in games]


def _sentence(results: Results, game: str) -> str:
    mine, other = standings(results, game)
    title = title_of(game).replace("*", "\\*")
    said = f"**{title}**: after {mine.frames} frames {mine.label} scores {_told(mine)}"
    if other is None:
        said += "; Sarsa-ε has not been run."
    else:
        then = "" if other.frames == mine.frames else f" after {other.frames}"
        gap = _than(mine.score - other.score)
        said += f", {gap} {other.label}{then}, {_told(other)}."
    return " ".join([said, *_against_the_paper(results, game)])


def standings(results: Results, game: str) -> tuple[Standing, Standing | None]:
    """With the bonus and without, after the same number of frames if both have curves."""
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
    return Standing(group.label, mean, len(scores), frames_text([frames]))


def _at_the_end(rows: Sequence[Row]) -> Standing:
    (((_, label), first), *_) = by_agent(rows).items()
    mean = sum(float(row["score"]) for row in first) / len(first)
    frames = frames_text([int(row["frames"]) for row in first])
    return Standing(label, mean, len(first), frames)


def _against_the_paper(results: Results, game: str) -> list[str]:
    """Figure 1 where our curves have come to a reading; Table 1 where there is an evaluation."""
    said, group = [], _group(results, game, "phi")
    for one in reversed(group.readings if group else []):
        scores = group.known_at(one.frames or 0) if group else []
        if scores:
            mean, middle = sum(scores) / len(scores), (one.low + one.high) / 2
            at, gap = frames_text([one.frames or 0]), _than(mean - middle).removesuffix(" of")
            said.append(
                f"At {at} frames, where the paper's Figure 1 has about {reading_text(one)}, "
                f"it has {mean:,.1f} ({trials_text(len(scores))}): {gap}."
            )
            break
    return [*said, *_against_table_1(_rows(results, game, "phi"), game)]


def _against_table_1(rows: Sequence[Row], game: str) -> list[str]:
    (mine, *_) = by_agent(rows).values()
    done, theirs = evaluated_alike(mine), PAPER[0].scores.get(game)
    if not done or theirs is None:
        return []
    mean = sum(float(row["evaluation_mean"]) for row in done) / len(done)
    at = frames_text([int(row["evaluation_frames"]) for row in done])
    after = "80 M" if game == "qbert" else "100 M"
    return [
        f"Frozen after {at} it scores {mean:,.1f} ({trials_text(len(done))}), "
        f"{_than(mean - theirs)} "
        f"the paper's {theirs:,.1f} after {after}."
    ]


def _told(one: Standing) -> str:
    return f"{one.score:,.1f} ({trials_text(one.trials)})"


def trials_text(num: int) -> str:
    """How many.

    Example:
        >>> trials_text(1), trials_text(5)
        ('1 trial', '5 trials')
    """
    return f"{num} trial{'s' * (num != 1)}"


def _than(difference: float) -> str:
    """In words, to one decimal.

    Example:
        >>> _than(12.34), _than(-3.0), _than(0.01)
        ('12.3 ahead of', '3.0 behind', 'level with')
    """
    if abs(difference) < 0.05:
        return "level with"
    return f"{difference:,.1f} ahead of" if difference > 0 else f"{-difference:,.1f} behind"


def _rows(results: Results, game: str, bonus: str) -> list[Row]:
    return [row for row in results.ledger if _is(row, game, bonus)]


def _is(row: Row, game: str, bonus: str) -> bool:
    return (row["game"], bonus_of(row)) == (game, bonus)


def _group(results: Results, game: str, bonus: str) -> GroupCurves | None:
    """The first there is: that with the usual settings."""
    found = (one for one in results.groups() if (one.game, one.bonus) == (game, bonus))
    return next(found, None)
