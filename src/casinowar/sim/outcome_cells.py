"""The outcome cells of a box: one number for all that the cards of a round come to, whatever lies on the box.

    0            the round is void
    1, 2         the player's card is lower, higher; 3, 4 the same with an ace
    8 + 16 t     a tie, where t is 2 * pair + ace: pair is 0 mixed, 1 coloured, 2 perfect, ace is 1 for an ace.
                 To it is added what follows:
                 0 no war (surrender, or no initial wager), 1 war lost, 2 war won,
                 4 + 4 pair + 2 four + suit: a second tie, of which pair is again 0, 1, 2, four is 1 where it is of
                 the rank of the first, and suit is 1 where all four cards are of one suit.

What no wager on the table hangs on stays 0 in it. The index of an outcome has more beside the cell: one bit for each
counted wager that was placed, and how many others have hit the jackpot.

    index = cell + CELLS * (bits + 2 ** counted * others)
"""

CELLS = 104
VOID, LOSS, WIN = 0, 1, 2
ACES = 2  # What an ace adds to LOSS and WIN.
TIE = 8
BLOCK = 16
NO_WAR, WAR_LOSS, WAR_WIN, WAR_TIE = 0, 1, 2, 4
MIXED, COLOURED, PERFECT = 0, 1, 2

WAGER_ORDER = ("initial", "tie", "war_tie", "a_bomb", "perfect_pairs", "war_perfect_pairs", "progressive")
INITIAL, TIE_WAGER, WAR_TIE_WAGER, A_BOMB, PAIRS, WAR_PAIRS, PROGRESSIVE = range(7)
"""The kinds of wagers by their number; the war wager is part of the initial one."""
