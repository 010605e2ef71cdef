"""`casinowar bench`: the rates of this machine; `bench serve` puts a house of live tables under load."""

import json
import platform
import sys
from math import isnan
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

import click
from click.core import ParameterSource

from casinowar.cli.terminal.command_group import CommandGroup
from casinowar.cli.terminal.key_values import clip
from casinowar.cli.terminal.options import BOOK, json_option
from casinowar.cli.terminal.output import put, say
from casinowar.extras import install

if TYPE_CHECKING:
    from casinowar.cli.bench.plan import Plan
    from casinowar.cli.bench.report import Report

LIMIT_MS, FIND_SECONDS, SECONDS, TABLES = 100.0, 5.0, 20.0, 20
MOST_TABLES, COUNT = 1_000, click.IntRange(0, 2_000)


class Amount(click.FloatRange):
    """A number within bounds. Of a float that is no number nobody can say that it is outside."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isnan(number := super().convert(value, param, ctx)):
            self.fail(f"{value!r} is not a number", param, ctx)
        return number


PACE, SECOND_COUNT, PAUSE = Amount(0, 50_000, min_open=True), Amount(0, 86_400, min_open=True), Amount(0, 3_600)


@click.group(cls=CommandGroup, invoke_without_command=True, subcommand_metavar="[COMMAND] [ARGS]...")
@click.option("--seconds", type=Amount(0, 60, min_open=True), default=1.0, show_default=True, help="For each rate.")
@click.option("--workers", type=click.IntRange(1, 1024), help="Threads of the simulation.  [default: one per core]")
@json_option(help="Print the rates as JSON.")
@click.pass_context
def bench(ctx: click.Context, /, seconds: float, workers: int | None, as_json: bool) -> None:
    """Measure the rates of engine, odds and simulation on this machine; serve: a server of live tables under load."""
    if ctx.invoked_subcommand is not None:
        if any(ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE for name in ctx.params):
            raise click.UsageError(f"options of {ctx.invoked_subcommand} stand behind its name", ctx)
        return
    _tell_rates(seconds, workers, as_json)


def _tell_rates(seconds: float, workers: int | None, as_json: bool) -> None:
    from casinowar.cli.bench.rates import rates
    from casinowar.cli.simulate.performance import announced_compile, cores
    from casinowar.cli.simulate.progress_bar import ProgressBar, short_number
    from casinowar.cli.terminal.text_tables import fold, rows

    with announced_compile(ProgressBar(sys.stderr)):
        found = list(rates(seconds, workers or cores()))
    if as_json:
        data = {
            "format": "casinowar-bench/1",
            "python": f"{platform.python_implementation()} {platform.python_version()}",
            "cores": cores(),
            "rates": [
                {"what": one.what, "per": one.per, "count": one.count, "seconds": one.seconds, "per_second": one.rate}
                for one in found
            ],
        }
        return put(json.dumps(data, indent=2))
    put("\n".join(rows([["", "A second"], *([one.what, f"{short_number(one.rate)} {one.per}"] for one in found)])))
    if len(found) < 3:
        put("\n".join(fold(f"The simulation is measured with its extra: {install('sim')}")))
    return None


@bench.command("serve", short_help="Measure a server of live tables with many players.")
@click.option("--url", metavar="URL", help="A running house; without it one is started for the load.")
@click.option("--table", "named", metavar="NAME", multiple=True, help="A table of that house to use; may repeat.")
@click.option("--yes", "is_meant", is_flag=True, help="Yes, load a house on another machine.")
@click.option("--tables", type=click.IntRange(1, MOST_TABLES), help="Tables with players.  [default: 20]")
@click.option("--seats", type=click.IntRange(1, 9), default=7, show_default=True, help="Players at each table.")
@click.option("--watchers", type=COUNT, default=0, show_default=True, help="Who looks on at the first table.")
@click.option("--open-tables", type=COUNT, default=0, show_default=True, help="More open tables that nobody uses.")
@click.option("--rulebook", "books", metavar="BOOK", type=BOOK, multiple=True, help="Books of the tables; may repeat.")
@click.option("--pace", type=PACE, metavar="N", help="Commands a second in all, answered or not.")
@click.option("--think", type=PAUSE, metavar="SECONDS", help="A player's pause before each command.  [default: 1]")
@click.option("--seconds", type=SECOND_COUNT, help="How long; of each step with --find.  [default: 20; 5]")
@click.option("--reconnects", type=PAUSE, default=0.0, metavar="N", help="Connections broken off a minute.")
@click.option("--find", "finds", is_flag=True, help="Search for the largest pace with p99 below the limit.")
@click.option("--limit-ms", type=SECOND_COUNT, metavar="MS", help="p99 must be below this.  [default with --find: 100]")
@click.option(
    "--views",
    type=click.Choice(["parts", "whole"]),
    default="parts",
    show_default=True,
    help="What clients ask to be sent: the parts of a view that changed, or whole views.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="For who acts when.")
@json_option(help="Print the report as JSON.")
@click.pass_context
def bench_serve(
    ctx: click.Context,
    /,
    url: str | None,
    named: tuple[str, ...],
    is_meant: bool,
    tables: int | None,
    seats: int,
    watchers: int,
    open_tables: int,
    books: tuple[str, ...],
    pace: float | None,
    think: float | None,
    seconds: float | None,
    reconnects: float,
    finds: bool,
    limit_ms: float | None,
    views: Literal["whole", "parts"],
    seed: int,
    as_json: bool,
) -> None:
    """Measure a server of live tables: guests sit down, bet the least, and go to every war.

    Without --url a house is started for the load, in a process and a temporary folder of its own, without limits by
    address, and audited at the end. With --pace commands are due at fixed moments, whether or not the earlier ones were
    answered, and waits count from when they were due; where the game waits for nobody, chips are bought or cashed. With
    --think each player pauses for so long on average, as people do.

    The report has the waits of answers and of news to others, the CPU of server and generator, refusals and errors. At
    the end the money of each player must come to what their rounds say, and each view be the server's. Exit status 1
    says that something was wrong, that p99 missed --limit-ms, or that --find found no pace.

    A house that is not on this machine is loaded only with --yes, by guests, at tables that are free.
    """
    from casinowar.cli.bench.plan import Plan
    from casinowar.extras import require

    require("casinowar.cli.bench", "server", "apsw", "uvicorn", "websockets")
    if url is not None:
        _check_url(url, is_meant, ctx)
    if think is not None and (pace is not None or finds):
        raise click.UsageError("--think is for players who wait for answers: leave out --pace and --find", ctx)
    if url is None and named:
        raise click.UsageError("--table names tables of a running house: give its --url", ctx)
    if url is not None and (open_tables or books):
        raise click.UsageError("--open-tables and --rulebook are for a house of its own: leave out --url", ctx)
    if tables is not None and named:
        raise click.UsageError("name tables or say how many, not both", ctx)
    if finds:
        limit_ms = limit_ms or LIMIT_MS
    plan = Plan(
        tables=len(named) or tables or (TABLES if url is None else 0),
        seats=seats,
        watchers=watchers,
        open_tables=open_tables,
        seconds=seconds or (FIND_SECONDS if finds else SECONDS),
        pace=pace,
        think=1 if think is None else think,
        reconnects=reconnects,
        books=books,
        seed=seed,
        views=views,
    )
    report = _load_own(plan, ctx, limit_ms, finds) if url is None else _load(url, plan, named, limit_ms, finds)
    _tell(report, as_json)
    ctx.exit(1 if report.failures() else 0)


def _check_url(url: str, is_meant: bool, ctx: click.Context) -> None:
    """Refuse what is no address of a house, and one on another machine unless it is meant."""
    from casinowar.client.http import HttpSite
    from casinowar.web.http.address import is_loopback

    try:
        HttpSite(url)
    except ValueError as error:
        raise click.BadParameter(str(error), ctx, param_hint="--url") from None
    if not is_meant and not is_loopback(urlsplit(url).hostname or ""):
        raise click.UsageError(f"{clip(url)} is not on this machine: a load must be meant there: add --yes", ctx)


def _load(url: str, plan: "Plan", named: tuple[str, ...], limit_ms: float | None, finds: bool) -> "Report":
    """The load on a house that is there already."""
    import asyncio

    from casinowar.cli.bench.crowd import NotAdmitted
    from casinowar.cli.bench.generator import Generator
    from casinowar.client import Ended, Refused

    try:
        return asyncio.run(Generator(url, plan, say=say).run(named, limit_ms, finds=finds))
    except NotAdmitted as error:
        raise click.ClickException(f"{url}: {error}") from None
    except (Ended, Refused, OSError) as error:
        raise click.ClickException(f"{url}: the house is gone: {error}") from None


def _load_own(plan: "Plan", ctx: click.Context, limit_ms: float | None, finds: bool) -> "Report":
    from casinowar.cli.bench.crowd import NotAdmitted
    from casinowar.cli.bench.own_load import run_own, with_books
    from casinowar.cli.bench.temporary_house import NoHouse
    from casinowar.client import Ended, Refused

    try:
        plan = with_books(plan, finds)
    except ValueError as error:
        raise click.BadParameter(str(error), ctx, param_hint="--rulebook") from None
    try:
        return run_own(plan, limit_ms, finds=finds, say=say)
    except (NoHouse, NotAdmitted) as error:
        raise click.ClickException(str(error)) from None
    except (Ended, Refused, ConnectionError) as error:
        raise click.ClickException(f"the house for the load is gone: {error}") from None


def _tell(report: "Report", as_json: bool) -> None:
    if as_json:
        put(json.dumps(report.data(), indent=2))
        return
    lines = list(report.lines())
    width = max(len(name) for name, _ in lines) + 2
    put("\n".join(f"{name:<{width}}{value}" for name, value in lines))
    for note in report.notes:
        put(f"note: {note}")
    for failure in report.failures():
        put(f"FAILED: {failure}")
