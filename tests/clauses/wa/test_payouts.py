"""WA rules 3.5 to 3.16: what wins, what loses, and at which odds."""

import pytest

from casinowar.rulebooks import RulebookError, load_rulebook
from tests.support.rounds import bet, deal, play, war

OPENING = "Ac 2c "
BURNS = " 3c 4c 5c "

PERFECT, COLOURED, MIXED = "9h", "9d", "9s"
"""A player's card beside the dealer's nine of hearts."""

ODDS = {
    "P4a": (4, 30, 12, 5),
    "P6a": (6, 25, 12, 5),
    "P6b": (6, 30, 12, 5),
    "P6c": (6, 30, 10, 5),
    "P6d": (6, 25, 12, 6),
    "P8a": (8, 25, 12, 5),
    "P8b": (8, 25, 12, 6),
}
"""Decks, then what a perfect, a coloured and a mixed pair pay for one."""

TABLES = [pytest.param(name, marks=pytest.mark.clause(f"WA-3.16-{entry[0]}")) for name, entry in ODDS.items()]


def pairs_on_first_cards(options: dict[str, object]) -> tuple[int, int, int]:
    """What ana, ben and cat gain with 100 each on a perfect, a coloured and a mixed pair."""
    wagers = [bet(player, box, "perfect_pairs", 100) for box, player in enumerate(("ana", "ben", "cat"), start=1)]
    shoe = f"{OPENING} {PERFECT} {COLOURED} {MIXED} 9h"
    played = play("wa", shoe, *wagers, deal(), options=options, limits={"unit": 100})
    return played.gain("ana"), played.gain("ben"), played.gain("cat")


def pairs_on_second_cards(options: dict[str, object]) -> list[tuple[str, int]]:
    three = list(enumerate(("ana", "ben", "cat"), start=1))
    played = play(
        "wa",
        f"{OPENING} Kc Kd Kh Ks {BURNS} {PERFECT} {COLOURED} {MIXED} 9h",
        *(bet(player, box, "initial", 1000) for box, player in three),
        deal(),
        *(war(player, box) for box, player in three),
        *(bet(player, box, "war_perfect_pairs", 100) for box, player in three),
        deal(),
        options=options,
        limits={"unit": 100},
    )
    lines = [played.line(player, "war_perfect_pairs") for _, player in three]
    return [(line["odds"], line["net"]) for line in lines]


@pytest.mark.clause("WA-3.5a-i", "WA-3.6")
def test_a_higher_first_card_wins_one_to_one() -> None:
    line = play("wa", OPENING + "Kh Qd", bet("ana", 1, "initial", 1500), deal()).line("ana", "initial")
    assert (line["outcome"], line["odds"], line["paid"], line["returned"]) == ("win", "1:1", 1500, 1500)
    assert line["clauses"] == ["WA-3.5a-i", "WA-3.6"]


@pytest.mark.clause("WA-3.5c-i")
def test_a_lower_first_card_loses() -> None:
    line = play("wa", OPENING + "Qh Kd", bet("ana", 1, "initial", 1500), deal()).line("ana", "initial")
    assert (line["outcome"], line["paid"], line["returned"], line["net"]) == ("lose", 0, 0, -1500)


WAR = [bet("ana", 1, "initial", 1000), deal(), war("ana", 1), deal()]


@pytest.mark.clause("WA-3.5b", "WA-3.8a", "WA-3.9")
def test_a_war_won_stands_the_first_wager_off_and_pays_the_war_one_to_one() -> None:
    played = play("wa", OPENING + "9h 9d" + BURNS + "Kh Qs", *WAR)
    assert played.settlements() == [("ana", 1, "initial", "push", 0), ("ana", 1, "war", "win", 1000)]
    assert played.line("ana", "war")["odds"] == "1:1"
    assert played.line("ana", "war")["clauses"] == ["WA-3.8a", "WA-3.9"]


@pytest.mark.clause("WA-3.5a-ii", "WA-3.6", "WA-3.8a", "WA-3.9")
def test_a_second_tie_wins_both_wagers_one_to_one() -> None:
    played = play("wa", OPENING + "9h 9d" + BURNS + "Kh Ks", *WAR)
    assert played.settlements() == [("ana", 1, "initial", "win", 1000), ("ana", 1, "war", "win", 1000)]
    assert [played.line("ana", wager)["odds"] for wager in ("initial", "war")] == ["1:1", "1:1"]
    assert played.gain("ana") == 2 * 1000


@pytest.mark.clause("WA-3.5c-ii", "WA-3.8b")
def test_a_war_lost_loses_both_wagers() -> None:
    played = play("wa", OPENING + "9h 9d" + BURNS + "Qh Ks", *WAR)
    assert played.settlements() == [("ana", 1, "initial", "lose", -1000), ("ana", 1, "war", "lose", -1000)]


@pytest.mark.clause("WA-3.10a", "WA-3.11")
def test_a_tie_wager_wins_ten_to_one_on_equal_first_cards() -> None:
    line = play("wa", OPENING + "9h 9d", bet("ana", 1, "tie", 500), deal()).line("ana", "tie")
    assert (line["outcome"], line["odds"], line["paid"], line["returned"]) == ("win", "10:1", 5000, 500)


@pytest.mark.clause("WA-3.10b")
@pytest.mark.parametrize("shoe", ["Kh Qh", "2h 3h"])
def test_a_tie_wager_loses_on_other_first_cards(shoe: str) -> None:
    played = play("wa", OPENING + shoe, bet("ana", 1, "tie", 500), deal())
    assert played.settlements() == [("ana", 1, "tie", "lose", -500)]


@pytest.mark.clause("WA-3.10a")
def test_a_second_tie_means_nothing_to_the_tie_wager() -> None:
    acts = [bet("ana", 1, "initial", 1000), bet("ana", 1, "tie", 500), *WAR[1:]]
    tied, higher = (play("wa", OPENING + "9h 9d" + BURNS + second, *acts) for second in ("Kh Ks", "Kh Qs"))
    assert tied.line("ana", "tie")["net"] == higher.line("ana", "tie")["net"] == 5000


@pytest.mark.clause("WA-3.12a", "WA-3.13")
@pytest.mark.parametrize("dealers", ["2d", "Kd", "Ad"])
def test_a_bomb_wins_ten_to_one_on_an_ace(dealers: str) -> None:
    line = play("wa", f"{OPENING} As {dealers}", bet("ana", 1, "a_bomb", 500), deal()).line("ana", "a_bomb")
    assert (line["outcome"], line["odds"], line["paid"], line["returned"]) == ("win", "10:1", 5000, 500)


@pytest.mark.clause("WA-3.12b")
@pytest.mark.parametrize("rank", "23456789TJQK")
def test_a_bomb_loses_on_any_other_card(rank: str) -> None:
    played = play("wa", f"{OPENING} {rank}s Ad", bet("ana", 1, "a_bomb", 500), deal())
    assert played.settlements() == [("ana", 1, "a_bomb", "lose", -500)]


@pytest.mark.clause("WA-3.15a", "WA-1.1-PERF", "WA-1.1-COL", "WA-1.1-MIX")
@pytest.mark.parametrize("table", TABLES)
def test_each_table_pays_its_odds_on_the_first_cards(table: str) -> None:
    decks, perfect, coloured, mixed = ODDS[table]
    paid = pairs_on_first_cards({"shoe.decks": decks, "perfect_pairs.table": table})
    assert paid == (perfect * 100, coloured * 100, mixed * 100)


@pytest.mark.clause("WA-3.15a", "WA-3.14b")
@pytest.mark.parametrize("table", TABLES)
def test_each_table_pays_the_same_on_the_second_cards(table: str) -> None:
    decks, *odds = ODDS[table]
    paid = pairs_on_second_cards({"shoe.decks": decks, "perfect_pairs.table": table})
    assert paid == [(f"{pays}:1", pays * 100) for pays in odds]


@pytest.mark.clause("WA-3.16-op")
@pytest.mark.parametrize(
    ("options", "table"),
    [
        ({}, "P6a"),
        pytest.param({"shoe.decks": 4}, "P4a", marks=pytest.mark.clause("WA-3.16-4")),
        pytest.param({"shoe.decks": 6}, "P6a", marks=pytest.mark.clause("WA-3.16-6")),
        pytest.param({"shoe.decks": 8}, "P8a", marks=pytest.mark.clause("WA-3.16-8")),
    ],
)
def test_without_a_choice_the_first_table_of_the_decks_stands(options: dict[str, object], table: str) -> None:
    _, perfect, coloured, mixed = ODDS[table]
    assert load_rulebook("wa", options).perfect_pairs.table == table
    assert pairs_on_first_cards(options) == (perfect * 100, coloured * 100, mixed * 100)


@pytest.mark.clause("WA-3.16-op", "WA-3.16-4", "WA-3.16-6", "WA-3.16-8")
@pytest.mark.parametrize("decks", [4, 6, 8])
@pytest.mark.parametrize("table", ODDS)
def test_the_operator_chooses_among_the_tables_of_the_decks_alone(decks: int, table: str) -> None:
    options = {"shoe.decks": decks, "perfect_pairs.table": table}
    own = [name for name, entry in ODDS.items() if entry[0] == decks]
    if table in own:
        assert load_rulebook("wa", options).perfect_pairs.table == table
        return
    with pytest.raises(RulebookError) as told:
        load_rulebook("wa", options)
    assert str(told.value) == (
        f"wa does not allow perfect_pairs.table = {table} (WA-3.16-op, WA-3.16-{decks}): "
        f"allowed {', '.join(own)} with shoe.decks = {decks}"
    )


@pytest.mark.clause("WA-3.15b")
@pytest.mark.parametrize("cards", ["Kh Qh", "Th Jh", "Ah 2h"])
def test_without_a_pair_perfect_pairs_loses(cards: str) -> None:
    first = play("wa", f"{OPENING} {cards}", bet("ana", 1, "perfect_pairs", 500), deal())
    assert first.settlements() == [("ana", 1, "perfect_pairs", "lose", -500)]
    acts = [*WAR[:3], bet("ana", 1, "war_perfect_pairs", 500), deal()]
    second = play("wa", f"{OPENING} 9h 9d {BURNS} {cards}", *acts)
    assert second.line("ana", "war_perfect_pairs")["net"] == -500
