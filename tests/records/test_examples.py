"""The example records come out as listed, in the process and through the command line."""

import json
import subprocess
import sys
from collections.abc import Iterator
from copy import deepcopy
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from casinowar.records import RecordError, parse_record, replay, result

BOOKS = ("nz", "wa", "ctg", "ca", "ma")
EXAMPLES: dict[str, dict[str, Any]] = {
    example["name"]: example
    for example in map(
        json.loads, (Path(__file__).parents[1] / "examples" / "records.jsonl").read_text("utf-8").splitlines()
    )
}
NAMES = [name for name, example in EXAMPLES.items() if example["record"]["rulebook"] in BOOKS]
BY_COMMAND_LINE = ["nz: the dealer's passes", "ctg: answers in turn", "wa: pay table of other decks"]


def check(came: dict[str, Any], expect: dict[str, Any]) -> None:
    """Hold a result to everything that the example lists; what it leaves out is free."""
    if "balances" in expect:
        assert came["balances"] == expect["balances"]
    if "refusals" in expect:
        assert [refusal["act"] for refusal in came["refusals"]] == expect["refusals"]
    if "meter" in expect:
        assert came["meter"] == expect["meter"]
    if "dealt" in expect:
        dealt = [[[card["to"], card["card"]] for card in one["dealt"]] for one in came["rounds"]]
        assert dealt == expect["dealt"]
    if "settlements" in expect:
        assert len(came["rounds"]) == len(expect["settlements"])
        for one, lines in zip(came["rounds"], expect["settlements"], strict=True):
            check_settlements(one["settlements"], lines, expect["order"])


def check_settlements(came: list[dict[str, Any]], lines: list[list[Any]], is_ordered: bool) -> None:
    """The same lines, and where order counts, in the order of their places; equal places may swap."""
    settled = [[line[key] for key in ("player", "box", "wager", "outcome", "net")] for line in came]
    assert sorted(settled) == sorted(line[:5] for line in lines)
    if is_ordered:
        rest = iter(settled)
        for _, group in groupby(lines, key=lambda line: line[5]):
            expected = sorted(line[:5] for line in group)
            assert sorted(next(rest) for _ in expected) == expected


@pytest.mark.parametrize("name", NAMES)
def test_example(name: str) -> None:
    record, expect = EXAMPLES[name]["record"], EXAMPLES[name]["expect"]
    if expect["exit"] == 2:
        with pytest.raises(RecordError):
            parse_record(record)
    else:
        assert expect["exit"] == 0
        check(result(replay(parse_record(record))), expect)


@pytest.mark.parametrize("name", BY_COMMAND_LINE)
def test_example_by_command_line(name: str) -> None:
    record, expect = EXAMPLES[name]["record"], EXAMPLES[name]["expect"]
    command = [sys.executable, "-m", "casinowar", "replay", "-", "--json"]
    done = subprocess.run(command, input=json.dumps(record), capture_output=True, text=True, timeout=60)
    assert done.returncode == expect["exit"], done.stderr
    if expect["exit"] == 0:
        check(json.loads(done.stdout), expect)
    else:
        assert done.stdout == ""
        assert len(done.stderr.splitlines()) == 1


def altered(expect: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The expectation with one listed thing changed, for each of them."""
    for player in expect.get("balances", {}):
        other = deepcopy(expect)
        other["balances"][player] += 1
        yield other
    if "refusals" in expect:
        yield {**expect, "refusals": [*expect["refusals"], 99]}
    for number, cards in enumerate(expect.get("dealt", [])):
        yield {**expect, "dealt": [*expect["dealt"][:number], cards[:-1], *expect["dealt"][number + 1 :]]}
    for number, lines in enumerate(expect.get("settlements", [])):
        for index in range(len(lines)):
            other = deepcopy(expect)
            other["settlements"][number][index][4] += 1
            yield other
    if expect.get("order"):
        yield {**expect, "settlements": [list(reversed(lines)) for lines in expect["settlements"]]}


@pytest.mark.parametrize("name", [name for name in NAMES if EXAMPLES[name]["expect"]["exit"] == 0])
def test_the_check_notices_every_difference(name: str) -> None:
    came = result(replay(parse_record(EXAMPLES[name]["record"])))
    others = list(altered(EXAMPLES[name]["expect"]))
    assert others
    for other in others:
        with pytest.raises(AssertionError):
            check(came, other)


def test_every_book_has_its_examples() -> None:
    books = {example["record"]["rulebook"] for example in EXAMPLES.values()}
    assert books == {"nz", "wa", "ctg", "ca", "ma"}
    assert {EXAMPLES[name]["record"]["rulebook"] for name in NAMES} == set(BOOKS)
