"""New Zealand: when each wager wins and loses, what it is paid, and in which order the dealer acts on it."""

import pytest

from tests.support.rounds import Played, bet, deal, play, surrender, war


def go_to_war(second: str) -> Played:
    """A war over 1,000 with a Tie wager of 500; `second` is the player's second card, then the dealer's."""
    acts = [bet("ana", 1, "initial", 1000), bet("ana", 1, "tie", 500), deal(), war("ana", 1), deal()]
    return play("nz", f"2c Kh Kd 3c 4c 5c {second}", *acts)


@pytest.mark.clause("NZ-5.3a", "NZ-5.13a")
@pytest.mark.parametrize("amount", [500, 1000, 50000])
def test_a_higher_first_card_wins_one_to_one(amount: int) -> None:
    played = play("nz", "2c Kh Qd", bet("ana", 1, "initial", amount), deal())
    line = played.line("ana", "initial")
    assert (line["outcome"], line["odds"], line["paid"], line["returned"]) == ("win", "1:1", amount, amount)
    assert {"NZ-5.3a", "NZ-5.13a"} <= set(line["clauses"])
    assert (played.gain("ana"), played.balances["house"]) == (amount, -amount)


@pytest.mark.clause("NZ-5.3b")
def test_a_lower_first_card_loses() -> None:
    played = play("nz", "2c Qh Kd", bet("ana", 1, "initial", 1000), deal())
    line = played.line("ana", "initial")
    assert (line["outcome"], line["odds"], line["paid"], line["returned"]) == ("lose", None, 0, 0)
    assert {"NZ-5.3b"} <= set(line["clauses"])
    assert (played.gain("ana"), played.balances["house"]) == (-1000, 1000)


@pytest.mark.clause("NZ-5.4a", "NZ-5.13b")
def test_a_higher_second_card_wins_one_to_one_on_the_war_wager() -> None:
    line = go_to_war("9h 8d").line("ana", "war")
    assert (line["outcome"], line["odds"], line["paid"], line["returned"]) == ("win", "1:1", 1000, 1000)
    assert {"NZ-5.4a", "NZ-5.13b"} <= set(line["clauses"])


@pytest.mark.clause("NZ-5.4b", "NZ-5.13c")
def test_an_equal_second_card_wins_two_to_one_on_the_war_wager() -> None:
    line = go_to_war("9h 9d").line("ana", "war")
    assert (line["outcome"], line["odds"], line["paid"], line["returned"]) == ("win", "2:1", 2000, 1000)
    assert {"NZ-5.4b", "NZ-5.13c"} <= set(line["clauses"])


@pytest.mark.clause("NZ-5.4c")
def test_a_lower_second_card_loses_the_war_wager() -> None:
    line = go_to_war("8h 9d").line("ana", "war")
    assert (line["outcome"], line["odds"], line["paid"], line["returned"]) == ("lose", None, 0, 0)
    assert {"NZ-5.4c"} <= set(line["clauses"])


@pytest.mark.clause("NZ-5.5a")
@pytest.mark.parametrize(("second", "war_pays"), [("9h 8d", 1000), ("9h 9d", 2000)])
def test_the_initial_wager_stands_off_when_the_war_wager_wins(second: str, war_pays: int) -> None:
    played = go_to_war(second)
    line = played.line("ana", "initial")
    assert (line["outcome"], line["odds"], line["paid"], line["returned"]) == ("push", None, 0, 1000)
    assert {"NZ-5.5a"} <= set(line["clauses"])
    assert played.gain("ana") == 10 * 500 + 0 + war_pays


@pytest.mark.clause("NZ-5.5b")
def test_the_initial_wager_falls_with_the_war_wager() -> None:
    played = go_to_war("8h 9d")
    line = played.line("ana", "initial")
    assert (line["outcome"], line["paid"], line["returned"]) == ("lose", 0, 0)
    assert {"NZ-5.5b"} <= set(line["clauses"])
    assert played.gain("ana") == 10 * 500 - 1000 - 1000


@pytest.mark.clause("NZ-5.6", "NZ-5.13d")
def test_equal_first_cards_pay_a_tie_wager_ten_to_one() -> None:
    played = play("nz", "2c 7h 7d", bet("ana", 1, "tie", 1500), deal())
    line = played.line("ana", "tie")
    assert (line["outcome"], line["odds"], line["paid"], line["returned"]) == ("win", "10:1", 15000, 1500)
    assert {"NZ-5.6", "NZ-5.13d"} <= set(line["clauses"])
    assert played.gain("ana") == 10 * 1500


@pytest.mark.clause("NZ-5.6", "NZ-8.5.1a")
@pytest.mark.parametrize("first", ["8h 7d", "7h 8d"])
def test_unequal_first_cards_lose_a_tie_wager(first: str) -> None:
    played = play("nz", f"2c {first}", bet("ana", 1, "tie", 500), deal())
    line = played.line("ana", "tie")
    assert (line["outcome"], line["paid"], line["returned"]) == ("lose", 0, 0)
    assert played.gain("ana") == -500


@pytest.mark.clause("NZ-5.6")
@pytest.mark.parametrize("second", ["9h 8d", "9h 9d", "8h 9d"])
def test_second_cards_do_not_matter_to_a_tie_wager(second: str) -> None:
    line = go_to_war(second).line("ana", "tie")
    assert (line["outcome"], line["net"]) == ("win", 10 * 500)


@pytest.mark.clause("NZ-8.5.1", "NZ-8.5.1b", "NZ-5.13d")
def test_a_tie_wager_is_paid_before_the_war_is_decided() -> None:
    acts = [bet("ana", 1, "initial", 1000), bet("ana", 1, "tie", 500), deal()]
    played = play("nz", "2c Kh Kd", *acts)
    assert [(one["wager"], one["paid"]) for one in played.events("wager_settled")] == [("tie", 10 * 500)]
    assert played.gain("ana") == 10 * 500 - 1000
    assert [wager["wager"] for wager in played.data["open"]] == ["initial"]


@pytest.mark.clause("NZ-8.5.1", "NZ-8.5.1a", "NZ-8.5.1b", "NZ-8.5.2", "NZ-8.5.2a", "NZ-8.5.2b")
def test_ties_before_initial_wagers_and_takes_before_pays_from_the_right() -> None:
    owners = {1: "ana", 2: "ana", 3: "ana", 4: "ben", 5: "ben", 6: "ben"}
    bets = [bet(owner, box, wager, 500) for box, owner in owners.items() for wager in ("initial", "tie")]
    acts = [*bets, deal(), surrender("ana", 1), surrender("ben", 4)]
    played = play("nz", "2c 9h 4h Kh 9s 3h Ah 9d", *acts, options={"table.multi_box": True})
    taken_ties = [(owners[box], box, "tie", "lose", -500) for box in (6, 5, 3, 2)]
    paid_ties = [(owners[box], box, "tie", "win", 5000) for box in (4, 1)]
    taken = [(owners[box], box, "initial", "lose", -500) for box in (5, 2)]
    paid = [(owners[box], box, "initial", "win", 500) for box in (6, 3)]
    surrendered = [(owners[box], box, "initial", "surrender", -250) for box in (1, 4)]
    assert played.settlements() == taken_ties + paid_ties + taken + paid + surrendered


@pytest.mark.clause("NZ-8.5.2c", "NZ-8.5.2b", "NZ-8.5.2a")
def test_war_is_offered_only_after_the_other_wagers_are_acted_on() -> None:
    acts = [
        bet("ana", 1, "initial", 1000),
        bet("ben", 2, "initial", 1000),
        bet("cat", 3, "initial", 1000),
        bet("dan", 4, "initial", 1000),
        deal(),
    ]
    played = play("nz", "2c Ah 9h 9s 3h 9d", *acts)
    story = [
        (event["name"], event["box"])
        for event in played.data["events"]
        if event["name"] in ("wager_settled", "war_offered")
    ]
    assert story[:2] == [("wager_settled", 4), ("wager_settled", 1)]
    assert sorted(story[2:]) == [("war_offered", 2), ("war_offered", 3)]


@pytest.mark.clause("NZ-8.9", "NZ-5.13b", "NZ-5.13c")
def test_final_settlement_goes_from_the_right_and_takes_both_wagers_of_a_bettor() -> None:
    acts = [
        bet("ana", 1, "initial", 1000),
        bet("ben", 3, "initial", 2000),
        bet("cat", 3, "initial", 500),
        bet("dan", 5, "initial", 3000),
        deal(),
        war("ana", 1),
        war("ben", 3),
        war("cat", 3),
        war("dan", 5),
        deal(),
    ]
    played = play("nz", "2c Kh Ks Kc Kd 3c 4c 5c Th 9h 4h 9d", *acts)
    assert played.settlements() == [
        ("dan", 5, "initial", "lose", -3000),
        ("dan", 5, "war", "lose", -3000),
        ("ben", 3, "initial", "push", 0),
        ("ben", 3, "war", "win", 2 * 2000),
        ("cat", 3, "initial", "push", 0),
        ("cat", 3, "war", "win", 2 * 500),
        ("ana", 1, "initial", "push", 0),
        ("ana", 1, "war", "win", 1000),
    ]
    assert played.balances["house"] == 2 * 3000 - 2 * 2000 - 2 * 500 - 1000


@pytest.mark.clause("NZ-8.9")
def test_a_surrendered_wager_is_not_settled_again() -> None:
    acts = [
        bet("ana", 1, "initial", 1000),
        bet("ben", 1, "initial", 1000),
        deal(),
        surrender("ana", 1),
        war("ben", 1),
        deal(),
    ]
    played = play("nz", "2c Kh Kd 3c 4c 5c 9h 8d", *acts)
    assert played.settlements() == [
        ("ana", 1, "initial", "surrender", -500),
        ("ben", 1, "initial", "push", 0),
        ("ben", 1, "war", "win", 1000),
    ]
