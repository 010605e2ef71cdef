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
