"""A round record written from what was played: its header, its acts, its stacks, and its text."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
import tomli_w

from casinowar.cards import Card
from casinowar.engine import commands as c
from casinowar.records.opening_state import plain, written
from casinowar.records.parse import FORMAT, RecordError, Stack, read_json, read_toml
from casinowar.rulebooks import Rulebook
from casinowar.rulebooks.frozen import freeze

Act = dict[str, object]

SHOWN = {
    "report_extra_draw": "card",
    "report_face_up_card": "card",
    "report_missed_offer": "faces",
    "view_initial_burn": "card",
}
"""Faces that the record's shoe tells."""

UNSEEN = Card("xx")
"""A face that nobody saw, where a record would otherwise presume the last one turned."""


def record_of(
    rules: Rulebook,
    stacks: Iterable[Stack],
    acts: Sequence[Act],
    *,
    name: str = "",
    meter: int,
    limits: dict[str, Any],
    players: Mapping[str, int],
    books: dict[str, Any] | None = None,
    before: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """The record of what was played by these rules, which it names with their options unless it holds its `books`."""
    shoe, *later = [_format_stack(stack) for stack in stacks] or [""]
    return {
        "format": FORMAT,
        "rulebook": name or rules.id,
        "edition": rules.edition,
        "shoe": shoe,
        "later_shoes": later,
        **({"meter": meter} if rules.wager.progressive else {}),
        **(books or {"options": msgspec.to_builtins(rules.options)}),
        "limits": limits,
        "players": dict(players),
        **({} if before is None else {"before": before}),
        "acts": list(acts),
    }


def book_of(rules: Rulebook) -> dict[str, Any]:
    """The rules as a record's `book`."""
    book = written(freeze(rules))
    book.setdefault("notes", {})
    return book


def limit_of(limit: c.Limit) -> dict[str, Any]:
    """The limit as a record has it."""
    pairs = {"minimum": limit.minimum, "maximum": limit.maximum, "unit": limit.unit}
    return {key: value for key, value in pairs.items() if value is not None}


def act_of(command: c.Command) -> Act:
    """The command as an act of a record, without the faces that the shoe tells and the fields that say nothing."""
    name = str(command.__struct_config__.tag)
    if isinstance(command, c.LoadShoe):
        return {"do": name, **signature_of(command)}
    if isinstance(command, c.ReportDamagedCard):
        command = msgspec.structs.replace(command, card=command.card or UNSEEN)
    defaults = {field.encode_name: field.default for field in msgspec.structs.fields(command)}
    fields = {key: value for key, value in msgspec.to_builtins(command).items() if value != defaults.get(key, ...)}
    keys = sorted(fields, key=c.SIGNATURES.__contains__)
    return {key: plain(fields[key]) for key in keys if key != SHOWN.get(name)}


def signature_of(command: c.Command) -> Act:
    """Who gave the command, where it says so."""
    return {"by": command.by} if command.by else {}


def _format_stack(stack: Stack) -> str:
    cards: list[str] = [card or "xx" for card in stack.cards]
    if stack.cut_card is not None:
        cards.insert(stack.cut_card, "cut")
    return " ".join(cards)


def format_record(record: dict[str, Any], suffix: str) -> str:
    """The record as text: TOML for `.toml`, JSON for anything else. Half a character is a ValueError in both."""
    if suffix == ".toml":
        text = _format_toml(_filled(record))
    else:
        text = json.dumps(record, ensure_ascii=False, indent=1) + "\n"
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ValueError(f"half a character cannot be written: {text[error.start : error.end]!a}") from None
    return text


def _format_toml(record: dict[str, Any]) -> str:
    """Each act is a table of its own. The library would put short ones on a line each, so one more act is too long."""
    if not record.get("acts"):
        return tomli_w.dumps(record)
    long = {"do": "-" * 100}
    text = tomli_w.dumps({**record, "acts": [*record["acts"], long]})
    return text.removesuffix(f"\n[[acts]]\n{tomli_w.dumps(long)}")


def is_record_in(text: str, suffix: str, record: dict[str, Any]) -> bool:
    """Whether the text, read as `replay` reads it, holds this record and nothing else."""
    try:
        found = (read_toml if suffix == ".toml" else read_json)(text)
    except RecordError:
        return False
    return bool(_filled(found) == _filled(record))


def _filled(record: dict[str, Any]) -> dict[str, Any]:
    """The record with plain lists, and without what TOML cannot say and a reader presumes: no value, an empty table."""
    return {key: _listed(part) for key, part in record.items() if part is not None and part != {}}


def _listed(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _listed(part) for key, part in value.items() if part is not None}
    if isinstance(value, list | tuple):
        return [_listed(part) for part in value]
    return value
