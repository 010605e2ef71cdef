"""The setup of a table on the command line: its rules, their options, and where its record goes."""

import os
from pathlib import Path

import click

from casinowar.cli.terminal.book_options import parse_settings
from casinowar.rulebooks import Rulebook, RulebookError, load_rulebook
from casinowar.rulebooks.editions import edition_name
from casinowar.rulebooks.files import is_path


def rules_of(book: str, options: tuple[str, ...]) -> Rulebook:
    """The rulebook that --rulebook and --option name."""
    try:
        load_rulebook(book)
    except RulebookError as error:
        raise click.BadParameter(str(error), param_hint="--rulebook") from None
    try:
        return load_rulebook(book, parse_settings(options, "--option", "shoe.decks=8", may_be_empty=True))
    except RulebookError as error:
        raise click.BadParameter(str(error), param_hint="--option") from None


def version_of(rules: Rulebook) -> str:
    """Which text the rules are from, and in which edition where it is not the current one."""
    is_current = edition_name(rules.extends or rules.id, rules.edition) == (rules.extends or rules.id)
    return rules.version if is_current else f"{rules.version}, edition {rules.edition}"


def book_path_from(save: Path, book: str) -> str:
    """A house rulebook's path as the record will name it: from the record's own folder."""
    if not is_path(book):
        return book
    path = os.path.relpath(Path(book).resolve(), save.resolve().parent).replace(os.sep, "/")
    return path if is_path(path) else f"./{path}"


def check_target(save: Path) -> None:
    """Refuse a place where no record can go, before anything is played."""
    if save.suffix not in (".toml", ".json"):
        raise click.BadParameter("name a file that ends in .toml or .json", param_hint="--save")
    if not save.absolute().parent.is_dir():
        raise click.BadParameter(f"there is no folder {save.parent}", param_hint="--save")
    if os.path.lexists(save):
        raise click.BadParameter(f"{save} is there already: name a new file", param_hint="--save")
