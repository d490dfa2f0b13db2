"""Who may see the page: whoever has its address, on this machine; and nothing else is there.

The address has a random token. Only GET is answered, only on the loopback interface, and only where
the request names this server as its host: a page of another site whose name leads here cannot ask.
"""

import hmac
import sys
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from secrets import token_urlsafe
from socket import socket
from threading import BoundedSemaphore
from typing import Any
from urllib.parse import parse_qs, urlsplit

LOOPBACK = "127.0.0.1"
AT_ONCE = 32  # connections
SECONDS = 10.0  # that a request may take to arrive
HTML, JSON = "text/html; charset=utf-8", "application/json"

Query = dict[str, str]
Answer = Callable[[Query], bytes]

_HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class Server(ThreadingHTTPServer):
    """Answers a few paths below its token, each in a thread of its own.

    Args:
        port: 0 for any that is free.
        answers: by path, "" for the page: its type, and what returns its bytes.
    """

    daemon_threads = True

    def __init__(self, port: int, answers: dict[str, tuple[str, Answer]]) -> None:
        self.answers, self.token = answers, token_urlsafe(24)
        self._places = BoundedSemaphore(AT_ONCE)
        try:
            super().__init__((LOOPBACK, port), _Handler)
        except OSError as error:
            raise OSError(error.errno, error.strerror, f"{LOOPBACK}:{port}") from None
        self.hosts = {f"{name}:{self.server_port}" for name in (LOOPBACK, "localhost")}

    @property
    def address(self) -> str:
        """The address of the page."""
        return f"http://{LOOPBACK}:{self.server_port}/{self.token}/"

    def process_request(self, request: Any, client_address: Any) -> None:
        """Refuse more connections than there are places."""
        if self._places.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Answer, in a thread."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._places.release()

    def handle_error(self, request: socket | tuple[bytes, socket], client_address: Any) -> None:
        """A browser that goes away is no error."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    server: Server
    timeout = SECONDS
    server_version, sys_version = "phieb", ""
    error_message_format, error_content_type = "%(code)d %(message)s\n", "text/plain"

    def do_GET(self) -> None:
        """Answer, or refuse."""
        if self.headers.get_all("Host", []) not in [[host] for host in self.server.hosts]:
            return self.send_error(HTTPStatus.MISDIRECTED_REQUEST)
        answer, query = self._asked()
        if answer is None:
            return self.send_error(HTTPStatus.NOT_FOUND)
        kind, made = answer
        asker = self.headers.get("Sec-Fetch-Site", "none")
        if kind != HTML and asker not in ("none", "same-origin"):
            return self.send_error(HTTPStatus.FORBIDDEN)
        self._send(kind, made(query))
        return None

    def _asked(self) -> tuple[tuple[str, Answer] | None, Query]:
        """What a path leads to; it is looked up, and never taken for that of a file."""
        try:
            split = urlsplit(self.path)
            query = {name: values[-1] for name, values in parse_qs(split.query).items()}
        except ValueError:
            return None, {}
        token, slash, named = split.path.removeprefix("/").partition("/")
        is_known = hmac.compare_digest(token.encode("utf-8", "replace"), self.server.token.encode())
        if not is_known or not slash or split.scheme or split.netloc:
            return None, {}
        return self.server.answers.get(named), query

    def _send(self, kind: str, data: bytes) -> None:
        self.send_response(HTTPStatus.OK)
        for name, value in {**_HEADERS, "Content-Type": kind}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is logged: the address has the token."""
