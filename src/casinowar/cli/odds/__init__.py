"""`casinowar odds`: exact figures for every wager of a book, as a table or as JSON."""

from fractions import Fraction
from typing import Any

import click

from casinowar.cli.odds.study import (
    all_settings,
    base_of,
    chosen_settings,
    composition_of,
    load_study,
    parse_depths,
    parse_wagers,
)
from casinowar.cli.odds.text import tell_odds
from casinowar.cli.terminal import suggestions
from casinowar.cli.terminal.options import Chips, Units, in_strategy, json_option, of_book
from casinowar.cli.terminal.output import json_text, put
from casinowar.cli.terminal.text_tables import refold
from casinowar.odds import studies
from casinowar.odds.composition import Composition, CompositionError
from casinowar.odds.data import odds_data
from casinowar.odds.figures import Strategy, Study, combined, study
from casinowar.odds.readings import price_readings, readings_data
from casinowar.odds.rounding import rounding, rounding_data
from casinowar.odds.stretch.text import stretch_data, tell_stretch
from casinowar.rulebooks import Rulebook, RulebookError

FORMAT = "casinowar-odds/1"


@click.command(short_help="Compute the exact odds of every wager of a book.")
@of_book
@click.option("--composition", metavar="CARDS", help="What is left in the shoe, such as '2:24 3:23 10:20 Ah:5'.")
@in_strategy
@click.option(
    "--combine",
    metavar="WAGERS",
    help="Value wagers of one box together, such as initial,tie or initial:2,tie.",
    shell_complete=suggestions.wager_list,
)
@click.option("--readings", is_flag=True, help="Price every reading of the passages that change money.")
@click.option("--rounding", metavar="STAKE", type=Chips(1, 10**12), help="Price whole minor units at this stake.")
@click.option("--session", metavar="ROUNDS", type=click.IntRange(1, 10**9), help="What so many rounds may bring.")
@click.option("--stake", type=Chips(1, 10**12), default=1, show_default=True, help="Of a session: each unit.")
@click.option("--bankroll", metavar="UNITS", type=Chips(1, 10**9), help="Of a session: the risk of ruin.")
@click.option("--pace", metavar="ROUNDS", type=click.IntRange(1, 10**6), help="Of a session: rounds an hour.")
@click.option(
    "--bank", metavar="BOXES", type=click.IntRange(1, 7), help="The side of who banks, against so many boxes."
)
@click.option(
    "--coverage", metavar="UNITS", type=Units(10**6), help="Of a bank: all that it can pay, such as 2 or 0.5."
)
@click.option("--boxes", metavar="K", type=click.IntRange(1, 8), help="Variance of so many boxes at one table.")
@click.option("--removal", is_flag=True, help="What one card gone does to each wager.")
@click.option("--counting", metavar="LEFT", help="What a counter has with so many cards left: 52, or 156,104,52.")
@click.option("--exact", is_flag=True, help="Give fractions beside the percentages.")
@json_option(help="Print all of it as JSON, fractions included.")
def odds(
    book: str,
    decks: int | None,
    any_decks: bool,
    options: tuple[str, ...],
    settings: tuple[str, ...],
    composition: str | None,
    strategy: Strategy,
    combine: str | None,
    readings: bool,
    rounding: int | None,
    session: int | None,
    stake: int,
    bankroll: int | None,
    pace: int | None,
    bank: int | None,
    coverage: Fraction | None,
    boxes: int | None,
    removal: bool,
    counting: str | None,
    exact: bool,
    as_json: bool,
) -> None:
    """Compute exact odds: for each wager of the book its edge, element of risk and deviation; best play at a tie; the
    lines and break-even meters of the progressive.

    The shoe is fresh unless --composition says what is left: by rank (2 to 10 J Q K A), or by card where suits matter;
    what it does not name is not there. The house edge is per unit of the wager, the element of risk per unit of all
    that is put at risk, war wagers included.
    """
    if session is None and (bankroll or pace or stake != 1):
        raise click.UsageError("--stake, --bankroll and --pace are of a session: name its rounds with --session")
    if coverage is not None and bank is None:
        raise click.UsageError("--coverage is of a bank: name its boxes with --bank")
    lefts = parse_depths(counting) if counting is not None else []
    chosen = chosen_settings(book, options, settings, decks, any_decks=any_decks)
    rules = load_study(book, chosen, decks, any_decks=any_decks)
    cards = composition_of(composition, rules)
    try:
        units = parse_wagers(combine, rules) if combine is not None else None
        data = odds_data(rules, cards, chosen, strategy=strategy, combine=units)
        data["war_or_surrender"] = studies.war_or_surrender_data(rules)
        if readings:
            left = cards if composition else None
            data["readings"] = _readings(book, all_settings(chosen, decks), left, any_decks=any_decks)
        if rounding:
            data["rounding"] = _rounding(rules, cards, rounding)
        data |= _studies(study(rules, cards), strategy, (bank, coverage), boxes, lefts, removal=removal)
        if session:
            data["session"] = _stretch(study(rules, cards), strategy, units, (session, stake, bankroll, pace))
    except CompositionError as error:
        hint = "--composition" if composition else None
        raise click.BadParameter(str(error), param_hint=hint) if hint else click.ClickException(str(error)) from None
    if as_json:
        return put(json_text(FORMAT, data))
    put(tell_odds(rules, data, with_fractions=exact))
    if session:
        put("\n" + refold(tell_stretch(data["session"])))
    return None


def _studies(
    studied: Study,
    strategy: Strategy,
    bank: tuple[int | None, Fraction | None],
    boxes: int | None,
    lefts: list[int],
    *,
    removal: bool,
) -> dict[str, Any]:
    """The studies beyond one box that the options name."""
    found: dict[str, Any] = {}
    banked, coverage = bank
    if banked is not None:
        if coverage is not None and studied.rules.bank.by == "house":
            raise click.UsageError("--coverage: the house covers every wager; only a player's bank can be short")
        found["bank"] = studies.bank_data(studied, banked, coverage)
    if boxes is not None:
        found["boxes"] = studies.boxes_data(studied, boxes, strategy)
    if removal:
        found["removal"] = studies.removal_data(studied, strategy)
    if lefts:
        found["counting"] = _counting(studied, lefts)
    return found


def _counting(studied: Study, lefts: list[int]) -> list[dict[str, Any]]:
    try:
        return studies.counting_data(studied, lefts)
    except CompositionError:
        raise
    except ValueError as error:
        raise click.UsageError(f"--counting: {error}") from None


def _stretch(
    studied: Study,
    strategy: Strategy,
    units: dict[str, int] | None,
    played: tuple[int, int, int | None, int | None],
) -> dict[str, Any]:
    """The stretch of the initial wager, or of the combined wagers: `played` has rounds, stake, bankroll and pace."""
    figures = combined(studied, units, strategy) if units else studied.figures("initial", strategy)
    return stretch_data(figures, *played)


def _readings(book: str, settings: dict[str, object], cards: Composition | None, *, any_decks: bool) -> dict[str, Any]:
    base = base_of(book)
    try:
        found = price_readings(book, base, settings, cards, any_decks=any_decks)
        return readings_data(found.priced, base, found.skipped)
    except RulebookError as error:
        raise click.BadParameter(f"with these settings a reading cannot be had: {error}", param_hint="--set") from None


def _rounding(rules: Rulebook, cards: Composition, stake: int) -> dict[str, Any]:
    return rounding_data(rules, rounding(study(rules, cards), stake), stake)
