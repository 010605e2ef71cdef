"""One WebSocket: it is let in with a ticket, watches tables, sends commands, and is sent what it may see."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Iterator

import msgspec
from starlette.responses import Response
from starlette.websockets import WebSocket, WebSocketDisconnect

from casinowar import protocol as f
from casinowar.engine.view import Viewer
from casinowar.house.shared_tables import Elsewhere
from casinowar.house.table.visibility import can_look
from casinowar.web.http.admission import check_host, check_origin
from casinowar.web.http.errors import CODES, WebError, safe_words, web_errors
from casinowar.web.http.limits import is_too_deep
from casinowar.web.http.throttle import Throttle, address_key
from casinowar.web.server import Server
from casinowar.web.socket.hub import Hub
from casinowar.web.socket.outlet import Outlet, encode

log = logging.getLogger(__name__)
NORMAL, POLICY_VIOLATION, MISTAKE, TRY_AGAIN = 1000, 1008, 1011, 1013
CLOSING = {"draining": 1012, "slow_reader": TRY_AGAIN, "out_of_service": TRY_AGAIN, "internal": MISTAKE}
"""The WebSocket's own close codes for our goodbyes; the others are breaches of policy."""

CLOSING_S = 2.0
"""So long a client has to answer our close; then the connection is cut."""

_frames: msgspec.json.Decoder[f.ClientFrame] = msgspec.json.Decoder(f.ClientFrame)


class _About(msgspec.Struct):
    id: f.Id | None = None
    table: f.TableName | None = None


async def serve_socket(websocket: WebSocket, server: Server) -> None:
    """Serve one WebSocket from the handshake to the end of the connection."""
    try:
        with web_errors(server.house.fail):
            outlet = admit(websocket, server)
    except WebError as refused:
        server.metrics.refusals.labels(refused.fault.code).inc()
        body = msgspec.json.encode(refused.fault)
        await websocket.send_denial_response(Response(body, refused.status, media_type="application/json"))
        return
    server.hub.join(outlet)
    try:
        await websocket.accept()
        await _converse(websocket, server, outlet)
    finally:
        server.hub.part(outlet)
        if server.peers is not None:
            server.peers.gateway.part(outlet)
        if outlet.ended is not None:
            server.metrics.sockets_dropped.labels(outlet.ended).inc()


def admit(websocket: WebSocket, server: Server) -> Outlet:
    """Admit a connection that comes from our page or no page, has an unused ticket, and is not one too many."""
    limits, hub = server.limits, server.hub
    check_host(websocket.headers, server.is_behind_tls)
    check_origin(websocket.headers, server.is_behind_tls)
    if server.is_closing or server.is_leaving:
        raise WebError("draining")
    if server.house.out_of_service is not None:
        raise WebError("out_of_service")
    address = address_key(websocket.client.host if websocket.client else "")
    if not server.requests.allows(address):
        raise WebError("too_fast")
    found = server.tickets.redeem(websocket.query_params.get("ticket", ""))
    if found is None:
        raise WebError("wrong_ticket")
    name, login_key = found
    if server.accounts.use_login(login_key) is None:
        raise WebError("not_logged_in")
    if hub.count(address=address) >= limits.sockets_per_address or hub.count(name=name) >= limits.sockets_per_account:
        raise WebError("too_many_sockets")
    if server.is_full(name, address):
        raise WebError("house_full")
    return Outlet(name, login_key, address, limits.queue_messages)


async def _converse(websocket: WebSocket, server: Server, outlet: Outlet) -> None:
    """Read and write at once, until one of them is done: the reader by the client, the writer by a goodbye."""
    reader = Reader(server, outlet)
    outlet.take_here = reader.take_again
    outlet.write_now = websocket.scope.get("state", {}).get("write_now")
    reading = asyncio.create_task(reader.run(websocket))
    writer = asyncio.create_task(_write(websocket, server.hub, outlet, server.limits.queue_seconds))
    try:
        await asyncio.wait((reading, writer), return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (reading, writer):
            task.cancel()
        for ended in await asyncio.gather(reading, writer, return_exceptions=True):
            if isinstance(ended, Exception):
                server.metrics.faults.inc()
                log.error("a connection failed", exc_info=ended)


async def _write(websocket: WebSocket, hub: Hub, outlet: Outlet, seconds: int) -> None:
    """Write frames. One that the connection does not take within `seconds` ends it at once, without waiting for its
    buffers. What it takes at once does not come here."""
    state = websocket.scope.get("state", {})
    hang_up: Callable[[], None] = state.get("hang_up", lambda: None)
    try:
        async with asyncio.timeout(None) as patience:
            while (frames := await hub.next(outlet)) is not None:
                if outlet.write_now is not None and outlet.write_now(frames):
                    continue
                for frame in frames:
                    patience.reschedule(asyncio.get_running_loop().time() + seconds)
                    with _client_gone():
                        await websocket.send({"type": "websocket.send", "text": frame.decode()})
                patience.reschedule(None)
            patience.reschedule(asyncio.get_running_loop().time() + seconds)
            code = outlet.ended or ""
            with _client_gone():
                await websocket.close(CLOSING.get(code, POLICY_VIOLATION), code)
            asyncio.get_running_loop().call_later(CLOSING_S, hang_up)
    except TimeoutError:
        outlet.end("slow_reader")
        hang_up()
    except ConnectionError:
        return


@contextlib.contextmanager
def _client_gone() -> Iterator[None]:
    """Raise a ConnectionError where the client was gone before the frame; Starlette tells it in several ways."""
    try:
        yield
    except (WebSocketDisconnect, RuntimeError, OSError) as error:
        raise ConnectionError(str(error)) from error


class Reader:
    """Takes the client's frames one by one. Whatever cannot be taken is answered with an error and changes nothing."""

    def __init__(self, server: Server, outlet: Outlet) -> None:
        self._server = server
        self._outlet = outlet
        self._patience = Throttle(1, server.limits.refusals_at_once, server.tick)

    async def run(self, websocket: WebSocket) -> None:
        while self._outlet.ended is None:
            message = await websocket.receive()
            if message["type"] == "websocket.disconnect":
                return
            self.take(message.get("text"))
            await self._outlet.room()
        # The writer still has the goodbye to send.
        await asyncio.Event().wait()

    def take(self, text: str | None) -> None:
        """Take one message; None is a binary one."""
        try:
            frame = self._parse(text)
            if isinstance(frame, f.Watch) and not self._is_guest:
                self._check_snapshots()
            self._take(frame)
        except WebError as refused:
            self._refuse(refused.fault.code, refused.fault.says, text)

    def take_again(self, frame: f.ClientFrame) -> None:
        """Take a frame that was taken before, for a table that this server decides by now.

        Those of many clients are taken together: a mistake in one ends that client and no other.
        """
        try:
            self._take(frame)
        except WebError as refused:
            self._refuse(refused.fault.code, refused.fault.says, encode(frame).decode())
        except Exception:
            self._server.metrics.faults.inc()
            log.exception("a frame that had waited failed")
            self._outlet.end("internal")

    def _take(self, frame: f.ClientFrame) -> None:
        """Take a frame, or pass it on for a table of another server.

        Where the store has failed, another server takes the tables: whoever has let a client in goes on there.
        """
        try:
            self._take_here(frame)
        except Elsewhere:
            self._pass_on(frame)
        except WebError as refused:
            is_watch = self._is_guest and isinstance(frame, f.Watch)
            if not is_watch or refused.fault.code != "out_of_service":
                raise
            self._pass_on(frame)

    def _take_here(self, frame: f.ClientFrame) -> None:
        with web_errors(self._server.house.fail):
            match frame:
                case f.Watch():
                    self._watch(frame)
                case f.Unwatch():
                    self._unwatch(frame.table)
                case f.WatchFloor():
                    self._watch_floor()
                case f.Ping():
                    # Sent by a page that nobody looks at, too: it is no use of the session.
                    self._outlet.put(encode(f.Pong()))
                case f.Command() if self._is_open():
                    self._command(frame)

    def _pass_on(self, frame: f.ClientFrame) -> None:
        if self._server.peers is not None:
            self._server.peers.pass_on(self._outlet, frame)

    @property
    def _is_guest(self) -> bool:
        """Whether another server has let the client in, and counts what it says."""
        return self._outlet.send_back is not None

    def _command(self, frame: f.Command) -> None:
        """Do a command, and answer it once it is on the disk.

        What it did is sent before its answer, also where others are told a moment later.
        """
        self._server.house.check_here(frame.table)
        answer = self._server.act_together(self._outlet.name, frame, self._outlet.address)

        def tell() -> None:
            self._outlet.release(frame.table)
            self._outlet.put(encode(self._server.certain(answer)))

        self._server.once_settled(tell)

    def _is_open(self) -> bool:
        """Whether the login is open: a command is a use of it. The server that has let a guest in has looked at it."""
        if self._is_guest:
            return True
        if self._server.accounts.use_login(self._outlet.login_key) is None:
            self._outlet.end("logged_out")
            return False
        return True

    def _parse(self, text: str | None) -> f.ClientFrame:
        if not self._is_guest and not self._server.allows_message(self._outlet.name, self._outlet.address):
            raise WebError("too_fast")
        if text is None:
            raise WebError("not_text")
        content = text.encode("utf-8", "surrogatepass")
        if len(content) > self._server.limits.message_bytes:
            raise WebError("too_large")
        if is_too_deep(content, self._server.limits.depth):
            raise WebError("malformed")
        try:
            return _frames.decode(content)
        except msgspec.ValidationError as error:
            raise WebError("invalid", f"{CODES['invalid'][1]}: {safe_words(error)}") from None
        except (msgspec.DecodeError, RecursionError, ValueError):
            raise WebError("malformed") from None

    def _watch(self, frame: f.Watch) -> None:
        self._server.check_certain()
        # Before it goes elsewhere: a watch that is refused there is over, also one that was allowed before.
        if not can_look(self._server.roles(self._outlet.name), frame.role):
            raise WebError("not_allowed")
        self._server.house.check_here(frame.table)
        if frame.table not in self._server.house.tables:
            raise WebError("no_such_table")
        viewer = Viewer(frame.role, self._outlet.name if frame.role == "player" else "", frame.advice)
        self._server.hub.watch(self._outlet, frame.table, viewer, is_in_parts=frame.views == "parts")

    def _check_snapshots(self) -> None:
        if not self._server.snapshots.allows(self._outlet.address):
            raise WebError("too_fast")

    def _unwatch(self, table: str) -> None:
        self._server.hub.unwatch(self._outlet, table)
        if self._server.peers is not None and not self._is_guest:
            self._server.peers.gateway.unwatch(self._outlet, table)

    def _watch_floor(self) -> None:
        if not can_look(self._server.roles(self._outlet.name), "auditor"):
            raise WebError("not_allowed")
        self._server.hub.floor.join(self._outlet)
        if self._server.peers is not None and not self._is_guest:
            self._server.peers.gateway.watch_floor(self._outlet, self.take_again)

    def _refuse(self, code: str, says: str, text: str | None) -> None:
        self._server.metrics.frames_refused.labels(code).inc()
        about = _about(text, self._server.limits.message_bytes)
        self._outlet.put(encode(f.Failed(code, says, about.id, about.table)))
        if not self._patience.allows(""):
            self._outlet.end("too_many_refused")


def _about(text: str | None, most: int) -> _About:
    """The id and the table of a refused frame, where it has them, so that its sender knows which it was."""
    if text is None or len(text) > most:
        return _About()
    with contextlib.suppress(msgspec.MsgspecError, RecursionError, ValueError):
        return msgspec.json.decode(text, type=_About)
    return _About()
