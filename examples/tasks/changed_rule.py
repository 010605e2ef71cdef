"""Price a changed rule: what a tie that pays 11 to 1 costs the house, and the payout that leaves it five percent."""

from fractions import Fraction

from casinowar import odds, rulebooks

generous = rulebooks.load_with("nz", {"payout.tie.on_win": "11:1"})
print(f"as it is: {float(odds.compare('nz', wager='tie')['nz']):.2%}")
print(f"at 11 to 1: {float(odds.compare(generous, wager='tie')['nz']):.2%}")
print("for five percent:", odds.solve("nz", "payout.tie.on_win", Fraction(1, 20), wager="tie").exact)
