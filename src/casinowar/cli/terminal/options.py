"""Options that several commands share, and kinds of values: a book, chips, parts of units."""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any, TypeVar

import click

from casinowar.cli.terminal import suggestions
from casinowar.cli.terminal.bets import BetError, parse_amount
from casinowar.cli.terminal.key_values import clip_words, parse_settings
from casinowar.rulebooks import Rulebook, RulebookError, load_rulebook, load_with
from casinowar.rulebooks.editions import book_id, edition_name

Command = TypeVar("Command", bound=Callable[..., Any])


class _Book(click.ParamType):  # type: ignore[type-arg]
    """A book by its id, or a house rulebook by its path or name."""

    name = "book"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return book_id(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> suggestions.Items:
        return suggestions.books(ctx, param, incomplete)


class Chips(click.IntRange):
    """A whole number, also with its thousands set apart: 1,000."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            number = parse_amount(value) if isinstance(value, str) else value
        except BetError as error:
            self.fail(f"{value!r}: {str(error)[:1].lower()}{str(error)[1:]}", param, ctx)
        return super().convert(number, param, ctx)


class Units(click.ParamType):  # type: ignore[type-arg]
    """Units of a wager in whole hundredths, such as 2, 0.5 or 1/2."""

    name = "units"

    def __init__(self, most: int) -> None:
        self.most = most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Fraction:
        try:
            units = Fraction(value)
        except (ValueError, ZeroDivisionError):
            self.fail(f"{value!r} is not a number of units, such as 2 or 0.5", param, ctx)
        if not 0 < units <= self.most:
            self.fail(f"{value} is not in the range 0<x<={self.most}", param, ctx)
        if (units * 100).denominator != 1:
            self.fail(f"{value} is not in whole hundredths", param, ctx)
        return units


BOOK = _Book()
CHIPS = Chips(min=1, max=10**15)
book_option = partial(click.option, "--rulebook", "book", metavar="BOOK", type=BOOK)
json_option = partial(click.option, "--json", "as_json", is_flag=True)
option_option = partial(
    click.option,
    "--option",
    "options",
    metavar="KEY=VALUE",
    multiple=True,
    help="Set what the book leaves to the operator; may repeat.",
    shell_complete=suggestions.options,
)
set_option = partial(
    click.option,
    "--set",
    "settings",
    metavar="KEY=VALUE",
    multiple=True,
    help="Change any leaf, also beyond the book; may repeat.",
    shell_complete=suggestions.leaves,
)

in_strategy = click.option(
    "--strategy",
    type=click.Choice(["war", "surrender", "best"]),
    default="war",
    show_default=True,
    help="What the player does at a tie.",
)


def of_book(command: Command) -> Command:
    """The options of a command that studies one book: --rulebook, --decks, --any-decks, --option and --set."""
    options = (
        book_option(default="nz", show_default=True, help="A book's id or a house rulebook."),
        click.option("--decks", type=click.IntRange(1, 100), help="How many decks the shoe has."),
        click.option("--any-decks", is_flag=True, help="Permit decks that the book does not allow."),
        option_option(),
        set_option(),
    )
    for option in reversed(options):
        command = option(command)
    return command


def rules_of(book: str, options: tuple[str, ...], settings: tuple[str, ...] = ()) -> Rulebook:
    """The rulebook that --rulebook names, as --option and --set have it."""
    try:
        load_rulebook(book)
    except RulebookError as error:
        raise click.BadParameter(str(error), param_hint="--rulebook") from None
    chosen = parse_settings(options, "--option", "shoe.decks=8", may_be_empty=True)
    try:
        rules = load_rulebook(book, chosen)
    except RulebookError as error:
        raise click.BadParameter(clip_words(str(error), chosen.values()), param_hint="--option") from None
    if not settings:
        return rules
    try:
        return load_with(book, chosen | parse_settings(settings))
    except RulebookError as error:
        raise click.BadParameter(clip_words(str(error)), param_hint="--set") from None


def check_limits(rules: Rulebook, minimum: int, maximum: int | None, meter: int | None) -> None:
    """Refuse limits that no table can have, and a meter where the book has no progressive."""
    if maximum is not None and maximum < minimum:
        raise click.BadParameter(f"{maximum} is below the minimum of {minimum}", param_hint="--max")
    if meter is not None and not rules.wager.progressive:
        raise click.BadParameter("there is no progressive at this table", param_hint="--meter")


def version_of(rules: Rulebook) -> str:
    """The version of the rules: which text they are from, and in which edition where it is not the current one."""
    is_current = edition_name(rules.extends or rules.id, rules.edition) == (rules.extends or rules.id)
    return rules.version if is_current else f"{rules.version}, edition {rules.edition}"
