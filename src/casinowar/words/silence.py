"""Where a book is silent: what is said in the place of a clause, and what no book is asked about at all."""

from collections.abc import Sequence

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
    e.OfferMissed: ("irreg.missed_offer",),
    e.WagerFound: ("irreg.wrong_wager",),
    e.WagerLimited: ("irreg.wrong_wager", "limits.on_over_max", "limits.on_off_unit"),
    e.WagerReversed: ("irreg.void_scope",),
}
"""The leaves that can decide an event for which the book may have no clause."""

SHUFFLES = {
    "exposed_before_shoe": "irreg.exposed_before_shoe",
    "face_up_cards": "irreg.multi_face_up",
    "idle": "open.idle_spread",
    "missed_shuffle": "irreg.missed_shuffle",
    "missing_cut_card": "irreg.missing_cut_card",
    "ruling": "irreg.arbiter",
    "shuffler_fault": "irreg.shuffler_fault",
}
"""The leaf behind each reason for which cards are shuffled; every other reason is one of `shoe.discretion`."""


def leaves_behind(rules: Rulebook, event: e.Event, following: Sequence[e.Event] | None = None) -> tuple[str, ...]:
    """The leaves that can have decided the event.

    `following` are the events after it, where the caller knows them: the event that a card lay face up comes after the
    event that the card leaves play. Without them, a card that nobody reported is taken as one that lay face up, if the
    book is silent on such cards.
    """
    match event:
        case e.CardDiscarded():
            if following is None:
                lay_open = event.by is None and rules.leaves["irreg.face_up"].supplied
            else:
                lay_open = isinstance(next(iter(following), None), e.FaceUpFound)
            return ("irreg.face_up",) if lay_open else ("irreg.exposed_between", "irreg.exposed_extra")
        case e.FaceUpFound():
            return ("irreg.multi_face_up",) if event.count > 1 else ("irreg.face_up",)
        case e.ShoeLoaded():
            return ("shoe.loaded",) if event.clauses or event.opening_burn else ("shoe.short",)
        case e.ShuffleOrdered():
            return (SHUFFLES.get(event.reason, "shoe.discretion"),)
        case _:
            return LEAVES.get(type(event), ())


def ambiguity_of(rules: Rulebook, event: e.Event, following: Sequence[e.Event] | None = None) -> str | None:
    """The unclear passage that a house default decides, where the event applies one."""
    if not is_silent(event):
        return None
    found = (rules.leaves[key] for key in leaves_behind(rules, event, following) if key in rules.leaves)
    return next((leaf.ambiguity for leaf in found if leaf.ambiguity), None)


def is_silent(event: e.Event) -> bool:
    """Whether the event applies a rule that the book does not have: a house default."""
    return not event.clauses and not isinstance(event, HOUSE_EVENTS)


def is_silent_refusal(refusal: Refusal) -> bool:
    return is_silent_reason(refusal.reason, refusal.clauses)


def is_silent_reason(reason: str, clauses: tuple[str, ...]) -> bool:
    return not clauses and reason not in HOUSE_REASONS


def cite_event(rules: Rulebook, event: e.Event, following: Sequence[e.Event] | None = None) -> str:
    """` [NZ-9.1]`, or that the book is silent, with the ambiguity where there is one."""
    return f" [{silence(rules, event, following)}]" if is_silent(event) else cite(event.clauses)


def silence(rules: Rulebook, event: e.Event, following: Sequence[e.Event] | None = None) -> str:
    """What is said of a silent event in the place of clauses."""
    ambiguity = ambiguity_of(rules, event, following)
    return f"{SILENT}, {ambiguity}" if ambiguity else SILENT


def cite_refusal(refusal: Refusal) -> str:
    return f" [{SILENT}]" if is_silent_refusal(refusal) else cite(refusal.clauses)
