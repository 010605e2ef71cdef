"""The reference of the live house's API, made from its OpenAPI document and from the frames of its WebSocket."""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from casinowar.web.app import OPERATIONS
from casinowar.web.docs.doc_page import METHODS
from casinowar.web.docs.frames import frames_doc
from casinowar.web.docs.openapi import document
from casinowar.web.docs.schemas import BOUNDS, PLAIN
from docs.markdown import code, escape, join, prose, slug, table

Schema = Mapping[str, Any]
SCHEMAS = "schemas.md"
MANY = 8


@cache
def openapi() -> dict[str, Any]:
    return document(OPERATIONS)


def operations() -> str:
    """Every operation: who may, what it takes and gives, and how it fails."""
    parts = []
    for path, methods in openapi()["paths"].items():
        for method in METHODS:
            if method in methods:
                parts.append(_operation(method.upper(), path, methods[method]))
    return join(*parts)


def _operation(method: str, path: str, told: dict[str, Any]) -> str:
    parameters = (
        [code(one["name"]), one["in"], kind(one.get("schema", {})), "yes" if one.get("required") else "no"]
        for one in told.get("parameters", ())
    )
    body = told.get("requestBody")
    return join(
        f"## {method} {path.replace('{', '').replace('}', '')}",
        f"`{method} {path}`: {prose(told.get('summary', ''))}",
        f"Roles: {', '.join(code(role) for role in told.get('x-roles', ()))}.",
        table(["parameter", "in the", "kind", "required"], parameters),
        _content("Body", body) if body else "",
        *(_content(f"Answer {status}", one) for status, one in told["responses"].items() if status.startswith("2")),
        _faults(told["responses"]),
    )


def _content(title: str, told: dict[str, Any]) -> str:
    parts = []
    for media, one in told.get("content", {}).items():
        parts.append(f"{title}, `{media}`: {kind(one.get('schema', {}))}.")
        parts.append(_example(one["example"]) if "example" in one else "")
    return join(*parts)


def _faults(responses: dict[str, Any]) -> str:
    told = (
        f"{status} {', '.join(code(name) for name in dict.fromkeys(one.get('x-codes', ())))}".strip()
        for status, one in responses.items()
        if not status.startswith("2")
    )
    return f"Fails with {'; '.join(told)}."


def _example(value: object) -> str:
    return f"```json\n{json.dumps(value, indent=2, ensure_ascii=False)}\n```"


def frames() -> str:
    """Every frame of the WebSocket with its fields and an example."""
    doc = frames_doc()
    parts = []
    for frame in doc.frames:
        way = "the client sends it" if frame.is_from_client else "the server sends it"
        schema = doc.schemas[frame.name]
        words = f"{prose(schema.get('description'))}\n\n" if schema.get("description") else ""
        told = f"{words}A frame of the type `{frame.example['type']}`; {way}."
        parts += [f"## {frame.name}", told, _fields(schema), _example(frame.example)]
    return join(*parts)


def schemas() -> str:
    """Every named schema of the operations and the frames."""
    named = {**frames_doc().schemas, **openapi()["components"]["schemas"]}
    parts = []
    for name, schema in sorted(named.items()):
        body = _fields(schema) if schema.get("properties") else f"{kind(schema)}."
        parts += [f"## {name}", prose(schema.get("description")), body]
    return join(*parts)


def _fields(schema: Schema) -> str:
    required = schema.get("required", ())
    rows = []
    for name, one in schema.get("properties", {}).items():
        default = code(json.dumps(one["default"])) if "default" in one else ""
        rows.append([code(name), kind(one), "must be given" if name in required else default])
    return table(["field", "kind", "default"], rows)


def kind(schema: Schema) -> str:
    """What a value is, in words; a named schema is linked."""
    if "$ref" in schema:
        name = str(schema["$ref"]).rpartition("/")[2]
        return f"[{escape(name)}]({SCHEMAS}#{slug(name)})"
    if "anyOf" in schema or "oneOf" in schema:
        return _union(schema.get("anyOf", schema.get("oneOf", ())))
    if "enum" in schema or "const" in schema:
        return " or ".join(code(json.dumps(one)) for one in schema.get("enum", [schema.get("const")]))
    return _plain(schema) + _bounds(schema)


def _union(schemas: Iterable[Schema]) -> str:
    kinds = list(dict.fromkeys(kind(one) for one in schemas))
    return " or ".join(kinds) if len(kinds) <= MANY else f"one of {len(kinds)}: {', '.join(kinds)}"


def _plain(schema: Schema) -> str:
    match schema.get("type"):
        case "array" if schema.get("prefixItems"):
            return f"list of {', '.join(kind(one) for one in schema['prefixItems'])}"
        case "array" if schema.get("items"):
            return f"list of {kind(schema['items'])}"
        case "object" if isinstance(schema.get("additionalProperties"), dict) and schema["additionalProperties"]:
            return f"object with values: {kind(schema['additionalProperties'])}"
        case str(name):
            return PLAIN.get(name, name)
        case _:
            return "any value"


def _bounds(schema: Schema) -> str:
    if "prefixItems" in schema:
        return ""
    told = [escape(words.format(_bound(schema[key]))) for key, words in BOUNDS if key in schema]
    return f", {', '.join(told)}" if told else ""


def _bound(value: object) -> str:
    if isinstance(value, str):
        return code(value)
    return "2^53" if isinstance(value, int) and value >= 2**53 else str(value)
