"""What is read many events at a time comes to the same as what is read event by event."""

import hmac
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

import casinowar.audit.openings as auditing_openings
from casinowar.audit import Audit
from casinowar.audit.bodies import LimitsAt
from casinowar.audit.table_money import QuickLimits
from casinowar.cards import DECK
from casinowar.engine import events as e
from casinowar.fairness import derivation
from casinowar.fairness.shuffle import shuffled
from casinowar.house.player_limits import DAY_MS, MOVED
from casinowar.store import CommandTaken, MemoryStore, Recalled, Recorded, SqliteStore, Store
from casinowar.store.chain_walk import Links
from casinowar.store.chains import EVENT, chain_link
from casinowar.store.ledger import Layout, LayoutWalk, post
from tests.support.audited_nights import play_night, retold


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    with closing(MemoryStore()) as store:
        play_night(store)
        yield store


def test_a_walk_posts_what_each_event_by_itself_posts(store: Store) -> None:
    kinds = set()
    for stream in store.streams():
        layout, walk = Layout(stream), LayoutWalk(stream)
        for one in store.read(stream):
            layout, postings = post(layout, one.event)
            assert walk.post(one.event) == tuple((posting.account, posting.amount) for posting in postings)
            assert walk.layout == layout
            kinds.add(type(one.event).__name__)
    assert kinds >= {"WagerPlaced", "WagerSettled", "WagerReversed", "BoughtIn", "RoundEnded"}, kinds


def test_a_run_of_links_is_followed_as_each_of_them_is() -> None:
    entries = [f"entry {number}".encode() for number in range(20)]
    hashes, head = [], bytes(32)
    for entry in entries:
        head = chain_link(EVENT, head, entry)
        hashes.append(head)
    marks = frozenset((3, 9, 10, 20, 25))
    single, runs = Links(EVENT, bytes(32), 0, marks), Links(EVENT, bytes(32), 0, marks)
    assert all(single.follow(place, *link) for place, link in enumerate(zip(entries, hashes, strict=True), start=100))
    for first, last in ((0, 9), (9, 10), (10, 20)):
        assert runs.follow_run(range(100 + first, 100 + last), entries[first:last], hashes[first:last])
    assert (runs.head, runs.count) == (single.head, single.count)
    assert [runs.at(count) for count in range(26)] == [single.at(count) for count in range(26)]
    broken = [*hashes[:7], bytes(32), *hashes[8:]]
    assert not Links(EVENT, bytes(32)).follow_run(range(20), entries, broken)


@pytest.mark.parametrize("cards", [1, 2, 52, 256, 257, 416])
def test_order_and_salts_are_those_of_the_stream_of_the_key(cards: int) -> None:
    for _ in range(10):
        key, stack = os.urandom(32), tuple(random.choices(DECK, k=cards))
        assert derivation.order(stack, key) == shuffled(stack, derivation.stream(key))
        told = tuple(hmac.digest(key, index.to_bytes(8, "big"), "sha256") for index in range(cards))
        assert derivation.salts(cards, key) == told


def moved_by(ones: list[Recalled]) -> tuple[dict[str, int], dict[str, int]]:
    """What the events of a command move, and what of it is only bought in or cashed out."""
    moved: dict[str, int] = {}
    bought: dict[str, int] = {}
    for one in ones:
        into = bought if type(one.event) in MOVED else moved
        for posting in one.postings:
            into[posting.account] = into.get(posting.account, 0) + posting.amount
    return moved, bought


@pytest.mark.parametrize("stretched", [1, 200_000])
def test_limits_by_the_day_are_those_by_each_event(store: Store, stretched: int) -> None:
    """Stretched, the night goes over many days, with a clock that is set back at times."""
    first = next(iter(store.read("t"))).at
    groups: list[list[Recalled]] = []
    for one in store.read("t"):
        at = first + (one.at - first) * stretched - (2 * DAY_MS if one.at % 7 == 0 and stretched > 1 else 0)
        one = Recalled(one.position, one.stream, one.version, at, one.actor, one.command, one.postings, one.event)
        if not groups or (groups[-1][0].command, groups[-1][0].at) != (one.command, at):
            groups.append([])
        groups[-1].append(one)
    ends = [group[-1].position for group in groups]
    positions = [0, ends[3], ends[len(ends) // 2], ends[-1], ends[-1] + 9]
    slow, held = LimitsAt(positions), dict[str, int]()
    quick = QuickLimits(held, positions)
    for group in groups:
        for one in group:
            slow.follow(one)
        moved, bought = moved_by(group)
        if quick.is_waiting:
            last = group[-1]
            quick.note(group[0].position, last.position, (last.actor, last.command, last.at), moved)
        for account, amount in bought.items():
            quick.buy(account, amount)
        for account, amount in (*moved.items(), *bought.items()):
            held[account] = held.get(account, 0) + amount
    slow.finish()
    quick.keep()
    assert quick.kept == slow.kept
    assert any(player.spent for _, players in quick.kept[ends[-1]].days for player in players.values())


def test_a_sound_night_is_read_in_the_quick_way_alone(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auditing_openings, "_audit_thoroughly", None)
    audit = Audit(store)
    assert [str(one) for one in audit.findings()] == []
    assert audit.counts.rounds > 3


def test_both_ways_of_reading_tell_the_same_of_a_sound_night(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = []
    for is_quick in (True, False):
        with monkeypatch.context() as patch:
            if not is_quick:
                patch.setattr(auditing_openings, "_audit_quickly", None)
            audit = Audit(store)
            assert [str(one) for one in audit.findings()] == []
            counts.append((audit.counts, audit.notes, audit.remarks))
    assert counts[0] == counts[1]


def test_a_card_of_another_suit_is_found_where_everything_else_agrees_with_it(store: Store) -> None:
    """Suits decide nothing in this round, so that the engine comes to the same: only the shoe has another card."""
    log = list(store.read("t"))
    first = next(one for one in log if isinstance(one.event, e.BettingClosed))
    last = next(one for one in log if isinstance(one.event, e.RoundEnded))
    [was] = [one.event.card for one in log if one.version > first.version and isinstance(one.event, e.CardDealt)][:1]
    suit = "s" if was[1] != "s" else "h"

    def retell(one: Recalled) -> list[Recorded]:
        if one.stream != "t" or not first.version - 1 <= one.version <= last.version:
            return [one.event]
        forged = msgspec.json.encode(one.event).replace(f'"{was}"'.encode(), f'"{was[0]}{suit}"'.encode())
        return [msgspec.json.decode(forged, type=type(one.event))]

    findings = [str(one) for one in Audit(retold(store, retell)).findings()]
    assert len(findings) == 1, findings
    assert findings[0].endswith(f"{was[0]}{suit} at place {findings[0].split()[-5][:-1]}, where {was} was sealed")


def test_a_command_of_staff_who_had_no_role_is_found_where_everything_else_agrees_with_it(store: Store) -> None:
    staffed = [
        one
        for one in store.read("t")
        if isinstance(one.event, CommandTaken) and (one.event.command.by or "player").partition(":")[0] != "player"
    ]
    taken = staffed[-1]
    assert isinstance(taken.event, CommandTaken)
    by = str(taken.event.command.by)
    part = by.partition(":")[0]

    def retell(one: Recalled) -> list[Recorded]:
        if (one.stream, one.command) != ("t", taken.command):
            return [one.event]
        forged = msgspec.json.encode(one.event).replace(f'"{by}"'.encode(), f'"{part}:zoe"'.encode())
        return [msgspec.json.decode(forged, type=type(one.event))]

    findings = [str(one).partition(": ")[2] for one in Audit(retold(store, retell)).findings()]
    assert findings == [f"zoe did not have the role {part}"]


FORKED = """
import sys
from contextlib import closing
from pathlib import Path

import casinowar.audit.processes as processes
from casinowar.audit import Audit
from casinowar.audit.snapshot import AuditedStore

file = Path(sys.argv[1])
assert processes.prepare_workers(file, 2) is None, "the file is too small for it"
processes.LEAST_BYTES = 0
assert processes.prepare_workers(file, 1) is None
workers = processes.prepare_workers(file, 2)
assert workers is not None
with closing(workers), closing(AuditedStore(file)) as store:
    audit = Audit(store, jobs=2, workers=workers)
    assert [str(one) for one in audit.findings()] == []
    assert workers.ended.value == audit.counts.rounds
    print(audit.counts.rounds)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nothing is forked")
def test_processes_that_were_forked_before_the_store_was_opened_audit_the_tables(tmp_path: Path) -> None:
    """In a program of its own, since a test run has threads."""
    file = tmp_path / "war.db"
    with closing(SqliteStore(file)) as store:
        play_night(store)
    done = subprocess.run([sys.executable, "-c", FORKED, str(file)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 3
