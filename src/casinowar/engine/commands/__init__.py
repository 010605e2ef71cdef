"""Commands: what people at the table ask for. Cards and shuffles come in as the dealer's commands.

`by` says who acts, as `role:person`; without it the entitled person is presumed.
"""

from casinowar.engine.commands.floor import AnnounceClosing, AnnounceLimits, ChangeLimits, CloseTable, Tick
from casinowar.engine.commands.incidents import InvalidateRound, ReportExtraDraw, ReportFaceUpCard
from casinowar.engine.commands.play import AmendWager, Deal, GoToWar, NoMoreBets, PlaceWager, Surrender, WithdrawWager
from casinowar.engine.commands.shoe import (
    ChangeDealer,
    Cut,
    DeclineCut,
    LoadShoe,
    PlaceMarker,
    ReplaceCards,
    SupervisorShuffle,
)
from casinowar.engine.commands.table import (
    AcceptBank,
    BuyIn,
    DeclineBank,
    GrantMultiBox,
    OpenTable,
    RelinquishBank,
    ResumeTable,
    RevokeMultiBox,
    SeatPlayer,
    VacateSeat,
)
from casinowar.engine.commands.values import ROLES, Limit, Role, WagerName

__all__ = [
    "ROLES",
    "AcceptBank",
    "AmendWager",
    "AnnounceClosing",
    "AnnounceLimits",
    "BuyIn",
    "ChangeDealer",
    "ChangeLimits",
    "CloseTable",
    "Command",
    "Cut",
    "Deal",
    "DeclineBank",
    "DeclineCut",
    "GoToWar",
    "GrantMultiBox",
    "InvalidateRound",
    "Limit",
    "LoadShoe",
    "NoMoreBets",
    "OpenTable",
    "PlaceMarker",
    "PlaceWager",
    "RelinquishBank",
    "ReplaceCards",
    "ReportExtraDraw",
    "ReportFaceUpCard",
    "ResumeTable",
    "RevokeMultiBox",
    "Role",
    "SeatPlayer",
    "SupervisorShuffle",
    "Surrender",
    "Tick",
    "VacateSeat",
    "WagerName",
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
    | PlaceWager
    | AmendWager
    | WithdrawWager
    | NoMoreBets
    | Deal
    | GoToWar
    | Surrender
    | Cut
    | DeclineCut
    | PlaceMarker
    | LoadShoe
    | SupervisorShuffle
    | ReplaceCards
    | ChangeDealer
    | AcceptBank
    | DeclineBank
    | RelinquishBank
    | ReportFaceUpCard
    | ReportExtraDraw
    | InvalidateRound
    | Tick
    | AnnounceLimits
    | ChangeLimits
    | AnnounceClosing
    | CloseTable
)
