"""`casinowar par`: the PAR sheet of a rulebook, as a page, a workbook or JSON."""

import json
import os
from collections.abc import Mapping
from pathlib import Path

import click

from casinowar.cli.odds.study import chosen_settings, load_study
from casinowar.cli.terminal import suggestions
from casinowar.cli.terminal.key_values import clip
from casinowar.cli.terminal.options import book_option, option_option, set_option
from casinowar.cli.terminal.output import put, say
from casinowar.odds.composition import CompositionError
from casinowar.reports.par.data import as_data, make_sheet

STDOUT = "-"


@click.command(short_help="Make the PAR sheet of a rulebook.")
@book_option(required=True, help="A book's id, or a house rulebook.")
@option_option()
@set_option()
@click.option("--decks", type=click.IntRange(min=1, max=100), metavar="N", help="The number of decks.")
@click.option("--any-decks", is_flag=True, help="Study a number of decks that the book does not allow.")
@click.option(
    "--html", "page", metavar="FILE", type=click.Path(path_type=Path), help="Write the sheet as one HTML page."
)
@click.option("--xlsx", "workbook", metavar="FILE", type=click.Path(path_type=Path), help="Write it as a workbook.")
@click.option(
    "--json",
    "data",
    metavar="[FILE]",
    is_flag=False,
    flag_value=STDOUT,
    help="Write it as JSON; without FILE, to standard output.",
    shell_complete=suggestions.files,
)
def par(
    book: str,
    options: tuple[str, ...],
    settings: tuple[str, ...],
    decks: int | None,
    any_decks: bool,
    page: Path | None,
    workbook: Path | None,
    data: str | None,
) -> None:
    """Make the PAR sheet of BOOK: what every wager pays, how often, by which clauses and readings, the house edge, the
    element of risk, the volatility, and how many rounds tell a fault from luck.

    Say where it goes with --html, --xlsx and --json; all three may be asked for at once.
    """
    if page is None and workbook is None and data is None:
        raise click.UsageError("say what to make: --html FILE, --xlsx FILE or --json")
    _check_apart({"--html": page, "--xlsx": workbook, "--json": None if data in (None, STDOUT) else Path(str(data))})
    try:
        chosen = chosen_settings(book, options, settings, decks, any_decks=any_decks)
        sheet = make_sheet(load_study(book, chosen, decks, any_decks=any_decks))
    except CompositionError as error:
        raise click.ClickException(str(error)) from None
    made: list[tuple[Path, bytes]] = []
    if page is not None:
        from casinowar.reports.par import html

        made.append((page, html.render(sheet).encode()))
    if workbook is not None:
        from casinowar.reports.par import xlsx

        made.append((workbook, xlsx.render(sheet)))
    if data is not None:
        text = json.dumps(as_data(sheet), indent=1)
        if data == STDOUT:
            put(text)
        else:
            made.append((Path(data), f"{text}\n".encode()))
    for path, content in made:
        _write(path, content)
        say(f"{path}: {len(content):,} bytes")


def _check_apart(files: Mapping[str, Path | None]) -> None:
    """Refuse one file for two sheets; a device, such as /dev/null, can take any number."""
    seen: dict[Path, str] = {}
    for option, path in files.items():
        if path is None or (path.exists() and not path.is_file()):
            continue
        where = path.resolve()
        if where in seen:
            raise click.UsageError(f"{seen[where]} and {option} name the same file, {clip(path)}: give each its own")
        seen[where] = option


def _write(path: Path, content: bytes) -> None:
    """Write a sheet, all or nothing: one that is there stays whole until the new one is.

    A device is written as it is.
    """
    if not path.name:
        raise click.UsageError("name a file to write to")
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(content)
            return
        try:
            beside.write_bytes(content)
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise click.ClickException(f"{path}: {error.strerror or error}") from None
