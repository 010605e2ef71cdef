"""Events of the table: seats, chips, the bank, the meter, and the end of a round."""

from casinowar.cards import Card
from casinowar.engine.commands import Limit
from casinowar.engine.events.values import Clauses, EventStruct


class TableOpened(EventStruct, frozen=True):
    limit: Limit
    limits: dict[str, Limit]
    meter: int = 0
    clauses: Clauses = ()
    decks: int = 0


class TableResumed(EventStruct, frozen=True):
    """The table stands as it stood before the first act of a record that begins in the middle."""

    rounds: int
    shoe_left: int
    cut_in: int | None
    shuffle: str | None
    dealer_burns: int
    seats: dict[int, str]
    reminded: tuple[str, ...]
    bank_turn: tuple[str, int, int] | None = None
    clauses: Clauses = ()


class PlayerEdgeNoted(EventStruct, frozen=True):
    """Going to war pays the player more than it costs under these payouts."""

    clauses: Clauses = ()


class LimitsOffUnitNoted(EventStruct, frozen=True):
    """Minimum or maximum is no multiple of the unit, so a wager rounded down may fall below the minimum."""

    wager: str
    clauses: Clauses = ()


class BoughtIn(EventStruct, frozen=True):
    player: str
    amount: int
    clauses: Clauses = ()


class PlayerSeated(EventStruct, frozen=True):
    player: str
    box: int
    leaves: tuple[int, ...] = ()
    clauses: Clauses = ()


class SeatVacated(EventStruct, frozen=True):
    player: str
    boxes: tuple[int, ...]
    clauses: Clauses = ()


class MultiBoxGranted(EventStruct, frozen=True):
    player: str
    boxes: int
    by: str
    clauses: Clauses = ()


class MultiBoxRevoked(EventStruct, frozen=True):
    player: str
    by: str
    clauses: Clauses = ()


class BankAccepted(EventStruct, frozen=True):
    """The player banks the next round; the stake lies before them."""

    player: str
    box: int
    stake: int
    clauses: Clauses = ()


class BankOffered(EventStruct, frozen=True):
    player: str
    clauses: Clauses = ()


class BankRotated(EventStruct, frozen=True):
    """The bank has been held as long as it may be and goes to the next."""

    player: str
    to: str
    clauses: Clauses = ()


class BankDeclined(EventStruct, frozen=True):
    player: str
    clauses: Clauses = ()


class BankRelinquished(EventStruct, frozen=True):
    player: str
    clauses: Clauses = ()


class BankReturned(EventStruct, frozen=True):
    """The round is over: what lies before the bank goes back to that player, `net` more or less than the stake.

    A void round is not `counted` for the turn.
    """

    player: str
    amount: int
    net: int
    counted: bool = True
    clauses: Clauses = ()


class MeterFed(EventStruct, frozen=True):
    player: str
    box: int
    amount: int
    clauses: Clauses = ()


class MeterPaid(EventStruct, frozen=True):
    """The jackpot was hit: `amount` left the meter, and `seed` starts it again."""

    amount: int
    seed: int
    clauses: Clauses = ()


class RoundEnded(EventStruct, frozen=True):
    number: int
    hands: tuple[tuple[int, tuple[Card, ...]], ...]
    clauses: Clauses = ()


class RoundAmended(EventStruct, frozen=True):
    """A round that was over has come to something else: wagers that were settled are void or forfeit."""

    number: int
    clauses: Clauses = ()


class RoundInvalidated(EventStruct, frozen=True):
    number: int
    cause: str
    by: str
    clauses: Clauses = ()
    second: str | None = None


class RoundVoided(EventStruct, frozen=True):
    """All hands of the round are void."""

    number: int
    reason: str
    clauses: Clauses = ()
    by: str | None = None
    second: str | None = None


TableEvent = (
    TableOpened
    | TableResumed
    | PlayerEdgeNoted
    | LimitsOffUnitNoted
    | BoughtIn
    | PlayerSeated
    | SeatVacated
    | MultiBoxGranted
    | MultiBoxRevoked
    | BankAccepted
    | BankOffered
    | BankRotated
    | BankDeclined
    | BankRelinquished
    | BankReturned
    | MeterFed
    | MeterPaid
    | RoundEnded
    | RoundInvalidated
    | RoundVoided
    | RoundAmended
)
