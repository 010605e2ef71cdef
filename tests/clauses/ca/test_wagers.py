"""California: which wagers there are, how much, who may bet where, and until when."""

from typing import Any

import pytest

from casinowar.rulebooks import SILENT, RulebookError, load_rulebook
from tests.clauses.ca.bank import bank, seat
from tests.support.rounds import act, bet, deal, play, war

PLAYERS = dict.fromkeys(("ana", "ben", "cat", "eve", "dan"), 100_000)
ANA = bet("ana", 1, "initial", 1000)


def clause(*ids: str) -> pytest.MarkDecorator:
    return pytest.mark.clause(*ids)


@clause("CA-STD-1a", "CA-BS-3", "CA-DEF-PRIM", "CA-DP-5a")
def test_no_card_without_a_primary_wager() -> None:
    played = play("ca", "2c Kh 9d", seat("ben", 2), bank(), deal(), ANA, deal())
    assert played.refusals == [(2, "no_wager")]
    assert played.refusal_clauses == [["CA-DP-5a"]]
    assert played.dealt() == "burn 2c, box 1 Kh, dealer 9d"


@clause("CA-BS-3", "CA-DEF-PRIM")
@pytest.mark.parametrize("wager", ["a_bomb", "perfect_pairs", "progressive"])
def test_there_are_no_other_wagers_before_the_deal(wager: str) -> None:
    played = play("ca", "2c Kh 9d", bank(), ANA, bet("ana", 1, wager, 500), deal())
    assert played.refusals == [(2, "wager_not_offered")]
    assert played.refusal_clauses == [["CA-BS-3"]]
    assert played.gain("ana") == 1000


@clause("CA-BS-4", "CA-STD-3b")
def test_a_tie_wager_goes_with_a_primary_wager_of_ones_own() -> None:
    tie = bet("ana", 1, "tie", 500)
    acts = [bank(), tie, bet("ben", 1, "initial", 1000), tie, ANA, tie, deal()]
    played = play("ca", "2c Kh 9d", *acts)
    assert played.refusals == [(1, "initial_required"), (3, "initial_required")]
    assert all({"CA-BS-4", "CA-STD-3b"} == set(cited) for cited in played.refusal_clauses)
    assert played.gain("ana") == 1000 - 500


@clause("CA-BS-4")
def test_a_primary_wager_cannot_leave_its_tie_wager_alone() -> None:
    take_back = [act("withdraw_wager", player="ana", box=1, wager=wager) for wager in ("initial", "tie", "initial")]
    played = play("ca", "2c", bank(), ANA, bet("ana", 1, "tie", 500), *take_back)
    assert played.refusals == [(3, "initial_required")]
    assert played.gain("ana") == 0


@clause("CA-BS-4", "CA-STD-3b")
def test_a_tie_wager_is_always_open_to_those_with_a_primary() -> None:
    played = play("ca", "2c", bank(), ANA, bet("ana", 1, "tie", 2500))
    assert played.refusals == []
    assert played.gain("ana") == -1000 - 2500


@clause("CA-BS-1")
@pytest.mark.parametrize(
    ("amount", "reason"),
    [(400, "wager_below_minimum"), (50_500, "wager_above_maximum"), (1250, "wager_off_unit")],
)
def test_wagers_outside_the_limits_are_refused(amount: int, reason: str) -> None:
    acts = [bank(), bet("ana", 1, "initial", amount), ANA, bet("ana", 1, "tie", amount), deal()]
    played = play("ca", "2c Kh 9d", *acts)
    assert played.refusals == [(1, reason), (3, reason)]
    assert played.refusal_clauses == [[] if reason == "wager_off_unit" else ["CA-BS-1"]] * 2, "units are silent"
    assert played.gain("ana") == 1000


@clause("CA-BS-1")
@pytest.mark.parametrize("amount", [500, 50_000])
def test_the_limits_themselves_are_allowed(amount: int) -> None:
    assert play("ca", "2c", bank(), bet("ana", 1, "initial", amount)).gain("ana") == -amount


@clause("CA-BS-1")
def test_a_wager_is_chips_on_the_layout_and_not_a_call() -> None:
    played = play("ca", "2c", bank(), bet("ana", 1, "initial", 1000, called=True), ANA)
    assert played.refusals == [(1, "called_wager")]
    assert played.gain("ana") == -1000


CLOSED = [
    bet("ben", 2, "initial", 1000),
    bet("ana", 1, "initial", 500),
    bet("ana", 1, "tie", 500),
    act("amend_wager", player="ana", box=1, wager="initial", amount=2000),
    act("amend_wager", player="ana", box=1, wager="initial", amount=500),
    act("withdraw_wager", player="ana", box=1, wager="initial"),
]


@clause("CA-BS-2a", "CA-BS-2b", "CA-DP-2a", "CA-STD-3b")
def test_after_the_call_nothing_is_made_raised_or_taken_back() -> None:
    played = play("ca", "2c Kh 9d", bank(), ANA, act("no_more_bets"), *CLOSED, deal())
    assert played.refusals == [(number, "betting_closed") for number in range(3, 9)]
    assert set(played.refusal_clauses[0]) == {"CA-BS-2a", "CA-DP-2a"}
    assert played.refusal_clauses[3] == ["CA-BS-2b"]
    assert (played.gain("ana"), played.gain("ben")) == (1000, 0)


@clause("CA-BS-2b", "CA-DP-2a")
def test_the_deal_itself_includes_the_call() -> None:
    played = play("ca", "2c Kh 9d", bank(), ANA, deal(1), *CLOSED, deal())
    assert played.refusals == [(number, "betting_closed") for number in range(3, 9)]
    names = [event["name"] for event in played.data["events"]]
    assert names.index("betting_closed") < names.index("card_burned") < names.index("card_dealt")


@clause("CA-BS-2b", "CA-BS-2a")
def test_until_the_call_wagers_may_be_changed() -> None:
    acts = [
        bank(),
        ANA,
        act("amend_wager", player="ana", box=1, wager="initial", amount=3000),
        bet("ben", 2, "initial", 1000),
        act("withdraw_wager", player="ben", box=2, wager="initial"),
        bet("ana", 1, "initial", 500),
        deal(),
    ]
    played = play("ca", "2c Kh 9d", *acts)
    assert played.refusals == []
    assert (played.gain("ana"), played.gain("ben")) == (3500, 0)


@clause("CA-BS-2b", "CA-RP-3b-i", "CA-RP-5a")
def test_the_war_wager_is_the_exception_and_lies_before_any_card_of_the_war() -> None:
    played = play("ca", "2c Kh Kd 3c", bank(), ANA, deal(), deal(), war("ana", 1), deal(1))
    assert played.refusals == [(3, "decision_open")]
    names = [event["name"] for event in played.data["events"]]
    assert names.index("war_declared") < names.index("card_burned", names.index("war_offered"))
    assert played.gain("ana") == -2 * 1000


@clause("CA-RP-5a", "CA-RP-3b-i")
def test_a_war_wager_cannot_be_placed_like_another_and_not_be_changed() -> None:
    acts = [
        bet("ana", 1, "war", 1000),
        war("ana", 1),
        act("amend_wager", player="ana", box=1, wager="war", amount=500),
        act("withdraw_wager", player="ana", box=1, wager="war"),
    ]
    played = play("ca", "2c Kh Kd", bank(), ANA, deal(), *acts)
    assert [number for number, _ in played.refusals] == [3, 5, 6]
    assert played.gain("ana") == -2 * 1000


# Places: eight on the table, others behind them.


@clause("CA-TAB-1")
def test_eight_places_with_the_banks_among_them() -> None:
    acts = [bank("dan", 9), bank("dan", 8), bet("ana", 9, "initial", 500), bet("ana", 7, "initial", 500), deal()]
    played = play("ca", "2c Kh 9d", *acts)
    assert played.refusals == [(0, "unknown_box"), (2, "unknown_box")]
    assert all("CA-TAB-1" in cited for cited in played.refusal_clauses)
    assert played.dealt() == "burn 2c, box 7 Kh, dealer 9d"


@clause("CA-NUM-2")
def test_others_bet_behind_a_seat_and_three_share_an_area_where_the_house_says_so() -> None:
    acts = [bet(player, 1, "initial", 500) for player in ("ana", "ben", "cat", "eve")]
    options = {"table.bettors_per_area": 3}
    played = play("ca", "2c Kh 9d", bank(), *acts, deal(), players=PLAYERS, options=options)
    assert played.refusals == [(4, "area_full")]
    assert "CA-NUM-2" in played.refusal_clauses[0]
    assert played.settlements() == [(player, 1, "initial", "win", 500) for player in ("ana", "ben", "cat")]
    assert played.dealt() == "burn 2c, box 1 Kh, dealer 9d"


@clause("CA-NUM-2")
def test_any_number_of_others_bet_behind_a_seat() -> None:
    """Thirty on one area, tie wagers too: the book names no number."""
    many = tuple(f"p{number}" for number in range(30))
    acts = [bet(player, 1, wager, 500) for player in many for wager in ("initial", "tie")]
    purses = {**dict.fromkeys(many, 100_000), "dan": 1_000_000}
    played = play("ca", "2c Kh 9d", bank(stake=1_000_000), *acts, deal(), players=purses)
    assert played.refusals == []
    assert [line[0] for line in played.settlements()[::2]] == list(many)
    assert all(played.balances[player] == 100_000 + 500 - 500 for player in many)


@clause("CA-NUM-2")
def test_the_floor_may_set_a_number_and_lift_it_again() -> None:
    """Without a number in the book any will do, and 0 is none."""
    acts = [bet(player, 1, "initial", 500) for player in ("ana", "ben", "cat")]
    directed = [act("set_bettors_per_area", bettors=number) for number in (-1, 2)]
    limited = play("ca", "2c", *directed, bank(), *acts)
    assert limited.refusals == [(0, "too_many_bettors"), (5, "area_full")]
    lifted = play("ca", "2c", *directed[1:], act("set_bettors_per_area", bettors=0), bank(), *acts)
    assert lifted.refusals == []
    in_a_house = play("ca", "2c", act("set_bettors_per_area", bettors=0), options={"table.bettors_per_area": 3})
    assert in_a_house.refusals == [(0, "too_many_bettors")]


@clause("CA-NUM-2")
@pytest.mark.parametrize("most", [1, 2, 4])
def test_the_operator_may_let_more_or_fewer_bet_on_an_area(most: int) -> None:
    bettors = ("ana", "ben", "cat", "eve")
    acts = [bet(player, 1, "initial", 500) for player in bettors]
    played = play("ca", "2c", bank(), *acts, players=PLAYERS, options={"table.bettors_per_area": most})
    assert [number for number, _ in played.refusals] == list(range(1 + most, 5))
    assert sum(100_000 - played.balances[player] for player in bettors) == most * 500


@clause("CA-NUM-2")
def test_a_seated_player_who_does_not_bet_keeps_nobody_from_betting() -> None:
    acts = [bet(player, 1, "initial", 500) for player in ("ben", "cat", "eve")]
    assert play("ca", "2c", bank(), seat("ana", 1), *acts, players=PLAYERS).refusals == []


@clause("CA-NUM-2")
def test_the_operator_may_do_without_bettors_behind() -> None:
    acts = [bank(), ANA, bet("ben", 1, "initial", 500), bet("ben", 2, "initial", 500)]
    assert play("ca", "2c", *acts[:3]).refusals == []
    without = play("ca", "2c", *acts, options={"table.backline": False})
    assert without.refusals == [(2, "area_full")]
    assert without.gain("ben") == -500


@clause("CA-NUM-1")
def test_one_place_for_each_player_and_no_grant_of_more() -> None:
    grant = act("grant_multi_box", player="ana", boxes=2, by="supervisor:s1")
    played = play("ca", "2c", bank(), ANA, grant, bet("ana", 2, "initial", 500))
    assert played.refusals == [(2, "not_in_the_book"), (3, "too_many_boxes")]
    assert played.refusal_clauses == [[], []], "the book limits the seats, and says nothing of boxes"


SUPPLIED = ("table.multi_box", "table.max_boxes_per_player", "shoe.marker_from_back")

FIXED: list[tuple[str, str, Any, str]] = [
    ("CA-DP-5a", "deal.to", "any_wager", "initial"),
    ("CA-NUM-1", "table.multi_box", True, "off"),
    ("CA-NUM-1", "table.max_boxes_per_player", 2, "1"),
    ("CA-NUM-1", "bank.least_seated", 1, "2"),
    ("CA-BS-3", "wager.war_perfect_pairs", True, "off"),
    ("CA-DECK-1", "shoe.shuffler", "manual", "batch_auto"),
    ("CA-RP-9c", "bank.by", "house", "player"),
    ("CA-RP-10b", "bank.max_consecutive", 3, "2"),
    ("CA-PO-2", "payout.tie.on_win", "11:1", "10:1"),
]


@pytest.mark.parametrize(
    ("rests_on", "key", "value", "stands"), [pytest.param(*one, marks=clause(one[0])) for one in FIXED]
)
def test_what_the_book_fixes_is_no_option(rests_on: str, key: str, value: object, stands: str) -> None:
    with pytest.raises(RulebookError, match=f"ca fixes {key} at {stands} ") as refused:
        load_rulebook("ca", {key: value})
    assert (SILENT if key in SUPPLIED else rests_on) in str(refused.value)


OUTSIDE: list[tuple[str, str, Any]] = [
    ("CA-NUM-2", "table.bettors_per_area", -1),
    ("CA-BS-5a", "bank.model", "unlimited"),
    ("CA-BS-5b", "bank.after_exhaustion", "pay_later"),
    ("CA-STD-2e", "war.burn_before_banker", 1),
    ("CA-DECK-3", "shoe.decks", 5),
    ("CA-DP-3", "shoe.marker_from_back", 51),
    ("CA-DP-3", "shoe.marker_from_back", 261),
]


@pytest.mark.parametrize(("rests_on", "key", "value"), [pytest.param(*one, marks=clause(one[0])) for one in OUTSIDE])
def test_an_option_outside_its_values_is_refused_with_its_clause(rests_on: str, key: str, value: object) -> None:
    with pytest.raises(RulebookError, match=f"does not allow {key} = ") as refused:
        load_rulebook("ca", {key: value})
    assert (SILENT if key in SUPPLIED else rests_on) in str(refused.value)
