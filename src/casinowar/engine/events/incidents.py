"""Events of irregularities: what was found, who ruled, and what became of cards and wagers."""

from casinowar.cards import Card
from casinowar.engine.events.values import Burn, Clauses, Draw, EventStruct

Hands = tuple[tuple[int, tuple[Card, ...]], ...]


class CardMoved(EventStruct, frozen=True):
    """A card lay where it was not due: it goes to another hand (0: dealer) or out of play (-1).

    The place it lay on is due again.
    """

    card: Card
    box: int
    to: int
    by: str
    clauses: Clauses = ()


class CardPlacedAhead(EventStruct, frozen=True):
    """A card drawn in error is a hand's next card before its turn."""

    box: int
    card: Card
    clauses: Clauses = ()


class CardCorrected(EventStruct, frozen=True):
    """A face was entered wrongly; `more` cards are burned for the right one where it is a turned-up burn."""

    box: int
    was: Card
    card: Card
    more: int = 0
    by: str = "dealer"
    clauses: Clauses = ()


class RoundReconstructed(EventStruct, frozen=True):
    """`before` and `hands` are all hands before and after; `draws` is due now, and `discards` were left over."""

    before: Hands
    hands: Hands
    draws: tuple[Draw, ...]
    discards: tuple[Card, ...]
    by: str
    clauses: Clauses = ()


class HandMissed(EventStruct, frozen=True):
    """A box was passed over and gets its card in order, as if it had not been."""

    box: int
    by: str
    clauses: Clauses = ()


class OfferMissed(EventStruct, frozen=True):
    """The player chooses with the next cards known, because they were dealt before the choice was offered."""

    player: str
    box: int
    cards: tuple[Card | None, ...]
    by: str
    clauses: Clauses = ()


class CardsReturned(EventStruct, frozen=True):
    """Cards dealt too early are the next of the shoe again, in their order; `hands` is what stays."""

    cards: int
    hands: Hands
    burned: int
    clauses: Clauses = ()


class DecisionReopened(EventStruct, frozen=True):
    """The war wager goes back, and the player chooses again."""

    player: str
    box: int
    amount: int
    clauses: Clauses = ()


class BurnForgotten(EventStruct, frozen=True):
    """`burn` is what was due; none is named where the dealer had not begun to draw."""

    burn: Burn | None
    by: str
    clauses: Clauses = ()


class CutCardMissed(EventStruct, frozen=True):
    """The stack has no cutting card in it."""

    by: str
    clauses: Clauses = ()


class DamageFound(EventStruct, frozen=True):
    """The card is replaced by one like it when the round is over."""

    card: Card | None
    by: str
    clauses: Clauses = ()


class ShufflerFailed(EventStruct, frozen=True):
    boxes: tuple[int, ...]
    by: str
    clauses: Clauses = ()


class WagerFound(EventStruct, frozen=True):
    """Another amount lies there than was noted."""

    player: str
    box: int
    wager: str
    noted: int
    amount: int
    by: str
    clauses: Clauses = ()


class HandVoided(EventStruct, frozen=True):
    box: int
    reason: str
    by: str
    second: str | None = None
    clauses: Clauses = ()


class PlayerVoided(EventStruct, frozen=True):
    """The player is out of the round."""

    player: str
    reason: str
    by: str
    second: str | None = None
    clauses: Clauses = ()


class IncidentReported(EventStruct, frozen=True):
    """What goes on waits for a ruling."""

    incident: str
    box: int
    player: str
    by: str
    waits_for: str
    cards: int = 0
    action: str | None = None
    card: Card | None = None
    clauses: Clauses = ()


class RulingGiven(EventStruct, frozen=True):
    action: str
    reason: str
    incident: str | None
    box: int | None
    by: str
    second: str | None = None
    clauses: Clauses = ()


class ContraventionReported(EventStruct, frozen=True):
    player: str
    reason: str
    by: str
    clauses: Clauses = ()


class PlayerExcluded(EventStruct, frozen=True):
    player: str
    reason: str
    by: str
    clauses: Clauses = ()


class PartnershipFlagged(EventStruct, frozen=True):
    players: tuple[str, ...]
    by: str
    clauses: Clauses = ()


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
