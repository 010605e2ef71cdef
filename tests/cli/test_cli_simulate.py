"""`casinowar simulate`: its figures beside the exact ones, files that add up, Ctrl-C, wrong input, a read-only home."""

import json
import os
import pty
import re
import resource
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from math import sqrt
from pathlib import Path
from time import monotonic
from typing import Any
from xml.etree import ElementTree

import pytest

from casinowar import sim
from casinowar.cli.simulate import performance
from casinowar.cli.simulate.choices import Rounds
from casinowar.cli.simulate.progress_bar import clock, progress_line, short_number
from casinowar.rulebooks import load_rulebook
from casinowar.sim import Progress, Result, gpu, make_plan
from tests.sim.c_kernel import make_cupy
from tests.support.commandline import run, spawn

pytest.importorskip("numba")

CHUNK = 2**20
SMALL = ("--rounds", "200000", "--seed", "5")


def data(*args: str, status: int = 0) -> dict[str, Any]:
    done = run("simulate", *args, "--json")
    assert done.status == status, done.err
    loaded: dict[str, Any] = json.loads(done.out)
    return loaded


def told(*args: str) -> str:
    done = run("simulate", *args)
    assert done.status == 0, done.err
    return done.out


def test_json_is_the_contract() -> None:
    """Means per unit of the wager's own stake; keys are net results as reduced fractions; z follows from the rest."""
    found = data("--rulebook", "ma", "--fresh", "--strategy", "surrender", "--wagers", "initial:3,tie:2", *SMALL)
    head = {key: found[key] for key in ("rulebook", "decks", "boxes", "strategy", "seed", "rounds")}
    assert head == {"rulebook": "ma", "decks": 6, "boxes": 1, "strategy": "surrender", "seed": 5, "rounds": 200_000}
    assert [key for key in found if key != "format"][:9] == [*head, "seconds", "rounds_per_second", "wagers"]
    assert found["rounds_per_second"] == pytest.approx(200_000 / found["seconds"], rel=0.02)
    assert list(found["wagers"]) == ["initial", "tie"]
    for wager, nets, exact in (("initial", {"-1", "-1/2", "1"}, "-23/622"), ("tie", {"-1", "10"}, "-58/311")):
        one = found["wagers"][wager]
        assert list(one) == ["mean", "standard_error", "histogram", "exact", "z", "hit_frequency"]
        assert set(one["histogram"]) == nets
        assert sum(one["histogram"].values()) == 200_000
        mean = sum(Fraction(net) * count for net, count in one["histogram"].items()) / 200_000
        square = sum(Fraction(net) ** 2 * count for net, count in one["histogram"].items()) / 200_000
        assert one["mean"] == pytest.approx(float(mean))
        assert one["standard_error"] == pytest.approx(sqrt((square - mean**2) / 200_000))
        assert one["exact"] == {"fraction": exact, "decimal": pytest.approx(float(Fraction(exact)))}
        assert one["z"] == pytest.approx((one["mean"] - float(Fraction(exact))) / one["standard_error"])
        assert abs(one["z"]) < 4
        won = sum(count for net, count in one["histogram"].items() if Fraction(net) > 0)
        assert one["hit_frequency"] == won / 200_000
    assert not found.keys() & {"bank", "paths", "shoe", "covariance"}


def test_more_workers_give_the_same_counts() -> None:
    some = [data("--rounds", str(4 * CHUNK), "--seed", "9", "--workers", str(count)) for count in (1, 3)]
    assert some[0]["wagers"] == some[1]["wagers"]
    assert data("--rounds", str(4 * CHUNK), "--seed", "10")["wagers"] != some[0]["wagers"]


def test_a_new_seed_is_told_and_can_be_taken_again() -> None:
    one = data("--rounds", "1e5")
    again = data("--rounds", "1e5", "--seed", str(one["seed"]))
    assert one["wagers"] == again["wagers"]


def test_side_wagers_by_strategy() -> None:
    small = ("--rulebook", "wa", *SMALL)
    assert "tie" not in data(*small, "--strategy", "tie=never")["wagers"]
    assert set(data(*small, "--wagers", "initial", "--strategy", "war,tie=always")["wagers"]) == {"initial", "tie"}
    counted = data(*small, "--strategy", "a_bomb=count:0.05")
    placed = sum(counted["wagers"]["a_bomb"]["histogram"].values())
    assert 0 < placed < 100_000
    assert counted["counted"] == {"a_bomb": "1/20"}
    assert counted["wagers"]["a_bomb"]["exact"] is None
    assert counted["verdict"]["a_bomb"]["status"] == "no_exact"


def test_precision_stops_a_run() -> None:
    """The deviation of `initial` is near 1.06, so that an error of 5e-4 takes some 4.5 million rounds: five chunks."""
    found = data("--until", "se=5e-4", "--seed", "1", "--wagers", "initial")
    assert found["rounds"] == 5 * CHUNK
    assert found["wagers"]["initial"]["standard_error"] <= 5e-4
    tie = data("--until", "tie.se=2e-3", "--seed", "1", "--rounds", "1e9")
    assert tie["rounds"] == 2 * CHUNK


def test_with_a_cutting_card_a_difference_is_no_fault() -> None:
    text = told(*SMALL)
    assert "Beside a fresh shoe" in text
    assert "so that a difference is no fault" in " ".join(text.split())
    assert re.search(r"^ +tie [+-]0\.\d+ ± 0\.\d+: none is seen$", text, re.MULTILINE)
    assert "no fault" not in told(*SMALL, "--fresh")


def test_nights() -> None:
    """Nobody can lose 1000 units in ten rounds, so a night's gain is that of ten rounds."""
    found = data(
        "--rounds", "1e5", "--session", "10", "--bankroll", "1000", "--wagers", "initial", "--seed", "3", "--fresh"
    )
    paths = found["paths"]
    assert (paths["nights"], paths["ruined"], paths["session"], paths["bankroll"]) == (10_000, 0, 10, 1000)
    assert paths["mean"] == pytest.approx(10 * found["wagers"]["initial"]["mean"])
    assert paths["sd"] == pytest.approx(sqrt(10 * 1.0576**2), rel=0.05)
    assert paths["points"][-1] == 10
    assert paths["bankrolls"]["50%"][-1] == 1000
    assert (paths["bin"], paths["within"], paths["drawdown"]["50%"]) == (1, 0, 3)
    assert paths["beyond"] == {"least": None, "most": None, "deepest": None}
    # With one unit, who loses the first round has nothing left: 46.3 percent do, and a tie is surrendered.
    poor = data("--rounds", "1e5", "--session", "2", "--bankroll", "1", "--wagers", "initial", "--seed", "3")
    assert poor["paths"]["ruin"] == pytest.approx(144 / 311 + 23 / 311, abs=0.02)


def test_how_near_a_bankroll_is_told_stands_below() -> None:
    """2000 rounds move by hundreds of units: with 512 bins of halves not each has its own."""
    nights = ("--rounds", "1e5", "--session", "2000", "--wagers", "initial", "--seed", "3", "--bankroll")
    text = told(*nights, "1000000")
    assert "50 nights of 2,000 rounds with 1,000,000 units" in text
    assert re.search(r"^Bankrolls and falls of this table are to within 0\.5 units\.$", text, re.MULTILINE)
    assert re.search(r"^50% +999,9\d\d\.5 +\d+\.5$", text, re.MULTILINE)
    assert "to within" not in told("--rounds", "1e4", "--session", "100", "--wagers", "initial", "--bankroll", "1000")


def test_a_bankroll_beyond_the_bins_is_told_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tie that takes nine tenths of what is laid loses more than the bins were made for."""
    monkeypatch.setattr("casinowar.sim.night_bins.SIDE_EDGE", 1000)
    text = told("--rounds", "1e5", "--session", "10000", "--wagers", "tie", "--seed", "3", "--bankroll", "1000000")
    assert re.search(r"^99% +\d{3},\d{3} or less +[\d,]+ or more$", text, re.MULTILINE), text


def test_the_bank_shoe_and_covariance_when_asked_for() -> None:
    found = data("--rulebook", "ca", "--boxes", "4", "--shoe", "--covariance", *SMALL)
    bank = found["bank"]
    assert sum(bank["histogram"].values()) == bank["rounds"] == 200_000
    # What the bank gains is what three boxes lose, wager by wager.
    lost = sum(-Fraction(net) * count for one in found["wagers"].values() for net, count in one["histogram"].items())
    assert bank["mean"] * 200_000 == pytest.approx(float(lost))
    # 312 cards, 78 behind the cutting card: the round in which it comes is finished.
    assert 234 <= found["shoe"]["cards_per_shoe"] < 260
    assert found["covariance"]["one_box"]["tie"]["tie"] == pytest.approx(121 * 23 / 311 * 288 / 311, rel=0.05)
    assert set(found["covariance"]["two_boxes"]) == {"initial", "tie", "war_tie"}
    assert data("--rulebook", "nz", "--covariance", *SMALL)["covariance"]["two_boxes"] is None


def test_a_ruling_is_reported() -> None:
    """A marker one card from the back, seven boxes: the shoe runs dry now and then, and the book asks the pit boss."""
    dry = ("--rulebook", "ctg", "--boxes", "7", "--set", "shoe.marker_from_back=1", *SMALL)
    shuffled = data(*dry)["rulings"]["dry_shoe"]
    assert shuffled["ruling"] == "shuffle_discards"
    assert shuffled["times"] > 0
    assert shuffled["void"] == 0
    void = data(*dry, "--ruling", "dry_shoe=void")["rulings"]["dry_shoe"]
    assert void["ruling"] == "void"
    assert void["void"] == void["times"] > 0


def test_files_add_up(tmp_path: Path) -> None:
    one, two, both = (str(tmp_path / name) for name in ("one.json", "two.json", "both.json"))
    base = ("--seed", "4", "--rulebook", "wa")
    data(*base, "--rounds", str(2 * CHUNK), "--out", one)
    data(*base, "--rounds", str(CHUNK), "--first-chunk", "2", "--out", two)
    merged = data("--merge", two, one, "--out", both)
    whole = data(*base, "--rounds", str(3 * CHUNK))
    assert merged["wagers"] == whole["wagers"]
    assert merged["strategy"] == "war"
    assert merged["chunks"] == whole["chunks"] == [[4, 0, 3, CHUNK]]
    assert merged["seconds"] is None
    assert data("--merge", both)["wagers"] == whole["wagers"]
    other = str(tmp_path / "other.json")
    data("--seed", "5", "--rulebook", "wa", "--rounds", "1000", "--out", other)
    two_seeds = data("--merge", both, other)
    assert (two_seeds["seed"], two_seeds["rounds"]) == ([4, 5], 3 * CHUNK + 1000)
    assert "3,146,728 rounds; 2 seeds" in told("--merge", both, other)


def test_files_that_do_not_add_up_are_refused(tmp_path: Path) -> None:
    def kept(name: str, *args: str) -> str:
        path = str(tmp_path / name)
        data("--rounds", "1000", *args, "--out", path)
        return path

    first = kept("first", "--seed", "1")
    for name, args, says in (
        ("same", ("--seed", "1"), "chunk 0 of seed 1 is in both"),
        ("book", ("--seed", "1", "--first-chunk", "1", "--rulebook", "ctg"), "the rulebooks differ"),
        ("leaf", ("--seed", "1", "--first-chunk", "1", "--set", "payout.tie.on_win=9:1"), "the rulebooks differ"),
        ("plan", ("--seed", "1", "--first-chunk", "1", "--boxes", "2"), "the plans differ"),
    ):
        other = kept(name, *args)
        error = run("simulate", "--merge", first, other).error
        assert error.startswith(f"casinowar: {other}: {says}")
    changed = tmp_path / "changed"
    changed.write_text(Path(first).read_text("utf-8").replace('"plan_hash":"', '"plan_hash":"0'))
    assert "was changed" in run("simulate", "--merge", str(changed)).error
    os.mkfifo(tmp_path / "pipe")
    for name, says in (("pipe", "not a regular file"), ("nothing", "No such file or directory")):
        assert run("simulate", "--merge", str(tmp_path / name)).error == f"casinowar: {tmp_path / name}: {says}"


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("--rounds", "1.5"), "'1.5' is not a whole number from 1 to 1e15"),
        (("--rounds", "1e99"), "'1e99' is not a whole number from 1 to 1e15"),
        (("--rounds", "many"), "'many' is no number of rounds, such as 1000000, 1e9 or 10^9"),
        (("--rulebook", "xx"), "unknown rulebook 'xx'"),
        (("--wagers", "initial,a_bomb"), "nz has no wager 'a_bomb': it has initial, tie"),
        (("--wagers", "tie,tie"), "tie is named twice"),
        (("--strategy", "hope"), "'hope': write war, surrender or best"),
        (("--strategy", "tie=count:x"), "'tie=count:x': write war, surrender or best"),
        (("--strategy", "a_bomb=always"), "nz has no side wager 'a_bomb': it has tie"),
        (("--until", "1e-6"), "'1e-6': write the standard error to stop at, as in se=1e-6"),
        (("--until", "war_tie.se=1e-3"), "war_tie is not on the table: initial, tie are"),
        (("--boxes", "8"), "8 boxes: the book has 1 to 7"),
        (("--rulebook", "ca", "--boxes", "1"), "1 boxes: the book has 2 to 8 with the one that banks"),
        (("--session", "100"), "--session and --bankroll go together"),
        (("--session", "5", "--bankroll", "1.99"), "bankroll = 199: the wagers of a round take 200 minor units"),
        (("--coverage", "5"), "the house covers every wager"),
        (("--meter", "5"), "there is no progressive at this table"),
        (("--ruling", "dry_shoe=pray"), "dry_shoe = pray: the rulings are dry_shoe=shuffle_discards and dry_shoe=void"),
        (("--ruling", "dry_shoe=void"), "shoe.short = shuffle_discards leaves nothing to rule on"),
        (("--option", "wager.tie=off"), "nz fixes wager.tie at on"),
        (("--decks", "9"), "--any-decks permits study beyond the book"),
        (("--out", "/nowhere/x"), "there is no folder /nowhere"),
        (("--merge",), "--merge adds up files that --out has written"),
        (("--merge", "x", "--rounds", "5"), "--rounds is for playing, and --merge plays nothing"),
        (("x",), "x: files are for --merge"),
        (("--seed", "-1"), "-1 is not in the range"),
        (("--device", "gpu", "--workers", "2"), "--device gpu plays alone"),
    ],
)
def test_wrong_input_is_one_line(args: tuple[str, ...], says: str) -> None:
    assert says in run("simulate", *args).error


def test_no_device_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cupy", None)
    assert run("simulate", "--device", "gpu").error.startswith("casinowar: --device gpu: no GPU: ")


def test_a_device_plays_ranges_of_chunks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The device's own source in threads of the host: four chunks and a part of one, two at a time, compiled once."""
    launches: list[int] = []

    class Recorded(gpu.DevicePlan):
        def play_chunks(self, seed: int, first: int, rounds: int) -> list[int]:
            launches.append(rounds)
            return super().play_chunks(seed, first, rounds)

    monkeypatch.setitem(sys.modules, "cupy", make_cupy(tmp_path / "built"))
    monkeypatch.setattr(gpu, "BLOCKS_AT_ONCE", 4)  # Of 128 tables each; a chunk has 256.
    monkeypatch.setattr(gpu, "DevicePlan", Recorded)
    args = ("--rulebook", "nz", "--seed", "5", "--rounds", "4300000")
    here, there = data(*args), data(*args, "--device", "gpu", "--out", str(tmp_path / "there"))
    assert launches == [2 * CHUNK, 2 * CHUNK, 4_300_000 - 4 * CHUNK]
    assert there["wagers"] == here["wagers"]
    assert there["chunks"] == here["chunks"] == [[5, 0, 4, CHUNK], [5, 4, 1, 4_300_000 - 4 * CHUNK]]
    rest = str(tmp_path / "rest")
    data("--rulebook", "nz", "--seed", "5", "--rounds", "1e5", "--first-chunk", "3", "--out", rest)
    assert "chunk 3 of seed 5 is in both" in run("simulate", "--merge", str(tmp_path / "there"), rest).error


def test_a_device_stops_at_a_precision_where_the_processor_does(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """However many chunks it could play at once."""
    monkeypatch.setitem(sys.modules, "cupy", make_cupy(tmp_path))
    args = ("--rulebook", "nz", "--seed", "5", "--until", "tie.se=2e-3", "--rounds", "1e7")
    assert data(*args, "--device", "gpu")["chunks"] == data(*args)["chunks"] == [[5, 0, 2, CHUNK]]


def test_a_stack_too_large_for_a_device_is_one_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "cupy", make_cupy(tmp_path))
    error = run("simulate", "--device", "gpu", "--decks", "40", "--any-decks").error
    assert error == "casinowar: --device gpu: a stack of 2080 cards: a device has room for 1504 at each table"


def test_a_missing_extra_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("casinowar.extras.find_spec", lambda name: None if name == "distributed" else object())
    error = run("simulate", "--cluster", "tcp://127.0.0.1:8786").error
    told = "casinowar simulate --cluster needs distributed: pip install '.[dask]' in the project's folder"
    assert error == f"casinowar: {told}"


@pytest.mark.parametrize(
    ("spelled", "rounds"),
    [("1e9", 10**9), ("2.5e3", 2500), ("1,000,000", 10**6), ("1_000", 1000), ("10^9", 10**9), ("2**5", 32), ("1", 1)],
)
def test_rounds_as_people_write_them(spelled: str, rounds: int) -> None:
    assert Rounds().convert(spelled, None, None) == rounds


def test_help_has_every_option() -> None:
    text = run("simulate", "--help").out
    for option in (
        *("rulebook", "rounds", "decks", "boxes", "wagers", "strategy", "option", "set", "meter", "session"),
        *(
            "bankroll",
            "fresh",
            "ruling",
            "device",
            "workers",
            "cluster",
            "seed",
            "out",
            "merge",
            "json",
            "plot",
            "until",
        ),
    ):
        assert f"--{option} " in text


def test_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    nights = ("--session", "50", "--bankroll", "20", "--shoe", "--covariance")
    for text in (told("--rulebook", "wa", *SMALL, *nights), told("--rulebook", "ma", "--fresh", *SMALL)):
        assert max(len(line) for line in text.splitlines()) <= 50
        assert "initial" in text


def test_pictures(tmp_path: Path) -> None:
    fan, means = tmp_path / "fan.svg", tmp_path / "means.svg"
    told(*SMALL, "--session", "100", "--bankroll", "40", "--plot", str(fan))
    told("--rulebook", "wa", *SMALL, "--plot", str(means))
    space = "{http://www.w3.org/2000/svg}"
    bands = ElementTree.parse(fan).getroot().findall(f"{space}polygon")
    assert len(bands) == 3
    drawn = ElementTree.parse(means).getroot()
    assert len(drawn.findall(f"{space}circle")) == 5
    assert "war_perfect_pairs" in {text.text for text in drawn.findall(f"{space}text")}
    assert "is there already" in run("simulate", *SMALL, "--plot", str(fan)).error


def test_the_progress_line() -> None:
    plan = make_plan(load_rulebook("nz"))
    half = Progress(500, 1000, 20.0, Result(plan=plan))
    assert progress_line(half, None, 60) == f"[{'#' * 14}{' ' * 15}]  50%  25 rounds/s  0:20 left"
    assert len(progress_line(half, None, 20)) <= 20
    assert [short_number(one) for one in (12.0, 1234.0, 1.5e8, 2e11)] == ["12", "1.23 k", "150 M", "200 G"]
    assert [clock(one) for one in (8, 750, 11_100, 10**6)] == ["0:08", "12:30", "3:05:00", "11 days"]


@contextmanager
def at_a_terminal(*args: str) -> Iterator[tuple["subprocess.Popen[bytes]", int]]:
    """The command with a terminal for what it says, and a pipe for its data."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "casinowar", "simulate", *args],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    try:
        yield process, ours
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(timeout=30)
        os.close(ours)


def read_until(terminal: int, wanted: bytes, seconds: float) -> bytes:
    """What the terminal shows up to the wanted words."""
    shown, deadline = b"", monotonic() + seconds
    while wanted not in shown:
        assert monotonic() < deadline, shown
        if select.select([terminal], [], [], 1)[0]:
            shown += os.read(terminal, 4096)
    return shown


@pytest.mark.slow
def test_ctrl_c_tells_what_is_done(tmp_path: Path) -> None:
    out = tmp_path / "part.json"
    with at_a_terminal("--rounds", "1e14", "--seed", "8", "--json", "--out", str(out)) as (process, terminal):
        read_until(terminal, b"rounds/s", 120)
        os.kill(process.pid, signal.SIGINT)
        written, _ = process.communicate(timeout=120)
        assert process.returncode == 130
        assert b"Interrupted after" in read_until(terminal, b"Interrupted after", 10)
    found = json.loads(written)
    assert found["rounds"] > 0
    assert found["rounds"] % CHUNK == 0
    assert data("--merge", str(out))["wagers"] == found["wagers"]
    assert data("--rounds", str(found["rounds"]), "--seed", "8")["wagers"] == found["wagers"]


ENDLESS = """
from threading import Event
from casinowar.cli import main
from casinowar.sim import simulation

def play(*task):
    print("playing", flush=True)
    Event().wait()

simulation.run_chunk = play
main(["simulate", "--rounds", "1000", "--seed", "1", "--workers", "1"])
"""


def test_a_second_ctrl_c_leaves_at_once() -> None:
    """Though a chunk is being played that never ends."""
    with subprocess.Popen(
        [sys.executable, "-c", ENDLESS], stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            assert process.stdout.readline() == b"playing\n"
            process.send_signal(signal.SIGINT)
            assert b"Ctrl-C again leaves at once" in process.stderr.readline()
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=30) == 130  # Far more than it takes; a chunk would take for ever.
        finally:
            process.kill()


def test_no_rate_is_told_where_the_time_is_that_of_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    from numba.core import event

    told_of: Any = event
    play = sim.run

    def compile_and_run(*args: Any, **named: Any) -> Result:
        told_of.start_event("numba:compile")
        told_of.end_event("numba:compile")
        return play(*args, **named)

    assert re.search(r"^200,000 rounds in \S+ s, \S+ ([kM] )?a second; seed 5$", told(*SMALL), re.M)
    monkeypatch.setattr(performance, "run", compile_and_run)
    assert re.search(r"^200,000 rounds in \S+ s, compiling included; seed 5$", told(*SMALL), re.M)


def test_without_a_terminal_there_is_no_bar() -> None:
    assert "rounds/s" not in run("simulate", *SMALL).err


def processor_time() -> float:
    """What the processes that have ended have taken, which other work on the machine does not change much."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@pytest.mark.slow
def test_a_home_that_cannot_be_written(tmp_path: Path) -> None:
    """The home lies below a file, where nobody can make a folder; the kernel is kept with temporary files, once.

    Two boxes need the kernel for every table, whose compiling took 13 s of a processor when the message was written
    that says a minute.
    """
    (tmp_path / "file").touch()
    (tmp_path / "tmp").mkdir()
    home = str(tmp_path / "file" / "home")
    where = {"HOME": home, "XDG_CACHE_HOME": home, "NUMBA_CACHE_DIR": home, "TMPDIR": str(tmp_path / "tmp")}
    few = ("--rounds", "1000", "--seed", "1", "--json")
    before = processor_time()
    first = spawn("simulate", "--boxes", "2", *few, env=where)
    assert first.status == 0, first.err
    assert processor_time() - before < 60
    assert first.err.count("Compiling the kernel, which takes up to a minute") == 1
    second = spawn("simulate", "--boxes", "2", *few, env=where)
    assert (second.status, second.err) == (0, "")
    assert json.loads(first.out)["wagers"] == json.loads(second.out)["wagers"]
    # Where this temporary folder cannot be written either, it is kept in the system's, or compiled each time.
    nowhere = spawn("simulate", *few, env={**where, "TMPDIR": home})
    assert nowhere.status == 0, nowhere.err
    assert json.loads(nowhere.out)["wagers"] == data("--rounds", "1000", "--seed", "1")["wagers"]


@pytest.mark.slow
def test_a_warm_start_is_quick() -> None:
    """Processor time from the start to the first result."""
    told(*SMALL)
    spent = []
    for _ in range(3):
        before = processor_time()
        assert spawn("simulate", "--rounds", "1000", "--seed", "1").status == 0
        spent.append(processor_time() - before)
    assert min(spent) < 1.5
