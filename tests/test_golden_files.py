"""The files that earlier versions have written: shoes, records, saved nights and accounts are still what they were."""

import hashlib
import json
import shutil
import subprocess
import sys
from collections import Counter
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from argon2 import PasswordHasher

from casinowar.dealers import RealTable
from casinowar.engine import Refusal
from casinowar.engine import commands as c
from casinowar.fairness import load_shoe, verify_shoe
from casinowar.records import parse_record, read_json, read_toml, replay, result
from casinowar.web.accounts.accounts import Accounts
from casinowar.web.accounts.refusals import AccountLocked
from casinowar.web.accounts.role_requests import staff_roles
from tests.golden.facts import is_kept
from tests.golden.kept import CORRECTED, FOLDER, HOUSES, VERSIONS, decompressed, facts_in
from tests.golden.write import MANIFEST, manifest_of
from tests.support.commandline import run

KEPT = [FOLDER / version / book for version, book in HOUSES]
of_every_house = pytest.mark.parametrize("kept", KEPT, ids=lambda kept: f"{kept.parent.name}/{kept.name}")
of_every_version = pytest.mark.parametrize("folder", [FOLDER / one for one in VERSIONS], ids=lambda one: one.name)
NIGHTS = [kept / "night.toml" for kept in KEPT] + [FOLDER / one / "console" / "evening.json" for one in VERSIONS]
of_every_night = pytest.mark.parametrize("night", NIGHTS, ids=lambda one: f"{one.parent.parent.name}/{one.parent.name}")


@of_every_version
def test_no_file_that_a_version_has_written_is_ever_changed(folder: Path) -> None:
    manifest = (folder / MANIFEST).read_text(encoding="ascii")
    assert manifest == manifest_of(folder)
    assert hashlib.sha256(manifest.encode()).hexdigest() == VERSIONS[folder.name]


def test_every_folder_of_a_version_is_tested() -> None:
    assert sorted(VERSIONS) == sorted(folder.name for folder in FOLDER.glob("v*") if folder.is_dir())


@of_every_house
def test_shoes_agree_for_both_verifiers_each_with_those_before_it(kept: Path) -> None:
    files = sorted((kept / "shoes").iterdir())
    facts = facts_in(kept)["shoes"]
    assert sorted(facts) == [file.name for file in files]
    assert {"finished", "voided"} <= {one["fate"] for one in facts.values()}
    for file in files:
        shoe = load_shoe(file.read_text(encoding="utf-8"))
        assert {"shoe": shoe.shoe, "fate": shoe.fate, "commitment": shoe.commitment} == facts[file.name]
    for _, of_table in groupby(files, key=lambda file: file.name.partition("-")[0]):
        series = [str(file) for file in of_table]
        verified = run("verify", *series)
        assert (verified.status, verified.err) == (0, ""), verified.out
        alone = [sys.executable, "-I", str(verify_shoe.__file__), *series]
        checked = subprocess.run(alone, capture_output=True, text=True, timeout=60)
        assert (checked.returncode, checked.stderr) == (0, ""), checked.stdout
        assert checked.stdout.count(" agrees (") == len(series)


@of_every_house
def test_a_shoe_with_one_card_changed_agrees_for_neither_verifier(kept: Path, tmp_path: Path) -> None:
    """The twin."""
    facts = facts_in(kept)["shoes"]
    name = next(name for name, one in facts.items() if one["fate"] == "finished")
    shoe = json.loads((kept / "shoes" / name).read_text(encoding="utf-8"))
    turned = next(one for one in shoe["dealt"] if one["act"] == "up")
    turned["card"] = "Kh" if turned["card"] != "Kh" else "2c"
    changed = tmp_path / name
    changed.write_text(json.dumps(shoe), encoding="utf-8")
    assert run("verify", str(changed)).status == 1
    alone = [sys.executable, "-I", str(verify_shoe.__file__), str(changed)]
    assert subprocess.run(alone, capture_output=True, timeout=60).returncode == 1


def read_record(path: Path) -> dict[str, Any]:
    return (read_toml if path.suffix == ".toml" else read_json)(path.read_text(encoding="utf-8"))


def replayed(path: Path) -> dict[str, Any]:
    return result(replay(parse_record(read_record(path)), is_strict=True))


@of_every_house
def test_records_of_rounds_come_to_the_same_money(kept: Path) -> None:
    facts = facts_in(kept)["records"]
    files = sorted((kept / "rounds").iterdir())
    assert sorted(facts) == [file.name for file in files]
    assert {file.suffix for file in files} == {".toml", ".json"}
    for file in files:
        if f"{kept.parent.name}/{kept.name}/{file.stem}" in CORRECTED:
            continue
        told = replayed(file)
        money = {"balances": told["balances"], "nets": [one["net"] for one in told["rounds"]], "meter": told["meter"]}
        assert money == {key: facts[file.name][key] for key in money}, file.name
        assert run("replay", str(file), "--strict").status == 0


@of_every_house
def test_scenarios_come_to_the_same_result(kept: Path) -> None:
    """Every field that was told is told, with the same value; more may be told beside it. What was corrected is not."""
    lines = decompressed(kept / "scenarios.jsonl.xz").decode().splitlines()
    assert len(lines) >= 25
    for line in lines:
        told = json.loads(line)
        is_corrected = f"{kept.parent.name}/{kept.name}/{told['name']}" in CORRECTED
        now = result(replay(parse_record(told["record"])))
        assert is_kept(told["result"], now) is not is_corrected, (told["name"], told["result"], now)


def standing(path: Path) -> dict[str, Any]:
    told = replayed(path)
    rounds = [{"number": one["number"], "net": one["net"]} for one in told["rounds"]]
    return {"balances": told["balances"], "rounds": rounds, "open": told["open"], "events": len(told["events"])}


def standing_of(night: Path) -> dict[str, Any]:
    """What the facts say of a saved night."""
    facts = facts_in(night.parent)
    told: dict[str, Any] = facts.get("real_night", facts)
    return told


@of_every_night
def test_a_saved_night_of_real_cards_goes_on_in_its_round(night: Path, tmp_path: Path) -> None:
    facts = standing_of(night)
    assert standing(night) == facts
    assert facts["open"], "it was broken off in the middle of a round"
    data = read_record(night)
    real = RealTable.resumed(parse_record(data), data["acts"])
    assert {**real.table.players, "house": real.table.house} == facts["balances"]
    copy = Path(shutil.copy(night, tmp_path / night.name))
    number = real.table.round.number
    gone_on = run("deal", "--resume", str(copy), stdin="state\nquit\n")
    assert gone_on.status == 0, gone_on.err
    assert f"The night goes on in round {number}." in gone_on.out
    assert standing(copy) == facts, "nothing was done in it"


@of_every_night
def test_the_round_in_which_a_night_was_saved_can_be_voided(night: Path) -> None:
    """Everybody then has what they came with and what the rounds before have brought, by the facts."""
    facts = standing_of(night)
    data = read_record(night)
    real = RealTable.resumed(parse_record(data), data["acts"])
    done = real.do(c.VoidRound(reason="the lights went out"))
    assert not isinstance(done, Refusal), done
    assert real.table.round.is_over
    brought = Counter(data["players"])
    for one in facts["rounds"]:
        brought.update({player: net for player, net in one["net"].items() if player != "house"})
    assert real.table.players == brought


@of_every_version
def test_accounts_are_opened_with_their_passwords_roles_locks_and_sessions(folder: Path, tmp_path: Path) -> None:
    facts = facts_in(folder / "accounts")
    file = tmp_path / "accounts.db"
    file.write_bytes(decompressed(folder / "accounts" / "accounts.db.xz"))
    cheap = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    accounts = Accounts(file, now=lambda: facts["now"] + 60_000, hasher=cheap)
    try:
        people = {one.name: one.is_guest for one in accounts.everybody()}
        assert people == {facts["guest"]: True, "ann": False, "dora": False, "lou": False}
        assert accounts.check_password("ann", facts["password"]) == accounts.account("ann")
        assert accounts.check_password("ann", "wrong horse") is None
        with pytest.raises(AccountLocked):
            accounts.check_password("lou", facts["password"])
        requests = accounts.role_requests()
        assert len(requests) == accounts.last_request() == facts["requests"]
        assert staff_roles(requests) == {name: frozenset(roles) for name, roles in facts["roles"].items()}
        session = accounts.account_of(facts["session"]["token"])
        assert session is not None
        assert session.name == facts["session"]["name"]
        assert accounts.register("max", facts["password"]).name == "max"
    finally:
        accounts.close()
