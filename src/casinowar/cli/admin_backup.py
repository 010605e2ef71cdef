"""`casinowar admin backup` and `casinowar admin restore`: copies of a house, and the way back."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from casinowar.cli.terminal import suggestions
from casinowar.cli.terminal.house_path import HousePath
from casinowar.cli.terminal.output import put, say

if TYPE_CHECKING:
    from casinowar.web.backup.backup import BackupList
    from casinowar.web.backup.restoration import Restoration

DATABASE = "CASINOWAR_DATABASE"
"""The variable with the URL, which may hold a password: the words of a command can be read by everybody."""

FOLDER = HousePath(path_type=Path, file_okay=False)


@click.command(short_help="Back up log, accounts and key, also while the server runs.")
@click.argument("target", metavar="FILE|FOLDER", type=HousePath(path_type=Path))
@click.option(
    "--data", "folder", metavar="DIR", type=FOLDER, help="The data folder of the server, if not the usual one."
)
@click.option(
    "--database", metavar="URL", envvar=DATABASE, help="The house elsewhere, as in serve: postgresql://USER@HOST/NAME."
)
@click.pass_context
def backup(ctx: click.Context, /, target: Path, folder: Path | None, database: str | None) -> None:
    """Back up a house to a new FOLDER, or to one FILE whose name ends in .tar, also while its server runs.

    A backup is the same whether the house is in a data folder or in PostgreSQL, and can be restored to either.

    It holds the log with the seeds of the shoes in play, the accounts with the hashes of passwords, and the key that
    signs checkpoints: keep it where nobody else can read it.
    """
    from casinowar.cli.serve import database_place
    from casinowar.store import data_folder
    from casinowar.web.backup.backup import BackupRefused, back_up
    from casinowar.web.run import Place

    place = Place.in_folder(folder or data_folder(), database_place(database, ctx))
    try:
        listed = back_up(place, target)
    except BackupRefused as error:
        raise click.ClickException(str(error)) from None
    put(f"{target}: {_count_words(listed)}")


@click.command(short_help="Restore a backup where there is no house.")
@click.argument("source", metavar="BACKUP", type=HousePath(path_type=Path, exists=True))
@click.option("--data", "folder", metavar="DIR", type=FOLDER, help="The folder to restore to, if not the usual one.")
@click.option(
    "--database", metavar="URL", envvar=DATABASE, help="Restore to an empty database: postgresql://USER@HOST/NAME."
)
@click.option(
    "--checkpoint",
    "kept",
    metavar="FILE",
    multiple=True,
    help="Checkpoints kept elsewhere; may repeat.",
    shell_complete=suggestions.files,
)
@click.pass_context
def restore(
    ctx: click.Context, /, source: Path, folder: Path | None, database: str | None, kept: tuple[str, ...]
) -> None:
    """Restore BACKUP to a data folder without a house, and audit all of it before it is put in place.

    With --database the log and the accounts go to that database, which must be empty, and the key to the data folder.

    Exit status 1 says that the audit found something, with a line for each thing, and that nothing was restored. With
    a checkpoint that was given out after the backup, the audit finds that the log ends too early.
    """
    from casinowar.cli.audit import name_of
    from casinowar.cli.serve import database_place
    from casinowar.store import StoreError, StoreFailed, data_folder
    from casinowar.web.backup.backup import BackupRefused
    from casinowar.web.backup.restoration import staged
    from casinowar.web.run import KEY_FILE

    target = folder or data_folder()
    url = database_place(database, ctx)
    if isinstance(url, Path):
        raise click.BadParameter("write postgresql://USER@HOST/NAME", ctx, param_hint="--database")
    try:
        with staged(source, target, is_for_database=url is not None) as found:
            findings = _findings(found, kept)
            if not findings:
                found.check_accounts()
                keys = found.keys()
                shoes = found.shoes_in_play()
                if url is None:
                    found.put_in_place()
                else:
                    found.put_into_database(url)
    except (BackupRefused, StoreError, StoreFailed) as error:
        is_usual = url is not None and ctx.get_parameter_source("database") is ParameterSource.ENVIRONMENT
        raise click.ClickException(f"{error}{f' ({DATABASE} names it)' if is_usual else ''}") from None
    for finding in findings:
        put(finding)
    if findings:
        say(f"casinowar admin restore: nothing was restored: {len(findings)} things are wrong in {source}")
        ctx.exit(1)
    put(f"{name_of(url or target)}: {_count_words(found.listed)}; the audit found nothing wrong")
    if url is not None:
        say(f"note: the key that signs checkpoints is {target / KEY_FILE}: serve needs it beside the database")
    say(
        f"note: the log ends at checkpoint {found.listed.checkpoint}, and what was done later is gone. Checkpoints that"
    )
    say("      were given out later do not fit it: casinowar audit --checkpoint FILE tells that of each of them")
    if len(keys) > 1:
        say(f"note: {len(keys) - 1} other keys have signed checkpoints before: {', '.join(keys[1:])}")
    if shoes:
        say(f"note: shoes were in play at {', '.join(shoes)}. Who saw their cards after the backup knows what comes:")
        say("      have a shuffle ordered at these tables before anybody plays")


def _findings(found: "Restoration", kept: tuple[str, ...]) -> list[str]:
    from casinowar.cli.audit import audit_file

    verdict = audit_file(found.place.store, found.keys(), kept)
    return [f"{one['where']}: {one['what']}" for one in verdict["findings"]]


def _count_words(listed: "BackupList") -> str:
    at = f"{datetime.fromtimestamp(listed.at / 1000, UTC):%Y-%m-%d %H:%M:%S} UTC"
    size = sum(file.bytes for file in listed.files.values())
    return f"{listed.events:,} events and {listed.commands:,} commands as of {at}, {size / 1e6:,.1f} MB"
