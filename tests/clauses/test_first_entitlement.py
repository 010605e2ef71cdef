"""Who has first right to a place takes it from the last who has none (AMB-77): NZ 5.11(b), WA 3.4 and WA 4.11."""

import pytest

from tests.support.rounds import act, bet, deal, play, war

OLDER = {"priority.full": "refused"}
PLAYERS = dict.fromkeys(("ana", "ben", "cat", "dan", "eve"), 100_000)
TIES = [bet(who, 1, "tie", 500) for who in ("ana", "ben", "cat")]


@pytest.mark.clause("NZ-5.11b")
def test_the_player_with_a_casino_war_wager_takes_the_place_of_the_last_who_has_none() -> None:
    acts = [*TIES, bet("dan", 1, "initial", 1000), bet("dan", 1, "tie", 500), deal()]
    played = play("nz", "2c Kh 9d", *acts, players=PLAYERS)
    assert played.refusals == []
    gone = [
        (one["player"], one["amount"], one["gives_way_to"], one["clauses"]) for one in played.events("wager_withdrawn")
    ]
    assert gone == [("cat", 500, "dan", ["NZ-5.11b"])]
    assert played.gain("cat") == 0
    assert played.gain("dan") == 1000 - 500
    assert [who for who, _, wager, _, _ in played.settlements() if wager == "tie"] == ["ana", "ben", "dan"]


@pytest.mark.clause("NZ-5.11b")
def test_those_with_the_wager_themselves_stay_and_the_last_of_the_others_goes() -> None:
    acts = [*TIES, bet("cat", 1, "initial", 1000), bet("dan", 1, "initial", 1000), bet("dan", 1, "tie", 500)]
    played = play("nz", "2c", *acts, players=PLAYERS)
    assert [one["player"] for one in played.events("wager_withdrawn")] == ["ben"]


@pytest.mark.clause("NZ-5.11b")
def test_an_addition_does_not_make_anybody_the_last_to_come() -> None:
    acts = [*TIES, bet("ana", 1, "tie", 500), bet("dan", 1, "initial", 1000), bet("dan", 1, "tie", 500)]
    played = play("nz", "2c", *acts, players=PLAYERS)
    assert [one["player"] for one in played.events("wager_withdrawn")] == ["cat"]


@pytest.mark.clause("NZ-5.11b", "NZ-5.9-i")
def test_where_all_have_one_the_newcomer_is_refused() -> None:
    both = [bet(who, 1, wager, 1000) for who in ("ana", "ben", "cat") for wager in ("initial", "tie")]
    played = play("nz", "2c", *both, bet("dan", 1, "tie", 500), players=PLAYERS)
    assert played.refusals == [(6, "area_full")]
    assert played.events("wager_withdrawn") == []


@pytest.mark.clause("NZ-5.11b", "NZ-5.9-i")
def test_without_the_right_nobody_gives_way() -> None:
    played = play("nz", "2c", *TIES, bet("dan", 1, "tie", 500), players=PLAYERS)
    assert played.refusals == [(3, "area_full")]


@pytest.mark.clause("NZ-5.11b")
@pytest.mark.parametrize(("amount", "reason"), [(0, "amount_not_positive"), (501, "wager_off_unit")])
def test_a_wager_that_is_refused_anyway_moves_nobody(amount: int, reason: str) -> None:
    acts = [*TIES, bet("dan", 1, "initial", 1000), bet("dan", 1, "tie", amount)]
    played = play("nz", "2c", *acts, players=PLAYERS)
    assert played.refusals == [(4, reason)]
    assert played.events("wager_withdrawn") == []


@pytest.mark.clause("NZ-5.11b")
def test_only_while_wagers_may_be_moved() -> None:
    acts = [*TIES, bet("dan", 1, "initial", 1000), act("no_more_bets"), bet("dan", 1, "tie", 500)]
    played = play("nz", "2c Kh 9d", *acts, players=PLAYERS)
    assert played.refusals == [(5, "betting_closed")]


@pytest.mark.clause("NZ-5.11b")
def test_what_the_other_had_makes_room_under_a_maximum_for_the_area() -> None:
    """1,500 is the most for the area: the 500 that went back do not count any more."""
    acts = [*TIES, act("direct_box_max", amount=1500), bet("dan", 1, "initial", 1000), bet("dan", 1, "tie", 500)]
    played = play("nz", "2c", acts[3], *TIES, *acts[4:], players=PLAYERS)
    assert played.refusals == []


@pytest.mark.clause("NZ-5.11b")
def test_in_the_older_reading_a_full_tie_area_refuses_the_player_with_the_casino_war_wager() -> None:
    acts = [*TIES, bet("dan", 1, "initial", 1000), bet("dan", 1, "tie", 500)]
    played = play("nz", "2c", *acts, players=PLAYERS, options=OLDER)
    assert played.refusals == [(4, "area_full")]


BEHIND = [bet(who, 1, "initial", 1000) for who in ("ana", "ben", "cat")]
SEAT = act("seat_player", player="dan", box=1)
LEFT = act("vacate_seat", player="ana")


@pytest.mark.clause("WA-3.4")
@pytest.mark.parametrize("wager", ["initial", "tie", "a_bomb", "perfect_pairs"])
def test_the_seated_player_takes_the_place_of_the_last_from_behind(wager: str) -> None:
    behind = [bet(who, 1, wager, 1000) for who in ("ana", "ben", "cat")]
    acts = [*behind, LEFT, SEAT, bet("dan", 1, wager, 1000)]
    played = play("wa", "Ac 2c Kh 9d", *acts, players=PLAYERS)
    assert played.refusals == []
    gone = [(one["player"], one["gives_way_to"], one["clauses"]) for one in played.events("wager_withdrawn")]
    assert gone == [("cat", "dan", ["WA-3.4"])]
    assert {one["player"] for one in played.data["open"]} == {"ana", "ben", "dan"}
    older = play("wa", "Ac 2c Kh 9d", *acts, players=PLAYERS, options=OLDER)
    assert older.refusals == [(5, "area_full")]


@pytest.mark.clause("WA-3.4")
def test_from_behind_nobody_has_a_right_to_the_area() -> None:
    acts = [*BEHIND, LEFT, SEAT, bet("eve", 1, "initial", 1000)]
    played = play("wa", "Ac 2c Kh 9d", *acts, players=PLAYERS)
    assert played.refusals == [(5, "area_full")]


TIED = [bet("ana", 1, "initial", 1000), bet("ben", 1, "initial", 1000), deal(), war("ana", 1)]
PAIRS = [bet(who, 1, "war_perfect_pairs", 500) for who in ("cat", "dan", "eve")]
WAR_SHOE = "Ac 2c 9h 9d 3c 4c 5c Kh Qs"
REFUSED = [(6, "area_reserved")]
"""A place is kept for ana, who is at war; cat and dan have the other two."""


@pytest.mark.clause("WA-4.11")
def test_at_a_war_whoever_fights_it_takes_the_place_of_the_last_who_does_not() -> None:
    """Cat and dan have two of the three places when ben goes to war; ana takes the third, and ben takes dan's."""
    mine = [bet("ana", 1, "war_perfect_pairs", 500), war("ben", 1), bet("ben", 1, "war_perfect_pairs", 500)]
    acts = [*TIED, *PAIRS, *mine, deal()]
    played = play("wa", WAR_SHOE, *acts, players=PLAYERS)
    assert played.refusals == REFUSED
    gone = [(one["player"], one["gives_way_to"], one["clauses"]) for one in played.events("wager_withdrawn")]
    assert gone == [("dan", "ben", ["WA-4.11"])]
    assert played.gain("dan") == 0
    assert [who for who, _, wager, _, _ in played.settlements() if wager == "war_perfect_pairs"] == [
        "ana",
        "ben",
        "cat",
    ]
    older = play("wa", WAR_SHOE, *acts, players=PLAYERS, options=OLDER)
    assert older.refusals == [*REFUSED, (9, "area_full")]


@pytest.mark.clause("WA-4.11")
def test_where_all_are_at_war_the_fourth_is_refused() -> None:
    bets = [bet(who, 1, "initial", 1000) for who in ("ana", "ben", "cat")]
    wars = [war(who, 1) for who in ("ana", "ben", "cat")]
    pairs = [bet(who, 1, "war_perfect_pairs", 500) for who in ("ana", "ben", "cat", "dan")]
    played = play("wa", WAR_SHOE, *bets, deal(), *wars, *pairs, players=PLAYERS)
    assert played.refusals == [(10, "area_full")]
