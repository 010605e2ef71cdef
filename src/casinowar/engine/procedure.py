"""The procedure: what the dealer does next, in order, each act with its clauses. Automation has no other source."""

from typing import Literal

import msgspec

from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.bank import candidates
from casinowar.engine.dealing import is_cut_card_first, refuse_deal
from casinowar.engine.draws import BURN_KEYS, first_draws, is_marked, is_shuffle_due, load_clauses, war_draws
from casinowar.engine.events import DEALER
from casinowar.engine.evolve import evolve_all
from casinowar.engine.opening import preparation, steps_due
from casinowar.engine.settling import next_act
from casinowar.engine.shoe import cutter
from casinowar.engine.signatures import BY_ROLE, FLOOR
from casinowar.engine.state import Table
from casinowar.rulebooks import Rulebook

Act = Literal[
    "rule",
    "inspect",
    "verify",
    "spread",
    "wash",
    "pre_load",
    "shuffle",
    "swap_batch",
    "cut",
    "marker",
    "load",
    "offer_bank",
    "invite",
    "call",
    "show_cut_card",
    "burn",
    "draw",
    "take",
    "pay",
    "give_back",
    "offer",
    "decide",
    "settle",
    "end_round",
]


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One act of the dealer. `command` does it, with the card's face put in where the act turns a card.

    `waits_for` is who must choose first: a player, or whoever rules. A cut is shown as if made in the middle; `role` is
    whose act it is, where the book leaves it to another member of staff.
    `amount` is what is taken or paid; what is given back of the stake stands beside it, and `kept` is what of a stake
    the dealer takes although the wager is paid.
    """

    act: Act
    command: c.Command | None = None
    clauses: tuple[str, ...] = ()
    box: int | None = None
    player: str | None = None
    wager: str | None = None
    amount: int = 0
    returned: int = 0
    kept: int = 0
    burn: e.Burn | None = None
    waits_for: str | None = None
    role: str | None = None

    @property
    def turns_card(self) -> bool:
        return self.act in ("burn", "draw")


def procedure(rules: Rulebook, table: Table) -> tuple[Step, ...]:
    """What the dealer does from here, as far as it is known before the next card or choice."""
    if table.is_closed:
        return ()
    if table.incident is not None:
        clauses = rules.clauses["irreg.arbiter"]
        return (Step(act="rule", box=table.incident.box or None, waits_for=rules.irreg.arbiter, clauses=clauses),)
    if table.phase == "deciding":
        return tuple(
            Step(act="decide", box=box, player=player, waits_for=player, clauses=rules.clauses["decision.timing"])
            for box, player in table.round.asked
        )
    if is_shuffle_due(table):
        return _stack(rules, table)
    if table.phase == "betting" and refuse_deal(rules, table):
        return _offer(rules, table) or (_invitation(rules),)
    if is_cut_card_first(rules, table):
        return (Step(act="show_cut_card", command=c.Deal(), clauses=rules.clauses["shoe.cut_first_card"]),)
    if table.phase == "dealing" and not table.queue:
        return _settlement(rules, table)
    return _cards(rules, table)


def _invitation(rules: Rulebook) -> Step:
    """No wager lies yet; where the book has the dealer ask for them, that is an act."""
    is_asked = rules.betting.opens == "by_invitation"
    clauses = rules.clauses["betting.opens" if is_asked else "betting.closes"]
    return Step(act="invite", command=c.OpenBetting() if is_asked else None, waits_for="players", clauses=clauses)


def _offer(rules: Rulebook, table: Table) -> tuple[Step, ...]:
    """Where players bank and nobody does, the bank is offered to whoever is next in turn, the first of all by box."""
    seated = dict.fromkeys(table.seats[box] for box in sorted(table.seats))
    if rules.bank.by == "house" or table.bank is not None or len(seated) < rules.bank.least_seated:
        return ()
    offered = candidates(rules, table)
    if offered is None:
        offered = [player for player in seated if player not in table.bank_declined] or list(seated)
    clauses = rules.clauses["bank.rotation"]
    return tuple(
        Step(act="offer_bank", command=c.OfferBank(player=player), player=player, waits_for=player, clauses=clauses)
        for player in offered[:1]
    )


def _stack(rules: Rulebook, table: Table) -> tuple[Step, ...]:
    """The cards' way into the shoe. Between rounds it is walked whether or not a wager lies."""
    middle = 26 * rules.shoe.decks
    player = cutter(rules, table)
    cards = 52 * rules.shoe.decks - _in_play(table)
    from_back = rules.shoe.marker_from_back
    commands: dict[str, c.Command] = {
        "inspect": c.InspectCards(),
        "verify": c.VerifyCards(),
        "spread": c.SpreadForInspection(players=table.arrivals),
        "spread_2": c.SpreadForInspection(players=table.arrivals, batch=2),
        "wash": c.Wash(),
        "pre_load": c.Shuffle(before_load=True),
        "shuffle": c.Shuffle(steps=steps_due(rules, table)),
        "swap_batch": c.SwapBatch(),
        "cut": c.Cut(player=player, position=middle),
        "marker": c.PlaceMarker(from_back=from_back),
    }
    steps = [
        Step(
            act=step.removesuffix("_2"),  # type: ignore[arg-type]
            command=commands[step],
            clauses=_last_cut(rules, commands[step]) or clauses,
            player=player if step == "cut" else None,
            waits_for=player if step == "cut" else None,
            role=_others_role(rules, commands[step]),
        )
        for step, clauses in preparation(rules, table)
    ]
    marker = max(0, cards - from_back) if is_marked(rules) else None
    load = c.LoadShoe(cards=cards, cut_card=marker)
    return (*steps, Step(act="load", command=load, amount=cards, clauses=load_clauses(rules)))


def _last_cut(rules: Rulebook, command: c.Command) -> tuple[str, ...]:
    """Where nobody at the table cuts, another clause says who does."""
    return rules.clauses["shoe.cut_last"] if isinstance(command, c.Cut) and command.player is None else ()


def _others_role(rules: Rulebook, command: c.Command) -> str | None:
    """Whose act it is where it is not the dealer's: the floor's, or a last cut that the book leaves to a supervisor."""
    if isinstance(command, c.Cut):
        return "supervisor" if command.player is None and rules.shoe.cut_last == "supervisor" else None
    return None if "dealer" in BY_ROLE.get(type(command), FLOOR) else FLOOR[0]


def _in_play(table: Table) -> int:
    """Cards on the layout, which a shuffle in the middle of a round leaves where they are."""
    round_ = table.round
    if not table.queue:
        return 0
    return sum(len(hand) for box, hand in round_.hands.items() if box not in round_.collected)


def _cards(rules: Rulebook, table: Table) -> tuple[Step, ...]:
    """The call where the deal has not begun, the draws, and the settlement that they lead to."""
    steps: list[Step] = []
    draws = table.queue
    if table.phase == "war_betting":
        steps.append(Step(act="call", command=c.Deal(), clauses=rules.clauses["deal.war"]))
        draws = war_draws(rules, table)
    elif not draws:
        wagers = table.round.wagers
        boxes = table.round.boxes or tuple(sorted({box for box, _, _ in wagers}))
        steps.append(Step(act="call", command=c.Deal(), clauses=rules.clauses["betting.closes"]))
        draws = first_draws(rules, table, boxes)
    is_war = table.phase == "war_betting" or bool(table.round.at_war)
    turn = c.Deal(hold=True)
    for draw in draws:
        if isinstance(draw, int):
            key = ("deal.war" if is_war else "deal.to") if draw else "deal.war_dealer" if is_war else "deal.dealer"
            steps.append(Step(act="draw", command=turn, box=draw, clauses=rules.clauses[key]))
        else:
            steps.append(Step(act="burn", command=turn, burn=draw, clauses=rules.clauses[BURN_KEYS[draw]]))
    settling = rules.clauses["settle.war" if is_war else "settle.first"]
    return (*steps, Step(act="settle", command=c.Settle(), clauses=settling))


def _settlement(rules: Rulebook, table: Table) -> tuple[Step, ...]:
    """Every take and every payment with its amount, until somebody must choose or the round is over."""
    steps: list[Step] = []
    while table.phase == "dealing":
        following = next_act(rules, table)
        steps += _told(rules, following)
        table = evolve_all(table, following)
    return tuple(steps)


def _told(rules: Rulebook, events: list[e.Event]) -> list[Step]:
    first, one = events[0], c.Settle(wagers=1)
    if isinstance(first, e.WagerSettled):
        act: Act = "pay" if first.paid else "give_back" if first.returned == first.amount else "take"
        return [
            Step(
                act=act,
                command=one,
                clauses=first.clauses,
                box=first.box,
                player=first.player,
                wager=first.wager,
                amount=first.paid or first.amount - first.returned,
                returned=first.returned,
                kept=first.amount - first.returned if first.paid else 0,
            )
        ]
    if any(isinstance(event, e.RoundEnded) for event in events):
        return [Step(act="end_round", command=c.EndRound(), clauses=rules.clauses["discard.order"], box=DEALER)]
    asked = [event for event in events if isinstance(event, e.WarOffered)]
    offers = [Step(act="offer", command=one, clauses=ask.clauses, box=ask.box, player=ask.player) for ask in asked]
    return offers or [Step(act="settle", command=one, clauses=rules.clauses["decision.timing"])]
