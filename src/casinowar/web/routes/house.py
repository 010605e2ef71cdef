"""The house: its money, its key and checkpoints, its rulebooks, and players' purses as staff see them."""

from functools import cache
from importlib.metadata import version
from typing import Annotated, Any, get_args

import msgspec

from casinowar import protocol as f
from casinowar.engine.roles import FLOOR
from casinowar.house.house import PlayerView
from casinowar.reports.books import leaf_words
from casinowar.reports.differences import short_title
from casinowar.rulebooks import Rulebook, head_of, load_clauses, load_rulebook, sound_books
from casinowar.rulebooks.editions import editions_of
from casinowar.rulebooks.resolve import show
from casinowar.rulebooks.shelf import Cloth, Felt
from casinowar.store import Checkpoint
from casinowar.web.http.errors import WebError
from casinowar.web.http.operations import ANYONE, ApiRequest, Reply, get, post
from casinowar.web.http.replies import DONE, Identified, PlayerPath, StaffReason, Version, check_book, reply_to
from casinowar.web.routes.me import join_me

CSS = "text/css"
Funds = Annotated[int, msgspec.Meta(gt=-(2**53), lt=2**53)]


class HouseLine(msgspec.Struct, frozen=True):
    """Amounts are whole numbers of the smallest unit; `minor_digits` of them stand behind the point.

    `plays_nights` says whether the simulation is installed.
    """

    currency: str
    minor_digits: int
    guest_purse: int
    refill: int
    refill_below: int
    key: str
    version: str
    strategies: tuple[str, ...]
    plays_nights: bool


class Key(msgspec.Struct, frozen=True):
    """The Ed25519 public key that signs the checkpoints, in hexadecimal."""

    key: str


class BookLine(msgspec.Struct, frozen=True):
    """`short` is the title where there is little room; the last of `editions` is the current one."""

    id: str
    title: str
    version: str
    short: str
    edition: int
    editions: tuple[int, ...]


class BookLeaf(msgspec.Struct, frozen=True):
    """One rule: what it is about, its value, as it is told to people, what an operator may set, and its clauses.

    `supplied`: the book is silent, and the value is a house default; `see` are clauses that only bear on it, and
    `ambiguity` is the unclear passage that the value decides.
    """

    key: str
    about: str
    value: Any
    says: str
    allowed: str | None
    clauses: tuple[str, ...]
    supplied: bool = False
    see: tuple[str, ...] = ()
    ambiguity: str | None = None


class Book(BookLine, frozen=True):
    """A rulebook with every leaf, as it stands without an operator's options, and what its clauses say."""

    leaves: tuple[BookLeaf, ...]
    clauses: dict[str, str]


class BookPath(msgspec.Struct, frozen=True):
    rulebook: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]


class CheckpointPage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    after: Version = 0
    limit: Annotated[int, msgspec.Meta(ge=1, le=1_000)] = 100


class Fund(Identified, frozen=True, forbid_unknown_fields=True):
    """A negative amount drains the purse."""

    amount: Funds
    reason: StaffReason


def house(request: ApiRequest) -> HouseLine:
    settings = request.server.house.settings
    return HouseLine(
        settings.currency,
        settings.minor_digits,
        settings.guest_purse,
        settings.refill,
        settings.refill_below,
        request.server.key,
        version("casinowar"),
        tuple(get_args(f.Strategy)),
        request.server.night_runs.is_there,
    )


def key(request: ApiRequest) -> Key:
    return Key(request.server.key)


def checkpoints(request: ApiRequest) -> list[Checkpoint]:
    return request.server.house.store.checkpoints(request.query.after, request.query.limit)


def latest_checkpoint(request: ApiRequest) -> Checkpoint:
    last = request.server.house.store.last_checkpoint()
    if last is None:
        raise WebError("no_checkpoint")
    return last


def rulebooks(request: ApiRequest) -> tuple[BookLine, ...]:
    return _lines(sound_books())


def felts(request: ApiRequest) -> Reply:
    return Reply(_felt_sheet(sound_books()).encode(), media=CSS)


@cache
def _felt_sheet(books: tuple[str, ...]) -> str:
    """The style sheet of all felts: each has the class `felt-ID`.

    It also serves a house rulebook whose id begins so. A longer id comes later, so that it has the last word; a class
    of no book has the first book's felt.
    """
    worn = {book: felt for book in books if (head := head_of(book)) and (felt := head.felt)}
    rules = (_felt_rules(book, worn[book]) for book in sorted(worn, key=len))
    return "\n".join([_felt_rules("", next(iter(worn.values()))), *rules, ""])


def _felt_rules(book: str, felt: Felt) -> str:
    """The style rules of one felt: the war's sign, and the colours for the dark and the light theme."""
    at = f"[class*='felt-{book}']"
    dark = f"{at} {{ --sign: {felt.sign or 'none'}; {_colours(felt.dark)} }}"
    return f"{dark}\n:root[data-theme='light'] {at} {{ {_colours(felt.light)} }}"


def _colours(cloth: Cloth) -> str:
    return f"--felt: {cloth.cloth}; --lit: {cloth.lit}; --felt-line: {cloth.line}"


@cache
def _lines(books: tuple[str, ...]) -> tuple[BookLine, ...]:
    """The list of books. Loading one takes longer than any other answer, so each is loaded once."""
    return tuple(BookLine(*_head(load_rulebook(id))) for id in books)


def _head(book: Rulebook) -> tuple[str, str, str, str, int, tuple[int, ...]]:
    return book.id, book.title, book.version, short_title(book), book.edition, editions_of(book.id)


def rulebook(request: ApiRequest) -> Book:
    check_book(request.path.rulebook)
    return _book(request.path.rulebook)


@cache
def _book(name: str) -> Book:
    """A book for the page, kept. Only known books come here, so that nobody fills the memory with names."""
    book = load_rulebook(name)
    words, known = leaf_words(), load_clauses()
    leaves = tuple(
        BookLeaf(
            *(key, words[key], leaf.value, show(leaf.value), leaf.allowed),
            *(leaf.clauses, leaf.supplied, leaf.see, leaf.ambiguity),
        )
        for key, leaf in book.leaves.items()
    )
    cited = dict.fromkeys(clause for leaf in leaves for clause in (*leaf.clauses, *leaf.see))
    clauses = {clause: known[clause].text for clause in cited if clause in known}
    return Book(*_head(book), leaves, clauses)


def player(request: ApiRequest) -> PlayerView:
    _check_player(request)
    return request.server.house.player(request.path.player)


def fund(request: ApiRequest) -> Reply:
    _check_player(request)
    body, house = request.body, request.server.house
    return reply_to(request, house.fund(request.who, body.id, request.path.player, body.amount, body.reason))


def _check_player(request: ApiRequest) -> None:
    known = request.server.accounts.account(request.path.player)
    if known is None or known.name != request.path.player:
        raise WebError("no_such_player")


OPERATIONS = (
    get("/api/house", "Currency, guest purse, public key, version", ANYONE, house, HouseLine),
    get("/api/key", "The key that signs the checkpoints", ANYONE, key, Key),
    get(
        "/api/checkpoints",
        "Signed checkpoints of the log; keep one, and no change before it can be hidden from you",
        ANYONE,
        checkpoints,
        list[Checkpoint],
        query=CheckpointPage,
    ),
    get(
        "/api/checkpoints/latest",
        "The last checkpoint",
        ANYONE,
        latest_checkpoint,
        Checkpoint,
        faults=("no_checkpoint",),
    ),
    get("/api/rulebooks", "The rulebooks that a table can have", ANYONE, rulebooks, list[BookLine]),
    get("/api/felts.css", "The colours of the books' felts, as a style sheet", ANYONE, felts, Any, media=(CSS,)),
    get(
        "/api/rulebooks/{rulebook}",
        "A rulebook, leaf by leaf, with its clauses",
        ANYONE,
        rulebook,
        Book,
        path=BookPath,
        faults=("no_such_rulebook",),
    ),
    get(
        "/api/players/{player}",
        "A player's purse, chips and limits",
        (*FLOOR, "auditor"),
        player,
        PlayerView,
        path=PlayerPath,
        faults=("no_such_player",),
        join=join_me,
    ),
    post(
        "/api/players/{player}/fund",
        "Put play money into a purse, or take it out",
        ("operator",),
        fund,
        f.Done,
        path=PlayerPath,
        body=Fund,
        faults=("no_such_player",),
        is_refusable=True,
        example_body={"id": "6f1c", "amount": 50_000, "reason": "lost on the way to the table"},
        example=DONE,
    ),
)
