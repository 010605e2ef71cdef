"""What an act costs does not hang on how many tables are open: what is due, who is where, the lobby and its counts."""

import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casinowar.engine.view import Viewer
from casinowar.house import house
from casinowar.house.due_tables import DueTables
from casinowar.house.lobby import Lobby
from casinowar.house.table.chips import worth
from casinowar.house.table.dealer import advance
from casinowar.house.table.table import GRACE_MS, LiveTable
from casinowar.house.table.visibility import live_view
from casinowar.protocol import Done
from casinowar.store import Recalled
from tests.support.live_night import FAST, HOUR, Clock, Night, table

NAMES = st.sampled_from("abcd")


class Walk:
    """The same as a heap of moments, by a walk over all tables."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.at: dict[str, int] = {}

    def put(self, name: str, wait: int | None) -> None:
        self.at.pop(name, None)
        if wait is not None:
            self.at[name] = self.clock.ticks + wait

    def take(self) -> set[str]:
        due = {name for name, at in self.at.items() if at <= self.clock.ticks}
        for name in due:
            del self.at[name]
        return due

    def wait(self) -> int | None:
        return max(0, min(self.at.values()) - self.clock.ticks) if self.at else None


@given(
    st.lists(
        st.one_of(
            st.tuples(st.just("put"), NAMES, st.none() | st.integers(0, 50)),
            st.tuples(st.just("touch"), NAMES),
            st.tuples(st.just("pass"), st.integers(0, 30)),
            st.tuples(st.just("take")),
        )
    )
)
def test_the_heap_gives_what_a_walk_over_all_tables_gives(acts: list[tuple[object, ...]]) -> None:
    clock = Clock()
    due, walk = DueTables(clock.tick), Walk(clock)
    for act in acts:
        match act:
            case ("put", str(name), wait):
                assert wait is None or isinstance(wait, int)
                due.put(name, wait)
                walk.put(name, wait)
            case ("touch", str(name)):
                due.touch(name)
                walk.put(name, 0)
            case ("pass", int(ms)):
                clock.pass_(ms)
            case _:
                taken = due.take()
                assert len(taken) == len(set(taken))
                assert set(taken) == walk.take()
        assert due.wait() == walk.wait()


def test_moments_that_are_overtaken_do_not_pile_up() -> None:
    clock = Clock()
    due = DueTables(clock.tick)
    for number in range(10_000):
        due.put("t", 1_000_000 - number)
    assert len(due) < 100


def count_looks(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    looked: list[str] = []

    def counted(live: LiveTable, begin: Callable[[], None]) -> int | None:
        looked.append(live.name)
        return advance(live, begin)

    monkeypatch.setattr(house, "advance", counted)
    return looked


def test_an_act_looks_at_its_own_table_alone_however_many_are_open(monkeypatch: pytest.MonkeyPatch) -> None:
    there = Night(*(table(f"t{number}", timers=FAST) for number in range(40)))
    there.house.advance()
    there.sit("ann", table="t7")
    there.until_ready("t7")
    looked = count_looks(monkeypatch)
    there.bet("ann", table="t7")
    there.must("ann", do="ready", table="t7")
    there.wait(60_000)
    assert set(looked) == {"t7"}


def test_a_look_at_a_table_where_nothing_is_due_opens_no_transaction(monkeypatch: pytest.MonkeyPatch) -> None:
    there = Night(table(timers=FAST))
    there.sit("ann")
    there.until_ready()
    begun: list[str] = []
    begin = there.store.begin_together

    def noted() -> None:
        begun.append("begun")
        begin()

    monkeypatch.setattr(there.store, "begin_together", noted)
    looked = count_looks(monkeypatch)
    there.bet("ann")
    there.house.advance()
    assert (looked, begun) == (["t"], [])
    there.must("ann", do="ready")
    there.house.advance()
    assert begun == ["begun"]


def test_a_table_whose_turn_fails_is_tried_again_and_others_have_theirs(monkeypatch: pytest.MonkeyPatch) -> None:
    there = Night(table("bad", timers=FAST), table("good", timers=FAST))
    tried: list[str] = []

    def failing(live: LiveTable, begin: Callable[[], None]) -> int | None:
        tried.append(live.name)
        if live.name == "bad" and tried.count("bad") == 1:
            raise RuntimeError("a mistake")
        return advance(live, begin)

    monkeypatch.setattr(house, "advance", failing)
    with pytest.raises(RuntimeError, match="a mistake"):
        there.house.advance()
    assert sorted(tried) == ["bad", "good"]
    due = there.house.advance()
    assert due is not None
    there.clock.pass_(due)
    there.house.advance()
    assert tried.count("bad") == 2


def test_lobby_counts_and_whereabouts_are_those_of_a_walk_over_all_tables() -> None:
    there = Night(*(table(f"t{number}", book, timers=FAST) for number, book in enumerate(("nz", "wa", "ca", "ma"))))
    chance = random.Random("kept up to date")
    players = ("ann", "ben", "cas")
    for name in there.house.tables:
        there.come(*players, table=name)
    for _ in range(150):
        name, player = chance.choice(list(there.house.tables)), chance.choice(players)
        live = there.at(name)
        box = live.box_of(player)
        free = [number for number in range(1, 8) if number not in live.table.seats]
        acts: list[dict[str, object]] = [
            {"do": "sit", "box": box or chance.choice(free)},
            {"do": "leave"},
            {"do": "place_wager", "player": player, "box": box or 1, "wager": "initial", "amount": 1000},
            {"do": "ready"},
            {"do": "buy_chips", "amount": 500},
        ]
        there.act(player, table=name, **chance.choice(acts))
        if chance.random() < 0.2:
            there.house.present(player, name, chance.random() < 0.5)
        there.wait(chance.choice((0, 300, 2_000, 15_000)))
        fresh = Lobby(there.house.tables)
        assert there.house.lobby() == fresh.lines()
        lives = there.house.tables.values()
        assert there.house.count("unopened") == sum(one.keeper.unopened for one in lives) == fresh.count("unopened")
        for one in players:
            told = there.house.player(one)
            assert told.chips == {at.name: at.table.players[one] for at in lives if one in at.table.players}
            has = told.purse + sum(worth(at.table, one) for at in lives)
            settings = there.house.settings
            assert told.can_refill == (settings.refill > 0 and has < settings.refill_below)


def test_of_tables_that_are_gone_the_lobby_keeps_nothing_though_nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("casinowar.house.tables.CLOSED_KEPT", 2)
    there = Night(table(timers=FAST))
    there.come("ann")
    for number in range(12):
        answer = there.house.open_private("ann", f"p{number}", "nz", ())
        assert isinstance(answer, Done)
        if number == 6:
            there.house.lobby()
        there.sit("ann", table=answer.table)
        there.must("ann", table=answer.table, do="leave")
        there.house.present("ann", answer.table, False)
        there.wait(HOUR)
        assert there.at(answer.table).table.is_closed
    assert len(there.house.tables) == 4, "the table of the house, the newest, and two that have closed"
    assert len(there.house._lobby) == 4
    assert [line.name for line in there.house.lobby()] == list(there.house.tables)


def test_a_bank_goes_back_when_the_time_of_its_player_is_up_though_nothing_happens_anywhere() -> None:
    there = Night(table("bank", "ca", timers=FAST))
    there.sit("ann", "ben")
    there.until(lambda: there.live.is_ready)
    there.must("ann", do="accept_bank", player="ann", box=1, stake=10_000)
    assert isinstance(there.house.set_limits("ann", "l", None, 1), Done)
    there.house.advance()
    assert there.live.table.bank is not None, "a minute that has begun may be played to its end"
    there.wait(61_000)
    assert there.live.table.bank is None


def test_what_is_stopped_is_counted_until_it_goes_on() -> None:
    there = Night(table("a", timers=FAST), table("b", timers=FAST))
    assert there.house.count("stopped") == 0
    there.at("b").stopped = "an imbalance"
    there.at("b").tell([])
    assert there.house.count("stopped") == 1
    there.at("b").stopped = None
    there.at("b").tell([])
    assert there.house.count("stopped") == 0


def test_after_a_restart_nobody_waits_longer_than_the_grace_for_who_is_not_back() -> None:
    there = Night(table(timers=FAST))
    there.sit("ann")
    there.until(lambda: there.stage() == "cutting")
    there.house = there.open()
    there.wait(4_900)
    assert there.stage() == "cutting"
    there.wait(200)
    assert there.stage() != "cutting"


def test_when_the_grace_is_over_everybody_is_told_who_is_not_back() -> None:
    """Who looks on would see them here until something happens at the table."""
    there = Night(table(timers=FAST))
    there.sit("ann", "ben")
    there.until_ready()
    there.house = there.open()
    told: list[bool] = []

    def note(name: str, recalled: list[Recalled]) -> None:
        [seat, _] = live_view(there.live, Viewer("watcher", "")).seats
        told.append(seat.is_present)

    there.house.on_commit = note
    there.house.present("ben", "t", True)
    there.wait(GRACE_MS - 100)
    assert set(told) == {True}
    there.wait(200)
    assert told[-1] is False
    count = len(told)
    there.wait(60_000)
    assert len(told) == count, "it is told once"
