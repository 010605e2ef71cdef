"""A round record written from what was played: its header, its acts, its stacks, and its text."""

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import msgspec
import tomli_w

from casinowar.cards import Card
from casinowar.engine import Table
from casinowar.engine import commands as c
from casinowar.engine.decide.draw_order import burn_draws
from casinowar.records.opening_state import plain, plain_fields
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

DEALERS = c.Deal | c.Settle | c.EndRound
"""What a record's `deal` does by itself, where nothing else happens between."""

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
    book = plain_fields(freeze(rules))
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
    defaults = _defaults(type(command))
    fields = {key: value for key, value in msgspec.to_builtins(command).items() if value != defaults.get(key, ...)}
    keys = sorted(fields, key=c.SIGNATURES.__contains__)
    return {key: plain(fields[key]) for key in keys if key != SHOWN.get(name)}


@cache
def _defaults(kind: type[c.Command]) -> dict[str, Any]:
    """What each field of a command holds where nothing is said of it. Do not change it."""
    return {field.encode_name: field.default for field in msgspec.structs.fields(kind)}


def signature_of(command: c.Command) -> Act:
    """Who gave the command, where it says so."""
    return {"by": command.by} if command.by else {}


class Script:
    """The acts of a record, added as commands are taken. The faces that were corrected are in the record's shoes.

    A run of the dealer's own commands, up to a decision or to the end of the round, becomes one `deal`.
    """

    def __init__(self, acts: Iterable[Act] = ()) -> None:
        self.acts = list(acts)
        self._run = len(self.acts) - 1 if self.acts[-1:] == [{"do": "call"}] else None

    def note(self, rules: Rulebook, command: c.Command, before: Table, table: Table) -> None:
        """Add an accepted command, with the table before and after it."""
        if isinstance(command, c.CorrectCard):
            return
        self.add(_act(rules, command, before, table), is_dealers=isinstance(command, DEALERS) and command.by is None)
        if self._run is not None and (table.phase == "deciding" or table.round.is_over):
            self.acts[self._run :] = [{"do": "deal"}]
            self._run = None

    def add(self, act: Act, *, is_dealers: bool = False) -> None:
        """Add an act. Further cards of a run, and further seconds, join the act before; a call joins its deal."""
        self._run = (len(self.acts) if self._run is None else self._run) if is_dealers else None
        last = self.acts[-1] if self.acts and (self._run is None or len(self.acts) > self._run) else {}
        if is_dealers and act["do"] == "deal" and "hold" not in act:
            if last == {"do": "call"}:
                self.acts.pop()
            elif last.get("do") == "deal" and "hold" not in last:
                last["cards"] = _count(last, "cards") + _count(act, "cards")
                return
        elif act["do"] == last.get("do") == "tick" and "by" not in act and "by" not in last:
            last["seconds"] = _count(last, "seconds") + _count(act, "seconds")
            return
        elif act["do"] == last.get("do") == "initial_burn" and "cards" in last and act.get("by") == last.get("by"):
            self.acts.pop()
            if "cards" in act:
                act["cards"] = _count(last, "cards") + _count(act, "cards")
        self.acts.append(act)


def _count(act: Act, field: str) -> int:
    count = act[field]
    assert isinstance(count, int)
    return count


def _act(rules: Rulebook, command: c.Command, before: Table, table: Table) -> Act:
    """A command as an act. Where the dealer's step only closes the betting, it is a call."""
    signature = signature_of(command)
    match command:
        case c.Deal(cards=(_, *_), hold=True):
            return {"do": "deal", "cards": len(command.cards)} | signature
        case c.Deal(cards=(), hold=False) if before.phase != "dealing":
            return {"do": "call"} | signature
        case c.Deal():
            return {"do": "deal", "cards": len(command.cards), "hold": command.hold} | signature
        case c.InitialBurn():
            is_rest = not burn_draws(rules, table)
            return {"do": "initial_burn"} | ({} if is_rest else {"cards": len(command.cards)}) | signature
        case c.LoadShoe() if rules.shoe.shuffler == "continuous":
            return {"do": "load_shoe", "cards": command.cards} | signature
        case _:
            return act_of(command)


def _format_stack(stack: Stack) -> str:
    cards: list[str] = [card or "xx" for card in stack.cards]
    if stack.cut_card is not None:
        cards.insert(stack.cut_card, "cut")
    return " ".join(cards)


def format_record(record: dict[str, Any], suffix: str) -> str:
    """The record as text: TOML for `.toml`, JSON for anything else. Half a character is a ValueError in both."""
    if suffix == ".toml":
        text = _format_toml(_drop_empty(record))
    else:
        text = json.dumps(record, ensure_ascii=False, indent=1) + "\n"
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ValueError(f"half a character cannot be written: {text[error.start : error.end]!a}") from None
    return text


def _format_toml(record: dict[str, Any]) -> str:
    """The record as TOML, each act a table of its own.

    The library would write short acts on one line, so a long one is added.
    """
    if not record.get("acts"):
        return tomli_w.dumps(record)
    long = {"do": "-" * 100}
    return tomli_w.dumps({**record, "acts": [*record["acts"], long]}).removesuffix(f"\n[[acts]]\n{tomli_w.dumps(long)}")


def is_record_in(text: str, suffix: str, record: dict[str, Any]) -> bool:
    """Whether the text, read as `replay` reads it, holds this record and nothing else."""
    try:
        found = (read_toml if suffix == ".toml" else read_json)(text)
    except RecordError:
        return False
    return bool(_drop_empty(found) == _drop_empty(record))


def _drop_empty(record: dict[str, Any]) -> dict[str, Any]:
    """The record with plain lists and without missing values and empty tables, which TOML cannot hold."""
    return {key: _plain_lists(part) for key, part in record.items() if part is not None and part != {}}


def _plain_lists(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain_lists(part) for key, part in value.items() if part is not None}
    if isinstance(value, list | tuple):
        return [_plain_lists(part) for part in value]
    return value
