"""The line for a seat at a full live table: who waits there, and when each seat was last used.

Nothing of it outlives the process: after a restart people wait again from the beginning.
"""

import msgspec

from casinowar.engine import Table
from casinowar.engine import events as e
from casinowar.engine.state import Round
from casinowar.store import Recorded, SeatGivenUp

TOLD_MS = 1_000
"""Everybody is told of the line no more often, so that nobody has them told all the time by coming and going."""


class Use(msgspec.Struct, frozen=True):
    """The last use of a seat: the round, and the moment of the monotonic clock."""

    round: int
    at: int


class Claim(msgspec.Struct):
    """A claim to a seat: since when somebody waits, or is not there to wait, and how long a free seat is
    kept for them."""

    since: int
    missed: int | None = None
    kept_until: int | None = None


class SeatLine:
    """The line of one table as it is kept in mind; `seats` works on it.

    `waiting` are those without an offer in their order, `wanted` are the players whose unused seats are to be given up,
    `warned` says when each of them was told, and `shown` is what everybody was last told, at `told_at`.
    """

    def __init__(self) -> None:
        self.claims: dict[str, Claim] = {}
        self.uses: dict[str, Use] = {}
        self.warned: dict[str, int] = {}
        self.wanted: list[str] = []
        self.waiting: list[str] = []
        self.was_open = True
        self.shown = self.summary
        self.told_at = -TOLD_MS

    @property
    def kept(self) -> list[str]:
        """The players for whom a free seat is kept."""
        return [player for player, claim in self.claims.items() if claim.kept_until is not None]

    @property
    def summary(self) -> list[str]:
        return [*self.kept, "", *self.wanted, "", *self.waiting]

    def forget_uses(self) -> None:
        for known in (self.uses, self.warned, self.wanted):
            known.clear()

    def follow(self, event: Recorded, table: Table, now: int) -> None:
        """Note an event after which the table stands so."""
        for player in _users(event, table.round):
            if player in table.seats.values():
                self.uses[player] = Use(table.round.number, now)
        if isinstance(event, e.PlayerSeated | SeatGivenUp):
            self.claims.pop(event.player, None)
        if isinstance(event, e.SeatVacated):
            self.uses.pop(event.player, None)
            self.warned.pop(event.player, None)
            self.wanted = [player for player in self.wanted if player != event.player]


def _users(event: Recorded, round_: Round) -> list[str]:
    """The players whose seat is used by an event: who comes to it, takes the bank, or has played a round to its end.

    A wager that is taken back and a change of boxes are no use, so that nobody keeps a seat by them.
    """
    match event:
        case e.RoundEnded() | e.RoundVoided() | e.RoundInvalidated():
            return [player for player in (*(who for _, _, who in round_.wagers), round_.banker) if player]
        case e.PlayerSeated(player, _, ()) | e.BankAccepted(player):
            return [player]
        case _:
            return []
