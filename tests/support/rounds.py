"""A few words for writing rounds in tests: `play("nz", "2c 9h 9d", bet("ana", 1, "initial", 1000), deal())`."""

from typing import Any

from casinowar.dealers.session import Session
from casinowar.engine import commands as c
from casinowar.records import Replay, parse_record, replay, result
from casinowar.rulebooks import load_rulebook

Act = dict[str, Any]
LIMITS = {"minimum": 500, "maximum": 50000, "unit": 500}
PLAYERS = {"ana": 100_000, "ben": 100_000, "cat": 100_000, "dan": 100_000}


def bet(player: str, box: int, wager: str, amount: int, **more: Any) -> Act:
    return {"do": "place_wager", "player": player, "box": box, "wager": wager, "amount": amount, **more}


def deal(cards: int | None = None) -> Act:
    return {"do": "deal"} if cards is None else {"do": "deal", "cards": cards}


def war(player: str, box: int) -> Act:
    return {"do": "go_to_war", "player": player, "box": box}


def surrender(player: str, box: int) -> Act:
    return {"do": "surrender", "player": player, "box": box}


def act(do: str, **fields: Any) -> Act:
    return {"do": do, **fields}


class Played:
    """What came of a record, with short ways to ask about it."""

    def __init__(self, replayed: Replay) -> None:
        self.replayed = replayed
        self.data = result(replayed)
        self.balances: dict[str, int] = self.data["balances"]
        self.refusals: list[tuple[int, str]] = [(one["act"], one["reason"]) for one in self.data["refusals"]]
        self.refusal_clauses: list[list[str]] = [one["clauses"] for one in self.data["refusals"]]

    def gain(self, player: str) -> int:
        """How much richer the player is than with the usual 100,000."""
        return self.balances[player] - PLAYERS[player]

    def dealt(self, number: int = 1) -> str:
        """`burn 2c, box 1 9h, dealer 9d` of the numbered finished round."""
        return ", ".join(f"{card['to']} {card['card']}" for card in self.data["rounds"][number - 1]["dealt"])

    def settlements(self, number: int = 1) -> list[tuple[str, int, str, str, int]]:
        """(player, box, wager, outcome, net) in the dealer's order."""
        lines = self.data["rounds"][number - 1]["settlements"]
        return [(line["player"], line["box"], line["wager"], line["outcome"], line["net"]) for line in lines]

    def line(self, player: str, wager: str, number: int = 1) -> dict[str, Any]:
        """The settlement line of one wager."""
        lines = self.data["rounds"][number - 1]["settlements"]
        found: dict[str, Any] = next(one for one in lines if (one["player"], one["wager"]) == (player, wager))
        return found

    def events(self, name: str) -> list[dict[str, Any]]:
        return [event for event in self.data["events"] if event["name"] == name]


def play(
    book: str,
    shoe: str,
    *acts: Act,
    options: dict[str, Any] | None = None,
    limits: dict[str, Any] | None = None,
    players: dict[str, int] | None = None,
    later: tuple[str, ...] = (),
    before: dict[str, Any] | None = None,
    meter: int | None = None,
) -> Played:
    record: dict[str, Any] = {
        "format": "casinowar-record/1",
        "rulebook": book,
        "shoe": shoe,
        "later_shoes": list(later),
        "options": options or {},
        "limits": LIMITS if limits is None else limits,
        "players": PLAYERS if players is None else players,
        "acts": list(acts),
    }
    if before is not None:
        record["before"] = before
    if meter is not None:
        record["meter"] = meter
    return Played(replay(parse_record(record)))


def marked(book: str, options: dict[str, object] | None = None) -> int:
    """How many cards the dealer of a fresh table puts behind the cutting card."""
    session = Session(load_rulebook(book, options), tuple, c.Limit())
    session.buy_in("ana", 1000)
    session.do(c.PlaceWager(player="ana", box=1, wager="initial", amount=100))
    session.cut_in_the_middle()
    session.deal()
    stack = session.stacks[0]
    assert stack.cut_card is not None
    return len(stack.cards) - stack.cut_card
