"""Signatures: who may give a command, and where it takes two people."""

from casinowar.engine import commands as c
from casinowar.engine.events import DEALER, Refusal
from casinowar.engine.roles import (
    FLOOR,
    STAFF,
    at_least,
    authority_clauses,
    case_of,
    entitled_roles,
    least_role,
    person_of,
    role_of,
)
from casinowar.engine.state import Table
from casinowar.rulebooks import Rulebook
from casinowar.rulebooks.authority import Staff

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
"""Commands that only the player whom they concern may give."""

SIGNED = (
    c.VoidHand,
    c.VoidPlayer,
    c.VoidRound,
    c.InvalidateRound,
    c.ReleasePlayers,
    c.ReportShufflerFault,
    c.Rule,
    c.Reconstruct,
    c.ReportWager,
    c.InspectCards,
)
"""Commands that a second person may sign."""

Signed = (
    c.VoidHand
    | c.VoidPlayer
    | c.VoidRound
    | c.InvalidateRound
    | c.ReleasePlayers
    | c.ReportShufflerFault
    | c.Rule
    | c.Reconstruct
    | c.ReportWager
    | c.InspectCards
)


def refuse_signatures(rules: Rulebook, table: Table, command: c.Command) -> Refusal | None:
    """Two signatures are two persons; where neither is given, the entitled people are presumed."""
    if isinstance(command, Signed):
        return _refuse_two(rules, table, command)
    is_refused = command.by is not None and not is_entitled(rules, command, command.by)
    return refuse_unentitled(rules, command) if is_refused else None


def _refuse_two(rules: Rulebook, table: Table, command: Signed) -> Refusal | None:
    """Where two sign, one of them has the role that the book names, and the second is at least of the floor."""
    by, second = command.by, command.second
    if by is not None and second is not None and role_of(by) in STAFF and person_of(by) == person_of(second):
        return Refusal("same_person", _second_clauses(rules, command))
    if not _has_signer(rules, command):
        return refuse_unentitled(rules, command)
    if second is None:
        is_alone = by is not None and _takes_two(rules, table, command)
        return Refusal("second_signature_due", _second_clauses(rules, command)) if is_alone else None
    takes = seconds(rules, command)
    is_second = role_of(second) in takes and bool(person_of(second))
    return None if is_second else Refusal("not_entitled", _second_clauses(rules, command), takes[0])


def seconds(rules: Rulebook, command: c.Command) -> tuple[Staff, ...]:
    """The roles whose signature does as the second one, the least first."""
    if not isinstance(command, c.InspectCards):
        return at_least("supervisor")
    least = rules.authority.inspect_cards_second
    return (least,) if are_named_apart(rules) else at_least(least)


def are_named_apart(rules: Rulebook) -> bool:
    """Whether the book names two who inspect the cards: nobody stands in for the other.

    Rules that were stored before they said who may do what are held to what they were.
    """
    return rules.open.inspection != "none" and "authority.inspect_cards" in rules.leaves


def _has_signer(rules: Rulebook, command: Signed) -> bool:
    """Whether one signer may give the command: the first, or the second where the first is of the floor."""
    by, second = command.by, command.second
    is_above = least_role(rules, command) not in ("dealer", "supervisor")
    if by is None:
        return second is None or not is_above or is_entitled(rules, command, second)
    if is_entitled(rules, command, by):
        return True
    is_of_floor = role_of(by) in FLOOR and bool(person_of(by))
    return is_above and is_of_floor and second is not None and is_entitled(rules, command, second)


def refuse_unentitled(rules: Rulebook, command: c.Command) -> Refusal:
    """The refusal of a signer who may not give the command: the role that may, and the clauses that say so.

    A player's own act belongs to no role.
    """
    is_bet = isinstance(command, c.PlaceWager) and not command.called
    is_cut = isinstance(command, c.Cut | c.DeclineCut) and command.player is not None
    if is_bet or is_cut or isinstance(command, OWN):
        return Refusal("not_entitled")
    return Refusal("not_entitled", authority_clauses(rules, command), least_role(rules, command))


def _takes_two(rules: Rulebook, table: Table, command: Signed) -> bool:
    if isinstance(command, c.InspectCards):
        return rules.open.inspection == "two_people"
    return is_result_known(table) and _touches_result(rules, command)


def _touches_result(rules: Rulebook, command: Signed) -> bool:
    """Whether the command is a judgement that changes the result of people who have seen the cards.

    What the book itself has done about a report needs no second person.
    """
    if isinstance(command, c.ReportShufflerFault | c.Rule):
        return case_of(rules, command) in ("shuffler_fault_void", "rule_void")
    return True


def _second_clauses(rules: Rulebook, command: Signed) -> tuple[str, ...]:
    return rules.clauses.get("open.inspection" if isinstance(command, c.InspectCards) else "irreg.arbiter", ())


def is_result_known(table: Table) -> bool:
    """Whether the result is known: the dealer's card and others lie open, and a void takes from people who saw it."""
    hands = table.round.hands
    return DEALER in hands and len(hands) > 1


def is_entitled(rules: Rulebook, command: c.Command, by: str) -> bool:
    """Whether the role, and the person where it is a player's own act, may give this command."""
    if not person_of(by):
        return False
    if isinstance(command, OWN):
        return _is_own(by, command.player)
    match command:
        case c.PlaceWager() if not command.called:
            return _is_own(by, command.player)
        case c.Surrender() if not command.reason or _is_own(by, command.player):
            return _is_own(by, command.player)
        case c.Cut() | c.DeclineCut() if command.player is not None and _is_own(by, command.player):
            return True
        case c.SeatPlayer() | c.VacateSeat() if _is_own(by, command.player):
            return True
        case c.InspectCards() if rules.open.inspection == "two_people" or are_named_apart(rules):
            return role_of(by) == least_role(rules, command)
        case _:
            return role_of(by) in entitled_roles(rules, command)


def signer(rules: Rulebook, command: c.Command, presumed: Staff) -> str:
    """Who gave the command; else the role that the book names for it, or the presumed one where it names none."""
    if command.by is not None:
        return command.by
    is_named = f"authority.{case_of(rules, command)}" in rules.leaves or rules.irreg.void_by == "operator"
    return max(presumed, least_role(rules, command), key=STAFF.index) if is_named else presumed


def _is_own(by: str, player: str) -> bool:
    return by == f"player:{player}"
