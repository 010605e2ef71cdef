"""Events of the floor: time, limits, notices, seats without a wager, and the end of the day."""

from casinowar.engine.commands import Limit
from casinowar.engine.events.values import EventStruct, PlayerEvent, StaffEvent


class TimePassed(EventStruct, frozen=True):
    seconds: int


class LimitsAnnounced(StaffEvent, frozen=True):
    limit: Limit


class LimitsChanged(StaffEvent, frozen=True):
    limit: Limit
    basis: str


class ClosingAnnounced(StaffEvent, frozen=True):
    """The table closes in so many minutes; where none are told, in as many as the book wants."""

    minutes: int | None = None


class TableClosed(StaffEvent, frozen=True):
    """The table is closed for the day."""


class RoundSatOut(PlayerEvent, frozen=True):
    """A seated player without a wager, for so many rounds in a row."""

    rounds: int


class AbstentionNoted(PlayerEvent, frozen=True):
    """A seated player has bet on nothing for so many rounds that the book lets the operator ask for the seat."""

    rounds: int


class DecksAnnounced(StaffEvent, frozen=True):
    decks: int
    perfect_pairs: str | None


class DecksChanged(EventStruct, frozen=True):
    """The notice has stood long enough, and the new stack has the new number of decks."""

    decks: int


class BoxMaxDirected(StaffEvent, frozen=True):
    amount: int


class PlayerMaxDirected(StaffEvent, frozen=True):
    amount: int


class BettorsPerAreaSet(StaffEvent, frozen=True):
    bettors: int


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
