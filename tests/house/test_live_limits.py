"""What players set for themselves, and purses: hard limits across tables, refills, funds."""

from collections.abc import Callable
from typing import Any

import pytest

from casinowar.engine import events as e
from casinowar.fairness import practice_bytes
from casinowar.house.house import House, Who
from casinowar.protocol import Answer, Done, Refused
from casinowar.store import audit
from tests.support.live_night import HOUR, STAFF, Night, table

QUICK: dict[str, Any] = {"card": 0, "pause": 0, "entropy": 0, "cut": 0}
MINUTE = 60_000
OZ = Who("oz", STAFF["oz"])


def ready(*players: str, book: str = "nz", **settings: Any) -> Night:
    """Two tables, `t` and `u`, at which these players sit."""
    tables = (table("t", book, timers=QUICK), table("u", book, timers=QUICK))
    there = Night(*tables, source=practice_bytes("limits"), **settings)
    for name in ("t", "u"):
        there.sit(*players, table=name)
        there.until_ready(name)
    return there


def wager(amount: int, name: str = "initial", **more: Any) -> dict[str, Any]:
    return {"do": "place_wager", "player": "ann", "box": 1, "wager": name, "amount": amount, **more}


def code(answer: Answer) -> str:
    assert isinstance(answer, Refused)
    return answer.code


def taken(answer: Answer) -> None:
    assert isinstance(answer, Done), answer


def test_an_initial_wager_counts_double_since_it_may_lead_to_war() -> None:
    there = ready("ann")
    taken(there.house.set_limits("ann", "l", 5_000, None))
    assert there.refusal("ann", **wager(3_000)).code == "loss_limit"
    there.must("ann", **wager(2_500))
    assert there.refusal("ann", **wager(500, "tie")).code == "loss_limit"


def test_a_tie_wager_counts_once() -> None:
    there = ready("ann")
    taken(there.house.set_limits("ann", "l", 5_000, None))
    there.must("ann", **wager(2_000))
    assert there.refusal("ann", **wager(1_500, "tie")).code == "loss_limit"
    there.must("ann", **wager(1_000, "tie"))


def test_the_limit_holds_over_all_tables_and_against_amending() -> None:
    there = ready("ann")
    taken(there.house.set_limits("ann", "l", 5_000, None))
    there.must("ann", **wager(1_000))
    raised = {"do": "amend_wager", "player": "ann", "box": 1, "wager": "initial", "amount": 3_000}
    assert there.refusal("ann", **raised).code == "loss_limit"
    there.must("ann", **{**raised, "amount": 2_500})
    assert there.refusal("ann", **wager(500), table="u").code == "loss_limit"
    there.must("ann", **{**raised, "amount": 2_000})
    there.must("ann", **wager(500), table="u")


def test_a_war_that_was_counted_beforehand_is_never_refused() -> None:
    there = ready("ann")
    taken(there.house.set_limits("ann", "l", 2_000 + there.house.player("ann").lost_today, None))
    for _ in range(200):
        answer = there.act("ann", **wager(1_000))
        if isinstance(answer, Refused):
            loss = there.house.player("ann").lost_today
            assert answer.code == "loss_limit"
            assert loss > 0
            return
        there.house.advance()
        there.until(lambda: there.live.table.phase == "deciding" or there.live.table.round.is_over)
        if there.live.table.phase == "deciding":
            there.must("ann", do="go_to_war", player="ann", box=1)
            assert there.house.player("ann").lost_today <= 2_000
        there.until_ready()
    raise AssertionError("no loss in 200 rounds")


def test_the_loss_of_a_day_never_exceeds_the_limit() -> None:
    there = ready("ann")
    taken(there.house.set_limits("ann", "l", 7_000, None))
    refusals = 0
    for _ in range(300):
        answer = there.act("ann", **wager(1_500))
        if isinstance(answer, Refused):
            refusals += 1
            answer = there.act("ann", **wager(500))
        if isinstance(answer, Refused):
            break
        there.house.advance()
        there.until(lambda: there.live.table.phase == "deciding" or there.live.table.round.is_over)
        if there.live.table.phase == "deciding":
            there.must("ann", do="go_to_war", player="ann", box=1)
        there.until_ready()
        worth = there.purse("ann") + sum(there.house.player("ann").chips.values())
        assert 100_000 - worth <= 7_000
        assert there.house.player("ann").lost_today == max(0, 100_000 - worth)
    assert refusals


def test_what_was_lost_today_is_known_after_a_restart() -> None:
    there = ready("ann")
    taken(there.house.set_limits("ann", "l", 3_000, None))
    while there.house.player("ann").lost_today < 1_000:
        taken(there.act("ann", **wager(500)))
        there.until_over()
        there.until_ready()
    before = there.house.player("ann")
    assert there.refusal("ann", **wager(1_500)).code == "loss_limit"
    there.house = House(there.store, there.settings, tick=there.clock.tick, source=there.source)
    assert there.house.player("ann") == before
    assert there.refusal("ann", **wager(1_500)).code == "loss_limit"


def test_what_was_lost_at_a_table_that_is_gone_counts_too() -> None:
    there = ready("ann")
    while there.house.player("ann").lost_today < 1_000:
        taken(there.act("ann", **wager(500)))
        there.until_over()
        there.until_ready()
    lost = there.house.player("ann").lost_today
    there.must("ann", do="leave")
    there.must("sue", "supervisor", "end of the night", do="close_table")
    for name in ("first", "second"):
        there.house = House(there.store, there.settings, tick=there.clock.tick, source=there.source)
        assert there.house.player("ann").lost_today == lost, name
    assert there.live.stream != "t"


def test_what_is_stricter_counts_at_once_and_what_is_looser_a_day_later() -> None:
    there = ready("ann")
    taken(there.house.set_limits("ann", "a", 5_000, 60))
    taken(there.house.set_limits("ann", "b", 50_000, None))
    view = there.house.player("ann")
    assert (view.loss_limit, view.minutes_limit) == (5_000, 60)
    assert (view.coming_loss_limit, view.coming_minutes_limit) == (50_000, None)
    assert view.coming_from == there.clock.wall + 24 * HOUR
    taken(there.house.set_limits("ann", "c", 2_000, 90))
    view = there.house.player("ann")
    assert (view.loss_limit, view.minutes_limit) == (2_000, 60), "each for itself"
    there.clock.pass_(24 * HOUR - 1)
    assert there.house.player("ann").loss_limit == 2_000
    there.clock.pass_(1)
    assert (there.house.player("ann").loss_limit, there.house.player("ann").minutes_limit) == (2_000, 90)


def test_a_looser_limit_that_was_taken_back_never_comes() -> None:
    there = ready("ann")
    taken(there.house.set_limits("ann", "a", 2_000, None))
    taken(there.house.set_limits("ann", "b", 90_000, None))
    taken(there.house.set_limits("ann", "c", 2_000, None))
    there.clock.pass_(48 * HOUR)
    assert there.house.player("ann").loss_limit == 2_000
    assert code(there.house.set_limits("ann", "d", -1, None)) == "amount_not_positive"


def test_a_new_day_begins_with_nothing_lost() -> None:
    there = ready("ann")
    taken(there.house.set_limits("ann", "l", 1_000, None))
    there.must("ann", **wager(500))
    assert there.house.player("ann").lost_today == 500
    there.until_over()
    there.clock.pass_(24 * HOUR)
    assert there.house.player("ann").lost_today == 0
    there.until_ready()
    there.come("ann")
    there.must("ann", **wager(500))


def late_at_night() -> Night:
    """Five past midnight; ann may lose 16 today, and 5 of them lie on the layout."""
    there = ready("ann")
    there.clock.pass_(12 * HOUR + 5 * MINUTE)
    for name in ("t", "u"):
        there.come("ann", table=name)
        there.until_ready(name)
    taken(there.house.set_limits("ann", "l", 1_600, None))
    there.must("ann", **wager(500))
    assert there.house.player("ann").lost_today == 500
    return there


def test_a_clock_that_is_set_back_over_midnight_forgets_no_loss_of_today() -> None:
    there = late_at_night()
    there.clock.wall -= 10 * MINUTE
    assert there.house.player("ann").lost_today == 500
    assert there.refusal("ann", table="u", **wager(500)).code == "loss_limit"


def test_what_is_lost_after_the_clock_was_set_back_is_of_today_too_even_after_a_restart() -> None:
    there = late_at_night()
    there.clock.wall -= 10 * MINUTE
    there.must("ann", **wager(500, "tie"))
    for _ in range(2):
        assert there.house.player("ann").lost_today == 1000
        there.clock.wall += 10 * MINUTE
        assert there.house.player("ann").lost_today == 1000
        there.house = there.open()
    there.clock.wall += 24 * HOUR
    assert there.house.player("ann").lost_today == 0, "and tomorrow is a new day"


def test_a_clock_that_was_a_year_ahead_does_not_keep_the_day_for_a_year() -> None:
    there = ready("ann")
    there.clock.wall += 365 * 24 * HOUR
    taken(there.house.set_limits("ann", "l", 1_000, None))
    there.clock.wall -= 365 * 24 * HOUR
    there.must("ann", **wager(500))
    assert there.house.player("ann").lost_today == 500
    there.clock.wall += 24 * HOUR
    assert there.house.player("ann").lost_today == 0


def test_minutes_are_counted_over_all_tables_and_end_the_betting_not_the_round() -> None:
    there = ready("ann")
    taken(there.house.set_limits("ann", "l", None, there.house.player("ann").minutes_today + 1))
    there.clock.pass_(MINUTE)
    there.must("ann", **wager(500))
    there.clock.pass_(MINUTE)
    assert there.refusal("ann", **wager(500), table="u").code == "time_limit"
    assert there.refusal("ann", **wager(500, "tie")).code == "time_limit"
    there.must("ann", do="withdraw_wager", player="ann", box=1, wager="initial")
    there.must("ann", do="leave")
    assert there.refusal("ann", do="sit", box=1).code == "time_limit"


def test_who_has_taken_a_break_may_finish_and_go_but_not_bet() -> None:
    there = ready("ann")
    there.until_tie("ann")
    taken(there.house.take_break("ann", "b", 30))
    there.must("ann", do="go_to_war", player="ann", box=1)
    there.until_ready()
    assert there.refusal("ann", **wager(500)).code == "away_from_play"
    assert there.refusal("ann", **wager(500), table="u").code == "away_from_play"
    there.must("ann", do="leave")
    assert there.refusal("ann", do="sit", box=1).code == "away_from_play"
    assert code(there.house.take_break("ann", "z", 0)) == "amount_not_positive"
    taken(there.house.take_break("ann", "c", 1))
    there.clock.pass_(29 * MINUTE)
    assert there.refusal("ann", do="sit", box=1).code == "away_from_play", "a break is never shortened"
    there.clock.pass_(MINUTE)
    assert isinstance(there.act("ann", do="sit", box=1), Done)


def test_what_is_written_under_a_clock_that_is_ahead_ends_nobodys_break() -> None:
    there = ready("ann", "ben")
    taken(there.house.take_break("ann", "b", 60))
    there.clock.wall += 2 * HOUR
    there.must("ben", do="buy_chips", amount=500)
    there.clock.wall -= 2 * HOUR
    assert there.refusal("ann", **wager(500)).code == "away_from_play"
    there.house = there.open()
    there.clock.pass_(HOUR - 1)
    assert there.house.player("ann").break_until is not None
    there.clock.pass_(1)
    assert there.house.player("ann").break_until is None


def test_limits_and_breaks_outlive_a_restart_and_repeat_their_answer() -> None:
    there = ready("ann")
    first = there.house.set_limits("ann", "a", 5_000, 60)
    later = there.house.take_break("ann", "b", 30)
    before = there.house.player("ann")
    there.house = House(there.store, there.settings, tick=there.clock.tick)
    assert there.house.player("ann") == before
    assert (there.house.set_limits("ann", "a", 5_000, 60), there.house.take_break("ann", "b", 30)) == (first, later)
    assert code(there.house.set_limits("ann", "a", 6_000, 60)) == "id_reused"


@pytest.mark.clause("CA-RP-9c")
def test_a_bank_is_a_stake_like_any_other_for_the_limit() -> None:
    there = Night(table(rulebook="ca", timers=QUICK))
    there.sit("ann", "ben")
    taken(there.house.set_limits("ann", "l", 5_000, None))
    there.until(lambda: there.live.is_ready)
    bank = {"do": "accept_bank", "player": "ann", "box": 1}
    assert there.refusal("ann", **bank, stake=5_001).code == "loss_limit"
    there.must("ann", **bank, stake=5_000)
    there.bet("ben")
    there.until_over()
    assert there.refusal("ann", **bank, stake=5_001 + gain(there)).code == "loss_limit"


def banked(player: str = "ann") -> Night:
    """Ann holds a bank of 10,000 against which nobody has bet."""
    there = Night(table(rulebook="ca", timers=QUICK))
    there.sit("ann", "ben")
    there.until(lambda: there.live.is_ready)
    there.must(player, do="accept_bank", player=player, box=1, stake=10_000)
    return there


@pytest.mark.parametrize(
    "restrain",
    [
        lambda house: house.take_break("ann", "b", 30),
        lambda house: house.set_limits("ann", "b", 9_999, None),
        lambda house: house.set_limits("ann", "b", None, 0),
    ],
    ids=["a break", "a loss below the stake", "no time left"],
)
def test_a_bank_that_nobody_has_bet_against_goes_back_when_its_player_stops(
    restrain: Callable[[House], Answer],
) -> None:
    there = banked()
    taken(restrain(there.house))
    there.house.advance()
    assert there.live.table.bank is None
    assert there.live.table.players["ann"] == 10_000
    assert there.live.box_of("ann") == 1, "the seat is kept"
    there.check()


def test_a_bank_that_somebody_has_bet_against_is_played_and_goes_back_when_the_wager_does() -> None:
    there = banked()
    there.bet("ben")
    taken(there.house.take_break("ann", "b", 30))
    there.house.advance()
    assert there.told(e.BankRelinquished) == []
    there.must("ben", do="withdraw_wager", player="ben", box=2, wager="initial")
    assert [one.player for one in there.told(e.BankRelinquished)] == ["ann"]
    there.check()


def test_a_limit_that_the_bank_stays_within_leaves_it() -> None:
    there = banked()
    taken(there.house.set_limits("ann", "l", 10_000, None))
    there.house.advance()
    assert there.live.table.bank is not None


def gain(there: Night) -> int:
    return there.told(e.BankReturned)[-1].amount - 5_000


def test_a_purse_is_filled_again_only_when_it_is_low_everywhere() -> None:
    there = ready("ann", guest_purse=20_000, refill=20_000, refill_below=5_000)
    assert code(there.house.refill("ann", "a")) == "purse_not_low"
    there.must("ann", do="buy_chips", amount=16_000)
    assert code(there.house.refill("ann", "b")) == "purse_not_low", "chips on a table are money"
    there.must("ann", do="cash_chips", amount=16_000)
    taken(there.house.fund(OZ, "f", "ann", -15_001, "for the test"))
    assert there.house.player("ann").can_refill
    answer = there.house.refill("ann", "c")
    taken(answer)
    assert there.purse("ann") == 24_999
    assert there.house.refill("ann", "c") == answer
    assert there.purse("ann") == 24_999
    assert code(there.house.refill("ann", "d")) == "purse_not_low"


def test_a_player_sees_what_lies_in_play_at_each_table() -> None:
    there = ready("ann", "ben")
    assert there.house.player("ann").on_layout == {}
    there.must("ann", **wager(1_000))
    there.must("ann", **wager(500, "tie"))
    there.must("ann", table="u", **wager(2_000))
    assert there.house.player("ann").on_layout == {"t": 1_500, "u": 2_000}
    assert there.house.player("ben").on_layout == {}


def test_a_bank_lies_in_play_too() -> None:
    there = Night(table(rulebook="ca", timers=QUICK))
    there.sit("ann", "ben")
    there.until(lambda: there.live.is_ready)
    there.must("ann", do="accept_bank", player="ann", box=1, stake=5_000)
    assert list(there.house.player("ann").on_layout.values()) == [5_000]


def test_a_house_without_refills_gives_none() -> None:
    there = ready("ann", guest_purse=100, refill=0)
    assert code(there.house.refill("ann", "a")) == "purse_not_low"


def test_only_the_operator_issues_play_money_and_says_why() -> None:
    there = ready("ann")
    assert code(there.house.fund(Who("sue", STAFF["sue"]), "a", "ann", 5, "a present")) == "not_allowed"
    assert code(there.house.fund(Who("ann"), "a", "ann", 5, "a present")) == "not_allowed"
    assert code(there.house.fund(OZ, "a", "ann", 5, "")) == "reason_due"
    assert code(there.house.fund(OZ, "a", "ann", 0, "a present")) == "amount_not_positive"
    assert code(there.house.fund(OZ, "a", "nobody", 5, "a present")) == "unknown_player"
    assert code(there.house.fund(OZ, "a", "ann", -100_001, "too much")) == "insufficient_funds"
    assert code(there.house.fund(OZ, "a", "ann", 2**53, "too much")) == "purse_full"
    for una in (OZ, Who("oz", STAFF["una"])):
        for amount in (5, -5):
            told = there.house.fund(una, "a", "oz", amount, "a present")
            assert isinstance(told, Refused)
            assert (told.code, told.says) == ("own_purse", "nobody funds their own purse: ask another operator")
    done = there.house.fund(OZ, "a", "ann", 5, "a present")
    taken(done)
    assert there.house.fund(OZ, "a", "ann", 5, "a present") == done
    assert there.purse("ann") == 100_005
    assert audit(there.store) == []


def test_a_guest_is_welcomed_once() -> None:
    there = ready("ann")
    for _ in range(3):
        there.house.welcome("ann")
    assert there.purse("ann") == 100_000
    again = House(there.store, there.settings, tick=there.clock.tick)
    again.welcome("ann")
    assert there.purse("ann") == 100_000
