/* The same rounds in lanes: the tables of a chunk side by side, so that words, draws and comparisons become vectors.

   What cannot go in step is done lane by lane, from lists: swaps in the decks, wars, new shoes. The counts are those of
   sim_scalar.c, as each table has words of its own. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifndef LANES
#define LANES 64
#endif
#define MOST_CARDS 832

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

typedef struct {
  uint32_t pool[LANES], position[LANES], begun[LANES], word[4][LANES], one[LANES], two[LANES], taken[LANES];
  uint8_t mine[LANES], theirs[LANES], deck[LANES][MOST_CARDS];
} Lanes;

/* Philox4x32-10 for many counters at once; the first word of each, or all four. */
static inline __attribute__((always_inline)) void make_words(const Stream *s, const uint32_t *block,
                                                             const uint32_t *table, int count, int words,
                                                             uint32_t (*out)[LANES]) {
  for (int lane = 0; lane < count; lane++) {
    uint64_t c0 = block[lane], c1 = table[lane], c2 = s->chunk[0], c3 = s->chunk[1];
    uint32_t k0 = s->key[0], k1 = s->key[1];
#pragma GCC unroll 10
    for (int step = 0; step < 10; step++) {
      uint64_t p0 = 0xD2511F53u * c0, p1 = 0xCD9E8D57u * c2;
      c0 = (p1 >> 32) ^ c1 ^ k0, c1 = p1 & 0xFFFFFFFFu;
      c2 = (p0 >> 32) ^ c3 ^ k1, c3 = p0 & 0xFFFFFFFFu;
      k0 += 0x9E3779B9u, k1 += 0xBB67AE85u;
    }
    out[0][lane] = (uint32_t)c0;
    if (words > 1) out[1][lane] = (uint32_t)c1, out[2][lane] = (uint32_t)c2, out[3][lane] = (uint32_t)c3;
  }
}

static uint32_t reserve_word(const Stream *s, uint32_t number, uint32_t lane, uint32_t *taken) {
  uint32_t words[4][LANES], table = s->table + lane + ((*taken / 4 + 1) << 24);
  make_words(s, &number, &table, 1, 4, words);
  return words[(*taken)++ & 3][0];
}

/* The places of a pair again, with words of the reserve until one of them is fair. */
static void draw_again(const Stream *s, Lanes *l, uint32_t number, uint32_t lane, uint32_t word) {
  uint32_t pool = l->pool[lane], pairs = pool * (pool - 1);
  for (;;) {
    uint64_t product = (uint64_t)word * pool;
    l->one[lane] = (uint32_t)(product >> 32);
    product = (uint64_t)(uint32_t)product * (pool - 1);
    l->two[lane] = (uint32_t)(product >> 32);
    if ((uint32_t)product >= pairs || (uint32_t)product >= -pairs % pairs) return;
    word = reserve_word(s, number, lane, l->taken + lane);
  }
}

static inline void swap_pair(Lanes *l, int lane) {
  uint8_t *deck = l->deck[lane], *last = deck + l->pool[lane] - 2, *one = deck + l->one[lane];
  uint8_t mine = *one, theirs;
  *one = last[1];
  theirs = deck[l->two[lane]];
  deck[l->two[lane]] = last[0];
  last[0] = theirs, last[1] = mine;
  l->mine[lane] = mine, l->theirs[lane] = theirs;
}

static void open_shoe(const Rules *r, const Stream *s, Lanes *l, int number, int lane, Counts *c) {
  uint32_t size = (uint32_t)r->size, word;
  if (number) {
    int64_t rounds = number - l->begun[lane], position = l->position[lane];
    c->shoes++, c->shoe_rounds += rounds, c->shoe_rounds_squared += rounds * rounds;
    c->shoe_cards += position, c->shoe_cards_squared += position * position;
  }
  l->begun[lane] = (uint32_t)number;
  l->pool[lane] = size - (r->opening == 2);
  l->position[lane] = (uint32_t)r->opening;
  if (r->opening < 2) return;
  do word = reserve_word(s, (uint32_t)number, (uint32_t)lane, l->taken + lane);
  while (word * size < -size % size);
  uint8_t *place = l->deck[lane] + ((uint64_t)word * size >> 32), rank = *place;
  *place = l->deck[lane][size - 1], l->deck[lane][size - 1] = rank;
  l->position[lane] = 1 + r->burn_value[rank];
}

/* The wars of a round: their lanes from a list, their first words made together. */
static void play_wars(const Rules *r, const Stream *s, Lanes *l, int number, const uint32_t *list, int count, Counts *c) {
  uint32_t block[LANES], table[LANES], words[1][LANES];
  for (int place = 0; place < (count + 7) / 8 * 8 && place < LANES; place++) {
    block[place] = (uint32_t)number;
    table[place] = s->table + (place < count ? list[place] : 0) + (1 << 24);
  }
  for (int place = 0; place < count; place += 8) make_words(s, block, table + place, 8, 1, (uint32_t(*)[LANES])(words[0] + place));
  for (int place = 0; place < count; place++) {
    uint32_t lane = list[place];
    if (!(r->war_ranks >> l->mine[lane] & 1)) {
      c->cell[0]++;
      continue;
    }
    draw_again(s, l, (uint32_t)number, lane,
               l->taken[lane] ? reserve_word(s, (uint32_t)number, lane, l->taken + lane)
                              : (l->taken[lane] = 1, words[0][place]));
    swap_pair(l, (int)lane);
    c->cell[l->mine[lane] < l->theirs[lane] ? 1 : l->mine[lane] > l->theirs[lane] ? 2 : 4]++;
    l->pool[lane] -= 2, l->position[lane] += (uint32_t)r->burns + 2;
  }
}

static void play_tables(const Rules *r, const Stream *s, Lanes *l, int64_t wanted, Counts *c) {
  uint32_t list[LANES + 16], block[LANES], table[LANES], cut = (uint32_t)r->cut, step = (uint32_t)r->step;
  int64_t wins = 0, ties = 0;
  for (int lane = 0; lane < LANES; lane++) {
    for (int64_t place = 0; place < r->size; place++) l->deck[lane][place] = (uint8_t)(place % 52 >> 2);
    l->position[lane] = cut, table[lane] = s->table + (uint32_t)lane;
  }
  memset(l->taken, 0, sizeof l->taken);
  for (int number = 0; number < wanted; number++) {
    uint32_t due = 0, rejected = 0;
    int count = 0, new_wins = 0;
    if ((number & 3) == 0) {
      for (int lane = 0; lane < LANES; lane++) block[lane] = (uint32_t)number >> 2;
      make_words(s, block, table, LANES, 4, l->word);
    }
    for (int lane = 0; lane < LANES; lane++) due |= l->position[lane] >= cut;
    if (due)
      for (int lane = 0; lane < LANES; lane++)
        if (l->position[lane] >= cut) open_shoe(r, s, l, number, lane, c);
    const uint32_t *word = l->word[number & 3];
    for (int lane = 0; lane < LANES; lane++) {
      uint64_t pool = l->pool[lane], product = word[lane] * pool, second = (product & 0xFFFFFFFFu) * (pool - 1);
      l->one[lane] = (uint32_t)(product >> 32);
      l->two[lane] = (uint32_t)(second >> 32);
      rejected |= (uint32_t)second < (uint32_t)(pool * (pool - 1));
    }
    if (__builtin_expect(rejected, 0))
      for (int lane = 0; lane < LANES; lane++) draw_again(s, l, (uint32_t)number, (uint32_t)lane, word[lane]);
    for (int lane = 0; lane < LANES; lane++) swap_pair(l, lane);
    for (int lane = 0; lane < LANES; lane++) {
      l->pool[lane] -= 2, l->position[lane] += step;
      new_wins += l->mine[lane] > l->theirs[lane];
    }
    for (int lane = 0; lane < LANES; lane++) list[count] = (uint32_t)lane, count += l->mine[lane] == l->theirs[lane];
    wins += new_wins, ties += count;
    play_wars(r, s, l, number, list, count, c);
    memset(l->taken, 0, sizeof l->taken);
  }
  c->rounds += LANES * wanted, c->win += wins, c->loss += LANES * wanted - wins - ties;
}

/* Whole tables in lanes: `rounds` is a multiple of them. */
int play(const Rules *r, uint64_t seed, uint64_t chunk, int64_t rounds, Counts *c) {
  Stream s = {{(uint32_t)seed, (uint32_t)(seed >> 32)}, {(uint32_t)chunk, (uint32_t)(chunk >> 32)}, 0};
  Lanes *l = aligned_alloc(64, (sizeof *l + 63) / 64 * 64);
  if (!l || r->size > MOST_CARDS || rounds % (LANES * r->table_rounds)) return 1;
  for (int64_t done = 0; done < rounds; done += LANES * r->table_rounds, s.table += LANES)
    play_tables(r, &s, l, r->table_rounds, c);
  free(l);
  return 0;
}
