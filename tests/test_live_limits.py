"""What players set for themselves, and purses: hard limits across tables, refills, funds."""

from typing import Any

import pytest

from casinowar.engine import events as e
from casinowar.fairness import practice_bytes
from casinowar.store import audit
from casinowar.table.frames import Answer, Done, Refused
from casinowar.table.house import House, Who
from tests.live_night import HOUR, STAFF, Night, table

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
