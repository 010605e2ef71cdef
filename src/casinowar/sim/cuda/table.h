/* A table from its first shoe to its last round: kernel.py in C. */

FUNCTION int pair_kind(int one, int two) {
  int suits = (one ^ two) & 3;
  return suits == 0 ? CELL_PERFECT : suits == 3 ? CELL_COLOURED : CELL_MIXED;
}

FUNCTION int first_cell(const i64 *flat, int card, int dealer) {
  int rank = card >> 2, other = dealer >> 2, ace = FLAT(TELLS_ACE) && rank == FLAT(ACE) ? 1 : 0;
  if (rank != other) return (rank < other ? CELL_LOSS : CELL_WIN) + CELL_ACES * ace;
  return CELL_TIE + CELL_BLOCK * (2 * (FLAT(TELLS_PAIR) ? pair_kind(card, dealer) : 0) + ace);
}

FUNCTION int war_part(const i64 *flat, int card, int dealer, int first, int first_dealer) {
  int rank = card >> 2, other = dealer >> 2, part = CELL_WAR_TIE;
  if (rank != other) return rank < other ? CELL_WAR_LOSS : CELL_WAR_WIN;
  if (FLAT(TELLS_SECOND_PAIR)) part += 4 * pair_kind(card, dealer);
  if (FLAT(TELLS_LINES)) {
    int is_one_suit = (card & 3) == (dealer & 3) && (card & 3) == (first & 3) && (card & 3) == (first_dealer & 3);
    part += (rank == first >> 2 ? 2 : 0) + is_one_suit;
  }
  return part;
}

FUNCTION int is_shuffle_due(const i64 *flat, const Table *t) {
  return t->pending || t->position >= t->stack || (FLAT(CUT_FIRST) == 1 && t->cut_at == t->position);
}

FUNCTION void prepare_shoe(const i64 *flat, Table *t, Piles *p, unsigned char *deck, Sums *s) {
  if (t->is_loaded && FLAT(RENEWAL) == RENEWAL_CONTINUOUS) {
    return_discards(flat, t, p);
  } else if (!t->is_loaded || FLAT(RENEWAL) == RENEWAL_FRESH || is_shuffle_due(flat, t)) {
    if (t->is_loaded) end_shoe(t, s);
    load(flat, t, p, deck);
    t->is_loaded = 1;
  }
  t->shoe_rounds++;
}

FUNCTION int can_pay_war(const i64 *flat, const Table *t, int index) {
  i64 purse = t->roll - FLAT(HELD_STAKE);
  for (int count = 0; count < FLAT(WAGERS); count++) {
    int kind = KIND(count);
    if (kind != CELL_INITIAL && kind != CELL_PROGRESSIVE) purse += flat[FLAT(NET_AT) + kind * FLAT(INDEXES) + index];
  }
  return purse >= FLAT(WAR_NEED);
}

/* The box that gets its cards as the first, second and so on. */
FUNCTION int dealt_box(const i64 *flat, const Boxes *b, int count) {
  return FLAT(BANK) ? b->order[count] : FLAT(FIRST_RIGHT) ? (int)FLAT(BOXES) - 1 - count : count;
}

FUNCTION void line_up(const i64 *flat, Table *t, Boxes *b) {
  int boxes = (int)FLAT(BOXES), bettors = 0;
  UNROLL for (int count = 0; count < boxes; count++) {
    int box = FLAT(FIRST_RIGHT) ? boxes - 1 - count : count;
    b->fate[box] = NO_HAND;
    b->index[box] = NOT_DEALT;
    if (FLAT(TELLS_LINES)) b->prize[box] = 0;
    if (FLAT(BANK) && box != t->banker) b->order[bettors++] = box;
  }
  t->bettors = FLAT(BANK) ? bettors : boxes;
}

FUNCTION void deal_first(const i64 *flat, Table *t, Piles *p, Boxes *b, unsigned char *deck) {
  int boxes = (int)FLAT(BOXES), bettors = boxes - (FLAT(BANK) ? 1 : 0), skip = FLAT(DEALER_FIRST) ? 1 : 0, dealer;
  t->wars = t->in_play = 0;
  t->queue = (int)FLAT(ROUND_BURN) + bettors + 1;
  if (FLAT(ROUND_BURN)) burn_in_round(flat, t, p, deck, (int)FLAT(ROUND_BURN));
  deal_cards(flat, t, p, deck, 1, 0, bettors + 1);
  if (t->is_void) return;
  dealer = p->drawn[skip ? 0 : bettors];
  b->first[boxes] = dealer;
  UNROLL for (int count = 0; count < bettors; count++) {
    int box = dealt_box(flat, b, count), card = p->drawn[count + skip], cell = first_cell(flat, card, dealer);
    b->first[box] = card;
    b->index[box] = cell;
    b->fate[box] = SETTLED;
    if (cell >= CELL_TIE && FLAT(HAS_INITIAL)) {
      int goes = (int)(flat[AT_WAR_RANKS + box] >> (dealer >> 2) & 1);
      if (goes && FLAT(SESSION) && box == 0) goes = can_pay_war(flat, t, cell + CELL_CELLS * t->bits);
      b->fate[box] = goes ? AT_WAR : SURRENDERED;
      if (goes || FLAT(BANK)) t->wars++;
    }
  }
}

FUNCTION void collect_hands(const i64 *flat, Table *t, Piles *p, const Boxes *b) {
  int boxes = (int)FLAT(BOXES), count = 0;
  if (FLAT(COLLECT) == 0 || !NEEDS_HANDS) return;
  for (int box = 0; box < boxes; box++) {
    int fate = b->fate[box], is_out = FLAT(COLLECT) == 1 ? fate == SURRENDERED : fate != AT_WAR;
    if (fate != NO_HAND && !is_out) p->hands[count++] = (unsigned char)b->first[box];
  }
  p->hands[count] = (unsigned char)b->first[boxes];
  t->in_play = count + 1;
}

FUNCTION void deal_war(const i64 *flat, Table *t, Piles *p, Boxes *b, unsigned char *deck) {
  int boxes = (int)FLAT(BOXES), is_single = boxes - (FLAT(BANK) ? 1 : 0) == 1, wars = is_single ? 1 : t->wars;
  int skip = FLAT(WAR_DEALER_FIRST) ? 1 : 0, count = skip, again;
  collect_hands(flat, t, p, b);
  t->bits |= count_cards(flat, p, 1);
  t->queue = (int)FLAT(WAR_BURN) + (int)FLAT(BANKER_BURN) + wars + 1;
  if (FLAT(WAR_BURN)) burn_in_round(flat, t, p, deck, (int)FLAT(WAR_BURN));
  if (FLAT(BANKER_BURN)) {
    int before = skip ? 0 : wars;
    deal_cards(flat, t, p, deck, 0, 0, before);
    if (!t->is_void) burn_in_round(flat, t, p, deck, (int)FLAT(BANKER_BURN));
    deal_cards(flat, t, p, deck, 0, before, wars + 1 - before);
  } else {
    deal_cards(flat, t, p, deck, 0, 0, wars + 1);
  }
  if (t->is_void) return;
  again = p->drawn[skip ? 0 : wars];
  b->second[boxes] = again;
  UNROLL for (int step = 0; step < boxes; step++) {
    int box = FLAT(WAR_RIGHT) ? boxes - 1 - step : step;
    if (b->fate[box] == AT_WAR) {
      b->second[box] = p->drawn[count++];
      b->index[box] += war_part(flat, b->second[box], again, b->first[box], b->first[boxes]);
    }
  }
}

FUNCTION void play_round(const i64 *flat, Table *t, Piles *p, Boxes *b, unsigned char *deck) {
  t->bits = count_cards(flat, p, 0);
  if (FLAT(BANK)) pass_bank(flat, t);
  line_up(flat, t, b);
  deal_first(flat, t, p, b, deck);
  if (FLAT(BANK) && !t->is_void) settle_first_deal(flat, t, b);
  if (t->wars) {
    deal_war(flat, t, p, b, deck);
    if (FLAT(BANK) && !t->is_void) settle_war_deal(flat, t, b);
  }
}

/* Play so many rounds of one table of a chunk, with a deck of SIZE bytes, and add them to the tallies. */
FUNCTION void play_table(const i64 *flat, u64 seed, u64 chunk, int table, int rounds, unsigned char *deck, i64 *out,
                         u32 *counts) {
  Table t = {0};
  unsigned char drawn[2 * MOST_BOXES + 2], hands[4 * MOST_BOXES];
  unsigned short journal[8 * MOST_BOXES];
  int unseen[52];
  Piles p;
  Boxes b;
  Sums s = {0};
  int number = 0;
  p.drawn = drawn, p.hands = hands, p.journal = journal, p.unseen = unseen;
  begin_stream(&t, seed, chunk, table);
  t.block = -1;
  t.banker = FLAT(BANK) ? 0 : -1;
  t.meter = FLAT(METER);
  t.roll = t.peak = FLAT(BANKROLL);
  if (FLAT(BOXES) > 1)
    UNROLL for (int place = 0; place < TALLY_PRODUCTS + 7; place++) b.paired[place] = 0;
  if (FLAT(BANK))
    for (int place = 0; place < TALLY_PRODUCTS; place++) b.alone[place] = 0;
  for (int place = 0; place < FLAT(SIZE); place++) DECK(place) = (unsigned char)(place % 52);
  while (number < rounds && !(FLAT(SESSION) && t.roll < FLAT(NIGHT_STAKE))) {
    t.round = number++;
    t.reserve_block = -1;
    t.reserved = t.first_words = t.is_void = t.went_dry = 0;
    prepare_shoe(flat, &t, &p, deck, &s);
    play_round(flat, &t, &p, &b, deck);
    count_round(flat, &t, &b, &s, out, counts);
    if (FLAT(RENEWAL)) undo(&t, &p, deck);
  }
  if (FLAT(SESSION)) end_night(flat, &t, out, number);
  add_sums(flat, &b, &s, out, number);
}
