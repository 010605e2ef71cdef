"""`casinowar bench serve` where there is no house: another web server, a stranger, or a house that is killed."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.request import urlopen

import msgspec
import pytest

from casinowar import protocol as f
from tests.support.commandline import run


def response(status: int, body: bytes, kind: str = "text/html") -> bytes:
    head = f"HTTP/1.1 {status} X\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    return head.encode() + body


@contextmanager
def answering(say: Callable[[str], bytes]) -> Iterator[str]:
    """The address of a server that answers each request line by `say`, and hangs up."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            head = await reader.readuntil(b"\r\n\r\n")
            writer.write(say(head.decode().partition(" HTTP")[0]))
            await writer.drain()
        writer.close()

    loop = asyncio.new_event_loop()
    server = loop.run_until_complete(asyncio.start_server(answer, "127.0.0.1", 0))
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        server.close()
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()


@pytest.mark.parametrize(
    ("said", "says"),
    [
        (response(200, b"<html>another site</html>"), "no house answers: JSON is malformed"),
        (response(200, b'{"tables": []}', "application/json"), "no house answers: Expected `array`"),
        (response(404, b"<html>not here</html>"), "no house answers: http: the server answered 404"),
        (response(301, b""), "no house answers: http: the server answered 301"),
        (b"SSH-2.0-OpenSSH_9.6\r\n", "no house answers: no answer that HTTP knows"),
        (b"", "no house answers: "),
        (response(200, b"[]", "application/json"), "0 tables are open to guests"),
    ],
    ids=["page", "other JSON", "not found", "moved", "not HTTP", "silence", "no tables"],
)
def test_what_is_no_house_is_one_line(said: bytes, says: str) -> None:
    with answering(lambda request: said) as url:
        assert run("bench", "serve", "--url", url).error.startswith(f"casinowar: {url}: {says}")


LINE = f.LobbyLine(
    name="t", title="t", rulebook="nz", book_title="nz", dealer="automatic", boxes=7, seated=0, bots=0, watching=0,
    minimum=500, maximum=50_000, unit=500, betting_seconds=15, rounds=0, version=1, owner=None, is_closed=False,
    is_stopped=False, phase="betting", timer=None, taken=(), decks=6, sides=(), meter=0, bank=None,
)  # fmt: skip


def test_a_house_of_another_time_is_one_line() -> None:
    """Its lobby is known, and what it says to a guest is not."""

    def say(request: str) -> bytes:
        told = [LINE] if request == "GET /api/tables" else {"guest": "ann"}
        return response(200, msgspec.json.encode(told), "application/json")

    with answering(say) as url:
        done = run("bench", "serve", "--url", url, "--seats", "1")
    assert (done.status, done.out) == (2, "")
    assert done.err.splitlines()[1:] == [
        f"casinowar: {url}: the house says what this release does not know: Object missing required field `player`"
    ]


@pytest.fixture
def bench(tmp_path: Path) -> Iterator["subprocess.Popen[str]"]:
    """A load on a house of its own, in a process of its own."""
    command = [sys.executable, "-m", "casinowar", "bench", "serve", "--tables", "1", "--seats", "2", "--pace", "50"]
    started = subprocess.Popen(
        [*command, "--seconds", "600"],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with started:
        yield started
        started.terminate()


def test_a_house_that_is_killed_in_the_middle_is_told_soon(tmp_path: Path, bench: "subprocess.Popen[str]") -> None:
    """Clients alone would try for a minute to come back, and only then be heard."""
    assert bench.stderr is not None
    assert "2 players" in bench.stderr.readline()
    (log,) = tmp_path.glob("casinowar-bench-*/server.log")
    address = log.read_text().split()[0].rstrip("/")
    while not rounds_at(address):
        assert bench.poll() is None
    (house,) = Path(f"/proc/{bench.pid}/task/{bench.pid}/children").read_text().split()
    os.kill(int(house), signal.SIGKILL)
    out, err = bench.communicate(timeout=30)
    assert (bench.returncode, out) == (2, "")
    assert err.startswith(f"casinowar: the house ended with status -{signal.SIGKILL:d}: ")
    assert err.count("\n") == 1
    assert list(tmp_path.glob("casinowar-bench-*")) == []


def rounds_at(address: str) -> float:
    """The rounds that have been played at this house."""
    with urlopen(f"{address}/metrics") as answer:
        lines = answer.read().decode().splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith("casinowar_rounds_total "))
