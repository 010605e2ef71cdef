"""An audit that goes on from a checkpoint: what is before it is hashed, and only what follows is replayed."""

import random
import re
import shutil
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace

from casinowar.audit import Audit
from casinowar.audit.snapshot import AuditedStore
from casinowar.engine import events as e
from casinowar.store import (
    Checkpoint,
    EntropyAdded,
    MemoryStore,
    Recalled,
    Recorded,
    SqliteStore,
    Store,
    make_checkpoint,
)
from casinowar.store.sqlite.connection import execute
from tests.support.audited_nights import Change, play_night, retell
from tests.support.edited_rows import Editor

pytestmark = pytest.mark.slow


class Kept(NamedTuple):
    """The file of a night, and a checkpoint from the middle of it, while a round was being played."""

    file: Path
    middle: Checkpoint


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    file, key = tmp_path_factory.mktemp("since") / "war.db", Ed25519PrivateKey.generate()
    with closing(SqliteStore(file)) as store:
        played = play_night(store, 2)
        played.until_ready()
        played.bet("ann")
        middle = make_checkpoint(store, key)
        played.until(lambda: played.live.table.round.is_over)
        played.play(3, ("ann", "ben"), random.Random(5))
        make_checkpoint(store, key)
    return Kept(file, middle)


def audited(store: Store, since: Checkpoint | None, jobs: int = 1) -> tuple[list[str], Audit]:
    one = Audit(store, since=since, jobs=jobs)
    return [str(finding) for finding in one.findings()], one


def found(file: Path, since: Checkpoint | None, jobs: int = 1) -> list[str]:
    with closing(AuditedStore(file)) as store:
        return audited(store, since, jobs)[0]


def edit_copy(night: Kept, folder: Path) -> tuple[Path, Editor]:
    """A copy of the night's file, and its editor."""
    copy = Path(shutil.copy(night.file, folder / "copy.db"))
    return copy, Editor(copy, random.Random(0))


def sign_forged(night: Kept, change: Change) -> tuple[MemoryStore, Checkpoint]:
    """The night with a change, and a checkpoint in the middle by somebody who has every key."""
    key, into, kept = Ed25519PrivateKey.generate(), MemoryStore(), list[Checkpoint]()

    def forged(one: Recalled) -> Iterable[Recorded]:
        if one.position > night.middle.events and not kept:
            kept.append(make_checkpoint(into, key))
        return change(one)

    with closing(AuditedStore(night.file)) as store:
        retell(store, forged, into)
    return into, kept[0]


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_is_before_the_checkpoint_is_not_replayed_and_that_is_said(night: Kept, jobs: int) -> None:
    with closing(AuditedStore(night.file)) as store:
        findings, one = audited(store, night.middle, jobs)
        whole = audited(store, None)[1]
    assert findings == []
    assert 3 <= one.counts.replayed < one.counts.rounds < whole.counts.rounds, "the round it fell into is only decided"
    assert one.counts.events == whole.counts.events
    assert one.counts.tables < whole.counts.tables, "nothing happened at one of them"
    [note] = one.notes
    assert note.startswith(f"since checkpoint 1: {night.middle.events} events and {night.middle.commands} commands")


def test_every_place_of_a_night_can_be_gone_on_from(night: Kept) -> None:
    """Checkpoints in the middle of shoes, rounds, decisions and voids: none makes an honest house look otherwise."""
    key = Ed25519PrivateKey.generate()
    kept: list[Checkpoint] = []
    into = MemoryStore()

    def with_checkpoints(one: Recalled) -> Iterable[Recorded]:
        if one.position % 40 == 0:
            kept.append(make_checkpoint(into, key))
        return [one.event]

    with closing(AuditedStore(night.file)) as store:
        retell(store, with_checkpoints, into)
    assert len(kept) > 10
    for since in kept:
        assert audited(into, since)[0] == [], since.events


@pytest.mark.parametrize("is_rechained", [True, False])
@pytest.mark.parametrize("is_before", [True, False])
def test_an_edit_is_found_on_either_side(night: Kept, tmp_path: Path, is_before: bool, is_rechained: bool) -> None:
    """The edit is of an amount that was paid; without the key nobody signs the hashes that would go with it."""
    copy, editor = edit_copy(night, tmp_path)
    side = "<=" if is_before else ">"
    sql = f"SELECT min(position) FROM events WHERE name = 'wager_settled' AND position {side} {night.middle.events}"
    [(position,)] = execute(editor.db, sql)
    paid = "CAST(replace(CAST(entry AS TEXT), '\"returned\":', '\"returned\":1') AS BLOB)"
    execute(editor.db, f"UPDATE events SET entry = {paid} WHERE position = ?", (position,))
    editor.close(is_rechained=is_rechained)
    findings = found(copy, night.middle)
    assert any(one.startswith(f"event {position!r}") for one in findings), findings
    if is_before and is_rechained:
        assert "checkpoint 1: the leaves before it have been changed" in findings
    assert findings == found(copy, night.middle, jobs=2)


@pytest.mark.parametrize("is_before", [True, False])
def test_an_edit_that_fits_everything_else_is_found_by_the_hash(night: Kept, tmp_path: Path, is_before: bool) -> None:
    """The time of an event follows from nothing, and all hashes are worked out anew: only what was signed tells."""
    copy, editor = edit_copy(night, tmp_path)
    position = night.middle.events if is_before else night.middle.events + 1
    later = "CAST(replace(CAST(entry AS TEXT), '\"at\":', '\"at\":9') AS BLOB)"
    execute(editor.db, f"UPDATE events SET entry = {later} WHERE position = ?", (position,))
    editor.close(is_rechained=True)
    changed = [f"checkpoint {number}: the leaves before it have been changed" for number in (1, 2)]
    assert sorted(found(copy, night.middle)) == [
        *([changed[0]] if is_before else []),
        *changed[0 if is_before else 1 :],
    ]


@pytest.mark.parametrize("table", ["postings", "balances"])
def test_money_before_the_checkpoint_is_held_against_the_log(night: Kept, tmp_path: Path, table: str) -> None:
    """Rows of postings and balances are in no chain: they must be what the events say, from the first on."""
    copy, editor = edit_copy(night, tmp_path)
    change = {
        "postings": "UPDATE postings SET amount = amount + 7 WHERE position = (SELECT min(position) FROM postings)",
        "balances": "UPDATE balances SET balance = balance + 7 WHERE account = 'purse:ann'",
    }
    execute(editor.db, change[table])
    editor.close(is_rechained=False)
    assert found(copy, night.middle)


def paid_more(after: int) -> Change:
    """The first wager that is settled behind this event pays more, in a log whose chains and postings are in order."""
    left = [True]

    def changed(one: Recalled) -> Iterable[Recorded]:
        if isinstance(one.event, e.WagerSettled) and one.position > after and left[0]:
            left[0] = False
            return [replace(one.event, paid=one.event.paid + 500)]
        return [one.event]

    return changed


@pytest.mark.parametrize("is_before", [True, False])
def test_a_forger_with_every_key_is_found_after_the_checkpoint_and_before_it_by_the_audit_of_then(
    night: Kept, is_before: bool
) -> None:
    """Who can sign makes a checkpoint over a forged log: the audit up to it has found that, and this one goes on."""
    into, kept = sign_forged(night, paid_more(0 if is_before else night.middle.events))
    whole, since = audited(into, None)[0], audited(into, kept)[0]
    assert any("gives WagerSettled" in one for one in whole), whole
    assert any("gives WagerSettled" in one for one in since) is not is_before, since


@pytest.mark.parametrize("change", ["UPDATE seeds SET seed = zeroblob(32)", "DELETE FROM seeds"])
def test_a_seed_that_is_gone_or_another_is_found_on_either_side(night: Kept, tmp_path: Path, change: str) -> None:
    """Seeds are in no chain, so that no checkpoint vouches for them: a table where nothing happened since has some."""
    with closing(AuditedStore(night.file)) as store:
        commitments = store.commitments()
    assert len(commitments) >= 5
    for commitment in commitments:
        copy, editor = edit_copy(night, tmp_path)
        execute(editor.db, f"{change} WHERE commitment = ?", (commitment,))
        editor.close(is_rechained=False)
        whole = found(copy, None)
        assert [one.partition(": ")[2] for one in whole] == [
            "its seed is gone" if "DELETE" in change else "its commitment is not that of its seed"
        ]
        assert found(copy, night.middle) == whole


def other_entropy() -> Change:
    """Of every shoe, what the players brought is told otherwise, so that the rest does not follow from it."""
    return lambda one: [replace(one.event, entropy="ab" * 32) if isinstance(one.event, EntropyAdded) else one.event]


def test_a_shoe_in_use_that_cannot_be_made_again_is_told(night: Kept) -> None:
    """The cards that came after the checkpoint are of a shoe that began before it: they cannot be held against it."""
    into, kept = sign_forged(night, other_entropy())
    findings = audited(into, kept)[0]
    assert len(findings) == 1, findings
    assert re.fullmatch(r"event \d+ \(t \d+\), shoe t/\d+: this is not what was promised", findings[0])
    assert findings[0] in audited(into, None)[0]
