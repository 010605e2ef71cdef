"""One WebSocket: it is let in with a ticket, watches tables, sends commands, and is sent what it may see."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Iterator

import msgspec
from starlette.responses import Response
from starlette.websockets import WebSocket, WebSocketDisconnect

from casinowar.web.http.admission import check_host, check_origin
from casinowar.web.http.errors import WebError, web_errors
from casinowar.web.http.throttle import address_key
from casinowar.web.server import Server
from casinowar.web.socket.frame_reader import FrameReader
from casinowar.web.socket.hub import Hub
from casinowar.web.socket.outlet import Outlet

log = logging.getLogger(__name__)
NORMAL, POLICY_VIOLATION, MISTAKE, TRY_AGAIN = 1000, 1008, 1011, 1013
CLOSING = {"draining": 1012, "slow_reader": TRY_AGAIN, "out_of_service": TRY_AGAIN, "internal": MISTAKE}
"""The WebSocket's own close codes for our goodbyes; the others are breaches of policy."""

CLOSING_S = 2.0
"""So long a client has to answer our close; then the connection is cut."""


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
    reader = FrameReader(server, outlet)
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
