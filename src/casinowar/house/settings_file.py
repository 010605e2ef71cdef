"""A tables file: the house's values and its tables in TOML, every mistake told in one line."""

from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar, get_args, get_origin

import msgspec

from casinowar.errors import CasinoWarError
from casinowar.house.settings import USUAL_LIMIT, HouseSettings, Retention, TableSettings, Timers
from casinowar.house.settings_checks import find_fault
from casinowar.rulebooks import Rulebook, RulebookError, conflict, head_of, load_rulebook, sound_books
from casinowar.rulebooks.editions import book_id
from casinowar.rulebooks.files import find_book
from casinowar.rulebooks.toml_files import parse_toml, read_regular
from casinowar.rulebooks.vocabulary import KEYS, unknown

LARGEST = 1 << 20
"""Bytes of a tables file."""

AMOUNT = "a whole number of minor units, 0 or more, without a point"
SECONDS = "seconds, a number from 0 to 86400"
KINDS = {
    "currency": "a short text",
    "minor_digits": "a whole number from 0 to 4",
    **dict.fromkeys(("private_tables", "private_tables_each", "idle_rounds"), "a whole number from 0 to 1000"),
    "name": "1 to 40 letters, digits, points, dashes and underscores, a letter or digit first",
    "rulebook": "{books}, or the path of a house rulebook as seen from this file",
    "title": "a short text",
    "options": "a table of the book's options, as in shoe.decks = 8",
    "dealer": "automatic, human or real",
    "timeout": "surrender, war or wait",
    "strategy": "war, surrender, tie or bank",
    "box": "a whole number",
    **dict.fromkeys(
        ("guest_purse", "refill", "refill_below", "minimum", "maximum", "unit", "meter", "bank_minimum"), AMOUNT
    ),
    **dict.fromkeys(Timers.__struct_fields__, SECONDS),
    **dict.fromkeys(Retention.__struct_fields__, "days, a whole number from 1 to 3650"),
}
"""What is to be written for each key."""

NOT_WRITTEN = "owner"
"""Private tables are opened by players, not by this file."""

T = TypeVar("T", bound=msgspec.Struct)


class TablesFileError(CasinoWarError, ValueError):
    """A tables file has a mistake: the file, the table, the key, and what to write instead."""


def load_tables(path: str | Path) -> HouseSettings:
    """The house as the file has it; a file that names no table has one for every book.

    A house rulebook's path comes out absolute, so that it does not depend on where the server is started, and bots with
    a box of their own come first, so that no other bot is there before them.
    """
    file = Path(path)
    try:
        return _house(_read_toml(file), file.resolve().parent)
    except TablesFileError as error:
        raise TablesFileError(_one_line(f"{file}: {error}")) from None


def default_tables() -> tuple[TableSettings, ...]:
    """The tables of a house that names none: that of every book whose head has a default table."""
    return _default_tables(sound_books())[0]


def default_table_faults() -> tuple[str, ...]:
    """The mistakes in default tables in the heads of the user's own books: one line for each."""
    return _default_tables(sound_books())[1]


def _default_tables(books: tuple[str, ...]) -> tuple[tuple[TableSettings, ...], tuple[str, ...]]:
    tables, faults = [], []
    for number, book in enumerate(books, start=1):
        head = head_of(book)
        if head is None or head.default_table is None:
            continue
        try:
            tables.append(_table({**head.default_table, "name": book, "rulebook": book}, number, Path())[0])
        except TablesFileError as error:
            faults.append(_one_line(f"the default table of the book {book}: {error}"))
    return tuple(tables), tuple(faults)


def _read_toml(file: Path) -> dict[str, Any]:
    try:
        content = read_regular(file, LARGEST)
    except OSError as error:
        raise TablesFileError(error.strerror or str(error)) from None
    if len(content) > LARGEST:
        raise TablesFileError("larger than a tables file can be (1 MiB)")
    try:
        data = parse_toml(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise TablesFileError(f"not UTF-8 at byte {error.start}: save it as UTF-8") from None
    except (ValueError, RecursionError) as error:
        raise TablesFileError(f"broken TOML: {error}") from None
    if not data:
        raise TablesFileError("the file is empty: write [[tables]] with name and rulebook")
    return data


def _house(data: dict[str, Any], folder: Path) -> HouseSettings:
    written = data.get("tables", [])
    if not isinstance(written, list):
        raise TablesFileError("tables: begin each table with [[tables]], in two brackets")
    house = _read(HouseSettings, {key: value for key, value in data.items() if key != "tables"}, "", "")
    if not (house.currency.strip() and house.currency.isprintable() and len(house.currency) <= 40):
        raise TablesFileError("currency: write one line of at most 40 characters")
    tables: dict[str, TableSettings] = {}
    books: list[Rulebook] = []
    for number, one in enumerate(written, start=1):
        table, rules = _table(one, number, folder)
        if table.name.casefold() in tables:
            raise TablesFileError(f"table {table.name}: name: another table has it: give each a name of its own")
        fault = conflict(rules, books)
        if fault:
            raise TablesFileError(f"table {table.name}: options: {fault}")
        tables[table.name.casefold()] = table
        books.append(rules)
    _check_openings(tables)
    return msgspec.structs.replace(house, tables=tuple(tables.values()) or default_tables())


def _check_openings(tables: dict[str, TableSettings]) -> None:
    """Refuse a table whose name is that of an opening: the first opening of a table `late` is told as `late.1`."""
    for name, table in tables.items():
        before, point, number = name.rpartition(".")
        if point and number.isdecimal() and before in tables:
            words = f"an earlier opening of {tables[before].name} is called so: give it another name"
            raise TablesFileError(f"table {table.name}: name: {words}")


def _table(data: object, number: int, folder: Path) -> tuple[TableSettings, Rulebook]:
    name = data.get("name") if isinstance(data, dict) else None
    at = f"table {name}: " if isinstance(name, str) and name else f"table number {number}: "
    table = _read(TableSettings, _with_whole_limits(data), at, "")
    options = _leaves(table.options)
    strange = [key for key in options if key not in KEYS]
    if strange:
        raise TablesFileError(f"{at}options: {unknown(strange[0])}")
    table = msgspec.structs.replace(
        table,
        rulebook=find_book(book_id(table.rulebook), folder),
        options=options,
        bots=tuple(sorted(table.bots, key=lambda bot: bot.box is None)),
    )
    _load(lambda: load_rulebook(table.rulebook), f"{at}rulebook")
    rules = _load(table.load_rules, f"{at}options")
    fault = find_fault(table, rules)
    if fault:
        raise TablesFileError(f"{at}{fault}")
    return table, rules


def _load(load: Callable[[], Rulebook], where: str) -> Rulebook:
    try:
        return load()
    except RulebookError as error:
        raise TablesFileError(f"{where}: {error}") from None


def _with_whole_limits(data: object) -> object:
    """The table's data with whole limits: what a wager's own limits leave out is as in `limit`, as in
    a round record."""
    if not isinstance(data, dict) or not isinstance(data.get("limits"), dict):
        return data
    limit = data.get("limit", msgspec.structs.asdict(USUAL_LIMIT))
    base = limit if isinstance(limit, dict) else {}
    whole = {wager: {**base, **own} if isinstance(own, dict) else own for wager, own in data["limits"].items()}
    return {**data, "limits": whole}


def _leaves(options: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    """The options by key: `shoe.decks = 8` is a table in a table to TOML, and one key here."""
    found: dict[str, Any] = {}
    for part, value in options.items():
        key = prefix + part
        found |= _leaves(value, f"{key}.") if isinstance(value, dict) and key not in KEYS else {key: value}
    return found


def _read(kind: type[T], data: object, at: str, prefix: str) -> T:
    """Read a struct key by key, so that an error can name the key, what stands there and what should."""
    fields = {field.name: field for field in msgspec.structs.fields(kind) if field.name != NOT_WRITTEN}
    if not isinstance(data, dict):
        raise TablesFileError(f"{at}{prefix[:-1]}{': ' if prefix else ''}write a table with {', '.join(fields)}")
    values = {}
    for key, value in data.items():
        if key not in fields:
            near = get_close_matches(key, fields, n=1)
            told = f"did you mean {near[0]}?" if near else f"there are {', '.join(fields)}"
            raise TablesFileError(f"{at}{prefix}{key}: unknown key: {told}")
        values[key] = _value(fields[key].type, value, at, f"{prefix}{key}")
    for key, field in fields.items():
        if field.required and key not in values:
            raise TablesFileError(f"{at}{prefix}{key} is missing: write {_kind(key)}")
    return kind(**values)


def _value(of: Any, value: Any, at: str, key: str) -> Any:
    if isinstance(of, type) and issubclass(of, msgspec.Struct):
        return _read(of, value, at, f"{key}.")
    inner = [one for one in get_args(of) if isinstance(one, type) and issubclass(one, msgspec.Struct)]
    if inner and get_origin(of) is dict and isinstance(value, dict):
        return {name: _read(inner[0], one, at, f"{key}.{name}.") for name, one in value.items()}
    if inner and get_origin(of) is tuple and isinstance(value, list):
        return tuple(_read(inner[0], one, at, f"{key}[{n}].") for n, one in enumerate(value, start=1))
    try:
        return msgspec.convert(value, of)
    except msgspec.ValidationError:
        kinds = "a list of tables, as in [[tables.bots]]" if get_origin(of) is tuple else "a table of limits by wager"
        told = _kind(key.rpartition(".")[2], kinds)
        raise TablesFileError(f"{at}{key} = {_toml_words(value)}: write {told}") from None


def _kind(key: str, otherwise: str = "") -> str:
    return KINDS.get(key, otherwise).replace("{books}", ", ".join(sound_books()))


def _toml_words(value: object) -> str:
    text = {True: "true", False: "false"}[value] if isinstance(value, bool) else repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _one_line(text: str) -> str:
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in text)
