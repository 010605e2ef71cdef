"""The API's documentation as one page: no script, nothing loaded, one style, known to the content policy by hash."""

from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any

from casinowar.web.docs.frames import Frame, FramesDoc, frames_doc
from casinowar.web.docs.schemas import anchor, describe, example, kind, prose, row
from casinowar.words.refusals import REASONS, live_reason

STYLE = (files("casinowar.web.docs") / "page.css").read_text(encoding="utf-8")
DOC_STYLE_HASH = f"sha256-{b64encode(sha256(STYLE.encode()).digest()).decode()}"
"""For `style-src`, in quotes of its own there."""

METHODS = ("get", "post", "put", "patch", "delete")
Operation = tuple[str, str, dict[str, Any]]
"""Method, path, and what OpenAPI tells of it."""


def doc_page(openapi: dict[str, Any], frames: FramesDoc | None = None) -> str:
    """The page of every operation and every frame, with roles, parameters, schemas, examples and error codes.

    Roles come from `x-roles` of an operation, codes from `x-codes` of its answers and of the document.
    """
    frames = frames or frames_doc()
    operations = [
        (method.upper(), path, told[method])
        for path, told in openapi["paths"].items()
        for method in METHODS
        if method in told
    ]
    schemas = {**frames.schemas, **openapi.get("components", {}).get("schemas", {})}
    codes = openapi.get("x-codes", {})
    refusals = [(reason, live_reason(reason)) for reason in sorted(REASONS)]
    server_codes = [(code, f"{one['status']}: {one['says']}") for code, one in codes.items()]
    info = openapi["info"]
    title = escape(f"{info['title']} {info['version']}: the API")
    sections: tuple[tuple[str, str, list[tuple[str, str]]], ...] = (
        ("operations", "Operations", [(_id(one), f"{one[0]} {one[1]}") for one in operations]),
        ("frames", "WebSocket frames", [(_frame_id(one), one.name) for one in frames.frames]),
        ("codes", "Error codes", []),
        ("schemas", "Schemas", [(anchor(name), name) for name in sorted(schemas)]),
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{STYLE}</style>
</head>
<body>
<a class="skip" href="#main">To the text</a>
<div class="page">
<nav aria-label="Contents"><ul>{"".join(_contents(*one) for one in sections)}</ul></nav>
<main id="main">
<h1>{title}</h1>
{prose(info.get("description", ""))}
<p>The same for programs: <a href="/api/openapi.json">openapi.json</a>.</p>
<h2 id="operations">Operations</h2>
{"".join(_operation(one, codes) for one in operations)}
<h2 id="frames">WebSocket frames</h2>
<p>Open <code>/api/socket?ticket=…</code> with a ticket from <code>POST /api/socket-ticket</code>. Every message is one
JSON object in a text frame. After <code>watch</code> comes a snapshot of the table, then what happens at it.</p>
{"".join(_frame(one, frames) for one in frames.frames)}
<h2 id="codes">Error codes</h2>
<p>Every error is an object with <code>code</code>, <code>says</code> and <code>clauses</code>. Codes do not change.</p>
<article><h3>Of the server</h3>{_codes(server_codes, "code")}</article>
<article><h3>Of the table: the rules refuse it</h3>{_codes(refusals, "refusal")}</article>
<h2 id="schemas">Schemas</h2>
{"".join(describe(name, schemas[name]) for name in sorted(schemas))}
</main>
</div>
</body>
</html>
"""


def _contents(at: str, title: str, entries: Iterable[tuple[str, str]]) -> str:
    """A section of the contents. A long path may break behind a slash."""
    broken = ((to, escape(text).replace("/", "/<wbr>")) for to, text in entries)
    lines = "".join(f'<li><a href="#{escape(to)}">{text}</a></li>' for to, text in broken)
    return f'<li><a href="#{at}">{title}</a>{f"<ul>{lines}</ul>" if lines else ""}</li>'


def _id(operation: Operation) -> str:
    method, path, told = operation
    return str(told.get("operationId", anchor(f"{method}{path}")))


def _frame_id(frame: Frame) -> str:
    return f"frame-{frame.example['type']}"


def _operation(operation: Operation, codes: dict[str, Any]) -> str:
    method, path, told = operation
    roles = "".join(f"<li>{escape(role)}</li>" for role in told.get("x-roles", ()))
    parts = [
        f'<h3><span class="method">{method}</span><span class="path">{escape(path)}</span></h3>',
        prose(told.get("summary", "")),
        prose(told.get("description", "")),
        f'<ul class="roles" aria-label="Roles">{roles}</ul>' if roles else "",
        _parameters(told.get("parameters", ())),
        *(_content("Request", one) for one in [told.get("requestBody", {})] if one),
        *(
            _content(f"Answer {status}", one)
            for status, one in told.get("responses", {}).items()
            if status.startswith("2")
        ),
        _errors(told, codes),
    ]
    return f'<article id="{escape(_id(operation))}">{"".join(parts)}</article>'


def _parameters(parameters: Iterable[dict[str, Any]]) -> str:
    rows = "".join(
        row(one["name"], one.get("required", False), f"in the {escape(one['in'])}: {kind(one.get('schema', {}))}")
        for one in parameters
    )
    return f'<h4>Parameters</h4><dl class="fields">{rows}</dl>' if rows else ""


def _content(title: str, told: dict[str, Any]) -> str:
    """The content of a request or an answer: each kind once, the ones of one schema and example together."""
    shown: dict[str, list[str]] = {}
    for media, one in told.get("content", {}).items():
        sample = example(one["example"]) if "example" in one else ""
        shown.setdefault(f"<p>{kind(one.get('schema', {}))}</p>{sample}", []).append(media)
    return "".join(f"<h4>{escape(title)}, {escape(', '.join(media))}</h4>{text}" for text, media in shown.items())


def _errors(told: dict[str, Any], codes: dict[str, Any]) -> str:
    rows = []
    for status, one in told.get("responses", {}).items():
        if status.startswith("2"):
            continue
        named = [_code(code, codes) for code in one.get("x-codes", [one.get("description", "")])]
        rows.append(f"<div><dt>{escape(status)}</dt><dd>{', '.join(dict.fromkeys(named))}</dd></div>")
    return f'<h4>Errors</h4><dl class="fields short">{"".join(rows)}</dl>' if rows else ""


def _code(code: str, codes: dict[str, Any]) -> str:
    return f'<a href="#code-{escape(code)}"><code>{escape(code)}</code></a>' if code in codes else escape(code)


def _codes(codes: Iterable[tuple[str, str]], group: str) -> str:
    rows = (
        f'<div id="{group}-{escape(code)}"><dt><code>{escape(code)}</code></dt><dd>{escape(says)}</dd></div>'
        for code, says in codes
    )
    return f'<dl class="fields">{"".join(rows)}</dl>'


def _frame(frame: Frame, doc: FramesDoc) -> str:
    way = "from the client" if frame.is_from_client else "from the server"
    words = prose(doc.schemas[frame.name].get("description", ""))
    return (
        f'<article id="{escape(_frame_id(frame))}"><h3><span class="name">{escape(str(frame.example["type"]))}</span> '
        f"{way}</h3>{words}<p>{kind({'$ref': frame.name})}</p>{example(frame.example)}</article>"
    )
