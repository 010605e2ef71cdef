"""WA rules 3.7, 3.14 and 4.11: the war wager, and Perfect Pairs on first and on second cards."""

import pytest

from tests.support.rounds import bet, deal, play, surrender, war

OPENING = "Ac 2c "


@pytest.mark.clause("WA-3.7")
@pytest.mark.parametrize("amount", [500, 1000, 33000])
def test_the_war_wager_equals_the_first_and_the_house_puts_nothing_beside_it(amount: int) -> None:
    played = play("wa", OPENING + "9h 9d", bet("ana", 1, "initial", amount), deal(), war("ana", 1))
    assert [(declared["amount"], declared["match"]) for declared in played.events("war_declared")] == [(amount, 0)]
    assert (played.gain("ana"), played.balances["house"]) == (-2 * amount, 0)


@pytest.mark.clause("WA-3.7", "WA-5.7c")
def test_the_war_wager_equals_the_first_as_it_plays() -> None:
    played = play(
        "wa",
        OPENING + "9h 9d 3c 4c 5c Kh Qs",
        bet("ana", 1, "initial", 9000),
        deal(),
        war("ana", 1),
        deal(),
        limits={"minimum": 1000, "maximum": 5000, "unit": 500},
    )
    assert played.line("ana", "war")["amount"] == 5000
    assert played.gain("ana") == 5000


@pytest.mark.clause("WA-3.7")
@pytest.mark.parametrize("options", [{}, {"war.exempt": True}])
def test_no_maximum_stands_in_the_way_of_the_equal_war_wager(options: dict[str, bool]) -> None:
    acts = [bet("ana", 1, "initial", 5000), deal(), war("ana", 1), deal()]
    limits = {"minimum": 500, "maximum": 5000, "unit": 500}
    played = play("wa", OPENING + "9h 9d 3c 4c 5c Kh Qs", *acts, options=options, limits=limits)
    assert played.refusals == []
    assert played.line("ana", "war")["amount"] == 5000


@pytest.mark.clause("WA-3.7")
@pytest.mark.parametrize(("initial", "refused"), [(2500, False), (3000, True)])
def test_the_operator_may_hold_both_wagers_together_to_the_maximum(initial: int, refused: bool) -> None:
    acts = [bet("ana", 1, "initial", initial), deal(), war("ana", 1)]
    limits = {"minimum": 500, "maximum": 5000, "unit": 500}
    played = play("wa", OPENING + "9h 9d", *acts, options={"war.exempt": False}, limits=limits)
    assert played.refusals == ([(2, "wager_above_maximum")] if refused else [])
    assert played.gain("ana") == (-initial if refused else -2 * initial)


@pytest.mark.clause("WA-3.7", "WA-4.10")
def test_everyone_with_a_first_wager_on_the_tied_box_chooses_and_nobody_else() -> None:
    played = play(
        "wa",
        OPENING + "9h Kh 9d",
        bet("ana", 1, "initial", 1000),
        bet("ben", 1, "initial", 500),
        bet("cat", 1, "tie", 500),
        bet("dan", 2, "initial", 1000),
        deal(),
        war("cat", 1),
        war("dan", 2),
        war("ben", 1),
    )
    assert [offer["player"] for offer in played.events("war_offered")] == ["ana", "ben"]
    assert played.refusals == [(5, "no_decision"), (6, "no_decision")]
    assert [(one["player"], one["amount"]) for one in played.events("war_declared")] == [("ben", 500)]


@pytest.mark.clause("WA-3.7")
def test_a_war_that_cannot_be_paid_for_in_full_is_refused() -> None:
    acts = [bet("ana", 1, "initial", 1000), deal(), war("ana", 1), surrender("ana", 1)]
    played = play("wa", OPENING + "9h 9d", *acts, players={"ana": 1999})
    assert played.refusals == [(2, "insufficient_funds")]
    assert played.balances == {"ana": 1499, "house": 500}


@pytest.mark.clause("WA-3.14a")
def test_the_first_perfect_pairs_wager_is_down_before_the_round() -> None:
    late = bet("ana", 1, "perfect_pairs", 500)
    played = play("wa", OPENING + "9h 9d", bet("ana", 1, "initial", 1000), deal(2), late, deal(), late)
    assert played.refusals == [(2, "betting_closed"), (4, "betting_closed")]
    assert played.refusal_clauses[0] == ["WA-3.2"]


@pytest.mark.clause("WA-3.14b")
def test_the_second_perfect_pairs_wager_goes_with_a_war_wager_on_that_box() -> None:
    pairs = bet("ben", 1, "war_perfect_pairs", 500)
    played = play(
        "wa",
        OPENING + "9h 9c 9d 3c 4c 5c Kh Qs Kd",
        bet("ana", 1, "initial", 1000),
        bet("ben", 1, "initial", 1000),
        bet("cat", 2, "initial", 1000),
        pairs,
        deal(),
        pairs,
        war("cat", 2),
        pairs,
        war("ana", 1),
        surrender("ben", 1),
        pairs,
        deal(),
    )
    assert played.refusals == [(3, "no_war_wager"), (5, "no_war_wager"), (7, "no_war_wager")]
    assert played.refusal_clauses[0] == ["WA-3.14b"]
    line = played.line("ben", "war_perfect_pairs")
    assert (line["outcome"], line["odds"], line["net"]) == ("win", "12:1", 12 * 500)


@pytest.mark.clause("WA-3.14b", "WA-1.1-BOX")
def test_where_perfect_pairs_is_not_offered_there_is_no_second_one_either() -> None:
    acts = [bet("ana", 1, "initial", 1000), deal(), war("ana", 1), bet("ana", 1, "war_perfect_pairs", 500)]
    played = play("wa", OPENING + "9h 9d", *acts, options={"wager.perfect_pairs": False})
    assert played.refusals == [(3, "wager_not_offered")]


@pytest.mark.clause("WA-3.10a")
def test_the_war_has_no_tie_wager() -> None:
    acts = [bet("ana", 1, "initial", 1000), deal(), war("ana", 1), bet("ana", 1, "war_tie", 500)]
    played = play("wa", OPENING + "9h 9d", *acts)
    assert played.refusals == [(3, "wager_not_offered")]
    assert played.refusal_clauses[0] == ["WA-3.10a"]


@pytest.mark.clause("WA-4.11")
def test_the_places_are_kept_for_those_who_went_to_war() -> None:
    three = ("ana", "ben", "cat")
    played = play(
        "wa",
        OPENING + "9h 9d",
        *(bet(player, 1, "initial", 1000) for player in three),
        deal(),
        *(war(player, 1) for player in three),
        bet("dan", 1, "war_perfect_pairs", 500),
        *(bet(player, 1, "war_perfect_pairs", 500) for player in three),
    )
    assert played.refusals == [(7, "area_reserved")]
    assert played.refusal_clauses[0] == ["WA-4.11"]
    assert [one["player"] for one in played.data["open"] if one["wager"] == "war_perfect_pairs"] == list(three)


@pytest.mark.clause("WA-4.11", "WA-3.14b", "WA-3.3")
def test_others_share_the_places_that_the_war_leaves_free() -> None:
    played = play(
        "wa",
        OPENING + "9h 9d",
        *(bet(player, 1, "initial", 1000) for player in ("ana", "ben", "cat")),
        deal(),
        war("ana", 1),
        surrender("ben", 1),
        surrender("cat", 1),
        *(bet(player, 1, "war_perfect_pairs", 500) for player in ("ben", "dan", "cat", "ana")),
    )
    assert played.refusals == [(9, "area_reserved")]
    assert [one["player"] for one in played.data["open"] if one["wager"] == "war_perfect_pairs"] == [
        "ben",
        "dan",
        "ana",
    ]


@pytest.mark.clause("WA-4.11")
def test_the_operator_may_keep_the_second_perfect_pairs_to_those_at_war() -> None:
    played = play(
        "wa",
        OPENING + "9h 9d",
        *(bet(player, 1, "initial", 1000) for player in ("ana", "ben")),
        deal(),
        war("ana", 1),
        surrender("ben", 1),
        *(bet(player, 1, "war_perfect_pairs", 500) for player in ("ben", "dan", "ana")),
        options={"priority.war_perfect_pairs": "war_only"},
    )
    assert played.refusals == [(5, "no_war_wager"), (6, "no_war_wager")]
    assert [one["player"] for one in played.data["open"] if one["wager"] == "war_perfect_pairs"] == ["ana"]
