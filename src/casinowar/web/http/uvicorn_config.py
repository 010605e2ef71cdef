"""uvicorn set up for this server: limits, quiet logs that hold no ticket, and connections that can be cut at once."""

import asyncio
import ssl
from collections import Counter
from collections.abc import Callable

import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.protocol import State

from casinowar.web.http.door import Door, door_protocol
from casinowar.web.http.limits import Limits
from casinowar.web.http.tls_entrance import entrance_protocol

WIRE_BYTES = 64 * 1024
"""A longer message ends the connection while it is still being read; one below it may be refused with a word."""

BUFFER_BYTES = 64 * 1024
"""What may lie unsent in the process for one connection, before its queue is used."""

MOST_FRAMES = 20
"""Pings, pongs and parts of messages within one second: whoever sends more has nothing to say."""

SLICE_BYTES = 1024
"""So many bytes are read at a time; then it is checked whether it was too much: small frames cost the most to read."""

BACKLOG = 64
"""So many new connections are taken before anybody else has a turn again."""

TEXT = 0x81
"""The first byte of a frame that is a whole text message."""

PING_S = 20.0
SPARE_CONNECTIONS = 200
"""uvicorn's own limit is so much above ours: a full house then makes room itself, instead of turning people away."""

DRAIN_S = 3


def unless_too_many(kind: str, act: Callable[..., None]) -> Callable[..., None]:
    """A handler that does nothing once there are too many frames or messages of a kind, and the connection is cut."""

    def done(self: "SocketProtocol", *event: Frame) -> None:
        if not self._is_cut(kind):
            act(self, *event)

    return done


class SocketProtocol(WebSocketsSansIOProtocol):
    """uvicorn's WebSocket protocol with limits. `state["hang_up"]` cuts the connection without waiting for its reader.

    `state["write_now"]` writes frames to a connection that takes them at once.

    Frames that never become a message are counted here. Messages are counted where they are taken, and refused with a
    word; here they are only counted to cut who sends more than `most_messages` in a second.
    """

    most_messages = 1_000
    _second = -1
    _counts: Counter[str]
    handle_ping = unless_too_many("frame", WebSocketsSansIOProtocol.handle_ping)
    handle_pong = unless_too_many("frame", WebSocketsSansIOProtocol.handle_pong)
    handle_cont = unless_too_many("frame", WebSocketsSansIOProtocol.handle_cont)
    handle_text = unless_too_many("message", WebSocketsSansIOProtocol.handle_text)
    handle_bytes = unless_too_many("message", WebSocketsSansIOProtocol.handle_bytes)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.transport.set_write_buffer_limits(high=BUFFER_BYTES)

    def data_received(self, data: bytes) -> None:
        for at in range(0, len(data), SLICE_BYTES):
            if self.transport.is_closing():
                return
            super().data_received(data[at : at + SLICE_BYTES])

    def _is_cut(self, kind: str) -> bool:
        """Count a frame or message of this second, and cut the connection where it is one too many."""
        second = int(self.loop.time())
        if second != self._second:
            self._second, self._counts = second, Counter()
        self._counts[kind] += 1
        is_too_much = self._counts[kind] > (MOST_FRAMES if kind == "frame" else self.most_messages)
        if is_too_much:
            self.transport.abort()
        return is_too_much

    def write_now(self, frames: list[bytes]) -> bool:
        """Write these texts, in one piece, where the connection takes them without waiting; else write nothing."""
        is_open = self.handshake_complete and self.conn.state is State.OPEN and not self.close_sent
        if not is_open or not self.writable.is_set() or self.transport.is_closing():
            return False
        self.transport.write(b"".join([*self.conn.data_to_send(), *[text_frame(frame) for frame in frames]]))
        return True

    async def run_asgi(self) -> None:
        self.scope["state"]["hang_up"] = self.transport.abort
        self.scope["state"]["write_now"] = self.write_now
        await super().run_asgi()


def text_frame(text: bytes) -> bytes:
    """A whole text message as one frame of a server (RFC 6455, 5.2): final, not masked, without extensions."""
    size = len(text)
    if size < 126:
        return bytes((TEXT, size)) + text
    if size < 2**16:
        return bytes((TEXT, 126)) + size.to_bytes(2, "big") + text
    return bytes((TEXT, 127)) + size.to_bytes(8, "big") + text


def _door(limits: Limits, has_proxy: bool) -> Door:
    """The door with these limits. Behind a proxy all connections come from its one address."""
    most = limits.connections
    if has_proxy:
        return Door(most, most, most)
    return Door(limits.connections_per_address, limits.connections_per_network, most)


def _socket_protocol(limits: Limits) -> type[SocketProtocol]:
    """The WebSocket protocol with a limit of messages: ten times those after which the server says goodbye."""
    heard = limits.messages_at_once + limits.messages_per_second + limits.refusals_at_once

    class LimitedProtocol(SocketProtocol):
        most_messages = 10 * heard

    return LimitedProtocol


def make_config(
    app: Starlette, limits: Limits, *, has_proxy: bool, tls: ssl.SSLContext | None = None
) -> uvicorn.Config:
    """uvicorn's configuration. Its own log has warnings only: below that it would write addresses with their tickets.

    What a proxy says about the client is believed only where there is said to be one, and from this machine.
    """
    door = _door(limits, has_proxy)
    http: type[asyncio.Protocol] = door_protocol(door)
    if tls is not None:
        http = entrance_protocol(door, tls, http)
    return uvicorn.Config(
        app,
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=has_proxy,
        forwarded_allow_ips="127.0.0.1,::1",
        http=http,
        ws=_socket_protocol(limits),
        ws_max_size=WIRE_BYTES,
        ws_ping_interval=PING_S,
        ws_ping_timeout=PING_S,
        ws_per_message_deflate=False,
        backlog=BACKLOG,
        limit_concurrency=limits.connections + SPARE_CONNECTIONS,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=DRAIN_S,
        lifespan="on",
    )
