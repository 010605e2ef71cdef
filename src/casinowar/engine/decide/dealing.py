"""Dealing: the dealer's procedure from the call to the end of the round, as far as the cards reach."""

from msgspec.structs import replace

from casinowar.cards import Card
from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.decide.bank import return_bank
from casinowar.engine.decide.bank_cover import cover
from casinowar.engine.decide.betting import close_betting
from casinowar.engine.decide.draw_order import (
    burn_card,
    burn_draws,
    burn_value,
    cut_card,
    discards_clauses,
    first_draws,
    is_mid_round,
    is_shuffle_due,
    stack_clauses,
    war_draws,
)
from casinowar.engine.decide.limits import limit_wagers
from casinowar.engine.decide.progressive import settle_progressive, unfeed
from casinowar.engine.decide.settlement import offers, return_unfought, settle_first, settle_war
from casinowar.engine.events import Refusal
from casinowar.engine.evolve import evolve_all
from casinowar.engine.state import DEALER, NOWHERE, Deciders, Table
from casinowar.rulebooks import Rulebook, clauses_in_case
from casinowar.rulebooks.wagers import WAR_DEAL

WAITING = ("betting", "deciding", "war_betting")
"""Phases in which the dealer waits for people."""


def deal(rules: Rulebook, table: Table, command: c.Deal) -> tuple[list[e.Event], Table] | Refusal:
    """Go on until a card, a shuffle or a decision is needed. The events come with the table they lead to."""
    if refusal := refuse_deal(rules, table):
        return refusal
    events: list[e.Event] = []
    cards = command.cards
    while True:
        if is_mid_round(table):
            drawn = _draw(rules, table, cards)
            if isinstance(drawn, Refusal):
                return drawn
            following, cards = drawn
        else:
            following = _next_events(rules, table)
        table = evolve_all(table, following)
        events += following
        if not following or table.phase in WAITING or (command.hold and not cards and not table.queue):
            break
    if cards:
        return Refusal("too_many_cards")
    return (events, table) if events else Refusal("cards_due")


def initial_burn(rules: Rulebook, table: Table, command: c.InitialBurn) -> list[e.Event] | Refusal:
    """The opening burn, as far as the cards reach. It begins no round: wagers can be placed before it and after.

    A cutting card that shows among these cards ends it: no round is on, and the cards are shuffled again. Where it is
    the next thing out of the shoe, no card is needed.
    """
    clauses = rules.clauses["shoe.initial_burn"]
    if rules.burn.due == "at_deal":
        return Refusal("not_in_the_book", clauses)
    if is_shuffle_due(table):
        return Refusal("shuffle_due", clauses)
    draws = burn_draws(rules, table)
    if not draws:
        return Refusal("no_burn_due", clauses)
    if not command.cards:
        return [cut_card(rules, draws[0])] if is_burn_cut_off(rules, table) else Refusal("cards_due", clauses)
    if len(command.cards) > min(len(draws), table.shoe_left):
        return Refusal("too_many_cards")
    events: list[e.Event] = []
    for count, (draw, card) in enumerate(zip(draws, command.cards, strict=False)):
        if count == table.cut_in:
            events.append(cut_card(rules, draw))
            if rules.shoe.cut_mid_round == "finish_round":
                return events
        burn = burn_card(rules, draw, card)  # type: ignore[arg-type]
        if isinstance(burn, Refusal):
            return burn
        events.append(burn)
    return events


def refuse_deal(rules: Rulebook, table: Table) -> Refusal | None:
    """Why the dealer cannot go on at all."""
    if table.is_closed:
        return Refusal("table_closed")
    if table.incident is not None:
        return Refusal("ruling_due", rules.clauses["irreg.arbiter"])
    if table.phase == "deciding":
        return Refusal("decision_open", rules.clauses["decision.timing"])
    is_betting = table.phase == "betting"
    if is_betting and (table.round.is_over or not table.round.wagers):
        return Refusal("no_wager", rules.clauses["deal.to"])
    if is_betting and table.bank is not None and len(set(table.seats.values())) < rules.bank.least_seated:
        return Refusal("too_few_seated", rules.clauses["bank.least_seated"])
    return Refusal("shuffle_due", stack_clauses(rules, table)) if is_shuffle_due(table) else None


def cards_due(rules: Rulebook, table: Table) -> int:
    """How many cards the dealer draws before something else is needed: a decision, a shuffle, or an unknown face."""
    return len(draws_due(rules, table))


def draws_due(rules: Rulebook, table: Table) -> tuple[e.Draw, ...]:
    """The draws that are due before something else is needed: the box of each card, or its burn."""
    if table.phase == "deciding" or is_shuffle_due(table):
        return ()
    draws = table.queue if is_mid_round(table) else _coming_draws(rules, table)
    if draws and is_burned_face_up(rules, draws[0]):
        return draws[:1]
    count = len(draws)
    if table.cut_in is not None and table.cut_in < count:
        stop = _cut_first_after(rules, table, draws)
        count = count if stop is None else stop
    return draws[: min(count, table.shoe_left)]


def is_burned_face_up(rules: Rulebook, draw: e.Draw) -> bool:
    """Whether this burn is turned up, so that its face says how many more cards are burned."""
    return draw in ("opening", "midround") and rules.shoe.initial_burn == "face_up_plus_value"


def _coming_draws(rules: Rulebook, table: Table) -> tuple[e.Draw, ...]:
    round_ = table.round
    if table.phase == "war_betting":
        return war_draws(rules, table)
    if table.phase == "dealing" or round_.is_over or not round_.wagers or _is_cut_first(rules, table):
        return ()
    return first_draws(rules, table, round_.boxes or tuple({box: None for box, _, _ in round_.wagers}))


def _is_cut_first(rules: Rulebook, table: Table) -> bool:
    """Whether the cutting card is what comes out first for a new round, and the book shuffles at once for that."""
    burns_first = table.opening_burn or table.queue or table.dealer_burns
    is_first = table.cut_in == 0 and not burns_first and not _is_decided(table)
    return is_first and rules.shoe.cut_first_card == "shuffle_now"


def _is_decided(table: Table) -> bool:
    """Whether a wager of the round has been taken, as of a player who broke a rule: then the round has begun."""
    return any(laid.outcome not in (None, "void") for laid in table.round.wagers.values()) and not table.round.is_over


def is_cut_card_first(rules: Rulebook, table: Table) -> bool:
    """Whether the next thing out of the shoe is the cutting card, and the book shuffles at once for it."""
    if is_mid_round(table):
        return _cut_first_after(rules, table, table.queue) == 0
    return table.phase in ("betting", "closed") and _is_cut_first(rules, table)


def is_burn_cut_off(rules: Rulebook, table: Table) -> bool:
    """Whether the opening burn is due and the cutting card comes out before its next card, and so ends it."""
    return table.cut_in == 0 and rules.shoe.cut_mid_round == "finish_round" and bool(burn_draws(rules, table))


BEFORE_ROUND = ("opening", "opening_value", "new_dealer")
"""Burns that precede a round, so that the card after them is its first."""


def _cut_first_after(rules: Rulebook, table: Table, draws: tuple[e.Draw, ...]) -> int | None:
    """After how many burns the cutting card comes out first for a round, where the book shuffles at once for that."""
    is_begun = table.round.hands or (rules.shoe.round_burn and "round" not in draws)
    if is_begun or rules.shoe.cut_first_card != "shuffle_now" or _is_decided(table):
        return None
    burns = 0
    while burns < len(draws) and draws[burns] in BEFORE_ROUND:
        burns += 1
    return burns if table.cut_in == burns else None


def _next_events(rules: Rulebook, table: Table) -> list[e.Event]:
    """What the dealer does where no card is due."""
    if table.phase == "dealing":
        return advance(rules, table)
    if table.phase == "war_betting":
        started = e.DealStarted(war_draws(rules, table), clauses=rules.clauses["deal.war"])
        return [*limit_wagers(rules, table, WAR_DEAL), started]
    if _is_cut_first(rules, table):
        return [*unfeed(rules, table), _cut_first(rules, table)]
    if table.phase == "closed":
        return [e.DealStarted(first_draws(rules, table, table.round.boxes), clauses=rules.clauses["deal.first"])]
    return close_betting(rules, table, first_draws)


def _cut_first(rules: Rulebook, table: Table) -> e.CutCardDrawn:
    boxes = table.round.boxes or sorted(where[0] for where in table.round.wagers)
    at = DEALER if rules.shoe.round_burn else boxes[0]
    return e.CutCardDrawn(at, "now", clauses=rules.clauses["shoe.cut_first_card"])


Cards = tuple[Card | None, ...]


def _draw(rules: Rulebook, table: Table, cards: Cards) -> tuple[list[e.Event], Cards] | Refusal:
    """The draws that are due, as far as the cards reach, and the cards that are left. A turned-up burn ends the run."""
    stop = None
    if table.held is not None and cards and cards[0] not in (None, table.held):
        return Refusal("another_card_next", clauses_in_case(rules, "irreg.exposed_extra", "needed"))
    if table.cut_in is not None and table.cut_in < len(table.queue):
        stop = _cut_first_after(rules, table, table.queue)
        if stop == 0:
            return [*unfeed(rules, table), _cut_first(rules, table)], cards
    events: list[e.Event] = []
    is_war = bool(table.round.at_war)
    clauses = rules.clauses["deal.war" if is_war else "deal.to"]
    to_dealer = rules.clauses["deal.war_dealer" if is_war else "deal.dealer"]
    count = 0
    for draw, card in zip(table.queue[:stop], cards[: table.shoe_left], strict=False):
        if count == table.cut_in:
            events.append(cut_card(rules, draw))
        count += 1
        if isinstance(draw, int):
            if card is None:
                return Refusal("card_unseen")
            events.append(e.CardDealt(draw, card, clauses=clauses if draw else to_dealer))
            continue
        burn = burn_card(rules, draw, card)
        if isinstance(burn, Refusal):
            return burn
        if draw == "midround" and table.shoe_left - burn.more < len(table.queue):
            burn = replace(burn, more=0)
            events.append(e.BurnSkipped("opening_value", clauses=rules.clauses["shoe.midround_burn"]))
        events.append(burn)
        if burn.more:
            break
    return events, cards[count:]


def advance(rules: Rulebook, table: Table) -> list[e.Event]:
    """What follows when no card is due: settlement, the offer of war, or the end of the round."""
    round_ = table.round
    if not round_.boxes:
        return _finish(rules, table, [])
    if len(round_.hands[DEALER]) > 1:
        return _finish(rules, table, settle_war(rules, table))
    events, is_tied = settle_first(rules, table)
    if is_tied:
        if asked := offers(rules, round_):
            return cover(rules, table, events + asked)
        if round_.at_war:
            closed = e.DecisionsClosed(clauses=rules.clauses["decision.timing"])
            return [*events, *return_unfought(rules, table), *_collect_before_war(rules, table), closed]
    return _finish(rules, table, events)


def _finish(rules: Rulebook, table: Table, settlement: list[e.Event]) -> list[e.Event]:
    """The last settlement of a round, and its end."""
    settlement = settlement + return_unfought(rules, table)
    if table.bank is not None:
        settlement = cover(rules, table, settlement)
        settlement.append(return_bank(rules, table, settlement))
    if rules.wager.progressive:
        settlement += settle_progressive(rules, table)
    return settlement + end_round(rules, table)


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
    """Replace each damaged card by one like it, at the end of the round."""
    if not table.damaged:
        return []
    known = tuple(card for card in table.damaged if card is not None)
    clauses = clauses_in_case(rules, "irreg.damaged_card", "one")
    return [e.CardsReplaced(known, len(table.damaged), by="dealer", clauses=clauses)]


def _collect_before_war(rules: Rulebook, table: Table) -> list[e.Event]:
    """Collect the hands that are not at war, where the book says so."""
    round_ = table.round
    stays = {DEALER} | round_.at_war | round_.collected
    out = tuple((box, hand) for box, hand in round_.hands.items() if box not in stays)
    if rules.discard.timing != "before_war" or not out:
        return []
    return [e.CardsCollected(out, clauses=rules.clauses["discard.timing"])]


def correct_card(rules: Rulebook, table: Table, command: c.CorrectCard) -> list[e.Event] | Refusal:
    """The face of the card that was turned last, before anything else has happened."""
    if table.last is None or not (table.phase == "dealing" or table.queue):
        return Refusal("no_card_to_correct")
    by = command.by or "dealer"
    if table.last != NOWHERE:
        was = table.round.hands[table.last][-1]
        corrected = e.CardCorrected(table.last, was, command.card, 0, by, clauses=rules.clauses["deal.to"])
    else:
        turned = table.rack[-1][1][0]
        assert turned is not None
        was = turned
        clauses = rules.clauses["shoe.burn_value"]
        corrected = e.CardCorrected(NOWHERE, was, command.card, burn_value(rules, command.card), by, clauses=clauses)
    return Refusal("same_card") if was == command.card else [corrected]


DECIDERS: Deciders = {
    c.InitialBurn: initial_burn,
    c.CorrectCard: correct_card,
}
