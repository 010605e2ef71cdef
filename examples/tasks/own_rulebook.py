"""Write a house rulebook, check it, and play by it."""

import tempfile
from pathlib import Path

import casinowar

with tempfile.TemporaryDirectory() as folder:
    file = Path(folder, "club.toml")
    file.write_text('extends = "nz"\ntitle = "The club"\n\n[payout.war]\non_tie = "1:1"\n')
    rules = casinowar.rulebooks.check(str(file))
    for key, (club, book) in casinowar.rulebooks.diff(rules, "nz").items():
        print(key, club and club.value, book and book.value)
    print(casinowar.Session(rules, seed="club", players={"ana": 10_000}).play_round())
