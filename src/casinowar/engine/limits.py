"""Limits: how much a wager may be, and what the book does with one that is not."""

from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.events import Refusal
from casinowar.engine.state import Spot, Table
from casinowar.rulebooks import Rulebook


def refuse_amount(rules: Rulebook, table: Table, spot: Spot, total: int, more: int) -> Refusal | None:
    """The ladder of refusals for an amount: `total` would lie on the spot, `more` of it new."""
    _, wager, player = spot
    limit = table.limit_of(wager)
    if total <= 0:
        return Refusal("amount_not_positive")
    if wager == "progressive":
        return _refuse_progressive(rules, table, player, total, more)
    if total < limit.minimum:
        refusal = _refuse_under(rules, table, player)
        if refusal:
            return refusal
    elif limit.maximum is not None and total > limit.maximum:
        if rules.limits.on_over_max == "reject":
            return Refusal("wager_above_maximum", rules.clauses["limits.on_over_max"])
    elif total % limit.unit and (rules.limits.on_off_unit == "reject" or not _amount_in_play(rules, total, limit)[1]):
        return Refusal("wager_off_unit", rules.clauses["limits.on_off_unit"])
    if rules.limits.require_even and wager == "initial" and total % 2:
        return Refusal("wager_odd", rules.clauses["limits.require_even"])
    if rules.has_shared_limits or not table.floor.is_plain:
        refusal = refuse_together(rules, table, spot, total)
        if refusal:
            return refusal
    if more > table.players[player]:
        return Refusal("insufficient_funds")
    return None


def refuse_together(rules: Rulebook, table: Table, spot: Spot, total: int) -> Refusal | None:
    """Maxima that hang on what else lies there: on the area, by the player, by partners."""
    floor, limits = table.floor, rules.limits
    if limits.area_total_max or limits.player_box_max or floor.box_max or floor.player_max:
        refusal = _refuse_directed(rules, table, spot, total)
        if refusal:
            return refusal
    return _refuse_partnership(rules, table, spot, total) if limits.linked_players or floor.partners else None


def _refuse_partnership(rules: Rulebook, table: Table, spot: Spot, total: int) -> Refusal | None:
    """Players who bet together may not get past what one of them could bet."""
    _, wager, player = spot
    maximum = table.limit_of(wager).maximum
    groups = [set(group) for group in (*rules.limits.linked_players, *table.floor.partners) if player in group]
    others = {} if table.round.is_over else {where: w for where, w in table.round.wagers.items() if where != spot}
    for group in groups:
        theirs = sum(laid.amount for (_, kind, who), laid in others.items() if kind == wager and who in group)
        if maximum is not None and theirs and theirs + total > maximum:
            return Refusal("partnership_above_maximum", rules.clauses["limits.linked_players"])
    return None


def _refuse_progressive(rules: Rulebook, table: Table, player: str, total: int, more: int) -> Refusal | None:
    """Multiples of the progressive's own unit, and no other limit."""
    if total % rules.progressive.unit:
        return Refusal("wager_off_unit", rules.clauses["progressive.unit"])
    return Refusal("insufficient_funds") if more > table.players[player] else None


def _refuse_under(rules: Rulebook, table: Table, player: str) -> Refusal | None:
    rule = rules.limits.on_under_min
    if rule == "reject" or (rule == "honour_once_then_reject" and player in table.reminded):
        return Refusal("wager_below_minimum", rules.clauses["limits.on_under_min"])
    return None


def _refuse_directed(rules: Rulebook, table: Table, spot: Spot, total: int) -> Refusal | None:
    """The maxima that an operator directs for an area, and for one player on a box."""
    box, wager, player = spot
    others = {} if table.round.is_over else {where: w for where, w in table.round.wagers.items() if where != spot}
    is_whole_box = rules.limits.area_total_scope == "box"
    area = total + sum(w.amount for (at, kind, _), w in others.items() if at == box and (is_whole_box or kind == wager))
    area_max = table.floor.box_max or rules.limits.area_total_max
    if area_max and area > area_max:
        return Refusal("area_above_maximum", rules.clauses["limits.area_total_max"])
    own = total + sum(w.amount for (at, kind, who), w in others.items() if (at, who) == (box, player) and kind != "war")
    player_max = table.floor.player_max or rules.limits.player_box_max
    if player_max and own > player_max:
        return Refusal("player_above_maximum", rules.clauses["limits.player_box_max"])
    return None


def remind(rules: Rulebook, table: Table, spot: Spot, total: int) -> list[e.Event]:
    limit = table.limit_of(spot[1])
    if rules.limits.on_under_min != "honour_once_then_reject" or total >= limit.minimum:
        return []
    box, wager, player = spot
    return [e.LimitsAdvised(player, box, wager, limit, rules.clauses["limits.on_under_min"])]


def limit_wagers(rules: Rulebook, table: Table, kinds: tuple[str, ...]) -> list[e.Event]:
    """Wagers that the book plays at another amount than was placed, and the advice that goes with it."""
    events: list[e.Event] = []
    if rules.limits.on_over_max == "reject" and rules.limits.on_off_unit == "reject":
        return events
    for (box, wager, player), laid in table.round.wagers.items():
        if wager not in kinds or wager == "progressive":
            continue
        limit = table.limit_of(wager)
        key, amount = _amount_in_play(rules, laid.amount, limit)
        if key is None:
            continue
        clauses = rules.clauses[key]
        if amount < laid.amount:
            events.append(e.WagerLimited(player, box, wager, laid.amount, amount, clauses))
        if rules.limits.on_over_max == "clamp_advise":
            events.append(e.LimitsAdvised(player, box, wager, limit, clauses))
    return events


def broken_limit(rules: Rulebook, amount: int, limit: c.Limit) -> str | None:
    """The leaf about the limit that an amount does not keep."""
    if amount < limit.minimum:
        return "limits.on_under_min"
    if limit.maximum is not None and amount > limit.maximum:
        return "limits.on_over_max"
    over = (amount - (limit.minimum if rules.limits.unit_from == "minimum" else 0)) % limit.unit
    return "limits.on_off_unit" if over else None


def limited_amount(rules: Rulebook, wager: str, amount: int, limit: c.Limit) -> int:
    """What a wager plays for that is found after the close: at most the maximum, and whole units above the minimum."""
    if wager == "progressive":
        return amount - amount % rules.progressive.unit
    if limit.maximum is not None and amount > limit.maximum:
        return limit.maximum
    if amount <= limit.minimum:
        return amount
    return amount - (amount - (limit.minimum if rules.limits.unit_from == "minimum" else 0)) % limit.unit


def _amount_in_play(rules: Rulebook, amount: int, limit: c.Limit) -> tuple[str | None, int]:
    if limit.maximum is not None and amount > limit.maximum and rules.limits.on_over_max != "reject":
        return "limits.on_over_max", limit.maximum
    if amount < limit.minimum and rules.limits.on_under_min == "play_as_placed":
        return "limits.on_under_min", amount
    if amount > limit.minimum and rules.limits.on_off_unit == "floor_to_unit":
        over = (amount - (limit.minimum if rules.limits.unit_from == "minimum" else 0)) % limit.unit
        if over:
            return "limits.on_off_unit", amount - over
    return None, amount
