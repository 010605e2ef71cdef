"""Massachusetts, section 10: cards that lie face up in the shoe, and cards drawn in error."""

from typing import Any

import pytest

from casinowar.rulebooks import RulebookError, load_rulebook
from tests.rounds import act, bet, deal, play, surrender, war

ANA = bet("ana", 1, "initial", 1000)
FOUND = act("report_face_up_card")
THREE = [ANA, bet("ben", 2, "initial", 1000), bet("cat", 3, "initial", 1000)]
PROGRESSIVE = {"wager.progressive": True}


@pytest.mark.clause("MA-10b-i")
def test_a_card_that_lies_face_up_goes_to_the_rack_and_the_next_is_used() -> None:
    played = play("ma", "2c Kh Ad 9s", ANA, deal(2), FOUND, deal())
    assert played.dealt() == "burn 2c, box 1 Kh, discard Ad, dealer 9s"
    assert played.settlements() == [("ana", 1, "initial", "win", 1000)]
    assert played.events("card_discarded")[0]["clauses"] == ["MA-10b-i"]
    assert played.events("shuffle_ordered") == []


@pytest.mark.clause("MA-10b-ii")
@pytest.mark.parametrize("second", [2, 3])
def test_with_a_second_one_all_hands_are_void_and_the_cards_reshuffled(second: int) -> None:
    """The second lies right behind the first, or one card later."""
    wagers = [*THREE[:2], bet("ana", 1, "tie", 500)]
    shoe = "2c Kh Ac Ad 3h 9d" if second == 2 else "2c Kh Ac 3h Ad 9d"
    between = [] if second == 2 else [deal(1)]
    acts = [*wagers, deal(2), FOUND, *between, FOUND, ANA, deal()]
    played = play("ma", shoe, *acts, later=("4c Qh Jd",))
    assert played.refusals == []
    assert sorted(played.settlements(1)) == [
        ("ana", 1, "initial", "void", 0),
        ("ana", 1, "tie", "void", 0),
        ("ben", 2, "initial", "void", 0),
    ]
    assert played.dealt(2) == "burn 4c, box 1 Qh, dealer Jd"
    assert played.balances["house"] == -1000
    assert [event["clauses"] for event in played.events("round_voided")] == [["MA-10b-ii"]]


@pytest.mark.clause("MA-10b-ii")
def test_results_of_the_first_pass_are_reversed_too() -> None:
    """AMB-36: Ana won and was paid, Ben lost, Cat tied, won the tie and surrendered, Dan went to war; all is void."""
    wagers = [*THREE, bet("dan", 4, "initial", 1000), bet("cat", 3, "tie", 500)]
    late = [surrender("cat", 3), war("dan", 4), bet("dan", 4, "war_tie", 500)]
    acts = [*wagers, deal(), FOUND, *late, deal(1), FOUND]
    played = play("ma", "2c Kh 2h 9s 9c 9d Ac 3c Ad", *acts, options={"ma.face_up_scope": "round"})
    assert played.refusals == []
    assert played.balances == {"ana": 100_000, "ben": 100_000, "cat": 100_000, "dan": 100_000, "house": 0}
    assert {line[3] for line in played.settlements()} == {"void"}
    assert len(played.settlements()) == 4 + 1 + 2
    assert played.dealt() == (
        "burn 2c, box 1 Kh, box 2 2h, box 3 9s, box 4 9c, dealer 9d, discard Ac, burn 3c, discard Ad"
    )
    assert played.data["open"] == []


@pytest.mark.clause("MA-10b-ii", "MA-11b")
def test_the_wagers_of_a_void_round_have_not_fed_the_meter() -> None:
    """1,000 and 500 at ten in a hundred: 150 are on the meter until the hands are void."""
    wagers = [*THREE[:2], bet("ana", 1, "progressive", 1000), bet("ben", 2, "progressive", 500)]
    shoe, acts = "2c Kh Ac Ad 3h", [*wagers, deal(2), FOUND]
    once = play("ma", shoe, *acts, options=PROGRESSIVE, meter=2_000_000)
    assert once.data["meter"] == 2_000_000 + 100 + 50
    twice = play("ma", shoe, *acts, FOUND, options=PROGRESSIVE, meter=2_000_000)
    assert twice.data["meter"] == 2_000_000
    assert twice.balances["house"] == 0


@pytest.mark.clause("MA-10b-ii", "MA-11b")
def test_hands_void_before_the_call_leave_the_meter_alone() -> None:
    before = {"shoe_loaded": True, "rounds": 1}
    acts = [ANA, bet("ana", 1, "progressive", 500), FOUND, FOUND]
    played = play("ma", "Ac Ad 3h", *acts, options=PROGRESSIVE, meter=2_000_000, before=before)
    assert played.data["meter"] == 2_000_000
    assert played.gain("ana") == 0


@pytest.mark.clause("MA-10b-ii")
@pytest.mark.parametrize(
    ("options", "is_void"), [({}, False), ({"ma.face_up_scope": "round"}, False), ({"ma.face_up_scope": "shoe"}, True)]
)
def test_they_are_counted_in_each_round_or_over_the_shoe(options: dict[str, Any], is_void: bool) -> None:
    """AMB-36: one card face up in each of two rounds of one shoe."""
    acts = [ANA, deal(2), FOUND, deal(), ANA, FOUND, deal()]
    played = play("ma", "2c Kh Ac 9d Ad Qh Jd", *acts, options=options, later=("4c 2h Jd",))
    assert played.settlements(1) == [("ana", 1, "initial", "win", 1000)]
    if is_void:
        assert played.settlements(2) == [("ana", 1, "initial", "void", 0)]
        assert played.refusals == [(6, "no_wager")]
    else:
        assert played.dealt(2) == "discard Ad, box 1 Qh, dealer Jd"
        assert played.settlements(2) == [("ana", 1, "initial", "win", 1000)]


@pytest.mark.clause("MA-10b-ii")
def test_a_new_shoe_is_counted_anew() -> None:
    acts = [ANA, deal(2), FOUND, deal(), ANA, deal(2), FOUND, deal()]
    options = {"ma.face_up_scope": "shoe"}
    played = play("ma", "2c Kh Ac cut 9d", *acts, options=options, later=("4c Qh Ad Jd",))
    assert played.dealt(2) == "burn 4c, box 1 Qh, discard Ad, dealer Jd"
    assert played.gain("ana") == 2 * 1000


@pytest.mark.clause("MA-10b-ii")
def test_a_card_face_up_between_rounds_does_not_count_with_one_of_the_round_before() -> None:
    """Counted per round, it belongs to no round that had another."""
    acts = [ANA, deal(2), FOUND, deal(), FOUND, ANA, deal()]
    played = play("ma", "2c Kh Ac 9d Ad Qh Jd", *acts)
    assert played.events("shuffle_ordered") == []
    assert played.dealt(2) == "discard Ad, box 1 Qh, dealer Jd"


@pytest.mark.clause("MA-10b-ii")
def test_over_what_they_are_counted_is_a_choice_of_two() -> None:
    with pytest.raises(RulebookError, match=r"ma\.face_up_scope = table \(MA-10b-ii\): allowed round, shoe"):
        load_rulebook("ma", {"ma.face_up_scope": "table"})


@pytest.mark.clause("MA-10c")
def test_a_card_drawn_in_error_and_not_seen_is_the_next_card() -> None:
    acts = [ANA, deal(2), act("report_extra_draw", exposed=False), deal()]
    played = play("ma", "2c Kh Qd 9s", *acts)
    assert played.dealt() == "burn 2c, box 1 Kh, dealer Qd"
    assert [(event["card"], event["clauses"]) for event in played.events("card_held")] == [(None, ["MA-10c"])]


@pytest.mark.clause("MA-10a-ii")
def test_a_card_drawn_in_error_whose_face_was_seen_is_burned() -> None:
    """AMB-34: the book does not speak of it, and 10(a) lets a card that went astray be burned."""
    acts = [ANA, deal(2), act("report_extra_draw", exposed=True), deal()]
    played = play("ma", "2c Kh Ad 9s", *acts)
    assert played.dealt() == "burn 2c, box 1 Kh, discard Ad, dealer 9s"
    assert played.gain("ana") == 1000
