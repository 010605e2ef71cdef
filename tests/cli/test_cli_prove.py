"""`casinowar prove` and the check of its proofs by `casinowar verify`, without the database."""

import json
from contextlib import closing
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from casinowar.engine import events as e
from casinowar.store import Proposal, SqliteStore, dump_checkpoint, make_checkpoint, public_key
from tests.support.commandline import run

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A folder with a database of three checkpoints, and the first of them as somebody has kept it."""
    with closing(SqliteStore(tmp_path / "war.db")) as store:
        for number in range(3):
            event = e.PlayerSeated("ana", 1 + number)
            store.commit(
                Proposal(
                    stream="t1", expected=number, actor="player:ana", command=str(number), body=b"", answer="",
                    events=(event,),
                )
            )  # fmt: skip
            made = make_checkpoint(store, KEY)
            (tmp_path / f"kept-{number + 1}.json").write_bytes(dump_checkpoint(made))
    return tmp_path


def written(house: Path, *options: str) -> Path:
    ran = run("prove", str(house / "war.db"), *options)
    assert (ran.status, ran.err) == (0, ""), ran
    file = house / "proof.json"
    file.write_text(ran.out, encoding="utf-8")
    return file


def test_a_proof_is_checked_without_the_database_and_told_in_one_line(house: Path) -> None:
    kept = str(house / "kept-1.json")
    proof = written(house, "--checkpoint", kept, "--table", "t1")
    (house / "war.db").unlink()
    ran = run("verify", str(proof), "--checkpoint", kept, "--key", public_key(KEY))
    assert (ran.status, ran.err) == (0, ""), ran
    assert ran.out == (
        f"{proof}: checkpoint 3 goes on from checkpoint 1, of which nothing was changed; t1 had reached version 3"
        f" with 3 commands by the time checkpoint 3 was signed (signed by {public_key(KEY)})\n"
    )
    assert json.loads(run("verify", str(proof), "--json").out)["agrees"] is True


def test_a_proof_that_does_not_hold_is_told_with_status_1(house: Path) -> None:
    proof = written(house, "--checkpoint", str(house / "kept-1.json"))
    ran = run("verify", str(proof), "--checkpoint", str(house / "kept-2.json"))
    assert (ran.status, ran.out) == (1, f"{proof}: the older checkpoint is not the one that you kept\n")
    told = json.loads(proof.read_text(encoding="utf-8"))
    proof.write_text(json.dumps({**told, "consistency": []}), encoding="utf-8")
    ran = run("verify", str(proof))
    assert (ran.status, ran.out) == (1, f"{proof}: checkpoint 3 does not go on from checkpoint 1\n")
    for digest in ("no", "0" * 63, " ".join(["00"] * 32), told["consistency"][0].upper() + "\n", "AB" * 32):
        proof.write_text(json.dumps({**told, "consistency": [digest]}), encoding="utf-8")
        ran = run("verify", str(proof))
        assert ran.status == 2
        assert "no proof: a digest is 64 lowercase hexadecimal digits" in ran.error


def test_a_proof_signed_with_the_public_key_as_a_seed_is_refused(house: Path) -> None:
    with closing(SqliteStore(house / "war.db")) as store:
        make_checkpoint(store, Ed25519PrivateKey.from_private_bytes(KEY.public_key().public_bytes_raw()))
    proof, public, private = written(house, "--table", "t1"), house / "public.txt", house / "checkpoints.key"
    public.write_text(public_key(KEY), encoding="ascii")
    private.write_text(KEY.private_bytes_raw().hex(), encoding="ascii")
    for key in (public_key(KEY), str(public), str(private)):
        ran = run("verify", str(proof), "--key", key)
        assert (ran.status, ran.out) == (1, f"{proof}: checkpoint 4: its signature does not hold\n")


@pytest.mark.parametrize("option", ["--seal", "--root", "--commitment", "--entropy", "--earlier"])
def test_an_option_that_is_not_for_a_proof_is_refused(house: Path, option: str) -> None:
    ran = run("verify", str(written(house, "--table", "t1")), option, "00" * 32)
    assert (ran.status, ran.out) == (2, "")
    assert "a proof is checked with --key, --checkpoint and --json alone" in ran.err


def test_a_verdict_that_was_kept_stands_for_the_checkpoint_beside_it(house: Path) -> None:
    """What `verify URL --json` prints is what people keep; it has the shoes of a table too."""
    kept, first = house / "kept.json", json.loads((house / "kept-1.json").read_text(encoding="utf-8"))
    verdict = {"format": "casinowar-verdict/1", "shoes": [], "missing": [], "summary": {}, "checkpoint": first}
    kept.write_text(json.dumps(verdict, indent=1), encoding="utf-8")
    proof = written(house, "--checkpoint", str(kept), "--table", "t1")
    told = run("verify", str(proof), "--checkpoint", str(kept))
    assert (told.status, " goes on from checkpoint 1," in told.out) == (0, True), told
    kept.write_text(json.dumps({**verdict, "checkpoint": {**first, "root": "0" * 64}}, indent=1), encoding="utf-8")
    assert "checkpoint 1 has another root" in run("prove", str(house / "war.db"), "--checkpoint", str(kept)).error


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"format": "casinowar-verdict/1", "checkpoint": null}', "there is no checkpoint in it"),
        ('{"format": "casinowar-verdict/1", "checkpoint": {"number": 1}}', "no checkpoint: Object missing required"),
        ('{"format": "casinowar-shoe/1"}', "no checkpoint: Object contains unknown field `format`"),
        ("", "there is no checkpoint in it"),
        ("aB" * 32 + "\n", "this is a key, for --key"),
        ("7", "no checkpoint: Expected `object`, got `int` - at `checkpoint 1`"),
    ],
)
def test_what_has_no_checkpoint_says_where_one_is_to_be_had(house: Path, text: str, said: str) -> None:
    (house / "kept.json").write_text(text, encoding="utf-8")
    ran = run("prove", str(house / "war.db"), "--checkpoint", str(house / "kept.json"))
    assert (ran.status, ran.out) == (2, "")
    assert f"kept.json: {said}" in ran.error
    assert ran.error.endswith(
        "; a checkpoint is what GET /api/checkpoints/latest gives, or what verify URL --json prints"
    )


def test_a_proof_that_was_not_written_is_told_as_such(house: Path) -> None:
    """Where `prove` fails, the shell has already made the file."""
    (house / "proof.json").write_text("", encoding="utf-8")
    for options in ((), ("--checkpoint", str(house / "kept-1.json"))):
        ran = run("verify", str(house / "proof.json"), *options)
        assert ran.status == 2
        assert ran.error == f"casinowar: {house}/proof.json: empty: whatever was to write it has failed"


def test_what_cannot_be_proved_is_told_in_one_line(house: Path) -> None:
    database = str(house / "war.db")
    assert "name --checkpoint or --table" in run("prove", database).err
    assert "no checkpoint covers nowhere" in run("prove", database, "--table", "nowhere").err
    assert run("prove", str(house / "none.db"), "--table", "t1").status == 2
    told = json.loads((house / "kept-2.json").read_text(encoding="utf-8"))
    for changed, said in (
        ({"identity": "0" * 32}, "checkpoint 2 is of another store"),
        ({"root": "0" * 64}, "checkpoint 2 has another root than the first 2 leaves of the store"),
        ({"leaves": 9}, "checkpoint 2 has 9 leaves, and the store has 3"),
        ({"leaves": -1}, "checkpoint 2 has -1 leaves, and the store has 3"),
    ):
        (house / "other.json").write_text(json.dumps({**told, **changed}), encoding="utf-8")
        ran = run("prove", database, "--checkpoint", str(house / "other.json"))
        assert (ran.status, ran.error) == (2, f"casinowar: {said}")
    assert run("verify", "--key", "0" * 64, str(house / "kept-1.json")).status == 2
