"""The reference of the library: every public name of every public module, from signatures and docstrings."""

import ast
import inspect
import pkgutil
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any, get_args

import msgspec

import casinowar
from casinowar.engine.commands import Command
from casinowar.engine.commands.values import CommandStruct
from casinowar.engine.events import Event
from casinowar.engine.events.values import EventStruct
from docs.markdown import code, default_text, join, prose, signature_text, slug, table, type_text

NAMED = (("Event", Event), ("Command", Command), ("Event", EventStruct), ("Command", CommandStruct))
"""Unions that go by a name, and the bases that stand for them where a signature would spell them out."""

Member = tuple[str, Any]


@cache
def public_modules() -> tuple[ModuleType, ...]:
    """The package and those of its modules that say with `__all__` what is public."""
    names = sorted(one.name for one in pkgutil.iter_modules(casinowar.__path__) if not one.name.startswith("_"))
    modules = [import_module(f"casinowar.{name}") for name in names if _declares_names(f"casinowar.{name}")]
    return (casinowar, *modules)


def _declares_names(module: str) -> bool:
    """Whether a module has `__all__`, without importing it: the command line and the server import much."""
    spec = pkgutil.resolve_name("importlib.util").find_spec(module)
    tree = ast.parse(inspect.cleandoc(spec.loader.get_source(module) or ""))
    return any(
        isinstance(node, ast.Assign) and any(getattr(one, "id", "") == "__all__" for one in node.targets)
        for node in tree.body
    )


def page() -> str:
    """Every module with its names; what several modules have stands where it comes first."""
    told: dict[int, str] = {}
    parts = [contents()]
    for module in public_modules():
        parts += [f"## {module.__name__}", prose(module.__doc__)]
        for name in sorted(module.__all__, key=str.lower):
            value = getattr(module, name)
            heading = f"{module.__name__}.{name}"
            first = told.setdefault(id(value), heading) if _is_own(value) else heading
            parts += [f"### {heading}"]
            parts += [f"The same as [{code(first)}](#{slug(first)})."] if first != heading else [describe(name, value)]
    return join(*parts)


def contents() -> str:
    rows = [
        [f"[{code(one.__name__)}](#{slug(one.__name__)})", prose(one.__doc__).partition("\n")[0]]
        for one in public_modules()
    ]
    return table(["module", "what it is"], rows)


def _is_own(value: object) -> bool:
    """Whether a value is one thing that goes by its name, and no number or text that others are equal to."""
    return inspect.isclass(value) or inspect.isroutine(value)


def describe(name: str, value: Any) -> str:
    """A public name: how it is called, what it is, its fields and methods."""
    if inspect.ismodule(value):
        return join("A module.", prose(value.__doc__))
    if inspect.isclass(value):
        return _class(name, value)
    if inspect.isroutine(value):
        return join(_signature(name, value), prose(value.__doc__))
    return join(_value(name, value), prose(constant_doc(name, value)))


def _signature(name: str, of: Any) -> str:
    return f"```python\n{signature_text(name, of, NAMED)}\n```"


def _value(name: str, value: Any) -> str:
    parts = get_args(value)
    if len(parts) > 6:
        return f"One of {len(parts)}: {', '.join(sorted(code(type_text(part)) for part in parts))}."
    told = type_text(value, ()) if parts else default_text(value)
    return f"```python\n{name} = {told}\n```" if len(told) < 400 else ""


def _class(name: str, of: type) -> str:
    is_struct = issubclass(of, msgspec.Struct)
    fields = ""
    if is_struct:
        rows = [[code(one.name), code(type_text(one.type, NAMED)), _default(one)] for one in msgspec.structs.fields(of)]
        fields = table(["field", "type", "default"], rows)
    bases = [one.__name__ for one in of.__bases__ if one not in (object, msgspec.Struct)]
    derived = f"A kind of {', '.join(code(one) for one in bases)}." if issubclass(of, Exception) else ""
    methods = [_method(member, value, of) for member, value in members(of)]
    return join("" if is_struct else _signature(name, of), prose(own_doc(of)), derived, fields, *methods)


def _default(field: msgspec.structs.FieldInfo) -> str:
    if field.required:
        return "must be given"
    value = field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory
    return code(default_text(value)) if field.default_factory is msgspec.NODEFAULT else code(f"{value.__name__}()")


def _method(name: str, value: Any, of: type) -> str:
    target = getattr(value, "__func__", value)
    words = prose(method_doc(name, value, of))
    if isinstance(value, property):
        kind = type_text(inspect.signature(value.fget).return_annotation, NAMED) if value.fget else ""
        return join(f"```python\n.{name}: {kind}\n```", words)
    return join(_signature(f".{name}", target), words)


def own_doc(of: type) -> str:
    """The docstring of the class itself, and not one that it inherits."""
    return vars(of).get("__doc__") or ""


def members(of: type) -> Iterator[Member]:
    """The public methods and properties of a class, those included that it has from others of ours."""
    seen: set[str] = set()
    for base in of.__mro__:
        if not base.__module__.startswith("casinowar"):
            continue
        for name, value in vars(base).items():
            is_public = not name.startswith("_") and name not in seen
            if is_public and (inspect.isroutine(value) or isinstance(value, property)):
                seen.add(name)
                yield name, value


def method_doc(name: str, value: Any, of: type) -> str:
    """The docstring of a method or property, or what the contract says of it that the class keeps."""
    target = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
    return target.__doc__ or next(
        (doc for one in contracts(of) if name in vars(one) and (doc := method_doc(name, vars(one)[name], one))), ""
    )


def contracts(of: type) -> Iterator[type]:
    """The protocols among the public names that the class keeps; a function or two may be given to each object."""
    module = sys.modules.get(".".join(of.__module__.split(".")[:2]))
    for one in vars(module).values() if module else ():
        if inspect.isclass(one) and getattr(one, "_is_protocol", False) and one is not of:
            wanted = {name for name, value in members(one) if not isinstance(value, property)}
            if len([name for name in wanted if not hasattr(of, name)]) * 10 < len(wanted):
                yield one


def constant_doc(name: str, value: object) -> str:
    """The words below an assignment, in whichever module of ours it stands."""
    for module in [one for key, one in sorted(sys.modules.items()) if key.startswith("casinowar")]:
        if vars(module).get(name) is value and (found := _assigned(module.__name__).get(name)):
            return found
    return ""


@cache
def _assigned(module: str) -> dict[str, str]:
    """The names that a module assigns, each with the text that follows it."""
    body = ast.parse(inspect.getsource(sys.modules[module])).body
    found = {}
    for node, following in zip(body, [*body[1:], None], strict=True):
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        match following:
            case ast.Expr(value=ast.Constant(value=str(words))) if isinstance(target, ast.Name):
                found[target.id] = words
    return found


def undocumented() -> Iterator[str]:
    """Public names without a docstring, methods and properties of public classes among them."""
    for module in public_modules():
        for name in module.__all__:
            value = getattr(module, name)
            where = f"{module.__name__}.{name}"
            if inspect.isclass(value):
                yield from [where] if not own_doc(value) else []
                for member, method in members(value):
                    yield from [f"{where}.{member}"] if not method_doc(member, method, value) else []
            elif inspect.isroutine(value) or inspect.ismodule(value):
                yield from [where] if not value.__doc__ else []
            elif not name.startswith("__") and not constant_doc(name, value):
                yield where
