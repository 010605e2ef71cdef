"""The error codes of the web server: one table, each code with its HTTP status and what it says to people.

What the rules refuse at a table has codes of its own, which come from the table and go on as they are.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from casinowar.errors import CasinoWarError
from casinowar.store import StoreFailed, StoreInUse, ValueRefused
from casinowar.web.accounts.refusals import AccountRefused

CODES: dict[str, tuple[int, str]] = {
    "malformed": (400, "this is no JSON, or it is nested too deeply"),
    "not_logged_in": (401, "begin with POST /api/guest or POST /api/login"),
    "wrong_login": (401, "name and password do not belong together"),
    "wrong_ticket": (401, "the ticket was used, is too old, or was never given out: ask for another"),
    "not_allowed": (403, "this is for other roles"),
    "account_locked": (403, "this account is locked"),
    "foreign_origin": (403, "the request comes from a page of another site"),
    "foreign_host": (403, "this server does not go by that name"),
    "not_found": (404, "there is nothing at this address"),
    "no_such_table": (404, "there is no table of this name"),
    "no_such_round": (404, "this table has not played that round, or not to its end"),
    "no_such_shoe": (404, "this table has had no shoe of that number"),
    "no_such_player": (404, "nobody has this name"),
    "no_such_rulebook": (404, "there is no rulebook of this id"),
    "no_such_clause": (404, "there is no clause of this id"),
    "no_such_run": (404, "there is no such run of nights: it was stopped, or nobody has looked at it for a while"),
    "no_checkpoint": (404, "no checkpoint has been made yet"),
    "wrong_method": (405, "this address does not take that method"),
    "too_slow": (408, "the body has not come, or not in time"),
    "name_taken": (409, "this name is taken: take another"),
    "setting_refused": (409, "the rules cannot be set so"),
    "record_refused": (409, "this is no round record that can be replayed here"),
    "not_playable": (409, "the round cannot be played under that book"),
    "too_large": (413, "this is larger than the server takes"),
    "not_json": (415, "send a JSON body with the content type application/json"),
    "invalid": (422, "this is not what the documentation asks for"),
    "name_refused": (422, "this cannot be a name"),
    "password_refused": (422, "this cannot be a password"),
    "too_fast": (429, "too many messages: wait a little"),
    "too_many_sockets": (429, "too many pages of this house are open: close another of them, and this one goes on"),
    "must_wait": (429, "too many failed logins: wait a little"),
    "nights_running": (429, "nights are being played for this address: stop them, or wait a little"),
    "nights_busy": (429, "many others are having nights played: try again in a little while"),
    "internal": (500, "the server has made a mistake, and has noted it"),
    "too_long": (503, "this takes too long to work out here: use the command line"),
    "no_simulation": (503, "this server plays no nights: it was installed without the extra sim"),
    "house_full": (503, "the house is full: come back in a while; whoever has an account is let in first"),
    "busy": (503, "the database was away for a moment, or another program holds it: try again"),
    "out_of_service": (503, "the server takes nothing at present"),
    "draining": (503, "the server is being stopped: come back in a moment"),
    "two_lengths": (400, "a body has one length: send Content-Length or Transfer-Encoding, not both"),
    "not_text": (400, "frames are JSON in text messages"),
    "slow_reader": (429, "the connection does not take what it is sent"),
    "too_many_refused": (429, "too much of what came over this connection was refused"),
    "logged_out": (401, "the session has ended"),
}
"""Code to HTTP status and words; over the WebSocket the status stays unsaid."""

REFUSED_STATUS = 409
"""What a table refuses, unless the code stands above with another status."""


SHOWN = 40
"""So much of the name of an unknown field is told."""

UNKNOWN = re.compile(r"Object contains unknown field `(.*)`( - at `[^`]*`)?", re.DOTALL)
MATCHING = "Expected `str` matching regex '"
FORMS = {
    "^[A-Za-z0-9._:-]": "expected letters, digits, points, dashes, underscores and colons alone",
    "^[A-Za-z0-9": "expected letters, digits, points, dashes and underscores alone",
    "^[0-9a-f]{4}-": "expected two times four hexadecimal digits, as in 12ab-34cd",
    "^[0-9a-f]{64}": "expected 64 hexadecimal digits in lower case",
    "^([0-9a-f]{2}){16,64}": "expected 32 to 128 hexadecimal digits in lower case",
}
"""What is told of a text by the beginning of the pattern that it does not match."""


class Fault(msgspec.Struct, frozen=True):
    """Every error that the HTTP API answers: a stable code, a line for people, the rules behind it.

    `request` is what another member of staff can countersign, where that would help.
    """

    code: str
    says: str
    clauses: tuple[str, ...] = ()
    request: str | None = None


class WebError(CasinoWarError):
    """A request that cannot be done. Its message repeats nothing of the body that was sent."""

    def __init__(
        self, code: str, says: str | None = None, clauses: tuple[str, ...] = (), retry_after: int | None = None
    ) -> None:
        self.status, usual = CODES[code]
        self.fault = Fault(code, usual if says is None else says, clauses)
        self.retry_after = retry_after
        super().__init__(self.fault.says)


@contextmanager
def web_errors(fail: Callable[[StoreFailed], None]) -> Iterator[None]:
    """Raise what accounts and store refuse as a WebError; `fail` is told where the store has failed."""
    try:
        yield
    except AccountRefused as refused:
        raise WebError(refused.code, str(refused), retry_after=refused.seconds or None) from None
    except ValueRefused:
        raise WebError("invalid") from None
    except StoreInUse:
        raise WebError("busy", retry_after=1) from None
    except StoreFailed as error:
        fail(error)
        raise WebError("out_of_service") from None


def status_of(code: str) -> int:
    """The HTTP status for a code, also for one of the table's own."""
    return CODES.get(code, (REFUSED_STATUS, ""))[0]


def safe_words(error: msgspec.ValidationError, kind: Any = None, *, is_address: bool = False) -> str:
    """The place and what was expected, without the value that came: it may have been a password.

    Of an unknown field those are told that the `kind` has, and its own name where it stood in the address alone.
    """
    if unknown := UNKNOWN.fullmatch(str(error)):
        name = f" {_shown(unknown[1])}" if is_address else ""
        return f"an unknown field{name}{unknown[2] or _known(kind)}"
    words, at, where = str(error).rpartition(" - at ")
    words = words or where
    if words.startswith(("Invalid value", "Invalid enum value")):
        words = "a value that is not known"
    elif words.startswith(MATCHING):
        form = words.removeprefix(MATCHING)
        words = next((told for begin, told in FORMS.items() if form.startswith(begin)), "expected another form of text")
    return f"{words}{at}{where}" if at else words


def _shown(name: str) -> str:
    """A name that somebody sent, short and in one line."""
    text = name if len(name) <= SHOWN else f"{name[:SHOWN]}..."
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in text)


def _known(kind: Any) -> str:
    if not (isinstance(kind, type) and issubclass(kind, msgspec.Struct)):
        return ""
    names = [field.encode_name for field in msgspec.structs.fields(kind)]
    return f": there {'is' if len(names) == 1 else 'are'} {', '.join(names)}" if names else ": there are none"
