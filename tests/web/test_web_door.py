"""The door of the server: silent connections go, and no address can have them all."""

import contextlib
import itertools
import socket
import threading
import time
from pathlib import Path

import pytest
from msgspec.structs import replace
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidStatus

from casinowar.web.http import door, limits, uvicorn_config
from casinowar.web.http.throttle import address_key, network_key
from tests.support.honest_player import ROOMY as HONEST_ROOMY
from tests.support.honest_player import Honest
from tests.support.live_server import HOUSE, ROOMY, Caller, fresh_id, running
from tests.web.test_serve import started

pytestmark = pytest.mark.slow


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


NARROW = replace(ROOMY, connections=40, connections_per_address=10, connections_per_network=20)


def idle_lines(port: int, sources: list[str], each: int, stack: contextlib.ExitStack) -> list[socket.socket]:
    """Connections that say nothing, or half of a request, from each of these addresses."""
    lines = []
    for number in range(each * len(sources)):
        source = (sources[number % len(sources)], 0)
        line = stack.enter_context(socket.create_connection(("127.0.0.1", port), 5, source))
        if number % 2:
            line.sendall(b"POST /api/guest HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n{")
        lines.append(line)
    return lines


def is_healthy(port: int) -> bool:
    with socket.create_connection(("127.0.0.1", port), 10) as line:
        line.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        with contextlib.suppress(ConnectionError):
            return line.recv(100).startswith(b"HTTP/1.1 200")
    return False


def test_idle_connections_of_many_networks_keep_nobody_out(tmp_path: Path) -> None:
    """Twice as many as the server holds; who plays stays, and who comes is answered."""
    with running(tmp_path, HOUSE, NARROW) as live, contextlib.ExitStack() as stack:
        guest = Caller(live).guest().socket()
        guest.watch("nz")
        idle_lines(live.port, [f"127.8.{network}.1" for network in range(8)], 10, stack)
        assert [is_healthy(live.port) for _ in range(5)] == [True] * 5
        guest.watch("nz")
        guest.close()


def test_twin_a_door_that_makes_no_room_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door.Door, "_make_room", lambda self: None)
    monkeypatch.setattr(uvicorn_config, "SPARE_CONNECTIONS", 0)
    with running(tmp_path, HOUSE, NARROW) as live, contextlib.ExitStack() as stack:
        idle_lines(live.port, [f"127.8.{network}.1" for network in range(8)], 10, stack)
        assert not is_healthy(live.port)


def test_a_network_has_only_so_many_connections_of_all_its_addresses(tmp_path: Path) -> None:
    with running(tmp_path, HOUSE, NARROW) as live, contextlib.ExitStack() as stack:
        lines = idle_lines(live.port, [f"127.8.0.{number}" for number in range(1, 7)], 5, stack)
        assert is_healthy(live.port)
        assert sum(is_cut(line) for line in lines) == 30 - 20


@pytest.mark.parametrize(
    ("address", "key", "network"),
    [
        ("192.0.2.77", "192.0.2.77", "192.0.2.0/24"),
        ("::ffff:192.0.2.77", "192.0.2.77", "192.0.2.0/24"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64", "2001:db8:1::/48"),
        ("2001:db8:1:ff::1%eth0", "2001:db8:1:ff::/64", "2001:db8:1::/48"),
        ("testclient", "testclient", "testclient"),
    ],
)
def test_an_address_is_counted_with_its_household_and_its_network(address: str, key: str, network: str) -> None:
    assert address_key(address) == key
    assert network_key(address) == network_key(key) == network


def test_guests_and_one_network_leave_sockets_to_others(tmp_path: Path) -> None:
    bounds = replace(ROOMY, sockets_of_guests=3, sockets=5, sockets_per_address=2, sockets_per_network=4)
    with running(tmp_path, HOUSE, bounds) as live, contextlib.ExitStack() as stack:

        def comes(caller: Caller, source: str) -> int:
            answer = caller.ask("POST", "/api/socket-ticket", {})
            if answer.status == 200:
                stack.callback(caller.socket(answer.json["ticket"], source_address=(source, 0)).close)
            else:
                assert answer.json["code"] == "house_full"
            return answer.status

        guests = [comes(Caller(live).guest(), f"127.9.{n}.1") for n in range(4)]
        accounts = [comes(live.staff(f"ada{n}"), f"127.9.{n}.1") for n in range(3)]
        assert guests == [200, 200, 200, 503]
        assert accounts == [200, 200, 503]


def test_one_network_has_not_all_sockets(tmp_path: Path) -> None:
    bounds = replace(ROOMY, sockets_per_address=2, sockets_per_network=3)
    with running(tmp_path, HOUSE, bounds) as live, contextlib.ExitStack() as stack:
        people = [Caller(live).guest() for _ in range(5)]
        tickets = [one.ticket() for one in people]
        for number in range(3):
            socket_ = people[number].socket(tickets[number], source_address=(f"127.9.9.{number + 1}", 0))
            stack.callback(socket_.close)
        with pytest.raises(InvalidStatus) as refused:
            people[3].socket(tickets[3], source_address=("127.9.9.9", 0))
        assert refused.value.response.status_code == 503
        stack.callback(people[4].socket(tickets[4], source_address=("127.9.10.1", 0)).close)


CHUNKED = (
    b"POST /api/guest HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n"
)


def told_all(line: socket.socket) -> bytes:
    told = b""
    with contextlib.suppress(ConnectionError):
        while more := line.recv(65_536):
            told += more
    return told


def test_a_body_in_crumbs_is_cut_off_and_one_in_chunks_is_taken(tmp_path: Path) -> None:
    """16,000 chunks of one byte took the deciding thread 150 ms to read."""
    with running(tmp_path, HOUSE) as live:
        with socket.create_connection(("127.0.0.1", live.port), 10) as line:
            line.sendall(CHUNKED + b"1\r\n \r\n" * 16_000)
            line.settimeout(10)
            assert told_all(line) == b""
        with socket.create_connection(("127.0.0.1", live.port), 10) as line:
            line.sendall(CHUNKED + b"1\r\n{\r\n" + b"1\r\n \r\n" * 60 + b"1\r\n}\r\n0\r\n\r\n")
            line.settimeout(10)
            assert line.recv(65_536).startswith(b"HTTP/1.1 200")


FRAMES = {
    "pings": b"\x89\x80\0\0\0\0",
    "pongs": b"\x8a\x80\0\0\0\0",
    "parts": b"\x01\x80\0\0\0\0" + b"\x00\x80\0\0\0\0" * 50,
    "texts": b"\x81\x81\0\0\0\0[",
}


@pytest.mark.parametrize("kind", FRAMES)
def test_of_a_block_of_small_frames_only_the_first_are_read(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reading them is what costs: the line is cut while most of the block is still unread."""
    read: list[int] = []
    parse = WebSocketsSansIOProtocol.data_received

    def counted(self: WebSocketsSansIOProtocol, data: bytes) -> None:
        read.append(len(data))
        parse(self, data)

    monkeypatch.setattr(WebSocketsSansIOProtocol, "data_received", counted)
    with running(tmp_path, HOUSE, limits.Limits()) as live:
        ticket = Caller(live).guest().ticket()
        with socket.create_connection(("127.0.0.1", live.port), 10) as line:
            line.sendall(
                f"GET /api/socket?ticket={ticket} HTTP/1.1\r\nHost: 127.0.0.1:{live.port}\r\n".encode()
                + b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                + b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
            )
            line.settimeout(10)
            assert b" 101 " in line.recv(65_536)
            read.clear()
            with contextlib.suppress(ConnectionError):
                line.sendall(FRAMES[kind] * 20_000)
            told_all(line)
    assert 0 < sum(read) < 20_000


@pytest.mark.parametrize(
    ("method", "path", "more"),
    [
        ("GET", "/api/nope", {}),
        ("GET", "/x/y", {}),
        ("DELETE", "/api/house", {}),
        ("GET", "/api/house", {"Host": "evil.example"}),
        ("POST", "/api/guest", {"Origin": "https://evil.example"}),
    ],
)
def test_what_is_refused_early_counts_as_a_request(
    tmp_path: Path, method: str, path: str, more: dict[str, str]
) -> None:
    few = replace(ROOMY, requests_per_second=1, requests_at_once=3)
    with running(tmp_path, HOUSE, few) as live:
        told = [Caller(live).ask(method, path, headers=more).status for _ in range(5)]
    assert told[:3] == [told[0]] * 3
    assert told[0] in (403, 404, 405)
    assert 429 in told[3:]


@pytest.mark.parametrize("path", ["/api/guest", "/", "/nowhere"])
def test_a_body_with_two_lengths_is_turned_away_and_the_line_is_cut(tmp_path: Path, path: str) -> None:
    """Else what a proxy takes for the rest of the body would be taken here for the next request."""
    with running(tmp_path, HOUSE) as live, socket.create_connection(("127.0.0.1", live.port), 10) as line:
        line.sendall(
            f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n".encode()
            + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
            + b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        )
        line.settimeout(10)
        told = b""
        with contextlib.suppress(ConnectionError):
            while more := line.recv(65_536):
                told += more
    assert told.startswith(b"HTTP/1.1 400")
    assert b"two_lengths" in told
    assert b"alive" not in told


@pytest.mark.long
def test_a_storm_of_new_connections_to_a_full_house_holds_up_nobody(tmp_path: Path) -> None:
    """2,000 idle connections of 60 networks, and then new ones as fast as they can be made."""
    door.allow_files()
    with started("--port", "0", "--data", str(tmp_path), *HONEST_ROOMY) as server, contextlib.ExitStack() as stack:
        honest = Honest(server.port, "nz")
        alone = honest.waits(5)

        def comes(number: int) -> socket.socket:
            source = (f"127.61.{number % 60}.{1 + number // 60 % 50}", 0)
            return socket.create_connection(("127.0.0.1", server.port), 30, source)

        for number in range(2_000):
            stack.enter_context(comes(number))
        stop, made = threading.Event(), list[int]()

        def storm(first: int) -> None:
            for number in itertools.count(first, 4):
                if stop.is_set():
                    return
                with contextlib.suppress(OSError), comes(number):
                    made.append(number)

        storms = [threading.Thread(target=storm, args=(first,)) for first in range(4)]
        for thread in storms:
            thread.start()
        beside = honest.waits(10)
        began = time.monotonic()
        assert is_healthy(server.port)
        health_ms = 1000 * (time.monotonic() - began)
        stop.set()
        for thread in storms:
            thread.join(60)
    print(f"alone {alone}; beside {len(made)} new connections {beside}; /healthz after {health_ms:.0f} ms")
    assert len(made) > 500
    assert beside.share(0.99) < 250
