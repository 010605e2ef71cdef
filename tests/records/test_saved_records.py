"""What is saved can be read: records with any names, in both forms, and files that are never half written."""

import os
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from casinowar.cards import parse_card
from casinowar.cli.terminal.user_files import write_record
from casinowar.dealers import RealTable, Session, record_of
from casinowar.engine import Refusal
from casinowar.engine import commands as c
from casinowar.fairness import practice_shuffles
from casinowar.records import parse_record, read_json, read_toml, replay, result
from casinowar.records.write import format_record
from casinowar.rulebooks import load_rulebook
from tests.support.commandline import run

READERS = {".toml": read_toml, ".json": read_json}
HARD = (
    "😀",
    'a"b',
    "a\\b",
    "\\ud83d",
    "a\nb",
    "a\r\n",
    "\x00\x1f\x7f\x85",
    "\u202eרנא\u200f",
    "\ufeff",
    "=",
    "[x]",
    "a.b",
    "'''",
)
HALF = "\ud83d"


def read_back(record: dict[str, Any], suffix: str) -> dict[str, int]:
    """The balances that a saved record is replayed to. Nothing of it is refused."""
    text = format_record(record, suffix).encode("utf-8").decode("utf-8")
    told = result(replay(parse_record(READERS[suffix](text))))
    assert told["refusals"] == []
    return {player: chips for player, chips in told["balances"].items() if player != "house"}


@settings(max_examples=60, deadline=None)
@given(name=st.text(min_size=1), reason=st.text(), suffix=st.sampled_from(sorted(READERS)))
@example(name="😀", reason="😀 \x7f", suffix=".toml")
def test_whatever_somebody_is_called_the_saved_session_reads_back(name: str, reason: str, suffix: str) -> None:
    _check_session(name, reason, suffix)


@pytest.mark.parametrize("suffix", sorted(READERS))
@pytest.mark.parametrize("name", HARD)
def test_hard_names_read_back(name: str, suffix: str) -> None:
    _check_session(name, name, suffix)
    _check_night(name, suffix)


def _check_session(name: str, reason: str, suffix: str) -> None:
    session = Session(load_rulebook("nz"), practice_shuffles("names"))
    if isinstance(session.buy_in(name, 1_000), Refusal):
        assert name in ("house", "dealer") or name.isspace()
        return
    session.do(c.PlaceWager(player=name, box=1, wager="initial", amount=100))
    session.do(c.FlagPartnership(players=(name,), by=f"supervisor:{reason}"))
    session.cut_in_the_middle()
    session.deal()
    while session.table.phase == "deciding":
        session.do(c.Surrender(player=name, box=1, reason=reason))
        session.deal()
    record = record_of(session)
    text = format_record(record, suffix)
    read = READERS[suffix](text)
    assert read["players"] == {name: 1_000}
    assert read["acts"] == [{**act, **_lists(act)} for act in record["acts"]]
    assert read_back(record, suffix) == session.table.players


def _lists(act: dict[str, Any]) -> dict[str, Any]:
    return {key: list(value) for key, value in act.items() if isinstance(value, tuple)}


def _check_night(name: str, suffix: str) -> None:
    real = RealTable(load_rulebook("ctg"))
    real.do(c.BuyIn(player=name, amount=500))
    real.do(c.SeatPlayer(player=name, box=1))
    real.go_on()
    real.do(c.Cut(player=name, position=156))
    real.go_on()
    real.do(c.PlaceWager(player=name, box=1, wager="initial", amount=50))
    real.step()
    real.go_on()
    for card in ("Kh", "2d"):
        real.enter(parse_card(card))
    real.go_on()
    assert real.table.players == {name: 550}
    assert read_back(record_of(real), suffix) == {name: 550}


@pytest.mark.parametrize("suffix", sorted(READERS))
def test_half_a_character_is_an_error_before_anything_is_written(suffix: str, tmp_path: Path) -> None:
    session = Session(load_rulebook("nz"), practice_shuffles("names"))
    session.buy_in("ana", 1_000)
    record = {**record_of(session), "players": {HALF: 1_000}}
    with pytest.raises(ValueError, match="half a character"):
        format_record(record, suffix)
    path = tmp_path / f"night{suffix}"
    path.write_text("the one before")
    with pytest.raises(Exception, match="half a character"):
        write_record(path, record)
    assert path.read_text() == "the one before"
    assert os.listdir(tmp_path) == [path.name]


def test_nothing_is_replaced_by_what_does_not_read_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As it was with a name that the writer spelt as no reader takes it."""
    writer = import_module("casinowar.records.write")  # Its name is a function's too.
    monkeypatch.setattr(writer, "format_record", lambda record, suffix: '"\\ud83d\\ude00" = 1')
    path = tmp_path / "night.toml"
    path.write_text("the one before")
    with pytest.raises(Exception, match="read back"):
        write_record(path, {"format": "casinowar-record/1"})
    assert path.read_text() == "the one before"
    assert os.listdir(tmp_path) == [path.name]


def test_the_record_before_stays_while_the_disk_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    path = tmp_path / "night.json"
    path.write_text("the one before")
    with pytest.raises(OSError, match="No space"):
        write_record(path, {"format": "casinowar-record/1"})
    assert path.read_text() == "the one before"
    assert os.listdir(tmp_path) == [path.name]


@pytest.mark.parametrize("suffix", sorted(READERS))
def test_a_night_with_such_a_name_is_saved_replayed_and_resumed(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"night{suffix}"
    typed = 'go\ncut 😀\ngo\nbet 😀 1 50\nbet a"b 2 50\ngo\nkh\n9d\n2c\ngo\nquit\n'
    told = run("deal", "--players", '😀=500,a"b=500', "--save", str(path), stdin=typed)
    assert told.out.endswith(f"Saved: casinowar replay {path}\n"), told.out
    again = run("replay", "--json", "--strict", str(path))
    assert (again.status, again.err) == (0, "")
    assert {"😀": 550, 'a"b': 550}.items() <= read_json(again.out)["balances"].items()
    resumed = run("deal", "--resume", str(path), stdin="quit\n")
    assert (resumed.status, resumed.err) == (0, "")


def test_a_name_with_half_a_character_is_no_player(tmp_path: Path) -> None:
    told = run("deal", "--players", f"{HALF}=500", "--save", str(tmp_path / "night.toml"))
    assert "half a character" in told.error
    assert os.listdir(tmp_path) == []
