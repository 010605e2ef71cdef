"""Dealing: the dealer's procedure from the call to the end of the round, as far as the cards reach."""

from msgspec.structs import replace

from casinowar.cards import Card
from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.bank import cover, return_bank
from casinowar.engine.betting import WAR_DEAL, close_betting
from casinowar.engine.events import Refusal
from casinowar.engine.evolve import evolve_all
from casinowar.engine.limits import limit_wagers
from casinowar.engine.progressive import settle_progressive, unfeed
from casinowar.engine.settle import offers, settle_first, settle_war
from casinowar.engine.state import DEALER, Table
from casinowar.rulebooks import Rulebook

WAITING = ("betting", "deciding", "war_betting")
"""Phases in which the dealer waits for people."""


def deal(rules: Rulebook, table: Table, command: c.Deal) -> tuple[list[e.Event], Table] | Refusal:
    """Go on until a card, a shuffle or a decision is needed. The events come with the table they lead to."""
    refusal = refuse_deal(rules, table)
    if refusal:
        return refusal
    events: list[e.Event] = []
    cards = command.cards
    while True:
        if table.queue:
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


def refuse_deal(rules: Rulebook, table: Table) -> Refusal | None:
    """Why the dealer cannot go on at all."""
    if table.is_closed:
        return Refusal("table_closed")
    if table.phase == "deciding":
        return Refusal("decision_open", rules.clauses["decision.timing"])
    is_betting = table.phase == "betting"
    if is_betting and (table.round.is_over or not table.round.wagers):
        return Refusal("no_wager", rules.clauses["deal.to"])
    if is_betting and table.bank is not None and len(set(table.seats.values())) < rules.bank.least_seated:
        return Refusal("too_few_seated", rules.clauses["bank.least_seated"])
    if is_shuffle_due(table):
        return Refusal("shuffle_due", rules.clauses["shoe.cut_mid_round"])
    return None


def is_shuffle_due(table: Table) -> bool:
    """Whether a stack must be loaded before the next card: between rounds, or because the shoe ran dry."""
    if table.phase in ("betting", "closed"):
        return table.shuffle is not None or not table.shoe_left
    return bool(table.queue) and not table.shoe_left


def cards_due(rules: Rulebook, table: Table) -> int:
    """How many cards the dealer draws before something else is needed: a decision, a shuffle, or an unknown face."""
    if table.phase == "deciding" or is_shuffle_due(table):
        return 0
    draws = table.queue or _coming_draws(rules, table)
    if draws and draws[0] in ("opening", "midround") and rules.shoe.initial_burn == "face_up_plus_value":
        return 1
    count = len(draws)
    if table.cut_in is not None and table.cut_in < count:
        stop = _cut_first_after(rules, table, draws)
        count = count if stop is None else stop
    return min(count, table.shoe_left)


def _coming_draws(rules: Rulebook, table: Table) -> tuple[e.Draw, ...]:
    round_ = table.round
    if table.phase == "war_betting":
        return war_draws(rules, table)
    if table.phase == "dealing" or round_.is_over or not round_.wagers or _is_cut_first(rules, table):
        return ()
    return first_draws(rules, table, round_.boxes or tuple({box: None for box, _, _ in round_.wagers}))


def first_draws(rules: Rulebook, table: Table, boxes: tuple[int, ...]) -> tuple[e.Draw, ...]:
    order = boxes if rules.deal.first == "from_left" else tuple(reversed(boxes))
    shoe = rules.shoe
    hands = (*order, DEALER) if rules.deal.dealer == "last" else (DEALER, *order)
    if not (table.opening_burn or table.dealer_burns or shoe.round_burn):
        return hands
    burns: list[e.Draw] = ["opening"] if table.opening_burn else []
    burns += ["new_dealer"] * table.dealer_burns
    burns += ["round"] * shoe.round_burn
    return (*burns, *hands)


def war_draws(rules: Rulebook, table: Table) -> tuple[e.Draw, ...]:
    boxes = sorted(table.round.at_war, reverse=rules.deal.war == "from_right")
    burns: list[e.Draw] = ["war"] * rules.war.burn
    banker: list[e.Draw] = ["war_banker"] * rules.war.burn_before_banker
    dealer = [*banker, DEALER]
    return (*burns, *boxes, *dealer) if rules.deal.war_dealer == "last" else (*burns, *dealer, *boxes)


def _is_cut_first(rules: Rulebook, table: Table) -> bool:
    """Whether the cutting card is what comes out first for a new round, and the book shuffles at once for that."""
    burns_first = table.opening_burn or table.dealer_burns
    return table.cut_in == 0 and not burns_first and rules.shoe.cut_first_card == "shuffle_now"


BEFORE_ROUND = ("opening", "opening_value", "new_dealer")
"""Burns that precede a round, so that the card after them is its first."""


def _cut_first_after(rules: Rulebook, table: Table, draws: tuple[e.Draw, ...]) -> int | None:
    """After how many burns the cutting card comes out first for a round, where the book shuffles at once for that."""
    is_begun = table.round.hands or (rules.shoe.round_burn and "round" not in draws)
    if is_begun or rules.shoe.cut_first_card != "shuffle_now":
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
        started = e.DealStarted(war_draws(rules, table), rules.clauses["deal.war"])
        return [*limit_wagers(rules, table, WAR_DEAL), started]
    if _is_cut_first(rules, table):
        return [*unfeed(rules, table), _cut_first(rules, table)]
    if table.phase == "closed":
        return [e.DealStarted(first_draws(rules, table, table.round.boxes), rules.clauses["deal.first"])]
    return close_betting(rules, table, first_draws)


def _cut_first(rules: Rulebook, table: Table) -> e.CutCardDrawn:
    boxes = table.round.boxes or sorted(where[0] for where in table.round.wagers)
    at = DEALER if rules.shoe.round_burn else boxes[0]
    return e.CutCardDrawn(at, "now", rules.clauses["shoe.cut_first_card"])


Cards = tuple[Card | None, ...]


def _draw(rules: Rulebook, table: Table, cards: Cards) -> tuple[list[e.Event], Cards] | Refusal:
    """The draws that are due, as far as the cards reach, and the cards that are left. A turned-up burn ends the run."""
    stop = None
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
            events.append(e.CardDealt(draw, card, clauses if draw else to_dealer))
            continue
        burned = _burn(rules, draw, card)
        if isinstance(burned, Refusal):
            return burned
        if draw == "midround" and table.shoe_left - burned.more < len(table.queue):
            burned = replace(burned, more=0)
            events.append(e.BurnSkipped("opening_value", rules.clauses["shoe.midround_burn"]))
        events.append(burned)
        if burned.more:
            break
    return events, cards[count:]


def cut_card(rules: Rulebook, draw: e.Draw) -> e.CutCardDrawn:
    is_followed = rules.shoe.cut_mid_round == "finish_round"
    at = draw if isinstance(draw, int) else DEALER
    return e.CutCardDrawn(at, "after_round" if is_followed else "none", rules.clauses["shoe.cut_mid_round"])


_BURN_KEYS = {
    "opening": "shoe.initial_burn",
    "opening_value": "shoe.initial_burn",
    "midround": "shoe.midround_burn",
    "new_dealer": "shoe.new_dealer_burn",
    "round": "shoe.round_burn",
    "war": "war.burn",
    "war_banker": "war.burn_before_banker",
}


def _burn(rules: Rulebook, burn: e.Burn, card: Card | None) -> e.CardBurned | Refusal:
    clauses = rules.clauses[_BURN_KEYS[burn]]
    if burn in ("opening", "midround") and rules.shoe.initial_burn == "face_up_plus_value":
        if card is None:
            return Refusal("card_unseen")
        more = rules.shoe.burn_value.get(card[0]) or int(card[0].replace("T", "10"))
        return e.CardBurned(burn, card, more, clauses=clauses + rules.clauses["shoe.burn_value"])
    beside = burn in ("war", "war_banker") and rules.war.burn_place == "beside_dealer"
    return e.CardBurned(burn, None, 0, beside, clauses)


def advance(rules: Rulebook, table: Table) -> list[e.Event]:
    """What follows when no card is due: settlement, the offer of war, or the end of the round."""
    round_ = table.round
    if len(round_.hands[DEALER]) > 1:
        return _finish(rules, table, settle_war(rules, table))
    events, is_tied = settle_first(rules, table)
    if is_tied:
        asked = offers(rules, round_)
        if asked:
            return cover(rules, table, events + asked)
        if round_.at_war:
            closed = e.DecisionsClosed(rules.clauses["decision.timing"])
            return [*events, *_collect_before_war(rules, table), closed]
    return _finish(rules, table, events)


def _finish(rules: Rulebook, table: Table, settlement: list[e.Event]) -> list[e.Event]:
    """The last settlement of a round, and its end."""
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
    ended = e.RoundEnded(round_.number, hands, rules.clauses["discard.order"])
    if table.held is None:
        return [ended]
    discarded = e.CardDiscarded(table.held, rules.clauses["irreg.exposed_extra"])
    return [cut_card(rules, DEALER), discarded, ended] if table.cut_in == 0 else [discarded, ended]


def _collect_before_war(rules: Rulebook, table: Table) -> list[e.Event]:
    """Where the book says so, only the hands at war stay on the layout."""
    round_ = table.round
    out = tuple((box, hand) for box, hand in round_.hands.items() if box and box not in round_.at_war)
    if rules.discard.timing != "before_war" or not out:
        return []
    return [e.CardsCollected(out, rules.clauses["discard.timing"])]
