"""uvicorn set up for this server: its limits, quiet logs that hold no ticket, and a line that can be cut at once."""

import asyncio
from collections.abc import Callable

import uvicorn
from fastapi import FastAPI
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


class SocketProtocol(WebSocketsSansIOProtocol):
    """`state["hang_up"]` cuts the line without waiting for a reader who does not read.

    Whole messages are counted where they are read; what never comes so far is counted here.
    """

    _second = 0
    _frames = 0
    handle_ping = unless_flooded(WebSocketsSansIOProtocol.handle_ping)
    handle_pong = unless_flooded(WebSocketsSansIOProtocol.handle_pong)
    handle_cont = unless_flooded(WebSocketsSansIOProtocol.handle_cont)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.transport.set_write_buffer_limits(high=BUFFER_BYTES)

    def _is_flooded(self) -> bool:
        second = int(self.loop.time())
        if second != self._second:
            self._second, self._frames = second, 0
        self._frames += 1
        if self._frames > MOST_FRAMES:
            self.transport.abort()
        return self._frames > MOST_FRAMES

    async def run_asgi(self) -> None:
        self.scope["state"]["hang_up"] = self.transport.abort
        await super().run_asgi()


def _door(limits: Limits, is_behind_tls: bool) -> Door:
    """Behind a proxy all connections come from its one address."""
    most = limits.connections
    if is_behind_tls:
        return Door(most, most, most)
    return Door(limits.connections_per_address, limits.connections_per_network, most)


def configured(app: FastAPI, limits: Limits, *, is_behind_tls: bool) -> uvicorn.Config:
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
        ws=SocketProtocol,
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
