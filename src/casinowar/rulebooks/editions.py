"""The books of this package in all their editions: `ca` is the current one, `ca@1` the first one as it was.

A book's edition goes up when its default readings change. The edition before then moves to `data/editions` and is never
edited again; `changes` in the new one gives the reason for a leaf that no ambiguity explains.
"""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from casinowar.errors import CasinoWarError

BOOKS = ("nz", "wa", "ctg", "ca", "ma")
EDITIONED = re.compile(rf"({'|'.join(BOOKS)})(?:@([^./\\]*))?", re.IGNORECASE)
FIRST = 1
"""The edition of what names none and was stored before there were editions."""


class RulebookError(CasinoWarError, ValueError):
    """A rulebook, or an option set on it, says something that cannot be played."""


def is_book(name: str) -> bool:
    """Whether this names a book of the package, with an edition or without, however it is capitalised."""
    return EDITIONED.fullmatch(name) is not None


def book_id(name: str) -> str:
    """The name of a book of the package as it is written here; any other name as it stands."""
    return name.lower() if is_book(name) else name


def without_edition(name: str) -> str:
    """The name without an edition: `ca` of `ca@1`; any other name as it stands."""
    return book_id(name).partition("@")[0] if is_book(name) else name


def editions_of(book: str) -> tuple[int, ...]:
    """Every edition of a book of the package; the last one is the current."""
    return tuple(range(FIRST, _read(f"{book}.toml")["edition"] + 1))


def edition_name(book: str, edition: int) -> str:
    """How people name the edition: `ca` for the current one, `ca@1` for an earlier one."""
    return book if book not in BOOKS or edition == editions_of(book)[-1] else f"{book}@{edition}"


def is_known(name: str) -> bool:
    """Whether the package has this book, in the edition that is named, written as here."""
    book, at, number = name.partition("@")
    return book in BOOKS and (not at or number in map(str, editions_of(book)))


def read_edition(name: str) -> dict[str, Any]:
    """The data of a book of the package, in the edition that the name has, or in the current one."""
    book, _, number = book_id(name).partition("@")
    *earlier, current = (str(edition) for edition in editions_of(book))
    if not is_known(book_id(name)):
        there = " and ".join([*filter(None, [", ".join(earlier)]), current])
        raise RulebookError(f"{book} has no edition {number!r}: it has {there}")
    return _read(f"editions/{book}@{number}.toml" if number in earlier else f"{book}.toml")


def is_packaged(data: Mapping[str, Any]) -> bool:
    """Whether this is the data of a book of the package itself, whose clauses the tests hold against the catalogue."""
    book = data.get("id")
    if book not in BOOKS or data.get("edition") not in editions_of(book):
        return False
    return data is read_edition(f"{book}@{data['edition']}")


def reasons(book: str, edition: int) -> dict[str, str]:
    """Why leaves, or whole groups of them, are other than in the edition before, where the edition says so itself."""
    found: dict[str, str] = read_edition(f"{book}@{edition}").get("changes", {})
    return found


@cache
def _read(file: str) -> dict[str, Any]:
    source = resources.files("casinowar.rulebooks") / "data" / file
    return tomllib.loads(source.read_text("utf-8"))
