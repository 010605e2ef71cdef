"""Events: what happened at the table, each with the clauses it applies, and refusals, which change nothing."""

from casinowar.engine.events.cards import (
    BurnSkipped,
    CardBurned,
    CardDealt,
    CardDiscarded,
    CardHeld,
    CardsCollected,
    CardsReplaced,
    CutCardDrawn,
    CutDeclined,
    CutMade,
    DealerChanged,
    DealStarted,
    FaceUpFound,
    MarkerPlaced,
    ShoeLoaded,
    ShuffleOrdered,
)
from casinowar.engine.events.floor import (
    AbstentionNoted,
    ClosingAnnounced,
    LimitsAnnounced,
    LimitsChanged,
    RoundSatOut,
    TableClosed,
    TimePassed,
)
from casinowar.engine.events.table import (
    BankAccepted,
    BankDeclined,
    BankRelinquished,
    BankReturned,
    BoughtIn,
    LimitsOffUnitNoted,
    MeterFed,
    MeterPaid,
    MultiBoxGranted,
    MultiBoxRevoked,
    PlayerEdgeNoted,
    PlayerSeated,
    RoundEnded,
    RoundInvalidated,
    RoundVoided,
    SeatVacated,
    TableOpened,
    TableResumed,
)
from casinowar.engine.events.values import DEALER, Burn, Clauses, Draw, Item, Outcome, Refusal
from casinowar.engine.events.wagers import (
    BettingCalled,
    BettingClosed,
    DecisionsClosed,
    LimitsAdvised,
    MatchLimited,
    SurrenderRuled,
    WagerAmended,
    WagerLimited,
    WagerPlaced,
    WagerReversed,
    WagerSettled,
    WagerWithdrawn,
    WarDeclared,
    WarOffered,
)

__all__ = [
    "DEALER",
    "AbstentionNoted",
    "BankAccepted",
    "BankDeclined",
    "BankRelinquished",
    "BankReturned",
    "BettingCalled",
    "BettingClosed",
    "BoughtIn",
    "Burn",
    "BurnSkipped",
    "CardBurned",
    "CardDealt",
    "CardDiscarded",
    "CardHeld",
    "CardsCollected",
    "CardsReplaced",
    "Clauses",
    "ClosingAnnounced",
    "CutCardDrawn",
    "CutDeclined",
    "CutMade",
    "DealStarted",
    "DealerChanged",
    "DecisionsClosed",
    "Draw",
    "Event",
    "FaceUpFound",
    "Item",
    "LimitsAdvised",
    "LimitsAnnounced",
    "LimitsChanged",
    "LimitsOffUnitNoted",
    "MarkerPlaced",
    "MatchLimited",
    "MeterFed",
    "MeterPaid",
    "MultiBoxGranted",
    "MultiBoxRevoked",
    "Outcome",
    "PlayerEdgeNoted",
    "PlayerSeated",
    "Refusal",
    "RoundEnded",
    "RoundInvalidated",
    "RoundSatOut",
    "RoundVoided",
    "SeatVacated",
    "ShoeLoaded",
    "ShuffleOrdered",
    "SurrenderRuled",
    "TableClosed",
    "TableOpened",
    "TableResumed",
    "TimePassed",
    "WagerAmended",
    "WagerLimited",
    "WagerPlaced",
    "WagerReversed",
    "WagerSettled",
    "WagerWithdrawn",
    "WarDeclared",
    "WarOffered",
    "name",
]

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
    | TimePassed
    | LimitsAnnounced
    | LimitsChanged
    | ClosingAnnounced
    | TableClosed
    | RoundSatOut
    | AbstentionNoted
)


def name(event: Event) -> str:
    """What the event is called in the log, such as `wager_settled`."""
    return str(type(event).__struct_config__.tag)
