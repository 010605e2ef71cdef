"""`casinowar serve --cert --key`: the server speaks TLS itself, to pages, programs and strangers."""

import asyncio
import contextlib
import json
import os
import signal
import socket
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator
from http.client import HTTPSConnection
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cryptography import x509
from websockets.sync.client import connect
from websockets.typing import Origin

from casinowar import protocol as f
from casinowar.client import Client
from casinowar.web.http import certificate as certificates
from casinowar.web.http import tls_entrance
from casinowar.web.http.certificate import Certificate
from tests.operations.certificates import Pair, make_pair
from tests.support.commandline import run
from tests.support.live_server import HOUSE, ROOMY, LiveServer, running
from tests.web.test_serve import SERVE, started


@pytest.fixture
def pair(tmp_path: Path) -> Pair:
    return make_pair(tmp_path)


@contextlib.contextmanager
def serving(folder: Path, pair: Pair, **options: Any) -> Iterator[LiveServer]:
    with running(folder / "house", certificate=Certificate(pair.cert, pair.key), **options) as live:
        yield live


def ask(port: int, pair: Pair, method: str, path: str, headers: dict[str, str] | None = None) -> tuple[int, Any, bytes]:
    connection = HTTPSConnection("127.0.0.1", port, timeout=10, context=pair.trusting())
    with contextlib.closing(connection):
        body = b"{}" if method == "POST" else None
        connection.request(method, path, body, {"Content-Type": "application/json", **(headers or {})})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()


def served_number(port: int, pair: Pair) -> int:
    """The number of the certificate that the server shows now."""
    context = ssl._create_unverified_context()
    with socket.create_connection(("127.0.0.1", port), 10) as raw, context.wrap_socket(raw) as line:
        shown = line.getpeercert(binary_form=True)
        assert shown
        return x509.load_der_x509_certificate(shown).serial_number


def until(is_so: Callable[[], bool], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_page_cookie_and_socket_over_tls(tmp_path: Path, pair: Pair) -> None:
    with serving(tmp_path, pair) as live:
        status, headers, page = ask(live.port, pair, "GET", "/")
        assert status == 200
        assert b"<html" in page
        assert headers["Strict-Transport-Security"] == f"max-age={365 * 24 * 3600}", "this host alone, for a year"
        here = f"https://127.0.0.1:{live.port}"
        status, headers, _ = ask(live.port, pair, "POST", "/api/guest", {"Origin": here})
        assert status == 200
        cookie = headers["Set-Cookie"]
        assert cookie.startswith("__Host-casinowar_session=")
        for word in ("Secure", "HttpOnly", "SameSite=strict", "Path=/"):
            assert word in cookie
        assert "Domain" not in cookie, "a browser drops a __Host- cookie with one"
        known = {"Cookie": cookie.partition(";")[0], "Origin": here}
        ticket = json.loads(ask(live.port, pair, "POST", "/api/socket-ticket", known)[2])["ticket"]
        url = f"wss://127.0.0.1:{live.port}/api/socket?ticket={ticket}"
        with connect(url, ssl=pair.trusting(), origin=Origin(here), compression=None) as line:
            line.send(json.dumps({"type": "watch", "table": "nz", "role": "watcher"}))
            assert json.loads(line.recv(10))["type"] == "snapshot"


def test_a_page_of_plain_http_may_not_call_a_server_with_tls(tmp_path: Path, pair: Pair) -> None:
    with serving(tmp_path, pair) as live:
        status, _, _ = ask(live.port, pair, "POST", "/api/guest", {"Origin": f"http://127.0.0.1:{live.port}"})
        assert status == 403


def test_the_typed_client_plays_over_tls(tmp_path: Path, pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(pair.cert))

    async def play(address: str) -> int:
        async with Client.connect(address) as client:
            await client.guest()
            table = await client.watch("nz")
            await table.do(f.Sit(box=1))
            return (await client.me()).purse

    with serving(tmp_path, pair) as live:
        assert asyncio.run(play(f"https://127.0.0.1:{live.port}")) == HOUSE.guest_purse


def test_a_client_that_does_not_know_the_certificate_is_not_served(tmp_path: Path, pair: Pair) -> None:
    (tmp_path / "other").mkdir()
    with serving(tmp_path, pair) as live, pytest.raises(ssl.SSLCertVerificationError):
        ask(live.port, make_pair(tmp_path / "other"), "GET", "/healthz")


def test_tls_below_1_2_is_not_spoken(tmp_path: Path, pair: Pair) -> None:
    old = ssl._create_unverified_context()
    old.set_ciphers("ALL:@SECLEVEL=0")
    with pytest.warns(DeprecationWarning, match="TLSv1_1"):
        old.minimum_version = old.maximum_version = ssl.TLSVersion.TLSv1_1
    with (
        serving(tmp_path, pair) as live,
        socket.create_connection(("127.0.0.1", live.port), 10) as raw,
        pytest.raises((ssl.SSLError, ConnectionError)),
    ):
        old.wrap_socket(raw)


def test_a_request_that_comes_in_one_piece_with_the_end_of_the_handshake_is_answered(
    tmp_path: Path, pair: Pair
) -> None:
    """A client of TLS 1.3 may send both at once."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    line = pair.trusting().wrap_bio(incoming, outgoing, server_hostname="127.0.0.1")
    with serving(tmp_path, pair) as live, socket.create_connection(("127.0.0.1", live.port), 10) as raw:
        while True:
            try:
                line.do_handshake()
                break
            except ssl.SSLWantReadError:
                raw.sendall(outgoing.read())
                incoming.write(raw.recv(65_536))
        line.write(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        raw.sendall(outgoing.read())
        told = b""
        while b"alive" not in told:
            piece = raw.recv(65_536)
            assert piece, told
            incoming.write(piece)
            with contextlib.suppress(ssl.SSLWantReadError):
                while part := line.read(65_536):
                    told += part
    assert told.startswith(b"HTTP/1.1 200")


def is_closed(line: socket.socket) -> bool:
    line.settimeout(10)
    try:
        return line.recv(1) == b""
    except ConnectionError:
        return True


def test_who_never_ends_a_handshake_is_counted_and_turned_out(
    tmp_path: Path, pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twenty lines of one address that say nothing: eight are let in, and they are cut when their time is over."""
    monkeypatch.setattr(tls_entrance, "HANDSHAKE_S", 1.5)
    narrow = msgspec.structs.replace(ROOMY, connections_per_address=8)
    with serving(tmp_path, pair, limits=narrow) as live, contextlib.ExitStack() as stack:
        lines = [stack.enter_context(socket.create_connection(("127.0.0.1", live.port), 10)) for _ in range(20)]
        for line in lines[8:]:
            assert is_closed(line)
        for line in lines[:8]:
            assert is_closed(line)
        assert ask(live.port, pair, "GET", "/healthz")[0] == 200


NOISES = (b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", b"\x16\x03\x01\x02\x00\x01", b"\0" * 99, b"\x16" * 20_000)


def test_what_is_no_handshake_ends_the_line_and_says_nothing_in_the_log(
    tmp_path: Path, pair: Pair, caplog: pytest.LogCaptureFixture
) -> None:
    with serving(tmp_path, pair) as live:
        for noise in NOISES:
            with socket.create_connection(("127.0.0.1", live.port), 10) as raw, contextlib.suppress(ConnectionError):
                raw.settimeout(10)
                raw.sendall(noise)
                raw.shutdown(socket.SHUT_WR)
                while raw.recv(65_536):
                    pass
        assert ask(live.port, pair, "GET", "/healthz")[0] == 200
    assert [record for record in caplog.records if record.levelname in ("WARNING", "ERROR", "CRITICAL")] == []


def wrong_files(folder: Path) -> dict[str, tuple[Path, Path, str]]:
    good = make_pair(folder, "good")
    other = make_pair(folder, "other")
    locked = make_pair(folder, "locked", password=b"a password")
    (folder / "text.pem").write_text("no certificate at all\n")
    return {
        "no such certificate": (folder / "nowhere.pem", good.key, "nowhere.pem: No such file or directory"),
        "no such key": (good.cert, folder / "nowhere.key", "nowhere.key: No such file or directory"),
        "no certificate": (folder / "text.pem", good.key, "there is no certificate in PEM form in it"),
        "no file": (Path("/dev/null"), good.key, "/dev/null: not a regular file"),
        "no file as a key": (good.cert, Path("/dev/null"), "/dev/null: not a regular file"),
        "no key": (good.cert, folder / "text.pem", "there is no private key in PEM form in it"),
        "the other way round": (good.key, good.cert, "there is no certificate in PEM form in it"),
        "of another": (good.cert, other.key, "is not the key of the certificate"),
        "a locked key": (locked.cert, locked.key, "it has a password"),
    }


WRONG = (
    *("no such certificate", "no such key", "no certificate", "no key"),
    *("the other way round", "of another", "a locked key", "no file", "no file as a key"),
)


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_file_is_one_line(tmp_path: Path, what: str) -> None:
    cert, key, says = wrong_files(tmp_path)[what]
    told = run("serve", "--no-open", "--data", str(tmp_path / "d"), "--cert", str(cert), "--key", str(key)).error
    assert says in told
    assert not (tmp_path / "d").exists(), "nothing was begun"


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="whoever may read everything is not refused")
def test_a_key_that_may_not_be_read_is_one_line(tmp_path: Path, pair: Pair) -> None:
    pair.key.chmod(0)
    told = run("serve", "--no-open", "--data", str(tmp_path / "d"), "--cert", str(pair.cert), "--key", str(pair.key))
    assert "Permission denied" in told.error


@pytest.mark.parametrize("option", ["--cert", "--key"])
def test_one_file_without_the_other_is_one_line(tmp_path: Path, pair: Pair, option: str) -> None:
    told = run("serve", "--no-open", "--data", str(tmp_path / "d"), option, str(pair.cert)).error
    assert "--cert and --key go together" in told


def test_renewed_files_are_taken_and_broken_ones_are_not(tmp_path: Path, pair: Pair) -> None:
    certificate = Certificate(pair.cert, pair.key)
    with running(tmp_path / "house", certificate=certificate) as live:
        assert served_number(live.port, pair) == pair.number
        renewed = make_pair(tmp_path)
        assert live.call(certificate.renew)
        assert served_number(live.port, pair) == renewed.number
        make_pair(tmp_path, "stranger").key.rename(pair.key)
        assert not live.call(certificate.renew)
        assert served_number(live.port, pair) == renewed.number, "the old pair goes on"
        assert ask(live.port, renewed, "GET", "/healthz")[0] == 200


@pytest.mark.slow
def test_the_server_reads_its_certificate_again_at_sighup(tmp_path: Path, pair: Pair) -> None:
    options = ("--data", str(tmp_path / "house"), "--port", "0", "--cert", str(pair.cert), "--key", str(pair.key))
    with started(*options, "--log-level", "info") as server:
        assert server.page == f"https://127.0.0.1:{server.port}/"
        renewed = make_pair(tmp_path)
        server.process.send_signal(signal.SIGHUP)
        until(lambda: served_number(server.port, pair) == renewed.number)
        status, _, err = server.end()
    assert status == 0
    assert "the certificate was renewed" in err
    assert "Traceback" not in err


def test_files_that_change_are_read_without_a_signal(
    tmp_path: Path, pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(certificates, "LOOK_S", 0.05)

    async def renewed() -> int:
        certificate = Certificate(pair.cert, pair.key)
        begin = certificate.end
        certificate.watch(asyncio.get_running_loop())
        make_pair(tmp_path, days=60)
        for _ in range(400):
            await asyncio.sleep(0.02)
            if certificate.end > begin:
                return (certificate.end - begin).days
        return 0

    assert asyncio.run(renewed()) in (29, 30)


def test_a_certificate_that_has_ended_is_told_at_the_start(tmp_path: Path) -> None:
    ended = make_pair(tmp_path, days=-1)
    assert Certificate(ended.cert, ended.key).has_ended()
    files = ["--cert", str(ended.cert), "--key", str(ended.key)]
    args = [*SERVE, "--data", str(tmp_path / "d"), *files, "--host", "no.such.host.invalid"]
    told = subprocess.run(args, capture_output=True, text=True, timeout=60).stderr
    assert "warning" in told
    assert "the certificate ended on" in told
