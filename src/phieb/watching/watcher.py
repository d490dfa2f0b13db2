"""`phieb watch`: reads a folder of runs for as long as somebody looks at its page."""

import json
import threading
from pathlib import Path
from time import monotonic
from typing import Any

from phieb.reports.groups import name_of
from phieb.reports.page import page
from phieb.signals import Stop
from phieb.training import Run
from phieb.training.run_folder import runs_in
from phieb.watching.budget import Budget
from phieb.watching.live_report import LiveReport
from phieb.watching.looks import look
from phieb.watching.server import HTML, JSON, Answer, Query, Server
from phieb.watching.statuses import Stamp, Statuses, stamp_of
from phieb.worlds.still import still

LOOKING = 10.0  # seconds after its last request that somebody is taken to look on
LOOKS = 3  # runs whose screens are kept
PATIENCE = 120.0  # seconds that the first page waits for a folder that is slow to read


class Watcher:
    """The live page of a folder of runs, or of one run.

    All reading is done in the thread that calls `serve`; the threads of the server hand out what
    is there. So emulators and environments live in the main thread.

    Args:
        folder: of the runs.
        port: of the page; 0 for any that is free.
    """

    def __init__(self, folder: Path, port: int = 0) -> None:
        self._folder = folder
        self._report, self._statuses = LiveReport(folder, still), Statuses(folder)
        self._runs = dict[str, Run]()
        self._looks = dict[str, tuple[Stamp, str, bytes]]()  # by the name of the run
        self._status: dict[str, Any] = {"trials": [], "overall": {}}
        self._asked, self._wanted = 0.0, dict[str, float]()  # when, and for which run
        self._ready, self._wake = threading.Event(), threading.Event()
        self._budgets = {
            "status": Budget(0.01, 2.0),
            "report": Budget(0.015, 5.0),
            "look": Budget(0.015, 2.0),
        }
        answers: dict[str, tuple[str, Answer]]
        answers = {"": (HTML, self._page), "data": (JSON, self._data), "now": (JSON, self._now)}
        self.server = Server(port, answers)

    def serve(self, stop: Stop) -> None:
        """Answer until asked to stop.

        Args:
            stop: says when.
        """
        threading.Thread(target=self.server.serve_forever, args=(0.1,), daemon=True).start()
        try:
            self._update()
            self._ready.set()
            while not stop.signal:
                self._wake.wait(0.25 if self._report.is_complete else 0.0)
                self._wake.clear()
                if monotonic() - self._asked < LOOKING:
                    self._update()
        finally:
            self.server.shutdown()
            self.server.server_close()

    def _update(self) -> None:
        """Read again what is due."""
        if self._budgets["status"].is_due:
            with self._budgets["status"].spent():
                found = list(runs_in(self._folder))
                self._runs = {name_of(run, self._folder): run for run in found}
                self._status = self._statuses.of(found)
        if not self._report.is_complete:  # the first time all that there is has to be read
            self._report.update(list(self._runs.values()))
        elif self._budgets["report"].is_due:
            with self._budgets["report"].spent():
                self._report.update(list(self._runs.values()))
        for name, asked in sorted(self._wanted.items(), key=lambda one: -one[1])[:LOOKS]:
            is_new = name not in self._looks
            if monotonic() - asked < LOOKING and (is_new or self._budgets["look"].is_due):
                self._look(name)

    def _look(self, name: str) -> None:
        """Draw the screen of a run, if it has a checkpoint that was not drawn."""
        run = self._runs.get(name)
        if run is None:
            return
        stamp = stamp_of(run)[-1]
        if name in self._looks and self._looks[name][0] == stamp:
            return
        with self._budgets["look"].spent():
            made = json.dumps({"trial": name, **look(run)}).encode()
        number = f"{stamp[0] if stamp else 0}-{monotonic():.3f}"
        self._looks[name] = stamp, number, made
        for old in list(self._looks)[:-LOOKS]:
            del self._looks[old]

    def _page(self, query: Query) -> bytes:
        """The page with its numbers; the first waits until the folder has been read."""
        self._asked = monotonic()
        self._ready.wait(PATIENCE)
        self._wake.set()
        return page(self._report.text, live=True).encode()

    def _data(self, query: Query) -> bytes:
        """The numbers of the page alone."""
        self._asked = monotonic()
        return self._report.text.encode()

    def _now(self, query: Query) -> bytes:
        """How far the runs are, and the screen of one, unless the page has it already."""
        self._asked, name = monotonic(), query.get("trial", "")
        if name in self._runs:
            self._wanted = {**self._wanted, name: self._asked}
            self._wanted = dict(sorted(self._wanted.items(), key=lambda one: one[1])[-LOOKS:])
            if name not in self._looks:
                self._wake.set()
        _, number, made = self._looks.get(name, ((), "", b"null"))
        if number == query.get("seen"):
            made = b"null"
        told = {"version": self._report.version, "look_number": number, **self._status}
        return json.dumps(told).encode()[:-1] + b', "look": ' + made + b"}"
