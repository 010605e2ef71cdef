"""`casinowar replay FILE`: run a round record and tell what came of it."""

import json
import sys
from pathlib import Path
from typing import Any

import click

from casinowar.cli.terminal.inputs import read_file, read_stream
from casinowar.cli.terminal.output import put, say


@click.command()
@click.argument("file")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@click.option("--strict", is_flag=True, help="Stop at the first refused act, with exit status 1.")
@click.pass_context
def replay(ctx: click.Context, file: str, as_json: bool, strict: bool) -> None:
    """Replay the round record FILE, TOML or JSON; `-` reads JSON from standard input.

    A record that cannot be understood is exit status 2. An act that is not allowed is refused and listed, and the
    replay goes on. The path of a house rulebook is seen from the record's own folder.
    """
    from casinowar.records import parse_record, result
    from casinowar.records import replay as run
    from casinowar.records.narrative import tell, tell_refusal

    try:
        record = parse_record(_located(_read(file), file))
        replayed = run(record, is_strict=strict)
    except (ValueError, RecursionError) as error:
        raise click.ClickException(f"{_name(file)}: {error}") from None
    put(json.dumps(result(replayed), indent=1) if as_json else tell(record, replayed))
    if strict and replayed.refusals:
        say(f"{_name(file)}: {tell_refusal(record, replayed.refusals[0], replayed.rulebook)}")
        ctx.exit(1)


def _name(file: str) -> str:
    return "standard input" if file == "-" else file


def _read(file: str) -> dict[str, Any]:
    """The data of a record. The suffix says what the file holds; without a known one, its first character does."""
    from casinowar.records import read_json, read_toml

    text = _text(file)
    suffix = file.rpartition(".")[2].lower()
    if file == "-" or suffix == "json" or (suffix != "toml" and text.lstrip().startswith("{")):
        return read_json(text)
    return read_toml(text)


def _located(data: dict[str, Any], file: str) -> dict[str, Any]:
    """A house rulebook's path is seen from the folder of the record, or from here where that comes from a pipe."""
    from casinowar.rulebooks.files import find_book

    book = data.get("rulebook")
    if file == "-" or not isinstance(book, str):
        return data
    return {**data, "rulebook": find_book(book, Path(file).parent)}


def _text(file: str) -> str:
    try:
        content = read_stream(sys.stdin.buffer, "a record") if file == "-" else read_file(file, "a record")
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8 at byte {error.start}") from None
    except OSError as error:
        raise ValueError(error.strerror or str(error)) from None
