"""Commands: what people at the table ask for. Cards and shuffles come in as the dealer's commands.

`by` says who acts, as `role:person`; without it the entitled person is presumed.
"""

from casinowar.engine.commands.floor import (
    AnnounceClosing,
    AnnounceDecks,
    AnnounceLimits,
    ChangeLimits,
    CloseTable,
    DirectBoxMax,
    DirectPlayerMax,
    SetBettorsPerArea,
    Tick,
)
from casinowar.engine.commands.incidents import (
    CARD_REPORTS,
    Action,
    Delivery,
    ExcludePlayer,
    FlagPartnership,
    InvalidateRound,
    Move,
    Reconstruct,
    ReleasePlayers,
    ReportContravention,
    ReportDamagedCard,
    ReportExposedBeforeShoe,
    ReportExtraDraw,
    ReportFaceUpCard,
    ReportForgottenBurn,
    ReportMisdelivered,
    ReportMissedHand,
    ReportMissedOffer,
    ReportMissedShuffle,
    ReportMissingCutCard,
    ReportShufflerFault,
    ReportWager,
    Rule,
    VoidHand,
    VoidPlayer,
    VoidRound,
)
from casinowar.engine.commands.play import (
    AmendWager,
    ConfirmWarWager,
    CorrectCard,
    Deal,
    EndRound,
    GoToWar,
    NoMoreBets,
    OpenBetting,
    PlaceWager,
    Settle,
    Surrender,
    WithdrawWager,
)
from casinowar.engine.commands.preparation import (
    IdleSpread,
    InspectCards,
    OfferCut,
    PlayerRequestInspect,
    PlayerRequestsSpread,
    PlayerRequireFullShuffle,
    Shuffle,
    ShuffleStep,
    SpreadForInspection,
    SwapBatch,
    VerifyCards,
    ViewInitialBurn,
    Wash,
)
from casinowar.engine.commands.shoe import (
    ChangeDealer,
    Cut,
    DeclineCut,
    InitialBurn,
    LoadShoe,
    PlaceMarker,
    ReplaceCards,
    ShowCutCard,
    SupervisorShuffle,
)
from casinowar.engine.commands.table import (
    AcceptBank,
    BuyIn,
    DeclineBank,
    GrantMultiBox,
    OfferBank,
    OpenTable,
    RelinquishBank,
    ResumeTable,
    RevokeMultiBox,
    RotateBank,
    SeatPlayer,
    VacateSeat,
)
from casinowar.engine.commands.values import ROLES, Limit, Role
from casinowar.rulebooks.wagers import WagerName

__all__ = [
    "CARD_REPORTS",
    "ROLES",
    "AcceptBank",
    "Action",
    "AmendWager",
    "AnnounceClosing",
    "AnnounceDecks",
    "AnnounceLimits",
    "BuyIn",
    "ChangeDealer",
    "ChangeLimits",
    "CloseTable",
    "Command",
    "ConfirmWarWager",
    "CorrectCard",
    "Cut",
    "Deal",
    "DeclineBank",
    "DeclineCut",
    "Delivery",
    "DirectBoxMax",
    "DirectPlayerMax",
    "EndRound",
    "ExcludePlayer",
    "FlagPartnership",
    "GoToWar",
    "GrantMultiBox",
    "IdleSpread",
    "InitialBurn",
    "InspectCards",
    "InvalidateRound",
    "Limit",
    "LoadShoe",
    "Move",
    "NoMoreBets",
    "OfferBank",
    "OfferCut",
    "OpenBetting",
    "OpenTable",
    "PlaceMarker",
    "PlaceWager",
    "PlayerRequestInspect",
    "PlayerRequestsSpread",
    "PlayerRequireFullShuffle",
    "Reconstruct",
    "ReleasePlayers",
    "RelinquishBank",
    "ReplaceCards",
    "ReportContravention",
    "ReportDamagedCard",
    "ReportExposedBeforeShoe",
    "ReportExtraDraw",
    "ReportFaceUpCard",
    "ReportForgottenBurn",
    "ReportMisdelivered",
    "ReportMissedHand",
    "ReportMissedOffer",
    "ReportMissedShuffle",
    "ReportMissingCutCard",
    "ReportShufflerFault",
    "ReportWager",
    "ResumeTable",
    "RevokeMultiBox",
    "Role",
    "RotateBank",
    "Rule",
    "SeatPlayer",
    "SetBettorsPerArea",
    "Settle",
    "ShowCutCard",
    "Shuffle",
    "ShuffleStep",
    "SpreadForInspection",
    "SupervisorShuffle",
    "Surrender",
    "SwapBatch",
    "Tick",
    "VacateSeat",
    "VerifyCards",
    "ViewInitialBurn",
    "VoidHand",
    "VoidPlayer",
    "VoidRound",
    "WagerName",
    "Wash",
    "WithdrawWager",
]

Command = (
    OpenTable
    | ResumeTable
    | BuyIn
    | SeatPlayer
    | VacateSeat
    | GrantMultiBox
    | RevokeMultiBox
    | AcceptBank
    | DeclineBank
    | RelinquishBank
    | OfferBank
    | RotateBank
    | PlaceWager
    | AmendWager
    | WithdrawWager
    | NoMoreBets
    | Deal
    | GoToWar
    | Surrender
    | OpenBetting
    | Settle
    | EndRound
    | ConfirmWarWager
    | CorrectCard
    | Cut
    | DeclineCut
    | PlaceMarker
    | LoadShoe
    | InitialBurn
    | SupervisorShuffle
    | ReplaceCards
    | ChangeDealer
    | ShowCutCard
    | InspectCards
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
    | Tick
    | AnnounceLimits
    | ChangeLimits
    | AnnounceClosing
    | CloseTable
    | AnnounceDecks
    | DirectBoxMax
    | DirectPlayerMax
    | SetBettorsPerArea
    | ReportFaceUpCard
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
