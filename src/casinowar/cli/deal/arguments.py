"""Arguments that a dealer types at a table of real cards: cards, players, boxes, chips and stakes."""

import re

from casinowar.cards import Card, parse_card
from casinowar.cli.terminal.bets import BetError, parse_amount, parse_bet
from casinowar.cli.terminal.off_wagers import off_wagers
from casinowar.dealers import RealTable
from casinowar.engine import commands as c
from casinowar.engine.decide.betting import is_offered
from casinowar.rulebooks.wagers import FIRST_DEAL, WAR_DEAL
from casinowar.words.phrases import wager_name


class OrderError(ValueError):
    """A line that cannot be read, and what to type instead."""


Words = list[str]
Staked = tuple[str, int, c.WagerName, int]


def parse_face(text: str) -> Card:
    """`kh`, `10h`, `th`, `K♥`: a card however it is typed."""
    try:
        return parse_card(text)
    except ValueError:
        raise OrderError(f"{text!r} is no card: type rank and suit, such as kh, 10d or 2c.") from None


def find_player(real: RealTable, text: str) -> str:
    """The player of that name, however it is capitalised; else the name as typed, for the table to refuse."""
    return next((player for player in real.table.players if player.casefold() == text.casefold()), text)


def parse_box(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,3}", text):
        raise OrderError(f"{text!r} is no box: boxes go by number, from your left.")
    return int(text)


def parse_chips(text: str) -> int:
    try:
        return parse_amount(text)
    except BetError as error:
        raise OrderError(str(error)) from None


def parse_count(words: Words, usage: str) -> int:
    """The one number of a line that is not about chips."""
    if len(words) != 1 or not re.fullmatch(r"[0-9]{1,6}", words[0]):
        raise OrderError(f"Type {usage}.")
    return int(words[0])


def parse_stakes(real: RealTable, words: Words, usage: str) -> list[Staked]:
    """`ana 1 50 tie 10`: player, box, wager and amount for each stake of the line."""
    kinds = WAR_DEAL if real.table.phase == "war_betting" else FIRST_DEAL
    names: dict[str, str] = {kind: getattr(real.rules.names, kind) for kind in kinds if is_offered(real.rules, kind)}
    if len(words) >= 3 and not names:
        raise OrderError("There is nothing to bet on before the war cards here.")
    return _parse_stakes(real, words, names, usage)


def parse_laid(real: RealTable, words: Words, usage: str) -> list[Staked]:
    """`ana 1 50 tie 10`, of wagers that lie on the layout already, from either deal of the round."""
    kinds = [kind for kind in (*FIRST_DEAL, *WAR_DEAL) if is_offered(real.rules, kind)]
    return _parse_stakes(real, words, {kind: wager_name(real.rules, kind) for kind in kinds}, usage)


def _parse_stakes(real: RealTable, words: Words, names: dict[str, str], usage: str) -> list[Staked]:
    if len(words) < 3:
        raise OrderError(f"Type {usage}.")
    box = parse_box(words[1])
    try:
        stakes = parse_bet(" ".join(words[2:]), names, box, real.table.limit.minimum, off_wagers(real.rules))
    except BetError as error:
        raise OrderError(str(error)) from None
    player = find_player(real, words[0])
    return [(player, stake.box, stake.wager, stake.amount) for stake in stakes]  # type: ignore[misc]
