"""`casinowar solve`: which payout, deck count or other number gives a wager the edge that it shall have."""

from fractions import Fraction
from typing import Any

import click

from casinowar.cli.odds.study import ANY_DECKS, all_settings, chosen_settings, composition_of, load_study, parse_edge
from casinowar.cli.terminal import suggestions
from casinowar.cli.terminal.key_values import clip, clip_words
from casinowar.cli.terminal.options import Chips, in_strategy, json_option, of_book
from casinowar.cli.terminal.output import json_text, put
from casinowar.cli.terminal.text_tables import fold, rows
from casinowar.odds.composition import CompositionError
from casinowar.odds.data import rational, wagers_held
from casinowar.odds.figures import Strategy
from casinowar.odds.solve import (
    CountAnswer,
    PayoutAnswer,
    Question,
    Unsolvable,
    brackets,
    is_payout,
    solve_count,
    solve_payout,
)
from casinowar.rulebooks import Rulebook
from casinowar.rulebooks.vocabulary import KEYS, fits, unknown

FORMAT = "casinowar-solution/1"
SHOWN = 6
NOT_SOLVED = 1


@click.command(short_help="Find the payout or deck count that meets a target edge.")
@click.argument("key", shell_complete=suggestions.solvable)
@click.option("--edge", metavar="EDGE", required=True, help="The house edge to meet: 2.5%, 0.025 or 1/40.")
@click.option(
    "--wager",
    default="initial",
    show_default=True,
    help="The wager that shall have it.",
    shell_complete=suggestions.wagers,
)
@of_book
@click.option("--composition", metavar="CARDS", help="What is left in the shoe, as `casinowar odds` takes it.")
@in_strategy
@click.option("--meter", type=Chips(0, 10**15), default=0, help="The progressive's meter, in minor units.")
@json_option(help="Print the answer as JSON.")
def solve(
    key: str,
    edge: str,
    wager: str,
    book: str,
    decks: int | None,
    any_decks: bool,
    options: tuple[str, ...],
    settings: tuple[str, ...],
    composition: str | None,
    strategy: Strategy,
    meter: int,
    as_json: bool,
) -> None:
    """Find what the leaf KEY must be for a wager to have a house edge.

    Odds, such as payout.tie.on_win, surrender.forfeit or war.stake, are solved exactly, with the nearest odds that can
    be played. Whole numbers, such as shoe.decks, are searched: those that the book allows, or 1 to 16 decks with
    --any-decks. A target that nothing meets is said so, with exit status 1.
    """
    question = Question(wager=wager, target=parse_edge(edge), strategy=strategy, meter=meter)
    chosen = chosen_settings(book, options, settings, decks, any_decks=any_decks)
    _check_key(key, chosen, decks)
    rules = load_study(book, chosen, decks, any_decks=any_decks)
    _check_wager(rules, question)
    cards = composition_of(composition, rules)
    try:
        if is_payout(key):
            answer = solve_payout(rules, cards, key, question)
            told = json_text(FORMAT, _payout_data(answer, question)) if as_json else _tell_payout(answer, question)
            is_solved = True
        elif composition is not None:
            raise click.UsageError("a whole number is searched with fresh shoes: leave --composition away")
        else:
            told, is_solved = _count(book, chosen, decks, key, question, any_decks, as_json)
    except CompositionError as error:
        raise click.BadParameter(str(error), param_hint="--composition") from None
    except Unsolvable as error:
        none = "\n".join(fold(f"No solution: {error}."))
        put(json_text(FORMAT, {"solved": False, "reason": str(error)}) if as_json else none)
        click.get_current_context().exit(NOT_SOLVED)
    put(told)
    if not is_solved:
        click.get_current_context().exit(NOT_SOLVED)


def _check_key(key: str, settings: dict[str, object], decks: int | None) -> None:
    if key not in KEYS:
        raise click.BadParameter(clip_words(unknown(key)), param_hint="KEY")
    if key in settings or (key == "shoe.decks" and decks is not None):
        raise click.UsageError(f"{key} is what is looked for: do not set it")
    if not is_payout(key) and (fits(key, True) or not fits(key, 1)):
        raise click.BadParameter(
            f"{key} is neither odds nor a whole number, and cannot be solved for", param_hint="KEY"
        )


def _check_wager(rules: Rulebook, question: Question) -> None:
    if question.wager not in wagers_held(rules):
        known = ", ".join(wagers_held(rules))
        raise click.BadParameter(
            f"{rules.id} has no wager {clip(question.wager)!r}: it has {known}", param_hint="--wager"
        )
    if question.meter and question.wager != "progressive":
        raise click.UsageError("--meter is for --wager progressive")


def _count(
    book: str,
    chosen: dict[str, object],
    decks: int | None,
    key: str,
    question: Question,
    any_decks: bool,
    as_json: bool,
) -> tuple[str, bool]:
    """The answer, and whether any number meets the target."""
    try:
        answer = solve_count(book, all_settings(chosen, decks), key, question, any_decks=any_decks)
    except Unsolvable as error:
        raise Unsolvable(f"{error}; {ANY_DECKS}" if key == "shoe.decks" and not any_decks else str(error)) from None
    told = json_text(FORMAT, _count_data(answer, question)) if as_json else _tell_count(answer, question)
    return told, bool(answer.exact)


def _question_data(answer: PayoutAnswer | CountAnswer, question: Question) -> dict[str, Any]:
    return {
        "key": answer.key,
        "wager": question.wager,
        "strategy": question.strategy,
        "target": rational(question.target),
        "now": rational(answer.now),
    }


def _tell_question(answer: PayoutAnswer | CountAnswer, question: Question) -> str:
    return f"{question.wager}: house edge {_percent(answer.now)} now, {_percent(question.target)} wanted."


def _payout_data(answer: PayoutAnswer, question: Question) -> dict[str, Any]:
    playable = [{"odds": str(one.odds), "house_edge": rational(one.house_edge)} for one in answer.playable]
    return {
        "solved": True,
        **_question_data(answer, question),
        "exact": rational(answer.exact),
        "playable": playable,
        "at_least": str(answer.above.odds) if answer.above else None,
        "at_most": str(answer.below.odds) if answer.below else None,
    }


def _tell_payout(answer: PayoutAnswer, question: Question) -> str:
    lines = [
        *fold(_tell_question(answer, question)),
        *fold(f"{answer.key} = {float(answer.exact):.6f}:1, exactly {answer.exact}"),
        "",
        *rows([["Playable", "House edge"], *([str(p.odds), _percent(p.house_edge)] for p in answer.playable[:SHOWN])]),
    ]
    if answer.above and answer.below and answer.above != answer.below:
        lines += fold(f"At least the target: {answer.above.odds}. At most: {answer.below.odds}.")
    return "\n".join(lines)


def _count_data(answer: CountAnswer, question: Question) -> dict[str, Any]:
    at_most, at_least = brackets(answer, question.target)
    return {
        "solved": bool(answer.exact),
        **_question_data(answer, question),
        "exact": list(answer.exact),
        "nearest": answer.nearest,
        "at_most": at_most,
        "at_least": at_least,
        "edges": {str(count): rational(edge) for count, edge in answer.edges.items()},
    }


def _tell_count(answer: CountAnswer, question: Question) -> str:
    at_most, at_least = brackets(answer, question.target)
    met = ", ".join(str(count) for count in answer.exact)
    exactly = f"{answer.key} = {met} meets it exactly." if met else "Nothing meets it exactly."
    return "\n".join(
        [
            *fold(_tell_question(answer, question)),
            *fold(f"{exactly} Nearest: {answer.key} = {answer.nearest}, {_percent(answer.edges[answer.nearest])}."),
            *fold(f"At most the target: {_runs(at_most)}. At least: {_runs(at_least)}."),
            "",
            *rows([[answer.key, "House edge"], *([str(n), _percent(edge)] for n, edge in answer.edges.items())]),
        ]
    )


def _runs(counts: list[int]) -> str:
    """`1 to 5, 8`: numbers that follow each other are told as one run."""
    runs: list[list[int]] = []
    for count in counts:
        if runs and count == runs[-1][-1] + 1:
            runs[-1].append(count)
        else:
            runs.append([count])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs) or "none"


def _percent(edge: Fraction) -> str:
    return f"{float(edge):.4%}"
