"""Massachusetts, sections 8 and 9: what every wager comes to, and in which order the dealer acts."""

import re
from typing import Any

import pytest

from casinowar.rulebooks import RulebookError, load_rulebook
from tests.support.rounds import Act, Played, bet, deal, play, surrender, war

ANA = bet("ana", 1, "initial", 1000)
TIE = bet("ana", 1, "tie", 500)
WAR_TIE = bet("ana", 1, "war_tie", 500)
THREE = [bet(player, box, "initial", 1000) for player, box in (("ana", 1), ("ben", 2), ("cat", 3))]


def fought(seconds: str, *late: Act) -> Played:
    """Nines tied and gone to war over, with these second cards of ana's and the dealer's."""
    return play("ma", f"2c 9h 9d 3c 4c 5c {seconds}", ANA, deal(), war("ana", 1), *late, deal())


@pytest.mark.clause("MA-8a1", "MA-8b-i")
def test_a_lower_card_loses_initial_and_tie_to_the_float() -> None:
    played = play("ma", "2c 2h 9d", ANA, TIE, deal())
    assert played.settlements() == [("ana", 1, "initial", "lose", -1000), ("ana", 1, "tie", "lose", -500)]
    assert played.balances["house"] == 1500
    assert [event["clauses"] for event in played.events("wager_settled")] == [["MA-8a1"], ["MA-8a1"]]


@pytest.mark.clause("MA-8a2", "MA-9a1", "MA-8b-ii")
def test_a_higher_card_wins_the_initial_at_evens_and_loses_the_tie() -> None:
    played = play("ma", "2c Kh 9d", ANA, TIE, deal())
    assert played.settlements() == [("ana", 1, "initial", "win", 1000), ("ana", 1, "tie", "lose", -500)]
    line = played.line("ana", "initial")
    assert (line["odds"], line["paid"], line["returned"]) == ("1:1", 1000, 1000)
    assert [event["clauses"] for event in played.events("wager_settled")] == [["MA-8a2", "MA-9a1"], ["MA-8a2"]]


@pytest.mark.clause("MA-8a3", "MA-9a2", "MA-8b-ii")
def test_an_equal_card_wins_the_tie_ten_to_one_and_leaves_the_initial_to_the_players_choice() -> None:
    played = play("ma", "2c 9h 9d", ANA, TIE, deal())
    assert played.data["open"] == [{"player": "ana", "box": 1, "wager": "initial", "amount": 1000}]
    assert played.gain("ana") == -1000 + 10 * 500
    assert [event["player"] for event in played.events("war_offered")] == ["ana"]
    settled = played.events("wager_settled")
    assert [(one["wager"], one["odds"], one["returned"]) for one in settled] == [("tie", "10:1", 500)]


@pytest.mark.clause("MA-8a", "MA-8b-i")
def test_initial_and_tie_are_settled_together_seat_by_seat_from_the_dealers_right() -> None:
    """One pass: Ana on the left loses last, after Cat on the right was paid."""
    ties = [bet(player, box, "tie", 500) for player, box in (("ana", 1), ("ben", 2), ("cat", 3))]
    played = play("ma", "2c 2h 9h Kh 9d", *THREE, *ties, deal(), surrender("ben", 2))
    assert played.settlements() == [
        ("cat", 3, "initial", "win", 1000),
        ("cat", 3, "tie", "lose", -500),
        ("ben", 2, "tie", "win", 5000),
        ("ana", 1, "initial", "lose", -1000),
        ("ana", 1, "tie", "lose", -500),
        ("ben", 2, "initial", "surrender", -500),
    ]


@pytest.mark.clause("MA-8b-i", "MA-8h-i", "MA-8b-ii", "MA-8h-ii")
def test_what_players_lose_and_win_is_the_floats() -> None:
    ties = [bet("ana", 1, "tie", 500), bet("ben", 2, "tie", 500)]
    late = [war("ana", 1), bet("ana", 1, "war_tie", 500), war("cat", 3)]
    played = play("ma", "2c 9h 2h 9s 9d 3c 4c 5c 2s Kh Qd", *THREE, *ties, deal(), *late, deal())
    assert played.gain("ana") == 5000 - 2000 - 500
    assert played.gain("ben") == -1000 - 500
    assert played.gain("cat") == 1000
    assert played.balances["house"] == -(2500 - 1500 + 1000)
    assert played.data["rounds"][0]["net"] == {"ana": 2500, "ben": -1500, "cat": 1000, "house": -2000}


@pytest.mark.clause("MA-8c1-i", "MA-8c1-ii")
@pytest.mark.parametrize("amount", [500, 1000, 50000])
def test_surrender_costs_half_the_initial_wager_and_ends_the_round_for_the_player(amount: int) -> None:
    played = play("ma", "2c 9h 9d", bet("ana", 1, "initial", amount), deal(), surrender("ana", 1))
    line = played.line("ana", "initial")
    assert (line["outcome"], line["paid"], line["returned"]) == ("surrender", 0, amount // 2)
    assert played.balances["house"] == amount // 2
    assert played.events("wager_settled")[0]["clauses"] == ["MA-8c1-i", "MA-8c1-ii"]


@pytest.mark.clause("MA-8c1-ii")
@pytest.mark.parametrize(
    ("options", "lost"), [({}, 2), ({"surrender.odd_unit": "player"}, 2), ({"surrender.odd_unit": "house"}, 3)]
)
def test_the_odd_unit_of_a_surrender_goes_to_the_player_unless_set_otherwise(
    options: dict[str, Any], lost: int
) -> None:
    """AMB-28: of five, two or three."""
    played = play(
        "ma", "2c 9h 9d", bet("ana", 1, "initial", 5), deal(), surrender("ana", 1), options=options, limits={}
    )
    assert played.gain("ana") == -lost


@pytest.mark.clause("MA-8c1-i")
@pytest.mark.parametrize(("options", "refused"), [({}, []), ({"limits.require_even": True}, [(0, "wager_odd")])])
def test_an_operator_may_ask_for_amounts_that_can_be_halved(options: dict[str, Any], refused: list[Any]) -> None:
    bets = [bet("ana", 1, "initial", 5), bet("ben", 2, "initial", 4)]
    played = play("ma", "2c 9h 9s 9d", *bets, deal(), surrender("ben", 2), options=options, limits={})
    assert [one for one in played.refusals if one[1] == "wager_odd"] == refused
    assert played.gain("ben") == -2


@pytest.mark.clause("MA-8g", "MA-8h-i")
def test_the_war_is_settled_from_the_dealers_right_initial_war_and_tie_together() -> None:
    late = [war("ana", 1), war("ben", 2), war("cat", 3), WAR_TIE, bet("cat", 3, "war_tie", 500)]
    played = play("ma", "2c 9h 9s 9c 9d 3c 4c 5c Kh Qs 2h Qd", *THREE, deal(), *late, deal())
    assert played.settlements() == [
        ("cat", 3, "initial", "lose", -1000),
        ("cat", 3, "war", "lose", -1000),
        ("cat", 3, "war_tie", "lose", -500),
        ("ben", 2, "initial", "push", 0),
        ("ben", 2, "war", "win", 2000),
        ("ana", 1, "initial", "push", 0),
        ("ana", 1, "war", "win", 1000),
        ("ana", 1, "war_tie", "lose", -500),
    ]


@pytest.mark.clause("MA-8g1", "MA-8h-i")
def test_a_war_lost_costs_initial_war_and_tie() -> None:
    played = fought("2h Kd", WAR_TIE)
    assert played.settlements() == [
        ("ana", 1, "initial", "lose", -1000),
        ("ana", 1, "war", "lose", -1000),
        ("ana", 1, "war_tie", "lose", -500),
    ]
    assert played.balances["house"] == 2500
    assert played.line("ana", "war_tie")["clauses"] == ["MA-8g1"]


@pytest.mark.clause("MA-8g2", "MA-9a1", "MA-9a3", "MA-8h-ii")
def test_a_war_won_returns_the_initial_and_pays_the_war_at_evens() -> None:
    played = fought("Kh Qd", WAR_TIE)
    assert played.settlements() == [
        ("ana", 1, "initial", "push", 0),
        ("ana", 1, "war", "win", 1000),
        ("ana", 1, "war_tie", "lose", -500),
    ]
    assert (played.line("ana", "initial")["returned"], played.line("ana", "war")["odds"]) == (1000, "1:1")
    assert played.line("ana", "war_tie")["clauses"] == ["MA-8g2"]


@pytest.mark.clause("MA-8g3", "MA-9a1", "MA-9a2", "MA-9a3", "MA-8h-ii")
def test_a_war_tied_returns_the_initial_and_pays_the_war_double_and_the_tie_ten_to_one() -> None:
    played = fought("Kh Kd", WAR_TIE)
    assert played.settlements() == [
        ("ana", 1, "initial", "push", 0),
        ("ana", 1, "war", "win", 2000),
        ("ana", 1, "war_tie", "win", 5000),
    ]
    assert (played.line("ana", "war")["odds"], played.line("ana", "war_tie")["odds"]) == ("2:1", "10:1")
    assert played.line("ana", "war_tie")["clauses"] == ["MA-8g3", "MA-9a2"]


@pytest.mark.clause("MA-9a1", "MA-9a2", "MA-9a3")
@pytest.mark.parametrize("key", ["payout.initial.on_win", "payout.tie.on_win", "payout.war.on_tie"])
def test_the_payouts_are_nobodys_to_choose(key: str) -> None:
    with pytest.raises(RulebookError, match=f"ma fixes {re.escape(key)} at"):
        load_rulebook("ma", {key: "3:1"})
