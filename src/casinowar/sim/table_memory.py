"""The memory of a table in the kernel: one array of int64, and what stands where in it.

It lasts for a chunk, and is all that the kernel has beside parameters and tallies. Boxes are counted from 0; the
dealer's cards stand behind those of the boxes.
"""

# The shoe.
POOL = 0  # Undrawn cards: the first of the deck.
POSITION = 1  # Cards that have left the stack, burned ones too.
STACK = 2  # Cards that the stack had.
CUT_AT = 3  # Cards before the cutting card, NO_CUT once it is out.
PENDING = 4  # 1: the cards are shuffled before the next round.
IS_LOADED = 5
SHOE_ROUNDS = 6  # Rounds that the shoe has been dealt for.
QUEUE = 7  # Draws that are still due in this deal.
IN_PLAY = 8  # Cards on the layout, which stand in HANDS.
IS_VOID = 9
WENT_DRY = 10
RESERVED = 11  # Words that the round has taken of its reserve.
FIRST_WORDS = 12  # Words that it has taken for its first deal.
TABLE = 13
ROUND = 14
BLOCK = 15  # Which block of first words, and of the reserve, lies in WORD.
RESERVE_BLOCK = 16
JOURNALED = 17  # Draws that are undone after the round, where each round has a new stack.
GIVEN = 18  # Where a given order of cards begins, 0 without one; then the next card of it, and its next stack.
GIVEN_AT = 19
GIVEN_START = 20

# The table.
BETTORS = 32
BANKER = 33  # The box that banks, or -1.
BITS = 34  # Which counted wagers are placed.
WARS = 35
METER = 36
ROLL = 37  # The bankroll of box 1, the most it was, and how far it has fallen since.
PEAK = 38
FALL = 39
POINT = 40  # Points of the night that have been passed.
BANK_SERVED = 41  # Rounds that the player who banks has had the bank.
BANK_LEFT = 42
BANK_SHORT = 43  # 1: the bank could not cover everything in this round.

SHARED = 48
"""Up to here a new table begins with nothing."""

WORD = 48  # Four words of first deals, four of the reserve.
KEY = 56
CHUNK = 58
UNSEEN = 64  # Cards by kind that have not been turned up, where somebody counts.
JOURNAL = 128
HANDS = 192
DRAWN = 256  # Cards of the deal that is on.
ORDER = 320  # The boxes that bet, in the order of the first deal.
FIRST = 336
SECOND = 352
FATE = 368
INDEX = 384
PRIZE = 400
STAKE = 416  # What lies on a box before a player's bank: initial wager, war wager, and the bank's match.
WAR = 432
MATCH = 448
TOTAL = 464  # Nets of each wager over all boxes.
NET = 480  # Eight nets for each box.
DECK = 608
"""The deck, and behind it a given order of cards, if there is one."""

NOT_DEALT = -1
"""The index of a box that has no hand."""

NO_HAND, SETTLED, SURRENDERED, AT_WAR, RETURNED = 0, 1, 2, 3, 4
"""What has become of the initial wager of a box after the first deal."""
