"""`casinowar serve`: live tables for everybody who can reach this machine, or for this machine alone."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from casinowar.cli.serve_logs import log_options, open_logs
from casinowar.cli.serve_tls import load_certificate, tls_options
from casinowar.cli.terminal import suggestions
from casinowar.cli.terminal.house_path import HousePath
from casinowar.cli.terminal.key_values import parse_settings
from casinowar.cli.terminal.output import put, say

if TYPE_CHECKING:
    from casinowar.house.settings import HouseSettings
    from casinowar.web.event_log import Form
    from casinowar.web.http.limits import Limits

SQLITE = "sqlite:///"
POSTGRES = ("postgresql://", "postgres://")


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at; 0.0.0.0 for all.")
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=8080,
    show_default=True,
    help="Or the next free one; behind a proxy this one alone.",
)
@click.option("--data", type=HousePath(file_okay=False, path_type=Path), help="The folder for everything kept.")
@click.option(
    "--database",
    metavar="URL",
    envvar="CASINOWAR_DATABASE",
    help="The log elsewhere: sqlite:///PATH, or log and accounts in postgresql://USER@HOST/NAME.",
)
@click.option(
    "--peer-address",
    metavar="HOST:PORT",
    default="127.0.0.1:0",
    show_default=True,
    help="Where other servers on the same PostgreSQL database reach this one; port 0 is any free one.",
)
@click.option(
    "--tables",
    metavar="FILE",
    help="Which tables there are; without it one for each rulebook.",
    shell_complete=suggestions.files,
)
@click.option("--open/--no-open", "opens", default=True, show_default=True, help="Show the page in a browser.")
@click.option("--behind-tls", is_flag=True, help="A proxy on this machine speaks TLS to the world.")
@tls_options
@click.option("--hall", is_flag=True, help="All come through one router: no narrow limits by address.")
@click.option(
    "--limit",
    "limits",
    metavar="KEY=N",
    multiple=True,
    help="Change a limit; may repeat.",
    shell_complete=suggestions.limits,
)
@click.option("--new-key", is_flag=True, help="Sign with another key than before, where the house's own is lost.")
@click.option("--access-log", is_flag=True, help="Log every request.")
@log_options
@click.pass_context
def serve(
    ctx: click.Context,
    /,
    host: str,
    port: int,
    data: Path | None,
    database: str | None,
    peer_address: str,
    tables: str | None,
    opens: bool,
    behind_tls: bool,
    cert: Path | None,
    key: Path | None,
    hall: bool,
    limits: tuple[str, ...],
    new_key: bool,
    access_log: bool,
    log_format: "Form",
    log_level: str,
    log_file: Path | None,
) -> None:
    """Serve live tables with play money. Ctrl-C closes the house in order, and a second one at once."""
    from casinowar.store import StoreError, StoreFailed, data_folder
    from casinowar.web.http.address import format_address, is_everywhere, listen, open_page
    from casinowar.web.http.page_files import how_to_build
    from casinowar.web.run import Place, open_server, run

    certificate = load_certificate(cert, key, ctx)
    open_logs(log_format, log_level, log_file, access_log)
    place = Place.in_folder(data or data_folder(), database_place(database, ctx), peer_address)
    settings, bounds = _house(tables), _limits(limits, hall, ctx)
    try:
        with open_server(
            place, settings, bounds, is_behind_tls=behind_tls, certificate=certificate, is_new_key=new_key
        ) as server:
            try:
                # A proxy knows the server by its port, and would not find it at the next one.
                listener = listen(host, port, 0) if behind_tls else listen(host, port)
            except OSError as error:
                raise click.ClickException(f"{host}:{port}: {error.strerror or error}") from None
            taken = int(listener.getsockname()[1])
            is_secure = certificate is not None
            page = format_address("127.0.0.1" if is_everywhere(host) else host, taken, is_secure=is_secure)

            def ready() -> None:
                _tell_addresses(host, port, taken, page, is_safe=behind_tls or is_secure)
                unbuilt = how_to_build()
                if unbuilt:
                    say(f"casinowar serve: {unbuilt}")
                if opens:
                    open_page(page)

            run(server, listener, ready)
    except (StoreError, StoreFailed, ValueError) as error:
        raise click.ClickException(str(error)) from None
    say("casinowar serve: closed")


def _tell_addresses(host: str, asked: int, port: int, page: str, *, is_safe: bool) -> None:
    from casinowar.web.http.address import format_address, is_everywhere, is_loopback, network_address

    if asked not in (0, port):
        say(f"casinowar serve: port {asked} is taken; this is {port}")
    put(page)
    if is_everywhere(host):
        found = network_address()
        if found is not None:
            put(format_address(found, port, is_secure=page.startswith("https:")))
    if not is_loopback(host) and not is_safe:
        say(
            "casinowar serve: warning: this is plain HTTP: whoever shares the network can read and change "
            "what is sent, passwords too"
        )
    say("casinowar serve: Ctrl-C to close")


def database_place(url: str | None, ctx: click.Context) -> Path | str | None:
    """The database that is named by its URL: a file, or PostgreSQL's own URL."""
    if url is None or url.startswith(POSTGRES):
        return url
    if not url.startswith(SQLITE) or url == SQLITE:
        raise click.BadParameter("write sqlite:///PATH or postgresql://USER@HOST/NAME", ctx, param_hint="--database")
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
