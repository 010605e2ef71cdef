"""New Zealand, section 5: what may be wagered, until when, and what war and surrender cost."""

import pytest

from tests.support.rounds import act, bet, deal, play, surrender, war


def amend(player: str, box: int, wager: str, amount: int) -> dict[str, object]:
    return act("amend_wager", player=player, box=box, wager=wager, amount=amount)


def withdraw(player: str, box: int, wager: str) -> dict[str, object]:
    return act("withdraw_wager", player=player, box=box, wager=wager)


@pytest.mark.clause("NZ-5.1a", "NZ-1.2-CWW")
def test_casino_war_alone() -> None:
    played = play("nz", "2c Kh Qd", bet("ana", 1, "initial", 1000), deal())
    assert played.settlements() == [("ana", 1, "initial", "win", 1000)]


@pytest.mark.clause("NZ-5.1b", "NZ-1.2-TIE")
def test_tie_alone_wins_on_equal_first_cards() -> None:
    played = play("nz", "2c Kh Kd", bet("ana", 1, "tie", 500), deal())
    assert played.settlements() == [("ana", 1, "tie", "win", 10 * 500)]
    assert played.refusals == []


@pytest.mark.clause("NZ-5.1c")
def test_both_wagers_on_one_box() -> None:
    played = play("nz", "2c Kh Qd", bet("ana", 1, "initial", 1000), bet("ana", 1, "tie", 500), deal())
    assert played.settlements() == [("ana", 1, "tie", "lose", -500), ("ana", 1, "initial", "win", 1000)]
    assert played.gain("ana") == 1000 - 500


@pytest.mark.clause("NZ-5.1", "NZ-1.2-CWW", "NZ-1.2-TIE")
@pytest.mark.parametrize("wager", ["initial", "tie"])
def test_no_wager_once_the_first_card_is_out(wager: str) -> None:
    acts = [bet("ana", 1, "initial", 1000), deal(1), bet("ben", 2, wager, 500), bet("ana", 1, wager, 500), deal()]
    played = play("nz", "2c Kh Qd", *acts)
    assert played.refusals == [(2, "betting_closed"), (3, "betting_closed")]
    assert played.settlements() == [("ana", 1, "initial", "win", 1000)]
    assert played.gain("ben") == 0


@pytest.mark.clause("NZ-5.1")
@pytest.mark.parametrize("wager", ["a_bomb", "perfect_pairs", "progressive"])
def test_the_layout_has_no_other_area(wager: str) -> None:
    played = play("nz", "2c Ah Kd", bet("ana", 1, "initial", 1000), bet("ana", 1, wager, 500), deal())
    assert played.refusals == [(1, "wager_not_offered")]
    assert played.gain("ana") == 1000


@pytest.mark.clause("NZ-5.6")
def test_no_tie_wager_on_the_second_cards() -> None:
    acts = [bet("ana", 1, "initial", 1000), deal(), war("ana", 1), bet("ana", 1, "war_tie", 500), deal()]
    played = play("nz", "2c Kh Kd 3c 4c 5c 9h 9d", *acts)
    assert played.refusals == [(3, "wager_not_offered")]
    assert all("NZ-5.6" in cited for cited in played.refusal_clauses)
    assert played.gain("ana") == 2 * 1000


@pytest.mark.clause("NZ-5.15a")
def test_no_pairs_wager_on_the_second_cards() -> None:
    acts = [bet("ana", 1, "initial", 1000), deal(), war("ana", 1), bet("ana", 1, "war_perfect_pairs", 500), deal()]
    played = play("nz", "2c Kh Kd 3c 4c 5c 9h 9d", *acts)
    assert played.refusals == [(3, "wager_not_offered")]
    assert all("NZ-5.15a" in cited for cited in played.refusal_clauses)


@pytest.mark.clause("NZ-5.1")
def test_a_wager_off_the_unit_is_refused() -> None:
    played = play("nz", "2c", bet("ana", 1, "initial", 1250), bet("ben", 2, "initial", 1500))
    assert played.refusals == [(0, "wager_off_unit")]
    assert (played.gain("ana"), played.gain("ben")) == (0, -1500)


@pytest.mark.clause("NZ-5.2a", "NZ-1.2-GTWW", "NZ-8.7.1a")
@pytest.mark.parametrize("amount", [500, 1500, 50000])
def test_the_war_wager_equals_the_initial_wager(amount: int) -> None:
    played = play("nz", "2c Kh Kd", bet("ana", 1, "initial", amount), deal(), war("ana", 1))
    assert [(one["amount"], one["match"]) for one in played.events("war_declared")] == [(amount, 0)]
    assert played.gain("ana") == -2 * amount


@pytest.mark.clause("NZ-1.2-GTWW", "NZ-5.2a")
def test_no_war_wager_of_another_amount_can_be_named() -> None:
    acts = [
        bet("ana", 1, "initial", 1000),
        deal(),
        bet("ana", 1, "war", 500),
        bet("ana", 1, "war", 1000),
        war("ana", 1),
    ]
    played = play("nz", "2c Kh Kd 3c 4c 5c 9h 8d", *acts, deal())
    assert played.refusals == [(2, "war_is_declared"), (3, "war_is_declared")]
    assert played.line("ana", "war")["amount"] == 1000


@pytest.mark.clause("NZ-1.2-GTWW")
def test_a_war_wager_may_take_a_bettor_over_the_table_maximum_unless_the_operator_counts_it() -> None:
    acts = [bet("ana", 1, "initial", 25500), bet("ben", 2, "initial", 25000), deal(), war("ana", 1), war("ben", 2)]
    assert play("nz", "2c Kh Ks Kd", *acts).refusals == []
    counted = play("nz", "2c Kh Ks Kd", *acts, surrender("ana", 1), options={"war.exempt": False})
    assert counted.refusals == [(3, "wager_above_maximum")]
    assert (counted.gain("ana"), counted.gain("ben")) == (-25500 // 2, -2 * 25000)


@pytest.mark.clause("NZ-5.2a")
def test_a_war_that_cannot_be_funded_in_full_is_refused() -> None:
    acts = [bet("ana", 1, "initial", 1000), deal(), war("ana", 1), surrender("ana", 1)]
    short = play("nz", "2c Kh Kd", *acts, players={"ana": 1999})
    assert short.refusals == [(2, "insufficient_funds")]
    assert short.balances["ana"] == 1999 - 500
    enough = play("nz", "2c Kh Kd 3c 4c 5c 9h 8d", *acts[:3], deal(), players={"ana": 2000})
    assert enough.refusals == []
    assert enough.balances["ana"] == 2000 + 1000


@pytest.mark.clause("NZ-5.2b", "NZ-1.2-SUR")
@pytest.mark.parametrize("amount", [500, 1000, 2500])
def test_surrender_gives_up_half(amount: int) -> None:
    played = play("nz", "2c Kh Kd", bet("ana", 1, "initial", amount), deal(), surrender("ana", 1))
    assert played.settlements() == [("ana", 1, "initial", "surrender", -(amount // 2))]
    assert played.line("ana", "initial")["returned"] == amount - amount // 2
    assert played.balances["house"] == amount // 2


@pytest.mark.clause("NZ-5.2b")
@pytest.mark.parametrize(("options", "taken"), [({}, 250), ({"surrender.odd_unit": "house"}, 251)])
def test_the_odd_unit_of_a_surrender_stays_with_the_player_unless_set(options: dict[str, str], taken: int) -> None:
    acts = [bet("ana", 1, "initial", 501), deal(), surrender("ana", 1)]
    played = play("nz", "2c Kh Kd", *acts, limits={}, options=options)
    assert played.gain("ana") == -taken


@pytest.mark.clause("NZ-1.2-SUR")
def test_an_operator_may_ask_for_wagers_that_halve_evenly() -> None:
    acts = [bet("ana", 1, "initial", 501), bet("ben", 2, "initial", 502), bet("cat", 3, "tie", 501)]
    assert play("nz", "2c", *acts, limits={}).refusals == []
    assert play("nz", "2c", *acts, limits={}, options={"limits.require_even": True}).refusals == [(0, "wager_odd")]


@pytest.mark.clause("NZ-5.12-i")
def test_a_called_wager_counts_with_its_chips_only() -> None:
    acts = [
        bet("ana", 1, "initial", 1000, called=True, by="dealer:d1"),
        bet("ben", 2, "initial", 1000, called=True, by="dealer:d1"),
        deal(),
    ]
    played = play("nz", "2c Kh Qd", *acts, players={"ana": 1000, "ben": 500})
    assert played.refusals == [(1, "insufficient_funds")]
    assert played.balances["ana"] == 1000 + 1000
    assert played.balances["ben"] == 500


@pytest.mark.clause("NZ-5.12-i")
def test_the_dealer_puts_a_called_wager_down() -> None:
    acts = [bet("ana", 1, "initial", 1000, called=True, by="player:ana"), bet("ana", 1, "initial", 500, called=True)]
    played = play("nz", "2c", *acts)
    assert played.refusals == [(0, "not_entitled")]
    assert played.gain("ana") == -500


@pytest.mark.clause("NZ-5.12-ii")
def test_a_called_wager_comes_before_the_call_or_not_at_all() -> None:
    acts = [
        bet("ana", 1, "initial", 1000, called=True),
        act("no_more_bets"),
        bet("ben", 2, "initial", 1000, called=True),
        deal(),
    ]
    played = play("nz", "2c Kh Qd", *acts)
    assert played.refusals == [(2, "betting_closed")]
    assert (played.gain("ana"), played.gain("ben")) == (1000, 0)


@pytest.mark.clause("NZ-5.15", "NZ-5.15a")
def test_no_wager_after_the_call_though_no_card_is_out() -> None:
    acts = [
        bet("ana", 1, "initial", 1000),
        act("no_more_bets"),
        bet("ana", 1, "initial", 500),
        bet("ana", 1, "tie", 500),
        bet("ben", 2, "initial", 500),
        deal(),
    ]
    played = play("nz", "2c Kh Qd", *acts)
    assert played.refusals == [(2, "betting_closed"), (3, "betting_closed"), (4, "betting_closed")]
    assert all("NZ-5.15" in cited for cited in played.refusal_clauses)
    assert played.settlements() == [("ana", 1, "initial", "win", 1000)]


@pytest.mark.clause("NZ-5.1", "NZ-5.15")
def test_under_the_other_reading_betting_is_open_until_the_first_card() -> None:
    acts = [
        bet("ana", 1, "initial", 1000),
        act("no_more_bets"),
        bet("ben", 2, "initial", 500),
        deal(1),
        bet("cat", 3, "initial", 500),
        deal(),
    ]
    played = play("nz", "2c Kh Ah Qd", *acts, options={"betting.closes": "first_card"})
    assert played.refusals == [(4, "betting_closed")]
    assert (played.gain("ana"), played.gain("ben"), played.gain("cat")) == (1000, 500, 0)


@pytest.mark.clause("NZ-5.15a", "NZ-5.15")
def test_the_war_wager_is_the_exception_to_the_call() -> None:
    acts = [
        bet("ana", 1, "initial", 1000),
        act("no_more_bets"),
        deal(),
        bet("ana", 1, "tie", 500),
        war("ana", 1),
        deal(),
    ]
    played = play("nz", "2c Kh Kd 3c 4c 5c 9h 8d", *acts)
    assert played.refusals == [(3, "betting_closed")]
    assert played.settlements() == [("ana", 1, "initial", "push", 0), ("ana", 1, "war", "win", 1000)]


@pytest.mark.clause("NZ-5.15b")
def test_a_wager_may_be_changed_and_taken_back_until_the_call() -> None:
    acts = [
        bet("ana", 1, "initial", 1000),
        bet("ana", 1, "initial", 500),
        bet("ana", 1, "tie", 500),
        bet("ben", 2, "initial", 1000),
        amend("ana", 1, "initial", 2500),
        withdraw("ana", 1, "tie"),
        withdraw("ben", 2, "initial"),
        deal(),
    ]
    played = play("nz", "2c Kh Qd", *acts)
    assert played.refusals == []
    assert played.settlements() == [("ana", 1, "initial", "win", 2500)]
    assert played.gain("ben") == 0


@pytest.mark.clause("NZ-5.15b")
def test_no_wager_is_touched_between_the_call_and_its_settlement() -> None:
    acts = [
        bet("ana", 1, "initial", 1000),
        bet("ana", 1, "tie", 500),
        act("no_more_bets"),
        amend("ana", 1, "initial", 2000),
        withdraw("ana", 1, "tie"),
        deal(),
        withdraw("ana", 1, "initial"),
        war("ana", 1),
        withdraw("ana", 1, "war"),
        amend("ana", 1, "war", 500),
        deal(),
    ]
    played = play("nz", "2c Kh Kd 3c 4c 5c 9h Td", *acts)
    assert played.refusals == [(number, "betting_closed") for number in (3, 4, 6, 8, 9)]
    assert played.settlements() == [
        ("ana", 1, "tie", "win", 10 * 500),
        ("ana", 1, "initial", "lose", -1000),
        ("ana", 1, "war", "lose", -1000),
    ]
