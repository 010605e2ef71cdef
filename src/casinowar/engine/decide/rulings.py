"""Rulings: rebuilding what was dealt, the choice that was not offered, the last word, and players who broke a rule."""

from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.decide.draw_order import cut_card, deal_order, is_mid_round
from casinowar.engine.decide.incidents import (
    RULINGS,
    SHORT_SHOE,
    forget_burn,
    missed_hand_key,
    move_card,
    report_incident,
)
from casinowar.engine.decide.limits import return_excess
from casinowar.engine.decide.settlement import WAR_PASS
from casinowar.engine.decide.voids import Ruled, is_dealt, void_hands, void_whole_round
from casinowar.engine.events import DEALER, Refusal
from casinowar.engine.signatures import signer
from casinowar.engine.state import NOWHERE, Deciders, Incident, Table
from casinowar.rulebooks import Rulebook, clauses_in_case
from casinowar.rulebooks.wagers import WAR_DEAL


def reconstruct(rules: Rulebook, table: Table, command: c.Reconstruct) -> list[e.Event] | Refusal:
    """Cards that were misplaced go where they would lie; who then lacks a card is due it in the order of the deal."""
    clauses = clauses_in_case(rules, "irreg.misdealt", "rebuilt")
    if rules.irreg.misdealt != "reconstruct_else_void":
        return Refusal("not_in_the_book", clauses_in_case(rules, "irreg.misdealt", "backwards"))
    if table.phase != "dealing":
        return Refusal("no_round" if table.phase in ("betting", "closed") else "result_known", clauses)
    if _is_settled(table):
        return Refusal("result_known", clauses)
    before = tuple(table.round.hands.items())
    full = 2 if table.round.at_war else 1
    hands = {**table.round.hands}
    taken = []
    for move in command.moves:
        if move.origin in table.round.collected or len(hands.get(move.origin, ())) < full:
            return Refusal("no_hand", clauses)
        taken.append((hands[move.origin][-1], move.to))
        hands[move.origin] = hands[move.origin][:-1]
    order = deal_order(rules, table)
    discards = tuple(card for card, to in taken if to == NOWHERE)
    for card, to in taken:
        if to not in order and to != NOWHERE:
            return Refusal("no_hand_due", clauses)
        if to != NOWHERE:
            hands[to] = (*hands.get(to, ()), card)
    if any(len(hands.get(place, ())) > full for place in order) or not taken:
        return Refusal("not_reconstructed", clauses)
    burns = tuple(draw for draw in table.queue if not isinstance(draw, int))
    draws = (*burns, *(place for place in order if len(hands.get(place, ())) < full))
    left = tuple((place, hand) for place, hand in hands.items() if hand)
    by = signer(rules, command, "supervisor")
    clauses = clauses_in_case(rules, "irreg.misdealt", _rebuilt_case(table, command, bool(discards)))
    return [e.RoundReconstructed(before, left, draws, discards, by=by, clauses=clauses)]


def _rebuilt_case(table: Table, command: c.Reconstruct, leaves_over: bool) -> str:
    """Beside a hand that is void the dealer's hand is rebuilt for the others; a card left over leaves play."""
    has_void = any(laid.outcome == "void" for laid in table.round.wagers.values())
    if has_void and any(DEALER in (move.origin, move.to) for move in command.moves):
        return "dealer"
    return "left_over" if leaves_over else "rebuilt"


def _is_settled(table: Table) -> bool:
    """Whether a wager has been taken or paid on the cards of the deal that is on."""
    at_war = table.round.at_war
    return any(
        laid.outcome not in (None, "void")
        for (box, wager, _), laid in table.round.wagers.items()
        if not at_war or (box in at_war and wager in WAR_PASS)
    )


def report_missed_offer(rules: Rulebook, table: Table, command: c.ReportMissedOffer) -> list[e.Event] | Refusal:
    """The player chooses now. What was dealt meanwhile is the shoe's next cards again, or out of play."""
    clauses = rules.clauses["irreg.missed_offer"]
    if command.player not in table.players:
        return Refusal("unknown_player")
    if command.cards < 0:
        return Refusal("amount_not_positive")
    is_asked = table.phase == "deciding" and (command.box, command.player) in table.round.asked
    war = table.round.wagers.get((command.box, "war", command.player))
    is_at_war = table.phase == "dealing" and war is not None and war.outcome is None and not _is_settled(table)
    if not is_asked and not is_at_war:
        return Refusal("no_decision", clauses)
    if rules.irreg.missed_offer in RULINGS:
        incident = Incident("missed_offer", command.box, command.player, command.cards)
        return report_incident(rules, "missed_offer", incident, command.by or "dealer")
    if is_asked:
        return _offered_late(rules, table, command)
    incident = Incident("missed_offer", command.box, command.player, command.cards)
    return rewind_war(rules, table, incident, command.by or "dealer")


def _offered_late(rules: Rulebook, table: Table, command: c.ReportMissedOffer) -> list[e.Event] | Refusal:
    clauses = rules.clauses["irreg.missed_offer"]
    most = rules.war.burn + rules.war.burn_before_banker + len(table.round.boxes) + 1
    if command.cards > min(most, table.shoe_left) or len(command.faces) not in (0, command.cards):
        return Refusal("wrong_number_of_cards", clauses)
    sealed = min(rules.war.burn, command.cards)
    faces = (None,) * sealed + (command.faces[sealed:] or (None,) * (command.cards - sealed))
    missed = e.OfferMissed(command.player, command.box, faces, command.by or "dealer", clauses=clauses)
    if rules.irreg.missed_offer == "rewind":
        return [missed]
    discarded: list[e.Event] = []
    for count, face in enumerate(faces):
        if count == table.cut_in:
            discarded.append(cut_card(rules, DEALER))
        discarded.append(e.CardDiscarded(face, clauses=clauses))
    return [missed, *discarded]


def rewind_war(rules: Rulebook, table: Table, incident: Incident, by: str) -> list[e.Event] | Refusal:
    """The war deal is taken back, and the player's war wager with it."""
    player, box, cards = incident.player, incident.box, incident.cards
    clauses = rules.clauses["irreg.missed_offer"]
    war = table.round.wagers.get((box, "war", player))
    if war is None or war.outcome is not None or _is_settled(table):
        return Refusal("no_decision", clauses)
    round_, rack = table.round, table.rack
    burned = round_.war_burns
    dealt = [place for place in deal_order(rules, table) if len(round_.hands.get(place, ())) > 1]
    is_on_top = burned <= len(rack) and all(hand == (None,) for _, hand in rack[len(rack) - burned :])
    is_as_dealt = is_on_top and not round_.is_reloaded and not round_.is_disturbed
    if cards != burned + len(dealt) or not is_as_dealt:
        return Refusal("wrong_number_of_cards", clauses)
    faces = (*(None,) * burned, *(round_.hands[place][1] for place in dealt))
    hands = tuple((place, hand[:1]) for place, hand in round_.hands.items())
    withdrawn: list[e.Event] = [
        e.WagerWithdrawn(player, box, wager, round_.wagers[box, wager, player].amount, clauses=clauses)
        for wager in WAR_DEAL
        if (box, wager, player) in round_.wagers
    ]
    return [
        e.OfferMissed(player, box, faces, by, clauses=clauses),
        e.CardsReturned(cards, hands, burned, clauses=clauses),
        *withdrawn,
        e.DecisionReopened(player, box, war.amount, clauses=clauses),
        *((e.CardDiscarded(face, clauses=clauses) for face in faces) if rules.irreg.missed_offer == "discard" else ()),
    ]


def rule(rules: Rulebook, table: Table, command: c.Rule) -> list[e.Event] | Refusal:
    """The last word, and what follows from it at once."""
    clauses = rules.clauses["irreg.arbiter"]
    if not command.reason:
        return Refusal("reason_due", clauses)
    incident = table.incident
    box = command.box if command.box is not None else incident.box if incident else 0
    by = command.by or rules.irreg.arbiter
    given = e.RulingGiven(
        command.action,
        command.reason,
        incident.kind if incident else None,
        box or None,
        command.second,
        by=by,
        clauses=clauses,
    )
    ruling = Ruled(command.reason, by, command.second, clauses)
    effect: list[e.Event] | Refusal = []
    is_short = incident is not None and incident.kind == SHORT_SHOE and is_mid_round(table)
    if is_short and command.action not in ("shuffle_discards", "void_round"):
        return Refusal("shoe_is_short", rules.clauses["shoe.short"])
    match command.action:
        case "void_hand":
            is_hand = is_dealt(table) and box in table.round.boxes
            effect = void_hands(rules, table, (box,), ruling) if is_hand else Refusal("no_hand", clauses)
        case "void_round":
            effect = void_whole_round(rules, table, ruling)
        case "reshuffle":
            effect = [e.ShuffleOrdered("ruling", by=by, clauses=clauses)]
        case "reconstruct":
            effect = _rebuild(rules, table, incident, by)
        case "stand":
            effect = [forget_burn(rules, table, by)] if incident and incident.kind == "forgotten_burn" else []
        case "shuffle_discards" if not is_short:
            effect = Refusal("no_incident", clauses)
    return effect if isinstance(effect, Refusal) else [given, *effect]


def _rebuild(rules: Rulebook, table: Table, incident: Incident | None, by: str) -> list[e.Event] | Refusal:
    """What was done wrong is done as it should have been; most of it by simply going on in the right order."""
    if incident is None:
        return Refusal("no_incident", rules.clauses["irreg.arbiter"])
    match incident.kind:
        case "misdelivered":
            return move_card(rules, table, incident.box, incident.action or "forward", by)
        case "missed_offer" if table.phase == "dealing":
            return rewind_war(rules, table, incident, by)
        case "missed_hand":
            return [e.HandMissed(incident.box, by=by, clauses=rules.clauses[f"irreg.{missed_hand_key(rules, table)}"])]
        case "damaged_card":
            return [e.DamageFound(incident.card, by=by, clauses=rules.clauses["irreg.damaged_card"])]
        case _:
            return []


def report_contravention(rules: Rulebook, table: Table, command: c.ReportContravention) -> list[e.Event] | Refusal:
    if refusal := _refuse_offender(rules, table, command.player, command.reason):
        return refusal
    by = command.by or "dealer"
    return [e.ContraventionReported(command.player, command.reason, by, clauses=rules.clauses["irreg.contravention"])]


def exclude_player(rules: Rulebook, table: Table, command: c.ExcludePlayer) -> list[e.Event] | Refusal:
    """Exclude a player: wagers that lie before the close go back, and what is in play is played out."""
    if refusal := _refuse_offender(rules, table, command.player, command.reason or "not given"):
        return refusal
    clauses = clauses_in_case(rules, "irreg.contravention", "exclude")
    if command.player in table.floor.excluded:
        return Refusal("player_excluded", clauses)
    events: list[e.Event] = []
    if table.phase == "betting" and not table.round.is_over:
        events += [
            e.WagerWithdrawn(player, box, wager, laid.amount, clauses=clauses)
            for (box, wager, player), laid in table.round.wagers.items()
            if player == command.player
        ]
    if boxes := tuple(box for box, player in table.seats.items() if player == command.player):
        events.append(e.SeatVacated(command.player, boxes, clauses=clauses))
    reason = command.reason or "not given"
    return [*events, e.PlayerExcluded(command.player, reason, signer(rules, command, "operator"), clauses=clauses)]


def _refuse_offender(rules: Rulebook, table: Table, player: str, reason: str) -> Refusal | None:
    clauses = rules.clauses.get("irreg.contravention", ())
    if rules.irreg.contravention == "none":
        return Refusal("not_in_the_book", clauses)
    if player not in table.players:
        return Refusal("unknown_player")
    return None if reason else Refusal("reason_due", clauses)


def flag_partnership(rules: Rulebook, table: Table, command: c.FlagPartnership) -> list[e.Event] | Refusal:
    clauses = rules.clauses.get("limits.linked_players", ())
    if "limits.linked_players" not in rules.leaves:
        return Refusal("not_in_the_book", clauses)
    if any(player not in table.players for player in command.players):
        return Refusal("unknown_player")
    if len(set(command.players)) < 2:
        return Refusal("no_partnership", clauses)
    flagged = e.PartnershipFlagged(command.players, by=signer(rules, command, "supervisor"), clauses=clauses)
    return [flagged, *return_excess(rules, table, frozenset(command.players))]


DECIDERS: Deciders = {
    c.ReportMissedOffer: report_missed_offer,
    c.Reconstruct: reconstruct,
    c.Rule: rule,
    c.ReportContravention: report_contravention,
    c.ExcludePlayer: exclude_player,
    c.FlagPartnership: flag_partnership,
}
