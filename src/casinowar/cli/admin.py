"""`casinowar admin`: the accounts of a live house and their roles, while its server runs and while it does not."""

import json
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from getpass import GetPassWarning, getpass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from casinowar.cli.admin_backup import DATABASE, backup, restore
from casinowar.cli.terminal import suggestions
from casinowar.cli.terminal.command_group import CommandGroup
from casinowar.cli.terminal.house_path import HousePath
from casinowar.cli.terminal.options import json_option
from casinowar.cli.terminal.output import put, say
from casinowar.cli.terminal.text_tables import refold, rows

if TYPE_CHECKING:
    from casinowar.web.accounts.accounts import Account, Accounts
    from casinowar.web.accounts.role_requests import DatedRequest

Command = Callable[..., None]
SQLITE = "sqlite:///"
"""A log elsewhere: the accounts are in the data folder all the same."""


MOST_BYTES = 4_096
"""Bytes of a password that are read."""

ACCOUNT, REQUEST = "casinowar-account/1", "casinowar-request/1"
WITHIN = "a running server takes it in within a second"


def data(command: Command) -> Command:
    """The options that all commands share."""
    folder = HousePath(path_type=Path, file_okay=False)
    told = click.option(
        "--data", "folder", metavar="DIR", type=folder, help="The data folder of the server, if not the usual one."
    )(command)
    return click.option(
        "--database", metavar="URL", envvar=DATABASE, expose_value=False, callback=_note_database,
        help="The accounts in a database: postgresql://USER@HOST/NAME.",
    )(told)  # fmt: skip


def _note_database(ctx: click.Context, _: click.Parameter, url: str | None) -> None:
    ctx.meta[DATABASE] = url


reason = click.option("--reason", metavar="TEXT", required=True, help="Why, for the log.")
from_stdin = click.option("--password-stdin", is_flag=True, help="Read the password from standard input.")
json_flag = json_option(help="Print them as JSON.")


@click.group(cls=CommandGroup, invoke_without_command=True, subcommand_metavar="COMMAND [ARGS]...")
@click.pass_context
def admin(ctx: click.Context) -> None:
    """Keep a live house: its accounts, their roles, and its backups.

    The roles are dealer, supervisor, manager, operator and auditor. Every request is kept, with who made it and why.
    """
    if ctx.invoked_subcommand is None:
        say(ctx.get_help())
        ctx.exit(2)


admin.add_command(backup)
admin.add_command(restore)


@admin.command(short_help="Add an account.")
@click.argument("name")
@from_stdin
@data
def add(name: str, password_stdin: bool, folder: Path | None) -> None:
    """Add the account NAME. The password is asked for."""
    with _accounts(folder, may_be_new=True) as accounts:
        accounts.check_free(name)
        accounts.register(name, _read_password(password_stdin))
        put(f"{name} added")


@admin.command(short_help="Set the password of an account.")
@click.argument("name")
@from_stdin
@data
def password(name: str, password_stdin: bool, folder: Path | None) -> None:
    """Set the password of the account NAME and end its sessions. The password is asked for."""
    with _accounts(folder) as accounts:
        account = accounts.known(name)
        accounts.set_password(account.name, _read_password(password_stdin))
    put(f"{account.name} has a new password, and is logged out")


@admin.command(short_help="Grant a role.")
@click.argument("name")
@click.argument("role", shell_complete=suggestions.roles)
@reason
@data
def grant(name: str, role: str, reason: str, folder: Path | None) -> None:
    """Grant ROLE to the account NAME."""
    _request(
        folder,
        name,
        f"gets {role}; {WITHIN}",
        lambda accounts, known: accounts.request_staff_role(known, role, True, _operator(), reason),
    )


@admin.command(short_help="Revoke a role.")
@click.argument("name")
@click.argument("role", shell_complete=suggestions.roles)
@reason
@data
def revoke(name: str, role: str, reason: str, folder: Path | None) -> None:
    """Revoke ROLE of the account NAME."""
    _request(
        folder,
        name,
        f"loses {role}; {WITHIN}",
        lambda accounts, known: accounts.request_staff_role(known, role, False, _operator(), reason),
    )


@admin.command(short_help="Lock an account.")
@click.argument("name")
@reason
@data
def lock(name: str, reason: str, folder: Path | None) -> None:
    """End the sessions of the account NAME, and let nobody log in to it."""
    _request(folder, name, f"is locked; {WITHIN}", lambda accounts, known: accounts.lock(known, _operator(), reason))


@admin.command(short_help="Unlock an account.")
@click.argument("name")
@reason
@data
def unlock(name: str, reason: str, folder: Path | None) -> None:
    """Let the account NAME log in again."""
    _request(folder, name, "is not locked", lambda accounts, known: accounts.unlock(known, _operator(), reason))


@admin.command("accounts", short_help="List the accounts.")
@click.option("--guests", is_flag=True, help="List guests too.")
@json_flag
@data
def accounts_(guests: bool, as_json: bool, folder: Path | None) -> None:
    """List the accounts with the roles that were asked for, and when they were last seen (UTC, to the minute)."""
    from casinowar.web.accounts.role_requests import staff_roles

    with _accounts(folder) as accounts:
        listed = [one for one in accounts.everybody() if guests or not one.is_guest]
        roles = staff_roles(accounts.role_requests())
        found = [_line(one, sorted(roles.get(one.name, ())), accounts.is_locked(one.name)) for one in listed]
    if as_json:
        put(json.dumps([{"format": ACCOUNT, **one} for one in found], indent=1))
    else:
        table = [[one["name"], " ".join(one["roles"]) or "-", one["seen"], one["state"]] for one in found]
        put("\n".join(rows([["name", "roles", "last seen", "state"], *table], left=4)))


@admin.command(short_help="Show what was asked for, by whom and why.")
@json_flag
@data
def log(as_json: bool, folder: Path | None) -> None:
    """Show every grant, revocation and lock in order, with who asked for it and why."""
    import msgspec

    with _accounts(folder) as accounts:
        requests = accounts.role_requests()
    if as_json:
        put(json.dumps([{"format": REQUEST, **msgspec.to_builtins(one)} for one in requests], indent=1))
    else:
        put(refold("\n".join(map(_request_line, requests)) or "nothing was asked for"))


def _request(folder: Path | None, name: str, done: str, request: Callable[["Accounts", str], int]) -> None:
    """Send a request about an account, and tell its number and what comes of it."""
    with _accounts(folder) as accounts:
        known = accounts.known(name).name
        number = request(accounts, known)
    put(f"request {number}: {known} {done}")


@contextmanager
def _accounts(folder: Path | None, *, may_be_new: bool = False) -> Iterator["Accounts"]:
    """The accounts of a data folder. What they or the file refuse is one line."""
    from casinowar.cli.audit import name_of
    from casinowar.store import StoreError, StoreFailed, data_folder
    from casinowar.web.accounts.accounts import FILE, Accounts
    from casinowar.web.accounts.refusals import AccountRefused

    url = click.get_current_context().meta.get(DATABASE)
    path: Path | str = (data_folder() if folder is None else folder) / FILE
    if url is not None and not url.startswith(SQLITE):  # As in serve, where the folder has the key alone then.
        path = _postgres(url)
    try:
        is_new = not _is_there(path)
        if is_new and not may_be_new:
            raise click.ClickException(f"{name_of(path)}: there are no accounts yet")
        with closing(Accounts(path)) as accounts:
            yield accounts
        if is_new:
            say(f"casinowar admin: {name_of(path)} is new")
    except (AccountRefused, StoreError, StoreFailed) as error:
        raise click.ClickException(str(error)) from None


def _is_there(place: Path | str) -> bool:
    """Whether anybody has made accounts there: to open them would make them."""
    if isinstance(place, Path):
        return place.exists()
    from casinowar.store.postgres.migrate import is_migrated

    return is_migrated(place)


def _postgres(url: str) -> str:
    if not url.startswith(("postgresql://", "postgres://")):
        raise click.ClickException("--database is a postgresql://USER@HOST/NAME; for files name --data")
    return url


@admin.command(short_help="Bring a database up to this program.")
@click.option("--database", metavar="URL", envvar=DATABASE, required=True, help="postgresql://USER@HOST/NAME")
def migrate(database: str) -> None:
    """Make or renew the tables of a PostgreSQL database: its owner does it once, and after each new version.

    A server does it at its start as well, where it may.
    """
    from casinowar.store import StoreError, StoreFailed

    _postgres(database)
    from casinowar.store.commit import wall_clock
    from casinowar.store.postgres.migrate import migrate_database

    try:
        done = migrate_database(database, wall_clock())
    except (StoreError, StoreFailed) as error:
        raise click.ClickException(str(error)) from None
    put(
        f"{done} {'migration was' if done == 1 else 'migrations were'} run"
        if done
        else "nothing to do: it is up to date"
    )


@admin.command(short_help="Copy a house to a database, or back.")
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
def copy(source: str, target: str) -> None:
    """Copy a house, log and accounts, FROM a data folder TO a PostgreSQL database or back.

    Each is a folder or a postgresql://USER@HOST/NAME. The server must be stopped. TO must be empty: nothing is
    written over. Both sides are audited. The key of the checkpoints is a file, and stays where it is.
    """
    from casinowar.store import StoreError, StoreFailed
    from casinowar.web.backup.house_copy import CopyRefused, copy_house

    try:
        for line in copy_house(source, target):
            put(line)
    except (CopyRefused, StoreError, StoreFailed) as error:
        raise click.ClickException(str(error)) from None


def _read_password(from_stdin: bool) -> str:
    """A new password: typed at the terminal without echo, or from standard input; never from the arguments."""
    return _read_stdin() if from_stdin else _read_terminal()


def _read_stdin() -> str:
    """The first line of standard input, or all of it where it has no end of line."""
    line = sys.stdin.buffer.readline(MOST_BYTES)
    try:
        return line.decode("utf-8").removesuffix("\n").removesuffix("\r")
    except UnicodeDecodeError:
        raise click.ClickException("the password on standard input is not UTF-8") from None


def _read_terminal() -> str:
    """The password typed at the terminal, twice, since what is typed cannot be seen."""
    if not sys.stdin.isatty():
        raise click.ClickException("there is no terminal to ask for the password: use --password-stdin")
    with warnings.catch_warnings():
        warnings.simplefilter("error", GetPassWarning)
        try:
            typed = getpass("Password: ")
            again = getpass("Again: ")
        except GetPassWarning:
            raise click.ClickException("this terminal would show the password: use --password-stdin") from None
    if typed != again:
        raise click.ClickException("the two passwords differ: nothing was changed")
    return typed


def _operator() -> str:
    """The operator's name: that of the operating system's account, which the environment cannot change."""
    try:
        from pwd import getpwuid

        return f"admin:{getpwuid(os.getuid()).pw_name}"
    except ImportError:
        return f"admin:{os.getlogin()}"
    except KeyError:
        return f"admin:{os.getuid()}"


def _line(account: "Account", roles: list[str], is_locked: bool) -> dict[str, Any]:
    state = "locked" if is_locked else "guest" if account.is_guest else "open"
    return {"name": account.name, "roles": roles, "seen": _moment(account.seen_at), "state": state}


def _request_line(request: "DatedRequest") -> str:
    if request.role == "player":
        what = f"{'unlocked' if request.is_granted else 'locked'} {request.account}"
    elif request.is_granted:
        what = f"granted {request.role} to {request.account}"
    else:
        what = f"revoked {request.role} of {request.account}"
    return f"{request.number}  {_moment(request.at)}  {request.by} {what}: {request.reason}"


def _moment(at: int) -> str:
    return f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d %H:%M}" if at else "long ago"
