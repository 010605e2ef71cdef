"""The login's cookie, and the token that a program sends instead of it."""

from starlette.requests import HTTPConnection
from starlette.responses import Response

COOKIE = "casinowar_session"
SECURE_COOKIE = "__Host-casinowar_session"
LONGEST_S = 30 * 24 * 3600
"""The browser drops the cookie when the server ends the login: 30 days after it began."""

LONGEST_TOKEN = 200


def cookie_name(connection: HTTPConnection, is_behind_tls: bool) -> str:
    """A browser takes a `__Host-` cookie only with Secure, from this very host, over TLS.

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
