"""Crown Perth: shuffling machines, the one batch of cards, and cards face up in the shoe."""

import pytest

from casinowar.rulebooks import RulebookError, load_rulebook
from tests.support.rounds import act, bet, deal, play, war

ONE_ROUND = [bet("ana", 1, "initial", 1000), deal()]
SHOE = "2c 3c 4c Kh cut 9d"
"""The two of the opening burn takes two more cards with it."""


@pytest.mark.clause("WA-2.5", "WA-1.1-AUTO", "WA-1.1-RACK")
def test_cards_are_shuffled_by_hand_or_by_a_machine_that_also_deals() -> None:
    assert load_rulebook("wa").shoe.shuffler == "manual"
    assert load_rulebook("wa", {"shoe.shuffler": "continuous"}).shoe.shuffler == "continuous"
    with pytest.raises(RulebookError) as told:
        load_rulebook("wa", {"shoe.shuffler": "batch_auto"})
    refused = "wa does not allow shoe.shuffler = batch_auto (WA-2.5, WA-1.1-AUTO, WA-1.1-RACK)"
    assert str(told.value) == f"{refused}: allowed manual, continuous"


@pytest.mark.clause("WA-2.4")
def test_every_shoe_is_of_the_one_batch() -> None:
    played = play("wa", SHOE, *ONE_ROUND * 2, later=(SHOE,))
    assert [event["batch"] for event in played.events("shoe_loaded")] == [1, 1]
    assert played.gain("ana") == 2 * 1000


@pytest.mark.clause("WA-5.1")
def test_cards_that_lie_face_up_go_to_the_rack_one_by_one_and_the_round_goes_on() -> None:
    found = act("report_face_up_card")
    played = play("wa", "2c 3c 4c Kh Ad Ac 9s", ONE_ROUND[0], deal(4), found, found, deal())
    assert played.refusals == []
    assert played.dealt() == "burn 2c, burn 3c, burn 4c, box 1 Kh, discard Ad, discard Ac, dealer 9s"
    assert played.settlements() == [("ana", 1, "initial", "win", 1000)]


@pytest.mark.clause("WA-1.1-RND")
def test_the_round_ends_with_every_hand_in_the_rack_as_it_lay() -> None:
    acts = [
        bet("ana", 1, "initial", 1000),
        bet("ben", 2, "initial", 1000),
        deal(),
        war("ana", 1),
        war("ben", 2),
        deal(),
    ]
    played = play("wa", "Ac 2c 9h 9s 9d 3c 4c 5c Kh Qh Jd", *acts)
    ended = played.events("round_ended")
    assert [(hand[0], hand[1]) for hand in ended[0]["hands"]] == [
        (1, ["9h", "Kh"]),
        (2, ["9s", "Qh"]),
        (0, ["9d", "Jd"]),
    ]
