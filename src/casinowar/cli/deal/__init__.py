"""`casinowar deal`: a dealer's console for a night with real cards, line by line, at a keyboard or from a pipe."""

import re
from pathlib import Path

import click

from casinowar.cli.deal.console import Console, Quit
from casinowar.cli.deal.table_text import tell_happened, tell_state
from casinowar.cli.terminal.bets import BetError, parse_amount
from casinowar.cli.terminal.options import CHIPS, book_option, check_limits, option_option, rules_of, version_of
from casinowar.cli.terminal.output import put
from casinowar.cli.terminal.screen import End, Screen
from casinowar.cli.terminal.user_files import book_path_from, check_target, read_text, reserve, write_record
from casinowar.dealers import RealTable, record_of
from casinowar.engine import Refusal
from casinowar.engine import commands as c
from casinowar.engine.fields import is_text
from casinowar.records import parse_record, read_json, read_toml
from casinowar.rulebooks import book_ids
from casinowar.rulebooks.files import find_book
from casinowar.words.phrases import format_gain, join_names, limit_for_player, plain
from casinowar.words.refusals import reason_in_words

BETWEEN = r",(?![0-9]{3}(?:,|$))"
"""A comma between players; the one in 1,000 is not."""
OPENING = ("book", "options", "players", "minimum", "maximum", "unit", "meter", "save")
"""Options that the record of a night answers already."""
UNNAMED = Path("casinowar-night.toml")
"""Where a night goes that was broken off without --save."""


@click.command(short_help="Deal real cards by the rules, with a console for the dealer.")
@book_option(
    default="ctg",
    show_default=True,
    help=f"Whose rules: {', '.join(book_ids())}, or a house rulebook by path or name.",
)
@option_option()
@click.option(
    "--players", metavar="NAME=CHIPS,...", default="", help="Who has bought in, from box 1 on; more may come."
)
@click.option("--min", "--minimum", "minimum", type=CHIPS, default=1, show_default=True, help="The least to bet.")
@click.option("--max", "--maximum", "maximum", type=CHIPS, help="The most to bet; without it there is no maximum.")
@click.option("--unit", type=CHIPS, default=1, show_default=True, help="Bets are multiples of this.")
@click.option("--meter", type=CHIPS, help="Where the progressive's meter starts, where the book has one.")
@click.option(
    "--save",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Keep the night in this new .toml or .json file, after every act, for `casinowar replay`.",
)
@click.option(
    "--resume",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Go on with the night that --save kept in this file, and keep it there.",
)
@click.pass_context
def deal(
    context: click.Context,
    book: str,
    options: tuple[str, ...],
    players: str,
    minimum: int,
    maximum: int | None,
    unit: int,
    meter: int | None,
    save: Path | None,
    resume: Path | None,
) -> None:
    """Deal Casino War with real cards. The console shows each step of the dealer with its clause; Enter takes it.

    Type each card as it is turned, such as kh or 10d; burned cards stay unseen. `help` lists everything else. Chips are
    whole numbers.
    """
    if resume is not None:
        _refuse_opening(context)
        real, book = _read_night(resume)
        context.exit(_deal(real, book, resume))
    rules = rules_of(book, options)
    check_limits(rules, minimum, maximum, meter)
    try:
        real = RealTable(rules, c.Limit(minimum=minimum, maximum=maximum, unit=unit), meter)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    seats = _parse_players(players)
    _sit_down(real, seats)
    if save is not None:
        check_target(save)
        reserve(save)
    context.exit(_deal(real, book, save))


def _refuse_opening(context: click.Context) -> None:
    """Refuse options of an opening: a night that goes on was opened already, and is kept where it is."""
    for option in context.command.params:
        source = context.get_parameter_source(option.name or "")
        if option.name in OPENING and source is not click.core.ParameterSource.DEFAULT:
            raise click.UsageError(f"--resume goes on with the night as it was opened: leave out {option.opts[0]}")


def _read_night(path: Path) -> tuple[RealTable, str]:
    """The table as the record left it, and its rulebook as named from here."""
    if path.suffix not in (".toml", ".json"):
        raise click.BadParameter("name a file that ends in .toml or .json", param_hint="--resume")
    try:
        text = read_text(str(path), "a record")
        data = (read_toml if path.suffix == ".toml" else read_json)(text)
        if isinstance(data.get("rulebook"), str):
            data["rulebook"] = find_book(data["rulebook"], path.parent)
        return RealTable.resumed(parse_record(data), data.get("acts", [])), data["rulebook"]
    except (ValueError, RecursionError) as error:
        raise click.BadParameter(f"{path}: {error}", param_hint="--resume") from None


def _parse_players(text: str) -> list[tuple[str, int]]:
    seats: list[tuple[str, int]] = []
    for part in filter(None, (part.strip() for part in re.split(BETWEEN, text))):
        name, _, written = part.partition("=")
        try:
            chips = parse_amount(written)
        except BetError:
            chips = None
        if chips is None or not name or name.split()[1:]:
            raise click.BadParameter(f"{part!r}: write NAME=CHIPS, as in ana=500,ben=500", param_hint="--players")
        if not is_text(name):
            raise click.BadParameter(f"{name}: the name holds half a character", param_hint="--players")
        if name.casefold() in {taken.casefold() for taken, _ in seats}:
            raise click.BadParameter(f"{name}: the name is given twice", param_hint="--players")
        seats.append((name, chips))
    return seats


def _sit_down(real: RealTable, seats: list[tuple[str, int]]) -> None:
    for box, (name, chips) in enumerate(seats, start=1):
        for command in (c.BuyIn(player=name, amount=chips), c.SeatPlayer(player=name, box=box)):
            done = real.do(command)
            if isinstance(done, Refusal):
                raise click.BadParameter(f"{name}: {reason_in_words(done.reason)}", param_hint="--players")


def _deal(real: RealTable, book: str, save: Path | None) -> int:
    """Deal until the dealer ends the night, and give the exit status. However it ends, nothing is lost."""
    screen = Screen()
    console = Console(real, screen, lambda: _keep(real, book, save))
    _introduce(console)
    status, is_ended = 0, False
    try:
        console.run()
    except Quit:
        is_ended = True
    except End:
        pass
    except KeyboardInterrupt:
        screen.line()
        status = 130
    _say_goodbye(console)
    if save is None and real.table.round.number:
        save = _choose_file(screen) if is_ended else reserve(UNNAMED)
    if save is not None:
        _keep(real, book, save)
        put(f"Saved: casinowar replay {save}")
    return status


def _keep(real: RealTable, book: str, save: Path | None) -> None:
    """Keep the record so far, in place of the one before."""
    if save is not None:
        write_record(save, record_of(real, book_path_from(save, book)))


def _choose_file(screen: Screen) -> Path | None:
    """A file for the night, or none where the dealer wants none; without an answer it is kept all the same."""
    while True:
        try:
            answer = screen.prompt("Save the night? Name a new .toml or .json file; no leaves it unsaved. >")
        except (End, KeyboardInterrupt):
            return reserve(UNNAMED)
        if answer.lower() in ("n", "no"):
            return None
        try:
            check_target(Path(answer or UNNAMED))
        except click.BadParameter as error:
            screen.line(f"{error.message[:1].upper()}{error.message[1:]}.")
            continue
        return reserve(Path(answer or UNNAMED))


def _introduce(console: Console) -> None:
    real = console.real
    console.say(f"Casino War · {real.rules.title}")
    console.say(f"{version_of(real.rules)}.")
    console.say(f"Limits: {limit_for_player(real.table.limit)}. Players: {join_names(real.table.players)}.")
    for line in tell_happened(real, real.log[1:]):
        if line.startswith("  Note"):
            console.say(line.strip())
    if real.table.round.number:
        when = "after" if real.table.round.is_over else "in"
        console.say(f"The night goes on {when} round {real.table.round.number}.")
        console.show(tell_state(real))
    console.say("Enter takes the step shown; type a card as it is turned, such as kh; help lists the rest.")


def _say_goodbye(console: Console) -> None:
    table = console.real.table
    rounds = table.round.number - (not table.round.is_over)
    console.say(f"The night ends after {'1 round' if rounds == 1 else f'{rounds} rounds'}.")
    for player, chips in table.players.items():
        console.say(f"  {plain(player)}: {chips:,} ({format_gain(chips - console.real.chips[player])})")
    if table.bank is not None:
        console.say(f"  {table.bank.chips:,} still lies in {plain(table.bank.player)}'s bank.")
    if table.escrow:
        console.say(f"  {table.escrow:,} still lies on the layout: the round is not finished.")
