"""A bot at a live table of any book: it bets the least, goes to war, and where players bank it may take the bank.

python examples/bot.py http://127.0.0.1:8080 nz 10          # ten rounds at the table called nz
python examples/bot.py http://127.0.0.1:8080 ca 10 bank     # at a table where players bank, also as the bank
"""

import argparse

from casinowar.client import Refused, SyncClient, SyncLive, commands
from casinowar.engine.commands import Command
from casinowar.protocol import RoundLine


def answer(table: SyncLive, banks: bool) -> Command | None:
    """What the bot does now, if anything."""
    live, view, me = table.view, table.view.view, table.player
    box = table.box
    if box is None:
        return None
    if view.can_cut:
        return commands.Cut(player=me, position=view.cut_bounds[0])
    for choice in view.choices:
        if choice.player == me and choice.can_now:
            can_pay = (live.purse or 0) + (view.balance or 0) >= choice.war
            kind = commands.GoToWar if can_pay else commands.Surrender
            return kind(player=me, box=choice.box)
    if view.can_bank and (view.bank_offered_to in (None, me)) and view.bank is None:
        if banks:
            return commands.AcceptBank(player=me, box=box, stake=live.bank_least or 1)
        return commands.DeclineBank(player=me) if view.bank_offered_to == me else None
    here = next(one for one in view.boxes if one.box == box)
    if "initial" in here.open_wagers and not any(who == me for who, _, _ in here.wagers):
        return commands.PlaceWager(player=me, box=box, wager="initial", amount=max(1, view.signs.limit.minimum))
    return None


def is_played(line: RoundLine, player: str) -> bool:
    """Whether this player has bet in a round, or banked it; others play there too."""
    has_banked = line.bank is not None and line.bank[0] == player
    return has_banked or any(who == player for _, _, who, *_ in line.wagers)


def play(url: str, name: str, rounds: int, banks: bool = False) -> int:
    """Play so many rounds of one's own at a table, leave it, and give what was won."""
    with SyncClient(url) as client:
        client.guest()
        before, table = client.me().purse, client.watch(name)
        free = {one.box for one in table.view.view.boxes} - {seat.box for seat in table.view.seats}
        if not free:
            raise SystemExit(f"every box of {name} is taken")
        table.do(commands.Sit(box=min(free)))
        played: set[int] = set()
        while len(played) < rounds:
            act = answer(table, banks)
            try:
                if act is None:
                    table.wait()
                else:
                    table.do(act)
                    if isinstance(act, commands.PlaceWager):
                        table.do(commands.Ready())
            except Refused as refused:  # The game has gone on meanwhile: look again.
                if refused.code != "stale":
                    print(refused.says)
                    table.wait()
            played |= {one.number for one in table.view.rounds if is_played(one, table.player)}
        table.do(commands.Leave())
        while table.box is not None:
            table.wait()
        return client.me().purse - before


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, kind in (("url", str), ("table", str), ("rounds", int)):
        parser.add_argument(name, type=kind)
    parser.add_argument("role", nargs="?", choices=["bank"])
    chosen = parser.parse_args()
    print(play(chosen.url, chosen.table, chosen.rounds, chosen.role == "bank"))
