/* One box whose shoe is dealt on and never runs dry: by steps of two cards, in which the threads of a device stay together.

   A war, a new shoe and a refused word each need a block of words of their own, and each comes to few of the threads at a
   time. A table that needs one therefore waits for the next block that all threads make: it makes the block that it needs,
   while the others make words of first deals ahead. Words stand by the number of the round, so that no card is changed. */

#define STEPS 3
#define AHEAD 8

/* What a table may wait for: it stands above the number of the round. All but a plain first deal need a reserve word. */
#define ABOVE 16
#define NUMBER(at) ((at) & ((1u << ABOVE) - 1))
enum { FIRST_DEAL, NEW_SHOE, FIRST_DEAL_AGAIN, WAR_DEAL };

#define ALL_RANKS ((1 << 13) - 1)

/* A shoe is dealt until no more than `floor` cards are left in its pool. The lower one of the two cards at the end of the
   pool lies at `top`, and that of the next two `down` below. The deck begins at `mine`. */
typedef struct {
  u32 at, limit, end, ahead, taken_at, taken, reserve, begun, pool, floor, mine, top, down, cell;
  u32 ties, wins, ace_losses, ace_wins, shoes, shoe_rounds, shoe_rounds_squared, shoe_cards, shoe_cards_squared;
} Box;

/* Two cards of the pool, and the two at its end; where the first ones lie, and what is left of the word. */
typedef struct {
  u32 one, two, low;
  int mine, theirs, lower, upper;
} Pair;

/* Numbers of rounds have 16 bits here, and the sums of a table 32. */
FUNCTION int is_one_box(const i64 *flat) {
  if (FLAT(BOXES) != 1 || FLAT(BANK) || FLAT(COUNTED) || FLAT(SESSION) || FLAT(TELLS_LINES)) return 0;
  if (FLAT(RENEWAL) != RENEWAL_SHOE || FLAT(BANKER_BURN) || !FLAT(CUT_MID)) return 0;
  if (FLAT(SIZE) > 1 << 12 || FLAT(TABLE_ROUNDS) > 1 << 12) return 0;
  return FLAT(CUT) + ROUND_NEED <= FLAT(SIZE) && FLAT(TABLE_ROUNDS) * FLAT(SIZE) * FLAT(SIZE) < 1LL << 32;
}

/* A deck has ranks alone where no wager asks for suits. */
FUNCTION int has_suits(const i64 *flat) { return FLAT(TELLS_PAIR) || FLAT(TELLS_SECOND_PAIR); }
FUNCTION int card_of(const i64 *flat, int found) { return has_suits(flat) ? found : found << 2; }
FUNCTION u32 full_pool(const i64 *flat) { return (u32)FLAT(SIZE) - (FLAT(OPENING) == 2); }

/* A number that the compiler shall keep in a register, and not make anew at each use. */
FUNCTION u32 kept(u32 *room, u32 number) {
  *(volatile u32 *)room = number;
  return *(volatile u32 *)room;
}

FUNCTION u32 find_place(const Box *x, u32 place) { return place * THREADS + x->mine - (place & 3) * (THREADS - 1); }

FUNCTION void make_deck(const i64 *flat, const Box *x, unsigned char *decks) {
  for (u32 place = 0, card = 0; place < FLAT(SIZE); place++) {
    decks[find_place(x, place)] = (unsigned char)(has_suits(flat) ? card : card >> 2);
    card = card == 51 ? 0 : card + 1;
  }
}

/* How many cards of a full pool are left, when so many have been dealt and burned that a new shoe is due. */
FUNCTION u32 last_floor(const i64 *flat) { return full_pool(flat) - (u32)(FLAT(CUT) + (FLAT(CUT_FIRST) != 1)); }

FUNCTION void open_shoe(const i64 *flat, Box *x, unsigned char *decks) {
  u32 number = NUMBER(x->at), last = find_place(x, (u32)FLAT(SIZE) - 1), burned = FLAT(OPENING) != 0, place;
  if (FLAT(OPENING) == 2) {
    u32 size = (u32)FLAT(SIZE), low;
    int card;
    place = wide(x->reserve, size, &low);
    if (low < (0u - size) % size) return;
    place = find_place(x, place);
    card = decks[place];
    decks[place] = decks[last];
    decks[last] = (unsigned char)card;
    burned += (u32)flat[AT_BURN_VALUE + (has_suits(flat) ? card >> 2 : card)];
  }
  if (number) {
    u32 rounds = number - x->begun, cards = full_pool(flat) - x->pool + x->floor - last_floor(flat);
    x->shoes++;
    x->shoe_rounds += rounds;
    x->shoe_rounds_squared += rounds * rounds;
    x->shoe_cards += cards;
    x->shoe_cards_squared += cards * cards;
  }
  x->at = x->begun = number;
  x->floor = last_floor(flat) + burned;
  x->pool = full_pool(flat);
  place = full_pool(flat) - 2;
  x->top = find_place(x, place);
  x->down = place & 2 ? 2 : 4 * THREADS - 2;
}

/* A block of words: of the reserve for a table that waits, of words made ahead for the others. */
FUNCTION void make_words(const i64 *flat, const Table *t, Box *x, u32 *words, unsigned char *decks) {
  u32 block[4], number, stream = t->table;
  if (FLAT(OPENING) != 2 && x->at >> ABOVE == NEW_SHOE) open_shoe(flat, x, decks);
  int waits = x->at >> ABOVE != FIRST_DEAL;
  number = NUMBER(x->at);
  if (x->taken_at != number) x->taken = 0;
  if (waits) stream += ((x->taken >> 2) + 1) << 24;
  philox(t, waits ? number : x->ahead >> 2, stream, block);
  if (waits) {
    x->reserve = block[0];
    if (x->taken) x->reserve = pick(block, (int)x->taken & 3);
    x->taken++;
    x->taken_at = number;
    if (x->at >> ABOVE == NEW_SHOE) open_shoe(flat, x, decks);
  } else if (x->ahead - number <= AHEAD - 4) {
    u32 slot = x->ahead & (AHEAD - 4);
    WORD(slot) = block[0], WORD(slot + 1) = block[1], WORD(slot + 2) = block[2], WORD(slot + 3) = block[3];
    x->ahead += 4;
    x->limit = x->ahead < x->end ? x->ahead : x->end;
  }
}

/* Where the upper one of the two cards at the end of the pool lies: in the same word of the memory as the lower one, if
   the pool is even, and else in the next one at every other step. */
FUNCTION u32 find_last(const i64 *flat, const Box *x) {
  return full_pool(flat) & 1 ? x->top + 4 * THREADS - 1 - x->down : x->top + 1;
}

/* Two cards by a word, and whether it may be refused, as one of some ten thousand may. Nothing is changed. */
FUNCTION int find_two(const i64 *flat, const Box *x, const unsigned char *decks, u32 word, Pair *found) {
  u32 low, one = wide(word, x->pool, &low), two = wide(low, x->pool - 1, &low);
  found->one = find_place(x, one), found->two = find_place(x, two), found->low = low;
  found->mine = decks[found->one], found->theirs = decks[found->two];
  found->lower = decks[x->top], found->upper = decks[find_last(flat, x)];
  if (two == one) found->theirs = found->upper;
  if (found->one == x->top) found->lower = found->upper;
  return low < (u32)(FLAT(SIZE) * FLAT(SIZE));
}

/* The two change places with the cards at the end of the pool. */
FUNCTION void swap_two(const i64 *flat, Box *x, unsigned char *decks, const Pair *found) {
  decks[find_last(flat, x)] = (unsigned char)found->mine, decks[found->one] = (unsigned char)found->upper;
  decks[x->top] = (unsigned char)found->theirs, decks[found->two] = (unsigned char)found->lower;
  x->pool -= 2;
  x->top -= x->down;
  x->down = 4 * THREADS - x->down;
}

FUNCTION void end_round(const i64 *flat, Box *x, u32 number) {
  x->at = number + 1;
  if (x->pool <= x->floor) x->at += NEW_SHOE << ABOVE;
}

/* What a tie counts as until its war; where no wager tells ties apart, nothing need be kept. */
FUNCTION int tells_ties(const i64 *flat) { return FLAT(TELLS_ACE) || FLAT(TELLS_PAIR); }

FUNCTION void count_war(const i64 *flat, Box *x, u32 number, const Pair *found, i64 *out, u32 *counts) {
  int mine = card_of(flat, found->mine), theirs = card_of(flat, found->theirs);
  int skip = FLAT(WAR_DEALER_FIRST) != 0, cell = tells_ties(flat) ? (int)x->cell : CELL_TIE;
  (void)counts;
  COUNT(cell + war_part(flat, skip ? theirs : mine, skip ? mine : theirs, 0, 0));
  x->floor += (u32)FLAT(WAR_BURN);
  end_round(flat, x, number);
}

FUNCTION void count_first(const i64 *flat, Box *x, u32 number, const Pair *found, i64 *out, u32 *counts) {
  int mine = card_of(flat, found->mine), theirs = card_of(flat, found->theirs);
  int card = FLAT(DEALER_FIRST) ? theirs : mine, dealer = FLAT(DEALER_FIRST) ? mine : theirs;
  int rank = card >> 2, other = dealer >> 2, war_ranks = FLAT(HAS_INITIAL) ? (int)FLAT(WAR_RANKS) : 0;
  (void)counts;
  x->floor += (u32)FLAT(ROUND_BURN);
  x->wins += (u32)(other - rank) >> 31;
  if (FLAT(TELLS_ACE)) {
    x->ace_wins += rank > other && rank == FLAT(ACE);
    x->ace_losses += rank < other && rank == FLAT(ACE);
  }
  end_round(flat, x, number);
  if (rank != other) return;
  x->ties++;
  if (tells_ties(flat)) x->cell = (u32)first_cell(flat, card, dealer);
  if (war_ranks == ALL_RANKS || war_ranks >> rank & 1)
    x->at = number + (WAR_DEAL << ABOVE);
  else
    COUNT(tells_ties(flat) ? (int)x->cell : CELL_TIE);
}

/* The first step after a block: of tables that have waited for its word too. */
FUNCTION void take_first_step(const i64 *flat, Box *x, u32 *words, unsigned char *decks, i64 *out, u32 *counts) {
  u32 number = NUMBER(x->at), pairs = x->pool * (x->pool - 1);
  int waits = x->at >> ABOVE != FIRST_DEAL, is_war = x->at >> ABOVE == WAR_DEAL;
  Pair found;
  if (x->at >= x->limit && x->at < FIRST_DEAL_AGAIN << ABOVE) return;
  u32 word = waits ? x->reserve : WORD(number & (AHEAD - 1));
  if (find_two(flat, x, decks, word, &found) && found.low < (0u - pairs) % pairs) {
    if (!waits) x->at += FIRST_DEAL_AGAIN << ABOVE;
    return;
  }
  swap_two(flat, x, decks, &found);
  if (is_war)
    count_war(flat, x, number, &found, out, counts);
  else
    count_first(flat, x, number, &found, out, counts);
}

/* A further step: first deals of tables that do not wait. A word that may be refused is left to the next first step. */
FUNCTION void take_step(const i64 *flat, Box *x, u32 *words, unsigned char *decks, i64 *out, u32 *counts) {
  Pair found;
  int is_doubtful = find_two(flat, x, decks, WORD(x->at & (AHEAD - 1)), &found);
  if (x->at >= x->limit || is_doubtful) return;
  swap_two(flat, x, decks, &found);
  count_first(flat, x, x->at, &found, out, counts);
}

FUNCTION void play_box(const i64 *flat, u64 seed, u64 chunk, int table, int rounds, u32 *words, unsigned char *decks,
                       u32 mine, i64 *out, u32 *counts) {
  Table t;
  Box x = {0};
  begin_stream(&t, seed, chunk, table);
  for (int step = 0; step < 20; step++) t.key[step] = kept(words, t.key[step]);
  x.at = NEW_SHOE << ABOVE;
  x.end = (u32)rounds;
  x.mine = x.top = mine;
  x.pool = 2;
  make_deck(flat, &x, decks);
  while (NUMBER(x.at) < x.end) {
    make_words(flat, &t, &x, words, decks);
    take_first_step(flat, &x, words, decks, out, counts);
    for (int step = 1; step < STEPS; step++) take_step(flat, &x, words, decks, out, counts);
  }
  ADD(TALLY_ROUNDS, x.end);
  ADD(TALLY_SHOES, x.shoes);
  ADD(TALLY_SHOE_ROUNDS, x.shoe_rounds);
  ADD(TALLY_SHOE_ROUNDS_SQUARED, x.shoe_rounds_squared);
  ADD(TALLY_SHOE_CARDS, x.shoe_cards);
  ADD(TALLY_SHOE_CARDS_SQUARED, x.shoe_cards_squared);
  ADD(TALLY_HIGH + CELL_WIN, x.wins - x.ace_wins);
  ADD(TALLY_HIGH + CELL_LOSS, x.end - x.ties - x.wins - x.ace_losses);
  if (!FLAT(TELLS_ACE)) return;
  ADD(TALLY_HIGH + CELL_LOSS + CELL_ACES, x.ace_losses);
  ADD(TALLY_HIGH + CELL_WIN + CELL_ACES, x.ace_wins);
}

/* Play so many rounds of one table of a chunk, in the way that its plan allows. Its deck begins at `mine`. */
FUNCTION void play_rounds(const i64 *flat, u64 seed, u64 chunk, int table, int rounds, u32 *words, unsigned char *decks,
                          u32 mine, i64 *out, u32 *counts) {
  if (is_one_box(flat))
    play_box(flat, seed, chunk, table, rounds, words, decks, mine, out, counts);
  else
    play_table(flat, seed, chunk, table, rounds, decks + mine, out, counts);
}
