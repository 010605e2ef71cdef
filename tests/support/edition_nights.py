"""A seeded night of a book, kept as a record with what it came to.

`python -m tests.support.edition_nights ca@1` writes one.

A file is written once, by the software of its edition, and never again. It says what the edition played like.
"""

import json
import random
import sys
from pathlib import Path
from typing import Any

from casinowar import practice_shuffles
from casinowar.dealers import record_of
from casinowar.dealers.session import Session
from casinowar.engine import Refusal
from casinowar.engine import commands as c
from casinowar.records import parse_record, replay, result
from casinowar.rulebooks import Rulebook, load_rulebook

FOLDER = Path(__file__).parents[1] / "editions"
PLAYERS = ("ana", "ben", "cat", "dan")
ROUNDS = 60
OPTIONS: dict[str, dict[str, object]] = {"ma": {"wager.progressive": True}, "wa": {"wager.perfect_pairs": True}}


def outcome_of(record: dict[str, Any]) -> dict[str, Any]:
    """What must never change: every card, what became of every wager, and everybody's chips."""
    told = result(replay(parse_record(record)))
    rounds = [
        {
            "dealt": " ".join(f"{card['to'].removeprefix('box ')}:{card['card']}" for card in one["dealt"]),
            "settlements": [
                [line["player"], line["box"], line["wager"], line["outcome"], line["net"]]
                for line in one["settlements"]
            ],
        }
        for one in told["rounds"]
    ]
    return {"balances": told["balances"], "meter": told["meter"], "refusals": told["refusals"], "rounds": rounds}


class _Night:
    def __init__(self, rules: Rulebook, seed: str) -> None:
        self.chance = random.Random(seed)
        self.session = Session(rules, practice_shuffles(seed))
        for box, player in enumerate(PLAYERS, start=1):
            self.session.buy_in(player, 1_000_000)
            self._may(c.SeatPlayer(player=player, box=box))

    def play(self, rounds: int) -> dict[str, Any]:
        for _ in range(rounds):
            self._bet()
            self._deal()
        return record_of(self.session)

    def _may(self, command: c.Command) -> bool:
        return not isinstance(self.session.do(command), Refusal)

    def _bet(self) -> None:
        rules, seats = self.session.rules, self.session.table.seats
        boxes = {player: box for box, player in seats.items()}
        if rules.bank.by == "player":
            banker = self.session.bank_offers[0]
            stake = self.chance.choice((3_000, 7_000, 200_000))
            assert self._may(c.AcceptBank(player=banker, box=boxes[banker], stake=stake))
        kinds: tuple[c.WagerName, ...] = ("initial", "tie", "a_bomb", "perfect_pairs", "progressive")
        for player in PLAYERS:
            for wager in kinds:
                amount = 500 if wager == "progressive" else 100 * self.chance.randint(1, 40)
                if wager == "initial" or self.chance.random() < 0.6:
                    self._may(c.PlaceWager(player=player, box=boxes[player], wager=wager, amount=amount))

    def _deal(self) -> None:
        while True:
            dealt = self.session.deal()
            assert not isinstance(dealt, Refusal), dealt
            if self.session.is_cut_due:
                self.session.cut_in_the_middle()
            while self.session.table.phase == "deciding" and self.session.table.round.asked:
                self._decide()
            if self.session.table.round.is_over:
                return

    def _decide(self) -> None:
        box, player = self.session.table.round.asked[0]
        goes = self.chance.random() < 0.7 and self._may(c.GoToWar(player=player, box=box))
        assert goes or self._may(c.Surrender(player=player, box=box))


def main() -> None:
    for name in sys.argv[1:]:
        book = name.partition("@")[0]
        record = _Night(load_rulebook(name, OPTIONS.get(book)), f"edition {name}").play(ROUNDS)
        night = {"record": record, "expect": outcome_of(record)}
        FOLDER.mkdir(exist_ok=True)
        (FOLDER / f"{name}.json").write_text(json.dumps(night, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
