"""The application: operations as routes, the WebSocket, the clock, and answers for what is not there."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import cache
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from casinowar.house.house import RoleRequest
from casinowar.house.table.visibility import can_look
from casinowar.web.docs.doc_page import doc_page
from casinowar.web.docs.openapi import document
from casinowar.web.http.errors import WebError
from casinowar.web.http.headers import AnswerHeaders, BodyLength
from casinowar.web.http.operations import Operation, answer, check_pace, fault_response
from casinowar.web.routes import clauses, dealer, history, house, login, me, nights, odds, pit, replay, service, tables
from casinowar.web.routes import page as routes_page
from casinowar.web.server import Server
from casinowar.web.socket.connection import serve_socket

log = logging.getLogger(__name__)
access = logging.getLogger("casinowar.access")
LOOK_S = 0.5
"""How often the accounts are read for roles that were granted or revoked, and for logins that have ended."""

AFTER_FAULT_S = 1.0
OPERATIONS: tuple[Operation, ...] = (
    *routes_page.OPERATIONS,
    *service.OPERATIONS,
    *login.OPERATIONS,
    *me.OPERATIONS,
    *house.OPERATIONS,
    *clauses.OPERATIONS,
    *tables.OPERATIONS,
    *history.OPERATIONS,
    *dealer.OPERATIONS,
    *replay.OPERATIONS,
    *odds.OPERATIONS,
    *nights.OPERATIONS,
    *pit.OPERATIONS,
)


def make_app(server: Server) -> Starlette:
    """The application of one server. Its types are msgspec's, so its OpenAPI document is made from those."""

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        if server.peers is not None:
            await server.peers.start(app, server.peer_listener)
        clock = asyncio.create_task(Clock(server).run())
        yield
        clock.cancel()
        await asyncio.gather(clock, return_exceptions=True)
        await server.close()

    async def socket(websocket: WebSocket) -> None:
        await serve_socket(websocket, server)

    app = Starlette(
        routes=[*_routes(server), WebSocketRoute("/api/socket", socket)],
        middleware=[
            Middleware(AnswerHeaders, is_behind_tls=server.is_behind_tls, noted=_note),
            Middleware(BodyLength),
        ],
        exception_handlers={HTTPException: _astray},
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False
    openapi = document(OPERATIONS)
    app.state.server = server
    app.state.openapi_json = msgspec.json.encode(openapi)
    app.state.doc_page = cache(lambda: doc_page(openapi))
    return app


def _routes(server: Server) -> list[Route]:
    """One route for each path, with all operations that have it."""
    paths: dict[str, dict[Any, Operation]] = {}
    for operation in (*OPERATIONS, *routes_page.UNDOCUMENTED):
        paths.setdefault(operation.at, {})[operation.method] = operation
    return [Route(path, _endpoint(server, methods), methods=list(methods)) for path, methods in paths.items()]


def _endpoint(server: Server, methods: dict[Any, Operation]) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        return await answer(methods["GET" if request.method == "HEAD" else request.method], server, request)

    return endpoint


async def _astray(request: Request, error: Exception) -> Response:
    """The answer where there is no such address, or no such method."""
    assert isinstance(error, HTTPException)
    try:
        await check_pace(request.app.state.server, request)
    except WebError as refused:
        return fault_response(refused)
    is_method = error.status_code == 405
    page = None if is_method else routes_page.astray(request)
    response = page or fault_response(WebError("wrong_method" if is_method else "not_found"))
    if is_method and error.headers:
        response.headers.update(error.headers)
    return response


def _note(method: str, path: str, status: int, seconds: float) -> None:
    fields = {"method": method, "path": ascii(path)[1:-1], "status": status, "ms": round(seconds * 1000, 1)}
    access.info("request", extra=fields)


class Clock:
    """The clock: a task that does what is due at the tables, and takes in the operator's role requests.

    It never ends by an error: a table whose turn fails is tried again.
    """

    def __init__(self, server: Server) -> None:
        self._server = server
        self._woken = asyncio.Event()
        server.on_act = self._woken.set

    async def run(self) -> None:
        looked = -LOOK_S
        while not self._server.is_closing:
            now = asyncio.get_running_loop().time()
            try:
                if now - looked >= LOOK_S:
                    looked = now
                    self._look_around()
                self._woken.clear()
                due = self._server.house.advance()
                wait = LOOK_S - (now - looked) if due is None else min(due / 1000, LOOK_S - (now - looked))
            except Exception:
                self._server.metrics.faults.inc()
                log.exception("the clock stumbled")
                wait = AFTER_FAULT_S
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._woken.wait(), max(wait, 0.001))

    def _look_around(self) -> None:
        """Look. Where that fails, again and again too, what is due at the tables is done all the same."""
        try:
            self.look()
        except Exception:
            self._server.metrics.faults.inc()
            log.exception("the look around has failed")

    def look(self) -> None:
        """Take in new roles, and tell each socket whose login has ended or whose role was taken."""
        server = self._server
        if server.peers is not None:
            server.peers.look()
            if server.house.out_of_service is not None:
                return  # It ends, and asking the same database again would hold that up.
        requests = server.accounts.role_requests(after=server.house.last_request)
        if requests:
            server.house.import_roles(msgspec.convert(requests, list[RoleRequest], from_attributes=True))
        server.sweeper.look()
        if server.hub.outlets:
            server.accounts.sweep({outlet.login_key for outlet in server.hub.outlets})
            for outlet in list(server.hub.outlets):
                roles = server.roles(outlet.name)
                if not all(can_look(roles, viewer.role) for viewer in outlet.watched.values()):
                    outlet.end("not_allowed")
