"""The client's connection: one WebSocket, opened again when it breaks, with its tables and unanswered commands."""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Literal, NoReturn

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

from casinowar import protocol as f
from casinowar.client.errors import Ended, Refused, refused
from casinowar.client.http import HttpSite
from casinowar.client.table import Live

MOST_UNDER_WAY = 16
"""More commands at once wait for their turn here."""

AGAIN_AFTER, MOST_TRIES = 1.0, 10
"""A message that came too fast for the server is sent again after so many seconds, at most so many times."""

FIRST_PAUSE, LONGEST_PAUSE = 0.05, 2.0
TOO_FAST, CLOSED = "too_fast", "no_such_table"
PASSING = frozenset({"draining", "out_of_service", "slow_reader"})
"""Goodbyes of a server that ends, or cannot go on just now: it comes back, or another one takes its tables."""

MOST_FRAME_BYTES = 4 * 1024 * 1024

_frames = msgspec.json.Decoder(f.ServerFrame)
_BREAKS = (OSError, TimeoutError, ConnectionClosed, InvalidHandshake, InvalidMessage)


News = Literal["connected", "lost", "connected_again"]
ConnectionCallback = Callable[[News], None]
"""What is called when the connection is there, is lost, and is there again; the client's own close is no loss."""


FIRST_LOG_IN = "nobody has logged in: connect again, and call guest(), login() or register() before watch()"


class Connection:
    """The client's socket. `patience` is for how many seconds without a connection it goes on trying."""

    def __init__(self, site: HttpSite, patience: float, callback: ConnectionCallback | None = None) -> None:
        self._callback = callback
        self._site = site
        self._patience = patience
        self._socket: ClientConnection | None = None
        self._lives: dict[str, Live] = {}
        self._unconfirmed: list[str] = []
        self._under_way: dict[str, tuple[bytes, asyncio.Future[f.Done]]] = {}
        self._repeated: set[str] = set()
        self._tries: Counter[str] = Counter()
        self._later: set[asyncio.Task[None]] = set()
        self._room = asyncio.Semaphore(MOST_UNDER_WAY)
        self._keeper: asyncio.Task[None] | None = None
        self.ended: Ended | None = None
        self.connections = 0

    async def send_command(self, command: f.Command) -> f.Done:
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
                self._repeated.discard(command.id)
                del self._tries[command.id]

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

    def drop(self) -> None:
        """Break the socket off without a goodbye, if there is one; it is opened again."""
        if self._socket is not None:
            self._socket.transport.abort()

    async def _send(self, text: bytes) -> None:
        """Send a message. Without a connection it goes out with the next one."""
        if self._socket is not None:
            with suppress(ConnectionClosed):
                await self._socket.send(text, text=True)

    async def _keep(self) -> None:
        try:
            await self._connect_and_listen()
        except Ended as ended:
            self._end(ended)
        except asyncio.CancelledError:
            self._end(Ended("closed", "the client was closed"))
            raise
        except Exception as error:  # Whatever it was, nobody may wait for an answer that cannot come any more.
            self._end(Ended("bad_frame", f"the server said something that makes no sense here: {error!r}"))

    async def _connect_and_listen(self) -> NoReturn:
        pause, heard_at = FIRST_PAUSE, time.monotonic()
        while True:
            is_answered = False
            try:
                async with await self._open() as socket:
                    self._socket = socket
                    is_answered = not (self._lives or self._under_way)  # There is nothing to be told.
                    self._tell("connected" if self.connections == 1 else "connected_again")
                    await self._begin_again(socket)
                    async for text in socket:
                        pause, is_answered = FIRST_PAUSE, True
                        self._take(_frames.decode(text))
            except _BREAKS:
                pass
            except asyncio.CancelledError:  # The client closes its connection: nothing is lost.
                self._socket = None
                raise
            finally:
                if self._socket is not None:
                    self._tell("lost")
                self._socket = None
            if is_answered:  # However long ago: where nothing happens there is no word.
                heard_at = time.monotonic()
            if time.monotonic() - heard_at > self._patience:
                raise Ended("unreachable", f"nobody answered for {self._patience:g} s")
            await asyncio.sleep(pause * random.uniform(0.5, 1))
            pause = min(2 * pause, LONGEST_PAUSE)

    def _tell(self, news: News) -> None:
        """Tell whoever wants to know. What goes wrong there is theirs, and the connection goes on."""
        if self._callback is not None:
            asyncio.get_running_loop().call_soon(self._callback, news)

    async def _open(self) -> ClientConnection:
        """Open the WebSocket with a new ticket. A login that has ended ends the connection; a busy server does not."""
        try:
            ticket = (await self._site.json("POST", "/api/socket-ticket"))["ticket"]
        except Refused as why:
            if why.status is not None and (why.status == 429 or why.status >= 500):
                raise ConnectionError(str(why)) from None
            is_nobody = self._site.token is None and why.status == 401
            raise Ended(why.code, FIRST_LOG_IN if is_nobody else why.says) from None
        options: dict[str, Any] = {"compression": None, "max_size": MOST_FRAME_BYTES, "proxy": None}
        if self._site.source is not None:
            options["local_addr"] = self._site.source
        socket = await connect(
            self._site.socket_url(ticket), open_timeout=10, close_timeout=2, ping_interval=10, **options
        )
        self.connections += 1
        return socket

    async def _begin_again(self, socket: ClientConnection) -> None:
        """Send everything again on a new connection: snapshots first, so that views are there when answers come."""
        self._unconfirmed = list(self._lives)
        self._repeated = set(self._under_way)
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
                del self._tries[_watching(frame.table)]
                self._lives[frame.table].take_snapshot(frame)
            case f.Happened() if frame.table in self._lives:
                self._lives[frame.table].take(frame)
            case f.Failed(id=str(id)):
                self._fail_command(id, frame)
            case f.Failed():
                self._fail_watch(frame)
            case f.Goodbye() if frame.code in PASSING:
                raise ConnectionError(frame.says)
            case f.Goodbye():
                raise Ended(frame.code, frame.says)

    def _fail_command(self, id: str, frame: f.Failed) -> None:
        """Answer a command that failed; one that was sent before may have been done, and is tried again."""
        if frame.code != TOO_FAST or id not in self._repeated:
            self._answer(id, refused(frame))
        elif not self._repeat(id, self._under_way[id][0], lambda: id in self._under_way):
            self._answer(
                id, Ended(TOO_FAST, "nobody took it again, so whether it was done is not known: ask with its id")
            )

    def _fail_watch(self, frame: f.Failed) -> None:
        """Answer a failed frame without an id: it was to watch a table, or to watch no more.

        It is the table that is named, or else the one that has waited longest.
        """
        table = frame.table or next(iter(self._unconfirmed), "")
        live, what = self._lives.get(table), _watching(table)
        is_too_fast = frame.code == TOO_FAST
        if live is None:
            text = msgspec.json.encode(f.Unwatch(table=table))
            if is_too_fast and table:
                self._repeat(what, text, lambda: table not in self._lives)
        elif table in self._unconfirmed:
            text = msgspec.json.encode(live.watching)
            if not (is_too_fast and self._repeat(what, text, lambda: self._lives.get(table) is live)):
                self._unconfirmed.remove(table)
                del self._lives[table], self._tries[what]
                live.end(refused(frame))
        elif frame.code == CLOSED:  # The table went to another server, which finds that it is over.
            del self._lives[table]
            live.end(refused(frame))

    def _repeat(self, what: str, text: bytes, is_wanted: Callable[[], bool]) -> bool:
        """Send it again in a moment; False when that was done often enough. A new connection sends it by itself."""
        self._tries[what] += 1
        if self._tries[what] > MOST_TRIES:
            return False
        task = asyncio.create_task(self._send_later(text, is_wanted))
        self._later.add(task)
        task.add_done_callback(self._later.discard)
        return True

    async def _send_later(self, text: bytes, is_wanted: Callable[[], bool]) -> None:
        socket = self._socket
        await asyncio.sleep(AGAIN_AFTER)
        if self._socket is socket and is_wanted():
            await self._send(text)

    def _answer(self, id: str, answer: f.Done | Refused | Ended) -> None:
        """Hand an answer to its waiter. One that comes twice, since the command was sent twice, is the same answer."""
        _, waiting = self._under_way.get(id, (b"", None))
        if waiting is None or waiting.done():
            return
        if isinstance(answer, f.Done):
            waiting.set_result(answer)
        else:
            waiting.set_exception(answer)

    def _end(self, ended: Ended) -> None:
        if self.ended is None:
            self.ended = ended
        for task in self._later:
            task.cancel()
        for live in self._lives.values():
            live.end(self.ended)
        for _, waiting in self._under_way.values():
            if not waiting.done():
                waiting.set_exception(self.ended)


def _watching(table: str) -> str:
    """The key for counting the tries to watch a table. It can be no command's id, since ids have no spaces."""
    return f"watch {table}"
