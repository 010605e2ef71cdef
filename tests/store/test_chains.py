"""Chains of streams and the tree over them: what is tampered with is found, and old stores go on with both kinds."""

import lzma
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TypeVar

import apsw
import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from casinowar.audit.snapshot import AuditedStore
from casinowar.engine import events as e
from casinowar.merkle import MerkleTree, consistency_path
from casinowar.store import (
    Checkpoint,
    MemoryStore,
    SqliteStore,
    Store,
    StoreFailed,
    StoreFault,
    VersionConflict,
    audit,
    dump_checkpoint,
    kind_of_chains,
    load_checkpoint,
    make_checkpoint,
    public_key,
)
from casinowar.store.chains import StreamHead, leaf_of
from casinowar.store.checkpoints import sign
from casinowar.store.sqlite.connection import execute
from casinowar.store.tree_proofs import NoProof, ShownHead, find_proof_faults, load_proof, make_proof, proof_in_words
from tests.golden.kept import FOLDER
from tests.store.test_store_contract import fund, played, unlocked, write
from tests.support.edited_rows import rechain

T = TypeVar("T", bound=msgspec.Struct)
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))


def night(store: Store) -> list[Checkpoint]:
    """Four streams, three checkpoints, and something behind the last of them."""
    played(store, 2)
    made = [make_checkpoint(store, KEY)]
    write(store, "a1", e.PlayerSeated("ana", 1), stream="a")
    write(store, "refused", stream="b")
    made.append(make_checkpoint(store, KEY))
    write(store, "a2", e.PlayerSeated("ben", 2), stream="a")
    write(store, "t1 again", e.TimePassed(60))
    made.append(make_checkpoint(store, KEY))
    write(store, "a3", e.PlayerSeated("cat", 3), stream="a")
    return made


def test_a_checkpoint_adds_a_leaf_for_each_stream_that_has_changed(store: Store) -> None:
    made = night(store)
    assert [leaf.stream for leaf in store.leaves()] == ["cage", "t1", "a", "b", "a", "t1"]
    assert [one.leaves for one in made] == [2, 4, 6]
    assert audit(store, public_key(KEY), made) == []
    assert kind_of_chains(store) == "of each stream"
    write(store, "a4", e.PlayerSeated("dan", 4), stream="a")
    last = make_checkpoint(store, KEY)
    assert (last.leaves, store.leaves()[-1].stream) == (7, "a")
    again = make_checkpoint(store, KEY)
    assert (again.leaves, again.root) == (last.leaves, last.root), "nothing has changed"
    with pytest.raises(VersionConflict):
        store.add_checkpoint(again)
    assert audit(store, public_key(KEY), made) == []


def test_a_checkpoint_has_one_of_two_forms() -> None:
    tree = {"identity": "x", "number": 1, "events": 0, "commands": 0, "at": 0, "key": "", "leaves": 0, "root": "0" * 64}
    heads = {"events_head": "", "commands_head": ""}
    assert load_checkpoint(msgspec.json.encode(tree)).tree == (0, bytes(32))
    for wrong in ({**tree, **heads}, {**tree, "root": "no"}, {k: tree[k] for k in tree if k != "root"}):
        with pytest.raises(msgspec.ValidationError):
            load_checkpoint(msgspec.json.encode(wrong))


# Tampering


def _sql(*statements: str) -> Callable[[apsw.Connection], None]:
    def edit(db: apsw.Connection) -> None:
        for sql in statements:
            execute(db, sql)
            assert db.changes(), sql

    return edit


SWAP = (
    "UPDATE leaves SET number = -1 WHERE number = {0}",
    "UPDATE leaves SET number = {0} WHERE number = {1}",
    "UPDATE leaves SET number = {1} WHERE number = -1",
)
MOVED = 'UPDATE events SET stream = \'c\', entry = CAST(replace(entry, \'"stream":"a"\', \'"stream":"c"\') AS BLOB)'
TAIL = (
    "DELETE FROM events WHERE stream = 'a' AND version = 3",
    "DELETE FROM commands WHERE command = 'a3'",
    "UPDATE heads SET version = 2, commands = 2, (events_head, commands_head) ="
    " (SELECT events_head, commands_head FROM leaves WHERE number = 5) WHERE stream = 'a'",
)
EDITS: dict[str, tuple[Callable[[apsw.Connection], None], str]] = {
    "a leaf's version": (_sql("UPDATE leaves SET version = version - 1 WHERE number = 2"), "leaf 2"),
    "a leaf's commands": (_sql("UPDATE leaves SET commands = commands - 1 WHERE number = 6"), "leaf 6"),
    "a leaf's hash": (_sql("UPDATE leaves SET events_head = zeroblob(32) WHERE number = 3"), "leaf 3"),
    "a leaf's hash of commands": (_sql("UPDATE leaves SET commands_head = zeroblob(32) WHERE number = 4"), "leaf 4"),
    "a leaf's stream": (_sql("UPDATE leaves SET stream = 'b' WHERE number = 3"), "leaf 3"),
    "leaves swapped": (_sql(*(one.format(1, 2) for one in SWAP)), "checkpoint 1: the leaves before it"),
    "leaves of one stream swapped": (_sql(*(one.format(3, 5) for one in SWAP)), "leaf 5: a had gone further"),
    "a leaf left out": (
        _sql("DELETE FROM leaves WHERE number = 4", "UPDATE leaves SET number = number - 1 WHERE number > 4"),
        "checkpoint 2: the leaves before it",
    ),
    "the last leaf cut off": (_sql("DELETE FROM leaves WHERE number = 6"), "signed 6 leaves, and 5 are left"),
    "a leaf added": (
        _sql("INSERT INTO leaves SELECT 7, stream, version, events_head, commands, commands_head FROM heads LIMIT 1"),
        "leaf 7",
    ),
    "the edge": (_sql("UPDATE tree SET parts = zeroblob(64)"), "the edge of the tree"),
    "the size of the edge": (_sql("UPDATE tree SET size = 5"), "the edge of the tree"),
    "a head's hash": (_sql("UPDATE heads SET events_head = zeroblob(32) WHERE stream = 'a'"), "the head of a"),
    "a head's version": (_sql("UPDATE heads SET version = 9 WHERE stream = 't1'"), "the head of t1"),
    "a head covered": (_sql("UPDATE heads SET covered = commands WHERE stream = 'a'"), "the head of a"),
    "a head gone": (_sql("DELETE FROM heads WHERE stream = 'b'"), "the head of b: is missing"),
    "a stream's tail cut": (_sql(*TAIL[:1]), "the head of a"),
    "a chain moved to another stream": (_sql(f"{MOVED} WHERE stream = 'a'"), "the chain breaks here"),
    "the ends of old chains": (_sql("UPDATE old_chains SET events = 3"), "the old chain of events"),
}


@pytest.mark.parametrize("edit", EDITS)
def test_every_edit_of_the_tree_is_found(edit: str, file: Path) -> None:
    with closing(SqliteStore(file)) as made:
        night(made)
    change, finding = EDITS[edit]
    db = unlocked(file)
    change(db)
    db.close()
    with closing(AuditedStore(file)) as altered:
        found = audit(altered, public_key(KEY))
    assert any(finding in one for one in found), found


@pytest.mark.parametrize("edit", ["a leaf's version", "a leaf left out", "leaves swapped", "a stream's tail cut"])
def test_an_edit_with_every_hash_worked_out_again_is_found_by_a_checkpoint(edit: str, file: Path) -> None:
    with closing(SqliteStore(file)) as made:
        kept = night(made)
        write(made, "a4", e.PlayerSeated("dan", 4), stream="a")
        kept.append(make_checkpoint(made, KEY))
    db = unlocked(file)
    EDITS[edit][0](db)
    rechain(db)
    db.close()
    with closing(AuditedStore(file)) as altered:
        assert audit(altered, public_key(KEY), kept[-1:])


def test_a_streams_tail_cut_with_its_leaf_is_found_by_who_kept_the_checkpoint(file: Path) -> None:
    """Everything behind the second checkpoint is taken away without a trace; only the third one tells."""
    with closing(SqliteStore(file)) as made:
        kept = night(made)
    db = unlocked(file)
    for sql in (
        f"DELETE FROM events WHERE position > {kept[1].events}",
        f"DELETE FROM commands WHERE number > {kept[1].commands}",
        f"DELETE FROM leaves WHERE number > {kept[1].leaves}",
        "DELETE FROM checkpoints WHERE number > 2",
    ):
        execute(db, sql)
    rechain(db)
    db.close()
    with closing(SqliteStore(file)) as altered:
        assert audit(altered, public_key(KEY), kept[:2]) == []
        found = audit(altered, public_key(KEY), kept[2:])
    assert any("are left" in one for one in found), found


Wrong = Callable[[list[StreamHead]], list[StreamHead]]
MISLED: dict[str, Wrong] = {
    "a stream left out": lambda leaves: leaves[1:],
    "a stream twice": lambda leaves: [*leaves, leaves[0]],
    "a stream as it was before": lambda leaves: [replaced(leaves[0], version=leaves[0].version - 1), *leaves[1:]],
}


@pytest.mark.parametrize("wrong", MISLED)
def test_a_signer_who_leaves_out_what_has_changed_is_found(store: Store, wrong: str) -> None:
    """Whoever has the key can sign any tree; the audit compares its leaves with the log."""
    made = night(store)
    write(store, "cage again", e.PlayerSeated("dan", 4), stream="cage")
    head, leaves, edge, _, _ = store.growth()
    leaves = MISLED[wrong](leaves)
    for leaf in leaves:
        edge = edge.add(leaf_of(leaf))
    signed = replaced(made[-1], number=4, events=head.events, commands=head.commands, leaves=edge.size)
    store.add_checkpoint(sign(replaced(signed, root=edge.root.hex()), KEY), leaves)
    found = audit(store, public_key(KEY))
    assert any(one.startswith(("checkpoint 4: its leaves", "leaf ")) for one in found), found


UNSOUND = {
    "told to be covered": "covered = commands",
    "too few events": "version = version - 1",
    "too many commands": "commands = commands + 1",
}


@pytest.mark.parametrize("what", UNSOUND)
def test_a_tree_that_does_not_add_up_to_the_log_is_not_signed(what: str, tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "war.db")) as made:
        night(made)
        execute(made._db, f"UPDATE heads SET {UNSOUND[what]} WHERE stream = 'a'")
        leaves = made.leaves()
        with pytest.raises(StoreFailed, match=r"the heads of the streams cover .* and there are"):
            make_checkpoint(made, KEY)
        assert (len(made.checkpoints()), made.leaves()) == (3, leaves)


# Old stores


@pytest.fixture(params=["nz", "ca"])
def old(request: pytest.FixtureRequest, file: Path) -> Path:
    """A store that the first version has written, with a chain over all of it."""
    file.write_bytes(lzma.decompress((FOLDER / "v0.1.0" / request.param / "war.db.xz").read_bytes()))
    return file


def test_an_old_store_is_read_as_it_is_and_goes_on_with_chains_of_streams(old: Path) -> None:
    before = old.read_bytes()
    with closing(SqliteStore(old, for_reading=True)) as store:
        assert (audit(store), kind_of_chains(store), store.leaves()) == ([], "of the whole store", [])
        kept, counts = store.checkpoints(), store.head()
    assert old.read_bytes() == before, "to read is not to write"
    with closing(SqliteStore(old)) as store:
        assert store.old_chains() == (counts.events, counts.events_head, counts.commands, counts.commands_head)
        assert (audit(store, None, kept), kind_of_chains(store)) == ([], "of the whole store")
        stream = next(name for name in store.streams() if name != "house")
        fund(store, "zoe", 700)
        write(store, "late", e.TimePassed(1), stream=stream)
        made = make_checkpoint(store, KEY)
        assert [leaf.stream for leaf in store.leaves()] == ["", *sorted(["cage", stream])]
        assert (made.events, made.number) == (counts.events + 2, len(kept) + 1)
        assert (audit(store, None, [*kept, made]), kind_of_chains(store)) == (
            [],
            "of the whole store, then of each stream",
        )
        write(store, "later", e.TimePassed(1), stream=stream)
        assert make_checkpoint(store, KEY).leaves == 4
        assert audit(store, None, [*kept, made]) == []
    with closing(SqliteStore(old, for_reading=True)) as store:
        assert audit(store, None, [*kept, made]) == []


def test_an_old_store_that_was_tampered_with_is_refused_and_not_migrated(old: Path) -> None:
    """Its chains are followed once more from the first event on, before streams go on from their ends."""
    db = unlocked(old)
    execute(db, "UPDATE events SET entry = CAST(replace(entry, '500', '600') AS BLOB) WHERE name = 'wager_placed'")
    db.close()
    with pytest.raises(StoreFault, match="the chain of events breaks at"):
        SqliteStore(old)
    with closing(AuditedStore(old)) as store:
        assert store._migrations == 3
        assert any("the chain breaks here" in one for one in audit(store))


OLD_EDITS = {
    "an old event": "UPDATE events SET entry = CAST(replace(entry, '500', '600') AS BLOB) WHERE name = 'wager_placed'",
    "an old command": "UPDATE commands SET entry = CAST(replace(entry, '170', '180') AS BLOB) WHERE number = 3",
    "the end of the old chain": "UPDATE old_chains SET events_head = zeroblob(32)",
    "where the old chain ends": "UPDATE old_chains SET events = events - 1",
    "the leaf of the old chain": "UPDATE leaves SET version = version - 1 WHERE number = 1",
    "an old event between two streams": "UPDATE events SET stream = 'zzz' WHERE position = 40",
}


@pytest.mark.parametrize("is_rechained", [False, True], ids=["hashes kept", "hashes recomputed"])
@pytest.mark.parametrize("edit", OLD_EDITS)
def test_an_edit_of_the_old_part_is_found_after_the_migration(old: Path, edit: str, is_rechained: bool) -> None:
    with closing(SqliteStore(old)) as store:
        first = store.checkpoints()[-1]
        fund(store, "zoe", 700)
        made = make_checkpoint(store, KEY)
    db = unlocked(old)
    execute(db, OLD_EDITS[edit])
    if is_rechained and edit in ("an old event", "an old command"):
        rechain(db)
    db.close()
    with closing(AuditedStore(old)) as altered:
        assert audit(altered, None, [first, made])


# Proofs


def test_a_proof_shows_that_checkpoints_go_on_from_each_other(store: Store) -> None:
    made = night(store)
    for older in made:
        proof = make_proof(store, older, "a")
        assert list(find_proof_faults(proof, public_key(KEY), older)) == []
        assert load_proof(msgspec.json.encode(proof).decode()) == proof
        assert f"checkpoint 3 goes on from checkpoint {older.number}" in proof_in_words(proof)
        assert "a had reached version 2 with 2 commands by the time checkpoint 3 was signed" in proof_in_words(proof)
    write(store, "a4", e.PlayerSeated("dan", 4), stream="a")
    assert list(find_proof_faults(make_proof(store, stream="cage"))) == []
    with pytest.raises(NoProof, match="covers nowhere"):
        make_proof(store, stream="nowhere")


def test_a_proof_that_shows_something_else_is_refused(store: Store) -> None:
    made, other = night(store), Ed25519PrivateKey.generate()
    proof = make_proof(store, made[0], "a")
    assert proof.head is not None
    forged = {
        "another version": replaced(proof, head=replaced(proof.head, version=3)),
        "another stream": replaced(proof, head=replaced(proof.head, stream="b")),
        "another place": replaced(proof, head=replaced(proof.head, number=4)),
        "another path": replaced(proof, head=replaced(proof.head, path=proof.head.path[1:])),
        "no consistency": replaced(proof, consistency=()),
        "another digest": replaced(proof, consistency=("00" * 32, *proof.consistency[1:])),
        "the older one changed": replaced(proof, older=sign(replaced(made[0], root="11" * 32), KEY)),
        "the newer one changed": replaced(proof, newer=sign(replaced(made[2], root="11" * 32), KEY)),
        "another signer": replaced(proof, newer=sign(made[2], other)),
        "nothing": replaced(proof, older=None, head=None),
        "backwards": replaced(proof, older=made[2], newer=made[0]),
        "two stores": replaced(proof, older=sign(replaced(made[0], identity="0" * 32), KEY)),
    }
    for what, one in forged.items():
        assert list(find_proof_faults(one, public_key(KEY))), what
    assert list(find_proof_faults(proof, public_key(KEY), made[1])), "it is not the one that was kept"
    assert list(find_proof_faults(proof, public_key(other)))


def test_a_proof_of_an_older_leaf_says_no_more_than_it_shows(store: Store) -> None:
    """The first leaf of `a` is in the tree of checkpoint 3, by when `a` had gone on."""
    night(store)
    leaves = store.leaves()[:6]
    [first, _] = [(number, leaf) for number, leaf in enumerate(leaves, start=1) if leaf.stream == "a"]
    number, leaf = first
    path = MerkleTree([leaf_of(one) for one in leaves]).path(number - 1)
    digests = tuple(one.hex() for one in path)
    old = ShownHead("a", 1, leaf.events_head.hex(), 1, leaf.commands_head.hex(), number, digests)
    proof = replaced(make_proof(store, stream="a"), head=old)
    assert list(find_proof_faults(proof, public_key(KEY))) == []
    assert proof_in_words(proof).startswith(
        "a had reached version 1 with 1 commands by the time checkpoint 3 was signed ("
    )


def replaced(struct: T, **changed: object) -> T:
    return msgspec.structs.replace(struct, **changed)


def test_a_store_written_anew_cannot_prove_that_it_goes_on(tmp_path: Path) -> None:
    """Somebody with the key plays the night again otherwise; who kept a checkpoint is not deceived."""
    first, again = MemoryStore(), MemoryStore()
    again.identity = first.identity
    kept = night(first)[0]
    fund(again, "eve", 5000, "other")
    night(again)
    with pytest.raises(NoProof, match="checkpoint 1 has another root"):
        make_proof(again, kept)
    assert kept.tree is not None
    path = consistency_path([leaf_of(leaf) for leaf in again.leaves()], kept.tree[0])
    forged = replaced(make_proof(again, stream="a"), older=kept, consistency=tuple(one.hex() for one in path))
    assert list(find_proof_faults(forged, public_key(KEY), kept))
    assert load_checkpoint(dump_checkpoint(kept)) == kept
