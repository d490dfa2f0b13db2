"""Our numbers that decide the paper's claims: trials of today's default, and their means."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from phieb.experiments.paper import GAMES
from phieb.reports.curves import GroupCurves, frames_text
from phieb.reports.ledger import Row, Trial, bonus_of, is_current, is_default
from phieb.reports.results import Results
from phieb.reports.sentences import common_frames, rounded_down
from phieb.reports.table_1 import evaluated_alike
from phieb.worlds.games import title_of

ALWAYS = 10**18  # as frames: more training cannot change the verdict


class Verdict(NamedTuple):
    """Whether a claim holds (None: undecided), by which numbers, after how many frames."""

    holds: bool | None
    numbers: str
    frames: int


class Evidence:
    """Trials of today's default, and trials with the paper's count.

    Args:
        results: the committed results.
    """

    def __init__(self, results: Results) -> None:
        self._ledger, self._groups = results.ledger, results.groups()

    def group(self, game: str, bonus: str) -> GroupCurves | None:
        """Curves of the default with a bonus; "none" is Sarsa-ε."""
        mine = [one for one in self._groups if (one.game, one.bonus) == (game, bonus)]
        return next((one for one in mine if is_default(one.trials[0].row)), None)

    def both(self, game: str) -> list[GroupCurves]:
        """Curves of the default with and without the bonus; empty if one is missing."""
        found = [self.group(game, bonus) for bonus in ("phi", "none")]
        both = [one for one in found if one is not None]
        return both if len(both) == len(found) else []

    def product(self, game: str, beta: float) -> GroupCurves | None:
        """Curves with the paper's count and this β."""
        mine = [one for one in self._groups if one.game == game]
        return next((one for one in mine if _is_product(one.trials[0].row, beta)), None)

    def evaluated(self, game: str) -> list[Row]:
        """Trials of the default with the bonus that were evaluated at about the same frames."""
        mine = [row for row in self._ledger if row["game"] == game and bonus_of(row) == "phi"]
        return evaluated_alike([row for row in mine if is_default(row)])

    def evaluated_product(self, game: str, beta: float) -> list[Row]:
        """Like `evaluated`, with the paper's count and this β."""
        mine = [row for row in self._ledger if row["game"] == game and _is_product(row, beta)]
        return evaluated_alike(mine)

    def trials(self, game: str, bonus: str) -> list[Row]:
        """Rows of the ledger: trials of the default with a bonus; "none" is Sarsa-ε."""
        mine = [row for row in self._ledger if (row["game"], bonus_of(row)) == (game, bonus)]
        return [row for row in mine if is_default(row)]


def _is_product(row: Trial, beta: float) -> bool:
    return row["preset"] == "product" and is_current(row) and float(row["beta"] or 0) == beta


def side_by_side(evidence: Evidence) -> tuple[dict[str, tuple[float, float]], int] | None:
    """Scores with and without the bonus in each game after the same frames, and those frames."""
    both = {game: evidence.both(game) for game in GAMES if evidence.both(game)}
    if not both:
        return None
    frames = min(common_frames(groups) for groups in both.values())
    scores = {
        game: (mean_at(phi, frames), mean_at(eps, frames)) for game, (phi, eps) in both.items()
    }
    return scores, frames


def side_by_side_text(scores: Mapping[str, tuple[float, float]], frames: int) -> str:
    """`side_by_side` in words."""
    said = [f"{title_of(game)} {phi:,.1f} and {eps:,.1f}" for game, (phi, eps) in scores.items()]
    return f"with and without bonus at {frames_text([frames])}: {', '.join(said)}"


def mean_at(group: GroupCurves, frames: int) -> float:
    """The mean score of the trials that are at least so long; 0 if none is."""
    scores = group.known_at(frames)
    return sum(scores) / len(scores) if scores else 0.0


def reached_by_two(group: GroupCurves) -> int:
    """Frames reached by two of the trials, or by the only one."""
    return common_frames([group])


def rooms_text(group: GroupCurves) -> str:
    """The number of rooms that each trial visited."""
    return f"rooms of each trial: {', '.join(str(len(one.visits)) for one in group.trials)}"


def mean_evaluation(rows: Sequence[Row]) -> float:
    """The mean evaluation score of trials."""
    return sum(float(row["evaluation_mean"]) for row in rows) / len(rows)


def evaluated_at(rows: Sequence[Row]) -> int:
    """Frames of training before the evaluation, of the trial with fewest."""
    return rounded_down(min(int(row["evaluation_frames"]) for row in rows))
