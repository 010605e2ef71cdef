"""Whether the table before a record can have stood so: names, boxes and counts."""

from collections.abc import Iterator

from casinowar.cards import parse_written_card
from casinowar.records.opening_state import UNSEEN, Before
from casinowar.rulebooks import Rulebook

MANY = 1_000
"""Burns owed before a record begins are fewer."""

CARDS = 100_000
"""No table has so many."""

LONG = 10**18
"""Rounds and seconds before a record begins are fewer."""

MOST = 10**30
"""More money than any table has seen; beyond it a number is a slip."""

Fault = tuple[str, str]
"""Where, and what."""


def find_fault(before: Before, rulebook: Rulebook, players: dict[str, int]) -> Fault | None:
    """The first thing that is wrong with it."""
    for find in (_seats, _names, _cards, _bank, _floor):
        for fault in find(before, rulebook, players):
            return fault
    cards = (before.discards, before.face_up, before.batch, before.marker or 0, before.shoe_left or 0)
    if not all(0 <= count < CARDS for count in cards):
        return "before", "cards are counted from none, and fewer than 100,000"
    if not (0 <= before.rounds < MOST and 0 <= before.dealer_burns < MANY):
        return "before", "rounds and burns are counts"
    return None


def _seats(before: Before, rulebook: Rulebook, players: dict[str, int]) -> Iterator[Fault]:
    for box, player in before.seats.items():
        if not (box.isdecimal() and 1 <= int(box) <= rulebook.table.boxes):
            yield "before.seats", f"{box!r} is no box: they are 1 to {rulebook.table.boxes}"
        if player not in players:
            yield "before.seats", f"{player!r} is not among the players"
    if before.arrivals is not None and sorted(before.arrivals) != sorted(set(before.seats.values())):
        yield "before.arrivals", "everybody who is seated, once"


def _names(before: Before, rulebook: Rulebook, players: dict[str, int]) -> Iterator[Fault]:
    named = {
        "reminded": before.reminded,
        "bank_declined": before.bank_declined,
        "cut_declined": before.cut_declined,
        "grants": before.grants,
    }
    for place, names in named.items():
        for player in names:
            if player not in players:
                yield f"before.{place}", f"{player!r} is not among the players"


def _cards(before: Before, rulebook: Rulebook, players: dict[str, int]) -> Iterator[Fault]:
    incident = before.incident.card if before.incident else None
    for card in (before.held, incident, *before.damaged):
        try:
            parse_written_card(card) if card not in (None, UNSEEN) else None
        except ValueError as error:
            yield "before", str(error)
    if before.held == UNSEEN:
        yield "before.held", "a card that nobody saw is not held"


def _bank(before: Before, rulebook: Rulebook, players: dict[str, int]) -> Iterator[Fault]:
    turn, bank = before.bank_turn, before.bank
    if turn and (turn.player not in players or not 1 <= turn.box <= rulebook.table.boxes or turn.rounds < 0):
        yield "before.bank_turn", "a player, the box they banked from, and rounds from 1"
    if bank is None:
        return
    if rulebook.bank.by != "player" or bank.player not in players or not 1 <= bank.box <= rulebook.table.boxes:
        yield "before.bank", "a player who banks, and the box, where the book has players bank"
    if not (0 < bank.stake <= MOST and 0 <= bank.left <= bank.chips <= MOST):
        yield "before.bank", "a stake, and no more to pay with than lies there"


def _floor(before: Before, rulebook: Rulebook, players: dict[str, int]) -> Iterator[Fault]:
    floor = before.floor
    if floor is None:
        return
    for player in (*floor.sat_out, *floor.excluded, *(one for group in floor.partners for one in group)):
        if player not in players:
            yield "before.floor", f"{player!r} is not among the players"
    notice = floor.decks_notice
    choices = rulebook.deck_choices.get(notice.decks) if notice else ()
    pairs = notice.perfect_pairs if notice else None
    is_offered = choices is not None and (pairs in choices if rulebook.wager.perfect_pairs and notice else not pairs)
    if not is_offered:
        yield "before.floor.decks_notice", "decks that the book has, with the pay table of pairs that goes with them"
    notice_of_closing = (floor.closing_notice or 0, floor.closing_minutes)
    counts = (floor.clock, *notice_of_closing, floor.box_max, floor.player_max, floor.bettors)
    if not all(0 <= count < LONG for count in counts):
        yield "before.floor", "seconds and amounts are not negative"
