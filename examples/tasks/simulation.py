"""Simulate a million rounds in the compiled kernel, and hold them to the exact figure."""

import casinowar
from casinowar.odds import fresh, study

rules = casinowar.load_rulebook("wa")
result = casinowar.simulate(rules, 1_000_000, seed=7, wagers=["initial", "tie"], fresh=True)
for name in ("initial", "tie"):
    played, exact = result.wager(name), study(rules, fresh(rules.shoe.decks)).figures(name).ev
    print(f"{name}: {float(played.mean):+.4f} played, {float(exact):+.4f} exact, error {played.standard_error:.4f}")
