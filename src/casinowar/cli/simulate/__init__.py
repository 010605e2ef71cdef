"""`casinowar simulate`: rounds by the thousand million, beside the exact figures."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from casinowar.cli.simulate.choices import (
    MOST_ROUNDS,
    PlayedChoices,
    Precision,
    Rounds,
    check_new,
    choose_plan,
    parse_strategies,
    seed_or_new,
)
from casinowar.cli.simulate.exact import Beside, exact_beside
from casinowar.cli.simulate.figures_data import simulation_data
from casinowar.cli.simulate.figures_text import tell_simulation
from casinowar.cli.simulate.performance import INTERRUPTED, Performance, perform
from casinowar.cli.simulate.verdict import FAILS, judge
from casinowar.cli.terminal import suggestions
from casinowar.cli.terminal.options import Chips, Units, json_option, of_book
from casinowar.cli.terminal.output import put, say
from casinowar.cli.terminal.user_files import write_new
from casinowar.sim import MergeRefused, Plan, PlanRefused, Result, Until

NOT_HELD = 1
FORMAT = "casinowar-figures/1"
USUAL_ROUNDS = 10**7
WITH_MERGE = {"files", "merges", "out", "as_json", "plot", "shows_shoe", "shows_covariance"}


@click.command(short_help="Simulate a table, and set it beside the exact odds.")
@click.argument("files", metavar="[FILE]...", nargs=-1, shell_complete=suggestions.files)
@of_book
@click.option("--rounds", type=Rounds(), metavar="N", help="How many, such as 1e9.  [default: 1e7]")
@click.option(
    "--until",
    type=Precision(),
    metavar="se=X",
    help="Stop at this standard error; tie.se=X: of tie.",
    shell_complete=suggestions.precisions,
)
@click.option("--boxes", type=click.IntRange(1, 8), help="Boxes that play.  [default: 1, or 2 where a player banks]")
@click.option(
    "--wagers",
    metavar="WAGERS",
    help="Such as initial,tie or initial:2,tie.  [default: all of the book]",
    shell_complete=suggestions.wager_list,
)
@click.option(
    "--strategy",
    "strategies",
    metavar="CHOICE",
    multiple=True,
    default=("war",),
    show_default=True,
    help="war, surrender or best at a tie; tie=never, tie=always or tie=count:0.01 for a side wager. May repeat.",
    shell_complete=suggestions.strategies,
)
@click.option("--meter", type=Chips(0, 10**15), help="The progressive's meter, in minor units.  [default: its seed]")
@click.option("--meter-runs", is_flag=True, help="Let the meter grow with each wager and fall with each jackpot.")
@click.option("--session", metavar="ROUNDS", type=click.IntRange(1, 2**20), help="Play nights of so many rounds.")
@click.option("--bankroll", metavar="UNITS", type=Units(10**6), help="Of a session: what each night begins with.")
@click.option("--coverage", metavar="UNITS", type=Units(10**6), help="Where a player banks: all that the bank can pay.")
@click.option("--fresh", is_flag=True, help="Take a new shoe for every round, as the exact figures do.")
@click.option(
    "--ruling",
    "rulings",
    metavar="KEY=VALUE",
    multiple=True,
    help="What is ruled when the shoe runs dry: dry_shoe=shuffle_discards or dry_shoe=void.",
    shell_complete=suggestions.rulings,
)
@click.option("--device", type=click.Choice(["cpu", "gpu"]), default="cpu", show_default=True, help="What plays.")
@click.option("--workers", type=click.IntRange(1, 1024), help="Threads.  [default: one for each core]")
@click.option("--cluster", metavar="URL", help="Play on a Dask cluster, such as tcp://127.0.0.1:8786.")
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), help="Of the cards.  [default: a new one, which is told]")
@click.option("--first-chunk", type=click.IntRange(0, 2**61), default=0, help="Where to begin in the seed's stream.")
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Keep all counts in a new file.")
@click.option("--merge", "merges", is_flag=True, help="Play nothing: add up the FILES that --out has written.")
@click.option("--plot", type=click.Path(path_type=Path), metavar="FILE", help="Draw a picture: a new file, out.svg.")
@click.option("--shoe", "shows_shoe", is_flag=True, help="Tell cards and rounds of a shoe.")
@click.option("--covariance", "shows_covariance", is_flag=True, help="Tell covariances of the wagers.")
@json_option(help="Print all of it as JSON.")
@click.pass_context
def simulate(
    ctx: click.Context,
    /,
    files: tuple[str, ...],
    book: str,
    decks: int | None,
    any_decks: bool,
    options: tuple[str, ...],
    settings: tuple[str, ...],
    rounds: int | None,
    until: tuple[str | None, float] | None,
    boxes: int | None,
    wagers: str | None,
    strategies: tuple[str, ...],
    meter: int | None,
    meter_runs: bool,
    session: int | None,
    bankroll: Fraction | None,
    coverage: Fraction | None,
    fresh: bool,
    rulings: tuple[str, ...],
    device: str,
    workers: int | None,
    cluster: str | None,
    seed: int | None,
    first_chunk: int,
    out: Path | None,
    merges: bool,
    plot: Path | None,
    shows_shoe: bool,
    shows_covariance: bool,
    as_json: bool,
) -> None:
    """Simulate rounds of a book with a compiled kernel, and set every wager beside its exact figure.

    The exact figures are of a fresh shoe. With --fresh they must hold: a mean further than 4 standard errors away gives
    exit status 1. Without it the shoe is dealt on to the cutting card, the mean truly differs a little, and the
    difference is told with its error. A unit is 100 minor units, of the progressive its own unit.

    The same seed gives the same counts with any number of workers, on any machine. Ctrl-C tells what is done so far,
    and --out keeps it; another run of the same seed goes on with --first-chunk, and --merge adds the files up.
    """
    shows = {"shoe": shows_shoe, "covariance": shows_covariance}
    for target, hint in ((out, "--out"), (plot, "--plot")):
        check_new(target, hint)
    if merges:
        _check_merge(ctx, files)
        performance = Performance(_merged(files), seconds=None, is_interrupted=False)
        beside = exact_beside(performance.result.plan)
        return _tell(ctx, performance, beside, shows, out, plot, as_json)
    if files:
        raise click.UsageError(f"{files[0]}: files are for --merge", ctx)
    if (session is None) != (bankroll is None):
        raise click.UsageError("--session and --bankroll go together: rounds of a night, and units to begin with", ctx)
    if device == "gpu" and (cluster or workers):
        raise click.UsageError("--device gpu plays alone: leave out --cluster and --workers", ctx)
    strategy, sides = parse_strategies(strategies)
    choices = PlayedChoices(
        book=book,
        decks=decks,
        any_decks=any_decks,
        settings=settings,
        options=options,
        boxes=boxes,
        wagers=wagers,
        strategy=strategy,
        sides=sides,
        meter=meter,
        meter_runs=meter_runs,
        session=session or 0,
        bankroll=bankroll,
        coverage=coverage,
        fresh=fresh,
        rulings=rulings,
    )
    plan = choose_plan(choices)
    wanted = rounds or (MOST_ROUNDS if until is not None else USUAL_ROUNDS)
    stop = _until(until, plan)
    performance = perform(
        plan, seed_or_new(seed), wanted, stop, device=device, workers=workers, cluster=cluster, first_chunk=first_chunk
    )
    return _tell(ctx, performance, exact_beside(plan, strategy), shows, out, plot, as_json)


def _until(until: tuple[str | None, float] | None, plan: Plan) -> Until | None:
    if until is None:
        return None
    wager = until[0] or next(iter(plan.wagers))
    if wager not in plan.wagers:
        raise click.BadParameter(f"{wager} is not on the table: {', '.join(plan.wagers)} are", param_hint="--until")
    return Until(wager, until[1])


def _check_merge(ctx: click.Context, files: tuple[str, ...]) -> None:
    if not files:
        raise click.UsageError("--merge adds up files that --out has written: name them", ctx)
    for param in ctx.command.params:
        name = param.name or ""
        if name not in WITH_MERGE and ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"{param.opts[0]} is for playing, and --merge plays nothing", ctx)


def _merged(files: tuple[str, ...]) -> Result:
    """The results of all files as one."""
    merged: Result | None = None
    for file in files:
        try:
            result = Result.load(file)
            merged = result if merged is None else merged.merge(result)
        except (MergeRefused, PlanRefused) as error:
            raise click.ClickException(f"{file}: {error}") from None
        except OSError as error:
            raise click.ClickException(f"{file}: {error.strerror or error}") from None
    assert merged is not None
    return merged


def _tell(
    ctx: click.Context,
    performance: Performance,
    beside: Beside,
    shows: dict[str, bool],
    out: Path | None,
    plot: Path | None,
    as_json: bool,
) -> None:
    result = performance.result
    if not result.rounds:
        say("casinowar simulate: interrupted before the first chunk was done")
        ctx.exit(INTERRUPTED)
    judged = judge(result, beside)
    data: dict[str, Any] = simulation_data(result, beside, judged, performance.seconds, shows)
    if out is not None:
        write_new(out, result.to_json())
    if plot is not None:
        from casinowar.cli.simulate.plot import draw

        write_new(plot, draw(result, data).encode())
    if as_json:
        put(json.dumps({**data, "format": FORMAT}, indent=1))
    else:
        put(tell_simulation(result.plan, data, has_compiled=performance.has_compiled))
    if performance.is_interrupted:
        say(f"Interrupted after {result.rounds:,} rounds.")
        ctx.exit(INTERRUPTED)
    if any(one.status == FAILS for one in judged.values()):
        ctx.exit(NOT_HELD)
