"""Options about a book that several commands share: which book, and KEY=VALUE for what is changed about it."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import click

from casinowar.cli.terminal.params import BOOK

Command = TypeVar("Command", bound=Callable[..., Any])
WORDS: dict[str, object] = {"true": True, "on": True, "false": False, "off": False}

in_strategy = click.option(
    "--strategy",
    type=click.Choice(["war", "surrender", "best"]),
    default="war",
    show_default=True,
    help="What the player does at a tie.",
)


LONGEST = 60


def clip(text: object) -> str:
    """A value as an error repeats it: not more than 60 characters of it."""
    told = str(text)
    return told if len(told) <= LONGEST else f"{told[: LONGEST - 3]}..."


def clip_words(text: str, values: Iterable[object] = ()) -> str:
    """An error with these values clipped in it, and any other word that is longer than a value may be."""
    for value in values:
        text = text.replace(str(value), clip(value))
    return " ".join(clip(word) for word in text.split(" "))


def of_book(command: Command) -> Command:
    """The options of a command that studies one book: --rulebook, --decks, --any-decks and --set."""
    options = (
        click.option(
            "--rulebook",
            "book",
            metavar="BOOK",
            type=BOOK,
            default="nz",
            show_default=True,
            help="A book's id or a house rulebook.",
        ),
        click.option("--decks", type=click.IntRange(1, 100), help="How many decks the shoe has."),
        click.option("--any-decks", is_flag=True, help="Permit decks that the book does not allow."),
        click.option(
            "--set",
            "settings",
            metavar="KEY=VALUE",
            multiple=True,
            help="Change an option or any leaf; may repeat.",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


def parse_settings(
    texts: Iterable[str], hint: str = "--set", example: str = "payout.war.on_tie=3:1", *, may_be_empty: bool = False
) -> dict[str, object]:
    """`payout.war.on_tie=3:1`, `shoe.decks=8`, `wager.tie=off`: numbers and truth values are read as such."""
    settings: dict[str, object] = {}
    for text in texts:
        key, separator, value = (part.strip() for part in text.partition("="))
        if not (key and separator and (value or may_be_empty)):
            raise click.BadParameter(f"{clip(text)!r}: write KEY=VALUE, as in {example}", param_hint=hint)
        is_number = value.isascii() and value.isdigit() and len(value) < 20
        settings[key] = int(value) if is_number else WORDS.get(value.lower(), value)
    return settings
