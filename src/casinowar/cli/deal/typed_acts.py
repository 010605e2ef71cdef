"""`act NAME FIELD=VALUE ...`: any act of a record, as a dealer types it at a table of real cards."""

import json
import re
from difflib import get_close_matches
from typing import Any, get_args, get_origin

import msgspec

from casinowar.cards import Card
from casinowar.cli.deal.arguments import OrderError, Words, parse_face
from casinowar.cli.terminal.bets import GROUPED
from casinowar.dealers import RealTable
from casinowar.engine import commands as c
from casinowar.records.format import WRITTEN_ACTS

STEPS = "Enter takes the step shown, and a card is typed as it is turned"
INSTEAD = {
    "buy_in": "type buy NAME AMOUNT",
    "call": STEPS,
    "cash_out": "type leave NAME",
    "change_decks": "the decks change with the stack that Enter loads",
    "deal": STEPS,
    "deal_war": STEPS,
    "initial_burn": STEPS,
    "load_shoe": "Enter loads the shoe, or load CARDS where the stack has not the usual number",
    "settle_war": "Enter settles the wagers one by one, and act settle all of them",
    "replace_all_cards": "act replace_cards replaces them all",
}
"""Acts of a record that stand for several things which a dealer of real cards does one by one."""

_WRITTEN = {str(kind.__struct_config__.tag) for kind in get_args(WRITTEN_ACTS)} - INSTEAD.keys()
_TAGGED = {str(kind.__struct_config__.tag): kind for kind in get_args(c.Command)}
KINDS: dict[str, type[msgspec.Struct]] = {name: _TAGGED[name] for name in sorted(_WRITTEN)}
"""The others are each one command."""

UNTYPED = {("view_initial_burn", "card")}
"""An act that cannot be typed: the face of a burned card is seen by one player alone."""

MOST_DIGITS = 15


def read_operation(real: RealTable, words: Words) -> list[c.Command]:
    if not words:
        raise OrderError("Type act NAME FIELD=VALUE ..., such as act announce_limits minimum=10 maximum=100.")
    name = words[0].lower().replace("-", "_")
    if name in INSTEAD:
        raise OrderError(f"act {name}: {INSTEAD[name]}.")
    if name not in KINDS:
        near = " or ".join(get_close_matches(name, KINDS, 2))
        raise OrderError(f"There is no act {words[0]!r}{f': do you mean {near}?' if near else '.'}")
    fields = _fields(name)
    texts = _texts(name, words[1:])
    for key in texts:
        if key in c.SIGNATURES:
            raise OrderError(f"Sign at the end of the line: {key} ROLE:NAME.")
        if key not in fields:
            raise OrderError(f"act {name}: there is no {key}. {_usage(name)}")
    for key, field in fields.items():
        if field.required and key not in texts:
            raise OrderError(f"act {name}: {key} is missing. {_usage(name)}")
    operation: Any = KINDS[name](**{key: _value(fields[key], text) for key, text in texts.items()})
    return [operation]


def _fields(name: str) -> dict[str, msgspec.structs.FieldInfo]:
    fields = {field.name: field for field in msgspec.structs.fields(KINDS[name])}
    return {key: fields[key] for key in fields if key not in c.SIGNATURES and (name, key) not in UNTYPED}


def _usage(name: str) -> str:
    pairs = [(f"{key}={key.upper()}", field.required) for key, field in _fields(name).items()]
    return f"Type {' '.join([f'act {name}', *(pair if is_due else f'[{pair}]' for pair, is_due in pairs)])}."


def _texts(name: str, words: Words) -> dict[str, str]:
    """Each field's value as typed; a word without `=` goes on with the value before it."""
    texts: dict[str, str] = {}
    key = ""
    for word in words:
        before, equals, text = word.partition("=")
        if equals and before in texts:
            raise OrderError(f"act {name}: {before} is given twice.")
        if equals:
            key = before
            texts[key] = text
        elif key:
            texts[key] += f" {word}"
        else:
            raise OrderError(_usage(name))
    return texts


def _value(field: msgspec.structs.FieldInfo, text: str) -> Any:
    """A value of the field's own type; several stand between commas, and what has parts of its own is JSON."""
    is_list = get_origin(field.type) is tuple
    is_number = field.type is int or int in get_args(field.type)
    grouped = re.fullmatch(GROUPED, text) if is_number and not is_list else None
    plain = re.sub(r"[^0-9]", "", text) if grouped else text
    parts = [part.strip() for part in text.split(",") if part.strip()] if is_list else [plain]
    if any(re.fullmatch(rf"[0-9]{{{MOST_DIGITS + 1},}}", part) for part in parts):
        raise OrderError(f"No {field.name} is that high.")
    try:
        value: Any = [_face(part) for part in parts] if _is_card(field.type) else parts
        if is_list and text.startswith("["):
            value = json.loads(text)
        return msgspec.convert(value if is_list else value[0], field.type, strict=False)
    except (ValueError, RecursionError) as error:
        if isinstance(error, OrderError):
            raise
        choices = ", ".join(str(one) for one in get_args(field.type) if isinstance(one, str))
        raise OrderError(f"{text!r} is no {field.name}{f': type {choices}' if choices else ''}.") from None


def _is_card(kind: Any) -> bool:
    return kind is Card or any(_is_card(part) for part in get_args(kind))


def _face(text: str) -> Card | None:
    return None if text.lower() == "xx" else parse_face(text)
