"""Seal a shoe with a player's entropy, deal from it, open it, and verify what was published of it."""

import secrets

from casinowar import fairness
from casinowar.cards import DECK

shoe, entropy = fairness.SealedShoe.begin("table 1, shoe 1", DECK * 6, None), secrets.token_bytes(32)
shoe.promise_entropy(1, "ana", fairness.promise(shoe.commitment, 1, entropy))
shoe.add_entropy(1, "ana", entropy)
print("root, before the first wager:", shoe.seal().hex())
print("cards:", *(shoe.draw()[0] for _ in range(4)))
shoe.open()
print("findings:", fairness.verify(fairness.dump_shoe(fairness.export(shoe))))
