"""Rates of this machine: rounds of the engine, figures of the odds and rounds of the simulation in a second."""

import random
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from time import perf_counter

import msgspec

from casinowar.cards import DECK
from casinowar.engine import Refusal, Table, step
from casinowar.engine import commands as c
from casinowar.engine.decide.dealing import cards_due
from casinowar.engine.decide.draw_order import is_shuffle_due
from casinowar.engine.decide.shoe import cutter
from casinowar.odds import fresh
from casinowar.odds.data import odds_data
from casinowar.rulebooks import Rulebook, load_rulebook
from casinowar.sim import make_plan, run

STAKE, SEED = 100, 1
ENGINE_ROUNDS, SIM_ROUNDS = 200, 1 << 20


class Rate(msgspec.Struct, frozen=True):
    """How often something was done in a second; `per` is what was done, `count` how often in all."""

    what: str
    per: str
    count: int
    seconds: float

    @property
    def rate(self) -> float:
        return self.count / self.seconds


def rates(seconds: float, workers: int) -> Iterator[Rate]:
    """Each rate, measured for about so many seconds; those of the simulation only where its extra is installed."""
    rules = load_rulebook("nz")
    yield _measure("engine, 1 box, events included", "rounds", ENGINE_ROUNDS, seconds, EngineTable(rules).play)
    yield _measure("exact odds, all wagers of wa", "studies", 1, seconds, _Study(load_rulebook("wa")).reckon)
    if find_spec("numba") is None:
        return
    plans = {
        "simulation, initial and tie": make_plan(rules, wagers=("initial", "tie")),
        "simulation, all wagers of wa": make_plan(load_rulebook("wa")),
        "simulation, 7 boxes of wa": make_plan(load_rulebook("wa"), boxes=7),
    }
    for what, plan in plans.items():
        for threads in dict.fromkeys((1, workers)):
            chunks = 4 * threads
            told = f"{what}, {threads} thread{'s' if threads > 1 else ''}"

            def play(count: int, plan=plan, threads=threads) -> None:  # type: ignore[no-untyped-def]
                run(plan, SEED, count, workers=threads)

            yield _measure(told, "rounds", SIM_ROUNDS * chunks, seconds, play)


def _measure(what: str, per: str, portion: int, seconds: float, do: Callable[[int], None]) -> Rate:
    """Do it in portions until the time is over; the first portion is not counted, since it may compile."""
    do(portion)
    count, began = 0, perf_counter()
    while not count or perf_counter() - began < seconds:
        do(portion)
        count += portion
    return Rate(what, per, count, perf_counter() - began)


class _Study(msgspec.Struct):
    rules: Rulebook

    def reckon(self, times: int) -> None:
        for _ in range(times):
            odds_data(self.rules, fresh(self.rules.shoe.decks))


class EngineTable:
    """One player at a table of the engine, who goes to every war."""

    def __init__(self, rules: Rulebook) -> None:
        self.rules = rules
        self.table = Table()
        self.stack = list(DECK) * rules.shoe.decks
        self.at = 0
        self.shuffle = random.Random(SEED).shuffle
        self.do(c.OpenTable())

    def do(self, command: c.Command) -> None:
        done = step(self.rules, self.table, command)
        if isinstance(done, Refusal):
            raise RuntimeError(f"{command} was refused: {done.reason}")
        self.table = done[1]

    def play(self, rounds: int) -> None:
        self.do(c.BuyIn(player="p1", amount=2 * STAKE * rounds))
        for _ in range(rounds):
            self.do(c.PlaceWager(player="p1", box=1, wager="initial", amount=STAKE))
            while not self.table.round.is_over:
                self._deal()

    def _deal(self) -> None:
        if is_shuffle_due(self.table):
            self._load()
        while self.table.phase == "deciding":
            box, player = self.table.round.asked[0]
            self.do(c.GoToWar(player=player, box=box))
        count = cards_due(self.rules, self.table)
        self.do(c.Deal(cards=tuple(self.stack[self.at : self.at + count])))
        self.at += count

    def _load(self) -> None:
        self.shuffle(self.stack)
        self.at, cards, back = 0, len(self.stack), self.rules.shoe.marker_from_back
        if self.rules.shoe.cut_offered:
            self.do(c.Cut(player=cutter(self.rules, self.table), position=cards // 2))
        self.do(c.PlaceMarker(from_back=back))
        self.do(c.LoadShoe(cards=cards, cut_card=cards - back, presumed=True))
