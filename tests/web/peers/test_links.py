"""The links to other servers: one that could not be had is not tried again at once, each for itself."""

import asyncio
from types import SimpleNamespace
from typing import Any, cast

from casinowar.web.peers.link import AGAIN_S
from casinowar.web.peers.links import Links


class Seals:
    """A key that takes every line for its own, and has no word."""

    def is_sealed(self, line: object) -> bool:
        return True

    def word(self, secret: str) -> str:
        return secret

    def proof(self, secret: str, challenge: str) -> str:
        return secret + challenge


def test_each_server_that_is_not_reached_is_left_alone_for_a_moment() -> None:
    """Where two were gone, only the last one was left alone, and the other was tried again in every turn."""
    there = SimpleNamespace(line=lambda number: SimpleNamespace(address="127.0.0.1:1", secret="word"))

    async def story() -> None:
        links = Links(1, cast(Any, Seals()), lambda: cast(Any, there), lambda *_: None, lambda _: None)
        opened = {number: links.reach(number) for number in (2, 3)}
        assert None not in opened.values()
        links.close()
        assert [links.reach(number) for number in (2, 3)] == [None, None]
        assert len(links._not_before) == 2
        await asyncio.sleep(2 * AGAIN_S)
        again = links.reach(4)
        assert again is not None
        links.close()
        assert list(links._not_before) == [4], "what is over is forgotten"
        await asyncio.gather(*links._tasks)

    asyncio.run(story())
