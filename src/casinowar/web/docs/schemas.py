"""JSON schemas as HTML: the kind of a value in a few words, and the fields of an object one below the other."""

import json
import re
from collections.abc import Mapping
from html import escape
from typing import Any

Schema = Mapping[str, Any]
MANY = 8
"""A union of more objects than this is folded away."""

BOUNDS = (
    ("minimum", "at least {}"),
    ("exclusiveMinimum", "above {}"),
    ("maximum", "at most {}"),
    ("exclusiveMaximum", "below {}"),
    ("minLength", "length at least {}"),
    ("maxLength", "length at most {}"),
    ("minItems", "at least {}"),
    ("maxItems", "at most {}"),
    ("pattern", "like {}"),
)
CODE = r"<code>\1</code>"
PLAIN = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "null": "null",
    "object": "object",
    "array": "list",
}


def anchor(name: str) -> str:
    return "schema-" + re.sub(r"[^\w.-]", "-", name)


def prose(text: str) -> str:
    """A docstring as paragraphs, what stands in backticks as code."""
    parts = [" ".join(part.split()) for part in re.split(r"\n\s*\n", text.strip())]
    return "".join(f"<p>{re.sub('`([^`]+)`', CODE, escape(part))}</p>" for part in parts if part)


def example(value: object) -> str:
    """An example as a block of code. The keyboard reaches it, since it may have to be scrolled."""
    return f'<pre tabindex="0"><code>{escape(json.dumps(value, indent=2, ensure_ascii=False))}</code></pre>'


def kind(schema: Schema) -> str:
    """What a value is, in words; the name of an object leads to its fields."""
    if "$ref" in schema:
        name = str(schema["$ref"]).rpartition("/")[2]
        return f'<a href="#{escape(anchor(name))}">{escape(name)}</a>'
    if "anyOf" in schema or "oneOf" in schema:
        return _union([kind(one) for one in schema.get("anyOf", schema.get("oneOf", ()))])
    if "enum" in schema or "const" in schema:
        return " or ".join(
            f"<code>{escape(json.dumps(one))}</code>" for one in schema.get("enum", [schema.get("const")])
        )
    return _plain(schema) + _bounds(schema)


def _union(kinds: list[str]) -> str:
    kinds = list(dict.fromkeys(kinds))
    if len(kinds) <= MANY:
        return " or ".join(kinds)
    return f"<details><summary>one of {len(kinds)}</summary>{', '.join(kinds)}</details>"


def _plain(schema: Schema) -> str:
    match schema.get("type"):
        case "array" if schema.get("prefixItems"):
            return f"list of {', '.join(kind(one) for one in schema['prefixItems'])}"
        case "array" if schema.get("items"):
            return f"list of {kind(schema['items'])}"
        case "object" if isinstance(schema.get("additionalProperties"), dict) and schema["additionalProperties"]:
            return f"object with values: {kind(schema['additionalProperties'])}"
        case str(name):
            return PLAIN.get(name, escape(name))
        case _:
            return "any value"


def _bounds(schema: Schema) -> str:
    """The bounds of a value in words. A list of fixed places says its length already."""
    if "prefixItems" in schema:
        return ""
    told = [words.format(_bound(schema[key])) for key, words in BOUNDS if key in schema]
    return f", {', '.join(told)}" if told else ""


def _bound(value: object) -> str:
    match value:
        case int() if value >= 2**53:
            return "2<sup>53</sup>"
        case str():
            return f"<code>{escape(value)}</code>"
        case _:
            return escape(str(value))


def fields(schema: Schema) -> str:
    """Each field of an object with its kind, whether it must be there, and what it is otherwise."""
    required = schema.get("required", ())
    rows = []
    for name, one in schema.get("properties", {}).items():
        default = f"; default <code>{escape(json.dumps(one['default']))}</code>" if "default" in one else ""
        rows.append(row(name, name in required, kind(one) + default))
    return f'<dl class="fields">{"".join(rows)}</dl>' if rows else "<p>No fields.</p>"


def row(name: str, is_required: bool, text: str) -> str:
    """One line of a list of fields; the text is HTML already."""
    must = ' <span class="must">required</span>' if is_required else ""
    return f"<div><dt><code>{escape(name)}</code>{must}</dt><dd>{text}</dd></div>"


def describe(name: str, schema: Schema) -> str:
    """A named schema with its words and its fields, or its kind where it is no object."""
    body = fields(schema) if "properties" in schema or schema.get("type") == "object" else f"<p>{kind(schema)}</p>"
    words = prose(schema.get("description", ""))
    return f'<article id="{escape(anchor(name))}"><h3 class="name">{escape(name)}</h3>{words}{body}</article>'
