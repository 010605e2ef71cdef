"""Draws: what the dealer takes from the shoe, in which order, and where it goes."""

from casinowar.cards import Card
from casinowar.engine import events as e
from casinowar.engine.events import Refusal
from casinowar.engine.state import DEALER, Table
from casinowar.rulebooks import Rulebook, clauses_in_case

BETWEEN = ("betting", "closed")
"""Phases in which no card is dealt yet."""


def is_shuffle_due(table: Table) -> bool:
    """Whether a stack must be loaded before the next card: between rounds, or because the shoe ran dry."""
    if table.phase in BETWEEN:
        return table.shuffle is not None or not table.shoe_left
    return is_mid_round(table) and not table.shoe_left


def is_mid_round(table: Table) -> bool:
    """Whether cards are still due to the hands of a round, or to the burns before them."""
    return table.phase == "dealing" and bool(table.queue)


def is_short_ruling_due(rules: Rulebook, table: Table) -> bool:
    """Whether the shoe has run dry in a round, and the book leaves it to somebody what follows."""
    is_dry = is_mid_round(table) and not table.shoe_left
    return is_dry and rules.shoe.short == "pit_boss" and not table.is_short_ruled


def stack_clauses(rules: Rulebook, table: Table) -> tuple[str, ...]:
    """Why another stack must come: the shoe ran dry in the round, or it is due between rounds."""
    return rules.clauses["shoe.short" if is_mid_round(table) else "shoe.cut_mid_round"]


def is_marked(rules: Rulebook) -> bool:
    """Whether a stack has a cutting card when it goes into the shoe; rules stored without it go by the machine."""
    if "shoe.loaded" not in rules.leaves:
        return rules.shoe.shuffler != "continuous"
    return rules.shoe.loaded == "marked"


def load_clauses(rules: Rulebook) -> tuple[str, ...]:
    return rules.clauses.get("shoe.loaded", rules.clauses["shoe.initial_burn"])


def discards_clauses(rules: Rulebook) -> tuple[str, ...]:
    """What lets the discards of a round go back into a continuous shuffler."""
    return clauses_in_case(rules, "shoe.shuffler", "continuous")


def burn_draws(rules: Rulebook, table: Table) -> tuple[e.Draw, ...]:
    """What is still due of the opening burn before wagers are invited; what the dealer forgot is not."""
    if rules.burn.due != "when_loaded" or table.phase not in BETWEEN or is_shuffle_due(table):
        return ()
    return table.queue or (("opening",) if table.opening_burn and not table.forgot_burn else ())


def first_draws(rules: Rulebook, table: Table, boxes: tuple[int, ...]) -> tuple[e.Draw, ...]:
    order = boxes if rules.deal.first == "from_left" else tuple(reversed(boxes))
    shoe = rules.shoe
    hands = (*order, DEALER) if rules.deal.dealer == "last" else (DEALER, *order)
    if not (table.opening_burn or table.queue or table.dealer_burns or shoe.round_burn):
        return hands
    burns: list[e.Draw] = ["opening"] if table.opening_burn else []
    burns += table.queue if table.phase in BETWEEN else ()
    burns += ["new_dealer"] * table.dealer_burns
    burns += ["round"] * shoe.round_burn
    return _without_forgotten_burn(table, (*burns, *hands))


def war_draws(rules: Rulebook, table: Table) -> tuple[e.Draw, ...]:
    boxes = sorted(table.round.at_war, reverse=rules.deal.war == "from_right")
    burns: list[e.Draw] = ["war"] * rules.war.burn
    banker: list[e.Draw] = ["war_banker"] * rules.war.burn_before_banker
    dealer = [*banker, DEALER]
    draws = (*burns, *boxes, *dealer) if rules.deal.war_dealer == "last" else (*burns, *dealer, *boxes)
    return _without_forgotten_burn(table, draws)


def _without_forgotten_burn(table: Table, draws: tuple[e.Draw, ...]) -> tuple[e.Draw, ...]:
    """The draws without the burn that comes first, where the dealer forgot it."""
    if not table.forgot_burn or isinstance(draws[0], int):
        return draws
    return tuple(draw for draw in draws if draw != draws[0])


def deal_order(rules: Rulebook, table: Table) -> tuple[int, ...]:
    """The hands of the deal that is on, in the order in which they get their card."""
    if table.round.at_war:
        return tuple(draw for draw in war_draws(rules, table) if isinstance(draw, int))
    return tuple(draw for draw in first_draws(rules, table, table.round.boxes) if isinstance(draw, int))


def pending_burn(rules: Rulebook, table: Table) -> e.Burn | None:
    """The burn that is due now, or that the next deal begins with."""
    if table.queue:
        return None if isinstance(table.queue[0], int) else table.queue[0]
    if table.phase == "war_betting":
        first = war_draws(rules, table)[0]
        return None if isinstance(first, int) else first
    if table.phase not in ("betting", "closed"):
        return None
    if table.opening_burn or (is_shuffle_due(table) and rules.shoe.initial_burn != "none"):
        return "opening"
    return "new_dealer" if table.dealer_burns else "round" if rules.shoe.round_burn else None


def cut_card(rules: Rulebook, draw: e.Draw) -> e.CutCardDrawn:
    is_followed = rules.shoe.cut_mid_round == "finish_round"
    at = draw if isinstance(draw, int) else DEALER
    return e.CutCardDrawn(at, "after_round" if is_followed else "none", clauses=rules.clauses["shoe.cut_mid_round"])


BURN_KEYS = {
    "opening": "shoe.initial_burn",
    "opening_value": "shoe.initial_burn",
    "midround": "shoe.midround_burn",
    "new_dealer": "shoe.new_dealer_burn",
    "round": "shoe.round_burn",
    "war": "war.burn",
    "war_banker": "war.burn_before_banker",
}


def burn_card(rules: Rulebook, burn: e.Burn, card: Card | None) -> e.CardBurned | Refusal:
    clauses = clauses_in_case(rules, BURN_KEYS[burn], burn)
    if burn in ("opening", "midround") and rules.shoe.initial_burn == "face_up_plus_value":
        if card is None:
            return Refusal("card_unseen")
        return e.CardBurned(burn, card, burn_value(rules, card), clauses=clauses + rules.clauses["shoe.burn_value"])
    beside = burn in ("war", "war_banker") and rules.war.burn_place == "beside_dealer"
    return e.CardBurned(burn, None, 0, beside, clauses=clauses)


def burn_value(rules: Rulebook, card: Card) -> int:
    return rules.shoe.burn_value.get(card[0]) or int(card[0].replace("T", "10"))
