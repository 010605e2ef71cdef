"""The plan of a simulated night: tables, people and what goes wrong, all of it out of one seed."""

import random
from typing import Literal

import msgspec

from casinowar.house.settings import HouseSettings, TableSettings, Timers

Trouble = Literal[
    "crash", "crash_while_writing", "database_crash", "loss", "loss_while_writing", "partition", "pause",
    "pause_while_writing", "leave", "cut", "silence", "peers_cut", "peers_silent", "peers_twice", "disk", "clock",
    "database_clock",
]  # fmt: skip
TROUBLES: tuple[Trouble, ...] = (
    "crash", "crash_while_writing", "database_crash", "loss", "loss_while_writing", "partition", "pause",
    "pause_while_writing", "leave", "cut", "silence", "peers_cut", "peers_silent", "peers_twice", "disk", "clock",
    "database_clock",
)  # fmt: skip
BOOKS = ("nz", "wa", "ctg", "ma", "ca")
SEATS, TABLES = 3, 3
LEAST_COMMANDS = 300
TIMERS = Timers(
    betting=3, decision=4, war_betting=1, cut=2, entropy=1, bank=3, pause=0.2, card=0.05, absent=120, idle=60
)


class Fault(msgspec.Struct, frozen=True):
    """Something that goes wrong when so many commands have been answered. `luck` decides the rest of it."""

    after: int
    trouble: Trouble
    luck: int


class Plan(msgspec.Struct, frozen=True):
    """A night. It ends when so many commands have been answered."""

    seed: int
    books: tuple[str, ...]
    commands: int
    faults: tuple[Fault, ...]

    @classmethod
    def of(cls, seed: int, commands: int = LEAST_COMMANDS) -> "Plan":
        """The night of a seed: three tables, five to nine faults."""
        chance = random.Random(f"plan {seed}")
        faults = [
            Fault(chance.randrange(commands * 9 // 10), chance.choice(TROUBLES), chance.randrange(1 << 30))
            for _ in range(chance.randint(5, 9))
        ]
        books = tuple(chance.choice(BOOKS) for _ in range(TABLES))
        return cls(seed, books, commands, tuple(sorted(faults, key=lambda fault: fault.after)))

    def settings(self) -> HouseSettings:
        tables = tuple(
            TableSettings(name=f"t{number}", rulebook=book, timers=TIMERS)
            for number, book in enumerate(self.books, start=1)
        )
        return HouseSettings(tables=tables, guest_purse=200_000)
