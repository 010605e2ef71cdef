"""The shoe: who cuts, how deep, where the cutting card lies, and when a new stack may come in."""

from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.decide.draw_order import is_marked, is_shuffle_due, load_clauses
from casinowar.engine.decide.floor import decks_due, is_deck_change_due
from casinowar.engine.decide.preparation import due_reason, is_cut_due, preparation, sets
from casinowar.engine.events import Refusal
from casinowar.engine.roles import at_least, role_of
from casinowar.engine.signatures import signer
from casinowar.engine.state import DEALER, Deciders, Table
from casinowar.rulebooks import Rulebook, clauses_in_case


def cutter(rules: Rulebook, table: Table) -> str | None:
    """The seated player to whom the cut is offered now; none when it falls to staff."""
    if rules.shoe.cut_by == "dealer" or not table.seats:
        return None
    first = designated_cutter(rules, table)[0]
    if rules.shoe.cut_pass_direction == "cw":
        boxes = sorted(table.seats, key=lambda box: (box < first, box))
    else:
        boxes = sorted(table.seats, key=lambda box: (box > first, -box))
    for box in boxes:
        if table.seats[box] not in table.cut_declined:
            return table.seats[box]
    return None


def designated_cutter(rules: Rulebook, table: Table) -> tuple[int, str]:
    """The box whose player has the first right to cut, and the leaf that says so.

    Where nobody sits there, the right passes on.
    """
    first = next(box for box, player in table.seats.items() if player == table.arrivals[0])
    ends = {"farthest_left": min(table.seats), "farthest_right": max(table.seats)}
    if rules.shoe.cutter_rule in ("first_seated", "any_seated"):
        return first, "shoe.cutter_rule"
    if table.was_vacant and rules.shoe.cutter_start == "first_arrival":
        return first, "shoe.cutter_start"
    if table.cut_card_at is None:
        return ends[rules.shoe.cutter_otherwise], "shoe.cutter_otherwise"
    if table.cut_card_at == DEALER:
        return ends[rules.shoe.cutter_dealer_hand], "shoe.cutter_dealer_hand"
    return table.cut_card_at, "shoe.cutter_rule"


def _cut_clauses(rules: Rulebook, table: Table) -> tuple[str, ...]:
    """Who cuts, or where the book leaves that open, that the cards are cut."""
    return _cutter_clauses(rules, table) or rules.clauses["shoe.cut_offered"]


def _cutter_clauses(rules: Rulebook, table: Table) -> tuple[str, ...]:
    if not table.seats or rules.shoe.cut_by == "dealer":
        return rules.clauses["shoe.cut_by"]
    is_passed_on = table.cut_declined and rules.shoe.cutter_rule != "any_seated"
    key = "shoe.cut_pass_direction" if is_passed_on else designated_cutter(rules, table)[1]
    cases = rules.leaves[key].cases
    return clauses_in_case(rules, key, table.shuffle if table.shuffle in cases else "other")


def can_cut(rules: Rulebook, table: Table, player: str) -> bool:
    """Whether this player may cut now: the one who is asked, or anybody who is seated where the book asks no one."""
    if rules.shoe.cutter_rule == "any_seated" and rules.shoe.cut_by == "players":
        return player in table.seats.values()
    return player == cutter(rules, table)


def cut_bounds(rules: Rulebook) -> tuple[int, int]:
    """The least and the most cards in front of the cut."""
    return rules.shoe.cut_depth, 52 * rules.shoe.decks - rules.shoe.cut_depth


def cut(rules: Rulebook, table: Table, command: c.Cut) -> list[e.Event] | Refusal:
    if refusal := _refuse_cut(rules, table):
        return refusal
    if command.player is not None and command.player not in table.players:
        return Refusal("unknown_player")
    is_entitled = cutter(rules, table) is None if command.player is None else can_cut(rules, table, command.player)
    if not is_entitled:
        return Refusal("not_the_cutter", _cutter_clauses(rules, table))
    least, most = cut_bounds(rules)
    if not least <= command.position <= most:
        return Refusal("cut_out_of_bounds", rules.clauses["shoe.cut_depth"])
    if command.player is not None:
        return [e.CutMade(command.player, command.position, None, clauses=_cut_clauses(rules, table))]
    last, role = rules.shoe.cut_last, role_of(command.by or rules.shoe.cut_last)
    is_higher = last != "staff" and rules.authority.higher and role in at_least(last)
    if last not in ("staff", role) and not is_higher:
        return Refusal("not_the_cutter", rules.clauses["shoe.cut_last"], last)
    return [
        e.CutMade(None, command.position, command.by or rules.shoe.cut_last, clauses=rules.clauses["shoe.cut_last"])
    ]


def decline_cut(rules: Rulebook, table: Table, command: c.DeclineCut) -> list[e.Event] | Refusal:
    if refusal := _refuse_cut(rules, table):
        return refusal
    if command.player not in table.players:
        return Refusal("unknown_player")
    if command.player != cutter(rules, table):
        return Refusal("not_the_cutter", _cutter_clauses(rules, table))
    return [e.CutDeclined(command.player, clauses=rules.clauses["shoe.cut_pass_direction"])]


def _refuse_cut(rules: Rulebook, table: Table) -> Refusal | None:
    if not rules.shoe.cut_offered:
        return Refusal("no_cut", rules.clauses["shoe.cut_offered"])
    if rules.shoe.shuffler == "continuous":
        return Refusal("no_cut", rules.clauses.get("open.pre_load_cut", rules.clauses["shoe.shuffler"]))
    if not is_cut_due(rules, table):
        return Refusal("no_cut", rules.clauses["shoe.cutter_rule"])
    step, clauses = preparation(rules, table)[0]
    return Refusal(due_reason(step), clauses) if table.prepared and step != "cut" else None


def offer_cut(rules: Rulebook, table: Table, command: c.OfferCut) -> list[e.Event] | Refusal:
    if refusal := _refuse_cut(rules, table):
        return refusal
    if command.player != cutter(rules, table):
        return Refusal("not_the_cutter", _cutter_clauses(rules, table))
    return [e.CutOffered(command.player, clauses=_cut_clauses(rules, table))]


def load_shoe(rules: Rulebook, table: Table, command: c.LoadShoe) -> list[e.Event] | Refusal:
    """A new stack: between rounds the next batch, in the middle of one the discards."""
    full = 52 * rules.shoe.decks
    if not is_shuffle_due(table):
        return Refusal("no_shuffle_due", rules.clauses["shoe.cut_mid_round"])
    is_mid_round = table.phase == "dealing"
    if is_mid_round and rules.shoe.short == "none":
        return Refusal("shoe_is_short", rules.clauses["shoe.short"])
    if decks_due(rules, table) != rules.shoe.decks:
        return Refusal("decks_fixed", rules.clauses["shoe.decks"])
    if not 0 < command.cards <= full or not 0 <= (command.cut_card or 0) <= command.cards:
        return Refusal("wrong_number_of_cards", rules.clauses["shoe.decks"])
    if command.cut_card is not None and not is_marked(rules):
        return Refusal("no_marker", load_clauses(rules))
    due = preparation(rules, table)
    if command.presumed:
        due = [step for step in due if step[0] == "cut"]
    if due:
        return Refusal(due_reason(due[0][0]), due[0][1])
    return _load_mid_round(rules, table, command) if is_mid_round else _load_between(rules, table, command)


def _load_between(rules: Rulebook, table: Table, command: c.LoadShoe) -> list[e.Event]:
    burns = rules.shoe.initial_burn != "none"
    end_card = rules.shoe.cut_cards > 1 or rules.shoe.end_cover
    clauses = load_clauses(rules)
    if rules.shoe.end_cover:
        clauses += rules.clauses["shoe.end_cover"]
    loaded = e.ShoeLoaded(
        command.cards, command.cut_card, burns, (), end_card, None, table.batch % sets(rules) + 1, clauses=clauses
    )
    if is_deck_change_due(rules, table):
        return [e.DecksChanged(rules.shoe.decks, clauses=rules.clauses["notice.decks"]), loaded]
    return [loaded]


def _load_mid_round(rules: Rulebook, table: Table, command: c.LoadShoe) -> list[e.Event]:
    """The discards come back as the shoe; the opening burn is left out where it would leave too few cards."""
    burns = rules.shoe.midround_burn == "as_opening"
    is_short = command.cards <= len(table.queue)
    draws: tuple[e.Draw, ...] = ("midround",) if burns and not is_short else ()
    end_card = rules.shoe.cut_cards > 1 or rules.shoe.end_cover
    shuffle = None if rules.shoe.short_discharges else table.shuffle
    clauses = rules.clauses["shoe.short"]
    loaded = e.ShoeLoaded(
        command.cards, command.cut_card, False, draws, end_card, shuffle, table.batch, clauses=clauses
    )
    if burns and is_short:
        return [loaded, e.BurnSkipped("midround", clauses=rules.clauses["shoe.midround_burn"])]
    return [loaded]


def place_marker(rules: Rulebook, table: Table, command: c.PlaceMarker) -> list[e.Event] | Refusal:
    clauses = rules.clauses["shoe.marker_from_back"]
    if not is_marked(rules):
        return Refusal("no_marker", load_clauses(rules))
    if not is_shuffle_due(table) or is_cut_due(rules, table):
        return Refusal("cut_due" if is_shuffle_due(table) else "no_shuffle_due", clauses)
    least, most = rules.marker_bounds
    if not least <= command.from_back <= most:
        return Refusal("marker_out_of_bounds", clauses)
    return [e.MarkerPlaced(command.from_back, clauses=clauses)]


def supervisor_shuffle(rules: Rulebook, table: Table, command: c.SupervisorShuffle) -> list[e.Event] | Refusal:
    if command.reason not in rules.shoe.discretion:
        return Refusal("not_in_the_book", rules.clauses["shoe.cut_mid_round"])
    clauses = clauses_in_case(rules, "shoe.discretion", command.reason)
    if table.phase != "betting":
        return Refusal("round_in_progress", clauses)
    if command.reason == "vacant" and not table.was_vacant:
        return Refusal("table_not_vacant", clauses)
    return [e.ShuffleOrdered(command.reason, by=signer(rules, command, "supervisor"), clauses=clauses)]


def replace_cards(rules: Rulebook, table: Table, command: c.ReplaceCards) -> list[e.Event] | Refusal:
    clauses = clauses_in_case(rules, "irreg.damaged_card", "one" if command.cards else "all")
    if "authority.replace_cards" not in rules.leaves:
        # Rules that were stored before they said who replaces cards are cited as they were.
        clauses = tuple(dict.fromkeys((clauses if command.cards else ()) + rules.clauses["shoe.cutter_otherwise"]))
    if table.phase != "betting":
        return Refusal("round_in_progress", clauses)
    return [e.CardsReplaced(command.cards, by=signer(rules, command, "operator"), clauses=clauses)]


def change_dealer(rules: Rulebook, table: Table, command: c.ChangeDealer) -> list[e.Event] | Refusal:
    """In the middle of a round the burn waits for the next one."""
    clauses = rules.clauses["shoe.new_dealer_burn"]
    return [e.DealerChanged(command.dealer, rules.shoe.new_dealer_burn, clauses=clauses)]


def show_cut_card(rules: Rulebook, table: Table, command: c.ShowCutCard) -> list[e.Event] | Refusal:
    clauses = rules.clauses["shoe.cut_mid_round"]
    if not is_marked(rules):
        return Refusal("no_marker", load_clauses(rules))
    if is_shuffle_due(table):
        return Refusal("shuffle_due", clauses)
    if table.cut_in == 0 or table.cut_card_at is not None or table.shuffle == "missing_cut_card":
        return Refusal("step_done", clauses)
    return [e.CutCardReached(clauses=clauses)]


DECIDERS: Deciders = {
    c.Cut: cut,
    c.DeclineCut: decline_cut,
    c.PlaceMarker: place_marker,
    c.LoadShoe: load_shoe,
    c.SupervisorShuffle: supervisor_shuffle,
    c.ReplaceCards: replace_cards,
    c.ChangeDealer: change_dealer,
    c.ShowCutCard: show_cut_card,
    c.OfferCut: offer_cut,
}
