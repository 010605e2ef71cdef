"""Whether a live table's settings can be played under its book, asked of the engine before anybody sits down."""

from collections.abc import Iterator

from casinowar.engine import Refusal, Table, step
from casinowar.engine import commands as c
from casinowar.engine.betting import is_offered
from casinowar.engine.limits import refuse_amount
from casinowar.records.words import cite, reason_in_words
from casinowar.rulebooks import WAGERS, Rulebook
from casinowar.table.settings import BotSettings, TableSettings

MOST = 2**53
"""Amounts are below this, so that every reader of JSON has them exactly."""

RESERVED = "house"
"""The stream in which the house keeps its own log."""

UNBOUND = ("war", "progressive")
"""Wagers that no table limit binds: the one equals the initial wager, the other has a unit of its own."""


def find_fault(settings: TableSettings, rules: Rulebook) -> str | None:
    """The first thing that cannot be, as `key: what to do`, with the clauses where a book decides it."""
    return next(_faults(settings, rules), None)


def _faults(settings: TableSettings, rules: Rulebook) -> Iterator[str]:
    if settings.name.casefold() == RESERVED:
        yield f"name: {RESERVED} is the house's own: give the table another"
    if len(settings.title) > 80 or not settings.title.isprintable():
        yield "title: write one line of at most 80 characters"
    if settings.timeout == "war" and settings.dealer != "automatic":
        yield "timeout = war: a dealer who is not automatic waits for the player: write wait, or leave it out"
    yield from _kinds(settings, rules)
    yield from _amounts("limit", settings.limit)
    for wager, limit in settings.limits.items():
        yield from _amounts(f"limits.{wager}", limit)
    if settings.meter is not None and not rules.wager.progressive:
        yield f"meter: {rules.id} has no progressive here: leave it out, or set wager.progressive where the book allows"
    if settings.meter is not None and not 0 <= settings.meter < MOST:
        yield f"meter = {settings.meter}: write an amount of 0 or more in minor units"
    yield from _opening(settings, rules)
    yield from _bots(settings.bots, rules)


def _kinds(settings: TableSettings, rules: Rulebook) -> Iterator[str]:
    bound = [wager for wager in WAGERS if wager not in UNBOUND and is_offered(rules, wager)]
    for wager in settings.limits:
        if wager not in bound:
            yield f"limits.{wager}: no wager of {rules.id} with limits of its own: those are {', '.join(bound)}"


def _amounts(key: str, limit: c.Limit) -> Iterator[str]:
    if not (0 <= limit.minimum < MOST and 1 <= limit.unit < MOST and (limit.maximum or 0) < MOST):
        yield f"{key}: minimum is 0 or more, unit 1 or more, all in minor units and below 2^53"
    if limit.maximum is not None and limit.maximum < max(limit.minimum, 1):
        yield f"{key}.maximum = {limit.maximum}: is below the minimum of {limit.minimum}"


def _opening(settings: TableSettings, rules: Rulebook) -> Iterator[str]:
    """The engine opens the table, and takes the least wager of each kind that has a limit."""
    opened = step(rules, Table(), c.OpenTable(limit=settings.limit, limits=settings.limits, meter=settings.meter))
    if isinstance(opened, Refusal):
        yield f"limit: the table cannot be opened: {_why(opened)}"
        return
    bought = step(rules, opened[1], c.BuyIn(player="somebody", amount=MOST))
    assert not isinstance(bought, Refusal)
    for key, wager, limit in (
        ("limit", "initial", settings.limit),
        *((f"limits.{wager}", wager, limit) for wager, limit in settings.limits.items()),
    ):
        least = max(limit.minimum, 1)
        refused = refuse_amount(rules, bought[1], (1, wager, "somebody"), least, least)
        if refused and limit.minimum:
            yield f"{key}.minimum = {limit.minimum}: a wager of the minimum would be refused: {_why(refused)}"


def _bots(bots: tuple[BotSettings, ...], rules: Rulebook) -> Iterator[str]:
    boxes = rules.table.boxes
    where = cite(rules.clauses["table.boxes"])
    if len(bots) > boxes:
        yield f"bots: {len(bots)} of them, and the table has {boxes} boxes{where}: name no more than that"
    taken: set[int] = set()
    for number, bot in enumerate(bots, start=1):
        if bot.box is not None and not 1 <= bot.box <= boxes:
            yield f"bots[{number}].box = {bot.box}: write 1 to {boxes}{where}"
        if bot.box is not None and bot.box in taken:
            yield f"bots[{number}].box = {bot.box}: another bot has that box: write another, or leave it out"
        taken |= {bot.box} if bot.box is not None else set()
        if bot.strategy == "bank" and rules.bank.by != "player":
            yield f"bots[{number}].strategy = bank: nobody but the house banks here: write war, surrender or tie"
        if bot.strategy == "tie" and not rules.wager.tie:
            yield f"bots[{number}].strategy = tie: there is no tie wager here: write war or surrender"


def _why(refusal: Refusal) -> str:
    return reason_in_words(refusal.reason) + cite(refusal.clauses)
