"""Casino-To-Go: the one batch of cards, and cards face up in the shoe."""

import pytest

from tests.rounds import act, bet, deal, play

SHOE = "2c Kh cut 9d"


@pytest.mark.clause("CTG-B2")
def test_the_same_six_decks_come_back_after_every_shuffle() -> None:
    played = play("ctg", SHOE, *[bet("ana", 1, "initial", 1000), deal()] * 2, later=(SHOE,))
    assert [event["batch"] for event in played.events("shoe_loaded")] == [1, 1]
    assert played.gain("ana") == 2 * 1000


@pytest.mark.clause("CTG-G5")
def test_cards_that_lie_face_up_are_discarded_one_by_one_and_replaced() -> None:
    found = act("report_face_up_card")
    played = play("ctg", "2c Kh Ad Ac 9s", bet("ana", 1, "initial", 1000), deal(2), found, found, deal())
    assert played.refusals == []
    assert played.dealt() == "burn 2c, box 1 Kh, discard Ad, discard Ac, dealer 9s"
    assert played.settlements() == [("ana", 1, "initial", "win", 1000)]


@pytest.mark.clause("CTG-S2")
@pytest.mark.parametrize("rule", ["first_seated", "last_cut_card"])
def test_the_first_player_to_come_cuts_the_first_shoe(rule: str) -> None:
    seated = [act("seat_player", player=player, box=box) for player, box in (("ana", 3), ("ben", 1), ("cat", 6))]
    cuts = [act("cut", player=player, position=156) for player in ("ben", "cat", "ana")]
    played = play("ctg", SHOE, *seated, *cuts, options={"shoe.cutter_rule": rule})
    assert played.refusals == [(3, "not_the_cutter"), (4, "not_the_cutter")]
    assert [cut["player"] for cut in played.events("cut_made")] == ["ana"]
