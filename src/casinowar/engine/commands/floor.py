"""Commands of the floor: time, limits and the end of the day. Time enters as a command like everything else."""

from typing import Literal

from casinowar.engine.commands.values import CommandStruct


class Tick(CommandStruct, frozen=True, kw_only=True):
    seconds: int


class AnnounceLimits(CommandStruct, frozen=True, kw_only=True):
    """A sign with the limits that are to come; another announcement starts the notice anew."""

    minimum: int
    maximum: int | None = None
    unit: int = 1


class ChangeLimits(CommandStruct, frozen=True, kw_only=True):
    """`basis` is why it is allowed now: nobody at the table, everybody in `consents`, or notice given in time."""

    minimum: int
    maximum: int | None = None
    unit: int = 1
    basis: Literal["empty", "agreed", "notice"]
    consents: tuple[str, ...] = ()


class AnnounceClosing(CommandStruct, frozen=True, kw_only=True):
    """A sign with the time of closure, `minutes` from now; where none are told, as soon as the book allows."""

    minutes: int | None = None


class CloseTable(CommandStruct, frozen=True, kw_only=True):
    """The table closes for the day."""


class AnnounceDecks(CommandStruct, frozen=True, kw_only=True):
    """A sign that another number of decks is to come; `perfect_pairs` names the pay table that goes with it."""

    decks: int
    perfect_pairs: str | None = None


class DirectBoxMax(CommandStruct, frozen=True, kw_only=True):
    """A most for all wagers on one area; 0 takes the direction back."""

    amount: int


class DirectPlayerMax(CommandStruct, frozen=True, kw_only=True):
    """A most for one player's wagers on a box; 0 takes the direction back."""

    amount: int


class SetBettorsPerArea(CommandStruct, frozen=True, kw_only=True):
    bettors: int


FloorCommand = (
    Tick
    | AnnounceLimits
    | ChangeLimits
    | AnnounceClosing
    | CloseTable
    | AnnounceDecks
    | DirectBoxMax
    | DirectPlayerMax
    | SetBettorsPerArea
)
