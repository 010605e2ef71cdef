"""The keeper of a table's sealed shoes: it follows the log, and knows the cards that nobody else may know."""

from collections.abc import Callable, Iterable
from typing import Literal

import msgspec

from casinowar.cards import Card
from casinowar.engine import events as e
from casinowar.fairness import ExportedShoe, Header, SealedShoe, export
from casinowar.store import Recorded, Store, StoreFault
from casinowar.store import shoe_events as s
from casinowar.table.faces import DRAWN
from casinowar.table.frames import CardShown

Stage = Literal["none_yet", "promising", "showing", "cutting", "dealing"]
SeedOf = Callable[[str], bytes | None]


class ListedShoe(msgspec.Struct, frozen=True):
    """A line of the public list: every commitment ever made at the table, and what became of it."""

    number: int
    shoe: str
    commitment: str
    fate: Literal["running", "finished", "voided"]
    reason: str | None


class Keeper:
    """`shoe` is the sealed shoe in use or in the making. What is public of old ones is made again from the log."""

    def __init__(self, seed_of: SeedOf) -> None:
        self.shoe: SealedShoe | None = None
        self.listed: list[ListedShoe] = []
        self.starts: list[int] = []
        self.is_loaded = False
        self.is_showing = False
        self._seed_of = seed_of

    @property
    def stage(self) -> Stage:
        shoe = self.shoe
        if shoe is None:
            return "none_yet"
        if not shoe.is_sealed:
            return "showing" if self.is_showing else "promising"
        return "dealing" if self.is_loaded or shoe.header.kind == "continuous" else "cutting"

    def recover(self, events: Iterable[tuple[int, Recorded]]) -> None:
        """Take up from a whole stream of versions and events. Only the last shoe's order is worked out again."""
        last: list[Recorded] = []
        for version, event in events:
            self._list(version, event)
            if isinstance(event, s.ShoeCommitted):
                last = []
            last.append(event)
        for event in last:
            self._move(event)

    def follow(self, version: int, event: Recorded) -> CardShown | None:
        """Keep step with what has been committed; the proof, where a card was turned up."""
        self._list(version, event)
        return self._move(event)

    def _list(self, version: int, event: Recorded) -> None:
        match event:
            case s.ShoeCommitted():
                number = len(self.listed) + 1
                self.listed.append(ListedShoe(number, event.shoe, event.commitment, "running", None))
                self.starts.append(version)
            case s.ShoeOpened():
                line = msgspec.structs.replace(self.listed[-1], fate=event.fate, reason=event.reason)
                self.listed[-1] = line

    def _move(self, event: Recorded) -> CardShown | None:
        if isinstance(event, s.ShoeCommitted):
            self.shoe = self._begin(event)
            self.is_loaded = self.is_showing = False
        shoe = self.shoe
        if shoe is None:
            return None
        if isinstance(event, DRAWN):
            return _draw(shoe, event.card)
        match event:
            case s.EntropyPromised():
                shoe.promise_entropy(event.seat, event.player, bytes.fromhex(event.promise))
            case s.EntropyAdded():
                self.is_showing = True
                shoe.add_entropy(event.seat, event.player, bytes.fromhex(event.entropy))
            case s.ShoeSealed():
                _agree(shoe.seal().hex() == event.root, "root")
            case s.ShoeCut():
                cut = shoe.house_cut() if event.player is None else shoe.cut(event.player, event.position)
                _agree(cut.position == event.position, "cut")
            case e.ShoeLoaded():
                self.is_loaded = True
            case e.CardsReturned():
                shoe.put_back(event.cards)
            case s.ShoeOpened():
                opening = shoe.open() if event.reason is None else shoe.void(event.reason)
                _agree(opening.seed.hex() == event.seed, "seed")
                self.shoe = None
        return None

    def _begin(self, event: s.ShoeCommitted) -> SealedShoe:
        seed = self._seed_of(event.commitment)
        if seed is None:
            raise StoreFault(f"the seed of {event.shoe} is gone")
        previous = None if event.previous is None else bytes.fromhex(event.previous)
        shoe = SealedShoe(Header(event.shoe, event.kind, event.counts, event.cut_bounds, previous), seed)
        _agree(shoe.commitment.hex() == event.commitment, "commitment")
        return shoe

    def copy(self) -> SealedShoe:
        """The shoe in the making once more, to try a step on before it is committed."""
        assert self.shoe is not None
        return SealedShoe.resume(self.shoe.keep())

    def faces(self, drawn: int, cards: int) -> tuple[Card, ...]:
        """The next faces once so many more are drawn: for the dealer of this table alone."""
        assert self.shoe is not None
        return self.shoe.peek(self.shoe.place + drawn, cards)

    @property
    def previous(self) -> bytes | None:
        """The commitment that the next shoe is bound to."""
        return bytes.fromhex(self.listed[-1].commitment) if self.listed else None


def public_shoe(
    keeper: Keeper, store: Store, stream: str, number: int, kept: dict[int, ExportedShoe]
) -> ExportedShoe | None:
    """What is public of a table's shoe now; opened ones are kept."""
    if not 1 <= number <= len(keeper.listed):
        return None
    if number == len(keeper.listed) and keeper.shoe is not None:
        return export(keeper.shoe)
    if number not in kept:
        events = ((one.version, one.event) for one in store.read(stream, keeper.starts[number - 1] - 1))
        kept[number] = exported(events, store.seed)
    return kept[number]


def exported(events: Iterable[tuple[int, Recorded]], seed_of: SeedOf) -> ExportedShoe:
    """What is public of an opened shoe, with whose commitment these events begin."""
    keeper = Keeper(seed_of)
    for version, event in events:
        shoe = keeper.shoe
        keeper.follow(version, event)
        if isinstance(event, s.ShoeOpened) and shoe is not None:
            return export(shoe)
    raise StoreFault("the shoe was never opened")


def _draw(shoe: SealedShoe, face: Card | None) -> CardShown | None:
    place = shoe.place
    card, proof = shoe.draw(face_up=face is not None)
    if face is None:
        return None
    _agree(card == face, "card")
    path = tuple(sibling.hex() for sibling in proof.path)
    return CardShown(shoe.header.shoe, place, proof.index, card, proof.salt.hex(), path)


def _agree(is_so: bool, what: str) -> None:
    if not is_so:
        raise StoreFault(f"the {what} of the sealed shoe is not the one in the log")
