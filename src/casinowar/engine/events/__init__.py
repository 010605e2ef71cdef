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
    CutCardReached,
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
    BettorsPerAreaSet,
    BoxMaxDirected,
    ClosingAnnounced,
    DecksAnnounced,
    DecksChanged,
    LimitsAnnounced,
    LimitsChanged,
    PlayerMaxDirected,
    RoundSatOut,
    TableClosed,
    TimePassed,
)
from casinowar.engine.events.incidents import (
    BurnForgotten,
    CardCorrected,
    CardMoved,
    CardPlacedAhead,
    CardsReturned,
    ContraventionReported,
    CutCardMissed,
    DamageFound,
    DecisionReopened,
    HandMissed,
    HandVoided,
    IncidentReported,
    OfferMissed,
    PartnershipFlagged,
    PlayerExcluded,
    PlayerVoided,
    RoundReconstructed,
    RulingGiven,
    ShufflerFailed,
    WagerFound,
)
from casinowar.engine.events.preparation import (
    BurnViewed,
    CardsPrepared,
    CutOffered,
    DiscardsReturned,
    FullShuffleRequired,
    InspectionRequested,
    Preparation,
    SpreadRequested,
)
from casinowar.engine.events.table import (
    BankAccepted,
    BankDeclined,
    BankOffered,
    BankRelinquished,
    BankReturned,
    BankRotated,
    BoughtIn,
    LimitsOffUnitNoted,
    MeterFed,
    MeterPaid,
    MultiBoxGranted,
    MultiBoxRevoked,
    PlayerEdgeNoted,
    PlayerSeated,
    RoundAmended,
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
    BettingOpened,
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
    WarWagerConfirmed,
)

__all__ = [
    "DEALER",
    "AbstentionNoted",
    "BankAccepted",
    "BankDeclined",
    "BankOffered",
    "BankRelinquished",
    "BankReturned",
    "BankRotated",
    "BettingCalled",
    "BettingClosed",
    "BettingOpened",
    "BettorsPerAreaSet",
    "BoughtIn",
    "BoxMaxDirected",
    "Burn",
    "BurnForgotten",
    "BurnSkipped",
    "BurnViewed",
    "CardBurned",
    "CardCorrected",
    "CardDealt",
    "CardDiscarded",
    "CardHeld",
    "CardMoved",
    "CardPlacedAhead",
    "CardsCollected",
    "CardsPrepared",
    "CardsReplaced",
    "CardsReturned",
    "Clauses",
    "ClosingAnnounced",
    "ContraventionReported",
    "CutCardDrawn",
    "CutCardMissed",
    "CutCardReached",
    "CutDeclined",
    "CutMade",
    "CutOffered",
    "DamageFound",
    "DealStarted",
    "DealerChanged",
    "DecisionReopened",
    "DecisionsClosed",
    "DecksAnnounced",
    "DecksChanged",
    "DiscardsReturned",
    "Draw",
    "Event",
    "FaceUpFound",
    "FullShuffleRequired",
    "HandMissed",
    "HandVoided",
    "IncidentReported",
    "InspectionRequested",
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
    "OfferMissed",
    "Outcome",
    "PartnershipFlagged",
    "PlayerEdgeNoted",
    "PlayerExcluded",
    "PlayerMaxDirected",
    "PlayerSeated",
    "PlayerVoided",
    "Preparation",
    "Refusal",
    "RoundAmended",
    "RoundEnded",
    "RoundInvalidated",
    "RoundReconstructed",
    "RoundSatOut",
    "RoundVoided",
    "RulingGiven",
    "SeatVacated",
    "ShoeLoaded",
    "ShuffleOrdered",
    "ShufflerFailed",
    "SpreadRequested",
    "SurrenderRuled",
    "TableClosed",
    "TableOpened",
    "TableResumed",
    "TimePassed",
    "WagerAmended",
    "WagerFound",
    "WagerLimited",
    "WagerPlaced",
    "WagerReversed",
    "WagerSettled",
    "WagerWithdrawn",
    "WarDeclared",
    "WarOffered",
    "WarWagerConfirmed",
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
    | BankAccepted
    | BankOffered
    | BankRotated
    | BankDeclined
    | BankRelinquished
    | BankReturned
    | MeterFed
    | MeterPaid
    | RoundEnded
    | RoundInvalidated
    | RoundVoided
    | RoundAmended
    | WagerPlaced
    | WagerAmended
    | WagerWithdrawn
    | WagerLimited
    | LimitsAdvised
    | BettingCalled
    | BettingClosed
    | WarOffered
    | SurrenderRuled
    | WarDeclared
    | MatchLimited
    | DecisionsClosed
    | WagerSettled
    | WagerReversed
    | BettingOpened
    | WarWagerConfirmed
    | DealStarted
    | CardDealt
    | CardBurned
    | CardDiscarded
    | CardHeld
    | FaceUpFound
    | CutCardDrawn
    | CutCardReached
    | CardsCollected
    | CutMade
    | MarkerPlaced
    | CutDeclined
    | ShoeLoaded
    | BurnSkipped
    | ShuffleOrdered
    | CardsReplaced
    | DealerChanged
    | CardsPrepared
    | CutOffered
    | InspectionRequested
    | FullShuffleRequired
    | SpreadRequested
    | BurnViewed
    | DiscardsReturned
    | TimePassed
    | LimitsAnnounced
    | LimitsChanged
    | ClosingAnnounced
    | TableClosed
    | RoundSatOut
    | AbstentionNoted
    | DecksAnnounced
    | DecksChanged
    | BoxMaxDirected
    | PlayerMaxDirected
    | BettorsPerAreaSet
    | CardMoved
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


def name(event: Event) -> str:
    """What the event is called in the log, such as `wager_settled`."""
    return str(type(event).__struct_config__.tag)
