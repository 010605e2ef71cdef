"""Incidents: what goes wrong at a table, and what the book has the dealer do about it."""

from casinowar.cards import Card
from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.decide.bank import void_bank
from casinowar.engine.decide.dealing import replace_damaged
from casinowar.engine.decide.draw_order import cut_card, is_mid_round, is_shuffle_due, pending_burn
from casinowar.engine.decide.limits import (
    broken_limit,
    cut_war,
    limited_amount,
    partners_room,
    refuse_together,
    under_min_clauses,
    wrong_wager_clauses,
)
from casinowar.engine.decide.progressive import increment, unfeed
from casinowar.engine.decide.voids import Ruled, is_dealt, put_away, void_hands, void_whole_round
from casinowar.engine.events import DEALER, Refusal
from casinowar.engine.evolve import evolve
from casinowar.engine.roles import FLOOR
from casinowar.engine.signatures import signer
from casinowar.engine.state import NOWHERE, Deciders, Incident, Table
from casinowar.rulebooks import Rulebook, clauses_in_case

RULINGS = ("pit_boss", "floor_ruling")
"""What a book says where it leaves an incident to somebody's ruling."""


SHORT_SHOE = "short_shoe"
"""The incident that nobody reports: the dealer has no card to go on with."""


def report_incident(rules: Rulebook, key: str, incident: Incident, by: str) -> list[e.Event]:
    """The incident waits for a ruling."""
    waits_for = str(rules.leaves[f"irreg.{key}"].value)
    return [
        e.IncidentReported(
            incident.kind,
            incident.box,
            incident.player,
            waits_for,
            incident.cards,
            incident.action,
            incident.card,
            by=by,
            clauses=rules.clauses[f"irreg.{key}"],
        )
    ]


def short_shoe(rules: Rulebook) -> list[e.Event]:
    """The shoe ran dry: the cards dealt stand, and what follows waits for a ruling."""
    waits_for, clauses = rules.shoe.short, rules.clauses["shoe.short"]
    return [e.IncidentReported(SHORT_SHOE, 0, "", waits_for, by="dealer", clauses=clauses)]


def report_extra_draw(rules: Rulebook, table: Table, command: c.ReportExtraDraw) -> list[e.Event] | Refusal:
    """A card drawn in error is the next card, unless its face was seen and the book takes it out of play.

    While wagers can be placed, nobody bets on a card that lies open, where the book or the house has it so.
    """
    rule: str = rules.irreg.exposed_extra if command.exposed else rules.irreg.unexposed_extra
    key = "irreg.exposed_extra" if command.exposed else "irreg.unexposed_extra"
    clauses = clauses_in_case(rules, key, "needed")
    if not table.shoe_left:
        return Refusal("no_cards", clauses)
    if command.action is not None:
        if not command.exposed or rule not in ("burn", "forward", "dealer_next"):
            return Refusal("not_in_the_book", clauses)
        if (command.by or "").startswith("dealer:"):
            return Refusal("not_entitled", clauses, FLOOR[0])
        rule = command.action
    if command.exposed and table.phase == "betting" and rules.irreg.exposed_between == "burn":
        rule, clauses = "burn", rules.clauses["irreg.exposed_between"]
    if rule == "dealer_next":
        return _to_dealer(rules, table, command.card, clauses)
    if rule in ("next_card", "use_if_needed_else_burn", "forward"):
        return [e.CardHeld(command.card if command.exposed else None, command.by, clauses=clauses)]
    return [*_cut_card_first(rules, table), e.CardDiscarded(command.card, command.by, clauses=clauses)]


def _to_dealer(rules: Rulebook, table: Table, card: Card | None, clauses: tuple[str, ...]) -> list[e.Event] | Refusal:
    if card is None:
        return Refusal("card_unseen", clauses)
    if DEALER not in table.queue:
        return Refusal("no_hand_due", clauses)
    return [*_cut_card_first(rules, table), e.CardPlacedAhead(DEALER, card, clauses=clauses)]


def _cut_card_first(rules: Rulebook, table: Table) -> list[e.Event]:
    return [cut_card(rules, DEALER)] if table.cut_in == 0 else []


def report_face_up_card(rules: Rulebook, table: Table, command: c.ReportFaceUpCard) -> list[e.Event] | Refusal:
    """A card that lies face up is not used; where the book says so, a second one voids all hands."""
    clauses = rules.clauses["irreg.face_up"]
    if not table.shoe_left:
        return Refusal("no_cards", clauses)
    if rules.irreg.face_up == "use":
        return [e.CardHeld(command.card, command.by, clauses=clauses)]
    in_round = 0 if table.round.is_over else table.round.face_up
    count = 1 + (table.face_up if rules.ma.face_up_scope == "shoe" else in_round)
    events: list[e.Event] = _cut_card_first(rules, table)
    events += [e.CardDiscarded(command.card, clauses=clauses), e.FaceUpFound(count, command.by, clauses=clauses)]
    if count < 2 or rules.irreg.multi_face_up == "discard_each":
        return events
    if rules.irreg.multi_face_up == "pit_boss":
        return events + report_incident(rules, "multi_face_up", Incident("face_up_cards"), command.by or "dealer")
    several = rules.clauses["irreg.multi_face_up"]
    if not table.round.is_over:
        reversals: list[e.Event] = [
            e.WagerReversed(player, box, wager, laid.amount, clauses=several)
            for (box, wager, player), laid in table.round.wagers.items()
            if laid.outcome != "void"
        ]
        voided = e.RoundVoided(table.round.number, "face_up_cards", command.by or "dealer", clauses=several)
        ends = [*unfeed(rules, table), *void_bank(rules, table), *replace_damaged(rules, table), voided]
        events += [*reversals, *put_away(table, several), *ends]
    return [*events, e.ShuffleOrdered("face_up_cards", by=command.by or "dealer", clauses=several)]


def report_misdelivered(rules: Rulebook, table: Table, command: c.ReportMisdelivered) -> list[e.Event] | Refusal:
    """A card never goes backwards: on to the next hand that is due one, to the dealer, or out of play.

    The second time in a round it is not the dealer's own word.
    """
    if rules.irreg.misdealt == "reconstruct_else_void":
        return Refusal("reconstruct_instead", clauses_in_case(rules, "irreg.misdealt", "rebuilt"))
    clauses = clauses_in_case(rules, "irreg.misdealt", "moved")
    if command.box not in table.round.boxes or table.last != command.box or table.phase != "dealing":
        return Refusal("not_the_last_card", clauses_in_case(rules, "irreg.misdealt", "backwards"))
    if table.round.is_misdelivered and (command.by or "").startswith("dealer:"):
        return Refusal("not_entitled", clauses, FLOOR[0])
    if rules.irreg.misdealt in RULINGS:
        incident = Incident("misdelivered", command.box, action=command.action)
        return report_incident(rules, "misdealt", incident, command.by or "dealer")
    return move_card(rules, table, command.box, command.action, command.by or "dealer")


def move_card(rules: Rulebook, table: Table, box: int, action: str, by: str) -> list[e.Event] | Refusal:
    clauses = clauses_in_case(rules, "irreg.misdealt", "moved")
    if box not in table.round.boxes or not table.round.hands.get(box):
        return Refusal("no_hand", clauses)
    hands = [draw for draw in table.queue if isinstance(draw, int)]
    to = NOWHERE if action == "burn" else DEALER if action == "dealer_next" else next(iter(hands), None)
    if to is None or (to != NOWHERE and to not in hands):
        return Refusal("no_hand_due", clauses)
    return [e.CardMoved(table.round.hands[box][-1], box, to, by=by, clauses=clauses)]


def report_missed_hand(rules: Rulebook, table: Table, command: c.ReportMissedHand) -> list[e.Event] | Refusal:
    key = missed_hand_key(rules, table)
    clauses = rules.clauses[f"irreg.{key}"]
    if command.box == DEALER or command.box not in table.queue:
        return Refusal("no_hand_due", clauses)
    if getattr(rules.irreg, key) in RULINGS:
        return report_incident(rules, key, Incident("missed_hand", command.box), command.by or "dealer")
    if rules.irreg.missed_hand == "reconstruct_else_void":
        return [e.HandMissed(command.box, by=command.by or "dealer", clauses=clauses)]
    return void_hands(rules, table, (command.box,), Ruled("missed_hand", command.by or "dealer", None, clauses))


def missed_hand_key(rules: Rulebook, table: Table) -> str:
    """The leaf that speaks of a hand passed over in this deal: where a war is ruled on by itself, another one there."""
    return "missed_war_hand" if table.round.at_war and rules.irreg.missed_war_hand in RULINGS else "missed_hand"


def report_forgotten_burn(rules: Rulebook, table: Table, command: c.ReportForgottenBurn) -> list[e.Event] | Refusal:
    clauses = rules.clauses["irreg.forgotten_burn"]
    if pending_burn(rules, table) is None or table.forgot_burn:
        return Refusal("no_burn_due", clauses)
    if rules.irreg.forgotten_burn in RULINGS:
        return report_incident(rules, "forgotten_burn", Incident("forgotten_burn"), command.by or "dealer")
    return [forget_burn(rules, table, command.by or "dealer")]


def forget_burn(rules: Rulebook, table: Table, by: str) -> e.BurnForgotten:
    burn = pending_burn(rules, table) if table.queue else None
    return e.BurnForgotten(burn, by=by, clauses=rules.clauses["irreg.forgotten_burn"])


def report_missing_cut_card(rules: Rulebook, table: Table, command: c.ReportMissingCutCard) -> list[e.Event] | Refusal:
    if rules.shoe.shuffler == "continuous":
        return Refusal("continuous_shuffler", clauses_in_case(rules, "irreg.missing_cut_card", "continuous"))
    clauses = clauses_in_case(rules, "irreg.missing_cut_card", "shoe")
    if is_shuffle_due(table) and not is_mid_round(table):
        return Refusal("shuffle_due", clauses)
    if rules.irreg.missing_cut_card in RULINGS:
        return report_incident(rules, "missing_cut_card", Incident("missing_cut_card"), command.by or "dealer")
    missed = e.CutCardMissed(by=command.by or "dealer", clauses=clauses)
    return [missed, e.ShuffleOrdered("missing_cut_card", by=command.by or "dealer", clauses=clauses)]


def report_missed_shuffle(rules: Rulebook, table: Table, command: c.ReportMissedShuffle) -> list[e.Event] | Refusal:
    clauses = rules.clauses["irreg.missed_shuffle"]
    if rules.shoe.shuffler == "continuous":
        return Refusal("continuous_shuffler", clauses)
    if rules.irreg.missed_shuffle in RULINGS:
        return report_incident(rules, "missed_shuffle", Incident("missed_shuffle"), command.by or "dealer")
    return [e.ShuffleOrdered("missed_shuffle", by=command.by or "dealer", clauses=clauses)]


def report_exposed_before_shoe(
    rules: Rulebook, table: Table, command: c.ReportExposedBeforeShoe
) -> list[e.Event] | Refusal:
    """A card was seen between the shuffle and the shoe: the stack is shuffled again, and cut again where it was cut."""
    clauses = rules.clauses["irreg.exposed_before_shoe"]
    if not is_shuffle_due(table) or is_mid_round(table):
        return Refusal("no_shuffle_due", clauses)
    if rules.irreg.exposed_before_shoe in RULINGS:
        return report_incident(rules, "exposed_before_shoe", Incident("exposed_before_shoe"), command.by or "dealer")
    return [e.ShuffleOrdered("exposed_before_shoe", by=command.by or "dealer", clauses=clauses)]


def report_damaged_card(rules: Rulebook, table: Table, command: c.ReportDamagedCard) -> list[e.Event] | Refusal:
    clauses = clauses_in_case(rules, "irreg.damaged_card", "one")
    if rules.irreg.damaged_card in RULINGS:
        return report_incident(
            rules, "damaged_card", Incident("damaged_card", card=command.card), command.by or "dealer"
        )
    found = e.DamageFound(command.card, by=command.by or "dealer", clauses=clauses)
    return [found, *replace_damaged(rules, evolve(table, found))] if table.phase == "betting" else [found]


def report_shuffler_fault(rules: Rulebook, table: Table, command: c.ReportShufflerFault) -> list[e.Event] | Refusal:
    """A round that a continuous machine spoilt is void, or the hands that it spoilt are; a batch is shuffled again."""
    clauses = rules.clauses.get("irreg.shuffler_fault", rules.clauses["shoe.shuffler"])
    rule = rules.irreg.shuffler_fault
    if rule == "none":
        return Refusal("no_shuffler", clauses)
    by = signer(rules, command, "supervisor")
    failed = e.ShufflerFailed(command.boxes, by=by, clauses=clauses)
    ruling = Ruled("shuffler_fault", by, command.second, clauses)
    if rule in ("reshuffle", "reshuffle_void_hands") and not command.boxes:
        return [failed, *_reshuffle_stack(table, by, clauses)]
    if rule == "reshuffle":
        return Refusal("not_in_the_book", clauses)
    if not is_dealt(table):
        return Refusal("no_round", clauses)
    if not command.boxes:
        voided = (
            void_whole_round(rules, table, ruling) if rule == "void_round_or_hands" else Refusal("no_hand", clauses)
        )
        return voided if isinstance(voided, Refusal) else [failed, *voided]
    if not set(command.boxes) <= set(table.round.boxes):
        return Refusal("no_hand", clauses)
    hands = void_hands(rules, table, tuple(dict.fromkeys(command.boxes)), ruling)
    return [failed, *hands, *(_reshuffle_stack(table, by, clauses) if rule == "reshuffle_void_hands" else [])]


def _reshuffle_stack(table: Table, by: str, clauses: tuple[str, ...]) -> list[e.Event]:
    """A stack on its way into the shoe is made anew; one that is being dealt goes on."""
    is_in_the_making = is_shuffle_due(table) and not is_mid_round(table)
    return [e.ShuffleOrdered("shuffler_fault", by=by, clauses=clauses)] if is_in_the_making else []


def report_wager(rules: Rulebook, table: Table, command: c.ReportWager) -> list[e.Event] | Refusal:
    """A wager found wrong after the close plays as the limits have it, in some books only if a supervisor agrees."""
    limit = table.limit_of(command.wager)
    clauses = wrong_wager_clauses(rules, command.wager, command.amount, limit)
    if rules.irreg.wrong_wager == "confirmed" and (command.by or "").startswith("dealer:"):
        return Refusal("not_entitled", clauses, FLOOR[0])
    spot = (command.box, command.wager, command.player)
    laid = table.round.wagers.get(spot)
    if laid is None or not is_dealt(table):
        return Refusal("no_wager", clauses)
    is_at_war = (command.box, "war", command.player) in table.round.wagers
    if laid.outcome is not None or command.wager == "war" or (is_at_war and rules.irreg.wrong_wager_until == "war"):
        return Refusal("wager_locked", clauses)
    if command.amount <= 0:
        return Refusal("amount_not_positive")
    if command.amount - laid.amount > table.players[command.player]:
        return Refusal("insufficient_funds")
    amount = limited_amount(rules, command.wager, command.amount, limit)
    if not amount:
        return Refusal("wager_off_unit", clauses)
    if laid.coupon > amount:
        return Refusal("coupon_above_wager", clauses)
    broken = broken_limit(rules, command.amount, limit)
    room = partners_room(rules, table, spot)
    if room is not None and room < amount:
        amount, broken = room, "limits.on_over_max"
        clauses = rules.clauses["limits.partnership"] + clauses_in_case(rules, "irreg.wrong_wager", "over_max")
    if refusal := refuse_together(rules, table, spot, amount):
        return refusal
    by = command.by or ("dealer" if rules.irreg.wrong_wager == "as_limited" else "supervisor")
    events: list[e.Event] = [
        e.WagerFound(command.player, command.box, command.wager, laid.amount, command.amount, by, clauses=clauses)
    ]
    if amount < command.amount:
        events.append(
            e.WagerLimited(command.player, command.box, command.wager, command.amount, amount, clauses=clauses)
        )
    events += cut_war(rules, table, spot, amount)
    if command.wager == "progressive":
        more = increment(rules, amount) - increment(rules, laid.amount)
        return [
            *events,
            e.MeterFed(command.player, command.box, more, clauses=rules.clauses["progressive.increment_bp"]),
        ]
    is_reminder = rules.limits.on_under_min == "honour_once_then_reject"
    if broken is None or (is_reminder and broken != "limits.on_under_min"):
        return events
    advised = under_min_clauses(rules, table, spot) if broken == "limits.on_under_min" else rules.clauses[broken]
    if rules.leaves["irreg.wrong_wager"].supplied:
        advised = clauses
    return [*events, e.LimitsAdvised(command.player, command.box, command.wager, limit, clauses=advised)]


DECIDERS: Deciders = {
    c.ReportFaceUpCard: report_face_up_card,
    c.ReportExtraDraw: report_extra_draw,
    c.ReportMisdelivered: report_misdelivered,
    c.ReportMissedHand: report_missed_hand,
    c.ReportForgottenBurn: report_forgotten_burn,
    c.ReportMissingCutCard: report_missing_cut_card,
    c.ReportMissedShuffle: report_missed_shuffle,
    c.ReportExposedBeforeShoe: report_exposed_before_shoe,
    c.ReportShufflerFault: report_shuffler_fault,
    c.ReportDamagedCard: report_damaged_card,
    c.ReportWager: report_wager,
}
