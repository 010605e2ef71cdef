"""Events of irregularities: what was found, who ruled, and what became of cards and wagers."""

from casinowar.cards import Card
from casinowar.engine.events.values import Burn, Draw, EventStruct, HandEvent, PlayerEvent, SpotEvent, StaffEvent

Hands = tuple[tuple[int, tuple[Card, ...]], ...]


class CardMoved(StaffEvent, frozen=True):
    """A card lay where it was not due: it goes to another hand (0: dealer) or out of play (-1).

    The place it lay on is due again.
    """

    card: Card
    box: int
    to: int


class CardPlacedAhead(EventStruct, frozen=True):
    """A card drawn in error is a hand's next card before its turn."""

    box: int
    card: Card


class CardCorrected(EventStruct, frozen=True):
    """A face was entered wrongly; `more` cards are burned for the right one where it is a turned-up burn."""

    box: int
    was: Card
    card: Card
    more: int = 0
    by: str = "dealer"


class RoundReconstructed(StaffEvent, frozen=True):
    """`before` and `hands` are all hands before and after; `draws` is due now, and `discards` were left over."""

    before: Hands
    hands: Hands
    draws: tuple[Draw, ...]
    discards: tuple[Card, ...]


class HandMissed(StaffEvent, frozen=True):
    """A box was passed over and gets its card in order, as if it had not been."""

    box: int


class OfferMissed(HandEvent, frozen=True):
    """The player chooses with the next cards known, because they were dealt before the choice was offered."""

    cards: tuple[Card | None, ...]
    by: str


class CardsReturned(EventStruct, frozen=True):
    """Cards dealt too early are the next of the shoe again, in their order; `hands` is what stays."""

    cards: int
    hands: Hands
    burned: int


class DecisionReopened(HandEvent, frozen=True):
    """The war wager goes back, and the player chooses again."""

    amount: int


class BurnForgotten(StaffEvent, frozen=True):
    """`burn` is what was due; none is named where the dealer had not begun to draw."""

    burn: Burn | None


class CutCardMissed(StaffEvent, frozen=True):
    """The stack has no cutting card in it."""


class DamageFound(StaffEvent, frozen=True):
    """The card is replaced by one like it when the round is over."""

    card: Card | None


class ShufflerFailed(StaffEvent, frozen=True):
    boxes: tuple[int, ...]


class WagerFound(SpotEvent, frozen=True):
    """Another amount lies there than was noted."""

    noted: int
    amount: int
    by: str


class HandVoided(StaffEvent, frozen=True):
    box: int
    reason: str
    second: str | None = None


class PlayerVoided(PlayerEvent, frozen=True):
    """The player is out of the round."""

    reason: str
    by: str
    second: str | None = None


class IncidentReported(StaffEvent, frozen=True):
    """What goes on waits for a ruling."""

    incident: str
    box: int
    player: str
    waits_for: str
    cards: int = 0
    action: str | None = None
    card: Card | None = None


class RulingGiven(StaffEvent, frozen=True):
    action: str
    reason: str
    incident: str | None
    box: int | None
    second: str | None = None


class ContraventionReported(PlayerEvent, frozen=True):
    reason: str
    by: str


class PlayerExcluded(PlayerEvent, frozen=True):
    reason: str
    by: str


class PartnershipFlagged(StaffEvent, frozen=True):
    players: tuple[str, ...]


IncidentEvent = (
    CardMoved
    | CardPlacedAhead
    | CardCorrected
    | RoundReconstructed
    | HandMissed
    | OfferMissed
    | CardsReturned
    | DecisionReopened
    | BurnForgotten
    | CutCardMissed
    | DamageFound
    | ShufflerFailed
    | WagerFound
    | HandVoided
    | PlayerVoided
    | IncidentReported
    | RulingGiven
    | ContraventionReported
    | PlayerExcluded
    | PartnershipFlagged
)
