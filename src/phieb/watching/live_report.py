"""The numbers of the report on runs under way: of a run that has not changed nothing is read."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import thread_time
from typing import Any, NamedTuple

from phieb.files.errors import RunError
from phieb.reports.curves import GroupCurves, TrialCurves, by_game, group_curves, trial_curves
from phieb.reports.groups import Result, grouped, read_result
from phieb.reports.page import game_data, page_data, text_of
from phieb.reports.report import tables_of
from phieb.training import Run
from phieb.watching.statuses import Stamp, stamp_of

LONG = 0.6  # seconds of work after which the page shows those runs that have been read


class _Known(NamedTuple):
    """What was read of a run, without its episodes but the last; or why it could not be."""

    stamp: Stamp
    result: Result | None
    curves: TrialCurves | None
    problem: str


class LiveReport:
    """The report on a folder, kept up to date.

    Args:
        folder: of all runs.
        still: returns a picture of a game as PNG, or None.

    Attributes:
        text: what the page shows, as JSON.
        version: a number that grows when that changes.
        is_complete: whether no run is left to be read for the first time.
    """

    def __init__(self, folder: Path, still: Callable[[str], bytes | None]) -> None:
        self._folder, self._still = folder, still
        self._known = dict[Path, _Known]()
        self._stills = dict[str, bytes | None]()
        self._games = dict[str, tuple[Any, dict[str, Any]]]()
        self.text, self.version, self.is_complete = "", 0, False

    def update(self, runs: list[Run]) -> None:
        """Read what has changed; if that takes long, the next call goes on with it.

        Args:
            runs: those of the folder.
        """
        until, known = thread_time() + LONG, dict[Path, _Known]()
        for run in runs:
            if thread_time() < until or run.path in self._known:
                known[run.path] = self._read(run)
        self.is_complete = len(known) == len(runs)
        same = self.version and _stamps(known) == _stamps(self._known)
        self._known = known
        if not same or self._draw_still():
            self.text = text_of(self._data())
            self.version += 1

    def _read(self, run: Run) -> _Known:
        stamp, known = stamp_of(run), self._known.get(run.path)
        if known is not None and known.stamp == stamp:
            return known
        try:
            result = read_result(run, self._folder)
        except RunError as error:
            return _Known(stamp, None, None, str(error))
        curves = trial_curves(result)
        return _Known(stamp, replace(result, episodes=result.episodes[-1:]), curves, "")

    def _data(self) -> dict[str, Any]:
        there = list(self._known.values())
        curves = {one.curves.name: one.curves for one in there if one.curves is not None}
        runs = grouped(
            self._folder,
            [one.result for one in there if one.result is not None],
            [one.problem for one in there if one.problem],
        )
        groups = [group_curves(group, lambda one: curves[one.name]) for group in runs.groups]
        games = [self._game(*both) for both in by_game(groups).items()]
        return page_data(runs, games, tables_of(runs, groups))

    def _game(self, game: str, groups: list[GroupCurves]) -> dict[str, Any]:
        """The same object as before where nothing has changed."""
        still = self._stills.setdefault(game, b"")
        key = (still, [(group.label, group.trials) for group in groups])
        known = self._games.get(game)
        if known is None or not _same(known[0], key):
            known = key, game_data(game, groups, still or None)
            self._games[game] = known
        return known[1]

    def _draw_still(self) -> bool:
        """Draw the picture of a game that has none yet: the first page does not wait for it."""
        game = next((game for game, still in self._stills.items() if still == b""), None)
        if game is not None:
            self._stills[game] = self._still(game)
        return game is not None


def _same(one: Any, other: Any) -> bool:
    """Whether these are the same curves, by identity: they are never changed."""
    (still, groups), (before, were) = one, other
    return still == before and [(label, list(map(id, trials))) for label, trials in groups] == [
        (label, list(map(id, trials))) for label, trials in were
    ]


def _stamps(known: dict[Path, _Known]) -> dict[Path, Stamp]:
    return {path: one.stamp for path, one in known.items()}
