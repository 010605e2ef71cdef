"""New Zealand, section 9: cards drawn in error, and a shoe that runs out in the middle of a round."""

import pytest

from tests.rounds import act, bet, deal, play, surrender, war

BEN = bet("ben", 4, "initial", 500)
SHORT = [bet("ana", 1, "initial", 1000), deal(), war("ana", 1), deal()]


@pytest.mark.clause("NZ-9.2")
def test_an_unseen_card_drawn_in_error_is_the_next_card() -> None:
    acts = [BEN, deal(2), act("report_extra_draw", exposed=False), deal()]
    played = play("nz", "2c Kh Qd 9s", *acts)
    assert played.dealt() == "burn 2c, box 4 Kh, dealer Qd"
    assert [event["card"] for event in played.events("card_held")] == [None]


@pytest.mark.clause("NZ-9.3-i")
def test_an_exposed_card_drawn_in_error_goes_to_the_rack() -> None:
    acts = [BEN, deal(2), act("report_extra_draw", exposed=True), deal()]
    played = play("nz", "2c Kh Ad 9s", *acts)
    assert played.dealt() == "burn 2c, box 4 Kh, discard Ad, dealer 9s"
    assert played.settlements() == [("ben", 4, "initial", "win", 500)]
    assert "NZ-9.3-i" in played.events("card_discarded")[0]["clauses"]


@pytest.mark.clause("NZ-9.5-i", "NZ-8.3-i")
@pytest.mark.parametrize("shoe", ["2c Kh Kd", "2c Kh Kd 3c 4c", "2c Kh Kd 3c 4c 5c 9h"])
def test_a_round_short_of_cards_is_finished_with_the_discards_and_no_opening_burn(shoe: str) -> None:
    whole = ["2c", "Kh", "Kd", "3c", "4c", "5c", "9h", "8d"]
    rest = " ".join(whole[len(shoe.split()) :])
    played = play("nz", shoe, *SHORT, later=(rest + " Ah Qd Jd",))
    assert played.refusals == []
    assert played.dealt() == "burn 2c, box 1 Kh, dealer Kd, burn 3c, burn 4c, burn 5c, box 1 9h, dealer 8d"
    assert played.settlements() == [("ana", 1, "initial", "push", 0), ("ana", 1, "war", "win", 1000)]
    assert len(played.events("cut_made")) == 2


@pytest.mark.clause("NZ-9.5-i")
def test_the_first_deal_too_may_run_short() -> None:
    acts = [bet("ana", 1, "initial", 1000), bet("ben", 2, "initial", 1000), deal()]
    played = play("nz", "2c Kh", *acts, later=("3c Qd",))
    assert played.dealt() == "burn 2c, box 1 Kh, box 2 3c, dealer Qd"


@pytest.mark.clause("NZ-9.5-i")
def test_without_a_new_stack_no_card_of_the_second_deal_counts() -> None:
    played = play("nz", "2c Kh Kd 3c 4c", *SHORT)
    assert played.refusals == [(3, "no_shoe")]
    assert len(played.events("card_burned")) == 1
    assert played.gain("ana") == -2 * 1000


@pytest.mark.clause("NZ-9.5-ii")
@pytest.mark.parametrize("shoe", ["2c Kh Kd 3c 4c", "2c Kh Kd 3c cut 4c"])
def test_the_reshuffled_discards_serve_the_rounds_that_follow(shoe: str) -> None:
    acts = [*SHORT, bet("ana", 1, "initial", 1000), deal()]
    played = play("nz", shoe, *acts, later=("5c 9h 8d Ah Qd", "6c 7c 8c"))
    assert played.dealt(2) == "box 1 Ah, dealer Qd"
    assert len(played.events("shoe_loaded")) == 2


@pytest.mark.clause("NZ-9.5-ii")
@pytest.mark.parametrize(
    ("shoe", "second"),
    [("2c Kh Kd 3c cut 4c", "burn 6c, box 1 7c, dealer 8c"), ("2c Kh Kd 3c 4c", "box 1 Ah, dealer Qd")],
)
def test_under_the_other_reading_a_cutting_card_seen_before_still_calls_for_a_shuffle(shoe: str, second: str) -> None:
    acts = [*SHORT, bet("ana", 1, "initial", 1000), deal()]
    options = {"shoe.short_discharges": False}
    played = play("nz", shoe, *acts, later=("5c 9h 8d Ah Qd", "6c 7c 8c"), options=options)
    assert played.dealt(1) == "burn 2c, box 1 Kh, dealer Kd, burn 3c, burn 4c, burn 5c, box 1 9h, dealer 8d"
    assert played.dealt(2) == second


@pytest.mark.clause("NZ-9.5-ii", "NZ-7.1c")
def test_a_cutting_card_among_the_reshuffled_discards_counts_again() -> None:
    acts = [*SHORT, bet("ana", 1, "initial", 1000), deal(), surrender("ana", 1)]
    played = play("nz", "2c Kh Kd 3c 4c", *acts, later=("5c cut 9h 8d Ah Qd", "6c 7c 7d"))
    assert played.dealt(2) == "burn 6c, box 1 7c, dealer 7d"
