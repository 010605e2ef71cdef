"""Marked cards: whatever any viewer is sent, no card, salt or seed is in it before its time.

A face of which no copy has been turned yet is as good as a mark: it has no business in any frame. Salts and seeds are
unguessable by themselves.
"""

import itertools
import json
import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from casinowar import protocol as f
from casinowar.cards import DECK
from casinowar.engine import events as e
from casinowar.engine.view import Viewer
from casinowar.fairness import SealedShoe
from casinowar.house.house import House, Who
from casinowar.house.settings import BotSettings, HouseSettings, TableSettings
from casinowar.house.table import visibility
from casinowar.house.table.parts import TableParts, Told
from casinowar.store import MemoryStore, Recalled, ShoeOpened

pytestmark = pytest.mark.slow

VIEWERS = (
    Viewer("player", "ann", asks_advice=True),
    Viewer("player", "ben"),
    Viewer("watcher"),
    Viewer("dealer"),
    Viewer("supervisor"),
    Viewer("auditor"),
)
FACE = re.compile(r'"([2-9TJQKA][cdhs])"')
HEX = re.compile(r"[0-9a-f]{64}")


class Tap:
    """Everything that the six viewers of one table are sent, checked as it is sent."""

    def __init__(self, book: str, **options: Any) -> None:
        self.now = 0
        self.store = MemoryStore()
        bots = (BotSettings(strategy="bank"),) * 2 if book == "ca" else (BotSettings(strategy="tie"),)
        table = TableSettings(name="t", rulebook=book, options=options, bots=bots)
        self.house = House(self.store, HouseSettings(tables=(table,)), tick=lambda: self.now)
        self.house.on_commit = self.committed
        self.live = self.house.tables["t"]
        self.turned: set[str] = set()
        self.due: set[str] = set()
        self.frames = self.changes = 0
        self.parts, self.told = TableParts(self.live), dict[Viewer, Told]()
        self.looked: set[str] = set()
        self.ids = itertools.count()
        for player in ("ann", "ben"):
            self.house.welcome(player)
            self.house.present(player, "t", True)

    def secrets(self) -> set[str]:
        """Seed and salts of the shoe in use, as far as they are not due."""
        shoe = self.live.keeper.shoe
        if shoe is None:
            return set()
        seed = shoe.keep().seed.hex()
        return {seed, *(salt.hex() for salt in shoe._salts)} - self.due

    def committed(self, name: str, recalled: list[Recalled]) -> None:
        for one in recalled:
            if isinstance(one.event, e.CardDealt | e.CardBurned) and one.event.card is not None:
                self.turned.add(one.event.card)
            if isinstance(one.event, ShoeOpened):
                self.turned, self.looked = set(DECK), set()
                self.due.add(one.event.seed)
            elif isinstance(one.event, e.ShoeLoaded):
                self.turned = {card for hand in self.live.table.round.hands.values() for card in hand}
        self.due |= {proof.salt for proof in self.live.proofs.values()}
        shown: set[str] = {card for line in self.live.rounds for _, hand in line.hands for card in hand}
        self.changes += 1
        change = visibility.Change.of(self.live, self.changes, recalled)
        for viewer in VIEWERS:
            self.check(viewer, msgspec.json.encode(visibility.frames_of([change], viewer)[0]).decode(), shown)
            frames, self.told[viewer] = self.parts.frames([change], viewer, self.told.get(viewer, Told(0)))
            self.check(viewer, b"".join(frames).decode(), shown)
            self.check(viewer, msgspec.json.encode(visibility.live_view(self.live, viewer)).decode(), shown)
        exported = self.live.shoe(len(self.live.keeper.listed))
        if exported is not None and exported.fate == "running":
            self.check(VIEWERS[2], msgspec.json.encode(exported).decode(), shown)

    def check(self, viewer: Viewer, sent: str, shown: set[str]) -> None:
        self.frames += 1
        own = self.looked if viewer.player == "ann" else set()
        unturned = set(FACE.findall(sent)) - self.turned - shown - own
        assert not unturned, f"{viewer} was told of {unturned}: {sent[:3000]}"
        told = set(HEX.findall(sent)) & self.secrets()
        assert not told, f"{viewer} was told the secrets {told}"

    def act(self, name: str, **command: Any) -> f.Answer:
        raw = msgspec.Raw(json.dumps(command).encode())
        ask = f.CommandFrame(id=f"i{next(self.ids)}", table="t", expected=self.live.version, command=raw)
        answer = self.house.act(Who(name), ask)
        self.house.advance()
        return answer

    def wait(self) -> None:
        self.now += 500
        self.house.advance()

    def night(self, rounds: int) -> None:
        """Ann looks at the burned card where the book lets her, and both play every round to its end."""
        self.act("ann", do="sit", box=1)
        self.act("ben", do="sit", box=2)
        for number in range(1, rounds + 1):
            while not self._is_open:
                self.wait()
            amount = 2 * self.live.table.limit.minimum
            self.act("ann", do="place_wager", player="ann", box=1, wager="initial", amount=amount)
            self.act("ben", do="place_wager", player="ben", box=2, wager="initial", amount=amount)
            self.wait()
            self._look_at_burn()
            while self.live.rounds_done < number:
                self.wait()
                self._go_to_war()

    @property
    def _is_open(self) -> bool:
        return self.live.is_ready and self.live.table.phase == "betting" and self._is_banked

    def _go_to_war(self) -> None:
        if self.live.table.phase == "deciding":
            for box, player in self.live.table.round.asked:
                if player in ("ann", "ben"):
                    self.act(player, do="go_to_war", player=player, box=box)

    @property
    def _is_banked(self) -> bool:
        return self.live.rules.bank.by == "house" or self.live.table.bank is not None

    def _look_at_burn(self) -> None:
        shoe = self.live.keeper.shoe
        if self.live.rules.burn.visibility == "viewable" and self.live.table.opening_burned and shoe is not None:
            self.looked.add(shoe.peek(0, 1)[0])
            self.act("ann", do="view_initial_burn", player="ann")


@pytest.mark.parametrize("book", ["nz", "wa", "ctg", "ca", "ma"])
def test_no_viewer_is_sent_a_card_salt_or_seed_before_its_time(book: str) -> None:
    tap = Tap(book)
    tap.night(40)
    assert tap.frames > 1_000
    assert tap.live.rounds_done >= 40


def test_a_continuous_shuffler_keeps_its_cards_to_itself_too() -> None:
    tap = Tap("wa", **{"shoe.shuffler": "continuous"})
    tap.night(8)
    assert len(tap.live.keeper.listed) >= 8


def test_the_one_who_may_look_at_the_burned_card_is_told_it_and_nobody_else() -> None:
    told = {}
    for book in ("nz", "wa", "ctg", "ca", "ma"):
        tap = Tap(book)
        if tap.live.rules.burn.visibility != "viewable":
            continue
        tap.night(2)
        (event,) = [one for one in tap.store.read("t") if isinstance(one.event, e.BurnViewed)][:1]
        told[book] = [(visibility.seen_event(event, viewer) or {})["card"] for viewer in VIEWERS]
        shoe = tap.live.keeper.shoe
        assert shoe is not None
        assert told[book] == [shoe.peek(0, 1)[0], None, None, None, None, None]
    assert told, "no book lets anybody look"


def _leaks() -> Iterator[Any]:
    """Ways in which a careless view could tell what it must not."""
    whole = visibility.live_view

    def with_next_card(live: Any, viewer: Viewer) -> f.LiveView:
        seen = whole(live, viewer)
        next_card = live.keeper.faces(0, 1)[0] if live.is_ready else ""
        return msgspec.structs.replace(seen, title=next_card)

    def with_seed(live: Any, viewer: Viewer) -> f.LiveView:
        shoe: SealedShoe | None = live.keeper.shoe
        return msgspec.structs.replace(whole(live, viewer), title=shoe.keep().seed.hex() if shoe else "")

    yield with_next_card
    yield with_seed


@pytest.mark.parametrize("leak", list(_leaks()), ids=["next card", "seed"])
def test_the_tap_finds_a_view_that_leaks(monkeypatch: pytest.MonkeyPatch, leak: Any) -> None:
    monkeypatch.setattr(visibility, "live_view", leak)
    with pytest.raises(AssertionError, match="was told"):
        Tap("nz").night(5)
