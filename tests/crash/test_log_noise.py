"""The log of a server that strangers shout at: each kind of noise is written once a minute, with a count.

`NOISE=3000` makes as many attempts of each kind, for the figure in docs/reliability.md.
"""

import contextlib
import json
import logging
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from pathlib import Path

import pytest

from casinowar.web.log_noise import MOST_KINDS, NoiseFilter

TRIES = int(os.environ.get("NOISE", "50"))
MOST_LINES = 20
HEAD = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"
HANDSHAKE = (
    b"GET /api/socket?ticket=x HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)
NOISES: dict[str, bytes] = {
    "no HTTP at all": b"\x00\x01\x02 nonsense\r\n\r\n",
    "a TLS hello": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\0" * 64 + b"\r\n\r\n",
    "a header without end": HEAD + b"X: " + b"a" * 70_000,
    "a header that is none": HEAD + b"no colon here\r\n\r\n",
    "an upgrade to something else": HEAD + b"Upgrade: h2c\r\nConnection: Upgrade\r\n\r\n",
    "a wrong ticket": HANDSHAKE,
    "a handshake that is none": HANDSHAKE.replace(b"Sec-WebSocket-Key", b"X-Key"),
    "two lengths": HEAD.replace(b"GET", b"POST") + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "a foreign host": b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    "a length that is none": HEAD.replace(b"GET", b"POST") + b"Content-Length: -1\r\n\r\n",
    "an address that is none": b"GET \xff\xfe%zz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
}
GUESTS: dict[str, bytes] = {
    "text that is none": b"\x81\x84\0\0\0\0\xff\xfe\xfd\xfc",
    "a frame that breaks off": b"\x81\xfe\x10\x00\0\0\0\0half of it",
    "a frame of no kind": b"\x8b\x80\0\0\0\0",
}
"""What somebody sends who was let in with a ticket, and who then hangs up."""

PLAIN = "from casinowar.cli import main; main()"
LOUD = f"from casinowar.web import run; run.keep_log_quiet = lambda loop: None; {PLAIN}"


def address_of(number: int) -> str:
    return f"127.7.{number % 200}.{1 + number // 200 % 250}"


def let_in(port: int, number: int) -> bytes:
    """The handshake of a guest who has a ticket."""
    line = HTTPConnection("127.0.0.1", port, timeout=20, source_address=(address_of(number), 0))
    with contextlib.closing(line):
        line.request("POST", "/api/guest", b"{}", {"Content-Type": "application/json", "X-Casinowar-Client": "1"})
        told = json.loads(line.getresponse().read())
        known = {"Content-Type": "application/json", "Authorization": f"Bearer {told['token']}"}
        line.request("POST", "/api/socket-ticket", b"{}", known)
        ticket = json.loads(line.getresponse().read())["ticket"]
    return HANDSHAKE.replace(b"ticket=x", f"ticket={ticket}".encode())


def shout(port: int, noise: bytes, number: int) -> None:
    """One connection; every other one is cut without a goodbye. Each comes from an address of its own."""
    source = address_of(number)
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 5, (source, 0)) as line:
        if number % 2:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        line.sendall(noise)
        if not number % 2:
            line.settimeout(5)
            line.recv(65_536)


@contextlib.contextmanager
def serving(program: str, folder: Path) -> Iterator[tuple[int, Callable[[], str]]]:
    """A server whose standard error goes into a file; its port, and what it has written once it has ended."""
    log = folder / "log"
    args = [sys.executable, "-u", "-c", program, "serve", "--no-open", "--port", "0", "--data", str(folder / "house")]
    with log.open("wb") as errors:
        process = subprocess.Popen(args, stdout=subprocess.PIPE, stderr=errors)
    try:
        assert process.stdout is not None
        address = re.search(rb":(\d+)/", process.stdout.readline())
        assert address, log.read_text()

        def end() -> str:
            process.send_signal(signal.SIGINT)
            process.wait(60)
            return log.read_text()

        yield int(address[1]), end
    finally:
        process.kill()
        process.communicate()


def lines_by_kind(text: str) -> Counter[str]:
    """Lines that tell of something, and those of tracebacks with them, by their words less all numbers."""
    kinds: Counter[str] = Counter()
    kind = ""
    for line in text.splitlines():
        head = re.match(r"\d{4}-\d\d-\d\d \S+ [A-Z]+ (.*)", line)
        if head:
            kind = re.sub(r"\d+", "#", head[1].partition(" (and ")[0])
        if kind:
            kinds[kind] += 1
    return kinds


def noisy_lines(program: str, folder: Path, tries: int) -> tuple[Counter[str], float]:
    """The lines of each kind, and how many minutes it took."""
    began = time.monotonic()
    with serving(program, folder) as (port, end):
        for number in range(tries):
            for noise in NOISES.values():
                shout(port, noise, number)
            for frame in GUESTS.values():
                shout(port, let_in(port, number) + frame, number)
        took = time.monotonic() - began
        told = end()
    print(f"{tries * len(NOISES | GUESTS)} attempts in {took:.0f} s, {len(told)} bytes of log: {lines_by_kind(told)}")
    return lines_by_kind(told), took / 60


def test_no_kind_of_noise_fills_the_log(tmp_path: Path) -> None:
    kinds, minutes = noisy_lines(PLAIN, tmp_path, TRIES)
    assert kinds, "the harness made no noise that is written"
    assert max(kinds.values()) <= MOST_LINES * max(1, minutes), kinds


def test_twin_a_server_that_writes_all_of_it_is_found(tmp_path: Path) -> None:
    kinds, _ = noisy_lines(LOUD, tmp_path, MOST_LINES + 10)
    assert max(kinds.values()) > MOST_LINES, kinds


class Log:
    """A logger with the filter before its handler, a clock that the test moves, and what came through."""

    def __init__(self) -> None:
        self.now = 0.0
        self.told: list[str] = []
        self.noise = NoiseFilter(lambda: self.now)
        self.logger = logging.getLogger("uvicorn.error.test")
        self.logger.propagate = False
        handler = logging.Handler()
        handler.emit = lambda record: self.told.append(record.getMessage())  # type: ignore[method-assign]
        handler.addFilter(self.noise)
        self.logger.handlers = [handler]


def test_the_count_comes_with_the_next_one_after_a_minute() -> None:
    log = Log()
    for number in range(9_453):
        log.logger.warning("Invalid HTTP request received from %d.", number)
        log.now += 5 / 9_453
    assert log.told == ["Invalid HTTP request received from 0."]
    log.now = 61
    log.logger.warning("Invalid HTTP request received from %d.", 7)
    assert log.told[1:] == ["Invalid HTTP request received from 7. (and 9,452 more like it within a minute)"]


def test_the_count_is_told_too_where_nothing_more_comes() -> None:
    log = Log()
    for _ in range(5):
        log.logger.warning("out of %s", "chips")
    log.noise.tell_counts()
    assert log.told == ["out of chips"]
    log.now = 60
    log.noise.tell_counts()
    log.noise.tell_counts()
    assert log.told == ["out of chips", "out of chips (and 4 more like it within a minute)"]


def test_kinds_are_told_apart_and_new_words_without_end_are_one_kind() -> None:
    log = Log()
    log.logger.warning("one thing")
    log.logger.error("one thing")
    log.logger.warning("another thing")
    assert len(log.told) == 3
    for number in range(26**2 * 10):
        letters = "".join(chr(97 + number // 26**power % 26) for power in range(4))
        log.logger.warning(f"nothing like {letters}")
    assert len(log.told) <= MOST_KINDS + 2


def test_two_faults_of_one_wording_are_both_told() -> None:
    log = Log()
    log.logger.error("table %s: %s", "nz", "the disk is slow")
    log.logger.error("table %s: %s", "ca", "the cut is not the one in the log")
    assert len(log.told) == 2


def test_kinds_that_have_been_quiet_for_a_minute_are_forgotten() -> None:
    log = Log()
    for number in range(MOST_KINDS + 50):
        log.logger.warning("fault " + "x" * (1 + number // 26) + chr(97 + number % 26))
    log.now = 121
    log.noise.tell_counts()
    log.now = 182
    log.noise.tell_counts()
    before = len(log.told)
    log.logger.warning("one more kind")
    log.logger.warning("and another")
    assert len(log.told) == before + 2


@pytest.mark.parametrize("words", ["Invalid UTF-8 sequence received from client."])
def test_a_clients_fault_has_no_traceback(words: str, caplog: pytest.LogCaptureFixture) -> None:
    noise = NoiseFilter()
    record = logging.LogRecord("uvicorn.error", logging.ERROR, "", 0, words, (), (ValueError, ValueError("x"), None))
    assert noise.filter(record)
    assert record.exc_info is None
    assert record.levelno == logging.WARNING


def test_the_access_log_that_was_asked_for_is_whole() -> None:
    noise = NoiseFilter()
    record = logging.LogRecord("casinowar.access", logging.INFO, "", 0, "GET / 200", (), None)
    assert all(noise.filter(record) for _ in range(100))
