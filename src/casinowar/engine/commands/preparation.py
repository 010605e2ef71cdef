"""Commands about the opening and the making of a stack: inspection, spread, wash, shuffle, and the players' rights."""

from typing import Literal

from casinowar.cards import Card
from casinowar.engine.commands.values import CommandStruct

ShuffleStep = Literal["plug", "riffle", "turn", "strip"]


class InspectCards(CommandStruct, frozen=True, kw_only=True):
    """The decks are sorted and checked; where the book asks for two people, `second` is the other."""

    by: str | None = None
    second: str | None = None


class VerifyCards(CommandStruct, frozen=True, kw_only=True):
    by: str | None = None


class SpreadForInspection(CommandStruct, frozen=True, kw_only=True):
    """The cards lie fanned out for those who want to look; with two batches each by itself."""

    players: tuple[str, ...] = ()
    batch: int = 1
    by: str | None = None


class Wash(CommandStruct, frozen=True, kw_only=True):
    by: str | None = None


class Shuffle(CommandStruct, frozen=True, kw_only=True):
    """By hand, with the steps in their order; `before_load` where a machine shuffles them again."""

    steps: tuple[ShuffleStep, ...] = ()
    before_load: bool = False
    by: str | None = None


class SwapBatch(CommandStruct, frozen=True, kw_only=True):
    """The used batch goes into the shuffler and the other comes out."""

    by: str | None = None


class OfferCut(CommandStruct, frozen=True, kw_only=True):
    player: str
    by: str | None = None


class IdleSpread(CommandStruct, frozen=True, kw_only=True):
    """Nobody plays: the cards come out of shoe and rack and lie spread."""

    by: str | None = None


class PlayerRequestInspect(CommandStruct, frozen=True, kw_only=True):
    player: str
    by: str | None = None


class PlayerRequireFullShuffle(CommandStruct, frozen=True, kw_only=True):
    player: str
    by: str | None = None


class PlayerRequestsSpread(CommandStruct, frozen=True, kw_only=True):
    player: str
    by: str | None = None


class ViewInitialBurn(CommandStruct, frozen=True, kw_only=True):
    """`card` is its face, shown to the player alone."""

    player: str
    card: Card | None = None
    by: str | None = None


PreparationCommand = (
    InspectCards
    | VerifyCards
    | SpreadForInspection
    | Wash
    | Shuffle
    | SwapBatch
    | OfferCut
    | IdleSpread
    | PlayerRequestInspect
    | PlayerRequireFullShuffle
    | PlayerRequestsSpread
    | ViewInitialBurn
)
