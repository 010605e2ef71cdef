"""An exported shoe, `casinowar-shoe/1`: JSON with what was published of a shoe so far, and nothing else."""

import json
from typing import Annotated, Any, Literal, NoReturn

import msgspec

from casinowar.fairness import derivation as d
from casinowar.fairness.sealed import Dealt, Fate, PutBack, SealedShoe

FORMAT: Literal["casinowar-shoe/1"] = "casinowar-shoe/1"

Digest = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{64}\Z")]
EntropyHex = Annotated[str, msgspec.Meta(pattern=r"^([0-9a-f]{2}){16,64}\Z")]
Face = Annotated[str, msgspec.Meta(pattern=r"^[2-9TJQKA][cdhs]\Z")]
Text = Annotated[str, msgspec.Meta(min_length=1, max_length=d.MOST_TEXT)]
Count = Annotated[int, msgspec.Meta(ge=0, le=d.MOST_CARDS)]
Positive = Annotated[int, msgspec.Meta(ge=1, le=d.MOST_CARDS)]


class ExportedContribution(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    seat: Positive
    player: Text
    promise: Digest | None
    bytes: EntropyHex | None


class ExportedCut(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    position: Positive
    player: Text | None


class Up(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="act", tag="up"):
    place: Count
    index: Count
    card: Face
    salt: Digest
    path: tuple[Digest, ...]


class Down(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="act", tag="down"):
    place: Count


class Back(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="act", tag="put_back"):
    cards: Positive


class ExportedShoe(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file's fields, digests as lower-case hexadecimal. What a shoe does not have yet is null.

    The last three may be missing: a shoe of an older program has no `number`, only a voided one has a `by`, and one
    that never came into use has no `marker`.

    >>> from casinowar import fairness
    >>> from casinowar.cards import DECK
    >>> shoe = fairness.SealedShoe.begin("table 1, shoe 1", DECK * 6, None)
    >>> exported = fairness.export(shoe)
    >>> exported.format, exported.shoe, exported.seed
    ('casinowar-shoe/1', 'table 1, shoe 1', None)
    """

    format: Literal["casinowar-shoe/1"]
    shoe: Text
    kind: d.ShoeKind
    counts: Annotated[tuple[Count, ...], msgspec.Meta(min_length=52, max_length=52)]
    cut_bounds: tuple[Positive, Positive] | None
    previous: Digest | None
    commitment: Digest
    entropy: tuple[ExportedContribution, ...]
    root: Digest | None
    cut: ExportedCut | None
    dealt: tuple[Up | Down | Back, ...]
    fate: Fate
    reason: Text | None
    seed: Digest | None
    number: Positive | msgspec.UnsetType = msgspec.UNSET
    marker: Count | msgspec.UnsetType | None = msgspec.UNSET
    by: Text | msgspec.UnsetType = msgspec.UNSET


def export(
    shoe: SealedShoe,
    number: int | msgspec.UnsetType = msgspec.UNSET,
    marker: int | msgspec.UnsetType | None = msgspec.UNSET,
    by: str | msgspec.UnsetType = msgspec.UNSET,
) -> ExportedShoe:
    """What is public of a shoe now. The seed and unseen cards are in it only once the shoe has been opened.

    A live table also tells the shoe's number in its list, after how many cards the cutting card lies (none where there
    is none), and who had the shoe voided.

    >>> from casinowar import fairness
    >>> from casinowar.cards import DECK
    >>> shoe = fairness.SealedShoe.begin("table 1, shoe 1", DECK * 6, None)
    >>> fairness.export(shoe).commitment == shoe.commitment.hex()
    True
    """
    header = shoe.header
    return ExportedShoe(
        format=FORMAT,
        shoe=header.shoe,
        kind=header.kind,
        counts=header.counts,
        cut_bounds=header.cut_bounds,
        previous=_hex(header.previous),
        commitment=shoe.commitment.hex(),
        entropy=tuple(
            ExportedContribution(one.seat, one.player, _hex(one.promise), _hex(one.entropy))
            for one in shoe.contributions
        ),
        root=_hex(shoe.root),
        cut=ExportedCut(shoe.cut_made.position, shoe.cut_made.player) if shoe.cut_made else None,
        dealt=tuple(_line(one) for one in shoe.dealt),
        fate=shoe.fate,
        reason=shoe.reason,
        seed=_hex(shoe.seed),
        number=number,
        marker=marker,
        by=by,
    )


def dump_shoe(exported: ExportedShoe) -> str:
    """The exported shoe as JSON text, as `casinowar verify` reads it.

    >>> from casinowar import fairness
    >>> from casinowar.cards import DECK
    >>> shoe = fairness.SealedShoe.begin("table 1, shoe 1", DECK * 6, None)
    >>> fairness.dump_shoe(fairness.export(shoe)).splitlines()[1].strip()
    '"format": "casinowar-shoe/1",'
    """
    return json.dumps(msgspec.to_builtins(exported), indent=1, ensure_ascii=False) + "\n"


def load_shoe(text: str) -> ExportedShoe:
    """Read an exported shoe. Anything that is not exactly of the format is an error that says where.

    >>> from casinowar import fairness
    >>> from casinowar.cards import DECK
    >>> exported = fairness.export(fairness.SealedShoe.begin("table 1, shoe 1", DECK * 6, None))
    >>> fairness.load_shoe(fairness.dump_shoe(exported)) == exported
    True
    """
    data = json.loads(text, object_pairs_hook=_once_each, parse_float=_no_number, parse_constant=_no_number)
    try:
        exported = msgspec.convert(data, ExportedShoe)
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from None
    names = (exported.shoe, exported.reason, *(one.player for one in exported.entropy))
    for name in (*names, exported.cut.player if exported.cut else None, exported.by):
        if isinstance(name, str) and not name.isprintable():
            raise ValueError(f"{name!a} is not printable")
    return exported


def _hex(data: bytes | None) -> str | None:
    return None if data is None else data.hex()


def _line(one: Dealt | PutBack) -> Up | Down | Back:
    if isinstance(one, PutBack):
        return Back(one.cards)
    if one.card is None or one.proof is None:
        return Down(one.place)
    path = tuple(sibling.hex() for sibling in one.proof.path)
    return Up(one.place, one.proof.index, one.card, one.proof.salt.hex(), path)


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"{next(name for name in names if names.count(name) > 1)!r} is there twice")
    return data


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is not a whole number")
