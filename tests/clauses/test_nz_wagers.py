"""New Zealand, section 5: who may bet what, where, how much, and until when."""

import pytest

from tests.rounds import act, bet, deal, play, surrender, war

MULTI_BOX = {"table.multi_box": True}


def amend(player: str, box: int, wager: str, amount: int) -> dict[str, object]:
    return act("amend_wager", player=player, box=box, wager=wager, amount=amount)


def withdraw(player: str, box: int, wager: str) -> dict[str, object]:
    return act("withdraw_wager", player=player, box=box, wager=wager)


@pytest.mark.clause("NZ-5.1a", "NZ-1.2-CWW")
def test_casino_war_alone() -> None:
    played = play("nz", "2c Kh Qd", bet("ana", 1, "initial", 1000), deal())
    assert played.settlements() == [("ana", 1, "initial", "win", 1000)]


@pytest.mark.clause("NZ-5.1b", "NZ-1.2-TIE")
def test_tie_alone_wins_on_equal_first_cards() -> None:
    played = play("nz", "2c Kh Kd", bet("ana", 1, "tie", 500), deal())
    assert played.settlements() == [("ana", 1, "tie", "win", 10 * 500)]
    assert played.refusals == []


@pytest.mark.clause("NZ-5.1c")
def test_both_wagers_on_one_box() -> None:
    played = play("nz", "2c Kh Qd", bet("ana", 1, "initial", 1000), bet("ana", 1, "tie", 500), deal())
    assert played.settlements() == [("ana", 1, "tie", "lose", -500), ("ana", 1, "initial", "win", 1000)]
    assert played.gain("ana") == 1000 - 500


@pytest.mark.clause("NZ-5.1", "NZ-1.2-CWW", "NZ-1.2-TIE")
@pytest.mark.parametrize("wager", ["initial", "tie"])
def test_no_wager_once_the_first_card_is_out(wager: str) -> None:
    acts = [bet("ana", 1, "initial", 1000), deal(1), bet("ben", 2, wager, 500), bet("ana", 1, wager, 500), deal()]
    played = play("nz", "2c Kh Qd", *acts)
    assert played.refusals == [(2, "betting_closed"), (3, "betting_closed")]
    assert played.settlements() == [("ana", 1, "initial", "win", 1000)]
    assert played.gain("ben") == 0


@pytest.mark.clause("NZ-5.1")
@pytest.mark.parametrize("wager", ["a_bomb", "perfect_pairs", "progressive"])
def test_the_layout_has_no_other_area(wager: str) -> None:
    played = play("nz", "2c Ah Kd", bet("ana", 1, "initial", 1000), bet("ana", 1, wager, 500), deal())
    assert played.refusals == [(1, "wager_not_offered")]
    assert played.gain("ana") == 1000


@pytest.mark.clause("NZ-5.6")
def test_no_tie_wager_on_the_second_cards() -> None:
    acts = [bet("ana", 1, "initial", 1000), deal(), war("ana", 1), bet("ana", 1, "war_tie", 500), deal()]
    played = play("nz", "2c Kh Kd 3c 4c 5c 9h 9d", *acts)
    assert played.refusals == [(3, "wager_not_offered")]
    assert all("NZ-5.6" in cited for cited in played.refusal_clauses)
    assert played.gain("ana") == 2 * 1000


@pytest.mark.clause("NZ-5.15a")
def test_no_pairs_wager_on_the_second_cards() -> None:
    acts = [bet("ana", 1, "initial", 1000), deal(), war("ana", 1), bet("ana", 1, "war_perfect_pairs", 500), deal()]
    played = play("nz", "2c Kh Kd 3c 4c 5c 9h 9d", *acts)
    assert played.refusals == [(3, "wager_not_offered")]
    assert all("NZ-5.15a" in cited for cited in played.refusal_clauses)


@pytest.mark.clause("NZ-5.1")
def test_a_wager_off_the_unit_is_refused() -> None:
    played = play("nz", "2c", bet("ana", 1, "initial", 1250), bet("ben", 2, "initial", 1500))
    assert played.refusals == [(0, "wager_off_unit")]
    assert (played.gain("ana"), played.gain("ben")) == (0, -1500)


@pytest.mark.clause("NZ-5.10-i")
def test_a_wager_above_the_table_maximum_is_refused() -> None:
    acts = [bet("ana", 1, "initial", 50500), bet("ben", 2, "initial", 50000), bet("ben", 2, "initial", 500)]
    played = play("nz", "2c", *acts)
    assert played.refusals == [(0, "wager_above_maximum"), (2, "wager_above_maximum")]
    assert (played.gain("ana"), played.gain("ben")) == (0, -50000)


@pytest.mark.clause("NZ-5.2a", "NZ-1.2-GTWW", "NZ-8.7.1a")
@pytest.mark.parametrize("amount", [500, 1500, 50000])
def test_the_war_wager_equals_the_initial_wager(amount: int) -> None:
    played = play("nz", "2c Kh Kd", bet("ana", 1, "initial", amount), deal(), war("ana", 1))
    assert [(one["amount"], one["match"]) for one in played.events("war_declared")] == [(amount, 0)]
    assert played.gain("ana") == -2 * amount


@pytest.mark.clause("NZ-1.2-GTWW", "NZ-5.2a")
def test_no_war_wager_of_another_amount_can_be_named() -> None:
    acts = [
        bet("ana", 1, "initial", 1000),
        deal(),
        bet("ana", 1, "war", 500),
        bet("ana", 1, "war", 1000),
        war("ana", 1),
    ]
    played = play("nz", "2c Kh Kd 3c 4c 5c 9h 8d", *acts, deal())
    assert played.refusals == [(2, "war_is_declared"), (3, "war_is_declared")]
    assert played.line("ana", "war")["amount"] == 1000


@pytest.mark.clause("NZ-5.2a")
def test_a_war_that_cannot_be_funded_in_full_is_refused() -> None:
    acts = [bet("ana", 1, "initial", 1000), deal(), war("ana", 1), surrender("ana", 1)]
    short = play("nz", "2c Kh Kd", *acts, players={"ana": 1999})
    assert short.refusals == [(2, "insufficient_funds")]
    assert short.balances["ana"] == 1999 - 500
    enough = play("nz", "2c Kh Kd 3c 4c 5c 9h 8d", *acts[:3], deal(), players={"ana": 2000})
    assert enough.refusals == []
    assert enough.balances["ana"] == 2000 + 1000


@pytest.mark.clause("NZ-5.2b", "NZ-1.2-SUR")
@pytest.mark.parametrize("amount", [500, 1000, 2500])
def test_surrender_gives_up_half(amount: int) -> None:
    played = play("nz", "2c Kh Kd", bet("ana", 1, "initial", amount), deal(), surrender("ana", 1))
    assert played.settlements() == [("ana", 1, "initial", "surrender", -(amount // 2))]
    assert played.line("ana", "initial")["returned"] == amount - amount // 2
    assert played.balances["house"] == amount // 2


@pytest.mark.clause("NZ-5.2b")
@pytest.mark.parametrize(("options", "taken"), [({}, 250), ({"surrender.odd_unit": "house"}, 251)])
def test_the_odd_unit_of_a_surrender_stays_with_the_player_unless_set(options: dict[str, str], taken: int) -> None:
    acts = [bet("ana", 1, "initial", 501), deal(), surrender("ana", 1)]
    played = play("nz", "2c Kh Kd", *acts, limits={}, options=options)
    assert played.gain("ana") == -taken


@pytest.mark.clause("NZ-1.2-SUR")
def test_an_operator_may_ask_for_wagers_that_halve_evenly() -> None:
    acts = [bet("ana", 1, "initial", 501), bet("ben", 2, "initial", 502), bet("cat", 3, "tie", 501)]
    assert play("nz", "2c", *acts, limits={}).refusals == []
    assert play("nz", "2c", *acts, limits={}, options={"limits.require_even": True}).refusals == [(0, "wager_odd")]


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
def test_a_supervisor_grants_more_boxes_to_one_player_and_takes_them_back() -> None:
    acts = [
        act("grant_multi_box", player="ana", boxes=2, by="player:ana"),
        act("grant_multi_box", player="ana", boxes=2, by="supervisor:s1"),
        bet("ana", 1, "initial", 1000),
        bet("ana", 2, "initial", 1000),
        bet("ana", 3, "initial", 1000),
        bet("ben", 4, "initial", 1000),
        bet("ben", 5, "initial", 1000),
        deal(),
        act("revoke_multi_box", player="ana", by="supervisor:s1"),
        bet("ana", 1, "initial", 1000),
        bet("ana", 2, "initial", 1000),
    ]
    played = play("nz", "2c 4h 5h 6h Kd", *acts)
    expected = [(0, "not_entitled"), (4, "too_many_boxes"), (6, "too_many_boxes"), (10, "too_many_boxes")]
    assert played.refusals == expected
    assert played.events("multi_box_granted")[0]["by"] == "supervisor:s1"
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
@pytest.mark.parametrize("most", [1, 2])
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


@pytest.mark.clause("NZ-5.12-i")
def test_a_called_wager_counts_with_its_chips_only() -> None:
    acts = [
        bet("ana", 1, "initial", 1000, called=True, by="dealer:d1"),
        bet("ben", 2, "initial", 1000, called=True, by="dealer:d1"),
        deal(),
    ]
    played = play("nz", "2c Kh Qd", *acts, players={"ana": 1000, "ben": 500})
    assert played.refusals == [(1, "insufficient_funds")]
    assert played.balances["ana"] == 1000 + 1000
    assert played.balances["ben"] == 500


@pytest.mark.clause("NZ-5.12-i")
def test_the_dealer_puts_a_called_wager_down() -> None:
    acts = [bet("ana", 1, "initial", 1000, called=True, by="player:ana"), bet("ana", 1, "initial", 500, called=True)]
    played = play("nz", "2c", *acts)
    assert played.refusals == [(0, "not_entitled")]
    assert played.gain("ana") == -500


@pytest.mark.clause("NZ-5.12-ii")
def test_a_called_wager_comes_before_the_call_or_not_at_all() -> None:
    acts = [
        bet("ana", 1, "initial", 1000, called=True),
        act("no_more_bets"),
        bet("ben", 2, "initial", 1000, called=True),
        deal(),
    ]
    played = play("nz", "2c Kh Qd", *acts)
    assert played.refusals == [(2, "betting_closed")]
    assert (played.gain("ana"), played.gain("ben")) == (1000, 0)


@pytest.mark.clause("NZ-5.15", "NZ-5.15a")
def test_no_wager_after_the_call_though_no_card_is_out() -> None:
    acts = [
        bet("ana", 1, "initial", 1000),
        act("no_more_bets"),
        bet("ana", 1, "initial", 500),
        bet("ana", 1, "tie", 500),
        bet("ben", 2, "initial", 500),
        deal(),
    ]
    played = play("nz", "2c Kh Qd", *acts)
    assert played.refusals == [(2, "betting_closed"), (3, "betting_closed"), (4, "betting_closed")]
    assert all("NZ-5.15" in cited for cited in played.refusal_clauses)
    assert played.settlements() == [("ana", 1, "initial", "win", 1000)]


@pytest.mark.clause("NZ-5.15a", "NZ-5.15")
def test_the_war_wager_is_the_exception_to_the_call() -> None:
    acts = [
        bet("ana", 1, "initial", 1000),
        act("no_more_bets"),
        deal(),
        bet("ana", 1, "tie", 500),
        war("ana", 1),
        deal(),
    ]
    played = play("nz", "2c Kh Kd 3c 4c 5c 9h 8d", *acts)
    assert played.refusals == [(3, "betting_closed")]
    assert played.settlements() == [("ana", 1, "initial", "push", 0), ("ana", 1, "war", "win", 1000)]


@pytest.mark.clause("NZ-5.15b")
def test_a_wager_may_be_changed_and_taken_back_until_the_call() -> None:
    acts = [
        bet("ana", 1, "initial", 1000),
        bet("ana", 1, "initial", 500),
        bet("ana", 1, "tie", 500),
        bet("ben", 2, "initial", 1000),
        amend("ana", 1, "initial", 2500),
        withdraw("ana", 1, "tie"),
        withdraw("ben", 2, "initial"),
        deal(),
    ]
    played = play("nz", "2c Kh Qd", *acts)
    assert played.refusals == []
    assert played.settlements() == [("ana", 1, "initial", "win", 2500)]
    assert played.gain("ben") == 0


@pytest.mark.clause("NZ-5.15b")
def test_no_wager_is_touched_between_the_call_and_its_settlement() -> None:
    acts = [
        bet("ana", 1, "initial", 1000),
        bet("ana", 1, "tie", 500),
        act("no_more_bets"),
        amend("ana", 1, "initial", 2000),
        withdraw("ana", 1, "tie"),
        deal(),
        withdraw("ana", 1, "initial"),
        war("ana", 1),
        withdraw("ana", 1, "war"),
        amend("ana", 1, "war", 500),
        deal(),
    ]
    played = play("nz", "2c Kh Kd 3c 4c 5c 9h Td", *acts)
    assert played.refusals == [(number, "betting_closed") for number in (3, 4, 6, 8, 9)]
    assert played.settlements() == [
        ("ana", 1, "tie", "win", 10 * 500),
        ("ana", 1, "initial", "lose", -1000),
        ("ana", 1, "war", "lose", -1000),
    ]
