"""Massachusetts, section 10: cards that lie face up in the shoe, and cards drawn in error."""

from typing import Any

import pytest

from casinowar.rulebooks import RulebookError, load_rulebook
from tests.support.rounds import act, bet, deal, play, surrender, war

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


SEEN = act("report_extra_draw", exposed=True)


@pytest.mark.clause("MA-10a-ii")
@pytest.mark.parametrize(
    ("rule", "dealt"),
    [
        ("burn", "burn 2c, box 1 Kh, discard Ad, box 2 9s, dealer Qd"),
        ("forward", "burn 2c, box 1 Kh, box 2 Ad, dealer 9s"),
        ("dealer_next", "burn 2c, box 1 Kh, dealer Ad, box 2 9s"),
    ],
)
def test_the_house_or_the_supervisor_chooses_what_becomes_of_it(rule: str, dealt: str) -> None:
    """AMB-34: the three ways of 10(a), as a standing choice or for this one card."""
    shoe, before = "2c Kh Ad 9s Qd", [*THREE[:2], deal(2)]
    standing = play("ma", shoe, *before, SEEN, deal(), options={"irreg.exposed_extra": rule})
    chosen = play("ma", shoe, *before, {**SEEN, "action": rule, "by": "supervisor:sue"}, deal())
    assert (standing.dealt(), chosen.dealt()) == (dealt, dealt)
    assert (standing.refusals, chosen.refusals) == ([], [])


@pytest.mark.clause("MA-10a-ii")
def test_the_choice_is_not_the_dealers() -> None:
    acts = [*THREE[:2], deal(2), {**SEEN, "action": "forward", "by": "dealer:dee"}]
    assert play("ma", "2c Kh Ad 9s Qd", *acts).refusals == [(3, "not_entitled")]


@pytest.mark.clause("MA-10a-ii", "MA-10c")
def test_there_is_no_choice_about_a_card_that_nobody_saw_nor_any_fourth_way() -> None:
    unseen = act("report_extra_draw", exposed=False, action="burn")
    played = play("ma", "2c Kh Ad 9s", ANA, deal(2), unseen, deal())
    assert played.refusals == [(2, "not_in_the_book")]
    assert played.refusal_clauses == [["MA-10c"]]
    with pytest.raises(
        RulebookError,
        match=r"irreg\.exposed_extra = discard \(the book is silent; house default\): allowed burn, forward",
    ):
        load_rulebook("ma", {"irreg.exposed_extra": "discard"})


@pytest.mark.clause("MA-10d")
def test_a_hand_that_was_passed_over_is_void_and_its_player_in_the_next_round() -> None:
    """Ben's three wagers go back, and 50 of his progressive wager come off the meter again."""
    bens = [bet("ben", 2, "tie", 500), bet("ben", 2, "progressive", 500)]
    missed = act("report_missed_hand", box=2, by="dealer:dee")
    acts = [*THREE, *bens, deal(2), missed, deal(), *THREE[1:2], deal()]
    played = play("ma", "2c Kh Qd 9s Ah Jd", *acts, options=PROGRESSIVE, meter=2_000_000)
    assert played.refusals == []
    assert played.dealt(1) == "burn 2c, box 1 Kh, box 3 Qd, dealer 9s"
    assert sorted(played.settlements(1)) == [
        ("ana", 1, "initial", "win", 1000),
        ("ben", 2, "initial", "void", 0),
        ("ben", 2, "progressive", "void", 0),
        ("ben", 2, "tie", "void", 0),
        ("cat", 3, "initial", "win", 1000),
    ]
    (voided,) = played.events("hand_voided")
    assert (voided["box"], voided["by"], voided["clauses"]) == (2, "dealer:dee", ["MA-10d"])
    assert played.data["meter"] == 2_000_000
    assert played.dealt(2) == "box 2 Ah, dealer Jd"
    assert played.gain("ben") == 1000


@pytest.mark.clause("MA-10d")
def test_only_a_hand_whose_card_is_due_can_have_been_passed_over() -> None:
    missed = [act("report_missed_hand", box=box) for box in (0, 1, 3)]
    played = play("ma", "2c Kh 5d 9s", *THREE[:2], deal(2), *missed, deal(), missed[1])
    assert played.refusals == [(number, "no_hand_due") for number in (3, 4, 5, 7)]
    assert played.gain("ana") == 1000


@pytest.mark.clause("MA-10d")
def test_with_its_only_hand_passed_over_the_round_is_void() -> None:
    played = play("ma", "2c Kh Qd", ANA, deal(1), act("report_missed_hand", box=1), ANA, deal())
    assert played.settlements(1) == [("ana", 1, "initial", "void", 0)]
    assert played.dealt(1) == "burn 2c"
    assert played.dealt(2) == "box 1 Kh, dealer Qd"


FORGOTTEN = act("report_forgotten_burn", by="dealer:dee")


@pytest.mark.clause("MA-10f")
@pytest.mark.parametrize("is_called", [False, True])
def test_a_forgotten_opening_burn_is_not_made_up_for(is_called: bool) -> None:
    call = [act("no_more_bets")] if is_called else []
    played = play("ma", "Kh 9d Qh Jd", ANA, *call, FORGOTTEN, FORGOTTEN, deal(), ANA, deal())
    assert played.refusals == [(2 + is_called, "no_burn_due")]
    assert [played.dealt(1), played.dealt(2)] == ["box 1 Kh, dealer 9d", "box 1 Qh, dealer Jd"]
    assert [(one["by"], one["clauses"]) for one in played.events("burn_forgotten")] == [("dealer:dee", ["MA-10f"])]


@pytest.mark.clause("MA-10f")
@pytest.mark.parametrize("burned", [0, 1, 2])
def test_so_is_what_was_forgotten_of_the_three_burns_of_a_war(burned: int) -> None:
    burns = ["3c", "4c"][:burned]
    some = [deal(burned)] if burned else []
    shoe = " ".join(["2c Kh Kd", *burns, "9h 8d"])
    played = play("ma", shoe, ANA, deal(), war("ana", 1), *some, FORGOTTEN, deal())
    told = "".join(f"burn {card}, " for card in burns)
    assert played.dealt() == f"burn 2c, box 1 Kh, dealer Kd, {told}box 1 9h, dealer 8d"
    assert played.gain("ana") == 1000


@pytest.mark.clause("MA-10f", "MA-7a-iii")
def test_one_forgotten_burn_is_one_burn() -> None:
    """The opening burn is forgotten, the new dealer's is not."""
    played = play("ma", "3c Kh 9d", act("change_dealer", dealer="dora"), ANA, FORGOTTEN, deal())
    assert played.dealt() == "burn 3c, box 1 Kh, dealer 9d"


@pytest.mark.clause("MA-10f")
def test_no_burn_is_forgotten_where_none_is_due() -> None:
    acts = [ANA, deal(1), FORGOTTEN, deal(), ANA, FORGOTTEN, deal()]
    played = play("ma", "2c Kh 9d Qh Jd", *acts)
    assert played.refusals == [(2, "no_burn_due"), (5, "no_burn_due")]
    assert played.refusal_clauses == [["MA-10f"]] * 2


FAULT = act("report_shuffler_fault")
MACHINE = {"shoe.shuffler": "batch_auto"}
SWAP, CUT = act("swap_batch"), act("cut", player="ana", position=156)


@pytest.mark.clause("MA-10e")
def test_a_batch_on_which_the_machine_failed_is_shuffled_again() -> None:
    """The same batch is next, and it is cut again."""
    acts = [ANA, deal(), SWAP, CUT, FAULT, SWAP, CUT, act("place_marker", from_back=78), act("load_shoe"), ANA, deal()]
    played = play("ma", "2c Kh cut 9d", *acts, options=MACHINE, later=("3c Qh Jd",))
    assert played.refusals == []
    assert [one["batch"] for one in played.events("cards_prepared")] == [2, 2]
    assert [one["batch"] for one in played.events("shoe_loaded")] == [1, 2]
    assert [(one["by"], one["clauses"]) for one in played.events("shuffle_ordered")] == [("supervisor", ["MA-10e"])]
    assert played.dealt(2) == "burn 3c, box 1 Qh, dealer Jd"


@pytest.mark.clause("MA-10e")
def test_one_person_says_that_the_machine_failed_where_nobody_loses_by_it() -> None:
    """The round before is over and stands; only a void takes a second signature."""
    played = play("ma", "2c Kh cut 9d", ANA, deal(), SWAP, {**FAULT, "by": "supervisor:sue"}, options=MACHINE)
    assert played.refusals == []
    assert played.settlements() == [("ana", 1, "initial", "win", 1000)]


@pytest.mark.clause("MA-10e")
def test_the_batch_that_is_being_dealt_is_dealt_on() -> None:
    played = play("ma", "2c Kh 9d", ANA, deal(2), FAULT, deal(), options=MACHINE)
    assert played.dealt() == "burn 2c, box 1 Kh, dealer 9d"
    assert [one["clauses"] for one in played.events("shuffler_failed")] == [["MA-10e"]]
    assert played.events("shuffle_ordered") == []


@pytest.mark.clause("MA-10e")
def test_a_fault_of_the_machine_voids_no_hand() -> None:
    """The cards in the shoe were shuffled before; all that the book asks for is another shuffle of the others."""
    played = play("ma", "2c Kh 9d", ANA, deal(2), {**FAULT, "boxes": [1]}, deal(), options=MACHINE)
    assert played.events("hand_voided") == []
    assert played.gain("ana") == 1000


@pytest.mark.clause("MA-10e", "MA-2d")
def test_without_a_machine_none_can_fail() -> None:
    played = play("ma", "2c Kh 9d", ANA, FAULT, deal(2), FAULT, deal())
    assert played.refusals == [(1, "no_shuffler"), (3, "no_shuffler")]
    assert played.refusal_clauses == [[]] * 2


CUT_CARD_GONE = act("report_missing_cut_card", by="dealer:dee")


@pytest.mark.clause("MA-5g")
def test_without_a_cut_card_in_the_stack_the_cards_are_shuffled_after_the_round() -> None:
    played = play("ma", "2c Kh 9d Ah", ANA, deal(2), CUT_CARD_GONE, deal(), ANA, deal(), later=("3c Qh Jd",))
    assert played.dealt(1) == "burn 2c, box 1 Kh, dealer 9d"
    assert played.dealt(2) == "burn 3c, box 1 Qh, dealer Jd"
    assert [one["clauses"] for one in played.events("cut_card_missed")] == [[]]


@pytest.mark.clause("MA-7d")
def test_a_shuffle_that_was_missed_follows_the_round_in_which_that_is_noticed() -> None:
    """The round stands as dealt."""
    before = {"shoe_loaded": True, "rounds": 1}
    acts = [ANA, deal(1), act("report_missed_shuffle", by="dealer:dee"), deal(), ANA, deal()]
    played = play("ma", "Kh 9d Ah", *acts, before=before, later=("3c Qh Jd",))
    assert played.settlements(1) == [("ana", 1, "initial", "win", 1000)]
    assert played.dealt(2) == "burn 3c, box 1 Qh, dealer Jd"
    assert [(one["reason"], one["clauses"]) for one in played.events("shuffle_ordered")] == [("missed_shuffle", [])]


EXPOSED = act("report_exposed_before_shoe", by="dealer:dee")


@pytest.mark.clause("MA-5a-i")
def test_a_stack_of_which_a_card_was_seen_is_shuffled_and_cut_again() -> None:
    shuffle = act("shuffle", steps=["plug", "turn", "riffle", "riffle", "strip"])
    acts = [ANA, deal(), shuffle, CUT, EXPOSED, act("place_marker", from_back=78), shuffle, act("load_shoe")]
    played = play("ma", "2c Kh cut 9d", *acts, later=("3c Qh Jd",))
    assert played.refusals == [(5, "cut_due"), (7, "cut_due")]
    assert [one["clauses"] for one in played.events("shuffle_ordered")] == [[]]


@pytest.mark.clause("MA-5a-i")
def test_in_the_shoe_it_is_no_longer_such_a_card() -> None:
    played = play("ma", "2c Kh 9d Qh", ANA, deal(2), EXPOSED, deal(), EXPOSED)
    assert played.refusals == [(2, "no_shuffle_due"), (4, "no_shuffle_due")]


@pytest.mark.clause("MA-5c2")
@pytest.mark.parametrize("again", [EXPOSED, FAULT])
def test_the_cut_is_still_the_players_on_whose_box_the_cut_card_showed(again: dict[str, Any]) -> None:
    """The house chose no reshuffle: the cards are shuffled twice for the same cut card."""
    acts = [*THREE, deal(), again, {**CUT, "player": "cat"}, CUT]
    options = MACHINE if again is FAULT else {}
    played = play("ma", "2c cut Kh 5h 6h 9d", *acts, options=options)
    assert played.refusals == [(5, "not_the_cutter")]


@pytest.mark.clause("MA-2a-ii")
def test_a_damaged_card_is_replaced_by_one_like_it_after_the_round() -> None:
    damaged = act("report_damaged_card", card="Kh", by="dealer:dee")
    played = play("ma", "2c Kh 9d", ANA, deal(2), damaged, deal(), act("report_damaged_card", card="9d"))
    assert played.settlements() == [("ana", 1, "initial", "win", 1000)]
    names = [one["name"] for one in played.data["events"]]
    assert names.index("damage_found") < names.index("cards_replaced") < names.index("round_ended")
    replaced = [(one["cards"], one["clauses"]) for one in played.events("cards_replaced")]
    assert replaced == [(["Kh"], []), (["9d"], [])]


@pytest.mark.clause("MA-8c")
def test_a_choice_that_was_not_offered_is_for_the_floor_to_rule_on() -> None:
    """The war cards are out. Until the ruling nothing goes on; then they are taken back and Ben chooses."""
    acts = [*THREE[:2], deal(), war("ana", 1), war("ben", 2), deal(4)]
    missed = act("report_missed_offer", player="ben", box=2, cards=4, by="dealer:dee")
    ruling = act("rule", action="reconstruct", reason="ben was not asked", by="supervisor:sue")
    played = play("ma", "2c Kh Ks Kd 3c 4c 5c 9h 8d", *acts, missed, deal(), ruling, surrender("ben", 2), deal())
    assert played.refusals == [(7, "ruling_due")]
    (waiting,) = played.events("incident_reported")
    assert (waiting["waits_for"], waiting["clauses"]) == ("floor_ruling", [])
    assert played.dealt() == "burn 2c, box 1 Kh, box 2 Ks, dealer Kd, burn 3c, burn 4c, burn 5c, box 1 9h, dealer 8d"
    assert (played.gain("ana"), played.gain("ben")) == (1000, -500)


@pytest.mark.clause("MA-8c")
def test_whoever_was_not_tied_missed_no_offer() -> None:
    missed = act("report_missed_offer", player="ana", box=1, cards=0)
    played = play("ma", "2c Qh Kd", ANA, missed, deal(), missed)
    assert played.refusals == [(1, "no_decision"), (3, "no_decision")]
    assert played.refusal_clauses == [[]] * 2


@pytest.mark.clause("MA-6a-i")
@pytest.mark.parametrize(("found", "plays"), [(60_000, 50_000), (1_300, 1_000), (300, 300)])
def test_a_wager_found_wrong_after_the_close_plays_within_the_limits_if_a_supervisor_agrees(
    found: int, plays: int
) -> None:
    """AMB-33: at most the maximum of 50,000, whole units of 500, and below the minimum as it lies; rest back."""
    report = act("report_wager", player="ana", box=1, wager="initial", amount=found)
    acts = [ANA, report, deal(2), {**report, "by": "dealer:dee"}, {**report, "by": "supervisor:sue"}, deal(), report]
    played = play("ma", "2c Kh 9d", *acts)
    assert played.refusals == [(1, "no_wager"), (3, "not_entitled"), (6, "no_wager")]
    assert played.refusal_clauses == [[]] * 3
    assert played.line("ana", "initial")["amount"] == plays
    assert played.gain("ana") == plays
    (told,) = played.events("wager_found")
    assert (told["noted"], told["amount"], told["by"]) == (1000, found, "supervisor:sue")


@pytest.mark.clause("MA-11b", "MA-11-F2")
def test_a_progressive_wager_found_wrong_feeds_the_meter_by_what_it_plays_for() -> None:
    """Noted as 500, found to be 1,200: two units of 500 play, and a tenth of them is on the meter."""
    wagers = [ANA, bet("ana", 1, "progressive", 500)]
    found = act("report_wager", player="ana", box=1, wager="progressive", amount=1200, by="supervisor:sue")
    void = act("void_round", by="supervisor:sue", second="operator:oz")
    limits = {"minimum": 100, "maximum": 5000, "unit": 100}
    for after, amount, fed in ((deal(), 1000, 100), (void, 1000, 0)):
        acts = [*wagers, deal(2), found, after]
        played = play("ma", "2c Kh 9d", *acts, options=PROGRESSIVE, limits=limits, meter=2_000_000)
        assert played.refusals == []
        assert played.line("ana", "progressive")["amount"] == amount
        assert played.data["meter"] == 2_000_000 + fed
