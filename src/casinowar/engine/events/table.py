"""Events of the table: seats, chips, the bank, the meter, and the end of a round."""

from casinowar.cards import Card
from casinowar.engine.commands import Limit
from casinowar.engine.events.values import EventStruct, HandEvent, PlayerEvent, StaffEvent


class TableOpened(EventStruct, frozen=True):
    limit: Limit
    limits: dict[str, Limit]
    meter: int = 0
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


class PlayerEdgeNoted(EventStruct, frozen=True):
    """Going to war pays the player more than it costs under these payouts."""


class LimitsOffUnitNoted(EventStruct, frozen=True):
    """Minimum or maximum is no multiple of the unit, so a wager rounded down may fall below the minimum."""

    wager: str


class BoughtIn(PlayerEvent, frozen=True):
    amount: int


class PlayerSeated(HandEvent, frozen=True):
    leaves: tuple[int, ...] = ()


class SeatVacated(PlayerEvent, frozen=True):
    boxes: tuple[int, ...]


class MultiBoxGranted(PlayerEvent, frozen=True):
    boxes: int
    by: str


class MultiBoxRevoked(PlayerEvent, frozen=True):
    by: str


class BankAccepted(HandEvent, frozen=True):
    """The player banks the next round; the stake lies before them."""

    stake: int


class BankOffered(PlayerEvent, frozen=True):
    """The dealer offered the bank to the player."""


class BankRotated(PlayerEvent, frozen=True):
    """The bank has been held as long as it may be and goes to the next."""

    to: str


class BankDeclined(PlayerEvent, frozen=True):
    """The player did not want the bank."""


class BankRelinquished(PlayerEvent, frozen=True):
    """The player gave the bank up."""


class BankReturned(PlayerEvent, frozen=True):
    """The round is over: what lies before the bank goes back to that player, `net` more or less than the stake.

    A void round is not `counted` for the turn.
    """

    amount: int
    net: int
    counted: bool = True


class MeterFed(HandEvent, frozen=True):
    amount: int


class MeterPaid(EventStruct, frozen=True):
    """The jackpot was hit: `amount` left the meter, and `seed` starts it again."""

    amount: int
    seed: int


class RoundEnded(EventStruct, frozen=True):
    number: int
    hands: tuple[tuple[int, tuple[Card, ...]], ...]


class RoundAmended(EventStruct, frozen=True):
    """A round that was over has come to something else: wagers that were settled are void or forfeit."""

    number: int


class RoundInvalidated(StaffEvent, frozen=True):
    number: int
    cause: str
    second: str | None = None


class RoundVoided(EventStruct, frozen=True):
    """All hands of the round are void."""

    number: int
    reason: str
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
