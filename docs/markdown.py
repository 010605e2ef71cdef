"""Pieces of Markdown: tables, docstrings, types in words, anchors of headings."""

import inspect
import re
import types
from collections.abc import Iterable, Sequence
from typing import Any, ForwardRef, Literal, TypeVar, Union, get_args, get_origin

CODE = re.compile(r"(`+[^`]+`+)")
SPECIAL = re.compile(r"([<*\[\]])")
WIDTH = 100


def slug(heading: str) -> str:
    """The anchor of a heading, as code hosts and MyST make it."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def escape(text: str) -> str:
    """The text with marks of Markdown escaped, but for what stands in backticks."""
    parts = CODE.split(text)
    return "".join(part if part.startswith("`") else SPECIAL.sub(r"\\\1", part) for part in parts)


def prose(text: str | None) -> str:
    """A docstring as Markdown: its examples and indented parts become blocks of code."""
    blocks = re.split(r"\n\s*\n", inspect.cleandoc(text or ""))
    return "\n\n".join(_block(block) for block in blocks if block.strip())


def words(text: str | None) -> str:
    """A docstring as Markdown without its examples, for a line or a cell."""
    return prose((text or "").partition(">>> ")[0])


def _block(block: str) -> str:
    if block.startswith(">>>"):
        return f"```python\n{block}\n```"
    if all(line.startswith("    ") for line in block.splitlines()):
        return f"```text\n{inspect.cleandoc(block)}\n```"
    before, examples, rest = block.partition("\n>>> ")
    told = escape(before)
    return f"{told}\n\n```python\n>>> {rest}\n```" if examples else told


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; nothing where there are no rows."""
    lines = [f"| {' | '.join(_cell(cell) for cell in row)} |" for row in rows]
    if not lines:
        return ""
    return "\n".join([f"| {' | '.join(head)} |", f"|{'---|' * len(head)}", *lines])


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def join(*parts: str) -> str:
    """Parts of a page below each other, without the empty ones."""
    return "\n\n".join(part for part in parts if part)


def code(text: object) -> str:
    return f"`{text}`"


def type_text(of: Any, named: Sequence[tuple[str, Any]] = ()) -> str:
    """A type as one writes it; unions that have a name of their own go by it."""
    if of is None or of is type(None):
        return "None"
    if isinstance(of, str | ForwardRef):
        return of if isinstance(of, str) else of.__forward_arg__
    if isinstance(of, TypeVar):
        return of.__name__
    for name, one in named:
        if of is one:
            return name
    origin, args = get_origin(of), get_args(of)
    if origin is Literal:
        return " | ".join(repr(arg) for arg in args)
    if origin in (Union, types.UnionType):
        return _union_text(args, named)
    if origin is not None:
        return _generic_text(origin, args, named)
    return str(getattr(of, "__name__", of))


def _union_text(args: tuple[Any, ...], named: Sequence[tuple[str, Any]]) -> str:
    left, told = list(args), []
    for name, union in named:
        members = get_args(union)
        if members and set(members) <= set(left):
            told.append(name)
            left = [one for one in left if one not in members]
    return " | ".join([*told, *(type_text(one, named) for one in left)])


def _generic_text(origin: Any, args: tuple[Any, ...], named: Sequence[tuple[str, Any]]) -> str:
    name = getattr(origin, "__name__", str(origin))
    if name == "Annotated":
        return type_text(args[0], named)
    parts = []
    for arg in args:
        is_list = isinstance(arg, list)
        parts.append(f"[{', '.join(type_text(one, named) for one in arg)}]" if is_list else type_text(arg, named))
    return f"{name}[{', '.join('...' if part == 'Ellipsis' else part for part in parts)}]"


def signature_text(name: str, of: Any, named: Sequence[tuple[str, Any]] = ()) -> str:
    """`name(parameters) -> type`, a parameter on each line where one line would be too long."""
    try:
        signature = inspect.signature(of)
    except (TypeError, ValueError):
        return name
    parts = _parameters(signature, named)
    back = signature.return_annotation
    gives = "" if back is inspect.Signature.empty or inspect.isclass(of) else f" -> {type_text(back, named)}"
    line = f"{name}({', '.join(parts)}){gives}"
    if len(line) <= WIDTH:
        return line
    return "\n".join([f"{name}(", *(f"    {part}," for part in parts), f"){gives}"])


def _parameters(signature: inspect.Signature, named: Sequence[tuple[str, Any]]) -> list[str]:
    parts, is_keyword = [], False
    for one in signature.parameters.values():
        if one.name == "self":
            continue
        if one.kind is one.KEYWORD_ONLY and not is_keyword:
            parts.append("*")
        is_keyword = is_keyword or one.kind in (one.KEYWORD_ONLY, one.VAR_POSITIONAL)
        stars = "*" if one.kind is one.VAR_POSITIONAL else "**" if one.kind is one.VAR_KEYWORD else ""
        kind = "" if one.annotation is one.empty else f": {type_text(one.annotation, named)}"
        default = "" if one.default is one.empty else f" = {default_text(one.default)}"
        parts.append(f"{stars}{one.name}{kind}{default}")
    return parts


def default_text(value: object) -> str:
    """A default as it is written, and not where it lies in memory."""
    told = repr(value)
    return getattr(value, "__name__", "...") if " at 0x" in told or told.startswith("<") else told
