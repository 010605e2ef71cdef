"""The resumed night of real cards: its record is played again, act by act."""

from pathlib import Path

import click

from casinowar.cli.terminal.inputs import read_file
from casinowar.dealers import RealTable
from casinowar.records import parse_record, read_json, read_toml
from casinowar.rulebooks.files import find_book

OPENING = ("book", "options", "players", "minimum", "maximum", "unit", "meter", "save")
"""Options that the record answers already."""


def refuse_opening(context: click.Context) -> None:
    """A night that goes on was opened already, and is kept where it is."""
    for option in context.command.params:
        source = context.get_parameter_source(option.name or "")
        if option.name in OPENING and source is not click.core.ParameterSource.DEFAULT:
            raise click.UsageError(f"--resume goes on with the night as it was opened: leave out {option.opts[0]}")


def read_night(path: Path) -> tuple[RealTable, str]:
    """The table as the record left it, and its rulebook as named from here."""
    if path.suffix not in (".toml", ".json"):
        raise click.BadParameter("name a file that ends in .toml or .json", param_hint="--resume")
    try:
        text = read_file(str(path), "a record").decode("utf-8-sig")
        data = (read_toml if path.suffix == ".toml" else read_json)(text)
        if isinstance(data.get("rulebook"), str):
            data["rulebook"] = find_book(data["rulebook"], path.parent)
        return RealTable.resumed(parse_record(data), data.get("acts", [])), data["rulebook"]
    except OSError as error:
        raise click.BadParameter(f"{path}: {error.strerror or error}", param_hint="--resume") from None
    except (ValueError, RecursionError) as error:
        raise click.BadParameter(f"{path}: {error}", param_hint="--resume") from None
