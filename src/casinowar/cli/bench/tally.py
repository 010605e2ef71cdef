"""The tally of a load: what was sent and what came of it, counted while it goes on."""

import time
from collections import Counter

import msgspec

from casinowar.cli.bench.player import Player
from casinowar.cli.bench.samples import Samples
from casinowar.client import Ended, Refused
from casinowar.engine.commands.values import tag_of

TOO_FAST = "too_fast"
FAULTS = frozenset({"out_of_service", "not_written", "internal", "table_stopped", "unknown_version", "draining"})
"""Refusals that no load should meet: the house could not write, has stopped, or knows less than it has told."""


class Tally:
    """What came of the commands of one stretch of a load. What is throttled is counted apart from what is refused."""

    def __init__(self) -> None:
        self.sent = 0
        self.done = 0
        self.throttled = 0
        self.kinds: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.errors: Counter[str] = Counter()
        self.answers = Samples()
        self.news = Samples()
        self.waiting: dict[int, float] = {}

    @property
    def answered(self) -> int:
        return len(self.answers)

    def late(self, seconds: float) -> int:
        """The number of commands that were answered so late, or have waited so long."""
        now = time.perf_counter()
        return self.answers.count_from(seconds) + sum(now - due >= seconds for due in self.waiting.values())

    async def send(self, player: Player, command: msgspec.Struct, due: float) -> bool:
        """Send a command, and say whether it was done. Its wait begins when it was due, not when it was sent."""
        self.sent += 1
        self.kinds[tag_of(type(command).__name__)] += 1
        number = self.sent
        self.waiting[number] = due
        is_done = False
        try:
            await player.do(command)
            self.done += 1
            is_done = True
        except Refused as why:
            self._refuse(why.code)
        except Ended as ended:
            self.errors[str(ended)] += 1
            return False
        finally:
            del self.waiting[number]
        self.answers.add(time.perf_counter() - due)
        return is_done

    def _refuse(self, code: str) -> None:
        if code == TOO_FAST:
            self.throttled += 1
        elif code in FAULTS:
            self.errors[f"refused: {code}"] += 1
        else:
            self.refused[code] += 1
