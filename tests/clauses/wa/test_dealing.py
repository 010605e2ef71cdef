"""WA rules 4.8 to 4.13: the deal, the settlement, the decision, and the war."""

from typing import Any

import pytest

from tests.support.rounds import bet, deal, play, surrender, war

OPENING = "Ac 2c "


@pytest.mark.clause("WA-4.8", "WA-4.8b")
def test_the_deal_runs_clockwise_from_the_dealers_left_and_ends_with_the_dealer() -> None:
    wagers = [bet("ana", 5, "initial", 1000), bet("ben", 7, "initial", 1000), bet("cat", 2, "initial", 1000)]
    played = play("wa", OPENING + "Kh Qh Jh 9d", *wagers, deal())
    assert played.dealt() == "burn Ac, burn 2c, box 2 Kh, box 5 Qh, box 7 Jh, dealer 9d"
    faces = [(dealt["box"], dealt["card"]) for dealt in played.events("card_dealt")]
    assert faces == [(2, "Kh"), (5, "Qh"), (7, "Jh"), (0, "9d")]


@pytest.mark.clause("WA-4.8a")
def test_every_box_with_any_wager_gets_one_card() -> None:
    wagers = [
        bet("ana", 1, "tie", 500),
        bet("ben", 3, "a_bomb", 500),
        bet("cat", 4, "perfect_pairs", 500),
        bet("dan", 6, "initial", 1000),
    ]
    played = play("wa", OPENING + "9h Ah 9d Kh 9c", *wagers, deal())
    assert played.dealt() == "burn Ac, burn 2c, box 1 9h, box 3 Ah, box 4 9d, box 6 Kh, dealer 9c"
    assert [played.gain(player) for player in ("ana", "ben", "cat", "dan")] == [5000, 5000, 2500, 1000]


@pytest.mark.clause("WA-4.8a")
def test_bettors_on_one_box_share_its_card() -> None:
    wagers = [bet(player, 1, "initial", 1000) for player in ("ana", "ben", "cat")]
    played = play("wa", OPENING + "Kh 9d", *wagers, deal())
    assert played.dealt() == "burn Ac, burn 2c, box 1 Kh, dealer 9d"
    assert [played.gain(player) for player in ("ana", "ben", "cat")] == [1000, 1000, 1000]


@pytest.mark.clause("WA-4.9")
def test_decided_wagers_are_settled_in_one_pass_from_the_right() -> None:
    played = play(
        "wa",
        OPENING + "8h Ah Kd 9d",
        *(bet("ana", 1, wager, 500) for wager in ("perfect_pairs", "initial")),
        *(bet("ben", 2, wager, 500) for wager in ("a_bomb", "tie", "perfect_pairs", "initial")),
        *(bet("cat", 3, wager, 500) for wager in ("tie", "initial")),
        bet("dan", 3, "initial", 500),
        deal(),
    )
    assert played.settlements() == [
        ("cat", 3, "initial", "win", 500),
        ("cat", 3, "tie", "lose", -500),
        ("dan", 3, "initial", "win", 500),
        ("ben", 2, "initial", "win", 500),
        ("ben", 2, "tie", "lose", -500),
        ("ben", 2, "a_bomb", "win", 5000),
        ("ben", 2, "perfect_pairs", "lose", -500),
        ("ana", 1, "initial", "lose", -500),
        ("ana", 1, "perfect_pairs", "lose", -500),
    ]


@pytest.mark.clause("WA-4.9", "WA-4.10")
def test_the_choice_comes_after_all_that_is_decided() -> None:
    wagers = [
        bet("ana", 1, "initial", 1000),
        bet("ben", 2, "initial", 1000),
        bet("ben", 2, "tie", 500),
        bet("cat", 3, "initial", 1000),
    ]
    played = play("wa", OPENING + "Kh 9h 2h 9d", *wagers, deal())
    happened = [event["name"] for event in played.data["events"] if event["name"] in ("wager_settled", "war_offered")]
    assert happened == ["wager_settled"] * 3 + ["war_offered"]
    assert [played.gain(player) for player in ("ana", "ben", "cat")] == [1000, -1000 + 5000, -1000]
    assert played.data["open"] == [{"player": "ben", "box": 2, "wager": "initial", "amount": 1000}]


@pytest.mark.clause("WA-4.10")
def test_the_round_does_not_go_on_before_the_choice_is_made() -> None:
    acts = [bet("ana", 1, "initial", 1000), deal(), deal(), bet("ana", 1, "war", 1000), war("ana", 1), deal()]
    played = play("wa", OPENING + "9h 9d 3c 4c 5c Kh Qs", *acts)
    assert played.refusals == [(2, "decision_open"), (3, "war_is_declared")]
    assert played.refusal_clauses[0] == ["WA-4.10"]
    assert played.gain("ana") == 1000


@pytest.mark.clause("WA-4.10")
@pytest.mark.parametrize("order", [(1, 2), (2, 1)])
def test_tied_players_answer_in_any_order_and_only_once(order: tuple[int, int]) -> None:
    names = {1: "ana", 2: "ben"}
    first, second = order
    played = play(
        "wa",
        OPENING + "9h 9s 9d 3c 4c 5c Kh Qs",
        bet("ana", 1, "initial", 1000),
        bet("ben", 2, "initial", 1000),
        deal(),
        surrender(names[first], first),
        war(names[first], first),
        war(names[second], second),
        surrender(names[second], second),
        deal(),
    )
    assert played.refusals == [(4, "no_decision"), (6, "no_decision")]
    assert (played.gain(names[first]), played.gain(names[second])) == (-500, 1000)


@pytest.mark.clause("WA-4.10")
def test_for_a_player_who_does_not_answer_the_supervisor_surrenders_with_a_reason() -> None:
    acts = [bet("ana", 1, "initial", 1000), deal()]
    acts += [{**surrender("ana", 1), "by": by} for by in ("supervisor:s1", "dealer:d1", "player:ben")]
    acts += [{**surrender("ana", 1), "by": "supervisor:s1", "reason": "left the table"}]
    played = play("wa", OPENING + "9h 9d", *acts)
    assert played.refusals == [(number, "not_entitled") for number in (2, 3, 4)]
    assert [event["reason"] for event in played.events("surrender_ruled")] == ["left the table"]
    assert played.gain("ana") == -500


@pytest.mark.clause("WA-4.10")
def test_without_a_casino_war_wager_a_tie_asks_for_no_choice() -> None:
    played = play("wa", OPENING + "9h 9d", bet("ana", 1, "tie", 500), bet("ben", 1, "a_bomb", 500), deal())
    assert played.events("war_offered") == []
    assert played.settlements() == [("ana", 1, "tie", "win", 5000), ("ben", 1, "a_bomb", "lose", -500)]


@pytest.mark.clause("WA-4.10a", "WA-1.1-SUR")
@pytest.mark.parametrize(
    ("options", "amount", "forfeit"),
    [
        ({}, 1000, 500),
        ({}, 1001, 500),
        ({"surrender.odd_unit": "player"}, 1001, 500),
        ({"surrender.odd_unit": "house"}, 1001, 501),
        ({"surrender.odd_unit": "house"}, 1000, 500),
    ],
)
def test_the_dealer_takes_half_and_the_odd_unit_goes_as_the_operator_says(
    options: dict[str, Any], amount: int, forfeit: int
) -> None:
    acts = [bet("ana", 1, "initial", amount), deal(), surrender("ana", 1)]
    played = play("wa", OPENING + "9h 9d", *acts, options=options, limits={"unit": 1})
    line = played.line("ana", "initial")
    assert (line["outcome"], line["returned"], line["net"]) == ("surrender", amount - forfeit, -forfeit)


@pytest.mark.clause("WA-4.10a")
def test_surrender_leaves_the_other_wagers_as_they_were_settled() -> None:
    wagers = [bet("ana", 1, "initial", 1000), bet("ana", 1, "tie", 500), bet("ana", 1, "perfect_pairs", 500)]
    played = play("wa", OPENING + "9h 9d", *wagers, deal(), surrender("ana", 1))
    assert played.gain("ana") == -500 + 10 * 500 + 12 * 500


TIED = [
    bet("ana", 1, "initial", 1000),
    bet("ben", 1, "initial", 1000),
    bet("cat", 2, "initial", 1000),
    deal(),
]


def names_of(played: Any, *wanted: str) -> list[str]:
    return [event["name"] for event in played.data["events"] if event["name"] in wanted]


@pytest.mark.clause("WA-4.10b")
def test_a_hand_is_cleared_when_its_last_player_surrenders() -> None:
    acts = [*TIED, surrender("ana", 1), surrender("ben", 1), war("cat", 2), deal()]
    played = play("wa", OPENING + "9h 9s 9d 3c 4c 5c Kh Qs", *acts)
    assert [event["hands"] for event in played.events("cards_collected")] == [[[1, ["9h"]]]]
    assert names_of(played, "cards_collected", "war_declared") == ["cards_collected", "war_declared"]
    assert [event["hands"] for event in played.events("round_ended")] == [[[2, ["9s", "Kh"]], [0, ["9d", "Qs"]]]]


@pytest.mark.clause("WA-4.10b")
def test_a_hand_is_cleared_at_once_by_a_surrender_that_ends_the_decisions_too() -> None:
    acts = [*TIED, war("cat", 2), surrender("ana", 1), surrender("ben", 1)]
    played = play("wa", OPENING + "9h 9s 9d 3c 4c 5c Kh Qs", *acts)
    assert [event["hands"] for event in played.events("cards_collected")] == [[[1, ["9h"]]]]


@pytest.mark.clause("WA-4.10b", "WA-4.10c")
def test_a_hand_stays_while_one_of_its_players_is_at_war() -> None:
    acts = [*TIED, war("ana", 1), surrender("ben", 1), surrender("cat", 2), deal()]
    played = play("wa", OPENING + "9h 9s 9d 3c 4c 5c Kh Qs", *acts)
    assert played.dealt().endswith("box 1 Kh, dealer Qs")
    assert [played.gain(player) for player in ("ana", "ben", "cat")] == [1000, -500, -500]


@pytest.mark.clause("WA-4.10c")
def test_wagers_and_cards_stay_for_the_war_and_the_next_hand_is_asked() -> None:
    played = play("wa", OPENING + "9h 9s 9d", *TIED, war("ana", 1), war("ben", 1))
    assert [(one["player"], one["wager"]) for one in played.data["open"]] == [
        ("ana", "initial"),
        ("ben", "initial"),
        ("cat", "initial"),
        ("ana", "war"),
        ("ben", "war"),
    ]
    assert played.events("cards_collected") == []
    assert played.replayed.table.round.asked == ((2, "cat"),)


@pytest.mark.clause("WA-4.12a")
def test_three_cards_are_burned_once_and_lie_beside_the_dealers_first_card() -> None:
    acts = [*TIED, war("ana", 1), war("ben", 1), war("cat", 2), deal()]
    played = play("wa", OPENING + "9h 9s 9d xx xx xx Kh Jh Qs", *acts)
    burned = [(one["card"], one["beside_dealer"]) for one in played.events("card_burned") if one["burn"] == "war"]
    assert burned == [(None, True)] * 3
    assert played.dealt().endswith("dealer 9d, burn xx, burn xx, burn xx, box 1 Kh, box 2 Jh, dealer Qs")


@pytest.mark.clause("WA-4.12a")
def test_nothing_is_burned_when_nobody_goes_to_war() -> None:
    acts = [*TIED, surrender("ana", 1), surrender("ben", 1), surrender("cat", 2)]
    played = play("wa", OPENING + "9h 9s 9d 3c 4c 5c Kh Qs", *acts)
    assert played.dealt() == "burn Ac, burn 2c, box 1 9h, box 2 9s, dealer 9d"


THREE_HANDS = [bet("cat", 6, "initial", 1000), bet("ana", 2, "initial", 1000), bet("ben", 4, "initial", 1000)]


@pytest.mark.clause("WA-4.12b")
def test_only_hands_at_war_get_a_second_card_clockwise_and_the_dealer_last() -> None:
    acts = [*THREE_HANDS, bet("dan", 7, "initial", 1000), deal()]
    acts += [war("cat", 6), surrender("ben", 4), war("ana", 2), deal()]
    played = play("wa", OPENING + "9h 9s 9c Kd 9d 3c 4c 5c Kh Jh Qs", *acts)
    assert played.dealt().endswith("burn 3c, burn 4c, burn 5c, box 2 Kh, box 6 Jh, dealer Qs")
    assert (played.gain("ana"), played.gain("ben"), played.gain("cat")) == (1000, -500, -2000)


@pytest.mark.clause("WA-4.13")
def test_the_war_is_settled_hand_by_hand_from_the_right() -> None:
    acts = [*THREE_HANDS, deal(), war("ana", 2), war("ben", 4), war("cat", 6)]
    acts += [bet("ben", 4, "war_perfect_pairs", 500), deal()]
    played = play("wa", OPENING + "9h 9s 9c 9d 3c 4c 5c Kh Qh Jh Qs", *acts)
    assert played.settlements() == [
        ("cat", 6, "initial", "lose", -1000),
        ("cat", 6, "war", "lose", -1000),
        ("ben", 4, "initial", "win", 1000),
        ("ben", 4, "war", "win", 1000),
        ("ben", 4, "war_perfect_pairs", "win", 2500),
        ("ana", 2, "initial", "push", 0),
        ("ana", 2, "war", "win", 1000),
    ]
