"""The entrance of the other servers: who comes without the secret, and clients that end or go wrong in there."""

import asyncio
import gc
import socket
import weakref
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest

from casinowar import protocol as f
from casinowar.store import StoreFailed
from casinowar.web.app import Clock
from casinowar.web.http.errors import WebError
from casinowar.web.http.limits import USUAL
from casinowar.web.metrics import Metrics
from casinowar.web.peers import entrance
from casinowar.web.peers.entrance import MOST_STRANGERS, Entrance, open_entrance
from casinowar.web.peers.link import SILENT_S
from casinowar.web.peers.messages import (
    FORM,
    Call,
    EndClient,
    Enter,
    Hello,
    Leave,
    Message,
    MessageParser,
    Return,
    Say,
    SendBack,
    Tell,
    dump_message,
)
from casinowar.web.peers.peers import Peers
from casinowar.web.server import Server
from casinowar.web.socket.frame_reader import FrameReader
from casinowar.web.socket.hub import Hub
from casinowar.web.socket.outlet import Outlet
from tests.support.live_night import FAST, Night, table

SECRET = "s" * 64
PING = msgspec.json.encode(f.Ping())


class Stranger:
    """Another server, or who says that it is one."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer, self._parser = reader, writer, MessageParser()
        self.heard: list[Message] = []

    def say(self, *messages: Message) -> None:
        self.write(b"".join(map(dump_message, messages)))

    def write(self, data: bytes) -> None:
        self._writer.write(data)

    async def hear(self, kind: type[Message]) -> Message:
        """The next message of a kind."""
        while True:
            while self.heard:
                one = self.heard.pop(0)
                if isinstance(one, kind):
                    return one
            data = await self._reader.read(65_536)
            if not data:
                raise ConnectionError
            self.heard += self._parser.feed(data)

    async def is_cut(self) -> bool:
        try:
            return not await self._reader.read(1)
        except ConnectionError:
            return True


async def echo(scope: Any, receive: Callable[[], Any], send: Callable[[Any], Any]) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": (await receive())["body"]})


class Place:
    """A server's entrance, and whoever comes to it."""

    def __init__(self) -> None:
        night = Night(table(timers=FAST))
        self.hub, self.metrics = Hub(night.house, Metrics(), USUAL, night.clock.tick), Metrics()
        server = SimpleNamespace(
            hub=self.hub, house=night.house, limits=USUAL, metrics=self.metrics, tick=night.clock.tick, peers=None,
            check_certain=lambda: None, roles=lambda name: frozenset(),
        )  # fmt: skip
        self.server = server
        self.entrance = Entrance(cast(Server, server), cast(Any, echo), SECRET, str.upper)
        self.table = next(iter(night.house.tables))

    async def come(self, listener: socket.socket) -> Stranger:
        return Stranger(*await asyncio.open_connection(*listener.getsockname()))


@asynccontextmanager
async def open_place() -> AsyncIterator[tuple[Place, Stranger]]:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        place = Place()
        served = await open_entrance(place.entrance, listener)
        try:
            async with asyncio.timeout(30):
                yield place, await place.come(listener)
        finally:
            place.entrance.close()
            served.close()


def enter(client: int) -> Enter:
    return Enter(client, f"ann{client}", "k" * 64, "127.0.0.1")


@pytest.mark.parametrize("bytes_of_body", [0, 10, 5_000, 200_000])
def test_what_comes_right_behind_the_hello_may_be_long(bytes_of_body: int) -> None:
    """The first thing that a server says to another is often a request with all headers of a browser."""

    async def story() -> None:
        async with open_place() as (_, peer):
            body = b"x" * bytes_of_body
            peer.say(Hello(SECRET, 7), Call(1, "POST", "/", b"", [], body, "127.0.0.1", None))
            assert await peer.hear(Return) == Return(1, 200, [], body)

    asyncio.run(story())


@pytest.mark.parametrize(
    "first",
    [
        Hello("", 7),
        Hello("ü" * 32, 7),
        Hello("s" * 63, 7),
        Say(1, PING),
        enter(1),
        Call(1, "GET", "/", b"", [], b"", "", None),
    ],
)
def test_a_stranger_is_cut_off_and_nothing_behind_is_heard(first: Message, caplog: pytest.LogCaptureFixture) -> None:
    async def story() -> None:
        async with open_place() as (place, stranger):
            stranger.say(first, *(Say(1, PING) for _ in range(1_000)), Hello(SECRET, 7), enter(1))
            assert await stranger.is_cut()
            assert not place.hub.outlets
            assert len(caplog.records) == 1, "one line of the log for one stranger"
            assert caplog.records[0].exc_info is None

    asyncio.run(story())


def test_a_server_of_another_version_is_told_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    async def story() -> None:
        async with open_place() as (place, peer):
            peer.say(Hello(SECRET, 7, form=FORM + 1), enter(1))
            assert await peer.is_cut()
            assert not place.hub.outlets
            assert [one.message for one in caplog.records] == ["a server of another version came"]

    asyncio.run(story())


def test_a_request_that_finds_the_store_failed_is_answered_by_a_house_out_of_service() -> None:
    """Where that was found out only then, whoever asked through another server was told of a mistake."""

    async def story() -> None:
        async with open_place() as (place, peer):

            def fail() -> None:
                raise StoreFailed("the database is gone")

            place.server.house.follow_others = fail
            peer.say(Hello(SECRET, 7), Call(1, "POST", "/", b"", [], b"a", "127.0.0.1", None))
            answer = await peer.hear(Return)
            assert isinstance(answer, Return)
            assert answer.status == 200, "the application answers, which knows by now"
            assert place.server.house.out_of_service == "the database is gone"

    asyncio.run(story())


@pytest.mark.parametrize("said", [b"GET / HTTP/1.1\r\n\r\n", b"\0\0\0\5hello", b"\0\0\4\1" + bytes(1_025), b"\0\0\0\0"])
def test_a_stranger_who_says_no_message_is_cut_off(said: bytes, caplog: pytest.LogCaptureFixture) -> None:
    async def story() -> None:
        async with open_place() as (_, stranger):
            stranger.write(said)
            assert await stranger.is_cut()
            assert [one.exc_info for one in caplog.records] == [None]

    asyncio.run(story())


def test_a_client_that_is_ended_here_is_forgotten_though_its_server_takes_no_leave() -> None:
    """Otherwise it would stay present at its tables for as long as the link holds."""

    async def story() -> None:
        async with open_place() as (place, peer):
            watch = msgspec.json.encode(f.Watch(table=place.table, role="player"))
            peer.say(Hello(SECRET, 7), enter(1), enter(2), Say(1, watch), Say(2, watch))
            await peer.hear(Tell)
            first, second = place.hub.outlets
            first.end("logged_out")
            assert await peer.hear(EndClient) == EndClient(1, "logged_out")
            assert list(place.hub.outlets) == [second]
            assert place.hub.watchers(place.table) == [second]
            peer.say(Leave(1), Leave(2), enter(2), Say(2, PING))
            await peer.hear(Tell)
            assert [one.name for one in place.hub.outlets] == ["ann2"]

    asyncio.run(story())


def test_a_mistake_in_the_frame_of_one_client_ends_that_client_and_not_the_link() -> None:
    """Otherwise its server would send the frame again over the next link, and that would break as well."""

    async def story() -> None:
        async with open_place() as (place, peer):

            def roles(name: str) -> frozenset[str]:
                if name == "ann1":
                    raise RuntimeError("a mistake")
                return frozenset()

            place.server.roles = roles
            peer.say(Hello(SECRET, 7), enter(1), enter(2))
            peer.say(Say(1, msgspec.json.encode(f.Watch(table=place.table))), Say(2, PING))
            assert await peer.hear(EndClient) == EndClient(1, "internal")
            peer.say(Say(2, PING))
            assert isinstance(await peer.hear(Tell), Tell)
            assert [one.name for one in place.hub.outlets] == ["ann2"]

    asyncio.run(story())


@pytest.mark.parametrize("why", [StoreFailed("the disk is gone"), WebError("out_of_service")])
def test_whoever_watches_where_the_store_has_failed_is_sent_back_to_wait_for_another_server(why: Exception) -> None:
    """Told of an error, a client that has watched the table all the time would hear of it no more."""

    async def story() -> None:
        async with open_place() as (place, peer):

            def certain() -> None:
                raise why

            place.server.check_certain = certain
            place.server.peers = SimpleNamespace(pass_on=partial(Peers.pass_on, cast(Peers, None)))
            watch = msgspec.json.encode(f.Watch(table=place.table))
            bet = f.Command(id="a", table=place.table, expected=1, command=msgspec.Raw(b'{"do":"ready"}'))
            place.server.act_together = lambda *_: certain()
            peer.say(Hello(SECRET, 7), enter(1), Say(1, watch), Say(1, msgspec.json.encode(bet)))
            back = await peer.hear(SendBack)
            assert isinstance(back, SendBack)
            assert (back.client, msgspec.json.decode(back.text, type=f.Watch)) == (1, f.Watch(table=place.table))
            answer = await peer.hear(Tell)
            assert isinstance(answer, Tell)
            [failed] = map(msgspec.json.decode, answer.frames)
            assert (failed["type"], failed["id"], failed["code"]) == ("error", "a", "out_of_service")

    asyncio.run(story())


def test_a_mistake_in_a_frame_that_has_waited_ends_its_client_and_is_not_raised() -> None:
    """The gateway hands all that has waited for a table to its clients' readers in one turn."""
    place = Place()

    def roles(name: str) -> frozenset[str]:
        raise RuntimeError("a mistake")

    place.server.roles = roles
    outlet = Outlet("ann", "k" * 64, "127.0.0.1", 64)
    place.hub.join(outlet)
    FrameReader(cast(Server, place.server), outlet).take_again(f.Watch(table=place.table))
    assert outlet.ended == "internal"


def test_the_clock_does_what_is_due_though_looking_around_fails_each_time() -> None:
    async def story() -> None:
        turns = list[int]()

        def advance() -> None:
            turns.append(1)
            server.is_closing = len(turns) == 3

        def look() -> None:
            raise RuntimeError("a mistake")

        server = SimpleNamespace(
            house=SimpleNamespace(advance=advance),
            peers=SimpleNamespace(look=look),
            metrics=Metrics(),
            is_closing=False,
        )
        async with asyncio.timeout(30):
            await Clock(cast(Server, server)).run()
        assert len(turns) == 3

    asyncio.run(story())


def test_nothing_is_kept_of_strangers_who_are_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody on the machine comes ten thousand times a second."""
    monkeypatch.setattr(entrance, "HELLO_S", 600.0)

    async def story() -> None:
        place = Place()
        links = [weakref.ref(place.entrance.new_link()) for _ in range(20 * MOST_STRANGERS)]
        await asyncio.sleep(0)
        gc.collect()
        assert (
            sum(one() is not None for one in links) <= 4 * MOST_STRANGERS
        )  # The loop drops cancelled timers together.
        place.entrance.close()

    asyncio.run(story())


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="the system does not have it")
def test_a_line_that_falls_silent_is_lost_by_the_system() -> None:
    """Nobody says that the machine at its other end is gone, and who waits for an answer would wait on."""

    async def story() -> None:
        async with open_place() as (place, peer):
            peer.say(Hello(SECRET, 7), Call(1, "POST", "/", b"", [], b"", "127.0.0.1", None))
            await peer.hear(Return)
            [link] = place.entrance._guests
            assert link._transport is not None
            line = link._transport.get_extra_info("socket")
            assert line.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 1000 * SILENT_S
            assert line.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1

    asyncio.run(story())


def test_of_too_many_who_say_nothing_the_oldest_gives_way_and_no_server_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entrance, "HELLO_S", 600.0)

    async def story() -> None:
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            place = Place()
            async with await open_entrance(place.entrance, listener):
                peer = await place.come(listener)
                peer.say(Hello(SECRET, 2), Call(1, "POST", "/", b"", [], b"a", "127.0.0.1", None))
                await peer.hear(Return)
                silent = [await place.come(listener) for _ in range(MOST_STRANGERS + 2)]
                assert [await one.is_cut() for one in silent[:2]] == [True, True]
                silent[2].say(Hello(SECRET, 3), Call(1, "POST", "/", b"", [], b"a", "127.0.0.1", None))
                await silent[2].hear(Return)  # It was not one too many.
                peer.say(Call(2, "POST", "/", b"", [], b"a", "127.0.0.1", None))
                await peer.hear(Return)
                place.entrance.close()

    asyncio.run(asyncio.wait_for(story(), 30))
