"""Events of irregularities: what was found, who ruled, and what became of cards and wagers."""

import msgspec

from casinowar.cards import Card
from casinowar.engine.events.values import Burn, Clauses, Draw

Hands = tuple[tuple[int, tuple[Card, ...]], ...]


class CardMoved(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="card_moved"):
    """A card lay where it was not due: it goes to another hand (0: dealer) or out of play (-1).

    The place it lay on is due again.
    """

    card: Card
    box: int
    to: int
    by: str
    clauses: Clauses = ()


class CardPlacedAhead(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="card_placed_ahead"):
    """A card drawn in error is a hand's next card before its turn."""

    box: int
    card: Card
    clauses: Clauses = ()


class CardCorrected(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="card_corrected"):
    """A face was entered wrongly; `more` cards are burned for the right one where it is a turned-up burn."""

    box: int
    was: Card
    card: Card
    more: int = 0
    by: str = "dealer"
    clauses: Clauses = ()


class RoundReconstructed(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="round_reconstructed"):
    """`before` and `hands` are all hands before and after; `draws` is due now, and `discards` were left over."""

    before: Hands
    hands: Hands
    draws: tuple[Draw, ...]
    discards: tuple[Card, ...]
    by: str
    clauses: Clauses = ()


class HandMissed(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="hand_missed"):
    """A box was passed over and gets its card in order, as if it had not been."""

    box: int
    by: str
    clauses: Clauses = ()


class OfferMissed(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="offer_missed"):
    """The player chooses with the next cards known, because they were dealt before the choice was offered."""

    player: str
    box: int
    cards: tuple[Card | None, ...]
    by: str
    clauses: Clauses = ()


class CardsReturned(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="cards_returned"):
    """Cards dealt too early are the next of the shoe again, in their order; `hands` is what stays."""

    cards: int
    hands: Hands
    burned: int
    clauses: Clauses = ()


class DecisionReopened(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="decision_reopened"):
    """The war wager goes back, and the player chooses again."""

    player: str
    box: int
    amount: int
    clauses: Clauses = ()


class BurnForgotten(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="burn_forgotten"):
    """`burn` is what was due; none is named where the dealer had not begun to draw."""

    burn: Burn | None
    by: str
    clauses: Clauses = ()


class CutCardMissed(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="cut_card_missed"):
    """The stack has no cutting card in it."""

    by: str
    clauses: Clauses = ()


class DamageFound(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="damage_found"):
    """The card is replaced by one like it when the round is over."""

    card: Card | None
    by: str
    clauses: Clauses = ()


class ShufflerFailed(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="shuffler_failed"):
    boxes: tuple[int, ...]
    by: str
    clauses: Clauses = ()


class WagerFound(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="wager_found"):
    """Another amount lies there than was noted."""

    player: str
    box: int
    wager: str
    noted: int
    amount: int
    by: str
    clauses: Clauses = ()


class HandVoided(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="hand_voided"):
    box: int
    reason: str
    by: str
    second: str | None = None
    clauses: Clauses = ()


class PlayerVoided(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="player_voided"):
    """The player is out of the round."""

    player: str
    reason: str
    by: str
    second: str | None = None
    clauses: Clauses = ()


class IncidentReported(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="incident_reported"):
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


class RulingGiven(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="ruling_given"):
    action: str
    reason: str
    incident: str | None
    box: int | None
    by: str
    second: str | None = None
    clauses: Clauses = ()


class ContraventionReported(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="contravention_reported"):
    player: str
    reason: str
    by: str
    clauses: Clauses = ()


class PlayerExcluded(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="player_excluded"):
    player: str
    reason: str
    by: str
    clauses: Clauses = ()


class PartnershipFlagged(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="partnership_flagged"):
    players: tuple[str, ...]
    by: str
    clauses: Clauses = ()
