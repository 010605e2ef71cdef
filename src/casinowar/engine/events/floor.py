"""Events of the floor: time, limits, notices, seats without a wager, and the end of the day."""

from casinowar.engine.commands import Limit
from casinowar.engine.events.values import Clauses, EventStruct


class TimePassed(EventStruct, frozen=True):
    seconds: int
    clauses: Clauses = ()


class LimitsAnnounced(EventStruct, frozen=True):
    limit: Limit
    by: str
    clauses: Clauses = ()


class LimitsChanged(EventStruct, frozen=True):
    limit: Limit
    basis: str
    by: str
    clauses: Clauses = ()


class ClosingAnnounced(EventStruct, frozen=True):
    """The table closes in so many minutes; where none are told, in as many as the book wants."""

    by: str
    clauses: Clauses = ()
    minutes: int | None = None


class TableClosed(EventStruct, frozen=True):
    by: str
    clauses: Clauses = ()


class RoundSatOut(EventStruct, frozen=True):
    """A seated player without a wager, for so many rounds in a row."""

    player: str
    rounds: int
    clauses: Clauses = ()


class AbstentionNoted(EventStruct, frozen=True):
    """A seated player has bet on nothing for so many rounds that the book lets the operator ask for the seat."""

    player: str
    rounds: int
    clauses: Clauses = ()


class DecksAnnounced(EventStruct, frozen=True):
    decks: int
    perfect_pairs: str | None
    by: str
    clauses: Clauses = ()


class DecksChanged(EventStruct, frozen=True):
    """The notice has stood long enough, and the new stack has the new number of decks."""

    decks: int
    clauses: Clauses = ()


class BoxMaxDirected(EventStruct, frozen=True):
    amount: int
    by: str
    clauses: Clauses = ()


class PlayerMaxDirected(EventStruct, frozen=True):
    amount: int
    by: str
    clauses: Clauses = ()


class BettorsPerAreaSet(EventStruct, frozen=True):
    bettors: int
    by: str
    clauses: Clauses = ()


FloorEvent = (
    TimePassed
    | LimitsAnnounced
    | LimitsChanged
    | ClosingAnnounced
    | TableClosed
    | RoundSatOut
    | AbstentionNoted
    | DecksAnnounced
    | DecksChanged
    | BoxMaxDirected
    | PlayerMaxDirected
    | BettorsPerAreaSet
)
