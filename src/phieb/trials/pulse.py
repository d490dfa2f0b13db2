"""Whether a Ray cluster answers: by a greeting that takes a moment, where Ray waits for minutes."""

import os
import socket
import threading
from collections.abc import Sequence
from time import monotonic, sleep

TO_ANSWER = 5.0  # seconds that a cluster has
LOST_AFTER = 20.0  # seconds without an answer; Ray ends its own process after 60, without our line
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

    Args:
        addresses: of the parts.

    Attributes:
        lost: what is wrong with the part that is lost; "" as long as all answer.
    """

    def __init__(self, addresses: Sequence[str]) -> None:
        self._heard, self.lost = dict.fromkeys(addresses, monotonic()), ""
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while not self.lost:
            for address in self._heard:
                self._ask(address)
            sleep(ASKED_EVERY)

    def _ask(self, address: str) -> None:
        try:
            greet(address)
        except SilentError as error:
            if monotonic() - self._heard[address] > LOST_AFTER:
                self.lost = f"{address}: {error}"
        else:
            self._heard[address] = monotonic()
