"""A load on a house of its own: started for it, pinned to another core than the generator, and audited at the end."""

import asyncio
import os
from collections.abc import Callable, Coroutine, Mapping, Sequence

import msgspec

from casinowar.cli.bench.generator import Generator
from casinowar.cli.bench.pace_search import FIRST_PACE
from casinowar.cli.bench.plan import Plan
from casinowar.cli.bench.report import Report
from casinowar.cli.bench.temporary_house import SERVE, TemporaryHouse, temporary_house
from casinowar.rulebooks import load_rulebook, sound_books

LOOK_S = 0.5
"""How often it is looked whether the house is still there."""


def with_books(plan: Plan, finds: bool) -> Plan:
    """The plan with its books, or all that the house itself banks; a search for the pace begins with one."""
    books = plan.books or tuple(book for book in sound_books() if load_rulebook(book).bank.by != "player")
    for book in books:
        boxes = load_rulebook(book).table.boxes
        if plan.seats > boxes:
            raise ValueError(f"a table of {book} has {boxes} boxes, and {plan.seats} are to be taken")
    pace = plan.pace or FIRST_PACE if finds else plan.pace
    return msgspec.structs.replace(plan, books=books, pace=pace)


def run_own(
    plan: Plan,
    limit_ms: float | None,
    *,
    finds: bool,
    program: Sequence[str] = SERVE,
    env: Mapping[str, str] | None = None,
    say: Callable[[str], None] = lambda text: None,
) -> Report:
    """Start a house for the plan, load it, close and audit it. `program` is what Python runs as the house."""
    server_core, own_core = _cores()
    with temporary_house(plan, program, env, server_core) as house:
        before = os.sched_getaffinity(0) if own_core is not None else set()
        names = tuple(f"load-{number}" for number in range(1, plan.tables + 1))
        try:
            if own_core is not None:
                os.sched_setaffinity(0, {own_core})
            generator = Generator(house.url, plan, house.cpu_seconds, say)
            report = asyncio.run(_load_while_open(house, generator.run(names, limit_ms, finds=finds)))
        finally:
            if before:
                os.sched_setaffinity(0, before)
        say("the house closes and is audited")
        house.close()
        money = msgspec.structs.replace(report.money, audit=house.audit())
    notes = list(report.notes)
    if own_core is None:
        notes.append("there is one core for server and generator: each took time from the other")
    return msgspec.structs.replace(report, url=None, money=money, notes=notes)


async def _load_while_open(house: TemporaryHouse, load: Coroutine[None, None, Report]) -> Report:
    """Do the load as long as the house is there: clients alone would try for a minute to come back to it."""
    loading = asyncio.create_task(load)
    try:
        while not loading.done():
            house.check_open()
            await asyncio.wait({loading}, timeout=LOOK_S)
        return loading.result()
    finally:
        loading.cancel()
        await asyncio.wait({loading}, timeout=LOOK_S)


def _cores() -> tuple[int | None, int | None]:
    """One core for the server and one for the generator, where there are two."""
    usable = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    return (usable[0], usable[1]) if len(usable) > 1 else (None, None)
