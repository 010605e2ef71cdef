"""A night at live tables for tests: a house with a clock that only the test moves, and people who ask things of it."""

import itertools
import json
import os
import random
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import msgspec

from casinowar.cards import Card
from casinowar.engine import Table
from casinowar.engine import events as e
from casinowar.engine.decide.betting import is_offered
from casinowar.engine.decide.shoe import cutter
from casinowar.fairness import ByteSource, check_series, check_shoe, practice_bytes, promise
from casinowar.house.house import House, Who
from casinowar.house.settings import HouseSettings, TableSettings, Timers
from casinowar.house.table.table import LiveTable
from casinowar.protocol import Answer, CommandFrame, Done, Part, Refused
from casinowar.store import (
    CommandTaken,
    MemoryStore,
    Recalled,
    Recorded,
    ShoeCommitted,
    ShoeOpened,
    ShoeSealed,
    Store,
    audit,
)
from casinowar.store.contract import Head

HOUR = 3_600_000
NOON = 1_700_049_600_000
"""Milliseconds UTC; the days of players' limits are far from their ends."""

STAFF: dict[str, frozenset[str]] = {
    "dora": frozenset({"dealer"}),
    "sue": frozenset({"supervisor"}),
    "sam": frozenset({"supervisor"}),
    "mia": frozenset({"manager"}),
    "oz": frozenset({"operator"}),
    "una": frozenset({"supervisor", "operator", "dealer"}),
}
FAST = Timers(betting=15, decision=20, war_betting=8, cut=10, entropy=3, bank=15, pause=0, card=0, absent=180)
"""The usual windows without time to look at cards."""

IDS = itertools.count(1)
"""Over all nights, so that a house may go on in another one."""

Event = TypeVar("Event", bound=Recorded)


def table(name: str = "t", rulebook: str = "nz", **changed: Any) -> TableSettings:
    """A table with the usual windows; what is changed is told as in a tables file."""
    return msgspec.structs.replace(msgspec.convert({"name": name, "rulebook": rulebook, **changed}, TableSettings))


NIGHTS: Counter[str] = Counter()
"""How many nights a test has begun: each has cards of its own."""


def source_of_test() -> ByteSource:
    name = os.environ.get("PYTEST_CURRENT_TEST", "").partition(" ")[0]
    NIGHTS[name] += 1
    return practice_bytes(name, NIGHTS[name])


class Clock:
    """Two clocks: the monotonic one of deadlines, and the wall's, which can be set to anything."""

    def __init__(self) -> None:
        self.ticks = 0
        self.wall = NOON

    def tick(self) -> int:
        return self.ticks

    def now(self) -> int:
        return self.wall

    def pass_(self, ms: int) -> None:
        self.ticks += ms
        self.wall += ms


class Night:
    """Everybody who acts is welcomed first and looks at the table, unless the test says otherwise.

    Unless a source is given, the name of the test decides the cards: a test that fails once fails every time.
    """

    def __init__(
        self,
        *tables: TableSettings,
        store: Store | None = None,
        clock: Clock | None = None,
        source: ByteSource | None = None,
        **settings: Any,
    ) -> None:
        self.clock = clock or Clock()
        self.store: Store = store or MemoryStore(self.clock.now)
        self.settings = HouseSettings(tables=tables or (table(timers=FAST),), **settings)
        self.source = source or source_of_test()
        self.house = self.open()
        self.table = self.settings.tables[0].name
        self.secrets: dict[str, bytes] = {}

    def open(self) -> House:
        return House(self.store, self.settings, tick=self.clock.tick, source=self.source)

    @property
    def live(self) -> LiveTable:
        return self.house.tables[self.table]

    def at(self, name: str) -> LiveTable:
        return self.house.tables[name]

    # People.

    def come(self, *players: str, table: str | None = None) -> None:
        for player in players:
            self.house.welcome(player)
            self.house.present(player, table or self.table, True)

    def sit(self, *players: str, table: str | None = None, boxes: Sequence[int] = ()) -> None:
        """In boxes from the first on, or in those that are named."""
        self.come(*players, table=table)
        for box, player in itertools.zip_longest(boxes or range(1, len(players) + 1), players):
            self.must(player, table=table, do="sit", box=box)

    def ask(self, part: Part = "player", why: str = "", /, table: str | None = None, **command: Any) -> CommandFrame:
        """An ask with a new id that acts on the table as it stands."""
        on = table or self.table
        return CommandFrame(
            id=f"i{next(IDS)}",
            table=on,
            expected=self.at(on).version,
            command=msgspec.Raw(json.dumps(command).encode()),
            part=part,
            reason=why,
        )

    def send(self, name: str, ask: CommandFrame) -> Answer:
        return self.house.act(Who(name, STAFF.get(name, frozenset())), ask)

    def act(self, name: str, part: Part = "player", why: str = "", /, **command: Any) -> Answer:
        return self.send(name, self.ask(part, why, **command))

    def must(self, name: str, part: Part = "player", why: str = "", /, **command: Any) -> Done:
        """Something that is taken; then the house does what is due."""
        answer = self.act(name, part, why, **command)
        assert isinstance(answer, Done), (command, answer)
        self.house.advance()
        return answer

    def refusal(self, name: str, part: Part = "player", why: str = "", /, **command: Any) -> Refused:
        """Something that is refused, and changes nothing anywhere."""
        return self.refusal_of(name, self.ask(part, why, **command))

    def refusal_of(self, name: str, ask: CommandFrame) -> Refused:
        before = self.everything()
        answer = self.send(name, ask)
        assert isinstance(answer, Refused), (ask, answer)
        assert self.everything() == before, answer
        return answer

    def everything(self) -> tuple[dict[str, tuple[int, int, Table]], dict[str, int], Head]:
        """What a refused command must leave as it was."""
        tables = {name: (live.version, live.turn, live.table) for name, live in self.house.tables.items()}
        return tables, self.store.balances(), self.store.head()

    def bet(self, player: str, amount: int = 1000, wager: str = "initial", box: int | None = None, **more: Any) -> Done:
        at = box or self.at(more.get("table") or self.table).box_of(player)
        return self.must(player, do="place_wager", player=player, box=at, wager=wager, amount=amount, **more)

    # Time.

    def wait(self, ms: int) -> None:
        """Let time pass as a server's loop does, from one thing due to the next."""
        end = self.clock.ticks + ms
        while True:
            due = self.house.advance()
            if due is None or self.clock.ticks + due > end:
                self.clock.pass_(end - self.clock.ticks)
                self.house.advance()
                return
            self.clock.pass_(max(due, 1))

    def until(self, is_so: Callable[[], bool], within: int = HOUR) -> None:
        """Let time pass until something is so."""
        end = self.clock.ticks + within
        while not is_so():
            due = self.house.advance()
            if is_so():
                return
            assert due is not None, self.stuck()
            assert self.clock.ticks + due <= end, self.stuck()
            self.clock.pass_(max(due, 1))

    def stuck(self) -> str:
        live = self.live
        return f"{live.keeper.stage} {live.table.phase} {live.table.shuffle} {live.is_paused} {live.table.round.asked}"

    def until_ready(self, table: str | None = None) -> None:
        """Until wagers are taken: the shoe is sealed and cut, and where a player banks, the bank is there."""
        live = self.at(table or self.table)
        is_banked = live.rules.bank.by == "player"
        self.until(
            lambda: (
                live.is_ready
                and live.table.phase == "betting"
                and not live.table.has_wagers
                and (live.table.bank is not None or not is_banked)
            )
        )

    def until_over(self, table: str | None = None) -> None:
        """Until the round that is on has ended."""
        live = self.at(table or self.table)
        done = live.rounds_done
        self.until(lambda: live.rounds_done > done)

    def until_tie(self, *players: str, amount: int = 1000) -> None:
        """Rounds with wagers of these players until one of them must choose."""
        live = self.live
        for _ in range(500):
            self.until_ready()
            for player in players:
                self.bet(player, amount)
            done = live.rounds_done
            self.until(lambda done=done: live.rounds_done > done or live.table.phase == "deciding")  # type: ignore[misc]
            if live.table.phase == "deciding":
                return
        raise AssertionError("no tie in 500 rounds")

    def play(self, rounds: int, players: Sequence[str], chance: random.Random) -> None:
        """Rounds in which these players do all that the book lets them do, as chance will have it."""
        live = self.live
        last = live.rounds_done + rounds
        for _ in range(100 * rounds):
            if live.rounds_done >= last:
                return
            for player in players:
                self.take_part(player, chance)
            due = self.house.advance()
            self.clock.pass_(500 if due is None else max(due, 1))
        raise AssertionError(self.stuck())

    def take_part(self, player: str, chance: random.Random) -> None:
        """What this player can do now; what is refused is left."""
        live, box = self.live, self.live.box_of(player)
        if not live.is_ready:
            self._help_seal(player, chance)
        elif live.table.phase == "betting" and live.rules.bank.by == "player" and live.table.bank is None:
            do = "accept_bank" if chance.random() < 0.5 else "decline_bank"
            self.act(player, do=do, player=player, **({"box": box, "stake": 6000} if do == "accept_bank" else {}))
        elif live.table.phase in ("betting", "war_betting") and chance.random() < 0.8:
            self._bet_on_all(player)
        elif live.table.phase == "deciding" and (box, player) in live.table.round.asked:
            do = chance.choice(("go_to_war", "go_to_war", "surrender", "pause"))
            if do != "pause":
                self.act(player, do=do, player=player, box=box)

    def _help_seal(self, player: str, chance: random.Random) -> None:
        live, shoe = self.live, self.live.keeper.shoe
        if live.keeper.stage == "promising" and shoe is not None and chance.random() < 0.8:
            secret = chance.randbytes(chance.randint(16, 64))
            box = live.box_of(player)
            if box is not None:
                bound = promise(shoe.commitment, box, secret).hex()
                if isinstance(self.act(player, do="promise_entropy", promise=bound), Done):
                    self.secrets[player] = secret
        elif live.keeper.stage == "showing" and player in self.secrets and chance.random() < 0.9:
            self.act(player, do="add_entropy", entropy=self.secrets.pop(player).hex())
        elif live.keeper.stage == "cutting" and self.cutter == player:
            if chance.random() < 0.6:
                depth, cards = live.rules.shoe.cut_depth, 52 * live.rules.shoe.decks
                self.act(player, do="cut", player=player, position=chance.randint(depth, cards - depth))
            elif chance.random() < 0.5:
                self.act(player, do="decline_cut", player=player)

    def _bet_on_all(self, player: str) -> None:
        live, box = self.live, self.live.box_of(player)
        for wager in ("initial", "tie", "a_bomb", "perfect_pairs", "progressive", "war_tie", "war_perfect_pairs"):
            is_there = not live.table.round.is_over and (box, wager, player) in live.table.round.wagers
            if is_offered(live.rules, wager) and not is_there:
                limit = live.table.limit_of(wager)
                amount = live.rules.progressive.unit if wager == "progressive" else max(limit.minimum, limit.unit)
                self.act(player, do="place_wager", player=player, box=box, wager=wager, amount=amount)

    # What the log says.

    def log(self, table: str | None = None) -> list[Recalled]:
        return list(self.store.read(self.at(table or self.table).stream))

    def told(self, kind: type[Event], table: str | None = None) -> list[Event]:
        """The events of a kind."""
        return [one.event for one in self.log(table) if isinstance(one.event, kind)]

    def commands(self, kind: type[Any], table: str | None = None) -> list[Any]:
        taken = self.told(CommandTaken, table)
        return [one.command for one in taken if isinstance(one.command, kind)]

    def stage(self) -> str:
        """Of the sealed shoe in the making or in use."""
        return self.live.keeper.stage

    @property
    def cutter(self) -> str | None:
        return cutter(self.live.rules, self.live.table)

    def purse(self, player: str) -> int:
        return self.store.balance(f"purse:{player}")

    def check(self) -> None:
        """Nothing is lost or made, the log is whole, and every shoe that was ever promised proves itself."""
        assert audit(self.store) == []
        assert sum(self.store.balances().values()) == 0
        for live in self.house.tables.values():
            if live.is_sealed:
                check_shoes(live)


def check_shoes(live: LiveTable) -> None:
    """All exported shoes of a table, each alone and as a series, and how the log tells of them."""
    shoes = [shoe for number in range(1, len(live.shoes()) + 1) if (shoe := live.shoe(number)) is not None]
    assert len(shoes) == len(live.shoes())
    assert [check_shoe(shoe) for shoe in shoes] == [[]] * len(shoes)
    assert check_series(shoes) == [[]] * len(shoes)
    assert all(shoe.fate != "running" for shoe in shoes[:-1])
    assert [(one.shoe, one.commitment, one.fate, one.reason) for one in live.shoes()] == [
        (shoe.shoe, shoe.commitment, shoe.fate, shoe.reason) for shoe in shoes
    ]
    recalled = list(live.store.read(live.stream))
    starts = [one.version for one in recalled if isinstance(one.event, ShoeCommitted)]
    opened = [one for one in recalled if isinstance(one.event, ShoeOpened)]
    rows = {row.version: row.entry for row in live.store.event_rows() if row.stream == live.stream}
    for start, one in zip(starts, opened, strict=False):
        assert isinstance(one.event, ShoeOpened)
        seed = one.event.seed.encode()
        first = min(version for version, entry in rows.items() if seed in entry)
        assert first == one.version > start
    check_order(recalled)
    drawn = Counter(one.event.card for one in recalled if isinstance(one.event, e.CardDealt))
    shown = Counter(Card(up["card"]) for shoe in shoes for up in msgspec.to_builtins(shoe)["dealt"] if up.get("card"))
    assert not drawn - shown


def check_order(recalled: list[Recalled]) -> None:
    """Committed, sealed, cut and loaded, and only then a wager; nothing between, and no card before."""
    steps: list[str] = []
    for one in recalled:
        match one.event:
            case ShoeCommitted():
                assert steps in ([], ["opened"]), one.version
                steps = ["committed", one.event.kind]
            case ShoeSealed():
                assert steps[0] == "committed", one.version
                steps = ["sealed"] if steps[1] == "shoe" else ["sealed", "loaded"]
            case e.ShoeLoaded():
                assert "sealed" in steps, one.version
                steps = ["sealed", "loaded"]
            case ShoeOpened():
                steps = ["opened"]
            case e.WagerPlaced() | e.CardDealt() | e.CardBurned():
                assert steps == ["sealed", "loaded"], (one.version, one.event)
