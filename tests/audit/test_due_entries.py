"""Entries held byte for byte: what is written is what the store writes, and what it is held against is all of it."""

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import msgspec
import pytest

import casinowar.audit.due_entries as due_entries
import casinowar.audit.openings as auditing_openings
from casinowar.audit import Audit
from casinowar.audit.due_entries import QuickEntries
from casinowar.audit.quick_log import Doubt, QuickEvent, read_rows
from casinowar.audit.stream_log import Row
from casinowar.errors import CasinoWarError
from casinowar.store import OWN, CommandTaken, MemoryStore, Store
from tests.support.audited_nights import play_night


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    with closing(MemoryStore()) as store:
        play_night(store)
        yield store


def rows_of(store: Store, stream: str) -> list[Row]:
    return [
        (row.position, row.stream, row.version, row.name, row.entry, row.hash)
        for row in store.event_rows()
        if row.stream == stream
    ]


def commands_of(store: Store, stream: str) -> Iterator[tuple[QuickEvent, list[Row], list[QuickEvent]]]:
    """Each command of a stream that has events, with their rows, and what is read of these."""
    rows = rows_of(store, stream)
    ones = read_rows(rows)
    starts = [at for at, one in enumerate(ones) if isinstance(one.event, OWN)]
    for start, end in zip(starts, [*starts[1:], len(ones)], strict=True):
        if isinstance(ones[start].event, CommandTaken) and end > start + 1:
            yield ones[start], rows[start + 1 : end], ones[start + 1 : end]


def require(taken: QuickEvent, rows: list[Row], ones: list[QuickEvent]) -> None:
    events: list[Any] = [one.event for one in ones]
    QuickEntries(taken.stream).require(taken, rows, events, [one.postings for one in ones])


def test_every_event_of_a_night_is_written_as_the_store_has_written_it(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Byte for byte: none of them has to be read for it."""
    monkeypatch.setattr(due_entries, "_require_alike", None)
    kinds = set()
    for stream in store.streams():
        for taken, rows, ones in commands_of(store, stream):
            require(taken, rows, ones)
            kinds |= {one.name for one in ones}
    assert kinds >= {"wager_settled", "betting_closed", "card_dealt", "round_ended", "shoe_loaded", "bought_in"}, kinds


def test_a_sound_night_is_audited_without_reading_the_engines_events(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(due_entries, "_require_alike", None)
    monkeypatch.setattr(auditing_openings, "_audit_thoroughly", None)
    assert list(Audit(store).findings()) == []


def settled(store: Store) -> tuple[QuickEvent, list[Row], list[QuickEvent]]:
    """A command that settles wagers."""
    return next(one for one in commands_of(store, "t") if any(event.name == "wager_settled" for event in one[2]))


def changed(row: Row, change: dict[str, Any]) -> Row:
    entry = msgspec.json.decode(row[4])
    return (*row[:4], msgspec.json.encode(entry | change), row[5])


CHANGES = [
    {"format": 2}, {"position": 1}, {"stream": "u"}, {"version": 1}, {"name": "card_dealt"}, {"event_version": 7},
    {"at": 1}, {"actor": "zoe"}, {"command": "zoe"}, {"postings": []}, {"postings": [["float:t", 0]]},
    {"event": {"name": "cut_card_reached", "clauses": []}}, {"more": 1},
]  # fmt: skip


@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_any_part_of_an_entry_that_is_another_is_a_doubt(store: Store, change: dict[str, Any]) -> None:
    taken, rows, ones = settled(store)
    at = next(at for at, one in enumerate(ones) if one.name == "wager_settled")
    require(taken, rows, ones)
    with pytest.raises((CasinoWarError, msgspec.MsgspecError)):
        require(taken, [*rows[:at], changed(rows[at], change), *rows[at + 1 :]], ones)


def test_any_field_of_an_event_that_is_another_is_a_doubt(store: Store) -> None:
    taken, rows, ones = settled(store)
    at = next(at for at, one in enumerate(ones) if one.name == "wager_settled")
    event = msgspec.json.decode(rows[at][4])["event"]
    others = {int: 7_777, str: "zoe", list: [], type(None): "zoe"}
    tried = 0
    for field, was in event.items():
        other = others[type(was)]
        if was != other and field != "name":
            tried += 1
            with pytest.raises((CasinoWarError, msgspec.MsgspecError)):
                require(
                    taken,
                    [*rows[:at], changed(rows[at], {"event": event | {field: other}}), *rows[at + 1 :]],
                    ones,
                )
    assert tried >= 8


def test_other_columns_than_those_of_the_entry_are_a_doubt(store: Store) -> None:
    taken, rows, ones = settled(store)
    first = rows[0]
    for columns in ((first[0] + 1, *first[1:]), (*first[:2], first[2] + 1, *first[3:]), (*first[:3], "x", *first[4:])):
        with pytest.raises(Doubt):
            require(taken, [columns, *rows[1:]], ones)


def test_an_entry_of_other_bytes_that_says_the_same_is_read_and_no_doubt(store: Store) -> None:
    """Such as one that an earlier program wrote, with spaces or with its keys in another order."""
    taken, rows, ones = settled(store)
    entry = msgspec.json.decode(rows[0][4])
    turned = {**entry, "event": dict(reversed(entry["event"].items()))}
    for other in (msgspec.json.format(rows[0][4], indent=1), msgspec.json.encode(turned)):
        assert other != rows[0][4]
        require(taken, [(*rows[0][:4], other, rows[0][5]), *rows[1:]], ones)


def test_no_more_bytes_are_kept_than_so_many(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(due_entries, "BODIES_KEPT", 5)
    entries = QuickEntries("t")
    for taken, rows, ones in commands_of(store, "t"):
        events: list[Any] = [one.event for one in ones]
        entries.require(taken, rows, events, [one.postings for one in ones])
        assert len(entries._bodies) <= 5
