"""Opening a table from the command line: whose rules, with which options, and where its record goes."""

import os
from itertools import count
from pathlib import Path

import click

from casinowar.cli.settings import parse_settings
from casinowar.rulebooks import Rulebook, RulebookError, load_rulebook
from casinowar.rulebooks.files import is_path


def write_new(save: Path, text: str) -> Path:
    """Where the text went. A file that was made there during the game is left alone: the text goes beside it."""
    for number in count(1):
        path = save if number == 1 else save.with_stem(f"{save.stem}-{number}")
        try:
            with path.open("x", encoding="utf-8") as file:
                file.write(text)
            return path
        except FileExistsError:
            continue
    raise AssertionError("the numbers have no end")


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


def seen_from(save: Path, book: str) -> str:
    """A house rulebook's path as the record will name it: from the record's own folder."""
    if not is_path(book):
        return book
    path = os.path.relpath(Path(book).resolve(), save.resolve().parent).replace(os.sep, "/")
    return path if is_path(path) else f"./{path}"


def check_target(save: Path) -> None:
    """Whether a record can go there, before anything is played."""
    if save.suffix not in (".toml", ".json"):
        raise click.BadParameter("name a file that ends in .toml or .json", param_hint="--save")
    if not save.absolute().parent.is_dir():
        raise click.BadParameter(f"there is no folder {save.parent}", param_hint="--save")
    if os.path.lexists(save):
        raise click.BadParameter(f"{save} is there already: name a new file", param_hint="--save")
