"""How far the stake of a player who banks covers each wager: what is paid, what is taken, and what goes back."""

from msgspec.structs import replace

from casinowar.engine import events as e
from casinowar.engine.state import Table, Wager
from casinowar.rulebooks import Rulebook


def cover(rules: Rulebook, table: Table, events: list[e.Event]) -> list[e.Event]:
    """The settlement in its order, each wager paid and taken only as far as the bank's stake covers it.

    A war's match is safe: it pays its own war first, and a war lost sets it free again.
    """
    if table.bank is None:
        return events
    left = table.bank.left
    is_turn = not table.round.asked
    covered: list[e.Event] = []
    for event in events:
        if isinstance(event, e.WagerSettled):
            following, left = _settle_covered(rules, table, event, left)
            covered += following
        elif isinstance(event, e.WarOffered):
            offered = _offer_covered(rules, table, event, left, is_turn or rules.decision.order == "any")
            is_turn = is_turn and event not in offered
            covered += offered
        else:
            covered.append(event)
    return covered


def _settle_covered(rules: Rulebook, table: Table, event: e.WagerSettled, left: int) -> tuple[list[e.Event], int]:
    laid = table.round.wagers[event.box, event.wager, event.player]
    is_in_war = laid.match > 0 or ((event.box, "war", event.player) in table.round.wagers and event.wager == "initial")
    if rules.bank.model == "covered" and not is_in_war:
        return _in_play(rules, event, left)
    one, left = _cap_settlement(rules, laid, event, left, is_in_war)
    return [one], left


def _in_play(rules: Rulebook, event: e.WagerSettled, left: int) -> tuple[list[e.Event], int]:
    """Settle a wager as far as the bank covers it. The rest goes back first: what could not win may not be lost.

    A winner has in play what its payment takes, so that an odd rest of the stake is still paid out.
    """
    amount, paid = event.amount, min(event.paid, left)
    if event.outcome == "win" and paid < event.paid:
        amount = min(amount, _least(event.odds or "1:1", paid))
    elif event.outcome == "lose":
        amount = min(amount, _most(rules, event.wager, left, amount))
    if not left or not amount:
        return [_return_wager(rules, event.player, event.box, event.wager, event.amount, left)], left
    left -= paid
    settled = replace(event, paid=paid, bank_left=left)
    if amount == event.amount and paid == event.paid:
        return [settled], left
    clauses = _case(rules, "uncovered" if event.outcome == "lose" else "paid_short")
    settled = replace(settled, clauses=event.clauses + clauses)
    if amount == event.amount:
        return [settled], left
    cut = e.WagerLimited(event.player, event.box, event.wager, event.amount, amount, clauses=clauses)
    return [cut, replace(settled, amount=amount, returned=amount if event.outcome == "win" else 0)], left


def _least(odds: str, paid: int) -> int:
    """The smallest wager that these odds pay so much on."""
    numerator, denominator = map(int, odds.split(":"))
    return -(-paid * denominator // numerator)


def _most(rules: Rulebook, wager: str, left: int, amount: int) -> int:
    """The largest wager that what is left pays in full, at the best of its odds: at n to 1 `left // n`."""
    odds = [cell.odds for (kind, _), cell in rules.cells.items() if kind == wager and cell.odds]
    most = (((left + 1) * one.denominator - 1) // one.numerator for one in odds if one.numerator)
    return min(most, default=amount)


def _offer_covered(rules: Rulebook, table: Table, offer: e.WarOffered, left: int, is_turn: bool) -> list[e.Event]:
    """A tied player whose turn it is has the uncovered part back first; with nothing left nobody is asked."""
    if rules.bank.model == "covered" and left:
        cut = _cut(rules, table, offer.box, offer.player, left) if is_turn else []
        return cut if any(isinstance(one, e.WagerSettled) for one in cut) else [*cut, offer]
    if left:
        return [offer]
    amount = table.round.wagers[offer.box, "initial", offer.player].amount
    return [_return_wager(rules, offer.player, offer.box, "initial", amount, left)]


def return_unmatched(rules: Rulebook, table: Table) -> list[e.Event]:
    """Return initial wagers that the bank cannot match any more: those players have no choice to make.

    Where only what is covered is in play, whoever is asked next has the rest back before the choice.
    """
    bank, asked = table.bank, table.round.asked
    if bank is None:
        return []
    if not bank.left:
        wagers = table.round.wagers
        return [
            _return_wager(rules, player, box, "initial", wagers[box, "initial", player].amount, 0)
            for box, player in asked
        ]
    if rules.bank.model != "covered":
        return []
    turns = asked if rules.decision.order == "any" else asked[:1]
    return [cut for box, player in turns for cut in _cut(rules, table, box, player, bank.left)]


def _cut(rules: Rulebook, table: Table, box: int, player: str, left: int) -> list[e.Event]:
    """The part of a tied player's initial wager that what is left cannot match goes back, or all of it."""
    laid = table.round.wagers[box, "initial", player]
    amount = matched_amount(rules, laid, left)
    if amount == laid.amount:
        return []
    if not amount:
        return [_return_wager(rules, player, box, "initial", laid.amount, left)]
    clauses = _case(rules, "uncovered") + rules.clauses["war.method"]
    return [e.MatchLimited(player, box, laid.amount, amount, clauses=clauses)]


def matched_amount(rules: Rulebook, laid: Wager, left: int) -> int:
    """How much of an initial wager the bank could match with what is left."""
    stake = rules.war_stake
    return min(laid.amount, ((left + 1) * stake.denominator - 1) // stake.numerator)


def _return_wager(rules: Rulebook, player: str, box: int, wager: str, amount: int, left: int) -> e.WagerSettled:
    is_own = rules.bank.model == "covered"
    clauses = _case(rules, "uncovered") if is_own else rules.clauses["bank.after_exhaustion"]
    return e.WagerSettled(player, box, wager, amount, "returned", None, 0, amount, clauses=clauses, bank_left=left)


def _case(rules: Rulebook, case: str) -> tuple[str, ...]:
    model = rules.leaves["bank.model"]
    return model.cases.get(case, model.clauses)


def _cap_settlement(
    rules: Rulebook, laid: Wager, event: e.WagerSettled, left: int, is_in_war: bool
) -> tuple[e.WagerSettled, int]:
    """Payments end at what is left; what the bank takes is as its model says."""
    model = rules.bank.model
    if not left and not is_in_war:
        is_taken = event.outcome == "lose" and rules.bank.after_exhaustion == "collect_losers" and model != "action_cap"
        if not is_taken:
            return _return_wager(rules, event.player, event.box, event.wager, event.amount, left), left
    if event.outcome == "win":
        paid = min(event.paid, laid.match + left)
        left -= max(0, paid - laid.match)
        clauses = event.clauses if paid == event.paid else event.clauses + _case(rules, "paid_short")
        return replace(event, paid=paid, bank_left=left, clauses=clauses), left
    taken = event.amount - event.returned
    if model == "action_cap" and not is_in_war:
        taken = min(taken, left)
        left -= taken
    elif model == "revolving":
        left += taken
    if laid.match and model != "action_cap":
        left += laid.match
    return replace(event, returned=event.amount - taken, bank_left=left), left
