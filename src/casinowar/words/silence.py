"""Silence of a book: the words in the place of a clause, and the events that apply no rule at all."""

from collections.abc import Sequence

from casinowar.engine import events as e
from casinowar.rulebooks import SILENT, Rulebook
from casinowar.words.phrases import cite

HOUSE_EVENTS = (e.TableOpened, e.TableResumed, e.BoughtIn, e.PlayerSeated, e.SeatVacated, e.TimePassed)
"""Chips, seats and the clock: no rule is applied, so no clause is missing."""

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


def cite_event(rules: Rulebook, event: e.Event, following: Sequence[e.Event] | None = None) -> str:
    """The event's clauses, ` [NZ-9.1]`, or that the book is silent, with the ambiguity where there is one."""
    return f" [{silence(rules, event, following)}]" if is_silent(event) else cite(event.clauses)


def silence(rules: Rulebook, event: e.Event, following: Sequence[e.Event] | None = None) -> str:
    """The words in the place of a silent event's clauses."""
    ambiguity = ambiguity_of(rules, event, following)
    return f"{SILENT}, {ambiguity}" if ambiguity else SILENT
