"""Seats are for who uses them: whoever waits at a full table gets one, and one address cannot take them all.

The harness plays the attack that took every seat of a house with 17 guests, with a clock that only it moves; its twins,
in which a defence is switched off, must find that nobody gets in.
"""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from casinowar.audit import Audit
from casinowar.engine import events as e
from casinowar.engine.view import Viewer
from casinowar.fairness import practice_bytes
from casinowar.house.house import Who
from casinowar.house.settings import Timers
from casinowar.house.settings_file import default_tables
from casinowar.house.table.visibility import live_view, seen_event
from casinowar.protocol import Answer, ClaimView, Done, Refused
from casinowar.store import SeatGivenUp
from casinowar.web.http.limits import USUAL
from tests.support.live_night import Night, table

pytestmark = pytest.mark.slow

QUICK: dict[str, Any] = {"card": 0, "pause": 0, "entropy": 0, "cut": 0}
NEVER = {"idle_rounds": 0, "timers": {**QUICK, "idle": 86_400}}
MOST_MS = 120_000
"""A waiting person is seated within two minutes, as fast as three rounds are at the usual pace."""

GUESTS = [f"guest-{n:06x}" for n in range(17)]
SQUATTER, HONEST = "203.0.113.9", "198.51.100.4"


def send(there: Night, name: str, address: str, table: str, **command: Any) -> Answer:
    return there.house.act(Who(name, frozenset(), address), there.ask(table=table, **command))


def full(**changed: Any) -> Night:
    """A table with all of its seven seats taken, and betting open."""
    there = Night(table(**{"timers": QUICK, **changed}))
    there.sit(*"abcdefg")
    there.until_ready()
    return there


def wait(there: Night, *people: str) -> None:
    for person in people:
        there.come(person)
        there.must(person, do="wait_for_seat")


def claim(there: Night, player: str) -> ClaimView | None:
    return live_view(there.live, Viewer("player", player)).claim


def seat_left(there: Night, player: str) -> int | None:
    return live_view(there.live, Viewer("player", player)).seat_left


# The harness.


class Siege:
    """Seventeen guests take what they can at every table of a house, and somebody from elsewhere comes to one."""

    def __init__(self, *, is_idle_seat_given_up: bool = True, seats: int | None = None) -> None:
        timers = Timers() if is_idle_seat_given_up else Timers(idle=86_400)
        rounds = 3 if is_idle_seat_given_up else 0
        tables = [msgspec.structs.replace(one, timers=timers, idle_rounds=rounds) for one in default_tables()]
        self.there = Night(*tables)
        self.there.house.quota.seats = seats
        for name in self.there.house.tables:
            self.there.come(*GUESTS, "ann", table=name)
        self.sat_out: dict[str, int] = {}

    @property
    def taken(self) -> int:
        return sum(len(live.humans) for live in self.there.house.tables.values())

    def take_all(self) -> None:
        for name, live in self.there.house.tables.items():
            for guest in GUESTS:
                free = next((box for box in range(1, live.rules.table.boxes + 1) if box not in live.table.seats), None)
                if free is not None:
                    send(self.there, guest, SQUATTER, name, do="sit", box=free)

    def bet(self, every: int, guests: list[str]) -> None:
        """These guests bet the least in one of so many rounds, and are ready at once."""
        for name, live in self.there.house.tables.items():
            for guest in guests:
                box, done = live.box_of(guest), live.rounds_done
                is_due = done - self.sat_out.get(f"{name} {guest}", -every) >= every
                if box is None or live.table.phase != "betting" or not is_due:
                    continue
                wager = {"do": "place_wager", "player": guest, "box": box, "wager": "initial"}
                amount = live.table.limit.minimum * (2 if live.rules.id == "ctg" else 1)
                if isinstance(send(self.there, guest, SQUATTER, name, **wager, amount=amount), Done):
                    self.sat_out[f"{name} {guest}"] = done
                    send(self.there, guest, SQUATTER, name, do="ready")

    def seated_after(self, name: str, attack: Callable[["Siege"], None]) -> tuple[int, int] | None:
        """The milliseconds and rounds until Ann has a seat; none where she has not got one in ten minutes."""
        there, live = self.there, self.there.house.tables[name]
        start, rounds = there.clock.ticks, live.rounds_done
        while there.clock.ticks - start <= 600_000:
            attack(self)
            there.house.advance()
            free = [box for box in range(1, live.rules.table.boxes + 1) if box not in live.table.seats]
            if not free:
                send(there, "ann", HONEST, name, do="wait_for_seat")
            elif isinstance(send(there, "ann", HONEST, name, do="sit", box=free[0]), Done):
                return there.clock.ticks - start, live.rounds_done - rounds
            there.clock.pass_(500)
        return None


def idle(siege: Siege) -> None:
    """They sit."""


def gone(siege: Siege) -> None:
    """They have closed their pages."""
    for name in siege.there.house.tables:
        for guest in GUESTS:
            siege.there.house.present(guest, name, False)


def one_bets(siege: Siege) -> None:
    siege.bet(1, GUESTS[:1])


def bet_and_withdraw(siege: Siege) -> None:
    """They take back every wager before it is dealt."""
    for name, live in siege.there.house.tables.items():
        for guest in GUESTS:
            box = live.box_of(guest)
            if box is None or live.table.phase != "betting":
                continue
            there = {"player": guest, "box": box, "wager": "initial"}
            is_down = not live.table.round.is_over and (box, "initial", guest) in live.table.round.wagers
            amount = {} if is_down else {"amount": 2 * live.table.limit.minimum}
            do = "withdraw_wager" if is_down else "place_wager"
            send(siege.there, guest, SQUATTER, name, do=do, **there, **amount)


def all_bet_every_third_round(siege: Siege) -> None:
    siege.bet(3, GUESTS)


def wait_too(siege: Siege) -> None:
    """Whoever has no seat waits for one, and never takes it."""
    for name in siege.there.house.tables:
        for guest in GUESTS:
            send(siege.there, guest, SQUATTER, name, do="wait_for_seat")


def all_bet(siege: Siege) -> None:
    """They use their seats, as little as can be."""
    siege.bet(1, GUESTS)


ATTACKS = (idle, gone, one_bets, wait_too, bet_and_withdraw)


@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize("name", ["nz", "ca"])
def test_who_waits_is_seated_while_all_seats_are_held_and_not_used(name: str, attack: Callable[[Siege], None]) -> None:
    siege = Siege()
    siege.take_all()
    assert siege.taken == 34, "all boxes but those of two bots"
    after = siege.seated_after(name, attack)
    print(f"{attack.__name__} at {name}: {after} ms, rounds")
    assert after is not None
    assert after[0] <= MOST_MS
    siege.there.check()


@pytest.mark.parametrize("attack", [idle, one_bets])
def test_the_harness_finds_a_house_that_keeps_unused_seats(attack: Callable[[Siege], None]) -> None:
    siege = Siege(is_idle_seat_given_up=False)
    siege.take_all()
    assert siege.seated_after("nz", attack) is None


@pytest.mark.parametrize("attack", [all_bet, all_bet_every_third_round])
def test_one_address_that_bets_to_keep_its_seats_cannot_have_a_table(attack: Callable[[Siege], None]) -> None:
    siege = Siege(seats=USUAL.seats_per_address)
    siege.take_all()
    assert siege.taken == USUAL.seats_per_address
    for name in siege.there.house.tables:
        assert siege.seated_after(name, attack) == (0, 0)
        send(siege.there, "ann", HONEST, name, do="leave")


def test_the_harness_finds_a_house_that_counts_no_addresses() -> None:
    siege = Siege(seats=None)
    siege.take_all()
    assert siege.seated_after("nz", all_bet) is None


# The line.


def test_an_unused_seat_is_given_up_with_its_chips_and_the_player_is_told_why() -> None:
    there = full()
    there.must("a", do="buy_chips", amount=5_000)
    wait(there, "w")
    there.wait(90_000)
    given = there.told(SeatGivenUp)
    assert [(one.player, one.rounds, one.seconds) for one in given] == [("a", 0, 90)]
    assert there.live.box_of("a") is None
    assert there.purse("a") == 100_000
    told = [
        one
        for event in there.log()
        if (one := seen_event(event, Viewer("player", "a"), there.live)) is not None and "given_up" in one["name"]
    ]
    assert [one["says"] for one in told] == ["a gives up the seat: no wager for 90 seconds, and somebody waits for one"]
    assert claim(there, "w") == ClaimView(0, 15_000)
    there.must("w", do="sit", box=1)
    assert claim(there, "w") is None
    assert live_view(there.live, Viewer("watcher")).waiting == 0
    there.check()
    assert list(Audit(there.store).findings()) == []


def test_without_anybody_who_waits_a_seat_is_kept() -> None:
    there = full()
    there.wait(600_000)
    assert len(there.live.humans) == 7
    wait(there, "w")
    there.wait(20_000)
    assert seat_left(there, "a") == 10_000
    there.must("w", do="stop_waiting")
    assert seat_left(there, "a") is None
    assert live_view(there.live, Viewer("watcher")).waiting == 0
    there.wait(600_000)
    assert len(there.live.humans) == 7


def test_a_seat_is_given_up_after_three_rounds_without_a_wager() -> None:
    there = full(timers={**QUICK, "idle": 86_400})
    wait(there, "w")
    for _ in range(3):
        assert there.told(SeatGivenUp) == []
        there.until_ready()
        for player in "bcdefg":
            there.bet(player)
        there.until_over()
        there.house.advance()
    assert [(one.player, one.rounds) for one in there.told(SeatGivenUp)] == [("a", 3)]


def test_its_player_is_told_before_and_keeps_it_with_a_wager() -> None:
    there = full()
    wait(there, "w")
    there.wait(44_999)
    assert seat_left(there, "a") is None
    there.wait(1)
    assert seat_left(there, "a") == 45_000
    assert [seat_left(there, player) for player in "bcdefgw"] == [None] * 7, "one waits, so that one seat is wanted"
    there.bet("a")
    there.house.advance()
    assert seat_left(there, "a") is None
    assert seat_left(there, "b") == 45_000


def test_another_box_is_no_use_of_the_seat() -> None:
    there = Night(table(timers=QUICK))
    there.sit("a")
    there.clock.pass_(1)
    there.sit(*"bcdefg", boxes=range(2, 8))
    there.until_ready()
    there.must("g", do="leave")
    there.wait(14_000)
    there.must("a", do="sit", box=7)
    there.sit("x", boxes=[1])
    wait(there, "w")
    there.wait(76_000)
    assert [one.player for one in there.told(SeatGivenUp)] == ["a"]


def test_who_has_not_been_told_has_thirty_seconds_however_long_the_seat_was_unused() -> None:
    there = full()
    there.wait(600_000)
    wait(there, "w")
    assert seat_left(there, "a") == 30_000
    there.wait(29_999)
    assert there.told(SeatGivenUp) == []
    there.wait(1)
    assert [one.player for one in there.told(SeatGivenUp)] == ["a"]


def test_who_bets_and_who_is_in_the_middle_of_a_round_is_never_pushed_out() -> None:
    there = full(timeout="wait")
    wait(there, *"wxyz")
    there.until_tie(*"abcdefg")
    there.wait(3_600_000)
    assert there.live.table.phase == "deciding"
    assert there.told(SeatGivenUp) == []
    for box, player in there.live.table.round.asked:
        there.must(player, do="surrender", player=player, box=box)
    there.wait(89_999)
    assert there.told(SeatGivenUp) == [], "they bet in the round that has just ended"
    there.wait(1)
    assert len(there.told(SeatGivenUp)) == 4


def test_time_in_which_nobody_can_bet_does_not_count() -> None:
    there = full()
    there.wait(10_000)
    wait(there, "w")
    there.must("sue", "supervisor", "a pause", do="pause")
    there.wait(400_000)
    there.must("sue", "supervisor", "a pause", do="resume")
    there.wait(89_999)
    assert there.told(SeatGivenUp) == []
    there.wait(1)
    assert len(there.told(SeatGivenUp)) == 1


@pytest.mark.parametrize("seed", ["a", "b", "c", "d"])
def test_while_a_void_waits_nobody_can_bet_and_no_time_counts(seed: str) -> None:
    """Whoever the void would leave their chips could go, and was thrown out once it was answered."""
    there = Night(table(timers=QUICK), source=practice_bytes(seed))
    there.sit(*"abcdefg")
    there.until_ready()
    for player in "abcdefg":
        there.bet(player)
    there.until_over()
    void = there.act("sue", "supervisor", "a card was seen", do="void_round", reason="seen")
    assert isinstance(void, Refused)
    wait(there, "w")
    there.wait(540_000)
    assert [seat_left(there, player) for player in "abcdefg"] == [None] * 7, "nobody is warned"
    there.must("sam", "supervisor", "no, all well", do="refuse_signature", request=void.request)
    there.wait(89_999)
    assert there.told(SeatGivenUp) == []
    there.wait(1)
    assert len(there.told(SeatGivenUp)) == 1


def test_a_pause_has_who_was_told_be_told_anew() -> None:
    there = full()
    there.wait(60_000)
    wait(there, "w")
    assert seat_left(there, "a") == 30_000
    there.must("sue", "supervisor", "a pause", do="pause")
    there.wait(100_000)
    there.must("sue", "supervisor", "a pause", do="resume")
    assert seat_left(there, "a") is None
    there.wait(45_000)
    assert seat_left(there, "a") == 45_000


def test_who_has_left_the_seat_is_forgotten() -> None:
    there = full()
    for player in "abc":
        there.must(player, do="leave")
    assert there.live.line.uses.keys() == {*"defg"}


def test_an_offer_that_is_not_taken_goes_to_the_next_and_nobody_else_takes_it() -> None:
    there = full()
    wait(there, "w", "x")
    there.must("a", do="leave")
    assert (claim(there, "w"), claim(there, "x")) == (ClaimView(0, 15_000), ClaimView(1))
    there.come("y")
    assert there.refusal("y", do="sit", box=1).code == "seat_is_kept"
    assert there.refusal("x", do="sit", box=1).code == "seat_is_kept"
    assert isinstance(there.act("b", do="sit", box=1), Done), "who sits may change the box"
    there.wait(15_000)
    assert (claim(there, "w"), claim(there, "x")) == (None, ClaimView(0, 15_000))
    there.must("x", do="sit", box=2)


def test_who_is_no_longer_there_loses_the_place_after_a_while() -> None:
    there = full()
    wait(there, "w", "x")
    there.house.present("w", "t", False)
    there.wait(14_999)
    there.house.present("w", "t", True)
    there.wait(60_000)
    assert claim(there, "w") == ClaimView(1)
    there.house.present("w", "t", False)
    there.wait(15_001)
    assert (claim(there, "w"), claim(there, "x")) == (None, ClaimView(0, 15_000)), "the first seat was given up now"


def test_who_sits_at_another_table_comes_after_who_does_not() -> None:
    there = Night(table("t", timers=QUICK), table("u", timers=QUICK))
    there.sit(*"abcdefg")
    there.sit("w", table="u")
    there.until_ready()
    wait(there, "w", "x")
    assert (claim(there, "w"), claim(there, "x")) == (ClaimView(2), ClaimView(1))


def test_who_may_not_wait_is_told_why() -> None:
    there = full()
    there.house.welcome("w")
    assert there.refusal("w", do="wait_for_seat").code == "not_watching"
    assert there.refusal("a", do="wait_for_seat").code == "seated_already"
    there.come("w")
    assert there.refusal("w", do="stop_waiting").code == "not_waiting"
    there.house.take_break("w", "b", 5)
    assert there.refusal("w", do="wait_for_seat").code == "away_from_play"
    wait(there, *(f"w{n}" for n in range(20)))
    there.come("x")
    assert there.refusal("x", do="wait_for_seat").code == "too_many_wait"
    there.must("w3", do="stop_waiting")
    there.must("x", do="wait_for_seat")
    there.must("x", do="wait_for_seat")
    assert claim(there, "x") == ClaimView(20)
    there.must("a", do="leave")
    for n in range(20):
        there.act(f"w{n}", do="stop_waiting")
    there.must("x", do="stop_waiting")
    assert there.refusal("x", do="wait_for_seat").code == "seat_is_free"


def test_what_is_told_twice_is_told_once() -> None:
    there = full()
    told: list[str] = []
    there.house.on_commit = lambda name, recalled: told.append(name)
    there.house.welcome("w")
    there.house.present("w", "t", True)
    del told[:]
    for _ in range(10):
        there.act("w", do="wait_for_seat")
    for _ in range(10):
        there.act("w", do="stop_waiting")
        there.act("w", do="wait_for_seat")
    there.house.advance()
    assert len(told) == 1
    for _ in range(100):
        there.must("w", do="stop_waiting")
        there.must("w", do="wait_for_seat")
        there.clock.pass_(10)
    there.wait(1_000)
    assert len(told) <= 3, "however often somebody comes and goes in a second"
    assert claim(there, "w") == ClaimView(1)


def test_a_bank_takes_no_seat_that_is_kept_or_too_many() -> None:
    there = Night(table(rulebook="ca", timers=QUICK))
    there.sit(*"abcdefgh")
    there.until(lambda: there.live.is_ready)
    wait(there, "w")
    there.must("a", do="leave")
    there.come("y")
    bank = {"do": "accept_bank", "player": "y", "box": 1, "stake": 10_000}
    assert there.refusal("y", **bank).code == "seat_is_kept"


def bet_on(player: str, box: int, amount: int = 500) -> dict[str, Any]:
    return {"do": "place_wager", "player": player, "box": box, "wager": "initial", "amount": amount}


def test_a_wager_takes_no_seat_that_is_kept() -> None:
    """Whoever bets first on a free box sits down by it: as who asks for the seat."""
    there = full()
    there.until(lambda: there.live.is_ready)
    wait(there, "w")
    there.must("a", do="leave")
    there.come("y")
    assert there.refusal("y", **bet_on("y", 1)).code == "seat_is_kept"
    assert there.live.table.players.get("y", 0) == 0, "nothing was bought for it"
    assert isinstance(there.act("w", **bet_on("w", 1)), Done), "whose turn it is may sit down so"


def test_by_wagers_one_address_has_no_more_seats_than_by_sitting_down() -> None:
    there = Night(table(timers=QUICK))
    there.house.quota.seats = 4
    for number, player in enumerate("abcdefg", start=1):
        there.come(player)
        there.house.quota.note(player, "10.0.0.1")
        if number == 1:
            there.must(player, do="sit", box=1)
            there.until(lambda: there.live.is_ready)
    told = [there.act(player, **bet_on(player, box)) for box, player in enumerate("bcdefg", start=2)]
    codes = [getattr(one, "code", "done") for one in told]
    assert codes == ["done"] * 3 + ["too_many_seats"] * 3
    assert sorted(there.live.table.seats.values()) == ["a", "b", "c", "d"]


def test_who_sits_at_a_box_has_the_last_place_on_it() -> None:
    """NZ-5.9 lets three bet on an area. Strangers behind a box may not have all three before its own player has bet."""
    there = Night(table(timers=QUICK))
    there.sit("ann")
    there.until(lambda: there.live.is_ready)
    box = there.live.box_of("ann")
    assert box is not None
    for player in "xyz":
        there.come(player)
    told = [there.act(player, **bet_on(player, box)) for player in "xyz"]
    assert [getattr(one, "code", "done") for one in told] == ["done", "done", "place_is_kept"]
    there.must("ann", **bet_on("ann", box))
    assert there.refusal("z", **bet_on("z", box)).code == "area_full"


def test_time_begins_anew_after_a_restart() -> None:
    there = full()
    there.wait(80_000)
    there.house = there.open()
    there.come(*"abcdefg")
    wait(there, "w")
    there.wait(89_999)
    assert there.told(SeatGivenUp) == []
    there.wait(1)
    assert len(there.told(SeatGivenUp)) == 1


def test_where_a_person_deals_time_counts_only_while_bets_are_taken() -> None:
    there = Night(table(dealer="human", timers=QUICK))
    there.sit(*"abcdefg")
    there.until(lambda: there.live.is_ready)
    there.must("dora", "dealer", do="next")
    assert len(there.told(e.CardBurned)) == 1
    assert there.told(e.BettingClosed) == [], "the opening burn closes no betting"
    there.bet("a")
    there.must("dora", "dealer", do="next")
    assert len(there.told(e.BettingClosed)) == 1
    wait(there, "w")
    there.wait(3_600_000)
    assert there.told(SeatGivenUp) == []
    while there.live.rounds_done == 0:
        if there.live.table.round.asked:
            there.must("a", do="surrender", player="a", box=1)
        else:
            there.must("dora", "dealer", do="next")
    there.wait(29_999)
    assert there.told(SeatGivenUp) == []
    there.wait(60_001)
    assert len(there.told(SeatGivenUp)) == 1


# Addresses.


def quota(seats: int, private: int = 100) -> Night:
    there = Night(table("t", timers=QUICK), table("u", timers=QUICK))
    there.house.quota.seats, there.house.quota.private_tables = seats, private
    for name in "tu":
        there.come(*"abcdef", table=name)
    return there


def test_people_of_one_address_have_so_many_seats_over_all_tables() -> None:
    there = quota(2)
    assert isinstance(send(there, "a", SQUATTER, "t", do="sit", box=1), Done)
    assert isinstance(send(there, "a", SQUATTER, "u", do="sit", box=1), Done)
    told = send(there, "b", SQUATTER, "t", do="sit", box=2)
    assert isinstance(told, Refused)
    assert (told.code, told.says) == (
        "too_many_seats",
        "your network has as many seats as this house gives one network; the host can start the house with --hall",
    )
    assert isinstance(send(there, "a", SQUATTER, "t", do="sit", box=3), Done), "another box is no other seat"
    assert isinstance(send(there, "b", HONEST, "t", do="sit", box=2), Done)
    assert isinstance(send(there, "a", SQUATTER, "u", do="leave"), Done)
    assert isinstance(send(there, "c", SQUATTER, "u", do="sit", box=2), Done)


def test_who_goes_on_from_another_address_counts_for_the_first() -> None:
    there = quota(1)
    assert isinstance(send(there, "a", SQUATTER, "t", do="sit", box=1), Done)
    send(there, "a", "192.0.2.1", "t", do="ready")
    told = send(there, "b", SQUATTER, "t", do="sit", box=2)
    assert isinstance(told, Refused)
    assert told.code == "too_many_seats"


def test_a_place_in_the_line_counts_as_a_seat() -> None:
    there = quota(3)
    for box, player in enumerate("abcdef", start=1):
        send(there, player, f"192.0.2.{box}", "t", do="sit", box=box)
    there.come("g", "h", "i", "j", "k")
    send(there, "g", "192.0.2.7", "t", do="sit", box=7)
    answers = [send(there, one, SQUATTER, "t", do="wait_for_seat") for one in "hijk"]
    assert [isinstance(one, Done) for one in answers] == [True, True, True, False]


def test_people_of_one_address_have_so_many_private_tables() -> None:
    there = quota(9, private=2)

    def opened(player: str, address: str) -> bool:
        answer = there.house.open_private(player, f"p{there.store.head().commands}{player}", "nz", (), address)
        return isinstance(answer, Done)

    assert [opened(player, SQUATTER) for player in "abc"] == [True, True, False]
    assert opened("d", HONEST)
    private = [name for name in there.house.tables if name.startswith("private-")]
    there.come("a", table=private[0])
    assert isinstance(send(there, "a", SQUATTER, private[0], do="sit", box=1), Done)
    there.house.quota.seats = 1
    assert isinstance(send(there, "b", SQUATTER, "t", do="sit", box=1), Done), (
        "a seat at one's own table is not counted"
    )
