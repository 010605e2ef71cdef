"""Hold: what the house has won at each table, beside what the mathematics of its book expects, with a band."""

from collections import deque
from collections.abc import Iterator
from functools import lru_cache
from math import sqrt
from typing import TYPE_CHECKING, Any

import msgspec

from casinowar.engine import events as e
from casinowar.odds.boxes import covariance
from casinowar.odds.composition import CompositionError, fresh
from casinowar.odds.figures import Study, study
from casinowar.rulebooks import Rulebook
from casinowar.store import BookResolved, Recalled, rules_of
from casinowar.table.saying import say_event

if TYPE_CHECKING:
    from casinowar.table.house import House

Z = 1.96
"""The band holds 95 of 100 nights."""

INCIDENTS = e.IncidentReported | e.RulingGiven | e.HandVoided | e.RoundVoided | e.RoundInvalidated | e.PlayerExcluded
MOST_INCIDENTS = 12
MOST_POINTS = 60
Spot = tuple[int, str, str]


class Hold(msgspec.Struct, frozen=True):
    """`staked` is all but war wagers, which are a part of the first wager's mathematics; `won` is the house's.

    The others are shares of what was staked: won, expected with every tie gone to war, and the band about that. None
    of them is there while nothing is staked, nor where players bank.
    """

    rounds: int
    staked: int
    won: int
    actual: float | None = None
    expected: float | None = None
    low: float | None = None
    high: float | None = None


class FloorPoint(msgspec.Struct, frozen=True):
    """After so many rounds of all tables: what the house has won, what it could expect, and the band. Amounts."""

    rounds: int
    actual: int
    expected: int
    low: int
    high: int


class IncidentLine(msgspec.Struct, frozen=True):
    table: str
    at: int
    says: str
    clauses: tuple[str, ...]


class RoundHold(msgspec.Struct, frozen=True):
    """One round: when it ended, what was staked and won, its expectation and its variance."""

    number: int
    at: int
    staked: int
    won: int
    expected: float
    variance: float


class Edges(msgspec.Struct, frozen=True):
    """Of each wager what the house expects of a unit and the variance; of two first wagers how they hang together."""

    edge: dict[str, float]
    variance: dict[str, float]
    together: float


@lru_cache(maxsize=32)
def _edges(key: str, decks: int) -> Edges:
    rules = _RULES[key]
    try:
        studied = study(rules, fresh(decks))
        known = {wager: studied.figures(wager, "war") for wager in studied.wagers()}
        together = float(covariance(studied, "initial", "initial"))
    except (CompositionError, ValueError):
        return Edges({}, {}, 0.0)
    return Edges(
        {wager: float(one.house_edge) for wager, one in known.items()},
        {wager: float(one.variance) for wager, one in known.items()},
        together,
    )


_RULES: dict[str, Rulebook] = {}
