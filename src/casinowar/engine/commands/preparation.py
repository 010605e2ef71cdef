"""Commands about the opening and the making of a stack: inspection, spread, wash, shuffle, and the players' rights."""

from typing import Literal

from casinowar.cards import Card
from casinowar.engine.commands.values import CommandStruct, PlayerCommand, TwoSignedCommand

ShuffleStep = Literal["plug", "riffle", "turn", "strip"]


class InspectCards(TwoSignedCommand, frozen=True, kw_only=True):
    """The decks are sorted and checked; where the book asks for two people, `second` is the other."""


class VerifyCards(CommandStruct, frozen=True, kw_only=True):
    """A second look at the inspected cards."""


class SpreadForInspection(CommandStruct, frozen=True, kw_only=True):
    """The cards lie fanned out for those who want to look; with two batches each by itself."""

    players: tuple[str, ...] = ()
    batch: int = 1


class Wash(CommandStruct, frozen=True, kw_only=True):
    """The cards are mixed face down on the table."""


class Shuffle(CommandStruct, frozen=True, kw_only=True):
    """The dealer shuffles by hand, with the steps in their order; `before_load` where a machine shuffles them again."""

    steps: tuple[ShuffleStep, ...] = ()
    before_load: bool = False


class SwapBatch(CommandStruct, frozen=True, kw_only=True):
    """The used batch goes into the shuffler and the other comes out."""


class OfferCut(PlayerCommand, frozen=True, kw_only=True):
    """The dealer hands the cutting card to the player."""


class IdleSpread(CommandStruct, frozen=True, kw_only=True):
    """Nobody plays: the cards come out of shoe and rack and lie spread."""


class PlayerRequestInspect(PlayerCommand, frozen=True, kw_only=True):
    """The player asks to inspect the cards."""


class PlayerRequireFullShuffle(PlayerCommand, frozen=True, kw_only=True):
    """The player demands that preshuffled cards are shuffled like fresh ones."""


class PlayerRequestsSpread(PlayerCommand, frozen=True, kw_only=True):
    """The player asks to see the cards spread."""


class ViewInitialBurn(PlayerCommand, frozen=True, kw_only=True):
    """`card` is its face, shown to the player alone."""

    card: Card | None = None


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
