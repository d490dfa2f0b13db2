"""Whether a Ray cluster answers: by a greeting that takes a moment, where Ray waits for minutes."""

import os
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import monotonic, sleep

from phieb.plain_text import visible

TO_ANSWER = 5.0  # seconds that a cluster has
LOST_AFTER = 20.0  # seconds without an answer; Ray ends its own process after 60, without our line
TO_RETURN = 10.0  # seconds that a call of Ray has to come back when the cluster is lost
ASKED_EVERY = 2.0  # seconds

# How HTTP/2 begins, with a frame of settings; a cluster answers with one of its own.
_HELLO = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])
_SETTINGS = 4  # the kind of that frame, at the place _KIND
_KIND = 3


class SilentError(Exception):
    """Nothing answers, or something that is no cluster; the message says which."""


def greet(address: str) -> None:
    """Say hello to a part of a cluster, by HOST:PORT.

    Raises:
        SilentError: it does not answer as a cluster does.
    """
    host, port = address.rsplit(":", 1)
    try:
        with socket.create_connection((host, int(port)), TO_ANSWER) as connection:
            connection.sendall(_HELLO)
            answer = connection.recv(9)
    except TimeoutError:
        raise SilentError(f"no answer within {TO_ANSWER:.0f} s") from None
    except (OSError, OverflowError) as error:
        raise SilentError(str(error)) from None
    # With Ray's TLS it is enough that somebody answers: with an alert.
    encrypted = os.environ.get("RAY_USE_TLS", "0").lower() not in ("", "0", "false")
    if not encrypted and (len(answer) <= _KIND or answer[_KIND] != _SETTINGS):
        raise SilentError("something else answers there")


class Pulse:
    """Greets the parts of a cluster that a command cannot do without, for as long as it lives.

    A call of Ray that waits for a lost cluster cannot be interrupted: Ray ends the process after a
    minute, with lines of its own. Where a call does not come back, the process is ended before.

    Args:
        address: of the cluster, for the message.
        parts: their addresses.

    Attributes:
        lost: that the cluster is lost, and which part of it; "" as long as all answer.
    """

    def __init__(self, address: str, parts: Sequence[str]) -> None:
        self._address, self._heard, self.lost = address, dict.fromkeys(parts, monotonic()), ""
        self._calling = False
        threading.Thread(target=self._listen, daemon=True).start()

    @contextmanager
    def calling(self) -> Iterator[None]:
        """Within it, a call of Ray is under way."""
        self._calling = True
        try:
            yield
        finally:
            self._calling = False

    def _listen(self) -> None:
        while not self.lost:
            for part in self._heard:
                self._ask(part)
            sleep(ASKED_EVERY)
        sleep(TO_RETURN)
        if self._calling:
            os.write(2, f"phieb: {visible(self.lost)}\n".encode())
            os._exit(1)

    def _ask(self, part: str) -> None:
        try:
            greet(part)
        except SilentError as error:
            if monotonic() - self._heard[part] > LOST_AFTER:
                said = f"the Ray cluster is lost ({part}: {error})"
                self.lost = f"{self._address}: {said}; the same command goes on from here"
        else:
            self._heard[part] = monotonic()
