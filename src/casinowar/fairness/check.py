"""Checking an exported shoe: every digest, proof and step against the others, and against what a player noted."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from casinowar.cards import DECK, Card
from casinowar.errors import ArgumentRefused
from casinowar.fairness import derivation as d
from casinowar.fairness.chain import Finding, describe_end, find_chain_faults, find_end_faults, is_early
from casinowar.fairness.export import Back, ExportedContribution, ExportedShoe, Up, load_shoe
from casinowar.merkle import MerkleTree, root_of_path

DIGEST, ENTROPY = re.compile(r"[0-9a-fA-F]{64}"), re.compile(r"([0-9a-fA-F]{2}){16,64}")


class Noted(msgspec.Struct, frozen=True):
    """What a player wrote down at the table, in hexadecimal; the file alone cannot show that it was published then.

    >>> from casinowar import fairness
    >>> from casinowar.cards import DECK
    >>> shoe = fairness.SealedShoe.begin("table 1, shoe 1", DECK * 6, None)
    >>> root, opening = shoe.seal(), shoe.open()
    >>> fairness.check_shoe(fairness.export(shoe), fairness.Noted(root="00" * 32))[0].where
    'root'
    """

    commitment: str | None = None
    root: str | None = None
    seal: str | None = None
    entropy: str | None = None


def parse_noted(**given: str | None) -> Noted:
    """What was noted, in lower case. What is no digest can be on no shoe, and says nothing against one."""
    for name, text in given.items():
        pattern, wanted = (ENTROPY, "32 to 128") if name == "entropy" else (DIGEST, "64")
        if text is not None and not pattern.fullmatch(str(text)):
            raise ArgumentRefused(f"{name} = {text!r}: it is {wanted} hexadecimal digits")
    return Noted(**{name: text and text.lower() for name, text in given.items()})


def check_shoe(shoe: ExportedShoe, noted: Noted | None = None) -> list[Finding]:
    """All that is wrong with one shoe, in the order of the protocol.

    >>> from casinowar import fairness
    >>> from casinowar.cards import DECK
    >>> shoe = fairness.SealedShoe.begin("table 1, shoe 1", DECK * 6, None)
    >>> root, opening = shoe.seal(), shoe.open()
    >>> fairness.check_shoe(fairness.export(shoe))
    []
    """
    findings = [*_check_header(shoe), *_check_contributions(shoe), *_check_steps(shoe)]
    if not findings:
        findings = [*_check_commitment(shoe), *_check_cut(shoe), *_check_dealt(shoe), *_check_opening(shoe)]
    return [*findings, *find_end_faults(shoe), *_check_notes(shoe, noted or Noted())]


def verify(source: ExportedShoe | str | Path, noted: Noted | None = None) -> list[Finding]:
    """All that is wrong with an exported shoe, its text or its file; nothing where it agrees with itself.

    `noted` is what you noted at the table: with it, it is the shoe that you played.

    >>> from casinowar.fairness import SealedShoe
    >>> verify("{}")
    Traceback (most recent call last):
        ...
    ValueError: Object missing required field `format`
    """
    if noted is not None:
        noted = parse_noted(**msgspec.structs.asdict(noted))
    if isinstance(source, ExportedShoe):
        return check_shoe(source, noted)
    return check_shoe(load_shoe(source.read_text("utf-8") if isinstance(source, Path) else source), noted)


def check_series(shoes: Sequence[ExportedShoe]) -> list[list[Finding]]:
    """What is wrong with each of several shoes of a table, named in their order, seen beside the others.

    >>> from casinowar import fairness
    >>> from casinowar.cards import DECK
    >>> series = fairness.ShoeSeries("table 1")
    >>> shoe = series.begin(DECK * 6, None)
    >>> root, opening = shoe.seal(), shoe.open()
    >>> fairness.check_series([fairness.export(shoe)])
    [[]]
    """
    findings: list[list[Finding]] = []
    seeds: set[str] = set()
    names: set[str] = set()
    for at, shoe in enumerate(shoes):
        found = []
        if shoe.seed in seeds:
            found.append(Finding("seed", "an earlier shoe had the same seed"))
        if shoe.shoe in names:
            found.append(Finding("shoe", "an earlier shoe had the same name"))
        found += find_chain_faults(shoe, shoes[at - 1] if at else None)
        findings.append(found)
        seeds |= {shoe.seed} if shoe.seed is not None else set()
        names.add(shoe.shoe)
    return findings


def notes(shoe: ExportedShoe) -> list[str]:
    """What is true of a shoe and worth knowing, though nothing is wrong."""
    given = [one for one in shoe.entropy if one.bytes is not None]
    said = []
    if not given:
        said.append("no player added entropy: the house alone determined the order")
    elif any(one.promise is None for one in given):
        said.append("entropy came without promises: whoever spoke last saw what the others had added")
    if len(given) < len(shoe.entropy):
        said.append(f"{len(shoe.entropy) - len(given)} promised entropy and withheld it")
    if shoe.fate == "running":
        said.append("not opened yet: the cards dealt face up were checked, the order as a whole was not")
    if shoe.fate == "voided":
        said.append(f"voided{f' by {shoe.by}' if isinstance(shoe.by, str) else ''}: {shoe.reason}")
    if is_early(shoe):
        said.append(f"{describe_end(shoe)}: an older program called it so when a table closed")
    return said


def header(shoe: ExportedShoe) -> d.Header:
    previous = None if shoe.previous is None else bytes.fromhex(shoe.previous)
    return d.Header(shoe.shoe, shoe.kind, shoe.counts, shoe.cut_bounds, previous)


def _contribution(one: ExportedContribution) -> d.Contribution:
    promise = None if one.promise is None else bytes.fromhex(one.promise)
    return d.Contribution(one.seat, one.player, promise, None if one.bytes is None else bytes.fromhex(one.bytes))


def _mix(shoe: ExportedShoe) -> bytes:
    return d.mix(bytes.fromhex(shoe.commitment), [_contribution(one) for one in shoe.entropy])


def _key(seed: str, purpose: d.Purpose, shoe: ExportedShoe) -> bytes:
    return d.purpose_key(bytes.fromhex(seed), purpose, bytes.fromhex(shoe.commitment), _mix(shoe))


def _check_header(shoe: ExportedShoe) -> Iterator[Finding]:
    size = sum(shoe.counts)
    if not 0 < size <= d.MOST_CARDS:
        yield Finding("counts", f"a shoe holds 1 to {d.MOST_CARDS} cards")
    if shoe.cut_bounds is not None:
        least, most = shoe.cut_bounds
        if shoe.kind == "continuous":
            yield Finding("cut_bounds", "a continuous shuffler is not cut")
        if not 0 < least <= most < size:
            yield Finding("cut_bounds", "a cut leaves cards on both sides")


def _check_contributions(shoe: ExportedShoe) -> Iterator[Finding]:
    seats = [one.seat for one in shoe.entropy]
    if seats != sorted(set(seats)):
        yield Finding("entropy", "seats do not stand once each in their order")
    if len({one.promise is None for one in shoe.entropy}) > 1:
        yield Finding("entropy", "some seats promised and some did not")
    for at, one in enumerate(shoe.entropy):
        if one.bytes is None:
            if one.promise is None:
                yield Finding(f"entropy[{at}]", "neither promise nor entropy")
        elif one.promise is not None:
            promised = d.promise(bytes.fromhex(shoe.commitment), one.seat, bytes.fromhex(one.bytes))
            if promised.hex() != one.promise:
                yield Finding(f"entropy[{at}].promise", "the entropy is not what was promised")


def _check_steps(shoe: ExportedShoe) -> Iterator[Finding]:
    """What must be there, and must not, at the step that the shoe has reached."""
    if (shoe.seed is None) != (shoe.fate == "running"):
        yield Finding("seed", "a shoe is opened when it has ended, and not before")
    if (shoe.reason is None) != (shoe.fate != "voided"):
        yield Finding("reason", "a voided shoe has a reason, and no other has")
    if shoe.root is None:
        if shoe.fate == "finished":
            yield Finding("root", "a shoe that was never sealed cannot have been played to its end")
        if shoe.cut is not None or shoe.dealt:
            yield Finding("root", "cut or dealt before it was sealed")
    if shoe.cut is not None and shoe.cut_bounds is None:
        yield Finding("cut", "this shoe is not cut")
    if shoe.dealt and shoe.cut is None and shoe.cut_bounds is not None:
        yield Finding("cut", "dealt before it was cut")


def _check_commitment(shoe: ExportedShoe) -> Iterator[Finding]:
    if shoe.seed is not None and d.commitment(header(shoe), bytes.fromhex(shoe.seed)).hex() != shoe.commitment:
        yield Finding("commitment", "is not that of the seed and of what was settled at the start")


def _check_cut(shoe: ExportedShoe) -> Iterator[Finding]:
    if shoe.cut is None or shoe.cut_bounds is None:
        return
    least, most = shoe.cut_bounds
    if not least <= shoe.cut.position <= most:
        yield Finding("cut.position", f"{shoe.cut.position} is not within {least} to {most}")
    if shoe.cut.player is None and shoe.seed is not None:
        position = d.house_cut(shoe.cut_bounds, _key(shoe.seed, "cut", shoe))
        if shoe.cut.position != position:
            yield Finding("cut.position", f"no player cut, and the stream gives {position}")


def _check_dealt(shoe: ExportedShoe) -> Iterator[Finding]:
    size, due = sum(shoe.counts), 0
    seen: dict[int, str] = {}
    for at, one in enumerate(shoe.dealt):
        if isinstance(one, Back):
            if one.cards > due:
                yield Finding(f"dealt[{at}].cards", "more went back than had come out")
                return
            due -= one.cards
            continue
        if one.place != due or due >= size:
            yield Finding(f"dealt[{at}].place", f"{one.place} where {due} of {size} cards had come out")
            return
        due += 1
        if isinstance(one, Up):
            yield from _check_face(shoe, one, at)
            if seen.setdefault(one.place, one.card) != one.card:
                yield Finding(f"dealt[{at}].card", "another card came from this place before")
    for card, count in Counter(seen.values()).items():
        held = shoe.counts[DECK.index(Card(card))]
        if count > held:
            yield Finding("dealt", f"{card} came {count} times, and the shoe holds {held}")


def _check_face(shoe: ExportedShoe, one: Up, at: int) -> Iterator[Finding]:
    size = sum(shoe.counts)
    index = one.place + (shoe.cut.position if shoe.cut else 0)
    if one.index != (index if index < size else index - size):
        yield Finding(f"dealt[{at}].index", f"place {one.place} after this cut is another index than {one.index}")
    leaf = d.leaf(one.index, Card(one.card), bytes.fromhex(one.salt))
    root = root_of_path(leaf, one.index, size, [bytes.fromhex(sibling) for sibling in one.path])
    if root is None or root.hex() != shoe.root:
        yield Finding(f"dealt[{at}]", f"{one.card} does not lead to the root by its index, salt and path")


def _check_opening(shoe: ExportedShoe) -> Iterator[Finding]:
    if shoe.seed is None or shoe.root is None:
        return
    order = d.order(header(shoe).stack, _key(shoe.seed, "order", shoe))
    salts = d.salts(len(order), _key(shoe.seed, "salt", shoe))
    leaves = [d.leaf(*one) for one in zip(range(len(order)), order, salts, strict=True)]
    if MerkleTree(leaves).root.hex() != shoe.root:
        yield Finding("root", "seed and entropy give another order than the one that was sealed")
    for at, one in enumerate(shoe.dealt):
        if isinstance(one, Up) and one.index < len(order) and one.card != order[one.index]:
            yield Finding(f"dealt[{at}].card", f"{one.card}, and seed and entropy give {order[one.index]}")


def _check_notes(shoe: ExportedShoe, noted: Noted) -> Iterator[Finding]:
    if noted.commitment is not None and noted.commitment != shoe.commitment:
        yield Finding("commitment", "is not the one that was noted")
    if noted.root is not None and noted.root != shoe.root:
        yield Finding("root", "is not the one that was noted")
    if noted.seal is not None and noted.seal != seal_of(shoe):
        yield Finding("root", "commitment, entropy and root do not make the seal that was noted")
    if noted.entropy is not None and noted.entropy not in [one.bytes for one in shoe.entropy]:
        yield Finding("entropy", "does not hold what was noted")


def seal_of(shoe: ExportedShoe) -> str | None:
    """What its commitment, entropy and root make together; nothing before it is sealed."""
    if shoe.root is None:
        return None
    return d.seal_digest(bytes.fromhex(shoe.commitment), _mix(shoe), bytes.fromhex(shoe.root)).hex()
