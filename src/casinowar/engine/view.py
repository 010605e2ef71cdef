"""The view: what one viewer may see of a table, as a pure function of the table and the viewer.

It holds no face of a burned card, and no advice unless the player who looks has asked for it.
"""

from fractions import Fraction
from typing import Literal

import msgspec

from casinowar.cards import Card
from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.draws import is_shuffle_due
from casinowar.engine.events import DEALER
from casinowar.engine.procedure import Step, procedure
from casinowar.engine.seats import war_worth
from casinowar.engine.shoe import cutter
from casinowar.engine.state import Phase, Table
from casinowar.rulebooks import WAGERS, Rulebook

Role = Literal["player", "watcher", "dealer", "supervisor", "auditor"]
STAFF = ("dealer", "supervisor", "auditor")


class Viewer(msgspec.Struct, frozen=True):
    """Who looks: a player by name, or somebody of a role. `asks_advice` is a player's own wish."""

    role: Role
    player: str = ""
    asks_advice: bool = False


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
    """A sign about something to come, and how many seconds it must still stand."""

    about: Literal["limits", "decks", "closing"]
    says: str
    seconds_left: int
    clauses: tuple[str, ...]


class Signs(msgspec.Struct, frozen=True):
    """What stands on and beside the table for everybody: the book, limits, decks, directions, notices, the meter."""

    rulebook: str
    title: str
    version: str
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


class BoxView(msgspec.Struct, frozen=True):
    """One box: who sits there, what lies on it and whose, and its cards."""

    box: int
    player: str | None
    wagers: tuple[tuple[str, str, int], ...]
    cards: tuple[Card, ...]
    is_at_war: bool


class BankView(msgspec.Struct, frozen=True):
    """The button's place, and how far the bank's chips reach."""

    player: str
    box: int
    chips: int
    left: int


class View(msgspec.Struct, frozen=True, kw_only=True):
    """A table as one viewer sees it. Money of others is told to staff alone."""

    signs: Signs
    layout: tuple[WagerSpot, ...]
    phase: Phase
    round: int
    boxes: tuple[BoxView, ...]
    dealer: tuple[Card, ...]
    bank: BankView | None
    asked: tuple[tuple[int, str], ...]
    shoe_left: int
    discards: int
    is_shuffle_due: bool
    cut_offered_to: str | None
    balance: int | None = None
    advice: str | None = None
    balances: dict[str, int] | None = None
    house: int | None = None
    incident: str | None = None
    procedure: tuple[Step, ...] = ()


def view(rules: Rulebook, table: Table, viewer: Viewer) -> View:
    round_, is_staff = table.round, viewer.role in STAFF
    is_on = not round_.is_over
    hands = {box: hand for box, hand in round_.hands.items() if is_on and box not in round_.collected}
    return View(
        signs=signs(rules, table),
        layout=layout(rules, table),
        phase=table.phase,
        round=round_.number,
        boxes=tuple(_box(table, box, hands.get(box, ())) for box in range(1, rules.table.boxes + 1)),
        dealer=hands.get(DEALER, ()),
        bank=_bank(table),
        asked=round_.asked if is_on else (),
        shoe_left=table.shoe_left,
        discards=sum(len(cards) for _, cards in table.rack),
        is_shuffle_due=is_shuffle_due(table),
        cut_offered_to=cutter(rules, table) if is_shuffle_due(table) and not table.cut_made else None,
        balance=table.players.get(viewer.player) if viewer.role == "player" else None,
        advice=_advice(rules, table, viewer),
        balances=table.players if is_staff else None,
        house=table.house if is_staff else None,
        incident=table.incident.kind if is_staff and table.incident else None,
        procedure=procedure(rules, table) if is_staff else (),
    )


def _bank(table: Table) -> BankView | None:
    bank = table.bank
    return None if bank is None else BankView(bank.player, bank.box, bank.chips, bank.left)


def signs(rules: Rulebook, table: Table) -> Signs:
    floor = table.floor
    return Signs(
        rulebook=rules.id,
        title=rules.title,
        version=rules.version,
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
    )


def _notices(rules: Rulebook, table: Table) -> tuple[Notice, ...]:
    floor = table.floor
    found: list[Notice] = []
    if floor.limits_notice is not None:
        limit, since = floor.limits_notice
        top = "no maximum" if limit.maximum is None else f"maximum {limit.maximum}"
        says = f"new limits: minimum {limit.minimum}, {top}, unit {limit.unit}"
        left = _left(floor.clock, since, rules.notice.limits)
        found.append(Notice("limits", says, left, rules.clauses.get("notice.limits", rules.clauses["limits.change"])))
    if floor.decks_notice is not None:
        decks, _, since = floor.decks_notice
        left = _left(floor.clock, since, rules.notice.decks)
        found.append(Notice("decks", f"{decks} decks", left, rules.clauses["notice.decks"]))
    if floor.closing_notice is not None:
        left = _left(floor.clock, floor.closing_notice, rules.notice.close)
        found.append(Notice("closing", "the table closes", left, rules.clauses.get("notice.close", ())))
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


def _box(table: Table, box: int, cards: tuple[Card, ...]) -> BoxView:
    round_ = table.round
    wagers = (
        ()
        if round_.is_over
        else tuple(
            (player, wager, laid.amount)
            for (at, wager, player), laid in round_.wagers.items()
            if at == box and laid.outcome is None
        )
    )
    return BoxView(box, table.seats.get(box), wagers, cards, not round_.is_over and box in round_.at_war)


def _advice(rules: Rulebook, table: Table, viewer: Viewer) -> str | None:
    """Which choice costs less, over cards that come back; only for the player who is asked and wants to know."""
    is_asked = any(player == viewer.player for _, player in table.round.asked) and not table.round.is_over
    if viewer.role != "player" or not viewer.asks_advice or not is_asked:
        return None
    surrender_worth = -Fraction(rules.forfeit.numerator, rules.forfeit.denominator)
    return "go_to_war" if war_worth(rules) > surrender_worth else "surrender"


def view_event(event: e.Event, viewer: Viewer) -> e.Event:
    """The event as the viewer may see it: a burned card that was shown to a player is that player's to know."""
    if isinstance(event, e.BurnViewed) and (viewer.role, viewer.player) != ("player", event.player):
        return e.BurnViewed(event.player, None, event.clauses)
    return event
