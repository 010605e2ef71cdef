"""The keeper of a table's sealed shoes: it follows the log, knows their cards, and says why a shoe ended."""

from collections.abc import Callable, Iterable
from typing import Literal, get_args

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from casinowar.cards import Card
from casinowar.engine import Table
from casinowar.engine import events as e
from casinowar.fairness import ExportedShoe, Header, ListedShoe, SealedShoe, export
from casinowar.house.shoes.shoe_list import NONE_YET, ShoeList
from casinowar.protocol import CardShown
from casinowar.records.piles import DRAWN
from casinowar.store import CommandTaken, Recalled, Recorded, Store, StoreFault
from casinowar.store import events as s

Stage = Literal["none_yet", "promising", "showing", "cutting", "dealing"]
HOUSE = "house"
SeedOf = Callable[[str], bytes | None]


class KeptSteps(msgspec.Struct, frozen=True):
    """The public steps of a shoe in use or in the making, as they are kept in a snapshot: its seed lies beside the log.

    A move is 1 for a card that left the shoe face up, 0 for one face down, and -n for n cards put back.
    """

    committed: s.ShoeCommitted
    entropy: tuple[s.EntropyPromised | s.EntropyAdded, ...] = ()
    sealed: s.ShoeSealed | None = None
    cut: s.ShoeCut | None = None
    is_loaded: bool = False
    moves: tuple[int, ...] = ()


STEPS = frozenset(
    (
        s.ShoeCommitted,
        s.EntropyPromised,
        s.EntropyAdded,
        s.ShoeSealed,
        s.ShoeCut,
        s.ShoeOpened,
        e.ShoeLoaded,
        e.CardsReturned,
        *get_args(DRAWN),
    )
)
"""The events that are steps of a shoe."""


class ShoeSteps:
    """The steps of the last shoe of a log, if it is not opened yet."""

    def __init__(self) -> None:
        self._kept: KeptSteps | None = None
        self._moves: list[int] = []

    def follow(self, event: Recorded) -> None:
        """Follow an event of one of the kinds `STEPS`."""
        if isinstance(event, s.ShoeCommitted):
            self._kept, self._moves = KeptSteps(event), []
        kept = self._kept
        if kept is None:
            return
        match event:
            case e.CardDealt() | e.CardBurned() | e.CardDiscarded() | e.CardPlacedAhead():
                self._moves.append(int(event.card is not None))
            case e.CardsReturned():
                self._moves.append(-event.cards)
            case s.EntropyPromised() | s.EntropyAdded():
                self._kept = replace(kept, entropy=(*kept.entropy, event))
            case s.ShoeSealed():
                self._kept = replace(kept, sealed=event)
            case s.ShoeCut():
                self._kept = replace(kept, cut=event)
            case e.ShoeLoaded():
                self._kept = replace(kept, is_loaded=True)
            case s.ShoeOpened():
                self._kept = None

    def draw(self, faces: Iterable[Card | None]) -> None:
        """Follow cards that leave the shoe, one after the other."""
        if self._kept is not None:
            self._moves += [int(face is not None) for face in faces]

    def keep(self) -> KeptSteps | None:
        """The steps so far, for a snapshot and for the keeper."""
        return None if self._kept is None else replace(self._kept, moves=tuple(self._moves))

    def resume(self, kept: KeptSteps | None) -> None:
        """Take up what was kept."""
        self._kept, self._moves = kept, [] if kept is None else list(kept.moves)


class Keeper:
    """The keeper of one table: `shoe` is the sealed shoe in use or in the making, and `listed` the list of all.

    Old ones are made again from the log.
    """

    def __init__(self, seed_of: SeedOf, listed: ShoeList) -> None:
        self.shoe: SealedShoe | None = None
        self.listed = listed
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

    def recover(self, steps: KeptSteps | None) -> None:
        """Take up the last shoe, which is not opened yet, from its steps: its order is worked out again."""
        if steps is None:
            return
        for event in (steps.committed, *steps.entropy, steps.sealed, steps.cut):
            if event is not None:
                self.follow(event)
        assert self.shoe is not None
        self.is_loaded = steps.is_loaded
        for move in steps.moves:
            if move < 0:
                self.shoe.put_back(-move)
            else:
                self.shoe.draw(face_up=move == 1)

    def follow(self, event: Recorded) -> CardShown | None:
        """Follow a committed event; give the proof where a card was turned up. The list follows the log by itself."""
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

    def is_running(self, number: int) -> bool:
        """Whether this shoe is in use or in the making."""
        return self.shoe is not None and number == len(self.listed)

    @property
    def unopened(self) -> int:
        """The number of commitments not opened yet: at most the shoe that is running."""
        return int(self.shoe is not None)

    def copy(self) -> SealedShoe:
        """A copy of the shoe in the making, to try a step on before it is committed."""
        assert self.shoe is not None
        return SealedShoe.resume(self.shoe.keep())

    def faces(self, drawn: int, cards: int) -> tuple[Card, ...]:
        """The next faces once so many more are drawn: for the dealer of this table alone."""
        assert self.shoe is not None
        return self.shoe.peek(self.shoe.place + drawn, cards)

    @property
    def previous(self) -> bytes | None:
        """The commitment that the next shoe is bound to, which may be of an earlier opening."""
        last = self.listed.last
        return None if last is None else bytes.fromhex(last.commitment)

    def export(self, shoe: SealedShoe) -> ExportedShoe:
        """The public part of the last shoe of the list."""
        return export_shoe(shoe, self.listed.own[-1])


def export_shoe(shoe: SealedShoe, line: ListedShoe) -> ExportedShoe:
    """The public part of a shoe, with what the list has of it. Before it is loaded it has no cutting card."""
    is_loaded = line.marker is not None or shoe.header.kind == "continuous" or bool(shoe.dealt)
    return export(
        shoe,
        number=line.number if line.is_numbered else UNSET,
        marker=line.marker if is_loaded else UNSET,
        by=line.by if line.by is not None else UNSET,
    )


def public_shoe(keeper: Keeper, store: Store, number: int) -> ExportedShoe | None:
    """The public part of a shoe under the table's name now. One that is over is made again from its part of the log."""
    listed = keeper.listed
    if not 1 <= number <= len(listed):
        return None
    if keeper.is_running(number):
        assert keeper.shoe is not None
        return keeper.export(keeper.shoe)
    stream, after = listed.begin(number)
    events = (one.event for one in store.read(stream, after))
    return export_from_log(events, store.seed, listed.line(number))


def export_from_log(events: Iterable[Recorded], seed_of: SeedOf, line: ListedShoe) -> ExportedShoe:
    """The public part of the shoe with whose commitment these events begin."""
    return export_shoe(read_shoe(events, seed_of), line)


def read_shoe(events: Iterable[Recorded], seed_of: SeedOf) -> SealedShoe:
    """The shoe with whose commitment these events begin, as far as they go."""
    keeper = Keeper(seed_of, ShoeList("", NONE_YET))
    shoe: SealedShoe | None = None
    for event in events:
        keeper.follow(event)
        if isinstance(event, s.ShoeOpened) and shoe is not None:
            return shoe
        shoe = keeper.shoe
    if shoe is None:
        raise StoreFault("no shoe begins here")
    return shoe


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


class Cause(msgspec.Struct, frozen=True):
    """Why a shoe ends before its cutting card. `by` is a member of staff as `role:account`, or the house.

    The house closes tables and follows the book by itself.
    """

    reason: str
    by: str


class KeptEnd(msgspec.Struct, frozen=True):
    """What is known about the end of a shoe, as it is kept in a snapshot."""

    by: str
    decks_by: str
    why: str
    shuffle: str


ENDING = frozenset(
    (
        CommandTaken,
        s.ShoeCommitted,
        s.ShoeOpened,
        e.TableClosed,
        e.ShuffleOrdered,
        e.CardsReplaced,
        e.DecksAnnounced,
    )
)
"""The events that say something about the end of a shoe."""


class ShoeEnd:
    """Why a sealed shoe ends and who had it end: it follows the log, for the dealer who opens it and for the audit.

    Why the house itself closed a table is told; what staff wrote as their reason is for those who read the log.
    """

    def __init__(self) -> None:
        self._by = self._decks_by = HOUSE
        self._why = self._shuffle = ""
        self._taken: CommandTaken | None = None

    def keep(self) -> KeptEnd:
        """What it knows between two commands, for a snapshot."""
        return KeptEnd(self._by, self._decks_by, self._why, self._shuffle)

    def resume(self, kept: KeptEnd) -> None:
        """Take up what was kept."""
        self._by, self._decks_by, self._why, self._shuffle = kept.by, kept.decks_by, kept.why, kept.shuffle

    def follow(self, one: Recalled) -> None:
        """Note what an event says about the end of the shoe."""
        match one.event:
            case CommandTaken() as taken:
                self._taken = taken
            case s.ShoeCommitted() | s.ShoeOpened():
                self._by, self._why, self._shuffle = HOUSE, "", ""
            case e.TableClosed():
                self._by = self._signed(one)
                self._why = self._taken.reason if self._taken is not None and self._by == HOUSE else ""
            case e.ShuffleOrdered() as ordered:
                self._by, self._shuffle = self._signed(one), ordered.reason
            case e.CardsReplaced() as replaced if not replaced.cards and not replaced.damaged:
                self._by, self._shuffle = self._signed(one), "replacement"
            case e.DecksAnnounced():
                self._decks_by = self._signed(one)

    def _signed(self, one: Recalled) -> str:
        """The person who gave the last command; the house's own acts have no account."""
        by = None if self._taken is None else self._taken.command.by
        return by if by is not None and ":" in by and one.actor != HOUSE else HOUSE

    def cause(self, table: Table, *, is_other_decks: bool) -> Cause:
        """Why the shoe is opened as void as the table stands now."""
        if table.is_closed:
            return Cause(f"the table closed: {self._why}" if self._why else "the table closed", self._by)
        if is_other_decks:
            return Cause("the number of decks changed", self._decks_by)
        if self._shuffle:
            return Cause(f"shuffled for: {self._shuffle}", self._by)
        return Cause("loaded in the middle of a round, after which the book shuffles", HOUSE)
