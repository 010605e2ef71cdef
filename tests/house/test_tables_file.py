"""The tables file: what it means, and that every mistake in it is one line with table, key and what to do."""

import re
import tomllib
from pathlib import Path

import pytest

from casinowar.engine.commands import Limit
from casinowar.engine.view import Viewer
from casinowar.house.house import House
from casinowar.house.journal import STREAM
from casinowar.house.settings import USUAL_LIMIT, BotSettings, HouseSettings, TableSettings, Timers
from casinowar.house.settings_checks import RESERVED
from casinowar.house.settings_file import TablesFileError, default_tables, load_tables
from casinowar.house.table.visibility import live_view
from casinowar.store import MemoryStore

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "tables.toml"
NZ = '[[tables]]\nname = "a"\nrulebook = "nz"\n'


def written(folder: Path, text: str | bytes) -> Path:
    file = folder / "tables.toml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return file


def loaded(folder: Path, text: str) -> HouseSettings:
    return load_tables(written(folder, text))


def fault(folder: Path, text: str | bytes) -> str:
    """The error's one line, without the file that it begins with."""
    file = written(folder, text)
    with pytest.raises(TablesFileError) as error:
        load_tables(file)
    told = str(error.value)
    assert told.isprintable()
    assert told.startswith(f"{file}: ")
    return told.removeprefix(f"{file}: ")


# What it means


def test_the_example_says_what_its_comments_say() -> None:
    house = load_tables(EXAMPLE)
    assert (house.currency, house.minor_digits, house.guest_purse) == ("fun chips", 2, 50_000)
    main, vegas, bank = house.tables
    assert main.load_rules().shoe.decks == 8
    assert main.limits == {"tie": Limit(minimum=500, maximum=5_000, unit=500)}
    assert (main.timers.betting, main.timers.decision, main.timers.cut) == (12, 15, Timers().cut)
    assert main.bots == (BotSettings(strategy="war", box=2),)
    assert (vegas.load_rules().payout.war["on_tie"], vegas.dealer, vegas.timeout) == ("1:1", "human", "wait")
    assert bank.bots == (BotSettings(strategy="surrender", box=8), BotSettings(strategy="bank"))


def test_what_is_left_out_has_the_default_of_the_settings(tmp_path: Path) -> None:
    house = loaded(tmp_path, NZ)
    (table,) = house.tables
    assert house == HouseSettings(tables=(table,))
    assert (table.limit, table.dealer, table.timeout) == (USUAL_LIMIT, "automatic", "surrender")


def test_a_file_of_house_values_alone_has_a_table_for_every_book(tmp_path: Path) -> None:
    house = loaded(tmp_path, "guest_purse = 5\n")
    assert house.guest_purse == 5
    assert [table.rulebook for table in house.tables] == ["nz", "wa", "ctg", "ca", "ma"]


def test_a_house_rulebook_is_seen_from_the_file_and_not_from_where_the_server_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "books").mkdir()
    (tmp_path / "books" / "club.toml").write_text('extends = "nz"\n[war]\nburn = 0\n', encoding="utf-8")
    written(tmp_path, NZ.replace('"nz"', '"books/club.toml"'))
    monkeypatch.chdir(tmp_path)
    (table,) = load_tables("tables.toml").tables
    monkeypatch.chdir("/")
    assert table.load_rules().war.burn == 0


def test_an_option_may_be_written_in_one_word_or_as_a_table(tmp_path: Path) -> None:
    for options in ("shoe.decks = 8", '"shoe.decks" = 8', "shoe = { decks = 8 }"):
        (table,) = loaded(tmp_path, f"{NZ}[tables.options]\n{options}\n").tables
        assert table.options == {"shoe.decks": 8}


def test_limits_of_a_wager_take_the_rest_from_the_default_limit(tmp_path: Path) -> None:
    (table,) = loaded(tmp_path, f"{NZ}limits.tie.maximum = 1_000\n").tables
    assert table.limits["tie"] == Limit(minimum=500, maximum=1_000, unit=500)


def test_a_wager_at_the_minimum_off_the_unit_is_played_as_placed_in_western_australia(tmp_path: Path) -> None:
    """WA 5.7(b) speaks of wagers above the minimum; the house refuses the same limits in New Zealand."""
    limits = "limit = { minimum = 700, maximum = 5_000, unit = 500 }\n"
    assert loaded(tmp_path, NZ.replace("nz", "wa") + limits).tables[0].limit.minimum == 700
    assert "not a multiple of the unit [the book is silent; house default]" in fault(tmp_path, NZ + limits)


def test_the_house_opens_the_tables_of_the_example() -> None:
    """Nothing that the file is let through with may fail when the server starts."""
    house = House(MemoryStore(), load_tables(EXAMPLE))
    assert [line.name for line in house.lobby()] == ["main", "vegas", "bank"]
    assert {seat.box: seat.strategy for seat in live_view(house.tables["bank"], Viewer("watcher")).seats}[
        8
    ] == "surrender"
    assert RESERVED == STREAM
    house.close()


def test_a_bot_with_a_box_of_its_own_gets_it(tmp_path: Path) -> None:
    settings = loaded(tmp_path, NZ + "bots = [{ strategy = 'war' }, { strategy = 'tie', box = 1 }]")
    house = House(MemoryStore(), settings)
    seats = {seat.box: seat.strategy for seat in live_view(house.tables["a"], Viewer("watcher")).seats}
    assert seats[1] == "tie"
    assert sorted(filter(None, seats.values())) == ["tie", "war"]
    house.close()


# Mistakes, in the order of the checks: (text of the file, the whole line or its parts)
HOUSE = {
    "empty": ("", "the file is empty: write [[tables]] with name and rulebook"),
    "one bracket": ("[tables]\nname = 'a'", "tables: begin each table with [[tables]], in two brackets"),
    "unknown house key": ("guest_purs = 5", "guest_purs: unknown key: did you mean guest_purse?"),
    "a key like none": ("zzzz = 5", "zzzz: unknown key: there are currency, minor_digits, "),
    "a key of a table": ("rulebook = 'nz'", "rulebook: unknown key: there are currency"),
    "an amount with a point": (
        "guest_purse = 5.00",
        "guest_purse = 5.0: write a whole number of minor units, 0 or more, without a point",
    ),
    "an amount as text": ("guest_purse = '5.00'", "guest_purse = '5.00': write a whole number of minor units"),
    "an amount below zero": ("refill = -1", "refill = -1: write a whole number of minor units, 0 or more"),
    "too many digits": ("minor_digits = 5", "minor_digits = 5: write a whole number from 0 to 4"),
    "truth for a number": ("minor_digits = true", "minor_digits = true: write a whole number from 0 to 4"),
    "a date": ("currency = 2020-01-01", "currency = datetime.date(2020, 1, 1): write a short text"),
    "no currency": ("currency = ' '", "currency: write one line of at most 40 characters"),
    "two lines of currency": ('currency = "a\\nb"', "currency: write one line of at most 40 characters"),
}

TABLE = {
    "no table": ("tables = [3]", "table number 1: write a table with name, rulebook"),
    "no name": ("[[tables]]\nrulebook = 'nz'", "table number 1: name is missing: write 1 to 40 letters"),
    "no rulebook": ("[[tables]]\nname = 'a'", "table a: rulebook is missing: write nz, wa, ctg, ca, ma, or the path"),
    "a name with a slash": ("[[tables]]\nname = 'a/b'\nrulebook = 'nz'", "table a/b: name = 'a/b': write 1 to 40"),
    "unknown table key": (NZ + "titel = 'x'", "table a: titel: unknown key: did you mean title?"),
    "an owner": (NZ + "owner = 'ana'", "table a: owner: unknown key: there are name"),
    "unknown timer": (NZ + "timers.decison = 5", "table a: timers.decison: unknown key: did you mean decision?"),
    "a timer as text": (
        NZ + "timers.decision = '5s'",
        "table a: timers.decision = '5s': write seconds, a number from 0 to 86400",
    ),
    "a timer without end": (NZ + "timers.decision = inf", "table a: timers.decision = inf: write seconds"),
    "a timer that is no number": (NZ + "timers.cut = nan", "table a: timers.cut = nan: write seconds"),
    "a timer before now": (NZ + "timers.cut = -1", "table a: timers.cut = -1: write seconds, a number from 0"),
    "timers are no table": (NZ + "timers = 5", "table a: timers: write a table with betting, decision"),
    "unknown timeout": (NZ + "timeout = 'wars'", "table a: timeout = 'wars': write surrender, war or wait"),
    "unknown dealer": (NZ + "dealer = 'robot'", "table a: dealer = 'robot': write automatic, human or real"),
    "unknown strategy": (
        NZ + "bots = [{ strategy = 'hope' }]",
        "table a: bots[1].strategy = 'hope': write war, surrender, tie or bank",
    ),
    "bots by number": (NZ + "bots = 3", "table a: bots = 3: write a list of tables, as in [[tables.bots]]"),
    "a list of words": (NZ + "bots = ['war']", "table a: bots[1]: write a table with strategy, box"),
    "limits are no table": (NZ + "limits = 5", "table a: limits = 5: write a table of limits by wager"),
    "unknown part of a limit": (NZ + "limit.max = 5", "table a: limit.max: unknown key: did you mean maximum?"),
    "a limit as text": (NZ + "limit.minimum = '5'", "table a: limit.minimum = '5': write a whole number of minor"),
    "options are no table": (NZ + "options = 8", "table a: options = 8: write a table of the book's options"),
    "a title of two lines": (NZ + 'title = "a\\nb"', "table a: title: write one line of at most 80 characters"),
}

RULES = {
    "unknown rulebook": (
        NZ.replace('"nz"', '"xx"'),
        "table a: rulebook: unknown rulebook 'xx': choose one of nz, wa, ctg, ca, ma, or give the path",
    ),
    "no such file": (NZ.replace('"nz"', '"no.toml"'), "no.toml: No such file or directory"),
    "unknown option": (
        NZ + "options.shoe.deks = 8",
        "table a: options: unknown leaf shoe.deks: did you mean shoe.decks?",
    ),
    "an option the book forbids": (
        NZ + "options.shoe.decks = 3",
        "table a: options: nz does not allow shoe.decks = 3 (NZ-3.4a): allowed 4, 5, 6, 7, 8",
    ),
    "the house's own name": (NZ.replace('"a"', '"House"'), "table House: name: house is the house's own: give the"),
    "war for a player whom a person deals to": (
        NZ + "timeout = 'war'\ndealer = 'human'",
        "table a: timeout = war: a dealer who is not automatic waits for the player: write wait, or leave it out",
    ),
    "no time for a second signature": (
        NZ + "timers.signature = 0",
        "table a: timers.signature = 0: too short for anybody to sign: write seconds, a number from 1 to 86400",
    ),
    "less than a second for it": (NZ + "timers.signature = 0.9", "table a: timers.signature = 0.9: too short for"),
    "limits of a war": (NZ + "limits.war.maximum = 5_000", "table a: limits.war: no wager of nz with limits of its"),
    "limits of a wager that is not offered": (
        NZ + "limits.a_bomb.maximum = 5_000",
        "table a: limits.a_bomb: no wager of nz with limits of its own: those are initial, tie",
    ),
    "unit of nothing": (NZ + "limit.unit = 0", "table a: limit.unit = 0: write 1 or more"),
    "beyond exact numbers": (NZ + f"limit.maximum = {2**53}", "write an amount below 9007199254740992"),
    "maximum below minimum": (
        NZ + "limit = { minimum = 500, maximum = 400 }",
        "table a: limit.maximum = 400: is below the minimum of 500",
    ),
    "side maximum below minimum": (
        NZ + "limits.tie.maximum = 400",
        "table a: limits.tie.maximum = 400: is below the minimum of 500",
    ),
    "minimum off the unit": (
        NZ + "limit = { minimum = 700, maximum = 5_000, unit = 500 }",
        "table a: limit.minimum = 700: a wager of the minimum would be refused: the wager is not a multiple of the "
        "unit [the book is silent; house default]",
    ),
    "minimum off the unit in the first edition": (
        NZ.replace('"nz"', '"nz@1"') + "limit = { minimum = 700, maximum = 5_000, unit = 500 }",
        "table a: limit.minimum = 700: a wager of the minimum would be refused: the wager is not a multiple of the "
        "unit [NZ-5.1]",
    ),
    "odd minimum where wagers are even": (
        NZ + "limit = { minimum = 5, maximum = 99 }\noptions.limits.require_even = true",
        "table a: limit.minimum = 5: a wager of the minimum would be refused: the wager must be an even amount "
        "[the book is silent; house default]",
    ),
    "odd minimum where wagers are even in the first edition": (
        NZ.replace('"nz"', '"nz@1"') + "limit = { minimum = 5, maximum = 99 }\noptions.limits.require_even = true",
        "table a: limit.minimum = 5: a wager of the minimum would be refused: the wager must be an even amount "
        "[NZ-1.2-SUR]",
    ),
    "no amount in its steps": (
        NZ + "limit = { minimum = 0, maximum = 200, unit = 300 }",
        "table a: limit.unit = 300: nobody could bet in such steps below the maximum",
    ),
    "area maximum above the table's": (
        NZ + "limit = { minimum = 5, maximum = 99 }\noptions.limits.area_total_max = 100",
        "table a: limit: the table cannot be opened: the area's maximum is above the table's [NZ-5.10-i]",
    ),
    "area maximum below the minimum": (
        NZ + "options.limits.area_total_max = 100",
        "table a: limit.minimum = 500: a wager of the minimum would be refused: the wagers on the area would exceed "
        "its maximum [NZ-5.10-i]",
    ),
    "a meter without a progressive": (NZ + "meter = 5", "table a: meter: nz has no progressive here: leave it out"),
    "a meter below zero": (
        NZ.replace("nz", "ma") + "options.wager.progressive = true\nmeter = -1",
        "table a: meter = -1: write an amount of 0 or more in minor units",
    ),
    "more bots than boxes": (
        NZ + f"bots = [{', '.join(['{}'] * 8)}]",
        "table a: bots: 8 of them, and the table has 7 boxes [NZ-3.1-i]: name no more than that",
    ),
    "a bot beyond the boxes": (NZ + "bots = [{ box = 8 }]", "table a: bots[1].box = 8: write 1 to 7 [NZ-3.1-i]"),
    "two bots on a box": (
        NZ + "bots = [{ box = 2 }, { box = 2 }]",
        "table a: bots[2].box = 2: another bot has that box: write another, or leave it out",
    ),
    "a banker where the house banks": (
        NZ + "bots = [{ strategy = 'bank' }]",
        "table a: bots[1].strategy = bank: nobody but the house banks here: write war, surrender or tie",
    ),
    "a name twice": (NZ + NZ, "table a: name: another table has it: give each a name of its own"),
    "a name in capitals too": (NZ + NZ.replace('"a"', '"A"'), "table A: name: another table has it"),
    "one way for the whole casino": (
        NZ + NZ.replace('"a"', '"b"') + "options.war.method = 'B'",
        "table b: options: war.method = B (NZ-8.7.1-i, ",
    ),
}


@pytest.mark.parametrize(("text", "line"), HOUSE.values(), ids=HOUSE)
def test_a_mistake_in_the_house(tmp_path: Path, text: str, line: str) -> None:
    assert fault(tmp_path, text).startswith(line)


@pytest.mark.parametrize(("text", "line"), TABLE.values(), ids=TABLE)
def test_a_mistake_in_the_words_of_a_table(tmp_path: Path, text: str, line: str) -> None:
    assert fault(tmp_path, text).startswith(line)


@pytest.mark.parametrize(("text", "line"), RULES.values(), ids=RULES)
def test_what_the_book_does_not_allow(tmp_path: Path, text: str, line: str) -> None:
    assert line in fault(tmp_path, text)


def test_what_is_no_tables_file(tmp_path: Path) -> None:
    assert fault(tmp_path, b"\xff") == "not UTF-8 at byte 0: save it as UTF-8"
    assert fault(tmp_path, "a =").startswith("broken TOML: ")
    assert fault(tmp_path, "a = " + "[" * 100_000).startswith("broken TOML: ")
    assert fault(tmp_path, "a = " + "9" * 5_000).startswith("broken TOML: ")
    assert fault(tmp_path, "#" * (1 << 20) + "\n") == "larger than a tables file can be (1 MiB)"
    with pytest.raises(TablesFileError, match="No such file"):
        load_tables(tmp_path / "none.toml")
    with pytest.raises(TablesFileError, match="directory"):
        load_tables(tmp_path)


def test_what_has_no_end(tmp_path: Path) -> None:
    assert fault(tmp_path, ".".join("a" * 30_000) + " = 1") == "broken TOML: a key has more than 32 dots"
    with pytest.raises(TablesFileError, match="not a regular file"):
        load_tables("/dev/zero")


def test_a_name_cannot_break_the_line(tmp_path: Path) -> None:
    assert fault(tmp_path, '[[tables]]\nname = "a\\nb\\u001b[31m"\nrulebook = "nz"').startswith(
        "table a\\nb\\x1b[31m: "
    )


def test_the_page_about_it_names_every_key_and_its_example_loads(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "tables.md").read_text(encoding="utf-8")
    first = page.split("```toml\n")[1].split("```")[0]
    assert loaded(tmp_path, first).tables
    house = tomllib.loads(first)
    assert "tables" in house
    for kind in (HouseSettings, TableSettings, Timers, BotSettings, Limit):
        for key in set(kind.__struct_fields__) - {"owner"}:
            assert f"`{key}`" in page or f"`{key}." in page, key


def test_the_houses_own_tables_offer_what_the_lobby_promises_of_their_books() -> None:
    """One for each book; that of Massachusetts has its progressive, which is the operator's to offer (MA-11a)."""
    books = {one.rulebook: one.load_rules() for one in default_tables()}
    assert sorted(books) == ["ca", "ctg", "ma", "nz", "wa"]
    assert books["ma"].wager.progressive


@pytest.mark.parametrize(
    ("book", "least", "told"),
    [
        ("nz", "1000", "bank_minimum: nobody but the house banks here: leave it out"),
        ("ca", "0", "bank_minimum = 0: write 1 or more, below 9007199254740992"),
        ("ca", "5.5", "bank_minimum = 5.5: write a whole number of minor units, 0 or more, without a point"),
    ],
)
def test_the_least_stake_of_a_bank_is_an_amount_where_players_bank(
    tmp_path: Path, book: str, least: str, told: str
) -> None:
    with pytest.raises(TablesFileError, match=re.escape(told)):
        loaded(tmp_path, f'[[tables]]\nname = "t"\nrulebook = "{book}"\nbank_minimum = {least}\n')
