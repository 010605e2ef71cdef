"""Every wager of the list is known wherever one must be: to the leaves, the settlement, the odds and the texts."""

from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest
from msgspec.structs import replace

from casinowar.cards import Card
from casinowar.engine.decide.settlement import first_cell, war_cell
from casinowar.odds.composition import CARDS, by_card
from casinowar.odds.outcomes import outcomes
from casinowar.odds.wagers import side_situation
from casinowar.reports.par import labels
from casinowar.rulebooks import Cell, Rulebook, load_rulebook
from casinowar.rulebooks.model import Names, PayoutRules, WagerRules
from casinowar.rulebooks.wagers import OPTIONAL, SIDE, SITUATIONS, WAGERS, WAR_DEAL
from casinowar.words.phrases import situation_in_words, words

LEFT = tuple(map(Card, ("Ah", "Ah", "As", "Ad", "Kh", "Kd", "Kd", "Ks", "7c", "7c", "7d", "2h")))
"""Twelve cards with every kind of pair, and with kings and aces of both colours."""

CELLS = [(wager, situation) for wager, these in SITUATIONS.items() for situation in these]
ON_FIRST_CARDS = [wager for wager in SIDE if wager != "progressive"]


@pytest.fixture(scope="module")
def rules() -> Rulebook:
    """A book that offers everything, and whose cells bear the name of their situation as their clause."""
    cells = {(wager, situation): Cell("lose", None, (situation,)) for wager, situation in CELLS}
    cells |= {("war_perfect_pairs", key): cell for (wager, key), cell in cells.items() if wager == "perfect_pairs"}
    lost = {(wager, is_higher): cells[wager, "on_loss"] for wager in ("tie", "war_tie") for is_higher in (True, False)}
    return replace(load_rulebook("nz"), cells=cells, lost_ties=lost)


def priced(wager: str) -> dict[str, Fraction]:
    """The chance of each situation as the odds have it; of a wager on the war cards, after a tie."""
    found: Counter[str] = Counter()
    for outcome, weight in outcomes(by_card(tuple(LEFT.count(Card(card)) for card in CARDS))).weights.items():
        if wager not in WAR_DEAL or outcome.first == "tie":
            found[side_situation(wager, outcome)] += weight
    return chances(found)


def chances(counts: Counter[str]) -> dict[str, Fraction]:
    return {situation: Fraction(count, counts.total()) for situation, count in counts.items() if count}


@pytest.mark.parametrize("wager", ON_FIRST_CARDS)
def test_settlement_and_odds_agree_on_the_first_cards(rules: Rulebook, wager: str) -> None:
    played: Counter[str] = Counter()
    for card, dealer in permutations(LEFT, 2):
        cell = first_cell(rules, wager, card, dealer)
        assert cell is not None
        played[cell.clauses[0]] += 1
    assert len(played) > 1
    assert chances(played) == priced(wager)


@pytest.mark.parametrize("wager", WAR_DEAL)
def test_settlement_and_odds_agree_on_the_war_cards(rules: Rulebook, wager: str) -> None:
    played: Counter[str] = Counter()
    for card, dealer, second, dealers_second in permutations(LEFT, 4):
        if card[0] == dealer[0]:
            played[war_cell(rules, wager, second, dealers_second).clauses[0]] += 1
    assert len(played) > 1
    assert chances(played) == priced(wager)


def test_every_wager_has_its_leaves() -> None:
    assert set(Names.__struct_fields__) == set(WAGERS)
    assert set(OPTIONAL) <= set(WagerRules.__struct_fields__)
    assert set(SITUATIONS) == set(PayoutRules.__struct_fields__) - {"war_odds"} == set(WAGERS) - {"war_perfect_pairs"}


@pytest.mark.parametrize(("wager", "situation"), CELLS)
def test_every_situation_has_its_words(wager: str, situation: str) -> None:
    told = situation_in_words(wager, situation)
    assert wager == "progressive" or told != words(situation.removeprefix("on_"))
    assert (told == "no pair") == ((wager, situation) == ("perfect_pairs", "on_loss"))
    assert labels.situation(wager, situation)
