"""Events: what happened at the table, each with the clauses it applies, and refusals, which change nothing.

A burned card shows its face only where the book turns it up.
"""

from typing import Literal

import msgspec

from casinowar.cards import Card
from casinowar.engine.commands import Limit

DEALER = 0
"""The dealer's place where a box number stands."""

Clauses = tuple[str, ...]
Burn = Literal["opening", "opening_value", "midround", "new_dealer", "round", "war", "war_banker"]
Draw = int | Burn
Outcome = Literal["win", "lose", "push", "surrender", "void", "returned"]


class Item(msgspec.Struct, frozen=True, gc=False):
    """One part of a progressive's pay: `of` is the line that was hit, or whose hand the envy is for."""

    item: Literal["odds", "meter", "envy"]
    amount: int
    of: str = ""
    odds: str | None = None


class Refusal(msgspec.Struct, frozen=True):
    """Why a command was not done."""

    reason: str
    clauses: Clauses = ()


class TableOpened(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="table_opened"):
    limit: Limit
    limits: dict[str, Limit]
    meter: int = 0
    clauses: Clauses = ()


class PlayerEdgeNoted(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="player_edge_noted"):
    """Going to war pays the player more than it costs under these payouts."""

    clauses: Clauses = ()


class LimitsOffUnitNoted(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="limits_off_unit_noted"):
    """Minimum or maximum is no multiple of the unit, so a wager rounded down may fall below the minimum."""

    wager: str
    clauses: Clauses = ()


class BoughtIn(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="bought_in"):
    player: str
    amount: int
    clauses: Clauses = ()


class PlayerSeated(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="player_seated"):
    player: str
    box: int
    leaves: tuple[int, ...] = ()
    clauses: Clauses = ()


class SeatVacated(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="seat_vacated"):
    player: str
    boxes: tuple[int, ...]
    clauses: Clauses = ()


class MultiBoxGranted(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="multi_box_granted"):
    player: str
    boxes: int
    by: str
    clauses: Clauses = ()


class MultiBoxRevoked(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="multi_box_revoked"):
    player: str
    by: str
    clauses: Clauses = ()


class WagerPlaced(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="wager_placed"):
    """`amount` came on top of what lay there."""

    player: str
    box: int
    wager: str
    amount: int
    clauses: Clauses = ()
    coupon: int = 0


class WagerAmended(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="wager_amended"):
    """`amount` is the new total."""

    player: str
    box: int
    wager: str
    amount: int
    clauses: Clauses = ()


class WagerWithdrawn(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="wager_withdrawn"):
    player: str
    box: int
    wager: str
    amount: int
    clauses: Clauses = ()


class WagerLimited(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="wager_limited"):
    """The wager plays for less than was placed; the excess went back."""

    player: str
    box: int
    wager: str
    placed: int
    amount: int
    clauses: Clauses = ()


class LimitsAdvised(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="limits_advised"):
    player: str
    box: int
    wager: str
    limit: Limit
    clauses: Clauses = ()


class BettingCalled(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="betting_called"):
    """The dealer called for last bets where the book closes the betting only with the first card."""

    clauses: Clauses = ()


class BettingClosed(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="betting_closed"):
    """The boxes that get a card, and the bettors of each box from the dealer's side outwards."""

    boxes: tuple[int, ...]
    bettors: dict[int, tuple[str, ...]]
    clauses: Clauses = ()


class DealStarted(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="deal_started"):
    """What the dealer will draw, in order: burns by name, boxes by number, the dealer as 0."""

    draws: tuple[Draw, ...]
    clauses: Clauses = ()


class CardDealt(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="card_dealt"):
    box: int
    card: Card
    clauses: Clauses = ()


class CardBurned(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="card_burned"):
    """`more` cards are burned next because of this one's face. It lies in the rack or beside the dealer's card."""

    burn: Burn
    card: Card | None = None
    more: int = 0
    beside_dealer: bool = False
    clauses: Clauses = ()


class CardDiscarded(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="card_discarded"):
    """A card left the shoe and play because of an incident."""

    card: Card | None
    clauses: Clauses = ()


class CardHeld(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="card_held"):
    """A card drawn in error waits to be used as the next one."""

    card: Card | None
    clauses: Clauses = ()


class CutCardDrawn(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="cut_card_drawn"):
    """The cutting card came out where a card was due to `box` (0: the dealer's hand, burns included).

    `shuffle` says when the cards are shuffled for it: before the round, after it, or not at all.
    """

    box: int
    shuffle: Literal["now", "after_round", "none"]
    clauses: Clauses = ()


class WarOffered(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="war_offered"):
    player: str
    box: int
    clauses: Clauses = ()


class SurrenderRuled(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="surrender_ruled"):
    """A supervisor surrendered for a player who was absent or could not fund the war."""

    player: str
    box: int
    by: str
    reason: str
    clauses: Clauses = ()


class WarDeclared(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="war_declared"):
    """The war wager is down; `match` is what the dealer put beside it."""

    player: str
    box: int
    amount: int
    match: int = 0
    clauses: Clauses = ()


class DecisionsClosed(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="decisions_closed"):
    """Everybody has chosen; at least one is at war."""

    clauses: Clauses = ()


class WagerSettled(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="wager_settled"):
    """`paid` is winnings on top, `returned` is stake given back.

    `items` make up what a progressive was paid. `bank_left` is what a player's bank can still pay after this.
    """

    player: str
    box: int
    wager: str
    amount: int
    outcome: Outcome
    odds: str | None
    paid: int
    returned: int
    clauses: Clauses = ()
    items: tuple[Item, ...] = ()
    bank_left: int | None = None


class WagerReversed(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="wager_reversed"):
    """A settled or open wager is void: what was paid and returned is taken back, and the stake goes to the player."""

    player: str
    box: int
    wager: str
    amount: int
    clauses: Clauses = ()


class BankAccepted(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="bank_accepted"):
    """The player banks the next round; the stake lies before them."""

    player: str
    box: int
    stake: int
    clauses: Clauses = ()


class BankDeclined(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="bank_declined"):
    player: str
    clauses: Clauses = ()


class BankRelinquished(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="bank_relinquished"):
    player: str
    clauses: Clauses = ()


class BankReturned(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="bank_returned"):
    """The round is over: what lies before the bank goes back to that player, `net` more or less than the stake.

    A void round is not `counted` for the turn.
    """

    player: str
    amount: int
    net: int
    counted: bool = True
    clauses: Clauses = ()


class MatchLimited(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="match_limited"):
    """The bank can match only part of a war: the initial wager plays for that part and the rest goes back."""

    player: str
    box: int
    placed: int
    amount: int
    clauses: Clauses = ()


class MeterFed(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="meter_fed"):
    player: str
    box: int
    amount: int
    clauses: Clauses = ()


class MeterPaid(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="meter_paid"):
    """The jackpot was hit: `amount` left the meter, which starts again from `seed`."""

    amount: int
    seed: int
    clauses: Clauses = ()


class RoundVoided(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="round_voided"):
    """All hands of the round are void."""

    number: int
    reason: str
    clauses: Clauses = ()


class FaceUpFound(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="face_up_found"):
    """A card lay face up in the shoe; `count` of them so far in what the book counts over."""

    count: int
    clauses: Clauses = ()


class CardsCollected(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="cards_collected"):
    """Hands put into the rack, in an order from which each can be rebuilt: box (0: dealer), then its cards."""

    hands: tuple[tuple[int, tuple[Card, ...]], ...]
    clauses: Clauses = ()


class RoundEnded(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="round_ended"):
    number: int
    hands: tuple[tuple[int, tuple[Card, ...]], ...]
    clauses: Clauses = ()


class RoundInvalidated(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="round_invalidated"):
    number: int
    cause: str
    by: str
    clauses: Clauses = ()


class CutMade(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="cut_made"):
    """Without a player it is `by`, the member of staff who cuts when no player does."""

    player: str | None
    position: int
    by: str | None = None
    clauses: Clauses = ()


class MarkerPlaced(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="marker_placed"):
    """The cutting card goes into the stack with `from_back` cards behind it."""

    from_back: int
    clauses: Clauses = ()


class CutDeclined(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="cut_declined"):
    player: str
    clauses: Clauses = ()


class ShoeLoaded(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="shoe_loaded"):
    """`draws` are burned at once, in the middle of a round, and `shuffle` is then still due after it.

    `end_card`: a second cutting card covers the last one. `batch` tells which set of cards it is, by its back.
    """

    cards: int
    cut_card: int | None
    opening_burn: bool
    draws: tuple[Draw, ...] = ()
    end_card: bool = False
    shuffle: str | None = None
    batch: int = 0
    clauses: Clauses = ()


class BurnSkipped(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="burn_skipped"):
    """Too few cards were left for a burn that was due."""

    burn: Burn
    clauses: Clauses = ()


class TableResumed(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="table_resumed"):
    """The table stands as it stood before the first act of a record that begins in the middle."""

    rounds: int
    shoe_left: int
    cut_in: int | None
    shuffle: str | None
    dealer_burns: int
    seats: dict[int, str]
    reminded: tuple[str, ...]
    bank_turn: tuple[str, int, int] | None = None
    clauses: Clauses = ()


class ShuffleOrdered(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="shuffle_ordered"):
    reason: str
    by: str
    clauses: Clauses = ()


class CardsReplaced(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="cards_replaced"):
    """The named cards, or all of them where none is named."""

    cards: tuple[Card, ...]
    by: str
    clauses: Clauses = ()


class DealerChanged(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="dealer_changed"):
    dealer: str
    burns: int
    clauses: Clauses = ()


Event = (
    TableOpened
    | TableResumed
    | PlayerEdgeNoted
    | LimitsOffUnitNoted
    | BoughtIn
    | PlayerSeated
    | SeatVacated
    | MultiBoxGranted
    | MultiBoxRevoked
    | WagerPlaced
    | WagerAmended
    | WagerWithdrawn
    | WagerLimited
    | LimitsAdvised
    | BettingCalled
    | BettingClosed
    | DealStarted
    | CardDealt
    | CardBurned
    | CardDiscarded
    | CardHeld
    | CutCardDrawn
    | WarOffered
    | SurrenderRuled
    | WarDeclared
    | DecisionsClosed
    | WagerSettled
    | WagerReversed
    | BankAccepted
    | BankDeclined
    | BankRelinquished
    | BankReturned
    | MatchLimited
    | MeterFed
    | MeterPaid
    | RoundVoided
    | FaceUpFound
    | CardsCollected
    | RoundEnded
    | RoundInvalidated
    | CutMade
    | CutDeclined
    | MarkerPlaced
    | ShoeLoaded
    | BurnSkipped
    | ShuffleOrdered
    | CardsReplaced
    | DealerChanged
)


def name(event: Event) -> str:
    """What the event is called in the log, such as `wager_settled`."""
    return str(type(event).__struct_config__.tag)
