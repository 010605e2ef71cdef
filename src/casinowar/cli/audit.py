"""`casinowar audit`: verify a live house's database from its first event to its last, also while the server runs."""

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from casinowar.cli.terminal.output import put, say

if TYPE_CHECKING:
    from casinowar.store import Checkpoint, Store

MOST_TOLD = 100
"""Findings that are printed; JSON has them all."""


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--data", metavar="DIR", type=click.Path(path_type=Path), help="The data folder of the server.")
@click.option("--key", metavar="FILE|HEX", help="The public key that signs checkpoints.")
@click.option("--checkpoint", "kept", metavar="FILE", multiple=True, help="Checkpoints kept elsewhere; may repeat.")
@click.option("--rounds", type=click.IntRange(min=0), metavar="N", help="Replay N rounds chosen by chance, not all.")
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
@click.pass_context
def audit(
    ctx: click.Context,
    /,
    file: Path | None,
    data: Path | None,
    key: str | None,
    kept: tuple[str, ...],
    rounds: int | None,
    as_json: bool,
) -> None:
    """Verify the database of a live house: FILE, or the one in the data folder.

    Its chains and checkpoints, its money, every command decided again, every sealed shoe, every round replayed, and
    whether staff had the roles they used. Exit status 1 says that something is wrong, with a line and a place for each
    thing, and 2 that there is nothing to audit.

    Keep checkpoints elsewhere and name them here: only they tell whether the end of the log was cut off, or all of it
    written anew.
    """
    if file is not None and data is not None:
        raise click.UsageError("name a file or --data, not both", ctx)
    path = file or in_folder(data)
    verdict = _verdict(path, key, kept, rounds)
    put(json.dumps(verdict, indent=1, ensure_ascii=False) if as_json else _verdict_text(verdict))
    wrong = len(verdict["findings"])
    if wrong:
        say(f"casinowar audit: {wrong} {'thing is' if wrong == 1 else 'things are'} wrong in {path}")
        ctx.exit(1)


def in_folder(folder: Path | None) -> Path:
    """The database in a data folder, or in the usual one."""
    from casinowar.store import data_folder
    from casinowar.web.run import Place

    return Place.in_folder(folder or data_folder()).store


def _verdict(path: Path, key: str | None, kept: tuple[str, ...], rounds: int | None) -> dict[str, Any]:
    from casinowar.audit.snapshot import AuditedStore, NoStore, check_file, orphans
    from casinowar.cli.verify.checkpoints import public_keys, read_checkpoints
    from casinowar.store import StoreError, StoreFailed

    checkpoints = [one for name in kept for one in read_checkpoints(name)]
    keys = () if key is None else public_keys(key)
    try:
        check_file(path)
        store = AuditedStore(path)
    except NoStore as error:
        raise click.ClickException(str(error)) from None
    except (StoreError, StoreFailed) as error:
        findings = [{"where": one.where, "what": one.what} for one in orphans(path)]
        findings.append({"where": str(path), "what": str(error)})
        return _format(findings, {}, ["the store does not open: nothing else was looked at"])
    try:
        return _run_audit(store, keys, checkpoints, rounds)
    finally:
        store.close()


def _run_audit(store: "Store", keys: tuple[str, ...], kept: "list[Checkpoint]", rounds: int | None) -> dict[str, Any]:
    import msgspec

    from casinowar.audit import Audit
    from casinowar.store import kind_of_chains

    progress = _progress()
    audited = Audit(store, keys, kept, rounds, progress)
    findings = [{"where": one.where, "what": one.what} for one in audited.findings()]
    progress("")
    verdict = _format(findings, msgspec.to_builtins(audited.counts), audited.notes, audited.remarks)
    return {**verdict, "chains": kind_of_chains(store)}


def _progress() -> Callable[[str], None]:
    """A writer of one line that is written over, where standard error is a terminal."""
    if not sys.stderr.isatty():
        return lambda text: None

    def show(text: str) -> None:
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()

    return show


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
    findings = verdict["findings"]
    lines = [f"{one['where']}: {one['what']}" for one in findings[:MOST_TOLD]]
    if len(findings) > MOST_TOLD:
        lines.append(f"and {len(findings) - MOST_TOLD} more: --json has them")
    if not findings:
        lines.append(f"all is well: {_count_words(verdict['counts'])}; chains {verdict['chains']}")
    notes = [f"note: {note}" for note in (*verdict["remarks"], *verdict["notes"])]
    return "\n".join([*lines, *notes])


def _count_words(counts: dict[str, int]) -> str:
    told = ("events", "commands", "tables", "rounds", "shoes", "checkpoints")
    rest = "" if counts["replayed"] == counts["rounds"] else f" ({counts['replayed']} of the rounds replayed)"
    return ", ".join(f"{counts[name]} {name}" for name in told) + rest
