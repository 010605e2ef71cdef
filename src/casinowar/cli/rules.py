"""`casinowar rules`: look into the rulebooks and their clauses."""

import json
from typing import TYPE_CHECKING

import click

from casinowar.cli.coverage import coverage
from casinowar.cli.output import put, say

if TYPE_CHECKING:
    from casinowar.rulebooks import Rulebook


@click.group(invoke_without_command=True, subcommand_metavar="COMMAND [ARGS]...")
@click.pass_context
def rules(ctx: click.Context) -> None:
    """Look into the rulebooks and their clauses.

    BOOK is a book's id, as in `rules list`, or the path of a rulebook file.
    """
    if ctx.invoked_subcommand is None:
        say(ctx.get_help())
        ctx.exit(2)


rules.add_command(coverage)


@rules.command("list", short_help="List the rulebooks.")
def list_() -> None:
    """List the rulebooks with their titles, versions and clause counts."""
    from casinowar.rulebooks import BOOKS, load_clauses
    from casinowar.rulebooks.load import read_book

    clauses = [clause.book for clause in load_clauses().values()]
    lines = [f"{'book':<6}{'clauses':>7}  title and version"]
    for book in BOOKS:
        data = read_book(book)
        lines += [f"{book:<6}{clauses.count(book):>7}  {data['title']}", f"{'':<15}{data['version']}"]
    put("\n".join(lines))


@rules.command(short_help="Show every leaf of a book.")
@click.argument("book")
@click.option("--json", "as_json", is_flag=True, help="Print the leaves as JSON.")
def show(book: str, as_json: bool) -> None:
    """Show every leaf of BOOK: its value, what an operator may set, its clauses, the ambiguity it decides."""
    from casinowar.reports import books

    rulebook = _load(book)
    put(json.dumps(books.show_data(rulebook), indent=1) if as_json else books.show(rulebook))


@rules.command(short_help="Show a clause and what rests on it.")
@click.argument("id")
def clause(id: str) -> None:
    """Show the clause ID: what it says, how software realises it, and the leaves that rest on it."""
    from casinowar.reports import books
    from casinowar.rulebooks import BOOKS, load_clauses

    known = {name.casefold(): one for name, one in load_clauses().items()}
    found = known.get(id.casefold())
    if found is None:
        raise click.ClickException(f"no clause {id!r}{_near(id, list(load_clauses()))}")
    put(books.show_clause(found, [_load(book) for book in BOOKS]))


@rules.command(short_help="Show how two books differ.")
@click.argument("a")
@click.argument("b")
@click.option("--json", "as_json", is_flag=True, help="Print the differences as JSON.")
def diff(a: str, b: str, as_json: bool) -> None:
    """Show the leaves in which the books A and B differ, side by side, with their clauses."""
    from casinowar.reports import books

    first, second = _load(a), _load(b)
    if as_json:
        put(json.dumps(books.diff_data(first, second), indent=1))
    elif told := books.diff(first, second):
        put(told)
    else:
        say(f"{a} and {b} do not differ")


@rules.command(short_help="Check a rulebook file.")
@click.argument("file")
def check(file: str) -> None:
    """Check the rulebook FILE as the books of this package are checked."""
    rulebook = _load_file(file)
    put(f"{file}: {rulebook.id}, {len(rulebook.leaves)} leaves, each with its clause")


def _near(id: str, known: list[str]) -> str:
    """The clauses that begin like this id or are spelled much like it."""
    from difflib import get_close_matches

    asked = id.upper()
    begun = [name for name in known if asked and name.upper().startswith(asked)]
    near = dict.fromkeys([*begun, *get_close_matches(asked, known, n=5)])
    return f": did you mean {', '.join(list(near)[:5])}?" if near else ": ids look like NZ-5.13c"


def _load(book: str) -> "Rulebook":
    """A book of this package by its id, or a rulebook file by its path."""
    from casinowar.rulebooks import BOOKS, RulebookError, load_rulebook

    if book not in BOOKS and ("/" in book or "." in book):
        return _load_file(book)
    try:
        return load_rulebook(book)
    except RulebookError as error:
        raise click.ClickException(str(error)) from None


def _load_file(file: str) -> "Rulebook":
    from casinowar.rulebooks import RulebookError, load_file

    try:
        return load_file(file)
    except RulebookError as error:
        raise click.ClickException(str(error)) from None
