"""The admission of a request: its host and origin are ours, and a cookie or a bearer token says whose login it is."""

import ipaddress
import socket
from collections.abc import Mapping

from starlette.requests import HTTPConnection
from starlette.responses import Response

from casinowar.web.http.errors import WebError

SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
COOKIE = "casinowar_session"
SECURE_COOKIE = "__Host-casinowar_session"
LONGEST_S = 30 * 24 * 3600
"""The browser drops the cookie when the server ends the login: 30 days after it began."""

LONGEST_TOKEN = 200


def check_host(headers: Mapping[str, str], is_behind_tls: bool) -> None:
    """Refuse a host that is none of ours: a foreign name may have been made to point here (DNS rebinding).

    Behind TLS the proxy knows the names.
    """
    if not is_behind_tls and not is_own_host(_without_port(headers.get("host", ""))):
        raise WebError("foreign_host")


def check_origin(headers: Mapping[str, str], is_behind_tls: bool) -> None:
    """Refuse a page of another origin; `null` is one. Programs send no origin, and browsers always do."""
    origin = headers.get("origin")
    if origin is None:
        return
    scheme = "https" if is_behind_tls else "http"
    if origin.lower() != f"{scheme}://{headers.get('host', '').lower()}":
        raise WebError("foreign_origin")


def is_own_host(host: str) -> bool:
    """Whether a host is ours: an address, localhost, or the machine's own name."""
    name = socket.gethostname().lower()
    if host.lower() in ("localhost", name, name.partition(".")[0], f"{name.partition('.')[0]}.local"):
        return True
    try:
        ipaddress.ip_address(host[1:-1] if host[:1] + host[-1:] == "[]" else host)
    except ValueError:
        return False
    return True


def _without_port(host: str) -> str:
    """The host without its port. Behind an address in brackets only a port may follow."""
    inside, bracket, rest = host.partition("]")
    if host.startswith("["):
        return inside + bracket if not rest or rest.startswith(":") else host
    return host.partition(":")[0]


def cookie_name(connection: HTTPConnection, is_behind_tls: bool) -> str:
    """The name of the cookie. A browser takes a `__Host-` cookie only with Secure, from this very host, over TLS.

    Without it a browser sends a cookie to every port of the host, so that each house there has a name of its own.
    """
    if is_behind_tls:
        return SECURE_COOKIE
    _, port = connection.scope.get("server") or ("", None)
    return f"{COOKIE}_{port}"


def bearer_of(connection: HTTPConnection) -> str | None:
    """The token that a program holds and sends itself."""
    scheme, _, given = connection.headers.get("authorization", "").partition(" ")
    return given.strip() if scheme.lower() == "bearer" else None


def token_of(connection: HTTPConnection, is_behind_tls: bool) -> str | None:
    """The login token of a request: a program's bearer token goes before a cookie."""
    bearer = bearer_of(connection)
    token = connection.cookies.get(cookie_name(connection, is_behind_tls)) if bearer is None else bearer
    return token if token and len(token) <= LONGEST_TOKEN else None


def give_cookie(connection: HTTPConnection, response: Response, token: str, is_behind_tls: bool) -> None:
    response.set_cookie(
        cookie_name(connection, is_behind_tls),
        token,
        max_age=LONGEST_S,
        path="/",
        secure=is_behind_tls,
        httponly=True,
        samesite="strict",
    )


def take_cookie(connection: HTTPConnection, response: Response, is_behind_tls: bool) -> None:
    name = cookie_name(connection, is_behind_tls)
    response.delete_cookie(name, path="/", secure=is_behind_tls, httponly=True, samesite="strict")
