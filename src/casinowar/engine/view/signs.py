"""What stands on and beside a table for everybody: the layout with its odds, the sign with its limits and notices."""

from typing import Literal

import msgspec

from casinowar.engine import commands as c
from casinowar.engine.decide.floor import closing_time
from casinowar.engine.decide.progressive import JACKPOT
from casinowar.engine.roles import STAFF
from casinowar.engine.state import Table
from casinowar.rulebooks import WAGERS, Rulebook


class Odds(msgspec.Struct, frozen=True):
    """One line of the odds panel: what a wager comes to in one situation, with the clauses."""

    situation: str
    pays: str
    clauses: tuple[str, ...]


class WagerSpot(msgspec.Struct, frozen=True):
    """An area of the layout: the wager's name there, its limits and its odds."""

    wager: str
    label: str
    limit: c.Limit
    odds: tuple[Odds, ...]


class Notice(msgspec.Struct, frozen=True):
    """A sign about something to come, and how many seconds it must still stand; `limit` is what new limits will be.

    `at` is when the table closes, in seconds of the floor's clock.
    """

    about: Literal["limits", "decks", "closing"]
    says: str
    seconds_left: int
    clauses: tuple[str, ...]
    limit: c.Limit | None = None
    at: int | None = None


class ProgressiveTerms(msgspec.Struct, frozen=True):
    """What a progressive wager has beside its odds: the line that wins a share of the meter, what everybody else has of
    it for each unit on the wager of whom, and whether the stake comes back from a line that pays."""

    line: str
    share: str
    meter_clauses: tuple[str, ...]
    envy: int
    unit: int
    envy_base: Literal["recipient", "hitter"]
    envy_clauses: tuple[str, ...]
    is_stake_returned: bool
    stake_clauses: tuple[str, ...]


class Signs(msgspec.Struct, frozen=True):
    """What stands on and beside the table for everybody: the book, limits, decks, directions, notices, the meter.

    `surrender` is what of the first wager is given up for each part of it, and `roles` is what the book calls each role
    of staff.
    """

    rulebook: str
    title: str
    version: str
    edition: int
    amendments: tuple[str, ...]
    owner: str
    agreement_ref: str
    decks: int
    limit: c.Limit
    box_maximum: int | None
    player_maximum: int | None
    bettors_per_area: int
    notices: tuple[Notice, ...]
    meter: int | None
    provenance: str
    surrender: Odds
    progressive: ProgressiveTerms | None = None
    roles: dict[str, str] = {}


def signs(rules: Rulebook, table: Table) -> Signs:
    floor = table.floor
    return Signs(
        rulebook=rules.id,
        title=rules.title,
        version=rules.version,
        edition=rules.edition,
        amendments=rules.sign.amendments,
        owner=rules.sign.owner,
        agreement_ref=rules.sign.agreement_ref,
        decks=floor.decks or rules.shoe.decks,
        limit=table.limit,
        box_maximum=floor.box_max or rules.limits.area_total_max or None,
        player_maximum=floor.player_max or rules.limits.player_box_max or None,
        bettors_per_area=floor.bettors or rules.table.bettors_per_area,
        notices=_notices(rules, table),
        meter=table.meter if rules.wager.progressive else None,
        provenance=rules.cards.provenance,
        surrender=Odds("on_surrender", str(rules.forfeit), rules.clauses["surrender.forfeit"]),
        progressive=_progressive_terms(rules),
        roles={role: getattr(rules.roles, role) for role in STAFF},
    )


def _progressive_terms(rules: Rulebook) -> ProgressiveTerms | None:
    if not rules.wager.progressive:
        return None
    return ProgressiveTerms(
        line=JACKPOT,
        share=rules.progressive.meter_share,
        meter_clauses=rules.clauses["progressive.meter_share"],
        envy=rules.progressive.envy,
        unit=rules.progressive.unit,
        envy_base=rules.progressive.envy_base,
        envy_clauses=rules.clauses["progressive.envy"],
        is_stake_returned=rules.progressive.stake_returned,
        stake_clauses=rules.clauses.get("progressive.stake_returned", ()),
    )


def _notices(rules: Rulebook, table: Table) -> tuple[Notice, ...]:
    floor = table.floor
    found: list[Notice] = []
    if floor.limits_notice is not None:
        limit, since = floor.limits_notice
        top = "no maximum" if limit.maximum is None else f"maximum {limit.maximum}"
        says = f"new limits: minimum {limit.minimum}, {top}, unit {limit.unit}"
        left = _left(floor.clock, since, rules.notice.limits)
        clauses = rules.clauses.get("notice.limits", rules.clauses["limits.change"])
        found.append(Notice("limits", says, left, clauses, limit))
    if floor.decks_notice is not None:
        decks, _, since = floor.decks_notice
        left = _left(floor.clock, since, rules.notice.decks)
        found.append(Notice("decks", f"{decks} decks", left, rules.clauses["notice.decks"]))
    closes_at = closing_time(rules, table)
    if closes_at is not None:
        left = max(0, closes_at - floor.clock)
        clauses = rules.clauses.get("notice.close", ())
        found.append(Notice("closing", "the table closes", left, clauses, at=closes_at))
    return tuple(found)


def _left(clock: int, since: int, minutes: int) -> int:
    return max(0, 60 * minutes - (clock - since))


def layout(rules: Rulebook, table: Table) -> tuple[WagerSpot, ...]:
    """A labelled spot for every wager that the table offers, each with its odds."""
    return tuple(
        WagerSpot(
            wager,
            str(getattr(rules.names, wager) or wager),
            table.limit_of(wager),
            tuple(
                Odds(situation, str(cell.odds or cell.outcome), cell.clauses)
                for (kind, situation), cell in rules.cells.items()
                if kind == wager
            ),
        )
        for wager in WAGERS
        if wager in ("initial", "war") or getattr(rules.wager, wager)
    )
