"""The subject of a study on the command line: the book with its settings, the cards in the shoe, and the wagers."""

from collections.abc import Iterable, Mapping
from fractions import Fraction

import click

from casinowar.cards import RANKS
from casinowar.cli.terminal.key_values import clip, clip_words, parse_settings
from casinowar.odds.composition import Composition, CompositionError, fresh, parse_composition
from casinowar.odds.data import wagers_held
from casinowar.odds.solve import is_payout
from casinowar.rulebooks import Rulebook, RulebookError, load_rulebook, load_with
from casinowar.rulebooks.editions import without_edition
from casinowar.rulebooks.files import read_chain

DECKS = "shoe.decks"
MOST_UNITS = 10**6
MOST_DEPTHS = 12
DIGITS = 9
ANY_DECKS = "--any-decks permits study beyond the book"


def chosen_settings(
    book: str, options: Iterable[str], settings: Iterable[str], decks: int | None = None, *, any_decks: bool = False
) -> dict[str, object]:
    """The leaves that --option and --set change, as they are typed. What --option says is held to the book."""
    chosen = parse_settings(options, "--option", "shoe.decks=8")
    if decks is not None and chosen.get(DECKS, decks) != decks:
        raise click.UsageError(f"--decks {decks} and --option {DECKS}={chosen[DECKS]} differ: give one of them")
    check_options(book, chosen, decks, any_decks=any_decks)
    return chosen | parse_settings(settings)


def check_options(book: str, options: Mapping[str, object], decks: int | None, *, any_decks: bool) -> None:
    """Refuse options that the book does not leave to its operator, with so many decks if it allows them."""
    if not options:
        return
    wanted = all_settings(options, None if any_decks else decks)
    try:
        load_rulebook(book, wanted)
    except RulebookError as error:
        told = clip_words(str(error), [*wanted, *wanted.values()])
        raise click.BadParameter(told, param_hint=_hint(book, decks, "--option")) from None


def load_study(book: str, settings: Mapping[str, object], decks: int | None, *, any_decks: bool) -> Rulebook:
    """The book as it shall be studied; a number of decks that it does not allow says how to go beyond it."""
    if decks is not None and settings.get(DECKS, decks) != decks:
        raise click.UsageError(f"--decks {decks} and --set {DECKS}={settings[DECKS]} differ: give one of them")
    wanted = all_settings(settings, decks)
    _check_values(wanted)
    try:
        return load_with(book, wanted, any_decks=any_decks)
    except RulebookError as error:
        told = clip_words(f"{error}{_beyond(book, wanted, any_decks)}", [*wanted, *wanted.values()])
        raise click.BadParameter(told, param_hint=_hint(book, decks, "--set")) from None


def _check_values(settings: Mapping[str, object]) -> None:
    """Refuse values that the book would refuse without saying what it allows."""
    for key, value in settings.items():
        if key == "cards.ranks" and sorted(str(value)) != sorted(RANKS):
            raise click.BadParameter(
                f"cards.ranks = {clip(value)}: name each of {RANKS} once, from low to high", param_hint="--set"
            )
        sides = str(value).split(":")
        is_odds = is_payout(key) and len(sides) == 2 and all(side.isascii() and side.isdigit() for side in sides)
        if is_odds and max(map(len, sides)) > DIGITS:
            raise click.BadParameter(
                f"{key} = {clip(value)}: each side of odds is a whole number up to {10**DIGITS - 1:,}",
                param_hint="--set",
            )


def all_settings(settings: Mapping[str, object], decks: int | None) -> dict[str, object]:
    """All settings, the decks first, since others depend on them."""
    return ({} if decks is None else {DECKS: decks}) | dict(settings)


def _beyond(book: str, wanted: Mapping[str, object], any_decks: bool) -> str:
    if any_decks or DECKS not in wanted:
        return ""
    try:
        load_with(book, wanted, any_decks=True)
    except RulebookError:
        return ""
    return f"; {ANY_DECKS}"


def _hint(book: str, decks: int | None, option: str) -> str:
    """The option that is at fault: the book itself, where it cannot be loaded even as it stands."""
    try:
        load_with(book, {})
    except RulebookError:
        return "--rulebook"
    return option if decks is None else f"--decks or {option}"


def composition_of(text: str | None, rules: Rulebook) -> Composition:
    """The composition of a fresh shoe, or of what is left of one."""
    if text is None:
        return fresh(rules.shoe.decks)
    try:
        return parse_composition(text, rules.shoe.decks)
    except CompositionError as error:
        raise click.BadParameter(clip_words(str(error)), param_hint="--composition") from None


def base_of(book: str) -> str:
    """The id of the whole book that a house rulebook stands on, or of the book itself."""
    return without_edition(read_chain(book)[0])


def parse_wagers(text: str, rules: Rulebook) -> dict[str, int]:
    """`initial,tie` or `initial:2,tie`: wagers of the book, each with its units."""
    found: dict[str, int] = {}
    for part in text.split(","):
        wager, _, units = (piece.strip() for piece in part.partition(":"))
        known = ", ".join(wagers_held(rules))
        if wager not in wagers_held(rules):
            raise click.BadParameter(f"{rules.id} has no wager {clip(wager)!r}: it has {known}", param_hint="--combine")
        if wager in found:
            raise click.BadParameter(f"{wager} is named twice", param_hint="--combine")
        if units and not (units.isascii() and units.isdigit() and 1 <= int(units[:8]) <= MOST_UNITS):
            raise click.BadParameter(
                f"{clip(part.strip())!r}: units are a whole number, as in {wager}:2", param_hint="--combine"
            )
        found[wager] = int(units[:8] or 1)
    return found


def parse_depths(text: str) -> list[int]:
    """`52` or `156,104,52`: how many cards are left."""
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isascii() and part.isdigit() and len(part) < 6 for part in parts) or len(parts) > MOST_DEPTHS:
        raise click.BadParameter(
            f"{clip(text)!r}: write how many cards are left, up to {MOST_DEPTHS} numbers, as in 156,104,52",
            param_hint="--counting",
        )
    return [int(part) for part in parts]


def parse_edge(text: str) -> Fraction:
    """An edge as it is typed: `2.5%`, `0.025` or `1/40`."""
    plain = text.strip()
    try:
        edge = Fraction(plain.removesuffix("%").strip()) / (100 if plain.endswith("%") else 1)
    except (ValueError, ZeroDivisionError):
        raise click.BadParameter(
            f"{clip(text)!r}: write an edge such as 2.5%, 0.025 or 1/40", param_hint="--edge"
        ) from None
    if abs(edge) > 10**6 or edge.denominator > 10**30:
        raise click.BadParameter(f"{clip(text)!r} is no edge of any game", param_hint="--edge")
    return edge
