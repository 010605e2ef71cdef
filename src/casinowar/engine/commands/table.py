"""Commands about seats, chips, grants and the bank."""

import msgspec

from casinowar.engine.commands.values import CommandStruct, Limit


class OpenTable(CommandStruct, frozen=True, kw_only=True):
    """Limits for every wager, those that differ per kind, and the progressive's meter, else its seed."""

    limit: Limit = Limit()
    limits: dict[str, Limit] = msgspec.field(default_factory=dict)
    meter: int | None = None
    by: str | None = None


class ResumeTable(CommandStruct, frozen=True, kw_only=True):
    """Take up a table in the middle of a shoe: cards left, and what was still to come of it.

    `bank_turn` is who banked last, from which box, and for how many rounds in a row.
    """

    rounds: int = 0
    shoe_left: int = 0
    cut_in: int | None = None
    shuffle: str | None = None
    dealer_burns: int = 0
    seats: dict[int, str] = msgspec.field(default_factory=dict)
    reminded: tuple[str, ...] = ()
    bank_turn: tuple[str, int, int] | None = None
    by: str | None = None


class BuyIn(CommandStruct, frozen=True, kw_only=True):
    player: str
    amount: int
    by: str | None = None


class SeatPlayer(CommandStruct, frozen=True, kw_only=True):
    player: str
    box: int
    by: str | None = None


class VacateSeat(CommandStruct, frozen=True, kw_only=True):
    player: str
    by: str | None = None


class GrantMultiBox(CommandStruct, frozen=True, kw_only=True):
    """The supervisor attests that there are places enough; `boxes` is how many the player may then bet on."""

    player: str
    boxes: int
    by: str | None = None


class RevokeMultiBox(CommandStruct, frozen=True, kw_only=True):
    player: str
    by: str | None = None


class AcceptBank(CommandStruct, frozen=True, kw_only=True):
    """Take the bank for the next round with this stake, from this seat."""

    player: str
    box: int
    stake: int
    by: str | None = None


class DeclineBank(CommandStruct, frozen=True, kw_only=True):
    player: str
    by: str | None = None


class RelinquishBank(CommandStruct, frozen=True, kw_only=True):
    player: str
    by: str | None = None


class OfferBank(CommandStruct, frozen=True, kw_only=True):
    player: str
    by: str | None = None


class RotateBank(CommandStruct, frozen=True, kw_only=True):
    """The dealer passes the bank on from a player who has held it as long as the book allows."""

    by: str | None = None


TableCommand = (
    OpenTable
    | ResumeTable
    | BuyIn
    | SeatPlayer
    | VacateSeat
    | GrantMultiBox
    | RevokeMultiBox
    | AcceptBank
    | DeclineBank
    | RelinquishBank
    | OfferBank
    | RotateBank
)
