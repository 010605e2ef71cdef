"""The end of a round: cards to the rack, and what was put off until then."""

from casinowar.engine import events as e
from casinowar.engine.decide.draws import cut_card, discards_clauses
from casinowar.engine.state import DEALER, Table
from casinowar.rulebooks import Rulebook, clauses_in_case


def end_round(rules: Rulebook, table: Table) -> list[e.Event]:
    """The cards are collected box by box, the dealer's last, so that every hand can be rebuilt from the rack."""
    round_ = table.round
    hands = tuple(round_.hands.items())
    if round_.collected:
        hands = tuple(hand for hand in hands if hand[0] not in round_.collected)
    if rules.discard.order == "by_deal":
        hands = tuple((box, hand[:1]) for box, hand in hands) + tuple(
            (box, hand[1:]) for box, hand in hands if hand[1:]
        )
    ended: list[e.Event] = [e.RoundEnded(round_.number, hands, clauses=rules.clauses["discard.order"])]
    if table.held is not None or table.damaged:
        ended = replace_damaged(rules, table) + discard_held(rules, table) + ended
    if rules.shoe.shuffler == "continuous":
        out = sum(len(cards) for _, cards in (*table.rack, *hands)) + (table.held is not None)
        ended.append(e.DiscardsReturned(out, clauses=discards_clauses(rules)))
    return ended


def discard_held(rules: Rulebook, table: Table) -> list[e.Event]:
    """A card that was exposed and not needed in the round goes to the rack at its end."""
    if table.held is None:
        return []
    discarded = e.CardDiscarded(table.held, clauses=clauses_in_case(rules, "irreg.exposed_extra", "not_needed"))
    return [cut_card(rules, DEALER), discarded] if table.cut_in == 0 else [discarded]


def replace_damaged(rules: Rulebook, table: Table) -> list[e.Event]:
    """At the end of the round, a card like it for each that was damaged."""
    if not table.damaged:
        return []
    known = tuple(card for card in table.damaged if card is not None)
    clauses = clauses_in_case(rules, "irreg.damaged_card", "one")
    return [e.CardsReplaced(known, len(table.damaged), by="dealer", clauses=clauses)]
