"""Full rounds a second on one core, events included: this engine beside pokerkit and blackjack21 in the same run.

Contenders take turns, several times over, so that whatever else the machine does hits all of them alike. The games
differ: a hold'em hand is far more work than a round of war, and blackjack21 changes its table in place and keeps no
events. What can be read off is the order of magnitude.
"""

import argparse
import cProfile
import gc
import json
import os
import platform
import pstats
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any, NamedTuple

from casinowar.cards import DECK
from casinowar.engine import Event, Refusal, Table, step
from casinowar.engine import commands as c
from casinowar.engine.decide.dealing import cards_due
from casinowar.engine.decide.draw_order import is_shuffle_due
from casinowar.engine.decide.shoe import cutter
from casinowar.rulebooks import BOOKS, Rulebook, load_rulebook

ROOT = Path(__file__).resolve().parents[1]
SEED = 1
STAKE = 100
YARDSTICKS = ("pokerkit", "blackjack21")


class Run(NamedTuple):
    """One repetition: `facts` depend on the seed alone, so two engines that play alike agree on them."""

    rounds: int
    seconds: float
    facts: dict[str, int]

    @property
    def speed(self) -> float:
        return self.rounds / self.seconds


class Contender(NamedTuple):
    """Who plays what with how many players. It plays one in `share` of the rounds, so that turns are of like length."""

    name: str
    game: str
    players: int
    share: int
    play: Callable[[int, int], Run]


def play_war(rules: Rulebook, players: int, rounds: int) -> Run:
    """Everybody bets the same and always goes to war; every round is played to its last settlement."""
    shuffle = random.Random(SEED).shuffle
    stack = list(DECK) * rules.shoe.decks
    names = [f"p{box}" for box in range(1, players + 1)]
    wagers = [c.PlaceWager(player=who, box=box, wager="initial", amount=STAKE) for box, who in enumerate(names, 1)]
    _, table = _accepted(rules, Table(), c.OpenTable())
    for who in names:
        _, table = _accepted(rules, table, c.BuyIn(player=who, amount=2 * STAKE * rounds))
    events = wars = at = 0
    start = process_time()
    for _ in range(rounds):
        for wager in wagers:
            done, table = _accepted(rules, table, wager)
            events += len(done)
        while not table.round.is_over:
            if is_shuffle_due(table):
                shuffle(stack)
                at = 0
                done, table = _load(rules, table)
                events += len(done)
            while table.phase == "deciding":
                box, player = table.round.asked[0]
                done, table = _accepted(rules, table, c.GoToWar(player=player, box=box))
                events += len(done)
                wars += 1
            count = cards_due(rules, table)
            done, table = _accepted(rules, table, c.Deal(cards=tuple(stack[at : at + count])))
            events += len(done)
            at += count
    seconds = process_time() - start
    _check(rules, table, players, rounds, wars)
    return Run(rounds, seconds, {"events": events, "wars": wars, "house": table.house})


def _accepted(rules: Rulebook, table: Table, command: c.Command) -> tuple[list[Event], Table]:
    done = step(rules, table, command)
    if isinstance(done, Refusal):
        raise RuntimeError(f"{command} was refused: {done.reason}")
    return done


def _load(rules: Rulebook, table: Table) -> tuple[list[Event], Table]:
    """Whoever is entitled cuts halfway down, and the shoe takes the new stack."""
    cards = 52 * rules.shoe.decks
    cut: list[Event] = []
    if rules.shoe.cut_offered:
        cut, table = _accepted(rules, table, c.Cut(player=cutter(rules, table), position=cards // 2))
    marked, table = _accepted(rules, table, c.PlaceMarker(from_back=rules.shoe.marker_from_back))
    loaded, table = _accepted(
        rules, table, c.LoadShoe(cards=cards, cut_card=cards - rules.shoe.marker_from_back, presumed=True)
    )
    return cut + marked + loaded, table


def _check(rules: Rulebook, table: Table, players: int, rounds: int, wars: int) -> None:
    """Every round was numbered and settled, no chip came or went, and as many hands tied as do in a shuffled shoe."""
    if table.round.number != rounds or not table.round.is_over or table.escrow:
        raise RuntimeError(f"{rounds} rounds were to be settled: {table.round.number} were, {table.escrow} lies open")
    if sum(table.players.values()) + table.house != table.bought_in:
        raise RuntimeError("money was not conserved")
    tie = (4 * rules.shoe.decks - 1) / (52 * rules.shoe.decks - 1)
    # The hands of a round share the dealer's card: five deviations as if they all stood or fell together.
    margin = 5 * (tie * (1 - tie) / rounds) ** 0.5
    if abs(wars / (rounds * players) - tie) > margin:
        raise RuntimeError(f"{wars} wars in {rounds} rounds of {players} hands: {tie:.2%} of the hands were expected")


def play_hold_em(players: int, rounds: int) -> Run:
    """Hands of no-limit hold'em with every act of the dealer automated; all call or check to the showdown."""
    import pokerkit

    random.seed(SEED)
    game = pokerkit.NoLimitTexasHoldem(tuple(pokerkit.Automation), True, 0, (1, 2), 2)
    stacks = (STAKE,) * players
    operations = 0
    start = process_time()
    for _ in range(rounds):
        hand = game(stacks, players)
        while hand.status:
            hand.check_or_call()
        operations += len(hand.operations)
        if sum(hand.stacks) != STAKE * players:
            raise RuntimeError("pokerkit: money was not conserved")
    return Run(rounds, process_time() - start, {"events": operations})


def play_blackjack(players: int, rounds: int) -> Run:
    """Rounds of blackjack from six decks; everybody hits below 17."""
    import blackjack21

    random.seed(SEED)
    deck = blackjack21.Deck(blackjack21.DEFAULT_SUITS, count=6)
    names = [(f"p{number}", STAKE) for number in range(1, players + 1)]
    table = blackjack21.Table(names, deck, on_round_reset=blackjack21.shoe_reset_hook(deck))
    playing = blackjack21.GameState.PLAYERS_TURN
    settled = 0
    start = process_time()
    for _ in range(rounds):
        table.start_game()
        while table.state is playing:
            if table.current_hand.total < 17:
                table.hit()
            else:
                table.stand()
        settled += sum(hand.result is not None for player in table for hand in player.hands)
    seconds = process_time() - start
    if settled != rounds * players:
        raise RuntimeError(f"blackjack21: {settled} of {rounds * players} hands were settled")
    return Run(rounds, seconds, {})


def contenders(rules: Rulebook, is_alone: bool) -> list[Contender]:
    def play_ours(players: int, rounds: int) -> Run:
        return play_war(rules, players, rounds)

    ours = [
        Contender("casinowar", f"war, {rules.id}", 1, 1, play_ours),
        Contender("casinowar", f"war, {rules.id}", 7, 4, play_ours),
    ]
    others = [
        Contender("pokerkit", "hold'em hand", 2, 150, play_hold_em),
        Contender("pokerkit", "hold'em hand", 7, 600, play_hold_em),
        Contender("blackjack21", "blackjack", 1, 1, play_blackjack),
        Contender("blackjack21", "blackjack", 7, 4, play_blackjack),
    ]
    return ours if is_alone else ours + [other for other in others if find_spec(other.name)]


def measure(field: list[Contender], rounds: int, repeat: int) -> list[dict[str, Any]]:
    """All contenders in turn, `repeat` times over, and their medians and bests."""
    runs: list[list[Run]] = [[] for _ in field]
    for _ in range(repeat):
        for one, mine in zip(field, runs, strict=True):
            gc.collect()
            mine.append(one.play(one.players, max(1, rounds // one.share)))
    return [
        {
            "name": one.name,
            "game": one.game,
            "players": one.players,
            "rounds": mine[0].rounds,
            "median": round(median(run.speed for run in mine)),
            "best": round(max(run.speed for run in mine)),
            "facts": mine[0].facts,
        }
        for one, mine in zip(field, runs, strict=True)
    ]


def format_table(rows: list[dict[str, Any]]) -> str:
    lines = [f"{'':12} {'':13} players  rounds/s median      best   rounds  events each  wars"]
    for row in rows:
        facts, rounds = row["facts"], row["rounds"]
        events = f"{facts['events'] / rounds:.1f}" if "events" in facts else "none"
        wars = f"{facts['wars'] / rounds / row['players']:.1%}" if "wars" in facts else ""
        lines.append(
            f"{row['name']:12} {row['game']:13} {row['players']:7} {row['median']:16,} {row['best']:9,}"
            f" {rounds:8,} {events:>12} {wars:>5}".rstrip()
        )
    return "\n".join(lines)


@contextmanager
def worktree(commit: str) -> Iterator[Path]:
    """The commit, checked out beside the caches for as long as it is needed."""
    tree = ROOT / ".cache" / "bench" / str(os.getpid())
    git = ["git", "-C", str(ROOT), "worktree"]
    added = subprocess.run([*git, "add", "--quiet", "--detach", "--force", str(tree), commit], check=False)
    if added.returncode:
        sys.exit(f"{commit}: not a commit that can be checked out")
    try:
        yield tree
    finally:
        subprocess.run([*git, "remove", "--force", str(tree)], check=True)


def measure_tree(tree: Path, options: argparse.Namespace) -> list[dict[str, Any]]:
    """Our engine as it stands in a tree, in a process of its own, driven by that tree's own bench where it has one."""
    environment = {**os.environ, "PYTHONPATH": str(tree / "src")}
    asks = "import casinowar; print(casinowar.__file__)"
    where = subprocess.run([sys.executable, "-c", asks], env=environment, check=True, capture_output=True, text=True)
    if not Path(where.stdout.strip()).is_relative_to(tree):
        raise RuntimeError("the engine of the tree under test is hidden by an installed one")
    bench = tree / "bench" / "engine.py"
    command = [sys.executable, str(bench if bench.exists() else __file__), "--alone", "--json", "--repeat", "3"]
    command += ["--rounds", str(options.rounds), "--rulebook", options.rulebook]
    done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    rows: list[dict[str, Any]] = json.loads(done.stdout)["contenders"]
    return rows


def compare(options: argparse.Namespace) -> list[dict[str, Any]]:
    """This tree against a commit, in pairs of runs that take turns in going first; `ratio` above 1 is faster now.

    Each run counts with the best of three, which other work on the machine disturbs least.
    """
    runs: dict[str, list[list[dict[str, Any]]]] = {"then": [], "now": []}
    with worktree(options.against) as then:
        for number in range(options.repeat):
            pair = [("then", then), ("now", ROOT)]
            for label, tree in pair if number % 2 else reversed(pair):
                runs[label].append(measure_tree(tree, options))
    rows = []
    for before, after in zip(zip(*runs["then"], strict=True), zip(*runs["now"], strict=True), strict=True):
        ratios = [new["best"] / old["best"] for old, new in zip(before, after, strict=True)]
        rows.append(
            {
                "players": after[0]["players"],
                "then": round(median(old["best"] for old in before)),
                "now": round(median(new["best"] for new in after)),
                "ratio": round(median(ratios), 3),
                "least": round(min(ratios), 3),
                "most": round(max(ratios), 3),
                "is_same_play": before[0]["facts"] == after[0]["facts"],
            }
        )
    return rows


def format_comparison(commit: str, rows: list[dict[str, Any]]) -> str:
    lines = [f"players  {commit[:12]:>12}  this tree   ratio  (least to most)"]
    for row in rows:
        spread = f"({row['least']:.3f} to {row['most']:.3f})"
        note = "" if row["is_same_play"] else "  events, wars or money differ"
        lines.append(f"{row['players']:7}  {row['then']:12,}  {row['now']:9,}  {row['ratio']:6.3f}  {spread}{note}")
    return "\n".join(lines)


def profile(rules: Rulebook, rounds: int) -> None:
    """Where our time goes, with one player and with seven."""
    for one in contenders(rules, is_alone=True):
        print(f"{one.players} players")
        profiler = cProfile.Profile()
        profiler.runcall(one.play, one.players, rounds // one.share)
        pstats.Stats(profiler).strip_dirs().sort_stats("tottime").print_stats(25)


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure full rounds a second on one core, events included.")
    parser.add_argument("--rulebook", default="nz", choices=BOOKS)
    parser.add_argument("--rounds", type=int, default=6000, metavar="N", help="rounds in a turn with one player")
    parser.add_argument("--repeat", type=int, default=9, metavar="K", help="how often everybody takes a turn")
    parser.add_argument("--json", action="store_true", help="figures for a program to read")
    parser.add_argument("--alone", action="store_true", help="this engine without the others")
    parser.add_argument("--against", metavar="COMMIT", help="this tree against another commit of it")
    parser.add_argument("--profile", action="store_true", help="where this engine spends its time")
    options = parser.parse_args()
    if options.rounds < 100 or options.repeat < 1:
        parser.error("at least 100 rounds and one repetition are needed")
    return options


def main() -> None:
    options = parse_options()
    rules = load_rulebook(options.rulebook)
    if rules.bank.by == "player":
        sys.exit(f"{rules.id}: a book in which players bank is not measured")
    if options.profile:
        profile(rules, options.rounds)
        return
    rows = (
        compare(options)
        if options.against
        else measure(contenders(rules, options.alone), options.rounds, options.repeat)
    )
    python = f"{platform.python_implementation()} {platform.python_version()}"
    if options.json:
        print(json.dumps({"python": python, "rulebook": rules.id, "repeat": options.repeat, "contenders": rows}))
        return
    print(f"{python}, one core, {options.repeat} repetitions in turn")
    print(format_comparison(options.against, rows) if options.against else format_table(rows))
    missing = [name for name in YARDSTICKS if not find_spec(name)]
    if missing and not (options.alone or options.against):
        print(f"{' and '.join(missing)} not installed: `make bench` installs what is compared with")


if __name__ == "__main__":
    main()
