"""The reference of what the game is made of: events, commands, refusals, errors, books, options and leaves."""

import sys
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, get_args

import msgspec

from casinowar import errors as our_errors
from casinowar import protocol
from casinowar.engine import commands as engine_commands
from casinowar.engine import events as engine_events
from casinowar.reports.books import leaf_words
from casinowar.reports.clauses import anchor
from casinowar.rulebooks import BOOKS, Leaf, load_clauses, load_rulebook
from casinowar.rulebooks.resolve import describe, show
from casinowar.rulebooks.vocabulary import KEYS, kind
from casinowar.store import events as store_events
from casinowar.web.http.errors import CODES
from casinowar.words.refusals import REASONS
from docs.library_reference import NAMED
from docs.markdown import code, default_text, escape, join, prose, table, type_text, words

SIGNED = ("by", "second", "clauses")
"""Fields that all commands, or all events, have in common."""


def tag_of(struct: Any) -> str:
    return str(struct.__struct_config__.tag)


def events() -> str:
    """The events of the engine and those that only a live house has, by the module of their concern."""
    engine = list(get_args(engine_events.Event))
    own = [one for one in structs_of(store_events) if one not in engine]
    return join(*_sections(engine), "## Of a live house alone", *(_tagged(one) for one in own))


def table_commands() -> str:
    """The commands of the engine and those that only a live table has."""
    live = [one for one in structs_of(protocol.commands) if issubclass(one, engine_commands.TaggedCommand)]
    return join(
        *_sections(get_args(engine_commands.Command)), "## Of a live table alone", *(_tagged(one) for one in live)
    )


def structs_of(module: Any) -> list[Any]:
    """The tagged structs that a module declares itself, and that are no base of others."""
    found = [one for one in vars(module).values() if isinstance(one, type) and issubclass(one, msgspec.Struct)]
    own = [one for one in found if one.__module__ == module.__name__ and one.__struct_config__.tag]
    return [one for one in own if not any(one in other.__mro__[1:] for other in own)]


def _sections(structs: Iterable[Any]) -> Iterator[str]:
    for module, group in groupby(sorted(structs, key=_place), key=lambda one: one.__module__):
        line = (sys.modules[module].__doc__ or "").partition("\n")[0]
        yield f"## {module.rpartition('.')[2].capitalize()}"
        yield prose(line)
        yield from (_tagged(one) for one in group)


def _place(struct: Any) -> tuple[str, int]:
    module = sys.modules[struct.__module__]
    return struct.__module__, list(vars(module)).index(struct.__name__)


def _tagged(struct: Any) -> str:
    """One command or event: its tag, its words, its own fields."""
    fields = [one for one in msgspec.structs.fields(struct) if one.name not in SIGNED]
    rows = [[code(one.encode_name), code(type_text(one.type, NAMED)), _default(one)] for one in fields]
    in_python = f"In Python `{struct.__name__}`."
    return join(f"### {tag_of(struct)}", f"{words(vars(struct).get('__doc__'))} {in_python}".strip(), table(HEAD, rows))


HEAD = ("field", "type", "default")


def _default(field: msgspec.structs.FieldInfo) -> str:
    if field.required:
        return "must be given"
    if field.default_factory is not msgspec.NODEFAULT:
        return code(f"{field.default_factory.__name__}()")
    return code(default_text(field.default))


def refusals() -> str:
    """What can be refused at a table, and the codes of the server, each with its words."""
    reasons = ([code(name), escape(one.says), one.rests_on] for name, one in sorted(REASONS.items()))
    codes = ([code(name), str(status), escape(says)] for name, (status, says) in sorted(CODES.items()))
    return join(
        "## At a table",
        table(["reason", "in words", "rests on"], reasons),
        "## Codes of the server",
        table(["code", "status", "in words"], codes),
    )


def errors() -> str:
    """The tree of errors, and each error that is raised on purpose with its words."""
    head, _, rest = (our_errors.__doc__ or "").partition("\n\n")
    tree, _, behind = rest.partition("\n\n")
    found: list[type[Exception]] = sorted(
        set(_subclasses(our_errors.CasinoWarError)), key=lambda one: (one.__name__, one.__module__)
    )
    rows = [[code(one.__name__), code(one.__module__), words(vars(one).get("__doc__"))] for one in found]
    return join(prose(head), f"```text\n{tree}\n```", prose(behind), table(["error", "where", "what it is"], rows))


def _subclasses(of: type[Exception]) -> Iterator[type[Exception]]:
    for one in of.__subclasses__():
        if one.__module__.startswith("casinowar"):
            yield one
            yield from _subclasses(one)


def books() -> str:
    """The five books: edition, leaves, clauses, and where each is told."""
    rows = []
    for book in BOOKS:
        rules = load_rulebook(book)
        clauses = [one for one in load_clauses().values() if one.book == book]
        set_by_operator = [leaf for leaf in rules.leaves.values() if leaf.allowed]
        silent = [leaf for leaf in rules.leaves.values() if leaf.supplied]
        rows.append(
            [
                f"[{code(book)}](../clauses/{book}.md)",
                escape(rules.title),
                str(rules.edition),
                str(len(clauses)),
                str(len(rules.leaves)),
                str(len(set_by_operator)),
                str(len(silent)),
            ]
        )
    head = ["book", "title", "edition", "clauses", "leaves", "options", "house defaults"]
    return table(head, rows)


def options() -> str:
    """What each book lets an operator set."""
    return join(*(part for book in BOOKS for part in (f"## {book}", _options_of(book))))


def _options_of(book: str) -> str:
    leaves = load_rulebook(book).leaves
    rows = (
        [code(key), escape(leaf_words().get(key, "")), escape(describe(leaf)), _clauses(book, leaf)]
        for key, leaf in leaves.items()
        if leaf.allowed
    )
    return table(["option", "what it is", "usual value", "clauses"], rows)


def _clauses(book: str, leaf: Leaf) -> str:
    cited = ", ".join(f"[{one}](../clauses/{book}.md#{anchor(one)})" for one in leaf.clauses)
    reading = f"[{leaf.ambiguity}](../ambiguities.md#{leaf.ambiguity.lower()})" if leaf.ambiguity else ""
    silent = "house default: the book is silent" if leaf.supplied else ""
    return ", ".join(part for part in (cited, silent, reading) if part)


def leaves() -> str:
    """Every key of the vocabulary: its words, what it may be, and its value in each book."""
    rulebooks = {book: load_rulebook(book).leaves for book in BOOKS}
    parts = []
    for group, keys in groupby(KEYS, key=lambda key: key.partition(".")[0]):
        rows = []
        for key in keys:
            values = [escape(show(of[key].value)) if key in of else "" for of in rulebooks.values()]
            rows.append([code(key), escape(leaf_words().get(key, "")), escape(kind(key)), *values])
        parts += [f"## {group}", table(["leaf", "what it is", "what it may be", *BOOKS], rows)]
    return join(*parts)
