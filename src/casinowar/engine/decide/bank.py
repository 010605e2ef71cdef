"""The player who banks: who may, for how long, what may still be owed, and what comes back at the end."""

from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.events import Refusal
from casinowar.engine.state import Deciders, Spot, Table, Wager
from casinowar.rulebooks import Rulebook


def candidates(rules: Rulebook, table: Table) -> list[str]:
    """The seated players to whom the bank is offered now, each once, the first of them first.

    Where nobody has banked yet they come by box. An offer that everybody has declined begins anew.
    """
    turn = table.bank_turn
    if turn is None:
        seated = dict.fromkeys(table.seats[box] for box in sorted(table.seats))
        return [player for player in seated if player not in table.bank_declined] or list(seated)
    others = {box: who for box, who in table.seats.items() if who != turn.player}
    willing = {box: who for box, who in table.seats.items() if who not in table.bank_declined}
    if is_declined_by_all(table):
        willing |= others
    if turn.rounds < rules.bank.max_consecutive and turn.player in willing.values():
        return [turn.player]
    is_before = turn.box.__ge__ if rules.bank.rotation == "cw" else turn.box.__le__
    order = sorted(willing, key=lambda box: (is_before(box), box if rules.bank.rotation == "cw" else -box))
    return list(dict.fromkeys(willing[box] for box in order if willing[box] != turn.player))


def may_bank(rules: Rulebook, table: Table, player: str) -> bool:
    """Whether the bank, when nobody has it, is this player's to take; the first bank of a table is anybody's."""
    if table.bank_turn is None:
        return True
    offered = candidates(rules, table)
    return player in (offered if is_declined_by_all(table) else offered[:1])


def is_declined_by_all(table: Table) -> bool:
    """Whether everybody but the last bank has declined the bank: the offer is then open to all of them."""
    turn = table.bank_turn
    return turn is not None and table.bank_declined.issuperset(set(table.seats.values()) - {turn.player})


def accept_bank(rules: Rulebook, table: Table, command: c.AcceptBank) -> list[e.Event] | Refusal:
    if refusal := _refuse_bank(rules, table, command.player):
        return refusal
    if not 1 <= command.box <= rules.table.boxes:
        return Refusal("unknown_box", rules.clauses["table.boxes"])
    if table.seats.get(command.box, command.player) != command.player:
        return Refusal("seat_taken")
    if table.bank is not None:
        return Refusal("bank_taken", rules.clauses["bank.by"])
    turn = table.bank_turn
    if not may_bank(rules, table, command.player):
        if turn and command.player == turn.player:
            return Refusal("bank_must_pass", rules.clauses["bank.max_consecutive"])
        return Refusal("bank_not_offered", rules.clauses["bank.rotation"])
    if command.stake <= 0:
        return Refusal("amount_not_positive")
    if command.stake > table.players[command.player]:
        return Refusal("insufficient_funds")
    seated: list[e.Event] = []
    if table.seats.get(command.box) != command.player:
        leaves = tuple(box for box, who in table.seats.items() if who == command.player)
        seated = [e.PlayerSeated(command.player, command.box, leaves)]
    return [*seated, e.BankAccepted(command.player, command.box, command.stake, clauses=rules.clauses["bank.by"])]


def decline_bank(rules: Rulebook, table: Table, command: c.DeclineBank) -> list[e.Event] | Refusal:
    if refusal := _refuse_bank(rules, table, command.player):
        return refusal
    clauses = rules.clauses["bank.optional"]
    if table.bank is not None:
        return Refusal("bank_taken", rules.clauses["bank.by"])
    if command.player not in table.seats.values():
        return Refusal("not_seated")
    return (
        [e.BankDeclined(command.player, clauses=clauses)]
        if rules.bank.optional
        else Refusal("bank_not_optional", clauses)
    )


def relinquish_bank(rules: Rulebook, table: Table, command: c.RelinquishBank) -> list[e.Event] | Refusal:
    """The player gives the bank up between rounds, or before any wager lies; a stake goes back."""
    if refusal := _refuse_bank(rules, table, command.player):
        return refusal
    holder = table.bank.player if table.bank else table.bank_turn.player if table.bank_turn else None
    if holder != command.player:
        return Refusal("not_the_bank", rules.clauses["bank.by"])
    if table.has_wagers:
        return Refusal("round_in_progress", rules.clauses["bank.by"])
    return [e.BankRelinquished(command.player, clauses=rules.clauses["bank.optional"])]


def offer_bank(rules: Rulebook, table: Table, command: c.OfferBank) -> list[e.Event] | Refusal:
    """Offer the bank to the next in turn, or to any seated player where nobody has banked yet."""
    if refusal := _refuse_bank(rules, table, command.player):
        return refusal
    if table.bank is not None:
        return Refusal("bank_taken", rules.clauses["bank.by"])
    offered = table.seats.values() if table.bank_turn is None else candidates(rules, table)[:1]
    if command.player not in offered:
        return Refusal("bank_not_offered", rules.clauses["bank.rotation"])
    return [e.BankOffered(command.player, clauses=rules.clauses["bank.rotation"])]


def rotate_bank(rules: Rulebook, table: Table, command: c.RotateBank) -> list[e.Event] | Refusal:
    if rules.bank.by == "house":
        return Refusal("not_in_the_book")
    turn, offered = table.bank_turn, candidates(rules, table)
    if turn is None or table.bank is not None or turn.rounds < rules.bank.max_consecutive:
        return Refusal("bank_may_stay", rules.clauses["bank.max_consecutive"])
    if not offered:
        return Refusal("no_bank", rules.clauses["bank.rotation"])
    return [e.BankRotated(turn.player, offered[0], clauses=rules.clauses["bank.rotation"])]


def _refuse_bank(rules: Rulebook, table: Table, player: str) -> Refusal | None:
    if rules.bank.by == "house":
        return Refusal("not_in_the_book")
    if player == "house":
        return Refusal("house_cannot_bank", rules.clauses["bank.by"])
    return None if player in table.players else Refusal("unknown_player")


def refuse_wager(rules: Rulebook, table: Table, player: str, box: int) -> Refusal | None:
    """Nobody bets without a bank, on the bank's box, or against their own bank."""
    if table.bank is None:
        return Refusal("no_bank", rules.clauses["bank.by"])
    if table.bank.box == box:
        return Refusal("bank_box", rules.clauses["bank.by"])
    if table.bank.player == player:
        return Refusal("bank_may_not_bet", rules.clauses["bank.by"])
    return None


OUTCOMES = ({"initial": "on_win"}, {"tie": "on_win"})
WAR_OUTCOMES = (
    {"initial": "on_war_win", "war": "on_win"},
    {"initial": "on_war_tie", "war": "on_tie", "war_tie": "on_win"},
)
"""What a hand can come to that costs the bank, by wager; of these only one can be."""


def most_owed(rules: Rulebook, table: Table) -> int:
    """The most that undecided wagers can still take of the bank's cover; a war's match has been taken of it before."""
    hands: dict[tuple[int, str], dict[str, Wager]] = {}
    for (box, wager, player), laid in table.round.wagers.items():
        if laid.outcome is None and not table.round.is_over:
            hands.setdefault((box, player), {})[wager] = laid
    return sum(_most(rules, hand) for hand in hands.values())


def _most(rules: Rulebook, hand: dict[str, Wager]) -> int:
    """Side wagers are taken at their best price, whatever the others come to."""
    known = {wager for case in OUTCOMES + WAR_OUTCOMES for wager in case}
    costs = [
        sum(_price(rules, wager, laid.amount, case.get(wager)) for wager, laid in hand.items() if wager in case)
        for case in (WAR_OUTCOMES if "war" in hand else OUTCOMES)
    ]
    sides = sum(_price(rules, wager, laid.amount) for wager, laid in hand.items() if wager not in known)
    return max(costs) + sides - sum(laid.match for laid in hand.values())


def _price(rules: Rulebook, wager: str, amount: int, situation: str | None = None) -> int:
    """What a wager is paid in one situation, or at most."""
    cells = (cell for (kind, case), cell in rules.cells.items() if kind == wager and situation in (None, case))
    return max((amount * cell.odds.numerator // cell.odds.denominator for cell in cells if cell.odds), default=0)


def return_bank(rules: Rulebook, table: Table, settlement: list[e.Event]) -> e.BankReturned:
    """What will lie before the bank after this settlement goes back to that player."""
    bank = table.bank
    assert bank is not None
    wagers = table.round.wagers
    chips = bank.chips
    for event in settlement:
        if isinstance(event, e.WagerSettled):
            chips += event.amount + wagers[event.box, event.wager, event.player].match - event.paid - event.returned
    return e.BankReturned(bank.player, chips, chips - bank.stake, True, clauses=_returned_clauses(rules))


def _returned_clauses(rules: Rulebook) -> tuple[str, ...]:
    """What was collected and paid lay before the bank."""
    return rules.leaves["bank.model"].cases.get("returned", rules.clauses["bank.by"])


def void_bank(rules: Rulebook, table: Table) -> list[e.Event]:
    """A void round gives the stake back and does not count for the bank's turn."""
    if table.bank is None:
        return []
    return [e.BankReturned(table.bank.player, table.bank.stake, 0, False, clauses=_returned_clauses(rules))]


def reversals(rules: Rulebook, table: Table, wagers: dict[Spot, Wager], clauses: tuple[str, ...]) -> list[e.Event]:
    """These wagers are void, one after the other, and the bank has again what each of them took up."""
    left = None if table.bank is None or table.round.is_over else table.bank.left
    events: list[e.Event] = []
    for (box, wager, player), laid in wagers.items():
        if left is not None:
            left += _cover_freed(rules, laid)
        events.append(e.WagerReversed(player, box, wager, laid.amount, left, clauses=clauses))
    return events


def _cover_freed(rules: Rulebook, laid: Wager) -> int:
    if laid.outcome is None:
        return laid.match
    taken = laid.amount - laid.returned if laid.outcome in ("lose", "surrender") else 0
    match rules.bank.model:
        case "payoff_cap" | "covered":
            return laid.paid
        case "revolving":
            return laid.paid - taken
        case "action_cap":
            return laid.paid + taken


DECIDERS: Deciders = {
    c.AcceptBank: accept_bank,
    c.DeclineBank: decline_bank,
    c.RelinquishBank: relinquish_bank,
    c.OfferBank: offer_bank,
    c.RotateBank: rotate_bank,
}
