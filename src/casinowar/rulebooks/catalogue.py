"""The clause catalogue: every clause of the rulebooks in our own words, and how software realises it.

A rule cites the clauses that decide the case at hand, or says plainly that the book has none.
"""

import re
import tomllib
from collections.abc import Iterable
from contextlib import suppress
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

import msgspec

from casinowar.rulebooks.model import Rulebook
from casinowar.rulebooks.shelf import BOOKS, CLAUSES, OwnBook, OwnBooks, own_books
from casinowar.rulebooks.toml_files import RulebookError, read_toml_file

KINDS = (
    "game",
    "wager",
    "payout",
    "shoe",
    "deal",
    "settle",
    "bank",
    "irregularity",
    "table-ops",
    "operator-option",
    "display",
    "conduct",
    "equipment-physical",
)
"""The kinds of clauses."""

CLAUSE_ID = re.compile(r"[A-Za-z0-9_.-]{1,80}")
NO_TEXT = "The book brings no text of this clause."
TAGS = ("engine", "option", "command", "display", "record", "physical")


class Clause(msgspec.Struct, frozen=True):
    """One clause of a rulebook.

    The first tag of `realised` is the principal one. Where that is `physical`, `outside` says why software
    leaves the clause to people; other clauses have no `outside`.

    >>> import casinowar
    >>> clause = casinowar.rulebooks.clause("NZ-5.13c")
    >>> clause.id, clause.book, clause.kind
    ('NZ-5.13c', 'nz', 'payout')
    """

    id: str
    book: str
    text: str
    kind: str
    realised: tuple[str, ...]
    how: str
    outside: str = ""


def load_clauses() -> dict[str, Clause]:
    """Read all clauses, keyed by id, book by book in document order. The dict is shared: do not change it.

    >>> import casinowar
    >>> casinowar.load_clauses()["NZ-5.13c"].book
    'nz'
    """
    own = own_books()
    return _with_own(own) if own.books else _packaged_clauses()


@cache
def _packaged_clauses() -> dict[str, Clause]:
    folder = files("casinowar.rulebooks") / "data"
    texts = {book: (folder / book / CLAUSES).read_text(encoding="utf-8") for book in BOOKS}
    return {id: clause for book, text in texts.items() for id, clause in parse_clauses(book, text).items()}


@lru_cache(maxsize=8)
def _with_own(own: OwnBooks) -> dict[str, Clause]:
    """The user's books come behind those of the package; one whose clauses are wrong has none here."""
    clauses = dict(_packaged_clauses())
    for book in sorted(own.books):
        with suppress(RulebookError):
            clauses.update(clauses_in(own.books[book]))
    return clauses


def clauses_of(book: str) -> dict[str, Clause]:
    """The clauses of one book; a `RulebookError` where the file beside a user's book is wrong."""
    own = own_books().books.get(book)
    return clauses_in(own) if own else {id: one for id, one in _packaged_clauses().items() if one.book == book}


def clauses_in(own: OwnBook) -> dict[str, Clause]:
    """The clauses beside the book, or those that it cites as its own where it brings no text of them."""
    path = own.folder / CLAUSES if own.folder else None
    if path is None or not path.exists():
        cited = _cited_clauses(own.data, f"{own.head.id.upper()}-")
        return {id: Clause(id, own.head.id, NO_TEXT, "game", ("engine",), "as the book's leaves say") for id in cited}
    try:
        return {id: _parse_clause(own.head.id, id, leaf) for id, leaf in read_toml_file(path).items()}
    except (ValueError, AttributeError) as error:
        raise RulebookError(str(error) if str(path) in str(error) else f"{path}: {error}") from None


def _cited_clauses(entry: Any, prefix: str) -> dict[str, None]:
    """The ids with this beginning anywhere in a book's data, in their order."""
    if isinstance(entry, str):
        return {entry: None} if entry.startswith(prefix) and CLAUSE_ID.fullmatch(entry) else {}
    inner = entry.values() if isinstance(entry, dict) else entry if isinstance(entry, list) else ()
    return {id: None for one in inner for id in _cited_clauses(one, prefix)}


def parse_clauses(book: str, text: str) -> dict[str, Clause]:
    """Parse one book's catalogue, a TOML table per clause; a broken clause is a ValueError."""
    return {name: _parse_clause(book, name, leaf) for name, leaf in tomllib.loads(text).items()}


def _parse_clause(book: str, clause_id: str, leaf: dict[str, Any]) -> Clause:
    prefix = f"{book.upper()}-"
    if not clause_id.startswith(prefix):
        raise ValueError(f"clause {clause_id}: the id must start with {prefix}")
    try:
        clause = msgspec.convert({**leaf, "id": clause_id, "book": book}, Clause)
    except msgspec.ValidationError as error:
        raise ValueError(f"clause {clause_id}: {error}") from error
    if unknown := leaf.keys() - set(Clause.__struct_fields__) | leaf.keys() & {"id", "book"}:
        raise ValueError(f"clause {clause_id}: unknown keys {', '.join(sorted(unknown))}")
    if clause.kind not in KINDS:
        raise ValueError(f"clause {clause_id}: unknown kind {clause.kind!r}, allowed: {', '.join(KINDS)}")
    if not clause.realised:
        raise ValueError(f"clause {clause_id}: realised needs at least one tag")
    for tag in clause.realised:
        if tag not in TAGS:
            raise ValueError(f"clause {clause_id}: unknown tag {tag!r}, allowed: {', '.join(TAGS)}")
    if (clause.realised[0] == "physical") != bool(clause.outside):
        raise ValueError(f"clause {clause_id}: outside is for clauses that are physical first, and no others")
    return clause


SILENT = "the book is silent; house default"
"""What stands in the place of a clause where the book has none."""


def clauses_in_case(rules: Rulebook, key: str, case: str) -> tuple[str, ...]:
    """The clauses of a leaf that speak of this case; all of them where the leaf does not tell cases apart.

    >>> from casinowar import rulebooks
    >>> rulebooks.clauses_in_case(rulebooks.load_rulebook("nz"), "open.player_rights", "shuffle")
    ('NZ-7.2b',)
    """
    leaf = rules.leaves[key]
    return leaf.cases.get(case, leaf.clauses)


def citation(clauses: Iterable[str]) -> str:
    """The clauses in a line, or that the book is silent.

    >>> from casinowar import rulebooks
    >>> rulebooks.citation(["NZ-5.4b", "NZ-5.13c"]), rulebooks.citation([])
    ('NZ-5.4b, NZ-5.13c', 'the book is silent; house default')
    """
    return ", ".join(clauses) or SILENT
