"""The contract of the store, run against each kind; and what the file must withstand besides."""

import hashlib
import json
import logging
import os
import random
import shutil
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import cycle
from pathlib import Path
from typing import Any

import apsw
import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from casinowar.dealers import Session
from casinowar.engine import Table
from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.fairness import practice_shuffles
from casinowar.rulebooks import BOOKS, load_rulebook
from casinowar.store import (
    Answer,
    BookChanged,
    CashedOut,
    CommandReused,
    Imbalance,
    MemoryStore,
    Overdrawn,
    Proposal,
    PurseDrained,
    PurseFunded,
    Recorded,
    SqliteStore,
    Store,
    StoreFailed,
    StoreFault,
    StoreInUse,
    StreamStopped,
    VersionConflict,
    audit,
    checkpoints,
    data_folder,
    dump_checkpoint,
    load_checkpoint,
    load_key,
    make_checkpoint,
    public_key,
    resolved,
    rules_of,
    stand,
)
from casinowar.store.chains import OLD_EVENT, chain_link
from casinowar.store.contract import CommandRecord, StoreError
from casinowar.store.envelope import UPCASTS, VERSIONS, UnreadableEvent, canonical, event_in, open_envelope
from casinowar.store.ledger import BOUND
from casinowar.store.sqlite import connection, migrate
from tests.support.edited_rows import rechain
from tests.support.stores import KINDS, new_store

FROZEN = Path(__file__).parents[1] / "store" / "format-1.jsonl"
Opener = Callable[[], Store]


@pytest.fixture(params=[*KINDS, "postgres by two doors", "simulated by two doors"])
def opener(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opener]:
    """Gives the same store each time, through as many doors as its kind has."""
    clock = iter(range(1, 10**9))
    now = lambda: next(clock)  # noqa: E731
    doors = 2 if "by two doors" in request.param else 1
    request.param = request.param.partition(" ")[0]
    stores = [new_store(request, tmp_path / "war.db", now) for _ in range(doors)]
    turns = cycle(stores)
    yield lambda: next(turns)
    for store in stores:
        store.close()


@pytest.fixture
def store(opener: Opener) -> Store:
    return opener()


def propose(store: Store, command: str, *events: Recorded, stream: str = "t1", **more: Any) -> Proposal:
    fields: dict[str, Any] = {
        "stream": stream,
        "expected": store.version(stream),
        "actor": "player:ana",
        "command": command,
        "body": command.encode(),
        "answer": f"done {command}",
        "events": events,
    }
    return Proposal(**{**fields, **more})


def write(store: Store, command: str, *events: Recorded, stream: str = "t1", **more: Any) -> Answer:
    return store.commit(propose(store, command, *events, stream=stream, **more))


def fund(store: Store, player: str, amount: int, command: str = "fund") -> Answer:
    return write(store, command, PurseFunded(player, amount, "operator:o1", "guest purse"), stream="cage")


def everything(store: Store) -> tuple[Any, ...]:
    """All that a store holds, to tell whether something changed."""
    rows = list(store.event_rows()), list(store.command_rows()), list(store.posting_rows())
    return (*rows, store.balances(), store.checkpoints(), store.head())


# Writing and reading


def test_what_is_committed_is_read_back_in_order(store: Store) -> None:
    fund(store, "ana", 5000)
    first = write(store, "1", e.BoughtIn("ana", 3000), e.PlayerSeated("ana", 2))
    second = write(store, "2", e.WagerPlaced("ana", 2, "initial", 1000, clauses=("NZ-5.1",)))
    assert (first.version, first.first, first.last, first.is_repeated) == (2, 2, 3, False)
    assert (second.version, second.first, second.last) == (3, 4, 4)
    read = list(store.read("t1"))
    assert [one.event for one in read] == [
        e.BoughtIn("ana", 3000),
        e.PlayerSeated("ana", 2),
        e.WagerPlaced("ana", 2, "initial", 1000, clauses=("NZ-5.1",)),
    ]
    assert [(one.position, one.version, one.command, one.actor) for one in read] == [
        (2, 1, "1", "player:ana"),
        (3, 2, "1", "player:ana"),
        (4, 3, "2", "player:ana"),
    ]
    assert [one.event for one in store.read("t1", after=2)] == [read[2].event]
    assert list(store.read("nowhere")) == []
    assert (store.version("t1"), store.version("nowhere")) == (3, 0)
    assert store.streams() == ["cage", "t1"]


def test_postings_and_balances_are_written_with_the_events(store: Store) -> None:
    fund(store, "ana", 5000)
    write(store, "1", e.BoughtIn("ana", 3000), e.WagerPlaced("ana", 2, "initial", 1000))
    write(store, "2", CashedOut("ana", 500), PurseDrained("ana", 100, "operator:o1", "left"))
    held = {account: balance for account, balance in store.balances().items() if balance}
    assert held == {"issuance": -4900, "purse:ana": 2400, "chips:t1:ana": 1500, "escrow:t1": 1000}
    assert store.balance("purse:ana") == 2400
    assert store.balance("purse:zoe") == 0
    assert store.statement("chips:t1:ana") == [(2, 3000), (3, -1000), (4, -500)]


def test_a_refused_command_keeps_its_answer_and_writes_no_event(store: Store) -> None:
    refused = write(store, "1", answer="refused: betting_closed")
    assert refused.first > refused.last
    assert store.version("t1") == 0
    again = store.answer_to("player:ana", "1", b"1")
    assert again is not None
    assert (again.answer, again.is_repeated) == ("refused: betting_closed", True)
    assert audit(store) == []


# Each command once


def test_a_repeated_id_gives_the_stored_answer_and_changes_nothing(store: Store) -> None:
    fund(store, "ana", 5000)
    first = write(store, "1", e.BoughtIn("ana", 3000))
    write(store, "2", e.PlayerSeated("ana", 1))
    before = everything(store)
    again = store.commit(propose(store, "1", e.BoughtIn("ana", 3000), expected=0, answer="something else"))
    assert again == msgspec.structs.replace(first, is_repeated=True)
    assert again.answer == "done 1"
    assert everything(store) == before


def test_a_stored_answer_is_found_before_deciding(store: Store) -> None:
    assert store.answer_to("player:ana", "1", b"1") is None
    write(store, "1", e.PlayerSeated("ana", 1))
    found = store.answer_to("player:ana", "1", b"1")
    assert found is not None
    assert found.answer == "done 1"
    with pytest.raises(CommandReused):
        store.answer_to("player:ana", "1", b"other")


def test_an_id_used_for_another_command_is_refused(store: Store) -> None:
    write(store, "1", e.PlayerSeated("ana", 1))
    before = everything(store)
    with pytest.raises(CommandReused):
        write(store, "1", e.PlayerSeated("ana", 2), body=b"other")
    assert everything(store) == before


def test_ids_of_different_people_do_not_meet(store: Store) -> None:
    write(store, "1", e.PlayerSeated("ana", 1))
    other = write(store, "1", e.PlayerSeated("ben", 2), actor="player:ben", body=b"ben's")
    assert not other.is_repeated
    assert store.version("t1") == 2


def test_a_hundred_copies_at_once_have_one_effect_and_one_answer(opener: Opener) -> None:
    fund(opener(), "ana", 5000)
    gate = threading.Barrier(20)

    def send(number: int) -> Answer:
        store = opener()
        gate.wait()
        return store.commit(propose(store, "1", e.BoughtIn("ana", 3000), expected=0, answer=f"copy {number}"))

    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(send, range(100)))
    assert len({answer.answer for answer in answers}) == 1
    assert sum(not answer.is_repeated for answer in answers) == 1
    assert opener().balance("chips:t1:ana") == 3000
    assert opener().version("t1") == 1


# Concurrency and overdraft


def test_a_stale_version_is_refused(store: Store) -> None:
    write(store, "1", e.PlayerSeated("ana", 1))
    before = everything(store)
    for stale in (0, 2):
        with pytest.raises(VersionConflict):
            write(store, "2", e.PlayerSeated("ben", 2), expected=stale)
    assert everything(store) == before


def test_what_rests_on_a_purse_that_has_moved_is_refused(store: Store, opener: Opener) -> None:
    fund(store, "ana", 5)
    given = propose(store, "2", PurseFunded("ana", 100, "house", "refill"), stream="cage", held={"purse:ana": 5})
    write(opener(), "1", e.BoughtIn("ana", 5))
    before = everything(store)
    with pytest.raises(VersionConflict):
        store.commit(given)
    assert everything(store) == before
    store.commit(msgspec.structs.replace(given, held={"purse:ana": 0, "purse:ben": 0}))
    assert store.balance("purse:ana") == 100


def test_racing_writers_leave_no_gap_and_no_fork(opener: Opener) -> None:
    each = 15 if isinstance(opener(), MemoryStore | SqliteStore) else 4  # Each try goes over a connection.

    def append(writer: int) -> int:
        conflicts, store = 0, opener()
        for number in range(each):
            while True:
                try:
                    write(store, f"{writer}-{number}", e.TimePassed(writer), actor=f"w{writer}")
                    break
                except VersionConflict:
                    conflicts += 1
        return conflicts

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(append, range(8)))
    store = opener()
    assert [one.version for one in store.read("t1")] == list(range(1, 8 * each + 1))
    assert {one.command for one in store.read("t1")} == {f"{w}-{n}" for w in range(8) for n in range(each)}
    assert audit(store) == []


def test_a_purse_for_one_wager_pays_for_one_of_two_hundred_at_two_tables(opener: Opener) -> None:
    fund(opener(), "ana", 1000)

    def bet(number: int) -> bool:
        store, stream = opener(), f"t{number % 2}"
        events = (e.BoughtIn("ana", 1000), e.WagerPlaced("ana", 1, "initial", 1000))
        while True:
            try:
                write(store, f"bet {number}", *events, stream=stream)
                return True
            except VersionConflict:
                continue
            except Overdrawn:
                return False

    with ThreadPoolExecutor(16) as pool:
        assert sum(pool.map(bet, range(200))) == 1
    store = opener()
    assert (store.balance("purse:ana"), store.balance("escrow:t0") + store.balance("escrow:t1")) == (0, 1000)
    assert audit(store) == []


@pytest.mark.parametrize(
    "events",
    [
        (e.BoughtIn("ana", 5001),),
        (e.BoughtIn("ana", 5000), e.WagerPlaced("ana", 1, "initial", 5001)),
        (CashedOut("ana", 1),),
        (e.BankAccepted("ana", 1, 1),),
        (PurseDrained("zoe", 1, "operator:o1", "none there"),),
        (PurseFunded("ana", BOUND, "operator:o1", "too much to count"),),
    ],
)
def test_nobody_can_owe_and_nothing_grows_past_counting(store: Store, events: tuple[Recorded, ...]) -> None:
    fund(store, "ana", 5000)
    before = everything(store)
    with pytest.raises(Overdrawn):
        write(store, "1", *events)
    assert everything(store) == before
    assert store.stopped("t1") is None
    assert write(store, "1", e.BoughtIn("ana", 5000)).version == 1, "the id of what was not written is free"


def test_the_float_may_owe(store: Store) -> None:
    fund(store, "ana", 1000)
    won = e.WagerSettled("ana", 1, "initial", 1000, "win", "1:1", 1000, 1000)
    write(store, "1", e.BoughtIn("ana", 1000), e.WagerPlaced("ana", 1, "initial", 1000), won)
    assert store.balance("float:t1") == -1000


@pytest.mark.parametrize("stream", ["", "a:b", "a b", "é", "x" * 65, "-x"])
def test_a_stream_has_a_plain_name(store: Store, stream: str) -> None:
    with pytest.raises(StoreError, match="no name"):
        write(store, "1", e.PlayerSeated("ana", 1), stream=stream)


# Trial balance


@pytest.mark.parametrize(
    ("events", "table"),
    [
        ((e.BoughtIn("ana", 3000),), Table(players={"ana": 3001}, bought_in=3001)),
        ((e.BoughtIn("ana", 3000),), Table(players={"ana": 3000}, house=1)),
        ((e.BoughtIn("ana", 3000), e.WagerPlaced("ana", 1, "initial", 500)), Table(players={"ana": 2500}, escrow=501)),
        ((e.TableOpened(c.Limit(), {}, 700),), Table(meter=701)),
        ((e.WagerSettled("ana", 1, "tie", 500, "lose", None, 0, 0),), None),
    ],
)
def test_an_imbalance_stops_the_table_loudly(
    store: Store, events: tuple[Recorded, ...], table: Table | None, caplog: pytest.LogCaptureFixture
) -> None:
    fund(store, "ana", 5000)
    balances = store.balances()
    with caplog.at_level(logging.CRITICAL), pytest.raises(Imbalance):
        write(store, "1", *events, table=table)
    assert [record.levelname for record in caplog.records] == ["CRITICAL"]
    assert store.balances() == balances
    assert store.answer_to("player:ana", "1", b"1") is None
    assert store.stopped("t1")
    assert [type(one.event).__name__ for one in store.read("t1")] == ["TableStopped"]
    with pytest.raises(StreamStopped):
        write(store, "2", e.PlayerSeated("ana", 1))
    assert write(store, "2", e.PlayerSeated("ana", 1), stream="t2").version == 1, "other tables go on"
    store.clear("t1", "operator:o1", "the cause was found")
    assert store.stopped("t1") is None
    assert write(store, "3", e.PlayerSeated("ana", 1)).version == 3
    assert audit(store) == []


def test_an_imbalance_of_what_is_no_table_is_refused_and_leaves_no_mark(store: Store) -> None:
    lost = e.WagerSettled("ana", 1, "tie", 500, "lose", None, 0, 0)
    wrong = Proposal(
        stream="house", expected=0, actor="house", command="1", body=b"1", answer="{}", events=(lost,),
        is_of_a_table=False,
    )  # fmt: skip
    with pytest.raises(Imbalance):
        store.commit(wrong)
    assert store.stopped("house") is None, "nobody could clear it"
    fund(store, "ana", 5000)
    assert write(store, "2", PurseFunded("ana", 1, "house", "welcome"), stream="house").version == 1
    assert audit(store) == []


def test_a_table_that_agrees_goes_on(store: Store) -> None:
    fund(store, "ana", 5000)
    write(store, "1", e.BoughtIn("ana", 3000), table=Table(players={"ana": 3000}, bought_in=3000))
    assert store.stopped("t1") is None


# The book


@pytest.mark.parametrize(
    ("book", "options"),
    [*((book, {}) for book in BOOKS), ("nz", {"shoe.decks": 8}), ("examples/las_vegas.toml", {})],
)
def test_the_rules_come_back_from_their_stored_leaves(store: Store, book: str, options: dict[str, Any]) -> None:
    path = str(Path(__file__).parents[2] / book) if "/" in book else book
    rules = load_rulebook(path, options)
    write(store, "1", resolved(rules))
    stored = next(store.read("t1")).event
    assert isinstance(stored, type(resolved(rules)))
    assert set(stored.leaves) == set(rules.leaves)
    assert rules_of(stored) == rules
    changed = {**stored.leaves, "war.burn": {**stored.leaves["war.burn"], "value": 1}}
    with pytest.raises(BookChanged):
        rules_of(msgspec.structs.replace(stored, leaves=changed))


# Chain and checkpoints


def played(store: Store, rounds: int = 3) -> Table:
    """A table of some rounds in the store."""
    rules = load_rulebook("wa")
    session = Session(rules, practice_shuffles("audit"), c.Limit(minimum=500, maximum=5000, unit=500))
    fund(store, "ana", 100_000)
    write(store, "open", resolved(rules), *session.opening, table=session.table)
    bought = session.buy_in("ana", 50_000)
    assert isinstance(bought, list)
    write(store, "buy", *bought, table=session.table)
    for number in range(rounds):
        bets = session.do(c.PlaceWager(player="ana", box=1 + number % 3, wager="initial", amount=1000))
        assert isinstance(bets, list)
        write(store, f"bet {number}", *bets, table=session.table)
        for act in range(20):
            if session.table.round.is_over:
                break
            if session.table.phase == "deciding":
                done = session.do(c.Surrender(player="ana", box=session.table.round.asked[0][0]))
            elif session.is_cut_due and session.is_deal_unfinished:
                done = session.cut_in_the_middle()
            else:
                done = session.deal()
            assert isinstance(done, list)
            write(store, f"act {number} {act}", *done, table=session.table)
    return session.table


def test_the_store_gives_back_the_live_table(store: Store) -> None:
    live = played(store)
    table = Table()
    for one in store.read("t1"):
        table = stand(table, one.event)
    assert table == live
    assert audit(store) == []


def test_the_chain_is_what_its_description_says(store: Store) -> None:
    """Worked out with hashlib alone, from docs/store.md."""
    played(store, 1)
    heads: dict[tuple[bytes, str], bytes] = {}

    def linked(kind: bytes, stream: str, entry: bytes) -> bytes:
        bound = json.dumps([store.identity, stream, "", ""], separators=(",", ":")).encode()
        start = hashlib.sha256(b"casinowar/store/start/v2\0" + kind + bound).digest()
        heads[kind, stream] = hashlib.sha256(kind + heads.get((kind, stream), start) + entry).digest()
        return heads[kind, stream]

    for row in store.event_rows():
        assert row.hash == linked(b"casinowar/store/event/v2\0", row.stream, row.entry)
        told = json.loads(row.entry)
        assert [told["position"], told["stream"], told["version"]] == [row.position, row.stream, row.version]
        assert sum(amount for _, amount in told["postings"]) == 0
    for command in store.command_rows():
        assert command.hash == linked(
            b"casinowar/store/command/v2\0", json.loads(command.entry)["stream"], command.entry
        )
    kept = {head.stream: (head.events_head, head.commands_head) for head, _ in store.stream_heads()}
    assert kept == {
        stream: tuple(heads[kind, stream] for kind in (b"casinowar/store/event/v2\0", b"casinowar/store/command/v2\0"))
        for stream in ("cage", "t1")
    }


def test_a_checkpoint_signs_the_tree_that_its_description_says(store: Store) -> None:
    """Two streams: two leaves, and at the next checkpoint one more for the one that has changed."""
    played(store, 1)
    first = make_checkpoint(store, Ed25519PrivateKey.generate())
    write(store, "later", e.TimePassed(60))
    second = make_checkpoint(store, Ed25519PrivateKey.generate())
    leaves = []
    for leaf in store.leaves():
        told = [leaf.stream, leaf.version, leaf.events_head.hex(), leaf.commands, leaf.commands_head.hex()]
        data = b"casinowar/store/leaf/v1\0" + json.dumps(told, separators=(",", ":")).encode()
        leaves.append(hashlib.sha256(b"\0" + data).digest())
    assert [leaf.stream for leaf in store.leaves()] == ["cage", "t1", "t1"]
    two = hashlib.sha256(b"\1" + leaves[0] + leaves[1]).digest()
    three = hashlib.sha256(b"\1" + two + leaves[2]).digest()
    assert (first.leaves, first.root, second.leaves, second.root) == (2, two.hex(), 3, three.hex())


def test_checkpoints_are_signed_kept_and_exported(store: Store) -> None:
    key = Ed25519PrivateKey.generate()
    played(store, 1)
    first = make_checkpoint(store, key)
    write(store, "later", e.TimePassed(60))
    second = make_checkpoint(store, key)
    assert (first.number, second.number) == (1, 2)
    assert store.checkpoints() == [first, second]
    assert (second.events, second.commands) == (store.head().events, store.head().commands)
    assert load_checkpoint(dump_checkpoint(first)) == first
    assert audit(store, public_key(key), [first]) == []
    with pytest.raises(VersionConflict):
        store.add_checkpoint(first)


def test_a_forged_checkpoint_is_found(store: Store) -> None:
    key, other = Ed25519PrivateKey.generate(), Ed25519PrivateKey.generate()
    played(store, 1)
    kept = make_checkpoint(store, key)
    for forged in (
        msgspec.structs.replace(kept, events=kept.events - 1),
        msgspec.structs.replace(kept, at=kept.at + 1),
        msgspec.structs.replace(kept, signature=kept.signature[:-1] + ("0" if kept.signature[-1] != "0" else "1")),
        msgspec.structs.replace(kept, signature="no hex"),
        checkpoints.sign(kept, other),
        checkpoints.sign(msgspec.structs.replace(kept, identity="0" * 32), key),
    ):
        assert audit(store, public_key(key), [forged])


def test_an_empty_store_is_sound(store: Store) -> None:
    assert audit(store) == []
    assert store.streams() == []
    assert (store.head().events, store.head().commands) == (0, 0)


# Old versions


def frozen_rows() -> list[dict[str, Any]]:
    return [json.loads(line) for line in FROZEN.read_text(encoding="utf-8").splitlines()]


def test_a_log_of_the_first_format_is_still_read() -> None:
    """The file is never written again: a change that cannot read it needs an upcast."""
    rows = frozen_rows()
    previous = bytes.fromhex(rows[0]["start"])
    events = []
    for row in rows[1:]:
        entry = row["entry"].encode()
        previous = chain_link(OLD_EVENT, previous, entry)
        assert previous.hex() == row["hash"], "the bytes on which the chain stands have changed"
        events.append(event_in(open_envelope(entry)))
    opened = next(event for event in events if isinstance(event, e.TableOpened))
    assert "decks" not in json.loads(rows[2]["entry"])["event"]
    assert opened == e.TableOpened(c.Limit(minimum=500, maximum=5000, unit=500), {}, 0, 0, clauses=())
    table = Table()
    for event in events:
        table = stand(table, event)
    assert table.players == {"ana": 9000}
    assert table.escrow == 1000


def test_an_old_version_needs_its_upcast_and_a_newer_one_a_newer_program() -> None:
    envelope = open_envelope(frozen_rows()[2]["entry"].encode())
    assert (envelope.name, envelope.event_version, VERSIONS["table_opened"]) == ("table_opened", 1, 2)
    assert ("table_opened", 1) in UPCASTS
    with pytest.raises(UnreadableEvent, match="cannot be brought up"):
        event_in(envelope, upcasts={})
    with pytest.raises(UnreadableEvent, match="newer than this program"):
        event_in(msgspec.structs.replace(envelope, event_version=3))
    with pytest.raises(UnreadableEvent, match="format 2"):
        open_envelope(canonical({**json.loads(frozen_rows()[2]["entry"]), "format": 2}))


def test_upcasts_run_one_after_the_other() -> None:
    """As if `bought_in` had once told `chips` of a `guest`, then of a `player`."""
    body = msgspec.Raw(b'{"name":"bought_in","guest":"ana","chips":5}')
    envelope = msgspec.structs.replace(
        open_envelope(frozen_rows()[3]["entry"].encode()), name="bought_in", event_version=1, event=body
    )
    upcasts: dict[tuple[str, int], Callable[[dict[str, Any]], dict[str, Any]]] = {
        ("bought_in", 1): lambda old: {"name": old["name"], "player": old["guest"], "chips": old["chips"]},
        ("bought_in", 2): lambda old: {"name": old["name"], "player": old["player"], "amount": old["chips"]},
    }
    assert event_in(envelope, {"bought_in": 3}, upcasts) == e.BoughtIn("ana", 5)


def test_every_changed_event_can_be_read_from_its_first_version() -> None:
    assert set(UPCASTS) == {(name, old) for name, current in VERSIONS.items() for old in range(1, current)}


# The file


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "war.db"


def test_a_file_is_the_same_store_when_opened_again(file: Path) -> None:
    with closing(SqliteStore(file)) as store:
        live = played(store)
        make_checkpoint(store, Ed25519PrivateKey.generate())
        before, identity = everything(store), store.identity
    with closing(SqliteStore(file)) as store:
        assert everything(store) == before
        assert store.identity == identity
        assert store.answer_to("player:ana", "buy", b"buy") is not None
        taken = e.SeatVacated("ana", ())
        write(store, "after", taken, table=live)
        assert audit(store) == []


def test_the_settings_that_durability_hangs_on_are_kept(file: Path) -> None:
    with closing(SqliteStore(file)) as store:
        assert connection.execute(store._db, "PRAGMA synchronous") == [(2,)]
        assert connection.execute(store._db, "PRAGMA journal_mode") == [("wal",)]
        connection.check_settings(store._db)
        connection.execute(store._db, "PRAGMA synchronous = normal")
        with pytest.raises(StoreFault, match="synchronous"):
            connection.check_settings(store._db)
    assert connection.sqlite_version() >= (3, 51, 3)


def test_an_old_sqlite_is_refused(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "sqlite_version", lambda: (3, 40, 1))
    with pytest.raises(StoreFault, match=r"3\.51\.3"):
        SqliteStore(file)


def test_there_is_one_writer_and_any_number_of_readers(file: Path) -> None:
    with closing(SqliteStore(file)) as store:
        fund(store, "ana", 1000)
        with pytest.raises(StoreInUse):
            SqliteStore(file)
        with closing(SqliteStore(file, for_reading=True)) as reader:
            assert reader.balance("purse:ana") == 1000
            assert audit(reader) == []
            fund(store, "ana", 1000, "again")
            assert reader.balance("purse:ana") == 2000
            with pytest.raises(StoreFailed):
                fund(reader, "ana", 1, "through a reader")
        assert store.balance("purse:ana") == 2000
    with closing(SqliteStore(file)) as store:
        assert store.balance("purse:ana") == 2000


def test_a_reader_does_not_make_a_store(file: Path) -> None:
    with pytest.raises(apsw.CantOpenError):
        SqliteStore(file, for_reading=True)


@pytest.mark.parametrize("table", ["events", "commands", "postings", "checkpoints", "identity", "migrations"])
def test_the_database_itself_refuses_to_change_what_is_written(file: Path, table: str) -> None:
    with closing(SqliteStore(file)) as store:
        played(store, 1)
        make_checkpoint(store, Ed25519PrivateKey.generate())
        column = str(connection.execute(store._db, f"SELECT name FROM pragma_table_info('{table}')")[0][0])
        for sql in (
            f"UPDATE {table} SET {column} = {column}",
            f"DELETE FROM {table}",
            f"INSERT OR REPLACE INTO {table} SELECT * FROM {table} LIMIT 1",
        ):
            with pytest.raises(apsw.ConstraintError):
                connection.execute(store._db, sql)
        assert audit(store) == []


def test_the_database_itself_refuses_a_debt(file: Path) -> None:
    with closing(SqliteStore(file)) as store:
        fund(store, "ana", 1000)
        with pytest.raises(apsw.ConstraintError):
            connection.execute(store._db, "UPDATE balances SET balance = -1 WHERE account = 'purse:ana'")
        with pytest.raises(apsw.ConstraintError):
            connection.execute(store._db, "DELETE FROM balances")


def test_a_failing_disk_stops_the_store(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: SqliteStore) -> None:
        raise apsw.IOError("the disk is gone")

    with closing(SqliteStore(file)) as store:
        fund(store, "ana", 1000)
        with monkeypatch.context() as patched:
            patched.setattr(SqliteStore, "_seal", broken)
            with pytest.raises(StoreFailed):
                fund(store, "ana", 1000, "2")
        with pytest.raises(StoreFailed):
            fund(store, "ana", 1000, "2")
    with closing(SqliteStore(file)) as store:
        assert store.balance("purse:ana") == 1000
        fund(store, "ana", 1000, "2")
        assert store.balance("purse:ana") == 2000


def test_migrations_are_numbered_and_checked(file: Path) -> None:
    SqliteStore(file).close()
    assert [number for number, _, _ in migrate.scripts()] == list(range(1, len(migrate.scripts()) + 1))
    db = apsw.Connection(str(file))
    connection.execute(db, "INSERT INTO migrations VALUES (99, '0099_later.sql', 'x', 0)")
    db.close()
    with pytest.raises(StoreFault, match="newer than this program"):
        SqliteStore(file)


def test_a_changed_migration_is_refused(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    SqliteStore(file).close()
    first, *later = migrate.scripts()
    monkeypatch.setattr(migrate, "scripts", lambda: [(first[0], first[1], "-- other"), *later])
    with pytest.raises(StoreFault, match="is not this program's"):
        SqliteStore(file)


def test_a_failed_migration_leaves_the_database_as_it_was(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    SqliteStore(file).close()
    first = migrate.scripts()
    broken = [*first, (2, "0002_broken.sql", "CREATE TABLE more (x); CREATE TABLE more (x);")]
    with monkeypatch.context() as patched:
        patched.setattr(migrate, "scripts", lambda: broken)
        with pytest.raises(apsw.SQLError):
            SqliteStore(file)
    SqliteStore(file).close()


def test_damaged_pages_are_found_by_whoever_audits(file: Path) -> None:
    with closing(SqliteStore(file)) as store:
        played(store, 30)
    content = bytearray(file.read_bytes())
    content[4096 * 4 : 4096 * 8] = bytes(4096 * 4)
    file.write_bytes(bytes(content))
    with pytest.raises((StoreFault, apsw.CorruptError)):
        SqliteStore(file, for_reading=True)


def test_the_key_is_made_once_and_is_its_owners(tmp_path: Path) -> None:
    key = load_key(tmp_path / "key")
    assert public_key(load_key(tmp_path / "key")) == public_key(key)
    assert (tmp_path / "key").stat().st_mode & 0o077 == 0
    assert [one.name for one in tmp_path.iterdir()] == ["key"]


@pytest.mark.parametrize("content", ["", "x", "ab" * 31, "ä", "-----BEGIN PRIVATE KEY-----"])
def test_a_file_that_is_no_key_is_named_and_kept(tmp_path: Path, content: str) -> None:
    """A new key in its place would sign what nobody who keeps checkpoints believes."""
    (tmp_path / "key").write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match=r"/key is no key of checkpoints: put back the one that the house has had"):
        load_key(tmp_path / "key")
    assert (tmp_path / "key").read_text(encoding="utf-8") == content


def test_servers_that_begin_together_have_one_key(tmp_path: Path) -> None:
    """Nobody reads a file that another one has begun to write."""
    with ThreadPoolExecutor(8) as servers:
        for night in range(30):
            keys = list(servers.map(load_key, [tmp_path / f"key-{night}"] * 8))
            assert len({public_key(key) for key in keys}) == 1


def test_data_lie_in_the_users_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert data_folder() == tmp_path / "casinowar"


# Tampering: everything an insider with the file, and without the key, can do to rows


def unlocked(file: Path) -> apsw.Connection:
    """The database with its triggers set aside; `locked` puts them back, so that the schema tells nothing."""
    db = apsw.Connection(str(file))
    db.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
    connection.execute(db, "PRAGMA foreign_keys = off")
    return db


ROWS = {"events": "position", "commands": "number", "postings": "rowid", "balances": "account", "checkpoints": "number"}


def tamper(db: apsw.Connection, chance: random.Random) -> str:
    """One edit: a byte of an entry, another amount, a row taken out, put in or swapped, or the tail cut off."""
    execute = connection.execute
    table = chance.choice(("events", "events", "commands", "postings", "balances"))
    act = chance.choice(("change", "delete", "swap", "cut", "insert"))
    if table == "balances":
        account = chance.choice([row[0] for row in execute(db, "SELECT account FROM balances WHERE balance > 0")])
        if act == "delete":
            execute(db, "DELETE FROM balances WHERE account = ?", (account,))
        else:
            execute(db, "UPDATE balances SET balance = balance + 1 WHERE account = ?", (account,))
        return f"{act} {table} {account!r}"
    if table == "postings":
        rows = execute(db, "SELECT position, line, account, amount FROM postings")
        position, line, account, amount = chance.choice(rows)
        assert isinstance(amount, int)
        if act in ("delete", "cut"):
            execute(db, "DELETE FROM postings WHERE position = ? AND line = ?", (position, line))
        elif act == "insert":
            execute(db, "INSERT INTO postings VALUES (?, 9, ?, ?)", (position, account, amount))
        else:
            execute(db, "UPDATE postings SET amount = ? WHERE position = ? AND line = ?", (amount + 7, position, line))
        return f"{act} {table} {position!r}"
    order = ROWS[table]
    numbers = [row[0] for row in execute(db, f"SELECT {order} FROM {table}")]
    number = chance.choice(numbers)
    assert isinstance(number, int)
    [(entry,)] = execute(db, f"SELECT entry FROM {table} WHERE {order} = ?", (number,))
    assert isinstance(entry, bytes)
    match act:
        case "change":
            at = chance.randrange(len(entry))
            changed = entry[:at] + bytes([entry[at] ^ 1 << chance.randrange(8)]) + entry[at + 1 :]
            execute(db, f"UPDATE {table} SET entry = ? WHERE {order} = ?", (changed, number))
        case "delete":
            execute(db, f"DELETE FROM {table} WHERE {order} = ?", (number,))
        case "cut":
            execute(db, f"DELETE FROM {table} WHERE {order} >= ?", (number,))
        case "swap":
            other = chance.choice([one for one in numbers if one != number])
            [(theirs,)] = execute(db, f"SELECT entry FROM {table} WHERE {order} = ?", (other,))
            execute(db, f"UPDATE {table} SET entry = ? WHERE {order} = ?", (theirs, number))
            execute(db, f"UPDATE {table} SET entry = ? WHERE {order} = ?", (entry, other))
        case _:
            columns = "stream || 'x', version, name" if table == "events" else "actor || 'x', command"
            last = max(one for one in numbers if isinstance(one, int)) + 1
            execute(
                db,
                f"INSERT INTO {table} SELECT ?, {columns}, entry, hash FROM {table} WHERE {order} = ?",
                (last, number),
            )
    return f"{act} {table} {number}"


@pytest.mark.parametrize("recompute", [False, True], ids=["hashes kept", "hashes recomputed"])
def test_every_edit_of_rows_is_found(file: Path, tmp_path: Path, recompute: bool) -> None:
    key = Ed25519PrivateKey.generate()
    with closing(SqliteStore(file)) as store:
        played(store, 80)
        assert store.head().events > 500
        kept = make_checkpoint(store, key)
    copy = tmp_path / "copy.db"
    for seed in range(int(os.environ.get("EDITS", "50"))):
        shutil.copy(file, copy)
        db = unlocked(copy)
        what = tamper(db, random.Random(seed))
        if recompute:
            rechain(db)
        db.close()
        assert found(copy, public_key(key), kept), f"{what} was not found"


def found(file: Path, key: str, kept: checkpoints.Checkpoint) -> bool:
    """Whether opening refuses the file, or the audit names something."""
    try:
        store = SqliteStore(file, for_reading=True)
    except StoreFault:
        return True
    with closing(store):
        return bool(audit(store, key, [kept]))


def test_the_audit_of_a_sound_copy_finds_nothing(file: Path, tmp_path: Path) -> None:
    """The twin of the edits: an audit that always finds something would pass them."""
    key = Ed25519PrivateKey.generate()
    with closing(SqliteStore(file)) as store:
        played(store, 5)
        kept = make_checkpoint(store, key)
    db = unlocked(file)
    rechain(db)
    db.close()
    assert not found(file, public_key(key), kept)


def test_a_trigger_taken_away_is_found(file: Path) -> None:
    SqliteStore(file).close()
    db = apsw.Connection(str(file))
    connection.execute(db, "DROP TRIGGER events_stay")
    db.close()
    with pytest.raises(StoreFault, match="events_stay"):
        SqliteStore(file)


def test_command_records_tell_what_was_asked_and_answered(store: Store) -> None:
    write(store, "1", e.PlayerSeated("ana", 1))
    record = msgspec.json.decode(next(store.command_rows()).entry, type=CommandRecord)
    assert (record.actor, record.command, record.answer) == ("player:ana", "1", "done 1")
    assert record.fingerprint == hashlib.sha256(b"casinowar/store/body/v1\0" + b"1").hexdigest()


def test_a_store_with_the_seeds_of_shoes_in_play_is_for_its_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "war.db"
    file.touch(0o644)
    with closing(SqliteStore(file)) as store:
        fund(store, "ana", 100)
        rights = {one.name: one.stat().st_mode & 0o777 for one in tmp_path.glob("war.db*") if "writer" not in one.name}
    assert rights["war.db"] == rights["war.db-wal"] == rights["war.db-shm"] == 0o600
