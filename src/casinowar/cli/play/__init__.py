"""`casinowar play`: a table in the terminal, line by line, at a keyboard or from a pipe."""

from pathlib import Path

import click

from casinowar.cli.play.game import Game
from casinowar.cli.play.talk import YOU, Leave, Talk
from casinowar.cli.play.teller import cited
from casinowar.cli.terminal.bets import off_in_words
from casinowar.cli.terminal.off_wagers import off_wagers
from casinowar.cli.terminal.options import CHIPS, book_option, check_limits, option_option, rules_of, version_of
from casinowar.cli.terminal.screen import End, Screen
from casinowar.cli.terminal.user_files import book_path_from, check_target, reserve, write_record
from casinowar.dealers import BOT_NAMES, Bot, Session, record_of
from casinowar.engine.commands import Limit
from casinowar.fairness import practice_shuffles, shuffled
from casinowar.rulebooks import Rulebook, book_ids
from casinowar.words.phrases import limit_for_player

BOX = 1


@click.command(short_help="Play at a table in the terminal.")
@book_option(
    default="nz",
    show_default=True,
    help=f"Whose rules: {', '.join(book_ids())}, or a house rulebook by path or name.",
)
@option_option()
@click.option("--seed", metavar="TEXT", help="Deal the repeatable practice shoes of this text instead of fresh ones.")
@click.option(
    "--bots",
    type=click.IntRange(0, len(BOT_NAMES)),
    help="How many bots play the next boxes; none unless the book needs other players.",
)
@click.option("--bank", type=CHIPS, default=10000, show_default=True, help="Chips that everybody buys to begin with.")
@click.option("--min", "minimum", type=CHIPS, default=100, show_default=True, help="The least that can be bet.")
@click.option("--max", "maximum", type=CHIPS, default=5000, show_default=True, help="The most that can be bet.")
@click.option("--unit", type=CHIPS, default=100, show_default=True, help="Bets are multiples of this.")
@click.option("--meter", type=CHIPS, help="Where the progressive's meter starts, where the book has one.")
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
    bots: int | None,
    bank: int,
    minimum: int,
    maximum: int,
    unit: int,
    meter: int | None,
    save: Path | None,
) -> None:
    """Play Casino War in the terminal. You sit at box 1; chips are whole numbers.

    The cards are shuffled with the operating system's entropy, or with --seed for a practice shoe that can be dealt
    again. Bots bet the minimum; every other one always goes to war on a tie, and those between always surrender. In a
    player-banked game you and they bank in turn.
    """
    rules = rules_of(book, options)
    count = _count_bots(rules, bots)
    check_limits(rules, minimum, maximum, meter)
    if save is not None:
        check_target(save)
    shuffle = shuffled if seed is None else practice_shuffles(seed)
    try:
        session = Session(rules, shuffle, Limit(minimum=minimum, maximum=maximum, unit=unit), meter)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    others = [
        Bot(name, box, "war" if box % 2 == 0 else "surrender", stake=max(minimum, bank // 2))
        for box, name in enumerate(BOT_NAMES[:count], start=BOX + 1)
    ]
    game = Game(Talk(session, Screen(), bank), BOX, others)
    game.sit_down()
    _introduce(game, seed)
    context.exit(_play(game, book, save))


def _play(game: Game, book: str, save: Path | None) -> int:
    """Play until the player leaves, and give the exit status. However they leave, the session is saved."""
    try:
        game.play()
    except (Leave, End):
        return 0
    except KeyboardInterrupt:
        game.talk.say()
        return 130
    finally:
        try:
            _say_goodbye(game)
        finally:
            if save is not None:
                saved = reserve(save)
                write_record(saved, record_of(game.session, book_path_from(saved, book)))
                game.talk.say(f"Saved: casinowar replay {saved}")
    return 0


def _count_bots(rules: Rulebook, asked: int | None) -> int:
    """The number of bots: as the option says, or enough that somebody else can bank every round of a banked game."""
    is_banked = rules.bank.by == "player"
    seats = rules.table.boxes - BOX
    least = max(1, rules.bank.least_seated - 1) if is_banked else 0
    bots = asked if asked is not None else min(seats, least + 1) if is_banked else 0
    if bots < least:
        cited = ", ".join(rules.clauses["bank.by"])
        raise click.BadParameter(
            f"the players bank, so at least {least} must play with you [{cited}]", param_hint="--bots"
        )
    if bots > seats:
        raise click.BadParameter(f"there are {rules.table.boxes} boxes, and one is yours", param_hint="--bots")
    return bots


def _introduce(game: Game, seed: str | None) -> None:
    line, rules = game.talk.say, game.rules
    line(f"Casino War · {rules.title}")
    line(f"{version_of(rules)}.")
    line(f"Wagers: {', '.join(game.names.values())}; {limit_for_player(game.session.table.limit)}.")
    for kind, name in game.names.items():
        if game.talk.limit_of(kind) != game.session.table.limit:
            line(f"{name}: {limit_for_player(game.talk.limit_of(kind))}.")
    if rules.wager.progressive:
        line(f"The progressive's meter stands at {game.session.meter}.")
    for kind, name in off_wagers(rules).items():
        line(off_in_words(kind, name))
    line(f"You sit at box {game.box} with {game.talk.balance} chips.")
    if game.bots:
        habits = ", ".join(str(bot) for bot in game.bots.values())
        side = f" and {rules.progressive.unit} on the progressive" if rules.wager.progressive else ""
        line(f"Bots bet the minimum{side}, and on a tie: {habits}.")
    if rules.bank.by == "player":
        stake = next(iter(game.bots.values())).stake
        line(f"The players bank in turn{cited(rules.clauses['bank.by'])}; when it is a bot's turn it stakes {stake}.")
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
