"""The engine checks the fields of a command before it decides: a program may hand in anything, as a socket may.

A struct does not check its own fields, so without this 100.0 would become money, and `True` a box.
"""

from collections.abc import Callable
from functools import cache
from operator import attrgetter
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, NewType, Union, get_args, get_origin

import msgspec

from casinowar.cards import DECK, Card

Kinds = frozenset[type]
FLAT: Kinds = frozenset([int, str, bool, NoneType])
FACES: frozenset[Card | None] = frozenset([*DECK, None])


class _Flat(NamedTuple):
    """Fields that are checked by their types alone; `known` are the types that have passed, of which there are few."""

    fields: tuple[tuple[str, Kinds], ...]
    take: Callable[[Any], tuple[object, ...]] | None
    known: set[tuple[type, ...]]


class _Shape(NamedTuple):
    """The checks of one class of commands: fields by type alone, by type all the way down, by a list of words, as
    text, and as faces of cards."""

    flat: _Flat
    nested: tuple[tuple[str, Any], ...]
    words: tuple[tuple[str, frozenset[object]], ...]
    texts: tuple[str, ...]
    faces: tuple[str, ...]


_SHAPES: dict[type, _Shape] = {}


def check_fields(command: msgspec.Struct) -> None:
    """Raise a TypeError where a field holds another type than it is declared with, and a ValueError where a text cannot
    be written, a word is none of those that there are, or a face is of no deck.

    Types are taken exactly: a bool is no whole number, and neither is a number of another library.
    """
    try:
        flat, nested, words, texts, faces = _SHAPES[type(command)]
    except KeyError:
        flat, nested, words, texts, faces = _SHAPES[type(command)] = _shape(type(command))
    if flat.take is not None:
        types = tuple(map(type, flat.take(command)))
        if types not in flat.known:
            for name, kinds in flat.fields:
                if type(getattr(command, name)) not in kinds:
                    raise TypeError(_complaint(command, name, kinds))
            flat.known.add(types)
    for name, declared in nested:
        if not _holds(getattr(command, name), declared):
            raise TypeError(_complaint(command, name, _kinds(declared)))
    for name, known in words:
        if getattr(command, name) not in known:
            told = ", ".join(sorted(str(word) for word in known if word is not None))
            raise ValueError(f"{type(command).__name__}.{name} is one of {told}, and not {getattr(command, name)!a}")
    for name in texts:
        text = getattr(command, name)
        if text and not text.isascii() and not is_text(text):
            raise ValueError(f"{type(command).__name__}.{name}: {text!a} holds half a character")
    for name in faces:
        cards = getattr(command, name)
        if not FACES.issuperset(cards if type(cards) is tuple else (cards,)):
            raise ValueError(f"{type(command).__name__}.{name}: {cards!r} is no card of a deck")


def is_text(text: str) -> bool:
    """Whether it can be written as UTF-8: half a character of two cannot."""
    return text.encode("utf-8", "ignore").decode() == text


def _complaint(command: msgspec.Struct, name: str, kinds: Kinds) -> str:
    wanted = " or ".join(sorted("None" if kind is NoneType else kind.__name__ for kind in kinds))
    return f"{type(command).__name__}.{name} is {wanted}, and not {getattr(command, name)!r}"


def _shape(kind: type[msgspec.Struct]) -> _Shape:
    if not issubclass(kind, msgspec.Struct):
        raise TypeError(f"a command is one such as PlaceWager, and no {kind.__name__}")
    every = msgspec.structs.fields(kind)
    faces = tuple(field.name for field in every if _is_face(field.type))
    declared = {field.name: field.type for field in every if not (field.name in faces or _is_matched(kind, field))}
    flat = tuple((name, _kinds(one)) for name, one in declared.items() if _kinds(one) <= FLAT)
    nested = tuple((name, one) for name, one in declared.items() if not _kinds(one) <= FLAT)
    words = {name: _words(declared[name]) for name, kinds in flat if str in kinds}
    listed = tuple((name, known) for name, known in words.items() if known)
    return _Shape(
        _Flat(flat, _taker([name for name, _ in flat]), set()),
        nested,
        listed,
        tuple(name for name, known in words.items() if not known),
        faces,
    )


def _taker(names: list[str]) -> Callable[[Any], tuple[object, ...]] | None:
    """Take all these fields at once; `attrgetter` gives no tuple for a single one."""
    if len(names) > 1:
        return attrgetter(*names)
    return (lambda command: (getattr(command, names[0]),)) if names else None


def _is_matched(kind: type[msgspec.Struct], field: msgspec.structs.FieldInfo) -> bool:
    """Whether the engine looks the value up among those that it has, so that no other can come in: a player at the
    table. What every card passes through is not recorded, and kept quick."""
    return (field.name == "player" and kind.__name__ != "BuyIn") or kind.__name__ == "Deal"


def _words(declared: Any) -> frozenset[object]:
    """The words that a field can hold, where they are listed."""
    origin, parts = get_origin(declared), get_args(declared)
    if origin is Literal:
        return frozenset(parts)
    if origin in (Union, UnionType) and all(one is NoneType or get_origin(one) is Literal for one in parts):
        return frozenset([None]).union(*map(_words, parts))
    return frozenset()


def _is_face(declared: Any) -> bool:
    return declared is Card or any(map(_is_face, get_args(declared)))


@cache
def _kinds(declared: Any) -> Kinds:
    """The types that a value of this declared type can have, exactly."""
    if isinstance(declared, NewType):
        return _kinds(declared.__supertype__)
    origin = get_origin(declared)
    if origin is Annotated:
        return _kinds(get_args(declared)[0])
    if origin in (Union, UnionType):
        return frozenset().union(*map(_kinds, get_args(declared)))
    if origin is Literal:
        return frozenset(map(type, get_args(declared)))
    return frozenset([origin or declared])


def _holds(value: Any, declared: Any) -> bool:
    """Whether the value is of the declared type all the way down."""
    origin, parts = get_origin(declared), get_args(declared)
    if origin is Annotated:
        return _holds(value, parts[0])
    if origin in (Union, UnionType):
        return any(_holds(value, part) for part in parts)
    if origin is Literal:
        return type(value) in _kinds(declared) and value in parts
    if type(value) not in _kinds(declared):
        return False
    if origin is dict:
        return all(_holds(key, parts[0]) and _holds(one, parts[1]) for key, one in value.items())
    if origin is tuple:
        each = [parts[0]] * len(value) if parts[-1] is Ellipsis else parts
        return len(value) == len(each) and all(map(_holds, value, each))
    if isinstance(value, msgspec.Struct):
        return all(_holds(getattr(value, field.name), field.type) for field in msgspec.structs.fields(value))
    return True
