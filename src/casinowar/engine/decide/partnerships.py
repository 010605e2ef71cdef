"""Partnerships: what lies above the maximum of players who are found to bet together goes back."""

from casinowar.engine import events as e
from casinowar.engine.state import Spot, Table
from casinowar.rulebooks import Rulebook


def return_excess(rules: Rulebook, table: Table, partners: frozenset[str]) -> list[e.Event]:
    """On each area the partners' wagers are one against the maximum: what is above it goes back, the last first.

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
    """Before the round begins the chips go back; from then on the wager is settled up to the maximum."""
    box, wager, player = spot
    laid = table.round.wagers[spot].amount
    clauses = rules.clauses["limits.partnership"]
    if table.phase == "betting":
        if not amount:
            return [e.WagerWithdrawn(player, box, wager, laid, clauses)]
        return [e.WagerLimited(player, box, wager, laid, amount, clauses)]
    clauses += rules.clauses["limits.on_over_max"]
    advised = e.LimitsAdvised(player, box, wager, table.limit_of(wager), clauses)
    if not amount:
        return [*_returned(table, spot, clauses), advised]
    return [e.WagerLimited(player, box, wager, laid, amount, clauses), *cut_war(rules, table, spot, amount), advised]


def cut_war(rules: Rulebook, table: Table, spot: Spot, amount: int) -> list[e.Event]:
    """A war wager is as much as the initial wager beside it: what is more goes back."""
    box, wager, player = spot
    war = table.round.wagers.get((box, "war", player))
    most = amount * rules.war_stake.numerator // rules.war_stake.denominator
    if wager != "initial" or war is None or war.outcome is not None or war.amount <= most:
        return []
    return [e.WagerLimited(player, box, "war", war.amount, most, rules.clauses["war.stake"])]


def _returned(table: Table, spot: Spot, clauses: tuple[str, ...]) -> list[e.Event]:
    """Nothing of the wager is in play: it goes back, and a war with it."""
    box, wager, player = spot
    out = [spot, (box, "war", player)] if wager == "initial" else [spot]
    wagers = table.round.wagers
    return [
        e.WagerSettled(where[2], box, where[1], laid.amount, "returned", None, 0, laid.amount, clauses)
        for where in out
        if (laid := wagers.get(where)) is not None and laid.outcome is None
    ]
