"""The parameters of a plan as the kernel reads them: one flat array of int64, and what stands where in it.

Whoever writes the kernel in another language needs this page, `outcome_cells.py` and `tallies.py`, and nothing else.
The first `HEAD` numbers are single values; behind them come tables, one after the other:

    BURN_VALUE   13          how many more cards a burned card of each rank has burned, by the order of the ranks
    WAR_RANKS    MOST_BOXES  one bit for each rank: whether the player of this box goes to war on a tie of it
    WORTH        7 x 8       for each wager that is counted: its weights and its bar, see `counts.py`
    PASS         16          the bank's first pass: how many steps, then steps of wager + 16 * takes + 32 * pays
    ODDS         32 x 2      numerator and denominator of what the bank pays in each situation; -1 loses, 0 pushes
    AMOUNT       8           the stake of each wager, the war wager at the end
    POINT        32          after how many rounds of a night its bankroll is looked at
    NET          7 x indexes what each wager nets at each index of outcomes, in minor units
    PLACED       7 x indexes whether each wager was settled there at all
"""

FORMAT_NUMBER = 2
"""Changes when the same flat array, seed and chunk would give other counts."""

FORMAT = 0
BOXES = 1
SIZE = 2  # Cards of a full stack.
TABLE_ROUNDS = 3  # Rounds of a table, or of a night.
RENEWAL = 4  # When a stack is new: SHOE, FRESH every round, or CONTINUOUS.
CUT = 5  # Cards before the cutting card in a full stack, or NO_CUT.
FROM_BACK = 6  # Cards behind the cutting card, or -1 where there is none.
CUT_FIRST = 7  # 1: a cutting card that comes out first for a round has the cards shuffled at once.
CUT_MID = 8  # 1: a cutting card that comes out in a round has them shuffled after it.
DRY = 9  # 0: discards are shuffled when a shoe runs dry, 1: the round is void.
DISCHARGES = 10  # 1: that shuffle stands for the one that the cutting card asked for.
OPENING = 11  # 0: no opening burn, 1: one face down, 2: one face up and as many more as it says.
MIDROUND = 12  # 1: discards that come back in a round get an opening burn too.
ROUND_BURN = 13
WAR_BURN = 14
BANKER_BURN = 15
FIRST_RIGHT = 16  # 1: the first cards are dealt from the right.
WAR_RIGHT = 17
DEALER_FIRST = 18  # 1: the dealer's first card comes before the others'.
WAR_DEALER_FIRST = 19
COLLECT = 20  # When hands go to the rack: 0 at the end, 1 when surrendered, 2 those not at war before it.
ACE = 21  # The place of the ace in the order of ranks.
HAS_INITIAL = 22
TELLS_ACE = 23  # 1: outcomes tell an ace from others, pairs by suit, and the lines of the progressive.
TELLS_PAIR = 24
TELLS_SECOND_PAIR = 25
TELLS_LINES = 26
WORDS = 27  # Words of the generator for the first deal of a round.
COUNTED = 28  # How many wagers are counted.
INDEXES = 29  # Indexes of outcomes: CELLS, times 2 for each counted wager, times ENVIES.
ENVIES = 30  # 1, or as many as there are boxes: how many others have hit the jackpot.
SUITED_FOUR = 31  # 1: four of a kind in two suited ties are the jackpot, though the suits differ.
METER = 32  # What the meter stands at; the prize is METER_SHARE of it.
METER_NUMERATOR = 33
METER_DENOMINATOR = 34
METER_RUNS = 35
METER_FEED = 36  # What one wager adds to the meter.
METER_SEED = 37
FULL_EACH = 38  # 1: each who hits has the whole prize.
WAGERS = 39  # How many wagers are on the table, the kinds of which stand in KIND.
KIND = 40  # 40 to 46.
SESSION = 47  # Rounds of a night, 0 without nights.
BANKROLL = 48
NIGHT_STAKE = 49  # What a round takes of the bankroll before the first card.
WAR_NEED = 50  # What a war takes of it.
HELD_STAKE = 51  # What of the first stakes is not settled when war is offered.
BIN = 52  # Width of a bin of bankrolls, and of falls.
POINTS = 53
BANK = 54  # 0: the house banks, else 1 + model: payoff_cap, revolving, action_cap, covered.
BANK_STAKE = 55
BANK_TURNS = 56  # Rounds that a player banks before the bank passes on.
BANK_CCW = 57
COLLECTS_LOSERS = 58
ASKS_ANY = 59  # 1: whoever is asked about war may answer in any order.
ASKS_RIGHT = 60
SETTLES_WAR_RIGHT = 61
MATCHES = 62  # 1: the bank puts its match beside each war wager.
FORFEIT_NUMERATOR = 63
FORFEIT_DENOMINATOR = 64
ODD_UNIT_HOUSE = 65
STAKE_NUMERATOR = 66
STAKE_DENOMINATOR = 67
LEAST_NET = 68  # The bank's histograms begin here.
NET_BINS = 69
BANK_LEAST = 70
BANK_BINS = 71
DECKS = 72
NET_AT = 73  # Where the table NET begins, and PLACED behind it.
BIN_BEGIN = 74  # Where the first bin of bankrolls begins; less than that lies in it too. Falls begin at 0.
HEAD = 80

MOST_BOXES = 8
NO_CUT = 1 << 40

SHOE, FRESH, CONTINUOUS = 0, 1, 2

BURN_VALUE = HEAD
WAR_RANKS = BURN_VALUE + 13
WORTH = WAR_RANKS + MOST_BOXES
PASS = WORTH + 56
ODDS = PASS + 16
AMOUNT = ODDS + 64
POINT = AMOUNT + 8
TABLES = POINT + 32
"""Where the tables end whose size is the same for every plan; NET and PLACED follow."""
