"""Kinds of values on the command line: a book by its id in any case, chips as people write them, parts of units."""

from fractions import Fraction
from typing import Any

import click

from casinowar.cli.terminal.bets import BetError, parse_amount


class _Book(click.ParamType):  # type: ignore[type-arg]
    """A book by its id, or a house rulebook by its path or name."""

    name = "book"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from casinowar.rulebooks.editions import book_id

        return book_id(value)


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
