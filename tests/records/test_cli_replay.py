"""`casinowar replay`: formats, exit statuses, what it tells, and what it says of input it cannot understand."""

import json
import os
import re
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from casinowar.records import parse_record, replay
from casinowar.records.narrative import tell
from casinowar.rulebooks.toml_files import LONG_KEY
from casinowar.words.refusals import REASONS
from tests.support.commandline import run, spawn
from tests.support.rounds import act, bet, deal, surrender, war

ENGINE = Path(__file__).parents[2] / "src" / "casinowar" / "engine"
FIRST = Path(__file__).parents[1] / "transcripts" / "first.toml"


def record(*acts: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {
        "format": "casinowar-record/1",
        "rulebook": "nz",
        "shoe": "2c Kh 9d",
        "players": {"ana": 5000},
        "acts": list(acts) or [bet("ana", 1, "initial", 1000), deal()],
        **fields,
    }


def arrivals(count: int) -> list[dict[str, Any]]:
    return [act("buy_in", player=f"p{n}", amount=100) for n in range(count)]


WON = {"ana": 6000, "house": -1000}


@pytest.mark.parametrize("name", ["round.json", "round.JSON", "round.txt", "round"])
def test_json_file(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.write_text(json.dumps(record()))
    assert json.loads(run("replay", str(file), "--json").out)["balances"] == WON


@pytest.mark.parametrize("name", ["round.toml", "round.TOML", "round.txt", "round"])
def test_toml_file(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    acts = (
        '[[acts]]\ndo = "place_wager"\nplayer = "ana"\nbox = 1\nwager = "initial"\namount = 1000\n[[acts]]\ndo = "deal"'
    )
    head = 'format = "casinowar-record/1"\nrulebook = "nz"\nshoe = "2c Kh 9d"\n[players]\nana = 5000\n'
    file.write_text(head + acts)
    assert json.loads(run("replay", str(file), "--json").out)["balances"] == WON


def test_a_toml_file_that_begins_with_a_table_is_not_taken_for_json(tmp_path: Path) -> None:
    file = tmp_path / "round"
    file.write_text("[players]\nana = 1\n[options]\nx = ")
    assert "broken TOML" in run("replay", str(file)).error


def test_standard_input_is_json() -> None:
    done = run("replay", "-", "--json", stdin=json.dumps(record()))
    assert (done.status, done.err) == (0, "")
    assert json.loads(done.out)["balances"] == WON
    assert "broken JSON" in run("replay", "-", stdin=FIRST.read_bytes()).error


def test_byte_order_mark_is_passed_over() -> None:
    done = run("replay", "-", "--json", stdin=b"\xef\xbb\xbf" + json.dumps(record()).encode())
    assert json.loads(done.out)["balances"] == WON


def test_a_refused_act_is_listed_and_the_replay_goes_on() -> None:
    acts = [bet("ana", 9, "initial", 1000), bet("ana", 1, "initial", 1000), deal()]
    done = run("replay", "-", "--json", stdin=json.dumps(record(*acts)))
    data = json.loads(done.out)
    assert (done.status, done.err) == (0, "")
    assert data["refusals"] == [{"act": 0, "reason": "unknown_box", "clauses": ["NZ-3.1-i"]}]
    assert data["balances"] == WON


def test_where_the_book_is_silent_the_result_says_so() -> None:
    """California has no section on irregularities, and no unit; who buys in asks no book."""
    bank = [
        {"do": "seat_player", "player": "dan", "box": 8},
        {"do": "accept_bank", "player": "dan", "box": 8, "stake": 5000},
    ]
    bets = [
        {"do": "place_wager", "player": "ana", "box": 1, "wager": "initial", "amount": amount} for amount in (750, 1000)
    ]
    record = {
        "format": "casinowar-record/1",
        "rulebook": "ca",
        "shoe": "2c Kh 9d",
        "limits": {"minimum": 500, "maximum": 5000, "unit": 500},
        "players": {"ana": 10_000, "dan": 10_000},
        "acts": [*bank, *bets, {"do": "report_face_up_card"}],
    }
    told = json.loads(run("replay", "-", "--json", stdin=json.dumps(record)).out)
    assert [(one["reason"], one.get("silent")) for one in told["refusals"]] == [("wager_off_unit", True)]
    silent = {one["name"] for one in told["events"] if one.get("silent")}
    assert silent == {"card_discarded", "face_up_found"}
    assert all(not one["clauses"] for one in told["events"] if one.get("silent"))


def test_nobody_cashes_out_the_chips_of_another_player() -> None:
    acts = [{"do": "cash_out", "player": "ana", "amount": 1000, "by": f"player:{who}"} for who in ("ben", "ana")]
    head = {"format": "casinowar-record/1", "rulebook": "nz", "shoe": "2c"}
    record = {**head, "players": {"ana": 10_000, "ben": 10_000}, "acts": acts}
    told = json.loads(run("replay", "-", "--json", stdin=json.dumps(record)).out)
    assert [(one["act"], one["reason"]) for one in told["refusals"]] == [(0, "not_entitled")]
    assert told["balances"]["ana"] == 9000


def test_strict_stops_at_the_first_refusal() -> None:
    acts = [bet("ana", 1, "initial", 1000), bet("ana", 9, "tie", 1000), deal()]
    done = run("replay", "-", "--json", "--strict", stdin=json.dumps(record(*acts)))
    assert done.status == 1
    data = json.loads(done.out)
    assert (data["rounds"], data["balances"]["ana"], len(data["open"])) == ([], 4000, 1)
    assert "act 1, place wager (player ana, box 9, wager tie, amount 1000): there is no such box [NZ-3.1-i]" in done.err


def test_strict_is_content_with_a_clean_record() -> None:
    assert run("replay", "-", "--strict", stdin=json.dumps(record())).status == 0


def test_told_round() -> None:
    told = run("replay", str(FIRST)).out
    lines = [line.strip() for line in told.splitlines()]
    assert "box 2, ben: Tie 500 wins 5,000 at 10:1 [NZ-5.6, NZ-5.13d]" in lines
    assert "box 2, ben: Go to War 2,000 wins 4,000 at 2:1 [NZ-5.4b, NZ-5.13c]" in lines
    assert "cat surrenders on box 3, 500 of 1,000 back [NZ-1.2-SUR, NZ-5.2b]" in lines
    # 1000 for ana at 1:1; ben 500 x 10 and 2000 x 2; cat gives up half of 1000.
    assert "Result: ana +1,000, ben +9,000, cat -500, house -9,500" in lines


def told(*acts: dict[str, Any], **fields: Any) -> str:
    parsed = parse_record(record(*acts, **fields))
    return tell(parsed, replay(parsed))


def test_sealed_burns_are_shown_and_unseen_ones_are_not() -> None:
    assert "Opening burn: 2c face down" in told()
    assert "Opening burn: xx face down" in told(shoe="xx Kh 9d")


def test_face_up_burn_tells_its_value() -> None:
    text = told(rulebook="wa", shoe="3h 2c 4c 5c Kh 9d")
    assert "Opening burn: 3h face up, so 3 more" in text
    assert "Burned for the value of that card: 2c 4c 5c face down" in text


def test_a_war_deal_wager_that_shares_a_name_is_told_apart() -> None:
    acts = [bet("ana", 1, "initial", 100), bet("ana", 1, "perfect_pairs", 10), deal(), war("ana", 1)]
    acts += [bet("ana", 1, "war_perfect_pairs", 20), deal()]
    text = told(*acts, rulebook="wa", shoe="Ah 2c 9h 9h 3c 4c 5c Kd Ks")
    assert "Perfect Pairs 10 wins 250 at 25:1" in text
    assert "Perfect Pairs on the war 20 wins 100 at 5:1" in text
    assert "Burned before the war: 3c 4c 5c face down, beside the dealer's card" in text


def test_limits_cut_and_advised() -> None:
    limits = {"minimum": 100, "maximum": 1000, "unit": 100}
    text = " ".join(
        told(bet("ana", 1, "initial", 1550), deal(), rulebook="wa", shoe="Ah 2c 9h 8h", limits=limits).split()
    )
    assert "ana's Casino War of 1,550, box 1, plays for 1,000; 550 goes back" in text
    assert "ana is told the limits of Casino War: 100 to 1,000 in units of 100" in text


def test_invalidated_after_its_end() -> None:
    acts = [bet("ana", 1, "initial", 1000), deal(), act("invalidate_round", cause="fire")]
    text = told(*acts, rulebook="wa", shoe="Ah 2c 9h 8h")
    assert "Round 1, invalidated after its end" in text
    assert text.index("ana +1,000, house -1,000") < text.index("Result: ana 0, house 0")


def test_unfinished_round_lists_what_lies_on_the_layout() -> None:
    text = told(bet("ana", 1, "initial", 1000), deal(), shoe="2c 9h 9d")
    assert "Round 1, not finished" in text
    assert "ana 4,000 (-1,000)" in text
    assert "still on the layout: ana's Casino War of 1,000 on box 1" in text


def test_unfinished_round_after_surrender_holds_nothing() -> None:
    text = told(bet("ana", 1, "initial", 1001), deal(), surrender("ana", 1), shoe="2c 9h 9d")
    assert "501 of 1,001 back" in text
    assert "still on the layout" not in text


def test_a_supervisor_surrenders_for_a_player() -> None:
    ruled = act("surrender", player="ana", box=1, reason="absent", by="supervisor:s1")
    text = told(bet("ana", 1, "initial", 1000), deal(), ruled, shoe="2c 9h 9d")
    assert "Game Supervisor s1 surrenders for ana, box 1: absent" in text
    assert "Result: ana -500, house +500" in text


def test_names_cannot_break_lines_or_steer_the_terminal() -> None:
    name = "a\x1b[31m\nb"
    text = told(bet(name, 1, "initial", 1000), bet(name, 9, "tie", 5), deal(), players={name: 5000})
    assert "\x1b" not in text
    assert "a\\x1b[31m\\nb sits at box 1" in text
    assert "player a\\x1b[31m\\nb" in " ".join(text.split())


def test_a_name_that_no_encoding_holds() -> None:
    data = record(bet("\ud800", 1, "initial", 1000), deal(), players={"\ud800": 5000})
    done = spawn("replay", "-", stdin=json.dumps(data).encode())
    assert done.status == 2
    assert "players" in done.error


@pytest.mark.parametrize("balance", [2**63, 2**64, 10**30])
def test_balances_without_end(balance: int) -> None:
    """Either the money is told to the last unit, or the record is refused as a whole."""
    done = run("replay", "-", "--json", stdin=json.dumps(record(players={"ana": balance})))
    if done.status == 0:
        assert json.loads(done.out)["balances"] == {"ana": balance + 1000, "house": -1000}
    else:
        assert "players.ana" in done.error


def test_a_name_that_no_encoding_holds_as_json() -> None:
    """A lone surrogate comes back as it came, or the record is refused as a whole."""
    data = record(bet("\ud800", 1, "initial", 1000), deal(), players={"\ud800": 5000})
    done = run("replay", "-", "--json", stdin=json.dumps(data))
    if done.status == 0:
        assert json.loads(done.out)["balances"] == {"\ud800": 6000, "house": -1000}
    else:
        assert "players" in done.error


def test_every_refusal_has_words() -> None:
    source = "".join(file.read_text() for file in ENGINE.rglob("*.py"))
    source += (ENGINE.parent / "records" / "replay.py").read_text()
    reasons = set(re.findall(r'Refusal\(\s*"(\w+)"', source))
    assert len(reasons) > 40
    assert reasons - REASONS.keys() == set()


BROKEN = {
    "no JSON": ("{", "broken JSON"),
    "no object": ("[1]", "object"),
    "wrong format": (record(format="casinowar-record/9"), "casinowar-record/9"),
    "no format": ({"rulebook": "nz"}, "format"),
    "unknown book": (record(rulebook="xx"), "unknown rulebook 'xx'"),
    "unknown option": (record(options={"shoe.colour": 1}), "shoe.colour"),
    "option outside": (record(options={"shoe.decks": 9}), "4, 5, 6, 7, 8"),
    "table that does not fit": (
        record(rulebook="wa", options={"shoe.decks": 4, "perfect_pairs.table": "P6a"}),
        "allowed P4a",
    ),
    "unknown card": (record(shoe="2c 1h"), "'1h'"),
    "too many of a card": (record(shoe=["2c"] * 7), "7 times 2c"),
    "two cutting cards": (record(shoe="2c cut 3c cut"), "shoe"),
    "unknown act": (record(act("dance")), "acts[0]"),
    "missing field": (record(act("go_to_war", player="ana")), "box"),
    "unknown field": (record(act("deal", slowly=True)), "slowly"),
    "fraction": (record(bet("ana", 1, "initial", 10.5)), "acts[0].amount"),  # type: ignore[arg-type]
    "text amount": (record(bet("ana", 1, "initial", "10")), "acts[0].amount"),  # type: ignore[arg-type]
    "not a number": (record(bet("ana", 1, "initial", float("nan"))), "acts[0].amount"),  # type: ignore[arg-type]
    "yes for an amount": (record(bet("ana", 1, "initial", True)), "acts[0].amount"),
    "negative balance": (record(players={"ana": -1}), "players.ana"),
    "player named house": (record(players={"house": 1}), "house"),
    "limits upside down": (record(limits={"minimum": 10, "maximum": 5}), "limits"),
    "limits of no wager": (record(limits={"poker": {"minimum": 10}}), "limits.poker"),
    "unsigned act": (record(act("deal", by="me")), "acts[0].by"),
    "seat of no number": (record(before={"seats": {"one": "ana"}}), "one"),
    "seat of nobody": (record(before={"seats": {"1": "zoe"}}), "zoe"),
    "digits without end": ('{"format": ' + "9" * 5000 + "}", "standard input"),
    "too deep": ("[" * 100_000, "broken JSON"),
    "more players than a night has": (record(players={f"p{n}": 1 for n in range(20_001)}), "players: 20,001 players"),
    "more who come to the table": (record(*arrivals(20_001), players={}), "players: 20,001 players"),
    "more acts than a night has": (record(*[act("tick", seconds=1)] * 200_001), "acts: 200,001 acts"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_record_that_cannot_be_understood(name: str) -> None:
    data, reason = BROKEN[name]
    error = run("replay", "-", stdin=data if isinstance(data, str) else json.dumps(data)).error
    assert error.startswith("casinowar: standard input: ")
    assert reason in error


@pytest.mark.parametrize("amount", [0, -1, 5001, 10**30])
def test_amounts_that_are_understood_but_not_allowed(amount: int) -> None:
    done = run("replay", "-", "--json", stdin=json.dumps(record(bet("ana", 1, "initial", amount))))
    data = json.loads(done.out)
    assert (done.status, [one["act"] for one in data["refusals"]]) == (0, [0])
    assert data["balances"] == {"ana": 5000, "house": 0}


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    latin = tmp_path / "latin.toml"
    latin.write_bytes(b'format = "\xe9"')
    broken = tmp_path / "broken.toml"
    broken.write_text('format = "casinowar-record/1"\nrulebook = \n')
    assert run("replay", str(latin)).error == f"casinowar: {latin}: not UTF-8 at byte 10"
    assert run("replay", str(tmp_path / "none.toml")).error.endswith("none.toml: No such file or directory")
    assert run("replay", str(tmp_path)).error == f"casinowar: {tmp_path}: Is a directory"
    assert "line 2" in run("replay", str(broken)).error


def test_input_without_end_is_refused() -> None:
    assert run("replay", "/dev/zero").error == "casinowar: /dev/zero: larger than a record can be (64 MiB)"
    with open("/dev/zero", "rb") as endless:
        command = [sys.executable, "-m", "casinowar", "replay", "-"]
        done = subprocess.run(command, stdin=endless, capture_output=True, timeout=60)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"casinowar: standard input: larger than a record can be (64 MiB)\n"


def test_the_largest_record_is_read_whole(tmp_path: Path) -> None:
    """A record that is filled up with spaces to 64 MiB, and then with one more."""
    file = tmp_path / "round.json"
    text = json.dumps(record()).encode()
    file.write_bytes(text.ljust(64 * 2**20))
    assert json.loads(run("replay", str(file), "--json").out)["balances"] == WON
    file.write_bytes(text.ljust(64 * 2**20 + 1))
    assert run("replay", str(file)).error == f"casinowar: {file}: larger than a record can be (64 MiB)"


def test_a_record_of_everybody_who_was_ever_at_a_table_is_replayed() -> None:
    """A served table keeps the names of all who ever had chips there, and each of its rounds tells them."""
    night = parse_record(record(*arrivals(1500), players={f"q{n}": 0 for n in range(1500)} | {"ana": 100}))
    done = replay(night)
    assert (done.refusals, len(done.table.players)) == ((), 3001)


def test_a_long_night_of_many_players_does_not_hold_their_chips_for_every_act() -> None:
    """A thousand players and two thousand acts are a hundred megabytes where each act keeps everybody's chips."""
    moves = [act("buy_in", player="p7", amount=1), act("cash_out", player="p7", amount=1)] * 1000
    night = parse_record(record(*arrivals(1000), *moves, players={}))
    tracemalloc.start()
    try:
        done = replay(night)
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert held < 10_000_000
    assert done.table.players == {f"p{n}": 100 for n in range(1000)}


def test_a_key_with_dots_without_end_is_refused_at_once(tmp_path: Path) -> None:
    """The parser would take gigabytes for it."""
    for name, key in {"bare": ".".join("a" * 30_000), "quoted": " . ".join(['"a\\"b"', "'c'"] * 15_000)}.items():
        file = tmp_path / f"{name}.toml"
        for text in (f"{key} = 1", f"[{key}]", f"x = {{ {key} = 1 }}"):
            file.write_text(text)
            assert run("replay", str(file)).error == f"casinowar: {file}: broken TOML: a key has more than 32 dots"


def test_dots_that_are_no_key_are_read(tmp_path: Path) -> None:
    rows = f"# {'.' * 100}\n# {'so on . . . ' * 50}\n"
    file = tmp_path / "round.toml"
    file.write_text(rows + FIRST.read_text())
    assert run("replay", str(file)).out == run("replay", str(FIRST)).out


@pytest.mark.parametrize("content", ["a" * 500_000, '\\"' * 250_000, "'" * 500_000, "a." * 32 + " " * 500_000])
def test_looking_for_long_keys_takes_no_longer_than_the_text(content: str) -> None:
    begin = time.process_time()
    assert LONG_KEY.search(content) is None
    assert time.process_time() - begin < 5


@pytest.mark.parametrize("kind", ["fifo", "zero", "folder", "kernel"])
def test_a_rulebook_is_a_regular_file(tmp_path: Path, kind: str) -> None:
    """Nothing else is waited for or read without end, as the records that strangers send may ask for."""
    told = {"folder": "Is a directory", "kernel": "the file is empty"}.get(kind, "not a regular file")
    named = {"zero": Path("/dev/zero"), "kernel": Path("/proc/version"), "folder": tmp_path}.get(
        kind, tmp_path / "fifo"
    )
    if kind == "fifo":
        os.mkfifo(named)
    if not named.exists():
        pytest.skip("this system has no such file")
    file = tmp_path / "round.json"
    file.write_text(json.dumps(record(rulebook=str(named))))
    done = subprocess.run(
        [sys.executable, "-m", "casinowar", "replay", str(file)], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (2, f"casinowar: {file}: {named}: {told}\n")
    assert run("rules", "check", str(named)).error == f"casinowar: {named}: {told}"


def test_pipes_by_their_paths(tmp_path: Path) -> None:
    """As a shell's process substitution names them, with a writer that pauses in the middle."""
    text = json.dumps(record()).encode()
    assert json.loads(spawn("replay", "/dev/stdin", "--json", stdin=text).out)["balances"] == WON
    fifo = tmp_path / "round"
    os.mkfifo(fifo)
    writer = subprocess.Popen(
        ["sh", "-c", '{ head -c 40 "$0"; sleep 0.2; tail -c +41 "$0"; } > "$1"', str(FIRST), str(fifo)]
    )
    assert spawn("replay", str(fifo)).out == spawn("replay", str(FIRST)).out
    assert writer.wait(timeout=60) == 0


def test_wrong_usage() -> None:
    assert run("replay").error.startswith("casinowar replay: Missing argument")
    assert "--loud" in run("replay", "--loud", str(FIRST)).error
    assert "unexpected extra argument" in run("replay", str(FIRST), "more").error


def test_a_reader_that_leaves_does_not_change_the_status(tmp_path: Path) -> None:
    """More rounds than a pipe holds, to a reader that takes one line."""
    acts = [bet("ana", 1, "initial", 1), deal()] * 400
    file = tmp_path / "long.json"
    file.write_text(json.dumps(record(*acts, shoe="2c " + "Kh 9d " * 6, later_shoes=["2c " + "Kh 9d " * 6])))
    for flags, status in (([], 0), (["--strict"], 1)):
        command = [sys.executable, "-m", "casinowar", "replay", str(file), "--json", *flags]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            process.stdout.close()
            said = process.stderr.read().decode()
        assert process.returncode == status
        assert "Traceback" not in said
        assert "Broken" not in said
        assert said.count("\n") == status
