"""`casinowar rules`: look into the rulebooks and their clauses."""

from difflib import get_close_matches
from typing import Any

import click

from casinowar.cli.rules.clause_coverage import coverage, shown_by, shown_data
from casinowar.cli.terminal import suggestions
from casinowar.cli.terminal.command_group import CommandGroup
from casinowar.cli.terminal.options import BOOK, book_option, json_option, option_option, rules_of, set_option
from casinowar.cli.terminal.output import json_text, put, say
from casinowar.reports import books
from casinowar.rulebooks import (
    BOOKS,
    Rulebook,
    RulebookError,
    load_clauses,
    load_file,
    load_rulebook,
    sound_books,
)
from casinowar.rulebooks.editions import editions_of
from casinowar.rulebooks.files import is_path, own_names, read_book
from casinowar.rulebooks.load import faults
from casinowar.rulebooks.shelf import config_folder

LIST, SHOWN, CLAUSE, DIFFERENCES = (
    "casinowar-rulebooks/1",
    "casinowar-rulebook/1",
    "casinowar-clause/1",
    "casinowar-differences/1",
)


@click.group(cls=CommandGroup, invoke_without_command=True, subcommand_metavar="COMMAND [ARGS]...")
@click.pass_context
def rules(ctx: click.Context) -> None:
    """Look into the rulebooks and their clauses.

    BOOK is a book's id, as in `rules list`, an earlier edition of it, as in ca@1, or a house rulebook: its path, or its
    name in your configuration folder.
    """
    if ctx.invoked_subcommand is None:
        say(ctx.get_help())
        ctx.exit(2)


rules.add_command(coverage)


@rules.command("list", short_help="List the rulebooks.")
@json_option(help="Print the list as JSON.")
def list_(as_json: bool) -> None:
    """List the rulebooks with their titles, versions and clause counts, and those in your configuration folder."""
    if as_json:
        put(json_text(LIST, _list_data()))
        return
    clauses = [clause.book for clause in load_clauses().values()]
    own, sound = sorted({*own_names(), *faults()}), sound_books()
    width = max(len(name) + 2 for name in ("book", *sound, *own))
    lines = [f"{'book':<{width}}{'clauses':>7}  title, version and edition"]
    for book in sound:
        data = read_book(book)
        head, indent = f"{book:<{width}}{clauses.count(book):>7}  {data['title']}", " " * (width + 9)
        lines += [head, f"{indent}{data['version']}", f"{indent}edition {data['edition']}{_earlier(book)}"]
    if own:
        lines += ["", f"Your own, in {config_folder()}:"]
        lines += [f"{name:<{width}}{'':>7}  {_own(name)}" for name in own]
    put("\n".join(lines))


def _list_data() -> dict[str, Any]:
    clauses = [clause.book for clause in load_clauses().values()]
    heads = {book: read_book(book) for book in sound_books()}
    listed = [
        {
            **{field: head[field] for field in ("id", "title", "version", "edition")},
            "earlier_editions": _earlier_editions(book),
            "clauses": clauses.count(book),
            "is_packaged": book in BOOKS,
        }
        for book, head in heads.items()
    ]
    return {"books": listed, "house_rulebooks": [_own_data(name) for name in sorted({*own_names(), *faults()})]}


def _own_data(name: str) -> dict[str, Any]:
    """A rulebook of the configuration folder: what it is, or why it cannot be used."""
    fault = _own_fault(name)
    rulebook = None if fault else load_rulebook(name)
    return {
        "name": name,
        "title": rulebook and rulebook.title,
        "extends": rulebook and rulebook.extends,
        "fault": fault or None,
    }


def _earlier_editions(book: str) -> list[str]:
    return [f"{book}@{edition}" for edition in editions_of(book)[:-1]]


def _earlier(book: str) -> str:
    earlier = _earlier_editions(book)
    return f"; earlier: {', '.join(earlier)}" if earlier else ""


def _own(name: str) -> str:
    """What the list says of a house rulebook: what it is, or why it cannot be used."""
    if fault := _own_fault(name):
        return f"cannot be used: {fault}"
    rulebook = load_rulebook(name)
    return f"{rulebook.title}, extends {rulebook.extends}"


def _own_fault(name: str) -> str:
    if name in faults():
        return faults()[name]
    if name.lower() in BOOKS:
        return "the name is taken by a book of this package"
    try:
        load_rulebook(name)
    except RulebookError as error:
        return str(error)
    return ""


@rules.command(short_help="Show every leaf of a book.")
@click.argument("book", type=BOOK)
@option_option()
@set_option()
@json_option(help="Print the leaves as JSON.")
def show(book: str, options: tuple[str, ...], settings: tuple[str, ...], as_json: bool) -> None:
    """Show every leaf of BOOK: its value, what an operator may set, its clauses, the ambiguity it decides.

    With --option and --set, as the book is then: leaves that hang on others follow them.
    """
    rulebook = _load(book)
    if options or settings:
        rulebook = rules_of(book, options, settings)
    put(json_text(SHOWN, books.show_data(rulebook)) if as_json else books.show(rulebook))


@rules.command(short_help="Show a clause and what rests on it.")
@click.argument("id", shell_complete=suggestions.clauses)
@book_option(help="A house rulebook to look into, for its clauses HOUSE-...")
@json_option(help="Print the clause as JSON.")
def clause(id: str, book: str | None, as_json: bool) -> None:
    """Show the clause ID: what it says, how software realises it, what rests on it and which tests have shown it."""
    house = _load(book) if book and book not in sound_books() else None
    own = {name.casefold(): name for name in (house.notes if house else ())}
    if house and id.casefold() in own:
        name = own[id.casefold()]
        put(json_text(CLAUSE, books.house_clause_data(house, name)) if as_json else books.house_line(house, name))
        return
    if house is None and id.casefold().startswith("house-"):
        raise click.ClickException(f"{id} is a clause of a house rulebook: say which with --rulebook")
    known = {name.casefold(): one for name, one in load_clauses().items()}
    found = known.get(id.casefold())
    if found is None:
        raise click.ClickException(f"no clause {id!r}{_near(id, [*own.values(), *load_clauses()])}")
    rulebooks = [*(_load(name) for name in sound_books()), *([house] if house else [])]
    if as_json:
        put(json_text(CLAUSE, {**books.clause_data(found, rulebooks), "tests": shown_data(found.id)}))
    else:
        put("\n".join([books.show_clause(found, rulebooks), *shown_by(found.id)]))


@rules.command(short_help="Show how two books differ.")
@click.argument("a", type=BOOK)
@click.argument("b", type=BOOK)
@json_option(help="Print the differences as JSON.")
def diff(a: str, b: str, as_json: bool) -> None:
    """Show the leaves in which the books A and B differ, side by side, with their clauses.

    Between editions of one book, as in `rules diff ca@1 ca`, each change has its reason.

    Of a house rulebook, `!` marks what a book that it extends would not allow.
    """
    first, second = _load(a), _load(b)
    if as_json:
        put(json_text(DIFFERENCES, books.diff_data(first, second)))
    elif told := books.diff(first, second):
        put(told)
    else:
        say(f"{a} and {b} do not differ")


@rules.command(short_help="Check a rulebook file.")
@click.argument("file", type=BOOK)
def check(file: str) -> None:
    """Check the rulebook FILE, or one of your own by its name, as the books of this package are checked."""
    put(f"{file}: {books.summary(_load(file))}")


def _near(id: str, known: list[str]) -> str:
    """The clauses that begin like this id or are spelled much like it."""
    asked = id.upper()
    begun = [name for name in known if asked and name.upper().startswith(asked)]
    near = dict.fromkeys([*begun, *get_close_matches(asked, known, n=5)])
    return f": did you mean {', '.join(list(near)[:5])}?" if near else ": ids look like NZ-5.13c"


def _load(book: str) -> Rulebook:
    """A book of this package by its id, or a rulebook file by its path or name."""
    try:
        return load_file(book) if is_path(book) else load_rulebook(book)
    except RulebookError as error:
        raise click.ClickException(str(error)) from None
