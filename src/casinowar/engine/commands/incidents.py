"""Commands that report what went wrong, and rulings on it.

`second` is the second signature, where the act takes two people.
"""

from typing import Literal

import msgspec

from casinowar.cards import Card
from casinowar.engine.commands.values import CommandStruct
from casinowar.rulebooks.wagers import WagerName

Delivery = Literal["forward", "dealer_next", "burn"]
Action = Literal["void_hand", "void_round", "reconstruct", "stand", "reshuffle", "shuffle_discards"]


class Move(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"origin": "from"}):
    """The last card of one hand goes to another, or out of play: boxes by number, the dealer 0, the rack -1."""

    origin: int
    to: int


class ReportFaceUpCard(CommandStruct, frozen=True, kw_only=True):
    """The next card of the shoe lies face up; `card` is its face."""

    card: Card | None = None
    by: str | None = None


class ReportExtraDraw(CommandStruct, frozen=True, kw_only=True):
    """The next card of the shoe was drawn in error; `card` is its face where it was exposed.

    `action` is what a supervisor has done with an exposed one, where the book leaves the choice.
    """

    exposed: bool
    card: Card | None = None
    action: Delivery | None = None
    by: str | None = None


class ReportMisdelivered(CommandStruct, frozen=True, kw_only=True):
    """The card just dealt to the box was not due there."""

    box: int
    action: Delivery
    by: str | None = None


class ReportMissedHand(CommandStruct, frozen=True, kw_only=True):
    """The box's card is due and it was passed over."""

    box: int
    by: str | None = None


class ReportMissedOffer(CommandStruct, frozen=True, kw_only=True):
    """War or surrender was not offered, or not acted on as chosen, and so many cards were dealt on.

    `faces` are those cards where the table has not drawn them yet.
    """

    player: str
    box: int
    cards: int
    faces: tuple[Card | None, ...] = ()
    by: str | None = None


class ReportForgottenBurn(CommandStruct, frozen=True, kw_only=True):
    """The burn now due is left out."""

    by: str | None = None


class ReportMissingCutCard(CommandStruct, frozen=True, kw_only=True):
    """The cutting card was never put into the stack."""

    by: str | None = None


class ReportMissedShuffle(CommandStruct, frozen=True, kw_only=True):
    """The cutting card had shown, and no shuffle followed."""

    by: str | None = None


class ReportExposedBeforeShoe(CommandStruct, frozen=True, kw_only=True):
    """A card was seen after the shuffle and before the stack was in the shoe."""

    by: str | None = None


class ReportShufflerFault(CommandStruct, frozen=True, kw_only=True):
    """The shuffling machine failed; `boxes` are the hands that it affected."""

    boxes: tuple[int, ...] = ()
    by: str | None = None
    second: str | None = None


class ReportDamagedCard(CommandStruct, frozen=True, kw_only=True):
    """`card` is its face, where it is known."""

    card: Card | None = None
    by: str | None = None


class ReportWager(CommandStruct, frozen=True, kw_only=True):
    """A wager is found to be another amount than was noted, after the betting closed; `amount` is what lies there."""

    player: str
    box: int
    wager: WagerName
    amount: int
    by: str | None = None
    second: str | None = None


class Reconstruct(CommandStruct, frozen=True, kw_only=True):
    """The cards go where they would lie without the error; the moves are made all at once."""

    moves: tuple[Move, ...]
    by: str | None = None
    second: str | None = None


class VoidHand(CommandStruct, frozen=True, kw_only=True):
    """Open wagers on the hand go back; with `decided`, those that were already settled too."""

    box: int
    decided: bool = False
    reason: str = ""
    by: str | None = None
    second: str | None = None


class VoidPlayer(CommandStruct, frozen=True, kw_only=True):
    player: str
    reason: str = ""
    by: str | None = None
    second: str | None = None


class VoidRound(CommandStruct, frozen=True, kw_only=True):
    reason: str = ""
    by: str | None = None
    second: str | None = None


class InvalidateRound(CommandStruct, frozen=True, kw_only=True):
    cause: Literal["fire", "riot", "brawl", "robbery", "commotion", "act_of_god", "fraud"]
    by: str | None = None
    second: str | None = None


class ReleasePlayers(CommandStruct, frozen=True, kw_only=True):
    """Players are let out of the hand after a dealer's error."""

    players: tuple[str, ...]
    by: str | None = None
    second: str | None = None


class Rule(CommandStruct, frozen=True, kw_only=True):
    """The last word on what was reported, or on a dispute; `box` is the hand it concerns."""

    action: Action
    reason: str
    box: int | None = None
    by: str | None = None
    second: str | None = None


class ReportContravention(CommandStruct, frozen=True, kw_only=True):
    player: str
    reason: str
    by: str | None = None


class ExcludePlayer(CommandStruct, frozen=True, kw_only=True):
    player: str
    reason: str = ""
    by: str | None = None


class FlagPartnership(CommandStruct, frozen=True, kw_only=True):
    """These players bet together to get past the maximum."""

    players: tuple[str, ...]
    by: str | None = None


CARD_REPORTS = (
    ReportFaceUpCard,
    ReportExtraDraw,
    ReportMisdelivered,
    ReportMissedHand,
    ReportMissedOffer,
    ReportForgottenBurn,
    ReportMissingCutCard,
    ReportMissedShuffle,
    ReportExposedBeforeShoe,
    ReportDamagedCard,
)
"""What goes wrong with cards in somebody's hands."""


IncidentCommand = (
    ReportFaceUpCard
    | ReportExtraDraw
    | ReportMisdelivered
    | ReportMissedHand
    | ReportMissedOffer
    | ReportForgottenBurn
    | ReportMissingCutCard
    | ReportMissedShuffle
    | ReportExposedBeforeShoe
    | ReportShufflerFault
    | ReportDamagedCard
    | ReportWager
    | Reconstruct
    | VoidHand
    | VoidPlayer
    | VoidRound
    | InvalidateRound
    | ReleasePlayers
    | Rule
    | ReportContravention
    | ExcludePlayer
    | FlagPartnership
)
