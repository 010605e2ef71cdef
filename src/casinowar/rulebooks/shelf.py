"""The shelf: which books there are, in the package and in the user's configuration folder, and what their heads say.

A book is a folder with the book's id as its name: `book.toml`, and beside it `clauses.toml` and `editions/N.toml` where
it has them. In the configuration folder a whole book may also be one file, `ID.toml`, without clauses of its own.
What is wrong with a book of the configuration folder is a fault of that book alone: the others can be used.
"""

import os
import re
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from casinowar.rulebooks.toml_files import RulebookError, read_toml_file

BOOK, CLAUSES, EDITIONS = "book.toml", "clauses.toml", "editions"
WHOLE = {"id", "edition"}
"""What the head of a whole book says, and a house rulebook, which extends another, does not."""

ID = re.compile(r"[a-z][a-z0-9-]{0,19}")
RESERVED = ("house", "private-", "guest-", "bot-")
"""Clauses and tables of others begin so."""

Colour = Annotated[str, msgspec.Meta(pattern=r"^#[0-9a-f]{6}\Z")]
Line = Annotated[str, msgspec.Meta(min_length=1, max_length=120)]


class Cloth(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The colours of a felt: of the cloth, of the part in the light, and of the lines on it."""

    cloth: Colour
    lit: Colour
    line: Colour


class Felt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a book's table looks in the dark and in the light, and the sign that stands beside the war's name."""

    dark: Cloth
    light: Cloth
    sign: Literal["ship"] | None = None


class Head(msgspec.Struct, frozen=True):
    """What a book says of itself before its rules.

    `short` is the title where there is little room, `order` the place among the packaged books, and `default_table` the
    table that a house opens where nobody says which tables there are.
    """

    id: str
    title: Line
    version: Line
    edition: Annotated[int, msgspec.Meta(ge=1, le=1_000)]
    short: Annotated[str, msgspec.Meta(max_length=40)] = ""
    order: int = 0
    felt: Felt | None = None
    default_table: dict[str, Any] | None = None


HEAD = tuple(field for field in Head.__struct_fields__ if field not in ("id", "title", "version"))


class OwnBook(msgspec.Struct, frozen=True):
    """A whole book in the configuration folder; its `folder` is none where the book is one file."""

    head: Head
    path: Path
    data: dict[str, Any]
    folder: Path | None


class OwnBooks:
    """The whole books in one configuration folder by id, and what is wrong with others, by name."""

    def __init__(self) -> None:
        self.books: dict[str, OwnBook] = {}
        self.faults: dict[str, str] = {}


NO_BOOKS = OwnBooks()


def _read_heads() -> dict[str, Head]:
    """The heads of the packaged books: what stands before the first table, since reading all rules takes long."""
    heads = []
    for folder in (resources.files("casinowar.rulebooks") / "data").iterdir():
        if not (folder / BOOK).is_file():
            continue
        head = (folder / BOOK).read_text("utf-8").partition("\n[")[0]
        heads.append(msgspec.convert(tomllib.loads(head), Head))
    return {head.id: head for head in sorted(heads, key=lambda head: head.order)}


PACKAGED = _read_heads()
BOOKS = tuple(PACKAGED)
"""The books of this package. `book_ids` has those of the configuration folder too."""


def config_folder() -> Path:
    """The folder of the user's own rulebooks."""
    return _folder_in(os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config"))


@lru_cache(maxsize=8)
def _folder_in(base: str) -> Path:
    return Path(base) / "casinowar"


def own_books() -> OwnBooks:
    """The whole books in the user's configuration folder as it is now."""
    folder = config_folder()
    if not os.path.isdir(folder):
        return NO_BOOKS
    try:
        found = {*folder.glob("*.toml"), *folder.glob(f"*/{BOOK}")}
        files = sorted(file for file in found if not file.relative_to(folder).parts[0].startswith("."))
        beside = [one for file in files if file.parent != folder for one in file.parent.rglob("*.toml")]
    except OSError:
        return NO_BOOKS
    return _read_folder(folder, tuple(files), tuple(sorted(map(_state, {*files, *beside}))))


def _state(file: Path) -> tuple[str, int, int]:
    """What tells a changed file from the one before. A link that leads nowhere is a fault of that file alone."""
    try:
        stat = file.stat()
    except OSError:
        return str(file), 0, 0
    return str(file), stat.st_mtime_ns, stat.st_size


@lru_cache(maxsize=8)
def _read_folder(folder: Path, files: tuple[Path, ...], stats: tuple[tuple[str, int, int], ...]) -> OwnBooks:
    """Read once for each state of the files, which `stats` tells apart."""
    own = OwnBooks()
    for file in files:
        home = None if file.parent == folder else file.parent
        name = home.name if home else file.stem
        try:
            data = read_toml_file(file)
            if home is None and not is_whole(data):
                continue
            if name in own.books:
                raise RulebookError(f"{file}: {own.books.pop(name).path} is the same book: keep one of them")
            own.books[name] = OwnBook(read_head(file, data, name), file, data, home)
        except RulebookError as error:
            own.faults[name] = str(error)
    return own


def is_whole(data: Mapping[str, Any]) -> bool:
    """Whether these are all rules of a book, and not those that a house changes in another."""
    return "extends" not in data and data.keys() >= WHOLE


def read_head(file: Path, data: Mapping[str, Any], name: str | None = None) -> Head:
    """The head of a book that is not packaged; its id is the name that it lies under, where that is given."""
    try:
        head = msgspec.convert({key: data[key] for key in Head.__struct_fields__ if key in data}, Head)
    except msgspec.ValidationError as error:
        raise RulebookError(f"{file}: the head of the book: {error}") from None
    for key in ("title", "version", "short"):
        if not getattr(head, key).isprintable():
            raise RulebookError(f"{file}: {key}: write a line of text")
    if head.id.lower() in PACKAGED:
        raise RulebookError(f"{file}: id = {head.id!r} is taken by a book of this package: give it an id of its own")
    if not ID.fullmatch(head.id) or head.id.startswith(RESERVED):
        told = f"write up to 20 letters a-z, digits and dashes, a letter first, and not {', '.join(RESERVED)}"
        raise RulebookError(f"{file}: id = {head.id[:60]!r}: {told}")
    if name is not None and head.id != name:
        raise RulebookError(f"{file}: id = {head.id!r}, and it lies under the name {name!r}: make them the same")
    return head


def book_ids() -> tuple[str, ...]:
    """Every book there is: those of this package, then those of the user by their ids.

    >>> from casinowar import rulebooks
    >>> rulebooks.book_ids()[:5]
    ('nz', 'wa', 'ctg', 'ca', 'ma')
    """
    return (*BOOKS, *sorted(own_books().books))


def head_of(book: str) -> Head | None:
    """What the book says of itself; nothing where there is no such book.

    >>> from casinowar import rulebooks
    >>> rulebooks.head_of("nz").short, rulebooks.head_of("monaco")
    ('', None)
    """
    if book in PACKAGED:
        return PACKAGED[book]
    own = own_books().books.get(book)
    return own.head if own else None
