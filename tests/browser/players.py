"""Players without a window: they sit, bet and are ready as a browser would, faster."""

from collections.abc import Callable
from typing import Any

from tests.support.live_server import Caller, LiveServer


class Player(Caller):
    """Somebody who sits at a table and looks on."""

    def __init__(self, live: LiveServer, table: str, box: int = 2) -> None:
        super().__init__(live)
        self.guest()
        self.table, self.box = table, box
        self.looking = self.socket()
        seen = self.looking.watch(table)["view"]
        self.act(do="sit", box=box)
        while seen.get("seal", {}).get("stage") not in ("dealing", "nothing_sealed"):
            seen = self.looking.next_of("events", timeout=20)["view"]

    def act(self, **command: Any) -> None:
        answer = self.command(self.table, command)
        assert answer.status == 200, answer.json

    def bet(self, wager: str = "initial", amount: int = 500) -> None:
        self.act(do="place_wager", player=self.name, box=self.box, wager=wager, amount=amount)

    def deal(self) -> None:
        """Ready, and the round dealt: to its end or to a choice."""
        self.act(do="ready")
        self._until(lambda seen: bool(seen.get("rounds")) or seen["view"].get("phase") == "deciding")

    def go_to_war(self) -> None:
        self.act(do="go_to_war", player=self.name, box=self.box)
        self._until(lambda seen: bool(seen.get("rounds")))

    def _until(self, is_so: Callable[[Any], bool]) -> None:
        while not is_so(self.looking.next_of("events", timeout=20)["view"]):
            pass

    def money(self) -> int:
        told = self.ask("GET", "/api/me").json
        return int(told["purse"]) + sum(int(chips) for chips in told["chips"].values())
