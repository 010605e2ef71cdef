"""Editions: what a book said before stays in the package as it was, can be named wherever a book is named, and the next
one tells what it changed and why."""

import hashlib
import json
import random
from collections.abc import Callable
from copy import deepcopy
from fractions import Fraction
from functools import partial
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec
import pytest

from casinowar.engine.view import Viewer
from casinowar.history.round_record import told_round
from casinowar.house.settings_file import TablesFileError, load_tables
from casinowar.house.table.visibility import live_view
from casinowar.odds.composition import fresh
from casinowar.odds.figures import study
from casinowar.records import RecordError, parse_record, read_json, read_toml, replay, result
from casinowar.records.write import book_of
from casinowar.reports.books import diff, differences, reasons_between
from casinowar.reports.par.register import load_register
from casinowar.rulebooks import BOOKS, RulebookError, editions, load_rulebook, load_with, with_decks
from casinowar.rulebooks.editions import edition_name, editions_of
from casinowar.rulebooks.load import is_known
from casinowar.store import BookResolved, resolved, rules_of
from casinowar.store.envelope import canonical
from casinowar.store.stored_rules import digest_of
from tests.golden.facts import is_kept
from tests.golden.kept import FOLDER as GOLDEN
from tests.golden.kept import HOUSES, decompressed, facts_in, unpack
from tests.support.commandline import run
from tests.support.edition_nights import FOLDER, outcome_of
from tests.support.live_night import FAST, Night, table
from tests.support.rounds import bet, deal, play

FROZEN = {
    "nz@1": "92a19c229428b8ee1eda14534f4483db9ce801dc9b279a99b3075bb8a32f4cf0",
    "wa@1": "039050210056f3713df88b7022af4cfd3d4fdb88e7cd28747b969e536b2ce5c4",
    "ctg@1": "d5f220accb60212b0b37846311a0cc06450f9ee3f70e1350332a363a048f30a3",
    "ca@1": "8cec8c0f0b77059ff27a51dabb0f051b8d8d7c301f87b1d0d5d7836aca445d99",
    "ma@1": "dd2a51351f6c972a17347e2b25540b72b7c8073421e52c24fd68780b5b7456f2",
}
"""The digest of each earlier edition, as it was when it became one. A new edition adds lines; no line ever changes."""

EARLIER = [f"{book}@{edition}" for book in BOOKS for edition in editions_of(book)[:-1]]
EVERY = [f"{book}@{edition}" for book in BOOKS for edition in editions_of(book)]
of_every_edition = pytest.mark.parametrize("name", EVERY)
of_every_earlier = pytest.mark.parametrize("name", EARLIER)


def packed(name: str) -> bytes:
    book, _, edition = name.partition("@")
    return (resources.files("casinowar.rulebooks") / "data" / book / "editions" / f"{edition}.toml").read_bytes()


# What is frozen.


def test_no_earlier_edition_is_ever_changed() -> None:
    assert sorted(EARLIER) == sorted(FROZEN)
    assert {name: hashlib.sha256(packed(name)).hexdigest() for name in EARLIER} == FROZEN


@of_every_edition
def test_every_edition_is_named_in_any_case(name: str) -> None:
    book, _, edition = name.partition("@")
    for written in (name, name.upper()):
        rules = load_rulebook(written)
        assert (rules.id, rules.edition, rules.origin) == (book, int(edition), book)
        assert load_rulebook(book, edition=int(edition)) == load_with(written, {}) == rules


@pytest.mark.parametrize("book", BOOKS)
def test_the_plain_name_is_the_current_edition(book: str) -> None:
    current = editions_of(book)[-1]
    assert load_rulebook(book) == load_rulebook(f"{book}@{current}")
    assert edition_name(book, current) == book
    assert edition_name(book, 1) == f"{book}@1"


@of_every_earlier
def test_a_night_that_the_edition_has_played_comes_to_the_same_cards_and_money(name: str) -> None:
    """The record and what it came to were written by the software of that edition."""
    night = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    assert outcome_of({**night["record"], "rulebook": name}) == night["expect"]
    settled = [line for one in night["expect"]["rounds"] for line in one["settlements"]]
    assert len(night["expect"]["rounds"]) == 60
    assert {"win", "lose", "push", "surrender"} <= {line[3] for line in settled}


def test_a_night_with_another_rule_comes_to_other_money() -> None:
    """The twin: the night of California's first edition hangs on its bank."""
    night = json.loads((FOLDER / "ca@1.json").read_text(encoding="utf-8"))
    other = {**night["record"], "rulebook": "ca@1", "options": {"bank.model": "revolving"}}
    assert outcome_of(other) != night["expect"]


EDGES = {"war": Fraction(23138, 993023), "surrender": Fraction(23, 622), "tie": Fraction(58, 311)}
"""With six decks: the published 2.33 %, 3.70 % and 18.65 %."""


@of_every_edition
def test_the_published_odds_are_those_of_every_edition(name: str) -> None:
    found = study(load_with(name, {}), fresh(6))
    war = Fraction(-81489, 4965115) if name.startswith("ctg") else EDGES["war"]
    assert found.figures("initial", "war").house_edge == war
    assert found.figures("initial", "surrender").house_edge == EDGES["surrender"]
    assert found.figures("tie").house_edge == EDGES["tie"]


# Names that are refused.


@pytest.mark.parametrize("name", ["ca@9", "CA@9", "ca@0", "ca@", "ca@x", "ca@01", "ca@-1", "ca@" + "9" * 5000])
def test_an_edition_that_is_not_there_is_refused_with_those_that_are(name: str) -> None:
    there = " and ".join(map(str, editions_of("ca")))
    with pytest.raises(RulebookError, match=rf"^ca has no edition '[^']*': it has {there}$"):
        load_rulebook(name)
    assert not is_known(name)


@pytest.mark.parametrize("name", ["ca", "ca@1", "nz@2"])
def test_a_name_as_the_package_has_it_is_known(name: str) -> None:
    assert is_known(name)
    assert not is_known(name.upper())
    assert not is_known(f"{name}.toml")


def test_another_edition_than_the_named_one_is_refused() -> None:
    with pytest.raises(RulebookError, match="edition 2 is wanted, and the rulebook is ca@1"):
        load_rulebook("CA@1", edition=2)
    assert load_rulebook("CA@1", edition=1).edition == 1


COMMANDS = [
    ["rules", "show", "ca@9"],
    ["rules", "check", "ca@9"],
    ["rules", "diff", "ca@9", "ca"],
    ["odds", "--rulebook", "ca@9"],
    ["compare", "ca@9"],
    ["par", "--rulebook", "ca@9", "--json"],
    ["solve", "payout.tie.on_win", "--wager", "tie", "--rulebook", "ca@9", "--edge", "2%"],
    ["ruling", "misdeal", "--rulebook", "ca@9"],
    ["play", "--rulebook", "ca@9"],
    ["deal", "--rulebook", "ca@9"],
]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command[:2]))
def test_every_command_refuses_an_edition_that_is_not_there_in_one_line(command: list[str]) -> None:
    ran = run(*command)
    assert (ran.status, ran.out) in {(1, ""), (2, "")}
    told = [line for line in ran.err.splitlines() if "edition" in line]
    assert len(told) == 1
    assert "ca has no edition '9': it has 1 and 2" in told[0]
    assert "Traceback" not in ran.err


@pytest.mark.parametrize("command", COMMANDS[:-2], ids=lambda command: " ".join(command[:2]))
def test_every_command_takes_an_earlier_edition(command: list[str]) -> None:
    ran = run(*(part.replace("ca@9", "CA@1") for part in command))
    assert ran.status == 0, ran.err


@pytest.mark.parametrize("command", [["play", "--plain"], ["deal"]], ids=" ".join)
def test_a_saved_game_of_an_earlier_edition_names_it(command: list[str], tmp_path: Path) -> None:
    saved = tmp_path / "night.toml"
    ran = run(command[0], "--rulebook", "nz@1", "--save", str(saved), stdin="quit\n")
    assert ran.status == 0, ran.err
    assert "edition 1." in ran.out
    assert "edition" not in run(command[0], "--rulebook", "nz", stdin="quit\n").out
    record = parse_record(read(saved))
    assert (read(saved)["rulebook"], read(saved)["edition"], record.rulebook.edition) == ("nz", 1, 1)


def read(file: Path) -> dict[str, Any]:
    return (read_toml if file.suffix == ".toml" else read_json)(file.read_text(encoding="utf-8"))


def test_an_edition_is_told_in_json() -> None:
    for command in (["odds", "--json"], ["par", "--json"], ["ruling", "misdeal", "--json"]):
        told = json.loads(run(*command, "--rulebook", "nz@1").out)
        assert (told["rulebook"], told["edition"]) == ("nz", 1)
    shown = json.loads(run("rules", "show", "nz@1", "--json").out)
    assert (shown["id"], shown["edition"]) == ("nz", 1)


def test_a_clause_is_told_with_what_rests_on_it_in_an_earlier_edition() -> None:
    told = run("rules", "clause", "CA-TAB-1", "--rulebook", "ca@1").out
    assert "ca: table.boxes = 8" in told
    assert "ca@1: table.boxes = 8" in told


def test_editions_stand_side_by_side() -> None:
    assert {"nz", "nz@1"} <= set(run("compare", "nz@1", "nz").out.split("\n")[0].split())


def test_the_books_are_listed_with_their_editions() -> None:
    assert "edition 2; earlier: ca@1" in run("rules", "list").out
    assert "Edition 1; the current one is 2" in run("rules", "show", "ca@1").out
    assert "Edition 2\n" in run("rules", "show", "ca").out


# House rulebooks.


def house(folder: Path, text: str) -> str:
    file = folder / "club.toml"
    file.write_text(text, encoding="utf-8")
    return str(file)


def test_a_house_rulebook_may_extend_an_earlier_edition(tmp_path: Path) -> None:
    file = house(tmp_path, 'extends = "CA@1"\nwar.burn = 0\n')
    rules = load_rulebook(file)
    assert (rules.id, rules.extends, rules.edition, rules.war.burn) == ("club", "ca", 1, 0)
    assert load_with(file, {}).edition == 1
    assert "club extends ca@1 and changes 1 leaf" in run("rules", "check", file).out
    assert "Edition 1 of ca; the current one is 2" in run("rules", "show", file).out
    assert load_rulebook(house(tmp_path, 'extends = "ca"\n')).edition == editions_of("ca")[-1]


def test_a_house_rulebook_on_an_edition_that_is_not_there_is_told_with_its_file(tmp_path: Path) -> None:
    file = house(tmp_path, 'extends = "ca@9"\n')
    for load in (load_rulebook, partial(load_with, settings={})):
        with pytest.raises(RulebookError, match=r"club\.toml: extends = .ca@9.: ca has no edition '9': it has 1 and 2"):
            load(file)


@pytest.mark.parametrize("line", ["edition = 2", "changes = {}"])
def test_a_house_rulebook_has_no_edition_of_its_own(tmp_path: Path, line: str) -> None:
    with pytest.raises(RulebookError, match=line.partition(" ")[0]):
        load_rulebook(house(tmp_path, f'extends = "ca"\n{line}\n'))


def test_a_house_rulebook_may_not_take_the_name_of_an_edition(tmp_path: Path) -> None:
    with pytest.raises(RulebookError, match="taken by a book of this package"):
        load_rulebook(house(tmp_path, 'extends = "ca"\nid = "ca@1"\n'))


@pytest.mark.parametrize("edition", [1, 2])
def test_other_decks_are_of_the_same_edition(edition: int, tmp_path: Path) -> None:
    assert with_decks(load_rulebook(f"nz@{edition}"), 8, None).edition == edition
    rules = load_rulebook(house(tmp_path, 'extends = "nz"\nwar.burn = 0\n'), edition=edition)
    other = with_decks(rules, 8, None)
    assert (other.edition, other.shoe.decks, other.war.burn) == (edition, 8, 0)


# Records.

SHOE = "2c Kh 9d"


def record(**head: Any) -> dict[str, Any]:
    acts = [bet("ana", 1, "initial", 500), deal()]
    return {"format": "casinowar-record/1", "shoe": SHOE, "players": {"ana": 1000}, "acts": acts, **head}


@pytest.mark.parametrize(
    ("head", "edition"),
    [
        ({"rulebook": "nz"}, 2),
        ({"rulebook": "nz", "edition": 1}, 1),
        ({"rulebook": "nz", "edition": 2}, 2),
        ({"rulebook": "nz@1"}, 1),
        ({"rulebook": "nz@1", "edition": 1}, 1),
    ],
    ids=str,
)
def test_a_record_is_read_by_the_edition_that_it_names_or_by_the_current_one(
    head: dict[str, Any], edition: int
) -> None:
    told = result(replay(parse_record(record(**head))))
    assert (told["rulebook"], told["edition"], told["balances"]["ana"]) == ("nz", edition, 1500)


@pytest.mark.parametrize(
    ("head", "told"),
    [
        ({"rulebook": "nz", "edition": 9}, "nz has no edition '9': it has 1 and 2"),
        ({"rulebook": "nz@1", "edition": 2}, "edition 2 is wanted, and the rulebook is nz@1"),
        ({"rulebook": "NZ@1"}, "unknown rulebook 'NZ@1': write nz@1"),
        ({"rulebook": "nz", "edition": 0}, "edition: expected `int` >= 1"),
        ({"rulebook": "nz", "edition": "1"}, "edition: expected `int | null`, got `str`"),
    ],
    ids=str,
)
def test_a_record_with_an_edition_that_cannot_be_is_not_understood(head: dict[str, Any], told: str) -> None:
    with pytest.raises(RecordError) as error:
        parse_record(record(**head))
    assert str(error.value) == told
    ran = run("replay", "-", stdin=json.dumps(record(**head)))
    assert ran.error.endswith(told)


def test_a_record_that_holds_its_book_keeps_it() -> None:
    """Also in an edition that this package does not have; without one the book is of the first."""
    book = book_of(load_rulebook("nz@1"))
    assert parse_record(record(rulebook="nz", book=book)).rulebook.edition == 1
    later = {**book, "edition": 7}
    assert parse_record(record(rulebook="nz", edition=7, book=later)).rulebook.edition == 7
    with pytest.raises(RecordError, match="edition: the book that the record holds is of edition 7"):
        parse_record(record(rulebook="nz", edition=1, book=later))
    old = {key: part for key, part in book.items() if key != "edition"}
    assert parse_record(record(rulebook="nz", book=old)).rulebook.edition == 1


def test_a_replay_is_told_with_an_earlier_edition(tmp_path: Path) -> None:
    file = tmp_path / "round.json"
    for head, told in (({"rulebook": "nz@1"}, "(nz@1):"), ({"rulebook": "nz"}, "(nz):")):
        file.write_text(json.dumps(record(**head)), encoding="utf-8")
        assert told in run("replay", str(file)).out


# What is stored.


def test_a_book_that_was_stored_without_an_edition_is_of_the_first_and_keeps_its_digest() -> None:
    first = resolved(load_rulebook("ca@1"))
    assert b"edition" not in canonical(first)
    stored = msgspec.json.decode(canonical(first), type=BookResolved)
    assert digest_of(stored) == stored.digest == first.digest
    rules = rules_of(stored)
    assert (rules.edition, rules.leaves) == (1, load_rulebook("ca@1").leaves)
    second = resolved(load_rulebook("ca@2"))
    assert second.edition == rules_of(second).edition == 2
    assert digest_of(msgspec.structs.replace(second, edition=msgspec.UNSET)) != second.digest


@pytest.mark.parametrize(("version", "book"), HOUSES)
def test_what_the_first_version_has_stored_is_exported_as_the_first_edition(
    version: str, book: str, tmp_path: Path
) -> None:
    """Its rounds name the edition instead of holding the book, and come to the same money."""
    recalled = unpack(version, book, tmp_path).read()["main"]
    told = told_round(recalled, 1).record
    assert (told["rulebook"], told["edition"]) == (book, 1)
    assert "book" not in told
    assert parse_record(told).rulebook.edition == 1


@pytest.mark.parametrize(("version", "book"), HOUSES)
def test_what_the_first_version_has_written_comes_to_the_same_by_the_first_edition(version: str, book: str) -> None:
    """Its records name no edition. Whatever a later one has changed, by the first every one of them is as it was."""
    kept = GOLDEN / version / book
    for file in sorted((kept / "rounds").iterdir()):
        facts = facts_in(kept)["records"][file.name]
        told = result(replay(parse_record(of_the_first(read(file))), is_strict=True))
        assert (told["balances"], told["meter"]) == (facts["balances"], facts["meter"]), file.name
        assert [one["net"] for one in told["rounds"]] == facts["nets"], file.name
    for line in decompressed(kept / "scenarios.jsonl.xz").decode().splitlines():
        scenario = json.loads(line)
        now = result(replay(parse_record(of_the_first(scenario["record"]))))
        assert is_kept(scenario["result"], now), scenario["name"]


def of_the_first(record: dict[str, Any]) -> dict[str, Any]:
    return {**record, "edition": 1}


@pytest.mark.parametrize(("name", "edition"), [("nz", 2), ("nz@1", 1)])
def test_a_round_of_a_live_table_is_exported_with_its_edition(name: str, edition: int) -> None:
    night = Night(table(rulebook=name, timers=FAST))
    night.sit("ann")
    night.play(1, ("ann",), random.Random(1))
    told = told_round(night.store.read(night.live.stream), 1).record
    assert (told["rulebook"], told["edition"]) == ("nz", edition)
    assert "book" not in told
    assert live_view(night.live, Viewer("watcher")).view.signs.edition == edition


def test_a_table_of_the_tables_file_may_name_an_edition(tmp_path: Path) -> None:
    file = tmp_path / "tables.toml"
    file.write_text('[[tables]]\nname = "first"\nrulebook = "CA@1"\n', encoding="utf-8")
    [settings] = load_tables(file).tables
    assert (settings.rulebook, settings.load_rules().edition) == ("ca@1", 1)
    file.write_text('[[tables]]\nname = "first"\nrulebook = "ca@9"\n', encoding="utf-8")
    with pytest.raises(TablesFileError, match="table first: rulebook: ca has no edition '9': it has 1 and 2"):
        load_tables(file)


def test_an_open_table_keeps_its_edition_until_the_settings_name_another() -> None:
    night = Night(table(rulebook="nz@1", timers=FAST))
    opened = night.live.stream
    for name, edition, is_same in (("nz", 1, True), ("nz@1", 1, True), ("nz@2", 2, False)):
        again = Night(table(rulebook=name, timers=FAST), store=night.store, clock=night.clock)
        assert (again.live.rules.edition, again.live.stream == opened) == (edition, is_same)
        assert again.house.notes == []


def test_a_round_of_an_earlier_edition_plays() -> None:
    played = play("nz@1", SHOE, bet("ana", 1, "initial", 500), deal())
    assert played.gain("ana") == 500


# What changed, and why.

Read = Callable[[str], dict[str, Any]]


@pytest.fixture
def changed(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """California as its second edition might be: one leaf by an ambiguity, one by the book's word, one by neither."""
    data = deepcopy(editions.read_edition("ca@1"))
    data["edition"] = 2
    data["bank"]["model"]["default"] = "revolving"
    data["table"]["bettors_per_area"]["default"] = 5
    data["war"]["burn"]["value"] = 0
    data["notice"] = {"limits": {"value": 9, "clauses": ["CA-BS-1"]}, "close": {"value": 9, "clauses": ["CA-BS-1"]}}
    words = {"table.bettors_per_area": "more players may take part", "table": "not said of this leaf"}
    data["changes"] = {**words, "notice": "a sign must have stood", "notice.close": "so must this one"}
    real = editions._read
    monkeypatch.setattr(editions, "_read", lambda file: data if file == "ca/book.toml" else real(file))
    return data


@pytest.mark.usefixtures("changed")
def test_each_change_between_editions_has_its_reason() -> None:
    first, second = load_rulebook("ca@1"), load_rulebook("ca")
    found = reasons_between(first, second, differences(first, second))
    assert sorted(found) == ["bank.model", "notice.close", "notice.limits", "table.bettors_per_area", "war.burn"]
    assert str(found["bank.model"]) == f"AMB-11: {load_register()['AMB-11'].why}"
    assert str(found["table.bettors_per_area"]) == "more players may take part"
    assert str(found["notice.limits"]) == "a sign must have stood"
    assert str(found["notice.close"]) == "so must this one"
    assert reasons_between(second, first, differences(second, first)) == found
    assert [one for one in missing() if one.startswith("ca@")] == ["ca@2: war.burn"]
    text = " ".join(diff(first, second).split())
    assert text.startswith("ca@1 ca table.bettors_per_area 3 (allowed: 1 or more)")
    assert f"Why: AMB-11: {load_register()['AMB-11'].why}" in text
    assert "Why: more players may take part" in text


@pytest.mark.usefixtures("changed")
def test_the_changes_are_told_in_json_too() -> None:
    told = json.loads(run("rules", "diff", "ca@1", "ca", "--json").out)
    assert (told["books"], told["editions"]) == (["ca", "ca"], [1, 2])
    assert told["leaves"]["bank.model"][0]["value"] == "payoff_cap"
    assert told["why"]["bank.model"]["ambiguity"] == "AMB-11"
    assert json.loads(run("rules", "diff", "nz", "ma", "--json").out)["why"] == {}


def missing() -> list[str]:
    """The leaves that differ between an edition and the next without a word on why."""
    found = []
    for book in BOOKS:
        for edition in editions_of(book)[1:]:
            before, after = load_rulebook(f"{book}@{edition - 1}"), load_rulebook(f"{book}@{edition}")
            why = reasons_between(before, after, differences(before, after))
            found += [f"{book}@{edition}: {key}" for key, reason in why.items() if not reason.why]
    return found


def test_every_change_of_every_edition_has_a_reason() -> None:
    unexplained = "\n".join(missing())
    assert not unexplained, f"give an ambiguity with an entry, or a sentence under [changes]:\n{unexplained}"


@pytest.mark.parametrize("book", BOOKS)
def test_the_reasons_of_a_book_are_of_leaves_that_changed(book: str) -> None:
    for edition in editions_of(book)[1:]:
        before, after = load_rulebook(f"{book}@{edition - 1}"), load_rulebook(f"{book}@{edition}")
        changed = differences(before, after)
        for said in editions.reasons(book, edition):
            assert any(key == said or key.startswith(f"{said}.") for key in changed), said
