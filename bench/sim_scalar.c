/* The yardstick of bench/sim.py: one box with initial and tie wager, table after table, as one would write it in C.

   The same words, draws and counts as the kernel's, so that tallies can be compared. GENERATOR picks what makes the
   words: 0 Philox4x32-10, 1 Threefry4x32-20, 2 Squares32; the last two are here for what they cost, and nothing else. */

#include <stdint.h>
#include <stdlib.h>

#ifndef GENERATOR
#define GENERATOR 0
#endif
#ifndef STRETCH
#define STRETCH 4 /* Words of first deals that are made at once: a block, or many, as the kernel makes them. */
#endif
#ifndef CARD
#define CARD uint8_t
#endif

typedef struct {
  int64_t size, cut, burns, step, table_rounds, opening;
  uint32_t war_ranks, burn_value[13];
} Rules;

typedef struct {
  int64_t rounds, shoes, shoe_rounds, shoe_rounds_squared, shoe_cards, shoe_cards_squared, loss, win, cell[8];
} Counts;

typedef struct {
  uint32_t key[2], chunk[2], table;
} Stream;

#if GENERATOR == 0
static inline __attribute__((always_inline)) void make_block(const Stream *s, uint32_t block, uint32_t stream, uint32_t *out) {
  uint64_t c0 = block, c1 = stream, c2 = s->chunk[0], c3 = s->chunk[1];
  uint32_t k0 = s->key[0], k1 = s->key[1];
#pragma GCC unroll 10
  for (int step = 0; step < 10; step++) {
    uint64_t p0 = 0xD2511F53u * c0, p1 = 0xCD9E8D57u * c2;
    c0 = (p1 >> 32) ^ c1 ^ k0, c1 = p1 & 0xFFFFFFFFu;
    c2 = (p0 >> 32) ^ c3 ^ k1, c3 = p0 & 0xFFFFFFFFu;
    k0 += 0x9E3779B9u, k1 += 0xBB67AE85u;
  }
  out[0] = (uint32_t)c0, out[1] = (uint32_t)c1, out[2] = (uint32_t)c2, out[3] = (uint32_t)c3;
}
#elif GENERATOR == 1
static inline uint32_t turn_left(uint32_t word, int bits) { return word << bits | word >> (32 - bits); }

static inline void make_block(const Stream *s, uint32_t c0, uint32_t c1, uint32_t *out) {
  static const int turns[8][2] = {{10, 26}, {11, 21}, {13, 27}, {23, 5}, {6, 20}, {17, 11}, {25, 10}, {18, 20}};
  uint32_t keys[5] = {s->key[0], s->key[1], 0, 0, 0x1BD11BDAu ^ s->key[0] ^ s->key[1]};
  uint32_t x0 = c0 + keys[0], x1 = c1 + keys[1], x2 = s->chunk[0] + keys[2], x3 = s->chunk[1] + keys[3];
#pragma GCC unroll 20
  for (int step = 0; step < 20; step++) {
    if (step & 1)
      x0 += x3, x3 = turn_left(x3, turns[step & 7][0]) ^ x0, x2 += x1, x1 = turn_left(x1, turns[step & 7][1]) ^ x2;
    else
      x0 += x1, x1 = turn_left(x1, turns[step & 7][0]) ^ x0, x2 += x3, x3 = turn_left(x3, turns[step & 7][1]) ^ x2;
    if ((step & 3) == 3) {
      int group = step / 4 + 1;
      x0 += keys[group % 5], x1 += keys[(group + 1) % 5], x2 += keys[(group + 2) % 5];
      x3 += keys[(group + 3) % 5] + (uint32_t)group;
    }
  }
  out[0] = x0, out[1] = x1, out[2] = x2, out[3] = x3;
}
#else
static inline uint32_t squares(uint64_t counter, uint64_t key) {
  uint64_t x = counter * key, y = x, z = y + key;
  x = x * x + y, x = x >> 32 | x << 32;
  x = x * x + z, x = x >> 32 | x << 32;
  x = x * x + y, x = x >> 32 | x << 32;
  return (uint32_t)((x * x + z) >> 32);
}

static inline void make_block(const Stream *s, uint32_t c0, uint32_t c1, uint32_t *out) {
  uint64_t key = ((uint64_t)s->key[1] << 32 | s->key[0]) ^ 0x548c9decbce65297u;
  uint64_t begin = ((uint64_t)(c1 ^ s->chunk[0]) << 32) + 4 * (uint64_t)c0;
  for (int step = 0; step < 4; step++) out[step] = squares(begin + step, key);
}
#endif

/* The next word of a round's reserve, of which little is needed: its block is made again each time. */
static uint32_t reserve_word(const Stream *s, int number, int *taken) {
  uint32_t words[4];
  make_block(s, (uint32_t)number, s->table + ((uint32_t)(*taken / 4 + 1) << 24), words);
  return words[(*taken)++ & 3];
}

typedef struct {
  CARD one, two;
} Pair;

/* Two cards of one word, every ordered pair of the pool as likely as any other. */
static inline Pair draw_two(const Stream *s, CARD *deck, uint32_t pool, uint32_t word, int number, int *taken) {
  uint32_t pairs = pool * (pool - 1), first;
  uint64_t product;
  Pair pair;
  for (;;) {
    product = (uint64_t)word * pool;
    first = (uint32_t)(product >> 32);
    product = (uint64_t)(uint32_t)product * (pool - 1);
    if (__builtin_expect((uint32_t)product >= pairs, 1) || (uint32_t)product >= -pairs % pairs) break;
    word = reserve_word(s, number, taken);
  }
  pair.one = deck[first], deck[first] = deck[pool - 1], deck[pool - 1] = pair.one;
  first = (uint32_t)(product >> 32);
  pair.two = deck[first], deck[first] = deck[pool - 2], deck[pool - 2] = pair.two;
  return pair;
}

static int64_t open_shoe(const Rules *r, const Stream *s, CARD *deck, int number, int *taken) {
  uint32_t size = (uint32_t)r->size, word;
  if (r->opening < 2) return r->opening;
  do word = reserve_word(s, number, taken);
  while (word * size < -size % size);
  uint32_t place = (uint32_t)((uint64_t)word * size >> 32);
  CARD rank = deck[place];
  deck[place] = deck[size - 1], deck[size - 1] = rank;
  return 1 + r->burn_value[rank];
}

static void play_table(const Rules *r, const Stream *s, CARD *deck, int64_t wanted, Counts *c) {
  uint32_t words[STRETCH], full = (uint32_t)r->size - (r->opening == 2), pool = full;
  int64_t position = r->cut, rounds = 0, wins = 0, ties = 0;
  for (int64_t place = 0; place < r->size; place++) deck[place] = (CARD)(place % 52 >> 2);
  for (int number = 0; number < wanted; number++) {
    int taken = 0;
    if (position >= r->cut) {
      if (number) {
        c->shoes++, c->shoe_rounds += rounds, c->shoe_rounds_squared += rounds * rounds;
        c->shoe_cards += position, c->shoe_cards_squared += position * position;
      }
      position = open_shoe(r, s, deck, number, &taken);
      pool = full, rounds = 0;
    }
    rounds++;
    if ((number & (STRETCH - 1)) == 0)
      for (int place = 0; place < STRETCH; place += 4)
        make_block(s, (uint32_t)(number + place) >> 2, s->table, words + place);
    Pair pair = draw_two(s, deck, pool, words[number & (STRETCH - 1)], number, &taken);
    pool -= 2, position += r->step;
    wins += pair.one > pair.two;
    if (pair.one == pair.two) {
      ties++;
      if (r->war_ranks >> pair.one & 1) {
        Pair war = draw_two(s, deck, pool, reserve_word(s, number, &taken), number, &taken);
        c->cell[war.one < war.two ? 1 : war.one > war.two ? 2 : 4]++;
        pool -= 2, position += r->burns + 2;
      } else {
        c->cell[0]++;
      }
    }
  }
  c->rounds += wanted, c->win += wins, c->loss += wanted - wins - ties;
}

int play(const Rules *r, uint64_t seed, uint64_t chunk, int64_t rounds, Counts *c) {
  Stream s = {{(uint32_t)seed, (uint32_t)(seed >> 32)}, {(uint32_t)chunk, (uint32_t)(chunk >> 32)}, 0};
  CARD *deck = malloc((size_t)r->size * sizeof(CARD));
  if (!deck) return 1;
  for (int64_t done = 0; done < rounds; s.table++) {
    int64_t wanted = rounds - done < r->table_rounds ? rounds - done : r->table_rounds;
    play_table(r, &s, deck, wanted, c);
    done += wanted;
  }
  free(deck);
  return 0;
}
