"""Checks of a live table's settings: whether the engine can play them under the book, before anybody sits down."""

from collections.abc import Callable, Iterator

import msgspec

from casinowar.engine import Refusal, Table, step
from casinowar.engine import commands as c
from casinowar.engine.decide.betting import is_offered
from casinowar.engine.decide.limits import refuse_amount
from casinowar.engine.legal.amounts import least_wager
from casinowar.house.settings import BotSettings, TableSettings
from casinowar.rulebooks import WAGERS, Rulebook, citation
from casinowar.rulebooks.wagers import UNLIMITED
from casinowar.words.refusals import cite_refusal, reason_in_words

MOST = 2**53
"""Amounts are below this, so that every reader of JSON has them exactly."""

RESERVED = "house"
"""The stream in which the house keeps its own log."""


CALLED = {
    "name": "Name",
    "title": "Title",
    "limit": "Minimum",
    "limit.minimum": "Minimum",
    "limit.maximum": "Maximum",
    "limit.unit": "Unit",
    "meter": "Meter",
    "bots": "House players",
    "bank_minimum": "Least stake of a bank",
}
"""What people who open a table call its settings."""

Tell = Callable[[int], str]
"""How an amount is written: in minor units, as in a file, or as money."""


class SettingFault(msgspec.Struct, frozen=True):
    """A setting that cannot be, and what to do about it, with the clauses where a book decides it."""

    key: str
    says: str
    value: object = None

    def __str__(self) -> str:
        """The fault as in the file: `limit.maximum = 500: is below the minimum of 1000`."""
        return f"{self.key}: {self.says}" if self.value is None else f"{self.key} = {self.value}: {self.says}"

    @property
    def plain(self) -> str:
        """The fault for people: `Maximum: is below the minimum of 10.`"""
        return f"{CALLED.get(self.key, self.key.partition('[')[0].replace('.', ' ').capitalize())}: {self.says}."


def find_fault(settings: TableSettings, rules: Rulebook, tell: Tell = str) -> SettingFault | None:
    """The first setting that cannot be."""
    return next(_faults(settings, rules, tell), None)


def _faults(settings: TableSettings, rules: Rulebook, tell: Tell) -> Iterator[SettingFault]:
    if settings.name.casefold() == RESERVED:
        yield SettingFault("name", f"{RESERVED} is the house's own: give the table another")
    if len(settings.title) > 80 or not settings.title.isprintable():
        yield SettingFault("title", "write one line of at most 80 characters")
    if settings.timeout == "war" and settings.dealer != "automatic":
        waits = "a dealer who is not automatic waits for the player: write wait, or leave it out"
        yield SettingFault("timeout", waits, "war")
    if settings.timers.signature < 1:
        too_short = "too short for anybody to sign: write seconds, a number from 1 to 86400"
        yield SettingFault("timers.signature", too_short, f"{settings.timers.signature:g}")
    yield from _kinds(settings, rules)
    yield from _amounts("limit", settings.limit, tell)
    for wager, limit in settings.limits.items():
        yield from _amounts(f"limits.{wager}", limit, tell)
    if settings.meter is not None and not rules.wager.progressive:
        none = f"{rules.id} has no progressive here: leave it out, or set wager.progressive where the book allows"
        yield SettingFault("meter", none)
    if settings.meter is not None and not 0 <= settings.meter < MOST:
        yield SettingFault("meter", "write an amount of 0 or more in minor units", settings.meter)
    yield from _bank(settings.bank_minimum, rules, tell)
    yield from _opening(settings, rules)
    yield from _bots(settings.bots, rules)


def _kinds(settings: TableSettings, rules: Rulebook) -> Iterator[SettingFault]:
    bound = [wager for wager in WAGERS if wager not in UNLIMITED and is_offered(rules, wager)]
    for wager in settings.limits:
        if wager not in bound:
            kinds = f"no wager of {rules.id} with limits of its own: those are {', '.join(bound)}"
            yield SettingFault(f"limits.{wager}", kinds)


def _amounts(key: str, limit: c.Limit, tell: Tell) -> Iterator[SettingFault]:
    if not 0 <= limit.minimum < MOST:
        yield SettingFault(f"{key}.minimum", f"write {tell(0)} or more, below {tell(MOST)}", tell(limit.minimum))
    if not 1 <= limit.unit < MOST:
        yield SettingFault(f"{key}.unit", f"write {tell(1)} or more, below {tell(MOST)}", tell(limit.unit))
    if limit.maximum is not None and limit.maximum >= MOST:
        yield SettingFault(f"{key}.maximum", f"write an amount below {tell(MOST)}", tell(limit.maximum))
    if limit.maximum is not None and limit.maximum < max(limit.minimum, 1):
        below = f"is below the minimum of {tell(limit.minimum)}"
        yield SettingFault(f"{key}.maximum", below, tell(limit.maximum))


def _opening(settings: TableSettings, rules: Rulebook) -> Iterator[SettingFault]:
    """The faults that show when the engine opens the table and takes the least wager of each kind with a limit."""
    opened = step(rules, Table(), c.OpenTable(limit=settings.limit, limits=settings.limits, meter=settings.meter))
    if isinstance(opened, Refusal):
        yield SettingFault("limit", f"the table cannot be opened: {_why(opened)}")
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
            why = f"a wager of the minimum would be refused: {_why(refused)}"
            yield SettingFault(f"{key}.minimum", why, limit.minimum)
        elif least_wager(rules, limit, wager) is None:
            yield SettingFault(f"{key}.unit", "nobody could bet in such steps below the maximum", limit.unit)


def _bank(least: int | None, rules: Rulebook, tell: Tell) -> Iterator[SettingFault]:
    if least is not None and rules.bank.by != "player":
        yield SettingFault("bank_minimum", "nobody but the house banks here: leave it out")
    if least is not None and not 1 <= least < MOST:
        yield SettingFault("bank_minimum", f"write {tell(1)} or more, below {tell(MOST)}", tell(least))


def _bots(bots: tuple[BotSettings, ...], rules: Rulebook) -> Iterator[SettingFault]:
    boxes = rules.table.boxes
    where = f" [{citation(rules.clauses['table.boxes'])}]"
    if len(bots) > boxes:
        too_many = f"{len(bots)} of them, and the table has {boxes} boxes{where}: name no more than that"
        yield SettingFault("bots", too_many)
    taken: set[int] = set()
    for number, bot in enumerate(bots, start=1):
        if bot.box is not None and not 1 <= bot.box <= boxes:
            yield SettingFault(f"bots[{number}].box", f"write 1 to {boxes}{where}", bot.box)
        if bot.box is not None and bot.box in taken:
            taken_by = "another bot has that box: write another, or leave it out"
            yield SettingFault(f"bots[{number}].box", taken_by, bot.box)
        taken |= {bot.box} if bot.box is not None else set()
        if bot.strategy == "bank" and rules.bank.by != "player":
            house = "nobody but the house banks here: write war, surrender or tie"
            yield SettingFault(f"bots[{number}].strategy", house, "bank")
        if bot.strategy == "tie" and not rules.wager.tie:
            none = "there is no tie wager here: write war or surrender"
            yield SettingFault(f"bots[{number}].strategy", none, "tie")


def _why(refusal: Refusal) -> str:
    return reason_in_words(refusal.reason) + cite_refusal(refusal)
