"""The WebSocket: snapshot then events, commands and their answers, coming back, and who is let in."""

import json
import time
from collections.abc import Iterator
from contextlib import closing as closing_socket
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from casinowar.house.settings import HouseSettings, TableSettings
from casinowar.store import StoreInUse
from casinowar.web.accounts.refusals import AccountsBusy
from casinowar.web.app import Clock
from tests.support.live_server import QUICK, Caller, LiveServer, Socket, fresh_id, running

MOST_FRAMES = 500


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    tables = tuple(TableSettings(name=name, rulebook="nz", timers=QUICK) for name in ("one", "two", "three", "quiet"))
    with running(tmp_path_factory.mktemp("house"), HouseSettings(tables=tables)) as live:
        yield live


def command(table: str, expected: int, do: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "command", "id": fresh_id(), "table": table, "expected": expected, "command": do, **more}


def closing(socket: Socket) -> tuple[dict[str, Any], int]:
    """The goodbye, and the code with which the connection closes after it."""
    frame = socket.next_of("goodbye")
    with pytest.raises(ConnectionClosed) as closed:
        socket.connection.recv(10)
    assert closed.value.rcvd is not None
    return frame, closed.value.rcvd.code


def denied(caller: Caller, ticket: str | None = None, **options: Any) -> tuple[int, str]:
    with pytest.raises(InvalidStatus) as refused:
        caller.socket(ticket, **options)
    response = refused.value.response
    return response.status_code, json.loads(response.body or b"{}").get("code", "")


def seat(socket: Socket, table: str, box: int) -> int:
    """Take a box and give the version after it."""
    version = socket.watch(table)["view"]["version"]
    asked = command(table, version, {"do": "sit", "box": box})
    socket.send(asked)
    done = socket.next_of("done", "refused")
    assert (done["type"], done["id"]) == ("done", asked["id"])
    return int(done["version"])


def bet(caller: Caller, socket: Socket, table: str, box: int) -> None:
    """Wait for a shoe that takes wagers and put one down."""
    until = time.monotonic() + 20
    while time.monotonic() < until:
        version = caller.live.version(table)
        wager = {"do": "place_wager", "player": caller.name, "box": box, "wager": "initial", "amount": 500}
        socket.send(command(table, version, wager))
        if socket.next_of("done", "refused")["type"] == "done":
            return
        time.sleep(0.05)
    raise AssertionError("no wager was taken")


def test_a_snapshot_comes_first_and_then_every_event_without_a_gap(live: LiveServer) -> None:
    caller, other = Caller(live).guest(), Caller(live).guest()
    watcher = other.socket()
    snapshot = watcher.watch("one", "watcher")
    assert snapshot["type"] == "snapshot"
    at = snapshot["view"]["version"]
    player = caller.socket()
    seat(player, "one", 2)
    bet(caller, player, "one", 2)
    seen: list[int] = []
    for _ in range(MOST_FRAMES):
        frame = watcher.next()
        assert frame["type"] == "events"
        assert frame["version"] >= at
        assert frame["view"]["version"] == frame["version"]
        assert all(at < event["version"] <= frame["version"] for event in frame["events"])
        seen += [event["version"] for event in frame["events"]]
        at = frame["version"]
        if any(event["name"] in ("round_ended", "war_offered") for event in frame["events"]):
            break
    assert seen == sorted(set(seen))
    assert at > snapshot["view"]["version"]


def test_whoever_comes_into_a_round_is_told_it_as_those_who_were_there(live: LiveServer) -> None:
    """And when it is over, nothing of it: its line stands in the view."""
    caller = Caller(live).guest()
    player, watcher = caller.socket(), Caller(live).guest().socket()
    seat(player, "two", 2)
    for _ in range(MOST_FRAMES):
        watcher.watch("two", "watcher")
        bet(caller, player, "two", 2)
        told: list[dict[str, Any]] = []
        while not any(event["name"] in ("round_ended", "war_offered") for event in told):
            told += watcher.next()["events"]
        later = Caller(live).guest().socket().watch("two", "watcher")["events"]
        if told[-1]["name"] == "war_offered":
            break
        assert later == []
    assert later[-len(told) :] == told
    assert "bought_in" not in {event["name"] for event in later}, "what others bring is theirs to know"


def test_a_snapshot_later_is_what_the_events_have_led_to(live: LiveServer) -> None:
    caller = Caller(live).guest()
    socket, again = caller.socket(), caller.socket()
    view = socket.watch("two", "watcher")["view"]
    seat(again, "two", 4)
    again.close()
    version = live.version("two")
    while view["version"] < version or live.version("two") > version:
        frame = socket.next()
        inner = {**view["view"], **frame["view"]["view"]}
        view = {**view, **frame["view"], "view": inner}
        version = live.version("two")
    fresh = caller.socket().watch("two", "watcher")["view"]
    while fresh["version"] > view["version"]:
        frame = socket.next()
        view = {**view, **frame["view"], "view": {**view["view"], **frame["view"]["view"]}}
    for changing in ("timer", "seats"):
        fresh.pop(changing), view.pop(changing)
    assert fresh == view


def test_what_a_player_buys_is_not_told_to_a_watcher(live: LiveServer) -> None:
    caller, watcher = Caller(live).guest(), Caller(live).guest().socket()
    watcher.watch("three", "watcher")
    player = caller.socket()
    version = seat(player, "three", 1)
    player.send(command("three", version, {"do": "buy_chips", "amount": 12_345}))
    assert player.next_of("done", "refused")["type"] == "done"
    own = caller.ask("GET", "/api/tables/three").json
    assert own["view"]["balance"] == 12_345
    version = live.version("three")
    told = ""
    while True:
        frame = watcher.next()
        told += json.dumps(frame)
        if frame["version"] >= version:
            break
    assert "12345" not in told


def test_events_come_before_the_answer_to_the_command_that_made_them(live: LiveServer) -> None:
    caller = Caller(live).guest()
    socket = caller.socket()
    version = socket.watch("quiet")["view"]["version"]
    socket.send(command("quiet", version, {"do": "sit", "box": 1}))
    kinds: list[str] = []
    while "done" not in kinds:
        kinds.append(socket.next()["type"])
    assert kinds[0] == "events"


def test_a_command_for_another_stage_of_the_game_is_stale(live: LiveServer) -> None:
    caller = Caller(live).guest()
    socket = caller.socket()
    seat(socket, "three", 5)
    bet(caller, socket, "three", 5)
    until = time.monotonic() + 20
    while not (turn := caller.ask("GET", "/api/tables/three").json["turn"]):
        assert time.monotonic() < until, "the cards were not dealt"
        time.sleep(0.05)
    socket.send(command("three", turn - 1, {"do": "surrender", "player": caller.name, "box": 5}))
    answer = socket.next_of("done", "refused", "error")
    assert (answer["type"], answer["code"]) == ("refused", "stale"), answer


def test_one_who_comes_back_has_the_same_decision_before_them(tmp_path: Path) -> None:
    """Bets until a tie comes, which does so in one round of thirteen or so, then hangs up in front of the question."""
    settings = HouseSettings(tables=(TableSettings(name="war", rulebook="nz", timers=QUICK),), guest_purse=10**9)
    with running(tmp_path, settings) as live:
        caller = Caller(live).guest()
        socket = caller.socket()
        socket.watch("war")
        caller.command("war", {"do": "sit", "box": 1})
        until = time.monotonic() + 60
        while not (asked := caller.ask("GET", "/api/tables/war").json["view"]["asked"]):
            assert time.monotonic() < until, "no tie in a minute"
            wager = {"do": "place_wager", "player": caller.name, "box": 1, "wager": "initial", "amount": 500}
            caller.command("war", wager)
            caller.command("war", {"do": "ready"})
        assert asked == [[1, caller.name]]
        before = caller.ask("GET", "/api/tables/war").json
        socket.close()
        again = caller.socket()
        view = again.watch("war")["view"]
        assert view["view"]["asked"] == asked
        assert view["view"]["boxes"][0] == before["view"]["boxes"][0], "the same card, the same wager"
        assert view["turn"] == before["turn"]
        again.send(command("war", view["version"], {"do": "surrender", "player": caller.name, "box": 1}))
        assert again.next_of("done", "refused")["type"] == "done"


def test_a_ticket_is_good_once(live: LiveServer) -> None:
    caller = Caller(live).guest()
    ticket = caller.ticket()
    caller.socket(ticket).close()
    assert denied(caller, ticket) == (401, "wrong_ticket")
    assert denied(caller, "never-issued") == (401, "wrong_ticket")
    assert denied(caller, "") == (401, "wrong_ticket")


@pytest.mark.parametrize("why", [AccountsBusy("the database was away for a moment"), StoreInUse("it is held")])
def test_where_the_accounts_are_away_for_a_moment_the_socket_says_so_and_nothing_is_a_mistake(
    live: LiveServer, monkeypatch: pytest.MonkeyPatch, why: Exception
) -> None:
    def away(_: object) -> None:
        raise why

    caller = Caller(live).guest()
    mistakes = live.server.metrics.faults._value.get()
    with closing_socket(caller.socket()) as socket:
        version = socket.watch("quiet")["view"]["version"]
        with monkeypatch.context() as patch:
            patch.setattr(live.server.tickets, "redeem", away)
            patch.setattr(live.server.accounts, "use_login", away)
            asked = command("quiet", version, {"do": "ready"})
            socket.send(asked)
            assert denied(caller, "a-ticket") == (503, "busy")
            refused = socket.next_of("error")
        assert (refused["id"], refused["code"]) == (asked["id"], "busy")
        socket.send(asked)
        assert socket.next_of("done", "refused")["id"] == asked["id"]
    assert live.server.metrics.faults._value.get() == mistakes


def test_a_ticket_of_a_session_that_has_ended_opens_nothing(live: LiveServer) -> None:
    caller = Caller(live).guest()
    ticket = caller.ticket()
    caller.ask("POST", "/api/logout", {})
    assert denied(caller, ticket) == (401, "wrong_ticket")


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1"])
def test_a_page_of_another_site_is_not_let_in_and_its_ticket_is_kept(live: LiveServer, origin: str) -> None:
    caller = Caller(live).guest()
    ticket = caller.ticket()
    assert denied(caller, ticket, origin=origin) == (403, "foreign_origin")
    caller.socket(ticket, origin=live.address).close()


@pytest.mark.parametrize("host", ["evil.example", "[::1].evil.example", "[::1", "127.0.0.1.evil.example", ""])
def test_a_name_that_was_made_to_point_here_is_not_served(live: LiveServer, host: str) -> None:
    caller = Caller(live).guest()
    answer = caller.ask("GET", "/api/tables", headers={"Host": host})
    assert (answer.status, answer.json["code"]) == (403, "foreign_host")
    assert caller.ask("GET", "/api/tables", headers={"Host": f"localhost:{live.port}"}).status == 200


def test_logout_closes_the_sockets_of_the_session_and_no_others(live: LiveServer) -> None:
    caller, other = Caller(live).guest(), Caller(live).guest()
    sockets, kept = [caller.socket(), caller.socket()], other.socket()
    began = time.monotonic()
    caller.ask("POST", "/api/logout", {})
    for socket in sockets:
        goodbye, code = closing(socket)
        assert (goodbye["code"], code) == ("logged_out", 1008)
    assert time.monotonic() - began < 1
    assert kept.watch("quiet")["type"] == "snapshot"


def test_a_session_ended_by_another_program_loses_its_socket(live: LiveServer) -> None:
    caller = Caller(live)
    caller.ask("POST", "/api/register", {"name": "greta", "password": "seven pale horses"})
    socket = caller.socket()
    socket.watch("quiet")
    live.server.accounts.lock("greta", "admin:test", "asked to be locked out")
    assert closing(socket)[0]["code"] == "logged_out"
    login = {"name": "greta", "password": "seven pale horses"}
    assert Caller(live).ask("POST", "/api/login", login).json["code"] == "account_locked"


def test_roles_count_at_once_and_are_gone_at_once(live: LiveServer) -> None:
    caller = Caller(live)
    caller.ask("POST", "/api/register", {"name": "hanna", "password": "seven pale horses"})
    socket = caller.socket()
    refused = socket.watch("quiet", "supervisor")
    assert (refused["type"], refused["code"]) == ("error", "not_allowed")
    live.server.accounts.request_staff_role("hanna", "supervisor", True, "admin:test", "works tonight")
    live.call(Clock(live.server).look)
    assert socket.watch("quiet", "supervisor")["view"]["view"]["balances"] is not None
    live.server.accounts.request_staff_role("hanna", "supervisor", False, "admin:test", "has gone home")
    live.call(Clock(live.server).look)
    assert closing(socket)[0]["code"] == "not_allowed"


def test_unwatch_ends_the_events_of_a_table(live: LiveServer) -> None:
    caller, other = Caller(live).guest(), Caller(live).guest()
    socket = caller.socket()
    socket.watch("quiet", "watcher")
    socket.send({"type": "unwatch", "table": "quiet"})
    assert socket.watch("two", "watcher")["type"] == "snapshot", "the frames of a client are taken in order"
    other.command("quiet", {"do": "sit", "box": 6})
    deadline = time.monotonic() + 0.5
    while time.monotonic() < deadline:
        try:
            assert socket.next(timeout=0.1)["table"] != "quiet"
        except TimeoutError:
            continue


def test_a_ping_is_answered_and_keeps_no_session_open(live: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    socket = Caller(live).guest().socket()
    used: list[str] = []
    monkeypatch.setattr(live.server.accounts, "use_login", used.append)
    for _ in range(2):
        socket.send({"type": "ping"})
        assert socket.next() == {"type": "pong"}
    assert used == []
    socket.send({"type": "ping", "table": "quiet"})
    assert socket.next()["code"] == "invalid"


def test_a_player_is_present_as_long_as_one_socket_watches(live: LiveServer) -> None:
    caller = Caller(live).guest()

    def is_present() -> bool:
        return live.call(lambda: caller.name in live.server.house.tables["quiet"].present)

    first, second = caller.socket(), caller.socket()
    first.watch("quiet")
    second.watch("quiet")
    assert is_present()
    first.close()
    time.sleep(0.2)
    assert is_present()
    second.close()
    until = time.monotonic() + 5
    while is_present():
        assert time.monotonic() < until
        time.sleep(0.02)


def test_a_server_that_closes_says_goodbye_and_takes_no_more(tmp_path: Path) -> None:
    with running(tmp_path) as live:
        socket = Caller(live).guest().socket()
        socket.watch("nz")
        live.stop()
        goodbye, code = closing(socket)
        assert (goodbye["code"], code) == ("draining", 1012)
