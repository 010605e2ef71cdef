"""An operation of the HTTP API as data, and the one way in which a request becomes a call of it.

Who may, what it takes and gives, and how it can fail stand in one value, from which the routes, the OpenAPI document
and the tests of roles are made.
"""

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Literal, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from casinowar.house.house import Who
from casinowar.house.shared_tables import Elsewhere
from casinowar.web.http.admission import SAFE_METHODS, check_host, check_origin, token_of
from casinowar.web.http.errors import WebError, safe_words, web_errors
from casinowar.web.http.limits import is_too_deep, read_body
from casinowar.web.http.throttle import address_key
from casinowar.web.peers.messages import MOVED, PASSED_ON, TABLES
from casinowar.web.server import Caller, Server

log = logging.getLogger(__name__)
Role = Literal["anyone", "player", "dealer", "supervisor", "manager", "operator", "auditor"]
"""`anyone` needs no login; `player` is every login, a guest's too; the others are granted."""

REFUSED_S = 0.25
"""Who sends requests too fast waits so many seconds for the refusal: a flood must cost its sender the most."""

JSON = "application/json"
T = TypeVar("T")


class Nothing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An empty object."""


class ApiRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A request to the API that was let in and parsed; `http` is Starlette's own request."""

    server: Server
    http: Request
    caller: Caller | None
    path: Any = Nothing()
    query: Any = Nothing()
    body: Any = Nothing()

    @property
    def known(self) -> Caller:
        """The caller of an operation that is not for anyone."""
        assert self.caller is not None
        return self.caller

    @property
    def who(self) -> Who:
        """The caller as the house knows them, with the roles of this moment."""
        return self.server.who(self.known.name)

    @property
    def address(self) -> str:
        return address_key(self.http.client.host if self.http.client else "")

    async def read(self, work: Callable[[], T]) -> T:
        """Do work that grows with the log in the thread beside the one that deals."""
        return await self.server.log_reader.read(self.address, work)


class Reply(msgspec.Struct, frozen=True):
    """An answer that is more than its JSON: another status, other headers, a cookie, another kind of content."""

    content: Any
    status: int = 200
    media: str = JSON
    headers: dict[str, str] = {}
    dress: Callable[[Response], None] | None = None


Run = Callable[[ApiRequest], Any | Awaitable[Any]]
Join = Callable[[ApiRequest, Any, list[Any], list[str]], Any]
"""Joins an answer with those of the other servers of a house, which come as plain values.

Last come the open tables for which nobody has answered: whose server hangs, or which nobody decides just now.
"""


class Operation(msgspec.Struct, frozen=True):
    """One method at one address. `examples` are a body and an answer as the documentation shows them.

    `most_bytes` is how long a body may be where that is more than the server takes otherwise. `join` is there where
    each server of a house answers for its own tables.
    """

    method: Literal["GET", "POST", "PUT"]
    at: str
    says: str
    roles: tuple[Role, ...]
    run: Run
    gives: Any
    path: type[msgspec.Struct] = Nothing
    query: type[msgspec.Struct] = Nothing
    body: type[msgspec.Struct] | None = None
    faults: tuple[str, ...] = ()
    most_bytes: int = 0
    is_refusable: bool = False
    join: Join | None = None
    media: tuple[str, ...] = (JSON,)
    example_body: Any = None
    example: Any = None

    @property
    def is_public(self) -> bool:
        return "anyone" in self.roles


BODY = "casinowar.body"
"""The body of a request as it came, for whoever answers it in the end."""

SHOWING = ("/api/tables", "/api/me", "/api/pit", "/api/players")
"""Where tables and purses are shown: not while they may be ahead of what is on the disk."""

ANYONE: tuple[Role, ...] = ("anyone",)
PLAYER: tuple[Role, ...] = ("player",)
get, post, put = partial(Operation, "GET"), partial(Operation, "POST"), partial(Operation, "PUT")
"""Declare an operation: address, what it does, who may, the function, and the type of its answer."""


async def answer(operation: Operation, server: Server, request: Request) -> Response:
    """The answer of an operation to a request: check, parse, call, encode. Every failure is a fault with a code.

    What sockets have done is brought to the disk first, so that no answer tells of anything that is not there.
    """
    try:
        with web_errors(server.house.fail):
            try:
                return await _answer(operation, server, request)
            except Elsewhere as elsewhere:
                return await _answer_elsewhere(operation, server, request, elsewhere.table)
    except WebError as refused:
        server.metrics.refusals.labels(refused.fault.code).inc()
        return fault_response(refused)
    except Exception:
        server.metrics.faults.inc()
        log.exception("an operation failed", extra={"method": operation.method, "path": operation.at})
        return fault_response(WebError("internal"))


async def _answer(operation: Operation, server: Server, request: Request) -> Response:
    parsed = await _parse_request(operation, server, request)
    if isinstance(table := request.path_params.get("table"), str):
        server.check_here(table)
    check_told = server.check_certain if operation.at.startswith(SHOWING) else server.settle
    check_told()

    async def answer_here() -> Any:
        result = operation.run(parsed)
        return await result if inspect.isawaitable(result) else result

    if operation.join is None or server.peers is None:
        result = await answer_here()
    elif is_passed_on(request):
        tables = list(server.house.tables)
        response = response_of(await answer_here())
        response.raw_headers.append((TABLES, msgspec.json.encode(tables)))
        check_told()
        return response
    else:
        own, told, missing = await server.peers.join_all(request, answer_here)
        others = [msgspec.json.decode(one) for one in told]
        result = operation.join(parsed, msgspec.to_builtins(own), others, missing)
    check_told()
    return response_of(result)


async def _answer_elsewhere(operation: Operation, server: Server, request: Request, table: str) -> Response:
    """The answer of the server that decides the table. It may have come here meanwhile."""
    if is_passed_on(request) or server.peers is None:
        return Response(status_code=MOVED)
    found = await server.peers.call(request, table, request.scope.get(BODY, b""))
    return found if found is not None else await answer(operation, server, request)


def is_passed_on(request: Request) -> bool:
    """Whether another server of the house has let the request in."""
    return PASSED_ON in request.scope


def response_of(result: Any) -> Response:
    reply = result if isinstance(result, Reply) else Reply(result)
    content = reply.content if isinstance(reply.content, str | bytes) else msgspec.json.encode(reply.content)
    response = Response(content, reply.status, reply.headers, reply.media)
    if reply.dress:
        reply.dress(response)
    return response


def fault_response(refused: WebError) -> Response:
    response = Response(msgspec.json.encode(refused.fault), refused.status, media_type=JSON)
    if refused.retry_after is not None:
        response.headers["retry-after"] = str(refused.retry_after)
    if refused.status == 401:
        response.headers["www-authenticate"] = "Bearer"
    return response


async def _parse_request(operation: Operation, server: Server, request: Request) -> ApiRequest:
    if not is_passed_on(request) and BODY not in request.scope:
        await check_pace(server, request)
        check_host(request.headers, server.is_behind_tls)
        if request.method not in SAFE_METHODS:
            check_origin(request.headers, server.is_behind_tls)
    if request.method not in SAFE_METHODS:
        check_service(server)
    caller = server.caller(token_of(request, server.is_behind_tls))
    _check_role(operation, server, caller)
    return ApiRequest(
        server=server,
        http=request,
        caller=caller,
        path=_convert(request.path_params, operation.path),
        query=_convert(_query(request, operation.query), operation.query),
        body=await _body(operation, server, request),
    )


async def check_pace(server: Server, request: Request) -> None:
    """Refuse an address that sends requests too fast. Each counts, also one that is not found or not allowed."""
    address = address_key(request.client.host if request.client else "")
    if not server.requests.allows(address):
        await asyncio.sleep(REFUSED_S)
        raise WebError("too_fast", retry_after=1)


def check_service(server: Server) -> None:
    """Refuse what changes anything while the server stops or its store has failed."""
    if server.is_closing:
        raise WebError("draining")
    if server.house.out_of_service is not None:
        raise WebError("out_of_service")


def _check_role(operation: Operation, server: Server, caller: Caller | None) -> None:
    if operation.is_public:
        return
    if caller is None:
        raise WebError("not_logged_in")
    if "player" not in operation.roles and not set(operation.roles) & server.roles(caller.name):
        raise WebError("not_allowed")


def _query(request: Request, kind: type[msgspec.Struct]) -> dict[str, Any]:
    """The query of a request. Each parameter comes once, unless it is a list."""
    lists = {field.name for field in msgspec.structs.fields(kind) if isinstance(field.default, tuple)}
    pairs = request.query_params.multi_items()
    query: dict[str, Any] = {}
    for name, value in pairs:
        if name in lists:
            query.setdefault(name, []).append(value)
        elif name in query:
            raise WebError("invalid", "a query parameter is there twice")
        else:
            query[name] = value
    return query


def _convert(values: dict[str, Any], kind: type[T]) -> T:
    try:
        return msgspec.convert(values, kind, strict=False)
    except msgspec.ValidationError as error:
        raise WebError("invalid", safe_words(error, kind, is_address=True)) from None


async def _body(operation: Operation, server: Server, request: Request) -> Any:
    """The JSON body, parsed by its type. No other kind of content is taken: a foreign page's form would be one."""
    if operation.body is None:
        return Nothing()
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != JSON:
        raise WebError("not_json")
    if BODY not in request.scope:
        most = max(server.limits.body_bytes, operation.most_bytes)
        request.scope[BODY] = await read_body(request, most)
    content: bytes = request.scope[BODY]
    return parse(content or b"{}", operation.body, server.limits.depth)


def parse(content: bytes, kind: Any, depth: int) -> Any:
    if is_too_deep(content, depth):
        raise WebError("malformed")
    try:
        return msgspec.json.decode(content, type=kind)
    except msgspec.ValidationError as error:
        raise WebError("invalid", safe_words(error, kind)) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise WebError("malformed") from None
