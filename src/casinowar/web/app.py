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

from casinowar.web.clock import Clock
from casinowar.web.docs.doc_page import doc_page
from casinowar.web.docs.openapi import document
from casinowar.web.http.errors import WebError
from casinowar.web.http.headers import AnswerHeaders, BodyLength
from casinowar.web.http.operations import Operation, answer, check_pace, fault_response
from casinowar.web.routes import clauses, dealer, history, house, login, me, odds, pit, replay, service, tables
from casinowar.web.routes import page as routes_page
from casinowar.web.server import Server
from casinowar.web.socket.connection import serve_socket

access = logging.getLogger("casinowar.access")
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
    *pit.OPERATIONS,
)


def make_app(server: Server) -> Starlette:
    """The application of one server. Its types are msgspec's, so its OpenAPI document is made from those."""

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
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
    access.info("%s %s %d %.1f ms", method, ascii(path)[1:-1], status, seconds * 1000)
