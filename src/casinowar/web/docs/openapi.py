"""The OpenAPI document of the HTTP API, made from the operations and from the types that they take and give."""

import re
from collections import defaultdict
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

import msgspec

from casinowar.house.table.command_kinds import ClientCommand
from casinowar.web.http.admission import COOKIE, SAFE_METHODS
from casinowar.web.http.errors import CODES, REFUSED_STATUS, Fault
from casinowar.web.http.operations import JSON, Nothing, Operation

REF = "#/components/schemas/{name}"
ALWAYS_POSSIBLE = ("foreign_host", "too_fast", "internal")
BROKEN_INPUT = ("invalid",)
WITH_BODY = ("malformed", "too_large", "not_json", "invalid")
UNSAFE = ("foreign_origin", "draining", "out_of_service")
COMMAND = "command"


def document(operations: Sequence[Operation]) -> dict[str, Any]:
    schemas = _Schemas(operations)
    paths: defaultdict[str, dict[str, Any]] = defaultdict(dict)
    for operation in operations:
        paths[operation.at][operation.method.lower()] = _describe(operation, schemas)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Casino War",
            "version": version("casinowar"),
            "description": "Live tables, play money. `x-roles` says who may; `player` is every session, a guest's too. "
            "Tables are followed over a WebSocket at /api/socket, opened with a ticket.",
        },
        "paths": dict(paths),
        "components": {
            "schemas": schemas.components,
            "securitySchemes": {
                "cookie": {"type": "apiKey", "in": "cookie", "name": COOKIE},
                "bearer": {"type": "http", "scheme": "bearer"},
            },
        },
        "x-codes": {code: {"status": status, "says": says} for code, (status, says) in CODES.items()},
    }


class _Schemas:
    """The schema of each type, and the named parts that they refer to."""

    def __init__(self, operations: Sequence[Operation]) -> None:
        kinds: list[Any] = [Fault, ClientCommand]
        for one in operations:
            kinds += [kind for kind in (one.gives, one.body, one.path, one.query) if kind is not None]
        kinds = [kind for index, kind in enumerate(kinds) if kind not in kinds[:index]]
        schemas, components = msgspec.json.schema_components(kinds, ref_template=REF)
        self._schemas: dict[str, dict[str, Any]] = dict(zip(map(repr, kinds), map(for_others, schemas), strict=True))
        self.components: dict[str, dict[str, Any]] = {
            name: for_others(schema) for name, schema in sorted(components.items())
        }
        self._name_commands()

    def of(self, kind: Any) -> dict[str, Any]:
        return self._schemas[repr(kind)]

    def fields(self, kind: type[msgspec.Struct]) -> dict[str, Any]:
        return self.components[kind.__name__]

    def _name_commands(self) -> None:
        """Describe what a command can be, since the types leave it raw: it is decoded at the table."""
        self.components["TableCommand"] = self.of(ClientCommand)
        for schema in self.components.values():
            if schema.get("properties", {}).get(COMMAND) == {}:
                schema["properties"][COMMAND] = {"$ref": REF.format(name="TableCommand")}


def for_others(schema: Any) -> Any:
    """The schema as other programs read it: `\\Z` in a pattern is `$`, and examples in Python are left out of words."""
    if isinstance(schema, dict):
        told = {key: for_others(value) for key, value in schema.items()}
        if isinstance(told.get("pattern"), str):
            told["pattern"] = re.sub(r"\\Z$", "$", told["pattern"])
        if isinstance(told.get("description"), str):
            told["description"] = told["description"].partition(">>> ")[0].rstrip()
        return told
    if isinstance(schema, list | tuple):
        return [for_others(one) for one in schema]
    return schema


def _describe(operation: Operation, schemas: _Schemas) -> dict[str, Any]:
    told: dict[str, Any] = {
        "operationId": operation_id(operation),
        "summary": operation.says,
        "x-roles": list(operation.roles),
        "parameters": [*_parameters(operation.path, "path", schemas), *_parameters(operation.query, "query", schemas)],
        "responses": _responses(operation, schemas),
    }
    if not operation.is_public:
        told["security"] = [{"cookie": []}, {"bearer": []}]
    if operation.body is not None:
        content: dict[str, Any] = {"schema": schemas.of(operation.body)}
        if operation.example_body is not None:
            content["example"] = operation.example_body
        told["requestBody"] = {"required": True, "content": {JSON: content}}
    return told


def operation_id(operation: Operation) -> str:
    """The id of an operation, such as `post_tables_table_commands`."""
    return "_".join([operation.method.lower(), *re.findall(r"[A-Za-z]+", operation.at.removeprefix("/api"))])


def _parameters(kind: type[msgspec.Struct], place: str, schemas: _Schemas) -> list[dict[str, Any]]:
    if kind is Nothing:
        return []
    schema = schemas.fields(kind)
    return [
        {"name": name, "in": place, "required": place == "path" or name in schema["required"], "schema": one}
        for name, one in schema["properties"].items()
    ]


def faults_of(operation: Operation) -> list[str]:
    """Every code with which the operation can fail, apart from those of the table."""
    faults = [*ALWAYS_POSSIBLE, *operation.faults, *BROKEN_INPUT]
    if not operation.is_public:
        faults += ["not_logged_in"]
        faults += ["not_allowed"] if "player" not in operation.roles else []
    if operation.body is not None:
        faults += WITH_BODY
    if operation.method not in SAFE_METHODS:
        faults += UNSAFE
    return list(dict.fromkeys(faults))


def _responses(operation: Operation, schemas: _Schemas) -> dict[str, Any]:
    content: dict[str, Any] = {"schema": schemas.of(operation.gives)}
    if operation.example is not None:
        content["example"] = operation.example
    responses: dict[str, Any] = {"200": {"description": "Done", "content": dict.fromkeys(operation.media, content)}}
    by_status: defaultdict[int, list[str]] = defaultdict(list)
    for code in faults_of(operation):
        by_status[CODES[code][0]].append(code)
    if operation.is_refusable:
        by_status[REFUSED_STATUS].append("a refusal of the table or the house, with a code of its own")
        by_status[CODES["not_allowed"][0]].append("not_allowed")
    for status, codes in sorted(by_status.items()):
        described = ", ".join(dict.fromkeys(codes))
        schema = {"schema": schemas.of(Fault)}
        responses[str(status)] = {"description": described, "content": {JSON: schema}, "x-codes": codes}
    return responses
