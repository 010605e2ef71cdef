"""A start from snapshots and what follows them is the same as one from all events, and reads no more for a long log."""

import hashlib
import json
import random
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from casinowar.audit import Audit
from casinowar.audit.snapshot import AuditedStore
from casinowar.fairness import practice_bytes
from casinowar.house import house_snapshots as snapshots
from casinowar.house.house import Who
from casinowar.house.journal import Journal
from casinowar.house.player_limits import PlayerLimits
from casinowar.house.table import table_snapshots as of_table
from casinowar.house.table.followed_table import FollowedTable
from casinowar.house.table.table_snapshots import TableBody, body_of, newest_body, read_table
from casinowar.store import MemoryStore, Recalled, SqliteStore
from casinowar.store.contract import EventRow
from casinowar.store.snapshots import Snapshot
from tests.support.audited_nights import open_night, play_night
from tests.support.live_night import STAFF, Clock, Night, table

pytestmark = pytest.mark.slow

PINNED = "c7a840da6d9983ca"
PEOPLE = ("ann", "ben")
QUICK: dict[str, Any] = {"card": 0, "pause": 0, "entropy": 1, "cut": 5}
BOOKS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("nz", {}),
    ("nz", {"shoe.shuffler": "continuous"}),
    ("wa", {}),
    ("ctg", {}),
    ("ca", {"wager.war_tie": True}),
    ("ma", {"wager.progressive": True}),
)


class CountedStore(MemoryStore):
    """A store that counts the events which are read, and can hide its snapshots."""

    are_hidden = False
    taken = 0

    def snapshots(self, stream: str, format: str) -> list[Snapshot]:
        return [] if self.are_hidden else super().snapshots(stream, format)

    def read(self, stream: str, after: int = 0) -> Iterator[Recalled]:
        for one in super().read(stream, after):
            self.taken += 1
            yield one

    def event_rows(self, after: int | None = None) -> Iterator[EventRow]:
        for row in super().event_rows(after):
            self.taken += 1
            yield row


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """A house that takes snapshots all the time, with short pages."""
    monkeypatch.setattr(snapshots, "TABLE_EVERY", 30)
    monkeypatch.setattr(snapshots, "HOUSE_EVERY", 25)
    monkeypatch.setattr(of_table, "PAGE", 2)
    monkeypatch.setattr("casinowar.house.journal.PAGE", 2)


def night(book: str, options: dict[str, Any], **more: Any) -> tuple[Night, CountedStore]:
    bots = [{"strategy": "bank" if book == "ca" else "tie"}] * 2
    there = Night(
        table(rulebook=book, options=options, timers=QUICK, bots=bots, **more),
        store=(store := CountedStore()),
        source=practice_bytes(f"snapshots {book}"),
    )
    store.now = there.clock.now
    return there, store


def whole(store: CountedStore, followed: FollowedTable) -> TableBody:
    """What a table knows, with the spans of all its pages: from nothing there are no pages."""
    body = body_of(followed)
    rows = [store.snapshots(followed.stream, of_table.page_format(at))[0] for at in range(1, len(body.pages) + 1)]
    pages = [page for row in rows if (page := of_table.read_page(row)) is not None]
    assert tuple(row.version for row in rows) == body.pages
    spans = (*(span for page in pages for span in page.spans), *body.spans)
    shoes = msgspec.structs.replace(body.shoes, lines=tuple(followed.listed.own), starts=tuple(followed.listed.starts))
    return msgspec.structs.replace(body, spans=spans, shoes=shoes, pages=())


def again(store: CountedStore, followed: FollowedTable, *, is_from_nothing: bool) -> TableBody:
    other = FollowedTable(followed.stream, followed.dealer)
    store.are_hidden = is_from_nothing
    read_table(other, store)
    store.are_hidden = False
    return whole(store, other)


def house_of(store: CountedStore, *, is_from_nothing: bool) -> tuple[Any, ...]:
    limits = PlayerLimits(store.now, lambda player: 0)
    journal = Journal(store, limits)
    store.are_hidden = is_from_nothing
    streams = snapshots.read_house(store, journal, limits)
    store.are_hidden = False
    assert (streams is None) == is_from_nothing
    return limits.keep(), journal.listed, journal.openings, journal.keep(0).roles, journal.last_request, journal.version


@pytest.mark.usefixtures("often")
@pytest.mark.parametrize(("book", "options"), BOOKS, ids=["nz", "nz-continuous", "wa", "ctg", "ca", "ma"])
def test_a_table_from_its_snapshot_and_the_rest_is_that_of_all_events(book: str, options: dict[str, Any]) -> None:
    there, store = night(book, options)
    there.sit(*PEOPLE)
    chance, tails = random.Random(5), set()
    for _ in range(12):
        there.play(1, PEOPLE, chance)
        tails.add(there.live.version - there.live.saved)
        from_nothing = again(store, there.live, is_from_nothing=True)
        assert again(store, there.live, is_from_nothing=False) == from_nothing == whole(store, there.live)
        assert house_of(store, is_from_nothing=False) == house_of(store, is_from_nothing=True)
    assert len(there.live.pages) >= 2
    assert there.live.saved
    assert max(tails) > 0
    assert [str(one) for one in Audit(store).findings()] == []


@pytest.mark.usefixtures("often")
def test_a_night_with_staff_signatures_purses_and_openings_is_kept_whole() -> None:
    store = CountedStore()
    played = play_night(store)
    for live in played.house.tables.values():
        assert again(store, live, is_from_nothing=False) == again(store, live, is_from_nothing=True)
    assert house_of(store, is_from_nothing=False) == house_of(store, is_from_nothing=True)
    assert any(list(newest_body(store, live.stream)) for live in played.house.tables.values())
    assert [str(one) for one in Audit(store).findings()] == []
    before = {name: (live.table, live.version, live.turn) for name, live in played.house.tables.items()}
    house = played.open()
    assert {name: (live.table, live.version, live.turn) for name, live in house.tables.items()} == before


def test_a_long_log_is_not_read_at_a_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is read is the rest behind the snapshots, and the part of the shoe in use."""
    monkeypatch.setattr(snapshots, "TABLE_EVERY", 100)
    monkeypatch.setattr(snapshots, "HOUSE_EVERY", 200)
    there, store = night("nz", {"shoe.decks": 4, "shoe.shuffler": "continuous"})
    there.sit(*PEOPLE)
    chance, taken = random.Random(7), []
    for _ in range(3):
        there.play(40, PEOPLE, chance)
        store.taken = 0
        there.open()
        taken.append(store.taken)
    assert there.store.head().events > 4_000
    assert max(taken) < 100 + 200 + 200


def test_a_house_that_closes_leaves_nothing_to_read() -> None:
    there, store = night("nz", {})
    there.sit(*PEOPLE)
    there.play(20, PEOPLE, random.Random(7))
    there.house.close()
    version = there.live.version
    assert newest(store, "t")[0] == version
    there.house = there.open()
    assert there.live.version == there.live.saved == version
    assert [str(one) for one in Audit(store).findings()] == []


def newest(store: MemoryStore, stream: str) -> tuple[int, TableBody]:
    version, body, _ = next(newest_body(store, stream))
    return version, body


def forge(store: MemoryStore, stream: str, **changed: Any) -> None:
    """Change the newest body of a table, with a digest worked out anew, as anybody can who has the file."""
    version, body = newest(store, stream)
    edited = msgspec.structs.replace(body, **changed)
    assert edited != body
    store.save_snapshot(stream, version, of_table.FORMAT, msgspec.msgpack.encode(edited))


def closed_night() -> tuple[Night, CountedStore]:
    there, store = night("nz", {})
    there.sit(*PEOPLE)
    there.play(10, PEOPLE, random.Random(7))
    there.house.close()
    return there, store


def test_a_snapshot_with_other_chips_is_not_used_and_the_audit_finds_it() -> None:
    there, store = closed_night()
    table_ = there.live.table
    richer = msgspec.structs.replace(table_, players={**table_.players, "ann": table_.players["ann"] + 500})
    forge(store, "t", table=richer)
    assert there.open().tables["t"].table == table_
    assert [str(one) for one in Audit(store).findings()] == [
        f"snapshot of t at {there.live.version}: is not what the events up to there come to"
    ]


def test_a_snapshot_of_the_house_with_another_limit_is_found() -> None:
    _, store = closed_night()
    [row, *_] = store.snapshots("house", snapshots.FORMAT)
    body = snapshots.read_body(row)
    assert body is not None
    edited = msgspec.structs.replace(body, limits=msgspec.structs.replace(body.limits, days=()))
    store.save_snapshot("house", row.version, snapshots.FORMAT, msgspec.msgpack.encode(edited))
    assert [str(one) for one in Audit(store).findings()] == [
        f"snapshot of house at {row.version}: is not what the events up to there come to"
    ]


def test_a_snapshot_of_the_house_that_leaves_a_table_out_is_found() -> None:
    _, store = closed_night()
    [row, *_] = store.snapshots("house", snapshots.FORMAT)
    body = snapshots.read_body(row)
    assert body is not None
    assert body.open == ("t",)
    edited = msgspec.structs.replace(body, open=())
    store.save_snapshot("house", row.version, snapshots.FORMAT, msgspec.msgpack.encode(edited))
    assert [str(one) for one in Audit(store).findings()] == [
        f"snapshot of house at {row.version}: does not name the tables that were open"
    ]


def test_a_table_that_somebody_opened_is_taken_up_and_one_that_is_over_is_not_read() -> None:
    store = CountedStore()
    there = open_night(table(timers=QUICK), store=store)
    una = Who("una", STAFF["una"])
    for name in ("late", "early"):
        there.house.open_table(una, f"open-{name}", table(name, "wa", timers=QUICK), "a full house")
    there.must("una", "supervisor", "enough for today", table="early", do="close_table")
    there.until(lambda: there.at("early").keeper.shoe is None)
    there.house.close()
    store.taken = 0
    opened = there.open()
    assert set(opened.tables) == {"t", "late"}
    assert opened.table_or_closed("early") is not None
    assert store.taken < 100
    assert [str(one) for one in Audit(store).findings()] == []


@pytest.mark.usefixtures("often")
@pytest.mark.parametrize("dealer", ["human", "real"])
def test_pages_that_are_begun_anew_are_not_mixed_with_those_before(dealer: str) -> None:
    """A table that goes on under another kind of dealer, and back, is read from all events and writes its own pages."""
    there, store = night("nz", {"shoe.shuffler": "continuous"})
    there.sit(*PEOPLE)
    there.play(12, PEOPLE, random.Random(3))
    there.until_ready()
    there.bet("ann")
    shoes, pages, usual = there.live.shoes(), there.live.pages, there.settings
    assert len(pages) > 2
    there.house.close()
    [changed] = [msgspec.structs.replace(one, dealer=dealer) for one in usual.tables]
    for settings in (msgspec.structs.replace(usual, tables=(changed,)), usual):
        there.settings = settings
        there.house = there.open()
        assert there.live.shoes() == shoes
        there.house.close()
        assert [str(one) for one in Audit(store).findings()] == []
    assert len({row.version for row in store.snapshot_rows("t") if row.format == of_table.page_format(1)}) == 2


def test_a_table_is_kept_with_voids_of_one_box_and_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshots, "LAST_AFTER", 1)
    there, store = night("nz", {})
    there.sit("ann")
    there.until_ready()
    there.bet("ann")
    there.until(lambda: there.live.table.round.is_over and there.live.rounds_done > 0)
    for more in ({}, {"box": 1}):
        there.act("sue", "supervisor", "a card was seen", do="rule", action="void_round", reason="seen", **more)
        there.clock.pass_(3_000)
        for request in list(there.live.pending.waiting):
            there.act("sue", "supervisor", "not so", do="refuse_signature", request=request)
    there.house.close()
    waited = newest(store, "t")[1].signatures.waited
    assert [void[-1][-1] for void, _ in waited] == [None, 1]


def test_a_snapshot_that_fails_stops_neither_the_table_nor_the_close(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(followed: FollowedTable) -> TableBody:
        raise TypeError("cannot be kept")

    monkeypatch.setattr(snapshots, "TABLE_EVERY", 20)
    monkeypatch.setattr(of_table, "body_of", fail)
    there, store = night("nz", {})
    there.sit(*PEOPLE)
    there.play(5, PEOPLE, random.Random(3))
    there.house.close()
    assert "no snapshot of a table" in caplog.text
    assert {row.stream for row in store.snapshot_rows()} == {"house"}
    assert [str(one) for one in Audit(store).findings()] == []


def test_many_pages_that_are_written_at_once_are_sound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("casinowar.house.journal.PAGE", 1)
    clock = Clock()
    with closing(SqliteStore(tmp_path / "war.db", clock.now)) as store:
        there = open_night(table(timers=QUICK), store=store)
        for number in range(12):
            opened = table(f"x{number}", timers=QUICK)
            there.house.open_table(Who("una", STAFF["una"]), f"o{number}", opened, "a full house")
        there.house.close()
    with closing(AuditedStore(tmp_path / "war.db")) as audited:
        assert sum(row.format.startswith(snapshots.PAGES) for row in audited.snapshot_rows("house")) == 13
        assert [str(one) for one in Audit(audited).findings()] == []


@pytest.mark.parametrize("dealer", ["automatic", "human", "real"])
def test_what_is_done_between_two_shoes_or_without_one_is_not_read_at_a_start(dealer: str) -> None:
    """Guests who sit down and leave again make no start longer."""
    there, store = night("nz", {}, dealer=dealer)
    there.come("ben")
    for _ in range(200):
        there.must("ben", do="sit", box=2)
        there.must("ben", do="leave")
    there.house.close()
    store.taken = 0
    there.open()
    assert store.head().events > 600
    assert store.taken < 20


def test_another_order_of_wagers_in_a_snapshot_is_found() -> None:
    there, store = night("nz", {})
    there.sit(*PEOPLE)
    there.until_ready()
    for box, player in enumerate(PEOPLE, start=1):
        there.act(player, do="place_wager", player=player, box=box, wager="initial", amount=1000)
    there.house.close()
    version, body = newest(store, "t")
    round_ = body.table.round
    assert len(round_.wagers) > 1
    turned = msgspec.structs.replace(round_, wagers=dict(reversed(round_.wagers.items())))
    edited = msgspec.structs.replace(body, table=msgspec.structs.replace(body.table, round=turned))
    store.save_snapshot("t", version, of_table.FORMAT, msgspec.msgpack.encode(edited))
    assert [str(one) for one in Audit(store).findings()] == [
        f"snapshot of t at {version}: is not what the events up to there come to"
    ]


def fields_of(kind: Any, known: dict[str, list[str]]) -> None:
    """The fields of a struct and of all structs within, by name."""
    if not isinstance(kind, type) or not issubclass(kind, msgspec.Struct):
        for part in get_args(kind):
            fields_of(part, known)
    elif kind.__name__ not in known:
        known[kind.__name__] = [f"{one.name}: {one.type}" for one in msgspec.structs.fields(kind)]
        for one in msgspec.structs.fields(kind):
            fields_of(one.type, known)


def test_the_form_of_the_bodies_is_pinned() -> None:
    """A field more or less, here or in the engine's table, takes another number of the format."""
    known: dict[str, list[str]] = {}
    for kind in (TableBody, of_table.TablePage, snapshots.HouseBody):
        fields_of(kind, known)
    assert {"Table", "Round", "Wager", "ListedShoe", "Span", "RoundLine", "KeptLimits", "TableListed"} <= known.keys()
    told = hashlib.sha256(json.dumps(known, sort_keys=True).encode()).hexdigest()[:16]
    formats = (of_table.FORMAT, snapshots.FORMAT, of_table.PAGES, snapshots.PAGES)
    assert (formats, told) == (("table/1", "house/1", "page/1.", "openings/1."), PINNED)
