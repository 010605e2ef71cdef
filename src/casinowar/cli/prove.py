"""`casinowar prove`: show to somebody without the database that checkpoints go on from each other."""

from contextlib import closing
from pathlib import Path

import click

from casinowar.cli.terminal import suggestions
from casinowar.cli.terminal.house_path import HousePath
from casinowar.cli.terminal.output import put


@click.command()
@click.argument("file", required=False, type=HousePath(path_type=Path))
@click.option("--data", metavar="DIR", type=HousePath(path_type=Path), help="The data folder of the server.")
@click.option("--database", metavar="URL", envvar="CASINOWAR_DATABASE", help="A database: postgresql://USER@HOST/NAME.")
@click.option(
    "--checkpoint",
    "kept",
    metavar="FILE",
    help="A checkpoint that somebody kept: the last one in the file.",
    shell_complete=suggestions.files,
)
@click.option("--table", metavar="STREAM", help="Show how far this table's log had come.")
@click.pass_context
def prove(
    ctx: click.Context,
    /,
    file: Path | None,
    data: Path | None,
    database: str | None,
    kept: str | None,
    table: str | None,
) -> None:
    """Write a proof from the database of a live house: FILE, or the one in the data folder.

    With --checkpoint it shows that the last checkpoint goes on from that one, with --table what version a table's log
    had reached by the time it was signed. `casinowar verify PROOF` checks it without any database.
    """
    if kept is None and table is None:
        raise click.UsageError("name --checkpoint or --table, or both", ctx)
    from casinowar.audit.snapshot import NoStore, unwritten
    from casinowar.cli.audit import open_audited, place_of
    from casinowar.cli.verify.checkpoints import read_checkpoints
    from casinowar.store import StoreError, StoreFailed
    from casinowar.store.envelope import canonical
    from casinowar.store.tree_proofs import NoProof, make_proof

    path = place_of(file, data, database)
    older = None if kept is None else read_checkpoints(kept)[-1]
    try:
        with unwritten(path), closing(open_audited(path)) as store:
            proof = make_proof(store, older, table)
    except (NoStore, NoProof, StoreError, StoreFailed) as error:
        raise click.ClickException(str(error)) from None
    put(canonical(proof).decode())
