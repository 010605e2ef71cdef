"""The door of the server: silent connections go, and no address can have them all."""

import contextlib
import socket
import threading
import time
from pathlib import Path

import pytest
from msgspec.structs import replace

from casinowar.web import door, limits
from tests.live_server import HOUSE, ROOMY, Caller, fresh_id, running


def is_cut(line: socket.socket) -> bool:
    """Whether the other side has hung up."""
    line.settimeout(0.2)
    try:
        return line.recv(1) == b""
    except TimeoutError:
        return False
    except ConnectionError:
        return True


def test_an_address_has_only_so_many_connections_and_others_are_served(tmp_path: Path) -> None:
    with running(tmp_path, HOUSE, replace(ROOMY, connections_per_address=5)) as live, contextlib.ExitStack() as stack:
        lines = [stack.enter_context(socket.create_connection(("127.0.0.1", live.port))) for _ in range(9)]
        time.sleep(0.3)
        cut = [is_cut(line) for line in lines]
        assert cut == [False] * 5 + [True] * 4
        other = socket.create_connection(("127.0.0.1", live.port), source_address=("127.0.0.9", 0))
        stack.enter_context(other)
        other.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert other.recv(100).startswith(b"HTTP/1.1 200")


def test_who_asks_for_nothing_is_let_go_and_who_talks_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "FIRST_S", 0.3)
    monkeypatch.setattr(door, "LOOK_S", 0.1)
    with running(tmp_path, HOUSE) as live, contextlib.ExitStack() as stack:
        silent, slow, busy = (stack.enter_context(socket.create_connection(("127.0.0.1", live.port))) for _ in range(3))
        slow.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.")
        busy.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert busy.recv(65_536).startswith(b"HTTP/1.1 200")
        guest = Caller(live).guest().socket()
        guest.watch("nz")
        time.sleep(0.8)
        assert is_cut(silent)
        assert is_cut(slow)
        assert not is_cut(busy)
        guest.watch("nz")
        guest.close()


def test_a_body_is_not_waited_for_without_end_and_who_hangs_up_is_no_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(limits, "BODY_S", 0.5)
    head = (
        b"POST /api/guest HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"
    )
    with running(tmp_path, HOUSE) as live, contextlib.ExitStack() as stack:
        slow, gone = (stack.enter_context(socket.create_connection(("127.0.0.1", live.port))) for _ in range(2))
        slow.sendall(head)
        gone.sendall(head)
        gone.close()
        slow.settimeout(5)
        assert slow.recv(100).startswith(b"HTTP/1.1 408")
        assert live.metric("casinowar_faults_total") == 0
    assert "Traceback" not in caplog.text


def test_who_hangs_up_on_a_frame_is_no_fault(tmp_path: Path) -> None:
    """While the server is busy somebody goes without a goodbye and another acts: both come to it at once."""
    with running(tmp_path, HOUSE) as live:
        ben = Caller(live).guest()
        acting = ben.socket()
        for command in ({"do": "sit", "box": 1}, {"do": "leave"}) * 10:
            gone = Caller(live).guest().socket()
            gone.watch("nz")
            busy = threading.Thread(target=live.call, args=(lambda: time.sleep(0.1),))
            busy.start()
            gone.connection.socket.shutdown(socket.SHUT_RDWR)
            acting.send({"type": "command", "id": fresh_id(), "table": "nz", "expected": 0, "command": command})
            assert acting.next_of("done", "refused")["type"] == "done"
            busy.join()
            gone.close()
        assert live.metric("casinowar_faults_total") == 0


def test_handshakes_are_counted_like_requests(tmp_path: Path) -> None:
    bounds = replace(ROOMY, requests_per_second=1, requests_at_once=5)
    with running(tmp_path, HOUSE, bounds) as live:
        told = []
        for _ in range(12):
            with socket.create_connection(("127.0.0.1", live.port)) as line:
                line.sendall(
                    b"GET /api/socket?ticket=x HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
                    b"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
                )
                told.append(line.recv(65_536).split(b" ", 2)[1])
    assert told.count(b"429") >= 6
