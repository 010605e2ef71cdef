"""The answers of strategies, and refusals that say what would have been accepted: a mistake in a program of one's own
is told in one line, by what was asked and what may be given."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import get_args

from casinowar.dealers.player_view import PlayerView
from casinowar.dealers.strategies import Answer, Strategy
from casinowar.engine import Refusal, Table
from casinowar.engine import commands as c
from casinowar.engine.legal import legal_commands
from casinowar.engine.roles import takes_words
from casinowar.engine.signatures import is_entitled
from casinowar.errors import Refused
from casinowar.rulebooks import Rulebook
from casinowar.words.refusals import reason_in_words

WANTED = "a strategy is a function from a PlayerView to a command, several, or None"
COMMANDS: frozenset[object] = frozenset(get_args(c.Command))


def strategies_by_player(given: Strategy | Mapping[str, Strategy], players: Iterable[str]) -> Mapping[str, Strategy]:
    """The strategy of each player, where one is given for all or one for each."""
    chosen = given if isinstance(given, Mapping) else dict.fromkeys(players, given)
    for player, one in chosen.items():
        if not callable(one):
            raise TypeError(f"{WANTED}: that of {player} is {one!r}")
    return chosen


def commands_of(seen: PlayerView, answer: Answer) -> list[c.Command]:
    """The commands of an answer, in their order; a TypeError where it is something else.

    What is not the player's own act is `Refused`: that of another player, or of staff.
    """
    if answer is None:
        return []
    given = list(answer) if isinstance(answer, Iterable) else [answer]
    own = f"player:{seen.player}"
    for one in given:
        if type(one) not in COMMANDS:
            raise TypeError(f"{WANTED}: that of {seen.player} gave {answer!r}")
        if one.by not in (None, own) or not is_entitled(seen.rules, one, own):
            raise Refused(
                "not_entitled", f"a strategy does its own player's acts alone: that of {seen.player} gave {one!r}"
            )
    return given


def refused(rules: Rulebook, table: Table, refusal: Refusal, commands: Sequence[c.Command] = ()) -> Refused:
    """The refusal as an error, with the amounts that a wager takes where the amount was at fault."""
    says = reason_in_words(refusal.reason)
    if refusal.takes:
        says += f": {takes_words(rules, refusal.takes)}"
    return Refused(refusal.reason, says + _amounts(rules, table, commands), refusal.clauses)


def of_strategy(error: Refused, seen: PlayerView) -> Refused:
    """The refusal of what a strategy answered, with what it was asked."""
    if seen.phase == "war_betting":
        asked = "for wagers on a war: it may bet `war_tie` and the like there, or give None"
    elif seen.choices:
        asked = "for war or surrender"
    elif seen.can_bank:
        asked = "whether to take the bank: it may give `seen.take_bank(stake)`, or None, while `seen.can_bank`"
    else:
        asked = "for wagers"
    return Refused(error.reason, f"{error.says}; the strategy of {seen.player} was asked {asked}", error.clauses)


def _amounts(rules: Rulebook, table: Table, commands: Sequence[c.Command]) -> str:
    """` (initial on box 1 takes 500 to 5,000 in steps of 500)`, for the first wager whose amount is not accepted."""
    for bet in commands:
        if not isinstance(bet, c.PlaceWager) or bet.player not in table.players:
            continue
        for one in legal_commands(rules, table, bet.player):
            if not isinstance(one.command, c.PlaceWager) or one.amounts is None or bet.amount in one.amounts:
                continue
            if (one.command.wager, one.command.box) == (bet.wager, bet.box):
                steps = f" in steps of {one.amounts.step:,}" if one.amounts.step > 1 else ""
                bounds = f"{one.amounts[0]:,} or more" if one.most is None else f"{one.amounts[0]:,} to {one.most:,}"
                return f" ({bet.wager} on box {bet.box} takes {bounds}{steps})"
    return ""
