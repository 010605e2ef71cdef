"""Those who look on at a load, in a process of their own: it is found when it is gone, and it is gone at the end."""

import asyncio
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from casinowar.cli.bench.crowd import NotAdmitted
from casinowar.cli.bench.onlookers import Onlookers, Watching
from tests.support.live_server import LiveServer, running


@pytest.fixture
def house(tmp_path: Path) -> Iterator[LiveServer]:
    with running(tmp_path) as live:
        yield live


def watching(house: LiveServer, table: str = "nz") -> Watching:
    return Watching(url=house.address, table=table, watchers=2, reconnects=0, seed=1, views="parts", settle_s=30)


def pid_of(onlookers: Onlookers) -> int:
    assert onlookers._process is not None
    return onlookers._process.pid


def is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_they_look_on_and_are_gone_when_they_have_told_what_they_saw(house: LiveServer) -> None:
    async def look_on() -> int:
        onlookers = Onlookers(watching(house))
        await onlookers.arrive()
        pid = pid_of(onlookers)
        await onlookers.begin()
        heard, told = await onlookers.heard(), await onlookers.sum_up()
        assert (told.views, told.differing, told.broken) == (2, [], [])
        assert heard.cpu > 0
        await onlookers.close()
        return pid

    assert not is_there(asyncio.run(look_on()))


def test_a_table_that_is_not_there_is_told_and_leaves_no_process(house: LiveServer) -> None:
    async def look_on() -> int:
        onlookers = Onlookers(watching(house, "nowhere"))
        with pytest.raises(NotAdmitted, match="no_such_table"):
            await onlookers.arrive()
        pid = pid_of(onlookers)
        await onlookers.close()
        return pid

    assert not is_there(asyncio.run(look_on()))


def test_a_process_that_is_killed_is_told_at_the_next_order(house: LiveServer) -> None:
    async def look_on() -> None:
        onlookers = Onlookers(watching(house))
        await onlookers.arrive()
        os.kill(pid_of(onlookers), signal.SIGKILL)
        with pytest.raises(NotAdmitted, match="has ended by itself"):
            await onlookers.sum_up()
        await onlookers.close()

    asyncio.run(look_on())
