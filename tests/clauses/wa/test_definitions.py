"""WA section 1: what the words of the rules mean at the table."""

import pytest

from casinowar.rulebooks import load_rulebook
from tests.support.rounds import act, bet, deal, play, surrender, war

OPENING = "Ac 2c "
"""An ace shows, so one more card is burned."""


@pytest.mark.clause("WA-1.1-BOX", "WA-3.7", "WA-1.1-TIE", "WA-1.1-ABOMB", "WA-1.1-PP")
def test_the_layout_calls_the_wagers_as_the_rules_do() -> None:
    names = load_rulebook("wa").names
    assert (names.initial, names.war, names.tie, names.a_bomb) == ("Casino War", "Go to War", "Tie", "A Bomb")
    assert (names.perfect_pairs, names.war_perfect_pairs) == ("Perfect Pairs", "Perfect Pairs")
    assert (names.war_tie, names.progressive) == (None, None)


@pytest.mark.clause("WA-1.1-ABOMB")
@pytest.mark.parametrize(("shoe", "gain"), [("Ah 2d", 5000), ("Kh Ad", -500), ("Ah Ad", 5000)])
def test_a_bomb_hangs_on_the_players_own_first_card(shoe: str, gain: int) -> None:
    played = play("wa", OPENING + shoe, bet("ana", 1, "a_bomb", 500), deal())
    assert played.settlements() == [("ana", 1, "a_bomb", "win" if gain > 0 else "lose", gain)]
    assert played.gain("ana") == gain


@pytest.mark.clause("WA-1.1-AREA")
def test_each_area_of_a_box_takes_its_own_wagers() -> None:
    full = [bet(player, 1, "initial", 1000) for player in ("ana", "ben", "cat")]
    played = play("wa", OPENING + "Kh 9d", *full, bet("dan", 1, "initial", 1000), bet("dan", 1, "tie", 500), deal())
    assert played.refusals == [(3, "area_full")]
    assert played.gain("dan") == -500


@pytest.mark.clause("WA-1.1-BOX")
def test_a_box_has_every_area_unless_the_operator_leaves_it_out() -> None:
    sides = ("tie", "a_bomb", "perfect_pairs")
    wagers = [bet("ana", 1, "initial", 1000), *(bet("ana", 1, side, 500) for side in sides)]
    assert play("wa", OPENING + "Kh 9d", *wagers, deal()).settlements() == [
        ("ana", 1, "initial", "win", 1000),
        ("ana", 1, "tie", "lose", -500),
        ("ana", 1, "a_bomb", "lose", -500),
        ("ana", 1, "perfect_pairs", "lose", -500),
    ]
    for number, side in enumerate(sides, start=1):
        played = play("wa", OPENING + "Kh 9d", *wagers, deal(), options={f"wager.{side}": False})
        assert played.refusals == [(number, "wager_not_offered")]
        assert played.refusal_clauses[0] == ["WA-1.1-BOX"]
        assert played.gain("ana") == 1000 - 500 - 500


@pytest.mark.clause("WA-1.1-BOX")
def test_no_box_has_an_area_of_another_book() -> None:
    played = play("wa", OPENING, bet("ana", 1, "progressive", 500))
    assert played.refusals == [(0, "wager_not_offered")]
    assert played.refusal_clauses[0] == ["WA-1.1-BOX"]


@pytest.mark.clause("WA-1.1-BURN")
def test_burned_cards_are_unseen_and_lie_in_the_rack_or_beside_the_dealers_card() -> None:
    played = play("wa", OPENING + "9h 9d xx xx xx Kh Qs", bet("ana", 1, "initial", 1000), deal(), war("ana", 1), deal())
    burned = [(burn["burn"], burn["card"], burn["beside_dealer"]) for burn in played.events("card_burned")]
    assert burned == [("opening", "Ac", False), ("opening_value", None, False), *[("war", None, True)] * 3]


@pytest.mark.clause("WA-1.1-PERF", "WA-1.1-COL", "WA-1.1-MIX", "WA-2.6b")
@pytest.mark.parametrize(
    ("mine", "dealers", "odds"),
    [
        ("9h", "9h", "25:1"),
        ("As", "As", "25:1"),
        ("9h", "9d", "12:1"),
        ("Kc", "Ks", "12:1"),
        ("9h", "9s", "5:1"),
        ("9c", "9d", "5:1"),
        ("Kh", "Qh", None),
        ("Th", "Jh", None),
    ],
)
def test_a_pair_is_of_one_denomination_and_suit_and_colour_tell_its_class(
    mine: str, dealers: str, odds: str | None
) -> None:
    played = play("wa", f"{OPENING} {mine} {dealers}", bet("ana", 1, "perfect_pairs", 500), deal())
    assert played.line("ana", "perfect_pairs")["odds"] == odds


@pytest.mark.clause("WA-1.1-PP", "WA-3.14a", "WA-3.14b")
def test_the_first_cards_decide_one_perfect_pairs_wager_and_the_second_cards_the_other() -> None:
    played = play(
        "wa",
        OPENING + "9h 9h 3c 4c 5c Kd Qs",
        bet("ana", 1, "initial", 1000),
        bet("ana", 1, "perfect_pairs", 500),
        deal(),
        war("ana", 1),
        bet("ana", 1, "war_perfect_pairs", 500),
        deal(),
    )
    assert played.settlements() == [
        ("ana", 1, "perfect_pairs", "win", 25 * 500),
        ("ana", 1, "initial", "push", 0),
        ("ana", 1, "war", "win", 1000),
        ("ana", 1, "war_perfect_pairs", "lose", -500),
    ]


@pytest.mark.clause("WA-1.1-RND", "WA-3.2")
def test_a_round_lasts_from_its_first_card_to_the_last_discard() -> None:
    played = play(
        "wa",
        OPENING + "3c Kh 9d 3d Qh 8d",
        bet("ana", 1, "initial", 1000),
        deal(),
        bet("ana", 1, "initial", 1000),
        deal(1),
        bet("ben", 2, "initial", 1000),
        deal(),
        bet("ben", 2, "initial", 1000),
        options={"shoe.round_burn": 1},
    )
    assert played.dealt(2) == "burn 3d, box 1 Qh, dealer 8d"
    assert played.refusals == [(4, "betting_closed")]
    assert [(ended["number"], ended["hands"]) for ended in played.events("round_ended")] == [
        (1, [[1, ["Kh"]], [0, ["9d"]]]),
        (2, [[1, ["Qh"]], [0, ["8d"]]]),
    ]
    assert played.data["open"] == [{"player": "ben", "box": 2, "wager": "initial", "amount": 1000}]


@pytest.mark.clause("WA-1.1-RACK", "WA-4.6c", "WA-4.12a")
def test_the_rack_takes_every_card_in_an_order_that_shows_the_hands() -> None:
    played = play(
        "wa",
        OPENING + "9h Kh 9d xx xx xx Qh Js",
        bet("ana", 1, "initial", 1000),
        bet("ben", 2, "initial", 1000),
        deal(),
        war("ana", 1),
        deal(),
    )
    nowhere, dealer, sealed = -1, 0, (None,)
    burns = [(nowhere, ("Ac",)), (nowhere, sealed), *[(dealer, sealed)] * 3]
    hands = [(1, ("9h", "Qh")), (2, ("Kh",)), (dealer, ("9d", "Js"))]
    rack = list(played.replayed.table.rack)
    assert sorted(rack, key=str) == sorted([*burns, *hands], key=str)
    assert rack[:5] == burns
    assert rack[-1] == (dealer, ("9d", "Js"))


@pytest.mark.clause("WA-1.1-STAND")
def test_a_standoff_gives_the_stake_back_and_pays_nothing() -> None:
    acts = [bet("ana", 1, "initial", 1000), deal(), war("ana", 1), deal()]
    line = play("wa", OPENING + "9h 9d 3c 4c 5c Kh Qs", *acts).line("ana", "initial")
    assert (line["outcome"], line["paid"], line["returned"]) == ("push", 0, 1000)
    assert line["clauses"] == ["WA-3.5b", "WA-1.1-STAND"]


@pytest.mark.clause("WA-1.1-SUR")
def test_surrender_gives_up_half_of_the_first_wager() -> None:
    played = play("wa", OPENING + "9h 9d", bet("ana", 1, "initial", 3000), deal(), surrender("ana", 1))
    line = played.line("ana", "initial")
    assert (line["outcome"], line["paid"], line["returned"], line["net"]) == ("surrender", 0, 1500, -1500)


@pytest.mark.clause("WA-1.1-SUR")
def test_wagers_need_no_even_half_unless_the_operator_asks_for_it() -> None:
    limits = {"minimum": 1, "unit": 1}
    odd = [bet("ana", 1, "initial", 1001), bet("ana", 1, "tie", 7), deal()]
    assert play("wa", OPENING + "Kh 9d", *odd, limits=limits).gain("ana") == 1001 - 7
    asked = play("wa", OPENING + "Kh 9d", *odd, limits=limits, options={"limits.require_even": True})
    assert asked.refusals == [(0, "wager_odd")]
    assert asked.refusal_clauses[0] == []
    assert asked.gain("ana") == -7


@pytest.mark.clause("WA-1.1-TIE")
def test_tie_is_a_wager_and_also_the_result_that_leads_to_a_decision() -> None:
    played = play("wa", OPENING + "9h 9d", bet("ana", 1, "initial", 1000), bet("ben", 1, "tie", 500), deal())
    assert [(offer["player"], offer["box"]) for offer in played.events("war_offered")] == [("ana", 1)]
    assert played.gain("ben") == 10 * 500
    assert played.data["open"] == [{"player": "ana", "box": 1, "wager": "initial", "amount": 1000}]


@pytest.mark.clause("WA-1.1-CUT")
def test_a_cut_puts_the_cutting_card_into_the_decks() -> None:
    cut = act("cut", player="ana", position=100)
    played = play("wa", OPENING + "Kh 9d", bet("ana", 1, "initial", 1000), cut, cut, deal())
    assert [(made["player"], made["position"]) for made in played.events("cut_made")] == [("ana", 100)]
    assert played.refusals == [(2, "no_cut")]
    assert played.gain("ana") == 1000
