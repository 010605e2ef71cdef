"""`casinowar play`: a table in the terminal, line by line, at a keyboard or from a pipe."""

from pathlib import Path

import click

from casinowar.cli.game import Game
from casinowar.cli.screen import End, Screen
from casinowar.cli.talk import YOU, Leave, Talk
from casinowar.cli.telling import tell_limit
from casinowar.engine.commands import Limit
from casinowar.fairness import practice_shuffles, shuffled
from casinowar.rulebooks import BOOKS, Rulebook, RulebookError, load_rulebook
from casinowar.table import BOT_NAMES, Bot, Session, format_record, record_of

BOX = 1
CHIPS = click.IntRange(min=1, max=10**15)


@click.command(short_help="Play at a table in the terminal.")
@click.option("--rulebook", "book", type=click.Choice(BOOKS), default="nz", show_default=True, help="Whose rules.")
@click.option("--option", "options", metavar="KEY=VALUE", multiple=True, help="Set an operator's option; may repeat.")
@click.option("--seed", metavar="TEXT", help="Deal the repeatable practice shoes of this text instead of fresh ones.")
@click.option("--bots", type=click.IntRange(0, len(BOT_NAMES)), default=0, help="How many bots play the next boxes.")
@click.option("--bank", type=CHIPS, default=10000, show_default=True, help="Chips that everybody buys to begin with.")
@click.option("--min", "minimum", type=CHIPS, default=100, show_default=True, help="The least that can be bet.")
@click.option("--max", "maximum", type=CHIPS, default=5000, show_default=True, help="The most that can be bet.")
@click.option("--unit", type=CHIPS, default=100, show_default=True, help="Bets are multiples of this.")
@click.option(
    "--save",
    type=click.Path(dir_okay=False, path_type=Path),
    help="On leaving, write the session to this .toml or .json file, for `casinowar replay`.",
)
@click.pass_context
def play(
    context: click.Context,
    book: str,
    options: tuple[str, ...],
    seed: str | None,
    bots: int,
    bank: int,
    minimum: int,
    maximum: int,
    unit: int,
    save: Path | None,
) -> None:
    """Play Casino War in the terminal. You sit at box 1; chips are whole numbers.

    The cards are shuffled with the operating system's entropy, or with --seed for a practice shoe that can be dealt
    again. Bots bet the minimum; every other one always goes to war on a tie, and those between always surrender.
    """
    rules = _rules(book, options)
    if maximum < minimum:
        raise click.BadParameter(f"{maximum} is below the minimum of {minimum}", param_hint="--max")
    if bots > rules.table.boxes - BOX:
        raise click.BadParameter(f"there are {rules.table.boxes} boxes, and one is yours", param_hint="--bots")
    if save is not None:
        _check_target(save)
    shuffle = shuffled if seed is None else practice_shuffles(seed)
    try:
        session = Session(rules, shuffle, Limit(minimum=minimum, maximum=maximum, unit=unit))
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    others = [
        Bot(name, box, "war" if box % 2 == 0 else "surrender")
        for box, name in enumerate(BOT_NAMES[:bots], start=BOX + 1)
    ]
    game = Game(Talk(session, Screen(), bank), BOX, others)
    game.sit_down()
    _introduce(game, seed)
    context.exit(_play(game, save))


def _play(game: Game, save: Path | None) -> int:
    """Play until the player leaves, and give the exit status. However they leave, the session is saved."""
    try:
        game.play()
    except (Leave, End):
        return 0
    except KeyboardInterrupt:
        game.talk.say()
        return 130
    finally:
        _say_goodbye(game)
        if save is not None:
            save.write_text(format_record(record_of(game.session), save.suffix), encoding="utf-8")
            game.talk.say(f"Saved: casinowar replay {save}")
    return 0


def _rules(book: str, options: tuple[str, ...]) -> Rulebook:
    try:
        rules = load_rulebook(book, dict(_option(text) for text in options))
    except RulebookError as error:
        raise click.BadParameter(str(error), param_hint="--option") from None
    if rules.bank.by != "house":
        cited = ", ".join(rules.clauses["bank.by"])
        raise click.BadParameter(
            f"{book} is banked by a player, which play cannot do yet [{cited}]", param_hint="--rulebook"
        )
    return rules


def _option(text: str) -> tuple[str, object]:
    """`shoe.decks=8`, `wager.tie=off`: numbers and truth values are read as such."""
    key, separator, value = text.partition("=")
    if not separator:
        raise click.BadParameter(f"{text!r}: write KEY=VALUE, as in shoe.decks=8", param_hint="--option")
    words: dict[str, object] = {"true": True, "on": True, "false": False, "off": False}
    if value.isascii() and value.isdigit() and len(value) < 20:
        return key, int(value)
    return key, words.get(value.lower(), value)


def _check_target(save: Path) -> None:
    if save.suffix not in (".toml", ".json"):
        raise click.BadParameter("name a file that ends in .toml or .json", param_hint="--save")
    if not save.absolute().parent.is_dir():
        raise click.BadParameter(f"there is no folder {save.parent}", param_hint="--save")


def _introduce(game: Game, seed: str | None) -> None:
    line, rules = game.talk.say, game.rules
    line(f"Casino War · {rules.title}")
    line(f"{rules.version}.")
    line(f"Wagers: {', '.join(game.names.values())}; {tell_limit(game.session.table.limit)}.")
    line(f"You sit at box {game.box} with {game.talk.balance} chips.")
    if game.bots:
        habits = ", ".join(str(bot) for bot in game.bots.values())
        line(f"Bots bet the minimum, and on a tie: {habits}.")
    if seed is not None:
        line(f"Practice shoe {seed!r}: the same seed, cuts and bets deal the same cards again.")


def _say_goodbye(game: Game) -> None:
    table = game.session.table
    if game.staked():
        game.talk.say(f"The round is not finished: {game.staked()} of your chips are still on the layout.")
    rounds = table.round.number - (not table.round.is_over)
    played = "1 round" if rounds == 1 else f"{rounds} rounds"
    game.talk.say(
        f"You leave after {played} with {game.talk.balance} chips ({game.talk.balance - game.session.chips[YOU]:+d})."
    )
