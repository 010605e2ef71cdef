"""Clauses over HTTP: what a clause says, and how the books differ."""

from functools import cache
from typing import Annotated

import msgspec

from casinowar.reports.books import leaf_words
from casinowar.reports.differences import Differences, differences, short_title
from casinowar.rulebooks import load_clauses, load_rulebook, sound_books
from casinowar.rulebooks.resolve import show
from casinowar.web.http.errors import WebError
from casinowar.web.http.operations import ANYONE, ApiRequest, get

HOUSE = "HOUSE-"


class ClausePath(msgspec.Struct, frozen=True):
    clause: Annotated[str, msgspec.Meta(min_length=1, max_length=80, pattern=r"^[A-Za-z0-9_.-]+\Z")]


class ClauseText(msgspec.Struct, frozen=True):
    """A clause in our own words. `status` is how it is kept here, `source` is the document that it stands in."""

    id: str
    rulebook: str
    says: str
    status: str
    source: str


def clause(request: ApiRequest) -> ClauseText:
    id = request.path.clause
    if id.startswith(HOUSE):
        return _of_the_house(request, id)
    if id not in load_clauses():
        raise WebError("no_such_clause")
    return _of_a_book(id)


@cache
def _of_a_book(id: str) -> ClauseText:
    found = load_clauses()[id]
    book = load_rulebook(found.book)
    status = f"Left to people: {found.outside}" if found.outside else f"Kept by the table: {found.how}"
    return ClauseText(id, short_title(book), found.text, status, book.version)


def _of_the_house(request: ApiRequest, id: str) -> ClauseText:
    """The text of a rule that a house rulebook at one of the tables has changed."""
    key = id.removeprefix(HOUSE)
    about = leaf_words().get(key)
    if about is None:
        raise WebError("no_such_clause")
    for live in request.server.house.tables.values():
        leaf = live.rules.leaves.get(key)
        if leaf is not None and id in leaf.clauses:
            note = live.rules.notes.get(id)
            says = f"{about}: {show(leaf.value)}."
            return ClauseText(id, live.rules.title, says, note.text if note else "", "A rule of this house")
    return ClauseText(id, "This house", f"{about}: set by the house.", "", "A rule of this house")


def book_differences(request: ApiRequest) -> Differences:
    return differences(sound_books())


OPERATIONS = (
    get(
        "/api/clauses/{clause}",
        "What a clause says, in our own words",
        ANYONE,
        clause,
        ClauseText,
        path=ClausePath,
        faults=("no_such_clause",),
        example={
            "id": "NZ-1.2-RND",
            "rulebook": "New Zealand",
            "says": "A round starts as its first card leaves the shoe and is over once every card lies in the rack.",
            "status": "Kept by the table: the round opens with its first drawn card",
            "source": "Gambling Act 2003 game rules, Casino War division",
        },
    ),
    get("/api/differences", "How the books differ, in a few rows", ANYONE, book_differences, Differences),
)
