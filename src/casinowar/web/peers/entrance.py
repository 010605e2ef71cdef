"""The entrance for other servers: their clients come in here, and what they say is taken as from any client."""

import asyncio
import logging
import secrets
from collections.abc import Callable, MutableMapping
from functools import partial
from typing import Any

from starlette.types import ASGIApp

from casinowar import protocol as f
from casinowar.web.peers.link import Link
from casinowar.web.peers.messages import (
    FORM,
    MOST_BYTES,
    MOST_HELLO_BYTES,
    PASSED_ON,
    Call,
    EndClient,
    Enter,
    Hello,
    Leave,
    Message,
    Return,
    Say,
    SendBack,
    Tell,
    Welcome,
)
from casinowar.web.server import Server
from casinowar.web.socket.frame_reader import FrameReader
from casinowar.web.socket.outlet import Outlet, encode

log = logging.getLogger(__name__)
HELLO_S = 5.0
"""Who comes to the entrance says hello within so many seconds."""

MOST_STRANGERS = 64
"""So many may be there that have not said hello; the oldest of them gives way."""


class Guest:
    """A client of another server: its outlet leads over the link, and its reader is that of any client."""

    def __init__(self, server: Server, link: Link, entered: Enter, on_over: "Callable[[Guest], None]") -> None:
        self._server, self._link, self.number, self._on_over = server, link, entered.client, on_over
        self.outlet = Outlet(entered.name, entered.login_key, entered.address, server.limits.queue_messages)
        self.outlet.send_back, self.outlet.write_now = self.send_back, self._write
        self.reader = FrameReader(server, self.outlet)
        server.hub.join(self.outlet)
        self._writer = asyncio.get_running_loop().create_task(self._write_on())

    def _write(self, frames: list[bytes]) -> bool:
        self._link.send(Tell(self.number, frames))
        return True

    def take(self, text: bytes) -> None:
        """Take a frame. A mistake in it ends this client, as at its own server, and no other of the link."""
        try:
            self.reader.take(text.decode("utf-8", "surrogatepass"))
        except Exception:
            self._server.metrics.faults.inc()
            log.exception("a frame of a client of another server failed")
            self.outlet.end("internal")

    def send_back(self, frame: f.ClientFrame) -> None:
        """Send back what is for a table that is not decided here."""
        self._link.send(SendBack(self.number, encode(frame)))

    async def _write_on(self) -> None:
        """Write what is left to the writer, the goodbye at last."""
        try:
            while (frames := await self._server.hub.next(self.outlet)) is not None:
                self._write(frames)
            self._link.send(EndClient(self.number, self.outlet.ended or ""))
        except Exception:
            self._server.metrics.faults.inc()
            log.exception("a client of another server failed")
            self.outlet.end("internal")
            self._link.send(EndClient(self.number, "internal"))
        self._on_over(self)

    def part(self) -> None:
        self._server.hub.part(self.outlet)
        self._writer.cancel()


class Entrance:
    """Takes the links of other servers. Who does not begin with the word for this server is cut off, and to the others
    it proves that it is this server."""

    def __init__(self, server: Server, app: ASGIApp, secret: str, prove: Callable[[str], str]) -> None:
        self._server, self._app, self._secret, self._prove = server, app, secret, prove
        self._guests: dict[Link, dict[int, Guest]] = {}
        self._links: set[Link] = set()
        self._strangers: dict[Link, asyncio.TimerHandle] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def new_link(self) -> Link:
        link = Link(self._take, self._lost)
        link.parser.most = MOST_HELLO_BYTES
        self._links.add(link)
        self._strangers[link] = asyncio.get_running_loop().call_later(HELLO_S, link.cut)
        if len(self._strangers) > MOST_STRANGERS:
            next(iter(self._strangers)).cut()
        return link

    def _forget_stranger(self, link: Link) -> None:
        """Wait for a hello no more. What waits is not kept either: strangers may come by thousands in a second."""
        waiting = self._strangers.pop(link, None)
        if waiting is not None:
            waiting.cancel()

    def _take(self, link: Link, message: Message) -> None:
        guests = self._guests.get(link)
        if guests is None:
            if not isinstance(message, Hello) or not self._is_secret(message.secret):
                log.warning("somebody without our secret came to the entrance of the servers")
                link.cut()
                return
            if message.form != FORM:
                log.error("a server of another version came", extra={"server": message.number, "form": message.form})
                link.cut()
                return
            self._forget_stranger(link)
            self._guests[link], link.peer, link.parser.most = {}, message.number, MOST_BYTES
            link.send(Welcome(self._prove(message.challenge)))
            return
        match message:
            case Enter():
                self._part(guests, message.client)
                guests[message.client] = Guest(self._server, link, message, partial(self._over, guests))
            case Say():
                guest = guests.get(message.client)
                if guest is not None and guest.outlet.ended is None:
                    guest.take(message.text)
            case Leave():
                self._part(guests, message.client)
            case Call():
                task = asyncio.get_running_loop().create_task(self._answer(link, message))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    def _over(self, guests: dict[int, Guest], guest: Guest) -> None:
        """Forget a client that has been told of its end: its own server does not take leave for it any more."""
        if guests.get(guest.number) is guest:
            self._part(guests, guest.number)

    @staticmethod
    def _part(guests: dict[int, Guest], client: int) -> None:
        gone = guests.pop(client, None)
        if gone is not None:
            gone.part()

    def _is_secret(self, told: str) -> bool:
        return secrets.compare_digest(told.encode("utf-8", "replace"), self._secret.encode())

    def _lost(self, link: Link) -> None:
        self._links.discard(link)
        self._forget_stranger(link)
        for guest in self._guests.pop(link, {}).values():
            guest.part()

    async def _answer(self, link: Link, call: Call) -> None:
        """Answer a request by the application, as if it had come over HTTP.

        What the caller has written to the house's stream before it asked is known here by then.
        """
        status, headers, body = 500, list[tuple[bytes, bytes]](), bytearray()

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": call.body, "more_body": False}

        async def send(message: MutableMapping[str, Any]) -> None:
            nonlocal status, headers
            if message["type"] == "http.response.start":
                status, headers = message["status"], [(bytes(k), bytes(v)) for k, v in message["headers"]]
            elif message["type"] == "http.response.body":
                body.extend(message.get("body", b""))

        scope: dict[str, Any] = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": call.method,
            "scheme": "http",
            "path": call.path,
            "raw_path": call.path.encode(),
            "query_string": call.query,
            "root_path": "",
            "headers": call.headers,
            "client": (call.address, 0),
            "server": call.server,
            "state": {},
            PASSED_ON: True,
        }
        try:
            if self._server.house.out_of_service is None:
                self._server.house.attempt(self._server.house.follow_others)
            await self._app(scope, receive, send)
        except Exception:
            self._server.metrics.faults.inc()
            log.exception("a request of another server failed")
            status, headers, body = 500, [], bytearray()
        link.send(Return(call.number, status, headers, bytes(body)))

    def close(self) -> None:
        for link in list(self._links):
            link.cut()


async def open_entrance(entrance: Entrance, listener: Any) -> asyncio.Server:
    """Take links at a listening socket."""
    loop = asyncio.get_running_loop()
    return await loop.create_server(entrance.new_link, sock=listener)
