"""List everything that a player may do now, with the bounds of amounts, and do one of them at random."""

import random

import casinowar

session, chance = casinowar.Session("wa", seed="legal", players={"ana": 100_000}), random.Random(1)
for legal in session.legal_commands("ana"):
    print(type(legal.command).__name__, getattr(legal.command, "box", ""), legal.least, legal.most)
legal = chance.choice(session.legal_commands("ana"))
command = legal.command if legal.amounts is None else legal.at(chance.choice(legal.amounts))
print("done:", *map(casinowar.name, session.must(command)))
