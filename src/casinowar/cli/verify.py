"""`casinowar verify FILE|URL...`: check exported shoes and say what is wrong where."""

import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from casinowar.cli.output import put, say
from casinowar.cli.reading import read_file, read_stream

if TYPE_CHECKING:
    from casinowar.fairness import ExportedShoe
    from casinowar.fairness.check import Finding

ONE_SHOE = "what you noted is of one shoe: name one file, or the URL of one shoe"


@click.command()
@click.argument("files", nargs=-1, metavar="FILE|URL...")
@click.option("--commitment", metavar="HEX", help="The commitment that you noted.")
@click.option("--root", metavar="HEX", help="The root that you noted before the first wager.")
@click.option("--seal", metavar="HEX", help="The seal that you noted: commitment, entropy and root in one.")
@click.option("--entropy", metavar="HEX", help="The entropy that you added.")
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
@click.option("--script", is_flag=True, help="Print verify_shoe.py, which checks the same with Python alone.")
@click.pass_context
def verify(ctx: click.Context, /, files: tuple[str, ...], as_json: bool, script: bool, **noted: str | None) -> None:
    """Check exported shoes; `-` reads one from standard input.

    A URL is that of one shoe, http://HOST/api/tables/TABLE/shoes/3, or of a table, whose shoes are all checked against
    each other and its list.

    Several files are the shoes of one table, one after the other, in their order. A file alone shows that it agrees
    with itself; what you noted at the table shows that it is the shoe you played. Exit status 1 says that something is
    wrong, 2 that there is no exported shoe.
    """
    if script == bool(files):
        raise click.UsageError("name a file or a URL, or --script", ctx)
    if script:
        put(_script().rstrip("\n"))
        return
    if any(noted.values()) and len(files) > 1:
        raise click.UsageError(ONE_SHOE, ctx)
    checked = _checked(files, {name: value.lower() for name, value in noted.items() if value})
    put(json.dumps({"format": "casinowar-verdict/1", "shoes": checked}, indent=1) if as_json else _told(checked))
    wrong = sum(not one["agrees"] for one in checked)
    if wrong:
        say(f"casinowar verify: {wrong} of {len(checked)} shoes {'is' if wrong == 1 else 'are'} not as sealed")
        ctx.exit(1)


def _script() -> str:
    from importlib.resources import files

    return (files("casinowar.fairness") / "verify_shoe.py").read_text(encoding="utf-8")


def _checked(files: tuple[str, ...], noted: dict[str, str]) -> list[dict[str, Any]]:
    """Of each shoe only what the next ones are held against is kept: a series may be long."""
    import msgspec

    from casinowar.fairness.check import Noted, check_series, check_shoe, notes

    checked: list[dict[str, Any]] = []
    series: list[ExportedShoe] = []
    for name, shoe, listed in (one for file in files for one in _shoes(file)):
        if noted and series:
            raise click.ClickException(ONE_SHOE)
        series.append(msgspec.structs.replace(shoe, dealt=()))
        checked.append(
            {
                "file": name,
                "shoe": shoe.shoe,
                "fate": shoe.fate,
                "cards": sum(shoe.counts),
                "agrees": True,
                "findings": [*check_shoe(shoe, Noted(**noted)), *listed],
                "notes": notes(shoe),
            }
        )
    for one, beside in zip(checked, check_series(series), strict=True):
        one["findings"] = [{"where": found.where, "what": found.what} for found in (*one["findings"], *beside)]
        one["agrees"] = not one["findings"]
    return checked


def _told(checked: list[dict[str, Any]]) -> str:
    lines = []
    for one in checked:
        lines += [f"{one['file']}: {found['where']}: {found['what']}" for found in one["findings"]]
        if one["agrees"]:
            lines.append(f"{one['file']}: shoe {one['shoe']} agrees ({one['cards']} cards, {one['fate']})")
        lines += [f"  note: {note}" for note in one["notes"]]
    return "\n".join(lines)


def _shoes(file: str) -> "Iterator[tuple[str, ExportedShoe, list[Finding]]]":
    """What a name stands for: one shoe of a file, or those of a URL, each with what a list says otherwise."""
    from casinowar.cli.fetching import FetchError, is_address

    if not is_address(file):
        yield _name(file), _read(file), []
        return
    from casinowar.cli.published import published_shoes

    try:
        yield from published_shoes(file)
    except FetchError as error:
        raise click.ClickException(str(error)) from None


def _read(file: str) -> "ExportedShoe":
    from casinowar.fairness import load_shoe

    what = "an exported shoe"
    try:
        content = read_stream(sys.stdin.buffer, what) if file == "-" else read_file(file, what)
        return load_shoe(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise click.ClickException(f"{_name(file)}: not UTF-8 at byte {error.start}") from None
    except OSError as error:
        raise click.ClickException(f"{_name(file)}: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise click.ClickException(f"{_name(file)}: {error}") from None


def _name(file: str) -> str:
    return "standard input" if file == "-" else file
