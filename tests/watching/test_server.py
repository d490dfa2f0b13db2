"""Who is answered, asked through real sockets."""

import socket
import threading
from collections.abc import Iterator

import pytest

from phieb.watching.server import AT_ONCE, HTML, JSON, LOOPBACK, Query, Server


def page(query: Query) -> bytes:
    return b"<p>the page</p>"


def numbers(query: Query) -> bytes:
    return b'{"trial": "' + query.get("trial", "").encode() + b'"}'


@pytest.fixture
def server() -> Iterator[Server]:
    started = Server(0, {"": (HTML, page), "now": (JSON, numbers)})
    threading.Thread(target=started.serve_forever, args=(0.01,), daemon=True).start()
    yield started
    started.shutdown()
    started.server_close()


def said(server: Server, data: bytes) -> bytes:
    """All that comes back for some bytes."""
    with socket.create_connection((LOOPBACK, server.server_port), 20.0) as connection:
        connection.sendall(data)
        connection.shutdown(socket.SHUT_WR)
        answer = b""
        while part := connection.recv(65_536):
            answer += part
        return answer


def asked(server: Server, path: str, *headers: str, method: str = "GET", host: str = "") -> bytes:
    host = host or f"{LOOPBACK}:{server.server_port}"
    lines = [f"{method} {path} HTTP/1.1", f"Host: {host}", *headers, "", ""]
    return said(server, "\r\n".join(lines).encode())


def status(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


def test_whoever_has_the_address_is_answered(server: Server) -> None:
    assert server.address == f"http://127.0.0.1:{server.server_port}/{server.token}/"
    assert len(server.token) >= 32
    answer = asked(server, f"/{server.token}/")
    assert status(answer) == 200
    assert answer.endswith(b"\r\n\r\n<p>the page</p>")
    head = answer.partition(b"\r\n\r\n")[0]
    for header in (
        b"Cache-Control: no-store",
        b"Cross-Origin-Resource-Policy: same-origin",
        b"Referrer-Policy: no-referrer",
        b"X-Content-Type-Options: nosniff",
        b"Content-Type: text/html; charset=utf-8",
        b"Server: phieb",
    ):
        assert header in head
    assert asked(server, f"/{server.token}/now?trial=m%201").endswith(b'{"trial": "m 1"}')
    named = asked(server, f"/{server.token}/", host=f"localhost:{server.server_port}")
    assert status(named) == 200


def test_it_listens_on_the_loopback_interface_alone(server: Server) -> None:
    assert server.server_address[0] == "127.0.0.1"
    others = {
        str(one[4][0]) for one in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
    }
    for address in others:
        if not address.startswith("127."):
            with pytest.raises(OSError, match="refused|unreachable|timed out"):
                socket.create_connection((address, server.server_port), 2.0)


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "//",
        "/{}",
        "/{}x/",
        "/x{}/",
        "/{}//",
        "/{}/other",
        "/{}/now/",
        "/{}/../now",
        "/{}/../../../../../../etc/passwd",
        "/{}/..%2f..%2f..%2fetc%2fpasswd",
        "/{}/%2e%2e/%2e%2e/etc/passwd",
        "/etc/passwd",
        "/../../etc/passwd",
        "/{}/now%00",
        "/favicon.ico",
        "*",
        "now",
        "http://elsewhere/{}/",
        "file:///etc/passwd",
    ],
)
def test_any_other_path_leads_nowhere(server: Server, path: str) -> None:
    answer = asked(server, path.format(server.token))
    assert status(answer) == 404
    assert answer.endswith(b"\r\n\r\n404 Not Found\n")
    assert server.token.encode() not in answer


def test_no_token_is_told_from_a_wrong_one(server: Server) -> None:
    wrong = "/" + "A" * len(server.token) + "/"
    assert [status(asked(server, path)) for path in (wrong, wrong + "now")] == [404, 404]


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{}", "127.0.0.1", "localhost", "127.0.0.1:1", "[::1]:{}"]
)
def test_a_page_of_another_host_cannot_ask(server: Server, host: str) -> None:
    """A name of somebody else's that is made to lead to 127.0.0.1 (DNS rebinding)."""
    answer = asked(server, f"/{server.token}/", host=host.format(server.server_port))
    assert status(answer) == 421
    assert b"the page" not in answer


def test_no_host_or_two_are_refused(server: Server) -> None:
    mine = f"{LOOPBACK}:{server.server_port}"
    path = f"/{server.token}/"
    assert status(said(server, f"GET {path} HTTP/1.1\r\n\r\n".encode())) == 421
    assert status(said(server, f"GET {path} HTTP/1.0\r\n\r\n".encode())) == 421
    assert status(asked(server, path, "Host: evil.example", host=mine)) == 421


@pytest.mark.parametrize(
    "method", ["POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE", "CONNECT", "get", "X"]
)
def test_any_other_method_is_refused(server: Server, method: str) -> None:
    answer = asked(server, f"/{server.token}/", "Content-Length: 0", method=method)
    assert status(answer) == 501
    assert b"the page" not in answer


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_another_site_gets_no_numbers(server: Server, site: str) -> None:
    asker = f"Sec-Fetch-Site: {site}"
    assert status(asked(server, f"/{server.token}/now", asker)) == 403
    assert status(asked(server, f"/{server.token}/now", "Sec-Fetch-Site: same-origin")) == 200
    assert status(asked(server, f"/{server.token}/", asker)) == 200  # a link to the page


@pytest.mark.parametrize(
    "data",
    [
        b"\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET /" + 100_000 * b"x" + b" HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + 200 * b"X: y\r\n" + b"\r\n",
    ],
)
def test_what_is_no_request_is_refused(
    server: Server, data: bytes, capfd: pytest.CaptureFixture[str]
) -> None:
    try:
        answer = said(server, data)
    except ConnectionResetError:  # it did not read all of it
        answer = b""
    assert b"the page" not in answer
    assert status(asked(server, f"/{server.token}/")) == 200
    assert capfd.readouterr() == ("", "")  # nothing is logged: the address has the token


def test_connections_that_say_nothing_do_not_keep_others_out(server: Server) -> None:
    waiting = [socket.create_connection((LOOPBACK, server.server_port)) for _ in range(AT_ONCE - 2)]
    assert status(asked(server, f"/{server.token}/")) == 200
    for connection in waiting:
        connection.close()


def test_a_port_that_is_taken_is_named(server: Server) -> None:
    with pytest.raises(OSError, match="already in use") as error:
        Server(server.server_port, {})
    assert error.value.filename == f"127.0.0.1:{server.server_port}"
