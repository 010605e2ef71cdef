"""The record of a session, as data and as text, for `replay` to run again.

Of an automatic dealer it holds every face of every shoe, sealed burns too, so it is for a session that is over. Of a
table of real cards it holds the faces that were turned, and no other.
"""

import json
from typing import Any

from casinowar.records.parse import FORMAT
from casinowar.records.parse import Stack as SeenStack
from casinowar.table.real import RealTable
from casinowar.table.session import Session
from casinowar.table.stacks import Stack


def record_of(session: Session | RealTable, rulebook: str | None = None) -> dict[str, Any]:
    """The session's script. Replayed, it ends with the same balances; a deal that still waits for a cut is left out.

    `rulebook` is how the record names a house rulebook, by its path or name; the five books go by their ids.
    """
    limit = session.limit
    rules = session.book if isinstance(session, RealTable) else session.rules
    limits = {"minimum": limit.minimum, "maximum": limit.maximum, "unit": limit.unit}
    shoe, *later = [_stack(stack) for stack in session.stacks] or [""]
    is_cut_short = isinstance(session, Session) and session.is_deal_unfinished
    return {
        "format": FORMAT,
        "rulebook": rulebook or rules.id,
        "shoe": shoe,
        "later_shoes": later,
        **({"meter": session.meter} if rules.wager.progressive else {}),
        "options": dict(rules.options),
        "limits": {key: value for key, value in limits.items() if value is not None},
        "players": dict(session.chips),
        "acts": session.acts[:-1] if is_cut_short else list(session.acts),
    }


def _stack(stack: Stack | SeenStack) -> str:
    cards: list[str] = [card or "xx" for card in stack.cards]
    if stack.cut_card is not None:
        cards.insert(stack.cut_card, "cut")
    return " ".join(cards)


def format_record(record: dict[str, Any], suffix: str) -> str:
    """The record as text: TOML for `.toml`, JSON for anything else."""
    if suffix == ".toml":
        return _format_toml(record)
    return json.dumps(record, ensure_ascii=False, indent=1) + "\n"


def _format_toml(record: dict[str, Any]) -> str:
    tables = {key: part for key, part in record.items() if isinstance(part, dict)}
    blocks = [_format_pairs({key: part for key, part in record.items() if key != "acts" and key not in tables})]
    blocks += [f"[{key}]\n{_format_pairs(part)}" for key, part in tables.items() if part]
    blocks += [f"[[acts]]\n{_format_pairs(act)}" for act in record["acts"]]
    return "\n".join(blocks)


def _format_pairs(pairs: dict[str, Any]) -> str:
    return "".join(f"{_format_key(key)} = {_format_value(value)}\n" for key, value in pairs.items())


def _format_key(key: str) -> str:
    return key if key.isidentifier() and key.isascii() else json.dumps(key)


def _format_value(value: Any) -> str:
    """JSON's scalars read the same in TOML, and so do its quoted strings as keys."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_format_key(key)} = {_format_value(part)}" for key, part in value.items()) + " }"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_format_value, value))}]"
    return json.dumps(value, ensure_ascii=False)
