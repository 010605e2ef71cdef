/* Rounds, shoes, jackpots and nights as they are added to the tallies: account.py and counts.py in C. */

#define LOW_PART ((1LL << TALLY_LOW_BITS) - 1)

/* One more box at an index. A device counts in the memory of a block, if there is room, and adds it up at the end. */
#ifndef COUNT
#define COUNT(index) ADD(TALLY_HIGH + (index), 1)
#endif

/* One more box with a net of a wager, its place among the wagers and its kind given. */
#ifndef COUNT_NET
#define COUNT_NET(first, kind, bin) ADD(bank_place(flat) + (kind) * FLAT(NET_BINS) + (bin), 1)
#endif

FUNCTION int is_worth_it(const i64 *flat, const Piles *p, int row) {
  const i64 *worth = flat + AT_WORTH + 8 * row;
  i64 left = 0, best = 0, coloured = 0, mixed = 0, ways, sum;
  for (int card = 0; card < 52; card++) left += p->unseen[card];
  if (worth[0] == CELL_A_BOMB) {
    ways = left;
    for (int suit = 0; suit < 4; suit++) best += p->unseen[4 * FLAT(ACE) + suit];
  } else {
    ways = left * (left - 1);
    for (int rank = 0; rank < 13; rank++) {
      i64 clubs = p->unseen[4 * rank], diamonds = p->unseen[4 * rank + 1];
      i64 hearts = p->unseen[4 * rank + 2], spades = p->unseen[4 * rank + 3], cards = clubs + diamonds + hearts + spades;
      if (worth[0] == CELL_TIE_WAGER || worth[0] == CELL_WAR_TIE_WAGER) {
        best += cards * (cards - 1);
      } else {
        best += clubs * (clubs - 1) + diamonds * (diamonds - 1) + hearts * (hearts - 1) + spades * (spades - 1);
        coloured += 2 * (clubs * spades + diamonds * hearts);
        mixed += 2 * (clubs + spades) * (diamonds + hearts);
      }
    }
  }
  sum = best * worth[1] + coloured * worth[2] + mixed * worth[3] + (ways - best - coloured - mixed) * worth[4];
  return ways > 0 && sum > ways * worth[5];
}

FUNCTION int count_cards(const i64 *flat, const Piles *p, int is_war) {
  int bits = 0;
  for (int row = 0; row < FLAT(COUNTED); row++) {
    i64 kind = flat[AT_WORTH + 8 * row];
    int is_on_war = kind == CELL_WAR_TIE_WAGER || kind == CELL_WAR_PAIRS;
    if (is_on_war == is_war && is_worth_it(flat, p, row)) bits |= 1 << row;
  }
  return bits;
}

FUNCTION void add_product(i64 *sums, i64 product) {
  sums[0] += product >> TALLY_LOW_BITS;
  sums[1] += product & LOW_PART;
}

FUNCTION void end_shoe(Table *t, Sums *s) {
  i64 rounds = t->shoe_rounds, dealt = t->position;
  s->shoes++;
  s->shoe_rounds += rounds;
  s->shoe_rounds_squared += rounds * rounds;
  s->shoe_cards += dealt;
  s->shoe_cards_squared += dealt * dealt;
  t->shoe_rounds = 0;
}

FUNCTION int is_jackpot(const i64 *flat, int cell) {
  int part = (cell - CELL_TIE) % CELL_BLOCK;
  if (cell < CELL_TIE + 2 * CELL_PERFECT * CELL_BLOCK) return 0;
  return part == CELL_WAR_TIE + 11 || (part == CELL_WAR_TIE + 10 && FLAT(SUITED_FOUR) == 1);
}

FUNCTION int share_meter(const i64 *flat, Table *t, Boxes *b) {
  int boxes = (int)FLAT(BOXES), hitters = 0;
  for (int box = 0; box < boxes; box++)
    if (b->index[box] >= 0 && is_jackpot(flat, b->index[box] % CELL_CELLS)) hitters++;
  if (!hitters) return 0;
  i64 prize = t->meter * FLAT(METER_NUMERATOR) / FLAT(METER_DENOMINATOR);
  i64 share = FLAT(FULL_EACH) ? prize : prize / hitters, odd = FLAT(FULL_EACH) ? 0 : prize - share * hitters;
  for (int count = 0; count < boxes; count++) {
    int box = boxes - 1 - count, others = hitters;
    if (b->index[box] < 0) continue;
    if (is_jackpot(flat, b->index[box] % CELL_CELLS)) {
      b->prize[box] = share + odd;
      odd = 0;
      others--;
    }
    if (FLAT(ENVIES) > 1) b->index[box] += (int)(FLAT(INDEXES) / FLAT(ENVIES)) * others;
  }
  if (FLAT(METER_RUNS)) t->meter += FLAT(METER_SEED) - prize;
  return hitters;
}

FUNCTION void count_boxes(const i64 *flat, Boxes *b, Sums *s, i64 *out, u32 *counts) {
  (void)counts;
  UNROLL for (int box = 0; box < FLAT(BOXES); box++) {
    int index = b->index[box];
    if (index < 0) continue;
    if (index == CELL_LOSS)
      s->losses++;
    else if (index == CELL_WIN)
      s->wins++;
    else
      COUNT(index);
    if (FLAT(TELLS_LINES) && b->prize[box]) {
      i64 place = TALLY_HIGH + FLAT(INDEXES) + index, square = b->prize[box] * b->prize[box];
      ADD(place, b->prize[box]);
      ADD(place + FLAT(INDEXES), square >> TALLY_LOW_BITS);
      ADD(place + 2 * FLAT(INDEXES), square & LOW_PART);
    }
  }
}

FUNCTION i64 net_of(const i64 *flat, const Boxes *b, int box, int kind) {
  if (FLAT(BANK)) return b->net[8 * box + kind];
  i64 net = flat[FLAT(NET_AT) + kind * FLAT(INDEXES) + b->index[box]];
  return FLAT(TELLS_LINES) && kind == CELL_PROGRESSIVE ? net + b->prize[box] : net;
}

FUNCTION int is_settled(const i64 *flat, const Boxes *b, int box, int kind) {
  return (int)flat[FLAT(NET_AT) + (7 + kind) * FLAT(INDEXES) + b->index[box]];
}

/* What a box nets by a wager of a round, or UNSETTLED. A device has a table of it in the memory of a block, if there is
   room and nets are small. */
#define UNSETTLED (-2147483647 - 1)
#ifndef TABLE_NET
#define TABLE_NET(first, index) settled_net(flat, b, box, KIND(first))
#endif

FUNCTION i64 settled_net(const i64 *flat, const Boxes *b, int box, int kind) {
  return is_settled(flat, b, box, kind) ? net_of(flat, b, box, kind) : UNSETTLED;
}

FUNCTION void count_totals(const i64 *flat, Boxes *b, const u32 *counts) {
  (void)counts;
  UNROLL for (int first = 0; first < FLAT(WAGERS); first++) {
    int kind = KIND(first);
    i64 total = 0, settled = 0;
    UNROLL for (int box = 0; box < FLAT(BOXES); box++)
      if (b->index[box] >= 0) {
        i64 net = TABLE_NET(first, b->index[box]);
        if (net != UNSETTLED) total += net, settled++;
      }
    b->total[kind] = total;
    add_product(b->paired + 16 * kind + 14, total * settled);
    b->paired[TALLY_PRODUCTS + kind] += settled * settled;
    UNROLL for (int second = 0; second <= first; second++) {
      int other = KIND(second);
      add_product(b->paired + 16 * other + 2 * kind, total * b->total[other]);
    }
  }
}

/* The sections of the tallies behind the indexes: paired, then nights, then the bank's. */
FUNCTION i64 paired_place(const i64 *flat) { return TALLY_HIGH + (FLAT(TELLS_LINES) ? 4 : 1) * FLAT(INDEXES); }
FUNCTION i64 night_place(const i64 *flat) { return paired_place(flat) + (FLAT(BOXES) > 1 ? TALLY_PRODUCTS + 7 : 0); }
FUNCTION i64 bank_place(const i64 *flat) {
  return night_place(flat) + (FLAT(SESSION) ? (FLAT(POINTS) + 1) * TALLY_NIGHT_BINS : 0);
}

FUNCTION i64 banked_place(const i64 *flat) { return bank_place(flat) + 7 * FLAT(NET_BINS) + TALLY_PRODUCTS; }

FUNCTION void count_bank(const i64 *flat, Table *t, Boxes *b, Sums *s, i64 *out, u32 *counts) {
  i64 gain = 0;
  (void)counts;
  for (int count = 0; count < t->bettors; count++) {
    int box = b->order[count];
    for (int first = 0; first < FLAT(WAGERS); first++) {
      int kind = KIND(first);
      i64 net = b->net[8 * box + kind];
      if (!is_settled(flat, b, box, kind)) continue;
      gain -= net;
      COUNT_NET(first, kind, net - FLAT(LEAST_NET));
      for (int second = 0; second <= first; second++) {
        int other = KIND(second);
        add_product(b->alone + 16 * other + 2 * kind, net * b->net[8 * box + other]);
      }
    }
  }
  s->bank_rounds++;
  s->bank_dry += t->bank_short;
  ADD(banked_place(flat) + gain - FLAT(BANK_LEAST), 1);
  t->bank_served++;
}

FUNCTION void pass_point(const i64 *flat, Table *t, i64 *out, i64 rounds) {
  while (t->point < FLAT(POINTS) && rounds >= flat[AT_POINT + t->point]) {
    i64 above = t->roll - FLAT(BIN_BEGIN), bin = above > 0 ? above / FLAT(BIN) : 0;
    if (bin > TALLY_NIGHT_BINS - 1) bin = TALLY_NIGHT_BINS - 1;
    ADD(night_place(flat) + t->point * TALLY_NIGHT_BINS + bin, 1);
    t->point++;
  }
}

FUNCTION void end_night(const i64 *flat, Table *t, i64 *out, int rounds) {
  i64 fall = t->fall, gain = t->roll - FLAT(BANKROLL), bin = fall / FLAT(BIN);
  pass_point(flat, t, out, FLAT(SESSION));
  if (bin > TALLY_NIGHT_BINS - 1) bin = TALLY_NIGHT_BINS - 1;
  ADD(night_place(flat) + FLAT(POINTS) * TALLY_NIGHT_BINS + bin, 1);
  ADD(TALLY_NIGHTS, 1);
  ADD(TALLY_NIGHT_SUM, gain);
  ADD(TALLY_NIGHT_SQUARE, gain * gain >> TALLY_LOW_BITS);
  ADD(TALLY_NIGHT_SQUARE + 1, gain * gain & LOW_PART);
  ADD(TALLY_FALL_SUM, fall);
  ADD(TALLY_FALL_SQUARE, fall * fall >> TALLY_LOW_BITS);
  ADD(TALLY_FALL_SQUARE + 1, fall * fall & LOW_PART);
  if (t->roll < FLAT(NIGHT_STAKE)) {
    ADD(TALLY_RUINED, 1);
    ADD(TALLY_RUIN_ROUNDS, rounds);
  }
}

FUNCTION void count_round(const i64 *flat, Table *t, Boxes *b, Sums *s, i64 *out, u32 *counts) {
  s->dry_rounds += t->went_dry;
  if (t->is_void) {
    s->void_rounds++;
    for (int box = 0; box < FLAT(BOXES); box++)
      if (box != t->banker) b->index[box] = CELL_VOID;
    count_boxes(flat, b, s, out, counts);
    if (FLAT(SESSION)) pass_point(flat, t, out, t->round + 1);
    return;
  }
  if (FLAT(COUNTED) && t->bits)
    for (int box = 0; box < FLAT(BOXES); box++)
      if (box != t->banker) b->index[box] += CELL_CELLS * t->bits;
  if (FLAT(TELLS_LINES)) {
    if (FLAT(METER_RUNS)) t->meter += t->bettors * FLAT(METER_FEED);
    if (t->wars) {
      int hitters = share_meter(flat, t, b);
      if (hitters) ADD(TALLY_JACKPOTS, hitters);
    }
  }
  count_boxes(flat, b, s, out, counts);
  if (FLAT(BOXES) > 1) count_totals(flat, b, counts);
  if (FLAT(SESSION)) {
    for (int count = 0; count < FLAT(WAGERS); count++) t->roll += net_of(flat, b, 0, KIND(count));
    t->peak = most(t->peak, t->roll);
    t->fall = most(t->fall, t->peak - t->roll);
    pass_point(flat, t, out, t->round + 1);
  }
  if (FLAT(BANK)) count_bank(flat, t, b, s, out, counts);
}

/* Add what a table has counted by itself. */
FUNCTION void add_sums(const i64 *flat, const Boxes *b, const Sums *s, i64 *out, i64 rounds) {
  ADD(TALLY_ROUNDS, rounds);
  ADD(TALLY_SHOES, s->shoes);
  ADD(TALLY_SHOE_ROUNDS, s->shoe_rounds);
  ADD(TALLY_SHOE_ROUNDS_SQUARED, s->shoe_rounds_squared);
  ADD(TALLY_SHOE_CARDS, s->shoe_cards);
  ADD(TALLY_SHOE_CARDS_SQUARED, s->shoe_cards_squared);
  ADD(TALLY_DRY_ROUNDS, s->dry_rounds);
  ADD(TALLY_VOID_ROUNDS, s->void_rounds);
  ADD(TALLY_HIGH + CELL_LOSS, s->losses);
  ADD(TALLY_HIGH + CELL_WIN, s->wins);
  if (FLAT(BOXES) > 1)
    UNROLL for (int place = 0; place < TALLY_PRODUCTS + 7; place++)
      if (b->paired[place]) ADD(paired_place(flat) + place, b->paired[place]);
  if (!FLAT(BANK)) return;
  ADD(TALLY_BANK_ROUNDS, s->bank_rounds);
  ADD(TALLY_BANK_DRY, s->bank_dry);
  for (int place = 0; place < TALLY_PRODUCTS; place++)
    if (b->alone[place]) ADD(banked_place(flat) - TALLY_PRODUCTS + place, b->alone[place]);
}
