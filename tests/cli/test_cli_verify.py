"""`casinowar verify`: exit status, what is wrong where, what was noted, servers, and the script that it hands out."""

import json
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import msgspec
import pytest

from casinowar import CasinoWarError, cards
from casinowar.cli.verify import publications
from casinowar.fairness import Noted, ShoeSeries, dump_shoe, export, verify, verify_shoe
from casinowar.house.house import House, Who
from casinowar.house.settings import BotSettings, HouseSettings, TableSettings, Timers
from casinowar.house.table.table import LiveTable
from casinowar.protocol import CommandFrame
from casinowar.store import MemoryStore
from tests.support.commandline import run, spawn

VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "sealed_shoe.json").read_text(encoding="utf-8"))
DECK: dict[str, Any] = next(shoe for shoe in VECTORS["shoes"] if shoe["name"] == "deck")


def written(folder: Path, data: object, name: str = "shoe.json") -> str:
    (folder / name).write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return str(folder / name)


def script(folder: Path) -> Path:
    place = folder / "verify_shoe.py"
    place.write_text(run("verify", "--script").out, encoding="utf-8")
    return place


def test_a_shoe_that_agrees(tmp_path: Path) -> None:
    file = written(tmp_path, DECK["export"])
    done = run("verify", file)
    assert (done.status, done.err) == (0, "")
    assert done.out.splitlines()[0] == f"{file}: shoe deck/1 agrees (52 cards, finished)"


def test_from_standard_input() -> None:
    assert run("verify", "-", stdin=json.dumps(DECK["export"])).status == 0
    assert run("verify", "-", stdin="{").error.startswith("casinowar: standard input: ")


def test_a_changed_card_is_told_with_its_place(tmp_path: Path) -> None:
    data = json.loads(json.dumps(DECK["export"]))
    data["dealt"][1]["card"], right = ("2c" if data["dealt"][1]["card"] != "2c" else "3c"), data["dealt"][1]["card"]
    file = written(tmp_path, data)
    done = run("verify", file)
    assert done.status == 1
    assert f"{file}: dealt[1].card: {data['dealt'][1]['card']}, and seed and entropy give {right}\n" in done.out
    assert done.err == "casinowar verify: 1 of 1 shoes is not as sealed\n"
    told = json.loads(run("verify", "--json", file).out)
    assert told["format"] == "casinowar-verdict/1"
    assert [one["where"] for one in told["shoes"][0]["findings"]] == ["dealt[1]", "dealt[1].card"]
    assert told["shoes"][0]["agrees"] is False


@pytest.mark.parametrize("text", ["", "[]", '{"format": "casinowar-shoe/1"}', "\ufeff", "[" * 100_000])
def test_what_is_no_shoe_is_one_line(tmp_path: Path, text: str) -> None:
    assert run("verify", written(tmp_path, text)).error.startswith("casinowar: ")


def test_bytes_that_are_no_text_and_files_that_are_not_there(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"\xff{}")
    assert "not UTF-8 at byte 0" in run("verify", str(tmp_path / "x")).error
    assert "No such file" in run("verify", str(tmp_path / "y")).error
    (tmp_path / "z").write_text('{"a": 1}\nevening', encoding="utf-8")
    assert run("verify", str(tmp_path / "z")).error.endswith("z: no JSON, as an exported shoe is (line 2, column 1)")
    assert "name a file" in run("verify").error


@pytest.mark.parametrize("option", ["commitment", "root", "seal"])
def test_what_was_noted(tmp_path: Path, option: str) -> None:
    file = written(tmp_path, DECK["export"])
    assert run("verify", file, f"--{option}", DECK[option].upper()).status == 0
    wrong = run("verify", file, f"--{option}", "00" * 32)
    assert wrong.status == 1
    assert "noted" in wrong.out
    assert run("verify", file, "--entropy", DECK["export"]["entropy"][0]["bytes"]).status == 0
    assert run("verify", file, "--entropy", "00" * 16).status == 1
    assert "one shoe" in run("verify", file, file, f"--{option}", DECK[option]).error


@pytest.mark.parametrize("typed", ["zz", "", "00", "00" * 31 + "0z", "00" * 65])
@pytest.mark.parametrize("option", ["commitment", "root", "seal", "entropy"])
def test_what_cannot_have_been_noted_accuses_nobody(
    tmp_path: Path, option: str, typed: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file, wanted = written(tmp_path, DECK["export"]), "32 to 128" if option == "entropy" else "64"
    says = f"casinowar: --{option} = {typed!r}: it is {wanted} hexadecimal digits"
    assert run("verify", file, f"--{option}", typed).error == says
    with pytest.raises(CasinoWarError, match=f"^{option} = .* hexadecimal digits$"):
        verify(json.dumps(DECK["export"]), Noted(**{option: typed}))
    monkeypatch.setattr(sys, "argv", ["verify_shoe.py", file, f"--{option}", typed])
    with pytest.raises(SystemExit, match=r"^2$"):
        verify_shoe.main()
    assert f"--{option}: what was noted is {wanted} hexadecimal digits\n" in capsys.readouterr().err


def test_what_was_noted_in_capitals_is_the_same() -> None:
    assert verify(json.dumps(DECK["export"]), Noted(seal=DECK["seal"].upper())) == []


def test_shoes_in_their_order(tmp_path: Path) -> None:
    series = ShoeSeries("t")
    files = []
    for number in range(3):
        shoe = series.begin(["Kh"] * 3, None)  # type: ignore[list-item]
        shoe.seal()
        shoe.open()
        files.append(written(tmp_path, dump_shoe(export(shoe)), f"{number}.json"))
    assert run("verify", *files).status == 0
    done = run("verify", files[0], files[2])
    assert (done.status, "previous: " in done.out) == (1, True)
    assert run("verify", files[0], files[0]).status == 1


def test_the_script_runs_alone_and_says_the_same(tmp_path: Path) -> None:
    """Isolated from every installed package, in a folder of its own."""
    place = script(tmp_path)
    cases: list[tuple[object, int]] = [(shoe["export"], 0) for shoe in VECTORS["shoes"][:3]]
    cases += [({**DECK["export"], "root": "00" * 32}, 1), ({**DECK["export"], "more": 1}, 2), ("{", 2)]
    for data, status in cases:
        file = written(tmp_path, data)
        command = [sys.executable, "-I", "-S", str(place), file]
        alone = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=60)
        assert alone.returncode == run("verify", file).status == status, alone.stderr
        assert "Traceback" not in alone.stderr
    command = [sys.executable, "-I", "-S", str(place), "-", "--seal", DECK["seal"]]
    told = subprocess.run(command, input=json.dumps(DECK["export"]), capture_output=True, text=True, timeout=60)
    assert (told.returncode, told.stdout.splitlines()[0]) == (0, "-: shoe deck/1 agrees (52 cards, opened)")


def test_the_installed_command() -> None:
    assert spawn("verify", "-", stdin=json.dumps(DECK["export"]).encode()).status == 0


# From a server


class Answers(ThreadingHTTPServer):
    """A server on loopback that answers each path with what a test has put there, and notes what it was asked."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answering)
        self.at: dict[str, list[tuple[int, dict[str, str], bytes]]] = {}
        self.asked: list[str] = []
        self.pause = 0.0
        self.wait = threading.Event().wait

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def put(self, path: str, data: object, status: int = 200, **headers: str) -> str:
        """What this path answers next, and from then on if nothing is put behind it."""
        body = data if isinstance(data, bytes) else json.dumps(data).encode()
        self.at.setdefault(path, []).append((status, {k.replace("_", "-"): v for k, v in headers.items()}, body))
        return self.address + path


class Answering(BaseHTTPRequestHandler):
    server: Answers

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        answers = self.server.at.get(self.path, [(404, {}, b"")])
        status, headers, body = answers.pop(0) if len(answers) > 1 else answers[0]
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        pieces = [body[n : n + 1] for n in range(len(body))] if self.server.pause else [body]
        try:
            for piece in pieces:
                self.wfile.write(piece)
                self.server.wait(self.server.pause)
        except OSError:
            self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:
        """Not into the output of the tests."""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Answers]:
    monkeypatch.setenv("no_proxy", "127.0.0.1,localhost")
    server = Answers()
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


NZ = "/api/tables/nz"


def table(server: Answers, count: int = 3) -> list[dict[str, Any]]:
    """A table's list and shoes, the last one running; gives the lines of the list as they will be answered."""
    series, listed = ShoeSeries("nz"), []
    for number in range(1, count + 1):
        shoe = series.begin(cards.DECK[:3], None)
        shoe.seal()
        shoe.draw()
        if number < count:
            shoe.open()
        told = json.loads(dump_shoe(export(shoe)))
        server.put(f"{NZ}/shoes/{number}", told)
        listed.append({"number": number, **{key: told[key] for key in ("shoe", "commitment", "fate", "reason")}})
    server.put(f"{NZ}/shoes", listed)
    return listed


def test_one_shoe_of_a_server_is_checked_like_a_file(server: Answers) -> None:
    address = server.put(f"{NZ}/shoes/3", DECK["export"])
    done = run("verify", address, "--seal", DECK["seal"])
    assert (done.status, done.err) == (0, "")
    assert done.out.splitlines()[0] == f"{address}: shoe deck/1 agrees (52 cards, finished)"
    assert server.asked == [f"{NZ}/shoes/3"]
    assert run("verify", address, "--seal", "00" * 32).status == 1
    forged = server.put("/elsewhere.json", {**DECK["export"], "seed": "00" * 32})
    assert f"{forged}: commitment: " in run("verify", forged).out


@pytest.mark.parametrize("path", [f"{NZ}/shoes", NZ, f"{NZ}/"])
def test_the_address_of_a_table_is_all_of_its_shoes(server: Answers, path: str) -> None:
    table(server)
    done = run("verify", server.address + path)
    assert (done.status, done.err) == (0, "")
    told = [line for line in done.out.splitlines() if not line.startswith(" ")]
    fates = ["finished", "finished", "running"]
    assert told == [
        f"{server.address}{NZ}/shoes/{number}: shoe nz/{number} agrees (3 cards, {fate})"
        for number, fate in enumerate(fates, start=1)
    ]
    assert server.asked == [f"{NZ}/shoes", *(f"{NZ}/shoes/{number}" for number in (1, 2, 3))]


def change_commitment(listed: list[dict[str, Any]]) -> None:
    listed[1]["commitment"] = "00" * 32


def change_name(listed: list[dict[str, Any]]) -> None:
    listed[1]["shoe"] = "nz/9"


def change_fate(listed: list[dict[str, Any]]) -> None:
    listed[1] |= {"fate": "voided", "reason": "spilled coffee"}


def change_seal(listed: list[dict[str, Any]]) -> None:
    listed[1]["seal"] = "ab" * 32


def add_cards(listed: list[dict[str, Any]]) -> None:
    listed[1]["out"] = 313


def leave_out(listed: list[dict[str, Any]]) -> None:
    del listed[1]


def leave_out_the_first(listed: list[dict[str, Any]]) -> None:
    del listed[0]


def swap(listed: list[dict[str, Any]]) -> None:
    listed[0], listed[1] = listed[1], listed[0]


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (change_commitment, {"2: commitment: the table's list has another commitment"}),
        (change_name, {"2: shoe: the table's list has another name"}),
        (change_fate, {"2: fate: the table's list has voided: spilled coffee"}),
        (change_seal, {"2: root: the table's list has another seal"}),
        (add_cards, {"2: dealt: the table's list has 313 cards out"}),
        (
            leave_out,
            {
                "3: number: the table's list has number 3 where 2 was due",
                "3: previous: is not the commitment of the shoe named before this one",
            },
        ),
        (
            leave_out_the_first,
            {
                "2: number: the table's list has number 2 where 1 was due",
                "2: previous: names a shoe before the first of the table's list",
                "3: number: the table's list has number 3 where 2 was due",
            },
        ),
        (
            swap,
            {
                "2: number: the table's list has number 2 where 1 was due",
                "2: previous: names a shoe before the first of the table's list",
                "1: number: the table's list has number 1 where 2 was due",
                "1: previous: is not the commitment of the shoe named before this one",
                "3: previous: is not the commitment of the shoe named before this one",
            },
        ),
    ],
)
def test_a_list_that_is_not_that_of_the_shoes(server: Answers, change: Any, found: set[str]) -> None:
    listed = table(server)
    change(listed)
    server.at[f"{NZ}/shoes"] = []
    done = run("verify", server.put(f"{NZ}/shoes", listed))
    assert done.status == 1
    told = {line.removeprefix(f"{server.address}{NZ}/shoes/") for line in done.out.splitlines() if "agrees" not in line}
    assert {line for line in told if not line.startswith("  note")} == found


def play_shoes(count: int) -> LiveTable:
    """A table of the house with one deck, at which a guest bets and waits until that many shoes were begun."""
    quick = Timers(**dict.fromkeys(("betting", "decision", "cut", "entropy", "pause", "card"), 0))
    book = str(Path(__file__).parents[2] / "examples" / "home_game.toml")
    settings = TableSettings(name="nz", rulebook=book, timers=quick, bots=(BotSettings(strategy="surrender"),))
    clock = [0]
    house = House(MemoryStore(), HouseSettings(tables=(settings,)), tick=lambda: clock[0])
    live, guest, wager = house.tables["nz"], "guest-abc123", {"wager": "initial", "amount": 500}
    house.welcome(guest)
    house.present(guest, "nz", True)
    for number in range(500):
        command = {"do": "place_wager", "player": guest, "box": 1, **wager} if number else {"do": "sit", "box": 1}
        asked = msgspec.Raw(json.dumps(command).encode())
        house.act(Who(guest), CommandFrame(id=f"a{number}", table="nz", expected=live.version, command=asked))
        clock[0] += 1_000
        house.advance()
        if len(live.shoes()) == count:
            break
    return live


def test_what_the_house_publishes_agrees(server: Answers) -> None:
    live = play_shoes(3)
    server.put(f"{NZ}/shoes", msgspec.to_builtins(live.shoes()))
    for line in live.shoes():
        exported = live.shoe(line.number)
        assert exported is not None
        server.put(f"{NZ}/shoes/{line.number}", dump_shoe(exported).encode())
    done = run("verify", server.address + NZ)
    assert (done.status, done.err) == (0, "")
    told = [line.rpartition("agrees ")[2] for line in done.out.splitlines() if "agrees" in line]
    assert told == ["(52 cards, finished)", "(52 cards, finished)", "(52 cards, running)"]


def test_a_shoe_that_ended_after_the_list_was_read_agrees(server: Answers) -> None:
    listed = table(server)
    listed[1]["fate"] = "running"
    server.at[f"{NZ}/shoes"] = []
    assert run("verify", server.put(f"{NZ}/shoes", listed)).status == 0


def test_what_was_noted_is_of_one_shoe_of_a_table(server: Answers) -> None:
    listed = table(server)
    assert "one shoe" in run("verify", server.address + NZ, "--commitment", listed[0]["commitment"]).error
    assert run("verify", f"{server.address}{NZ}/shoes/1", "--commitment", listed[0]["commitment"]).status == 0


def test_a_redirect_stays_with_the_server_that_was_named(server: Answers, monkeypatch: pytest.MonkeyPatch) -> None:
    server.put("/shoe", DECK["export"])
    assert run("verify", server.put("/moved", b"", 302, location="/shoe")).status == 0
    assert server.asked == ["/moved", "/shoe"]
    for place in (f"http://localhost:{server.server_port}", "http://127.0.0.1:1", "file://", "ftp://127.0.0.1"):
        address = server.put(f"/{len(server.at)}", b"", 302, location=f"{place}/shoe")
        assert run("verify", address).status == 2
    named = server.put("/away", b"", 302, location=f"http://localhost:{server.server_port}/shoe")
    assert run("verify", named).error == (
        f"casinowar: {named}: points to http://localhost:{server.server_port}: name that address if you trust it"
    )
    assert server.asked.count("/shoe") == 1
    assert "30" in run("verify", server.put("/ring", b"", 302, location="/ring")).error


def test_a_server_that_asks_for_patience_gets_it(server: Answers, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    monkeypatch.setattr("casinowar.cli.verify.publications.time.sleep", waited.append)
    for asked in ("2", "3600", "never"):
        server.put("/shoe", b"", 429, retry_after=asked)
    assert run("verify", server.put("/shoe", DECK["export"])).status == 0
    assert waited == [2, 10, 1]
    assert "too fast" in run("verify", server.put("/always", b"", 429)).error
    assert len(waited) == 3 + publications.PATIENCE


def test_an_answer_without_end_or_measure_is_refused(server: Answers, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "larger than 4 MiB" in run("verify", server.put("/large", b" " * (4 * 2**20 + 1))).error
    monkeypatch.setattr(publications, "SECONDS", 0.3)
    server.pause = 0.02
    began = time.monotonic()
    assert "within 0.3 seconds" in run("verify", server.put("/slow", b" " * 1_000)).error
    assert time.monotonic() - began < 5


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("/none", "the server answers 404 Not Found"),
        ("/page", "no exported shoe; name a table"),
        ("/deep", "no exported shoe: "),
        ("/bytes", "no exported shoe: "),
        ("/api/tables/page", "no list of shoes: "),
        ("/api/tables/odd", "no list of shoes: "),
        ("/api/tables/real", "no shoe has been sealed there"),
        ("/api/tables/none/shoes", "the server answers 404 Not Found"),
        ("/a b", "URL can't contain"),
    ],
)
def test_what_a_server_cannot_give_is_one_line(server: Answers, path: str, says: str) -> None:
    server.put("/page", b"<html>")
    server.put("/deep", b"[" * 100_000)
    server.put("/bytes", b"\xff")
    server.put("/api/tables/page/shoes", b"<html>")
    server.put("/api/tables/odd/shoes", [{"number": "1"}])
    server.put("/api/tables/real/shoes", [])
    error = run("verify", server.address + path).error
    assert error.startswith(f"casinowar: {server.address}{path}"), error
    assert says in error


def test_addresses_that_lead_nowhere_are_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "*")
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{deaf.getsockname()[1]}/shoe"
        assert run("verify", address).error == f"casinowar: {address}: Connection refused"
    for address in (
        "http://",
        "http://[",
        "http://ana:x@127.0.0.1/",
        "http://127.0.0.1:99999/",
        "https://\u2603.\ud83d",
    ):
        assert run("verify", address).error.startswith("casinowar: http")


def test_the_script_for_everybody_knows_no_network() -> None:
    text = run("verify", "--script").out
    imported = set(re.findall(r"^(?:import|from) (\w+)", text, re.MULTILINE))
    assert imported
    assert not imported & {"urllib", "http", "socket", "ssl", "asyncio"}
