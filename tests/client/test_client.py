"""The client: views kept up to date, commands answered once, a broken connection, entropy, proofs, what it imports."""

import asyncio
import subprocess
import sys
from collections.abc import Coroutine
from typing import Any

import msgspec
import pytest
from websockets.asyncio.server import ServerConnection

from casinowar import protocol as f
from casinowar.cards import DECK
from casinowar.client import Client, Ended, Live, Refused
from casinowar.client.http import HttpSite
from casinowar.client.proofs import Contribution, ProofNotes
from casinowar.client.table import MOST_WAITING, merge
from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.fairness import Noted, SealedShoe, promise
from tests.support.scripted_server import live_view, say, scripted

ACCOUNT = f.PlayerView("guest-1", 99_500, {"nz": 500}, None, 60, None, None, None, 0, 3, None, False)
WAGER = c.PlaceWager(player="guest-1", box=1, wager="initial", amount=500)


def within(seconds: float, story: Coroutine[Any, Any, None]) -> None:
    """Nothing here may wait for ever."""
    asyncio.run(asyncio.wait_for(story, seconds))


async def until(is_so: Any, wait: float = 5) -> None:
    async with asyncio.timeout(wait):
        while not is_so():
            await asyncio.sleep(0.005)


async def welcome(socket: ServerConnection, frame: f.ClientFrame) -> None:
    """A server that shows the table at version 7 and does every command."""
    if isinstance(frame, f.Watch):
        await say(socket, f.Snapshot("nz", live_view()))
    elif isinstance(frame, f.Command):
        await say(socket, f.Done(frame.id, frame.table, 8))


def test_importing_the_client_brings_no_part_of_the_server() -> None:
    listing = "import casinowar.client, sys; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", listing], capture_output=True, text=True, check=True).stdout.split()
    assert "casinowar.client.connection" in loaded
    heavy = {"apsw", "starlette", "uvicorn", "argon2", "cryptography", "httpx"}
    assert not heavy & set(loaded)
    assert not [name for name in loaded if name.startswith(("casinowar.web", "casinowar.store", "casinowar.cli."))]


def test_a_guest_gets_a_token_that_goes_with_every_later_call_and_shows_in_no_text() -> None:
    async def story() -> None:
        async with scripted(welcome) as server, Client.connect(server.url) as client:
            server.answers["GET /api/me"] = (200, {**msgspec.to_builtins(ACCOUNT), "roles": [], "is_guest": True})
            arrived = await client.guest()
            assert (arrived.player, arrived.token, client.player) == ("guest-1", "secret", "guest-1")
            assert "secret" not in repr(arrived)
            assert await client.me() == ACCOUNT
            guest, me = server.heads
            assert "X-Casinowar-Client: 1" in guest
            assert "Content-Type: application/json" in guest
            assert "Authorization" not in guest
            assert "Authorization: Bearer secret" in me
            assert not [head for head in server.heads if "\norigin:" in head.lower()]

    within(10, story())


def test_who_follows_a_table_before_a_login_is_told_what_to_call() -> None:
    async def story() -> None:
        async with scripted(welcome) as server, Client.connect(server.url) as client:
            server.answers["POST /api/socket-ticket"] = (401, {"code": "not_logged_in", "says": "POST /api/guest"})
            with pytest.raises(Ended, match=r"nobody has logged in: .* guest\(\), login\(\) or register\(\)"):
                await client.watch("nz")

    within(10, story())


def test_an_error_of_http_has_the_servers_code_words_clauses_and_status() -> None:
    async def story() -> None:
        async with scripted(welcome) as server, Client.connect(server.url) as client:
            server.answers["POST /api/login"] = (401, {"code": "wrong_login", "says": "no", "clauses": ["X-1"]})
            with pytest.raises(Refused) as refused:
                await client.login("ana", "wrong")
            assert (refused.value.code, refused.value.clauses, refused.value.status) == ("wrong_login", ("X-1",), 401)
            assert msgspec.json.decode(server.bodies[-1]) == {"name": "ana", "password": "wrong"}

    within(10, story())


@pytest.mark.parametrize("url", ["127.0.0.1:8080", "ftp://127.0.0.1", "http://", "http://127.0.0.1/path", ""])
def test_what_is_no_address_of_a_server_is_said_at_once(url: str) -> None:
    with pytest.raises(ValueError, match="not the address of a server"):
        HttpSite(url)


def test_the_view_is_the_snapshot_with_the_changed_parts_of_each_frame() -> None:
    async def script(socket: ServerConnection, frame: f.ClientFrame) -> None:
        timer = {"timer": {"waits_for": "betting", "left": 900}, "turn": 8, "part_of_tomorrow": 1}
        inner = {"view": {"phase": "deciding", "asked": [[1, "guest-1"]], "another_of_tomorrow": 1}}
        events = [{"name": "betting_opened"}]
        old = f.Happened("nz", 6, [], (), {"title": "from before the snapshot"})
        await say(socket, f.Snapshot("nz", live_view(7)), old, f.Happened("nz", 8, events, (), timer))
        await say(socket, f.Happened("nz", 8, [], (), {"purse": 99_500, "timer": None, **inner}))
        await say(socket, f.Happened("other", 99, [], (), {"title": "another table"}))

    async def story() -> None:
        async with scripted(script) as server, Client.connect(server.url) as client:
            await client.guest()
            live = await client.watch("nz")
            came = [happened async for happened in _first(live, 2)]
            assert [(one.version, len(one.events)) for one in came] == [(8, 1), (8, 0)]
            before = live_view(7)
            inner = msgspec.structs.replace(before.view, phase="deciding", asked=((1, "guest-1"),))
            assert live.view == msgspec.structs.replace(before, version=8, turn=8, purse=99_500, view=inner)

    within(10, story())


async def _first(live: Live, count: int) -> Any:
    seen = 0
    async for happened in live:
        yield happened
        seen += 1
        if seen == count:
            return


def test_a_part_that_is_not_of_its_type_is_no_view() -> None:
    with pytest.raises(msgspec.ValidationError):
        merge(live_view(), f.Happened("nz", 9, [], (), {"purse": "many"}))


def test_a_command_goes_out_with_an_id_of_its_own_and_the_version_it_was_decided_on() -> None:
    async def story() -> None:
        async with scripted(welcome) as server, Client.connect(server.url) as client:
            await client.guest()
            live = await client.watch("nz")
            done = [await live.do(WAGER), await live.do(f.Ready()), await live.do(f.Pause(), "fire", "supervisor")]
            assert [one.version for one in done] == [8, 8, 8]
            sent = [frame for frame in server.came if isinstance(frame, f.Command)]
            assert [one.id for one in done] == [one.id for one in sent]
            assert len({one.id for one in sent}) == 3
            assert [(one.expected, one.part, one.reason) for one in sent] == [
                (7, "player", ""),
                (7, "player", ""),
                (7, "supervisor", "fire"),
            ]
            assert msgspec.json.decode(sent[0].command, type=f.AnyCommand) == WAGER

    within(10, story())


def test_a_refusal_is_raised_with_its_code_and_what_can_be_countersigned() -> None:
    async def script(socket: ServerConnection, frame: f.ClientFrame) -> None:
        if isinstance(frame, f.Command):
            code = "wager_below_minimum" if frame.expected == 7 else "too_fast"
            clauses, request = ("NZ-5.4",), "r-1"
            refused = f.Refused(frame.id, code, "too little", clauses, request)
            await say(socket, refused if frame.expected == 7 else f.Failed(code, "wait", frame.id))
        else:
            await welcome(socket, frame)

    async def story() -> None:
        async with scripted(script) as server, Client.connect(server.url) as client:
            await client.guest()
            live = await client.watch("nz")
            with pytest.raises(Refused) as refused:
                await live.do(WAGER)
            why = refused.value
            assert (why.code, why.says, why.clauses, why.request) == (
                "wager_below_minimum",
                "too little",
                ("NZ-5.4",),
                "r-1",
            )
            with pytest.raises(Refused, match="too_fast"):
                await live.do(WAGER, expected=6)

    within(10, story())


def test_a_table_that_may_not_be_watched_is_refused_and_the_next_one_is_not() -> None:
    async def script(socket: ServerConnection, frame: f.ClientFrame) -> None:
        if isinstance(frame, f.Watch) and frame.role == "auditor":
            await say(socket, f.Failed("not_allowed", "this is for other roles"))
        else:
            await welcome(socket, frame)

    async def story() -> None:
        async with scripted(script) as server, Client.connect(server.url) as client:
            await client.guest()
            with pytest.raises(Refused, match="not_allowed"):
                await client.watch("nz", role="auditor")
            assert (await client.watch("nz")).view.version == 7

    within(10, story())


def test_a_table_that_the_server_shows_no_more_ends_and_can_be_watched_again() -> None:
    """Where a table goes to another server, that may find that it is closed, or is not for this viewer."""

    async def script(socket: ServerConnection, frame: f.ClientFrame) -> None:
        await welcome(socket, frame)
        if len(shown) < 2:
            shown.append(frame)
            await say(socket, f.Happened("nz", 8, [], (), {"title": "on"}))
            await say(socket, f.Failed("no_such_table", "there is no table of this name", table="nz"))

    shown: list[f.ClientFrame] = []

    async def story() -> None:
        async with scripted(script) as server, Client.connect(server.url) as client:
            await client.guest()
            for _ in range(2):
                live = await client.watch("nz")
                assert [happened.version async for happened in live] == [8]
            live = await client.watch("nz")
            assert (await live.do(WAGER)).version == 8
            assert client.connection.connections == 1

    within(10, story())


def test_a_table_that_is_not_watched_any_more_says_nothing_until_it_is_watched_again() -> None:
    async def script(socket: ServerConnection, frame: f.ClientFrame) -> None:
        await welcome(socket, frame)
        if isinstance(frame, f.Unwatch):
            await say(socket, f.Happened("nz", 8, [], (), {"title": "too late"}))

    async def story() -> None:
        async with scripted(script) as server, Client.connect(server.url) as client:
            await client.guest()
            live = await client.watch("nz")
            with pytest.raises(ValueError, match="watched already"):
                await client.watch("nz", role="watcher")
            await client.unwatch(live)
            assert [happened async for happened in live] == []
            again = await client.watch("nz")
            assert (again.view.version, live.view.title) == (7, "New Zealand")
            assert [type(frame) for frame in server.came] == [f.Watch, f.Unwatch, f.Watch]

    within(10, story())


def test_an_unanswered_command_is_sent_again_byte_for_byte_after_a_new_ticket_and_a_new_snapshot() -> None:
    async def story() -> None:
        async def script(socket: ServerConnection, frame: f.ClientFrame) -> None:
            if isinstance(frame, f.Watch):
                await say(socket, f.Snapshot("nz", live_view(9 if breaks else 7)))
            elif isinstance(frame, f.Command) and len(breaks) < 3:
                breaks.append(frame.id)
                server.cut()
            elif isinstance(frame, f.Command):
                await say(socket, f.Done(frame.id, "nz", 10))

        breaks: list[str] = []
        async with scripted(script) as server, Client.connect(server.url) as client:
            await client.guest()
            live = await client.watch("nz")
            done = await live.do(WAGER)
            sent = [frame for frame in server.came if isinstance(frame, f.Command)]
            assert len(sent) == 4
            assert len(set(map(msgspec.json.encode, sent))) == 1
            assert done == f.Done(sent[0].id, "nz", 10)
            assert sum("socket-ticket" in head for head in server.heads) == 4
            assert (live.view.version, client.connection.connections) == (9, 4)
            assert [type(frame) for frame in server.came] == [f.Watch, f.Command] * 4
            gap = [happened async for happened in _first(live, live.snapshots - 1)]
            assert {(one.version, len(one.events)) for one in gap} == {(9, 0)}

    within(10, story())


TOO_FAST = ("too_fast", "too many messages: wait a little")


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """No whole second before what came too fast is sent again."""
    monkeypatch.setattr("casinowar.client.connection.AGAIN_AFTER", 0.02)


@pytest.mark.usefixtures("quick")
def test_a_watch_that_came_too_fast_is_sent_again_also_after_a_break() -> None:
    """The server names the table; one that names none means the oldest wish."""

    async def story() -> None:
        async def script(socket: ServerConnection, frame: f.ClientFrame) -> None:
            if isinstance(frame, f.Watch) and refusals:
                await say(socket, f.Failed(*TOO_FAST, table=refusals.pop()))
            else:
                await welcome(socket, frame)

        refusals: list[str | None] = ["nz", None, "nz"]
        async with scripted(script) as server, Client.connect(server.url) as client:
            await client.guest()
            live = await client.watch("nz")
            assert (live.view.version, len(server.came)) == (7, 4)
            refusals += ["nz", None]
            server.cut()
            await until(lambda: live.snapshots == 2)
            assert (await live.do(WAGER)).version == 8

    within(10, story())


@pytest.mark.usefixtures("quick")
def test_a_repetition_that_came_too_fast_is_no_refusal_of_the_command() -> None:
    """It may have been done before the break: only an answer tells. A first sending that was not taken was not done."""

    async def story() -> None:
        async def script(socket: ServerConnection, frame: f.ClientFrame) -> None:
            if isinstance(frame, f.Command) and client.connection.connections == 1:
                server.cut()
            elif isinstance(frame, f.Command) and refusals:
                await say(socket, f.Failed(*TOO_FAST, id=frame.id, table=refusals.pop()))
            else:
                await welcome(socket, frame)

        refusals = ["nz", "nz"]
        async with scripted(script) as server, Client.connect(server.url) as client:
            await client.guest()
            live = await client.watch("nz")
            assert (await live.do(WAGER)).version == 8
            sent = [frame for frame in server.came if isinstance(frame, f.Command)]
            assert len(sent) == 4
            assert len(set(map(msgspec.json.encode, sent))) == 1
            refusals += ["nz"]
            with pytest.raises(Refused, match="too_fast"):
                await live.do(WAGER)

    within(10, story())


@pytest.mark.usefixtures("quick")
def test_a_server_that_is_always_too_busy_is_not_asked_for_ever() -> None:
    """Of a repetition that nobody takes it is not known whether it was done: that is an end and no refusal."""

    async def story() -> None:
        async def script(socket: ServerConnection, frame: f.ClientFrame) -> None:
            if isinstance(frame, f.Watch) and frame.table == "busy":
                await say(socket, f.Failed(*TOO_FAST, table="busy"))
            elif isinstance(frame, f.Command) and client.connection.connections == 1:
                server.cut()
            elif isinstance(frame, f.Command):
                await say(socket, f.Failed(*TOO_FAST, id=frame.id, table="nz"))
            else:
                await welcome(socket, frame)

        async with scripted(script) as server, Client.connect(server.url) as client:
            await client.guest()
            live = await client.watch("nz")
            with pytest.raises(Refused, match="too_fast"):
                await client.watch("busy")
            watches = [frame for frame in server.came if isinstance(frame, f.Watch) and frame.table == "busy"]
            assert 1 < len(watches) <= 20
            with pytest.raises(Ended, match="too_fast"):
                await live.do(WAGER)
            assert client.connection.ended is None, "the line goes on"
            assert live.view.version == 7

    within(10, story())


@pytest.mark.usefixtures("quick")
def test_leaving_a_table_that_came_too_fast_is_sent_again_and_is_no_end_of_another_watch() -> None:
    async def story() -> None:
        async def script(socket: ServerConnection, frame: f.ClientFrame) -> None:
            if isinstance(frame, f.Unwatch) and refusals:
                await say(socket, f.Failed(*TOO_FAST, table=refusals.pop()))
            else:
                await welcome(socket, frame)

        refusals = ["nz"]
        async with scripted(script) as server, Client.connect(server.url) as client:
            await client.guest()
            await client.unwatch(await client.watch("nz"))
            await until(lambda: [type(frame) for frame in server.came] == [f.Watch, f.Unwatch, f.Unwatch])

    within(10, story())


@pytest.mark.parametrize("breaks", [0, 1])
def test_a_broken_connection_is_told_and_the_clients_own_close_is_not(breaks: int) -> None:
    """What is told is called on the next turn of the loop, and so is the mark behind it."""
    news: list[str] = []

    async def story() -> None:
        async with scripted(welcome) as server:
            async with Client.connect(server.url, on_connection=news.append) as client:
                await client.guest()
                await client.watch("nz")
                for _ in range(breaks):
                    client.drop()
                    await until(lambda: news[-1] == "connected_again")
            turned = asyncio.Event()
            asyncio.get_running_loop().call_soon(turned.set)
            await turned.wait()

    within(10, story())
    assert news == ["connected", *["lost", "connected_again"] * breaks]


def test_an_answer_that_comes_twice_or_for_nobody_is_passed_by() -> None:
    async def script(socket: ServerConnection, frame: f.ClientFrame) -> None:
        await welcome(socket, frame)
        if isinstance(frame, f.Command):
            await say(socket, f.Refused(frame.id, "late", "late"), f.Done("nobody", "nz", 3))

    async def story() -> None:
        async with scripted(script) as server, Client.connect(server.url) as client:
            await client.guest()
            live = await client.watch("nz")
            assert [(await live.do(WAGER)).version for _ in range(3)] == [8, 8, 8]

    within(10, story())


def test_a_goodbye_ends_commands_and_the_iteration_and_nothing_is_tried_again() -> None:
    async def script(socket: ServerConnection, frame: f.ClientFrame) -> None:
        if isinstance(frame, f.Command):
            await say(socket, f.Goodbye("logged_out", "the session has ended"))
        else:
            await welcome(socket, frame)

    async def story() -> None:
        async with scripted(script) as server, Client.connect(server.url) as client:
            await client.guest()
            live = await client.watch("nz")
            with pytest.raises(Ended, match="logged_out"):
                await live.do(WAGER)
            assert [happened async for happened in live] == []
            with pytest.raises(Ended, match="logged_out"):
                await live.do(WAGER)
            with pytest.raises(Ended, match="logged_out"):
                await client.watch("wa")
            assert client.ended is not None
            await asyncio.sleep(0.2)
            assert client.connection.connections == 1

    within(10, story())


@pytest.mark.parametrize("code", ["draining", "out_of_service", "slow_reader"])
def test_after_the_goodbye_of_a_server_that_ends_it_comes_again_and_commands_are_sent_once_more(code: str) -> None:
    """Another server may have taken its tables, or it starts again: the page comes again as well."""
    met = list[str]()

    async def script(socket: ServerConnection, frame: f.ClientFrame) -> None:
        if isinstance(frame, f.Command):
            met.append(frame.id)
            gone = f.Goodbye(code, "so long")
            await say(socket, gone if len(met) == 1 else f.Done(frame.id, "nz", 8))
        else:
            await welcome(socket, frame)

    async def story() -> None:
        async with scripted(script) as server, Client.connect(server.url) as client:
            await client.guest()
            live = await client.watch("nz")
            assert (await live.do(WAGER)).version == 8
            assert met[0] == met[1]
            assert client.ended is None
            assert client.connection.connections == 2

    within(10, story())


def test_a_session_that_is_no_more_ends_the_line_and_a_busy_server_does_not() -> None:
    async def story() -> None:
        async with scripted(welcome) as server, Client.connect(server.url) as client:
            await client.guest()
            live = await client.watch("nz")
            server.answers["POST /api/socket-ticket"] = (503, {"code": "out_of_service", "says": "later"})
            server.cut()
            await until(lambda: sum("socket-ticket" in head for head in server.heads) >= 3)
            assert client.ended is None
            server.answers["POST /api/socket-ticket"] = (200, {"ticket": "t2"})
            await until(lambda: live.snapshots == 2)
            server.answers["POST /api/socket-ticket"] = (401, {"code": "not_logged_in", "says": "who?"})
            server.cut()
            with pytest.raises(Ended, match="not_logged_in"):
                await live.do(WAGER)

    within(10, story())


def test_nobody_is_tried_longer_than_the_clients_patience() -> None:
    async def story() -> None:
        async with scripted(welcome) as server, Client.connect(server.url, patience=0.3) as client:
            await client.guest()
            live = await client.watch("nz")
            server.answers["POST /api/socket-ticket"] = (503, {"code": "out_of_service", "says": "later"})
            server.cut()
            with pytest.raises(Ended, match="unreachable"):
                await live.do(WAGER)

    within(10, story())


@pytest.mark.parametrize("is_watching", [True, False])
def test_patience_begins_when_the_line_is_lost_however_long_nothing_was_to_be_told(is_watching: bool) -> None:
    async def story() -> None:
        async with scripted(welcome) as server, Client.connect(server.url, patience=0.3) as client:
            await client.guest()
            live = await client.watch("nz")
            if not is_watching:
                await client.unwatch(live)
                server.cut()
                while client.connection.connections < 2:
                    await asyncio.sleep(0.01)
            await asyncio.sleep(0.6)
            server.cut()
            again = await client.watch("nz") if not is_watching else live
            assert (await again.do(WAGER)).version == 8
            assert client.ended is None

    within(10, story())


@pytest.mark.parametrize("text", ["{", '{"type":"snapshot"}', '{"type":"what"}', "[]", "\x00"])
def test_a_frame_that_makes_no_sense_ends_the_client_and_nobody_waits(text: str) -> None:
    async def script(socket: ServerConnection, frame: f.ClientFrame) -> None:
        if isinstance(frame, f.Command):
            await socket.send(text)
        else:
            await welcome(socket, frame)

    async def story() -> None:
        async with scripted(script) as server, Client.connect(server.url) as client:
            await client.guest()
            live = await client.watch("nz")
            with pytest.raises(Ended, match="bad_frame"):
                await live.do(WAGER)

    within(10, story())


def test_where_all_tasks_are_ended_nobody_waits_for_an_answer() -> None:
    """A loop that closes ends all its tasks at once, the one among them that would take the answer."""

    async def script(socket: ServerConnection, frame: f.ClientFrame) -> None:
        if not isinstance(frame, f.Command):
            await welcome(socket, frame)

    async def story() -> None:
        async with scripted(script) as server, Client.connect(server.url) as client:
            await client.guest()
            live = await client.watch("nz")
            doing = asyncio.create_task(live.do(WAGER))
            await until(lambda: any(isinstance(frame, f.Command) for frame in server.came))
            assert client.connection._keeper is not None
            client.connection._keeper.cancel()
            with pytest.raises(Ended, match="closed"):
                await doing

    within(10, story())


def test_who_does_not_read_keeps_the_latest_frames_and_counts_the_others() -> None:
    surplus = 40

    async def script(socket: ServerConnection, frame: f.ClientFrame) -> None:
        await say(socket, f.Snapshot("nz", live_view(0)))
        await say(socket, *(f.Happened("nz", n, [], (), {}) for n in range(1, MOST_WAITING + surplus + 1)))

    async def story() -> None:
        async with scripted(script) as server, Client.connect(server.url) as client:
            await client.guest()
            live = await client.watch("nz")
            await until(lambda: live.view.version == MOST_WAITING + surplus)
            assert live.missed == surplus
            waiting = [happened.version async for happened in _first(live, MOST_WAITING)]
            assert waiting == list(range(surplus + 1, surplus + MOST_WAITING + 1))

    within(10, story())


def test_commands_beyond_the_most_at_once_wait_for_their_turn() -> None:
    async def story() -> None:
        held: list[tuple[ServerConnection, str]] = []

        async def script(socket: ServerConnection, frame: f.ClientFrame) -> None:
            if isinstance(frame, f.Command):
                held.append((socket, frame.id))
            else:
                await welcome(socket, frame)

        async with scripted(script) as server, Client.connect(server.url) as client:
            await client.guest()
            live = await client.watch("nz")
            asked = [asyncio.create_task(live.do(WAGER)) for _ in range(40)]
            await until(lambda: len(held) == 16)
            await asyncio.sleep(0.1)
            assert len(held) == 16
            for answered in range(40):
                await until(lambda least=answered: len(held) > least)
                socket, id = held[answered]
                await say(socket, f.Done(id, "nz", 8))
            done = await asyncio.gather(*asked)
            assert len({one.id for one in done}) == 40

    within(10, story())


COMMITMENT = "5a" * 32
SEAT = f.SeatView(3, "guest-1", True, False, False, None)


def test_a_seated_player_promises_entropy_and_shows_the_same_over_a_broken_connection_and_notes_it() -> None:
    async def story() -> None:
        def at(stage: Any, version: int) -> f.LiveView:
            return live_view(version, (SEAT,), f.SealView(stage, "nz/1", 104, COMMITMENT))

        async def script(socket: ServerConnection, frame: f.ClientFrame) -> None:
            if isinstance(frame, f.Watch):
                await say(socket, f.Snapshot("nz", at("showing" if sent() else "promising", 7)))
            elif len(sent()) == 1:
                server.cut()
            elif isinstance(frame, f.Command):
                await say(socket, f.Done(frame.id, "nz", 9))

        def sent() -> list[Any]:
            return [
                msgspec.json.decode(frame.command, type=f.AnyCommand)
                for frame in server.came
                if isinstance(frame, f.Command)
            ]

        async with scripted(script) as server, Client.connect(server.url) as client:
            await client.guest()
            live = await client.watch("nz")
            await until(lambda: (live.noted("nz/1") or Noted()).entropy is not None)
            promised = next(one for one in sent() if isinstance(one, f.PromiseEntropy))
            shown = next(one for one in sent() if isinstance(one, f.AddEntropy))
            entropy = bytes.fromhex(shown.entropy)
            assert len(entropy) == 32
            assert promised.promise == promise(bytes.fromhex(COMMITMENT), 3, entropy).hex()
            assert live.noted("nz/1") == Noted(commitment=COMMITMENT, entropy=shown.entropy)

    within(10, story())


def test_entropy_is_promised_and_shown_once_for_a_shoe_and_not_without_a_seat_or_a_promise() -> None:
    drawn: list[int] = []

    def source(count: int) -> bytes:
        drawn.append(count)
        return bytes([len(drawn)]) * count

    promising, showing = (f.SealView(stage, "s", 104, COMMITMENT) for stage in ("promising", "showing"))
    mine = Contribution(source)
    assert mine.due(showing, 2) is None
    assert mine.due(promising, None) is None
    first = mine.due(promising, 2)
    assert first == f.PromiseEntropy(promise=promise(bytes.fromhex(COMMITMENT), 2, b"\1" * 32).hex())
    assert mine.due(promising, 2) is None
    assert mine.due(showing, 2) == f.AddEntropy(entropy="01" * 32)
    assert mine.due(showing, 2) is None
    other = f.SealView("promising", "s2", 104, "00" * 32)
    assert mine.due(other, 2) == f.PromiseEntropy(promise=promise(bytes(32), 2, b"\2" * 32).hex())
    assert drawn == [32, 32]


@pytest.mark.parametrize(("adds", "role"), [(False, "player"), (True, "watcher")])
def test_a_watcher_and_a_client_told_so_add_no_entropy(adds: bool, role: Any) -> None:
    async def script(socket: ServerConnection, frame: f.ClientFrame) -> None:
        if isinstance(frame, f.Watch):
            seal = f.SealView("promising", "nz/1", 104, COMMITMENT)
            await say(socket, f.Snapshot("nz", live_view(7, (SEAT,), seal)))
        else:
            await welcome(socket, frame)

    async def story() -> None:
        async with scripted(script) as server, Client.connect(server.url, adds_entropy=adds) as client:
            await client.guest()
            live = await client.watch("nz", role=role)
            await live.do(f.Leave())
            assert len([frame for frame in server.came if isinstance(frame, f.Command)]) == 1

    within(10, story())


def dealt_shoe() -> tuple[SealedShoe, list[dict[str, Any]], list[f.CardShown]]:
    """A real sealed shoe of two decks, cut at 40, with eighty cards turned; its events and proofs as published."""
    shoe = SealedShoe.begin("nz/1", DECK * 2, (10, 94), source=lambda count: b"\7" * count)
    root = shoe.seal()
    shoe.cut("ana", 40)
    proofs = []
    for place in range(80):
        card, proof = shoe.draw()
        path = tuple(sibling.hex() for sibling in proof.path)
        proofs.append(f.CardShown("nz/1", place, proof.index, card, proof.salt.hex(), path))
    committed = {"shoe": "nz/1", "counts": list(shoe.header.counts), "commitment": shoe.commitment.hex()}
    events: list[dict[str, Any]] = [
        {"name": "shoe_committed", **committed},
        {"name": "shoe_sealed", "root": root.hex(), "seal": "5e" * 32},
        {"name": "shoe_cut", "position": 40, "player": "ana"},
    ]
    return shoe, events, proofs


def dealt(proofs: list[f.CardShown]) -> list[dict[str, Any]]:
    """The events with which these cards were turned, with one burned unseen before them."""
    return msgspec.to_builtins([e.CardBurned("opening"), *(e.CardDealt(1, proof.card) for proof in proofs)])  # type: ignore[no-any-return]


def test_each_card_leads_to_the_root_that_was_noted_also_for_one_who_came_in_mid_shoe() -> None:
    shoe, events, proofs = dealt_shoe()
    assert shoe.root is not None
    notes = ProofNotes()
    notes.read_events(events)
    notes.read_proofs(dealt(proofs), proofs)
    assert (notes.checked, notes.findings) == (80, [])
    late = ProofNotes()
    late.read_view(f.SealView("dealing", "nz/1", 104, shoe.commitment.hex(), shoe.root.hex(), "5e" * 32, cut=40))
    late.read_proofs(dealt(proofs[50:]), proofs[50:])
    assert (late.checked, late.findings) == (30, [])
    assert late.noted("nz/1") == Noted(shoe.commitment.hex(), shoe.root.hex(), "5e" * 32)
    assert late.noted("nz/2") is None


def other(text: str) -> str:
    return ("1" if text[0] == "0" else "0") + text[1:]


def test_a_proof_with_anything_changed_is_found() -> None:
    _, events, proofs = dealt_shoe()
    honest = proofs[70]
    swapped = next(card for card in DECK if card != honest.card)
    replace = msgspec.structs.replace
    twins = [
        replace(honest, card=swapped),
        replace(honest, place=honest.place + 1),
        replace(honest, index=honest.index + 1),
        replace(honest, place=honest.place + 1, index=honest.index + 1),
        replace(honest, salt=other(honest.salt)),
        replace(honest, salt="no hex"),
        replace(honest, shoe="nz/2"),
        replace(honest, path=honest.path[:-1]),
        replace(honest, path=(*honest.path, honest.path[-1])),
        *(replace(honest, path=(*honest.path[:n], other(honest.path[n]), *honest.path[n + 1 :])) for n in range(5)),
    ]
    for twin in twins:
        notes = ProofNotes()
        notes.read_events(events)
        notes.read_proofs(dealt([twin]), [twin])
        assert len(notes.findings) == 1, twin
        assert notes.findings[0].where == twin.shoe


def test_a_card_that_was_turned_without_its_own_proof_is_found() -> None:
    _, events, proofs = dealt_shoe()
    for shown, proven in [
        (proofs[:2], proofs[:1]),
        (proofs[:1], proofs[:2]),
        (proofs[:1], []),
        (proofs[1:2], proofs[:1]),
    ]:
        notes = ProofNotes()
        notes.read_events(events)
        notes.read_proofs(dealt(shown), proven)
        assert [one.what for one in notes.findings] == [
            f"{len(shown)} cards were turned, and the proofs are of others"
        ], (shown, proven)


@pytest.mark.parametrize("changed", ["commitment", "root", "seal", "cut", "cards"])
def test_a_shoe_of_which_something_else_is_said_later_is_found_and_the_first_word_stays(changed: str) -> None:
    shoe, events, _ = dealt_shoe()
    assert shoe.root is not None
    said: dict[str, Any] = {
        "commitment": shoe.commitment.hex(),
        "root": shoe.root.hex(),
        "seal": "5e" * 32,
        "cut": 40,
        "cards": 104,
        changed: 41 if changed in ("cut", "cards") else "ab" * 32,
    }
    notes = ProofNotes()
    notes.read_events(events)
    notes.read_view(f.SealView("dealing", "nz/1", **said))
    told = "number of cards" if changed == "cards" else changed
    assert [one.what for one in notes.findings] == [f"its {told} is not the one that was noted"]
    assert notes.noted("nz/1") == Noted(shoe.commitment.hex(), shoe.root.hex(), "5e" * 32)


def test_check_cards_tells_of_a_forged_card_and_not_of_honest_ones() -> None:
    _, events, proofs = dealt_shoe()
    forged = msgspec.structs.replace(proofs[5], card=next(card for card in DECK if card != proofs[5].card))

    async def script(socket: ServerConnection, frame: f.ClientFrame) -> None:
        if isinstance(frame, f.Watch):
            await say(
                socket,
                f.Snapshot("nz", live_view(7)),
                f.Happened("nz", 8, events + dealt(proofs[:5]), tuple(proofs[:5]), {}),
            )
        elif isinstance(frame, f.Command):
            await say(socket, f.Happened("nz", 9, dealt([forged]), (forged,), {}), f.Done(frame.id, "nz", 9))

    async def story() -> None:
        async with scripted(script) as server, Client.connect(server.url) as client:
            await client.guest()
            live = await client.watch("nz")
            await until(lambda: live.notes.checked == 5)
            assert live.check_cards() == []
            await live.do(f.Ready())
            found = [(one.where, one.what) for one in live.check_cards()]
            assert found == [("nz/1", f"{forged.card} at place 5 does not lead to the root that was noted")]

    within(10, story())
