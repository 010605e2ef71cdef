"""The view: what one viewer may see of a table, as a pure function of the table and the viewer.

It holds no face of a burned card, and no advice unless the player who looks has asked for it.
"""

from fractions import Fraction
from typing import Literal

import msgspec

from casinowar.cards import Card
from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.decide.bank import candidates, is_declined_by_all, may_bank, most_owed
from casinowar.engine.decide.bank_cover import cover, matched_amount
from casinowar.engine.decide.betting import boxes_allowed, is_offered, own_boxes, refuse_place
from casinowar.engine.decide.draw_order import is_shuffle_due
from casinowar.engine.decide.preparation import is_cut_due
from casinowar.engine.decide.seats import war_worth
from casinowar.engine.decide.settlement import settle_surrender
from casinowar.engine.decide.shoe import can_cut, cut_bounds, cutter
from casinowar.engine.events import DEALER
from casinowar.engine.state import Phase, Table
from casinowar.engine.view.procedure import Step, procedure
from casinowar.engine.view.signs import Signs, WagerSpot, layout, signs
from casinowar.rulebooks import Rulebook
from casinowar.rulebooks.wagers import FIRST_DEAL, SIDE, WAR_DEAL

Role = Literal["player", "watcher", "dealer", "supervisor", "auditor"]
STAFF_VIEWS = ("dealer", "supervisor", "auditor")
"""What members of staff look on as: a manager and an operator as a supervisor does."""


class Viewer(msgspec.Struct, frozen=True):
    """Who looks: a player by name, or somebody of a role. `asks_advice` is a player's own wish."""

    role: Role
    player: str = ""
    asks_advice: bool = False


class Settled(msgspec.Struct, frozen=True):
    """A wager of the round that has been settled: what came of it, at which odds, and why."""

    player: str
    wager: str
    amount: int
    outcome: str
    paid: int
    returned: int
    odds: str | None
    clauses: tuple[str, ...]


class BoxView(msgspec.Struct, frozen=True):
    """One box: who sits there, what lies on it and whose, its cards, and what has been settled in this round.

    `open_wagers` are those for which this viewer has a place there now, though some may want a first wager before them.
    """

    box: int
    player: str | None
    wagers: tuple[tuple[str, str, int], ...]
    cards: tuple[Card, ...]
    is_at_war: bool
    settled: tuple[Settled, ...] = ()
    open_wagers: tuple[str, ...] = ()


class Choice(msgspec.Struct, frozen=True):
    """War or surrender: what a war puts down, what a surrender gives back, and whether it is this player's turn."""

    box: int
    player: str
    war: int
    back: int
    can_now: bool


class BankView(msgspec.Struct, frozen=True):
    """The button's place, the bank's chips, and the round of how many that it may be held.

    Of what it `covers`, `left` can still be paid out; `in_use` is what has been and what undecided wagers may take.
    """

    player: str
    box: int
    chips: int
    left: int
    covers: int
    in_use: int
    rounds: int = 1
    most_rounds: int = 0


class View(msgspec.Struct, frozen=True, kw_only=True):
    """A table as one viewer sees it. Money of others is told to staff alone.

    `open_wagers` are those that this viewer could put down now. `burned` cards lie face down beside the dealer's card,
    where this book has a war's burn lie there; a war burns `war_burn` in all. `is_closed` is said of the table; in the
    phase of that name bets alone are. Where `is_bet_final`, a wager stays as it was put down; where
    `is_initial_first`, the others come after the first. A viewer who `is_excluded` may take no part in the game any
    more. Where the bank is offered to nobody in particular, whoever `can_bank` may.
    """

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
    cut_bounds: tuple[int, int]
    can_cut: bool = False
    balance: int | None = None
    advice: str | None = None
    balances: dict[str, int] | None = None
    house: int | None = None
    incident: str | None = None
    procedure: tuple[Step, ...] = ()
    choices: tuple[Choice, ...] = ()
    open_wagers: tuple[str, ...] = ()
    is_player_banked: bool = False
    bank_offered_to: str | None = None
    can_bank: bool = False
    can_decline_bank: bool = False
    burned: int = 0
    war_burn: int = 0
    is_burn_beside: bool = False
    cut_card_in: int | None = None
    batch: int = 0
    is_closed: bool = False
    is_bet_final: bool = False
    is_initial_first: bool = False
    is_excluded: bool = False


class OwnView(msgspec.Struct, frozen=True):
    """The part of a view that is one viewer's alone; `places` are the open wagers of each box, from the first on."""

    balance: int | None = None
    advice: str | None = None
    can_cut: bool = False
    can_bank: bool = False
    is_excluded: bool = False
    open_wagers: tuple[str, ...] = ()
    places: tuple[tuple[str, ...], ...] = ()


Posted = tuple[Signs, tuple[WagerSpot, ...]]
"""The signs and the layout of a table, which seldom change."""


def view(
    rules: Rulebook, table: Table, viewer: Viewer, own: OwnView | None = None, posted: Posted | None = None
) -> View:
    """The table as this viewer sees it. Who has the viewer's own part or the signs already can hand them in."""
    round_, is_staff = table.round, viewer.role in STAFF_VIEWS
    is_on = not round_.is_over
    hands = {box: hand for box, hand in round_.hands.items() if is_on and box not in round_.collected}
    own = own or own_view(rules, table, viewer)
    signs_shown, layout_shown = posted or (signs(rules, table), layout(rules, table))
    is_due = is_shuffle_due(table)
    return View(
        signs=signs_shown,
        layout=layout_shown,
        phase=table.phase,
        round=round_.number,
        boxes=_boxes(rules, table, hands, own.places),
        dealer=hands.get(DEALER, ()),
        bank=_bank(rules, table),
        asked=round_.asked if is_on else (),
        shoe_left=table.shoe_left,
        discards=sum([len(cards) for _, cards in table.rack]),
        is_shuffle_due=is_due,
        cut_offered_to=cutter(rules, table) if is_due and not table.cut_made else None,
        cut_bounds=cut_bounds(rules),
        can_cut=own.can_cut,
        balance=own.balance,
        advice=own.advice,
        balances=table.players if is_staff else None,
        house=table.house if is_staff else None,
        incident=table.incident.kind if is_staff and table.incident else None,
        procedure=procedure(rules, table) if is_staff else (),
        choices=tuple(_choice(rules, table, box, player) for box, player in round_.asked) if is_on else (),
        open_wagers=own.open_wagers,
        is_player_banked=rules.bank.by == "player",
        bank_offered_to=_bank_offered_to(rules, table),
        can_bank=own.can_bank,
        can_decline_bank=rules.bank.by == "player" and rules.bank.optional,
        burned=round_.war_burns if is_on and rules.war.burn_place == "beside_dealer" else 0,
        war_burn=rules.war.burn + rules.war.burn_before_banker,
        is_burn_beside=rules.war.burn_place == "beside_dealer",
        cut_card_in=table.cut_in,
        batch=table.batch,
        is_closed=table.is_closed,
        is_bet_final=rules.wager.locked == "when_placed",
        is_initial_first=not rules.wager.tie_only,
        is_excluded=own.is_excluded,
    )


def own_view(rules: Rulebook, table: Table, viewer: Viewer) -> OwnView:
    """The viewer's own part; of somebody who is no player it is empty."""
    if viewer.role != "player":
        return OwnView(is_excluded=viewer.player in table.floor.excluded)
    open_wagers = _open_wagers(rules, table, viewer)
    return OwnView(
        table.players.get(viewer.player),
        _advice(rules, table, viewer),
        is_cut_due(rules, table) and can_cut(rules, table, viewer.player),
        _can_bank(rules, table, viewer),
        viewer.player in table.floor.excluded,
        open_wagers,
        _places(rules, table, viewer, open_wagers),
    )


def _bank(rules: Rulebook, table: Table) -> BankView | None:
    bank, turn = table.bank, table.bank_turn
    if bank is None:
        return None
    before = turn.rounds if turn is not None and turn.player == bank.player else 0
    covers = max(bank.stake, bank.left)
    in_use = covers - max(0, bank.left - most_owed(rules, table))
    return BankView(
        bank.player, bank.box, bank.chips, bank.left, covers, in_use, before + 1, rules.bank.max_consecutive
    )


def _bank_offered_to(rules: Rulebook, table: Table) -> str | None:
    """The player to whom the bank is offered; none where nobody has banked yet, or where all have declined."""
    if rules.bank.by == "house" or table.bank is not None or table.bank_turn is None:
        return None
    offered = candidates(rules, table)
    return None if not offered or (len(offered) > 1 and is_declined_by_all(table)) else offered[0]


def _can_bank(rules: Rulebook, table: Table, viewer: Viewer) -> bool:
    """Whether this viewer, who has a seat, could take the bank now."""
    is_free = rules.bank.by == "player" and table.bank is None and table.phase == "betting" and not table.is_closed
    is_seated = viewer.role == "player" and viewer.player in table.seats.values()
    return is_free and is_seated and may_bank(rules, table, viewer.player)


def _choice(rules: Rulebook, table: Table, box: int, player: str) -> Choice:
    laid = table.round.wagers[box, "initial", player]
    if table.bank is not None and rules.bank.model == "covered":
        laid = msgspec.structs.replace(laid, amount=matched_amount(rules, laid, table.bank.left))
    war = laid.amount * rules.war_stake.numerator // rules.war_stake.denominator
    if table.bank is not None:
        war = min(war, table.bank.left)
    back = sum(
        event.returned
        for event in cover(rules, table, [settle_surrender(rules, box, player, laid)])
        if isinstance(event, e.WagerSettled)
    )
    can_now = rules.decision.order == "any" or table.round.asked[0] == (box, player)
    return Choice(box, player, war, back, can_now)


def _open_wagers(rules: Rulebook, table: Table, viewer: Viewer) -> tuple[c.WagerName, ...]:
    """The wagers that the stage of play and the bank leave open; amounts and places are checked when a wager comes."""
    if viewer.role != "player" or table.is_closed or viewer.player in table.floor.excluded:
        return ()
    if table.phase == "betting":
        is_banked = rules.bank.by == "house" or (table.bank is not None and table.bank.player != viewer.player)
        return tuple(wager for wager in FIRST_DEAL if is_banked and is_offered(rules, wager))
    if table.phase not in ("deciding", "war_betting"):
        return ()
    is_at_war = any(
        wager == "war" and who == viewer.player and laid.outcome is None
        for (_, wager, who), laid in table.round.wagers.items()
    )
    is_free = rules.priority.war_perfect_pairs != "war_only" and bool(table.round.at_war)
    can_place = {"war_tie": is_at_war, "war_perfect_pairs": is_at_war or is_free}
    return tuple(wager for wager in WAR_DEAL if can_place[wager] and is_offered(rules, wager))


def _places(
    rules: Rulebook, table: Table, viewer: Viewer, wagers: tuple[c.WagerName, ...]
) -> tuple[tuple[str, ...], ...]:
    """Those of these wagers that the viewer could put down in each box, now or after an initial wager."""
    if not wagers or viewer.player not in table.players:
        return ()
    player, own = viewer.player, own_boxes(table.round, viewer.player)
    laid = () if table.round.is_over else table.round.wagers
    later = () if rules.wager.tie_only else SIDE
    is_full = bool(own) and len(own) >= boxes_allowed(rules, table, player)
    is_plain = table.phase == "betting" and rules.bank.by == "house"

    def is_place(box: int, wager: c.WagerName) -> bool:
        """Whether the ladder of refusals leaves a place; what it says most often is known without climbing it."""
        if is_plain and (box, wager, player) not in laid:
            if wager in later and (box, "initial", player) not in laid:
                return True
            if is_full and box not in own:
                return False
        refusal = refuse_place(rules, table, c.PlaceWager(player=player, box=box, wager=wager, amount=1), own)
        return refusal is None or refusal.reason == "initial_required"

    boxes = range(1, rules.table.boxes + 1)
    return tuple([tuple([wager for wager in wagers if is_place(box, wager)]) for box in boxes])


def _boxes(
    rules: Rulebook, table: Table, hands: dict[int, tuple[Card, ...]], places: tuple[tuple[str, ...], ...]
) -> tuple[BoxView, ...]:
    round_ = table.round
    wagers: dict[int, list[tuple[str, str, int]]] = {}
    settled: dict[int, list[Settled]] = {}
    for (box, wager, player), laid in () if round_.is_over else round_.wagers.items():
        if laid.outcome is None:
            wagers.setdefault(box, []).append((player, wager, laid.amount))
        else:
            settled.setdefault(box, []).append(
                Settled(player, wager, laid.amount, laid.outcome, laid.paid, laid.returned, laid.odds, laid.clauses)
            )
    return tuple(
        BoxView(
            box,
            table.seats.get(box),
            tuple(wagers.get(box, ())),
            hands.get(box, ()),
            not round_.is_over and box in round_.at_war,
            tuple(settled.get(box, ())),
            places[box - 1] if places else (),
        )
        for box in range(1, rules.table.boxes + 1)
    )


def _advice(rules: Rulebook, table: Table, viewer: Viewer) -> str | None:
    """The choice that costs less, as if drawn cards came back; only for a player who is asked and wants advice."""
    is_asked = any(player == viewer.player for _, player in table.round.asked) and not table.round.is_over
    if viewer.role != "player" or not viewer.asks_advice or not is_asked:
        return None
    surrender_worth = -Fraction(rules.forfeit.numerator, rules.forfeit.denominator)
    return "go_to_war" if war_worth(rules) > surrender_worth else "surrender"


def view_event(event: e.Event, viewer: Viewer) -> e.Event:
    """The event as the viewer may see it: a burned card that was shown to a player is that player's to know."""
    if isinstance(event, e.BurnViewed) and (viewer.role, viewer.player) != ("player", event.player):
        return e.BurnViewed(event.player, None, clauses=event.clauses)
    return event
