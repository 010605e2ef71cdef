"""`casinowar serve`: live tables for everybody who can reach this machine, or for this machine alone."""

import logging
from pathlib import Path
from typing import TYPE_CHECKING

import click

from casinowar.cli.terminal.options import parse_settings
from casinowar.cli.terminal.output import put, say

if TYPE_CHECKING:
    from casinowar.house.settings import HouseSettings
    from casinowar.web.http.limits import Limits

SQLITE = "sqlite:///"


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at; 0.0.0.0 for all.")
@click.option("--port", type=click.IntRange(0, 65_535), default=8080, show_default=True, help="Or the next free one.")
@click.option("--data", type=click.Path(file_okay=False, path_type=Path), help="The folder for everything kept.")
@click.option("--database", metavar="URL", help="The log elsewhere: sqlite:///PATH.")
@click.option("--tables", metavar="FILE", help="Which tables there are; without it one for each rulebook.")
@click.option("--open/--no-open", "opens", default=True, show_default=True, help="Show the page in a browser.")
@click.option("--behind-tls", is_flag=True, help="A proxy on this machine speaks TLS to the world.")
@click.option("--hall", is_flag=True, help="All come through one router: no narrow limits by address.")
@click.option("--limit", "limits", metavar="KEY=N", multiple=True, help="Change a limit; may repeat.")
@click.option("--access-log", is_flag=True, help="Tell every request on standard error.")
@click.pass_context
def serve(
    ctx: click.Context,
    /,
    host: str,
    port: int,
    data: Path | None,
    database: str | None,
    tables: str | None,
    opens: bool,
    behind_tls: bool,
    hall: bool,
    limits: tuple[str, ...],
    access_log: bool,
) -> None:
    """Serve live tables with play money. Ctrl-C closes the house in order, and a second one at once."""
    from casinowar.store import StoreError, StoreFailed, data_folder
    from casinowar.web.http.address import format_address, is_everywhere, listen, open_page
    from casinowar.web.http.page_files import how_to_build
    from casinowar.web.run import Place, open_server, run

    _tell_logs(access_log)
    place = Place.in_folder(data or data_folder(), _database(database, ctx))
    settings, bounds = _house(tables), _limits(limits, hall, ctx)
    try:
        with open_server(place, settings, bounds, is_behind_tls=behind_tls) as server:
            try:
                listener = listen(host, port)
            except OSError as error:
                raise click.ClickException(f"{host}:{port}: {error.strerror or error}") from None
            taken = int(listener.getsockname()[1])
            page = format_address("127.0.0.1" if is_everywhere(host) else host, taken)

            def ready() -> None:
                _tell_addresses(host, port, taken, page, behind_tls)
                unbuilt = how_to_build()
                if unbuilt:
                    say(f"casinowar serve: {unbuilt}")
                if opens:
                    open_page(page)

            run(server, listener, ready)
    except (StoreError, StoreFailed, ValueError) as error:
        raise click.ClickException(str(error)) from None
    say("casinowar serve: closed")


def _tell_addresses(host: str, asked: int, port: int, page: str, is_behind_tls: bool) -> None:
    from casinowar.web.http.address import format_address, is_everywhere, is_loopback, network_address

    if asked not in (0, port):
        say(f"casinowar serve: port {asked} is taken; this is {port}")
    put(page)
    if is_everywhere(host):
        found = network_address()
        if found is not None:
            put(format_address(found, port))
    if not is_loopback(host) and not is_behind_tls:
        say(
            "casinowar serve: warning: this is plain HTTP: whoever shares the network can read and change "
            "what is sent, passwords too"
        )
    say("casinowar serve: Ctrl-C to close")


def _tell_logs(access_log: bool) -> None:
    """Log warnings and worse to standard error, and requests if the option says so, without their queries."""
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    logging.getLogger("casinowar.access").setLevel(logging.INFO if access_log else logging.WARNING)


def _database(url: str | None, ctx: click.Context) -> Path | None:
    if url is None:
        return None
    if not url.startswith(SQLITE) or url == SQLITE:
        raise click.BadParameter("only SQLite is served so far: write sqlite:///PATH", ctx, param_hint="--database")
    return Path(url.removeprefix(SQLITE))


def _house(tables: str | None) -> "HouseSettings":
    from casinowar.house.settings import HouseSettings
    from casinowar.house.settings_file import default_table_faults, default_tables, load_tables
    from casinowar.rulebooks.load import faults

    if tables is None:
        for fault in (*faults().values(), *default_table_faults()):
            say(f"casinowar serve: a book cannot be used: {fault}")
        return HouseSettings(tables=default_tables())
    try:
        return load_tables(tables)
    except ValueError as error:
        raise click.ClickException(str(error)) from None


def _limits(texts: tuple[str, ...], is_hall: bool, ctx: click.Context) -> "Limits":
    """The limits of the preset, with those that were changed by hand."""
    import msgspec

    from casinowar.web.http.errors import safe_words
    from casinowar.web.http.limits import HALL, USUAL, Limits

    preset = msgspec.to_builtins(HALL if is_hall else USUAL)
    try:
        return msgspec.convert({**preset, **parse_settings(texts, "--limit", "sockets_per_address=200")}, Limits)
    except msgspec.ValidationError as error:
        known = ", ".join(Limits.__struct_fields__)
        told = f"{safe_words(error)}: write KEY=N, N from 1 to 1000000; there are {known}"
        raise click.BadParameter(told, ctx, param_hint="--limit") from None
