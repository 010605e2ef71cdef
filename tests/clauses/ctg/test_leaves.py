"""Casino-To-Go: the one batch of cards, and cards face up in the shoe."""

import pytest

from tests.support.rounds import act, bet, deal, play

SHOE = "2c Kh cut 9d"


@pytest.mark.clause("CTG-B2")
def test_the_same_six_decks_come_back_after_every_shuffle() -> None:
    played = play("ctg", SHOE, *[bet("ana", 1, "initial", 1000), deal()] * 2, later=(SHOE,))
    assert [event["batch"] for event in played.events("shoe_loaded")] == [1, 1]
    assert played.gain("ana") == 2 * 1000


@pytest.mark.clause("CTG-G5")
def test_a_card_that_lies_face_up_is_discarded_and_replaced() -> None:
    played = play("ctg", "2c Kh Ad 9s", bet("ana", 1, "initial", 1000), deal(2), act("report_face_up_card"), deal())
    assert played.refusals == []
    assert played.dealt() == "burn 2c, box 1 Kh, discard Ad, dealer 9s"
    assert played.settlements() == [("ana", 1, "initial", "win", 1000)]


@pytest.mark.clause("CTG-G5", "CTG-G6")
def test_a_second_card_that_lies_face_up_is_discarded_and_the_round_waits_for_the_pit_boss() -> None:
    found = act("report_face_up_card")
    acts = bet("ana", 1, "initial", 1000), deal(2), found, found, deal()
    waiting = play("ctg", "2c Kh Ad Ac 9s", *acts)
    assert waiting.refusals == [(4, "ruling_due")]
    assert waiting.refusal_clauses == [["CTG-G6"]]
    assert [one["card"] for one in waiting.events("card_discarded")] == ["Ad", "Ac"]
    assert (waiting.gain("ana"), waiting.data["rounds"]) == (-1000, [])
    ruling = act("rule", action="stand", reason="both are out of play")
    ruled = play("ctg", "2c Kh Ad Ac 9s", *acts, ruling, deal())
    assert ruled.dealt() == "burn 2c, box 1 Kh, discard Ad, discard Ac, dealer 9s"
    assert ruled.settlements() == [("ana", 1, "initial", "win", 1000)]


@pytest.mark.clause("CTG-G5")
def test_one_card_face_up_in_each_of_two_rounds_is_one_at_a_time() -> None:
    once = bet("ana", 1, "initial", 1000), deal(1), act("report_face_up_card"), deal()
    played = play("ctg", "2c Ad Kh 9s Qh Ac 8d", *once, *once)
    assert played.refusals == []
    assert played.dealt(1) == "burn 2c, discard Ad, box 1 Kh, dealer 9s"
    assert played.dealt(2) == "box 1 Qh, discard Ac, dealer 8d"


@pytest.mark.clause("CTG-S2")
@pytest.mark.parametrize("rule", ["first_seated", "last_cut_card"])
def test_the_first_player_to_come_cuts_the_first_shoe(rule: str) -> None:
    seated = [act("seat_player", player=player, box=box) for player, box in (("ana", 3), ("ben", 1), ("cat", 6))]
    cuts = [act("cut", player=player, position=156) for player in ("ben", "cat", "ana")]
    played = play("ctg", SHOE, *seated, *cuts, options={"shoe.cutter_rule": rule})
    assert played.refusals == [(3, "not_the_cutter"), (4, "not_the_cutter")]
    assert [cut["player"] for cut in played.events("cut_made")] == ["ana"]
