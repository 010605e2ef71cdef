"""Which tests are marked with which clauses, read from test modules and scenario records without running them."""

import ast
import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

from casinowar.rulebooks import load_clauses

MARK = "clause"
SCENARIO = "scenario"
"""What a record is called where tests are named."""

Names = Mapping[str, list[ast.AST]]
Marks = Mapping[str, Mapping[str, tuple[str, ...]]]
"""Test modules, as paths from the project's folder, with their marked tests and the clauses of each."""


def marked_tests(project: Path) -> Marks:
    """The marked tests of a checkout."""
    modules = sorted(project.glob("tests/**/test_*.py"))
    read = {module: read_marks(module.read_text("utf-8"), load_clauses()) for module in modules}
    read |= {record: _of_record(record) for record in sorted(project.glob("tests/records/*/*.toml"))}
    return {module.relative_to(project).as_posix(): tests for module, tests in read.items() if tests}


def _of_record(record: Path) -> dict[str, tuple[str, ...]]:
    """A scenario names the clauses that it rests on, or only sees, beside what must come of it."""
    expect = tomllib.loads(record.read_text("utf-8")).get("expect", {})
    return {SCENARIO: (*expect.get("clauses", ()), *expect.get("see", ()))}


def read_marks(source: str, clauses: Collection[str]) -> dict[str, tuple[str, ...]]:
    """The tests of a module with the clauses that they are marked with, in the order of the module.

    A mark need not stand in the decorator itself, as in `marks=pytest.mark.clause(row[0]) for row in ROWS`: names are
    followed through the module, and every clause that is written where a mark's arguments come from counts.
    """
    module = ast.parse(source)
    names = _bindings(module.body)
    found = {}
    for test, decorators in _tests(module):
        roots = [*names.get("pytestmark", []), *decorators]
        marked = dict.fromkeys(clause for root in roots for clause in _marks_of(root, names, clauses))
        if marked:
            found[test] = tuple(marked)
    return found


def _tests(module: ast.Module) -> Iterator[tuple[str, list[ast.expr]]]:
    for node in module.body:
        match node:
            case ast.FunctionDef(name=name, decorator_list=decorators) if name.startswith("test"):
                yield name, decorators
            case ast.ClassDef(name=group, body=body, decorator_list=of_group) if group.startswith("Test"):
                for test in body:
                    if isinstance(test, ast.FunctionDef) and test.name.startswith("test"):
                        yield f"{group}.{test.name}", [*of_group, *test.decorator_list]


def _marks_of(root: ast.AST, names: Names, clauses: Collection[str]) -> Iterator[str]:
    nodes = list(_reach([root], names))
    local = _bindings(nodes)
    for node in nodes:
        match node:
            case ast.Call(func=ast.Attribute(attr=attribute), args=arguments) if attribute == MARK:
                yield from _clauses_in(list(_reach(arguments, {**names, **local})), clauses)


def _reach(roots: Iterable[ast.AST], names: Names) -> Iterator[ast.AST]:
    """The nodes of an expression, and of all that its names lead to."""
    seen: set[str] = set()
    waiting = list(roots)
    while waiting:
        for node in ast.walk(waiting.pop(0)):
            yield node
            if isinstance(node, ast.Name) and node.id not in seen:
                seen.add(node.id)
                waiting += names.get(node.id, [])


def _bindings(nodes: Iterable[ast.AST]) -> dict[str, list[ast.AST]]:
    """The nodes that names stand for: values, functions, what a loop goes over, and what a parameter is given."""
    nodes = list(nodes)
    names: dict[str, list[ast.AST]] = {}
    for node in nodes:
        match node:
            case ast.Assign(targets=[target], value=source) | ast.AnnAssign(target=target, value=ast.expr() as source):
                pass
            case ast.comprehension(target=target, iter=source) | ast.For(target=target, iter=source):
                pass
            case ast.FunctionDef(name=function):
                names.setdefault(function, []).append(node)
                for parameter in _parameters(node.args):
                    names.setdefault(parameter, []).extend(_arguments_of(function, nodes))
                continue
            case _:
                continue
        for name in (part.id for part in ast.walk(target) if isinstance(part, ast.Name)):
            names.setdefault(name, []).append(source)
    return names


def _parameters(arguments: ast.arguments) -> list[str]:
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    return [one.arg for one in every if one]


def _arguments_of(function: str, nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    for node in nodes:
        match node:
            case ast.Call(func=ast.Name(id=called), args=arguments, keywords=keywords) if called == function:
                yield from [*arguments, *(keyword.value for keyword in keywords)]


def _clauses_in(nodes: list[ast.AST], clauses: Collection[str]) -> Iterator[str]:
    written = [part for node in nodes if isinstance(node, ast.Constant) for part in str(node.value).split(", ")]
    yield from (text for text in written if text in clauses)
    for node in nodes:
        if isinstance(node, ast.JoinedStr):
            yield from (clause for clause in clauses if _could_be(node, clause, written))


def _could_be(text: ast.JoinedStr, clause: str, written: Collection[str]) -> bool:
    """Whether an f-string gives the clause when its gaps are filled with values that are written there."""
    pattern = "".join(re.escape(str(part.value)) if isinstance(part, ast.Constant) else "(.+)" for part in text.values)
    filled = re.fullmatch(pattern, clause)
    return bool(filled and filled.groups() and set(filled.groups()) <= set(written))
