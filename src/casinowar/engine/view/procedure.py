"""The procedure: what the dealer does next, in order, each act with its clauses. Automation has no other source."""

from typing import Literal

import msgspec
from msgspec.structs import replace

from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.decide.bank import candidates
from casinowar.engine.decide.dealing import is_burn_cut_off, is_cut_card_first, refuse_deal
from casinowar.engine.decide.draw_order import (
    BURN_KEYS,
    burn_draws,
    first_draws,
    is_marked,
    is_mid_round,
    is_shuffle_due,
    load_clauses,
    war_draws,
)
from casinowar.engine.decide.manual_settlement import next_act
from casinowar.engine.decide.preparation import preparation, steps_due
from casinowar.engine.decide.shoe import cutter
from casinowar.engine.events import DEALER
from casinowar.engine.evolve import evolve_all
from casinowar.engine.roles import least_role
from casinowar.engine.state import Table
from casinowar.rulebooks import Rulebook, clauses_in_case

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
    if is_burn_cut_off(rules, table):
        return (Step(act="show_cut_card", command=c.InitialBurn(), clauses=rules.clauses["shoe.cut_mid_round"]),)
    if burn_draws(rules, table):
        return _opening_burn(rules, table)
    if table.phase == "betting" and refuse_deal(rules, table):
        return _offer(rules, table) or (_invitation(rules),)
    if is_cut_card_first(rules, table):
        return (Step(act="show_cut_card", command=c.Deal(), clauses=rules.clauses["shoe.cut_first_card"]),)
    if table.phase == "dealing" and not table.queue:
        return _settlement(rules, table)
    return _cards(rules, table)


def _opening_burn(rules: Rulebook, table: Table) -> tuple[Step, ...]:
    """The burn that a shoe has as soon as it is loaded, and what comes after it."""
    burns = (_burn(rules, draw, c.InitialBurn()) for draw in burn_draws(rules, table) if not isinstance(draw, int))
    return (*burns, *procedure(rules, replace(table, opening_burn=False, queue=())))


def _burn(rules: Rulebook, burn: e.Burn, command: c.Command) -> Step:
    return Step(act="burn", command=command, burn=burn, clauses=clauses_in_case(rules, BURN_KEYS[burn], burn))


def _invitation(rules: Rulebook) -> Step:
    """The dealer's call for wagers while none lies yet, where the book has one."""
    is_asked = rules.betting.opens == "by_invitation"
    clauses = rules.clauses["betting.opens" if is_asked else "betting.closes"]
    return Step(act="invite", command=c.OpenBetting() if is_asked else None, waits_for="players", clauses=clauses)


def _offer(rules: Rulebook, table: Table) -> tuple[Step, ...]:
    """The dealer's offer of the bank where players bank and nobody does: the next in turn, the first of all by box."""
    seated = len(set(table.seats.values()))
    if rules.bank.by == "house" or table.bank is not None or seated < rules.bank.least_seated:
        return ()
    clauses = rules.clauses["bank.rotation"]
    return tuple(
        Step(act="offer_bank", command=c.OfferBank(player=player), player=player, waits_for=player, clauses=clauses)
        for player in candidates(rules, table)[:1]
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
    """The clause that says who cuts where nobody at the table does."""
    return rules.clauses["shoe.cut_last"] if isinstance(command, c.Cut) and command.player is None else ()


def _others_role(rules: Rulebook, command: c.Command) -> str | None:
    """Whose act it is where it is not the dealer's: the floor's, or a last cut that the book leaves to a supervisor."""
    if isinstance(command, c.Cut):
        return "supervisor" if command.player is None and rules.shoe.cut_last == "supervisor" else None
    least = least_role(rules, command)
    return None if least == "dealer" else least


def _in_play(table: Table) -> int:
    """Cards on the layout, which a shuffle in the middle of a round leaves where they are."""
    round_ = table.round
    if not is_mid_round(table):
        return 0
    return sum(len(hand) for box, hand in round_.hands.items() if box not in round_.collected)


def _cards(rules: Rulebook, table: Table) -> tuple[Step, ...]:
    """The call where the deal has not begun, the draws, and the settlement that they lead to."""
    steps: list[Step] = []
    draws = table.queue if is_mid_round(table) else ()
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
            steps.append(_burn(rules, draw, turn))
    settling = rules.clauses["settle.war" if is_war else "settle.first"]
    return (*steps, Step(act="settle", command=c.Settle(), clauses=settling))


def _settlement(rules: Rulebook, table: Table) -> tuple[Step, ...]:
    """Every take and every payment with its amount, until somebody must choose or the round is over."""
    steps: list[Step] = []
    while table.phase == "dealing":
        following = next_act(rules, table)
        steps += _steps_of(rules, following)
        table = evolve_all(table, following)
    return tuple(steps)


def _steps_of(rules: Rulebook, events: list[e.Event]) -> list[Step]:
    first, one = events[0], c.Settle(wagers=1)
    if isinstance(first, e.WagerSettled | e.WagerLimited | e.MatchLimited):
        return [_one_wager(events)]
    if any(isinstance(event, e.RoundEnded) for event in events):
        return [Step(act="end_round", command=c.EndRound(), clauses=rules.clauses["discard.order"], box=DEALER)]
    asked = [event for event in events if isinstance(event, e.WarOffered)]
    offers = [Step(act="offer", command=one, clauses=ask.clauses, box=ask.box, player=ask.player) for ask in asked]
    return offers or [Step(act="settle", command=one, clauses=rules.clauses["decision.timing"])]


def _one_wager(events: list[e.Event]) -> Step:
    """One wager taken, paid or given back; what a bank does not cover of it goes back with that."""
    *before, last = events
    back = sum(one.placed - one.amount for one in before if isinstance(one, e.WagerLimited))
    if isinstance(last, e.MatchLimited):
        back = last.placed - last.amount
        return _give_back(last, "initial", back)
    assert isinstance(last, e.WagerSettled)
    if not last.paid and last.returned == last.amount:
        return _give_back(last, last.wager, last.returned)
    return Step(
        act="pay" if last.paid else "take",
        command=c.Settle(wagers=1),
        clauses=last.clauses,
        box=last.box,
        player=last.player,
        wager=last.wager,
        amount=last.paid or last.amount - last.returned,
        returned=last.returned + back,
        kept=last.amount - last.returned if last.paid else 0,
    )


def _give_back(event: e.WagerSettled | e.MatchLimited, wager: str, amount: int) -> Step:
    return Step(
        act="give_back",
        command=c.Settle(wagers=1),
        clauses=event.clauses,
        box=event.box,
        player=event.player,
        wager=wager,
        returned=amount,
    )
