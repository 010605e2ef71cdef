"""What a client says over its WebSocket, frame by frame."""

import asyncio
import contextlib
import logging

import msgspec
from starlette.websockets import WebSocket

from casinowar import protocol as f
from casinowar.engine.view import Viewer
from casinowar.house.shared_tables import Elsewhere
from casinowar.house.table.visibility import can_look
from casinowar.web.http.errors import CODES, WebError, safe_words, web_errors
from casinowar.web.http.limits import is_too_deep
from casinowar.web.http.throttle import Throttle
from casinowar.web.server import Server
from casinowar.web.socket.outlet import Outlet, encode

log = logging.getLogger(__name__)
_frames: msgspec.json.Decoder[f.ClientFrame] = msgspec.json.Decoder(f.ClientFrame)


class _About(msgspec.Struct):
    id: f.Id | None = None
    table: f.TableName | None = None


class FrameReader:
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
