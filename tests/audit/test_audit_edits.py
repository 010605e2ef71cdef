"""Edits of rows and cut-off tails, each found given a checkpoint that was kept outside; a thousand in `make soak`."""

import os
import random
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from casinowar import audit
from casinowar.audit import Audit
from casinowar.audit.shoes import ShoeAudit
from casinowar.audit.snapshot import AuditedStore
from casinowar.store import (
    Checkpoint,
    Proposal,
    Recalled,
    Recorded,
    SqliteStore,
    StoreError,
    StoreFailed,
    make_checkpoint,
)
from casinowar.store.ledger import Layout
from casinowar.store.snapshots import make_snapshot
from casinowar.store.sqlite.connection import execute
from tests.support.audited_nights import play_night, retell
from tests.support.edited_rows import ACTS, ORDER, Editor

pytestmark = pytest.mark.slow

EDITS = int(os.environ.get("EDITS", "140"))
CUTS = EDITS // 20
WEIGHTS = {"events": 5, "commands": 3, "postings": 3, "balances": 2, "seeds": 1, "checkpoints": 1}

Kept = tuple[Path, Checkpoint]


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    """The file of a night with checkpoints in it, and the last of them, which somebody has taken home."""
    file = tmp_path_factory.mktemp("audit") / "war.db"
    key = Ed25519PrivateKey.generate()
    with closing(SqliteStore(file)) as store:
        played = play_night(store)
        for _ in range(3):
            make_checkpoint(store, key)
            played.until_ready()
            played.bet("ann")
            played.until(lambda: played.live.table.round.is_over)
        kept = make_checkpoint(store, key)
    assert kept.events >= 500
    return file, kept


def first_finding(file: Path, kept: Checkpoint) -> str | None:
    try:
        store = AuditedStore(file)
    except (StoreError, StoreFailed) as error:
        return str(error)
    with closing(store):
        return next((str(one) for one in Audit(store, kept=[kept]).findings()), None)


def copies(night: Kept, folder: Path) -> Iterator[Path]:
    """The file afresh each time."""
    while True:
        yield Path(shutil.copy(night[0], folder / "copy.db"))


def edited(night: Kept, folder: Path, edits: int, tables: tuple[str, ...] = tuple(ORDER)) -> Iterator[tuple[str, Path]]:
    """So many edits, each of a copy of its own, every other one with all hashes worked out anew."""
    weights = [WEIGHTS[table] for table in tables]
    for seed, copy in zip(range(edits), copies(night, folder), strict=False):
        chance = random.Random(seed)
        editor = Editor(copy, chance)
        what = editor.edit(chance.choices(tables, weights)[0], chance.choice(ACTS))
        editor.close(is_rechained=seed % 2 == 0)
        yield what, copy


def test_the_night_itself_is_sound_and_so_is_a_copy_with_its_hashes_worked_out_again(
    night: Kept, tmp_path: Path
) -> None:
    """The twin of the edits: neither opening the file nor working out the hashes is what is found."""
    copy = next(copies(night, tmp_path))
    Editor(copy, random.Random(0)).close(is_rechained=True)
    assert first_finding(copy, night[1]) is None


def test_every_edit_of_rows_is_found(night: Kept, tmp_path: Path) -> None:
    kinds: Counter[str] = Counter()
    for what, copy in edited(night, tmp_path, EDITS):
        assert first_finding(copy, night[1]) is not None, f"{what} was not found"
        kinds[" ".join(what.split()[:2])] += 1
    assert len(kinds) == len(ACTS) * len(ORDER) or EDITS < 1000
    assert sum(kinds.values()) == EDITS


def test_a_tail_that_was_cut_off_is_found(night: Kept, tmp_path: Path) -> None:
    for seed, copy in zip(range(CUTS), copies(night, tmp_path), strict=False):
        editor = Editor(copy, random.Random(seed))
        what = editor.cut_off()
        editor.close(is_rechained=True)
        found = first_finding(copy, night[1])
        assert "are left" in str(found), (what, found)


def test_a_tail_that_was_cut_off_is_not_found_by_one_who_kept_nothing(night: Kept, tmp_path: Path) -> None:
    """The twin: what is left is an honest beginning, so that only the checkpoint tells."""
    editor = Editor(next(copies(night, tmp_path)), random.Random(1))
    editor.cut_off()
    editor.close(is_rechained=True)
    with closing(AuditedStore(tmp_path / "copy.db")) as store:
        assert [str(one) for one in Audit(store).findings()] == []


def all_findings(file: Path, kept: Checkpoint, jobs: int) -> list[str]:
    try:
        store = AuditedStore(file)
    except (StoreError, StoreFailed) as error:
        return [str(error)]
    with closing(store):
        audited = Audit(store, kept=[kept], jobs=jobs)
        return [*(str(one) for one in audited.findings()), str(audited.counts), *audited.notes, *audited.remarks]


def test_two_processes_find_what_one_finds_in_the_same_order(night: Kept, tmp_path: Path) -> None:
    for what, copy in edited(night, tmp_path, max(8, EDITS // 10)):
        assert all_findings(copy, night[1], 2) == all_findings(copy, night[1], 1), what
    assert all_findings(night[0], night[1], 2) == all_findings(night[0], night[1], 1)


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_progress_ends_with_all_rounds(night: Kept, jobs: int) -> None:
    """Two processes may end before anybody has looked how far they are."""
    told: list[tuple[int, int]] = []
    with closing(AuditedStore(night[0])) as store:
        audited = Audit(store, kept=[night[1]], jobs=jobs, progress=lambda done, total: told.append((done, total)))
        assert list(audited.findings()) == []
    assert told[-1] == (audited.counts.rounds, audited.counts.rounds)
    assert audited.counts.rounds > 20


PARENT = """
import sys
from pathlib import Path
from casinowar.audit.house import HouseAudit
from casinowar.audit.openings import Openings
from casinowar.audit.processes import TableProcesses
from casinowar.audit.snapshot import AuditedStore

tasks = [Openings(stream, (stream,), 1) for stream in ("t", "c")]
processes = TableProcesses(AuditedStore(Path(sys.argv[1])), HouseAudit(), 2)
assert len(list(processes.begin(tasks, lambda rounds: None))) == 2
print(*processes._workers.pool._processes, flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGKILL])
def test_the_processes_end_when_the_audit_is_killed(night: Kept, tmp_path: Path, sent: signal.Signals) -> None:
    """They have the standard output of the audit too: it comes to its end when the last of them is gone."""
    copy = next(copies(night, tmp_path))
    command = [sys.executable, "-c", PARENT, str(copy)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        workers = [int(pid) for pid in parent.stdout.readline().split()]
        assert workers
        os.kill(parent.pid, sent)
        try:
            parent.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            for pid in workers:
                os.kill(pid, signal.SIGKILL)
            raise
    assert parent.returncode == -sent
    with closing(SqliteStore(copy)) as store:
        assert store.head().events >= night[1].events


@pytest.mark.parametrize("error", [OSError("no more processes"), BrokenExecutor("gone"), NotImplementedError("none")])
@pytest.mark.parametrize("where", ["__init__", "submit"])
def test_without_other_processes_this_one_audits(
    night: Kept, monkeypatch: pytest.MonkeyPatch, where: str, error: Exception
) -> None:
    expected = all_findings(night[0], night[1], 1)

    def fail(*args: object, **named: object) -> None:
        raise error

    monkeypatch.setattr(ProcessPoolExecutor, where, fail)
    assert all_findings(night[0], night[1], 2) == expected


@pytest.mark.parametrize("other", ["a/1", "z/1"])
def test_a_forged_snapshot_is_found_beside_a_good_one_of_the_same_version(
    night: Kept, tmp_path: Path, other: str
) -> None:
    copy = next(copies(night, tmp_path))
    with closing(SqliteStore(copy)) as store:
        store.save_snapshot("t", store.version("t"), "m/1", b"ours")
        store.save_snapshot("t", store.version("t"), other, b"ours")
        good = next(one for one in store.snapshot_rows() if one.format == other)
        forged = make_snapshot(
            store.identity, "t", other, good.version, good.events_head, Layout("t"), b"a richer table"
        )
    assert all_findings(copy, night[1], 1)[0].startswith("Counts"), "both are good"
    editor = Editor(copy, random.Random(0))
    execute(
        editor.db,
        "UPDATE snapshots SET layout = ?, body = ?, digest = ? WHERE format = ?",
        (forged.layout, forged.body, forged.digest, other),
    )
    editor.close(is_rechained=False)
    assert all_findings(copy, night[1], 1)[0] == (
        f"snapshot of t at {good.version}: its layout does not follow from the events"
    )


def test_commands_that_claim_the_same_events_are_found(night: Kept, tmp_path: Path) -> None:
    """A refused command has no events; here it ends where it could not, so that the next one has those of others."""
    into = SqliteStore(tmp_path / "refused.db")
    numbers: list[int] = []

    def with_refused(one: Recalled) -> list[Recorded]:
        if one.position == 500:
            refused = Proposal(
                stream="t", expected=into.version("t"), actor="ann", command="refused", body=b"", answer=""
            )
            into.commit(refused)
            numbers.append(into.head().commands)
        return [one.event]

    with closing(into), closing(AuditedStore(night[0])) as store:
        retell(store, with_refused, into)
    [number] = numbers
    assert findings_of(into.path) == []
    editor = Editor(into.path, random.Random(0))
    for at, change in ((number, {"last": 2}), (number + 1, {"first": 3})):
        [(entry,)] = execute(editor.db, "SELECT entry FROM commands WHERE number = ?", (at,))
        assert isinstance(entry, bytes)
        told = msgspec.json.encode({**msgspec.json.decode(entry), **change})
        execute(editor.db, "UPDATE commands SET entry = ? WHERE number = ?", (told, at))
    editor.close(is_rechained=True)
    found = [one.partition(": ") for one in findings_of(into.path)]
    assert [(where.partition(" (")[0], what) for where, _, what in found] == [
        (f"command {number}", "events up to 2 are missing"),
        (f"command {number + 1}", "its events name another command"),
    ]


def findings_of(file: Path) -> list[str]:
    with closing(AuditedStore(file)) as store:
        return [str(one) for one in Audit(store).findings()]


Weakening = Callable[[pytest.MonkeyPatch], None]


def _without_log(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(audit, "audit", lambda store, key, kept: [])


def _without_money(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(audit, "find_money_faults", lambda store: iter(()))


def _without_seeds(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Audit, "_seeds", lambda self, committed: iter(()))


def _without_shoes(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(ShoeAudit, "follow", lambda self, one, rules, table: iter(()))


def _without_numbers(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(AuditedStore, "form_faults", lambda self: [])


@pytest.mark.parametrize(
    ("weaken", "tables"),
    [
        (_without_log, ("events", "commands", "postings", "checkpoints")),
        (_without_money, ("balances",)),
        (_without_seeds, ("seeds",)),
        (_without_shoes, ("seeds",)),
        (_without_numbers, ("checkpoints",)),
    ],
)
def test_an_audit_without_one_of_its_checks_misses_edits(
    weaken: Weakening, tables: tuple[str, ...], night: Kept, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each check carries weight: the same edits are all found by the whole audit."""
    weaken(monkeypatch)
    is_missed = False
    for what, copy in edited(night, tmp_path, 60, tables):
        if first_finding(copy, night[1]) is None:
            is_missed = True
            monkeypatch.undo()
            assert first_finding(copy, night[1]) is not None, what
            break
    assert is_missed
