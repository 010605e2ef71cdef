"""A million rounds with the progressive, whose ledger must come to nothing after each of them.

start + increments + seeds - paid - end = 0: increments are reckoned here from the wagers of the rounds that stood, paid
is what players were given of the meter, and both leave the engine's own events about its meter aside. The cards are
few and come back, so that jackpots, several in one round too, and hands made void are frequent.
"""

import argparse
import random
import sys
from collections.abc import Iterator
from time import perf_counter
from typing import NamedTuple

from casinowar.cards import Card
from casinowar.engine import Event, Refusal, Table, step
from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.decide.dealing import cards_due
from casinowar.engine.decide.draw_order import is_shuffle_due
from casinowar.engine.decide.shoe import cutter
from casinowar.rulebooks import Rulebook, load_rulebook

SEED = 1
CARDS = tuple(map(Card, ("Kh", "Kh", "Kh", "Ks", "7h", "7c")))
STAKES = (500, 1000, 3500)
ONE_VOID_IN = 40


class Ledger(NamedTuple):
    """What became of the meter over the rounds that were played."""

    rounds: int
    start: int
    increments: int
    seeds: int
    paid: int
    end: int
    jackpots: int
    shared: int
    void: int

    @property
    def rest(self) -> int:
        return self.start + self.increments + self.seeds - self.paid - self.end


class Meter:
    """One table with two or three players on it, all with a progressive wager."""

    def __init__(self, rules: Rulebook, players: int = 2) -> None:
        self.rules = rules
        self.chance = random.Random(SEED)
        self.players = [f"p{box}" for box in range(1, players + 1)]
        self.table = Table()
        self.do(c.OpenTable())
        for player in self.players:
            self.do(c.BuyIn(player=player, amount=10**12))

    def do(self, command: c.Command) -> list[Event]:
        done = step(self.rules, self.table, command)
        if isinstance(done, Refusal):
            raise RuntimeError(f"{command} was refused: {done.reason}")
        self.table = done[1]
        return done[0]

    def ledgers(self) -> Iterator[Ledger]:
        """The ledger after each round, without end."""
        at = Ledger(0, self.table.meter, 0, 0, 0, self.table.meter, 0, 0, 0)
        while True:
            stakes = self.bet()
            events = self.play()
            hits = [item.amount for event in events for item in getattr(event, "items", ()) if item.item == "meter"]
            is_void = any(isinstance(event, e.RoundVoided) for event in events)
            rate = self.rules.progressive.increment_bp
            at = Ledger(
                at.rounds + 1,
                at.start,
                at.increments + (0 if is_void else sum(stake * rate // 10_000 for stake in stakes)),
                at.seeds + (self.rules.progressive.seed if hits else 0),
                at.paid + sum(hits),
                self.table.meter,
                at.jackpots + len(hits),
                at.shared + (len(hits) > 1),
                at.void + is_void,
            )
            yield at

    def bet(self) -> list[int]:
        stakes = [self.chance.choice(STAKES) for _ in self.players]
        for box, (player, stake) in enumerate(zip(self.players, stakes, strict=True), 1):
            self.do(c.PlaceWager(player=player, box=box, wager="initial", amount=100))
            self.do(c.PlaceWager(player=player, box=box, wager="progressive", amount=stake))
        return stakes

    def play(self) -> list[Event]:
        """From the call to the end of the round; a void one ends with the second card that lies face up."""
        events: list[Event] = []
        while not self.table.round.is_over:
            if is_shuffle_due(self.table):
                self.load()
            if self.table.phase == "deciding":
                box, player = self.table.round.asked[0]
                goes = self.chance.random() < 0.9
                events += self.do(c.GoToWar(player=player, box=box) if goes else c.Surrender(player=player, box=box))
                continue
            drawn = tuple(self.chance.choices(CARDS, k=cards_due(self.rules, self.table)))
            if self.chance.randrange(ONE_VOID_IN) == 0:
                events += self.do(c.Deal(cards=drawn[:1], hold=True))
                events += self.do(c.ReportFaceUpCard(card=CARDS[0]))
                events += self.do(c.ReportFaceUpCard(card=CARDS[0]))
            else:
                events += self.do(c.Deal(cards=drawn))
        return events

    def load(self) -> None:
        cards = 52 * self.rules.shoe.decks
        behind = self.rules.shoe.marker_from_back
        self.do(c.Cut(player=cutter(self.rules, self.table), position=cards // 2))
        self.do(c.PlaceMarker(from_back=behind))
        self.do(c.LoadShoe(cards=cards, cut_card=cards - behind, presumed=True))


def reconcile(rules: Rulebook, rounds: int, players: int = 2, seconds: float | None = None) -> Ledger:
    """Play on until the rounds or the seconds are over; a ledger that does not come to nothing is an error."""
    begin = perf_counter()
    for ledger in Meter(rules, players).ledgers():
        if ledger.rest:
            raise RuntimeError(f"round {ledger.rounds}: {ledger.rest} is unaccounted for: {ledger}")
        if ledger.rounds == rounds or (seconds is not None and perf_counter() - begin > seconds):
            break
    return ledger


def main() -> None:
    parser = argparse.ArgumentParser(description="Reconcile the progressive's meter over many rounds.")
    parser.add_argument("--rounds", type=int, default=1_000_000, metavar="N")
    parser.add_argument("--seconds", type=float, default=900, metavar="S", help="stop after so long in any case")
    options = parser.parse_args()
    begin = perf_counter()
    rules = load_rulebook("ma", {"wager.progressive": True})
    at = reconcile(rules, options.rounds, seconds=options.seconds)
    took = perf_counter() - begin
    print(f"{at.rounds:,} rounds in {took:.0f} s, {at.jackpots:,} jackpots, {at.shared:,} times two, {at.void:,} void")
    for name in ("start", "increments", "seeds", "paid", "end"):
        print(f"{name:10} {'-' if name in ('paid', 'end') else '+'} {getattr(at, name):>20,}")
    print(f"{'':10} = {at.rest:>20,}")
    if at.rounds < options.rounds:
        sys.exit(f"stopped after {took:.0f} s with {options.rounds - at.rounds:,} rounds to go")


if __name__ == "__main__":
    main()
