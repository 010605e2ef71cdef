"""Tables that the engine plays, with the shoes they were dealt from, for the kernel to be dealt the same cards."""

from collections.abc import Iterable, Mapping
from random import Random
from typing import Any, get_args, get_origin

import msgspec

from casinowar.cards import RANKS, SUITS
from casinowar.dealers import Session
from casinowar.engine import Event, Refusal
from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.rulebooks import BOOKS, Rulebook, RulebookError, load_with
from casinowar.rulebooks.vocabulary import KEYS
from casinowar.sim import PlanRefused, make_plan, offered_wagers
from casinowar.sim.leaf_account import is_played

NO_LIMIT = 10**12
ON_WAR = ("war_tie", "war_perfect_pairs")
ODDS = ("1:1", "2:1", "3:2", "1:2", "7:3", "push", "lose")
SAMPLES: dict[str, tuple[object, ...]] = {
    "cards.ranks": (RANKS, "A23456789TJQK", "K9T2A34567J8Q"),
    "settle.first": (
        ["settle initial, tie, a_bomb, perfect_pairs from left"],
        ["take then pay perfect_pairs, tie from right", "settle a_bomb from left", "take then pay initial from left"],
    ),
    "surrender.forfeit": ("1:2", "1:3", "1:1", "0:1"),
    "war.stake": ("1:1", "2:1", "3:2", "1:2"),
    "progressive.meter_share": ("1:1", "1:2", "2:3"),
    "progressive.unit": (500, 100, 7),
    "progressive.seed": (1_000_000, 77),
    "progressive.increment_bp": (1000, 0, 333),
    "progressive.envy": (100_000, 0, 7),
    "shoe.decks": (1, 2, 4, 6, 8),
    "shoe.marker_from_back": (0, 1, 5, 13, 26, 78),
    "shoe.burn_value": ({"A": 1, "J": 10, "Q": 10, "K": 10}, {"A": 11, "J": 2, "Q": 3, "K": 4, "5": 1}),
    "shoe.round_burn": (0, 1),
    "war.burn": (0, 1, 3),
    "war.burn_before_banker": (0, 1, 3),
    "bank.max_consecutive": (1, 2, 3),
    "bank.least_seated": (2,),
    "table.boxes": (8, 7),
    "limits.area_total_max": (0,),
    "limits.player_box_max": (0,),
}


class Played(msgspec.Struct):
    """A table as the engine played it: the cards stack by stack, and what each wager of each box netted by round."""

    cards: list[int]
    starts: list[int]
    nets: list[list[dict[str, int]]]
    bank: list[int]
    void: list[bool]


class VoidSession(Session):
    """A table where a round is void for which the shoe has run dry."""

    def _rule(self) -> list[Event]:
        self._is_dealing = False
        return self._accepted(c.Rule(action="void_round", reason="the shoe ran dry"))


def code(rules: Rulebook, card: str) -> int:
    return 4 * rules.cards.ranks.index(card[0]) + SUITS.index(card[1])


def samples(key: str) -> tuple[object, ...]:
    """Values that a leaf is tried with: all that its vocabulary lists, or some of very many."""
    if key in SAMPLES:
        return SAMPLES[key]
    if key.startswith("payout.progressive."):
        return ("lose",) if key.endswith("on_loss") else ("5:1", "3:2", "40:1")
    if key.startswith("payout.") and key.count(".") == 2:
        return ODDS
    if get_origin(KEYS[key]) is not None and all(isinstance(word, str) for word in get_args(KEYS[key])):
        return get_args(KEYS[key])
    return (True, False) if KEYS[key] is bool else ()


THEMES: tuple[dict[str, tuple[object, ...]], ...] = (
    {},
    {"shoe.decks": (1, 2), "shoe.marker_from_back": (0, 1, 3, 8, 20), "shoe.short": ("shuffle_discards", "pit_boss")},
    {"shoe.decks": (1,), "shoe.marker_from_back": (0, 2), "shoe.short": ("pit_boss",)},
    {"shoe.shuffler": ("continuous",), "shoe.loaded": ("unmarked",)},
    {"bank.model": samples("bank.model"), "bank.after_exhaustion": samples("bank.after_exhaustion")},
    {"progressive.suited_four": samples("progressive.suited_four"), "progressive.lines": samples("progressive.lines")},
)
"""What tables are made of that chance alone would seldom bring: small shoes, machines, banks, progressives."""


def random_rules(chance: Random) -> Rulebook:
    """A book with some of its leaves changed, of those that the simulation plays; as many options as house rules."""
    keys = [key for key in KEYS if is_played(key) and samples(key)]
    while True:
        book, theme = chance.choice(BOOKS), chance.choice(THEMES)
        settings: dict[str, object] = {"wager.progressive": True} if book == "ma" else {}
        settings |= {key: chance.choice(values) for key, values in theme.items()}
        settings |= {key: chance.choice(samples(key)) for key in chance.sample(keys, chance.randrange(6))}
        try:
            rules = load_with(book, settings, any_decks=True)
            make_plan(rules, boxes=2)
        except (RulebookError, PlanRefused):
            continue
        return rules


def deal_table(
    rules: Rulebook,
    chance: Random,
    *,
    boxes: int,
    wagers: Mapping[str, int],
    strategy: Iterable[Mapping[str, str]],
    rounds: int,
    bank_stake: int = 0,
    meter: int | None = None,
    is_void: bool = False,
    is_clumped: bool | None = None,
) -> Played:
    """Play a table with the engine: one player on each box, all with the same wagers."""

    if is_clumped is None:
        is_clumped = chance.random() < 0.4

    def shuffle(cards: Iterable[Any]) -> tuple[Any, ...]:
        order = list(cards)
        chance.shuffle(order)
        if is_clumped and isinstance(order[0], str):
            # Like cards lie together, so that wars, pairs and jackpots are frequent.
            first = {card: chance.random() for card in sorted(set(order))}
            by_rank = {rank: chance.random() for rank in RANKS}
            order.sort(key=lambda card: (by_rank[card[0]], first[card]))
            for _ in range(len(order) // 6):
                one, two = chance.randrange(len(order)), chance.randrange(len(order))
                order[one], order[two] = order[two], order[one]
        return tuple(order)

    session = (VoidSession if is_void else Session)(rules, shuffle, meter=meter)
    answers = list(strategy)
    for box in range(1, boxes + 1):
        session.must(c.BuyIn(player=f"p{box}", amount=NO_LIMIT))
        session.must(c.SeatPlayer(player=f"p{box}", box=box))
    played = Played([], [], [], [], [])
    for _ in range(rounds):
        banker = _take_bank(session, bank_stake, boxes)
        for box in range(1, boxes + 1):
            for wager, stake in wagers.items():
                if box != banker and wager not in ON_WAR:
                    session.must(c.PlaceWager(player=f"p{box}", box=box, wager=wager, amount=stake))  # type: ignore[arg-type]
        events = _finish_round(session, answers, wagers)
        nets: list[dict[str, int]] = [{} for _ in range(boxes)]
        for (box, wager, _), laid in session.table.round.wagers.items():
            name = "initial" if wager == "war" else wager
            net = 0 if laid.outcome == "void" else laid.paid + laid.returned - laid.amount
            nets[box - 1][name] = nets[box - 1].get(name, 0) + net
        played.nets.append(nets)
        played.void.append(any(laid.outcome == "void" for laid in session.table.round.wagers.values()))
        played.bank.append(sum(event.net for event in events if isinstance(event, e.BankReturned)))
    is_continuous = rules.shoe.shuffler == "continuous"
    for stack in session.stacks:
        if not is_continuous or not played.starts:
            played.starts.append(len(played.cards))
        played.cards += [code(rules, card) for card in stack.cards if card is not None]
    return played


def _take_bank(session: Session, stake: int, boxes: int) -> int:
    """The box whose turn it is to bank, 0 where the house does."""
    if session.rules.bank.by == "house":
        return 0
    player = session.bank_offers[0]
    box = int(player[1:])
    session.must(c.AcceptBank(player=player, box=box, stake=stake))
    return box


def _finish_round(session: Session, answers: list[Mapping[str, str]], wagers: Mapping[str, int]) -> list[Event]:
    events: list[Event] = []
    while True:
        done = session.deal()
        assert not isinstance(done, Refusal), done
        events += done
        if session.is_cut_due and session.is_deal_unfinished:
            session.cut_in_the_middle()
            continue
        if session.table.round.is_over:
            return events
        while session.table.phase == "deciding":
            box, player = session.table.round.asked[0]
            rank = session.table.round.hands[box][0][0]
            is_war = answers[box - 1][rank] == "war"
            events += session.must((c.GoToWar if is_war else c.Surrender)(player=player, box=box))
        table = session.table
        if table.round.is_over:
            return events
        if table.phase == "war_betting":
            events += _bet_on_war(session, wagers)


def _bet_on_war(session: Session, wagers: Mapping[str, int]) -> list[Event]:
    events: list[Event] = []
    for box in sorted(session.table.round.at_war):
        for wager in ON_WAR:
            if wager in wagers:
                placed = c.PlaceWager(player=f"p{box}", box=box, wager=wager, amount=wagers[wager])  # type: ignore[arg-type]
                events += session.must(placed)
    return events


def stakes_for(rules: Rulebook, chance: Random) -> dict[str, int]:
    """Some of the book's wagers with odd stakes; always the initial one unless the book takes others without."""
    chosen = {wager for wager in offered_wagers(rules) if chance.random() < 0.8} | {"initial"}
    step = 2 if rules.limits.require_even else 1
    return {
        wager: rules.progressive.unit * chance.randrange(1, 3)
        if wager == "progressive"
        else chance.randrange(2, 40, step)
        for wager in offered_wagers(rules)
        if wager in chosen
    }
