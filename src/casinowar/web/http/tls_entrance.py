"""The entrance over TLS: a connection is counted at the door before its handshake, which may not last long."""

import asyncio
import logging
import ssl
import types
from collections.abc import Awaitable, Coroutine, Generator
from functools import partial
from typing import Any

from casinowar.web.http.door import Door
from casinowar.web.http.throttle import address_key

HANDSHAKE_S = 10.0
"""So long a handshake may take."""

GOODBYE_S = 2.0
"""So long a client may take to end TLS in order."""

PIECE = 4_096
log = logging.getLogger(__name__)


class _Early(asyncio.Protocol):
    """What comes in the same piece as the end of a handshake, before anybody listens."""

    def __init__(self) -> None:
        self.came = bytearray()
        self.has_ended = self.is_lost = False

    def data_received(self, data: bytes) -> None:
        self.came += data

    def eof_received(self) -> None:
        self.has_ended = True

    def connection_lost(self, exc: Exception | None) -> None:
        self.is_lost = True


@types.coroutine
def _rest_of(begun: Coroutine[Any, Any, Any], waits_for: Any) -> Generator[Any, Any, Any]:
    """The rest of a coroutine whose first step has been made, and which waits for something since."""
    while True:
        try:
            yield waits_for
        except BaseException as error:
            step = partial(begun.throw, error)
        else:
            step = partial(begun.send, None)
        try:
            waits_for = step()
        except StopIteration as end:
            return end.value


def _feed(protocol: Any, data: bytes) -> None:
    """Give data to a protocol that has a buffer of its own, as the loop does."""
    for at in range(0, len(data), PIECE):
        piece = data[at : at + PIECE]
        protocol.get_buffer(len(piece))[: len(piece)] = piece
        protocol.buffer_updated(len(piece))


def entrance_protocol(door: Door, context: ssl.SSLContext, inner: type[asyncio.Protocol]) -> type[asyncio.Protocol]:
    """The class of the protocol that speaks TLS, and then gives the connection to the inner one.

    The loop's own TLS would tell of a connection only behind its handshake: strangers could hold any number of them.
    """

    class TlsEntrance(asyncio.Protocol):
        address = ""
        is_idle = True

        def __init__(self, **options: Any) -> None:
            self._inner: Any = inner(**options)
            self._loop = asyncio.get_running_loop()
            self._task: asyncio.Task[None] | None = None
            self._hello = bytearray()
            self._early = _Early()

        def connection_made(self, transport: Any) -> None:
            self._transport = transport
            peer = transport.get_extra_info("peername")
            self.address = address_key(peer[0] if peer else "")
            if door.lets_in(self):
                self._loop.call_soon(self._begin)  # Only then does the loop read, and can be told to pause.
            else:
                self._transport.abort()

        def data_received(self, data: bytes) -> None:
            """Keep what comes before TLS has begun."""
            self._hello += data

        def _begin(self) -> None:
            """Begin the handshake at once, so that what has come goes into it before anything else is read."""
            if self._transport.is_closing():
                return
            handshake = self._loop.start_tls(
                self._transport,
                self._early,
                context,
                server_side=True,
                ssl_handshake_timeout=HANDSHAKE_S,
                ssl_shutdown_timeout=GOODBYE_S,
            )
            waits_for = handshake.send(None)
            if self._hello:
                self._loop.call_soon(_feed, self._transport.get_protocol(), bytes(self._hello))
            self._task = self._loop.create_task(self._shake_hands(_rest_of(handshake, waits_for)))

        async def _shake_hands(self, handshake: Awaitable[Any]) -> None:
            """Give the line to the inner protocol, with what came behind the handshake."""
            try:
                secured = await handshake
            except (OSError, ssl.SSLError) as error:
                log.debug("a handshake failed", extra={"error": type(error).__name__})
                self._transport.abort()
                return
            finally:
                door.leave(self)
            if secured is None or self._early.is_lost:
                return
            secured.set_protocol(self._inner)
            self._inner.connection_made(secured)
            if self._early.came and not secured.is_closing():
                self._inner.data_received(bytes(self._early.came))
            if self._early.has_ended and not secured.is_closing():
                self._inner.eof_received()

        def connection_lost(self, exc: Exception | None) -> None:
            door.leave(self)
            if self._task is not None and not self._task.done():
                self._task.cancel()

        def turn_out(self) -> None:
            self._transport.abort()

    return TlsEntrance
