"""Massachusetts, sections 1, 3, 7 and 8: ranks, the course of a round, and the order of the cards."""

from itertools import pairwise, product
from typing import Any

import pytest

from casinowar.engine.decide.betting import close_betting
from casinowar.engine.events import BettingClosed
from casinowar.engine.state import Round, Table, Wager
from casinowar.records import RecordError
from casinowar.rulebooks import SILENT, load_rulebook
from tests.support.rounds import act, bet, deal, play, surrender, war

ANA = bet("ana", 1, "initial", 1000)
THREE = [bet("cat", 6, "initial", 500), bet("ana", 2, "initial", 500), bet("ben", 4, "initial", 500)]


@pytest.mark.clause("MA-3-i", "MA-1-TH")
@pytest.mark.parametrize(("low", "high"), list(pairwise("23456789TJQKA")))
def test_each_rank_beats_the_one_below_and_ties_with_itself(low: str, high: str) -> None:
    wagers = [ANA, bet("ben", 2, "initial", 1000), bet("ben", 2, "tie", 500)]
    above = play("ma", f"2c {high}c {low}h {low}d", *wagers, deal())
    assert (above.gain("ana"), above.gain("ben")) == (1000, -1000 + 10 * 500)
    below = play("ma", f"2c {low}s {high}h {high}d", *wagers, deal())
    assert (below.gain("ana"), below.gain("ben")) == (-1000, -1000 + 10 * 500)


@pytest.mark.clause("MA-3-ii", "MA-1-SUIT", "MA-1-TH")
@pytest.mark.parametrize(("mine", "dealers"), list(product("cdhs", "cdhs")))
def test_no_suit_beats_another(mine: str, dealers: str) -> None:
    acts = [ANA, bet("ana", 1, "tie", 500), bet("ben", 2, "initial", 1000), deal()]
    played = play("ma", f"2c 9{mine} T{mine} 9{dealers}", *acts)
    assert [event["player"] for event in played.events("war_offered")] == ["ana"]
    assert (played.gain("ana"), played.gain("ben")) == (-1000 + 10 * 500, 1000)


@pytest.mark.clause("MA-1-SUIT")
@pytest.mark.parametrize("card", ["9x", "9C", "1c", "joker"])
def test_there_are_four_suits(card: str) -> None:
    with pytest.raises(RecordError, match=f"'{card}' is not a card"):
        play("ma", f"2c {card}")


@pytest.mark.clause("MA-1-ORIG", "MA-7c", "MA-7c1", "MA-7c2")
def test_one_card_each_from_the_dealers_far_left_and_the_dealer_last() -> None:
    """Whoever bet first: boxes 2, 4 and 6 in that order, and none for the empty boxes between."""
    played = play("ma", "2c 3h Kh 4h 5d Qh Jh Th 9d", *THREE, deal(), *THREE, deal())
    assert played.dealt(1) == "burn 2c, box 2 3h, box 4 Kh, box 6 4h, dealer 5d"
    assert played.dealt(2) == "box 2 Qh, box 4 Jh, box 6 Th, dealer 9d"
    faces = [event["card"] for event in played.events("card_dealt")]
    assert faces == ["3h", "Kh", "4h", "5d", "Qh", "Jh", "Th", "9d"]


@pytest.mark.clause("MA-7c1")
def test_only_an_initial_wager_gets_a_card() -> None:
    """No other wager can lie alone on a box (MA-1-INIT); if one did, its box would be passed over."""
    wagers = {(1, "tie", "ana"): Wager(500, 500), (2, "initial", "ben"): Wager(500, 500)}
    table = Table(round=Round(1, wagers), seats={1: "ana", 2: "ben"})
    closed = close_betting(load_rulebook("ma"), table)[-1]
    assert isinstance(closed, BettingClosed)
    assert closed.boxes == (2,)


@pytest.mark.clause("MA-7c")
@pytest.mark.parametrize(("options", "last"), [({}, 7), ({"table.boxes": 7}, 7), ({"table.boxes": 1}, 1)])
def test_seven_boxes_or_fewer(options: dict[str, Any], last: int) -> None:
    beyond = bet("ben", last + 1, "initial", 1000)
    played = play("ma", "2c Kh 9d", bet("ana", last, "initial", 1000), beyond, deal(), options=options)
    assert played.refusals == [(1, "unknown_box")]
    assert played.refusal_clauses == [[]], "the book gives no number"
    assert played.dealt() == f"burn 2c, box {last} Kh, dealer 9d"


@pytest.mark.clause("MA-7c")
@pytest.mark.parametrize("boxes", [0, 8])
def test_no_layout_without_a_box_or_with_eight(boxes: int) -> None:
    with pytest.raises(RecordError, match=rf"table\.boxes = {boxes} \({SILENT}\): allowed 1 to 7"):
        play("ma", "2c", options={"table.boxes": boxes})


@pytest.mark.clause("MA-7b-i")
def test_the_betting_is_closed_before_any_card() -> None:
    played = play("ma", "2c Kh 9d", ANA, deal())
    names = [event["name"] for event in played.data["events"]]
    assert names.index("betting_closed") < names.index("card_burned") < names.index("card_dealt")


@pytest.mark.clause("MA-7b-i", "MA-6b-i")
def test_the_call_closes_the_betting_with_no_card_out() -> None:
    call = act("no_more_bets")
    played = play("ma", "2c Kh 9d", call, ANA, call, call, bet("ben", 2, "initial", 500))
    assert played.refusals == [(0, "no_wager"), (3, "betting_closed"), (4, "betting_closed")]
    assert played.events("betting_closed")[0]["boxes"] == [1]
    assert played.events("card_burned") == []


@pytest.mark.clause("MA-1-RND", "MA-8c", "MA-1-WAR")
def test_a_round_lasts_until_every_tie_is_decided_and_every_wager_settled() -> None:
    """Ana beats the dealer, Ben and Cat tie; no card comes and no new round begins before both have chosen."""
    acts = [*THREE, deal(), deal(), bet("ana", 2, "initial", 500), surrender("ben", 4), deal(), war("cat", 6)]
    played = play("ma", "2c Kh 9h 9s 9d 3c 4c 5c Ah Ad", *acts, bet("ana", 2, "initial", 500), deal())
    reasons = ["decision_open", "betting_closed", "decision_open", "betting_closed"]
    assert played.refusals == list(zip((4, 5, 7, 9), reasons, strict=True))
    assert len(played.data["rounds"]) == 1
    assert played.dealt() == (
        "burn 2c, box 2 Kh, box 4 9h, box 6 9s, dealer 9d, burn 3c, burn 4c, burn 5c, box 6 Ah, dealer Ad"
    )
    assert (played.gain("ana"), played.gain("ben"), played.gain("cat")) == (500, -250, 2 * 500)
    assert played.data["open"] == []


@pytest.mark.clause("MA-8c", "MA-1-WAR")
def test_only_who_tied_is_offered_war_or_surrender() -> None:
    acts = [
        *THREE,
        deal(),
        war("ana", 2),
        surrender("cat", 6),
        war("ben", 6),
        war("ben", 4),
        surrender("ben", 4),
        deal(),
    ]
    played = play("ma", "2c Kh 9h 2s 9d 3c 4c 5c Ah Kd", *acts)
    assert played.refusals == [(number, "no_decision") for number in (4, 5, 6, 8)]
    assert [(one["player"], one["box"]) for one in played.events("war_offered")] == [("ben", 4)]


@pytest.mark.clause("MA-8c")
def test_ties_are_decided_after_all_first_wagers_are_settled() -> None:
    """Cat, at the dealer's right, ties; Ana, whose turn in the settlement is last, is paid before Cat is asked."""
    played = play("ma", "2c Kh 2h 9s 9d", *THREE, deal())
    names = [(event["name"], event.get("player")) for event in played.data["events"]]
    assert names[-3:] == [("wager_settled", "ben"), ("wager_settled", "ana"), ("war_offered", "cat")]


@pytest.mark.clause("MA-8c", "MA-8c1-iii")
@pytest.mark.parametrize("turn", [1, -1])
def test_tied_players_may_choose_in_any_order(turn: int) -> None:
    choices = [war("ana", 2), surrender("ben", 4), surrender("cat", 6)][::turn]
    played = play("ma", "2c 9h 9s 9c 9d 3c 4c 5c Kh Qd", *THREE, deal(), *choices, deal())
    assert played.refusals == []
    assert (played.gain("ana"), played.gain("ben"), played.gain("cat")) == (500, -250, -250)


@pytest.mark.clause("MA-8c1-iii")
def test_the_dealer_asks_from_the_right() -> None:
    played = play("ma", "2c 9h 9s 9c 9d", *THREE, deal())
    assert [(one["player"], one["box"]) for one in played.events("war_offered")] == [("cat", 6), ("ben", 4), ("ana", 2)]


@pytest.mark.clause("MA-1-WD", "MA-8f-i", "MA-1-BURN")
def test_three_cards_are_burned_face_down_to_the_rack_before_the_war_deal_once() -> None:
    """AMB-20: once for all wars together."""
    acts = [*THREE, deal(), war("ana", 2), war("ben", 4), war("cat", 6), deal()]
    played = play("ma", "2c 9h 9s 9c 9d 3c 4c 5c Kh Qh Jh Td", *acts)
    war_deal = "burn 3c, burn 4c, burn 5c, box 2 Kh, box 4 Qh, box 6 Jh, dealer Td"
    assert played.dealt() == f"burn 2c, box 2 9h, box 4 9s, box 6 9c, dealer 9d, {war_deal}"
    burns = [(one["burn"], one["card"], one["beside_dealer"]) for one in played.events("card_burned")]
    assert burns == [("opening", None, False), *[("war", None, False)] * 3]


@pytest.mark.clause("MA-1-WD")
def test_there_is_no_war_deal_when_nobody_goes_to_war() -> None:
    acts = [*THREE, deal(), surrender("ana", 2), surrender("ben", 4), surrender("cat", 6), *THREE, deal()]
    played = play("ma", "2c 9h 9s 9c 9d Kh Kd Ks 8d", *acts)
    assert played.dealt(1) == "burn 2c, box 2 9h, box 4 9s, box 6 9c, dealer 9d"
    assert played.dealt(2) == "box 2 Kh, box 4 Kd, box 6 Ks, dealer 8d"


@pytest.mark.clause("MA-8f-ii", "MA-8f-iii")
def test_the_war_is_dealt_from_the_dealers_left_to_those_at_war_and_the_dealer_last() -> None:
    """Box 6 went to war first and box 4 surrendered."""
    acts = [*THREE, deal(), war("cat", 6), surrender("ben", 4), war("ana", 2), deal()]
    played = play("ma", "2c 9h 9s 9c 9d 3c 4c 5c Kh Qh Jd", *acts)
    assert played.dealt().endswith("burn 5c, box 2 Kh, box 6 Qh, dealer Jd")


@pytest.mark.clause("MA-8e-i")
def test_no_further_card_before_every_war_wager_is_down() -> None:
    acts = [*THREE[:2], deal(), war("ana", 2), deal(), deal(1), war("cat", 6), deal()]
    played = play("ma", "2c 9h 9s 9d 3c 4c 5c Kh Qh Jd", *acts)
    assert played.refusals == [(4, "decision_open"), (5, "decision_open")]
    names = [event["name"] for event in played.data["events"]]
    assert [name for name in names if name in ("war_declared", "card_dealt")] == [
        *["card_dealt"] * 3,
        *["war_declared"] * 2,
        *["card_dealt"] * 3,
    ]


@pytest.mark.clause("MA-8e-i")
def test_the_dealer_confirms_a_war_wager_as_large_as_the_initial_one() -> None:
    confirm = act("confirm_war_wager", player="ana", box=2)
    ana = bet("ana", 2, "initial", 500)
    played = play("ma", "2c 9h 9d 3c 4c 5c Kh Qh", ana, deal(), war("ana", 2), confirm, deal())
    [told] = played.events("war_wager_confirmed")
    assert (told["amount"], told["clauses"]) == (500, ["MA-8e-i"])


@pytest.mark.clause("MA-8d-i", "MA-8d-ii", "MA-8e-ii")
def test_before_the_war_all_cards_are_collected_but_those_of_the_hands_at_war() -> None:
    """Ana won, Ben surrendered: both hands go to the rack. Cat's and the dealer's first cards stay until the end."""
    acts = [*THREE, deal(), surrender("ben", 4), war("cat", 6)]
    shoe = "2c Kh 9s 9c 9d 3c 4c 5c Qh Jd"
    before = play("ma", shoe, *acts)
    collected = [event["hands"] for event in before.events("cards_collected")]
    assert collected == [[[2, ["Kh"]], [4, ["9s"]]]]
    after = play("ma", shoe, *acts, deal())
    assert after.events("round_ended")[0]["hands"] == [[6, ["9c", "Qh"]], [0, ["9d", "Jd"]]]


@pytest.mark.clause("MA-8d-ii", "MA-8h-iii")
def test_every_hand_can_be_rebuilt_from_the_rack() -> None:
    acts = [*THREE, deal(), surrender("ben", 4), war("cat", 6), deal()]
    rack = play("ma", "2c Kh 9s 9c 9d 3c 4c 5c Qh Jd", *acts).replayed.table.rack
    hands = {box: tuple(cards) for box, cards in rack if box >= 0}
    assert hands == {2: ("Kh",), 4: ("9s",), 6: ("9c", "Qh"), 0: ("9d", "Jd")}
    assert [cards for box, cards in rack if box < 0] == [(None,)] * 4


@pytest.mark.clause("MA-8d-i")
def test_hands_that_surrender_wait_for_the_others_before_they_are_collected() -> None:
    played = play("ma", "2c Kh 9s 9c 9d", *THREE, deal(), surrender("ben", 4))
    assert played.events("cards_collected") == []


@pytest.mark.clause("MA-7e")
def test_players_touch_no_card() -> None:
    """A player may cut; to deal, to load or to report is not theirs."""
    touches = [{**deal(), "by": "player:ana"}, act("report_face_up_card", by="player:ana")]
    cut = act("cut", player="ana", position=156, by="player:ana")
    played = play("ma", "2c Kh 9d", ANA, *touches, cut, deal())
    assert played.refusals == [(1, "not_entitled"), (2, "not_entitled")]
    assert [event["player"] for event in played.events("cut_made")] == ["ana"]
