"""Exact odds: rational figures for every wager of every rulebook. It stands on the rulebooks alone.

>>> from casinowar.odds import fresh, parse_composition, progressive, stretch_data, study
>>> from casinowar.rulebooks import load_rulebook
>>> rules = load_rulebook("ma")
>>> six_decks = study(rules, fresh(6))
>>> initial = six_decks.figures("initial")
>>> initial.ev
Fraction(-23138, 993023)
>>> f"house edge {float(initial.house_edge):.2%}, element of risk {float(initial.element_of_risk):.2%}"
'house edge 2.33%, element of risk 2.17%'
>>> f"{float(six_decks.figures('initial', 'surrender').house_edge):.2%}"
'3.70%'
>>> progressive(six_decks).lines["tie"] < six_decks.figures("tie").hit_frequency
True
>>> left = study(rules, parse_composition("7:20 8:20 K:4", decks=6))
>>> left.best_play()
{'7': 'war', '8': 'war', 'K': 'war'}
>>> stretch_data(initial, rounds=100)["method"]
'exact'
"""

from casinowar.odds.bank import bank_figures
from casinowar.odds.composition import Composition, CompositionError, by_card, by_rank, fresh, parse_composition
from casinowar.odds.figures import Figures, Study, study
from casinowar.odds.progressive import progressive
from casinowar.odds.stretch.text import stretch_data

__all__ = [
    "Composition",
    "CompositionError",
    "Figures",
    "Study",
    "bank_figures",
    "by_card",
    "by_rank",
    "fresh",
    "parse_composition",
    "progressive",
    "stretch_data",
    "study",
]
