"""A player's part in sealed shoes: notes of what was published, the proof of each card, and entropy of their own."""

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, get_args

import msgspec

from casinowar import protocol as f
from casinowar.cards import Card
from casinowar.fairness import Finding, Noted, promise
from casinowar.fairness.derivation import leaf
from casinowar.merkle import root_of_path
from casinowar.records.piles import DRAWN

Events = Sequence[Mapping[str, Any]]

_DRAWN = {kind.__struct_config__.tag for kind in get_args(DRAWN)}

MOST_SHOES = 256
"""A continuous shuffler seals a stack for each round; notes of older shoes are forgotten."""

MOST_FINDINGS = 100
ENTROPY_BYTES = 32


class ShoeNote(msgspec.Struct):
    """One shoe as it was first published. A later word that differs is a finding, and the first one stays."""

    size: int
    commitment: str | None = None
    root: str | None = None
    seal: str | None = None
    cut: int | None = None
    entropy: str | None = None
    faces: dict[int, Card] = msgspec.field(default_factory=dict)


class ProofNotes:
    """The shoes of one table, read off its frames in their order."""

    def __init__(self) -> None:
        self._shoes: dict[str, ShoeNote] = {}
        self._current: str | None = None
        self.checked = 0
        self.findings: list[Finding] = []

    def noted(self, shoe: str) -> Noted | None:
        """The notes to hold against the exported shoe once it is opened; none for a shoe that was not seen."""
        note = self._shoes.get(shoe)
        return None if note is None else Noted(note.commitment, note.root, note.seal, note.entropy)

    def read_view(self, seal: f.SealView) -> None:
        if seal.shoe is None or seal.cards is None:
            return
        self._current = seal.shoe
        note = self._note(seal.shoe, seal.cards)
        if note.size != seal.cards:
            self._add(seal.shoe, "its number of cards is not the one that was noted")
        for name in ("commitment", "root", "seal", "cut"):
            self._keep(seal.shoe, note, name, getattr(seal, name))

    def read_events(self, events: Events) -> None:
        for event in events:
            match event.get("name"):
                case "shoe_committed":
                    self._current = str(event["shoe"])
                    note = self._note(self._current, sum(event["counts"]))
                    self._keep(self._current, note, "commitment", event["commitment"])
                case "shoe_sealed" if self._current is not None:
                    self._keep(self._current, self._shoes[self._current], "root", event["root"])
                    self._keep(self._current, self._shoes[self._current], "seal", event["seal"])
                case "shoe_cut" if self._current is not None:
                    self._keep(self._current, self._shoes[self._current], "cut", event["position"])

    def read_proofs(self, events: Events, proofs: Iterable[f.CardShown]) -> None:
        """Check the proofs: each face that the events turn must have its proof, in their order, and no other."""
        proofs = tuple(proofs)
        turned = [event["card"] for event in events if event.get("name") in _DRAWN and event.get("card")]
        if turned != [proof.card for proof in proofs]:
            self._add(self._current or "", f"{len(turned)} cards were turned, and the proofs are of others")
        for proof in proofs:
            self.checked += 1
            note = self._shoes.get(proof.shoe)
            if note is None or note.root is None:
                self._add(proof.shoe, f"{proof.card} was turned before a root was published")
            elif not _leads_to_root(proof, note):
                self._add(proof.shoe, f"{proof.card} at place {proof.place} does not lead to the root that was noted")
            elif note.faces.setdefault(proof.place, proof.card) != proof.card:
                self._add(proof.shoe, f"place {proof.place} gave {note.faces[proof.place]} and then {proof.card}")

    def keep_entropy(self, commitment: str, entropy: bytes) -> None:
        """Note the entropy that the table has taken from this player for the shoe of that commitment."""
        for note in self._shoes.values():
            if note.commitment == commitment:
                note.entropy = entropy.hex()

    def _note(self, shoe: str, size: int) -> ShoeNote:
        if shoe not in self._shoes:
            self._shoes[shoe] = ShoeNote(size)
            while len(self._shoes) > MOST_SHOES:
                del self._shoes[next(iter(self._shoes))]
        return self._shoes[shoe]

    def _keep(self, shoe: str, note: ShoeNote, name: str, value: str | int | None) -> None:
        before = getattr(note, name)
        if before is None:
            setattr(note, name, value)
        elif value is not None and value != before:
            self._add(shoe, f"its {name} is not the one that was noted")

    def _add(self, shoe: str, what: str) -> None:
        finding = Finding(shoe, what)
        if finding not in self.findings and len(self.findings) < MOST_FINDINGS:
            self.findings.append(finding)


def _leads_to_root(proof: f.CardShown, note: ShoeNote) -> bool:
    if note.size < 1 or proof.index != (proof.place + (note.cut or 0)) % note.size:
        return False
    try:
        data = leaf(proof.index, proof.card, bytes.fromhex(proof.salt))
        path = [bytes.fromhex(sibling) for sibling in proof.path]
    except (ValueError, OverflowError):
        return False
    root = root_of_path(data, proof.index, note.size, path)
    return root is not None and root.hex() == note.root


class Contribution:
    """A player's entropy for the present shoe: promised while promises are due, shown once all are published.

    It stays in memory between promise and showing, also over a lost connection.
    """

    def __init__(self, source: Callable[[int], bytes] = secrets.token_bytes) -> None:
        self._source = source
        self._commitment: str | None = None
        self._entropy = b""
        self._is_shown = False

    def due(self, seal: f.SealView, box: int | None) -> f.PromiseEntropy | f.AddEntropy | None:
        """The frame that the player at this box has to send now, each once for a shoe; nothing without a seat.

        What was not promised is not shown: the table would refuse it.
        """
        if seal.commitment is None:
            return None
        if seal.stage == "promising" and box is not None and seal.commitment != self._commitment:
            self._commitment = seal.commitment
            self._entropy = self._source(ENTROPY_BYTES)
            self._is_shown = False
            promised = promise(bytes.fromhex(seal.commitment), box, self._entropy)
            return f.PromiseEntropy(promise=promised.hex())
        if seal.stage == "showing" and seal.commitment == self._commitment and not self._is_shown:
            self._is_shown = True
            return f.AddEntropy(entropy=self._entropy.hex())
        return None
