"""Roles of staff: their order, and which of them a book lets give a command."""

from typing import get_args

from casinowar.engine import commands as c
from casinowar.rulebooks import Rulebook
from casinowar.rulebooks.authority import Staff

STAFF: tuple[Staff, ...] = get_args(Staff)
"""From the lowest to the highest."""

FLOOR = STAFF[1:]
GRANTED = (*STAFF, "auditor")
"""What an account can be granted. The auditor looks and does nothing, and stands outside the order."""

DEALERS = (
    c.OpenBetting,
    c.NoMoreBets,
    c.Deal,
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
    c.PlaceMarker,
    c.LoadShoe,
    c.InitialBurn,
    c.OfferBank,
    c.RotateBank,
)
"""The dealer's own acts, which an automatic dealer does by itself."""

LEFT_TO_THE_OPERATOR = (c.VoidHand, c.VoidPlayer, c.VoidRound, c.Rule, c.ExcludePlayer)
"""What `irreg.void_by` speaks of, in books that have no table of authority."""

ARBITERS: dict[str, Staff] = {
    "operator": "operator",
    "licensee": "operator",
    "pit_boss": "supervisor",
    "floor": "supervisor",
}
"""The role of whoever has the last word."""


def at_least(role: Staff) -> tuple[Staff, ...]:
    """The role itself and those above it."""
    return STAFF[STAFF.index(role) :]


def case_of(rules: Rulebook, command: c.Command) -> str:
    """The field of the book's table that speaks of this command, and of this case of it."""
    match command:
        case c.PlaceWager():
            return "called_wager"
        case c.SupervisorShuffle():
            return f"shuffle_{command.reason}"
        case c.ReplaceCards() if command.cards:
            return "replace_damaged"
        case c.InvalidateRound():
            return "invalidate_fraud" if command.cause == "fraud" else "invalidate_disruption"
        case c.Rule() if command.action.startswith("void"):
            return "rule_void"
        case c.ReportShufflerFault() if rules.irreg.shuffler_fault in ("void_hands", "void_round_or_hands"):
            return "shuffler_fault_void"
        case c.ReportShufflerFault() if command.boxes and rules.irreg.shuffler_fault != "reshuffle":
            return "shuffler_fault_void"
        case _:
            return str(type(command).__struct_config__.tag)


def least_role(rules: Rulebook, command: c.Command) -> Staff:
    """The lowest role of staff that may give the command."""
    if rules.irreg.void_by == "operator" and isinstance(command, LEFT_TO_THE_OPERATOR):
        return "operator"
    role: Staff = getattr(rules.authority, case_of(rules, command))
    return role


def entitled_roles(rules: Rulebook, command: c.Command) -> tuple[Staff, ...]:
    """The roles of staff that may give the command, whoever else must sign it."""
    least = least_role(rules, command)
    is_own = isinstance(command, (*DEALERS, c.PlaceWager, c.Surrender))
    return (least,) if is_own and not rules.authority.higher else at_least(least)


def authority_clauses(rules: Rulebook, command: c.Command) -> tuple[str, ...]:
    """The clauses that say whose the command is; none where the book names nobody."""
    if rules.irreg.void_by == "operator" and isinstance(command, LEFT_TO_THE_OPERATOR):
        return rules.clauses["irreg.void_by"]
    return rules.clauses.get(f"authority.{case_of(rules, command)}", ())


def role_of(signature: str) -> str:
    return signature.partition(":")[0]


def person_of(signature: str) -> str:
    """The person of a signature; spaces around a name and its capitals make no other person."""
    return signature.partition(":")[2].strip().casefold()


def takes_words(rules: Rulebook, role: str) -> str:
    """`this takes the Table Games Manager`."""
    return f"this takes the {getattr(rules.roles, role)}"


def signature_words(rules: Rulebook, signature: str) -> str:
    """`Table Inspector sue`, and of a role alone, which was presumed, `the Table Inspector`.

    Where the book has no name for the role, and for anybody who is not of the staff, it stays as it is written.
    """
    role, colon, person = signature.partition(":")
    plain = ARBITERS.get(role, role)
    name = getattr(rules.roles, plain) if plain in STAFF else role
    if name == plain:
        return signature
    return f"{name} {person}" if colon else f"the {name}"
