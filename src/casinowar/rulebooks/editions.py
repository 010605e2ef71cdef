"""The books on the shelf in all their editions: `ca` is the current one, `ca@1` the first one as it was.

A book's edition goes up when its default readings change. The edition before then moves to `editions` in the book's
folder and is never edited again; `changes` in the new one gives the reason for a leaf that no ambiguity explains.
"""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from casinowar.rulebooks.shelf import BOOK, BOOKS, EDITIONS, PACKAGED, OwnBook, book_ids, own_books
from casinowar.rulebooks.toml_files import RulebookError, read_toml_file

EDITION = re.compile(r"[^./\\]*")
FIRST = 1
"""The edition of what names none and was stored before there were editions."""


def is_book(name: str) -> bool:
    """Whether this names a book on the shelf, with an edition or without, however it is capitalised."""
    book, _, edition = name.partition("@")
    return book.lower() in book_ids() and EDITION.fullmatch(edition) is not None


def book_id(name: str) -> str:
    """The name of a book on the shelf as it is written here; any other name as it stands."""
    return name.lower() if is_book(name) else name


def without_edition(name: str) -> str:
    """The name without an edition: `ca` of `ca@1`; any other name as it stands."""
    return book_id(name).partition("@")[0] if is_book(name) else name


def editions_of(book: str) -> tuple[int, ...]:
    """Every edition of a book on the shelf; the last one is the current."""
    if book in PACKAGED:
        return tuple(range(FIRST, _read(f"{book}/{BOOK}")["edition"] + 1))
    own = own_books().books[book]
    current = own.head.edition
    return (*(one for one in range(FIRST, current) if own.folder and _file_of(own, one).is_file()), current)


def _file_of(own: OwnBook, edition: int) -> Any:
    return own.path.parent / EDITIONS / f"{edition}.toml"


def edition_name(book: str, edition: int) -> str:
    """How people name the edition: `ca` for the current one, `ca@1` for an earlier one."""
    return book if book not in book_ids() or edition == editions_of(book)[-1] else f"{book}@{edition}"


def has_edition(name: str) -> bool:
    """Whether this names a book on the shelf, written as here, in an edition that it has."""
    book, at, number = name.partition("@")
    return book in book_ids() and (not at or number in map(str, editions_of(book)))


def read_edition(name: str) -> dict[str, Any]:
    """The data of a book on the shelf, in the edition that the name has, or in the current one."""
    book, _, number = book_id(name).partition("@")
    *earlier, current = (str(edition) for edition in editions_of(book))
    if not has_edition(book_id(name)):
        there = " and ".join([*filter(None, [", ".join(earlier)]), current])
        raise RulebookError(f"{book} has no edition {number!r}: it has {there}")
    if book in PACKAGED:
        return _read(f"{book}/{EDITIONS}/{number}.toml" if number in earlier else f"{book}/{BOOK}")
    own = own_books().books[book]
    if number not in earlier:
        return own.data
    path = _file_of(own, int(number))
    data = read_toml_file(path)
    if (data.get("id"), data.get("edition")) != (book, int(number)):
        raise RulebookError(f"{path}: its head says another id or edition")
    return data


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
    return tomllib.loads((resources.files("casinowar.rulebooks") / "data" / file).read_text("utf-8"))
