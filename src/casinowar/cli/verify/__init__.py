"""`casinowar verify FILE|URL...`: check exported shoes and say what is wrong where."""

import json
from collections.abc import Callable, Iterator
from importlib.resources import files as package_files
from typing import Any, TypeVar

import click
import msgspec

from casinowar.cli.terminal import suggestions
from casinowar.cli.terminal.options import json_option
from casinowar.cli.terminal.output import put, say
from casinowar.cli.terminal.user_files import name_of, read_text
from casinowar.cli.verify.earlier import Earlier, find_changes, read_earlier, sum_up, summary_lines
from casinowar.cli.verify.proof_file import check_proof, is_empty, is_proof
from casinowar.cli.verify.publications import (
    FetchError,
    NoShoe,
    find_lost_checkpoint,
    is_address,
    last_checkpoint,
    published_shoes,
    table_address,
)
from casinowar.fairness import ExportedShoe, load_shoe
from casinowar.fairness.chain import ANEW, Finding, does_begin_anew, most_out
from casinowar.fairness.check import Noted, check_series, check_shoe, notes, parse_noted, seal_of

T = TypeVar("T")
ONE_SHOE = "what you noted is of one shoe: name one file, or the URL of one shoe"


@click.command()
@click.argument("files", nargs=-1, metavar="FILE|URL...", shell_complete=suggestions.files)
@click.option("--commitment", metavar="HEX", help="The commitment that you noted.")
@click.option("--root", metavar="HEX", help="The root that you noted before the first wager.")
@click.option("--seal", metavar="HEX", help="The seal that you noted: commitment, entropy and root in one.")
@click.option("--entropy", metavar="HEX", help="The entropy that you added.")
@click.option(
    "--earlier",
    metavar="FILE",
    help="What --json printed of this table, or the server's list of its shoes, at an earlier time: none may be gone,"
    " nor be sealed or dealt anew.",
    shell_complete=suggestions.files,
)
@click.option(
    "--key",
    metavar="FILE|HEX",
    help="For a proof: the public key that signs checkpoints, or a file with it; or the server's own checkpoints.key.",
    shell_complete=suggestions.files,
)
@click.option(
    "--checkpoint",
    "kept",
    metavar="FILE",
    help="The checkpoint that you kept, from which a proof goes on.",
    shell_complete=suggestions.files,
)
@json_option(help="Print the findings as JSON.")
@click.option("--script", is_flag=True, help="Print verify_shoe.py, which checks the same with Python alone.")
@click.pass_context
def verify(
    ctx: click.Context,
    /,
    files: tuple[str, ...],
    earlier: str | None,
    key: str | None,
    kept: str | None,
    as_json: bool,
    script: bool,
    **noted: str | None,
) -> None:
    """Check exported shoes; `-` reads one from standard input.

    A URL is that of a table as the browser shows it, http://HOST/table/NAME, or as the API has it,
    http://HOST/api/tables/NAME, or of one shoe, with /shoes/3 behind that. A table's shoes through all its openings
    are checked against each other and its list. Keep what --json prints: with --earlier a later check says
    which shoe is gone since or was sealed or dealt anew, and whether the house has the last checkpoint still.

    Several files are the shoes of one table, one after the other, in their order. A file alone shows that it agrees
    with itself; what you noted at the table shows that it is the shoe you played. Exit status 1 says that something is
    wrong, 2 that there is no exported shoe.

    One file may also be a proof that `casinowar prove` has written: it is checked without any database.
    """
    if script == bool(files):
        raise click.UsageError("name a file or a URL, or --script", ctx)
    if script:
        put((package_files("casinowar.fairness") / "verify_shoe.py").read_text(encoding="utf-8").rstrip("\n"))
        return
    if len(files) == 1 and is_empty(files[0]):
        raise click.ClickException(f"{files[0]}: empty: whatever was to write it has failed")
    if len(files) == 1 and is_proof(files[0]):
        if any(value is not None for value in (earlier, *noted.values())):
            raise click.UsageError("a proof is checked with --key, --checkpoint and --json alone", ctx)
        check_proof(ctx, files[0], key, kept, as_json)
        return
    if key or kept:
        raise click.UsageError("--key and --checkpoint are for one proof", ctx)
    files = tuple(map(table_address, files))
    note = _noted(noted)
    if note != Noted() and len(files) > 1:
        raise click.UsageError(ONE_SHOE, ctx)
    seen = Earlier() if earlier is None else _parse(earlier, "a list of shoes", read_earlier)
    checked = _check_all(files, note, bool(seen.shoes))
    lost, last = _checkpoints(files, seen, as_json)
    missing, summary = [*find_changes(seen.shoes, checked), *lost], sum_up(checked)
    verdict = {"format": "casinowar-verdict/1", "shoes": checked, "missing": missing, "summary": summary}
    told = [*_verdict_lines(checked), *missing, *summary_lines(summary)]
    put(json.dumps({**verdict, "checkpoint": last}, indent=1) if as_json else "\n".join(told))
    wrong = sum(not one["agrees"] for one in checked)
    if missing:
        say(f"casinowar verify: differences from what was there before: {len(missing)}")
        ctx.exit(1)
    if wrong:
        say(f"casinowar verify: {wrong} of {len(checked)} shoes {'is' if wrong == 1 else 'are'} not as sealed")
        ctx.exit(1)


def _noted(given: dict[str, str | None]) -> Noted:
    try:
        return parse_noted(**given)
    except ValueError as error:
        raise click.ClickException(f"--{error}") from None


def _parse(file: str, what: str, parse: Callable[[str], T]) -> T:
    """What a file holds; an error of one line names the file."""
    try:
        return parse(read_text(file, what))
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise click.ClickException(f"{name_of(file)}: no JSON, as {what} is ({place})") from None
    except (ValueError, RecursionError) as error:
        raise click.ClickException(f"{name_of(file)}: {error}") from None


def _checkpoints(files: tuple[str, ...], seen: Earlier, is_kept: bool) -> tuple[list[str], Any]:
    """Lines about a kept checkpoint that is gone, and the last checkpoint if it is to be kept now."""
    try:
        lost = [] if seen.checkpoint is None else list(find_lost_checkpoint(files, seen.checkpoint))
        return lost, last_checkpoint(files) if is_kept else None
    except FetchError as error:
        raise click.ClickException(str(error)) from None


def _check_all(files: tuple[str, ...], noted: Noted, may_be_none: bool) -> list[dict[str, Any]]:
    """The verdict on each shoe. Only what later shoes are compared with is kept, since a series may be long."""
    checked: list[dict[str, Any]] = []
    series: list[ExportedShoe] = []
    for name, shoe, listed in (one for file in files for one in _shoes(file, may_be_none)):
        if noted != Noted() and series:
            raise click.ClickException(ONE_SHOE)
        said = [ANEW] if series and does_begin_anew(shoe, series[-1]) else []
        series.append(msgspec.structs.replace(shoe, dealt=()))
        checked.append(
            {
                "file": name,
                "shoe": shoe.shoe,
                "number": shoe.number if isinstance(shoe.number, int) else None,
                "commitment": shoe.commitment,
                "fate": shoe.fate,
                "reason": shoe.reason,
                "by": shoe.by if isinstance(shoe.by, str) else None,
                "cards": sum(shoe.counts),
                "seal": seal_of(shoe),
                "out": most_out(shoe.dealt),
                "agrees": True,
                "findings": [*check_shoe(shoe, noted), *listed],
                "notes": [*said, *notes(shoe)],
            }
        )
    for one, beside in zip(checked, check_series(series), strict=True):
        one["findings"] = [{"where": found.where, "what": found.what} for found in (*one["findings"], *beside)]
        one["agrees"] = not one["findings"]
    return checked


def _verdict_lines(checked: list[dict[str, Any]]) -> list[str]:
    lines = []
    for one in checked:
        lines += [f"{one['file']}: {found['where']}: {found['what']}" for found in one["findings"]]
        if one["agrees"]:
            lines.append(f"{one['file']}: shoe {one['shoe']} agrees ({one['cards']} cards, {one['fate']})")
        lines += [f"  note: {note}" for note in one["notes"]]
    return lines


def _shoes(file: str, may_be_none: bool) -> Iterator[tuple[str, ExportedShoe, list[Finding]]]:
    """The shoes that a name stands for: of a file or a URL, each with where the table's list differs."""
    if not is_address(file):
        yield name_of(file), _parse(file, "an exported shoe", load_shoe), []
        return
    try:
        yield from published_shoes(file)
    except FetchError as error:
        if may_be_none and isinstance(error, NoShoe):
            return
        raise click.ClickException(str(error)) from None
