"""What is malformed, huge, deep, forged, too fast or too slow is refused, counted, and changes nothing."""

import contextlib
import json
import os
import socket as sockets
import struct
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.frames import Frame, Opcode

from casinowar.house.settings import HouseSettings, TableSettings
from casinowar.web.http.address import SEND_BUFFER
from casinowar.web.http.limits import Limits, is_too_deep
from casinowar.web.http.uvicorn_config import BUFFER_BYTES, MOST_FRAMES
from casinowar.web.socket import connection
from tests.support.live_server import QUICK, ROOMY, Caller, LiveServer, Socket, fresh_id, running

pytestmark = pytest.mark.slow

TIGHT = msgspec.structs.replace(
    ROOMY,
    messages_per_second=10,
    messages_at_once=20,
    sockets_per_account=3,
    sockets_per_address=5,
    requests_per_second=20,
    requests_at_once=150,
)
QUIET = HouseSettings(tables=(TableSettings(name="hand", rulebook="nz", dealer="human", timers=QUICK),))
"""A table at which nothing happens by itself, so that its version shows whether anything was done."""


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with running(tmp_path_factory.mktemp("house"), QUIET) as live:
        yield live


@pytest.fixture
def tight(tmp_path: Path) -> Iterator[LiveServer]:
    with running(tmp_path, QUIET, TIGHT) as live:
        yield live


def nested(depth: int) -> str:
    return "[" * depth + "]" * depth


def sit(box: int = 1, **more: Any) -> dict[str, Any]:
    return {
        "type": "command",
        "id": fresh_id(),
        "table": "hand",
        "expected": 0,
        "command": {"do": "sit", "box": box},
        **more,
    }


@pytest.mark.parametrize(
    ("text", "depth", "too_deep"),
    [
        ("[[[[[[]]]]]]", 6, False),
        ("[[[[[[[]]]]]]]", 6, True),
        ('{"a":{"b":[1]}}', 3, False),
        ('"[[[[[[[[["', 1, False),
        (r'"\"[[[[[[[["', 1, False),
        (r'["\\"[[]]]', 2, True),
        ("[[],[],[],[]]", 2, False),
    ],
)
def test_depth_counts_brackets_outside_of_strings(text: str, depth: int, too_deep: bool) -> None:
    assert is_too_deep(text.encode(), depth) is too_deep


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ("", "malformed"),
        ("{", "malformed"),
        ("nonsense", "malformed"),
        ("null", "invalid"),
        ("[]", "invalid"),
        ("{}", "invalid"),
        ('{"type":"fly"}', "invalid"),
        ('{"type":"watch","table":"hand","extra":1}', "invalid"),
        ('{"type":"watch","table":"../hand"}', "invalid"),
        ('{"type":"watch","table":"nowhere"}', "no_such_table"),
        ('{"type":"watch","table":"hand","role":"operator"}', "invalid"),
        ('{"type":"watch","table":"hand","role":"auditor"}', "not_allowed"),
        (json.dumps({**sit(), "as": "house"}), "invalid"),
        (json.dumps({**sit(), "expected": 2**53}), "invalid"),
        (json.dumps({**sit(), "expected": 1.5}), "invalid"),
        (json.dumps({**sit(), "id": "x" * 65}), "invalid"),
        (json.dumps({**sit(), "reason": "x" * 201}), "invalid"),
        (json.dumps({**sit(), "player": "olga"}), "invalid"),
        (json.dumps({**sit(), "command": "NESTED"}).replace('"NESTED"', nested(7)), "malformed"),
        (nested(2_000), "malformed"),
        ('{"type":"watch","table":"' + "x" * 5_000 + '"}', "too_large"),
        (b"\x00\x01\x02", "not_text"),
        (json.dumps(sit()).encode(), "not_text"),
    ],
)
def test_a_frame_that_cannot_be_taken_is_answered_counted_and_harmless(
    live: LiveServer, frame: str | bytes, code: str
) -> None:
    line = f'casinowar_frames_refused_total{{code="{code}"}}'
    version, before = live.version("hand"), live.metric(line)
    socket = Caller(live).guest().socket()
    socket.connection.send(frame)
    answer = socket.next()
    assert (answer["type"], answer["code"]) == ("error", code)
    assert live.metric(line) == before + 1
    assert live.version("hand") == version
    assert socket.watch("hand", "watcher")["type"] == "snapshot", "the connection goes on"


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ('{"do":"fly"}', "malformed_command"),
        ('"sit"', "malformed_command"),
        ('{"do":"sit","box":1,"player":"olga"}', "malformed_command"),
        ('{"do":"sit","box":1e400}', "malformed_command"),
        ('{"do":"buy_chips","amount":-5}', "malformed_command"),
        ('{"do":"buy_chips","amount":9007199254740992}', "malformed_command"),
        ('{"do":"buy_in","player":"me","amount":1000000}', None),
        ('{"do":"void_round","reason":"I lost","by":"supervisor:olga"}', None),
        ('{"do":"place_wager","player":"guest-000000","box":1,"wager":"initial","amount":500}', None),
    ],
)
def test_a_forged_command_is_refused_by_the_table(live: LiveServer, command: str, code: str | None) -> None:
    version = live.version("hand")
    socket = Caller(live).guest().socket()
    socket.connection.send(json.dumps(sit()).replace('{"do": "sit", "box": 1}', command))
    answer = socket.next_of("refused", "done", "error")
    assert answer["type"] == "refused"
    assert code in (None, answer["code"])
    assert live.version("hand") == version


def test_a_number_of_thousands_of_digits_is_refused(live: LiveServer) -> None:
    version = live.version("hand")
    socket = Caller(live).guest().socket()
    for digits in (100, 3_500):
        socket.connection.send(json.dumps(sit()).replace('"box": 1', f'"box": {"9" * digits}'))
        assert socket.next()["type"] in ("refused", "error")
    assert live.version("hand") == version
    assert live.metric("casinowar_faults_total") == 0


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(content=st.binary(max_size=200) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "replace")))
def test_no_bytes_bring_the_server_to_a_fault(live: LiveServer, content: bytes) -> None:
    caller = Caller(live).guest()
    for path in ("/api/login", "/api/tables/hand/commands", "/api/guest"):
        answer = caller.ask("POST", path, raw=content)
        assert answer.status in (200, 400, 422)
    command = b'{"id":"x","expected":0,"command":' + content + b"}"
    assert caller.ask("POST", "/api/tables/hand/commands", raw=command).status in (400, 409, 422)


def test_a_captured_session_that_is_sent_again_has_no_effect(live: LiveServer) -> None:
    caller = Caller(live).guest()
    first = caller.socket()
    frames = [sit(2), {**sit(), "command": {"do": "buy_chips", "amount": 700}}, {**sit(), "command": {"do": "leave"}}]
    answers = []
    for frame in frames:
        first.send(frame)
        answers.append(first.next_of("done", "refused"))
    assert [answer["type"] for answer in answers] == ["done", "done", "done"]
    version, purse = live.version("hand"), caller.ask("GET", "/api/me").json["purse"]
    second = caller.socket()
    for frame, answer in zip(frames, answers, strict=True):
        second.send(frame)
        assert second.next_of("done", "refused") == answer
    assert live.version("hand") == version
    assert caller.ask("GET", "/api/me").json["purse"] == purse
    thief = Caller(live).guest().socket()
    thief.send({**frames[1], "expected": version})
    assert thief.next_of("done", "refused")["type"] == "refused", "another's frame is one's own command: no seat"


def test_a_clients_id_cannot_pass_for_the_servers_own(tmp_path: Path) -> None:
    with running(tmp_path, QUIET) as live:
        caller = Caller(live).guest()
        for id in ("role-request-99999", "role-request-x", "welcome", "list-hand", "hand.open", "hand.2"):
            answer = caller.ask("PUT", "/api/me/limits", {"id": id, "loss": None, "minutes": None})
            assert answer.status in (200, 409), answer
        live.staff("ida", "auditor")
    with running(tmp_path, QUIET) as live:
        assert live.call(lambda: live.server.roles("ida")) == {"auditor"}


def send_often(socket: Socket, text: str, times: int) -> None:
    """Send, and then read until the end."""
    for _ in range(times):
        socket.connection.send(text)
    recv_all(socket)


def send_in_turn(socket: Socket, text: str, times: int) -> None:
    """Send what is answered, and read an answer each time: what is under way at the end would cut the farewell."""
    for _ in range(times):
        socket.connection.send(text)
        socket.connection.recv(10)
    recv_all(socket)


def closed_by(work: Callable[[], None]) -> tuple[int, str] | None:
    """Code and reason with which the server closed the connection; None where it was cut."""
    with pytest.raises(ConnectionClosed) as closed:
        work()
    frame = closed.value.rcvd
    return None if frame is None else (frame.code, frame.reason)


def test_a_message_beyond_what_is_read_ends_the_connection(live: LiveServer) -> None:
    version = live.version("hand")
    socket = Caller(live).guest().socket()
    told = closed_by(lambda: send_often(socket, "x" * 100_000, 50))
    assert told is None or told[0] == 1009
    assert live.version("hand") == version


def test_compression_is_not_taken(live: LiveServer) -> None:
    from websockets.sync.client import connect

    caller = Caller(live).guest()
    url = f"ws://127.0.0.1:{live.port}/api/socket?ticket={caller.ticket()}"
    with connect(url, compression="deflate") as connection:
        assert connection.protocol.extensions == []


def test_a_flood_is_slowed_then_cut_and_the_table_goes_on(tight: LiveServer) -> None:
    flooder, honest = Caller(tight).guest(), Caller(tight).guest()
    socket, other = flooder.socket(), honest.socket()
    other.watch("hand")
    told = closed_by(lambda: send_in_turn(socket, '{"type":"watch","table":"nowhere"}', 1_000))
    assert told == (1008, "too_many_refused")
    slowed = tight.metric('casinowar_frames_refused_total{code="too_fast"}')
    assert slowed > 0
    assert slowed + tight.metric('casinowar_frames_refused_total{code="no_such_table"}') >= 50
    other.send(sit())
    assert other.next_of("done", "refused")["type"] == "done"


@pytest.mark.parametrize("opcode", [Opcode.PING, Opcode.PONG, Opcode.CONT])
def test_frames_that_are_no_messages_end_the_connection_when_they_flood_it(live: LiveServer, opcode: Opcode) -> None:
    """Pings are answered, and parts of a message are kept, so that neither may come without end."""
    socket = Caller(live).guest().socket()
    wire = socket.connection.socket
    begun = Frame(Opcode.TEXT, b"{", fin=False).serialize(mask=True) if opcode is Opcode.CONT else b""
    one = Frame(opcode, b"" if opcode is Opcode.CONT else b"x" * 125, fin=opcode is not Opcode.CONT)
    few = b"".join(one.serialize(mask=True) for _ in range(MOST_FRAMES // 2))
    wire.sendall(begun + few)
    if opcode is Opcode.CONT:
        wire.sendall(Frame(Opcode.CONT, b"}", fin=True).serialize(mask=True))
    else:
        socket.send({"type": "unwatch", "table": "hand"})
    assert not socket.connection.close_code
    with contextlib.suppress(OSError):
        wire.sendall(begun)
        for _ in range(400):
            wire.sendall(few)
    assert closed_by(lambda: recv_all(socket)) is None, "cut off, without a word"


def recv_all(socket: Socket) -> None:
    while True:
        socket.connection.recv(10)


def test_twenty_messages_at_once_are_taken_and_the_next_is_not(tight: LiveServer) -> None:
    socket = Caller(tight).guest().socket()
    for _ in range(21):
        socket.send({"type": "unwatch", "table": "hand"})
    answer = socket.next()
    assert (answer["type"], answer["code"]) == ("error", "too_fast")
    time.sleep(0.3)
    socket.send({"type": "watch", "table": "hand"})
    assert socket.next()["type"] == "snapshot"


def preview(caller: Caller) -> int:
    body = {"command": {"do": "next"}, "as": "dealer"}
    return caller.ask("POST", "/api/tables/hand/preview", body).status


def test_looking_at_what_an_act_would_do_costs_no_act(tight: LiveServer) -> None:
    """Also the other way round: whoever sent too many messages can still look."""
    dora = tight.staff("dora", "dealer")
    assert [preview(dora) for _ in range(TIGHT.messages_at_once + 10)] == [200] * (TIGHT.messages_at_once + 10)
    socket = dora.socket()
    for _ in range(15):
        socket.send({"type": "ping"})
    assert [socket.next()["type"] for _ in range(15)] == ["pong"] * 15
    for _ in range(15):
        socket.send({"type": "ping"})
    assert "error" in [socket.next()["type"] for _ in range(15)]
    assert preview(dora) == 200


@pytest.mark.parametrize("whose", ["", "address_"])
def test_previews_have_a_pace_of_their_own(tmp_path: Path, whose: str) -> None:
    changed = {f"{whose}previews_per_second": 1, f"{whose}previews_at_once": 5}
    with running(tmp_path, QUIET, msgspec.structs.replace(ROOMY, **changed)) as live:
        first, second = Caller(live).guest(), Caller(live).guest()
        assert [preview(first) for _ in range(5)] == [200] * 5
        assert 429 in {preview(first) for _ in range(4)}
        assert preview(second) == (429 if whose else 200)


def refused_socket(caller: Caller, ticket: str | None = None) -> tuple[int, str]:
    with pytest.raises(InvalidStatus) as refused:
        caller.socket(ticket)
    return refused.value.response.status_code, json.loads(refused.value.response.body or b"{}")["code"]


def test_three_sockets_for_an_account_and_five_for_an_address(tight: LiveServer) -> None:
    first, second = Caller(tight).guest(), Caller(tight).guest()
    spare = first.ticket()
    opened = [first.socket() for _ in range(3)]
    assert refused_socket(first, spare) == (429, "too_many_sockets")
    # A browser is not told why a socket was refused, so that the ticket is refused first, in words.
    told = first.ask("POST", "/api/socket-ticket", {})
    assert (told.status, told.json["code"]) == (429, "too_many_sockets")
    opened += [second.socket() for _ in range(2)]
    assert refused_socket(second) == (429, "too_many_sockets")
    opened[0].close()
    until = time.monotonic() + 5
    while tight.metric("casinowar_sockets") > 4:
        assert time.monotonic() < until
        time.sleep(0.05)
    first.socket().close()


def test_requests_beyond_the_pace_of_an_address_are_refused(tight: LiveServer) -> None:
    caller = Caller(tight)
    answers = [caller.ask("GET", "/healthz") for _ in range(TIGHT.requests_at_once)]
    until = time.monotonic() + 20
    while answers[-1].status == 200 and time.monotonic() < until:
        answers.append(caller.ask("GET", "/healthz"))
    refused = [answer for answer in answers if answer.status != 200]
    assert refused
    assert refused[0].json["code"] == "too_fast"
    assert refused[0].headers["Retry-After"] == "1"


def test_guests_do_not_come_by_the_hundred_from_one_address(tmp_path: Path) -> None:
    limits = msgspec.structs.replace(ROOMY, arrivals_per_second=1, arrivals_at_once=5)
    with running(tmp_path, QUIET, limits) as live:
        statuses = [Caller(live).ask("POST", "/api/guest", {}).status for _ in range(10)]
        assert statuses[:5] == [200] * 5
        assert statuses[6:] == [429] * 4


@pytest.mark.parametrize(
    ("content", "headers", "status", "code"),
    [
        (b"{}", {"Content-Type": "text/plain"}, 415, "not_json"),
        (b"a=1", {"Content-Type": "application/x-www-form-urlencoded"}, 415, "not_json"),
        (b"{", {}, 400, "malformed"),
        (b'{"name":"\xff","password":"x"}', {}, 400, "malformed"),
        (nested(7).encode(), {}, 400, "malformed"),
        (b'{"name":"' + b"x" * 20_000 + b'"}', {}, 413, "too_large"),
        (b"{}", {"Origin": "https://evil.example"}, 403, "foreign_origin"),
        (b"{}", {"Origin": "null"}, 403, "foreign_origin"),
    ],
)
def test_a_body_that_cannot_be_taken(
    live: LiveServer, content: bytes, headers: dict[str, str], status: int, code: str
) -> None:
    answer = Caller(live).ask("POST", "/api/login", raw=content, headers=headers)
    assert (answer.status, answer.json["code"]) == (status, code)


def test_a_body_without_a_length_is_cut_off_at_the_limit(live: LiveServer) -> None:
    """Sent in chunks, so that no header tells how long it will be."""
    with sockets.create_connection(("127.0.0.1", live.port), timeout=10) as connection:
        head = "POST /api/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        connection.sendall(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode())
        for _ in range(20):
            connection.sendall(b"400\r\n" + b" " * 0x400 + b"\r\n")
        assert connection.recv(4_096).startswith(b"HTTP/1.1 413 ")


def test_one_who_does_not_read_is_dropped_and_costs_no_memory(tmp_path: Path) -> None:
    """A client with a tiny window watches a table, and reads nothing while much is said to it."""
    limits = msgspec.structs.replace(ROOMY, queue_seconds=1)
    with running(tmp_path, QUIET, limits) as live:
        slow, busy = Caller(live).guest(), Caller(live).guest()
        raw = _unread_socket(live, slow.ticket())
        until = time.monotonic() + 5
        while live.metric("casinowar_sockets") < 1:
            assert time.monotonic() < until
        started = rss()
        until = time.monotonic() + 30
        sent = 0
        while live.metric("casinowar_sockets") > 0:
            assert time.monotonic() < until, "it was never dropped"
            for _ in range(20):
                busy.command("hand", {"do": "sit", "box": 1 + sent % 7})
                busy.command("hand", {"do": "leave"})
                sent += 2
        assert live.metric('casinowar_sockets_dropped_total{code="slow_reader"}') == 1
        assert rss() - started < 100_000_000
        assert busy.command("hand", {"do": "sit", "box": 1}).status == 200
        assert b"goodbye" not in _rest(raw), "what it is not sent it cannot be told"
        raw.close()


def test_one_who_does_not_answer_our_close_is_cut_off(live: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """A close is answered with a close. The library would wait ten seconds for it, with the connection counted."""
    monkeypatch.setattr(connection, "CLOSING_S", 0.2)
    caller = Caller(live).guest()
    raw = _unread_socket(live, caller.ticket())
    raw.settimeout(8)
    caller.ask("POST", "/api/logout", {})
    assert b"logged_out" in _rest(raw)
    raw.close()


def _rest(raw: sockets.socket) -> bytes:
    """All that still comes, to the end of the connection."""
    told = b""
    with contextlib.suppress(ConnectionError):
        while got := raw.recv(65_536):
            told += got
    return told


def _unread_socket(live: LiveServer, ticket: str) -> sockets.socket:
    """The handshake and a watch by hand, on a socket with the least buffer, from which nothing is read."""
    raw = sockets.socket()
    raw.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 1_024)
    raw.settimeout(10)
    raw.connect(("127.0.0.1", live.port))
    raw.sendall(
        f"GET /api/socket?ticket={ticket} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    assert raw.recv(12) == b"HTTP/1.1 101"
    text = b'{"type":"watch","table":"hand","role":"watcher"}'
    raw.sendall(struct.pack("!BB4s", 0x81, 0x80 | len(text), bytes(4)) + text)
    return raw


def rss() -> int:
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_what_may_lie_unsent_for_one_connection_is_bounded() -> None:
    assert BUFFER_BYTES + SEND_BUFFER <= 128 * 1024


def test_the_usual_limits_are_those_that_were_promised() -> None:
    usual = Limits()
    assert (usual.message_bytes, usual.depth, usual.body_bytes) == (4_096, 6, 16_384)
    assert (usual.messages_per_second, usual.messages_at_once) == (10, 20)
    assert (usual.sockets_per_account, usual.sockets_per_address) == (3, 20)
    assert (usual.address_messages_per_second, usual.address_messages_at_once) == (20, 50)
    assert (usual.previews_per_second, usual.previews_at_once) == (10, 40)
    assert (usual.address_previews_per_second, usual.address_previews_at_once) == (20, 80)
    assert (usual.snapshots_per_second, usual.snapshots_at_once) == (4, 40)
    assert (usual.tells_per_second, usual.tells_at_once) == (5, 10)
    assert (usual.queue_messages, usual.queue_seconds) == (64, 5)
    assert (usual.seats_per_address, usual.private_tables_per_address) == (4, 6)


def test_who_watches_private_tables_one_after_the_other_leaves_nothing_in_memory(tmp_path: Path) -> None:
    with running(tmp_path) as live:
        guest = Caller(live).guest()
        socket = guest.socket()
        for _ in range(3):
            body = {"id": fresh_id(), "rulebook": "nz", "bots": 0}
            table = guest.ask("POST", "/api/tables/private", body).json["table"]
            socket.send({"type": "watch", "table": table})
            assert socket.next_of("snapshot")["table"] == table
            socket.send({"type": "unwatch", "table": table})
        socket.close()

        def is_empty() -> bool:
            hub = live.server.hub
            return not (hub._watchers or hub._looked_at or hub._frames)

        until = time.monotonic() + 10
        while not live.call(is_empty) and time.monotonic() < until:
            time.sleep(0.05)
        assert live.call(is_empty)
