"""The settings of a live table and its house: book, limits, dealer, timers, purses."""

from typing import Annotated, Any, Literal

import msgspec

from casinowar.engine.commands import Limit
from casinowar.protocol import Strategy, TableName
from casinowar.rulebooks import Rulebook, load_rulebook

Seconds = Annotated[float, msgspec.Meta(ge=0, le=86_400)]
Days = Annotated[int, msgspec.Meta(ge=1, le=3_650)]
Dealer = Literal["automatic", "human", "real"]
USUAL_LIMIT = Limit(minimum=500, maximum=50_000, unit=500)
Timeout = Literal["surrender", "war", "wait"]


TimerName = Literal[
    "betting",
    "decision",
    "war_betting",
    "cut",
    "entropy",
    "bank",
    "pause",
    "card",
    "idle",
    "offer",
    "signature",
    "ruling",
]


class Timers(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Seconds that the dealer waits: for wagers from the first one on, a decision, a cut, entropy, the bank.

    `pause` is between rounds, `card` is added for each card so that it can be seen, and whoever is `absent` so long
    gives up the seat. Where somebody waits, a seat without a wager is given up after `idle`, and kept for `offer`.
    What waits for a second `signature` lapses after so long, which is 1 s at least. Where a shoe ran dry, the automatic
    dealer waits so long for a `ruling`; then the house gives it.
    """

    betting: Seconds = 15
    decision: Seconds = 20
    war_betting: Seconds = 8
    cut: Seconds = 10
    entropy: Seconds = 3
    bank: Seconds = 15
    pause: Seconds = 3
    card: Seconds = 0.4
    absent: Seconds = 180
    idle: Seconds = 90
    offer: Seconds = 15
    signature: Seconds = 600
    ruling: Seconds = 120


class BotSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    strategy: Strategy = "war"
    box: int | None = None


class TableSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One table. `timeout` is what is done for a player who does not decide in time: AMB-30 says surrender.

    `bank_minimum` is the least stake of a bank where players bank; without it the minimum of a wager is. A
    seat that was not used for `idle_rounds` is given up when somebody waits; with 0 rounds do not count. `owner` is the
    player who opened a private table, and alone decides on its bots.
    """

    name: TableName
    rulebook: str
    title: str = ""
    options: dict[str, Any] = {}
    limit: Limit = USUAL_LIMIT
    limits: dict[str, Limit] = {}
    meter: int | None = None
    dealer: Dealer = "automatic"
    timers: Timers = Timers()
    timeout: Timeout = "surrender"
    bots: tuple[BotSettings, ...] = ()
    bank_minimum: int | None = None
    idle_rounds: Annotated[int, msgspec.Meta(ge=0, le=1_000)] = 3
    owner: str | None = None

    @property
    def called(self) -> str:
        """The title that people call the table by; its name tells it from others of the same book."""
        return self.title or self.name

    def load_rules(self, edition: int | None = None) -> Rulebook:
        """The rules in this edition, or in the one that the settings name, or in the current one."""
        return load_rulebook(self.rulebook, self.options, edition)


class Retention(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Days for which the server keeps what it knows of people beside the chained log, which is never shortened.

    `visits` is for how long it is known when somebody was last there; `logs` are the server's log files. A login goes
    with its end, and an address with the last seat.
    """

    visits: Days = 90
    logs: Days = 30


class HouseSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Play money: its name and digits behind the point, what a guest begins with, and when a purse is filled again.

    A player whose purse and chips together are below `refill_below` may ask for `refill`.
    """

    currency: str = "play money"
    minor_digits: Annotated[int, msgspec.Meta(ge=0, le=4)] = 2
    guest_purse: Annotated[int, msgspec.Meta(ge=0, lt=10**12)] = 100_000
    refill: Annotated[int, msgspec.Meta(ge=0, lt=10**12)] = 100_000
    refill_below: Annotated[int, msgspec.Meta(ge=0, lt=10**12)] = 10_000
    private_tables: Annotated[int, msgspec.Meta(ge=0, le=1_000)] = 50
    private_tables_each: Annotated[int, msgspec.Meta(ge=0, le=1_000)] = 3
    retention: Retention = Retention()
    tables: tuple[TableSettings, ...] = ()
