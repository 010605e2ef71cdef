"""`casinowar ruling`: the floor's quick reference on what to do when something has gone wrong."""

import shutil
from difflib import get_close_matches

import click

from casinowar.cli.terminal import suggestions
from casinowar.cli.terminal.options import book_option, json_option, rules_of
from casinowar.cli.terminal.output import json_text, put
from casinowar.reports.rulings import rulings, text
from casinowar.reports.rulings.incidents import BY_SLUG, Incident
from casinowar.rulebooks import Rulebook, RulebookError, load_rulebook, sound_books

LIST, ONE, ACROSS = "casinowar-incidents/1", "casinowar-ruling/1", "casinowar-rulings/1"


@click.command(short_help="Tell the ruling on an incident, with its clause.")
@click.argument("incident", required=False, shell_complete=suggestions.incidents)
@book_option(help="Whose rules: a book's id, or a house rulebook by path or name.")
@click.option(
    "--option",
    "--set",
    "options",
    metavar="KEY=VALUE",
    multiple=True,
    help="Set what the book leaves to the operator; may repeat.",
    shell_complete=suggestions.options,
)
@json_option(help="Print the same as JSON.")
def ruling(incident: str | None, book: str | None, options: tuple[str, ...], as_json: bool) -> None:
    """Tell what a rulebook has done about INCIDENT: the ruling, its clauses, what happens to cards and wagers, who may
    rule, the act that records it, and how other books differ.

    Without --rulebook, the incident in every book. Without INCIDENT, the list of incidents.
    """
    if options and book is None:
        raise click.UsageError("an option is set in one rulebook: say which with --rulebook")
    rules = rules_of(book, options) if book is not None else None
    width = min(text.WIDTH, shutil.get_terminal_size().columns)
    if incident is None:
        put(json_text(LIST, rulings.list_data(rules)) if as_json else text.tell_list(rules, width))
        return
    found = _find(incident)
    books = [_with_shuffler(load_rulebook(one), rules) for one in sound_books()]
    if rules is None:
        told = [rulings.rule_on(one, found) for one in books]
        data = {"incident": found.slug, "what": found.what, "books": [rulings.as_data(one) for one in told]}
        put(json_text(ACROSS, data) if as_json else text.tell_across(rulings.group_rulings(told), width))
        return
    mine = rulings.rule_on(rules, found)
    elsewhere = rulings.others(mine, books, found)
    put(json_text(ONE, rulings.ruling_data(mine, elsewhere)) if as_json else text.tell_ruling(mine, elsewhere, width))


def _with_shuffler(book: Rulebook, mine: Rulebook | None) -> Rulebook:
    """Another book with the shuffler of the table in question, where it allows that shuffler."""
    if mine is None or mine.shoe.shuffler == book.shoe.shuffler:
        return book
    try:
        return load_rulebook(book.id, {"shoe.shuffler": mine.shoe.shuffler})
    except RulebookError:
        return book


def _find(asked: str) -> Incident:
    """The incident of that name, however it is spelled: `face_up_card` is `face-up-card`."""
    slug = "-".join(asked.lower().replace("_", "-").split())
    if slug in BY_SLUG:
        return BY_SLUG[slug]
    begun = [name for name in BY_SLUG if slug and name.startswith(slug)]
    near = [*begun, *get_close_matches(slug, BY_SLUG, n=1)]
    told = f"did you mean {near[0]}?" if near else "`casinowar ruling` lists them all"
    raise click.ClickException(f"no incident {asked!r}: {told}")
