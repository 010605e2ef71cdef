"""Edits that one check alone can find while a table is read many events at a time: all else agrees with them.

Each is planted in the rows with all hashes worked out anew. Nobody has signed anything, and there are no snapshots,
which would tell by a hash that something is not as it was.
"""

import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

import casinowar.audit.openings as auditing_openings
import casinowar.audit.rounds as auditing_rounds
from casinowar.audit import Audit
from casinowar.audit.house import HouseAudit
from casinowar.audit.log import LogWalk
from casinowar.audit.openings import Openings, audit_openings
from casinowar.audit.quick_log import Doubt, QuickEvent, QuickLog
from casinowar.audit.snapshot import AuditedStore
from casinowar.audit.stream_log import Batch, PlainSource, StreamFacts
from casinowar.audit.table_money import QuickMoney
from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.history.round_record import record_of
from casinowar.store import (
    CommandTaken,
    LeaveCancelled,
    MemoryStore,
    Recalled,
    Recorded,
    ShoeCut,
    ShoeSealed,
    SqliteStore,
    Store,
)
from casinowar.store.chains import EVENT, chain_link
from casinowar.store.events import SHOE_EVENTS
from casinowar.store.sqlite.connection import execute
from tests.support.audited_nights import open_night, play_night, retold
from tests.support.edited_rows import Editor
from tests.support.live_night import table

Entries = dict[int, dict[str, Any]]
"""The entries of the events of a table by their positions."""


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("quick") / "war.db"
    with closing(SqliteStore(file)) as store:
        play_night(store)
    editor = Editor(file, random.Random(0))
    execute(editor.db, "DELETE FROM snapshots")
    editor.close(is_rechained=False)
    return file


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    with closing(MemoryStore()) as store:
        play_night(store)
        yield store


def findings(file: Path) -> list[str]:
    with closing(AuditedStore(file)) as store:
        return [str(one) for one in Audit(store).findings()]


def told_otherwise(file: Path, folder: Path, change: Callable[[Entries], Entries]) -> Path:
    """A copy in which these entries stand, with the rows of their postings."""
    copy = Path(shutil.copy(file, folder / "copy.db"))
    editor = Editor(copy, random.Random(0))
    rows = execute(editor.db, "SELECT position, entry FROM events WHERE stream = 't' ORDER BY position")
    for position, entry in change({int(str(at)): msgspec.json.decode(entry) for at, entry in rows}).items():  # type: ignore[arg-type]
        execute(editor.db, "UPDATE events SET entry = ? WHERE position = ?", (msgspec.json.encode(entry), position))
        execute(editor.db, "DELETE FROM postings WHERE position = ?", (position,))
        for line, posting in enumerate(entry["postings"]):
            execute(editor.db, "INSERT INTO postings VALUES (?, ?, ?, ?)", (position, line, *posting))
    editor.close(is_rechained=True)
    return copy


def test_entries_written_again_as_they_are_are_sound(night: Path, tmp_path: Path) -> None:
    assert findings(told_otherwise(night, tmp_path, lambda entries: entries)) == []


def settled_together(entries: Entries) -> tuple[int, int]:
    """Two wagers that one command settles, with other postings each."""
    settled = [(at, one) for at, one in entries.items() if one["name"] == "wager_settled"]
    return next(
        (first, second)
        for first, one in settled
        for second, other in settled
        if first < second and one["command"] == other["command"] and one["postings"] != other["postings"]
    )


def test_postings_that_two_events_of_a_command_have_exchanged_are_found(night: Path, tmp_path: Path) -> None:
    """The command moves the same in all: rows, balances and sums agree, and one player has what another has won."""

    def exchange(entries: Entries) -> Entries:
        first, second = settled_together(entries)
        one, other = entries[first], entries[second]
        return {first: one | {"postings": other["postings"]}, second: other | {"postings": one["postings"]}}

    told = findings(told_otherwise(night, tmp_path, exchange))
    assert [one.partition(": ")[2] for one in told] == ["its postings do not follow from it"] * 2


@pytest.mark.parametrize("field", ["actor", "command"])
def test_an_event_that_names_another_cause_than_its_command_is_found(night: Path, tmp_path: Path, field: str) -> None:
    def rename(entries: Entries) -> Entries:
        _, second = settled_together(entries)
        return {second: entries[second] | {field: "zoe"}}

    told = findings(told_otherwise(night, tmp_path, rename))
    assert [one.partition(": ")[2] for one in told] == ["its events name another command"]


def test_a_position_that_is_left_out_within_a_command_is_found(night: Path, tmp_path: Path) -> None:
    """Events, postings and commands behind it all count on from there, as if an event had been taken out."""
    copy = Path(shutil.copy(night, tmp_path / "copy.db"))
    editor = Editor(copy, random.Random(0))
    rows = {
        int(str(at)): msgspec.json.decode(bytes(entry))  # type: ignore[arg-type]
        for at, entry in execute(editor.db, "SELECT position, entry FROM events ORDER BY position DESC")
    }
    _, gap = settled_together({at: one for at, one in sorted(rows.items()) if one["stream"] == "t"})
    for at, entry in rows.items():
        if at >= gap:
            moved = msgspec.json.encode(entry | {"position": at + 1})
            execute(editor.db, "UPDATE events SET position = ?, entry = ? WHERE position = ?", (at + 1, moved, at))
            execute(editor.db, "UPDATE postings SET position = ? WHERE position = ?", (at + 1, at))
    for number, row in execute(editor.db, "SELECT number, entry FROM commands"):
        record = msgspec.json.decode(bytes(row))  # type: ignore[arg-type]
        record |= {field: record[field] + (record[field] >= gap) for field in ("first", "last")}
        execute(editor.db, "UPDATE commands SET entry = ? WHERE number = ?", (msgspec.json.encode(record), number))
    editor.close(is_rechained=True)
    assert findings(copy)


@pytest.mark.parametrize("at", [1, 40, -1])
def test_a_hash_that_is_not_that_of_its_entry_is_found_where_nobody_has_signed_any(
    night: Path, tmp_path: Path, at: int
) -> None:
    copy = Path(shutil.copy(night, tmp_path / "copy.db"))
    editor = Editor(copy, random.Random(0))
    rows = execute(editor.db, "SELECT position FROM events WHERE stream = 't' ORDER BY position")
    positions = [int(str(row[0])) for row in rows]
    execute(editor.db, "UPDATE events SET hash = zeroblob(32) WHERE position = ?", (positions[at],))
    editor.close(is_rechained=False)
    versions = range(1, len(positions) + 1)
    assert f"event {positions[at]} (t {versions[at]}): the chain breaks here" in findings(copy)


@pytest.mark.parametrize("name", ["command_taken", "card_dealt", "shoe_sealed", "shoe_loaded", "wager_settled"])
def test_postings_of_an_event_that_moves_nothing_are_found(night: Path, tmp_path: Path, name: str) -> None:
    """What comes to nothing in all is in no balance; `wager_settled` is the twin that has postings of its own."""

    def add(entries: Entries) -> Entries:
        at, one = next((at, one) for at, one in entries.items() if one["name"] == name)
        return {at: one | {"postings": [*one["postings"], ["chips:t:ann", 5], ["chips:t:ann", -5]]}}

    told = findings(told_otherwise(night, tmp_path, add))
    assert [one.partition(": ")[2] for one in told] == ["its postings do not follow from it"]


class BrokenSource(PlainSource):
    """A store in whose rows one hash of a stream is another."""

    at: int | None = None

    def batches(self, stream: str) -> Iterator[Batch]:
        for rows, postings in super().batches(stream):
            broken = [(*row[:5], bytes(32)) if row[2] == self.at else row for row in rows]
            yield broken, postings


@pytest.mark.parametrize("at", [1, 40, 200])
def test_a_hash_that_is_not_that_of_its_entry_is_a_doubt_at_once(store: Store, at: int) -> None:
    """It need not come out only where the end of the chain is held against the head that is kept."""
    source, marks = BrokenSource(store), LogWalk(store, (), []).marks("t")
    assert sum(map(len, QuickLog(source, "t", marks))) == store.version("t") > 200
    source.at = at
    with pytest.raises(Doubt):
        list(QuickLog(source, "t", marks))


class ToldSource(PlainSource):
    """A store in which some entries of a stream are others, with columns, postings and a chain to go with them."""

    def __init__(self, store: Store, start: bytes, change: Callable[[list[dict[str, Any]]], None]) -> None:
        super().__init__(store)
        self._start, self._change = start, change

    def batches(self, stream: str) -> Iterator[Batch]:
        for rows, _ in super().batches(stream):
            entries = [msgspec.json.decode(row[4]) for row in rows]
            self._change(entries)
            told, head = [], self._start
            for one in entries:
                entry = msgspec.json.encode(one)
                head = chain_link(EVENT, head, entry)
                told.append((one["position"], one["stream"], one["version"], one["name"], entry, head))
            yield (
                told,
                [(one["position"], line, *at) for one in entries for line, at in enumerate(one["postings"])],
            )


def skip_version(entries: list[dict[str, Any]]) -> None:
    for one in entries[60:]:
        one["version"] += 1


def exchange_positions(entries: list[dict[str, Any]]) -> None:
    entries[60]["position"], entries[61]["position"] = entries[61]["position"], entries[60]["position"]


def be_of_another_stream(entries: list[dict[str, Any]]) -> None:
    for one in entries:
        one["stream"] = "c"


def have_another_name(entries: list[dict[str, Any]]) -> None:
    entries[60]["name"] = "table_opened" if entries[60]["name"] != "table_opened" else "card_dealt"


def be_of_another_version(entries: list[dict[str, Any]]) -> None:
    entries[60]["event_version"] += 90


def be_of_another_format(entries: list[dict[str, Any]]) -> None:
    entries[60]["format"] += 90


@pytest.mark.parametrize(
    "change",
    [
        skip_version,
        exchange_positions,
        be_of_another_stream,
        have_another_name,
        be_of_another_version,
        be_of_another_format,
    ],
)
def test_entries_out_of_order_are_a_doubt_where_their_columns_and_chain_agree(
    store: Store, change: Callable[[list[dict[str, Any]]], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    house = HouseAudit()
    assert list(house.findings(store.read("house"))) == []
    marks = {"t": LogWalk(store, (), []).marks("t")}
    openings, told = Openings("t", ("t",), store.version("t"), marks=marks), [0]
    monkeypatch.setattr(auditing_openings, "_audit_thoroughly", None)
    audit_openings(ToldSource(store, marks["t"].start, lambda entries: None), house, openings, told.append)
    assert sum(told) > 3, "rounds were counted, and none of them taken back"
    with pytest.raises(TypeError, match="NoneType"):
        audit_openings(ToldSource(store, marks["t"].start, change), house, openings, told.append)


@pytest.mark.parametrize("box", [1, 2])
def test_a_wager_before_a_shoe_was_sealed_is_found_where_it_is_sealed_before_the_first_card(box: int) -> None:
    """The seal and the cut come behind the first wager, and all cards are those of the shoe.

    Who bets in another box than their own is seated there by the same command.
    """
    played = open_night(table("x", options={"burn.due": "at_deal", "table.multi_box": True}))
    played.sit("ann")
    played.until_ready()
    played.bet("ann", box=box)
    played.until(lambda: played.live.table.round.is_over)
    held: list[Recorded] = []
    is_placed = False

    def retell(one: Recalled) -> list[Recorded]:
        nonlocal is_placed
        if not is_placed and isinstance(one.event, ShoeSealed | ShoeCut):
            held.append(one.event)
            return []
        if not is_placed and isinstance(one.event, e.WagerPlaced):
            is_placed = True
            return [one.event, *held]
        return [one.event]

    told = [str(one) for one in Audit(retold(played.store, retell)).findings()]
    assert len(held) > 0
    assert [one.partition(": ")[2] for one in told] == ["a wager was taken before a shoe was sealed"]


def test_a_card_from_no_shoe_is_found_where_no_wager_was_ever_taken() -> None:
    """The opening burn of a table at which nobody has played yet; no wager asks for the shoe."""
    played = open_night(table("x", options={"burn.due": "when_loaded"}))
    played.sit("ann")
    played.until_ready()
    assert any(isinstance(one.event, e.CardBurned) for one in played.store.read("x"))
    forged = retold(played.store, lambda one: [] if isinstance(one.event, SHOE_EVENTS) else [one.event])
    [told] = [str(one) for one in Audit(forged).findings()]
    assert told.endswith("shoe ?: a card came from no sealed shoe")


def test_another_burned_card_that_a_player_was_shown_is_found() -> None:
    """The engine knows no face of it, and its command says the same: only the shoe has another card."""
    played = open_night(table("t", "nz"))
    played.sit("ann")
    played.until_ready()
    played.must("ann", do="view_initial_burn", player="ann")
    [was] = [one.event.card for one in played.store.read("t") if isinstance(one.event, e.BurnViewed)]
    assert was is not None
    shown = "2c" if was != "2c" else "3d"

    def retell(one: Recalled) -> list[Recorded]:
        taken = one.event.command if isinstance(one.event, CommandTaken) else one.event
        if not isinstance(taken, e.BurnViewed | c.ViewInitialBurn):
            return [one.event]
        forged = msgspec.json.encode(one.event).replace(f'"{was}"'.encode(), f'"{shown}"'.encode())
        return [msgspec.json.decode(forged, type=type(one.event))]

    [told] = [str(one) for one in Audit(retold(played.store, retell)).findings()]
    assert told.endswith(f"{shown} was shown, where {was} was burned")


def test_an_event_before_the_rules_of_a_table_is_found(store: Store) -> None:
    def retell(one: Recalled) -> list[Recorded]:
        return [LeaveCancelled("ann"), one.event] if (one.stream, one.version) == ("t", 1) else [one.event]

    [told] = [str(one) for one in Audit(retold(store, retell)).findings()]
    assert told.endswith("(t 1): a table begins with its rules")


def test_a_record_of_an_unusual_round_that_comes_to_other_money_is_found(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def richer(steps: Any) -> dict[str, Any]:
        record = record_of(steps)
        return {**record, "players": {player: chips + 1 for player, chips in record["players"].items()}}

    monkeypatch.setattr(auditing_rounds, "record_of", richer)
    told = [str(one) for one in Audit(store).findings()]
    assert told
    assert all("players: its record comes to" in one for one in told), told


def test_a_fault_in_the_record_of_the_last_round_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """No round comes behind it, with which it would be complete."""
    played = open_night(table("x"))
    played.sit("ann")
    played.until_ready()
    played.bet("ann")
    played.until(lambda: played.live.table.round.is_over)
    monkeypatch.setattr(auditing_rounds, "USUAL", frozenset())
    assert list(Audit(played.store).findings()) == []
    monkeypatch.setattr(auditing_rounds, "_fault", lambda steps: "comes to something else")
    assert [str(one) for one in Audit(played.store).findings()] == ["x, round 1: comes to something else"]


def posted(amount: int, *postings: tuple[str, int]) -> QuickEvent:
    return QuickEvent(
        position=1,
        stream="t",
        version=1,
        at=0,
        actor="ann",
        command="one",
        postings=postings,
        event=e.WagerPlaced("ann", 1, "initial", amount),
        format=1,
        name="wager_placed",
        event_version=1,
    )


def follow(one: QuickEvent, chips: int) -> dict[str, int]:
    """The balances after an event, before which the player has so many chips."""
    facts = StreamFacts("t", held={"chips:t:ann": chips})
    money = QuickMoney(facts, ())
    money.begin(one)
    money.post(one.position, one.event)
    money.go_on(one.position, one.version)
    money.end()
    return facts.held


def test_chips_that_a_player_does_not_have_are_a_doubt() -> None:
    wager = posted(100, ("chips:t:ann", -100), ("escrow:t", 100))
    assert follow(wager, 100) == {"chips:t:ann": 0, "escrow:t": 100}
    with pytest.raises(Doubt):
        follow(wager, 99)


def test_money_from_nowhere_is_a_doubt_even_where_the_ledger_would_make_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rules of the ledger all sum to zero; here one of them does not, and the postings are what it says."""
    wager = posted(100, ("chips:t:ann", -100), ("escrow:t", 101))
    monkeypatch.setattr("casinowar.store.ledger.LayoutWalk.post", lambda walk, event: wager.postings)
    with pytest.raises(Doubt):
        follow(wager, 100)
