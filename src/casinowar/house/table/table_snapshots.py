"""Snapshots of a table: what its log comes to at a version, so that a start reads the newest one and what follows it.

Rounds and shoes that are over never change again. They are kept in pages, each written once, so that a snapshot costs
the same for any length of the log.
"""

import logging
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import TypeVar

import msgspec

from casinowar.engine import Table
from casinowar.fairness import ListedShoe
from casinowar.history.log_walk import Start
from casinowar.history.narrative import RoundLines
from casinowar.history.round_spans import Span
from casinowar.house.shoes.keeper import KeptEnd, KeptSteps
from casinowar.house.shoes.shoe_list import NONE_YET, Chain, KeptShoes, ShoeList
from casinowar.house.signatures.pending_signatures import KeptSignatures
from casinowar.house.table.bot_strategies import BotPlayer
from casinowar.house.table.floor_calls import Call
from casinowar.house.table.followed_table import FollowedTable
from casinowar.house.table.seat_line import Use
from casinowar.protocol import RoundLine
from casinowar.records.piles import KeptPiles
from casinowar.rulebooks import Rulebook
from casinowar.store import BookResolved, Store, rules_of
from casinowar.store.ledger import accounts_of
from casinowar.store.snapshots import Snapshot

log = logging.getLogger(__name__)
FORMAT = "table/1"
"""The form of the body. A change of what is in it, or of what the events come to, takes another number."""

PAGES = "page/1."
PAGE = 200
"""So many rounds, or so many shoes, are a page."""


class TablePage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Rounds and shoes that are over, and the table at the version of the page, from which the log goes on.

    They are those since the page at the version `before`, of which 0 is none.
    """

    before: int
    spans: tuple[Span, ...]
    shoes: tuple[ListedShoe, ...]
    starts: tuple[int, ...]
    table: Table
    book: int


class PagedShoes(msgspec.Struct, frozen=True):
    """The part of a page that a start needs."""

    before: int
    shoes: tuple[ListedShoe, ...]
    starts: tuple[int, ...]


class TableBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that a followed table knows, but what is in its full pages, which were written at these versions."""

    dealer: str
    table: Table
    turn: int
    book: int
    opened_with: str
    bots: tuple[BotPlayer, ...]
    leaving: frozenset[str]
    burn_viewers: frozenset[str]
    is_paused: bool
    is_card_last: bool
    invited: int
    uses: dict[str, int]
    rounds: tuple[RoundLine, ...]
    banked: tuple[str, int] | None
    signatures: KeptSignatures
    calls: tuple[Call, ...]
    shoes: KeptShoes
    steps: KeptSteps | None
    shoe_end: KeptEnd
    piles: KeptPiles | None
    spans: tuple[Span, ...]
    last: int
    pages: tuple[int, ...]


_body = msgspec.msgpack.Decoder(TableBody)
_page = msgspec.msgpack.Decoder(TablePage)
_paged_shoes = msgspec.msgpack.Decoder(PagedShoes)
Page = TypeVar("Page", TablePage, PagedShoes)


def page_format(number: int) -> str:
    return f"{PAGES}{number}"


def body_of(followed: FollowedTable) -> TableBody:
    """What the table knows between two commands."""
    return TableBody(
        dealer=followed.dealer,
        table=followed.table,
        turn=followed.turn,
        book=followed.book,
        opened_with=followed.opened_with,
        bots=tuple(followed.bots.values()),
        leaving=frozenset(followed.leaving),
        burn_viewers=frozenset(followed.burn_viewers),
        is_paused=followed.is_paused,
        is_card_last=followed.is_card_last,
        invited=followed.invited,
        uses={player: use.round for player, use in followed.line.uses.items()},
        rounds=tuple(followed.rounds),
        banked=followed.lines.bank,
        signatures=followed.pending.keep(),
        calls=followed.calls.keep(),
        shoes=followed.listed.keep(followed.paged_shoes),
        steps=followed.steps.keep(),
        shoe_end=followed.shoe_end.keep(),
        piles=None if followed.piles is None else followed.piles.keep(),
        spans=tuple(followed.spans.known.values()),
        last=followed.spans.last,
        pages=followed.pages,
    )


def is_page_full(followed: FollowedTable) -> bool:
    return max(len(followed.spans.known), len(followed.listed.own) - followed.paged_shoes) > PAGE


def page_of(followed: FollowedTable) -> TablePage:
    """The rounds and shoes since the last page, but the last of each: those can still change."""
    first, last = followed.paged_shoes, max(followed.paged_shoes, len(followed.listed.own) - 1)
    return TablePage(
        before=followed.pages[-1] if followed.pages else 0,
        spans=tuple(followed.spans.known.values())[:-1],
        shoes=followed.listed.kept_lines(first, last),
        starts=tuple(followed.listed.starts[first:last]),
        table=followed.table,
        book=followed.book,
    )


def turn_page(followed: FollowedTable, page: TablePage) -> None:
    """Go on behind a page that is full."""
    for span in page.spans:
        del followed.spans.known[span.number]
    followed.pages = (*followed.pages, followed.version)
    followed.paged_shoes += len(page.shoes)


def save_table(followed: FollowedTable, store: Store) -> None:
    """Write a snapshot of the table, and before it the page that is full. Both belong into one group of the store."""
    stream, version, made = followed.stream, followed.version, []
    followed.saved = version
    if is_page_full(followed):
        page = page_of(followed)
        turn_page(followed, page)
        made.append((page_format(len(followed.pages)), msgspec.msgpack.encode(page)))
    made.append((FORMAT, msgspec.msgpack.encode(body_of(followed))))
    for format, body in made:
        store.save_snapshot(stream, version, format, body)


def read_body(snapshot: Snapshot) -> TableBody | None:
    """The body of a snapshot; none where it cannot be read."""
    try:
        return _body.decode(snapshot.body)
    except (msgspec.DecodeError, RecursionError):
        return None


def read_page(snapshot: Snapshot) -> TablePage | None:
    """The page in a snapshot; none where it cannot be read."""
    return _read(snapshot, _page)


def _read(snapshot: Snapshot, decoder: "msgspec.msgpack.Decoder[Page]") -> Page | None:
    try:
        return decoder.decode(snapshot.body)
    except (msgspec.DecodeError, RecursionError):
        return None


def _pages_of(
    store: Store, stream: str, versions: tuple[int, ...], decoder: "msgspec.msgpack.Decoder[Page]"
) -> list[Page] | None:
    """The pages of a body, each of which goes on from the one before; none where one is missing."""
    pages: list[Page] = []
    for number, (before, version) in enumerate(pairwise((0, *versions)), start=1):
        found = store.snapshots(stream, page_format(number))
        row = next((row for row in found if row.version == version), None)
        page = None if row is None else _read(row, decoder)
        if page is None or page.before != before:
            return None
        pages.append(page)
    return pages


def newest_body(store: Store, stream: str) -> Iterator[tuple[int, TableBody, list[PagedShoes]]]:
    """The snapshots of a table that can be read with the shoes of all their pages, the newest first."""
    return _bodies(store, stream, _paged_shoes)


def newest_index(store: Store, stream: str) -> Iterator[tuple[int, TableBody, list[TablePage]]]:
    """The same with all that is in the pages: for the history of a table."""
    return _bodies(store, stream, _page)


def _bodies(
    store: Store, stream: str, decoder: "msgspec.msgpack.Decoder[Page]"
) -> Iterator[tuple[int, TableBody, list[Page]]]:
    for snapshot in store.snapshots(stream, FORMAT):
        body = read_body(snapshot)
        pages = None if body is None else _pages_of(store, stream, body.pages, decoder)
        if body is not None and pages is not None:
            yield snapshot.version, body, pages
        else:
            log.warning("a snapshot cannot be read", extra={"table": stream, "version": snapshot.version})


def book_at(store: Store, stream: str, version: int) -> Rulebook | None:
    """The rules that an event of the stream has; none where it is another event."""
    found = next(iter(store.read(stream, version - 1)), None) if version > 0 else None
    return rules_of(found.event) if found is not None and isinstance(found.event, BookResolved) else None


def read_table(followed: FollowedTable, store: Store) -> None:
    """Read the table from the store: from the newest snapshot that is good, or else from its first event on.

    After it the table's chips must be those of its accounts. Where they are not, the snapshot was not true.
    """
    stream = followed.stream
    for version, body, pages in newest_body(store, stream):
        rules = book_at(store, stream, body.book)
        if body.dealer == followed.dealer and rules is not None:
            followed.begin()
            resume_table(followed, version, body, pages, rules)
            _read_on(followed, store)
            accounts = accounts_of(stream, followed.table)
            if all(store.balance(account) == held for account, held in accounts.items()):
                return
            log.error("a snapshot is not what its accounts say: not used", extra={"table": stream, "version": version})
    followed.begin()
    _read_on(followed, store)


def _read_on(followed: FollowedTable, store: Store) -> None:
    for one in store.read(followed.stream, followed.version):
        followed.follow(one)
    followed.end_command()


def resume_table(
    followed: FollowedTable, version: int, body: TableBody, pages: Iterable[PagedShoes], rules: Rulebook
) -> None:
    """Be the table of a body."""
    now, wall = followed.now(), followed.wall()
    followed.table, followed.version, followed.turn, followed.saved = body.table, version, body.turn, version
    followed.rules, followed.book, followed.opened_with = rules, body.book, body.opened_with
    followed.bots = {bot.name: bot for bot in body.bots}
    followed.leaving, followed.burn_viewers = set(body.leaving), set(body.burn_viewers)
    followed.is_paused, followed.is_card_last, followed.invited = body.is_paused, body.is_card_last, body.invited
    followed.line.uses = {player: Use(round_, now) for player, round_ in body.uses.items()}
    followed.rounds.extend(body.rounds)
    followed.lines = RoundLines(body.banked)
    followed.pending.resume(body.signatures, now, wall)
    followed.calls.resume(body.calls, now, wall)
    _resume_list(followed.listed, body, pages)
    followed.steps.resume(body.steps)
    followed.shoe_end.resume(body.shoe_end)
    followed.begin_piles()
    if followed.piles is not None and body.piles is not None:
        followed.piles.resume(body.piles)
    followed.spans.known, followed.spans.last = {span.number: span for span in body.spans}, body.last
    followed.pages, followed.paged_shoes = body.pages, len(followed.listed.own) - len(body.shoes.lines)
    followed.be_at_stage()


def list_of(store: Store, stream: str, earlier: Chain) -> ShoeList:
    """The shoes of an opening, out of its newest snapshot and the log behind it."""
    listed, read = ShoeList(stream, earlier), 0
    for version, body, pages in newest_body(store, stream):
        _resume_list(listed, body, pages)
        read = version
        break
    for one in store.read(stream, read):
        listed.follow(one.version, one.event)
    return listed


def _resume_list(listed: ShoeList, body: TableBody, pages: Iterable[PagedShoes]) -> None:
    for page in pages:
        listed.add_kept(page.shoes, page.starts)
    listed.resume(body.shoes)


def chain_of(store: Store, streams: Iterable[str]) -> Chain:
    """The shoes of a table's openings in order."""
    chain = NONE_YET
    for stream in streams:
        chain = list_of(store, stream, chain).chain
    return chain


def start_in(store: Store, stream: str, version: int, page: TablePage) -> Start | None:
    """The table of a page, from which the log behind it can be told."""
    rules = book_at(store, stream, page.book)
    return None if rules is None else Start(version, rules, page.table)
