"""California: the order of the cards, the burns, the war deal, and how the cards go to the rack."""

import pytest

from tests.clauses.ca.bank import bank, war_of_ana
from tests.support.rounds import act, bet, deal, play, surrender, war

THREE = [bet(player, box, "initial", 1000) for player, box in (("ana", 5), ("ben", 1), ("cat", 3))]


def clause(*ids: str) -> pytest.MarkDecorator:
    return pytest.mark.clause(*ids)


@clause("CA-DP-5", "CA-DP-5a", "CA-DP-5b", "CA-DEF-ORIG", "CA-DEF-PD-i")
@pytest.mark.parametrize("box", [2, 4, 8])
def test_one_card_each_clockwise_and_the_bank_last_wherever_it_sits(box: int) -> None:
    played = play("ca", "2c Kh Ks Kc 9d", bank("dan", box), *THREE, deal())
    assert played.dealt() == "burn 2c, box 1 Kh, box 3 Ks, box 5 Kc, dealer 9d"
    assert all(event["card"] for event in played.events("card_dealt"))


@clause("CA-DP-5", "CA-DP-1a")
def test_only_the_shoe_and_not_each_round_begins_with_a_burn() -> None:
    one_round = [bank(), bet("ana", 1, "initial", 1000), deal()]
    played = play("ca", "2c Kh 9d Ks 9s", *one_round * 2)
    assert played.dealt(1) == "burn 2c, box 1 Kh, dealer 9d"
    assert played.dealt(2) == "box 1 Ks, dealer 9s"


@clause("CA-STD-2d", "CA-RP-6a", "CA-RP-6b", "CA-RP-6c", "CA-DEF-WD", "CA-DP-5b")
def test_the_war_deal_burns_three_once_and_goes_clockwise_with_the_bank_last() -> None:
    wars = [war("ben", 1), surrender("cat", 3), war("ana", 5)]
    played = play("ca", "2c Kh Ks Kc Kd 3c 4c 5c 9h Th 8d", bank(), *THREE, deal(), *wars, deal())
    war_deal = played.dealt().split(", ")[5:]
    assert war_deal == ["burn 3c", "burn 4c", "burn 5c", "box 1 9h", "box 5 Th", "dealer 8d"]


@clause("CA-DEF-WD", "CA-RP-3a-i")
def test_there_is_no_war_deal_without_a_war_wager() -> None:
    acts = [bank(), bet("ana", 1, "initial", 1000), deal(), surrender("ana", 1), deal()]
    played = play("ca", "2c Kh Kd 3c 4c 5c 9h Th", *acts)
    assert played.refusals == [(4, "no_wager")]
    assert played.dealt() == "burn 2c, box 1 Kh, dealer Kd"


@clause("CA-STD-2e")
def test_the_bank_s_war_card_has_a_burn_of_its_own_only_where_the_operator_says_so() -> None:
    once = war_of_ana("9h 8d 6c 7c Td")
    assert once.dealt().endswith("burn 5c, box 1 9h, dealer 8d")
    assert once.gain("ana") == 1000
    twice = war_of_ana("9h 8d 6c 7c Td", **{"war.burn_before_banker": 3})
    assert twice.dealt().endswith("burn 5c, box 1 9h, burn 8d, burn 6c, burn 7c, dealer Td")
    assert twice.gain("ana") == -2000
    assert [event["clauses"] for event in twice.events("card_burned")][-3:] == [["CA-STD-2e"]] * 3


@clause("CA-DEF-BURN", "CA-DP-1a", "CA-RP-6a")
def test_no_event_tells_the_face_of_a_burn_and_all_burns_go_to_the_rack() -> None:
    acts = [act("change_dealer", dealer="d2"), bank(), bet("ana", 1, "initial", 1000), deal(), war("ana", 1), deal()]
    played = play("ca", "2c 2d Kh Kd 3c 4c 5c 9h 8d", *acts)
    burns = played.events("card_burned")
    assert [event["burn"] for event in burns] == ["opening", "new_dealer", "war", "war", "war"]
    assert all(event["card"] is None and not event["beside_dealer"] for event in burns)
    nobody = [cards for box, cards in played.replayed.table.rack if box == -1]
    assert nobody == [(None,)] * 5


@clause("CA-RP-4a", "CA-RP-4b")
def test_before_a_war_only_the_hands_at_war_stay_on_the_table() -> None:
    acts = [bank(), *THREE, bet("eve", 6, "initial", 1000), deal(), surrender("ben", 1), war("ana", 5)]
    players = dict.fromkeys(("ana", "ben", "cat", "eve", "dan"), 100_000)
    played = play("ca", "2c Kh 4s Kc As Kd 3c", *acts, deal(1), players=players)
    assert [event["hands"] for event in played.events("cards_collected")] == [[[1, ["Kh"]], [3, ["4s"]], [6, ["As"]]]]
    assert [clauses for event in played.events("cards_collected") for clauses in event["clauses"]] == [
        "CA-RP-4a",
        "CA-RP-4b",
    ]
    names = [event["name"] for event in played.data["events"]]
    assert names.index("war_declared") < names.index("cards_collected") < names.index("decisions_closed")


@clause("CA-RP-8c", "CA-RP-4b")
def test_every_hand_can_be_rebuilt_from_the_rack() -> None:
    wars = [surrender("ben", 1), war("cat", 3), war("ana", 5)]
    played = play("ca", "2c Kh Ks Kc Kd 3c 4c 5c 9h Th 8d", bank(), *THREE, deal(), *wars, deal())
    hands = [(box, cards) for box, cards in played.replayed.table.rack if box != -1]
    assert hands == [(1, ("Kh",)), (3, ("Ks", "9h")), (5, ("Kc", "Th")), (0, ("Kd", "8d"))]


@clause("CA-DP-1c")
def test_a_new_dealer_burns_one_card_before_the_next_round() -> None:
    one_round = [bank(), bet("ana", 1, "initial", 1000), deal()]
    played = play("ca", "2c Kh 9d 3c Ks 9s", *one_round, act("change_dealer", dealer="d2"), *one_round)
    assert played.dealt(2) == "burn 3c, box 1 Ks, dealer 9s"
    assert played.events("card_burned")[-1]["clauses"] == ["CA-DP-1c"]


@clause("CA-DP-1c", "CA-DP-1a")
def test_a_new_dealer_with_a_new_shoe_burns_two() -> None:
    acts = [act("change_dealer", dealer="d2"), bank(), bet("ana", 1, "initial", 1000), deal()]
    assert play("ca", "2c 3c Kh 9d", *acts).dealt() == "burn 2c, burn 3c, box 1 Kh, dealer 9d"


@clause("CA-DP-1c")
def test_the_burn_of_a_dealer_who_comes_in_mid_round_waits_for_the_next() -> None:
    acts = [bank(), bet("ana", 1, "initial", 1000), deal(), war("ana", 1), act("change_dealer", dealer="d2"), deal()]
    again = [bank(), bet("ana", 1, "initial", 1000), deal()]
    played = play("ca", "2c Kh Kd 3c 4c 5c 9h 8d 6c Ah Jd", *acts, *again)
    assert played.dealt(1).endswith("burn 3c, burn 4c, burn 5c, box 1 9h, dealer 8d")
    assert played.dealt(2) == "burn 6c, box 1 Ah, dealer Jd"


# Cards that go astray.


@clause("CA-DP-5")
def test_cards_that_lie_face_up_go_to_the_rack_one_by_one_and_the_round_goes_on() -> None:
    found = act("report_face_up_card")
    acts = [bank(), bet("ana", 1, "initial", 1000), deal(2), found, found, deal()]
    played = play("ca", "2c Kh Ad Ac 9s", *acts)
    assert played.dealt() == "burn 2c, box 1 Kh, discard Ad, discard Ac, dealer 9s"
    assert played.settlements() == [("ana", 1, "initial", "win", 1000)]


@clause("CA-DP-5")
@pytest.mark.parametrize(
    ("exposed", "dealt"), [(False, "dealer Ad"), (True, "discard Ad, dealer 9s")], ids=["unseen", "seen"]
)
def test_a_card_drawn_in_error_is_the_next_one_unless_its_face_was_seen(exposed: bool, dealt: str) -> None:
    acts = [bank(), bet("ana", 1, "initial", 1000), deal(2), act("report_extra_draw", exposed=exposed), deal()]
    assert play("ca", "2c Kh Ad 9s", *acts).dealt() == f"burn 2c, box 1 Kh, {dealt}"
