"""Logins over HTTP: guests, registration, login, logout, and the ticket for the WebSocket."""

import asyncio
from collections.abc import Callable
from typing import Annotated, TypeVar

import msgspec
from starlette.responses import Response

from casinowar.web.accounts.accounts import Account
from casinowar.web.accounts.names import NAME
from casinowar.web.accounts.passwords import LEAST, MOST
from casinowar.web.http.admission import bearer_of, give_cookie, take_cookie, token_of
from casinowar.web.http.errors import WebError
from casinowar.web.http.operations import ANYONE, PLAYER, ApiRequest, Nothing, Reply, post
from casinowar.web.http.replies import check_allowed
from casinowar.web.server import Server

T = TypeVar("T")
CLIENT_HEADER = "x-casinowar-client"
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
Password = Annotated[str, msgspec.Meta(min_length=1, max_length=256)]
NEW_NAME = {"pattern": f"^{NAME.pattern}$"}
NEW_PASSWORD = {"minLength": LEAST, "maxLength": MOST}
"""Bounds that the document states; what breaks them is refused with words of their own."""


class Login(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Name
    password: Password

    def __repr__(self) -> str:
        return f"<{self.name}>"


class Registration(Login, frozen=True, forbid_unknown_fields=True):
    name: Annotated[str, msgspec.Meta(extra_json_schema=NEW_NAME)]
    password: Annotated[str, msgspec.Meta(extra_json_schema=NEW_PASSWORD)]


class Arrived(msgspec.Struct, frozen=True, omit_defaults=True):
    """Whose session it is. The token is for programs that ask for it with the header X-Casinowar-Client."""

    player: str
    is_guest: bool
    roles: tuple[str, ...]
    token: str | None = None

    def __repr__(self) -> str:
        return f"<{self.player}>"


class Ticket(msgspec.Struct, frozen=True):
    """Good once, for 30 seconds."""

    ticket: str

    def __repr__(self) -> str:
        return "<ticket>"


def guest(request: ApiRequest) -> Reply:
    """Log in as a guest. An open login goes on; its token is told only to a program that sent it, never to a page."""
    if request.caller is not None:
        is_known = bearer_of(request.http) is not None
        return _arrived(request, request.caller.account, request.caller.token, may_tell=is_known)
    _check_arrivals(request)
    return _begin(request, request.server.accounts.new_guest())


async def register(request: ApiRequest) -> Reply:
    _check_arrivals(request)
    accounts, body = request.server.accounts, request.body
    return _begin(request, await _hash(request.server, lambda: accounts.register(body.name, body.password)))


async def login(request: ApiRequest) -> Reply:
    _check_arrivals(request)
    accounts, body = request.server.accounts, request.body
    account = await _hash(request.server, lambda: accounts.check_password(body.name, body.password, request.address))
    if account is None:
        raise WebError("wrong_login")
    return _begin(request, account)


def logout(request: ApiRequest) -> Reply:
    """End the login: its tickets open nothing more, and its sockets are closed."""
    server, caller = request.server, request.known
    server.accounts.close_login(caller.token)
    return Reply(Nothing(), dress=lambda response: take_cookie(request.http, response, server.is_behind_tls))


def socket_ticket(request: ApiRequest) -> Ticket:
    """A ticket for a socket. It is refused here if all are in use: a browser is not told why a socket was refused."""
    if request.server.hub.count(name=request.known.name) >= request.server.limits.sockets_per_account:
        raise WebError("too_many_sockets")
    if request.server.is_full(request.known.name, request.address):
        raise WebError("house_full")
    return Ticket(request.server.tickets.issue(request.known.name, request.known.login_key))


async def _hash(server: Server, work: Callable[[], T]) -> T:
    """Do work that hashes a password in a thread of its own."""
    return await asyncio.get_running_loop().run_in_executor(server.hashing, work)


def _check_arrivals(request: ApiRequest) -> None:
    check_allowed(request.server.arrivals.allows(request.address))


def _begin(request: ApiRequest, account: Account) -> Reply:
    """Begin a login with a new token; the login that the request came with ends."""
    server = request.server
    old = token_of(request.http, server.is_behind_tls)
    token = server.accounts.open_login(account.name, instead_of=old)
    server.house.welcome(account.name)
    return _arrived(request, account, token)


def _arrived(request: ApiRequest, account: Account, token: str, *, may_tell: bool = True) -> Reply:
    """The reply to a login. A token that lives in a cookie is not in it, so that no script of a page can read it."""
    server = request.server
    wants_token = may_tell and request.http.headers.get(CLIENT_HEADER) == "1"
    roles = tuple(sorted(server.roles(account.name)))

    def dress(response: Response) -> None:
        if not wants_token:
            give_cookie(request.http, response, token, server.is_behind_tls)

    return Reply(Arrived(account.name, account.is_guest, roles, token if wants_token else None), dress=dress)


ARRIVED = {"player": "guest-4f2a91", "is_guest": True, "roles": []}
LOGIN = {"name": "ana", "password": "correct horse battery"}
OPERATIONS = (
    post(
        "/api/guest",
        "Play at once, with play money and no name to remember",
        ANYONE,
        guest,
        Arrived,
        body=Nothing,
        example_body={},
        example=ARRIVED,
    ),
    post(
        "/api/register",
        "Make an account, and begin a session",
        ANYONE,
        register,
        Arrived,
        body=Registration,
        faults=("name_taken", "name_refused", "password_refused"),
        example_body=LOGIN,
        example={"player": "ana", "is_guest": False, "roles": []},
    ),
    post(
        "/api/login",
        "Begin a session; the one that the request came with ends",
        ANYONE,
        login,
        Arrived,
        body=Login,
        faults=("wrong_login", "must_wait", "account_locked"),
        example_body=LOGIN,
        example={"player": "ana", "is_guest": False, "roles": ["dealer"]},
    ),
    post(
        "/api/logout",
        "End the session, and close its sockets",
        PLAYER,
        logout,
        Nothing,
        body=Nothing,
        example_body={},
        example={},
    ),
    post(
        "/api/socket-ticket",
        "A ticket for /api/socket?ticket=…, good once and for 30 seconds",
        PLAYER,
        socket_ticket,
        Ticket,
        body=Nothing,
        example_body={},
        example={"ticket": "pX0…"},
    ),
)
