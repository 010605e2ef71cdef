"""Records that cannot be understood: one line that names the place and the reason, and nothing else."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from casinowar.records import RecordError, parse_record, read_json, read_toml, replay
from tests.support.commandline import run, spawn
from tests.support.rounds import Act, act, bet, deal

ANA = bet("ana", 1, "initial", 1000)
DIGITS = "9" * 5000
"""More digits than the interpreter turns into a number."""


def record(**fields: Any) -> dict[str, Any]:
    """A good record, with some fields set otherwise; `...` leaves one out."""
    whole = {
        "format": "casinowar-record/1",
        "rulebook": "nz",
        "shoe": "2c Kh 9d",
        "players": {"ana": 5000, "ben": 5000},
        "acts": [ANA, deal()],
        **fields,
    }
    return {name: value for name, value in whole.items() if value is not ...}


def with_act(do: Act) -> dict[str, Any]:
    return record(acts=[ANA, do])


def wager(**fields: Any) -> dict[str, Any]:
    return with_act({name: value for name, value in {**ANA, **fields}.items() if value is not ...})


def nest(depth: int) -> Any:
    return [nest(depth - 1)] if depth else 1


# name: (record, words that the line must hold: where it is, and what is wrong with it)
RECORDS: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "no fields": ({}, ("format", "missing")),
    "another format": (record(format="casinowar-record/9"), ("format", "casinowar-record/9", "casinowar-record/1")),
    "a number as format": (record(format=1), ("format", "str")),
    "no rulebook": (record(rulebook=...), ("rulebook", "missing")),
    "no shoe": (record(shoe=...), ("shoe", "missing")),
    "unknown field": (record(dealers=3), ("dealers", "unknown")),
    "unknown book": (record(rulebook="xx"), ("xx", "nz", "wa", "ctg")),
    "empty book": (record(rulebook=""), ("rulebook", "nz")),
    "book outside the package": (record(rulebook="../data/nz"), ("../data/nz",)),
    "options are no table": (record(options=[1]), ("options", "array")),
    "unknown option": (record(options={"shoe.colour": "red"}), ("shoe.colour", "shoe.decks")),
    "option of another book": (record(options={"perfect_pairs.table": "P6a"}), ("perfect_pairs.table", "nz")),
    "rule that is no option": (record(options={"shoe.cut_depth": 1}), ("shoe.cut_depth", "52", "NZ-7.6")),
    "too few decks": (record(options={"shoe.decks": 3}), ("shoe.decks", "3", "4, 5, 6, 7, 8", "NZ-3.4a")),
    "decks as text": (record(options={"shoe.decks": "6"}), ("shoe.decks", "4, 5, 6, 7, 8")),
    "decks as fraction": (record(options={"shoe.decks": 6.0}), ("shoe.decks", "4, 5, 6, 7, 8")),
    "decks as list": (record(options={"shoe.decks": [6]}), ("shoe.decks", "4, 5, 6, 7, 8")),
    "a burn that is no count": (record(options={"war.burn": True}), ("war.burn", "NZ-8.8-ii")),
    "switch as number": (record(options={"table.multi_box": 1}), ("table.multi_box", "NZ-5.7")),
    "boxes beyond the layout": (record(options={"table.boxes": 8}), ("table.boxes", "1 to 7", "NZ-3.1-i")),
    "more boxes per player than boxes": (
        record(options={"table.boxes": 3, "table.max_boxes_per_player": 4}),
        ("table.max_boxes_per_player", "1 to 3"),
    ),
    "negative maximum of an area": (record(options={"limits.area_total_max": -1}), ("limits.area_total_max", "-1")),
    "enormous maximum of an area": (record(options={"limits.area_total_max": 10**30}), ("limits.area_total_max",)),
    "option that is nothing": (record(options={"war.method": None}), ("war.method", "A, B")),
    "paytable for other decks": (
        record(rulebook="wa", options={"shoe.decks": 8, "perfect_pairs.table": "P6a"}),
        ("perfect_pairs.table", "P6a", "P8a, P8b", "WA-3.16-8"),
    ),
    "paytable for the default decks": (
        record(rulebook="wa", options={"perfect_pairs.table": "P4a"}),
        ("perfect_pairs.table", "P4a", "P6a, P6b, P6c, P6d", "WA-3.16-6"),
    ),
    "unknown card": (record(shoe="2c Zz 9d"), ("shoe", "Zz")),
    "card in capitals": (record(shoe="2c KH 9d"), ("shoe", "KH")),
    "card without a suit": (record(shoe=["2c", "K"]), ("shoe", "'K'")),
    "card that is empty": (record(shoe=["2c", ""]), ("shoe", "''")),
    "card that is a number": (record(shoe=["2c", 7]), ("shoe", "int")),
    "shoe that is a number": (record(shoe=7), ("shoe", "int")),
    "two cutting cards": (record(shoe="2c cut Kh cut"), ("shoe", "cutting card")),
    "seven of a card in six decks": (record(shoe=" ".join(["Kh"] * 7)), ("shoe", "7", "Kh", "6")),
    "five of a card in four decks": (
        record(shoe=" ".join(["Kh"] * 5), options={"shoe.decks": 4}),
        ("shoe", "5", "Kh", "4"),
    ),
    "seven of a card under two names": (record(shoe="Th 10h Th 10h Th 10h Th"), ("shoe", "7", "Th", "6")),
    "more cards than six decks": (record(shoe=" ".join(["xx"] * 313)), ("shoe", "313", "312")),
    "unknown card in a later shoe": (record(later_shoes=["2c", "3c 1c"]), ("later_shoes[1]", "1c")),
    "too many of a card in a later shoe": (
        record(later_shoes=["2c", " ".join(["Kh"] * 7)]),
        ("later_shoes[1]", "7", "Kh", "6"),
    ),
    "later shoes that are no list": (record(later_shoes="2c 3c"), ("later_shoes", "str")),
    "players that are a list": (record(players=["ana"]), ("players", "array")),
    "negative balance": (record(players={"ana": -1}), ("players", "ana", "negative")),
    "fractional balance": (record(players={"ana": 10.5}), ("players", "float")),
    "balance as text": (record(players={"ana": "5000"}), ("players", "str")),
    "balance that is no number": (record(players={"ana": float("nan")}), ("players", "float")),
    "balance without end": (record(players={"ana": float("inf")}), ("players", "float")),
    "the house as a player": (record(players={"house": 5000}), ("players", "house")),
    "a player without a name": (record(players={"": 5000}), ("players", "''")),
    "negative meter": (record(meter=-1), ("meter", "negative")),
    "limits that are no table": (record(limits=500), ("limits", "int")),
    "minimum above maximum": (record(limits={"minimum": 500, "maximum": 400}), ("limits", "minimum", "maximum")),
    "minimum above the maximum of a kind": (
        record(limits={"minimum": 500, "tie": {"maximum": 400}}),
        ("limits.tie", "minimum", "maximum"),
    ),
    "unit of nothing": (record(limits={"unit": 0}), ("limits", "unit")),
    "negative minimum": (record(limits={"minimum": -5}), ("limits", "minimum")),
    "fractional minimum": (record(limits={"minimum": 0.5}), ("limits.minimum", "float")),
    "switch as minimum": (record(limits={"minimum": True}), ("limits.minimum", "bool")),
    "misspelt limit": (record(limits={"minimun": 500}), ("limits", "minimun")),
    "misspelt limit of a kind": (record(limits={"tie": {"maximun": 500}}), ("limits.tie", "maximun")),
    "limits of an unknown kind": (record(limits={"bonus": {"minimum": 5}}), ("limits.bonus", "tie")),
    "limits of a war": (record(limits={"war": {"minimum": 5}}), ("limits.war", "initial")),
    "acts that are no list": (record(acts={"do": "deal"}), ("acts", "object")),
    "an act that is a word": (record(acts=[ANA, "deal"]), ("acts[1]", "str")),
    "an act without a name": (with_act({"player": "ana"}), ("acts[1]", "do")),
    "unknown act": (with_act(act("fold", player="ana")), ("acts[1]", "fold")),
    "act with a number for its name": (with_act({"do": 7}), ("acts[1].do",)),
    "act of the engine alone": (with_act(act("correct_card", card="2c")), ("acts[1]", "correct_card")),
    "wager without an amount": (wager(amount=...), ("acts[1]", "amount", "missing")),
    "wager without a player": (wager(player=...), ("acts[1]", "player", "missing")),
    "wager with an unknown field": (wager(amout=5), ("acts[1]", "amout")),
    "unknown wager": (wager(wager="ties"), ("acts[1].wager", "ties")),
    "fractional amount": (wager(amount=10.5), ("acts[1].amount", "int", "float")),
    "whole amount written as a fraction": (wager(amount=1000.0), ("acts[1].amount", "int", "float")),
    "switch as amount": (wager(amount=True), ("acts[1].amount", "int", "bool")),
    "text as amount": (wager(amount="1000"), ("acts[1].amount", "int", "str")),
    "nothing as amount": (wager(amount=None), ("acts[1].amount", "int", "null")),
    "amount that is no number": (wager(amount=float("nan")), ("acts[1].amount", "int", "float")),
    "fractional box": (wager(box=1.5), ("acts[1].box", "int", "float")),
    "number as player": (wager(player=7), ("acts[1].player", "str", "int")),
    "number as called": (wager(called=1), ("acts[1].called", "bool", "int")),
    "by nobody": (wager(by=""), ("acts[1].by", "supervisor:s1")),
    "by an unknown role": (wager(by="chef:c1"), ("acts[1].by", "supervisor:s1")),
    "by a role without a person": (wager(by="supervisor:"), ("acts[1].by", "supervisor:s1")),
    "by a person without a role": (wager(by="ana"), ("acts[1].by", "supervisor:s1")),
    "by a number": (wager(by=7), ("acts[1].by", "supervisor:s1")),
    "a second signature that is none": (wager(second="nobody"), ("acts[1].second", "supervisor:s1")),
    "fractional deal": (with_act(act("deal", cards=1.5)), ("acts[1].cards", "int", "float")),
    "unknown cause": (with_act(act("invalidate_round", cause="boredom")), ("acts[1].cause", "boredom")),
    "unknown reason to shuffle": (with_act(act("supervisor_shuffle", reason="mood")), ("acts[1].reason", "mood")),
    "unknown card to replace": (with_act(act("replace_cards", cards=["1c"])), ("acts[1]", "1c")),
    "unseen card to replace": (with_act(act("replace_cards", cards=["xx"])), ("acts[1]", "xx")),
    "unknown field of before": (record(before={"shoes": 1}), ("before", "shoes")),
    "seat of before that is no number": (record(before={"seats": {"first": "ana"}}), ("before", "first")),
    "seat of before outside the layout": (record(before={"seats": {"9": "ana"}}), ("before", "9")),
    "seat of before for a stranger": (record(before={"seats": {"1": "zoe"}}), ("before", "zoe")),
    "reminder of before for a stranger": (record(before={"reminded": ["zoe"]}), ("before", "zoe")),
    "negative rounds before": (record(before={"rounds": -1}), ("before",)),
    "negative burns before": (record(before={"dealer_burns": -1}), ("before",)),
    "enormous burns before": (record(before={"dealer_burns": 10**30}), ("before",)),
    "field with a line break": (record(**{"a\nb": 1}), ("unknown",)),
    "act field with a line break": (wager(**{"a\nb": 1}), ("acts[1]", "unknown")),
    "option with a line break": (record(options={"war.method": "A\nB"}), ("war.method",)),
    "wager with a line break": (wager(wager="tie\nbreak"), ("acts[1].wager",)),
    "negative player with a line break": (record(players={"ana\nben": -1}), ("players", "negative")),
    "limits with a line break": (record(limits={"tie\nx": {"minimum": 5}}), ("limits",)),
    "nested where a number is due": (record(players={"ana": nest(500)}), ("players", "array")),
    "nested option": (record(options={"shoe.decks": nest(500)}), ("shoe.decks",)),
}
EVERY = pytest.mark.parametrize(("data", "words"), RECORDS.values(), ids=RECORDS)


def test_the_record_that_these_are_made_of_is_good() -> None:
    assert replay(parse_record(record())).table.players == {"ana": 6000, "ben": 5000}


@EVERY
def test_parse_says_where_and_why(data: dict[str, Any], words: tuple[str, ...]) -> None:
    with pytest.raises(RecordError) as error:
        parse_record(data)
    assert [word for word in words if word not in str(error.value)] == []


@EVERY
def test_replay_ends_with_one_line(data: dict[str, Any], words: tuple[str, ...]) -> None:
    error = run("replay", "-", stdin=json.dumps(data)).error
    prefix, place, reason = error.partition("standard input: ")
    assert prefix.startswith("casinowar")
    assert place
    assert [word for word in words if word not in reason] == []


# name: (name of the file, what it holds, words that the line must hold)
COMMA = "line 1" if sys.version_info >= (3, 13) else "line 2"
"""Where the interpreter sees a comma too many: at the comma, or at what follows it."""

FILES: dict[str, tuple[str, bytes, tuple[str, ...]]] = {
    "empty TOML": ("round.toml", b"", ("format", "missing")),
    "empty JSON": ("round.json", b"", ("broken JSON", "line 1")),
    "blank": ("round", b" \n", ("format", "missing")),
    "broken TOML": ("round.toml", b'format = "casinowar-record/1\n', ("broken TOML", "line 1")),
    "TOML with a key twice": ("round.toml", b"meter = 1\nmeter = 2\n", ("broken TOML", "line 2")),
    "broken JSON": ("round.json", b'{"format": ', ("broken JSON", "line 1")),
    "JSON with a comma too many": ("round.json", b'{"format": "x",\n}', ("broken JSON", COMMA)),
    "JSON in a TOML file": ("round.toml", b'{"format": "x"}', ("broken TOML", "line 1")),
    "JSON list": ("round.json", b"[1, 2]", ("object",)),
    "JSON number": ("round.json", b"7", ("object",)),
    "JSON null": ("round.json", b"null", ("object",)),
    "JSON word": ("round.json", b'"casinowar-record/1"', ("object",)),
    "deep JSON": (
        "round.json",
        b'{"options": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        ("broken JSON", "nested too deeply"),
    ),
    "deep TOML": ("round.toml", b"options = " + b"[" * 100_000 + b"]" * 100_000, ("broken TOML", "nested")),
    "deep TOML keys": ("round.toml", b"a" + b".a" * 2_000 + b" = 1", ("a",)),
    "JSON number of too many digits": (
        "round.json",
        f'{{"meter": {DIGITS}}}'.encode(),
        ("broken JSON", "too many digits"),
    ),
    "TOML number of too many digits": ("round.toml", f"meter = {DIGITS}".encode(), ("broken TOML", "too many digits")),
    "TOML date as amount": ("round.toml", b"meter = 2020-01-01\n", ("meter", "int")),
    "not UTF-8": ("round.toml", b'format = "\xff"', ("UTF-8", "10")),
    "not UTF-8 JSON": ("round.json", b'{"format": "\xe9"}', ("UTF-8",)),
    "two bytes a character": ("round.json", '{"format": "x"}'.encode("utf-16"), ("UTF-8",)),
    "half a character": ("round.json", rb'{"rulebook": "\ud800"}', ("rulebook", "half a character")),
    "half a character as a field": ("round.json", rb'{"\ud800": 1}', ("half a character",)),
    "binary": ("round", bytes(range(256)), ()),
    "null byte": ("round.toml", b"\0", ("broken TOML",)),
}


@pytest.mark.parametrize(("name", "content", "words"), FILES.values(), ids=FILES)
def test_file_that_is_no_record(tmp_path: Path, name: str, content: bytes, words: tuple[str, ...]) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    error = run("replay", str(file)).error
    prefix, _, reason = error.partition(f"{file}: ")
    assert prefix.startswith("casinowar")
    assert reason
    assert [word for word in words if word not in reason] == []


def test_missing_file(tmp_path: Path) -> None:
    assert run("replay", str(tmp_path / "none.toml")).error.endswith("none.toml: No such file or directory")


def test_folder_as_file(tmp_path: Path) -> None:
    assert run("replay", str(tmp_path)).error.endswith(f"{tmp_path.name}: Is a directory")


def test_no_file_at_all() -> None:
    assert "FILE" in run("replay").error


@pytest.mark.parametrize("read", [read_json, read_toml])
def test_too_many_digits_are_a_record_error(read: Any) -> None:
    text = f'{{"meter": {DIGITS}}}' if read is read_json else f"meter = {DIGITS}"
    with pytest.raises(RecordError) as error:
        read(text)
    assert str(error.value).startswith("broken ")


@pytest.mark.parametrize("amount", [0, -1000, 10**30, 2**63, 2**64])
@pytest.mark.parametrize("form", [("--json",), ()])
def test_amounts_that_are_understood_are_refused(amount: int, form: tuple[str, ...]) -> None:
    """Zero, negative and unaffordable amounts are no bad input: the act is listed and the replay goes on."""
    text = json.dumps(record(acts=[bet("ben", 2, "initial", amount), ANA, deal()]))
    ran = run("replay", "-", *form, stdin=text)
    assert (ran.status, ran.err) == (0, "")
    if form:
        reason = "amount_not_positive" if amount <= 0 else "insufficient_funds"
        assert [one["reason"] for one in json.loads(ran.out)["refusals"]] == [reason]
    # ana's king beats the nine: 1000 at 1:1.
    assert replay(parse_record(json.loads(text))).table.players == {"ana": 6000, "ben": 5000}


def test_an_enormous_purse_is_counted_exactly() -> None:
    purse = 10**30
    data = record(players={"ana": purse}, acts=[bet("ana", 1, "initial", purse), deal()])
    ran = run("replay", "-", "--json", stdin=json.dumps(data))
    assert ran.status == 0
    assert json.loads(ran.out)["balances"] == {"ana": 2 * purse, "house": -purse}


SPAWNED = {
    "broken TOML": (b"format = ", b"round.toml"),
    "unknown book": (json.dumps(record(rulebook="xx")).encode(), b"round.json"),
    "fractional amount": (json.dumps(wager(amount=0.5)).encode(), b"round.json"),
    "deep JSON": (b"[" * 200_000, b"round.json"),
    "too many digits": (b'{"meter": ' + DIGITS.encode() + b"}", b"round.json"),
    "not UTF-8": (b"\xff\xfe", b"round.toml"),
    "half a character": (json.dumps(record(rulebook="\ud800")).encode(), b"round.json"),
    "enormous burns": (json.dumps(record(before={"dealer_burns": 10**30})).encode(), b"round.json"),
}


@pytest.mark.parametrize(("content", "name"), SPAWNED.values(), ids=SPAWNED)
def test_in_a_process_of_its_own(tmp_path: Path, content: bytes, name: bytes) -> None:
    file = tmp_path / name.decode()
    file.write_bytes(content)
    error = spawn("replay", str(file)).error
    assert f"{file}: " in error
    assert "Traceback" not in error


def test_in_a_process_that_writes_plain_ascii() -> None:
    data = json.dumps(record(rulebook="Québec\u2028")).encode()
    error = spawn("replay", "-", stdin=data, env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}).error
    assert "standard input" in error
    assert "Traceback" not in error
