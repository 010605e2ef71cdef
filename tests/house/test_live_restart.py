"""A live house is made again from its store after any commit, and goes on as if nothing had been."""

import random
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from casinowar.engine import events as e
from casinowar.fairness import entropy, practice_bytes
from casinowar.house.house import House, Who
from casinowar.house.settings import HouseSettings
from casinowar.house.table.table import LiveTable
from casinowar.protocol import Done
from casinowar.store import MemoryStore, Proposal, Recalled, SqliteStore, Store, audit
from casinowar.store import contract as k
from tests.support.live_night import STAFF, Clock, Night, table

pytestmark = pytest.mark.slow

PLAYERS = ("ann", "ben")
QUICK: dict[str, Any] = {"card": 0, "pause": 0, "entropy": 1, "cut": 5}
OZ = Who("oz", STAFF["oz"])
NIGHTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("nz", {}),
    ("nz", {"shoe.shuffler": "continuous"}),
    ("wa", {}),
    ("ctg", {}),
    ("ca", {"wager.war_tie": True}),
    ("ma", {"wager.progressive": True}),
)


def seen(live: LiveTable) -> dict[str, Any]:
    """What must be the same after a restart. Promises that nobody has followed with entropy are open again."""
    stage = live.keeper.stage
    shoe = live.keeper.shoe
    if stage == "showing" and shoe is not None and all(one.entropy is None for one in shoe.contributions):
        stage = "promising"
    return {
        "table": live.table,
        "rules": live.rules,
        "version": live.version,
        "turn": live.turn,
        "stage": stage,
        "listed": live.shoes(),
        "shoe": None if shoe is None else (shoe.commitment, shoe.root, shoe.place, shoe.contributions, shoe.cut_made),
        "bots": live.bots,
        "leaving": live.leaving,
        "is_paused": live.is_paused,
        "rounds": list(live.rounds),
        "invited": live.invited,
        "exported": live.shoe(len(live.keeper.listed)),
    }


def copied(store: Store, clock: Clock) -> MemoryStore:
    """The store as it is now, to be played on without the other noticing."""
    assert isinstance(store, MemoryStore)
    copy = MemoryStore(clock.now)
    for name, value in vars(store).items():
        if name == "_streams":
            copy._streams = {stream: list(rows) for stream, rows in store._streams.items()}
        elif isinstance(value, list | dict):
            setattr(copy, name, value.copy())
    copy.identity = store.identity
    return copy


def night(book: str, options: dict[str, Any], store: Store | None = None, clock: Clock | None = None) -> Night:
    bots = [{"strategy": "bank" if book == "ca" else "tie"}] * 2
    settings = table(rulebook=book, options=options, timers=QUICK, bots=bots)
    source = practice_bytes("restart") if store is None else entropy
    return Night(settings, store=store, clock=clock, source=source)


@pytest.mark.parametrize(("book", "options"), NIGHTS, ids=["nz", "nz-continuous", "wa", "ctg", "ca", "ma"])
def test_after_every_commit_a_new_house_is_the_same_and_plays_on(book: str, options: dict[str, Any]) -> None:
    there = night(book, options)
    waiting: list[Night] = []

    def restart(name: str, recalled: list[Recalled]) -> None:
        if not recalled:
            return
        store = copied(there.store, there.clock)
        before = store.head()
        clock = Clock()
        clock.wall = there.clock.wall
        store.now = clock.now
        again = night(book, options, store, clock)
        assert store.head() == before, "to look is not to write"
        assert seen(again.live) == seen(there.live)
        again.secrets = dict(there.secrets)
        waiting.append(again)

    there.house.on_commit = restart
    there.sit(*PLAYERS)
    there.play(4, PLAYERS, random.Random(book))
    there.must("sue", "supervisor", "a dispute", do="pause")
    there.must("sue", "supervisor", "settled", do="resume")
    there.until_ready()
    there.bet("ann" if there.live.table.bank is None or there.live.table.bank.player != "ann" else "ben", 500)
    for player in PLAYERS:
        there.must(player, do="leave")
    assert len(waiting) > 30
    for number, again in enumerate(waiting):
        if again.live.is_paused:
            again.must("sue", "supervisor", "settled", do="resume")
        for box, player in enumerate(PLAYERS, start=1):
            again.sit(player, boxes=[again.live.box_of(player) or box])
        done = again.live.rounds_done
        again.play(1, PLAYERS, random.Random(number))
        assert again.live.rounds_done == done + 1
        again.check()


def test_a_house_on_disk_goes_on_after_each_of_its_commits(tmp_path: Path) -> None:
    clock = Clock()
    file = tmp_path / "war.db"
    there = night("nz", {}, SqliteStore(file, clock=clock.now), clock)
    chance = random.Random(5)
    there.sit(*PLAYERS)
    for _ in range(200):
        before = seen(there.live)
        there.store.close()
        there.store = SqliteStore(file, clock=clock.now)
        there.house = there.open()
        assert seen(there.live) == before
        there.come(*PLAYERS)
        for player in PLAYERS:
            there.take_part(player, chance)
        there.wait(there.house.advance() or 500)
        if there.live.rounds_done == 3:
            break
    assert there.live.rounds_done == 3
    there.check()
    there.store.close()


def test_a_decision_has_its_whole_time_again_and_is_the_same() -> None:
    there = night("nz", {})
    there.sit(*PLAYERS)
    there.until_tie(*PLAYERS)
    asked = there.live.table.round.asked
    there.wait(19_000)
    there.house = there.open()
    there.come(*PLAYERS)
    there.wait(19_999)
    assert there.live.table.round.asked == asked
    box, player = asked[0]
    there.must(player, do="go_to_war", player=player, box=box)
    there.check()


def test_who_does_not_come_back_after_a_restart_gives_up_the_seat() -> None:
    there = night("nz", {})
    there.sit(*PLAYERS)
    there.house = there.open()
    there.come("ann")
    there.wait(180_000)
    assert (there.live.box_of("ann"), there.live.box_of("ben")) == (1, None)


def changed(there: Night, **settings: Any) -> None:
    """The house is started again with other settings."""
    there.settings = HouseSettings(tables=(table(timers=QUICK, **settings),))
    there.house = there.open()


@pytest.mark.parametrize(
    "settings",
    [{"rulebook": "ma"}, {"options": {"shoe.decks": 8}}, {"limit": {"minimum": 100, "unit": 100}}, {"dealer": "human"}],
    ids=["book", "options", "limit", "dealer"],
)
def test_a_table_with_other_settings_is_closed_and_opened_anew_with_all_chips_back(settings: dict[str, Any]) -> None:
    there = Night(table(timers=QUICK))
    there.sit(*PLAYERS)
    there.until_ready()
    there.must("ann", do="buy_chips", amount=5_000)
    changed(there, **settings)
    assert there.live.stream == "t.2"
    assert there.live.table.seats == {}
    assert there.purse("ann") == there.purse("ben") == 100_000
    old = [one.event for one in there.store.read("t")]
    assert any(isinstance(event, e.TableClosed) for event in old)
    assert type(old[-1]).__name__ == "ShoeOpened", "a shoe that was promised is opened"
    assert there.house.notes == []
    again = there.open()
    assert again.tables["t"].stream == "t.2", "and only once"
    assert audit(there.store) == []


def test_other_timers_and_titles_make_no_other_game() -> None:
    there = Night(table(timers=QUICK))
    there.sit(*PLAYERS)
    there.settings = HouseSettings(tables=(table(timers={"betting": 99}, title="Better", timeout="war"),))
    there.house = there.open()
    assert there.live.stream == "t"
    assert there.live.table.seats == {1: "ann", 2: "ben"}
    assert (there.live.settings.title, there.live.settings.timers.betting) == ("Better", 99)


def test_a_table_with_wagers_keeps_its_rules_until_they_are_settled() -> None:
    there = Night(table(timers=QUICK))
    there.sit(*PLAYERS)
    there.until_ready()
    there.bet("ann")
    changed(there, rulebook="ma")
    assert there.live.rules.id == "nz"
    assert len(there.house.notes) == 1
    there.come(*PLAYERS)
    there.until_over()
    there.house = there.open()
    assert there.live.rules.id == "ma"
    assert there.house.notes == []
    assert audit(there.store) == []


def test_a_bank_without_wagers_does_not_keep_a_table_open() -> None:
    there = Night(table(rulebook="ca", timers=QUICK))
    there.sit(*PLAYERS)
    there.until(lambda: there.live.is_ready)
    there.must("ann", do="accept_bank", player="ann", box=1, stake=9_000)
    changed(there, rulebook="nz")
    assert there.live.rules.id == "nz"
    assert there.purse("ann") == 100_000
    assert audit(there.store) == []


def test_a_table_that_closed_as_the_server_stopped_still_gives_all_chips_back() -> None:
    there = Night(table(timers=QUICK))
    there.sit(*PLAYERS)
    there.until_ready()
    there.must("ann", do="buy_chips", amount=5_000)
    assert isinstance(there.act("sue", "supervisor", "end of the night", do="close_table"), Done)
    there.house = there.open()
    assert there.purse("ann") == 100_000
    assert there.live.stream == "t.2"
    assert not there.live.table.is_closed
    assert type(list(there.store.read("t"))[-1].event).__name__ == "ShoeOpened"


def test_tables_that_people_opened_are_there_again_and_those_gone_from_the_settings_are_not() -> None:
    there = Night(table("t", timers=QUICK), table("u", timers=QUICK))
    there.sit(*PLAYERS, table="u")
    assert isinstance(there.house.open_table(OZ, "a", table("v", rulebook="ma"), "more room"), Done)
    assert isinstance(there.house.open_private("ann", "b", "wa", ("war",)), Done)
    names = set(there.house.tables)
    there.settings = HouseSettings(tables=(table("t", timers=QUICK),))
    there.house = there.open()
    assert set(there.house.tables) == names - {"u"}
    assert there.at("v").rules.id == "ma"
    [private] = [live for live in there.house.tables.values() if live.settings.owner == "ann"]
    assert len(private.bots) == 1
    assert there.store.balance("chips:u:ann") == 0
    assert audit(there.store) == []


class CutOff(Exception):
    """The server's process ends here."""


class CuttingStore(MemoryStore):
    """Ends the process behind a commit."""

    left = 10**9

    def commit(self, proposal: Proposal) -> k.Answer:
        answer = super().commit(proposal)
        self.left -= 1
        if not self.left:
            raise CutOff
        return answer


def test_a_house_that_was_cut_off_while_it_opened_opens_whole() -> None:
    settings = HouseSettings(tables=(table("a", bots=[{"strategy": "war"}] * 2), table("b", rulebook="ma")))
    commits = 0
    for point in range(1, 50):
        clock = Clock()
        store = CuttingStore(clock.now)
        store.left = point
        try:
            House(store, settings, tick=clock.tick)
            break
        except CutOff:
            commits += 1
        house = House(store, settings, tick=clock.tick)
        assert set(house.tables) == {"a", "b"}
        assert len(house.tables["a"].bots) == 2, point
        assert house.tables["b"].rules.id == "ma"
        assert audit(store) == []
    assert commits >= 4, "two tables, each listed and opened"


def test_checkpoints_are_signed_each_minute_with_each_opened_shoe_and_at_the_end() -> None:
    clock = Clock()
    store = MemoryStore(clock.now)
    there = Night(table(timers=QUICK), store=store, clock=clock)
    key = Ed25519PrivateKey.generate()
    there.house = House(store, there.settings, tick=clock.tick, key=key)
    there.sit("ann")
    there.until_ready()
    assert store.checkpoints() == []
    there.wait(60_000)
    assert len(store.checkpoints()) == 1
    there.wait(600_000)
    assert len(store.checkpoints()) == 1, "nothing has happened"
    there.must("sue", "supervisor", "look at it", do="supervisor_shuffle", reason="suspect")
    there.house.advance()
    assert len(store.checkpoints()) == 2
    there.until_ready()
    there.house.close()
    assert len(store.checkpoints()) == 3
    assert audit(store) == []


@pytest.mark.parametrize(("book", "changes"), NIGHTS)
def test_what_a_table_follows_is_what_its_bytes_say(book: str, changes: dict[str, Any], tmp_path: Path) -> None:
    """A table follows the events that were written as they were decided; whoever reads the file finds the same."""
    clock = Clock()
    store = SqliteStore(tmp_path / "war.db", clock.now)
    there = Night(table(rulebook=book, options=changes, timers=QUICK), store=store, clock=clock)
    followed: list[Recalled] = []
    there.house.on_commit = lambda name, recalled: followed.extend(recalled)
    there.sit(*PLAYERS)
    there.play(6, PLAYERS, random.Random(book))
    read = {one.position: one for one in SqliteStore(tmp_path / "war.db", for_reading=True).read(there.live.stream)}
    assert len(followed) > 50
    for one in followed:
        assert (one, repr(one)) == (read[one.position], repr(read[one.position]))
    store.close()
