"""Any round of a table's log as a round record that stands alone and replays to the same money."""

from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import Any

import msgspec

from casinowar.engine import Table, evolve
from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.history.log_walk import BEGINNING, ENDS, Start, Step
from casinowar.history.log_walk import steps as walk_steps
from casinowar.records.opening_state import before_of
from casinowar.records.piles import Piles
from casinowar.records.write import Act, Script, book_of, limit_of
from casinowar.records.write import record_of as written_record
from casinowar.rulebooks import BOOKS, Rulebook, RulebookError, load_rulebook
from casinowar.rulebooks.frozen import freeze
from casinowar.rulebooks.wagers import UNLIMITED
from casinowar.store import CashedOut, Recalled

NO_MAXIMUM = 2**53
"""More than any account holds."""

PURSES = ("buy_in", "cash_out")
MOST_COMPARED = 100
_compared: dict[int, tuple[Rulebook, bool]] = {}
"""Rulebooks by their identity, and whether they are of the package. They are kept: an identity is never reused."""


class ToldRound(msgspec.Struct, frozen=True):
    """The record of a round, and the least chips with which each player could have done what they did in it."""

    record: dict[str, Any]
    least: dict[str, int]

    def for_player(self, player: str) -> dict[str, Any]:
        """The record for one player.

        Others have only the chips that they put down, and neither buy nor carry away any.
        """
        record = self.record
        others = {name: chips for name, chips in self.least.items() if name != player}
        own = {name: chips for name, chips in record["players"].items() if name == player}
        acts = [act for act in record["acts"] if act["do"] not in PURSES or act["player"] == player]
        return {**record, "players": {**others, **own}, "acts": acts}


def told_round(
    recalled: Iterable[Recalled],
    number: int,
    start: Start = BEGINNING,
    minor_digits: int = 0,
) -> ToldRound:
    """The round of that number out of a table's stream, which is read from its first event on or from behind a start.

    It begins with the first command after the round before was over, and ends with its own last end: a round that was
    voided after it had ended is a void round. `LookupError` where there is no such round or it is not over.
    """
    steps = _steps_of(walk_steps(recalled, start), number)
    digits = {"minor_digits": minor_digits} if minor_digits else {}
    return ToldRound({**record_of(steps), **digits}, least_chips(steps))


def least_chips(steps: list[Step]) -> dict[str, int]:
    """How far each player's chips would have gone below none, if they had begun without any."""
    held: Counter[str] = Counter()
    least: dict[str, int] = dict.fromkeys(steps[0].before.players, 0)
    for step in steps:
        if isinstance(step.command, c.BuyIn | CashedOut):
            least.setdefault(step.command.player, 0)
            continue
        at = step.before
        for event in step.events:
            before, at = at, evolve(at, event)
            if at.players is before.players:
                continue
            for player, chips in at.players.items():
                held[player] += chips - before.players.get(player, 0)
                least[player] = max(least.get(player, 0), -held[player])
    return least


def record_of(steps: list[Step]) -> dict[str, Any]:
    """The record of a round whose steps are at hand, from the first after the round before to its own end."""
    rules, table = steps[0].rules, steps[0].before
    piles = Piles(rules, table)
    for step in steps:
        piles.follow(step.events, step.table)
    return written_record(
        rules,
        piles.stacks(),
        _acts(steps),
        meter=table.meter,
        limits=_limits(table),
        players=table.players,
        before=before_of(table, is_continuous=rules.shoe.shuffler == "continuous"),
        books=_books(rules, steps),
    )


def _acts(steps: list[Step]) -> list[Act]:
    """The steps as the acts of a record."""
    script = Script()
    decks = steps[0].rules.shoe.decks
    for step in steps:
        if step.rules.shoe.decks != decks and not isinstance(step.command, c.LoadShoe):
            script.add({"do": "change_decks"})
        changed = [event.decks for event in step.events if isinstance(event, e.DecksChanged)]
        decks = changed[0] if changed else step.rules.shoe.decks
        if isinstance(step.command, CashedOut):
            script.add({"do": "cash_out", "player": step.command.player, "amount": step.command.amount})
        else:
            script.note(step.rules, step.command, step.before, step.table)
    return script.acts


def _steps_of(told: Iterable[Step], number: int) -> list[Step]:
    """The steps from the end of the round before to the end of this one."""
    steps: list[Step] = []
    end = 0
    for step in told:
        if step.table.round.number > number:
            break
        if isinstance(step.command, c.OpenTable):
            continue
        steps.append(step)
        for event in step.events:
            if isinstance(event, ENDS):
                steps, end = (steps, len(steps)) if event.number == number else ([], 0)
    if not end:
        raise LookupError(f"there is no round {number} that is over")
    return steps[:end]


def _books(rules: Rulebook, steps: list[Step]) -> dict[str, Any] | None:
    """The book inside the record: every leaf of a house's book, or of a changed one. A packaged book is only named."""
    if _is_packaged(rules):
        return None
    later = {step.rules.shoe.decks: book_of(step.rules) for step in steps if step.rules.shoe.decks != rules.shoe.decks}
    return {"book": book_of(rules), **({"later_books": list(later.values())} if later else {})}


def _is_packaged(rules: Rulebook) -> bool:
    """Whether these are the rules of a book of the package, compared once for all rounds that are played by them."""
    known = _compared.get(id(rules))
    if known is None or known[0] is not rules:
        is_so = rules.id in BOOKS and _packaged(rules.id, rules.edition, _text(rules.options)) == _text(freeze(rules))
        if len(_compared) >= MOST_COMPARED:
            _compared.clear()
        known = _compared[id(rules)] = (rules, is_so)
    return known[1]


@cache
def _packaged(book: str, edition: int, options: str) -> str | None:
    try:
        return _text(freeze(load_rulebook(book, msgspec.json.decode(options), edition)))
    except RulebookError:
        return None


def _text(data: Any) -> str:
    return msgspec.json.encode(msgspec.to_builtins(data, str_keys=True), order="sorted").decode()


def _limits(table: Table) -> dict[str, Any]:
    """The limits for a record.

    A wager without a maximum would inherit the table's, so it gets one that nobody reaches.
    """
    limits: dict[str, Any] = limit_of(table.limit)
    for wager, limit in table.limits.items():
        if wager not in UNLIMITED:
            limits[wager] = {"maximum": NO_MAXIMUM, **limit_of(limit)}
    return limits
