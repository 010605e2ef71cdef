"""A line that is late, cut, doubled or half-open at any message: the ledger is that of a game which nothing befell.

`LINE_STEP=1` has each fault at each message, for the figure in docs/reliability.md; `LINE_SEED` is another chance.
"""

import os
from pathlib import Path

import pytest

from tests.crash.faulty_line import FAULTS, Fault, FaultKind, faulty_line
from tests.crash.scripted_game import Ledger, house, ledger, play

STEP = int(os.environ.get("LINE_STEP", "0"))
"""Every so many messages; without it each fault comes at two of them."""

SEED = int(os.environ.get("LINE_SEED", "1"))


def played(folder: Path, fault: Fault) -> tuple[Ledger, int, bool]:
    """The ledger of a game over this line, how many messages there were, and whether the fault came."""
    with house(folder) as live, faulty_line(live.port, fault, SEED) as line:
        play(f"http://127.0.0.1:{line.port}")
    return ledger(folder), line.count, line.struck


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Ledger, int]:
    postings, count, _ = played(tmp_path_factory.mktemp("undisturbed"), Fault("none"))
    assert len(postings) > 20
    return postings, count


def places(count: int, kind: FaultKind) -> list[int]:
    """Where a fault comes: everywhere, or at two places that differ from fault to fault."""
    if STEP:
        return list(range(1, count + 1, STEP))
    number = FAULTS.index(kind)
    return [count * (number + 1) // 12, count * (number + 6) // 12]


@pytest.mark.parametrize("kind", FAULTS)
def test_no_fault_of_the_line_changes_the_ledger(
    tmp_path: Path, undisturbed: tuple[Ledger, int], kind: FaultKind
) -> None:
    postings, count = undisturbed
    struck = 0
    for at in places(count, kind):
        told, _, has_struck = played(tmp_path / str(at), Fault(kind, at))
        assert told == postings, f"{kind} at message {at} of {count}"
        struck += has_struck
    assert struck
    print(f"\n{kind}: {struck} faults over {count} messages, the ledger is the same")


def test_a_line_that_forges_a_command_is_found(tmp_path: Path, undisturbed: tuple[Ledger, int]) -> None:
    """The twin that must fail: a command that comes twice and counts twice."""
    told, _, has_struck = played(tmp_path, Fault("forge", 1))
    assert has_struck
    assert told != undisturbed[0]
