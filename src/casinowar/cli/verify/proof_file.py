"""Proofs about the checkpoints of a house, checked without its database."""

import json
from pathlib import Path

import click

from casinowar.cli.terminal.output import put, say
from casinowar.cli.terminal.user_files import read_text

FORMAT = '"casinowar-proof/1"'
HEAD = 64 * 1024


def is_empty(file: str) -> bool:
    """Whether a file has nothing in it, as where a shell has made it for a command that failed."""
    path = Path(file)
    return path.is_file() and not path.stat().st_size


def is_proof(file: str) -> bool:
    """Whether a file says that it is a proof; it may be anything else."""
    path = Path(file)
    if not path.is_file():
        return False
    with path.open("rb") as opened:
        return FORMAT.encode() in opened.read(HEAD)


def check_proof(ctx: click.Context, file: str, key: str | None, kept: str | None, as_json: bool) -> None:
    """Say what the proof shows, in one line; or what is wrong with it, with exit status 1."""
    from casinowar.cli.verify.checkpoints import read_checkpoints, signing_key
    from casinowar.store.tree_proofs import find_proof_faults, load_proof, proof_in_words

    own = None if kept is None else read_checkpoints(kept)[-1]
    public = None if key is None else signing_key(key)
    try:
        proof = load_proof(read_text(file, "a proof"))
        faults = list(find_proof_faults(proof, public, own))
    except (ValueError, RecursionError) as error:
        raise click.ClickException(f"{file}: no proof: {error}") from None
    if as_json:
        shown = None if faults else proof_in_words(proof)
        verdict = {"format": "casinowar-verdict/1", "agrees": not faults, "findings": faults, "shown": shown}
        put(json.dumps(verdict, indent=1))
    else:
        put("\n".join(f"{file}: {one}" for one in faults or [proof_in_words(proof)]))
    if faults:
        say("casinowar verify: the proof does not hold")
        ctx.exit(1)
