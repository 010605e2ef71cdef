"""Voids: a hand, a player or the round goes back as if it had not been. A void reverses; it never edits."""

import msgspec

from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.decide.bank import reversals, void_bank
from casinowar.engine.decide.dealing import discard_held, replace_damaged
from casinowar.engine.decide.draw_order import discards_clauses
from casinowar.engine.decide.progressive import unfeed, unpay
from casinowar.engine.events import Refusal
from casinowar.engine.evolve import evolve_all
from casinowar.engine.signatures import signer
from casinowar.engine.state import Deciders, Spot, Table, Wager
from casinowar.rulebooks import Rulebook, clauses_in_case

Wagers = dict[Spot, Wager]


class Ruled(msgspec.Struct, frozen=True):
    """Who ruled, why, and under which clauses."""

    reason: str
    by: str
    second: str | None
    clauses: tuple[str, ...]


def ruling_of(rules: Rulebook, command: c.VoidHand | c.VoidPlayer | c.VoidRound, clauses: tuple[str, ...]) -> Ruled:
    return Ruled(command.reason or "not given", signer(rules, command, "supervisor"), command.second, clauses)


def void_hand(rules: Rulebook, table: Table, command: c.VoidHand) -> list[e.Event] | Refusal:
    clauses = clauses_in_case(rules, "irreg.void_scope", "hand")
    if not is_dealt(table) or command.box not in table.round.boxes:
        return Refusal("no_hand", clauses)
    return void_hands(rules, table, (command.box,), ruling_of(rules, command, clauses), command.decided)


def void_player(rules: Rulebook, table: Table, command: c.VoidPlayer) -> list[e.Event] | Refusal:
    """Where a player has broken a rule: the wagers go back, or are forfeited where the operator has it so.

    Where the book sets no limit to it, that is every wager of the round, until the next round's first wager.
    """
    if rules.irreg.contravention == "none":
        return Refusal("not_in_the_book", rules.clauses.get("irreg.contravention", ()))
    clauses = clauses_in_case(rules, "irreg.contravention", "void")
    if command.player not in table.players:
        return Refusal("unknown_player")
    has_begun = is_dealt(table) or (table.round.is_over and bool(table.round.wagers))
    if not has_begun or not _offenders_wagers(rules, table, command.player):
        return Refusal("no_wager", clauses)
    ruling = ruling_of(rules, command, clauses)
    events = _undo_offence(rules, table, command.player, ruling.clauses)
    if table.round.is_over:
        amended = e.RoundAmended(table.round.number, clauses=clauses)
        return [*events, _player_voided_event(command.player, ruling), amended]
    return _clear_left_hands(rules, table, command.player, events, ruling)


def _offenders_wagers(rules: Rulebook, table: Table, player: str) -> Wagers:
    """The wagers that a contravention touches: those that are open, and where the book has it so those settled too."""
    irreg = rules.irreg
    is_all = irreg.contravention_scope == "all" or (irreg.void_scope == "all" and not table.round.is_over)
    return {
        where: laid
        for where, laid in table.round.wagers.items()
        if where[2] == player and (laid.outcome is None or (is_all and _can_undo(rules, laid)))
    }


def _can_undo(rules: Rulebook, laid: Wager) -> bool:
    """A forfeit wager that brought nothing stays lost."""
    is_kept = rules.irreg.contravention == "forfeit" and not laid.paid + laid.returned
    return laid.outcome != "void" and not is_kept


def _undo_offence(rules: Rulebook, table: Table, player: str, clauses: tuple[str, ...]) -> list[e.Event]:
    wagers = _offenders_wagers(rules, table, player)
    if rules.irreg.contravention == "forfeit":
        return _forfeits(wagers, clauses)
    fed = [one for box in {where[0] for where in wagers} for one in unfeed(rules, table, box, player)]
    return [*reversals(rules, table, wagers, clauses), *fed]


def release_players(rules: Rulebook, table: Table, command: c.ReleasePlayers) -> list[e.Event] | Refusal:
    clauses = rules.clauses.get("irreg.release", ())
    if not rules.irreg.release:
        return Refusal("not_in_the_book", clauses)
    if not table.round.is_misdelivered or not is_dealt(table):
        return Refusal("no_dealer_error", clauses)
    ruling = Ruled("released", signer(rules, command, "supervisor"), command.second, clauses)
    events: list[e.Event] = []
    for player in dict.fromkeys(command.players):
        if refusal := _refuse_player(table, player, clauses):
            return refusal
        following = take_player_out(rules, table, player, ruling)
        events += following
        table = evolve_all(table, following)
    return events or Refusal("no_wager", clauses)


def _refuse_player(table: Table, player: str, clauses: tuple[str, ...]) -> Refusal | None:
    if player not in table.players:
        return Refusal("unknown_player")
    is_betting = any(who == player and laid.outcome is None for (_, _, who), laid in table.round.wagers.items())
    return None if is_betting and is_dealt(table) else Refusal("no_wager", clauses)


def is_dealt(table: Table) -> bool:
    """Whether a round is on for which the betting has closed."""
    return not table.round.is_over and table.phase != "betting"


def void_hands(
    rules: Rulebook, table: Table, boxes: tuple[int, ...], ruling: Ruled, decided: bool = False
) -> list[e.Event]:
    """The hands' cards go to the rack and their wagers back; without any hand left, the round is void."""
    is_all = decided or rules.irreg.void_scope == "all"
    events: list[e.Event] = []
    for box in boxes:
        wagers = {where: laid for where, laid in table.round.wagers.items() if where[0] == box}
        events += _reversals(rules, evolve_all(table, events), wagers, ruling.clauses, is_all)
        events += unfeed(rules, table, box)
        events += put_away(table, ruling.clauses, (box,))
        events.append(e.HandVoided(box, ruling.reason, ruling.second, by=ruling.by, clauses=ruling.clauses))
    return events + _end_emptied_round(rules, evolve_all(table, events), ruling)


def take_player_out(rules: Rulebook, table: Table, player: str, ruling: Ruled) -> list[e.Event]:
    """The player's wagers go back, and the player is out of the round."""
    wagers = {where: laid for where, laid in table.round.wagers.items() if where[2] == player}
    events = _reversals(rules, table, wagers, ruling.clauses, rules.irreg.void_scope == "all")
    events += [fed for box in {where[0] for where in wagers} for fed in unfeed(rules, table, box, player)]
    return _clear_left_hands(rules, table, player, events, ruling)


def _player_voided_event(player: str, ruling: Ruled) -> e.PlayerVoided:
    return e.PlayerVoided(player, ruling.reason, ruling.by, ruling.second, clauses=ruling.clauses)


def _clear_left_hands(
    rules: Rulebook, table: Table, player: str, undone: list[e.Event], ruling: Ruled
) -> list[e.Event]:
    """A hand on which nobody else bets goes to the rack."""
    events = [*undone, _player_voided_event(player, ruling)]
    after = evolve_all(table, events)
    bet_on = {where[0] for where, laid in after.round.wagers.items() if laid.outcome is None}
    left: list[e.Event] = []
    for box in after.round.boxes:
        if not after.round.bettors[box] and box not in bet_on:
            left += put_away(after, ruling.clauses, (box,))
            left.append(e.HandVoided(box, ruling.reason, ruling.second, by=ruling.by, clauses=ruling.clauses))
    return [*events, *left, *_end_emptied_round(rules, evolve_all(after, left), ruling)]


def _reversals(rules: Rulebook, table: Table, wagers: Wagers, clauses: tuple[str, ...], is_all: bool) -> list[e.Event]:
    void = {
        where: laid for where, laid in wagers.items() if laid.outcome is None or (is_all and laid.outcome != "void")
    }
    return reversals(rules, table, void, clauses)


def _forfeits(wagers: Wagers, clauses: tuple[str, ...]) -> list[e.Event]:
    """Stakes are kept, and what a settled wager has brought is taken back."""
    return [
        e.WagerSettled(
            player, box, wager, laid.amount, "lose", None, 0, 0, clauses=clauses, taken_back=laid.paid + laid.returned
        )
        for (box, wager, player), laid in wagers.items()
    ]


def _end_emptied_round(rules: Rulebook, table: Table, ruling: Ruled) -> list[e.Event]:
    """End a round of which every hand and every wager is void; one in which some wager stands ends as usual."""
    if table.round.boxes or any(laid.outcome != "void" for laid in table.round.wagers.values()):
        return []
    left = [*put_away(table, ruling.clauses), *discard_held(rules, table)]
    ends = [*void_bank(rules, table), *replace_damaged(rules, table), _round_voided_event(table, ruling)]
    return with_discards(rules, table, [*left, *ends])


def _round_voided_event(table: Table, ruling: Ruled) -> e.RoundVoided:
    return e.RoundVoided(table.round.number, ruling.reason, ruling.by, ruling.second, clauses=ruling.clauses)


def put_away(table: Table, clauses: tuple[str, ...], boxes: tuple[int, ...] | None = None) -> list[e.Event]:
    """Collect the cards of these hands, or of all hands that still lie on the layout."""
    round_ = table.round
    if round_.is_over:
        return []
    hands = tuple(
        (box, cards)
        for box, cards in round_.hands.items()
        if box not in round_.collected and (boxes is None or box in boxes)
    )
    return [e.CardsCollected(hands, clauses=clauses)] if hands else []


def void_round(rules: Rulebook, table: Table, command: c.VoidRound) -> list[e.Event] | Refusal:
    """Every wager of the round goes back, those already settled too; possible until the next round's first wager."""
    clauses = clauses_in_case(rules, "irreg.void_scope", "round")
    return void_whole_round(rules, table, ruling_of(rules, command, clauses))


def void_whole_round(rules: Rulebook, table: Table, ruling: Ruled) -> list[e.Event] | Refusal:
    undone = undo_round(rules, table, ruling.clauses, is_all=True)
    if isinstance(undone, Refusal):
        return undone
    return with_discards(rules, table, [*undone, _round_voided_event(table, ruling)])


def with_discards(rules: Rulebook, table: Table, events: list[e.Event]) -> list[e.Event]:
    """What a round that came to nothing leaves in the rack goes back into a continuous shuffler too."""
    if rules.shoe.shuffler != "continuous" or table.round.is_over:
        return events
    out = sum(len(cards) for _, cards in evolve_all(table, events).rack)
    return [*events, e.DiscardsReturned(out, clauses=discards_clauses(rules))]


def invalidate_round(rules: Rulebook, table: Table, command: c.InvalidateRound) -> list[e.Event] | Refusal:
    if command.cause not in rules.irreg.invalidate:
        return Refusal("not_in_the_book", rules.clauses.get("irreg.invalidate", ()))
    clauses = clauses_in_case(rules, "irreg.invalidate", "fraud" if command.cause == "fraud" else "disruption")
    refund = rules.clauses.get("irreg.invalidate_scope", clauses)
    if not rules.leaves["irreg.invalidate"].cases:
        # Rules that were stored before they told the cases apart are cited as they were.
        clauses = refund = tuple(dict.fromkeys(clauses + refund))
    undone = undo_round(rules, table, refund, rules.irreg.invalidate_scope == "all")
    if isinstance(undone, Refusal):
        return Refusal(undone.reason, clauses)
    by = signer(rules, command, "operator")
    ended = e.RoundInvalidated(table.round.number, command.cause, command.second, by=by, clauses=clauses)
    return with_discards(rules, table, [*undone, ended])


def undo_round(rules: Rulebook, table: Table, clauses: tuple[str, ...], is_all: bool) -> list[e.Event] | Refusal:
    """The reversals of a round, open or over, without the word that ends it.

    Winnings that already lie in the next round's bank come back out of it first.
    """
    undone = _reversals(rules, table, table.round.wagers, clauses, is_all)
    has_begun = table.round.is_over or table.phase not in ("betting", "closed")
    if not undone or not has_begun:
        return Refusal("no_round", clauses)
    meter = [*unpay(rules, table), *unfeed(rules, table)] if is_all else []
    if table.round.is_over and min(evolve_all(table, undone).players.values()) < 0:
        undone = [*void_bank(rules, table), *undone]
    bank = [] if table.round.is_over else void_bank(rules, table)
    held = [] if table.round.is_over else discard_held(rules, table)
    return [*undone, *put_away(table, clauses), *held, *meter, *bank, *replace_damaged(rules, table)]


DECIDERS: Deciders = {
    c.VoidHand: void_hand,
    c.VoidPlayer: void_player,
    c.VoidRound: void_round,
    c.InvalidateRound: invalidate_round,
    c.ReleasePlayers: release_players,
}
