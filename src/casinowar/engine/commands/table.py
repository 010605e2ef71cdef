"""Commands about seats, chips, grants and the bank."""

import msgspec

from casinowar.engine.commands.values import CommandStruct, HandCommand, Limit, PlayerCommand


class OpenTable(CommandStruct, frozen=True, kw_only=True):
    """Limits for every wager, those that differ per kind, and the progressive's meter, else its seed."""

    limit: Limit = Limit()
    limits: dict[str, Limit] = msgspec.field(default_factory=dict)
    meter: int | None = None


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


class BuyIn(PlayerCommand, frozen=True, kw_only=True):
    amount: int


class SeatPlayer(HandCommand, frozen=True, kw_only=True):
    """The player takes the seat at the box.

    >>> import casinowar
    >>> session = casinowar.Session("nz", seed="dawn", players={"ana": 10_000})
    >>> events = session.must(casinowar.SeatPlayer(player="ana", box=3))
    >>> session.table.seats
    {3: 'ana'}
    """


class VacateSeat(PlayerCommand, frozen=True, kw_only=True):
    """The player leaves every seat.

    >>> import casinowar
    >>> session = casinowar.Session("nz", seed="dawn", players={"ana": 10_000})
    >>> events = session.must(casinowar.SeatPlayer(player="ana", box=3), casinowar.VacateSeat(player="ana"))
    >>> session.table.seats
    {}
    """


class GrantMultiBox(PlayerCommand, frozen=True, kw_only=True):
    """The supervisor attests that there are places enough; `boxes` is how many the player may then bet on."""

    boxes: int


class RevokeMultiBox(PlayerCommand, frozen=True, kw_only=True):
    """The supervisor takes a grant of several boxes back."""


class AcceptBank(HandCommand, frozen=True, kw_only=True):
    """Take the bank for the next round with this stake, from this seat.

    >>> import casinowar
    >>> session = casinowar.Session("ca", seed="dawn", players={"ana": 10_000, "ben": 10_000})
    >>> events = session.must(casinowar.SeatPlayer(player="ana", box=1), casinowar.SeatPlayer(player="ben", box=2))
    >>> events = [*session.cut_in_the_middle(), *session.prepare()]
    >>> session.to_move
    'ana'
    >>> events = session.must(casinowar.AcceptBank(player=session.to_move, box=1, stake=5_000))
    >>> session.table.bank.left
    5000
    """

    stake: int


class DeclineBank(PlayerCommand, frozen=True, kw_only=True):
    """The player does not want the bank.

    >>> import casinowar
    >>> session = casinowar.Session("ca", seed="dawn", players={"ana": 10_000, "ben": 10_000})
    >>> events = session.must(casinowar.SeatPlayer(player="ana", box=1), casinowar.SeatPlayer(player="ben", box=2))
    >>> [casinowar.name(event) for event in session.must(casinowar.DeclineBank(player="ana"))]
    ['bank_declined']
    """


class RelinquishBank(PlayerCommand, frozen=True, kw_only=True):
    """The player gives the bank up."""


class OfferBank(PlayerCommand, frozen=True, kw_only=True):
    """The dealer offers the bank to the player."""


class RotateBank(CommandStruct, frozen=True, kw_only=True):
    """The dealer passes the bank on from a player who has held it as long as the book allows."""


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
