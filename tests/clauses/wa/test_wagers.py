"""WA rules 3.1 to 3.4, 6.1 and 6.3: who may bet where, and when."""

from typing import Any

import pytest

from tests.support.rounds import act, bet, deal, play, war

OPENING = "Ac 2c "


@pytest.mark.clause("WA-3.1")
def test_chips_in_an_area_are_the_wager() -> None:
    played = play("wa", OPENING, bet("ana", 3, "initial", 1000), bet("ana", 3, "tie", 500))
    assert played.gain("ana") == -1500
    assert played.data["open"] == [
        {"player": "ana", "box": 3, "wager": "initial", "amount": 1000},
        {"player": "ana", "box": 3, "wager": "tie", "amount": 500},
    ]


@pytest.mark.clause("WA-3.1")
def test_a_wager_that_is_only_called_out_does_not_count() -> None:
    played = play("wa", OPENING, bet("ana", 1, "initial", 1000, called=True))
    assert played.refusals == [(0, "called_wager")]
    assert played.refusal_clauses[0] == ["WA-3.1"]
    assert played.gain("ana") == 0


@pytest.mark.clause("WA-3.2")
def test_the_first_card_closes_the_betting_and_a_call_does_not() -> None:
    played = play(
        "wa",
        OPENING + "Kh Qh 9d",
        bet("ana", 1, "initial", 1000),
        act("no_more_bets"),
        bet("ben", 2, "initial", 1000),
        deal(3),
        bet("cat", 3, "initial", 1000),
        bet("ana", 1, "tie", 500),
        deal(),
    )
    assert played.refusals == [(4, "betting_closed"), (5, "betting_closed")]
    assert played.refusal_clauses[0] == ["WA-3.2"]
    assert played.settlements() == [("ben", 2, "initial", "win", 1000), ("ana", 1, "initial", "win", 1000)]


@pytest.mark.clause("WA-3.2")
def test_where_the_operator_lets_the_call_close_the_betting_it_does() -> None:
    acts = [bet("ana", 1, "initial", 1000), act("no_more_bets"), bet("ben", 2, "initial", 1000), deal()]
    played = play("wa", OPENING + "Kh 9d", *acts, options={"betting.closes": "call"})
    assert played.refusals == [(2, "betting_closed")]
    assert played.settlements() == [("ana", 1, "initial", "win", 1000)]


@pytest.mark.clause("WA-3.2", "WA-6.1")
def test_a_wager_may_be_changed_until_the_round_starts() -> None:
    played = play(
        "wa",
        OPENING + "Kh 9d",
        bet("ana", 1, "initial", 1000),
        bet("ana", 1, "initial", 500),
        bet("ana", 1, "tie", 500),
        act("amend_wager", player="ana", box=1, wager="initial", amount=4000),
        act("withdraw_wager", player="ana", box=1, wager="tie"),
        deal(),
    )
    assert played.refusals == []
    assert played.settlements() == [("ana", 1, "initial", "win", 4000)]


@pytest.mark.clause("WA-3.2", "WA-6.1")
@pytest.mark.parametrize(
    "change",
    [
        act("amend_wager", player="ana", box=1, wager="initial", amount=5000),
        act("withdraw_wager", player="ana", box=1, wager="initial"),
        bet("ana", 1, "initial", 500),
    ],
)
def test_no_one_touches_a_wager_before_it_is_paid(change: dict[str, Any]) -> None:
    before = [bet("ana", 1, "initial", 1000), deal()]
    played = play("wa", OPENING + "9h 9d 3c 4c 5c Kh Qs", *before, change, war("ana", 1), change, deal())
    assert played.refusals == [(2, "betting_closed"), (4, "betting_closed")]
    assert played.line("ana", "initial")["amount"] == 1000
    assert played.gain("ana") == 1000


@pytest.mark.clause("WA-6.1")
def test_the_lock_is_named_where_a_wager_is_drawn_back_too_late() -> None:
    late = act("withdraw_wager", player="ana", box=1, wager="initial")
    played = play("wa", OPENING + "9h 9d", bet("ana", 1, "initial", 1000), deal(), late)
    assert played.refusal_clauses[0] == ["WA-3.2", "WA-6.1"]
    assert played.data["open"] == [{"player": "ana", "box": 1, "wager": "initial", "amount": 1000}]


@pytest.mark.clause("WA-3.3")
@pytest.mark.parametrize(("options", "cap"), [({}, 3), *(({"table.bettors_per_area": n}, n) for n in (2, 3))])
def test_an_area_takes_three_wagers_or_as_many_as_the_operator_says(options: dict[str, int], cap: int) -> None:
    wagers = [bet(player, 1, "initial", 1000) for player in ("ana", "ben", "cat", "dan")]
    played = play("wa", OPENING + "Kh 9d", *wagers, deal(), options=options)
    assert played.refusals == [(number, "area_full") for number in range(cap, 4)]
    assert played.refusal_clauses[0] == ["WA-3.3"]
    assert [line[0] for line in played.settlements()] == ["ana", "ben", "cat", "dan"][:cap]


@pytest.mark.clause("WA-3.3", "WA-3.4")
def test_with_one_wager_to_an_area_the_other_areas_are_kept_for_the_seated_player() -> None:
    played = play(
        "wa",
        OPENING + "Kh 9d",
        bet("ana", 1, "initial", 1000),
        bet("ben", 1, "initial", 1000),
        bet("ben", 1, "tie", 500),
        act("vacate_seat", player="ana"),
        bet("ben", 1, "tie", 500),
        deal(),
        options={"table.bettors_per_area": 1},
    )
    assert played.refusals == [(1, "area_full"), (2, "area_reserved")]
    assert played.refusal_clauses == [["WA-3.3"], ["WA-3.4"]]
    assert (played.gain("ana"), played.gain("ben")) == (1000, -500)


@pytest.mark.clause("WA-3.3")
def test_war_wagers_are_not_counted_among_the_three() -> None:
    three = ("ana", "ben", "cat")
    wagers = [bet(player, 1, "initial", 1000) for player in three]
    wars = [war(player, 1) for player in three]
    played = play("wa", OPENING + "9h 9d 3c 4c 5c Kh Qs", *wagers, deal(), *wars, deal())
    assert played.refusals == []
    assert [played.gain(player) for player in three] == [1000, 1000, 1000]


@pytest.mark.clause("WA-3.4")
@pytest.mark.parametrize("wager", ["initial", "tie", "a_bomb", "perfect_pairs"])
def test_a_place_is_kept_for_the_seated_player(wager: str) -> None:
    played = play(
        "wa",
        OPENING + "Kh 9d",
        act("seat_player", player="ana", box=1),
        bet("ben", 1, wager, 1000),
        bet("cat", 1, wager, 1000),
        bet("dan", 1, wager, 1000),
        bet("ana", 1, wager, 1000),
        deal(),
    )
    assert played.refusals == [(3, "area_reserved")]
    assert played.refusal_clauses[0] == ["WA-3.4"]
    assert [line[0] for line in played.settlements()] == ["ana", "ben", "cat"]


@pytest.mark.clause("WA-6.3")
def test_a_player_bets_on_one_box_unless_the_operator_permits_more() -> None:
    everywhere = [bet("ana", box, "initial", 1000) for box in range(1, 8)]
    refused = play("wa", OPENING, *everywhere)
    assert refused.refusals == [(number, "too_many_boxes") for number in range(1, 7)]
    assert refused.refusal_clauses[0] == ["WA-6.3"]
    permitted = play("wa", OPENING, *everywhere, options={"table.multi_box": True})
    assert (permitted.refusals, permitted.gain("ana")) == ([], -7000)


@pytest.mark.clause("WA-6.3")
def test_all_areas_of_the_own_box_need_no_permission() -> None:
    areas = [bet("ana", 1, wager, 500) for wager in ("initial", "tie", "a_bomb", "perfect_pairs")]
    played = play("wa", OPENING, *areas)
    assert (played.refusals, played.gain("ana")) == ([], -2000)


@pytest.mark.clause("WA-6.3")
@pytest.mark.parametrize(("boxes", "most"), [(7, 2), (7, 7), (5, 5)])
def test_the_operator_sets_how_many_boxes(boxes: int, most: int) -> None:
    options: dict[str, Any] = {"table.multi_box": True, "table.boxes": boxes}
    if most < boxes:
        options["table.max_boxes_per_player"] = most
    everywhere = [bet("ana", box, "initial", 1000) for box in range(1, boxes + 1)]
    played = play("wa", OPENING, *everywhere, options=options)
    assert played.refusals == [(number, "too_many_boxes") for number in range(most, boxes)]
    assert played.gain("ana") == -1000 * most


@pytest.mark.clause("WA-6.3")
def test_the_permission_may_be_given_to_one_player_and_taken_back() -> None:
    played = play(
        "wa",
        OPENING + "Kh Qh 9d",
        act("grant_multi_box", player="ana", boxes=8),
        act("grant_multi_box", player="ana", boxes=2, by="player:ana"),
        act("grant_multi_box", player="ana", boxes=2),
        bet("ana", 1, "initial", 1000),
        bet("ana", 2, "initial", 1000),
        bet("ana", 3, "initial", 1000),
        bet("ben", 4, "initial", 1000),
        bet("ben", 5, "initial", 1000),
        act("withdraw_wager", player="ben", box=4, wager="initial"),
        deal(),
        act("revoke_multi_box", player="ana"),
        bet("ana", 1, "initial", 1000),
        bet("ana", 2, "initial", 1000),
    )
    reasons = ["too_many_boxes", "not_entitled", "too_many_boxes", "too_many_boxes", "too_many_boxes"]
    assert played.refusals == list(zip([0, 1, 5, 7, 12], reasons, strict=True))
    assert played.gain("ana") == 2000 - 1000
