"""One WebSocket that is opened again when it breaks: tables watched anew, unanswered commands sent again."""

import asyncio
import random
import time
from contextlib import suppress
from typing import Any, NoReturn

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

from casinowar.client.errors import Ended, Refused, refused
from casinowar.client.live import Live
from casinowar.client.site import Site
from casinowar.table import frames as f

MOST_UNDER_WAY = 16
"""More commands at once wait for their turn here."""

FIRST_PAUSE, LONGEST_PAUSE = 0.05, 2.0
MOST_FRAME_BYTES = 4 * 1024 * 1024

_frames = msgspec.json.Decoder(f.ServerFrame)
_BREAKS = (OSError, TimeoutError, ConnectionClosed, InvalidHandshake, InvalidMessage)


class Line:
    """The client's socket. `patience` is for how many seconds without a connection it goes on trying."""

    def __init__(self, site: Site, patience: float) -> None:
        self._site = site
        self._patience = patience
        self._socket: ClientConnection | None = None
        self._lives: dict[str, Live] = {}
        self._unconfirmed: list[str] = []
        self._under_way: dict[str, tuple[bytes, asyncio.Future[f.Done]]] = {}
        self._room = asyncio.Semaphore(MOST_UNDER_WAY)
        self._keeper: asyncio.Task[None] | None = None
        self.ended: Ended | None = None
        self.connections = 0

    async def ask(self, command: f.Command) -> f.Done:
        async with self._room:
            if self.ended is not None:
                raise self.ended
            if command.id in self._under_way:
                raise ValueError(f"{command.id} is under way")
            text = msgspec.json.encode(command)
            answer: asyncio.Future[f.Done] = asyncio.get_running_loop().create_future()
            self._under_way[command.id] = (text, answer)
            try:
                await self._send(text)
                return await answer
            finally:
                del self._under_way[command.id]

    async def watch(self, live: Live) -> None:
        """Follow a table, and return when its snapshot has come; a socket is opened for the first one."""
        if self.ended is not None:
            raise self.ended
        if live.table in self._lives:
            raise ValueError(f"{live.table} is watched already")
        self._lives[live.table] = live
        self._unconfirmed.append(live.table)
        if self._keeper is None:
            self._keeper = asyncio.create_task(self._keep())
        await self._send(msgspec.json.encode(live.watching))
        try:
            await live.started()
        except (Refused, asyncio.CancelledError):
            self._lives.pop(live.table, None)
            raise

    async def unwatch(self, live: Live) -> None:
        self._lives.pop(live.table, None)
        live.end(Ended("unwatched", "this table is not watched any more"))
        await self._send(msgspec.json.encode(f.Unwatch(table=live.table)))

    async def close(self) -> None:
        keeper, self._keeper = self._keeper, None
        if keeper is not None:
            keeper.cancel()
            await asyncio.gather(keeper, return_exceptions=True)
        self._end(Ended("closed", "the client was closed"))

    async def _send(self, text: bytes) -> None:
        """What cannot be sent now goes out with the next connection."""
        if self._socket is not None:
            with suppress(ConnectionClosed):
                await self._socket.send(text, text=True)

    async def _keep(self) -> None:
        try:
            await self._connect_and_listen()
        except Ended as ended:
            self._end(ended)
        except Exception as error:  # Whatever it was, nobody may wait for an answer that cannot come any more.
            self._end(Ended("bad_frame", f"the server said something that makes no sense here: {error!r}"))

    async def _connect_and_listen(self) -> NoReturn:
        pause, heard_at = FIRST_PAUSE, time.monotonic()
        while True:
            try:
                async with await self._open() as socket:
                    self._socket = socket
                    await self._begin_again(socket)
                    async for text in socket:
                        pause, heard_at = FIRST_PAUSE, time.monotonic()
                        self._take(_frames.decode(text))
            except _BREAKS:
                pass
            finally:
                self._socket = None
            if time.monotonic() - heard_at > self._patience:
                raise Ended("unreachable", f"nobody answered for {self._patience:g} s")
            await asyncio.sleep(pause * random.uniform(0.5, 1))
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _open(self) -> ClientConnection:
        """With a ticket of its own each time. A session that is no more ends the line; a busy server does not."""
        try:
            ticket = (await self._site.json("POST", "/api/socket-ticket"))["ticket"]
        except Refused as why:
            if why.status is not None and (why.status == 429 or why.status >= 500):
                raise ConnectionError(str(why)) from None
            raise Ended(why.code, why.says) from None
        options: dict[str, Any] = {"compression": None, "max_size": MOST_FRAME_BYTES, "proxy": None}
        if self._site.source is not None:
            options["local_addr"] = self._site.source
        socket = await connect(
            self._site.socket_url(ticket), open_timeout=10, close_timeout=2, ping_interval=10, **options
        )
        self.connections += 1
        return socket

    async def _begin_again(self, socket: ClientConnection) -> None:
        """Snapshots first, so that the views are there when the answers come."""
        self._unconfirmed = list(self._lives)
        for live in list(self._lives.values()):
            await socket.send(msgspec.json.encode(live.watching), text=True)
        for text, _ in list(self._under_way.values()):
            await socket.send(text, text=True)

    def _take(self, frame: f.ServerFrame) -> None:
        match frame:
            case f.Done():
                self._answer(frame.id, frame)
            case f.Refused():
                self._answer(frame.id, refused(frame))
            case f.Snapshot() if frame.table in self._lives:
                self._unconfirmed = [table for table in self._unconfirmed if table != frame.table]
                self._lives[frame.table].take_snapshot(frame)
            case f.Happened() if frame.table in self._lives:
                self._lives[frame.table].take(frame)
            case f.Failed(id=str(id)):
                self._answer(id, refused(frame))
            case f.Failed() if self._unconfirmed:
                # A frame without an id that was not taken can only be the oldest wish to watch.
                live = self._lives.pop(self._unconfirmed.pop(0), None)
                if live is not None:
                    live.end(refused(frame))
            case f.Goodbye():
                raise Ended(frame.code, frame.says)

    def _answer(self, id: str, answer: f.Done | Refused) -> None:
        """An answer that comes twice, since the command was sent twice, is the same answer."""
        _, waiting = self._under_way.get(id, (b"", None))
        if waiting is None or waiting.done():
            return
        if isinstance(answer, Refused):
            waiting.set_exception(answer)
        else:
            waiting.set_result(answer)

    def _end(self, ended: Ended) -> None:
        if self.ended is None:
            self.ended = ended
        for live in self._lives.values():
            live.end(self.ended)
        for _, waiting in self._under_way.values():
            if not waiting.done():
                waiting.set_exception(self.ended)
