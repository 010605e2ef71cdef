"""Hold: what the house has won at each table, beside what the mathematics of its book expects, with a band."""

from collections import deque
from collections.abc import Iterator
from math import sqrt

import msgspec

from casinowar.engine import events as e
from casinowar.house.house import House
from casinowar.odds.boxes import covariance
from casinowar.odds.composition import CompositionError, fresh
from casinowar.odds.figures import study
from casinowar.rulebooks import Rulebook
from casinowar.store import BookResolved, Recalled, rules_of
from casinowar.words.live_events import say_event

Z = 1.96
"""The band holds 95 of 100 nights."""

INCIDENTS = (
    e.IncidentReported
    | e.RulingGiven
    | e.HandVoided
    | e.PlayerVoided
    | e.RoundVoided
    | e.RoundInvalidated
    | e.PlayerExcluded
)
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


def edges_of(rules: Rulebook) -> Edges:
    """The edges of a book from a fresh shoe, every tie gone to war; nothing where the book's shoe cannot be reckoned
    with."""
    try:
        studied = study(rules, fresh(rules.shoe.decks))
        known = {wager: studied.figures(wager, "war") for wager in studied.wagers()}
        together = float(covariance(studied, "initial", "initial"))
    except (CompositionError, ValueError):
        return Edges({}, {}, 0.0)
    edge = {wager: float(one.house_edge) for wager, one in known.items()}
    return Edges(edge, {wager: float(one.variance) for wager, one in known.items()}, together)


class _Read(msgspec.Struct):
    """The part that has been read of one table's log: the last round, those that are over, the last incidents."""

    version: int = 0
    rules: Rulebook | None = None
    edges: Edges | None = None
    settled: dict[Spot, e.WagerSettled] = {}
    is_over: bool = False
    rounds: dict[int, RoundHold] = {}
    incidents: deque[IncidentLine] = deque(maxlen=MOST_INCIDENTS)


class HoldIndex:
    """The index of holds: it reads each log once, and from then on only what is new. For the thread that reads."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._read: dict[str, _Read] = {}

    def hold(self, table: str) -> Hold:
        rounds = self._rounds(table)
        staked, won = sum(one.staked for one in rounds), sum(one.won for one in rounds)
        if not staked or self._house.tables[table].rules.bank.by == "player":
            return Hold(len(rounds), staked, won)
        expected = sum(one.expected for one in rounds) / staked
        spread = Z * sqrt(sum(one.variance for one in rounds)) / staked
        return Hold(len(rounds), staked, won, won / staked, expected, expected - spread, expected + spread)

    def floor(self, tables: list[str]) -> list[FloorPoint]:
        """The hold of all tables together, round by round, in a few dozen points."""
        banked = [table for table in tables if self._house.tables[table].rules.bank.by == "house"]
        rounds = sorted((one for table in banked for one in self._rounds(table)), key=lambda one: one.at)
        points = list(_sum_floor(rounds))
        step = max(1, -(-len(points) // MOST_POINTS))
        return points[::-step][::-1]

    def incidents(self, tables: list[str]) -> list[IncidentLine]:
        """The last incidents of all tables, newest first."""
        found = [one for table in tables for one in self._follow_log(table).incidents]
        return sorted(found, key=lambda one: one.at, reverse=True)[:MOST_INCIDENTS]

    def _rounds(self, table: str) -> list[RoundHold]:
        return list(self._follow_log(table).rounds.values())

    def _follow_log(self, table: str) -> _Read:
        stream, store = self._house.tables[table].stream, self._house.store
        if stream not in self._read:
            self._read[stream] = _Read(incidents=deque(maxlen=MOST_INCIDENTS))
        read = self._read[stream]
        for one in store.read(stream, read.version):
            self._note(table, read, one)
            read.version = one.version
        return read

    def _note(self, table: str, read: _Read, one: Recalled) -> None:
        event = one.event
        match event:
            case BookResolved():
                read.rules, read.edges = rules_of(event), None
            case e.WagerSettled():
                read.settled[event.box, event.wager, event.player] = event
            case e.WagerReversed():
                read.settled.pop((event.box, event.wager, event.player), None)
            case e.WagerPlaced() if read.is_over:
                read.settled, read.is_over = {}, False
            case e.RoundEnded() | e.RoundAmended():
                read.rounds.pop(event.number, None)
                read.rounds[event.number] = self._sum_round(read, event.number, one.at)
                read.is_over = True
            case e.RoundVoided() | e.RoundInvalidated():
                read.rounds.pop(event.number, None)
                read.is_over = True
        if isinstance(event, INCIDENTS) and read.rules is not None:
            says = say_event(read.rules, event, self._house.settings.minor_digits) or ""
            read.incidents.append(IncidentLine(table, one.at, says, event.clauses))

    def _sum_round(self, read: _Read, number: int, at: int) -> RoundHold:
        """The hold of one round.

        Boxes at one table share the dealer's card: first wagers vary together, the others are taken as apart.
        """
        if read.edges is None:
            read.edges = edges_of(read.rules) if read.rules is not None else Edges({}, {}, 0.0)
        edges, lines = read.edges, list(read.settled.values())
        staked = [line for line in lines if line.wager != "war"]
        first = [line.amount for line in staked if line.wager == "initial"]
        together = edges.together * (sum(first) ** 2 - sum(amount**2 for amount in first))
        return RoundHold(
            number,
            at,
            sum(line.amount for line in staked),
            sum(line.amount - line.paid - line.returned for line in lines),
            sum(edges.edge.get(line.wager, 0.0) * line.amount for line in staked),
            together + sum(edges.variance.get(line.wager, 0.0) * line.amount**2 for line in staked),
        )


def _sum_floor(rounds: list[RoundHold]) -> Iterator[FloorPoint]:
    won, expected, variance = 0, 0.0, 0.0
    for number, one in enumerate(rounds, 1):
        won, expected, variance = won + one.won, expected + one.expected, variance + one.variance
        spread = Z * sqrt(variance)
        yield FloorPoint(number, won, round(expected), round(expected - spread), round(expected + spread))
