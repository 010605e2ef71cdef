"""The record of a session, as data and as text, for `replay` to run again.

Of an automatic dealer it holds every face of every shoe, sealed burns too, so it is for a session that is over. Of a
table of real cards it holds the faces that were turned, and no other.
"""

import json
from typing import Any

import tomli_w

from casinowar.dealers.real_cards import RealTable
from casinowar.dealers.session import Session
from casinowar.dealers.shoe import Stack
from casinowar.records.parse import FORMAT, RecordError, read_json, read_toml
from casinowar.records.parse import Stack as SeenStack
from casinowar.rulebooks.editions import without_edition


def record_of(session: Session | RealTable, rulebook: str | None = None) -> dict[str, Any]:
    """The session's script. Replayed, it ends with the same balances; a deal that still waits for a cut is left out.

    `rulebook` is how the record names a house rulebook, by its path or name; the five books go by their ids, and the
    edition stands beside it.
    """
    limit = session.limit
    rules = session.book
    limits = {"minimum": limit.minimum, "maximum": limit.maximum, "unit": limit.unit}
    shoe, *later = [_stack(stack) for stack in session.stacks] or [""]
    is_cut_short = isinstance(session, Session) and session.is_deal_unfinished
    players = session.opening_chips if isinstance(session, Session) else session.chips
    return {
        "format": FORMAT,
        "rulebook": without_edition(rulebook) if rulebook else rules.id,
        "edition": rules.edition,
        "shoe": shoe,
        "later_shoes": later,
        **({"meter": session.meter} if rules.wager.progressive else {}),
        "options": dict(rules.options),
        "limits": {key: value for key, value in limits.items() if value is not None},
        "players": dict(players),
        "acts": session.acts[:-1] if is_cut_short else list(session.acts),
    }


def _stack(stack: Stack | SeenStack) -> str:
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
    return {key: _plain(part) for key, part in record.items() if part is not None and part != {}}


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items() if part is not None}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return value
