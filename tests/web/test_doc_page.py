"""The documentation page: complete, self-contained, without script, and with examples that are what they show."""

import base64
import hashlib
import json
from collections import Counter
from html.parser import HTMLParser
from typing import Any, get_args

import msgspec
import pytest

from casinowar import protocol as f
from casinowar.web.app import OPERATIONS
from casinowar.web.docs import openapi
from casinowar.web.docs.doc_page import DOC_STYLE_HASH, doc_page
from casinowar.web.docs.frames import frames_doc
from casinowar.web.docs.schemas import kind

NASTY = "<script>alert('x')</script> & \"quotes\""
FAULT = {"schema": {"$ref": "#/components/schemas/Fault"}}
OPENAPI: dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {"title": "Casino War", "version": "9.9", "description": f"Live `tables`.\n\n   {NASTY}"},
    "paths": {
        "/api/tables/{table}": {
            "get": {
                "operationId": "get_table",
                "summary": "Look at a table",
                "x-roles": ["player", "auditor"],
                "parameters": [
                    {"name": "table", "in": "path", "required": True, "schema": {"type": "string", "maxLength": 40}},
                    {"name": "role", "in": "query", "schema": {"enum": ["player", "watcher"], "default": "player"}},
                ],
                "responses": {
                    "200": {
                        "content": {"application/json": {"schema": {"type": "object"}, "example": {"says": NASTY}}}
                    },
                    "404": {"description": "x", "x-codes": ["no_such_table"], "content": {"application/json": FAULT}},
                },
            },
            "post": {
                "operationId": "post_table",
                "x-roles": ["operator"],
                "requestBody": {
                    "content": {
                        "application/json": {
                            "schema": {"$ref": "#/components/schemas/Odd.Name[int]"},
                            "example": {"id": "a1"},
                        }
                    }
                },
                "responses": {
                    "200": {"content": {media: {"schema": {"type": "string"}} for media in ("text/a", "text/b")}},
                    "409": {"description": "a refusal of the table", "content": {"application/json": FAULT}},
                },
            },
        },
    },
    "components": {
        "schemas": {
            "Odd.Name[int]": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]},
            "Fault": {"type": "object", "description": NASTY, "properties": {"code": {"type": "string"}}},
        }
    },
    "x-codes": {"no_such_table": {"status": 404, "says": "there is no table of this name"}},
}
VOID = {"meta", "wbr", "br", "hr", "input", "img", "link"}


class Page(HTMLParser):
    """A page read strictly: every element closed in its turn, with what each holds by id."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[tuple[str, str | None]] = []
        self.attributes: list[tuple[str, str, str | None]] = []
        self.tags: Counter[str] = Counter()
        self.text_of: dict[str, str] = {}
        self.style = ""
        self.examples: list[str] = []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes += [(tag, name, value) for name, value in attrs]
        if tag not in VOID:
            self.open.append((tag, dict(attrs).get("id")))
        if tag == "pre":
            self.examples.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        for _, ident in self.open:
            if ident:
                self.text_of[ident] = self.text_of.get(ident, "") + data
        if self.open and self.open[-1][0] == "style":
            self.style += data
        if "pre" in [tag for tag, _ in self.open]:
            self.examples[-1] += data

    @property
    def ids(self) -> list[str | None]:
        return [value for _, name, value in self.attributes if name == "id"]


@pytest.fixture(params=["example", "server"])
def document(request: pytest.FixtureRequest) -> dict[str, Any]:
    return OPENAPI if request.param == "example" else openapi.document(OPERATIONS)


def test_the_hash_is_that_of_the_one_style_and_nothing_else_needs_the_policy(document: dict[str, Any]) -> None:
    page = Page(doc_page(document))
    digest = base64.b64encode(hashlib.sha256(page.style.encode()).digest()).decode()
    assert f"sha256-{digest}" == DOC_STYLE_HASH
    assert page.tags["style"] == 1
    for tag in ("script", "link", "img", "iframe", "object", "form", "base"):
        assert page.tags[tag] == 0
    names = {name for _, name, _ in page.attributes}
    assert names <= {"lang", "charset", "name", "content", "class", "href", "id", "tabindex", "aria-label"}
    assert "url(" not in page.style
    assert "@import" not in page.style


def test_every_link_leads_to_one_place_of_the_page(document: dict[str, Any]) -> None:
    page = Page(doc_page(document))
    assert [one for one, count in Counter(page.ids).items() if count > 1] == []
    links = {str(value) for _, name, value in page.attributes if name == "href"}
    assert links - {f"#{ident}" for ident in page.ids} == {"/api/openapi.json"}


def test_every_operation_has_its_roles_parameters_and_codes(document: dict[str, Any]) -> None:
    page = Page(doc_page(document))
    seen = 0
    for path, methods in document["paths"].items():
        for method, told in methods.items():
            text = page.text_of[told["operationId"]]
            assert f"{method.upper()}{path}" in text
            assert told.get("summary", "").replace("`", "") in text
            named = [*told["x-roles"], *(one["name"] for one in told.get("parameters", ()))]
            codes = [code for one in told["responses"].values() for code in one.get("x-codes", ())]
            for word in [*named, *codes, *told["responses"]]:
                assert word in text, (path, word)
            seen += 1
    assert seen == page.text_of["operations"].count("Operations") * sum(map(len, document["paths"].values()))


def test_every_schema_and_code_is_listed(document: dict[str, Any]) -> None:
    page = Page(doc_page(document))
    for name, schema in (frames_doc().schemas | document["components"]["schemas"]).items():
        ident = "schema-" + name.replace("[", "-").replace("]", "-")
        for field in schema.get("properties", {}):
            assert field in page.text_of[ident], (name, field)
    for code, told in document["x-codes"].items():
        assert page.text_of[f"code-{code}"] == f"{code}{told['status']}: {told['says']}"


def test_what_a_table_refuses_is_listed_with_its_words() -> None:
    page = Page(doc_page(OPENAPI))
    assert page.text_of["refusal-wager_off_unit"] == "wager_off_unitthe wager is not a multiple of the unit"
    assert page.text_of["refusal-stale"] == "stalethe table has moved on: look again"


def test_examples_stand_there_as_json_letter_for_letter() -> None:
    examples = [json.loads(text) for text in Page(doc_page(OPENAPI)).examples]
    assert examples[:2] == [{"says": NASTY}, {"id": "a1"}]
    assert examples[2:] == [frame.example for frame in frames_doc().frames]


def test_what_others_wrote_is_text_and_no_markup() -> None:
    text = doc_page(OPENAPI)
    assert "<script" not in text
    page = Page(text)
    assert NASTY in page.text_of["main"]
    assert NASTY in page.text_of["schema-Fault"]


def test_every_frame_is_there_with_an_example_of_its_own_type() -> None:
    by_name = {frame.name: frame for frame in frames_doc().frames}
    page = Page(doc_page(OPENAPI))
    kinds = {True: f.ClientFrame, False: f.ServerFrame}
    assert list(by_name) == list(dict.fromkeys(by_name))
    for is_from_client, union in kinds.items():
        for one in get_args(union):
            frame = by_name.pop(one.__name__)
            assert frame.is_from_client is is_from_client
            decoded = msgspec.json.decode(json.dumps(frame.example).encode(), type=union)
            assert type(decoded) is one
            way = "from the client" if is_from_client else "from the server"
            assert f"{frame.example['type']} {way}" in page.text_of[f"frame-{frame.example['type']}"]
    assert by_name == {}


def test_the_examples_of_frames_tell_one_story() -> None:
    """A wager of 10.00 out of chips of 200.00; the versions follow each other, and what changed is in the view."""
    frames = {frame.name: frame.example for frame in frames_doc().frames}
    asked, done, told = frames["Command"], frames["Done"], frames["Happened"]
    assert asked["expected"] == frames["Snapshot"]["view"]["version"]
    command = msgspec.convert(asked["command"], f.AnyCommand)
    assert (command.wager, command.amount) == ("initial", 1_000)
    assert done["id"] == asked["id"]
    assert done["version"] == told["version"] == asked["expected"] + len(told["events"])
    assert "wager_placed" in [event["name"] for event in told["events"]]
    assert frames["Snapshot"]["view"]["view"]["balance"] == 20_000
    assert frames["Watch"]["views"] == "parts"
    assert told["own"]["view"]["balance"] == 20_000 - 1_000
    (box,) = told["view"]["view"]["boxes"]
    assert (box["box"], box["wagers"]) == (2, [["ana", "initial", 1_000]])
    assert "rounds" not in told["view"]


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({}, "any value"),
        (
            {"type": "integer", "minimum": 0, "exclusiveMaximum": 2**53},
            "whole number, at least 0, below 2<sup>53</sup>",
        ),
        ({"type": "string", "pattern": "^[<a]$"}, "text, like <code>^[&lt;a]$</code>"),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "whole number or null"),
        ({"enum": ["war", None]}, "<code>&quot;war&quot;</code> or <code>null</code>"),
        ({"type": "array", "items": {"$ref": "#/a/Limit"}}, 'list of <a href="#schema-Limit">Limit</a>'),
        (
            {"type": "array", "minItems": 2, "prefixItems": [{"type": "integer"}, {"type": "string"}], "items": False},
            "list of whole number, text",
        ),
        (
            {"type": "object", "additionalProperties": {"type": "boolean"}},
            "object with values: true or false",
        ),
    ],
)
def test_the_kind_of_a_value_in_words(schema: dict[str, Any], words: str) -> None:
    assert kind(schema) == words


def test_a_union_of_many_is_folded() -> None:
    many = {"anyOf": [{"$ref": f"#/a/K{n}"} for n in range(9)]}
    assert kind(many).startswith("<details><summary>one of 9</summary>")
    assert "<details>" not in kind({"anyOf": many["anyOf"][:8]})


def test_no_example_in_python_is_told_to_other_languages() -> None:
    """The docstrings of what is sent have examples, which are for `help` and the reference of the library."""
    assert ">>> " in (f.Done.__doc__ or "")
    for told in (frames_doc().schemas, openapi.document(OPERATIONS)):
        assert ">>> " not in json.dumps(told)
