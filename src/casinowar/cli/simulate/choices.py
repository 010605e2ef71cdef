"""The choices of a simulated table as they are typed (rounds, wagers, strategies, rulings), and the plan of them."""

import os
import re
import secrets
from collections.abc import Iterable
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, NoReturn

import click
import msgspec

from casinowar.cards import RANKS
from casinowar.cli.odds.study import chosen_settings, load_study
from casinowar.cli.terminal.key_values import clip, parse_settings
from casinowar.odds.composition import fresh
from casinowar.odds.data import wagers_held
from casinowar.odds.figures import Strategy, study
from casinowar.rulebooks import Rulebook
from casinowar.rulebooks.wagers import WAR_DEAL
from casinowar.sim import DEFAULT_STAKE, Plan, PlanRefused, make_plan, offered_wagers

MOST_ROUNDS = 10**15
MOST_UNITS = 10**6
NEW_SEEDS = 1 << 32
"""A new seed is below this, so that it can be read out, and JSON keeps it anywhere."""

POWER = re.compile(r"(\d+)(?:\^|\*\*)(\d{1,2})")
ANSWERS: tuple[Strategy, ...] = ("war", "surrender", "best")
Side = Literal["never", "always"] | Fraction
"""Whether a side wager is placed: never, always, or when a unit of it is worth more than so much."""


class Rounds(click.ParamType):  # type: ignore[type-arg]
    """A number of rounds: 1000000, 1,000,000, 1e6, 2.5e9 or 10^9."""

    name = "rounds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        plain = str(value).strip().replace(",", "").replace("_", "")
        try:
            power = POWER.fullmatch(plain)
            number = Decimal(power[1]) ** int(power[2]) if power else Decimal(plain)
        except (InvalidOperation, ArithmeticError):
            self.fail(f"{clip(value)!r} is no number of rounds, such as 1000000, 1e9 or 10^9", param, ctx)
        if not number.is_finite() or not 1 <= number <= MOST_ROUNDS or number != int(number):
            self.fail(f"{clip(value)!r} is not a whole number from 1 to 1e15", param, ctx)
        return int(number)


class Precision(click.ParamType):  # type: ignore[type-arg]
    """A standard error to stop at: `se=1e-6` of the first wager on the table, `tie.se=1e-6` of another."""

    name = "precision"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str | None, float]:
        name, _, number = str(value).partition("=")
        wager, _, what = name.strip().rpartition(".")
        try:
            error = float(number)
        except ValueError:
            error = 0.0
        if what != "se" or not 0 < error < 1:
            self.fail(f"{clip(value)!r}: write the standard error to stop at, as in se=1e-6 or tie.se=1e-4", param, ctx)
        return wager or None, error


class PlayedChoices(msgspec.Struct, frozen=True, kw_only=True):
    """All that the options say of the table that is simulated."""

    book: str
    decks: int | None
    any_decks: bool
    settings: tuple[str, ...]
    options: tuple[str, ...]
    boxes: int | None
    wagers: str | None
    strategy: Strategy
    sides: dict[str, Side]
    meter: int | None
    meter_runs: bool
    session: int
    bankroll: Fraction | None
    coverage: Fraction | None
    fresh: bool
    rulings: tuple[str, ...]


def seed_or_new(seed: int | None) -> int:
    return secrets.randbelow(NEW_SEEDS) if seed is None else seed


def parse_strategies(texts: Iterable[str]) -> tuple[Strategy, dict[str, Side]]:
    """The answer to a tie, and for side wagers whether they are placed; a comma parts several."""
    answer: Strategy = "war"
    sides: dict[str, Side] = {}
    for text in (part.strip() for one in texts for part in one.split(",")):
        wager, separator, choice = (part.strip() for part in text.partition("="))
        if separator:
            sides[wager] = _side(text, choice)
        elif text in ANSWERS:
            answer = next(one for one in ANSWERS if one == text)
        else:
            _refuse_strategy(text)
    return answer, sides


def _side(text: str, choice: str) -> Side:
    if choice == "never":
        return "never"
    if choice == "always":
        return "always"
    kind, _, bar = choice.partition(":")
    if kind != "count" or len(bar) >= 20 or "e" in bar.lower():
        _refuse_strategy(text)
    try:
        return Fraction(bar or 0)
    except (ValueError, ZeroDivisionError):
        _refuse_strategy(text)


def _refuse_strategy(text: str) -> NoReturn:
    raise click.BadParameter(
        f"{clip(text)!r}: write war, surrender or best, or of a side wager tie=never, tie=always or tie=count:0.01",
        param_hint="--strategy",
    )


def choose_plan(choices: PlayedChoices) -> Plan:
    """The plan that the options describe; all that is wrong with it is one line."""
    rules = _rules(choices)
    stakes = _stakes(choices, rules)
    if choices.meter is not None and "progressive" not in stakes:
        raise click.BadParameter("there is no progressive at this table", param_hint="--meter")
    if choices.coverage is not None and rules.bank.by == "house":
        raise click.BadParameter(
            "the house covers every wager; only a player's bank can be short", param_hint="--coverage"
        )
    counted = {wager: side for wager, side in choices.sides.items() if isinstance(side, Fraction)}
    least = max(2, rules.bank.least_seated) if rules.bank.by == "player" else 1
    try:
        return make_plan(
            rules,
            boxes=choices.boxes or least,
            wagers=stakes,
            counted=counted,
            strategy=_answers(choices.strategy, rules),
            dry_shoe=_dry_shoe(choices.rulings),
            fresh=choices.fresh,
            meter=choices.meter,
            meter_runs=choices.meter_runs,
            session=choices.session,
            bankroll=_minor(choices.bankroll),
            bank_stake=_minor(choices.coverage) if choices.coverage is not None else None,
        )
    except PlanRefused as error:
        raise click.ClickException(str(error)) from None


def _minor(units: Fraction | None) -> int:
    return int((units or 0) * DEFAULT_STAKE)


def _rules(choices: PlayedChoices) -> Rulebook:
    """The book with its options and settings, and with every wager on that it has, unless they say otherwise."""
    chosen = chosen_settings(
        choices.book, choices.options, choices.settings, choices.decks, any_decks=choices.any_decks
    )
    rules = load_study(choices.book, chosen, choices.decks, any_decks=choices.any_decks)
    off = [wager for wager, is_on in wagers_held(rules).items() if not is_on]
    more = {f"wager.{wager}": True for wager in off if f"wager.{wager}" not in chosen}
    if choices.wagers is not None:
        named = [part.partition(":")[0].strip() for part in choices.wagers.split(",")]
        more = {key: on for key, on in more.items() if key.removeprefix("wager.") in named}
    return load_study(choices.book, chosen | more, choices.decks, any_decks=choices.any_decks) if more else rules


def _stakes(choices: PlayedChoices, rules: Rulebook) -> dict[str, int]:
    """The wagers on the table with their stakes in minor units."""
    offered = offered_wagers(rules)
    for wager in choices.sides:
        if wager not in offered or wager == "initial":
            known = ", ".join(offered[1:]) or "none"
            raise click.BadParameter(
                f"{rules.id} has no side wager {clip(wager)!r}: it has {known}", param_hint="--strategy"
            )
    units = _units(choices.wagers, rules, offered) if choices.wagers is not None else dict.fromkeys(offered, 1)
    if choices.wagers is None and choices.strategy == "surrender":
        units = {wager: count for wager, count in units.items() if wager not in WAR_DEAL}
    for wager, side in choices.sides.items():
        if side == "never":
            units.pop(wager, None)
        else:
            units.setdefault(wager, 1)
    unit = {"progressive": rules.progressive.unit}
    return {wager: count * unit.get(wager, DEFAULT_STAKE) for wager, count in units.items()}


def _units(text: str, rules: Rulebook, offered: tuple[str, ...]) -> dict[str, int]:
    """`initial,tie` or `initial:2,tie`: wagers of the book, each with its units."""
    found: dict[str, int] = {}
    for part in text.split(","):
        wager, _, units = (piece.strip() for piece in part.partition(":"))
        if wager not in offered:
            known = ", ".join(offered)
            raise click.BadParameter(f"{rules.id} has no wager {clip(wager)!r}: it has {known}", param_hint="--wagers")
        if wager in found:
            raise click.BadParameter(f"{wager} is named twice", param_hint="--wagers")
        if units and not (units.isascii() and units.isdigit() and 1 <= int(units[:8]) <= MOST_UNITS):
            raise click.BadParameter(
                f"{clip(part.strip())!r}: units are a whole number, as in {wager}:2", param_hint="--wagers"
            )
        found[wager] = int(units[:8] or 1)
    return found


def _answers(strategy: Strategy, rules: Rulebook) -> Any:
    """The answer to a tie by its rank; best play is the optimum of the exact odds with a fresh shoe."""
    if strategy != "best":
        return strategy
    best = study(rules, fresh(rules.shoe.decks)).best_play()
    return {rank: best.get(rank, "war") for rank in RANKS}


def _dry_shoe(rulings: tuple[str, ...]) -> Any:
    found = parse_settings(rulings, "--ruling", "dry_shoe=shuffle_discards")
    for key, value in found.items():
        if key != "dry_shoe" or value not in ("shuffle_discards", "void"):
            raise click.BadParameter(
                f"{clip(key)} = {clip(value)}: the rulings are dry_shoe=shuffle_discards and dry_shoe=void",
                param_hint="--ruling",
            )
    return found.get("dry_shoe", "shuffle_discards")


def check_new(path: Path | None, hint: str) -> None:
    """Refuse a place where no new file can go, before anything is played."""
    if path is None:
        return
    if not path.absolute().parent.is_dir():
        raise click.BadParameter(f"there is no folder {path.parent}", param_hint=hint)
    if os.path.lexists(path):
        raise click.BadParameter(f"{path} is there already: name a new file", param_hint=hint)
    if not os.access(path.absolute().parent, os.W_OK):
        raise click.BadParameter(f"{path.parent}: no file can be written there", param_hint=hint)
