"""How shoes follow each other in the list of a table's name, and whether a finished one came to its end."""

import re
from collections.abc import Iterable, Iterator

import msgspec
from msgspec import UNSET

from casinowar.fairness.derivation import ShoeKind
from casinowar.fairness.export import Back, Down, ExportedShoe, Up
from casinowar.fairness.sealed import Fate

OPENING = re.compile(r"\.[0-9]+\Z")
"""Behind the table's name, where it was opened again: `nz.2`."""

ANEW = (
    "a chain began anew here: an older program did not bind the shoes of two openings to each other, so a shoe that was"
    " left out before this one would not be seen"
)


class Finding(msgspec.Struct, frozen=True):
    """What is wrong, and at which field of the file.

    >>> from casinowar import fairness
    >>> fairness.Finding("root", "it is not the one that was noted").where
    'root'
    """

    where: str
    what: str


class ListedShoe(msgspec.Struct, frozen=True):
    """A line of the list: a commitment, and what became of it.

    `previous` is the commitment that it is bound to, `by` who had it voided, `out` how many of its `cards` were out at
    most, `marker` after how many the cutting card lies. `seal` binds its entropy and its root: a shoe that was put back
    to before it was sealed, and sealed again, has the same commitment and another seal. A line that is not numbered is
    of an older program, which counted from one at each opening and named nobody.

    >>> from casinowar import fairness
    >>> fairness.ListedShoe(1, "table 1/1", "00" * 32, "running", None).fate
    'running'
    """

    number: int
    shoe: str
    commitment: str
    fate: Fate
    reason: str | None
    previous: str | None = None
    by: str | None = None
    kind: ShoeKind = "shoe"
    cards: int = 0
    out: int = 0
    marker: int | None = None
    is_numbered: bool = False
    seal: str | None = None


def most_out(dealt: Iterable[Up | Down | Back]) -> int:
    """The most cards that were out of the shoe at once."""
    return max((one.place + 1 for one in dealt if not isinstance(one, Back)), default=0)


def is_at_end(kind: ShoeKind, cards: int, out: int, marker: int | None) -> bool:
    """Whether the cutting card has come, or all cards have; a continuous shuffler's stack is for one round."""
    if kind == "continuous":
        return out > 0
    return out >= (cards if marker is None else marker)


def find_end_faults(shoe: ExportedShoe) -> Iterator[Finding]:
    """What is wrong with the number, the cutting card and the end; an older shoe has no number and tells less."""
    is_voided = shoe.fate == "voided"
    if isinstance(shoe.marker, int) and (shoe.marker > sum(shoe.counts) or shoe.kind == "continuous"):
        yield Finding("marker", "there is no such place for a cutting card")
    if shoe.by is not UNSET and not is_voided:
        yield Finding("by", "only a voided shoe was voided by somebody")
    if shoe.number is UNSET:
        return
    if not shoe.shoe.endswith(f"/{shoe.number}"):
        yield Finding("number", "is not the one in the shoe's name")
    if (shoe.previous is None) != (shoe.number == 1):
        yield Finding("previous", "the first shoe of a table has none before it, and every other has")
    if shoe.by is UNSET and is_voided:
        yield Finding("by", "nobody is named who had it voided")
    if shoe.fate == "finished" and shoe.marker is UNSET:
        yield Finding("marker", "is not told, and the shoe is called finished")
    elif shoe.fate == "finished" and not _is_at_end(shoe):
        yield Finding("fate", describe_end(shoe))


def is_early(shoe: ExportedShoe) -> bool:
    """Whether an older shoe is called finished and was not at its end, as far as the file tells.

    Where the cutting card is not told, a shoe of which not half the cards came is looked at twice.
    """
    if shoe.number is not UNSET or shoe.fate != "finished":
        return False
    if shoe.marker is UNSET:
        return shoe.kind == "shoe" and 2 * most_out(shoe.dealt) < sum(shoe.counts)
    return not _is_at_end(shoe)


def describe_end(shoe: ExportedShoe) -> str:
    """How far a shoe came that is called finished, in words."""
    came = f"called finished after {most_out(shoe.dealt)} of {sum(shoe.counts)} cards"
    if shoe.marker is UNSET:
        return f"{came}, and where its cutting card lay is not told"
    return f"{came}, without a void" if shoe.marker is None else f"{came}, before its cutting card at {shoe.marker}"


def _is_at_end(shoe: ExportedShoe) -> bool:
    marker = shoe.marker if isinstance(shoe.marker, int) else None
    return is_at_end(shoe.kind, sum(shoe.counts), most_out(shoe.dealt), marker)


def find_chain_faults(shoe: ExportedShoe, before: ExportedShoe | None) -> Iterator[Finding]:
    """What is wrong with a shoe behind the one before it."""
    if before is None:
        return
    if before.fate == "running":
        yield Finding("previous", "the shoe before this one was never opened")
    if shoe.previous != before.commitment and not does_begin_anew(shoe, before):
        yield Finding("previous", "is not the commitment of the shoe named before this one")
    if before.number is not UNSET:
        if shoe.number is UNSET:
            yield Finding("number", "is missing, and the shoe before this one has its number")
        elif shoe.number != before.number + 1:
            yield Finding("number", f"{shoe.number} where {before.number + 1} was due")


def does_begin_anew(shoe: ExportedShoe, before: ExportedShoe) -> bool:
    """Whether it is the first shoe of another opening, as an older program began it: `nz.2/1` behind `nz/7`."""
    is_old = shoe.number is UNSET and before.number is UNSET and shoe.previous is None
    stream, _, place = shoe.shoe.rpartition("/")
    last = before.shoe.rpartition("/")[0]
    return is_old and place == "1" and stream != last and _table(stream) == _table(last)


def _table(stream: str) -> str:
    return OPENING.sub("", stream)
