"""`casinowar verify`: exit status, what is wrong where, what was noted, and the script that it hands out."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from casinowar.fairness import ShoeSeries, dump_shoe, export
from tests.commandline import run, spawn

VECTORS = json.loads((Path(__file__).parent / "vectors" / "sealed_shoe.json").read_text(encoding="utf-8"))
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
    assert (told.returncode, told.stdout) == (0, "-: shoe deck/1 agrees (52 cards, opened)\n")


def test_the_installed_command() -> None:
    assert spawn("verify", "-", stdin=json.dumps(DECK["export"]).encode()).status == 0
