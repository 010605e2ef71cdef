"""New Zealand: shuffling machines, the batches they need, who of the staff cuts, and cards face up in the shoe."""

import pytest

from casinowar.rulebooks import RulebookError, load_rulebook
from tests.support.rounds import act, bet, deal, play

ONE_ROUND = [bet("ana", 1, "initial", 1000), deal()]
SHOE = "2c Kh cut 9d"


def batches(options: dict[str, object]) -> list[int]:
    """Which batch came into the shoe, three shoes in a row."""
    played = play("nz", SHOE, *ONE_ROUND * 3, options=options, later=(SHOE, SHOE))
    assert played.gain("ana") == 3 * 1000
    return [event["batch"] for event in played.events("shoe_loaded")]


@pytest.mark.clause("NZ-3.4e", "NZ-3.5-i")
def test_cards_are_shuffled_by_hand_unless_the_operator_uses_a_machine() -> None:
    assert load_rulebook("nz").shoe.shuffler == "manual"
    for machine in ("batch_auto", "continuous"):
        assert load_rulebook("nz", {"shoe.shuffler": machine}).shoe.shuffler == machine
    cited = r"NZ-3\.4e, NZ-3\.5-i, NZ-3\.5-ii, NZ-7\.7b-i"
    with pytest.raises(
        RulebookError, match=rf"shoe\.shuffler = conveyor \({cited}\): allowed manual, batch_auto, cont"
    ):
        load_rulebook("nz", {"shoe.shuffler": "conveyor"})


@pytest.mark.clause("NZ-3.5-i")
def test_two_batches_take_turns_with_a_shuffling_machine_and_one_serves_without() -> None:
    assert batches({"shoe.shuffler": "batch_auto"}) == [1, 2, 1]
    assert batches({"shoe.shuffler": "manual"}) == batches({}) == [1, 1, 1]


@pytest.mark.clause("NZ-7.5-ii")
@pytest.mark.parametrize("by", ["dealer:d1", "supervisor:s1"])
@pytest.mark.parametrize("higher", [True, False])
def test_any_of_the_staff_may_cut_for_players_who_will_not(by: str, higher: bool) -> None:
    """Also where no role stands in for a lower one: the cut is not the dealer's own."""
    acts = act("seat_player", player="ana", box=1), act("decline_cut", player="ana"), act("cut", position=156, by=by)
    played = play("nz", SHOE, *acts, *ONE_ROUND, options={"authority.higher": higher})
    assert played.refusals == []
    assert [(cut["player"], cut["position"]) for cut in played.events("cut_made")] == [(None, 156)]
    assert played.gain("ana") == 1000


@pytest.mark.clause("NZ-9.1")
def test_cards_that_lie_face_up_go_to_the_rack_one_by_one_and_the_round_goes_on() -> None:
    found = act("report_face_up_card")
    played = play("nz", "2c Kh Ad Ac 9s", ONE_ROUND[0], deal(2), found, found, deal())
    assert played.refusals == []
    assert played.dealt() == "burn 2c, box 1 Kh, discard Ad, discard Ac, dealer 9s"
    assert played.settlements() == [("ana", 1, "initial", "win", 1000)]
