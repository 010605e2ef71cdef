"""Write the golden folder of this version: `python -m tests.golden.write`. What a version has written stays as it is.

For each book a night of a live house with its shoes and rounds, a saved night of real cards, and every scenario with
its result; beside them a file of accounts. The facts that tests compare are written with them.
"""

import hashlib
import json
import lzma
import os
import random
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from shutil import copyfile
from typing import Any

from argon2 import PasswordHasher
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from casinowar.dealers import record_of
from casinowar.fairness import dump_shoe
from casinowar.history.round_record import told_round
from casinowar.records import parse_record, read_json, read_toml, replay, result
from casinowar.records.write import format_record
from casinowar.rulebooks import BOOKS, load_rulebook
from casinowar.store import Checkpoint, SqliteStore, dump_checkpoint, public_key
from casinowar.web.accounts.accounts import Accounts
from tests.golden.facts import facts_of, numbers_of
from tests.golden.night import GoldenNight, play, settings_in
from tests.support.commandline import run
from tests.support.real_night import Night as RealNight

HERE = Path(__file__).parent
SCENARIOS = HERE.parent / "records"
NOON = 1_700_049_600_000
PASSWORD = "correct horse"
MANIFEST = "SHA256SUMS"
MOST_ROUNDS = 8
"""Rounds of a book that are kept as records, those first in which something happened that is rare."""

SEEDS = {"nz": 4, "wa": 4, "ctg": 4, "ca": 4, "ma": 1}
"""Nights in which a tie comes soon, so that they are short."""

LARGEST_RUNNING = 20_000

CONSOLE = """go
cut ana
go
bet ana 1 50 tie 10
bet ben 2 50
bet cleo 3 20
go
kh 9d 2c ks
fix kd
go
war ana 1
go
qh jd
go
bet ana 1 50
bet ben 2 50
go
kh
wrong misdealt 1 forward
ruling reconstruct it was ben's card
3h
"""
"""A charity evening at the dealer's console, broken off in its second round."""


def signing_key() -> Ed25519PrivateKey:
    """The key of every golden house. It signs nothing else, so it need not be secret."""
    return Ed25519PrivateKey.from_private_bytes(hashlib.sha256(b"the golden houses of casinowar").digest())


def write_book(book: str, folder: Path) -> None:
    folder.mkdir(parents=True)
    for name in ("tables.toml", "house.toml"):
        copyfile(HERE / "houses" / book / name, folder / name)
    os.chdir(folder)
    file = folder / "war.db"
    night = GoldenNight(file, settings_in(folder), signing_key(), f"golden {book} {SEEDS[book]}")
    play(night, book)
    last = night.house.checkpoint()
    assert last is not None
    facts = facts_of(night.store) | {"restarts": night.restarts}
    facts["shoes"] = dict(_write_shoes(night, folder / "shoes"))
    facts["records"] = dict(_write_rounds(night, facts, folder / "rounds"))
    _write_checkpoints(night.store.checkpoints(), last, folder)
    _close(night)
    facts["real_night"] = _write_real_night(book, folder / "night.toml")
    _write_scenarios(book, folder / "scenarios.jsonl.xz")
    (folder / "war.db.xz").write_bytes(lzma.compress(file.read_bytes(), preset=9 | lzma.PRESET_EXTREME))
    file.unlink()
    _write_json(folder / "facts.json", facts)


def _close(night: GoldenNight) -> None:
    """Everything is in the one file then, and the file of the lock goes."""
    assert isinstance(night.store, SqliteStore)
    night.store.close()
    for beside in night.file.parent.glob("war.db?*"):
        beside.unlink()


def _write_checkpoints(made: list[Checkpoint], last: Checkpoint, folder: Path) -> None:
    """One of the middle of the night and the last one, as somebody outside has kept them, and the key beside."""
    kept = dump_checkpoint(made[len(made) // 2]) + dump_checkpoint(last)
    (folder / "checkpoints.jsonl").write_bytes(kept)
    (folder / "key.txt").write_text(public_key(signing_key()) + "\n", encoding="ascii")


def _write_shoes(night: GoldenNight, folder: Path) -> Iterator[tuple[str, Any]]:
    """The first shoes of every sealed table, whatever became of them; those that still run where they are small."""
    folder.mkdir()
    for settings in night.settings.tables:
        name, live = settings.name, night.at(settings.name)
        for number, listed in enumerate(live.shoes()[:3], start=1):
            shoe = live.shoe(number)
            assert shoe is not None
            file, text = f"{name}-{number}.json", dump_shoe(shoe)
            if listed.fate == "running" and len(text) > LARGEST_RUNNING:
                continue
            (folder / file).write_text(text, encoding="utf-8")
            yield file, {"shoe": listed.shoe, "fate": listed.fate, "commitment": listed.commitment}


def _write_rounds(night: GoldenNight, facts: dict[str, Any], folder: Path) -> Iterator[tuple[str, Any]]:
    folder.mkdir()
    for at, (stream, number, record) in enumerate(_chosen(night)):
        file = f"{stream}-{number}{('.toml', '.json')[at % 2]}"
        (folder / file).write_text(format_record(record, Path(file).suffix), encoding="utf-8")
        yield file, _money(record) | {"round": facts["streams"][stream]["rounds"][str(number)]}


def _chosen(night: GoldenNight) -> list[tuple[str, int, dict[str, Any]]]:
    """The rounds with the rarest acts, and one at least of every table."""
    told = []
    for stream in night.store.streams():
        recalled = list(night.store.read(stream))
        told += [(stream, number, told_round(recalled, number).record) for number in numbers_of(recalled)]
    chosen: list[tuple[str, int, dict[str, Any]]] = []
    seen: set[str] = set()
    for one in sorted(told, key=lambda one: -len({act["do"] for act in one[2]["acts"]})):
        new = {act["do"] for act in one[2]["acts"]} | {one[0]}
        if not new <= seen and len(chosen) < MOST_ROUNDS:
            chosen.append(one)
            seen |= new
    return chosen


def _money(record: dict[str, Any]) -> dict[str, Any]:
    told = result(replay(parse_record(record)))
    return {"balances": told["balances"], "nets": [one["net"] for one in told["rounds"]], "meter": told["meter"]}


def _write_real_night(book: str, path: Path) -> dict[str, Any]:
    """A night with real cards that was broken off; things went wrong in it now and then."""
    night = RealNight(load_rulebook(book), random.Random(f"golden {book}"), trouble=0.08)
    night.play(220)
    while night.real.table.round.is_over or not night.real.table.round.hands:
        night.next()
    path.write_text(format_record(record_of(night.real, book), path.suffix), encoding="utf-8")
    return _standing(path)


def _standing(path: Path) -> dict[str, Any]:
    read = read_toml if path.suffix == ".toml" else read_json
    told = result(replay(parse_record(read(path.read_text(encoding="utf-8")))))
    return {
        "balances": told["balances"],
        "rounds": [{"number": one["number"], "net": one["net"]} for one in told["rounds"]],
        "open": told["open"],
        "events": len(told["events"]),
    }


def _write_scenarios(book: str, path: Path) -> None:
    """Every scenario of the book with the whole result to which it was replayed."""
    lines = []
    for file in sorted((SCENARIOS / book).glob("*.toml")):
        record = read_toml(file.read_text(encoding="utf-8"))
        record.pop("expect", None)
        told = result(replay(parse_record(record)))
        lines.append(json.dumps({"name": file.stem, "record": record, "result": told}, ensure_ascii=False))
    path.write_bytes(lzma.compress("\n".join(lines).encode(), preset=9))


def write_console(folder: Path) -> None:
    """The evening that a dealer typed."""
    folder.mkdir(parents=True)
    path = folder / "evening.json"
    told = run("deal", "--players", "ana=500,ben=500,cleo=500", "--min", "10", "--save", str(path), stdin=CONSOLE)
    assert told.status == 0, told
    _write_json(folder / "facts.json", _standing(path))


def write_accounts(folder: Path) -> None:
    """A guest, players with passwords, staff with roles that were given and taken, and an account that is locked."""
    folder.mkdir(parents=True)
    file = folder / "accounts.db"
    accounts = Accounts(file, now=lambda: NOON, hasher=PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    guest = accounts.new_guest().name
    for name in ("ann", "dora", "lou"):
        accounts.register(name, PASSWORD)
    accounts.request_staff_role("dora", "dealer", True, "console", "for tonight")
    accounts.request_staff_role("dora", "supervisor", True, "console", "for tonight")
    accounts.request_staff_role("dora", "supervisor", False, "console", "went home")
    accounts.lock("lou", "console", "asked for it")
    token = accounts.open_login("ann")
    accounts.close()
    (folder / "accounts.db.xz").write_bytes(lzma.compress(file.read_bytes(), preset=9))
    for one in folder.glob("accounts.db"):
        one.unlink()
    facts = {"guest": guest, "password": PASSWORD, "now": NOON, "session": {"token": token, "name": "ann"}}
    _write_json(folder / "facts.json", facts | {"locked": ["lou"], "roles": {"dora": ["dealer"]}, "requests": 4})


def _write_json(path: Path, data: Any) -> None:
    path.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def main(folder: Path) -> None:
    if folder.exists():
        sys.exit(f"{folder} is there already: what a version has written is never written again")
    for book in BOOKS:
        write_book(book, folder / book)
    write_console(folder / "console")
    write_accounts(folder / "accounts")
    copyfile(HERE / "version.md", folder / "README.md")
    (folder / MANIFEST).write_text(manifest_of(folder), encoding="ascii")


def manifest_of(folder: Path) -> str:
    """Every file of the folder with its digest, as `sha256sum` writes it."""
    files = sorted(file for file in folder.rglob("*") if file.is_file() and file.name != MANIFEST)
    digests = ((hashlib.sha256(file.read_bytes()).hexdigest(), file.relative_to(folder)) for file in files)
    return "".join(f"{digest}  {file.as_posix()}\n" for digest, file in digests)


if __name__ == "__main__":
    main(HERE / f"v{version('casinowar')}")
