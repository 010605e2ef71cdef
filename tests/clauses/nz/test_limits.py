"""New Zealand, rules 5.7 to 5.11: how many boxes, how many bettors on an area, how much, and who comes first."""

import pytest

from tests.support.rounds import act, bet, deal, play, war

MULTI_BOX = {"table.multi_box": True}


@pytest.mark.clause("NZ-5.10-i")
def test_a_wager_above_the_table_maximum_is_refused() -> None:
    acts = [bet("ana", 1, "initial", 50500), bet("ben", 2, "initial", 50000), bet("ben", 2, "initial", 500)]
    played = play("nz", "2c", *acts)
    assert played.refusals == [(0, "wager_above_maximum"), (2, "wager_above_maximum")]
    assert (played.gain("ana"), played.gain("ben")) == (0, -50000)


@pytest.mark.clause("NZ-5.7")
def test_one_box_for_each_player_unless_the_operator_permits_more() -> None:
    acts = [bet("ana", 1, "initial", 1000), bet("ana", 2, "initial", 1000), bet("ana", 3, "tie", 500)]
    fixed = play("nz", "2c", *acts)
    assert fixed.refusals == [(1, "too_many_boxes"), (2, "too_many_boxes")]
    assert all("NZ-5.7" in cited for cited in fixed.refusal_clauses)
    permitted = play("nz", "2c", *acts, options=MULTI_BOX)
    assert permitted.refusals == []
    assert permitted.gain("ana") == -(1000 + 1000 + 500)


@pytest.mark.clause("NZ-5.7", "NZ-5.7a")
def test_the_operator_grants_more_boxes_to_one_player_and_takes_them_back() -> None:
    acts = [
        act("grant_multi_box", player="ana", boxes=2, by="supervisor:s1"),
        act("grant_multi_box", player="ana", boxes=2, by="operator:o1"),
        bet("ana", 1, "initial", 1000),
        bet("ana", 2, "initial", 1000),
        bet("ana", 3, "initial", 1000),
        bet("ben", 4, "initial", 1000),
        bet("ben", 5, "initial", 1000),
        deal(),
        act("revoke_multi_box", player="ana", by="operator:o1"),
        bet("ana", 1, "initial", 1000),
        bet("ana", 2, "initial", 1000),
    ]
    played = play("nz", "2c 4h 5h 6h Kd", *acts)
    expected = [(0, "not_entitled"), (4, "too_many_boxes"), (6, "too_many_boxes"), (10, "too_many_boxes")]
    assert played.refusals == expected
    assert played.events("multi_box_granted")[0]["by"] == "operator:o1"
    assert played.dealt() == "burn 2c, box 1 4h, box 2 5h, box 4 6h, dealer Kd"


@pytest.mark.clause("NZ-5.8")
def test_a_player_with_several_boxes_may_have_them_all_unless_restricted() -> None:
    acts = [bet("ana", box, "initial", 500) for box in range(1, 8)]
    everything = play("nz", "2c", *acts, options=MULTI_BOX)
    assert everything.refusals == []
    assert everything.gain("ana") == -7 * 500
    for most in (1, 2, 6):
        restricted = play("nz", "2c", *acts, options=MULTI_BOX | {"table.max_boxes_per_player": most})
        assert restricted.refusals == [(act, "too_many_boxes") for act in range(most, 7)]
        assert restricted.gain("ana") == -most * 500


@pytest.mark.clause("NZ-5.8")
def test_no_more_boxes_for_a_player_than_the_table_has() -> None:
    acts = [bet("ana", box, "initial", 500) for box in range(1, 5)]
    played = play("nz", "2c", *acts, options=MULTI_BOX | {"table.boxes": 3})
    assert played.refusals == [(3, "unknown_box")]


@pytest.mark.clause("NZ-5.7b")
def test_the_minimum_holds_on_each_box() -> None:
    acts = [bet("ana", 1, "initial", 5000), bet("ana", 2, "initial", 400), bet("ana", 3, "tie", 499)]
    played = play("nz", "2c 3h Kd", *acts, deal(), options=MULTI_BOX, limits={"minimum": 500})
    assert played.refusals == [(1, "wager_below_minimum"), (2, "wager_below_minimum")]
    assert all("NZ-5.7b" in cited for cited in played.refusal_clauses)
    assert played.dealt() == "burn 2c, box 1 3h, dealer Kd"


@pytest.mark.clause("NZ-5.9-i")
@pytest.mark.parametrize("wager", ["initial", "tie"])
def test_three_players_on_one_area_and_no_fourth(wager: str) -> None:
    acts = [bet(player, 1, wager, 500) for player in ("ana", "ben", "cat", "dan")]
    played = play("nz", "2c 3h Kd", *acts, deal())
    assert played.refusals == [(3, "area_full")]
    assert played.settlements() == [(player, 1, wager, "lose", -500) for player in ("ana", "ben", "cat")]


@pytest.mark.clause("NZ-5.9-i")
def test_areas_of_a_box_fill_up_apart() -> None:
    acts = [
        bet("ana", 1, "tie", 500),
        bet("ben", 1, "tie", 500),
        bet("cat", 1, "tie", 500),
        bet("dan", 1, "initial", 500),
    ]
    assert play("nz", "2c", *acts).refusals == []


@pytest.mark.clause("NZ-5.9-ii")
@pytest.mark.parametrize("most", [1, 2, 3])
def test_fewer_than_three_on_an_area_where_the_supervisor_says_so(most: int) -> None:
    acts = [bet(player, 1, "initial", 500) for player in ("ana", "ben", "cat")]
    played = play("nz", "2c", *acts, options={"table.bettors_per_area": most})
    assert [number for number, _ in played.refusals] == list(range(most, 3))
    assert sum(played.gain(player) for player in ("ana", "ben", "cat")) == -most * 500


@pytest.mark.clause("NZ-5.9-i", "NZ-5.9-ii")
def test_one_player_on_an_area_leaves_the_other_area_of_the_box_free() -> None:
    """The number is one for each betting area, and a box has two of them."""
    acts = [bet("ana", 1, "tie", 500), bet("ben", 1, "initial", 1000), bet("cat", 1, "initial", 1000), deal()]
    played = play("nz", "2c Kh Qd", *acts, options={"table.bettors_per_area": 1})
    assert [number for number, _ in played.refusals] == [2]
    assert played.settlements() == [("ana", 1, "tie", "lose", -500), ("ben", 1, "initial", "win", 1000)]


@pytest.mark.clause("NZ-5.10-i")
def test_wagers_on_an_area_add_up_without_bound_unless_directed() -> None:
    acts = [bet(player, 1, "initial", 50000) for player in ("ana", "ben", "cat")]
    assert play("nz", "2c", *acts).refusals == []
    directed = play("nz", "2c", *acts, options={"limits.area_total_max": 50000})
    assert directed.refusals == [(1, "area_above_maximum"), (2, "area_above_maximum")]
    assert all("NZ-5.10-i" in cited for cited in directed.refusal_clauses)


@pytest.mark.clause("NZ-5.10-i")
def test_the_directed_maximum_is_that_of_one_area() -> None:
    """Casino War and Tie are two areas, another box is another, and a war wager counts in none."""
    acts = [
        bet("ana", 1, "initial", 2000),
        bet("ben", 1, "initial", 1000),
        bet("cat", 1, "initial", 500),
        bet("cat", 1, "tie", 3000),
        bet("dan", 2, "initial", 3000),
        deal(),
        war("ana", 1),
    ]
    played = play("nz", "2c Kh 4h Kd", *acts, options={"limits.area_total_max": 3000})
    assert played.refusals == [(2, "area_above_maximum")]
    assert played.gain("ana") == -2 * 2000


@pytest.mark.clause("NZ-5.10-i")
def test_the_operator_may_count_both_areas_of_a_box_together() -> None:
    acts = [bet("ana", 1, "initial", 2000), bet("ben", 1, "tie", 1500), bet("ben", 1, "tie", 1000)]
    options = {"limits.area_total_max": 3000, "limits.area_total_scope": "box"}
    played = play("nz", "2c", *acts, bet("cat", 2, "initial", 3000), options=options)
    assert played.refusals == [(1, "area_above_maximum")]
    assert played.gain("ben") == -1000


@pytest.mark.clause("NZ-5.10-ii")
def test_what_one_player_has_on_a_box_is_bounded_only_where_directed() -> None:
    acts = [bet("ana", 1, "initial", 1000), bet("ana", 1, "tie", 500), bet("ben", 1, "initial", 1000)]
    assert play("nz", "2c", *acts).refusals == []
    directed = play("nz", "2c", *acts, bet("ana", 1, "initial", 500), options={"limits.player_box_max": 1000})
    assert directed.refusals == [(1, "player_above_maximum"), (3, "player_above_maximum")]
    assert all("NZ-5.10-ii" in cited for cited in directed.refusal_clauses)


@pytest.mark.clause("NZ-5.10-ii")
def test_full_table_maximum_on_both_areas_of_a_box_by_default() -> None:
    played = play("nz", "2c", bet("ana", 1, "initial", 50000), bet("ana", 1, "tie", 50000))
    assert played.refusals == []
    assert played.balances["ana"] == 0


@pytest.mark.clause("NZ-5.11a")
def test_the_seated_player_comes_first_in_a_box_and_the_others_follow_in_line() -> None:
    acts = [
        act("seat_player", player="cat", box=1),
        bet("ana", 1, "initial", 500),
        bet("ben", 1, "initial", 1000),
        bet("cat", 1, "initial", 1500),
        deal(),
    ]
    played = play("nz", "2c Kh Qd", *acts)
    assert played.settlements() == [
        ("cat", 1, "initial", "win", 1500),
        ("ana", 1, "initial", "win", 500),
        ("ben", 1, "initial", "win", 1000),
    ]


@pytest.mark.clause("NZ-5.11a")
def test_who_bets_first_on_an_empty_box_is_seated_there() -> None:
    acts = [bet("ben", 4, "initial", 500), bet("ana", 4, "initial", 1000), deal()]
    played = play("nz", "2c 3h Qd", *acts)
    assert [(one["player"], one["box"]) for one in played.events("player_seated")] == [("ben", 4)]
    assert [line[0] for line in played.settlements()] == ["ben", "ana"]


@pytest.mark.clause("NZ-5.11b")
def test_the_tie_area_keeps_room_for_those_with_a_casino_war_wager() -> None:
    acts = [
        bet("ana", 1, "initial", 1000),
        bet("ben", 1, "initial", 1000),
        bet("cat", 1, "tie", 500),
        bet("dan", 1, "tie", 500),
        bet("ana", 1, "tie", 500),
        bet("ben", 1, "tie", 500),
    ]
    played = play("nz", "2c", *acts)
    assert played.refusals == [(3, "area_reserved")]
    assert all("NZ-5.11b" in cited for cited in played.refusal_clauses)
    assert [played.gain(player) for player in ("ana", "ben", "cat", "dan")] == [-1500, -1500, -500, 0]
