"""Run a bot against a server: `python examples/tasks/live_bot.py http://127.0.0.1:8080` opens a table of its own."""

import sys

from casinowar.client import SyncClient, commands

if not sys.argv[-1].startswith("http"):
    sys.exit("usage: python examples/tasks/live_bot.py http://127.0.0.1:8080")
with SyncClient(sys.argv[1]) as client:
    player = client.guest().player
    table = client.watch(client.open_private("nz", bots=1))
    table.do(commands.Sit(box=1))
    while not (box := table.view.view.boxes[0]).wagers:
        if table.view.view.can_cut:
            table.do(commands.Cut(player=player, position=100))
        elif "initial" in box.open_wagers:
            table.do(commands.PlaceWager(player=player, box=1, wager="initial", amount=500))
        table.wait()
    print(f"{player} has a wager in box 1; examples/bot.py plays on")
