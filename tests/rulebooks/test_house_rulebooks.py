"""House rulebooks: what they may say, how they are found, explained and compared, and that the table plays by them."""

import json
import re
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from casinowar.cli.play import play as play_command
from casinowar.records import parse_record, read_toml, replay, result
from casinowar.rulebooks import BOOKS, RulebookError, load_rulebook
from tests.support.commandline import run
from tests.support.rounds import act, bet, deal, play, surrender, war

EXAMPLES = Path(__file__).parents[2] / "examples"
LAS_VEGAS = str(EXAMPLES / "las_vegas.toml")
HOME_GAME = str(EXAMPLES / "home_game.toml")
PROGRESSIVE_LINES = (
    "suited_four_of_a_kind",
    "suited_double_tie",
    "four_of_a_kind",
    "double_tie",
    "suited_tie",
    "tie",
)


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A configuration folder that is empty, whatever the user has."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    folder = tmp_path / "config" / "casinowar"
    folder.mkdir(parents=True)
    return folder


HELP = ["-h", "--help"]
"""As the whole command line has it: click keeps the option of a command from its first run on."""


def write(folder: Path, text: str, name: str = "club.toml") -> str:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return str(file)


def house(folder: Path, changes: str = "", extends: str = "nz", name: str = "club.toml") -> str:
    return write(folder, f'extends = "{extends}"\n{changes}\n', name)


# The leaves


def test_what_is_not_changed_is_the_parents(tmp_path: Path) -> None:
    club = load_rulebook(house(tmp_path, "war.burn = 0"))
    nz = load_rulebook("nz")
    assert (club.id, club.extends, club.war.burn) == ("club", "nz", 0)
    assert {key for key in nz.leaves if nz.leaves[key] != club.leaves[key]} == {"war.burn"}
    assert club.clauses["war.burn"] == ("HOUSE-war.burn",)


@pytest.mark.parametrize("text", ["[war]\nburn = 0", '"war.burn" = 0', "[war.burn]\nvalue = 0", "war = { burn = 0 }"])
def test_every_way_of_writing_a_leaf(tmp_path: Path, text: str) -> None:
    assert load_rulebook(house(tmp_path, text)).war.burn == 0


def test_a_plain_value_is_no_option_any_more(tmp_path: Path) -> None:
    file = house(tmp_path, "shoe.decks = 8")
    assert load_rulebook(file).shoe.decks == 8
    with pytest.raises(RulebookError, match=r"club fixes shoe\.decks at 8 \(HOUSE-shoe\.decks\): it is no option"):
        load_rulebook(file, {"shoe.decks": 6})


def test_default_and_allowed_make_an_option(tmp_path: Path) -> None:
    file = house(tmp_path, "shoe.decks = { default = 2, allowed = [2, 3] }\nshoe.marker_from_back = 20")
    assert load_rulebook(file).shoe.decks == 2
    assert load_rulebook(file, {"shoe.decks": 3}).shoe.decks == 3
    with pytest.raises(RulebookError, match=r"club does not allow shoe\.decks = 6 .*: allowed 2, 3"):
        load_rulebook(file, {"shoe.decks": 6})


def test_by_hangs_a_leaf_on_another(tmp_path: Path) -> None:
    changes = 'war.burn = { by = "shoe.shuffler", value = { manual = 3, batch_auto = 1 } }'
    file = house(tmp_path, changes)
    assert load_rulebook(file).war.burn == 3
    assert load_rulebook(file, {"shoe.shuffler": "batch_auto"}).war.burn == 1


def test_a_table_plays_by_the_changed_leaf(tmp_path: Path) -> None:
    """Kings tie, queens tie again: the war wager of 1000 pays 3:1 and no card is burned between."""
    file = house(tmp_path, 'war.burn = 0\npayout.war.on_tie = "3:1"')
    played = play(file, "2c Kh Kd Qs Qd", bet("ana", 1, "initial", 1000), deal(), war("ana", 1), deal())
    assert played.dealt() == "burn 2c, box 1 Kh, dealer Kd, box 1 Qs, dealer Qd"
    assert played.gain("ana") == 3 * 1000
    assert played.line("ana", "war")["clauses"] == ["HOUSE-payout.war.on_tie"]
    assert played.line("ana", "initial")["clauses"] == ["NZ-5.5a"]


def test_a_new_wager_brings_what_it_needs(tmp_path: Path) -> None:
    """An ace wager of 500 at 7:1 on the New Zealand game, which has none."""
    changes = """
wager.a_bomb = true
payout.a_bomb = { on_win = "7:1", on_loss = "lose" }
settle.first = ["take then pay tie, a_bomb from right", "take then pay initial from right"]
"""
    bets = (bet("ana", 1, "initial", 1000), bet("ana", 1, "a_bomb", 500))
    played = play(house(tmp_path, changes), "2c Ah Kd", *bets, deal())
    assert played.gain("ana") == 1000 + 7 * 500
    assert play("nz", "2c Ah Kd", *bets, deal()).refusals == [(1, "wager_not_offered")]


def test_a_progressive_can_be_brought_along(tmp_path: Path) -> None:
    lines = "\n".join(
        f'on_{line} = "{odds}:1"' for line, odds in zip(PROGRESSIVE_LINES, range(60, 0, -10), strict=True)
    )
    changes = f"""
wager.progressive = true
[progressive]
unit = 100
seed = 5000
increment_bp = 0
meter_share = "1:1"
envy = 300
[payout.progressive]
{lines}
on_loss = "lose"
"""
    book = house(tmp_path, changes)
    bets = (bet("ana", 1, "initial", 1000), bet("ana", 1, "progressive", 100))
    played = play(book, "2c Kh Kd", *bets, deal(), surrender("ana", 1))
    # Half of the first wager is lost; a tie pays the progressive 10:1, without the stake.
    assert played.gain("ana") == -500 + 10 * 100 - 100
    with pytest.raises(RulebookError, match=r"wager\.progressive = on .*: bank\.by = player"):
        load_rulebook(house(tmp_path, changes + PLAYER_BANK))


PLAYER_BANK = """
[bank]
by = "player"
max_consecutive = 1
rotation = "ccw"
model = "payoff_cap"
after_exhaustion = "return_all"
least_seated = 2
optional = true
"""


def test_a_players_bank_can_be_brought_along(tmp_path: Path) -> None:
    book = house(tmp_path, PLAYER_BANK)
    bank = act("accept_bank", player="ben", box=2, stake=1500)
    first = bet("ana", 1, "initial", 1000)
    played = play(book, "2c Kh Kd", bank, first, deal(), surrender("ana", 1))
    # Half of the wager goes to ben, who banks.
    assert (played.gain("ana"), played.gain("ben"), played.balances["house"]) == (-500, 500, 0)
    again = play(book, "2c Kh Qd", bank, first, deal(), bank)
    assert again.refusals == [(3, "bank_must_pass")]
    assert again.refusal_clauses == [["HOUSE-bank.max_consecutive"]]


# Errors: one line with the file, the key and what is allowed

BURN_HOUSE = "HOUSE-war.burn"
WRONG: dict[str, tuple[str, list[str]]] = {
    "unknown leaf, misspelt": ("war.brun = 0", ["unknown leaf war.brun: did you mean war.burn?"]),
    "unknown leaf": ("war.colour = 0", ["unknown leaf war.colour: war has stake, burn, burn_place, method, exempt"]),
    "unknown group": ("colours = 0", ["unknown leaf colours: the groups are cards, names, table, limits"]),
    "unknown payout": ('payout.tie.rain = "2:1"', ["unknown leaf payout.tie.rain: payout.tie has on_win, on_loss"]),
    "text for a number": ('war.burn = "three"', ["war.burn = three", "allowed a whole number, 0 or more"]),
    "fraction": ("war.burn = 1.5", ["war.burn = 1.5", "allowed a whole number"]),
    "whole fraction": ("war.burn = 3.0", ["war.burn = 3.0", "allowed a whole number"]),
    "negative": ("war.burn = -1", ["war.burn = -1", "allowed a whole number, 0 or more"]),
    "switch for a number": ("war.burn = true", ["war.burn = on", "allowed a whole number"]),
    "number for a switch": ("wager.tie = 1", ["wager.tie = 1", "allowed true or false"]),
    "date": ("war.burn = 2020-01-01", ["war.burn", "allowed a whole number"]),
    "unknown word": ('deal.first = "from_above"', ["deal.first = from_above", "allowed from_left, from_right"]),
    "unknown reason": ('shoe.discretion = ["whim"]', ["shoe.discretion = whim", "vacant, suspect, discretion"]),
    "no odds": ('payout.war.on_tie = "two"', ["payout.war.on_tie = two", "allowed odds such as 2:1, push or lose"]),
    "odds of nothing": ('payout.war.on_tie = "2:0"', ["payout.war.on_tie = 2:0", "allowed odds"]),
    "odds as a number": ("payout.war.on_tie = 2", ["payout.war.on_tie = 2", "allowed odds"]),
    "no ranks": ('cards.ranks = "AKQ"', ["cards.ranks", "23456789TJQKA"]),
    "no pass": ('settle.first = ["settle everything"]', ["settle.first", "settle initial, tie from right"]),
    "forfeit above all": ('surrender.forfeit = "3:2"', ["surrender.forfeit = 3:2", "at most the whole wager"]),
    "clauses of its own": (
        'war.burn = { value = 0, clauses = ["NZ-8.8-ii"] }',
        ["war.burn", "value, or with default and allowed", "unknown here is clauses"],
    ),
    "unknown part": ("war.burn = { usual = 3 }", ["war.burn", "unknown here is usual"]),
    "value and default": ("war.burn = { value = 0, default = 3 }", ["war.burn: a leaf is a value"]),
    "default alone": ("war.burn = { default = 3 }", ["war.burn: a leaf is a value"]),
    "empty table": ("war.burn = {}", ["war.burn: a leaf is a value"]),
    "nothing allowed": ("war.burn = { allowed = [] }", ["war.burn", "allowed = none", "a list of a whole number"]),
    "default outside": ("war.burn = { default = 2, allowed = [0, 3] }", ["war.burn = 2", "allowed 0, 3"]),
    "choice of the wrong type": ('war.burn = { allowed = [3, "x"] }', ["war.burn", "a list of a whole number"]),
    "range of texts": ('war.burn = { default = 1, allowed = { from = "a", to = 3 } }', ["war.burn", "a range"]),
    "range with more": ("war.burn = { default = 1, allowed = { from = 0, upto = 3 } }", ["war.burn", "a range"]),
    "hangs on nothing": ('war.burn = { by = "war.x", value = { a = 1 } }', ["war.burn hangs on war.x"]),
    "hangs on a number": ("war.burn = { by = 7, value = { a = 1 } }", ["war.burn", "name the leaf"]),
    "hangs on itself": ('war.burn = { by = "war.burn", value = { a = 1 } }', ["war.burn hangs on itself"]),
    "choice left out": ('war.burn = { by = "war.method", value = { B = 1 } }', ["war.burn", "for war.method = A"]),
    "wrong in another choice": (
        'war.burn = { by = "war.method", value = { A = 1, B = "x" } }',
        ["war.burn = x", "allowed a whole number"],
    ),
    "given twice": ('"war.burn" = 0\n[war]\nburn = 1', ["war.burn is given twice"]),
    "title that is none": ("title = 7", ["title = 7", "a line of text"]),
    "title with a control character": ('title = "a\\u001b[2J"', ["title", "a line of text"]),
    "taken id": ('id = "wa"', ["id = 'wa' is taken"]),
    "id with a path": ('id = "a/b"', ["id = 'a/b' is a part of addresses", "without /"]),
    "id with an edition": ('id = "club@2"', ["id = 'club@2' is a part of addresses", "without @"]),
    "wager without payouts": ("wager.a_bomb = true", ["payout.a_bomb.on_win is missing", "wager.a_bomb is on"]),
    "wager without its pass": (
        'wager.a_bomb = true\npayout.a_bomb = { on_win = "7:1", on_loss = "lose" }',
        ["wager.a_bomb is on", "settle.first"],
    ),
    "war wager without payouts": ("wager.war_tie = true", ["payout.war_tie.on_win is missing"]),
    "progressive without its lines": ("wager.progressive = true", ["payout.progressive.on_suited_four_of_a_kind"]),
    "bank without its rules": ('bank.by = "player"', ["is missing: bank.by = player (HOUSE-bank.by)"]),
    "burn without its values": (
        'shoe.initial_burn = "face_up_plus_value"',
        ["shoe.burn_value is missing", "shoe.initial_burn = face_up_plus_value"],
    ),
    "no decks": ("shoe.decks = 0\nshoe.marker_from_back = 0", ["shoe.decks = 0", "1 or more"]),
    "too many decks": ("shoe.decks = 1000000000", ["shoe.decks = 1000000000", "at most 100"]),
    "no boxes": ("table.boxes = 0\ntable.max_boxes_per_player = 1", ["table.boxes = 0", "1 or more"]),
    "cut too deep for the decks": (
        "shoe.decks = 1\nshoe.marker_from_back = 10",
        ["shoe.cut_depth = 52", "at most 26"],
    ),
    "more boxes than cards": (
        "shoe = { decks = 1, cut_depth = 5, marker_from_back = 5 }\ntable.boxes = 30",
        ["table.boxes = 30", "hold 52"],
    ),
    "broken": ("war.burn =", ["broken TOML"]),
    "cut short": ("[war", ["broken TOML"]),
}


@pytest.mark.parametrize("name", WRONG)
def test_errors(name: str, tmp_path: Path) -> None:
    changes, told = WRONG[name]
    file = house(tmp_path, changes)
    error = run("rules", "check", file).error
    assert error.startswith(f"casinowar: {file}: ")
    assert [part for part in told if part not in error] == []


@pytest.mark.parametrize("name", ["unknown leaf", "text for a number", "wager without payouts"])
def test_errors_are_the_same_wherever_the_file_is_used(name: str, tmp_path: Path) -> None:
    file = house(tmp_path, WRONG[name][0])
    error = run("rules", "check", file).error.removeprefix("casinowar: ")
    assert run("rules", "show", file).error.endswith(error)
    assert run("rules", "diff", "nz", file).error.endswith(error)
    assert error in run("play", "--rulebook", file).error
    record = write(tmp_path, json.dumps(RECORD | {"rulebook": "club.toml"}), "session.json")
    assert error in run("replay", record).error


RECORD = {"format": "casinowar-record/1", "rulebook": "nz", "shoe": "", "players": {"ana": 1}, "acts": []}


def test_no_extends(tmp_path: Path) -> None:
    file = write(tmp_path, "war.burn = 0")
    assert run("rules", "check", file).error == (f'casinowar: {file}: say which book it extends, as in extends = "nz"')


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "the file is empty"),
        (b"# only words\n", "the file is empty"),
        (b'extends = "nz"\ntitle = "\xff"', "not UTF-8 at byte 24"),
        (b"extends = 7", "extends = 7: write a line of text"),
        (b".".join([b"war"] * 30_000) + b" = 1", "broken TOML: a key has more than 32 dots"),
    ],
)
def test_files_that_say_nothing(tmp_path: Path, content: bytes, told: str) -> None:
    file = tmp_path / "club.toml"
    file.write_bytes(content)
    assert run("rules", "check", str(file)).error == f"casinowar: {file}: {told}"


def test_a_bom_is_no_error(tmp_path: Path) -> None:
    file = tmp_path / "club.toml"
    file.write_bytes(b"\xef\xbb\xbf" + b'extends = "nz"\nwar.burn = 0\n')
    assert load_rulebook(str(file)).war.burn == 0


def test_a_file_named_like_a_book_needs_an_id(tmp_path: Path) -> None:
    file = house(tmp_path, name="wa.toml")
    assert "the name 'wa' is taken by a book of this package" in run("rules", "check", file).error
    assert load_rulebook(house(tmp_path, 'id = "perth"', name="wa.toml")).id == "perth"


@pytest.mark.parametrize(
    ("parent", "told"),
    [
        ("xx", "unknown rulebook 'xx': choose one of nz, wa, ctg, ca, ma, or give the path of a house rulebook"),
        ("./none.toml", "No such file or directory"),
        (".", "Is a directory"),
    ],
)
def test_missing_parent(tmp_path: Path, parent: str, told: str) -> None:
    file = house(tmp_path, extends=parent)
    error = run("rules", "check", file).error
    assert error.startswith(f'casinowar: {file}: extends = "{parent}": ')
    assert error.endswith(told)


def test_a_cycle_of_extends(tmp_path: Path) -> None:
    first = house(tmp_path, extends="./b.toml", name="a.toml")
    house(tmp_path, extends="./c.toml", name="b.toml")
    house(tmp_path, extends="a.toml", name="c.toml")
    error = run("rules", "check", first).error
    assert error.endswith("cannot extend itself: a.toml extends b.toml extends c.toml extends a.toml")
    own = house(tmp_path, extends="own.toml", name="own.toml")
    assert run("rules", "check", own).error.endswith("cannot extend itself: own.toml extends own.toml")


def test_an_error_in_the_parent_is_told_of_the_parents_file(tmp_path: Path) -> None:
    broken = house(tmp_path, 'deal.first = "up"', name="broken.toml")
    child = house(tmp_path, "war.burn = 0", extends="broken.toml")
    error = run("rules", "check", child).error
    assert error.startswith(f"casinowar: {broken}: deal.first = up")
    misspelt = house(tmp_path, "war.brun = 0", name="broken.toml")
    error = run("rules", "check", child).error
    assert error.startswith(f'casinowar: {child}: extends = "broken.toml": {misspelt}: unknown leaf war.brun')


# Chains


def chain(folder: Path) -> str:
    """`inner` on `club` on `nz`: the club fixes 8 decks and pays 3:1, the inner table takes 6 decks again."""
    house(folder, 'shoe.decks = 8\npayout.war.on_tie = "3:1"\nwar.burn = 0')
    return house(folder, "shoe.decks = 6\nshoe.initial_burn = 'none'", extends="club.toml", name="inner.toml")


def test_a_chain_is_merged_from_the_bottom(tmp_path: Path) -> None:
    inner = load_rulebook(chain(tmp_path))
    assert (inner.id, inner.extends) == ("inner", "club")
    assert (inner.shoe.decks, inner.payout.war["on_tie"], inner.war.burn) == (6, "3:1", 0)
    texts = {clause: note.text for clause, note in inner.notes.items()}
    assert texts == {
        "HOUSE-shoe.decks": "inner has 6; club has 8; nz has 6 (allowed: 4, 5, 6, 7, 8) [NZ-3.4a]",
        "HOUSE-payout.war.on_tie": "club has 3:1; nz has 2:1 [NZ-5.4b, NZ-5.13c]",
        "HOUSE-war.burn": "club has 0; nz has 3 (allowed: 3, 0) [NZ-8.8-ii]",
        "HOUSE-shoe.initial_burn": "inner has none; nz has one_down (allowed: one_down, none) [NZ-8.3-i]",
    }


def test_diff_of_a_chain_names_who_would_not_allow_it(tmp_path: Path) -> None:
    """The club fixed its decks, so it would not allow six; nz would. Odds of 3:1 are against nz, the burn is not."""
    data = json.loads(run("rules", "diff", "nz", chain(tmp_path), "--json").out)
    assert data["forbidden"] == [{}, {"shoe.decks": ["club"], "payout.war.on_tie": ["nz"]}]
    assert set(data["leaves"]) == {"shoe.decks", "payout.war.on_tie", "war.burn", "shoe.initial_burn"}
    lines = run("rules", "diff", "nz", chain(tmp_path)).out.splitlines()
    assert {*lines[-2:]} == {"! nz would not allow 1 leaf of inner", "! club would not allow 1 leaf of inner"}


# What the parent would not allow


@pytest.mark.parametrize(
    ("parent", "changes", "forbidden"),
    [
        ("nz", "war.burn = 0", []),  # nz leaves 3 or 0 to the operator
        ("nz", "war.burn = 1", ["war.burn"]),
        ("nz", "war.burn = { default = 3, allowed = [3] }", []),
        ("nz", "war.burn = { default = 3, allowed = [3, 1] }", ["war.burn"]),
        ("nz", "table.boxes = { default = 4, allowed = { from = 2, to = 5 } }", []),
        ("nz", "table.boxes = { default = 4, allowed = { from = 2, to = 9 } }", ["table.boxes"]),
        ("nz", "table.boxes = { default = 4, allowed = { from = 2 } }", ["table.boxes"]),
        ("nz", "shoe.decks = { default = 6, allowed = { from = 5, to = 7 } }", []),
        ("nz", "shoe.decks = { default = 6, allowed = { from = 3, to = 7 } }", ["shoe.decks"]),
        ("nz", 'limits.area_total_max = { default = 0, allowed = "amount" }', []),
        ("nz", 'limits.area_total_scope = "box"', []),
        ("nz", 'shoe.shuffler = "batch_auto"\nshoe.batches = 2', []),  # two batches go with that shuffler
        ("nz", "shoe.batches = 2", ["shoe.batches"]),  # and with a manual shuffle they do not
        ("nz", 'surrender.forfeit = "1:3"', ["surrender.forfeit"]),
        ("nz", "wager.tie = false", ["wager.tie"]),
        ("nz", 'names.a_bomb = "Ace"', ["names.a_bomb"]),
        ("wa", 'shoe.decks = 8\nperfect_pairs.table = "P8b"', []),  # a paytable for eight decks
        ("wa", "wager.a_bomb = false", []),
        ("ca", 'bank.model = "revolving"', []),
        ("ca", "bank.max_consecutive = 3", ["bank.max_consecutive"]),
        ("ma", "wager.progressive = true\nprogressive.seed = 5", []),
        ("ma", "progressive.envy = 5", ["progressive.envy"]),
    ],
)
def test_what_the_parent_would_not_allow(tmp_path: Path, parent: str, changes: str, forbidden: list[str]) -> None:
    notes = load_rulebook(house(tmp_path, changes, extends=parent)).notes
    assert [clause.removeprefix("HOUSE-") for clause, note in notes.items() if note.forbidden_by] == forbidden
    assert all(note.forbidden_by in ((), (parent,)) for note in notes.values())


def test_diff_marks_it_for_reading() -> None:
    lines = run("rules", "diff", "nz", LAS_VEGAS).out.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0].split() == ["nz", "las_vegas"]
    at = lines.index("payout.war.on_tie")
    assert lines[at + 1].split("  ")[-1].strip() == "! 1:1 [HOUSE-payout.war.on_tie]"
    at = lines.index("table.bettors_per_area")
    assert "!" not in lines[at + 1]
    assert lines[-1] == "! nz would not allow 2 leaves of las_vegas"


def test_diff_of_the_house_with_another_book_keeps_its_marks() -> None:
    """ctg takes no called wagers either, so that leaf is no difference; its odds for a second tie are."""
    lines = run("rules", "diff", LAS_VEGAS, "ctg").out.splitlines()
    assert lines[lines.index("payout.war.on_tie") + 1].startswith("  ! 1:1 [HOUSE-payout.war.on_tie]")
    assert lines[-1] == "! nz would not allow 1 leaf of las_vegas"
    data = json.loads(run("rules", "diff", LAS_VEGAS, "ctg", "--json").out)
    assert data["forbidden"] == [{"payout.war.on_tie": ["nz"]}, {}]


def test_diff_of_two_books_of_the_package_marks_nothing() -> None:
    assert "!" not in run("rules", "diff", "nz", "wa").out
    assert json.loads(run("rules", "diff", "nz", "wa", "--json").out)["forbidden"] == [{}, {}]


# Explained


def test_clause_of_a_house_in_one_line(tmp_path: Path) -> None:
    file = house(tmp_path, "war.burn = 1")
    told = "HOUSE-war.burn: club has 1; nz has 3 (allowed: 3, 0) [NZ-8.8-ii]; nz would not allow that\n"
    assert run("rules", "clause", "HOUSE-war.burn", "--rulebook", file).out == f"! {told}"
    assert run("rules", "clause", "house-WAR.burn", "--rulebook", file).out == f"! {told}"


def test_clause_of_a_house_needs_the_house(tmp_path: Path) -> None:
    error = run("rules", "clause", "HOUSE-war.burn").error
    assert error == "casinowar: HOUSE-war.burn is a clause of a house rulebook: say which with --rulebook"
    file = house(tmp_path, "war.burn = 1")
    error = run("rules", "clause", "HOUSE-war.bur", "--rulebook", file).error
    assert error.endswith("did you mean HOUSE-war.burn?")


def test_a_books_clause_seen_with_a_house(tmp_path: Path) -> None:
    """The house has taken the burn out from under NZ-8.8-ii, which still holds where the cards go."""
    told = run("rules", "clause", "NZ-8.8-ii", "--rulebook", house(tmp_path, "war.burn = 1")).out
    assert "club: war.burn_place = rack" in told
    assert "club: war.burn =" not in told
    assert "nz: war.burn = 3" in told


def test_show_explains_the_changes(tmp_path: Path) -> None:
    file = house(tmp_path, "war.burn = 1\ntable.boxes = 5")
    shown = " ".join(run("rules", "show", file).out.split())
    assert "! HOUSE-war.burn: club has 1; nz has 3 (allowed: 3, 0) [NZ-8.8-ii]; nz would not allow that" in shown
    assert "HOUSE-table.boxes: club has 5; nz has 7 (allowed: 1 to 7) [NZ-3.1-i]" in shown
    assert max(map(len, run("rules", "show", file).out.splitlines())) <= 80
    data = json.loads(run("rules", "show", file, "--json").out)
    assert data["extends"] == "nz"
    assert data["notes"]["HOUSE-war.burn"] == {
        "text": "club has 1; nz has 3 (allowed: 3, 0) [NZ-8.8-ii]",
        "forbidden_by": ["nz"],
    }


def test_show_has_every_group_once(tmp_path: Path) -> None:
    changes = 'names.a_bomb = "Ace"\npayout.a_bomb = { on_win = "7:1", on_loss = "lose" }\npriority.area = "seated"'
    shown = run("rules", "show", house(tmp_path, changes)).out
    groups = re.findall(r"^\[(.+)\]$", shown, re.MULTILINE)
    assert len(groups) == len(set(groups))
    assert "a_bomb   Ace [HOUSE-names.a_bomb]" in shown


def test_check_sums_it_up(tmp_path: Path) -> None:
    file = house(tmp_path, "war.burn = 1\ntable.boxes = 5")
    done = run("rules", "check", file)
    assert done.out == f"{file}: club extends nz and changes 2 leaves; nz would not allow 1 of them\n"


def test_why_in_play(tmp_path: Path) -> None:
    file = house(tmp_path, 'payout.initial.on_win = "3:1"\npayout.initial.on_loss = "push"')
    told = (
        CliRunner()
        .invoke(play_command, ["--rulebook", file, "--seed", "x"], input="\n100\nwhy\nquit\n", help_option_names=HELP)
        .output
    )
    flat = " ".join(told.split())
    assert "has 3:1; nz has 1:1 [NZ-5.3a, NZ-5.13a]" in flat or "club has push; nz has lose [NZ-5.3b]" in flat


def test_replay_explains_what_it_cites() -> None:
    told = run("replay", str(EXAMPLES / "las_vegas.record.toml")).out
    assert "ana: Go to War 1,000 wins 1,000 at 1:1 [HOUSE-payout.war.on_tie]" in told
    assert told.endswith("House rules\n  HOUSE-payout.war.on_tie: las_vegas has 1:1; nz has 2:1 [NZ-5.4b, NZ-5.13c]\n")
    # It changes more than that; what no ruling cites is not told.
    assert "HOUSE-wager.called" not in told


def test_a_players_name_is_no_clause(tmp_path: Path) -> None:
    acts = [bet("HOUSE-war.x", 1, "initial", 1000), deal()]
    data = RECORD | {"rulebook": "club.toml", "shoe": "2c Kh Qd", "players": {"HOUSE-war.x": 1000}, "acts": acts}
    house(tmp_path, "war.burn = 0")
    told = run("replay", write(tmp_path, json.dumps(data), "session.json")).out
    assert "HOUSE-war.x 2,000 (+1,000)" in told
    assert "House rules" not in told


# By path and by name


def test_by_name_everywhere(config: Path) -> None:
    house(config, 'title = "The club"\nwar.burn = 0')
    assert load_rulebook("club").title == "The club"
    assert run("rules", "show", "club").out.startswith("The club (club): house rulebook on nz\n")
    assert run("rules", "check", "club").out == "club: club extends nz and changes 1 leaf\n"
    assert run("rules", "diff", "nz", "club").out.split()[:3] == ["nz", "club", "war.burn"]
    assert run("rules", "clause", "HOUSE-war.burn", "--rulebook", "club").out.startswith("HOUSE-war.burn: club has 0")
    assert play("club", "2c Kh Qd", bet("ana", 1, "initial", 1000), deal()).gain("ana") == 1000
    told = CliRunner().invoke(play_command, ["--rulebook", "club"], input="quit\n", help_option_names=HELP)
    assert "Casino War · The club" in told.output


def test_the_folder_without_xdg(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("XDG_CONFIG_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    folder = tmp_path / ".config" / "casinowar"
    folder.mkdir(parents=True)
    house(folder, "war.burn = 0", name="cellar.toml")
    assert load_rulebook("cellar").war.burn == 0


def test_a_named_parent(config: Path, tmp_path: Path) -> None:
    house(config, "war.burn = 0")
    child = house(tmp_path, "shoe.decks = 8", extends="club", name="child.toml")
    assert (load_rulebook(child).war.burn, load_rulebook(child).shoe.decks) == (0, 8)


def test_list_shows_the_users_own(config: Path) -> None:
    assert "Your own" not in run("rules", "list").out
    house(config, 'title = "The club"')
    house(config, "war.brun = 0", name="broken_one.toml")
    house(config, name="nz.toml")
    lines = run("rules", "list").out.splitlines()
    at = lines.index(f"Your own, in {config}:")
    rows = {line.split(maxsplit=1)[0]: line.split(maxsplit=1)[1] for line in lines[at + 1 :]}
    assert list(rows) == ["broken_one", "club", "nz"]
    assert rows["club"] == "The club, extends nz"
    assert rows["broken_one"].startswith("cannot be used: ")
    assert "did you mean war.burn?" in rows["broken_one"]
    assert rows["nz"] == "cannot be used: the name is taken by a book of this package"
    assert [line.split()[0] for line in lines[1:at] if line and not line.startswith(" ")] == list(BOOKS)


def test_a_records_path_is_seen_from_its_own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From a pipe there is no folder but the one that one is in."""
    there, elsewhere = tmp_path / "there", tmp_path / "elsewhere"
    there.mkdir()
    elsewhere.mkdir()
    house(there, 'payout.initial.on_win = "4:1"')
    acts = [bet("ana", 1, "initial", 1000), deal()]
    data = RECORD | {"rulebook": "./club.toml", "shoe": "2c Kh Qd", "players": {"ana": 1000}, "acts": acts}
    record = write(there, json.dumps(data), "session.json")
    monkeypatch.chdir(elsewhere)
    assert json.loads(run("replay", record, "--json").out)["balances"]["ana"] == 1000 + 4 * 1000
    assert "No such file" in run("replay", "-", stdin=json.dumps(data)).error
    monkeypatch.chdir(there)
    assert json.loads(run("replay", "-", "--json", stdin=json.dumps(data)).out)["balances"]["ana"] == 5000


@pytest.mark.parametrize("suffix", [".toml", ".json"])
def test_a_saved_session_names_the_house_rulebook_for_replay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    books, records = tmp_path / "books", tmp_path / "records"
    books.mkdir()
    records.mkdir()
    house(books, 'payout.initial.on_win = "4:1"\npayout.initial.on_loss = "4:1"\npayout.tie.on_loss = "push"')
    monkeypatch.chdir(tmp_path)
    save = records / f"session{suffix}"
    args = ["--rulebook", "books/club.toml", "--seed", "x", "--save", str(save)]
    told = CliRunner().invoke(play_command, args, input="\n100\ns\n100\ns\nquit\n", help_option_names=HELP).output
    balance = int(re.findall(r"with (\d+) chips", told)[-1])
    assert balance > 10000
    monkeypatch.chdir("/")
    assert json.loads(run("replay", str(save), "--json").out)["balances"]["player"] == balance
    assert '"../books/club.toml"' in save.read_text(encoding="utf-8")


def test_a_bad_option_on_a_house_rulebook() -> None:
    error = run("play", "--rulebook", LAS_VEGAS, "--option", "table.bettors_per_area=2").error
    assert "las_vegas fixes table.bettors_per_area at 1 (HOUSE-table.bettors_per_area): it is no option" in error


# The examples


def test_las_vegas_pays_a_second_tie_even_money() -> None:
    """The war wager of 1000 wins 1000, the first wager pushes; the tie wager of 500 has won 5000 before."""
    record = parse_record({**read(EXAMPLES / "las_vegas.record.toml"), "rulebook": LAS_VEGAS})
    data = result(replay(record))
    first, second = data["rounds"]
    lines = [(line["wager"], line["outcome"], line["odds"], line["net"]) for line in first["settlements"]]
    assert lines == [("tie", "win", "10:1", 5000), ("initial", "push", None, 0), ("war", "win", "1:1", 1000)]
    assert second["net"] == {"ana": -2000, "house": 2000}
    assert data["refusals"] == []


def test_home_game_has_one_deck() -> None:
    rules = load_rulebook(HOME_GAME)
    assert (rules.shoe.decks, rules.table.boxes, rules.war.burn) == (1, 4, 1)
    twice = RECORD | {"rulebook": HOME_GAME, "shoe": "Kh Kh"}
    with pytest.raises(ValueError, match="2 times Kh"):
        parse_record(twice)
    data = result(replay(parse_record({**read(EXAMPLES / "home_game.record.toml"), "rulebook": HOME_GAME})))
    assert data["balances"] == {"ana": 200 - 10, "ben": 200 + 5, "house": 10 - 5}
    assert [card["to"] for card in data["rounds"][0]["dealt"]].count("burn") == 1


def test_home_game_can_be_played_for_many_shuffles(tmp_path: Path) -> None:
    """One deck, three bots: sixty rounds are more than a dozen shuffles, and the record replays."""
    save = tmp_path / "session.json"
    args = ["--rulebook", HOME_GAME, "--bots", "3", "--seed", "kitchen", "--bank", "200", "--min", "1", "--unit", "1"]
    typed = "\n5\n" + "w\n\n" * 80 + "quit\n"
    told = CliRunner().invoke(play_command, [*args, "--save", str(save)], input=typed, help_option_names=HELP)
    assert told.exit_code == 0, told.output
    data = json.loads(run("replay", str(save), "--json").out)
    assert len(data["rounds"]) > 40
    assert data["refusals"] == []
    assert data["balances"]["player"] == int(re.findall(r"with (\d+) chips", told.output)[-1])
    assert len(json.loads(save.read_text(encoding="utf-8"))["later_shoes"]) > 8


@pytest.mark.parametrize("file", sorted(EXAMPLES.glob("*.record.toml")), ids=lambda file: file.stem)
def test_records_under_examples_replay_without_a_refusal(file: Path) -> None:
    done = run("replay", str(file), "--json", "--strict")
    assert done.status == 0
    assert len(json.loads(done.out)["rounds"]) >= 1


def test_every_example_is_sound_and_has_a_record() -> None:
    others = (".record.toml", "tables.toml")
    books = sorted(file for file in EXAMPLES.glob("*.toml") if not file.name.endswith(others))
    assert [file.name for file in books] == ["home_game.toml", "las_vegas.toml"]
    for file in books:
        assert file.read_text(encoding="utf-8").startswith("# ")
        assert (EXAMPLES / f"{file.stem}.record.toml").is_file()
        assert load_rulebook(str(file)).notes


def test_the_example_in_the_readme_is_sound(tmp_path: Path) -> None:
    snippet = re.findall(r"```toml\n(.*?)```", (EXAMPLES / "README.md").read_text(encoding="utf-8"), re.DOTALL)[0]
    rules = load_rulebook(write(tmp_path, snippet))
    assert set(rules.notes) == {"HOUSE-payout.war.on_tie", "HOUSE-shoe.decks", "HOUSE-shoe.batches"}
    assert rules.notes["HOUSE-shoe.decks"].forbidden_by == ()


def read(file: Path) -> dict[str, object]:
    return read_toml(file.read_text(encoding="utf-8"))


def test_comments_and_order_do_not_matter(tmp_path: Path) -> None:
    text = Path(HOME_GAME).read_text(encoding="utf-8")
    bare = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    assert tomllib.loads(bare) == tomllib.loads(text)
    assert load_rulebook(write(tmp_path, bare, "home_game.toml")).leaves == load_rulebook(HOME_GAME).leaves
