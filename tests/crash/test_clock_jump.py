"""The wall's clock jumps an hour either way under a running server: the game comes out as if it had not."""

import itertools
import time
from pathlib import Path
from typing import Any

import pytest

from casinowar.store import SqliteStore
from tests.crash.scripted_game import TIMERS, Ledger, house, ledger, play
from tests.support.live_server import Caller

HOUR = 3_600_000


class Wall:
    """A clock that can be put forward and back."""

    def __init__(self) -> None:
        self.off = 0

    def now(self) -> int:
        return time.time_ns() // 1_000_000 + self.off


def jumping(folder: Path, jumps: dict[int, int], **options: Any) -> Ledger:
    """The ledger of a game in which the clock jumps before these rounds."""
    wall = Wall()

    def at_round(number: int) -> None:
        wall.off += jumps.get(number, 0)

    with house(folder, now=wall.now, **options) as live:
        play(live.address, at_round)
    return ledger(folder)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Ledger:
    return jumping(tmp_path_factory.mktemp("undisturbed"), {})


@pytest.mark.parametrize(
    "jumps", [{2: HOUR}, {2: -HOUR}, {1: -HOUR, 2: 2 * HOUR, 3: -HOUR}], ids=["on", "back", "both"]
)
def test_the_ledger_is_that_of_a_clock_that_did_not_jump(
    tmp_path: Path, undisturbed: Ledger, jumps: dict[int, int]
) -> None:
    assert jumping(tmp_path, jumps) == undisturbed
    store = SqliteStore(tmp_path / "war.db", for_reading=True)
    moments = [one.at for one in store.read("nz")]
    store.close()
    steps = [after - before for before, after in itertools.pairwise(moments)]
    assert max(map(abs, steps)) > HOUR // 2, "the jump is in the log, where moments order nothing"


BETTING_MS = int(1000 * TIMERS.betting)


def closed_after(folder: Path, jump: int, *, is_hung_on_wall: bool = False) -> tuple[bool, bool]:
    """Whether bets are closed when the clock has jumped behind the first wager, and when their time is over then."""
    wall, passed = Wall(), [0]
    tick = wall.now if is_hung_on_wall else lambda: passed[0]
    with house(folder, now=wall.now, tick=tick) as live:
        guest, table = Caller(live).guest(), live.server.house.tables["nz"]
        assert guest.command("nz", {"do": "sit", "box": 1}).status == 200
        wager = {"do": "place_wager", "player": guest.name, "box": 1, "wager": "initial", "amount": 500}
        end = time.monotonic() + 60
        while guest.command("nz", wager).status != 200:
            assert time.monotonic() < end

        def is_closed() -> bool:
            live.server.house.advance()
            return table.table.phase != "betting" or table.rounds_done > 0

        assert not live.call(is_closed), "the deadline is set before the clock jumps"
        wall.off += jump
        jumped = live.call(is_closed)
        passed[0] += BETTING_MS
        wall.off += BETTING_MS
        return jumped, live.call(is_closed)


@pytest.mark.parametrize("jump", [HOUR, -HOUR])
def test_a_deadline_does_not_hang_on_the_walls_clock(tmp_path: Path, jump: int) -> None:
    assert closed_after(tmp_path, jump) == (False, True)


@pytest.mark.parametrize("jump", [HOUR, -HOUR])
def test_a_house_whose_deadlines_hang_on_it_is_found(tmp_path: Path, jump: int) -> None:
    """The twin that must fail."""
    assert closed_after(tmp_path, jump, is_hung_on_wall=True) != (False, True)
