"""What a live table waits for and how long: betting, decisions, wars, pauses, and players who are away."""

from typing import Any

import pytest

from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.view import Viewer
from casinowar.fairness import practice_bytes
from casinowar.house.house import Who
from casinowar.house.table.visibility import live_view, timer
from casinowar.store import CashedOut, CommandTaken, LeaveCancelled, LeavePlanned, ShoeOpened
from tests.support.live_night import FAST, HOUR, STAFF, Clock, Night, table

OZ = Who("oz", STAFF["oz"])
ALL = 100_000
"""What a guest has at first."""


def ready(*players: str, book: str = "nz", seed: str = "t", **changed: Any) -> Night:
    """A table that takes wagers and shows cards without delay."""
    settings = {"rulebook": book, "timers": {"card": 0, "pause": 0, "entropy": 0, "cut": 0}, **changed}
    there = Night(table(**settings), source=practice_bytes(seed))
    there.sit(*players)
    there.until_ready()
    return there


def asked(there: Night) -> list[tuple[int, str]]:
    return list(there.live.table.round.asked)


def dealt(there: Night) -> int:
    return len(there.told(e.CardDealt))


def test_the_cards_come_when_the_betting_time_from_the_first_wager_is_over() -> None:
    there = ready("ann", "ben")
    there.wait(HOUR)
    assert dealt(there) == 0, "nobody waits for a first wager"
    there.bet("ann")
    there.wait(10_000)
    there.bet("ben")
    there.wait(4_999)
    assert dealt(there) == 0
    there.wait(1)
    assert dealt(there) == 3


def test_a_wager_taken_back_gives_the_next_one_its_full_time() -> None:
    there = ready("ann", "ben")
    there.bet("ann")
    there.wait(14_000)
    there.must("ann", do="withdraw_wager", player="ann", box=1, wager="initial")
    there.wait(60_000)
    there.bet("ben")
    there.wait(14_999)
    assert dealt(there) == 0
    there.wait(1)
    assert dealt(there) == 2


def test_nobody_is_waited_for_when_all_who_sit_and_look_on_are_ready() -> None:
    there = ready("ann", "ben", "cat")
    there.house.present("cat", there.table, False)
    there.bet("ann")
    there.must("ann", do="ready")
    there.wait(1_000)
    assert dealt(there) == 0, "ben is not ready"
    there.must("ben", do="ready")
    assert dealt(there) == 2
    there.until_ready()
    there.bet("ann")
    there.wait(1_000)
    assert there.live.table.has_wagers, "to be ready counts for one round"


@pytest.mark.parametrize("step", [HOUR, -HOUR])
def test_a_step_of_the_wall_clock_changes_no_deadline(step: int) -> None:
    there = ready("ann")
    there.bet("ann")
    there.wait(7_000)
    there.clock.wall += step
    there.wait(7_999)
    assert dealt(there) == 0
    there.wait(1)
    assert dealt(there) == 2
    there.check()


class Hurried(Clock):
    """A millisecond goes by whenever somebody looks at it."""

    def tick(self) -> int:
        self.pass_(1)
        return super().tick()


def test_what_is_due_at_once_is_done_at_once_by_a_clock_that_never_stands_still() -> None:
    there = Night(table(timers=FAST), clock=Hurried())
    there.sit("ann")
    there.until_ready()
    there.must("oz", "operator", "quiet night", do="close_table")
    there.house.advance()
    [opened] = there.told(ShoeOpened)
    assert (opened.fate, opened.by) == ("voided", "operator:oz")


@pytest.mark.parametrize(("rule", "command"), [("surrender", c.Surrender), ("war", c.GoToWar)])
def test_for_who_does_not_decide_in_time_the_tables_rule_decides(rule: str, command: type[c.Command]) -> None:
    """AMB-30: surrender unless the table says otherwise; the command and its reason stand in the log."""
    there = ready("ann", timeout=rule)
    there.until_tie("ann")
    there.wait(19_999)
    assert asked(there) == [(1, "ann")]
    there.wait(1)
    assert asked(there) == []
    late = [one for one in there.told(CommandTaken) if one.reason == "did not decide in time"]
    assert [type(one.command) for one in late] == [command]
    there.check()


def test_what_others_do_gives_nobody_more_time_to_decide() -> None:
    there = ready("ann", "ben")
    there.until_tie("ann")
    for _ in range(3):
        there.wait(5_000)
        there.must("ben", do="buy_chips", amount=500)
        there.must("ann", do="buy_chips", amount=500)
    there.wait(4_999)
    assert asked(there) == [(1, "ann")]
    there.wait(1)
    assert asked(there) == []


def test_a_table_that_waits_leaves_the_decision_to_the_player() -> None:
    there = ready("ann", timeout="wait")
    there.until_tie("ann")
    there.wait(24 * HOUR)
    assert there.live.table.round.asked == ((1, "ann"),)
    there.must("ann", do="surrender", player="ann", box=1)
    assert there.live.table.round.is_over


def test_who_cannot_pay_for_the_war_that_the_table_chooses_surrenders() -> None:
    there = ready("ann", timeout="war")
    there.until_tie("ann", amount=1000)
    chips = there.live.table.players["ann"]
    if chips:
        there.must("ann", do="cash_chips", amount=chips)
    there.house.fund(OZ, "drain", "ann", -there.purse("ann"), "for the test")
    there.wait(20_000)
    assert there.told(e.WagerSettled)[-1].outcome == "surrender"


@pytest.mark.clause("CTG-F3", "CA-RP-3a-iii")
@pytest.mark.parametrize("book", ["ctg", "ca"])
def test_where_players_choose_in_turn_each_has_the_whole_time(book: str) -> None:
    people = ("ann", "ben", "cat", "dan", "eve", "fay")
    there = ready(*people, book=book, seed="turn", bots=[{"strategy": "bank"}] * (2 if book == "ca" else 0))
    first, second = until_two_tie(there, people)
    there.wait(19_000)
    there.must(people[first - 1], do="go_to_war", player=people[first - 1], box=first)
    there.wait(19_999)
    assert there.live.table.round.asked[0] == (second, people[second - 1])
    there.must(people[second - 1], do="go_to_war", player=people[second - 1], box=second)
    assert {first, second} <= {one.box for one in there.told(e.WarDeclared)}


@pytest.mark.parametrize("book", ["ctg", "ca"])
def test_who_is_late_gives_up_nothing_of_the_next_ones_time(book: str) -> None:
    people = ("ann", "ben", "cat", "dan", "eve", "fay")
    there = ready(*people, book=book, seed="late", bots=[{"strategy": "bank"}] * (2 if book == "ca" else 0))
    first, second = until_two_tie(there, people)
    there.wait(20_000)
    assert asked(there)[0] == (second, people[second - 1])
    there.wait(19_999)
    there.must(people[second - 1], do="go_to_war", player=people[second - 1], box=second)
    late = [one.command for one in there.told(CommandTaken) if one.reason == "did not decide in time"]
    assert isinstance(late[-1], c.Surrender)
    assert late[-1].box == first


def test_whose_turn_it_is_sees_the_time_though_bots_wait_behind() -> None:
    """CA-RP-3a-iii: players choose in turn, so that a bot that comes later has nothing to decide yet."""
    there = ready("ann", book="ca", seed="turn", bots=[{"strategy": "bank"}] * 2 + [{"strategy": "war"}] * 4)
    for _ in range(100):
        there.until_tie("ann", amount=500)
        if asked(there)[:1] == [(1, "ann")] and len(asked(there)) > 1:
            break
        there.until_over()
    assert asked(there)[0] == (1, "ann")
    shown = timer(there.live)
    assert shown is not None
    assert (shown.waits_for, shown.left) == ("decision", 20_000)
    there.wait(1_000)
    there.must("ann", do="surrender", player="ann", box=1)
    there.until_over()


def until_two_tie(there: Night, people: tuple[str, ...]) -> tuple[int, int]:
    """Rounds until two boxes have the dealer's rank; the first two of those, from the left."""
    for _ in range(100):
        there.until_tie(*people, amount=500)
        hands = there.live.table.round.hands
        tied = [box for box in range(1, len(people) + 1) if box in hands and hands[box][0][0] == hands[0][0][0]]
        if len(tied) > 1:
            return tied[0], tied[1]
        there.until_over()
    raise AssertionError("no two ties in 100 rounds with one")


def test_before_a_war_there_is_time_for_its_wagers_only_where_the_book_has_any() -> None:
    """MA-8e-iii: a second tie wager can be made before the war's cards."""
    there = ready("ann", book="ma")
    there.until_tie("ann")
    there.must("ann", do="go_to_war", player="ann", box=1)
    assert there.live.table.phase == "war_betting"
    there.wait(7_999)
    there.bet("ann", 500, "war_tie")
    there.wait(1)
    assert there.live.table.round.is_over
    assert "war_tie" in {one.wager for one in there.told(e.WagerSettled)}
    plain = ready("ann", book="nz")
    plain.until_tie("ann")
    plain.must("ann", do="go_to_war", player="ann", box=1)
    assert plain.live.table.round.is_over


@pytest.mark.parametrize(("due", "cards"), [("when_loaded", 2), ("at_deal", 3)])
def test_the_table_lets_people_look_before_it_goes_on(due: str, cards: int) -> None:
    """At the two cards of a round, and at the opening burn too where it comes with the deal."""
    timers = {"card": 2, "pause": 5, "entropy": 0, "cut": 0, "betting": 3}
    there = ready("ann", timers=timers, options={"burn.due": due})
    there.bet("ann")
    began = there.clock.ticks
    there.until_over()
    assert there.clock.ticks - began == 3_000
    there.bet("ann")
    again = there.clock.ticks
    there.until_over()
    assert there.clock.ticks - again == 1000 * (2 * cards + 5)


@pytest.mark.parametrize(("due", "looks"), [("when_loaded", 2_000), ("at_deal", 1_000)])
def test_nothing_is_dealt_while_people_look_at_the_opening_burn(due: str, looks: int) -> None:
    """It comes before the wagers, and they are taken meanwhile."""
    timers = {"card": 2, "pause": 5, "entropy": 0, "cut": 0, "betting": 1}
    there = ready("ann", timers=timers, options={"burn.due": due})
    began = there.clock.ticks
    there.bet("ann")
    there.until_over()
    assert there.clock.ticks - began == looks


def test_a_pause_stops_the_dealer_and_every_timer_and_they_begin_anew() -> None:
    there = ready("ann")
    there.bet("ann")
    there.wait(10_000)
    there.must("sue", "supervisor", "a dispute", do="pause")
    there.wait(HOUR // 30)
    assert dealt(there) == 0
    assert live_view(there.live, Viewer("watcher")).is_paused
    assert live_view(there.live, Viewer("watcher")).timer is None
    there.must("sue", "supervisor", "settled", do="resume")
    there.wait(14_999)
    assert dealt(there) == 0, "a player gets the time that the pause took"
    there.wait(1)
    assert dealt(there) == 2


def test_a_pause_in_a_decision_does_not_surrender_for_anybody() -> None:
    there = ready("ann")
    there.until_tie("ann")
    there.must("sue", "supervisor", "a dispute", do="pause")
    there.wait(100_000)
    there.must("sue", "supervisor", "settled", do="resume")
    there.wait(10_000)
    there.must("ann", do="go_to_war", player="ann", box=1)
    assert there.told(e.WarDeclared)


def test_who_is_away_too_long_gives_up_the_seat_and_has_all_chips_back() -> None:
    there = ready("ann", "ben")
    there.must("ann", do="buy_chips", amount=5_000)
    there.house.present("ann", there.table, False)
    there.wait(179_999)
    assert there.live.box_of("ann") == 1
    there.wait(1)
    assert there.live.box_of("ann") is None
    assert there.purse("ann") == ALL
    assert there.live.box_of("ben") == 2, "who is there stays, though ben did nothing either"


def test_who_comes_back_in_time_keeps_the_seat() -> None:
    there = ready("ann")
    there.house.present("ann", there.table, False)
    there.wait(179_000)
    there.house.present("ann", there.table, True)
    there.wait(HOUR)
    assert there.live.box_of("ann") == 1


def test_away_in_a_decision_and_back_finds_the_same_decision() -> None:
    there = ready("ann", timers={"card": 0, "pause": 0, "entropy": 0, "cut": 0, "decision": 400})
    there.until_tie("ann")
    before = live_view(there.live, Viewer("player", "ann"))
    there.house.present("ann", there.table, False)
    there.wait(300_000)
    there.house.present("ann", there.table, True)
    again = live_view(there.live, Viewer("player", "ann"))
    assert again.view == before.view
    assert again.timer is not None
    assert again.timer.left == 100_000, "who goes away gains no time"
    there.must("ann", do="go_to_war", player="ann", box=1)


def test_leaving_in_the_middle_of_a_round_waits_for_its_end() -> None:
    there = ready("ann", "ben")
    there.bet("ann")
    there.must("ann", do="leave")
    assert there.live.box_of("ann") == 1
    assert "ann" in there.live.leaving
    assert there.told(LeavePlanned)
    there.until_over()
    there.house.advance()
    assert there.live.box_of("ann") is None
    assert not there.live.table.players["ann"]
    outcome = there.told(e.WagerSettled)[-1]
    assert there.purse("ann") == ALL - 1000 + outcome.paid + outcome.returned


def test_who_has_said_goodbye_can_stay_after_all() -> None:
    there = ready("ann")
    there.bet("ann")
    there.must("ann", do="leave")
    there.must("ann", do="sit", box=1)
    assert there.told(LeaveCancelled)
    there.until_over()
    there.house.advance()
    assert there.live.box_of("ann") == 1


def test_leaving_with_nothing_in_play_is_at_once_and_with_everything() -> None:
    there = ready("ann")
    there.must("ann", do="buy_chips", amount=7_000)
    assert there.purse("ann") == ALL - 7_000
    there.must("ann", do="leave")
    assert there.told(CashedOut) == [CashedOut("ann", 7_000)]
    assert there.purse("ann") == ALL
    assert there.refusal("ann", do="leave").code == "not_seated"
