"""WA section 2: boxes, decks, the cutting card, ranks, and a set of new cards."""

from itertools import pairwise

import pytest

from casinowar.records import RecordError
from tests.support.rounds import act, bet, deal, play

OPENING = "Ac 2c "


@pytest.mark.clause("WA-2.1")
@pytest.mark.parametrize(("options", "last"), [({}, 7), ({"table.boxes": 7}, 7), ({"table.boxes": 1}, 1)])
def test_the_layout_has_seven_boxes_or_as_many_as_the_operator_says(options: dict[str, int], last: int) -> None:
    beyond = bet("ben", last + 1, "initial", 1000)
    played = play("wa", OPENING + "Kh 9d", bet("ana", last, "initial", 1000), beyond, deal(), options=options)
    assert played.settlements() == [("ana", last, "initial", "win", 1000)]
    assert played.refusals == [(1, "unknown_box")]
    assert played.refusal_clauses[0] == ["WA-2.1"]


@pytest.mark.clause("WA-2.2", "WA-1.1-DECK")
@pytest.mark.parametrize(("options", "decks"), [({}, 6), *(({"shoe.decks": n}, n) for n in (4, 6, 8))])
def test_the_shoe_holds_each_card_once_for_each_deck(options: dict[str, int], decks: int) -> None:
    acts = [bet("ana", 1, "initial", 1000), deal()]
    shoe = OPENING + "Kh 9d" + " Kh" * (decks - 1)
    assert play("wa", shoe, *acts, options=options).gain("ana") == 1000
    with pytest.raises(RecordError, match=f"{decks + 1} times Kh: {decks} decks hold {decks}"):
        play("wa", shoe + " Kh", *acts, options=options)
    with pytest.raises(RecordError, match=f"{52 * decks + 1} cards: {decks} decks hold {52 * decks}"):
        play("wa", "xx " * (52 * decks + 1), *acts, options=options)


@pytest.mark.clause("WA-2.2")
@pytest.mark.parametrize("joker", ["joker", "Xj", "1h"])
def test_there_are_no_jokers(joker: str) -> None:
    with pytest.raises(RecordError, match=f"'{joker}' is not a card"):
        play("wa", OPENING + joker)


@pytest.mark.clause("WA-2.5", "WA-1.1-CC")
def test_one_cutting_card_tells_when_to_shuffle_and_none_covers_the_end() -> None:
    shoe = OPENING + "Kh cut 9d 3d 4d"
    again = [bet("ana", 1, "initial", 1000), deal()]
    played = play("wa", shoe, *again, *again, later=("As 3c Jh 7d",))
    assert [(drawn["box"], drawn["shuffle"]) for drawn in played.events("cut_card_drawn")] == [(0, "after_round")]
    assert [loaded["end_card"] for loaded in played.events("shoe_loaded")] == [False, False]
    assert played.dealt(2) == "burn As, burn 3c, box 1 Jh, dealer 7d"
    assert played.replayed.rulebook.shoe.cut_cards == 1


@pytest.mark.clause("WA-2.6a", "WA-3.5a-i", "WA-3.5c-i")
@pytest.mark.parametrize(("low", "high"), list(pairwise("23456789TJQKA")))
def test_each_rank_beats_the_one_below(low: str, high: str) -> None:
    wagers = [bet("ana", 1, "initial", 1000), bet("ben", 2, "initial", 1000), bet("ben", 2, "tie", 500)]
    above = play("wa", f"{OPENING} {high}c {low}h {low}d", *wagers, deal())
    assert (above.gain("ana"), above.gain("ben")) == (1000, -1000 + 5000)
    below = play("wa", f"{OPENING} {low}s {high}h {high}d", *wagers, deal())
    assert (below.gain("ana"), below.gain("ben")) == (-1000, -1000 + 5000)


@pytest.mark.clause("WA-2.6b")
@pytest.mark.parametrize("suit", "cdhs")
@pytest.mark.parametrize("dealers", "cdhs")
def test_suits_count_alike(suit: str, dealers: str) -> None:
    played = play("wa", f"{OPENING} 9{suit} 9{dealers}", bet("ana", 1, "initial", 1000), deal())
    assert [offer["player"] for offer in played.events("war_offered")] == ["ana"]


@pytest.mark.clause("WA-2.7-ii", "WA-4.3c-i", "WA-4.6")
def test_a_new_set_of_cards_is_shuffled_cut_and_burned_from() -> None:
    played = play(
        "wa",
        OPENING + "Kh 9d 3d 4d",
        bet("ana", 1, "initial", 1000),
        deal(),
        act("replace_cards", cards="all"),
        bet("ana", 1, "initial", 1000),
        deal(),
        later=("3h 4c 5c 6c Qh 8d",),
    )
    assert played.dealt(2) == "burn 3h, burn 4c, burn 5c, burn 6c, box 1 Qh, dealer 8d"
    assert len(played.events("cut_made")) == 2
    assert played.gain("ana") == 2000


@pytest.mark.clause("WA-2.7-i", "WA-2.7-ii")
def test_one_card_that_is_unfit_is_replaced_and_then_all_are() -> None:
    acts = [bet("ana", 1, "initial", 1000), deal(), act("report_damaged_card"), act("replace_cards", cards="all")]
    replaced = play("wa", OPENING + "Kh 9d 3d 4d", *acts).events("cards_replaced")
    assert [one["clauses"] for one in replaced] == [["WA-2.7-i"], ["WA-2.7-i", "WA-2.7-ii"]]


@pytest.mark.clause("WA-2.7-ii")
def test_cards_exchanged_one_for_one_leave_the_shoe_as_it_is() -> None:
    acts = [bet("ana", 1, "initial", 1000), deal()]
    played = play("wa", OPENING + "Kh 9d 3d 4d", *acts, act("replace_cards", cards=["9d"]), *acts)
    assert played.dealt(2) == "box 1 3d, dealer 4d"


@pytest.mark.clause("WA-1.1-SHOE")
def test_cards_leave_the_shoe_in_their_order_and_each_once() -> None:
    shoe = OPENING + "9h Kh 9d 3c 4c 5c Qh Js 2d 3d 4d"
    both = [bet("ana", 1, "initial", 1000), bet("ben", 2, "initial", 1000), deal()]
    played = play("wa", shoe, *both, act("go_to_war", player="ana", box=1), deal(), *both)
    dealt = f"{played.dealt(1)}, {played.dealt(2)}"
    assert [card.rpartition(" ")[2] for card in dealt.split(", ")] == shoe.split()
    assert played.dealt(2) == "box 1 2d, box 2 3d, dealer 4d"
