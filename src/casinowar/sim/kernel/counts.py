"""The count of cards: whether the cards that nobody has seen make a wager worth more than its bar.

For each counted wager the table WORTH has eight numbers: its kind, its nets where it wins (a perfect pair, a tie, an
ace), at a coloured pair, at a mixed pair and where it loses, and its bar; all by one common denominator, so that
whole numbers compare exactly what a unit of the wager is worth to who has seen every card that was turned up.
"""

from casinowar.sim import outcome_cells as cells
from casinowar.sim import parameters as at
from casinowar.sim import table_memory as its
from casinowar.sim.kernel.compilation import compiled
from casinowar.sim.kernel.shoe import Numbers


@compiled
def is_worth_it(flat: Numbers, memory: Numbers, row: int) -> bool:
    """Whether the wager of this row of WORTH is placed its."""
    place = at.WORTH + 8 * row
    kind = flat[place]
    left = 0
    for card in range(52):
        left += memory[its.UNSEEN + card]
    best = coloured = mixed = 0
    if kind == cells.A_BOMB:
        ways = left
        for suit in range(4):
            best += memory[its.UNSEEN + 4 * flat[at.ACE] + suit]
    else:
        ways = left * (left - 1)
        for rank in range(13):
            clubs, diamonds = memory[its.UNSEEN + 4 * rank], memory[its.UNSEEN + 4 * rank + 1]
            hearts, spades = memory[its.UNSEEN + 4 * rank + 2], memory[its.UNSEEN + 4 * rank + 3]
            if kind == cells.TIE_WAGER or kind == cells.WAR_TIE_WAGER:
                cards = clubs + diamonds + hearts + spades
                best += cards * (cards - 1)
            else:
                best += clubs * (clubs - 1) + diamonds * (diamonds - 1)
                best += hearts * (hearts - 1) + spades * (spades - 1)
                coloured += 2 * (clubs * spades + diamonds * hearts)
                mixed += 2 * (clubs + spades) * (diamonds + hearts)
    worth = best * flat[place + 1] + coloured * flat[place + 2] + mixed * flat[place + 3]
    worth += (ways - best - coloured - mixed) * flat[place + 4]
    return ways > 0 and worth > ways * flat[place + 5]
