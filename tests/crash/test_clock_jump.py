"""The wall's clock jumps an hour either way under a running server: the game comes out as if it had not."""

import itertools
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from casinowar.house.settings import HouseSettings
from casinowar.store import SqliteStore
from tests.crash.scripted_game import HOUSE, TIMERS, Ledger, house, ledger, play
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


SHORT = HouseSettings(
    tables=(msgspec.structs.replace(HOUSE.tables[0], timers=msgspec.structs.replace(TIMERS, betting=1.5)),)
)


def betting_seconds(folder: Path, jump: int, **options: Any) -> float:
    """How long after the first wager the bets are closed, if the clock jumps behind it."""
    wall = Wall()
    with house(folder, SHORT, now=wall.now, **{k: v(wall) if callable(v) else v for k, v in options.items()}) as live:
        guest = Caller(live).guest()
        assert guest.command("nz", {"do": "sit", "box": 1}).status == 200
        table = live.server.house.tables["nz"]
        end = time.monotonic() + 60
        while (
            guest.command(
                "nz", {"do": "place_wager", "player": guest.name, "box": 1, "wager": "initial", "amount": 500}
            ).status
            != 200
        ):
            assert time.monotonic() < end
        live.call(live.server.house.advance)  # The deadline is set before the hour jumps.
        begun = time.monotonic()
        wall.off += jump
        live.call(live.server.on_act)  # The house looks at what is due now, and not when it next would.
        while live.call(lambda: table.table.phase == "betting" and not table.rounds_done):
            if time.monotonic() - begun > 6:
                return 6.0
            time.sleep(0.01)
        return time.monotonic() - begun


@pytest.mark.parametrize("jump", [HOUR, -HOUR])
def test_a_deadline_does_not_hang_on_the_walls_clock(tmp_path: Path, jump: int) -> None:
    assert 1.0 < betting_seconds(tmp_path, jump) < 6.0


@pytest.mark.parametrize("jump", [HOUR, -HOUR])
def test_a_house_whose_deadlines_hang_on_it_is_found(tmp_path: Path, jump: int) -> None:
    """The twin that must fail."""
    assert not 1.0 < betting_seconds(tmp_path, jump, tick=lambda wall: wall.now) < 6.0
