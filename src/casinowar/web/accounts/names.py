"""The names of accounts: plain ASCII, so that no two that look alike are different."""

import re
import secrets
from collections.abc import Iterable
from functools import cache

import msgspec

from casinowar.engine.roles import GRANTED
from casinowar.rulebooks import load_rulebook, sound_books
from casinowar.web.accounts.refusals import NameRefused

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{1,23}")
ROLES = ("player", "watcher", *GRANTED)
HOUSES_OWN = (
    *("house", "server", "system", "admin", "administrator", "root", "staff", "casino", "casinowar", "support"),
    *("the-house", "moderator", "croupier", "pit-boss", "bank", "banker", "floor", "the-floor", "bot"),
)
BEGINNINGS = ("guest-", "bot-")
"""The beginnings of names of guests, and of the players that the house runs."""

ALIKE = str.maketrans({"0": "o", "1": "l", "i": "l", "3": "e", "4": "a", "5": "s", "7": "t", "_": "-"})


def check_name(name: str, tables: Iterable[str] = ()) -> None:
    """Refuse what a new account with a password cannot be called; an account that is there keeps its name.

    Nobody may pass for the house, a role, a book or a table, not even to an eye that reads a name in haste.
    """
    if not NAME.fullmatch(name):
        raise NameRefused("a name has 2 to 24 letters a-z, digits, _ or -, and begins with a letter")
    taken = {_alike(one) for one in (*HOUSES_OWN, *ROLES, *sound_books(), *titles(sound_books()), *tables)}
    if _alike(name) in taken or _eased(name).startswith(tuple(map(_eased, BEGINNINGS))):
        raise NameRefused("this name is reserved: take another")


@cache
def titles(books: tuple[str, ...]) -> tuple[str, ...]:
    """What the books call the roles of staff: `Table-Inspector`."""
    roles = (load_rulebook(book).roles for book in books)
    return tuple({str(name).replace(" ", "-") for one in roles for name in msgspec.structs.astuple(one)})


def _eased(name: str) -> str:
    return name.lower().translate(ALIKE)


def _alike(name: str) -> str:
    """A form of the name that is the same for names which look alike: capitals, dashes, digits like letters."""
    return _eased(name).replace("-", "")


def can_be_name(name: str) -> bool:
    """Whether an account can have the name, also one from before there were rules for new names."""
    return name.isascii() and name.isprintable()


def tried_key(name: str) -> str:
    """The key under which failures of a name are counted: a text that every database can hold."""
    return name[:25].lower() if can_be_name(name) else ascii(name[:25])


def guest_name() -> str:
    """A name for a guest, such as `guest-4f2a91`; it may be taken."""
    return f"guest-{secrets.token_hex(3)}"


def is_guest_name(name: str) -> bool:
    return name.lower().startswith("guest-")
