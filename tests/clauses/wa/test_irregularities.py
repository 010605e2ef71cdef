"""WA section 5 and rules 6.9 and 6.10, as far as the engine has them: errors, limits, cancelled rounds."""

from typing import Any

import pytest

from tests.support.rounds import Act, act, bet, deal, play, surrender, war

OPENING = "Ac 2c "
ROUND = [bet("ana", 1, "initial", 1000), deal()]
SEEN = act("report_extra_draw", exposed=True)
UNSEEN = act("report_extra_draw", exposed=False)
FACE_UP = act("report_face_up_card")


@pytest.mark.clause("WA-5.1")
def test_a_card_face_up_in_the_shoe_goes_to_the_rack_and_the_next_takes_its_place() -> None:
    played = play("wa", OPENING + "3h Kh 9d", ROUND[0], deal(2), FACE_UP, deal())
    assert played.dealt() == "burn Ac, burn 2c, discard 3h, box 1 Kh, dealer 9d"
    nowhere = -1
    assert (nowhere, ("3h",)) in played.replayed.table.rack
    assert played.gain("ana") == 1000


@pytest.mark.clause("WA-5.1")
def test_each_of_several_cards_face_up_is_burned_and_the_round_stands() -> None:
    played = play("wa", OPENING + "9h 3h 9d 4h 5h 6c 7c 8c Kh Qs", ROUND[0], deal(3), FACE_UP, deal(), FACE_UP, FACE_UP)
    assert played.refusals == []
    assert played.data["open"] == [{"player": "ana", "box": 1, "wager": "initial", "amount": 1000}]
    acts = [ROUND[0], deal(3), FACE_UP, deal(), FACE_UP, FACE_UP, war("ana", 1), deal()]
    fought = play("wa", OPENING + "9h 3h 9d 4h 5h 6c 7c 8c Kh Qs", *acts)
    war_deal = "discard 4h, discard 5h, burn 6c, burn 7c, burn 8c, box 1 Kh, dealer Qs"
    assert fought.dealt() == f"burn Ac, burn 2c, box 1 9h, discard 3h, dealer 9d, {war_deal}"
    assert fought.gain("ana") == 1000


@pytest.mark.clause("WA-5.2")
@pytest.mark.parametrize("error", [SEEN, UNSEEN])
def test_a_card_dealt_in_error_is_the_next_card(error: Act) -> None:
    played = play("wa", OPENING + "Kh 9d Qd", ROUND[0], deal(3), error, deal())
    assert played.refusals == []
    assert played.dealt() == "burn Ac, burn 2c, box 1 Kh, dealer 9d"
    assert played.gain("ana") == 1000


@pytest.mark.clause("WA-5.2")
@pytest.mark.parametrize("error", [SEEN, UNSEEN])
def test_a_card_drawn_before_the_war_is_the_first_of_its_cards(error: Act) -> None:
    played = play("wa", OPENING + "9h 9d 3c 4c 5c Kh Qs", *ROUND, error, war("ana", 1), deal())
    assert played.dealt().endswith("dealer 9d, burn 3c, burn 4c, burn 5c, box 1 Kh, dealer Qs")


@pytest.mark.clause("WA-5.3")
def test_an_exposed_card_that_the_round_does_not_need_is_burned() -> None:
    played = play("wa", OPENING + "9h 9d 3c Kh Qs", *ROUND, SEEN, surrender("ana", 1), *ROUND)
    assert played.dealt(1) == "burn Ac, burn 2c, box 1 9h, dealer 9d, discard 3c"
    assert played.dealt(2) == "box 1 Kh, dealer Qs"
    nowhere = -1
    assert (nowhere, ("3c",)) in played.replayed.table.rack


@pytest.mark.clause("WA-5.3")
def test_an_exposed_card_waits_until_the_round_can_do_without_it() -> None:
    waiting = play("wa", OPENING + "9h 9d 3c Kh Qs", *ROUND, SEEN)
    assert [event["card"] for event in waiting.events("card_held")] == ["3c"]
    assert waiting.events("card_discarded") == []
    done = play("wa", OPENING + "9h 9d 3c Kh Qs", *ROUND, SEEN, surrender("ana", 1))
    told = ("card_held", "wager_settled", "card_discarded", "round_ended")
    assert [event["name"] for event in done.data["events"] if event["name"] in told] == list(told)


@pytest.mark.clause("WA-5.3")
def test_an_exposed_card_after_the_last_one_due_is_burned() -> None:
    played = play("wa", OPENING + "Kh 9d 3c Qh Js", ROUND[0], deal(4), SEEN, deal(), *ROUND)
    assert played.dealt(1) == "burn Ac, burn 2c, box 1 Kh, dealer 9d, discard 3c"
    assert played.dealt(2) == "box 1 Qh, dealer Js"


@pytest.mark.clause("WA-5.2", "WA-5.3")
def test_an_unseen_card_that_the_round_does_not_need_opens_the_next_one() -> None:
    played = play("wa", OPENING + "9h 9d 3c Qs", *ROUND, UNSEEN, surrender("ana", 1), *ROUND)
    assert played.dealt(1) == "burn Ac, burn 2c, box 1 9h, dealer 9d"
    assert played.dealt(2) == "box 1 3c, dealer Qs"


SHORT = [*ROUND, war("ana", 1), deal()]


@pytest.mark.clause("WA-5.5")
@pytest.mark.parametrize("options", [{}, {"shoe.midround_burn": "as_opening"}])
def test_where_cards_run_out_the_discards_are_shuffled_cut_and_burned_from(options: dict[str, Any]) -> None:
    played = play("wa", OPENING + "9h 9d 3c", *SHORT, later=("2s 3d 4d 4c 5c Kh Qs",), options=options)
    war_deal = "burn 3c, burn 2s, burn 3d, burn 4d, burn 4c, burn 5c, box 1 Kh, dealer Qs"
    assert played.dealt() == f"burn Ac, burn 2c, box 1 9h, dealer 9d, {war_deal}"
    burns = ["opening", "opening_value", "war", "midround", "opening_value", "opening_value", "war", "war"]
    assert [burned["burn"] for burned in played.events("card_burned")] == burns
    assert len(played.events("cut_made")) == 2
    assert played.gain("ana") == 1000


@pytest.mark.clause("WA-5.5")
def test_the_operator_may_leave_the_second_opening_burn_out() -> None:
    options = {"shoe.midround_burn": "none"}
    played = play("wa", OPENING + "9h 9d 3c", *SHORT, later=("4c 5c Kh Qs",), options=options)
    assert played.dealt().endswith("dealer 9d, burn 3c, burn 4c, burn 5c, box 1 Kh, dealer Qs")
    assert played.events("burn_skipped") == []


@pytest.mark.clause("WA-5.5")
@pytest.mark.parametrize(
    ("later", "dealt", "skipped"),
    [
        ("4c 5c Kh Qs", "burn 3c, burn 4c, burn 5c, box 1 Kh, dealer Qs", "midround"),
        ("Td 4c 5c Kh Qs", "burn 3c, burn Td, burn 4c, burn 5c, box 1 Kh, dealer Qs", "opening_value"),
    ],
)
def test_a_burn_for_which_the_discards_do_not_suffice_is_skipped_and_told(later: str, dealt: str, skipped: str) -> None:
    played = play("wa", OPENING + "9h 9d 3c", *SHORT, later=(later,))
    assert played.dealt().endswith(f"dealer 9d, {dealt}")
    assert [event["burn"] for event in played.events("burn_skipped")] == [skipped]
    assert played.gain("ana") == 1000


@pytest.mark.clause("WA-5.5", "WA-4.14")
def test_the_shuffle_in_mid_round_serves_for_the_one_that_was_due_where_the_operator_has_it_so() -> None:
    options = {"shoe.short_discharges": True}
    played = play("wa", OPENING + "9h cut 9d 3c", *SHORT, *ROUND, later=("As 6d 4c 5c Kh Qs 8h 7d",), options=options)
    assert played.refusals == []
    assert played.dealt(2) == "box 1 8h, dealer 7d"


@pytest.mark.clause("WA-5.5", "WA-4.14")
def test_the_shuffle_that_the_cutting_card_called_for_comes_after_the_round_all_the_same() -> None:
    played = play(
        "wa",
        OPENING + "9h cut 9d 3c",
        *SHORT,
        *ROUND,
        later=("As 6d 4c 5c Kh Qs 8h 7d", "As 6c Jh 7c"),
    )
    assert played.dealt(1).endswith("burn 3c, burn As, burn 6d, burn 4c, burn 5c, box 1 Kh, dealer Qs")
    assert played.dealt(2) == "burn As, burn 6c, box 1 Jh, dealer 7c"


@pytest.mark.clause("WA-5.5")
def test_a_round_short_of_cards_waits_for_the_shuffle() -> None:
    played = play("wa", OPENING + "9h 9d 3c", *SHORT)
    assert played.refusals == [(3, "no_shoe")]
    assert [one["wager"] for one in played.data["open"]] == ["initial", "war"]


LIMITS = {"minimum": 1000, "maximum": 5000, "unit": 500}


@pytest.mark.clause("WA-5.7a")
@pytest.mark.parametrize(("shoe", "gain"), [("Kh 9d", 700), ("8h 9d", -700)])
def test_a_wager_below_the_minimum_counts_as_it_lies_every_time(shoe: str, gain: int) -> None:
    acts = [bet("ana", 1, "initial", 700), deal()]
    played = play("wa", f"{OPENING} {shoe} {shoe}", *acts, *acts, limits=LIMITS)
    assert played.refusals == []
    assert [played.line("ana", "initial", number)["amount"] for number in (1, 2)] == [700, 700]
    assert played.gain("ana") == 2 * gain


@pytest.mark.clause("WA-5.7b")
@pytest.mark.parametrize(("placed", "plays"), [(1700, 1500), (1001, 1000), (1499, 1000), (4999, 4500)])
def test_a_wager_off_the_units_counts_for_the_unit_below(placed: int, plays: int) -> None:
    won, lost = (
        play("wa", OPENING + f"{card}h 9d", bet("ana", 1, "initial", placed), deal(), limits=LIMITS) for card in "K8"
    )
    line = won.line("ana", "initial")
    assert (line["placed"], line["amount"], line["paid"]) == (placed, plays, plays)
    assert (won.gain("ana"), lost.gain("ana")) == (plays, -plays)


@pytest.mark.clause("WA-5.7b")
def test_units_count_from_zero_and_the_operator_is_told_where_that_may_fall_below_the_minimum() -> None:
    limits = {"minimum": 700, "maximum": 5000, "unit": 500}
    played = play("wa", OPENING + "Kh 9d", bet("ana", 1, "initial", 900), deal(), limits=limits)
    assert played.gain("ana") == 500
    assert [event["wager"] for event in played.events("limits_off_unit_noted")] == ["initial"]
    even = play("wa", OPENING + "Kh 9d", bet("ana", 1, "initial", 900), deal(), limits=LIMITS)
    assert even.events("limits_off_unit_noted") == []


@pytest.mark.clause("WA-5.7b")
@pytest.mark.parametrize(
    ("options", "plays"), [({"limits.unit_from": "zero"}, 1000), ({"limits.unit_from": "minimum"}, 1200)]
)
def test_the_operator_may_count_the_units_from_the_minimum(options: dict[str, str], plays: int) -> None:
    limits = {"minimum": 700, "maximum": 5000, "unit": 500}
    acts = [bet("ana", 1, "initial", 1300), deal()]
    assert play("wa", OPENING + "Kh 9d", *acts, limits=limits, options=options).gain("ana") == plays


@pytest.mark.clause("WA-5.7c")
@pytest.mark.parametrize("placed", [5500, 9000, 5001])
def test_a_wager_above_the_maximum_counts_for_the_maximum(placed: int) -> None:
    won, lost = (
        play("wa", OPENING + f"{card}h 9d", bet("ana", 1, "initial", placed), deal(), limits=LIMITS) for card in "K8"
    )
    line = won.line("ana", "initial")
    assert (line["placed"], line["amount"], line["paid"], line["returned"]) == (placed, 5000, 5000, 5000)
    assert (won.gain("ana"), lost.gain("ana")) == (5000, -5000)


@pytest.mark.clause("WA-5.7a", "WA-5.7b", "WA-5.7c")
def test_side_wagers_are_held_to_their_own_limits() -> None:
    limits = {**LIMITS, "tie": {"minimum": 100, "maximum": 300, "unit": 100}, "perfect_pairs": {"maximum": 1000}}
    played = play(
        "wa",
        OPENING + "9h 9d 3c 4c 5c Kh Ks",
        bet("ana", 1, "initial", 1000),
        bet("ana", 1, "tie", 700),
        bet("ben", 1, "tie", 250),
        bet("cat", 1, "tie", 50),
        deal(),
        war("ana", 1),
        bet("ana", 1, "war_perfect_pairs", 1300),
        deal(),
        limits=limits,
    )
    assert [played.line(player, "tie")["amount"] for player in ("ana", "ben", "cat")] == [300, 200, 50]
    assert played.line("ana", "war_perfect_pairs")["amount"] == 1000
    assert played.gain("ana") == 1000 + 1000 + 10 * 300 + 5 * 1000


@pytest.mark.clause("WA-5.7-adv", "WA-5.7a", "WA-5.7b", "WA-5.7c")
def test_the_player_is_told_the_limits_once_the_round_has_started() -> None:
    wagers = [
        bet(who, box, "initial", amount) for who, box, amount in (("ana", 1, 700), ("ben", 2, 1700), ("cat", 3, 9000))
    ]
    placed = play("wa", OPENING, *wagers, bet("dan", 4, "initial", 1500), limits=LIMITS)
    assert placed.events("limits_advised") == []
    played = play("wa", OPENING + "Kh Qh Jh Kd 9d", *wagers, bet("dan", 4, "initial", 1500), deal(), limits=LIMITS)
    advised = played.events("limits_advised")
    assert [(event["player"], event["limit"]) for event in advised] == [
        ("ana", LIMITS),
        ("ben", LIMITS),
        ("cat", LIMITS),
    ]
    assert [event["clauses"] for event in advised] == [[f"WA-5.7{part}", "WA-5.7-adv"] for part in "abc"]
    limited = [(event["player"], event["placed"], event["amount"]) for event in played.events("wager_limited")]
    assert limited == [("ben", 1700, 1500), ("cat", 9000, 5000)]


CAUSES = ["act_of_god", "robbery", "brawl", "riot", "fire", "commotion"]


@pytest.mark.parametrize(
    "cause",
    [
        *(pytest.param(cause, marks=pytest.mark.clause("WA-6.9a")) for cause in CAUSES),
        pytest.param("fraud", marks=pytest.mark.clause("WA-6.9b")),
    ],
)
@pytest.mark.clause("WA-6.10")
def test_a_cancelled_round_gives_all_wagers_back(cause: str) -> None:
    played = play(
        "wa",
        OPENING + "9h Kh 9d",
        bet("ana", 1, "initial", 1000),
        bet("ana", 1, "tie", 500),
        bet("ben", 2, "initial", 1000),
        bet("ben", 2, "a_bomb", 500),
        deal(),
        war("ana", 1),
        bet("ana", 1, "war_perfect_pairs", 500),
        act("invalidate_round", cause=cause),
    )
    assert played.refusals == []
    assert (played.gain("ana"), played.gain("ben"), played.balances["house"]) == (0, 0, 0)
    assert played.data["open"] == []
    assert [(event["number"], event["cause"]) for event in played.events("round_invalidated")] == [(1, cause)]
    assert all(line[4] == 0 for line in played.settlements())


@pytest.mark.clause("WA-6.9a", "WA-6.10")
def test_a_finished_round_may_be_cancelled_until_the_next_begins() -> None:
    fire = act("invalidate_round", cause="fire")
    after = play("wa", OPENING + "8h 9d", *ROUND, fire)
    assert (after.gain("ana"), after.balances["house"]) == (0, 0)
    late = play("wa", OPENING + "8h 9d Kh 9c", *ROUND, *ROUND, fire)
    assert (late.gain("ana"), late.balances["house"]) == (-1000, 1000)


@pytest.mark.clause("WA-6.9a", "WA-6.9b")
@pytest.mark.parametrize("by", ["player:ana", "dealer:d1", "supervisor:s1"])
def test_only_the_operator_cancels_a_round(by: str) -> None:
    played = play("wa", OPENING + "8h 9d", *ROUND, act("invalidate_round", cause="fraud", by=by))
    assert played.refusals == [(2, "not_entitled")]
    assert played.gain("ana") == -1000


@pytest.mark.clause("WA-6.9a")
def test_there_must_be_a_round_to_cancel() -> None:
    played = play("wa", OPENING, act("invalidate_round", cause="riot", by="operator:o1"))
    assert played.refusals == [(0, "no_round")]
    assert played.refusal_clauses[0] == ["WA-6.9a"]
