"""The file of a result: written as JSON, and read back with all that must hold of counts that somebody has played.

A file may come from anybody. What is read is bounded, and what no play can have counted is refused; that somebody has
really played it, no file can prove.
"""

import re
from collections.abc import Iterator
from os import PathLike
from pathlib import Path

import msgspec

from casinowar.rulebooks.toml_files import read_regular
from casinowar.sim import parameters as at
from casinowar.sim import tallies as tally
from casinowar.sim.planner import load_plan
from casinowar.sim.result.chunk_runs import MergeRefused, Run, add_runs
from casinowar.sim.table_plan import MOST_CHUNKS, MOST_SEED, Plan

FORMAT = "casinowar-simulation/1"
LARGEST = 1 << 26
"""Bytes of a file: more than a million tallies take."""

NUMBER = re.compile(r"-?[0-9]{1,60}")
BROKEN = (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError)
"""What reading data of any shape may raise."""


class _Stored(msgspec.Struct):
    format: str
    book_hash: str
    plan_hash: str
    chunks: list[tuple[str, int, int, int]]
    tallies: list[str]
    plan: msgspec.Raw


def format_result(plan: Plan, chunks: list[Run], tallies: list[int]) -> bytes:
    """The result as JSON: the plan with its rulebook, its hashes, the chunks with their seeds, and the tallies."""
    told = {
        "format": FORMAT,
        "book_hash": plan.book_hash,
        "plan_hash": plan.hash,
        "chunks": [(str(seed), *run) for seed, *run in chunks],
        "tallies": [str(count) for count in tallies],
        "plan": msgspec.Raw(plan.to_json()),
    }
    return msgspec.json.encode(told)


def read_result_file(path: str | PathLike[str]) -> bytes:
    """What a regular file has; `MergeRefused` where it is larger than a result can be."""
    content = read_regular(Path(path), LARGEST)
    if len(content) > LARGEST:
        raise MergeRefused(f"this is no result of a simulation: larger than {LARGEST >> 20} MiB")
    return content


def parse_result(data: bytes) -> tuple[Plan, list[Run], list[int]]:
    """Plan, chunks and tallies of what `format_result` wrote, the tallies being checked as far as they can be."""
    try:
        told = msgspec.json.decode(data, type=_Stored)
        if told.format != FORMAT:
            raise MergeRefused(f"the result is of format {told.format[:40]!r}, and this is {FORMAT}")
        plan = load_plan(bytes(told.plan))
        counts = [_number(count) for count in told.tallies]
        runs = [(_number(seed), *run) for seed, *run in told.chunks]
    except MergeRefused:
        raise
    except BROKEN as error:
        raise MergeRefused(f"this is no result of a simulation: {_line(error)}") from None
    if not (plan.rules.id + plan.rules.title).isprintable():
        raise MergeRefused("this is no result of a simulation: its rulebook has a name that cannot be printed")
    if (plan.book_hash, plan.hash) != (told.book_hash, told.plan_hash):
        raise MergeRefused("the result was changed, or another version of the kernel made it: its hash differs")
    if len(counts) != tally.sections(plan.numbers)["end"][0]:
        raise MergeRefused("the result was changed: it has too many or too few tallies")
    chunks = [(seed, first, count, rounds) for seed, first, count, rounds in runs]
    for fault in (*_wrong_chunks(plan, chunks), *_wrong_counts(plan, chunks, counts)):
        raise MergeRefused(f"the result was changed: {fault}")
    return plan, add_runs([], chunks), counts


def _number(text: str) -> int:
    if not NUMBER.fullmatch(text):
        raise ValueError(f"{text[:20]!r} is no count")
    return int(text)


def _line(error: BaseException) -> str:
    """An error in one short line, which no character of the file can break."""
    told = " ".join((str(error) or type(error).__name__).split())[:200]
    return told if told.isprintable() else ascii(told)[1:-1]


def _wrong_chunks(plan: Plan, chunks: list[Run]) -> Iterator[str]:
    """What is wrong with the chunks, each by itself."""
    for seed, first, count, rounds in chunks:
        if not 0 <= seed < MOST_SEED or first < 0 or count < 1 or first + count > MOST_CHUNKS:
            yield f"there is no chunk {first} of seed {seed}"
        if not 1 <= rounds <= plan.chunk_rounds or (plan.session and rounds % plan.session):
            yield f"no chunk of this plan has {rounds} rounds"
    if not chunks:
        yield "it has no rounds"


def _wrong_counts(plan: Plan, chunks: list[Run], counts: list[int]) -> Iterator[str]:
    """What is wrong with tallies that do not go together, or that no count can be."""
    flat, sections = plan.numbers, tally.sections(plan.numbers)
    signed = {tally.NIGHT_SUM}
    for name in ("paired", "short"):
        begin, size = sections[name]
        signed |= set(range(begin, begin + size, 2))
    if any(count < 0 and place not in signed for place, count in enumerate(counts)):
        yield "a count is less than nothing"
    played, rounds = sum(count * each for _, _, count, each in chunks), counts[tally.ROUNDS]
    if rounds > played or (rounds < played and not plan.session):
        yield f"its chunks have {played} rounds, and its tallies {rounds}"
    if counts[tally.NIGHTS] * plan.session != (played if plan.session else 0):
        yield f"its chunks have {played} rounds, and its tallies {counts[tally.NIGHTS]} nights"
    begin, size = sections["count"]
    if sum(counts[begin : begin + size]) != rounds * (plan.boxes - (flat[at.BANK] > 0)):
        yield "its boxes do not add up to its rounds"
    begin, size = sections["banked"]
    if (
        size
        and not sum(counts[begin : begin + size]) == counts[tally.BANK_ROUNDS] == rounds - counts[tally.VOID_ROUNDS]
    ):
        yield "what its bank gained does not add up to its rounds"
