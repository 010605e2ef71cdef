"""`casinowar replay FILE`: run a round record and tell what came of it."""

import json
from pathlib import Path
from typing import Any

import click

from casinowar.cli.terminal import suggestions
from casinowar.cli.terminal.options import json_option
from casinowar.cli.terminal.output import put, say
from casinowar.cli.terminal.user_files import name_of, read_text
from casinowar.records import parse_record, read_json, read_toml, result
from casinowar.records import replay as replay_record
from casinowar.records.narrative import tell, tell_refusal
from casinowar.rulebooks.files import find_book


@click.command()
@click.argument("file", shell_complete=suggestions.files)
@json_option(help="Print the result as JSON.")
@click.option("--strict", is_flag=True, help="Stop at the first refused act, with exit status 1.")
@click.pass_context
def replay(ctx: click.Context, file: str, as_json: bool, strict: bool) -> None:
    """Replay the round record FILE, TOML or JSON; `-` reads JSON from standard input.

    A record that cannot be understood is exit status 2. An act that is not allowed is refused and listed, and the
    replay goes on. The path of a house rulebook is seen from the record's own folder.
    """
    try:
        record = parse_record(_locate_book(_read(file), file))
        replayed = replay_record(record, is_strict=strict)
    except (ValueError, RecursionError) as error:
        raise click.ClickException(f"{name_of(file)}: {error}") from None
    put(json.dumps(result(replayed), indent=1) if as_json else tell(record, replayed))
    if strict and replayed.refusals:
        say(f"{name_of(file)}: {tell_refusal(record, replayed.refusals[0], replayed.rulebook)}")
        ctx.exit(1)


def _read(file: str) -> dict[str, Any]:
    """The data of a record. The suffix says what the file holds; without a known one, its first character does."""
    text = read_text(file, "a record")
    suffix = file.rpartition(".")[2].lower()
    if file == "-" or suffix == "json" or (suffix != "toml" and text.lstrip().startswith("{")):
        return read_json(text)
    return read_toml(text)


def _locate_book(data: dict[str, Any], file: str) -> dict[str, Any]:
    """The record with its book's path: it is seen from the folder of the record, or from here where that comes from a
    pipe."""
    book = data.get("rulebook")
    if file == "-" or not isinstance(book, str):
        return data
    return {**data, "rulebook": find_book(book, Path(file).parent)}
