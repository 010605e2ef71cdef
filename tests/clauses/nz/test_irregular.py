"""New Zealand, section 9: cards drawn in error, misdeals, void hands, a shoe that runs out, machines that fail."""

from typing import Any

import pytest

from casinowar.engine import commands as c
from casinowar.engine import decide
from casinowar.engine.events import Refusal
from casinowar.records import parse_record, replay
from casinowar.records.narrative import tell
from casinowar.rulebooks import RulebookError, load_rulebook
from tests.support.rounds import PLAYERS, Act, act, bet, deal, play, surrender, war

ANA = bet("ana", 1, "initial", 1000)
CAT = bet("cat", 2, "initial", 1000)
BEN = bet("ben", 4, "initial", 500)
SIGNED = {"by": "supervisor:sue", "second": "operator:ola"}
CONTINUOUS = {"shoe.shuffler": "continuous"}
BATCHES = {"shoe.shuffler": "batch_auto"}
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


def void_hand(box: int, **more: Any) -> Act:
    return act("void_hand", box=box, **(more or SIGNED))


def reconstruct(*moves: tuple[str, str], by: str = "supervisor:sue") -> Act:
    """Signed by two, as it must be once the dealer's card is out."""
    return act("reconstruct", moves=[{"from": origin, "to": to} for origin, to in moves], by=by, second="operator:ola")


@pytest.mark.clause("NZ-9.3-i")
@pytest.mark.parametrize("action", ["forward", "dealer_next", "burn"])
def test_nobody_chooses_what_becomes_of_an_exposed_card(action: str) -> None:
    extra = act("report_extra_draw", exposed=True, action=action, by="supervisor:sue")
    played = play("nz", "2c Kh Ad 9s", BEN, deal(2), extra, deal())
    assert played.refusals == [(2, "not_in_the_book")]
    assert played.refusal_clauses == [["NZ-9.3-i"]]
    assert played.dealt() == "burn 2c, box 4 Kh, dealer Ad"


@pytest.mark.clause("NZ-9.3-ii")
def test_a_card_left_over_by_a_reconstruction_goes_to_the_rack() -> None:
    acts = [ANA, CAT, act("report_forgotten_burn"), deal(2), reconstruct(("box 1", "discard"), ("box 2", "box 1"))]
    played = play("nz", "2c Kh 5d Qd 3h 4h 5h", *acts, deal())
    assert played.refusals == []
    assert played.dealt() == "discard 2c, box 1 Kh, box 2 5d, dealer Qd"
    assert played.events("round_reconstructed")[0]["discards"] == ["2c"]
    assert played.replayed.table.rack[0] == (-1, ("2c",))
    assert (played.gain("ana"), played.gain("cat")) == (1000, -1000)


@pytest.mark.clause("NZ-9.4-i", "NZ-9.4-ii")
def test_a_rebuilt_round_is_settled_as_it_lies_then_and_the_log_tells_both() -> None:
    swap = ("box 1", "box 2"), ("box 2", "box 1")
    played = play("nz", "2c 5d Kh Qd", ANA, CAT, deal(4), reconstruct(*swap), deal())
    assert played.refusals == []
    rebuilt = played.events("round_reconstructed")[0]
    assert rebuilt["before"] == [[1, ["5d"]], [2, ["Kh"]], [0, ["Qd"]]]
    assert sorted(rebuilt["hands"]) == [[0, ["Qd"]], [1, ["Kh"]], [2, ["5d"]]]
    assert rebuilt["by"] == "supervisor:sue"
    assert rebuilt["clauses"] == ["NZ-9.4-i", "NZ-9.4-ii"]
    assert (played.gain("ana"), played.gain("cat")) == (1000, -1000)
    undone = play("nz", "2c 5d Kh Qd", ANA, CAT, deal(4), reconstruct(*swap), deal(), reconstruct(*swap))
    assert undone.refusals == [(5, "no_round")]
    assert undone.balances == played.balances


@pytest.mark.clause("NZ-9.4-i")
@pytest.mark.parametrize(
    ("moves", "reason"),
    [
        ([], "not_reconstructed"),
        ([("box 1", "box 2")], "not_reconstructed"),
        ([("box 5", "box 2")], "no_hand"),
        ([("box 1", "box 5")], "no_hand_due"),
        ([("dealer", "box 1")], "no_hand"),
    ],
)
def test_moves_after_which_the_cards_do_not_lie_right_are_refused(moves: list[tuple[str, str]], reason: str) -> None:
    played = play("nz", "2c Kh 5d Qd", ANA, CAT, deal(3), reconstruct(*moves), deal())
    assert played.refusals == [(3, reason)]
    assert played.dealt() == "burn 2c, box 1 Kh, box 2 5d, dealer Qd"


@pytest.mark.clause("NZ-9.4-i", "NZ-9.4a")
def test_a_misplaced_card_is_not_sent_on_to_another_hand() -> None:
    for action in ("forward", "dealer_next", "burn"):
        wrong = act("report_misdelivered", box=1, action=action)
        played = play("nz", "2c Kh 5d Qd", ANA, CAT, deal(2), wrong, deal())
        assert played.refusals == [(3, "reconstruct_instead")]
        assert played.refusal_clauses == [["NZ-9.4-i", "NZ-9.4-ii"]]


@pytest.mark.clause("NZ-9.4-i", "NZ-9.4-ii")
def test_a_box_that_was_passed_over_gets_its_card_in_the_order_of_the_deal() -> None:
    missed = [act("report_missed_hand", box=box) for box in (1, 5, 2)]
    played = play("nz", "2c Kh 5d Qd", ANA, CAT, deal(2), *missed, deal())
    assert played.refusals == [(3, "no_hand_due"), (4, "no_hand_due")]
    assert [(one["box"], one["by"]) for one in played.events("hand_missed")] == [(2, "dealer")]
    assert played.dealt() == "burn 2c, box 1 Kh, box 2 5d, dealer Qd"


@pytest.mark.clause("NZ-9.4a", "NZ-9.4-iii")
@pytest.mark.parametrize("by", ["player:ana", "dealer:dee"])
def test_neither_player_nor_dealer_can_declare_a_hand_void(by: str) -> None:
    played = play("nz", "2c Kh 5d Qd", ANA, CAT, deal(3), void_hand(1, by=by), deal())
    assert played.refusals == [(3, "not_entitled")]
    assert (played.gain("ana"), played.gain("cat")) == (1000, -1000)


@pytest.mark.clause("NZ-9.4a", "NZ-9.4-iii")
@pytest.mark.parametrize("by", ["supervisor:sue", "operator:ola"])
def test_a_void_hand_goes_to_the_rack_and_every_wager_on_it_back(by: str) -> None:
    """By the Casino Operator, or by the old reading by a supervisor."""
    options = {"authority.void_hand": "supervisor"} if by.startswith("supervisor") else {}
    acts = [ANA, bet("ana", 1, "tie", 500), bet("dan", 1, "initial", 2000), CAT, deal(3), void_hand(1, by=by), deal()]
    played = play("nz", "2c Kh 5d 4d 3h 6h", *acts, options=options)
    assert played.refusals == []
    assert played.settlements() == [
        ("ana", 1, "initial", "void", 0),
        ("ana", 1, "tie", "void", 0),
        ("dan", 1, "initial", "void", 0),
        ("cat", 2, "initial", "win", 1000),
    ]
    assert played.replayed.table.rack == ((-1, (None,)), (1, ("Kh",)), (2, ("5d",)), (0, ("4d",)))
    assert [(one["box"], one["by"]) for one in played.events("hand_voided")] == [(1, by)]
    assert "NZ-9.4-iii" in played.events("hand_voided")[0]["clauses"]


@pytest.mark.clause("NZ-9.4a")
def test_the_void_of_a_hand_names_the_clause_by_which_it_is_declared() -> None:
    played = play("nz", "2c Kh 5d 4d", ANA, CAT, deal(3), void_hand(1), deal())
    assert played.events("hand_voided")[0]["clauses"] == ["NZ-9.4a", "NZ-9.4-iii", "NZ-9.4-iv"]


@pytest.mark.clause("NZ-9.4b")
@pytest.mark.parametrize("cards", [2, 3])
def test_the_dealer_completes_her_hand_unless_every_hand_is_void(cards: int) -> None:
    acts = [ANA, CAT, deal(cards), void_hand(1)]
    one = play("nz", "2c Kh 5d 4d 3h 6h", *acts, deal())
    assert one.dealt() == "burn 2c, box 1 Kh, box 2 5d, dealer 4d"
    assert one.gain("cat") == 1000
    both = play("nz", "2c Kh 5d 4d 3h 6h", *acts, void_hand(2), deal())
    assert both.refusals == [(5, "no_wager")]
    assert "dealer" not in both.dealt()
    assert both.balances == {**PLAYERS, "house": 0}


@pytest.mark.clause("NZ-9.4b")
def test_the_dealers_hand_too_is_rebuilt_and_completed_by_further_cards() -> None:
    """The dealer took box 2's card for her own; it goes back, and she draws another."""
    acts = [ANA, CAT, deal(4), reconstruct(("box 2", "discard"), ("dealer", "box 2")), deal()]
    played = play("nz", "2c Kh 5d Qd 9s 3h", *acts)
    assert played.refusals == []
    assert played.dealt() == "burn 2c, box 1 Kh, discard 5d, box 2 Qd, dealer 9s"
    assert (played.gain("ana"), played.gain("cat")) == (1000, 1000)


@pytest.mark.clause("NZ-9.4-iv")
def test_hands_dealt_after_the_error_stand_as_dealt() -> None:
    played = play("nz", "2c Kh 5d 4d 3h 6h", ANA, CAT, BEN, deal(3), void_hand(1), deal())
    assert played.dealt() == "burn 2c, box 1 Kh, box 2 5d, box 4 4d, dealer 3h"
    assert (played.gain("ana"), played.gain("cat"), played.gain("ben")) == (0, 1000, 500)


BOTH_TIE = "2c Kh Ks Kd 3c 4c 5c 9h 8h 7d 6c 6d 6h Ah Jh Qd 2h 2d"


@pytest.mark.clause("NZ-9.4-iv")
@pytest.mark.parametrize(("scope", "kept"), [({}, 10 * 500), ({"irreg.void_scope": "all"}, 0)])
def test_in_the_war_too_a_hand_dealt_after_the_error_stands_whatever_goes_back_on_the_void_one(
    scope: dict[str, Any], kept: int
) -> None:
    """Ana's tie was paid before the error in her war card; cat's eight comes after it and beats the dealer's seven."""
    acts = [ANA, bet("ana", 1, "tie", 500), CAT, deal(), war("ana", 1), war("cat", 2), deal(4), void_hand(1), deal()]
    played = play("nz", BOTH_TIE, *acts, options=scope)
    assert played.refusals == []
    assert played.dealt().endswith("burn 5c, box 1 9h, box 2 8h, dealer 7d")
    assert (played.gain("ana"), played.gain("cat")) == (kept, 1000)


TIE_PAID = [ANA, bet("ana", 1, "tie", 500), CAT, deal(), war("ana", 1)]
AT_WAR = "2c Kh 5d Kd 3c 4c 5c 9h 8d"


@pytest.mark.clause("NZ-9.4-iii")
@pytest.mark.parametrize("cards", [1, 3, 4, 5])
def test_a_tie_that_was_paid_stands_when_the_hand_is_void_in_the_war(cards: int) -> None:
    played = play("nz", AT_WAR, *TIE_PAID, deal(cards), void_hand(1), deal())
    assert played.refusals == []
    assert played.gain("ana") == 10 * 500
    assert played.gain("cat") == -1000
    every = {"irreg.void_scope": "all"}
    played = play("nz", AT_WAR, *TIE_PAID, deal(cards), void_hand(1), deal(), options=every)
    assert (played.gain("ana"), played.gain("cat")) == (0, -1000)
    cited = r"irreg\.void_scope = some \(NZ-9\.4a, NZ-9\.4-iii, NZ-9\.4-iv\): allowed open, all"
    with pytest.raises(RulebookError, match=cited):
        load_rulebook("nz", {"irreg.void_scope": "some"})


@pytest.mark.clause("NZ-9.4-iii")
def test_a_hand_is_void_once() -> None:
    played = play("nz", "2c Kh 5d 4d", ANA, CAT, deal(3), void_hand(1), void_hand(1), void_hand(6), deal())
    assert played.refusals == [(4, "no_hand"), (5, "no_hand")]
    assert (played.gain("ana"), played.gain("cat")) == (0, 1000)


SIGNATURES = [
    ({"by": "operator:ola"}, "second_signature_due"),
    ({"by": "supervisor:sue"}, "not_entitled"),
    ({"by": "supervisor:sue", "second": "supervisor:sam"}, "not_entitled"),
    ({"by": "supervisor:sue", "second": "operator:sue"}, "same_person"),
    ({"by": "operator:ola", "second": "dealer:dee"}, "not_entitled"),
    ({"by": "supervisor:sue", "second": "dealer:dee"}, "not_entitled"),
    ({"by": "supervisor:sue", "second": "player:ana"}, "not_entitled"),
    ({"by": "dealer:dee", "second": "supervisor:sue"}, "not_entitled"),
]


@pytest.mark.clause("NZ-9.4a", "NZ-9.4-ii")
@pytest.mark.parametrize(("signed", "reason"), SIGNATURES)
def test_after_a_result_is_known_two_people_void_the_round(signed: dict[str, str], reason: str) -> None:
    void = act("void_round", reason="strange card", **signed)
    lawful = act("void_round", reason="strange card", **SIGNED)
    acts = [ANA, bet("ana", 1, "tie", 500), CAT, deal(), void]
    played = play("nz", "2c Kh 5d Qd", *acts)
    assert played.refusals == [(4, reason)]
    assert (played.gain("ana"), played.gain("cat")) == (1000 - 500, -1000)
    voided = play("nz", "2c Kh 5d Qd", *acts, lawful, lawful)
    assert voided.refusals == [(4, reason), (6, "no_round")]
    assert voided.balances == {**PLAYERS, "house": 0}
    told = voided.events("round_voided")
    assert [(one["reason"], one["by"], one["second"]) for one in told] == [
        ("strange card", "supervisor:sue", "operator:ola")
    ]
    assert told[0]["clauses"] == [], "9.4 speaks of hands"


@pytest.mark.clause("NZ-9.4a")
def test_a_round_can_be_void_until_the_next_rounds_first_wager() -> None:
    void = act("void_round", **SIGNED)
    played = play("nz", "2c Kh Qd 3h 4d", ANA, deal(), ANA, void, deal())
    assert played.refusals == [(3, "no_round")]
    assert played.gain("ana") == 1000 - 1000


@pytest.mark.clause("NZ-9.4-ii")
def test_the_operator_has_the_last_word_with_a_reason() -> None:
    acts = [ANA, CAT, deal(3)]
    unsigned = act("rule", action="void_hand", box=2, reason="chips in dispute")
    ruled = play("nz", "2c Kh 5d Qd", *acts, unsigned, deal())
    assert ruled.refusals == []
    given = ruled.events("ruling_given")[0]
    assert (given["by"], given["action"], given["box"], given["reason"]) == (
        "operator",
        "void_hand",
        2,
        "chips in dispute",
    )
    assert given["clauses"] == []
    assert (ruled.gain("ana"), ruled.gain("cat")) == (1000, 0)
    attempts = [
        act("rule", action="void_hand", box=2, reason=""),
        act("rule", action="void_hand", box=6, reason="no such hand"),
        act("rule", action="reconstruct", reason="nothing was reported"),
        act("rule", action="stand", reason="cards lie right", by="dealer:dee"),
        act("rule", action="void_round", reason="all wrong", by="player:ana"),
    ]
    refused = play("nz", "2c Kh 5d Qd", *acts, *attempts, deal())
    reasons = ["reason_due", "no_hand", "no_incident", "not_entitled", "not_entitled"]
    assert refused.refusals == [(3 + at, reason) for at, reason in enumerate(reasons)]
    assert (refused.gain("ana"), refused.gain("cat")) == (1000, -1000)


@pytest.mark.clause("NZ-9.6")
def test_a_damaged_card_plays_on_and_is_replaced_when_the_round_is_over() -> None:
    damaged = act("report_damaged_card", by="dealer:dee")
    played = play("nz", "2c Kh 9d 3h 4d", ANA, deal(2), damaged, deal(), ANA, deal())
    assert played.refusals == []
    names = [event["name"] for event in played.data["events"]]
    assert names.index("damage_found") < names.index("wager_settled") < names.index("cards_replaced")
    assert names.index("cards_replaced") < names.index("round_ended")
    assert [(one["cards"], one["damaged"]) for one in played.events("cards_replaced")] == [(["Kh"], 1)]
    assert played.events("cards_replaced")[0]["clauses"] == ["NZ-9.6"]
    assert (played.dealt(1), played.dealt(2)) == ("burn 2c, box 1 Kh, dealer 9d", "box 1 3h, dealer 4d")


@pytest.mark.clause("NZ-9.6")
def test_between_rounds_a_damaged_card_is_replaced_at_once_and_in_a_void_round_at_its_end() -> None:
    between = play("nz", "2c Kh 9d 3h 4d", ANA, deal(), act("report_damaged_card", card="9d"))
    assert [event["name"] for event in between.data["events"]][-2:] == ["damage_found", "cards_replaced"]
    void = [ANA, deal(2), act("report_damaged_card"), act("void_round", by="operator:ola")]
    voided = play("nz", "2c Kh 9d 3h 4d", *void)
    assert [one["cards"] for one in voided.events("cards_replaced")] == [["Kh"]]
    assert voided.replayed.table.damaged == ()


@pytest.mark.clause("NZ-9.6")
def test_one_damaged_card_that_nobody_saw_is_not_told_as_all_the_cards() -> None:
    record = {
        "format": "casinowar-record/1",
        "rulebook": "nz",
        "shoe": "xx Kh 9d",
        "players": {"ana": 1000},
        "acts": [act("load_shoe"), act("report_damaged_card"), ANA, deal()],
    }
    parsed = parse_record(record)
    story = tell(parsed, replay(parsed))
    assert "a card nobody saw" in story
    assert "Cards replaced, by dealer: all" not in story


@pytest.mark.clause("NZ-9.7")
@pytest.mark.parametrize("cards", [1, 2, None])
def test_a_missed_shuffle_is_made_up_for_right_after_the_round(cards: int | None) -> None:
    acts = [ANA, deal(), ANA, *([deal(cards)] if cards else []), act("report_missed_shuffle"), deal(), ANA, deal()]
    late = play("nz", "2c Kh 9d 3h 4d 6h 7d", *acts, later=("5c Ah Jd", "6c Ah Jd"))
    assert late.refusals == []
    if cards:
        assert late.dealt(2) == "box 1 3h, dealer 4d"
        assert late.dealt(3) == "burn 5c, box 1 Ah, dealer Jd"
    else:
        assert late.dealt(2) == "burn 5c, box 1 Ah, dealer Jd"
    assert [(one["reason"], one["clauses"]) for one in late.events("shuffle_ordered")] == [
        ("missed_shuffle", ["NZ-9.7"])
    ]


@pytest.mark.clause("NZ-9.8-i")
def test_without_a_cutting_card_the_round_is_finished_and_the_shoe_emptied_and_shuffled() -> None:
    acts = [ANA, deal(2), act("report_missing_cut_card"), deal(), act("report_missing_cut_card"), ANA, deal()]
    played = play("nz", "2c Kh 9d 3h 4d", *acts, later=("5c Ah Jd",))
    assert played.refusals == [(4, "shuffle_due")]
    assert played.dealt(1) == "burn 2c, box 1 Kh, dealer 9d"
    assert played.dealt(2) == "burn 5c, box 1 Ah, dealer Jd"
    assert [one["clauses"] for one in played.events("cut_card_missed")] == [["NZ-9.8-i"]]


@pytest.mark.clause("NZ-9.8-ii")
def test_a_continuous_shuffler_misses_no_cutting_card_and_no_shuffle() -> None:
    reports = [act("report_missing_cut_card"), act("report_missed_shuffle")]
    played = play("nz", "2c Kh 9d 3h 4d", ANA, deal(2), *reports, deal(), ANA, deal(), options={**CONTINUOUS})
    assert played.refusals == [(2, "continuous_shuffler"), (3, "continuous_shuffler")]
    assert "NZ-9.8-ii" in played.refusal_clauses[0]
    assert played.dealt(2) == "box 1 3h, dealer 4d"
    acts = [ANA, deal(2), reports[0], deal(), ANA, deal()]
    batches = play("nz", "2c Kh 9d 3h 4d", *acts, options={**BATCHES}, later=("5c Ah Jd",))
    assert batches.refusals == []
    assert batches.dealt(2) == "burn 5c, box 1 Ah, dealer Jd"


@pytest.mark.clause("NZ-7.1f")
def test_once_the_cards_are_in_the_shoe_there_is_nothing_exposed_before_it() -> None:
    exposed = act("report_exposed_before_shoe")
    played = play("nz", "2c Kh 9d 3h 4d", ANA, deal(1), exposed, deal(), exposed, ANA, deal())
    assert played.refusals == [(2, "no_shuffle_due"), (4, "no_shuffle_due")]
    assert played.dealt(2) == "box 1 3h, dealer 4d"


@pytest.mark.clause("NZ-8.3-i", "NZ-8.8-ii")
def test_a_forgotten_burn_is_left_out_and_the_deal_goes_on() -> None:
    forgot = act("report_forgotten_burn", by="dealer:dee")
    acts = [ANA, forgot, forgot, deal(), forgot, war("ana", 1), forgot, deal(), ANA, deal()]
    played = play("nz", "Kh Kd 9h 8d 3h 4d 5h", *acts)
    assert played.refusals == [(2, "no_burn_due"), (4, "no_burn_due")]
    assert played.dealt(1) == "box 1 Kh, dealer Kd, box 1 9h, dealer 8d"
    assert played.dealt(2) == "box 1 3h, dealer 4d"
    assert [one["by"] for one in played.events("burn_forgotten")] == ["dealer:dee"] * 2


def missed(player: str, box: int, cards: int, **more: Any) -> Act:
    return act("report_missed_offer", player=player, box=box, cards=cards, **more)


@pytest.mark.clause("NZ-9.9-i", "NZ-9.9-ii")
@pytest.mark.parametrize("cards", range(1, 7))
def test_a_war_dealt_against_the_players_choice_is_dealt_again_from_the_same_cards(cards: int) -> None:
    acts = [ANA, CAT, deal(), war("ana", 1), war("cat", 2), deal(cards), missed("cat", 2, cards)]
    played = play("nz", BOTH_TIE, *acts, surrender("cat", 2), deal())
    assert played.refusals == []
    assert played.dealt().endswith("dealer Kd, burn 3c, burn 4c, burn 5c, box 1 9h, dealer 8h")
    assert (played.gain("ana"), played.gain("cat")) == (1000, -1000 // 2)
    again = play("nz", BOTH_TIE, *acts, war("cat", 2), deal())
    assert again.dealt().endswith("burn 5c, box 1 9h, box 2 8h, dealer 7d")
    assert (again.gain("ana"), again.gain("cat")) == (1000, 1000)


@pytest.mark.clause("NZ-9.9-i")
def test_a_missed_offer_is_a_players_who_ties_and_counts_the_cards_that_were_dealt() -> None:
    acts = [ANA, CAT, missed("ana", 1, 0), deal(), missed("cat", 2, 99), war("ana", 1), missed("ana", 1, 0)]
    at_war = [war("cat", 2), deal(4), missed("cat", 2, 3), missed("zoe", 2, 4), deal(), missed("cat", 2, 6)]
    played = play("nz", BOTH_TIE, *acts, *at_war)
    reasons = ["no_decision", "wrong_number_of_cards", "no_decision"]
    later = ["wrong_number_of_cards", "unknown_player", "no_decision"]
    assert [reason for _, reason in played.refusals] == [*reasons, *later]
    assert (played.gain("ana"), played.gain("cat")) == (1000, 1000)


@pytest.mark.clause("NZ-9.9-i", "NZ-9.9-ii")
def test_who_was_not_asked_chooses_with_the_cards_known_that_were_dealt_face_up() -> None:
    """The three cards discarded before them were not turned up, and stay unseen."""
    acts = [ANA, CAT, deal(), war("ana", 1), missed("cat", 2, 5, by="supervisor:sue"), surrender("cat", 2), deal()]
    played = play("nz", BOTH_TIE, *acts)
    assert played.refusals == []
    assert [(one["player"], one["cards"], one["by"]) for one in played.events("offer_missed")] == [
        ("cat", [None, None, None, "9h", "8h"], "supervisor:sue")
    ]
    assert played.dealt().endswith("burn 3c, burn 4c, burn 5c, box 1 9h, dealer 8h")


@pytest.mark.clause("NZ-9.9-i")
def test_the_log_tells_who_found_the_missed_offer_after_the_war_cards_too() -> None:
    acts = [ANA, CAT, deal(), war("ana", 1), war("cat", 2), deal(4), missed("cat", 2, 4, by="supervisor:sue")]
    played = play("nz", BOTH_TIE, *acts)
    assert [one["by"] for one in played.events("offer_missed")] == ["supervisor:sue"]


DISCARD = {"irreg.missed_offer": "discard"}


@pytest.mark.clause("NZ-9.9-ii")
def test_under_the_other_reading_those_cards_go_to_the_rack() -> None:
    late = [ANA, CAT, deal(), war("ana", 1), missed("cat", 2, 2), war("cat", 2), deal()]
    played = play("nz", BOTH_TIE, *late, options=DISCARD)
    assert played.dealt().endswith(
        "dealer Kd, discard 3c, discard 4c, burn 5c, burn 9h, burn 8h, box 1 7d, box 2 6c, dealer 6d"
    )
    dealt = [ANA, CAT, deal(), war("ana", 1), war("cat", 2), deal(4), missed("cat", 2, 4), surrender("cat", 2), deal()]
    played = play("nz", BOTH_TIE, *dealt, options=DISCARD)
    assert played.dealt().endswith(
        "dealer Kd, discard 3c, discard 4c, discard 5c, discard 9h, burn 8h, burn 7d, burn 6c, box 1 6d, dealer 6h"
    )
    with pytest.raises(RulebookError, match=r"irreg\.missed_offer = forget \(NZ-9\.9-i, NZ-9\.9-ii, NZ-9\.3-i\)"):
        load_rulebook("nz", {"irreg.missed_offer": "forget"})


@pytest.mark.clause("NZ-9.9-ii", "NZ-7.1c")
@pytest.mark.parametrize(
    "acts",
    [
        [war("ana", 1), missed("cat", 2, 4), war("cat", 2), deal()],
        [war("ana", 1), war("cat", 2), deal(4), missed("cat", 2, 4), war("cat", 2), deal()],
    ],
)
def test_a_cutting_card_among_the_cards_taken_out_still_calls_for_a_shuffle(acts: list[Act]) -> None:
    shoe = BOTH_TIE.replace("4c 5c", "4c cut 5c")
    played = play("nz", shoe, ANA, CAT, deal(), *acts, ANA, deal(), options=DISCARD, later=("Tc Ah Jd",))
    assert played.refusals == []
    assert played.dealt(2) == "burn Tc, box 1 Ah, dealer Jd"


FAULT = act("report_shuffler_fault", by="operator:ola")


@pytest.mark.clause("NZ-9.10")
def test_a_continuous_shuffler_that_fails_voids_the_round_or_the_hands_it_spoilt() -> None:
    acts = [ANA, CAT, deal(3)]
    whole = play("nz", "2c Kh 5d Qd", *acts, FAULT, deal(), options={**CONTINUOUS})
    assert whole.refusals == [(4, "no_wager")]
    assert whole.balances == {**PLAYERS, "house": 0}
    assert whole.events("round_voided")[0]["clauses"] == ["NZ-9.10"]
    some = play("nz", "2c Kh 5d Qd", *acts, {**FAULT, "boxes": [2]}, deal(), options={**CONTINUOUS})
    assert some.refusals == []
    assert (some.gain("ana"), some.gain("cat")) == (1000, 0)
    assert [(one["box"], one["clauses"]) for one in some.events("hand_voided")] == [(2, ["NZ-9.10"])]
    assert not some.events("shuffle_ordered")


@pytest.mark.clause("NZ-9.10")
def test_the_failure_is_the_operators_to_declare_and_concerns_hands_of_a_round_that_is_on() -> None:
    attempts = [FAULT, ANA, FAULT, deal(2), {**FAULT, "by": "dealer:dee"}, {**FAULT, "boxes": [5]}, deal()]
    played = play("nz", "2c Kh 9d", *attempts, options={**CONTINUOUS})
    assert played.refusals == [(0, "no_round"), (2, "no_round"), (4, "not_entitled"), (5, "no_hand")]
    assert played.gain("ana") == 1000


@pytest.mark.clause("NZ-3.4e")
def test_a_batch_spoilt_in_the_machine_is_shuffled_again_and_the_round_goes_on() -> None:
    acts = [FAULT, ANA, deal(2), FAULT, deal()]
    played = play("nz", "2c Kh 9d 3h 4d", *acts, options={**BATCHES})
    assert played.refusals == []
    assert [(one["reason"], one["clauses"]) for one in played.events("shuffle_ordered")] == [("shuffler_fault", [])]
    assert played.dealt() == "burn 2c, box 1 Kh, dealer 9d"
    assert len(played.events("shuffler_failed")) == 2
    by_hand = play("nz", "2c Kh 9d 3h 4d", *acts)
    assert by_hand.refusals == [(0, "no_shuffler"), (3, "no_shuffler")]
    assert by_hand.refusal_clauses == [[]] * 2


@pytest.mark.clause("NZ-3.4e")
def test_a_shuffler_of_batches_that_fails_has_spoilt_no_hand() -> None:
    """Its cards were in the shoe when the round began; only a continuous shuffler can spoil hands."""
    spoilt = {**FAULT, "boxes": [1]}
    played = play("nz", "2c Kh 9d", ANA, deal(2), spoilt, deal(), options={**BATCHES})
    assert played.refusals == [(2, "not_in_the_book")]
    assert played.refusal_clauses == [[]]
    assert played.gain("ana") == 1000


@pytest.mark.clause("NZ-3.4e")
def test_a_batch_spoilt_between_rounds_voids_nothing_and_takes_no_second_signature() -> None:
    played = play("nz", "2c Kh cut 9d", ANA, deal(), FAULT, options={**BATCHES})
    assert played.refusals == []
    assert played.gain("ana") == 1000


def found(amount: int, **more: Any) -> Act:
    return act("report_wager", player="ana", box=1, wager="initial", amount=amount, **more)


@pytest.mark.clause("NZ-5.7b", "NZ-5.10-i", "NZ-5.1")
@pytest.mark.parametrize(
    ("amount", "plays", "broken"),
    [
        (100, 100, True),
        (499, 499, True),
        (500, 500, False),
        (1500, 1500, False),
        (1749, 1500, True),
        (50_000, 50_000, False),
        (50_500, 50_000, True),
        (70_000, 50_000, True),
    ],
)
def test_a_wager_found_wrong_after_the_close_plays_within_the_limits_if_a_supervisor_agrees(
    amount: int, plays: int, broken: bool
) -> None:
    """The player is told the limits where the wager does not keep one of them; the book is silent about it."""
    acts = [ANA, deal(2), found(amount, by="dealer:dee"), found(amount, by="supervisor:sue"), deal()]
    played = play("nz", "2c Kh 9d", *acts)
    assert played.refusals == [(2, "not_entitled")]
    assert played.refusal_clauses == [[]]
    assert played.gain("ana") == plays
    assert [one["by"] for one in played.events("wager_found")] == ["supervisor:sue"]
    advised = [(one["player"], one["clauses"]) for one in played.events("limits_advised")]
    assert advised == ([("ana", [])] if broken else [])
    presumed = play("nz", "2c Kh 9d", ANA, deal(2), found(amount), deal())
    assert [one["by"] for one in presumed.events("wager_found")] == ["supervisor"]
    assert presumed.gain("ana") == plays


@pytest.mark.clause("NZ-5.10-i")
def test_only_a_wager_that_lies_and_is_not_decided_can_be_found_wrong() -> None:
    acts = [ANA, found(800), deal(2), found(0), found(200_000), {**found(800), "box": 2}, deal(), found(800)]
    played = play("nz", "2c Kh 9d", *acts)
    reasons = ["no_wager", "amount_not_positive", "insufficient_funds", "no_wager"]
    assert [reason for _, reason in played.refusals[:4]] == reasons
    assert [number for number, _ in played.refusals] == [1, 3, 4, 5, 7]
    assert played.gain("ana") == 1000
    tied = play("nz", "2c Kh Kd 3c 4c 5c 9h 8d", ANA, deal(), war("ana", 1), found(800), deal())
    assert tied.refusals == [(3, "wager_locked")]


@pytest.mark.clause("NZ-9.4a")
def test_a_book_that_rebuilds_lets_nobody_invalidate_release_or_exclude() -> None:
    rules = load_rulebook("nz")
    table = play("nz", "2c Kh 9d", ANA, deal(2)).replayed.table
    for command in (
        c.InvalidateRound(cause="fire"),
        c.ReleasePlayers(players=("ana",)),
        c.VoidPlayer(player="ana"),
        c.ReportContravention(player="ana", reason="past posting"),
        c.ExcludePlayer(player="ana", reason="past posting"),
        c.FlagPartnership(players=("ana", "ben")),
    ):
        answer = decide(rules, table, command)
        assert isinstance(answer, Refusal)
        assert answer.reason == "not_in_the_book"
