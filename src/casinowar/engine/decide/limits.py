"""Limits: how much a wager may be, and what the book does with one that is not."""

from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.events import Refusal
from casinowar.engine.state import Spot, Table, Wager
from casinowar.rulebooks import Rulebook, clauses_in_case


def refuse_amount(rules: Rulebook, table: Table, spot: Spot, total: int, more: int) -> Refusal | None:
    """The ladder of refusals for an amount: `total` would lie on the spot, `more` of it new."""
    _, wager, player = spot
    limit = table.limit_of(wager)
    if total <= 0:
        return Refusal("amount_not_positive")
    if wager == "progressive":
        return _refuse_progressive(rules, table, player, total, more)
    if total < limit.minimum:
        if refusal := _refuse_under(rules, table, spot):
            return refusal
    elif limit.maximum is not None and total > limit.maximum:
        if rules.limits.on_over_max == "reject":
            return Refusal("wager_above_maximum", rules.clauses["limits.on_over_max"])
    elif total % limit.unit and (rules.limits.on_off_unit == "reject" or not _amount_in_play(rules, total, limit)[1]):
        return Refusal("wager_off_unit", rules.clauses["limits.on_off_unit"])
    if rules.limits.require_even and wager == "initial" and total % 2:
        return Refusal("wager_odd", rules.clauses["limits.require_even"])
    is_shared = rules.has_shared_limits or not table.floor.is_plain
    if is_shared and (refusal := refuse_together(rules, table, spot, total)):
        return refusal
    return Refusal("insufficient_funds") if more > table.players[player] else None


def refuse_together(rules: Rulebook, table: Table, spot: Spot, total: int) -> Refusal | None:
    """Maxima that hang on what else lies there: on the area, by the player, by partners."""
    floor, limits = table.floor, rules.limits
    is_directed = limits.area_total_max or limits.player_box_max or floor.box_max or floor.player_max
    if is_directed and (refusal := _refuse_directed(rules, table, spot, total)):
        return refusal
    return _refuse_partnership(rules, table, spot, total) if limits.linked_players or floor.partners else None


def _refuse_partnership(rules: Rulebook, table: Table, spot: Spot, total: int) -> Refusal | None:
    """Players who bet together may not get past what one of them could bet, on an area or on the layout."""
    room = _shared_room(rules, table, spot)
    if room is None or total <= room:
        return None
    return Refusal("partnership_above_maximum", rules.clauses["limits.linked_players"])


def partners_room(rules: Rulebook, table: Table, spot: Spot) -> int | None:
    """What a wager found wrong plays for at most beside those of partners on its area; none where nothing limits it."""
    return _shared_room(rules, table, spot) if rules.limits.partnership == "area" else None


def _shared_room(rules: Rulebook, table: Table, spot: Spot) -> int | None:
    box, wager, player = spot
    maximum = table.limit_of(wager).maximum
    groups = [set(group) for group in (*rules.limits.linked_players, *table.floor.partners) if player in group]
    if maximum is None or not groups:
        return None
    is_area = rules.limits.partnership == "area"
    others = _other_wagers(table, spot)
    there = {where: w for where, w in others.items() if where[1] == wager and (where[0] == box or not is_area)}
    theirs = [sum(laid.amount for (_, _, who), laid in there.items() if who in group) for group in groups]
    return maximum - max(theirs) if any(theirs) else None


def _other_wagers(table: Table, spot: Spot) -> dict[Spot, Wager]:
    """The other wagers of the round, without those that are void."""
    wagers = {} if table.round.is_over else table.round.wagers
    return {where: laid for where, laid in wagers.items() if where != spot and laid.outcome != "void"}


def _refuse_progressive(rules: Rulebook, table: Table, player: str, total: int, more: int) -> Refusal | None:
    """Multiples of the progressive's own unit, and no other limit."""
    if total % rules.progressive.unit:
        return Refusal("wager_off_unit", rules.clauses["progressive.unit"])
    return Refusal("insufficient_funds") if more > table.players[player] else None


def _refuse_under(rules: Rulebook, table: Table, spot: Spot) -> Refusal | None:
    rule = rules.limits.on_under_min
    if rule == "reject" or (rule == "honour_once_then_reject" and spot[2] in table.reminded):
        return Refusal("wager_below_minimum", under_min_clauses(rules, table, spot))
    return None


def under_min_clauses(rules: Rulebook, table: Table, spot: Spot) -> tuple[str, ...]:
    """The clauses about a wager under the minimum: by whether it is the player's first one, or by how many boxes the
    player bets on."""
    if rules.limits.on_under_min == "honour_once_then_reject":
        case = "again" if spot[2] in table.reminded else "first"
    else:
        wagers = {} if table.round.is_over else table.round.wagers
        case = "several" if any(who == spot[2] and box != spot[0] for box, _, who in wagers) else "one"
    return clauses_in_case(rules, "limits.on_under_min", case)


def _refuse_directed(rules: Rulebook, table: Table, spot: Spot, total: int) -> Refusal | None:
    """The maxima that an operator directs for an area, and for one player on a box."""
    box, wager, player = spot
    others = _other_wagers(table, spot)
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
    return [e.LimitsAdvised(player, box, wager, limit, clauses=under_min_clauses(rules, table, spot))]


def limit_wagers(rules: Rulebook, table: Table, kinds: tuple[str, ...]) -> list[e.Event]:
    """Wagers that the book plays at another amount than was placed, and the advice that goes with it."""
    events: list[e.Event] = []
    if rules.limits.on_over_max == "reject" and rules.limits.on_off_unit == "reject":
        return events
    for (box, wager, player), laid in table.round.wagers.items():
        if wager not in kinds or wager == "progressive" or laid.outcome is not None:
            continue
        limit = table.limit_of(wager)
        key, amount = _amount_in_play(rules, laid.amount, limit)
        if key is None:
            continue
        clauses = rules.clauses[key]
        if amount < laid.amount:
            events.append(e.WagerLimited(player, box, wager, laid.amount, amount, clauses=clauses))
        if rules.limits.on_over_max == "clamp_advise":
            events.append(e.LimitsAdvised(player, box, wager, limit, clauses=clauses))
    return events


def broken_limit(rules: Rulebook, amount: int, limit: c.Limit) -> str | None:
    """The leaf about the limit that an amount does not keep."""
    if amount < limit.minimum:
        return "limits.on_under_min"
    if limit.maximum is not None and amount > limit.maximum:
        return "limits.on_over_max"
    return "limits.on_off_unit" if _whole_units(rules, amount, limit) < amount else None


def wrong_wager_clauses(rules: Rulebook, wager: str, amount: int, limit: c.Limit) -> tuple[str, ...]:
    """The clauses about a wager found after the close, by the limit that it does not keep."""
    broken = None if wager == "progressive" else broken_limit(rules, amount, limit)
    return clauses_in_case(rules, "irreg.wrong_wager", (broken or "in_order").removeprefix("limits.on_"))


def limited_amount(rules: Rulebook, wager: str, amount: int, limit: c.Limit) -> int:
    """What a wager plays for that is found after the close: at most the maximum, and whole units above the minimum."""
    if wager == "progressive":
        return amount - amount % rules.progressive.unit
    if limit.maximum is not None and amount > limit.maximum:
        return limit.maximum
    if amount <= limit.minimum:
        return amount
    return _whole_units(rules, amount, limit)


def _amount_in_play(rules: Rulebook, amount: int, limit: c.Limit) -> tuple[str | None, int]:
    if limit.maximum is not None and amount > limit.maximum and rules.limits.on_over_max != "reject":
        return "limits.on_over_max", limit.maximum
    if amount < limit.minimum and rules.limits.on_under_min == "play_as_placed":
        return "limits.on_under_min", amount
    if amount > limit.minimum and rules.limits.on_off_unit == "floor_to_unit":
        in_units = _whole_units(rules, amount, limit)
        return ("limits.on_off_unit" if in_units < amount else None), in_units
    return None, amount


def _whole_units(rules: Rulebook, amount: int, limit: c.Limit) -> int:
    """The amount without what is over whole units, which the book counts from the minimum or from nothing."""
    return amount - (amount - (limit.minimum if rules.limits.unit_from == "minimum" else 0)) % limit.unit


def return_excess(rules: Rulebook, table: Table, partners: frozenset[str]) -> list[e.Event]:
    """Return what partners have above the maximum of an area, where their wagers count as one; the last first.

    What has been settled stands, and a war wager is not held to a maximum.
    """
    if rules.limits.partnership != "area" or table.round.is_over:
        return []
    areas: dict[tuple[int, str], list[Spot]] = {}
    for (box, wager, player), laid in table.round.wagers.items():
        if player in partners and laid.outcome != "void" and wager not in ("war", "progressive"):
            areas.setdefault((box, wager), []).append((box, wager, player))
    return [event for spots in areas.values() for event in _area_excess(rules, table, spots)]


def _area_excess(rules: Rulebook, table: Table, spots: list[Spot]) -> list[e.Event]:
    wagers = table.round.wagers
    maximum = table.limit_of(spots[0][1]).maximum
    excess = 0 if maximum is None else sum(wagers[spot].amount for spot in spots) - maximum
    events: list[e.Event] = []
    for spot in sorted(spots, key=lambda spot: wagers[spot].turn, reverse=True):
        if excess > 0 and wagers[spot].outcome is None and len(spots) > 1:
            cut = min(excess, wagers[spot].amount)
            events += _cut(rules, table, spot, wagers[spot].amount - cut)
            excess -= cut
    return events


def _cut(rules: Rulebook, table: Table, spot: Spot, amount: int) -> list[e.Event]:
    """Cut a wager to this amount: before the round the chips go back, later it is settled up to the maximum."""
    box, wager, player = spot
    laid = table.round.wagers[spot].amount
    clauses = rules.clauses["limits.partnership"]
    if table.phase == "betting":
        if not amount:
            return [e.WagerWithdrawn(player, box, wager, laid, clauses=clauses)]
        return [e.WagerLimited(player, box, wager, laid, amount, clauses=clauses)]
    clauses += rules.clauses["limits.on_over_max"]
    advised = e.LimitsAdvised(player, box, wager, table.limit_of(wager), clauses=clauses)
    if not amount:
        return [*_return_wager(table, spot, clauses), advised]
    return [
        e.WagerLimited(player, box, wager, laid, amount, clauses=clauses),
        *cut_war(rules, table, spot, amount),
        advised,
    ]


def cut_war(rules: Rulebook, table: Table, spot: Spot, amount: int) -> list[e.Event]:
    """A war wager is as much as the initial wager beside it: what is more goes back."""
    box, wager, player = spot
    war = table.round.wagers.get((box, "war", player))
    most = amount * rules.war_stake.numerator // rules.war_stake.denominator
    if wager != "initial" or war is None or war.outcome is not None or war.amount <= most:
        return []
    return [e.WagerLimited(player, box, "war", war.amount, most, clauses=rules.clauses["war.stake"])]


def _return_wager(table: Table, spot: Spot, clauses: tuple[str, ...]) -> list[e.Event]:
    """Nothing of the wager is in play: it goes back, and a war with it."""
    box, wager, player = spot
    out = [spot, (box, "war", player)] if wager == "initial" else [spot]
    wagers = table.round.wagers
    return [
        e.WagerSettled(where[2], box, where[1], laid.amount, "returned", None, 0, laid.amount, clauses=clauses)
        for where in out
        if (laid := wagers.get(where)) is not None and laid.outcome is None
    ]
