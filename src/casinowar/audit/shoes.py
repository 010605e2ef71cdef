"""The audit of sealed shoes: each made again from its seed and followed card by card, and the chain that they form."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import cast, get_args

from casinowar.audit.findings import Finding, Findings, Placed, place_of
from casinowar.cards import DECK, Card, composition
from casinowar.engine import Table
from casinowar.engine import events as e
from casinowar.engine.decide.draw_order import is_mid_round
from casinowar.fairness import Header, SealedShoe
from casinowar.house.shoes.keeper import ENDING, Cause, ShoeEnd
from casinowar.house.shoes.shoe_list import LISTED, NONE_YET, ShoeList
from casinowar.records.piles import DRAWN, in_hands
from casinowar.rulebooks import Rulebook
from casinowar.store import CommandTaken, Recalled, Recorded
from casinowar.store import events as s

SeedOf = Callable[[str], bytes | None]
FOLLOWED = frozenset(
    (
        *s.SHOE_EVENTS,
        e.CardDealt,
        e.CardBurned,
        e.CardDiscarded,
        e.CardPlacedAhead,
        e.CardsReturned,
        e.BurnViewed,
    )
)
"""Events of a sealed shoe; a wager only needs to know whether there is one."""

DRAWN_KINDS = frozenset(get_args(DRAWN))
SHOE_KINDS = FOLLOWED | LISTED | ENDING | {e.WagerPlaced}
"""All that the audit of shoes looks at."""


def shoe_of(event: s.ShoeCommitted, seed_of: SeedOf) -> SealedShoe | str:
    """The shoe made again from its seed, or what is wrong with the seed."""
    seed = seed_of(event.commitment)
    if seed is None:
        return "its seed is gone"
    previous = None if event.previous is None else bytes.fromhex(event.previous)
    shoe = SealedShoe(Header(event.shoe, event.kind, event.counts, event.cut_bounds, previous), seed)
    return shoe if shoe.commitment.hex() == event.commitment else "its commitment is not that of its seed"


def find_seed_faults(committed: Iterable[tuple[Placed, s.ShoeCommitted]], seed_of: SeedOf) -> Findings:
    """What is wrong with the seeds of shoes that were committed to."""
    for one, event in committed:
        shoe = shoe_of(event, seed_of)
        if isinstance(shoe, str):
            yield Finding(f"{place_of(one)}, shoe {event.shoe}", shoe)


class ChainAudit:
    """The audit of the chain of shoes under one name, or of all. Walk the openings in the order of their list.

    A shoe without a number is of a log from before they were numbered: it names the one before it in its own opening,
    and the first of an opening names none. Once a shoe has a number every later one has, so that nobody passes a new
    one off as old. `anew` and `early` count what an older program wrote and a newer one does not.
    """

    def __init__(self, numbered_from: int | None = None) -> None:
        self.anew = self.early = 0
        self._commitments: dict[str, list[str]] = {}
        self._unopened: dict[str, str] = {}
        self._own: dict[str, list[str]] = {}
        self._older: list[tuple[int, str]] = []
        self._numbered_from = numbered_from

    def begin(self, table: str, one: Recalled, event: s.ShoeCommitted) -> Findings:
        """What is wrong with the name and the predecessor of a shoe that is committed to."""
        where = f"{place_of(one)}, shoe {event.shoe}"
        chain, own = self._commitments.setdefault(table, []), self._own.setdefault(one.stream, [])
        before, due = (chain, len(chain) + 1) if event.number else (own, len(own) + 1)
        if event.shoe != f"{one.stream}/{due}" or event.number not in (0, due):
            yield Finding(where, f"is the shoe {due} of {one.stream}")
        if event.previous != (before[-1] if before else None):
            yield Finding(where, "does not name the commitment before it")
        if table in self._unopened:
            yield Finding(where, f"shoe {self._unopened.pop(table)} was not opened before")
        if event.number:
            self._numbered_from = min(self._numbered_from or one.position, one.position)
        else:
            self._older.append((one.position, where))
            self.anew += bool(chain) and not own
        chain.append(event.commitment)
        own.append(event.commitment)
        self._unopened[table] = event.shoe

    def join(self, other: "ChainAudit") -> None:
        """Take over what was found under another name."""
        self.anew += other.anew
        self.early += other.early
        self._older += other._older
        positions = [one for one in (self._numbered_from, other._numbered_from) if one is not None]
        self._numbered_from = min(positions, default=None)

    def open(self, table: str) -> None:
        self._unopened.pop(table, None)

    def findings(self) -> Findings:
        """Findings that only the whole store shows."""
        for position, where in self._older:
            if self._numbered_from is not None and position > self._numbered_from:
                yield Finding(where, "has no number, and shoes were numbered before it was committed to")

    @property
    def remarks(self) -> list[str]:
        said = []
        if self.anew:
            said.append(f"a chain of shoes began anew at {self.anew} openings, before shoes were numbered through all")
        if self.early:
            said.append(
                f"{self.early} shoes are called finished before their cutting card, as an older program did when a"
                " table closed"
            )
        return said


class ShoeAudit:
    """One table's shoes. Of a shoe in which something was wrong nothing more is said: the rest would follow from it.

    `is_sealed` is false for a table of real cards, where no card comes from a sealed shoe. `chain` is of the whole
    store, in which the shoes stand under the table's name.
    """

    def __init__(self, table: str, stream: str, seed_of: SeedOf, chain: ChainAudit, *, is_sealed: bool) -> None:
        self.listed = ShoeList(stream, NONE_YET)
        self._table, self._seed_of, self._chain, self._is_sealed = table, seed_of, chain, is_sealed
        self._end = ShoeEnd()
        self._shoe: SealedShoe | None = None
        self._name = ""
        self._is_given_up = False
        self._recalled: list[Recalled] = []

    def follow(self, one: Recalled, rules: Rulebook | None, table: Table) -> Sequence[Finding]:
        """The shoe after one event of `SHOE_KINDS`; `table` and `rules` are those before it."""
        event = one.event
        kind = type(event)
        if kind is e.WagerPlaced:
            if self._is_sealed and not self._is_given_up and (self._shoe is None or not self._shoe.is_sealed):
                return [Finding(place_of(one), "a wager was taken before a shoe was sealed")]
            return ()
        if kind is CommandTaken:
            self._end.follow(one)
            return ()
        if kind in DRAWN_KINDS:
            self.listed.follow(one.version, event)
            return self._give_up(one, self._fault(event)) if not self._is_given_up else ()
        told: list[Finding] = []
        if isinstance(event, s.ShoeCommitted):
            told += self._begin(one, event, rules, table)
        elif kind in FOLLOWED and not self._is_given_up:
            told += self._give_up(one, self._fault(event))
        if isinstance(event, s.ShoeOpened):
            told += self._ended(one, event, rules, table)
            self._shoe = None
        if kind in LISTED:
            self.listed.follow(one.version, event)
        if kind in ENDING:
            self._end.follow(one)
        return told

    @property
    def is_ready(self) -> bool:
        """Whether a wager may be taken: the shoe is sealed, and nothing is wrong with it."""
        return self._shoe is not None and self._shoe.is_sealed and not self._is_given_up

    def draw(self, faces: Sequence[Card | None]) -> bool:
        """Follow cards that leave the shoe one after the other, and tell whether they are the shoe's."""
        if self._shoe is None or self._is_given_up:
            return False
        self.listed.draw(len(faces))
        cards = self._shoe.draw_run(len(faces))
        return all(face is None or face == card for face, card in zip(faces, cards, strict=True))

    def _give_up(self, one: Recalled, fault: str | None) -> Sequence[Finding]:
        """Follow the shoe no further, where something is wrong with it."""
        if fault is None:
            return ()
        self._is_given_up = True
        return [Finding(f"{place_of(one)}, shoe {self._name or '?'}", fault)]

    def recall(self, one: Recalled) -> None:
        """Follow an event that was audited before; the shoe that is in use at the end of those is made by `resume`."""
        event = one.event
        kind = type(event)
        if isinstance(event, s.ShoeCommitted):
            list(self._chain.begin(self._table, one, event))
            self._recalled = [one]
        elif kind is s.ShoeOpened:
            self._chain.open(self._table)
            self._recalled = []
        elif kind in FOLLOWED:
            self._recalled.append(one)
        if kind in LISTED:
            self.listed.follow(one.version, event)
        if kind in ENDING:
            self._end.follow(one)

    def resume(self) -> Findings:
        """Make the shoe again that was in use at the end of what was audited before.

        Of its seed nothing is said: `find_seed_faults` looks at those of all shoes that were audited before.
        """
        recalled, self._recalled = self._recalled, []
        if not recalled or not isinstance(recalled[0].event, s.ShoeCommitted):
            return
        self._take(recalled[0].event)
        for one in recalled[1:]:
            fault = None if self._is_given_up else self._fault(one.event)
            if fault:
                self._is_given_up = True
                yield Finding(f"{place_of(one)}, shoe {self._name}", fault)

    def _begin(self, one: Recalled, event: s.ShoeCommitted, rules: Rulebook | None, table: Table) -> Findings:
        where = f"{place_of(one)}, shoe {event.shoe}"
        yield from self._chain.begin(self._table, one, event)
        if rules is not None and event.counts != _counts(rules, table):
            yield Finding(where, "its cards are not those of the table")
        fault = self._take(event)
        if fault:
            yield Finding(where, fault)

    def _take(self, event: s.ShoeCommitted) -> str | None:
        """Follow this shoe from now on; one with a fault in its seed is not followed."""
        shoe = shoe_of(event, self._seed_of)
        self._name, self._is_given_up = event.shoe, isinstance(shoe, str)
        self._shoe, fault = (None, shoe) if isinstance(shoe, str) else (shoe, None)
        return fault

    def _ended(self, one: Recalled, event: s.ShoeOpened, rules: Rulebook | None, table: Table) -> Findings:
        """Whether it had come to its end, or who had it voided; of an older shoe it is only counted."""
        self._chain.open(self._table)
        if not self.listed.own or rules is None:
            return
        where, is_older = f"{place_of(one)}, shoe {self._name}", not self.listed.own[-1].is_numbered
        if event.fate == "finished":
            if self.listed.is_at_end:
                return
            self._chain.early += is_older
            if not is_older:
                yield Finding(where, "is called finished, and was not at its cutting card")
        elif event.by or not is_older:
            causes = [self._end.cause(table, is_other_decks=is_so) for is_so in (False, True)]
            if Cause(event.reason or "", event.by) not in causes:
                told = f"{event.by or 'nobody'} ({event.reason})"
                yield Finding(where, f"is voided by {told}, and the log has {causes[0].by} ({causes[0].reason})")

    def _fault(self, event: Recorded) -> str | None:
        """The finding where an event differs from the shoe; the shoe itself refuses a step that no shoe takes."""
        if self._shoe is None:
            if isinstance(event, s.SHOE_EVENTS):
                return "there is no shoe to which this could have happened"
            return "a card came from no sealed shoe" if self._is_sealed else None
        try:
            if type(event) in DRAWN_KINDS:
                return _other_card(self._shoe, cast(DRAWN, event).card)
            return _difference(self._shoe, event)
        except ValueError as error:
            return str(error)


def _other_card(shoe: SealedShoe, face: Card | None) -> str | None:
    """Draw the next card, and say where the log has another one."""
    card = shoe.draw_unproved()
    return None if face is None or face == card else f"{face} at place {shoe.place - 1}, where {card} was sealed"


def _difference(shoe: SealedShoe, event: Recorded) -> str | None:
    """Take the step, and say where the log has something else."""
    match event:
        case s.EntropyPromised():
            shoe.promise_entropy(event.seat, event.player, bytes.fromhex(event.promise))
        case s.EntropyAdded():
            shoe.add_entropy(event.seat, event.player, bytes.fromhex(event.entropy))
        case s.ShoeSealed():
            told = (event.root, event.seal)
            made = (shoe.seal().hex(), (shoe.seal_digest or b"").hex())
            return None if told == made else "root or seal are not those of seed and entropy"
        case s.ShoeCut():
            cut = shoe.house_cut() if event.player is None else shoe.cut(event.player, event.position)
            return None if cut.position == event.position else f"no player cut, and the seed gives {cut.position}"
        case e.CardsReturned():
            shoe.put_back(event.cards)
        case e.BurnViewed():
            [card] = shoe.peek(0, 1)
            return None if event.card in (None, card) else f"{event.card} was shown, where {card} was burned"
        case s.ShoeOpened():
            return _opened_otherwise(shoe, event)
    return None


def _opened_otherwise(shoe: SealedShoe, event: s.ShoeOpened) -> str | None:
    opening = shoe.open() if event.reason is None else shoe.void(event.reason)
    if opening.seed.hex() != event.seed:
        return "was opened with another seed"
    return None if opening.fate == event.fate else f"is called {event.fate}, and was {opening.fate}"


def _counts(rules: Rulebook, table: Table) -> tuple[int, ...]:
    """The cards of a new shoe: all of the book, or within a round those that lie in nobody's hand."""
    cards = composition(rules.shoe.decks)
    if is_mid_round(table):
        cards -= Counter(card for card in in_hands(table) if card is not None)
    return tuple(cards[card] for card in DECK)
