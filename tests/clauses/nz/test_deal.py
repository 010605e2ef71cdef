"""New Zealand, section 8: the deal, the choice between war and surrender, the second deal, the end of the round."""

import pytest

from tests.support.rounds import act, bet, deal, play, surrender, war


@pytest.mark.clause("NZ-8.4", "NZ-8.4a", "NZ-8.4b")
def test_the_first_deal_goes_from_the_left_and_ends_with_the_dealer() -> None:
    acts = [bet("ana", 6, "initial", 500), bet("ben", 2, "initial", 500), bet("cat", 4, "initial", 500), deal()]
    played = play("nz", "2c 3h 4h 5h Kd", *acts)
    assert played.dealt() == "burn 2c, box 2 3h, box 4 4h, box 6 5h, dealer Kd"


@pytest.mark.clause("NZ-8.4")
def test_the_call_comes_before_the_first_card() -> None:
    played = play("nz", "2c 3h Kd", bet("ana", 1, "initial", 500), deal())
    story = [event["name"] for event in played.data["events"]]
    assert story.index("betting_closed") < story.index("card_burned") < story.index("card_dealt")


@pytest.mark.clause("NZ-8.4")
def test_nothing_is_burned_for_a_round_or_for_a_new_dealer() -> None:
    again = [bet("ana", 1, "initial", 500), deal()]
    played = play("nz", "2c 3h Kd 4h Qd 5h Jd", *again, *again, act("change_dealer", dealer="d2"), *again)
    assert played.dealt(1) == "burn 2c, box 1 3h, dealer Kd"
    assert played.dealt(2) == "box 1 4h, dealer Qd"
    assert played.dealt(3) == "box 1 5h, dealer Jd"


@pytest.mark.clause("NZ-8.4a")
def test_every_box_with_any_wager_gets_one_card_and_no_other_box() -> None:
    acts = [
        bet("ana", 1, "tie", 500),
        bet("ben", 3, "initial", 500),
        bet("cat", 3, "initial", 500),
        bet("cat", 3, "tie", 500),
        deal(),
    ]
    played = play("nz", "2c 3h 4h Kd", *acts)
    assert played.dealt() == "burn 2c, box 1 3h, box 3 4h, dealer Kd"


@pytest.mark.clause("NZ-8.4a")
def test_no_deal_without_a_wager() -> None:
    acts = [deal(), bet("ana", 1, "initial", 500), act("withdraw_wager", player="ana", box=1, wager="initial"), deal()]
    played = play("nz", "2c 3h Kd", *acts)
    assert played.refusals == [(0, "no_wager"), (3, "no_wager")]
    assert played.events("card_burned") == []


@pytest.mark.clause("NZ-8.1-ii")
def test_dealt_cards_lie_face_up() -> None:
    acts = [bet("ana", 1, "initial", 500), deal(), war("ana", 1), deal()]
    played = play("nz", "2c Kh Kd 3c 4c 5c 9h 8d", *acts)
    faces = [(event["box"], event["card"]) for event in played.events("card_dealt")]
    assert faces == [(1, "Kh"), (0, "Kd"), (1, "9h"), (0, "8d")]


@pytest.mark.clause("NZ-8.1-ii")
@pytest.mark.parametrize("shoe", ["2c xx Kd", "2c Kh xx"])
def test_a_card_nobody_saw_cannot_be_dealt(shoe: str) -> None:
    played = play("nz", shoe, bet("ana", 1, "initial", 500), deal())
    assert played.refusals == [(1, "card_unseen")]
    assert played.data["rounds"] == []


@pytest.mark.clause("NZ-8.2")
def test_a_player_does_not_deal() -> None:
    played = play("nz", "2c 3h Kd", bet("ana", 1, "initial", 500), {**deal(), "by": "player:ana"})
    assert played.refusals == [(1, "not_entitled")]
    assert played.events("card_dealt") == []


@pytest.mark.clause("NZ-8.3-i")
def test_the_first_card_after_a_shuffle_is_burned_face_down_once() -> None:
    again = [bet("ana", 1, "initial", 500), deal()]
    played = play("nz", "2c 3h Kd 4h Qd", *again, *again)
    assert played.dealt(1) == "burn 2c, box 1 3h, dealer Kd"
    assert played.dealt(2) == "box 1 4h, dealer Qd"
    assert [(event["burn"], event["card"]) for event in played.events("card_burned")] == [("opening", None)]
    unseen = play("nz", "xx 3h Kd", *again)
    assert unseen.dealt() == "burn xx, box 1 3h, dealer Kd"


@pytest.mark.clause("NZ-8.3-i")
def test_the_operator_may_do_without_the_opening_burn() -> None:
    acts = [bet("ana", 1, "initial", 500), deal()]
    played = play("nz", "2c 3h", *acts, options={"shoe.initial_burn": "none"})
    assert played.dealt() == "box 1 2c, dealer 3h"


@pytest.mark.clause("NZ-1.2-GTW", "NZ-5.2", "NZ-8.5.2c")
@pytest.mark.parametrize("first", ["Ah Kd", "Qh Kd"])
def test_no_war_and_no_surrender_without_a_match(first: str) -> None:
    acts = [bet("ana", 1, "initial", 1000), deal(), war("ana", 1), surrender("ana", 1)]
    played = play("nz", f"2c {first}", *acts)
    assert played.refusals == [(2, "no_decision"), (3, "no_decision")]
    assert played.events("war_offered") == []


@pytest.mark.clause("NZ-1.2-GTW", "NZ-5.2")
def test_a_match_waits_for_the_players_choice() -> None:
    acts = [bet("ana", 1, "initial", 1000), war("ana", 1), deal(2), war("ana", 1), deal(), war("ben", 1), war("ana", 1)]
    played = play("nz", "2c Kh Kd", *acts, war("ana", 1), surrender("ana", 1))
    expected = [(1, "no_decision"), (3, "no_decision"), (5, "no_decision"), (7, "no_decision"), (8, "no_decision")]
    assert played.refusals == expected
    assert played.gain("ana") == -2 * 1000


@pytest.mark.clause("NZ-5.2", "NZ-8.5.2c")
def test_a_tie_wager_alone_gives_no_choice() -> None:
    acts = [bet("ana", 1, "initial", 1000), bet("ben", 1, "tie", 500), deal(), war("ben", 1), surrender("ben", 1)]
    played = play("nz", "2c Kh Kd", *acts)
    assert [(one["player"], one["box"]) for one in played.events("war_offered")] == [("ana", 1)]
    assert played.refusals == [(3, "no_decision"), (4, "no_decision")]
    alone = play("nz", "2c Kh Kd", bet("ben", 1, "tie", 500), deal())
    assert alone.settlements() == [("ben", 1, "tie", "win", 5000)]


@pytest.mark.clause("NZ-8.5.2c", "NZ-5.2")
def test_every_matched_player_is_offered_the_choice_and_nobody_else() -> None:
    acts = [
        bet("ana", 1, "initial", 500),
        bet("ben", 2, "initial", 500),
        bet("cat", 3, "initial", 500),
        bet("dan", 3, "initial", 500),
        deal(),
    ]
    played = play("nz", "2c Kh Qh Ks Kd", *acts)
    offered = {(one["player"], one["box"]) for one in played.events("war_offered")}
    assert offered == {("ana", 1), ("cat", 3), ("dan", 3)}


@pytest.mark.clause("NZ-8.6")
def test_the_player_alone_says_that_they_surrender() -> None:
    own = {**surrender("ana", 1), "by": "player:ana"}
    others = [{**surrender("ana", 1), "by": by} for by in ("player:ben", "dealer:d1", "supervisor:s1")]
    played = play("nz", "2c Kh Kd", bet("ana", 1, "initial", 1000), deal(), *others, surrender("ben", 1), own)
    assert played.refusals == [(number, "not_entitled") for number in (2, 3, 4)] + [(5, "no_decision")]
    assert played.settlements() == [("ana", 1, "initial", "surrender", -500)]


@pytest.mark.clause("NZ-8.6", "NZ-5.2b")
def test_a_supervisor_surrenders_for_a_player_who_cannot_choose_and_says_why() -> None:
    ruled = {**surrender("ana", 1), "by": "supervisor:s1", "reason": "absent"}
    played = play("nz", "2c Kh Kd", bet("ana", 1, "initial", 1000), deal(), ruled)
    assert [(one["by"], one["reason"]) for one in played.events("surrender_ruled")] == [("supervisor:s1", "absent")]
    assert played.settlements() == [("ana", 1, "initial", "surrender", -500)]


@pytest.mark.clause("NZ-8.6")
def test_when_all_surrender_the_round_is_over_without_another_card() -> None:
    acts = [bet("ana", 1, "initial", 1000), bet("ben", 2, "initial", 2000), deal()]
    played = play("nz", "2c Kh Ks Kd 3c 4c 5c 6c 7c 8c", *acts, surrender("ana", 1), surrender("ben", 2))
    assert played.dealt() == "burn 2c, box 1 Kh, box 2 Ks, dealer Kd"
    assert (played.gain("ana"), played.gain("ben")) == (-500, -1000)


@pytest.mark.clause("NZ-8.7.1-i", "NZ-8.7.1a")
def test_method_a_is_the_default_and_the_dealer_adds_nothing() -> None:
    acts = [bet("ana", 1, "initial", 1000), deal(), war("ana", 1)]
    played = play("nz", "2c Kh Kd", *acts)
    assert [(one["amount"], one["match"]) for one in played.events("war_declared")] == [(1000, 0)]
    chosen = play("nz", "2c Kh Kd", *acts, options={"war.method": "A"})
    assert chosen.events("war_declared") == played.events("war_declared")


@pytest.mark.clause("NZ-8.7.1-i", "NZ-8.7.1b")
@pytest.mark.parametrize(("second", "net"), [("9h 8d", 1000), ("9h 9d", 2000), ("8h 9d", -2000)])
def test_method_b_puts_the_same_amount_beside_the_wager_and_pays_as_method_a(second: str, net: int) -> None:
    acts = [bet("ana", 1, "initial", 1000), deal(), war("ana", 1), deal()]
    shoe = f"2c Kh Kd 3c 4c 5c {second}"
    played = play("nz", shoe, *acts, options={"war.method": "B"})
    assert [(one["amount"], one["match"]) for one in played.events("war_declared")] == [(1000, 1000)]
    assert (played.gain("ana"), played.balances["house"]) == (net, -net)
    assert played.settlements() == play("nz", shoe, *acts).settlements()


@pytest.mark.clause("NZ-8.7.2")
@pytest.mark.parametrize("first", ["ana", "ben", "cat"])
def test_bettors_on_one_area_choose_apart_and_in_any_order(first: str) -> None:
    choices = {"ana": surrender("ana", 1), "ben": war("ben", 1), "cat": surrender("cat", 1)}
    order = [first, *(player for player in ("cat", "ben", "ana") if player != first)]
    bets = [bet(player, 1, "initial", 1000) for player in ("ana", "ben", "cat")]
    acts = [*bets, deal(), *(choices[player] for player in order), deal()]
    played = play("nz", "2c Kh Kd 3c 4c 5c 9h 8d", *acts)
    assert played.refusals == []
    assert [played.gain(player) for player in ("ana", "ben", "cat")] == [-500, 1000, -500]
    assert played.dealt().endswith("box 1 9h, dealer 8d")


@pytest.mark.clause("NZ-8.8-i")
def test_no_second_deal_while_anybody_has_yet_to_choose() -> None:
    acts = [
        bet("ana", 1, "initial", 1000),
        bet("ben", 2, "initial", 1000),
        deal(),
        deal(),
        war("ana", 1),
        deal(),
        war("ben", 2),
        deal(),
    ]
    played = play("nz", "2c Kh Ks Kd 3c 4c 5c 9h 7h 8d", *acts)
    assert played.refusals == [(3, "decision_open"), (5, "decision_open")]
    assert (played.gain("ana"), played.gain("ben")) == (1000, -2000)


@pytest.mark.clause("NZ-8.8-ii")
def test_three_cards_are_discarded_into_the_rack_before_the_second_deal() -> None:
    acts = [bet("ana", 1, "initial", 1000), deal(), war("ana", 1), deal()]
    played = play("nz", "2c Kh Kd 3c 4c 5c 9h 8d", *acts)
    assert played.dealt() == "burn 2c, box 1 Kh, dealer Kd, burn 3c, burn 4c, burn 5c, box 1 9h, dealer 8d"
    burns = [(one["card"], one["beside_dealer"]) for one in played.events("card_burned") if one["burn"] == "war"]
    assert burns == [(None, False)] * 3


@pytest.mark.clause("NZ-8.8-ii")
def test_the_operator_may_have_no_card_discarded_before_the_second_deal() -> None:
    acts = [bet("ana", 1, "initial", 1000), deal(), war("ana", 1), deal()]
    played = play("nz", "2c Kh Kd 9h 8d", *acts, options={"war.burn": 0})
    assert played.dealt() == "burn 2c, box 1 Kh, dealer Kd, box 1 9h, dealer 8d"


@pytest.mark.clause("NZ-8.8a", "NZ-8.8b")
def test_the_second_deal_goes_from_the_left_to_boxes_at_war_and_then_the_dealer() -> None:
    acts = [
        bet("ana", 6, "initial", 500),
        bet("ben", 2, "initial", 500),
        bet("cat", 4, "initial", 500),
        bet("dan", 5, "initial", 500),
        deal(),
        war("ana", 6),
        surrender("cat", 4),
        war("ben", 2),
        deal(),
    ]
    played = play("nz", "2c Kh Ks Ah Kc Kd 3c 4c 5c 9h 7h 8d", *acts)
    assert played.dealt().endswith("dealer Kd, burn 3c, burn 4c, burn 5c, box 2 9h, box 6 7h, dealer 8d")


@pytest.mark.clause("NZ-1.2-RND")
def test_a_round_runs_from_its_first_card_until_all_cards_are_collected() -> None:
    acts = [bet("ana", 1, "initial", 1000), deal(1), deal(), war("ana", 1), deal()]
    shoe = "2c Kh Kd 3c 4c 5c 9h 8d Ah Qd"
    for so_far in range(1, len(acts)):
        running = play("nz", shoe, *acts[:so_far])
        assert running.data["rounds"] == []
        assert running.events("round_ended") == []
        assert running.data["open"][0] == {"player": "ana", "box": 1, "wager": "initial", "amount": 1000}
    played = play("nz", shoe, *acts, bet("ana", 1, "initial", 1000), deal())
    assert [round_["number"] for round_ in played.data["rounds"]] == [1, 2]
    collected = [" ".join(card for _, cards in one["hands"] for card in cards) for one in played.events("round_ended")]
    assert collected == ["Kh 9h Kd 8d", "Ah Qd"]


@pytest.mark.clause("NZ-8.10")
def test_cards_stay_on_the_layout_until_the_end_and_are_collected_hand_by_hand() -> None:
    acts = [
        bet("ana", 1, "initial", 500),
        bet("ben", 2, "initial", 500),
        bet("cat", 4, "initial", 500),
        deal(),
        surrender("ana", 1),
        war("cat", 4),
        deal(),
    ]
    played = play("nz", "2c Kh Qh Ks Kd 3c 4c 5c 9h 8d", *acts)
    assert played.events("cards_collected") == []
    (ended,) = played.events("round_ended")
    hands = [(box, list(cards)) for box, cards in ended["hands"]]
    assert hands == [(1, ["Kh"]), (2, ["Qh"]), (4, ["Ks", "9h"]), (0, ["Kd", "8d"])]
