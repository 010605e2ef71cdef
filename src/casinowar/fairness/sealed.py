"""The sealed shoe: committed to, mixed by the players, sealed before the first wager, cut, drawn with proofs, opened.

Each step is allowed once its time has come and never after. The seed and the undealt cards leave this object only
through `peek`, `draw`, `open` and `keep`, and never in its text.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any, Literal, NoReturn

import msgspec

from casinowar.cards import DECK, Card
from casinowar.errors import CasinoWarError
from casinowar.fairness import derivation as d
from casinowar.fairness.shuffle import ByteSource, entropy
from casinowar.merkle import MerkleTree

Fate = Literal["running", "finished", "voided"]


class SealRefused(CasinoWarError, ValueError):
    """A step that the protocol does not allow, now or at all.

    >>> from casinowar import fairness
    >>> from casinowar.cards import DECK
    >>> try:
    ...     card = fairness.SealedShoe.begin("table 1, shoe 1", DECK * 6, None).draw()
    ... except fairness.SealRefused as refused:
    ...     print(refused)
    the shoe is not sealed yet
    """


class CardProof(msgspec.Struct, frozen=True):
    """What shows one card against the root: its index in the sealed order, its salt and the path of siblings.

    >>> from casinowar import fairness
    >>> from casinowar.cards import DECK
    >>> shoe = fairness.SealedShoe.begin("table 1, shoe 1", DECK * 6, None)
    >>> root = shoe.seal()
    >>> card, proof = shoe.draw()
    >>> proof.index, len(proof.salt)
    (0, 32)
    """

    index: int
    salt: bytes
    path: tuple[bytes, ...]


class Dealt(msgspec.Struct, frozen=True):
    """A card that left the shoe, counted from the cut. `card` and `proof` are none while nobody has seen its face.

    >>> from casinowar import fairness
    >>> from casinowar.cards import DECK
    >>> shoe = fairness.SealedShoe.begin("table 1, shoe 1", DECK * 6, None)
    >>> root = shoe.seal()
    >>> card, proof = shoe.draw()
    >>> shoe.dealt[0].place, shoe.dealt[0].card == card
    (0, True)
    """

    place: int
    card: Card | None
    proof: CardProof | None


class PutBack(msgspec.Struct, frozen=True):
    """So many of the last cards went back to the front of the shoe, in their order.

    >>> from casinowar import fairness
    >>> fairness.PutBack(cards=2).cards
    2
    """

    cards: int


class Cut(msgspec.Struct, frozen=True):
    """How many cards went from the front to the back, and by whom; without a player, where the stream chose.

    >>> from casinowar import fairness
    >>> from casinowar.cards import DECK
    >>> shoe = fairness.SealedShoe.begin("table 1, shoe 1", DECK * 6, (52, 260))
    >>> root = shoe.seal()
    >>> shoe.cut("ana", 100)
    Cut(position=100, player='ana')
    """

    position: int
    player: str | None


class Opening(msgspec.Struct, frozen=True):
    """The end of a shoe: its seed, and why it was voided if it was.

    >>> from casinowar import fairness
    >>> from casinowar.cards import DECK
    >>> shoe = fairness.SealedShoe.begin("table 1, shoe 1", DECK * 6, None)
    >>> root = shoe.seal()
    >>> opening = shoe.open()
    >>> opening.fate, len(opening.seed)
    ('finished', 32)
    """

    fate: Fate
    reason: str | None
    seed: bytes


class Kept(msgspec.Struct, frozen=True):
    """All that a shoe is, secrets included: for the table's own store and no other, so that a shoe survives a crash.

    A move is 1 for a card drawn face up, 0 for one drawn face down, and -n for n cards put back.

    >>> from casinowar import fairness
    >>> from casinowar.cards import DECK
    >>> shoe = fairness.SealedShoe.begin("table 1, shoe 1", DECK * 6, None)
    >>> shoe.keep()
    <what is kept of shoe 'table 1, shoe 1'>
    """

    header: d.Header
    seed: bytes
    contributions: tuple[d.Contribution, ...]
    is_sealed: bool
    cut: Cut | None
    moves: tuple[int, ...]
    fate: Fate
    reason: str | None

    def __repr__(self) -> str:
        return f"<what is kept of shoe {self.header.shoe!r}>"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        return [("shoe", self.header.shoe)]


def header_of(
    shoe: str,
    cards: Iterable[Card],
    cut_bounds: tuple[int, int] | None,
    *,
    kind: d.ShoeKind = "shoe",
    previous: bytes | None = None,
) -> d.Header:
    """The header of a shoe of these cards, in whatever order they are named."""
    counted = Counter(cards)
    counts = tuple(counted.pop(card, 0) for card in DECK)
    size = sum(counts)
    _require(not counted, "there is something among the cards that is no card")
    _require(0 < size <= d.MOST_CARDS, f"a shoe holds 1 to {d.MOST_CARDS} cards")
    _require(is_text(shoe), "a shoe's name is 1 to 200 printable characters")
    if cut_bounds is not None:
        _require(kind == "shoe", "a continuous shuffler is not cut")
        _require(0 < cut_bounds[0] <= cut_bounds[1] < size, "a cut leaves cards on both sides")
    return d.Header(shoe, kind, counts, cut_bounds, previous)


def is_text(text: str) -> bool:
    return 0 < len(text) <= d.MOST_TEXT and text.isprintable()


class SealedShoe:
    """One shoe. `begin` draws its seed; `commitment` is to be published at once, before any seat may add entropy.

    >>> from casinowar import fairness
    >>> from casinowar.cards import DECK
    >>> shoe = fairness.SealedShoe.begin("table 1, shoe 1", DECK * 6, None)
    >>> commitment, root = shoe.commitment, shoe.seal()
    >>> card, proof = shoe.draw()
    >>> opening = shoe.open()
    >>> fairness.check_shoe(fairness.export(shoe))
    []
    """

    def __init__(self, header: d.Header, seed: bytes) -> None:
        self.header = header
        self.commitment = d.commitment(header, seed)
        self.cut_made: Cut | None = None
        self.dealt: list[Dealt | PutBack] = []
        self.fate: Fate = "running"
        self.reason: str | None = None
        self._seed = seed
        self._contributions: dict[int, d.Contribution] = {}
        self._order: tuple[Card, ...] = ()
        self._salts: tuple[bytes, ...] = ()
        self._tree: MerkleTree | None = None
        self._next = 0

    @classmethod
    def begin(
        cls,
        shoe: str,
        cards: Iterable[Card],
        cut_bounds: tuple[int, int] | None,
        *,
        kind: d.ShoeKind = "shoe",
        previous: bytes | None = None,
        source: ByteSource = entropy,
    ) -> "SealedShoe":
        """A shoe of these cards with a fresh seed. Everything named here is bound by the commitment."""
        header = header_of(shoe, cards, cut_bounds, kind=kind, previous=previous)
        seed = source(d.SEED_BYTES)
        _require(len(seed) == d.SEED_BYTES, "a seed is 32 bytes")
        return cls(header, seed)

    @property
    def contributions(self) -> tuple[d.Contribution, ...]:
        """The promises and entropy of the seats, in the order of the seats."""
        return tuple(self._contributions[seat] for seat in sorted(self._contributions))

    @property
    def is_sealed(self) -> bool:
        """Whether the order is fixed, so that no entropy comes in any more."""
        return self._tree is not None

    @property
    def root(self) -> bytes | None:
        """The root of the tree over all cards, once the shoe is sealed."""
        return self._tree.root if self._tree else None

    @property
    def seal_digest(self) -> bytes | None:
        """What a player notes before the first wager; none until the shoe is sealed."""
        return d.seal_digest(self.commitment, self._mixed, self._tree.root) if self._tree else None

    @property
    def place(self) -> int:
        """How many cards are out: the place of the next one."""
        return self._next

    @property
    def cards_left(self) -> int:
        """How many cards have not left the shoe."""
        return self.header.size - self._next

    @property
    def seed(self) -> bytes | None:
        """The seed once the shoe is opened; none before."""
        return None if self.fate == "running" else self._seed

    def promise_entropy(self, seat: int, player: str, promise: bytes) -> None:
        """A seat binds itself to entropy that it will show once all have promised.

        So nobody, not even a house that sits at its own table, can choose entropy after seeing another's.
        """
        self._require_gathering()
        _require(all(one.entropy is None for one in self.contributions), "entropy has been shown already")
        _require(len(promise) == 32, "a promise is 32 bytes")
        self._admit(seat, player)
        self._contributions[seat] = d.Contribution(seat, player, promise, None)

    def add_entropy(self, seat: int, player: str, entropy: bytes) -> None:
        """A seat's entropy, once for each shoe. Where anybody promised, only those who did, and what they promised."""
        self._require_gathering()
        _require(d.LEAST_ENTROPY <= len(entropy) <= d.MOST_ENTROPY, "entropy is 16 to 64 bytes")
        promised = self._contributions.get(seat)
        if promised is not None and promised.promise is not None and promised.entropy is None:
            _require(promised.player == player, "another player promised for this seat")
            _require(promised.promise == d.promise(self.commitment, seat, entropy), "this is not what was promised")
        else:
            _require(all(one.promise is None for one in self.contributions), "this seat promised no entropy")
            self._admit(seat, player)
        self._contributions[seat] = d.Contribution(seat, player, promised.promise if promised else None, entropy)

    def seal(self) -> bytes:
        """Fix the order and give the root, to be published before the first wager. No entropy comes in after this."""
        self._require_gathering()
        self._fix_order()
        assert self._tree is not None
        return self._tree.root

    def cut(self, player: str, position: int) -> Cut:
        """The designated player takes so many cards from the front to the back."""
        least, most = self._cut_bounds()
        _require(is_text(player), "a player's name is 1 to 200 printable characters")
        _require(least <= position <= most, f"a cut here takes {least} to {most} cards")
        self.cut_made = Cut(position, player)
        return self.cut_made

    def house_cut(self) -> Cut:
        """No player cuts: the stream says where, so that staff have no choice."""
        self.cut_made = Cut(d.house_cut(self._cut_bounds(), self._key("cut")), None)
        return self.cut_made

    def peek(self, place: int, cards: int) -> tuple[Card, ...]:
        """The faces at so many places from there on, for the dealer of this table alone."""
        self._require_dealing()
        _require(0 <= place <= place + cards <= self.header.size, "the shoe has no such place")
        return tuple(self._order[self._index(one)] for one in range(place, place + cards))

    def draw(self, *, face_up: bool = True) -> tuple[Card, CardProof]:
        """The next card and its proof. A card that is drawn face down is for the dealer alone until the opening."""
        self._require_dealing()
        _require(self.cards_left > 0, "the shoe is empty")
        card, proof = self._card_at(self._next)
        self.dealt.append(Dealt(self._next, card if face_up else None, proof if face_up else None))
        self._next += 1
        return card, proof

    def draw_unproved(self) -> Card:
        """The next card face down, for a witness who has the whole shoe and needs no proof."""
        if not self._is_dealing:
            self._require_dealing()
        place, order = self._next, self._order
        if place >= len(order):
            raise SealRefused("the shoe is empty")
        self.dealt.append(Dealt(place, None, None))
        self._next = place + 1
        return order[self._index(place)]

    def draw_run(self, cards: int) -> tuple[Card, ...]:
        """As many calls of `draw_unproved`, in one."""
        self._require_dealing()
        place, order = self._next, self._order
        if place + cards > len(order):
            raise SealRefused("the shoe is empty")
        self.dealt += [Dealt(at, None, None) for at in range(place, place + cards)]
        self._next = place + cards
        begin = self._index(place)
        run = order[begin : begin + cards]
        return run if len(run) == cards else run + order[: cards - len(run)]

    def put_back(self, cards: int) -> None:
        """The last cards go back to the front in their order, as a ruling may have it; they come out again the same."""
        self._require_dealing()
        _require(0 < cards <= self._next, "no more cards can go back than came out")
        self._next -= cards
        self.dealt.append(PutBack(cards))

    def show(self, place: int) -> tuple[Card, CardProof]:
        """A card that was drawn face down is turned up after all, as where a player may see what was burned."""
        self._require_dealing()
        at = next((at for at, one in enumerate(self.dealt) if isinstance(one, Dealt) and one.place == place), None)
        if at is None or place >= self._next:
            raise SealRefused("no such card is out")
        card, proof = self._card_at(place)
        self.dealt[at] = Dealt(place, card, proof)
        return card, proof

    def open(self) -> Opening:
        """The shoe is at its end: its seed is published and everything about it can be computed by anybody."""
        _require(self.is_sealed, "a shoe that was never sealed can only be voided")
        return self._end("finished", None)

    def void(self, reason: str) -> Opening:
        """The shoe is given up, at whatever step, and opened like any other; the reason stands beside it."""
        _require(is_text(reason), "a reason is 1 to 200 printable characters")
        return self._end("voided", reason)

    def keep(self) -> Kept:
        """Everything, for the table's own store."""
        moves = tuple(-one.cards if isinstance(one, PutBack) else int(one.card is not None) for one in self.dealt)
        return Kept(
            self.header, self._seed, self.contributions, self.is_sealed, self.cut_made, moves, self.fate, self.reason
        )

    @classmethod
    def resume(cls, kept: Kept) -> "SealedShoe":
        """The shoe as it was kept, after a restart."""
        shoe = cls(kept.header, kept.seed)
        shoe._contributions = {one.seat: one for one in kept.contributions}
        if kept.is_sealed:
            shoe._fix_order()
        shoe.cut_made = kept.cut
        for move in kept.moves:
            if move < 0:
                shoe.put_back(-move)
            else:
                shoe.draw(face_up=move == 1)
        shoe.fate, shoe.reason = kept.fate, kept.reason
        return shoe

    def __repr__(self) -> str:
        return f"<sealed shoe {self.header.shoe!r}, {self.fate}, commitment {self.commitment.hex()}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a sealed shoe is not copied or pickled; keep() is what a store takes")

    @property
    def _mixed(self) -> bytes:
        return d.mix(self.commitment, self.contributions)

    def _key(self, purpose: d.Purpose) -> bytes:
        return d.purpose_key(self._seed, purpose, self.commitment, self._mixed)

    def _fix_order(self) -> None:
        self._order = d.order(self.header.stack, self._key("order"))
        self._salts = d.salts(self.header.size, self._key("salt"))
        leaves = zip(range(self.header.size), self._order, self._salts, strict=True)
        self._tree = MerkleTree([d.leaf(*one) for one in leaves])

    def _card_at(self, place: int) -> tuple[Card, CardProof]:
        assert self._tree is not None
        index = self._index(place)
        return self._order[index], CardProof(index, self._salts[index], self._tree.path(index))

    def _index(self, place: int) -> int:
        """Where the card of a place lies in the order before the cut."""
        index = place + (self.cut_made.position if self.cut_made else 0)
        return index - len(self._order) if index >= len(self._order) else index

    def _admit(self, seat: int, player: str) -> None:
        _require(0 < seat <= d.MOST_SEAT, "seats count from 1 to 65535")
        _require(seat not in self._contributions, "this seat has contributed already")
        _require(is_text(player), "a player's name is 1 to 200 printable characters")

    def _require_gathering(self) -> None:
        _require(self.fate == "running", "the shoe has been opened")
        _require(not self.is_sealed, "the shoe is sealed")

    @property
    def _is_dealing(self) -> bool:
        is_cut = self.cut_made is not None or self.header.cut_bounds is None
        return is_cut and self._tree is not None and self.fate == "running"

    def _require_dealing(self) -> None:
        _require(self.fate == "running", "the shoe has been opened")
        _require(self.is_sealed, "the shoe is not sealed yet")
        _require(self.cut_made is not None or self.header.cut_bounds is None, "the shoe is not cut yet")

    def _cut_bounds(self) -> tuple[int, int]:
        _require(self.fate == "running", "the shoe has been opened")
        _require(self.is_sealed, "the shoe is not sealed yet")
        _require(self.cut_made is None, "the shoe has been cut")
        if self.header.cut_bounds is None:
            raise SealRefused("this shoe is not cut")
        return self.header.cut_bounds

    def _end(self, fate: Fate, reason: str | None) -> Opening:
        _require(self.fate == "running", "the shoe has been opened")
        self.fate, self.reason = fate, reason
        return Opening(fate, reason, self._seed)


def _require(is_met: bool, reason: str) -> None:
    if not is_met:
        raise SealRefused(reason)
