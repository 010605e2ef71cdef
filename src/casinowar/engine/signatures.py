"""Signatures: which roles may give a command, and where it takes two people."""

from casinowar.engine import commands as c
from casinowar.engine.events import DEALER, Refusal
from casinowar.engine.state import Table
from casinowar.rulebooks import Rulebook

STAFF = ("dealer", "supervisor", "operator")
FLOOR = ("supervisor", "operator")

OWN = (
    c.AmendWager,
    c.WithdrawWager,
    c.GoToWar,
    c.AcceptBank,
    c.DeclineBank,
    c.RelinquishBank,
    c.PlayerRequestInspect,
    c.PlayerRequireFullShuffle,
    c.PlayerRequestsSpread,
    c.ViewInitialBurn,
)
"""What only the player it concerns may do."""

BY_ROLE: dict[type, tuple[str, ...]] = {
    **dict.fromkeys(
        (
            c.NoMoreBets,
            c.Deal,
            c.PlaceMarker,
            c.LoadShoe,
            c.OpenBetting,
            c.Settle,
            c.EndRound,
            c.ConfirmWarWager,
            c.CorrectCard,
            c.ShowCutCard,
            c.InspectCards,
            c.SpreadForInspection,
            c.Wash,
            c.Shuffle,
            c.SwapBatch,
            c.OfferCut,
            c.OfferBank,
            c.RotateBank,
        ),
        ("dealer",),
    ),
    **dict.fromkeys(
        (
            *c.CARD_REPORTS,
            c.ReportWager,
            c.ReportContravention,
            c.ChangeDealer,
            c.IdleSpread,
            c.Tick,
            c.CloseTable,
        ),
        STAFF,
    ),
    **dict.fromkeys((c.InvalidateRound, c.ReplaceCards, c.OpenTable, c.ResumeTable), ("operator",)),
}
"""Who may give the commands that are not a player's; what is not named here is the floor's."""

VOIDS = (c.VoidHand, c.VoidPlayer, c.VoidRound, c.InvalidateRound, c.ReleasePlayers, c.ReportShufflerFault)
SIGNED = (
    *VOIDS,
    c.Rule,
    c.Reconstruct,
    c.ReportWager,
    c.InspectCards,
)
OPERATORS = (c.VoidHand, c.VoidPlayer, c.VoidRound, c.Rule, c.ExcludePlayer)
"""What some books leave to the operator: his is then one of the signatures."""


def refuse_signatures(rules: Rulebook, table: Table, command: c.Command) -> Refusal | None:
    """Two signatures are two persons; where neither is given, the entitled people are presumed."""
    if command.by is not None and not is_entitled(command, command.by):
        return Refusal("not_entitled")
    if _lacks_operator(rules, command):
        return Refusal("not_entitled", rules.clauses["irreg.void_by"])
    if not isinstance(command, SIGNED):
        return None
    second = command.second
    if second is None:
        is_alone = command.by is not None and _takes_two(rules, table, command)
        return Refusal("second_signature_due", _second_clauses(rules, command)) if is_alone else None
    if command.by is not None and _person(command.by) == _person(second):
        return Refusal("same_person", _second_clauses(rules, command))
    return None if _role(second) in FLOOR and _person(second) else Refusal("not_entitled")


def _lacks_operator(rules: Rulebook, command: c.Command) -> bool:
    if rules.irreg.void_by != "operator" or not isinstance(command, OPERATORS):
        return False
    given = [one for one in (command.by, getattr(command, "second", None)) if one is not None]
    return bool(given) and "operator" not in map(_role, given)


def _takes_two(rules: Rulebook, table: Table, command: c.Command) -> bool:
    if isinstance(command, c.InspectCards):
        return rules.open.inspection == "two_people"
    return is_result_known(table) and _touches_result(rules, command)


def _touches_result(rules: Rulebook, command: c.Command) -> bool:
    """Whether it is somebody's judgement that takes from a person who has seen the cards, or gives.

    What the book itself has done about a report needs no second person.
    """
    match command:
        case c.ReportShufflerFault():
            return bool(command.boxes) or rules.irreg.shuffler_fault == "void_round_or_hands"
        case c.Rule():
            return command.action.startswith("void")
        case _:
            return True


def _second_clauses(rules: Rulebook, command: c.Command) -> tuple[str, ...]:
    return rules.clauses.get("open.inspection" if isinstance(command, c.InspectCards) else "irreg.arbiter", ())


def is_result_known(table: Table) -> bool:
    """Whether the dealer's card lies beside others, so that a void takes something from somebody who has seen it."""
    hands = table.round.hands
    return DEALER in hands and len(hands) > 1


def is_entitled(command: c.Command, by: str) -> bool:
    """Whether the role, and the person where it is a player's own act, may give this command."""
    role = _role(by)
    if not _person(by):
        return False
    if isinstance(command, OWN):
        return _is_own(by, command.player)
    match command:
        case c.PlaceWager():
            return role == "dealer" if command.called else _is_own(by, command.player)
        case c.Surrender():
            return _is_own(by, command.player) or (role == "supervisor" and bool(command.reason))
        case c.Cut() | c.DeclineCut():
            # Whoever sees a player cut, or wave it on, may note it.
            return role in STAFF or (command.player is not None and _is_own(by, command.player))
        case c.SeatPlayer() | c.VacateSeat():
            return role in FLOOR or _is_own(by, command.player)
        case _:
            return role in BY_ROLE.get(type(command), FLOOR)


def _is_own(by: str, player: str) -> bool:
    return by == f"player:{player}"


def _role(signature: str) -> str:
    return signature.partition(":")[0]


def _person(signature: str) -> str:
    """However it is written: spaces around a name and its capitals make no other person."""
    return signature.partition(":")[2].strip().casefold()
