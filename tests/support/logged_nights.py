"""Nights for tests, written to a store command by command as a live table writes them."""

import itertools
import json
import random
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from casinowar.cards import Card, composition
from casinowar.engine import Event, Refusal, Table, step
from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.decide.draw_order import is_shuffle_due
from casinowar.engine.decide.floor import rules_due
from casinowar.engine.view.procedure import procedure
from casinowar.house.house import House, Who
from casinowar.house.settings import BotSettings, HouseSettings, TableSettings
from casinowar.protocol import CommandFrame, Done
from casinowar.rulebooks import Rulebook
from casinowar.store import (
    CashedOut,
    CommandTaken,
    MemoryStore,
    Proposal,
    PurseFunded,
    Recalled,
    Recorded,
    cash_out,
    resolved,
    stand,
)

STREAM = "t1"
PURSE = 10**9
Taken = tuple[c.Command, Iterable[Event]]


class Log:
    """A store to which commands go with the events that came of them, some alone and some together."""

    def __init__(self, rules: Rulebook, players: Iterable[str], chance: random.Random) -> None:
        self.store = MemoryStore()
        self.chance = chance
        self.table = Table()
        self.version = 0
        self.numbers = 0
        self.waiting: list[Recorded] = []
        self.rules = rules
        self.write(resolved(rules), *(PurseFunded(player, PURSE, "server", "play money") for player in players))

    def take(self, command: c.Command, events: Iterable[Event]) -> None:
        self.write(CommandTaken(command, "as the floor says" if command.by else ""), *events)

    def write(self, *events: Recorded) -> None:
        """Kept back now and then, so that a commit has several commands."""
        self.waiting += events
        for event in events:
            self.table = stand(self.table, event)
        if self.chance.random() < 0.7:
            self.flush()

    def flush(self) -> None:
        if not self.waiting:
            return
        self.numbers += 1
        proposal = Proposal(
            stream=STREAM,
            expected=self.version,
            actor="server",
            command=str(self.numbers),
            body=b"",
            answer="",
            events=tuple(self.waiting),
            table=self.table,
        )
        self.version = self.store.commit(proposal).version
        self.waiting = []

    def read(self) -> list[Recalled]:
        self.flush()
        return list(self.store.read(STREAM))


def written(rules: Rulebook, players: Iterable[str], taken: Iterable[Taken], seed: int) -> list[Recalled]:
    """A night that was played elsewhere, as its log."""
    log = Log(rules, players, random.Random(seed))
    for command, events in taken:
        log.take(command, events)
    return log.read()


PLAYERS = ("ana", "ben", "cat", "dan", "eva")


class AutomaticNight:
    """An automatic dealer with whole shoes, players who bet, behind each other too, buy chips and carry them away."""

    def __init__(self, rules: Rulebook, seed: int) -> None:
        self.chance = random.Random(seed)
        self.rules = rules
        self.log = Log(rules, PLAYERS, self.chance)
        self.shoe: list[Card] = []
        self.out: list[Card] = []
        limit = c.Limit(minimum=500, maximum=20_000)
        self.must(c.OpenTable(limit=limit, limits={"tie": c.Limit(minimum=500)}, meter=self._meter()))
        for player in PLAYERS[:4]:
            self.must(c.BuyIn(player=player, amount=self.chance.choice((3_000, 50_000, 200_000))))
        for box, player in enumerate(PLAYERS[:3], start=1):
            self.must(c.SeatPlayer(player=player, box=box * 2))

    def _meter(self) -> int | None:
        return 12_345 if self.rules.wager.progressive else None

    @property
    def table(self) -> Table:
        return self.log.table

    def must(self, command: c.Command) -> None:
        assert self.may(command), (command, step(self.rules, self.table, command))

    def may(self, command: c.Command) -> bool:
        done = step(self.rules, self.table, command)
        if isinstance(done, Refusal):
            return False
        events, table = done
        before = self.table
        self.log.take(command, events)
        assert self.table == table
        for event in events:
            self._follow(event, before)
        return True

    def _follow(self, event: Event, before: Table) -> None:
        match event:
            case e.ShoeLoaded():
                hands = before.round.hands.items() if before.queue else ()
                lying = [card for box, hand in hands if box not in before.round.collected for card in hand]
                cards = composition(self.rules.shoe.decks)
                cards.subtract(lying)
                self.shoe = list(cards.elements())
                self.chance.shuffle(self.shoe)
                self.shoe, self.out = self.shoe[: event.cards], []
            case e.CardDealt() | e.CardBurned() | e.CardDiscarded() | e.CardPlacedAhead():
                self.out.append(self.shoe.pop(0))
            case e.DiscardsReturned():
                self.shoe += self.out
                self.out = []
                self.chance.shuffle(self.shoe)

    def play(self, rounds: int, between: Callable[["AutomaticNight"], None] = lambda night: None) -> None:
        while self.table.round.number < rounds or not self.table.round.is_over:
            self.go_on(between)

    def go_on(self, between: Callable[["AutomaticNight"], None]) -> None:
        self._change_decks()
        following = procedure(self.rules, self.table)[0]
        if following.act in ("invite", "offer_bank"):
            between(self)
            self.bet()
        elif following.act == "decide":
            self.decide()
        elif following.act == "rule":
            is_dry = self.table.incident is not None and self.table.incident.kind == "short_shoe"
            action: c.Action = "shuffle_discards" if is_dry else "stand"
            self.must(c.Rule(action=action, reason="as it lies", by="operator:o1"))
        elif following.act == "cut" and following.player and self.chance.random() < 0.3:
            self.must(c.DeclineCut(player=following.player))
        elif following.turns_card:
            face = self.shoe[0] if following.act == "draw" or self._is_turned_up(following.burn) else None
            assert isinstance(following.command, c.Deal | c.InitialBurn)
            self.must(msgspec.structs.replace(following.command, cards=(face,)))
        else:
            if self.table.phase == "war_betting" and self.chance.random() < 0.5:
                self.bet_on_the_war()
            assert following.command is not None
            self.must(following.command)
        if self.chance.random() < 0.05:
            self.carry()

    def _is_turned_up(self, burn: Any) -> bool:
        return burn in ("opening", "midround") and self.rules.shoe.initial_burn == "face_up_plus_value"

    def _change_decks(self) -> None:
        rules = rules_due(self.rules, self.table)
        if is_shuffle_due(self.table) and rules is not self.rules:
            self.rules = rules
            self.log.write(resolved(rules))

    def bet(self) -> None:
        if self.rules.bank.by == "player" and self.table.bank is None:
            self.take_bank()
        kinds: tuple[Any, ...] = ("initial", "tie", "a_bomb", "perfect_pairs", "progressive")
        for _ in range(self.chance.randint(2, 10)):
            wager = self.chance.choice(("initial", "initial", *kinds))
            box = self.chance.choice((1, 2, 2, 4, 4, 6))
            amount = 500 * self.chance.randint(1, 8)
            player = self.chance.choice(PLAYERS)
            self.may(c.PlaceWager(player=player, box=box, wager=wager, amount=amount, by=self.chance.choice(BETTORS)))
            self.may(c.WithdrawWager(player=player, box=box, wager=wager)) if self.chance.random() < 0.1 else None
        for player in PLAYERS[:4]:
            if self.table.players[player] < 3_000:
                self.must(c.BuyIn(player=player, amount=20_000))

    def take_bank(self) -> None:
        for box, player in [*self.table.seats.items()]:
            self.may(c.DeclineBank(player=player)) if self.chance.random() < 0.3 else None
            stake = self.chance.choice((1_000, 4_000, 30_000))
            if self.may(c.AcceptBank(player=player, box=box, stake=stake)):
                return

    def decide(self) -> None:
        asked = self.table.round.asked
        box, player = asked[0]
        if self.chance.random() < 0.3 and player in self.table.players:
            self.must(c.BuyIn(player=player, amount=5_000))
        if self.chance.random() < 0.3 or not self.may(c.GoToWar(player=player, box=box)):
            self.must(c.Surrender(player=player, box=box))

    def bet_on_the_war(self) -> None:
        for box, wager, player in [*self.table.round.wagers]:
            if wager == "war":
                kinds: tuple[c.WagerName, ...] = ("war_tie", "war_perfect_pairs")
                for kind in kinds:
                    self.may(c.PlaceWager(player=player, box=box, wager=kind, amount=500))

    def carry(self) -> None:
        """Somebody comes with chips, or goes with some."""
        player = self.chance.choice(PLAYERS)
        done = cash_out(self.table, player, 700)
        if isinstance(done, CashedOut):
            self.log.write(done)
        else:
            self.must(c.BuyIn(player=player, amount=self.chance.choice((0, 10_000))))


class LiveNight:
    """A live table with bots, at which ana and ben bet, choose, bank, and come and go with chips; the clock is ours."""

    def __init__(self, book: str, options: dict[str, object], seed: int) -> None:
        self.chance = random.Random(seed)
        self.clock = 0
        self.store = MemoryStore()
        bots = tuple(BotSettings(strategy=one) for one in ("war", "tie", "surrender"))
        table = TableSettings(name=STREAM, rulebook=book, options=options, bots=bots)
        self.house = House(self.store, HouseSettings(tables=(table,)), tick=lambda: self.clock)
        self.live = self.house.tables[STREAM]
        self.ids = itertools.count()
        for player in ("ana", "ben"):
            self.house.welcome(player)
            self.house.present(player, STREAM, True)
            free = (box for box in range(1, 8) if box not in self.live.table.seats)
            assert self.ask(player, do="sit", box=next(free))

    def ask(self, who: str, **command: object) -> bool:
        raw = msgspec.Raw(json.dumps(command).encode())
        ask = CommandFrame(id=f"i{next(self.ids)}", table=STREAM, expected=self.live.version, command=raw)
        return isinstance(self.house.act(Who(who), ask), Done)

    def play(self, rounds: int) -> list[Recalled]:
        while self.live.table.round.number < rounds or not self.live.table.round.is_over:
            due = self.house.advance()
            for player in ("ana", "ben"):
                self.act(player)
            self.clock += due or 1000
        return list(self.store.read(self.live.stream))

    def act(self, player: str) -> None:
        table = self.live.table
        box = next((box for box, who in table.seats.items() if who == player), 0)
        if self.chance.random() < 0.05:
            self.ask(player, do=self.chance.choice(("buy_chips", "cash_chips")), amount=700)
        if self.live.rules.bank.by == "player" and table.bank is None:
            self.ask(player, do="accept_bank", player=player, box=box, stake=5000)
        laid = table.round.wagers if table.has_wagers else {}
        if table.phase == "betting" and (box, "initial", player) not in laid:
            for wager in ("initial", self.chance.choice(("tie", "a_bomb", "perfect_pairs", "progressive"))):
                self.ask(player, do="place_wager", player=player, box=box, wager=wager, amount=1000)
        if (box, player) in table.round.asked and self.chance.random() < 0.5:
            self.ask(player, do="go_to_war", player=player, box=box)


BETTORS = (None, None, "dealer:d1")
