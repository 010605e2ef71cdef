"""Commands that report what went wrong, and rulings on it.

`second` is the second signature, where the act takes two people.
"""

from typing import Literal

import msgspec

from casinowar.cards import Card
from casinowar.engine.commands.values import CommandStruct, HandCommand, PlayerCommand, SpotCommand, TwoSignedCommand

Delivery = Literal["forward", "dealer_next", "burn"]
Action = Literal["void_hand", "void_round", "reconstruct", "stand", "reshuffle", "shuffle_discards"]


class Move(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"origin": "from"}):
    """The last card of one hand goes to another, or out of play: boxes by number, the dealer 0, the rack -1."""

    origin: int
    to: int


class ReportFaceUpCard(CommandStruct, frozen=True, kw_only=True):
    """The next card of the shoe lies face up; `card` is its face."""

    card: Card | None = None


class ReportExtraDraw(CommandStruct, frozen=True, kw_only=True):
    """The next card of the shoe was drawn in error; `card` is its face where it was exposed.

    `action` is what a supervisor has done with an exposed one, where the book leaves the choice.
    """

    exposed: bool
    card: Card | None = None
    action: Delivery | None = None


class ReportMisdelivered(CommandStruct, frozen=True, kw_only=True):
    """The card just dealt to the box was not due there."""

    box: int
    action: Delivery


class ReportMissedHand(CommandStruct, frozen=True, kw_only=True):
    """The box's card is due and it was passed over."""

    box: int


class ReportMissedOffer(HandCommand, frozen=True, kw_only=True):
    """War or surrender was not offered, or not acted on as chosen, and so many cards were dealt on.

    `faces` are those cards where the table has not drawn them yet.
    """

    cards: int
    faces: tuple[Card | None, ...] = ()


class ReportForgottenBurn(CommandStruct, frozen=True, kw_only=True):
    """The burn now due is left out."""


class ReportMissingCutCard(CommandStruct, frozen=True, kw_only=True):
    """The cutting card was never put into the stack."""


class ReportMissedShuffle(CommandStruct, frozen=True, kw_only=True):
    """The cutting card had shown, and no shuffle followed."""


class ReportExposedBeforeShoe(CommandStruct, frozen=True, kw_only=True):
    """A card was seen after the shuffle and before the stack was in the shoe."""


class ReportShufflerFault(TwoSignedCommand, frozen=True, kw_only=True):
    """The shuffling machine failed; `boxes` are the hands that it affected."""

    boxes: tuple[int, ...] = ()


class ReportDamagedCard(CommandStruct, frozen=True, kw_only=True):
    """`card` is its face, where it is known."""

    card: Card | None = None


class ReportWager(SpotCommand, frozen=True, kw_only=True):
    """A wager is found to be another amount than was noted, after the betting closed; `amount` is what lies there."""

    amount: int
    second: str | None = None


class Reconstruct(TwoSignedCommand, frozen=True, kw_only=True):
    """The cards go where they would lie without the error; the moves are made all at once."""

    moves: tuple[Move, ...]


class VoidHand(TwoSignedCommand, frozen=True, kw_only=True):
    """Open wagers on the hand go back; with `decided`, those that were already settled too."""

    box: int
    decided: bool = False
    reason: str = ""


class VoidPlayer(PlayerCommand, frozen=True, kw_only=True):
    reason: str = ""
    second: str | None = None


class VoidRound(TwoSignedCommand, frozen=True, kw_only=True):
    reason: str = ""


class InvalidateRound(TwoSignedCommand, frozen=True, kw_only=True):
    cause: Literal["fire", "riot", "brawl", "robbery", "commotion", "act_of_god", "fraud"]


class ReleasePlayers(TwoSignedCommand, frozen=True, kw_only=True):
    """Players are let out of the hand after a dealer's error."""

    players: tuple[str, ...]


class Rule(TwoSignedCommand, frozen=True, kw_only=True):
    """The last word on what was reported, or on a dispute; `box` is the hand it concerns."""

    action: Action
    reason: str
    box: int | None = None


class ReportContravention(PlayerCommand, frozen=True, kw_only=True):
    reason: str


class ExcludePlayer(PlayerCommand, frozen=True, kw_only=True):
    reason: str = ""


class FlagPartnership(CommandStruct, frozen=True, kw_only=True):
    """These players bet together to get past the maximum."""

    players: tuple[str, ...]


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
