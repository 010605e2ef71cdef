"""Events of the table: seats, chips, the bank, the meter, and the end of a round."""

import msgspec

from casinowar.cards import Card
from casinowar.engine.commands import Limit
from casinowar.engine.events.values import Clauses


class TableOpened(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="table_opened"):
    limit: Limit
    limits: dict[str, Limit]
    meter: int = 0
    clauses: Clauses = ()
    decks: int = 0


class TableResumed(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="table_resumed"):
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


class PlayerEdgeNoted(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="player_edge_noted"):
    """Going to war pays the player more than it costs under these payouts."""

    clauses: Clauses = ()


class LimitsOffUnitNoted(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="limits_off_unit_noted"):
    """Minimum or maximum is no multiple of the unit, so a wager rounded down may fall below the minimum."""

    wager: str
    clauses: Clauses = ()


class BoughtIn(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="bought_in"):
    player: str
    amount: int
    clauses: Clauses = ()


class PlayerSeated(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="player_seated"):
    player: str
    box: int
    leaves: tuple[int, ...] = ()
    clauses: Clauses = ()


class SeatVacated(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="seat_vacated"):
    player: str
    boxes: tuple[int, ...]
    clauses: Clauses = ()


class MultiBoxGranted(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="multi_box_granted"):
    player: str
    boxes: int
    by: str
    clauses: Clauses = ()


class MultiBoxRevoked(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="multi_box_revoked"):
    player: str
    by: str
    clauses: Clauses = ()


class BankAccepted(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="bank_accepted"):
    """The player banks the next round; the stake lies before them."""

    player: str
    box: int
    stake: int
    clauses: Clauses = ()


class BankOffered(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="bank_offered"):
    player: str
    clauses: Clauses = ()


class BankRotated(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="bank_rotated"):
    """The bank has been held as long as it may be and goes to the next."""

    player: str
    to: str
    clauses: Clauses = ()


class BankDeclined(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="bank_declined"):
    player: str
    clauses: Clauses = ()


class BankRelinquished(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="bank_relinquished"):
    player: str
    clauses: Clauses = ()


class BankReturned(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="bank_returned"):
    """The round is over: what lies before the bank goes back to that player, `net` more or less than the stake.

    A void round is not `counted` for the turn.
    """

    player: str
    amount: int
    net: int
    counted: bool = True
    clauses: Clauses = ()


class MeterFed(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="meter_fed"):
    player: str
    box: int
    amount: int
    clauses: Clauses = ()


class MeterPaid(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="meter_paid"):
    """The jackpot was hit: `amount` left the meter, and `seed` starts it again."""

    amount: int
    seed: int
    clauses: Clauses = ()


class RoundEnded(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="round_ended"):
    number: int
    hands: tuple[tuple[int, tuple[Card, ...]], ...]
    clauses: Clauses = ()


class RoundAmended(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="round_amended"):
    """A round that was over has come to something else: wagers that were settled are void or forfeit."""

    number: int
    clauses: Clauses = ()


class RoundInvalidated(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="round_invalidated"):
    number: int
    cause: str
    by: str
    clauses: Clauses = ()
    second: str | None = None


class RoundVoided(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="round_voided"):
    """All hands of the round are void."""

    number: int
    reason: str
    clauses: Clauses = ()
    by: str | None = None
    second: str | None = None
