"""`casinowar audit`: verify a live house's database from its first event to its last, also while the server runs."""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from casinowar.cli.terminal import suggestions
from casinowar.cli.terminal.house_path import HousePath
from casinowar.cli.terminal.output import put, say

if TYPE_CHECKING:
    from casinowar.audit.database import AuditedDatabase
    from casinowar.audit.snapshot import AuditedStore
    from casinowar.store import Checkpoint, Store

BAR = 24
SHOWN_S = 0.1
"""The progress is drawn anew after so long."""


@click.command()
@click.argument("file", required=False, type=HousePath(path_type=Path))
@click.option("--data", metavar="DIR", type=HousePath(path_type=Path), help="The data folder of the server.")
@click.option("--database", metavar="URL", envvar="CASINOWAR_DATABASE", help="A database: postgresql://USER@HOST/NAME.")
@click.option(
    "--key",
    "keys",
    metavar="FILE|HEX",
    multiple=True,
    help="The public key that signs checkpoints, or a file with it, or the server's checkpoints.key; may repeat.",
    shell_complete=suggestions.files,
)
@click.option(
    "--checkpoint",
    "kept",
    metavar="FILE",
    multiple=True,
    help="Checkpoints kept elsewhere; may repeat.",
    shell_complete=suggestions.files,
)
@click.option(
    "--since",
    metavar="FILE",
    help="A checkpoint up to which all was audited before: replay what follows.",
    shell_complete=suggestions.files,
)
@click.option("--rounds", type=click.IntRange(min=0), metavar="N", help="Replay N rounds chosen by chance, not all.")
@click.option("--records", is_flag=True, help="Write every round that is replayed as a round record; much slower.")
@click.option(
    "--jobs", type=click.IntRange(1, 256), metavar="N", help="Processes for a file; as many as there are cores."
)
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
@click.pass_context
def audit(
    ctx: click.Context,
    /,
    file: Path | None,
    data: Path | None,
    database: str | None,
    keys: tuple[str, ...],
    kept: tuple[str, ...],
    since: str | None,
    rounds: int | None,
    records: bool,
    jobs: int | None,
    as_json: bool,
) -> None:
    """Verify the database of a live house: FILE, or the one in the data folder.

    Its chains and checkpoints, its money, every command decided again, every sealed shoe, every round replayed, and
    whether staff had the roles they used. Exit status 1 says that something is wrong, with a line and a place for each
    thing, and 2 that there is nothing to audit.

    Keep checkpoints elsewhere and name them here: only they tell whether the end of the log was cut off, or all of it
    written anew. With --since, what a checkpoint covers is hashed and not replayed: that takes little time, and still
    finds whatever was changed there.
    """
    path = place_of(file, data, database)
    if jobs is not None and isinstance(path, str):
        raise click.UsageError("--jobs is for a file: a database is audited by one process", ctx)
    verdict = _verdict(
        path, tuple(map(_signing_key, keys)), kept, since, {"rounds": rounds, "records": records, "jobs": jobs}
    )
    put(json.dumps(verdict, indent=1, ensure_ascii=False) if as_json else _verdict_text(verdict))
    wrong = len(verdict["findings"])
    if wrong:
        say(f"casinowar audit: {wrong} {'thing is' if wrong == 1 else 'things are'} wrong in {name_of(path)}")
        ctx.exit(1)


def place_of(file: Path | None, folder: Path | None, database: str | None) -> Path | str:
    """The file that is named, or the database, or the file in a data folder: of these one at most is named."""
    ctx = click.get_current_context()
    is_usual = ctx.get_parameter_source("database") is ParameterSource.ENVIRONMENT
    if sum(one is not None for one in (file, folder, None if is_usual else database)) > 1:
        raise click.UsageError("name one of FILE, --data and --database", ctx)
    if file is not None and file.is_dir():
        raise click.UsageError(f"{file} is a folder: name it by --data", ctx)
    if file is not None or folder is not None or database is None:
        if database is not None:
            say(f"{ctx.command_path}: CASINOWAR_DATABASE is left out: this is of a file")
        return file or in_folder(folder)
    if database.startswith(("postgresql://", "postgres://")):
        return database
    if not database.startswith("sqlite:///"):  # It is not told: it may hold a password.
        raise click.BadParameter("write sqlite:///PATH or postgresql://USER@HOST/NAME", param_hint="--database")
    return Path(database.removeprefix("sqlite:///"))


def name_of(place: Path | str) -> str:
    """The place as it may be told: the URL of a database without its password."""
    if isinstance(place, Path):
        return str(place)
    from casinowar.store.postgres.connection import shown

    return shown(place)


def open_audited(place: Path | str, *, is_awaited: bool = True) -> "AuditedStore | AuditedDatabase":
    """The store in a file or a database as it stands at one moment."""
    if isinstance(place, Path):
        from casinowar.audit.snapshot import AuditedStore, check_file

        check_file(place)
        return AuditedStore(place, is_awaited=is_awaited)
    from casinowar.audit.database import AuditedDatabase
    from casinowar.audit.snapshot import NoStore
    from casinowar.store.postgres.migrate import is_migrated

    if not is_migrated(place):
        raise NoStore(f"{name_of(place)} holds no house")
    return AuditedDatabase(place)


def in_folder(folder: Path | None) -> Path:
    """The database in a data folder, or in the usual one."""
    from casinowar.store import data_folder
    from casinowar.web.run import Place

    return Place.in_folder(folder or data_folder()).store


def audit_file(path: Path, keys: tuple[str, ...], kept: tuple[str, ...]) -> dict[str, Any]:
    """The verdict on a database whose checkpoints these public keys have signed, all of its rounds replayed."""
    return _verdict(path, keys, kept, None, {"rounds": None, "records": False, "jobs": None})


def _verdict(
    path: Path | str, keys: tuple[str, ...], kept: tuple[str, ...], since: str | None, options: dict[str, Any]
) -> dict[str, Any]:
    from casinowar.audit.processes import prepare_workers
    from casinowar.audit.snapshot import NoStore, check_file, orphans, unwritten
    from casinowar.store import StoreError, StoreFailed

    checkpoints = [one for name in kept for one in _read_checkpoints(name)]
    try:
        if isinstance(path, Path):
            check_file(path)
        with ExitStack() as stack:
            stack.enter_context(unwritten(path))
            workers = prepare_workers(path, options["jobs"]) if isinstance(path, Path) else None
            if workers is not None:
                stack.callback(workers.close)
            store = stack.enter_context(closing(open_audited(path, is_awaited=since is not None)))
            begin = None if since is None else _beginning(store, since, keys, _read_checkpoints(since))
            try:
                return _run_audit(store, keys, checkpoints, {**options, "since": begin, "workers": workers})
            except (StoreError, StoreFailed) as error:
                store.await_check()
                return _format([_of_place(path, error)], {}, ["the audit came to no end"])
    except NoStore as error:
        raise click.ClickException(str(error)) from None
    except (StoreError, StoreFailed) as error:
        if isinstance(path, str) and isinstance(error, StoreFailed):  # A database that lets nobody in is no finding.
            raise click.ClickException(str(error)) from None
        findings = [{"where": one.where, "what": one.what} for one in (orphans(path) if isinstance(path, Path) else ())]
        findings.append(_of_place(path, error))
        return _format(findings, {}, ["the store does not open: nothing else was looked at"])


def _of_place(path: Path | str, error: Exception) -> dict[str, str]:
    """The finding that an error is, which may name the place itself."""
    place = name_of(path)
    return {"where": place, "what": str(error).removeprefix(f"{place}: ")}


def _read_checkpoints(name: str) -> "list[Checkpoint]":
    from casinowar.cli.verify.checkpoints import read_checkpoints

    return read_checkpoints(name)


def _signing_key(key: str) -> str:
    from casinowar.cli.verify.checkpoints import signing_key

    return signing_key(key)


def _beginning(store: "Store", name: str, keys: tuple[str, ...], found: "list[Checkpoint]") -> "Checkpoint":
    """The last checkpoint of the file, which the house must have signed."""
    from casinowar.store.checkpoints import is_signed

    last = max(found, key=lambda one: one.number)
    if last.identity != store.identity:
        raise click.ClickException(f"--since {name}: checkpoint {last.number} is of another store")
    if not any(is_signed(last, key) for key in keys or (last.key,)):
        raise click.ClickException(f"--since {name}: the signature of checkpoint {last.number} does not hold")
    return last


def _run_audit(
    store: "Store", keys: tuple[str, ...], kept: "list[Checkpoint]", options: dict[str, Any]
) -> dict[str, Any]:
    import msgspec

    from casinowar.audit import Audit
    from casinowar.audit.processes import ease_collection

    ease_collection()
    with progress_bar() as show:
        audited = Audit(store, keys, kept, progress=show if sys.stderr.isatty() else None, **options)
        findings = [{"where": one.where, "what": one.what} for one in audited.findings()]
    verdict = _format(findings, msgspec.to_builtins(audited.counts), audited.notes, audited.remarks)
    return {**verdict, "chains": _chains_of(store)}


def _chains_of(store: "Store") -> str:
    from casinowar.store import kind_of_chains

    try:
        return kind_of_chains(store)
    except Exception:  # Rows that cannot be read are among the findings.
        return "unknown"


@contextmanager
def progress_bar() -> Iterator[Callable[[int, int], None]]:
    """A line that is written over with the rounds that are done, where standard error is a terminal."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    begin, drawn = monotonic(), 0.0

    def show(done: int, total: int) -> None:
        nonlocal drawn
        now = monotonic()
        if now - drawn >= SHOWN_S:
            drawn = now
            sys.stderr.write(f"\r\x1b[K{bar(done, total, now - begin)}")
            sys.stderr.flush()

    try:
        yield show
    finally:
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()


def bar(done: int, total: int, seconds: float) -> str:
    """`[####----] 1,200 of 3,000 rounds, 1,000 a second, 2 s left`."""
    full = BAR * min(done, total) // total if total else BAR
    bar = f"[{'#' * full}{'-' * (BAR - full)}] {done:,} of {total:,} rounds"
    if not done or not seconds:
        return bar
    left = max(total - done, 0) * seconds / done
    return f"{bar}, {done / seconds:,.0f} a second, {f'{left:.0f} s' if left < 100 else f'{left / 60:.0f} min'} left"


def _format(
    findings: list[dict[str, str]], counts: dict[str, int], notes: list[str], remarks: Sequence[str] = ()
) -> dict[str, Any]:
    return {
        "format": "casinowar-audit/1",
        "agrees": not findings,
        "counts": counts,
        "findings": findings,
        "notes": notes,
        "remarks": list(remarks),
    }


def _verdict_text(verdict: dict[str, Any]) -> str:
    """The verdict in lines: every kind of finding at every table, and JSON has each of them."""
    from casinowar.audit.findings import Finding, brief_lines

    findings = [Finding(**one) for one in verdict["findings"]]
    lines = brief_lines(findings)
    if len(lines) < len(findings):
        lines.append("--json has all of them")
    if not findings:
        lines.append(f"all is well: {_count_words(verdict['counts'])}; chains {verdict['chains']}")
    notes = [f"note: {note}" for note in (*verdict["remarks"], *verdict["notes"])]
    return "\n".join([*lines, *notes])


def _count_words(counts: dict[str, int]) -> str:
    told = ("events", "commands", "tables", "rounds", "shoes", "checkpoints")
    rest = "" if counts["replayed"] == counts["rounds"] else f" ({counts['replayed']} of the rounds replayed)"
    return ", ".join(f"{counts[name]} {name}" for name in told) + rest
