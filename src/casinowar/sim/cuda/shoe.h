/* The state of a table, the generator, and the shoe: memory.py, philox.py and shoe.py in C.

   The same text is compiled by gcc for the host and by NVRTC for a device. FLAT(NAME) is a single parameter of the plan:
   a number of the array, or a constant where the source is compiled for one plan alone. */

typedef long long i64;
typedef unsigned long long u64;
typedef unsigned int u32;

#ifdef __CUDACC__
#define FUNCTION static __device__ __forceinline__
#define ADD(place, value) atomicAdd((u64 *)out + (place), (u64)(value))
#else
#define FUNCTION static inline
#define ADD(place, value) (out[place] += (value))
#endif

#ifndef ONE_PLAN
#define FLAT(name) flat[AT_##name]
#define KIND(first) ((int)flat[AT_KIND + (first)])
#else
#define FLAT(name) ((i64)PLAN_##name)
#define KIND(first) ((int)(PLAN_KINDS >> 4 * (first) & 15))
#endif

/* A loop over boxes or wagers, which a device has as so many repeats, so that what it goes through stays in registers. */
#ifdef __CUDA_ARCH__
#define UNROLL _Pragma("unroll")
#else
#define UNROLL
#endif

/* Whether a plan says by itself that no shoe runs dry: a round that begins at the cutting card has cards enough. It is
   asked only where the answer is a constant. */
#define ROUND_NEED (FLAT(ROUND_BURN) + FLAT(WAR_BURN) + FLAT(BANKER_BURN) + 2 * (FLAT(BOXES) + (FLAT(BANK) ? 0 : 1)))
#ifdef ONE_PLAN
#define HAS_ENOUGH (FLAT(RENEWAL) != RENEWAL_SHOE || (FLAT(CUT_MID) && FLAT(CUT) + ROUND_NEED <= FLAT(SIZE)))
#else
#define HAS_ENOUGH 0
#endif

/* Cards on the layout matter to a shoe that runs dry, and to who counts. */
#define NEEDS_HANDS (FLAT(COUNTED) || !HAS_ENOUGH)

/* Where a place of the deck lies, and a word made ahead. The threads of a block have theirs side by side, four cards in a
   word of the memory, so that no two meet in a bank. */
#ifndef THREADS
#define THREADS 1
#endif
#define PLACE(place) ((place) * THREADS - ((place) & 3) * (THREADS - 1))
#define DECK(place) deck[PLACE(place)]
#define WORD(slot) words[(slot) * THREADS]

#define NO_CUT_LEFT (1 << 30)
#define NOT_DEALT (-1)
enum { NO_HAND, SETTLED, SURRENDERED, AT_WAR, RETURNED };

typedef struct {
  int pool, position, stack, cut_at, pending, is_loaded, shoe_rounds, queue, in_play, is_void, went_dry;
  int reserved, first_words, round, block, reserve_block, journaled;
  int bettors, banker, bits, wars, point, bank_served, bank_short;
  i64 meter, roll, peak, fall, bank_left;
  u32 key[20], chunk[2], table;
  u32 word[4], spare[4];
} Table;

/* What a table counts by itself before it adds to the tallies of all. */
typedef struct {
  i64 shoes, shoe_rounds, shoe_rounds_squared, shoe_cards, shoe_cards_squared, dry_rounds, void_rounds;
  i64 bank_rounds, bank_dry;
  u32 losses, wins;
} Sums;

/* The cards of the deal that is on; and apart from them, so that these can stay in registers, what is used by numbers
   known only in play: cards on the layout, places to be undone, and cards that nobody has seen. */
typedef struct {
  unsigned char *drawn, *hands;
  unsigned short *journal;
  int *unseen;
} Piles;

typedef struct {
  int order[MOST_BOXES], fate[MOST_BOXES], index[MOST_BOXES];
  int first[MOST_BOXES + 1], second[MOST_BOXES + 1];
  i64 prize[MOST_BOXES], stake[MOST_BOXES], war[MOST_BOXES], match[MOST_BOXES], total[8], net[8 * MOST_BOXES];
  i64 paired[TALLY_PRODUCTS + 7], alone[TALLY_PRODUCTS];
} Boxes;

/* Both words of a product. A device has one instruction for it, which its compiler does not find by itself. */
FUNCTION u32 wide(u32 one, u32 two, u32 *lower) {
#ifdef __CUDA_ARCH__
  u32 upper;
  asm("{ .reg .b64 both; mul.wide.u32 both, %2, %3; mov.b64 {%0, %1}, both; }"
      : "=r"(*lower), "=r"(upper)
      : "r"(one), "r"(two));
  return upper;
#else
  u64 both = (u64)one * two;
  *lower = (u32)both;
  return (u32)(both >> 32);
#endif
}

FUNCTION void begin_stream(Table *t, u64 seed, u64 chunk, int table) {
  for (u32 step = 0; step < 10; step++) {
    t->key[2 * step] = (u32)seed + step * 0x9E3779B9u;
    t->key[2 * step + 1] = (u32)(seed >> 32) + step * 0xBB67AE85u;
  }
  t->chunk[0] = (u32)chunk, t->chunk[1] = (u32)(chunk >> 32);
  t->table = (u32)table;
}

FUNCTION void philox(const Table *t, u32 c0, u32 c1, u32 *words) {
  u32 c2 = t->chunk[0], c3 = t->chunk[1];
  for (int step = 0; step < 10; step++) {
    u32 lower0, lower1, upper0 = wide(0xD2511F53u, c0, &lower0), upper1 = wide(0xCD9E8D57u, c2, &lower1);
    c0 = upper1 ^ c1 ^ t->key[2 * step];
    c2 = upper0 ^ c3 ^ t->key[2 * step + 1];
    c1 = lower1;
    c3 = lower0;
  }
  words[0] = c0, words[1] = c1, words[2] = c2, words[3] = c3;
}

FUNCTION u32 pick(const u32 *words, int place) {
  u32 low = place & 1 ? words[1] : words[0], high = place & 1 ? words[3] : words[2];
  return place & 2 ? high : low;
}

FUNCTION u32 reserve_word(Table *t) {
  int block = t->reserved >> 2;
  if (t->reserve_block != block) {
    philox(t, (u32)t->round, t->table + ((u32)(block + 1) << 24), t->spare);
    t->reserve_block = block;
  }
  return pick(t->spare, t->reserved++ & 3);
}

FUNCTION u32 first_word(const i64 *flat, Table *t) {
  if (t->first_words >= FLAT(WORDS)) return reserve_word(t);
  int place = t->round * (int)FLAT(WORDS) + t->first_words++;
  if (t->block != place >> 2) {
    t->block = place >> 2;
    philox(t, (u32)t->block, t->table, t->word);
  }
  return pick(t->word, place & 3);
}

FUNCTION int turn(const i64 *flat, Table *t, Piles *p, unsigned char *deck, int place) {
  int last = --t->pool, card = DECK(place);
  DECK(place) = DECK(last);
  DECK(last) = (unsigned char)card;
  if (FLAT(RENEWAL)) p->journal[t->journaled++] = (unsigned short)place;
  if (FLAT(COUNTED)) p->unseen[card]--;
  return card;
}

FUNCTION void undo(Table *t, Piles *p, unsigned char *deck) {
  while (t->journaled) {
    int place = p->journal[--t->journaled], last = t->pool++;
    unsigned char card = DECK(last);
    DECK(last) = DECK(place);
    DECK(place) = card;
  }
}

FUNCTION void take_place(const i64 *flat, Table *t, int cards) {
  int begin = t->position;
  if (begin <= t->cut_at && t->cut_at < begin + cards) {
    t->cut_at = NO_CUT_LEFT;
    if (FLAT(CUT_MID)) t->pending = 1;
  }
  t->position = begin + cards;
}

FUNCTION int draw_card(const i64 *flat, Table *t, Piles *p, unsigned char *deck, int is_first) {
  take_place(flat, t, 1);
  u32 pool = (u32)t->pool, word = is_first ? first_word(flat, t) : reserve_word(t);
  for (;;) {
    u32 low, place = wide(word, pool, &low);
    if (low >= pool || low >= (0u - pool) % pool) return turn(flat, t, p, deck, (int)place);
    word = reserve_word(t);
  }
}

FUNCTION void draw_two(const i64 *flat, Table *t, Piles *p, unsigned char *deck, int is_first, int where) {
  take_place(flat, t, 2);
  u32 pool = (u32)t->pool, pairs = pool * (pool - 1);
  u32 word = is_first ? first_word(flat, t) : reserve_word(t), one, two, low;
  for (;;) {
    one = wide(word, pool, &low);
    two = wide(low, pool - 1, &low);
    if (low >= pairs || low >= (0u - pairs) % pairs) break;
    word = reserve_word(t);
  }
  p->drawn[where] = (unsigned char)turn(flat, t, p, deck, (int)one);
  p->drawn[where + 1] = (unsigned char)turn(flat, t, p, deck, (int)two);
}

FUNCTION void begin_stack(const i64 *flat, Table *t, Piles *p, int cards, i64 cut) {
  t->stack = cards;
  t->position = 0;
  t->cut_at = cut >= NO_CUT_LEFT ? NO_CUT_LEFT : (int)cut;
  if (FLAT(COUNTED)) {
    for (int card = 0; card < 52; card++) p->unseen[card] = (int)FLAT(DECKS);
    for (int count = 0; count < t->in_play; count++) p->unseen[p->hands[count]]--;
  }
}

FUNCTION void load(const i64 *flat, Table *t, Piles *p, unsigned char *deck) {
  t->pool = (int)FLAT(SIZE);
  t->pending = t->in_play = 0;
  begin_stack(flat, t, p, (int)FLAT(SIZE), FLAT(CUT));
  if (FLAT(OPENING) == 2)
    take_place(flat, t, (int)flat[AT_BURN_VALUE + (draw_card(flat, t, p, deck, 0) >> 2)]);
  else if (FLAT(OPENING) == 1)
    take_place(flat, t, 1);
}

FUNCTION void return_discards(const i64 *flat, Table *t, Piles *p) {
  t->pool = t->stack = (int)FLAT(SIZE);
  t->position = 0;
  if (FLAT(COUNTED))
    for (int card = 0; card < 52; card++) p->unseen[card] = (int)FLAT(DECKS);
}

FUNCTION void renew_pool(const i64 *flat, Table *t, Piles *p, unsigned char *deck) {
  int last = (int)FLAT(SIZE) - 1;
  for (int count = 0; count < t->in_play; count++) {
    unsigned char card = p->hands[count];
    int place = t->pool;
    while (DECK(place) != card) place++;
    DECK(place) = DECK(last - count);
    DECK(last - count) = card;
  }
  t->pool = (int)FLAT(SIZE) - t->in_play;
}

/* Whether there is a card for the next draw: a dry shoe gets the discards, or the round is void. */
FUNCTION int supply(const i64 *flat, Table *t, Piles *p, unsigned char *deck) {
  t->went_dry++;
  if (FLAT(DRY)) {
    t->is_void = 1;
    return 0;
  }
  int cards = (int)FLAT(SIZE) - t->in_play, before = cards - (int)FLAT(FROM_BACK);
  renew_pool(flat, t, p, deck);
  begin_stack(flat, t, p, cards, FLAT(FROM_BACK) < 0 ? NO_CUT : before > 0 ? before : 0);
  if (FLAT(DISCHARGES)) t->pending = 0;
  if (FLAT(MIDROUND) && cards > t->queue) {
    if (FLAT(OPENING) == 2) {
      int more = (int)flat[AT_BURN_VALUE + (draw_card(flat, t, p, deck, 0) >> 2)];
      if (cards - more >= t->queue + 1) take_place(flat, t, more);
    } else {
      take_place(flat, t, 1);
    }
  }
  return 1;
}

FUNCTION int is_supplied(const i64 *flat, Table *t, Piles *p, unsigned char *deck) {
  return HAS_ENOUGH || t->position < t->stack || supply(flat, t, p, deck);
}

FUNCTION void burn_in_round(const i64 *flat, Table *t, Piles *p, unsigned char *deck, int cards) {
  if (HAS_ENOUGH || t->stack - t->position >= cards) {
    take_place(flat, t, cards);
    t->queue -= cards;
    return;
  }
  for (int count = 0; count < cards; count++) {
    if (t->is_void || !is_supplied(flat, t, p, deck)) return;
    take_place(flat, t, 1);
    t->queue--;
  }
}

FUNCTION void deal_cards(const i64 *flat, Table *t, Piles *p, unsigned char *deck, int is_first, int where, int cards) {
  while (cards && !t->is_void) {
    int count = 1;
    if (!is_supplied(flat, t, p, deck)) return;
    if (cards > 1 && (HAS_ENOUGH || t->stack - t->position > 1)) {
      draw_two(flat, t, p, deck, is_first, where);
      count = 2;
    } else {
      p->drawn[where] = (unsigned char)draw_card(flat, t, p, deck, is_first);
    }
    if (NEEDS_HANDS)
      for (int step = 0; step < count; step++) p->hands[t->in_play++] = p->drawn[where + step];
    where += count;
    t->queue -= count;
    cards -= count;
  }
}
