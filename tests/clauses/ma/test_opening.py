"""Massachusetts, sections 2(c), 4 and 5: cards new to the table, cards that lay idle, and the shuffle by hand."""

from typing import Any

import pytest

from casinowar.engine.state import Table
from casinowar.engine.view.procedure import procedure
from casinowar.rulebooks import RulebookError, load_rulebook
from tests.support.rounds import Act, Played, act, bet, deal, play

ANA = bet("ana", 1, "initial", 1000)
MACHINE = {"shoe.shuffler": "batch_auto"}
PRE_SHUFFLED = {"cards.provenance": "pre_shuffled"}
BY_HAND = ["turn", "riffle", "riffle", "strip"]
AFTER_A_SHOE = ["plug", *BY_HAND]

INSPECT = act("inspect_cards", by="dealer:dee")
VERIFY = act("verify_cards", by="supervisor:sue")
SPREAD = act("spread_for_inspection", players=["ana"], by="dealer:dee")
WASH = act("wash", by="dealer:dee")
SHUFFLE = act("shuffle", steps=BY_HAND, by="dealer:dee")
SWAP = act("swap_batch", by="dealer:dee")
CUT = act("cut", player="ana", position=156)
MARKER = act("place_marker", from_back=78)
LOAD = act("load_shoe")
STEPS: dict[str, Act] = {
    "inspect": INSPECT,
    "verify": VERIFY,
    "spread": SPREAD,
    "wash": WASH,
    "shuffle": SHUFFLE,
    "cut": CUT,
    "marker": MARKER,
}
IDLE = act("idle_spread", by="dealer:dee")


def ways(options: dict[str, Any], played: Played | None = None) -> list[str]:
    """What is still to be done before the next card, at a fresh table or where a record stopped."""
    table = Table() if played is None else played.replayed.table
    return [step.act for step in procedure(load_rulebook("ma", options), table)]


def prepared(played: Played) -> list[str]:
    return [event["step"] for event in played.events("cards_prepared")]


def shuffled(steps: list[str], *before: Act, options: dict[str, Any] | None = None) -> Played:
    """A shuffle with these steps, by hand, of cards that a shoe was dealt from."""
    acts = [ANA, deal(), *before, act("shuffle", steps=steps)]
    return play("ma", "2c Kh cut 9d", *acts, options=options)


@pytest.mark.clause("MA-4a", "MA-4b-i", "MA-4c-i", "MA-4c-ii")
def test_fresh_cards_are_inspected_verified_spread_washed_and_shuffled_before_the_first_deal() -> None:
    played = play("ma", "2c Kh 9d", ANA, *STEPS.values(), LOAD, deal())
    assert played.refusals == []
    assert prepared(played) == ["inspect", "verify", "spread", "wash", "shuffle"]
    assert ways({}) == [*STEPS, "load"]
    assert played.dealt() == "burn 2c, box 1 Kh, dealer 9d"


@pytest.mark.clause("MA-4b-i", "MA-4c-i", "MA-4c-ii")
@pytest.mark.parametrize("done", range(len(STEPS)))
def test_no_step_comes_before_the_one_that_is_due(done: int) -> None:
    """With so many steps done, all later ones and the shoe itself wait for the next.

    A record that tells of no step at all may begin with the cut, or with the stack in the shoe.
    """
    names, acts = list(STEPS), list(STEPS.values())
    early = [*acts[done + 1 : 6], LOAD] if done else acts[1:5]
    played = play("ma", "2c Kh 9d", ANA, *acts[:done], *early)
    assert played.refusals == [(1 + done + at, f"{names[done]}_due") for at in range(len(early))]
    assert prepared(played) == names[: min(done, 5)]


@pytest.mark.clause("MA-4b-i")
def test_the_dealer_inspects_the_floor_verifies_and_the_first_player_looks() -> None:
    wrong = [{**INSPECT, "by": "player:ana"}, {**VERIFY, "by": "dealer:dee"}, {**SPREAD, "by": "player:ana"}]
    acts = [ANA, wrong[0], INSPECT, wrong[1], VERIFY, wrong[2], SPREAD]
    played = play("ma", "2c Kh 9d", *acts)
    assert played.refusals == [(number, "not_entitled") for number in (1, 3, 5)]
    told = [(one["step"], one["by"], one["players"]) for one in played.events("cards_prepared")]
    assert told == [
        ("inspect", "dealer:dee", []),
        ("verify", "supervisor:sue", []),
        ("spread", "dealer:dee", ["ana"]),
    ]
    assert all("MA-4b-i" in one["clauses"] for one in played.events("cards_prepared"))


@pytest.mark.clause("MA-4b-i")
def test_the_dealer_inspects_alone_and_nobody_signs_for_the_floor() -> None:
    """The verification is an act of its own, so that one person cannot do both under one signature."""
    played = play("ma", "2c Kh 9d", ANA, INSPECT, {**VERIFY, "by": "dealer:dee"}, SPREAD)
    assert played.refusals == [(2, "not_entitled"), (3, "verify_due")]
    assert played.events("cards_prepared")[0]["second"] is None


@pytest.mark.clause("MA-4c-i")
def test_the_wash_follows_the_look_at_the_cards() -> None:
    played = play("ma", "2c Kh 9d", ANA, INSPECT, VERIFY, WASH, SPREAD, WASH, WASH)
    assert played.refusals == [(3, "spread_due"), (6, "step_done")]
    assert [one["clauses"] for one in played.events("cards_prepared") if one["step"] == "wash"] == [["MA-4c-i"]]


@pytest.mark.clause("MA-4a", "MA-5a-i")
def test_cards_that_came_shuffled_are_cut_and_nothing_else() -> None:
    assert ways(PRE_SHUFFLED) == ["cut", "marker", "load"]


@pytest.mark.clause("MA-4a")
def test_cards_that_came_shuffled_are_not_spread_or_washed() -> None:
    steps = [INSPECT, VERIFY, SPREAD, WASH]
    played = play("ma", "2c Kh 9d", ANA, *steps, CUT, MARKER, LOAD, deal(), options=PRE_SHUFFLED)
    assert played.refusals == [(number, "not_in_the_book") for number in (1, 2, 3, 4)]
    assert played.dealt() == "burn 2c, box 1 Kh, dealer 9d"


@pytest.mark.clause("MA-4a", "MA-5a-ii")
def test_after_their_first_shoe_they_are_shuffled_like_any_others() -> None:
    played = play("ma", "2c Kh cut 9d", ANA, deal(), options=PRE_SHUFFLED)
    assert ways(PRE_SHUFFLED, played) == ["shuffle", "cut", "marker", "load"]


@pytest.mark.clause("MA-4a")
def test_cards_come_fresh_or_shuffled() -> None:
    assert load_rulebook("ma").cards.provenance == "fresh"
    with pytest.raises(RulebookError, match=r"cards\.provenance = pre_checked \(MA-4a\): allowed fresh, pre_shuffled"):
        load_rulebook("ma", {"cards.provenance": "pre_checked"})


@pytest.mark.clause("MA-4b-i")
@pytest.mark.parametrize(
    "order", [IDLE, act("supervisor_shuffle", reason="discretion"), act("report_exposed_before_shoe")]
)
def test_fresh_cards_are_inspected_whatever_else_has_them_shuffled(order: Act) -> None:
    """Before anybody has looked at them, no other shuffle takes the place of the opening."""
    played = play("ma", "2c Kh 9d", order)
    assert ways({}, played)[:3] == ["inspect", "verify", "spread"]


@pytest.mark.clause("MA-4d-i")
def test_with_a_machine_the_cards_are_inspected_verified_and_spread_by_batches() -> None:
    """There is no third batch, and without a machine no second one."""
    looks = [{**SPREAD, "batch": batch} for batch in (0, 3, 1, 2)]
    played = play("ma", "2c Kh 9d", ANA, INSPECT, VERIFY, *looks, options=MACHINE)
    assert played.refusals == [(3, "no_such_batch"), (4, "no_such_batch")]
    spread = [(one["step"], one["batch"], "MA-4d-i" in one["clauses"]) for one in played.events("cards_prepared")[2:]]
    assert spread == [("spread", 1, True), ("spread", 2, True)]
    by_hand = play("ma", "2c Kh 9d", ANA, INSPECT, VERIFY, looks[3])
    assert by_hand.refusals == [(3, "no_such_batch")]


@pytest.mark.clause("MA-4d-i")
def test_each_batch_is_spread_before_either_is_dealt() -> None:
    looks = [{**SPREAD, "batch": batch} for batch in (1, 2)]
    acts = [ANA, INSPECT, VERIFY, looks[0], SWAP, looks[1], SWAP]
    played = play("ma", "2c Kh 9d", *acts, options=MACHINE)
    assert played.refusals == [(4, "spread_due")]
    assert [one["batch"] for one in played.events("cards_prepared") if one["step"] == "spread"] == [1, 2]


@pytest.mark.clause("MA-4d-ii")
def test_with_a_machine_the_batches_are_stacked_and_not_washed() -> None:
    played = play("ma", "2c Kh 9d", ANA, INSPECT, VERIFY, SPREAD, WASH, SHUFFLE, options=MACHINE)
    assert played.refusals == [(4, "not_in_the_book"), (5, "not_in_the_book")]
    assert "wash" not in ways(MACHINE)
    assert ways(MACHINE)[-4:] == ["swap_batch", "cut", "marker", "load"]


@pytest.mark.clause("MA-2c")
@pytest.mark.parametrize(("options", "is_covered"), [({}, False), ({"shoe.end_cover": True}, True)])
def test_the_house_may_hide_the_last_card_of_the_stack(options: dict[str, Any], is_covered: bool) -> None:
    played = play("ma", "2c Kh 9d", ANA, deal(), options=options)
    (loaded,) = played.events("shoe_loaded")
    assert loaded["end_card"] == is_covered
    assert ("MA-2c" in loaded["clauses"]) == is_covered
    assert played.dealt() == "burn 2c, box 1 Kh, dealer 9d"


@pytest.mark.clause("MA-2c")
def test_it_hides_the_last_card_of_reshuffled_discards_too() -> None:
    """Every stack that goes into the shoe has a last card."""
    acts = [ANA, bet("ben", 2, "initial", 1000), deal()]
    played = play("ma", "2c Kh", *acts, options={"shoe.end_cover": True}, later=("3c 9d Qd",))
    assert [one["end_card"] for one in played.events("shoe_loaded")] == [True, True]


FIRST = [ANA, deal(), act("vacate_seat", player="ana"), IDLE]
BEN = act("seat_player", player="ben", box=4)
LOOK = {**SPREAD, "players": ["ben"]}
BENS_CUT = {**CUT, "player": "ben"}
BENS_ROUND = [bet("ben", 4, "initial", 1000), deal()]


@pytest.mark.clause("MA-5h", "MA-5h1")
def test_idle_cards_are_spread_for_the_first_player_washed_shuffled_and_cut() -> None:
    """Ana leaves; Ben comes, looks and cuts. What was left in the shoe is not dealt."""
    acts = [*FIRST, BEN, LOOK, WASH, SHUFFLE, BENS_CUT, MARKER, LOAD, *BENS_ROUND]
    played = play("ma", "2c Kh 9d Ah Ad", *acts, later=("3c Qh Jd",))
    assert played.refusals == []
    assert [(one["reason"], one["clauses"]) for one in played.events("shuffle_ordered")] == [("idle", ["MA-5h"])]
    assert prepared(played) == ["spread", "wash", "shuffle"]
    assert played.events("cards_prepared")[0]["players"] == ["ben"]
    assert played.dealt(2) == "burn 3c, box 4 Qh, dealer Jd"


@pytest.mark.clause("MA-5h")
def test_the_spread_of_idle_cards_cites_its_own_clause() -> None:
    played = play("ma", "2c Kh 9d", *FIRST, BEN, LOOK)
    assert played.events("cards_prepared")[0]["clauses"] == ["MA-5h"]


@pytest.mark.clause("MA-5h")
def test_cards_are_idle_only_while_nobody_plays() -> None:
    acts = [ANA, IDLE, deal(2), IDLE, deal(), {**IDLE, "by": "player:ana"}, IDLE]
    played = play("ma", "2c Kh 9d", *acts)
    assert played.refusals == [(1, "round_in_progress"), (3, "round_in_progress"), (5, "not_entitled")]
    assert played.refusal_clauses[:2] == [["MA-5h"]] * 2
    assert ways({}, played)[0] == "spread"


@pytest.mark.clause("MA-5h1")
@pytest.mark.parametrize(("done", "due"), [(1, "wash"), (2, "shuffle"), (3, "cut"), (4, "marker")])
def test_idle_cards_go_back_into_the_shoe_by_every_step(done: int, due: str) -> None:
    steps = [LOOK, WASH, SHUFFLE, BENS_CUT]
    played = play("ma", "2c Kh 9d", *FIRST, BEN, *steps[:done], LOAD, later=("3c Qh Jd",))
    assert played.refusals == [(5 + done, f"{due}_due")]
    assert ways({}, played)[0] == due


@pytest.mark.clause("MA-5h2-i")
def test_with_a_machine_idle_cards_go_into_it_and_the_stored_batch_comes_out() -> None:
    acts = [*FIRST, BEN, LOOK, WASH, SWAP, BENS_CUT, MARKER, LOAD, *BENS_ROUND]
    played = play("ma", "2c Kh 9d", *acts, options=MACHINE, later=("3c Qh Jd",))
    assert played.refusals == [(6, "not_in_the_book")]
    assert [(one["step"], one["batch"]) for one in played.events("cards_prepared")] == [
        ("spread", 1),
        ("swap_batch", 2),
    ]
    assert [one["batch"] for one in played.events("shoe_loaded")] == [1, 2]
    assert played.dealt(2) == "burn 3c, box 4 Qh, dealer Jd"


WANTS = act("player_requests_spread", player="ben")


@pytest.mark.clause("MA-5h2-ii")
def test_a_player_may_ask_for_the_stored_batch_to_be_spread_while_the_cards_are_idle() -> None:
    acts = [WANTS, *FIRST[:2], WANTS, FIRST[2], IDLE, BEN, {**WANTS, "player": "eve"}, {**WANTS, "by": "dealer:dee"}]
    played = play("ma", "2c Kh 9d", *acts, WANTS, options=MACHINE)
    assert played.refusals == [
        (0, "no_idle_spread"),
        (3, "no_idle_spread"),
        (7, "unknown_player"),
        (8, "not_entitled"),
    ]
    assert [one["player"] for one in played.events("spread_requested")] == ["ben"]
    by_hand = play("ma", "2c Kh 9d", *FIRST, BEN, WANTS)
    assert by_hand.refusals == [(5, "not_in_the_book")]


@pytest.mark.clause("MA-5h2-ii")
def test_the_stored_batch_is_neither_spread_nor_shuffled_again_unless_a_player_asks() -> None:
    played = play("ma", "2c Kh 9d", *FIRST, BEN, LOOK, SWAP, options=MACHINE)
    assert ways(MACHINE, played) == ["cut", "marker", "load"]


@pytest.mark.clause("MA-5h2-ii")
def test_if_a_player_asks_the_stored_batch_is_spread_and_shuffled_before_it_is_dealt() -> None:
    played = play("ma", "2c Kh 9d", *FIRST, BEN, WANTS, LOOK, SWAP, options=MACHINE)
    due = ways(MACHINE, played)
    assert due[0] == "spread"
    assert due[1] in ("shuffle", "swap_batch")
    assert due[2:] == ["cut", "marker", "load"]


@pytest.mark.clause("MA-5a-ii", "MA-5a-iii", "MA-5i", "MA-5i1", "MA-5i2", "MA-5i3", "MA-5i4")
def test_a_shuffle_by_hand_has_all_its_steps() -> None:
    played = shuffled(AFTER_A_SHOE)
    assert played.refusals == []
    (told,) = played.events("cards_prepared")
    assert told["steps"] == AFTER_A_SHOE
    assert set(told["clauses"]) == {"MA-5a-ii", "MA-5a-iii", "MA-5i", "MA-5i1", "MA-5i2", "MA-5i3", "MA-5i4"}


@pytest.mark.parametrize(
    "step",
    [
        pytest.param(step, marks=pytest.mark.clause("MA-5i", clause))
        for step, clause in (("plug", "MA-5i1"), ("riffle", "MA-5i2"), ("turn", "MA-5i3"), ("strip", "MA-5i4"))
    ],
)
def test_no_step_of_it_is_left_out(step: str) -> None:
    played = shuffled([one for one in AFTER_A_SHOE if one != step])
    assert played.refusals == [(2, "shuffle_step_missing")]
    assert ways({}, played)[0] == "shuffle"


@pytest.mark.clause("MA-5i1")
def test_cards_that_no_shoe_was_dealt_from_have_nothing_to_plug_in() -> None:
    """The plug takes the cards from behind the cut card; new and idle cards have none."""
    new = play("ma", "2c Kh 9d", ANA, INSPECT, VERIFY, SPREAD, WASH, SHUFFLE)
    idle = play("ma", "2c Kh 9d", *FIRST, BEN, LOOK, WASH, SHUFFLE)
    assert (new.refusals, idle.refusals) == ([], [])


@pytest.mark.clause("MA-5i1")
def test_nor_have_new_cards_that_are_shuffled_again_because_one_was_seen() -> None:
    """They have been looked at; washed and stacked they are again."""
    acts = [ANA, INSPECT, VERIFY, SPREAD, WASH, SHUFFLE, act("report_exposed_before_shoe"), WASH, SHUFFLE]
    played = play("ma", "2c Kh 9d", *acts)
    assert played.refusals == []
    assert prepared(played) == ["inspect", "verify", "spread", "wash", "shuffle", "wash", "shuffle"]


@pytest.mark.clause("MA-5i4")
@pytest.mark.parametrize(
    ("steps", "is_early"),
    [
        (["plug", "turn", "strip", "riffle", "riffle"], True),
        (["plug", "turn", "riffle", "strip", "riffle"], True),
        (["plug", "riffle", "strip", "turn", "riffle", "strip"], True),
        (["plug", "riffle", "turn", "riffle", "strip"], False),
        (["plug", "riffle", "riffle", "riffle", "strip", "turn"], False),
    ],
)
def test_no_strip_before_two_riffles(steps: list[str], is_early: bool) -> None:
    played = shuffled(steps)
    assert played.refusals == ([(2, "strip_too_early")] if is_early else [])
    assert played.refusal_clauses == ([["MA-5i4"]] if is_early else [])


@pytest.mark.clause("MA-5i", "MA-5i5")
def test_the_cut_comes_last_and_another_shuffle_undoes_it() -> None:
    shuffle = act("shuffle", steps=AFTER_A_SHOE)
    assert ways({}, shuffled(AFTER_A_SHOE, CUT)) == ["cut", "marker", "load"]
    played = play("ma", "2c Kh cut 9d", ANA, deal(), shuffle, CUT, shuffle, LOAD, MARKER, LOAD, later=("3c Qh Jd",))
    assert played.refusals == [(4, "step_done"), (5, "marker_due")]


@pytest.mark.clause("MA-5i", "MA-5a-ii")
def test_a_machine_shuffles_without_those_steps() -> None:
    played = play("ma", "2c Kh cut 9d", ANA, deal(), act("shuffle", steps=AFTER_A_SHOE), SWAP, options=MACHINE)
    assert played.refusals == [(2, "not_in_the_book")]
    assert ways(MACHINE, played) == ["cut", "marker", "load"]


@pytest.mark.clause("MA-1-BURN")
def test_nobody_is_shown_the_burned_card() -> None:
    look = act("view_initial_burn", player="ana")
    played = play("ma", "Ac Kh 9d", ANA, deal(), look)
    assert played.refusals == [(2, "burn_sealed")]
    assert played.refusal_clauses == [["MA-1-BURN"]]
    assert load_rulebook("ma").burn.visibility == "sealed"
