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

from fractions import Fraction
from typing import Any

from casinowar.odds.bank import bank_figures
from casinowar.odds.composition import Composition, CompositionError, by_card, by_rank, fresh, parse_composition
from casinowar.odds.data import odds_data
from casinowar.odds.figures import Figures, Strategy, Study, study
from casinowar.odds.progressive import progressive
from casinowar.odds.solve import PayoutAnswer, Question, solve_payout
from casinowar.odds.stretch.text import stretch_data
from casinowar.rulebooks import Rulebook, load_rulebook

__all__ = [
    "Composition",
    "CompositionError",
    "Figures",
    "Study",
    "bank_figures",
    "by_card",
    "by_rank",
    "compare",
    "fresh",
    "odds",
    "parse_composition",
    "progressive",
    "solve",
    "stretch_data",
    "study",
]


def odds(
    rules: Rulebook | str, composition: Composition | None = None, *, strategy: Strategy = "war"
) -> dict[str, Any]:
    """The figures of every wager as data, as `casinowar odds --json` prints them; from a fresh shoe unless told.

    >>> odds("nz")["wagers"]["tie"]["house_edge"]["fraction"]
    '58/311'
    """
    book = _book(rules)
    return odds_data(book, fresh(book.shoe.decks) if composition is None else composition, strategy=strategy)


def compare(*books: Rulebook | str, wager: str = "initial") -> dict[str, Fraction]:
    """The house edge of a wager in several books, from fresh shoes, best play at a tie.

    >>> {book: f"{float(edge):.2%}" for book, edge in compare("nz", "ctg").items()}
    {'nz': '2.33%', 'ctg': '-1.64%'}
    """
    loaded = [_book(one) for one in books]
    return {one.id: study(one, fresh(one.shoe.decks)).figures(wager, "best").house_edge for one in loaded}


def solve(rules: Rulebook | str, key: str, edge: Fraction, *, wager: str = "initial") -> PayoutAnswer:
    """The odds of a payout leaf that give the wager this house edge, exactly, and odds near them that can be played.

    >>> solve("nz", "payout.tie.on_win", Fraction("0.05"), wager="tie").exact
    Fraction(5449, 460)
    """
    book = _book(rules)
    return solve_payout(book, fresh(book.shoe.decks), key, Question(wager=wager, target=Fraction(edge)))


def _book(rules: Rulebook | str) -> Rulebook:
    return rules if isinstance(rules, Rulebook) else load_rulebook(rules)
