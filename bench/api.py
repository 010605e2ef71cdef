"""What the public API costs: `Session` with a record kept beside bare `step`, and how long legal commands take to list.

Both play the same rounds with the same shuffle, in turns, so that other work on the machine hits both alike. Listings
are timed in states that a game comes through; each figure is the best of several.
"""

import argparse
import gc
import json
import platform
import random
from collections.abc import Callable, Iterable
from statistics import median
from time import process_time
from typing import Any

from casinowar.cards import DECK, Card
from casinowar.dealers import Session
from casinowar.engine import Event, Refusal, Table, step
from casinowar.engine import commands as c
from casinowar.engine.decide.dealing import cards_due
from casinowar.engine.decide.draw_order import is_shuffle_due
from casinowar.engine.decide.shoe import cutter
from casinowar.rulebooks import BOOKS, Rulebook, load_rulebook

STAKE, SEED = 100, 1
LEAST_SHARE, MOST_PLAYER, MOST_STAFF = 0.6, 50e-6, 1e-3
"""What is promised: the share of bare `step`, seconds for one player at one box, and with staff at seven."""


def shuffles() -> Callable[[Iterable[Card]], tuple[Card, ...]]:
    chance = random.Random(SEED)

    def shuffle(cards: Iterable[Card]) -> tuple[Card, ...]:
        stack = list(cards)
        chance.shuffle(stack)
        return tuple(stack)

    return shuffle


def taken(answer: Any) -> Any:
    if isinstance(answer, Refusal):
        raise RuntimeError(f"refused: {answer}")
    return answer


def play_bare(rules: Rulebook, rounds: int) -> tuple[float, int]:
    """Seconds for so many rounds of one player by `step` alone, and what the house has then."""
    shuffle, at, stack = shuffles(), 0, tuple(DECK) * rules.shoe.decks
    _, table = taken(step(rules, Table(), c.OpenTable()))
    _, table = taken(step(rules, table, c.BuyIn(player="ana", amount=2 * STAKE * rounds)))
    wager = c.PlaceWager(player="ana", box=1, wager="initial", amount=STAKE)
    start = process_time()
    for _ in range(rounds):
        events: list[Event] = []
        done, table = taken(step(rules, table, wager))
        events += done
        while not table.round.is_over:
            if is_shuffle_due(table):
                stack, at = shuffle(DECK * rules.shoe.decks), 0
                table = load(rules, table)
            while table.phase == "deciding":
                done, table = taken(step(rules, table, c.GoToWar(player="ana", box=1)))
                events += done
            count = cards_due(rules, table)
            done, table = taken(step(rules, table, c.Deal(cards=stack[at : at + count])))
            events += done
            at += count
    return process_time() - start, table.house


def load(rules: Rulebook, table: Table) -> Table:
    cards, back = 52 * rules.shoe.decks, rules.shoe.marker_from_back
    way: list[c.Command] = [c.Cut(player=cutter(rules, table), position=cards // 2)] if rules.shoe.cut_offered else []
    way += [c.PlaceMarker(from_back=back), c.LoadShoe(cards=cards, cut_card=cards - back, presumed=True)]
    for command in way:
        _, table = taken(step(rules, table, command))
    return table


def play_session(rules: Rulebook, rounds: int) -> tuple[float, int]:
    """The same rounds at a session, and its record at the end."""
    session = Session(rules, shuffles())
    taken(session.buy_in("ana", 2 * STAKE * rounds))
    wager, war = c.PlaceWager(player="ana", box=1, wager="initial", amount=STAKE), c.GoToWar(player="ana", box=1)
    start = process_time()
    for _ in range(rounds):
        taken(session.do(wager))
        while not session.table.round.is_over:
            if session.table.phase == "deciding":
                taken(session.do(war))
            taken(session.deal())
            if session.is_deal_unfinished:
                session.cut_in_the_middle()
    record = session.record()
    seconds = process_time() - start
    if len(record["acts"]) < 2 * rounds:
        raise RuntimeError("the record lacks acts")
    return seconds, session.table.house


def states(rules: Rulebook, players: int) -> dict[str, tuple[Session, str]]:
    """A session before the wagers, with wagers down, and at a choice, each with the player who is timed."""
    session = Session(rules, seed="bench", players={f"p{box}": 10**9 for box in range(1, players + 1)})
    found: dict[str, tuple[Session, str]] = {}
    while "deciding" not in found:
        bank = ""
        if rules.bank.by == "player":
            for box in range(1, players + 1):
                if f"p{box}" not in session.table.seats.values():
                    session.must(c.SeatPlayer(player=f"p{box}", box=box))
            bank = session.bank_offers[0]
            session.must(session.view(bank).take_bank(10**6))
        bettors = [player for player in session.table.players if player != bank]
        found["betting"] = (session.clone(), bettors[0])
        for player in bettors:
            session.must(c.PlaceWager(player=player, box=int(player[1:]), wager="initial", amount=STAKE))
        found["bet"] = (session.clone(), bettors[0])
        while session.table.has_wagers:
            if session.table.phase == "deciding":
                box, asked = session.table.round.asked[0]
                found["deciding"] = (session.clone(), asked)
                session.must(c.GoToWar(player=asked, box=box))
            if session.is_cut_due:
                session.cut_in_the_middle()
            if session.table.phase != "deciding":
                session.deal()
    return found


def seconds_each(listed: Callable[[], object], times: int, tries: int) -> float:
    best = float("inf")
    for _ in range(tries):
        start = process_time()
        for _ in range(times):
            listed()
        best = min(best, (process_time() - start) / times)
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the public API on one core.")
    parser.add_argument("--rulebook", default="nz", choices=[book for book in BOOKS if book != "ca"])
    parser.add_argument("--rounds", type=int, default=3_000, metavar="N")
    parser.add_argument("--repeat", type=int, default=7, metavar="K")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rules = load_rulebook(options.rulebook)
    bare: list[float] = []
    kept: list[float] = []
    for _ in range(options.repeat):
        for play, mine in ((play_bare, bare), (play_session, kept)):
            gc.collect()
            seconds, _ = play(rules, options.rounds)
            mine.append(options.rounds / seconds)
    share = median(one / other for one, other in zip(kept, bare, strict=True))
    listings: dict[str, dict[str, float]] = {}
    for book in BOOKS:
        one = load_rulebook(book, {"table.boxes": 1}) if book != "ca" else load_rulebook(book)
        for players, told in ((1 if book != "ca" else 2, "player, one box"), (7, "staff, seven boxes")):
            is_staff = players == 7
            at = states(load_rulebook(book) if is_staff else one, players)
            for state, (session, player) in at.items():
                listed = lambda s=session, p=player, staff=is_staff: s.legal_commands(p, staff=staff)  # noqa: E731
                best = seconds_each(listed, 100 if not is_staff else 20, options.repeat)
                listings.setdefault(f"{book}, {state}", {})[told] = best * 1e6
    if options.json:
        figures = {"share": share, "session": median(kept), "step": median(bare), "listings": listings}
        print(json.dumps({"python": platform.python_version(), **figures}))
        return
    print(f"{rules.id}, one player, {options.rounds} rounds in a turn, {options.repeat} turns")
    print(f"bare step     {median(bare):10,.0f} rounds/s")
    print(f"session       {median(kept):10,.0f} rounds/s, its record kept: {share:.0%} (at least {LEAST_SHARE:.0%})")
    print(f"\nlegal commands, microseconds: at most {MOST_PLAYER * 1e6:.0f} and {MOST_STAFF * 1e6:.0f}")
    for name, row in listings.items():
        print(f"{name:14}", "  ".join(f"{told} {value:8.1f}" for told, value in row.items()))


if __name__ == "__main__":
    main()
