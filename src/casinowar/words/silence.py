"""Where a book is silent: what is said in the place of a clause, and what no book is asked about at all."""

from casinowar.engine import events as e
from casinowar.engine.events import Refusal
from casinowar.rulebooks import SILENT, Rulebook
from casinowar.words.phrases import cite

HOUSE_EVENTS = (e.TableOpened, e.TableResumed, e.BoughtIn, e.PlayerSeated, e.SeatVacated, e.TimePassed)
"""Chips, seats and the clock: no rule is applied, so no clause is missing."""

HOUSE_REASONS = frozenset(
    {
        "amount_not_positive",
        "away_from_play",
        "bank_below_minimum",
        "by_is_the_servers",
        "call_taken",
        "called_already",
        "card_unseen",
        "cards_are_sealed",
        "cards_due",
        "chips_are_kept",
        "chips_gone",
        "dealer_is_automatic",
        "draining",
        "entropy_refused",
        "id_reused",
        "insufficient_funds",
        "loss_limit",
        "malformed_command",
        "name_taken",
        "no_call",
        "no_card_to_correct",
        "no_entropy_now",
        "no_limits",
        "no_such_request",
        "no_such_table",
        "no_wager",
        "not_allowed",
        "not_by_hand",
        "not_entitled",
        "not_in_the_book",
        "not_seated",
        "not_stopped",
        "not_waiting",
        "not_watching",
        "not_written",
        "nothing_due",
        "out_of_service",
        "own_purse",
        "place_is_kept",
        "plays_here",
        "purse_full",
        "purse_not_low",
        "reason_due",
        "same_card",
        "same_person",
        "seat_is_free",
        "seat_is_kept",
        "seat_taken",
        "seated_already",
        "shoe_not_ready",
        "stale",
        "table_closed",
        "table_is_open",
        "table_refused",
        "table_stopped",
        "time_limit",
        "too_many_cards",
        "too_many_requests",
        "too_many_seats",
        "too_many_tables",
        "too_many_wait",
        "unknown_box",
        "unknown_player",
        "unknown_version",
        "void_answered",
        "void_waits",
    }
)
"""Refusals that rest on no rule of a book: the person, the purse or the program stands in the way."""


LEAVES: dict[type, tuple[str, ...]] = {
    e.CardHeld: ("irreg.exposed_extra", "irreg.unexposed_extra"),
    e.CardPlacedAhead: ("irreg.exposed_extra",),
    e.CutMade: ("shoe.cutter_rule",),
    e.HandMissed: ("irreg.missed_war_hand",),
    e.HandVoided: ("irreg.void_scope",),
    e.LimitsAdvised: ("irreg.wrong_wager", "limits.on_over_max", "limits.on_off_unit"),
    e.MarkerPlaced: ("shoe.marker_from_back",),
    e.MeterFed: ("progressive.increment_bp",),
    e.WagerFound: ("irreg.wrong_wager",),
    e.WagerLimited: ("irreg.wrong_wager", "limits.on_over_max", "limits.on_off_unit"),
    e.WagerReversed: ("irreg.void_scope",),
}
"""The leaves that decide an event for which the book may have no clause. An event that several rules can lead to, such
as a card that goes to the rack, is not here."""


def ambiguity_of(rules: Rulebook, event: e.Event) -> str | None:
    """The unclear passage behind a house default, where the event tells which leaf decided it."""
    leaves = (rules.leaves[key] for key in LEAVES.get(type(event), ()) if key in rules.leaves)
    return next((leaf.ambiguity for leaf in leaves if leaf.ambiguity), None) if is_silent(event) else None


def is_silent(event: e.Event) -> bool:
    """Whether the event applies a rule that the book does not have: a house default."""
    return not event.clauses and not isinstance(event, HOUSE_EVENTS)


def is_silent_refusal(refusal: Refusal) -> bool:
    return is_silent_reason(refusal.reason, refusal.clauses)


def is_silent_reason(reason: str, clauses: tuple[str, ...]) -> bool:
    return not clauses and reason not in HOUSE_REASONS


def cite_event(rules: Rulebook, event: e.Event) -> str:
    """` [NZ-9.1]`, or that the book is silent, with the ambiguity where there is one."""
    return f" [{silence(rules, event)}]" if is_silent(event) else cite(event.clauses)


def silence(rules: Rulebook, event: e.Event) -> str:
    """What is said of a silent event in the place of clauses."""
    ambiguity = ambiguity_of(rules, event)
    return f"{SILENT}, {ambiguity}" if ambiguity else SILENT


def cite_refusal(refusal: Refusal) -> str:
    return f" [{SILENT}]" if is_silent_refusal(refusal) else cite(refusal.clauses)
