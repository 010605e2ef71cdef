"""The types of the wire for the page, in TypeScript, made from the structs that the server sends and takes.

What a field can be, where the page has to offer or to check it, is written out as constants.

`python -m casinowar.web.docs.wire_types` writes them; a test holds the page's file against it.
"""

from typing import Any, get_args, get_type_hints

import msgspec

from casinowar import protocol as f
from casinowar.engine import commands as c
from casinowar.fairness import ListedShoe
from casinowar.house.table.preview import Preview
from casinowar.reports.differences import Differences
from casinowar.reports.explorer import ChangeableLeaf
from casinowar.reports.night_plot import NightPlot
from casinowar.rulebooks import SILENT
from casinowar.store.events import BotSeated
from casinowar.web.http.errors import Fault
from casinowar.web.http.replies import StaffReason
from casinowar.web.routes.clauses import ClauseText
from casinowar.web.routes.history import RoundTold
from casinowar.web.routes.house import Book, BookLine, HouseLine
from casinowar.web.routes.nights import NightRounds, NightsWanted
from casinowar.web.routes.odds import Money, Rounds
from casinowar.web.routes.pit import Pit
from casinowar.web.workers.night_runs import NightsTold
from casinowar.web.workers.replays import Replayed
from casinowar.web.workers.round_index import RoundOfTable

HEAD = "// Made by `python -m casinowar.web.docs.wire_types` from the server's own types; not written by hand.\n"
FRAMES = (f.LiveView, f.LobbyLine, f.PlayerView, f.Snapshot, f.Happened, f.Done, f.Refused, f.Failed, f.Goodbye, f.Pong)
ANSWERS = (
    Fault,
    HouseLine,
    BookLine,
    Book,
    ClauseText,
    Differences,
    Preview,
    RoundOfTable,
    RoundTold,
    ListedShoe,
    Replayed,
    Pit,
    ChangeableLeaf,
    NightPlot,
    NightsTold,
)
SENT = (*FRAMES, *ANSWERS)
TAKEN = (f.Watch, f.Unwatch, f.Ping, f.WatchFloor, NightsWanted, BotSeated, *f.LiveCommand.__args__)
PREFIX = "#/$defs/"
PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
CHOICES = {
    "ACTIONS": c.Action,
    "BASES": get_type_hints(c.ChangeLimits)["basis"],
    "CAUSES": get_type_hints(c.InvalidateRound)["cause"],
    "DELIVERIES": c.Delivery,
    "SHUFFLE_REASONS": get_type_hints(c.SupervisorShuffle)["reason"],
    "STRATEGIES": f.Strategy,
}
BOUNDS = {
    "LEAST_REASON": (StaffReason, "min_length"),
    "MOST_REASON": (StaffReason, "max_length"),
    "MOST_TABLE_NAME": (f.TableName, "max_length"),
    "MOST_ROUNDS": (Rounds, "le"),
    "MOST_NIGHT_ROUNDS": (NightRounds, "le"),
    "MOST_MONEY": (Money, "le"),
}


STAFF_ACTS = tuple(kind for kind in get_args(c.FloorCommand | c.IncidentCommand) if kind is not c.Tick)
"""The commands of staff for which the page has a form, or makes one from the fields."""


def wire_types() -> str:
    _, components = msgspec.json.schema_components((*SENT, *TAKEN), ref_template=PREFIX + "{name}")
    parts = [_declare(name, schema) for name, schema in sorted(components.items())]
    return HEAD + "\n" + _constants() + "\n" + "\n".join(parts)


def _constants() -> str:
    choices = [f"{name} = {list(get_args(kind))} as const" for name, kind in CHOICES.items()]
    bounds = [f"{name} = {getattr(get_args(kind)[1], bound)}" for name, (kind, bound) in BOUNDS.items()]
    name = get_args(f.TableName)[1].pattern.replace(r"\Z", "$")
    acts = ", ".join(f"{kind.__struct_config__.tag}: {_fields(kind)}" for kind in STAFF_ACTS)
    texts = (f"STAFF_ACTS = {{ {acts} }} as const", f"TABLE_NAME = /{name}/", f"SILENT = '{SILENT}'")
    return "".join(f"export const {one}\n" for one in (*choices, *bounds, *texts))


def _fields(kind: type[msgspec.Struct]) -> str:
    """The fields that staff fill in, each with whether it can be left out: `{ box: false, card: true }`."""
    fields = [field for field in msgspec.structs.fields(kind) if field.name not in c.SIGNATURES]
    return f"{{ {', '.join(f'{field.encode_name}: {str(not field.required).lower()}' for field in fields)} }}"


def _declare(name: str, schema: dict[str, Any]) -> str:
    if "properties" not in schema:
        return f"export type {name} = {_type(schema)}\n"
    # What the server sends is always whole; what it takes may leave out what has a default.
    is_taken = any(one.__name__ == name for one in TAKEN)
    required = schema.get("required", [])
    lines = [
        f"  {_key(key)}{'' if key in required or not is_taken else '?'}: {_type(part)}\n"
        for key, part in schema["properties"].items()
    ]
    return f"export interface {name} {{\n{''.join(lines)}}}\n"


def _key(name: str) -> str:
    return name if name.isidentifier() else f"'{name}'"


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).removeprefix(PREFIX)
    if "anyOf" in schema:
        # Versions of msgspec differ in where `null` stands.
        return " | ".join(sorted(dict.fromkeys(map(_type, schema["anyOf"])), key="null".__eq__))
    if "enum" in schema or "const" in schema:
        values = schema["enum"] if "enum" in schema else [schema["const"]]
        return " | ".join("null" if value is None else f"'{value}'" for value in values)
    match schema.get("type"):
        case "array" if "prefixItems" in schema:
            return f"[{', '.join(_type(part) for part in schema['prefixItems'])}]"
        case "array":
            inner = _type(schema.get("items", {}))
            return f"({inner})[]" if " " in inner else f"{inner}[]"
        case "object":
            extra = schema.get("additionalProperties")
            return f"Record<string, {_type(extra) if isinstance(extra, dict) else 'unknown'}>"
        case kind:
            return PLAIN.get(str(kind), "unknown")


if __name__ == "__main__":
    print(wire_types(), end="")
