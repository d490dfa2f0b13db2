"""A live page that is served while a test asks for it."""

import json
import signal
import threading
from pathlib import Path
from time import monotonic, sleep
from typing import Any
from urllib.parse import quote
from urllib.request import urlopen

from phieb.signals import Stop
from phieb.watching.watcher import Watcher
from tests.faults.support import PATIENCE


class Served:
    """A watcher whose page is asked for while `serve` reads, here in a thread of its own."""

    def __init__(self, folder: Path) -> None:
        self.watcher, self.stop = Watcher(folder), Stop(())
        self._thread = threading.Thread(target=self.watcher.serve, args=(self.stop,))
        self._thread.start()

    def end(self) -> None:
        self.stop.ask(signal.SIGINT)
        self._thread.join(PATIENCE)

    def text(self, what: str = "") -> str:
        with urlopen(self.watcher.server.address + what, timeout=PATIENCE) as answer:
            found: bytes = answer.read()
            return found.decode()

    def json(self, what: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.text(what))
        return found

    def look(self, trial: str) -> dict[str, Any]:
        """What is known of a run, when its screen is there."""
        until = monotonic() + PATIENCE
        while monotonic() < until:
            found = self.json(f"now?trial={quote(trial)}")
            if found["look"] is not None:
                return found
            sleep(0.05)
        raise AssertionError("no screen")
