"""The record of a session, as data and as text, for `replay` to run again.

It holds every face of every shoe, sealed burns too, so it is for a session that is over.
"""

import json
from typing import Any

from casinowar.records.parse import FORMAT
from casinowar.table.session import Session, Stack


def record_of(session: Session, rulebook: str | None = None) -> dict[str, Any]:
    """The session's script. Replayed, it ends with the same balances; a deal that still waits for a cut is left out.

    `rulebook` is how the record names a house rulebook, by its path or name; the five books go by their ids.
    """
    limit = session.limit
    limits = {"minimum": limit.minimum, "maximum": limit.maximum, "unit": limit.unit}
    shoe, *later = [_stack(stack) for stack in session.stacks] or [""]
    return {
        "format": FORMAT,
        "rulebook": rulebook or session.rules.id,
        "shoe": shoe,
        "later_shoes": later,
        **({"meter": session.meter} if session.rules.wager.progressive else {}),
        "options": dict(session.rules.options),
        "limits": {key: value for key, value in limits.items() if value is not None},
        "players": dict(session.chips),
        "acts": session.acts[:-1] if session.is_deal_unfinished else list(session.acts),
    }


def _stack(stack: Stack) -> str:
    cards: list[str] = list(stack.cards)
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
    """JSON's scalars and lists of strings read the same in TOML, and so do its quoted strings as keys."""
    names = {key: key if key.isidentifier() and key.isascii() else json.dumps(key) for key in pairs}
    return "".join(f"{names[key]} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in pairs.items())
