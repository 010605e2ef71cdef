"""Every settlement cell of the five books, exhaustively, against tables read off the sources.

A table gives for each wager and situation the outcome and what the player nets for one unit staked. `higher`, `equal`
and `lower` compare the player's card with the dealer's; with `second` before them, the cards of the war. Every wager
has a stake of its own, so that none can stand in for another.
"""

from collections.abc import Iterator
from itertools import product

import pytest

from casinowar.cards import Card
from casinowar.engine import Refusal, Table, step
from casinowar.engine import commands as c
from casinowar.rulebooks import Rulebook, load_rulebook
from tests.support.rounds import bet, deal, play, surrender, war

Cells = dict[tuple[str, str], tuple[str, int]]
Lines = dict[str, tuple[str, int]]

RANKS = "23456789TJQKA"
CARDS = [Card(rank + suit) for rank in RANKS for suit in "cdhs"]
HEARTS = [Card(rank + "h") for rank in RANKS]
SPADES = [Card(rank + "s") for rank in RANKS]
BALANCE = 1_000_000
STAKES = {"initial": 1000, "tie": 300, "a_bomb": 70, "perfect_pairs": 9, "war_perfect_pairs": 4, "war_tie": 20}
BANK = "bea"
"""Who banks where the house does not, with a stake that covers every win."""

NZ: Cells = {
    ("initial", "higher"): ("win", 1),
    ("initial", "lower"): ("lose", -1),
    ("initial", "second higher"): ("push", 0),
    ("initial", "second equal"): ("push", 0),
    ("initial", "second lower"): ("lose", -1),
    ("war", "second higher"): ("win", 1),
    ("war", "second equal"): ("win", 2),
    ("war", "second lower"): ("lose", -1),
    ("tie", "higher"): ("lose", -1),
    ("tie", "equal"): ("win", 10),
    ("tie", "lower"): ("lose", -1),
}
WA: Cells = {
    ("initial", "higher"): ("win", 1),
    ("initial", "lower"): ("lose", -1),
    ("initial", "second higher"): ("push", 0),
    ("initial", "second equal"): ("win", 1),
    ("initial", "second lower"): ("lose", -1),
    ("war", "second higher"): ("win", 1),
    ("war", "second equal"): ("win", 1),
    ("war", "second lower"): ("lose", -1),
    ("tie", "higher"): ("lose", -1),
    ("tie", "equal"): ("win", 10),
    ("tie", "lower"): ("lose", -1),
    ("a_bomb", "ace"): ("win", 10),
    ("a_bomb", "no ace"): ("lose", -1),
}
CTG_LITERAL: Cells = {
    ("initial", "higher"): ("win", 1),
    ("initial", "lower"): ("lose", -1),
    ("initial", "second higher"): ("push", 0),
    ("initial", "second equal"): ("push", 0),
    ("initial", "second lower"): ("lose", -1),
    ("war", "second higher"): ("win", 2),
    ("war", "second equal"): ("win", 3),
    ("war", "second lower"): ("lose", -1),
    ("tie", "higher"): ("lose", -1),
    ("tie", "equal"): ("win", 10),
    ("tie", "lower"): ("lose", -1),
}
CTG_STANDARD: Cells = CTG_LITERAL | {
    ("war", "second higher"): ("win", 1),
    ("war", "second equal"): ("win", 2),
}
MA: Cells = {
    ("initial", "higher"): ("win", 1),
    ("initial", "lower"): ("lose", -1),
    ("initial", "second higher"): ("push", 0),
    ("initial", "second equal"): ("push", 0),
    ("initial", "second lower"): ("lose", -1),
    ("war", "second higher"): ("win", 1),
    ("war", "second equal"): ("win", 2),
    ("war", "second lower"): ("lose", -1),
    ("tie", "higher"): ("lose", -1),
    ("tie", "equal"): ("win", 10),
    ("tie", "lower"): ("lose", -1),
    ("war_tie", "second higher"): ("lose", -1),
    ("war_tie", "second equal"): ("win", 10),
    ("war_tie", "second lower"): ("lose", -1),
}
CA: Cells = {
    ("initial", "higher"): ("win", 1),
    ("initial", "lower"): ("lose", -1),
    ("initial", "second higher"): ("push", 0),
    ("initial", "second equal"): ("push", 0),
    ("initial", "second lower"): ("lose", -1),
    ("war", "second higher"): ("win", 1),
    ("war", "second equal"): ("win", 2),
    ("war", "second lower"): ("lose", -1),
    ("tie", "higher"): ("lose", -1),
    ("tie", "equal"): ("win", 10),
    ("tie", "lower"): ("lose", -1),
    ("war_tie", "second higher"): ("lose", -1),
    ("war_tie", "second equal"): ("win", 10),
    ("war_tie", "second lower"): ("lose", -1),
}
PAIRS = {
    # table: decks, then what a perfect, a coloured and a mixed pair pay
    "P4a": (4, 30, 12, 5),
    "P6a": (6, 25, 12, 5),
    "P6b": (6, 30, 12, 5),
    "P6c": (6, 30, 10, 5),
    "P6d": (6, 25, 12, 6),
    "P8a": (8, 25, 12, 5),
    "P8b": (8, 25, 12, 6),
}


def compared(mine: Card, dealers: Card) -> str:
    mine_rank, dealers_rank = RANKS.index(mine[0]), RANKS.index(dealers[0])
    return "equal" if mine_rank == dealers_rank else "higher" if mine_rank > dealers_rank else "lower"


def pair(table: str, mine: Card, dealers: Card) -> tuple[str, int]:
    """What Perfect Pairs nets for one unit: same denomination, then same suit, same colour or neither."""
    _, perfect, coloured, mixed = PAIRS[table]
    if mine[0] != dealers[0]:
        return "lose", -1
    if mine[1] == dealers[1]:
        return "win", perfect
    return "win", coloured if {mine[1], dealers[1]} in ({"d", "h"}, {"c", "s"}) else mixed


def at_stake(cell: tuple[str, int], wager: str) -> tuple[str, int]:
    outcome, units = cell
    return outcome, units * STAKES["initial" if wager == "war" else wager]


def done(rules: Rulebook, table: Table, *commands: c.Command) -> Table:
    """The table after the commands; whatever happens, no chip comes or goes."""
    for command in commands:
        answer = step(rules, table, command)
        assert not isinstance(answer, Refusal), (command, answer)
        table = answer[1]
        before_the_bank = table.bank.chips if table.bank else 0
        assert sum(table.players.values()) + before_the_bank + table.house + table.escrow == table.bought_in, command
    return table


def table_with(
    book: str, wagers: tuple[c.WagerName, ...], options: dict[str, object] | None = None
) -> tuple[Rulebook, Table]:
    """A table in the middle of a shoe, with these wagers of ana's down on box 1."""
    rules = load_rulebook(book, options)
    opening: list[c.Command] = [
        c.OpenTable(),
        c.BuyIn(player="ana", amount=BALANCE),
        c.ResumeTable(shoe_left=52 * rules.shoe.decks, rounds=1),
    ]
    if rules.bank.by == "player":
        opening += [c.BuyIn(player=BANK, amount=BALANCE), c.AcceptBank(player=BANK, box=8, stake=BALANCE)]
    table = Table()
    for command in opening:
        answer = step(rules, table, command)
        assert not isinstance(answer, Refusal), (command, answer)
        table = answer[1]
    bets = [c.PlaceWager(player="ana", box=1, wager=wager, amount=STAKES[wager]) for wager in wagers]
    return rules, done(rules, table, *bets)


def lines(table: Table) -> Lines:
    """Outcome and net of each settled wager."""
    wagers = {spot[1]: wager for spot, wager in table.round.wagers.items()}
    return {
        name: (wager.outcome, wager.paid + wager.returned - wager.amount)
        for name, wager in wagers.items()
        if wager.outcome
    }


def check_over(table: Table, expected: Lines, case: object) -> None:
    """The round is over, every wager came out as expected, and the money went where the lines say."""
    assert lines(table) == expected, case
    net = sum(amount for _, amount in expected.values())
    assert table.round.is_over, case
    opposite = table.players[BANK] - BALANCE if BANK in table.players else table.house
    assert (table.players["ana"], opposite, table.escrow) == (BALANCE + net, -net, 0), case
    assert BANK not in table.players or table.house == 0, case


def first_lines(cells: Cells, wagers: tuple[c.WagerName, ...], mine: Card, dealers: Card, pairs: str = "") -> Lines:
    """What is settled on the first cards; a tied initial wager is still open."""
    result = compared(mine, dealers)
    expected: Lines = {}
    for wager in wagers:
        if wager == "perfect_pairs":
            expected[wager] = at_stake(pair(pairs, mine, dealers), wager)
        elif wager == "a_bomb":
            expected[wager] = at_stake(cells[wager, "ace" if mine[0] == "A" else "no ace"], wager)
        elif wager == "tie" or result != "equal":
            expected[wager] = at_stake(cells[wager, result], wager)
    return expected


def war_lines(cells: Cells, mine: Card, dealers: Card) -> Lines:
    situation = f"second {compared(mine, dealers)}"
    return {wager: at_stake(cells[wager, situation], wager) for wager in ("initial", "war")}


def seconds(burn: int, mine: Card, dealers: Card) -> c.Deal:
    return c.Deal(cards=(*[None] * burn, mine, dealers))


WAR = c.GoToWar(player="ana", box=1)
SURRENDER = c.Surrender(player="ana", box=1)
BOTH: tuple[c.WagerName, ...] = ("initial", "tie")
EVERY: tuple[c.WagerName, ...] = ("initial", "tie", "a_bomb", "perfect_pairs")

VARIANTS: dict[str, tuple[Cells, tuple[c.WagerName, ...], dict[str, object]]] = {
    "nz": (NZ, BOTH, {}),
    "nz, Method B": (NZ, BOTH, {"war.method": "B"}),
    "nz, no burn": (NZ, BOTH, {"war.burn": 0}),
    "wa": (WA, EVERY, {}),
    "ctg, literal": (CTG_LITERAL, BOTH, {"payout.war_odds": "literal"}),
    "ctg, standard": (CTG_STANDARD, BOTH, {"payout.war_odds": "standard"}),
    "ma": (MA, BOTH, {}),
    "ca": (CA, BOTH, {}),
}
CLAUSES = {
    "nz": ("NZ-5.3a", "NZ-5.3b", "NZ-5.6", "NZ-5.13a", "NZ-5.13d", "NZ-4.1", "NZ-4.2"),
    "wa": ("WA-3.5a-i", "WA-3.5c-i", "WA-3.6", "WA-3.10a", "WA-3.10b", "WA-3.11", "WA-3.12a", "WA-3.12b", "WA-3.13"),
    "ctg": ("CTG-F1", "CTG-F2", "CTG-F3", "CTG-F4", "CTG-O1", "CTG-O2", "CTG-B3", "CTG-B4"),
    "ma": ("MA-8a1", "MA-8a2", "MA-8a3", "MA-8b-i", "MA-8b-ii", "MA-9a1", "MA-9a2", "MA-3-i", "MA-3-ii"),
    "ca": ("CA-RP-1a", "CA-RP-1b", "CA-RP-1c", "CA-STD-1b", "CA-STD-3c", "CA-PO-1", "CA-PO-2", "CA-RANK-1a"),
}
WAR_CLAUSES = {
    "nz": ("NZ-5.4a", "NZ-5.4b", "NZ-5.4c", "NZ-5.5a", "NZ-5.5b", "NZ-5.13b", "NZ-5.13c"),
    "wa": ("WA-3.5a-ii", "WA-3.5b", "WA-3.5c-ii", "WA-3.8a", "WA-3.8b", "WA-3.9"),
    "ctg": ("CTG-W5", "CTG-W6", "CTG-W7", "CTG-O4", "CTG-O5"),
    "ma": ("MA-8g1", "MA-8g2", "MA-8g3", "MA-8h-i", "MA-8h-ii", "MA-9a1", "MA-9a3"),
    "ca": ("CA-RP-7a", "CA-RP-7b", "CA-RP-7c", "CA-STD-2f", "CA-STD-2g", "CA-STD-2h", "CA-PO-3"),
}
SURRENDER_CLAUSES = {
    "nz": ("NZ-5.2b",),
    "wa": ("WA-4.10a",),
    "ctg": ("CTG-F5", "CTG-O3"),
    "ma": ("MA-8c1-i", "MA-8c1-ii"),
    "ca": ("CA-STD-3a", "CA-RP-3a-i", "CA-RP-3a-ii"),
}


def variants(clauses: dict[str, tuple[str, ...]]) -> list[object]:
    """Every variant, marked with the clauses of its book."""
    return [pytest.param(name, marks=pytest.mark.clause(*clauses[name.partition(",")[0]])) for name in VARIANTS]


def opened(variant: str) -> tuple[Rulebook, Table, Cells, tuple[c.WagerName, ...]]:
    cells, wagers, options = VARIANTS[variant]
    rules, table = table_with(variant.partition(",")[0], wagers, options)
    return rules, table, cells, wagers


@pytest.mark.parametrize("variant", variants(CLAUSES))
def test_first_deals(variant: str) -> None:
    """All 52 x 52 first deals, so that no suit matters where it must not."""
    rules, table, cells, wagers = opened(variant)
    for mine, dealers in product(CARDS, CARDS):
        dealt = done(rules, table, c.Deal(cards=(mine, dealers)))
        expected = first_lines(cells, wagers, mine, dealers, "P6a")
        if "initial" in expected:
            check_over(dealt, expected, (mine, dealers))
        else:
            assert lines(dealt) == expected, (mine, dealers)
            assert dealt.round.asked == ((1, "ana"),), (mine, dealers)
            assert dealt.escrow == STAKES["initial"], (mine, dealers)


@pytest.mark.parametrize("variant", variants(SURRENDER_CLAUSES))
def test_surrenders(variant: str) -> None:
    """Half of the initial wager, on every tied rank; what was settled before stays."""
    rules, table, cells, wagers = opened(variant)
    for mine, dealers in zip(HEARTS, SPADES, strict=True):
        given_up = done(rules, table, c.Deal(cards=(mine, dealers)), SURRENDER)
        expected = first_lines(cells, wagers, mine, dealers, "P6a") | {"initial": ("surrender", -500)}
        check_over(given_up, expected, mine)


@pytest.mark.parametrize("variant", variants(WAR_CLAUSES))
def test_wars(variant: str) -> None:
    """From every tied rank, all 13 x 13 war deals."""
    rules, table, cells, wagers = opened(variant)
    burn = 0 if variant == "nz, no burn" else 3
    for mine, dealers in zip(HEARTS, SPADES, strict=True):
        at_war = done(rules, table, c.Deal(cards=(mine, dealers)), WAR)
        before = first_lines(cells, wagers, mine, dealers, "P6a")
        for second, dealers_second in product(HEARTS, SPADES):
            fought = done(rules, at_war, seconds(burn, second, dealers_second))
            check_over(fought, before | war_lines(cells, second, dealers_second), (mine, second, dealers_second))


@pytest.mark.parametrize("variant", variants(WAR_CLAUSES))
def test_war_cards_of_any_suit(variant: str) -> None:
    rules, table, cells, wagers = opened(variant)
    burn = 0 if variant == "nz, no burn" else 3
    tied = Card("9h"), Card("9d")
    at_war = done(rules, table, c.Deal(cards=tied), WAR)
    before = first_lines(cells, wagers, *tied, "P6a")
    for mine, dealers in product(CARDS, CARDS):
        fought = done(rules, at_war, seconds(burn, mine, dealers))
        check_over(fought, before | war_lines(cells, mine, dealers), (mine, dealers))


@pytest.mark.parametrize(
    ("book", "cells", "options"),
    [
        pytest.param("ma", MA, {}, marks=pytest.mark.clause("MA-8e-iii", "MA-8g1", "MA-8g2", "MA-8g3", "MA-9a2")),
        pytest.param("ca", CA, {"wager.war_tie": True}, marks=pytest.mark.clause("CA-DEF-TW", "CA-PO-2")),
    ],
)
def test_wars_with_a_tie_wager_on_them(book: str, cells: Cells, options: dict[str, object]) -> None:
    """Beside a tie wager on the first deal or alone; from every tied rank all 13 x 13 war deals."""
    late = c.PlaceWager(player="ana", box=1, wager="war_tie", amount=STAKES["war_tie"])
    for wagers in (BOTH, BOTH[:1]):
        rules, table = table_with(book, wagers, options)
        for mine, dealers in zip(HEARTS, SPADES, strict=True):
            at_war = done(rules, table, c.Deal(cards=(mine, dealers)), WAR, late)
            before = first_lines(cells, wagers, mine, dealers)
            for second, dealers_second in product(HEARTS, SPADES):
                expected = before | war_lines(cells, second, dealers_second)
                situation = f"second {compared(second, dealers_second)}"
                expected["war_tie"] = at_stake(cells["war_tie", situation], "war_tie")
                fought = done(rules, at_war, seconds(3, second, dealers_second))
                check_over(fought, expected, (mine, second, dealers_second))


CELLS = {"nz": NZ, "wa": WA, "ctg": CTG_LITERAL, "ma": MA, "ca": CA}
SINGLES = [*product(("nz", "ctg"), BOTH), *product(("wa",), EVERY), *product(("ma", "ca"), BOTH[:1])]


@pytest.mark.parametrize(("book", "wager"), SINGLES)
def test_a_wager_alone(book: str, wager: c.WagerName) -> None:
    """A wager alone on its box comes out as it does among others, and nobody is asked who has no initial wager."""
    rules, table = table_with(book, (wager,))
    for mine, dealers in product(HEARTS, SPADES):
        dealt = done(rules, table, c.Deal(cards=(mine, dealers)))
        expected = first_lines(CELLS[book], (wager,), mine, dealers, "P6a")
        if expected:
            check_over(dealt, expected, (mine, dealers))
        else:
            assert (wager, dealt.round.asked) == ("initial", ((1, "ana"),)), (mine, dealers)


def pair_tables() -> Iterator[object]:
    for table, (decks, *_) in PAIRS.items():
        marks = pytest.mark.clause(
            f"WA-3.16-{decks}", "WA-3.15a", "WA-3.15b", "WA-1.1-PERF", "WA-1.1-COL", "WA-1.1-MIX"
        )
        yield pytest.param(table, marks=marks)


@pytest.mark.clause("WA-3.14a")
@pytest.mark.parametrize("pairs", list(pair_tables()))
def test_perfect_pairs_on_the_first_cards(pairs: str) -> None:
    wagers: tuple[c.WagerName, ...] = ("perfect_pairs", "a_bomb")
    rules, table = table_with("wa", wagers, {"shoe.decks": PAIRS[pairs][0], "perfect_pairs.table": pairs})
    for mine, dealers in product(CARDS, CARDS):
        dealt = done(rules, table, c.Deal(cards=(mine, dealers)))
        check_over(dealt, first_lines(WA, wagers, mine, dealers, pairs), (mine, dealers))


@pytest.mark.clause("WA-3.14b")
@pytest.mark.parametrize("pairs", list(pair_tables()))
def test_perfect_pairs_on_the_second_cards(pairs: str) -> None:
    """On the war cards, beside a wager on the first cards that is settled already."""
    wagers: tuple[c.WagerName, ...] = ("initial", "perfect_pairs")
    rules, table = table_with("wa", wagers, {"shoe.decks": PAIRS[pairs][0], "perfect_pairs.table": pairs})
    tied = Card("9h"), Card("9c")
    late = c.PlaceWager(player="ana", box=1, wager="war_perfect_pairs", amount=STAKES["war_perfect_pairs"])
    at_war = done(rules, table, c.Deal(cards=tied), WAR, late)
    before = first_lines(WA, wagers, *tied, pairs)
    for mine, dealers in product(CARDS, CARDS):
        expected = before | war_lines(WA, mine, dealers)
        expected["war_perfect_pairs"] = at_stake(pair(pairs, mine, dealers), "war_perfect_pairs")
        check_over(done(rules, at_war, seconds(3, mine, dealers)), expected, (mine, dealers))


@pytest.mark.clause("NZ-8.7.1b")
@pytest.mark.parametrize(("mine", "net"), [("Kh", 1000), ("Qh", 2000), ("Jh", -2000)])
def test_method_b_stages_the_dealers_chips_and_changes_no_payout(mine: str, net: int) -> None:
    """The float's match lies in escrow during the war: 1,000 first, 1,000 more and 1,000 of the house's."""
    rules, table = table_with("nz", ("initial",), {"war.method": "B"})
    at_war = done(rules, table, c.Deal(cards=(Card("9h"), Card("9d"))), WAR)
    assert (at_war.players["ana"], at_war.house, at_war.escrow) == (BALANCE - 2000, -1000, 3000)
    fought = done(rules, at_war, seconds(3, Card(mine), Card("Qs")))
    assert (fought.players["ana"], fought.house, fought.escrow) == (BALANCE + net, -net, 0)


@pytest.mark.clause("WA-4.10b")
@pytest.mark.parametrize("is_war_first", [True, False])
def test_a_hand_given_up_is_put_away_before_the_war_whoever_answers_last(is_war_first: bool) -> None:
    answers = [surrender("ben", 2), war("ana", 1)]
    acts = (
        bet("ana", 1, "initial", 1000),
        bet("ben", 2, "initial", 1000),
        deal(),
        *answers[:: -1 if is_war_first else 1],
    )
    played = play("wa", "Ac 2c 9h 9s 9d 3c 4c 5c Kh Qs", *acts, deal())
    collected = [[box, list(cards)] for event in played.events("cards_collected") for box, cards in event["hands"]]
    assert collected == [[2, ["9s"]]]
