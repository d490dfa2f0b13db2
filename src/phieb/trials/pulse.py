"""Checks within seconds whether a Ray cluster answers, where Ray itself would wait for minutes."""

import os
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import monotonic, sleep

from phieb.plain_text import visible

TO_ANSWER = 5.0  # seconds to wait for an answer
LOST_AFTER = 20.0  # seconds without an answer; after 60 Ray would end the process itself
TO_RETURN = 10.0  # seconds that a call of Ray may take to return after the cluster was lost
ASKED_EVERY = 2.0  # seconds

# The HTTP/2 preface with an empty SETTINGS frame; a cluster answers with a SETTINGS frame.
_HELLO = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])
_SETTINGS = 4  # the type of that frame, which is byte _KIND of its header
_KIND = 3


class SilentError(Exception):
    """There is no answer, or not one of a Ray cluster; the message says which."""


def greet(address: str) -> None:
    """Connect to a component of a cluster at HOST:PORT and wait for its answer.

    Raises:
        SilentError: it does not answer as a Ray cluster does.
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
    # With TLS any answer is accepted; it is an alert.
    encrypted = os.environ.get("RAY_USE_TLS", "0").lower() not in ("", "0", "false")
    if not encrypted and (len(answer) <= _KIND or answer[_KIND] != _SETTINGS):
        raise SilentError("what answers there is not a Ray cluster")


class Pulse:
    """Monitors the components of a cluster that a command depends on, in a thread.

    A call of Ray that waits for a lost cluster cannot be interrupted, and Ray ends the process
    after a minute with its own messages. So if a call does not return, the process is ended first.

    Args:
        address: the address of the cluster, for the message.
        parts: the addresses of the components.

    Attributes:
        lost: the message that a component no longer answers; "" as long as all do.
    """

    def __init__(self, address: str, parts: Sequence[str]) -> None:
        self._address, self._heard, self.lost = address, dict.fromkeys(parts, monotonic()), ""
        self._calling = False
        threading.Thread(target=self._listen, daemon=True).start()

    @contextmanager
    def calling(self) -> Iterator[None]:
        """A context for every call of Ray."""
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
                self.lost = f"{self._address}: {said}; run the same command again to resume"
        else:
            self._heard[part] = monotonic()
