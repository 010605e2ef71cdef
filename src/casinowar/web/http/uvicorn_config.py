"""uvicorn set up for this server: its limits, quiet logs that hold no ticket, and a line that can be cut at once."""

import asyncio
from collections.abc import Callable

import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from casinowar.web.http.door import Door, door_protocol
from casinowar.web.http.limits import Limits

WIRE_BYTES = 64 * 1024
"""A longer message ends the connection while it is still being read; one below it may be refused with a word."""

BUFFER_BYTES = 64 * 1024
"""What may lie unsent in the process for one connection, before its queue is used."""

MOST_FRAMES = 20
"""Pings, pongs and parts of messages within one second: whoever sends more has nothing to say."""

SLICE_BYTES = 1024
"""So much of what came is read before it is looked at whether that was too much: reading small frames is dear."""

BACKLOG = 64
"""So many new connections are taken before anybody else has a turn again."""

PING_S = 20.0
SPARE_CONNECTIONS = 200
"""So far uvicorn's own limit is from ours, so that a full house makes room instead of sending people away."""

DRAIN_S = 3


def unless_flooded(act: Callable[..., None]) -> Callable[..., None]:
    """What is done about a frame, as long as there are not too many."""

    def done(self: "SocketProtocol", *event: Frame) -> None:
        if not self._is_flooded():
            act(self, *event)

    return done


def unless_shouted(act: Callable[..., None]) -> Callable[..., None]:
    """What is done about a message, as long as they do not come faster than anybody could be told so."""

    def done(self: "SocketProtocol", *event: Frame) -> None:
        if not self._is_shouted_down():
            act(self, *event)

    return done


class SocketProtocol(WebSocketsSansIOProtocol):
    """`state["hang_up"]` cuts the line without waiting for a reader who does not read.

    What never becomes a message is counted here. Messages are counted where they are taken, with a word for who sends
    too many; here only those that come faster than anybody could be told so: `most_messages` in a second.
    """

    most_messages = 1_000
    _second = 0
    _frames = 0
    _messages = 0
    handle_ping = unless_flooded(WebSocketsSansIOProtocol.handle_ping)
    handle_pong = unless_flooded(WebSocketsSansIOProtocol.handle_pong)
    handle_cont = unless_flooded(WebSocketsSansIOProtocol.handle_cont)
    handle_text = unless_shouted(WebSocketsSansIOProtocol.handle_text)
    handle_bytes = unless_shouted(WebSocketsSansIOProtocol.handle_bytes)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.transport.set_write_buffer_limits(high=BUFFER_BYTES)

    def data_received(self, data: bytes) -> None:
        for at in range(0, len(data), SLICE_BYTES):
            if self.transport.is_closing():
                return
            super().data_received(data[at : at + SLICE_BYTES])

    def _is_flooded(self) -> bool:
        self._begin_second()
        self._frames += 1
        return self._is_cut(self._frames > MOST_FRAMES)

    def _is_shouted_down(self) -> bool:
        self._begin_second()
        self._messages += 1
        return self._is_cut(self._messages > self.most_messages)

    def _begin_second(self) -> None:
        second = int(self.loop.time())
        if second != self._second:
            self._second, self._frames, self._messages = second, 0, 0

    def _is_cut(self, is_too_much: bool) -> bool:
        if is_too_much:
            self.transport.abort()
        return is_too_much

    async def run_asgi(self) -> None:
        self.scope["state"]["hang_up"] = self.transport.abort
        await super().run_asgi()


def _door(limits: Limits, is_behind_tls: bool) -> Door:
    """Behind a proxy all connections come from its one address."""
    most = limits.connections
    if is_behind_tls:
        return Door(most, most, most)
    return Door(limits.connections_per_address, limits.connections_per_network, most)


def _socket_protocol(limits: Limits) -> type[SocketProtocol]:
    """Ten times as many messages in a second as somebody can send before the server hangs up with a word."""
    heard = limits.messages_at_once + limits.messages_per_second + limits.refusals_at_once

    class LimitedProtocol(SocketProtocol):
        most_messages = 10 * heard

    return LimitedProtocol


def configured(app: Starlette, limits: Limits, *, is_behind_tls: bool) -> uvicorn.Config:
    """Its own log is for warnings: at the level below it would write addresses with their tickets.

    What a proxy says about the client is believed only where there is said to be one, and from this machine.
    """
    return uvicorn.Config(
        app,
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=is_behind_tls,
        forwarded_allow_ips="127.0.0.1,::1",
        http=door_protocol(_door(limits, is_behind_tls)),
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
