"""Massachusetts, sections 1 and 6: who may bet what, when, and how long a wager may be touched."""

from typing import Any

import pytest

from casinowar.engine import Table
from casinowar.engine.view import Viewer, view
from casinowar.rulebooks import RulebookError, load_rulebook
from tests.support.rounds import PLAYERS, act, bet, deal, play, surrender, war

ANA = bet("ana", 1, "initial", 1000)
TIED = "2c 9h 9d 3c 4c 5c "
AT_WAR = [ANA, deal(), war("ana", 1)]
PROGRESSIVE = {"wager.progressive": True}
COUPONS = {"wager.match_play": True}


@pytest.mark.clause("MA-1-INIT", "MA-1-WW", "MA-1-TW", "MA-11a")
def test_the_layout_calls_the_wagers_by_the_books_names() -> None:
    names = load_rulebook("ma").names
    assert (names.initial, names.war, names.tie, names.war_tie) == ("Initial", "War", "Tie", "Tie")
    assert names.progressive == "Casino War Progressive"
    assert (names.a_bomb, names.perfect_pairs, names.war_perfect_pairs) == (None, None, None)


@pytest.mark.clause("MA-1-INIT", "MA-1-TW")
@pytest.mark.parametrize("wager", ["tie", "progressive"])
def test_no_other_wager_without_an_initial_one(wager: str) -> None:
    """AMB-26: the tie wager is defined as made together with an initial wager."""
    other = bet("ana", 1, wager, 500)
    played = play("ma", "2c Kh 9d", other, ANA, other, deal(), options=PROGRESSIVE)
    assert played.refusals == [(0, "initial_required")]
    assert played.refusal_clauses == [["MA-1-TW", "MA-1-INIT"] if wager == "tie" else ["MA-1-INIT"]]
    assert played.gain("ana") == 1000 - 500


@pytest.mark.clause("MA-1-INIT")
def test_a_neighbours_initial_wager_does_not_do() -> None:
    played = play("ma", "2c Kh 9d", ANA, bet("ben", 2, "tie", 500), deal())
    assert played.refusals == [(1, "initial_required")]
    assert played.dealt() == "burn 2c, box 1 Kh, dealer 9d"


@pytest.mark.clause("MA-1-TW")
@pytest.mark.parametrize(("first", "tie"), [("9h", 5000), ("Kh", -500), ("2h", -500)])
def test_a_tie_wager_is_on_the_deal_it_was_made_for(first: str, tie: int) -> None:
    acts = [ANA, bet("ana", 1, "tie", 500), deal(), surrender("ana", 1)]
    played = play("ma", f"2c {first} 9d", *acts)
    assert played.line("ana", "tie")["net"] == tie


@pytest.mark.clause("MA-1-TW", "MA-8e-iii")
def test_each_tie_wager_is_settled_on_its_own_deal() -> None:
    """The first deal ties and the war does not: 10 x 500 won on the one, 1,500 lost on the other."""
    acts = [ANA, bet("ana", 1, "tie", 500), deal(), war("ana", 1), bet("ana", 1, "war_tie", 1500), deal()]
    played = play("ma", TIED + "Kh Qd", *acts)
    assert played.line("ana", "tie")["net"] == 10 * 500
    assert played.line("ana", "war_tie")["net"] == -1500


@pytest.mark.clause("MA-8e-iii")
@pytest.mark.parametrize("amount", [500, 2000])
def test_the_tie_wager_on_the_war_is_of_any_amount_within_the_limits_of_a_tie(amount: int) -> None:
    """AMB-69: with or without one on the first deal, and never of itself."""
    limits = {"minimum": 1000, "maximum": 50000, "unit": 500, "tie": {"minimum": 500, "maximum": 2000, "unit": 500}}
    late = [bet("ana", 1, "war_tie", wrong) for wrong in (499, 2500, 750)]
    played = play("ma", TIED + "Kh Kd", *AT_WAR, *late, bet("ana", 1, "war_tie", amount), deal(), limits=limits)
    reasons = ["wager_below_minimum", "wager_above_maximum", "wager_off_unit"]
    assert played.refusals == list(zip((3, 4, 5), reasons, strict=True))
    assert played.line("ana", "war_tie")["net"] == 10 * amount


@pytest.mark.clause("MA-8e-iii")
def test_without_a_tie_wager_on_the_war_none_is_settled() -> None:
    acts = [ANA, bet("ana", 1, "tie", 500), deal(), war("ana", 1), deal()]
    assert [line[2] for line in play("ma", TIED + "Kh Kd", *acts).settlements()] == ["tie", "initial", "war"]


@pytest.mark.clause("MA-8e-iii", "MA-1-TW")
def test_only_who_is_at_war_may_bet_on_a_tied_war() -> None:
    """Ben beat the dealer, Cat surrenders, and nobody has gone to war before the cards."""
    late = {player: bet(player, box, "war_tie", 500) for player, box in (("ana", 1), ("ben", 2), ("cat", 3))}
    acts = [ANA, late["ana"], bet("ben", 2, "initial", 1000), bet("cat", 3, "initial", 1000), deal()]
    acts += [
        late["ana"],
        war("ana", 1),
        late["ana"],
        surrender("cat", 3),
        late["ben"],
        late["cat"],
        deal(),
        late["ana"],
    ]
    played = play("ma", "2c 9h Kh 9s 9d 3c 4c 5c Kh Kd", *acts)
    assert played.refusals == [(number, "no_war_wager") for number in (1, 5, 9, 10, 12)]
    assert all("MA-8e-iii" in cited for cited in played.refusal_clauses)
    assert played.gain("ana") == 2 * 1000 + 10 * 500


@pytest.mark.clause("MA-1-WW", "MA-8c2")
@pytest.mark.parametrize("amount", [500, 1000, 50000])
def test_a_war_wager_equals_the_initial_wager(amount: int) -> None:
    played = play("ma", TIED + "2h 3d", bet("ana", 1, "initial", amount), deal(), war("ana", 1), deal())
    assert played.line("ana", "war")["amount"] == amount
    assert played.gain("ana") == -2 * amount
    assert [(one["amount"], one["match"]) for one in played.events("war_declared")] == [(amount, 0)]


@pytest.mark.clause("MA-8c2", "MA-1-WAR")
def test_a_war_wager_is_made_by_going_to_war_and_not_otherwise() -> None:
    acts = [ANA, bet("ana", 1, "war", 1000), war("ana", 1), deal(), bet("ana", 1, "war", 500), war("ana", 1), deal()]
    played = play("ma", TIED + "Kh Qd", *acts)
    assert played.refusals == [(1, "war_is_declared"), (2, "no_decision"), (4, "war_is_declared")]
    assert played.gain("ana") == 1000


@pytest.mark.clause("MA-1-WW")
def test_who_cannot_match_the_initial_wager_cannot_go_to_war() -> None:
    players = {**PLAYERS, "ana": 1900}
    played = play("ma", "2c 9h 9d", *AT_WAR, players=players)
    assert played.refusals == [(2, "insufficient_funds")]
    assert played.data["open"] == [{"player": "ana", "box": 1, "wager": "initial", "amount": 1000}]


@pytest.mark.clause("MA-1-WW")
@pytest.mark.parametrize(
    ("options", "refused"), [({}, False), ({"war.exempt": True}, False), ({"war.exempt": False}, True)]
)
def test_a_war_wager_may_bring_the_player_above_the_maximum(options: dict[str, Any], refused: bool) -> None:
    """AMB-30: exempt unless the operator reads it otherwise; 30,000 + 30,000 are above 50,000."""
    acts = [bet("ana", 1, "initial", 30000), deal(), war("ana", 1), deal()]
    played = play("ma", TIED + "Kh Qd", *acts, options=options)
    assert [reason for _, reason in played.refusals][:1] == (["wager_above_maximum"] if refused else [])
    assert played.gain("ana") == (-30000 if refused else 30000)


@pytest.mark.clause("MA-6a-i")
@pytest.mark.parametrize(
    ("amount", "reason"), [(400, "wager_below_minimum"), (50500, "wager_above_maximum"), (1200, "wager_off_unit")]
)
@pytest.mark.parametrize("wager", ["initial", "tie"])
def test_wagers_outside_the_limits_are_refused_where_they_are_placed(wager: str, amount: int, reason: str) -> None:
    """AMB-33: nothing is played at another amount than was placed."""
    first = [] if wager == "initial" else [ANA]
    good = bet("ana", 1, wager, 500)
    wrong = bet("ana", 1, wager, amount)
    played = play("ma", "2c Kh 9d", *first, wrong, wrong, good, deal())
    at = len(first)
    assert played.refusals == [(at, reason), (at + 1, reason)]
    assert played.refusal_clauses == [[]] * 2, "the book speaks of no limits"
    assert played.line("ana", wager)["amount"] == 500
    assert "placed" not in played.line("ana", wager)


@pytest.mark.clause("MA-6a-i")
@pytest.mark.parametrize("wager", ["a_bomb", "perfect_pairs"])
def test_there_are_no_areas_for_wagers_of_other_books(wager: str) -> None:
    played = play("ma", "2c Kh 9d", ANA, bet("ana", 1, wager, 500), deal())
    assert played.refusals == [(1, "wager_not_offered")]
    assert played.refusal_clauses == [["MA-6a-i"]]
    assert played.gain("ana") == 1000


@pytest.mark.clause("MA-6a-i")
@pytest.mark.parametrize(("mine", "net"), [("Kh", 1000 + 600), ("2h", -1000)])
def test_a_match_play_coupon_is_paid_one_to_one_beside_a_win_on_the_first_cards(mine: str, net: int) -> None:
    """AMB-32: the coupon is no chip, so only the wager beside it is lost."""
    played = play("ma", f"2c {mine} 9d", bet("ana", 1, "initial", 1000, coupon=600), deal(), options=COUPONS)
    assert played.refusals == []
    assert played.gain("ana") == net
    assert played.balances["house"] == -net
    assert played.line("ana", "initial")["amount"] == 1000


@pytest.mark.clause("MA-6a-i")
@pytest.mark.parametrize(("seconds", "net"), [("Kh Qd", 1000), ("Kh Kd", 2000), ("2h Kd", -2000)])
def test_a_match_play_coupon_counts_neither_for_the_war_nor_in_it(seconds: str, net: int) -> None:
    acts = [bet("ana", 1, "initial", 1000, coupon=600), deal(), war("ana", 1), deal()]
    played = play("ma", TIED + seconds, *acts, options=COUPONS)
    assert played.line("ana", "war")["amount"] == 1000
    assert played.gain("ana") == net


@pytest.mark.clause("MA-6a-i")
def test_a_match_play_coupon_is_used_up_by_any_decision() -> None:
    acts = [bet("ana", 1, "initial", 1000, coupon=600), deal(), surrender("ana", 1), ANA, deal()]
    played = play("ma", "2c 9h 9d Kh Qd", *acts, options=COUPONS)
    assert (played.line("ana", "initial", 1)["net"], played.line("ana", "initial", 2)["net"]) == (-500, 1000)


@pytest.mark.clause("MA-6a-i")
def test_a_match_play_coupon_goes_with_an_initial_wager_only() -> None:
    options = COUPONS | PROGRESSIVE
    others = [bet("ana", 1, wager, 500, coupon=500) for wager in ("tie", "progressive")]
    nothing = bet("ana", 1, "initial", 1000, coupon=-1)
    played = play("ma", "2c Kh 9d", nothing, ANA, *others, deal(), options=options)
    assert played.refusals == [(0, "amount_not_positive"), (2, "coupon_not_taken"), (3, "coupon_not_taken")]
    assert played.gain("ana") == 1000


@pytest.mark.clause("MA-6a-i")
@pytest.mark.parametrize("options", [{}, {"wager.match_play": False}])
def test_no_coupons_unless_the_operator_takes_them(options: dict[str, Any]) -> None:
    played = play("ma", "2c Kh 9d", bet("ana", 1, "initial", 1000, coupon=1000), ANA, deal(), options=options)
    assert played.refusals == [(0, "coupon_not_taken")]
    assert played.refusal_clauses == [["MA-6a-i"]]
    assert played.gain("ana") == 1000


@pytest.mark.clause("MA-6a-ii")
def test_a_wager_by_word_of_mouth_is_not_accepted() -> None:
    played = play("ma", "2c Kh 9d", bet("ana", 1, "initial", 1000, called=True), ANA, deal())
    assert played.refusals == [(0, "called_wager")]
    assert played.refusal_clauses == [["MA-6a-ii"]]
    assert played.gain("ana") == 1000


@pytest.mark.clause("MA-6b-i", "MA-7b-i")
def test_no_wager_after_the_call() -> None:
    late = [bet("ben", 2, "initial", 1000), bet("ana", 1, "tie", 500), bet("ana", 1, "progressive", 500)]
    played = play("ma", "2c Kh 9d", ANA, act("no_more_bets"), *late, deal(), options=PROGRESSIVE)
    assert played.refusals == [(number, "betting_closed") for number in (2, 3, 4)]
    assert played.refusal_clauses == [["MA-6b-i", "MA-7b-i"]] * 3
    assert played.dealt() == "burn 2c, box 1 Kh, dealer 9d"


@pytest.mark.clause("MA-6b-i")
def test_the_war_and_the_tie_on_it_are_the_exceptions() -> None:
    late = [bet("ana", 1, "war_tie", 500), bet("ana", 1, "war_perfect_pairs", 500), bet("ana", 1, "tie", 500)]
    played = play("ma", TIED + "Kh Kd", *AT_WAR, *late, bet("ben", 2, "initial", 500), deal())
    assert played.refusals == [(4, "wager_not_offered"), (5, "betting_closed"), (6, "betting_closed")]
    assert played.refusal_clauses[0] == ["MA-6b-i"]
    assert played.gain("ana") == 2 * 1000 + 10 * 500


@pytest.mark.clause("MA-6b-ii")
@pytest.mark.parametrize("wager", ["initial", "tie", "progressive"])
def test_a_wager_once_placed_is_not_touched(wager: str) -> None:
    """AMB-29: from the moment it lies there, so no more is added either."""
    spot = {"player": "ana", "box": 1, "wager": wager}
    touches = [act("amend_wager", **spot, amount=2000), act("withdraw_wager", **spot), bet("ana", 1, wager, 500)]
    acts = [ANA, bet("ana", 1, "tie", 1000), bet("ana", 1, "progressive", 1000)]
    played = play("ma", "2c Kh 9d", *acts, *touches, deal(), options=PROGRESSIVE)
    assert played.refusals == [(number, "wager_locked") for number in (3, 4, 5)]
    assert played.refusal_clauses == [["MA-6b-ii"]] * 3
    assert played.line("ana", wager)["amount"] == 1000


@pytest.mark.clause("MA-6b-ii")
def test_a_tie_wager_on_the_war_is_not_touched_either() -> None:
    spot = {"player": "ana", "box": 1, "wager": "war_tie"}
    late = bet("ana", 1, "war_tie", 500)
    touches = [act("amend_wager", **spot, amount=1000), act("withdraw_wager", **spot), late]
    played = play("ma", TIED + "Kh Kd", *AT_WAR, late, *touches, deal())
    assert played.refusals == [(number, "wager_locked") for number in (4, 5, 6)]
    assert played.line("ana", "war_tie")["net"] == 10 * 500


@pytest.mark.clause("MA-6b-ii")
@pytest.mark.parametrize(("locked", "is_final"), [("when_placed", True), ("at_close", False)])
def test_players_are_told_that_a_wager_stays_as_it_was_put_down(locked: str, is_final: bool) -> None:
    rules = load_rulebook("ma", options={"wager.locked": locked})
    assert view(rules, Table(), Viewer("player", "ana")).is_bet_final is is_final


@pytest.mark.clause("MA-1-TW")
@pytest.mark.parametrize(("book", "is_first"), [("ma", True), ("nz", False)])
def test_players_are_told_where_the_initial_wager_comes_first(book: str, is_first: bool) -> None:
    assert view(load_rulebook(book), Table(), Viewer("player", "ana")).is_initial_first is is_first


@pytest.mark.clause("MA-6b-ii")
def test_under_the_other_reading_wagers_may_be_changed_until_the_call() -> None:
    tie = {"player": "ana", "box": 1, "wager": "tie"}
    changes = [bet("ana", 1, "initial", 500), act("amend_wager", **tie, amount=2000)]
    late = [act("amend_wager", **tie, amount=500), act("withdraw_wager", **tie)]
    acts = [ANA, bet("ana", 1, "tie", 500), *changes, act("no_more_bets"), *late, deal()]
    played = play("ma", "2c Kh 9d", *acts, options={"wager.locked": "at_close"})
    assert played.refusals == [(5, "betting_closed"), (6, "betting_closed")]
    assert played.settlements() == [("ana", 1, "initial", "win", 1500), ("ana", 1, "tie", "lose", -2000)]


@pytest.mark.clause("MA-6b-ii", "MA-1-TW")
def test_an_initial_wager_is_not_taken_from_beside_a_tie() -> None:
    spot = {"player": "ana", "box": 1}
    withdrawals = [act("withdraw_wager", **spot, wager=wager) for wager in ("initial", "tie", "initial")]
    acts = [bet("ben", 2, "initial", 500), ANA, bet("ana", 1, "tie", 500), *withdrawals, deal()]
    played = play("ma", "2c Kh 9d", *acts, options={"wager.locked": "at_close"})
    assert played.refusals == [(3, "initial_required")]
    assert played.dealt() == "burn 2c, box 2 Kh, dealer 9d"


@pytest.mark.clause("MA-6b-ii", "MA-6a-i")
def test_a_changed_wager_keeps_its_coupon() -> None:
    acts = [
        bet("ana", 1, "initial", 1000, coupon=600),
        act("amend_wager", player="ana", box=1, wager="initial", amount=2000),
    ]
    played = play("ma", "2c Kh 9d", *acts, deal(), options={**COUPONS, "wager.locked": "at_close"})
    assert played.gain("ana") == 2000 + 600


@pytest.mark.clause("MA-6b-ii")
def test_the_readings_of_the_lock_have_names() -> None:
    with pytest.raises(RulebookError, match=r"wager\.locked = never \(MA-6b-ii\)"):
        load_rulebook("ma", {"wager.locked": "never"})


@pytest.mark.clause("MA-11a")
@pytest.mark.parametrize("options", [{}, {"wager.progressive": False}])
def test_no_progressive_unless_the_operator_offers_it(options: dict[str, Any]) -> None:
    played = play("ma", "2c Kh 9d", ANA, bet("ana", 1, "progressive", 500), deal(), options=options)
    assert played.refusals == [(1, "wager_not_offered")]
    assert played.refusal_clauses == [["MA-11a"]]
    assert played.data["meter"] is None


@pytest.mark.clause("MA-11a")
def test_nobody_has_to_bet_on_the_progressive() -> None:
    """Without the wager, four identical cards are a tied war and no more."""
    played = play("ma", "2c 9h 9h 3c 4c 5c 9h 9h", *AT_WAR, deal(), options=PROGRESSIVE, meter=2_000_000)
    assert played.gain("ana") == 2 * 1000
    assert played.data["meter"] == 2_000_000


@pytest.mark.clause("MA-11-F2")
@pytest.mark.parametrize("amount", [1, 499, 501, 750])
def test_a_progressive_wager_is_a_multiple_of_five_dollars(amount: int) -> None:
    """AMB-42: the table's limits do not bind it, nor does their unit."""
    limits = {"minimum": 1000, "maximum": 1000, "unit": 1000}
    bets = [bet("ana", 1, "progressive", amount), bet("ana", 1, "progressive", 1500)]
    played = play("ma", "2c Kh 9d", ANA, *bets, deal(), options=PROGRESSIVE, limits=limits)
    assert played.refusals == [(1, "wager_off_unit")]
    assert played.refusal_clauses == [["MA-11-F2"]]
    assert played.line("ana", "progressive")["net"] == -1500


@pytest.mark.clause("MA-7c1")
def test_one_player_to_a_box_and_one_box_to_a_player() -> None:
    acts = [ANA, bet("ben", 1, "initial", 1000), bet("ana", 2, "initial", 1000), bet("ben", 2, "initial", 500), deal()]
    played = play("ma", "2c Kh 2h 9d", *acts)
    assert played.refusals == [(1, "box_taken"), (2, "too_many_boxes")]
    assert played.refusal_clauses == [[], []], "the book deals to each player, and is silent on more"
    assert played.dealt() == "burn 2c, box 1 Kh, box 2 2h, dealer 9d"


@pytest.mark.clause("MA-7c1")
def test_nobody_is_granted_a_second_box() -> None:
    grant = act("grant_multi_box", player="ana", boxes=2)
    played = play("ma", "2c Kh 9d", grant, ANA, bet("ana", 2, "initial", 1000), deal())
    assert played.refusals == [(0, "not_in_the_book"), (2, "too_many_boxes")]
    table = load_rulebook("ma").table
    assert (table.multi_box, table.max_boxes_per_player) == (False, 1)
    assert played.gain("ana") == 1000


@pytest.mark.clause("MA-7c1")
def test_a_box_has_one_bettor_over_all_its_areas() -> None:
    """Ben may not stand behind with a tie wager only, and a seat is kept for who sits there."""
    seat = act("seat_player", player="cat", box=3)
    played = play("ma", "2c Kh 9d", ANA, bet("ben", 1, "tie", 500), seat, bet("ben", 3, "initial", 500), deal())
    assert [number for number, _ in played.refusals] == [1, 3]
    assert played.refusals[1] == (3, "box_taken")
    assert played.dealt() == "burn 2c, box 1 Kh, dealer 9d"
