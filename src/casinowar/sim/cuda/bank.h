/* The player who banks, and what the stake pays and takes: player_bank.py in C. */

enum { PAYOFF_CAP = 1, REVOLVING, ACTION_CAP, COVERED };
enum { INITIAL_WIN, INITIAL_LOSS, INITIAL_WAR_WIN, INITIAL_WAR_TIE, INITIAL_WAR_LOSS, WAR_WIN, WAR_TIE, WAR_LOSS };
enum { TIE_WIN = 8, TIE_LOSS, WAR_TIE_WIN, WAR_TIE_LOSS, A_BOMB_WIN, A_BOMB_LOSS, PAIR, WAR_PAIR = 18, BEST = 24 };
enum { WAR_WAGER = 7, SURRENDER = -2 };

FUNCTION i64 least(i64 one, i64 two) { return one < two ? one : two; }
FUNCTION i64 most(i64 one, i64 two) { return one > two ? one : two; }

FUNCTION void pass_bank(const i64 *flat, Table *t) {
  if (t->bank_served >= FLAT(BANK_TURNS)) {
    int boxes = (int)FLAT(BOXES), step = FLAT(BANK_CCW) ? boxes - 1 : 1;
    t->banker = (t->banker + step) % boxes;
    t->bank_served = 0;
  }
}

FUNCTION int is_placed(const i64 *flat, int kind, int bits) {
  if (!flat[AT_AMOUNT + kind]) return 0;
  for (int row = 0; row < FLAT(COUNTED); row++)
    if (flat[AT_WORTH + 8 * row] == kind) return bits >> row & 1;
  return 1;
}

FUNCTION int pair_place(int one, int two) {
  int suits = (one ^ two) & 3;
  return one >> 2 != two >> 2 ? 3 : suits == 0 ? 2 : suits == 3 ? 1 : 0;
}

FUNCTION int first_situation(const i64 *flat, int kind, int card, int dealer) {
  int rank = card >> 2, other = dealer >> 2;
  if (kind == CELL_INITIAL) return rank == other ? -1 : rank > other ? INITIAL_WIN : INITIAL_LOSS;
  if (kind == CELL_TIE_WAGER) return rank == other ? TIE_WIN : TIE_LOSS;
  if (kind == CELL_A_BOMB) return rank == FLAT(ACE) ? A_BOMB_WIN : A_BOMB_LOSS;
  return PAIR + pair_place(card, dealer);
}

FUNCTION i64 forfeit(const i64 *flat, i64 amount) {
  i64 product = amount * FLAT(FORFEIT_NUMERATOR), lost = product / FLAT(FORFEIT_DENOMINATOR);
  return lost + (FLAT(ODD_UNIT_HOUSE) && product % FLAT(FORFEIT_DENOMINATOR) ? 1 : 0);
}

/* What odds pay. Most denominators are 1, and a device divides by many steps. */
FUNCTION i64 pay(i64 amount, i64 odds, i64 denominator) {
  return denominator == 1 ? amount * odds : amount * odds / denominator;
}

FUNCTION i64 settle_covered(const i64 *flat, Table *t, int kind, i64 odds, i64 denominator, i64 amount) {
  i64 left = t->bank_left, due = odds > 0 ? pay(amount, odds, denominator) : 0, paid = least(due, left), part = amount;
  if (odds == -1) {
    i64 best = flat[AT_ODDS + 2 * (BEST + kind)], reach = (left + 1) * flat[AT_ODDS + 2 * (BEST + kind) + 1] - 1;
    if (best > 0 && reach < amount * best) part = reach / best;
  } else if (paid < due) {
    part = least(amount, (paid * denominator + odds - 1) / odds);
  }
  if (part < amount || paid < due || left == 0) t->bank_short = 1;
  if (left == 0 || part == 0) return 0;
  t->bank_left = left - paid;
  if (odds == SURRENDER) return -forfeit(flat, amount);
  return odds == -1 ? -part : paid;
}

FUNCTION i64 settle_capped(const i64 *flat, Table *t, i64 odds, i64 denominator, i64 amount, i64 match, int is_in_war) {
  i64 model = FLAT(BANK), left = t->bank_left, taken;
  if (left == 0 && !is_in_war && !(odds == -1 && FLAT(COLLECTS_LOSERS) && model != ACTION_CAP)) {
    t->bank_short = 1;
    return 0;
  }
  if (odds > 0) {
    i64 due = pay(amount, odds, denominator), paid = least(due, match + left);
    if (paid < due) t->bank_short = 1;
    t->bank_left = left - most(0, paid - match);
    return paid;
  }
  taken = odds == -1 ? amount : odds == SURRENDER ? forfeit(flat, amount) : 0;
  if (model == ACTION_CAP && !is_in_war) {
    if (taken > left) t->bank_short = 1;
    taken = least(taken, left);
    left -= taken;
  } else if (model == REVOLVING) {
    left += taken;
  }
  if (match && model != ACTION_CAP) left += match;
  t->bank_left = left;
  return -taken;
}

FUNCTION i64 settle_one(const i64 *flat, Table *t, int kind, int situation, i64 amount, i64 match, int is_in_war) {
  i64 odds = situation < 0 ? SURRENDER : flat[AT_ODDS + 2 * situation];
  i64 denominator = situation < 0 ? 1 : flat[AT_ODDS + 2 * situation + 1];
  if (FLAT(BANK) == COVERED && !is_in_war) return settle_covered(flat, t, kind, odds, denominator, amount);
  return settle_capped(flat, t, odds, denominator, amount, match, is_in_war);
}

FUNCTION void settle_pass(const i64 *flat, Table *t, Boxes *b, i64 form, int sweep) {
  int boxes = (int)FLAT(BOXES), dealer = b->first[boxes];
  for (int step = 0; step < boxes; step++) {
    int box = form & 1 ? boxes - 1 - step : step;
    if (box == t->banker) continue;
    for (int count = 0; count < (form >> 2 & 15); count++) {
      int kind = (int)(form >> (8 + 3 * count) & 7), situation;
      if (!is_placed(flat, kind, t->bits)) continue;
      situation = first_situation(flat, kind, b->first[box], dealer);
      if (situation < 0) continue;
      if (sweep == 0 || (sweep == 1) == (flat[AT_ODDS + 2 * situation] == -1))
        b->net[8 * box + kind] = settle_one(flat, t, kind, situation, flat[AT_AMOUNT + kind], 0, 0);
    }
  }
}

FUNCTION void cut_to_match(const i64 *flat, Table *t, Boxes *b, int box) {
  i64 reach = ((t->bank_left + 1) * FLAT(STAKE_DENOMINATOR) - 1) / FLAT(STAKE_NUMERATOR);
  i64 amount = least(b->stake[box], reach);
  if (amount < b->stake[box]) t->bank_short = 1;
  if (amount == 0)
    b->fate[box] = RETURNED;
  else
    b->stake[box] = amount;
}

FUNCTION int is_waiting(const Boxes *b, int box, int answered) {
  return (b->fate[box] == AT_WAR || b->fate[box] == SURRENDERED) && !(answered >> box & 1);
}

FUNCTION void offer_wars(const i64 *flat, Table *t, Boxes *b) {
  int boxes = (int)FLAT(BOXES), is_turn = 1;
  for (int step = 0; step < boxes; step++) {
    int box = FLAT(ASKS_RIGHT) ? boxes - 1 - step : step;
    if (!is_waiting(b, box, 0)) continue;
    if (t->bank_left == 0) {
      b->fate[box] = RETURNED;
      t->bank_short = 1;
    } else if (FLAT(BANK) == COVERED && (is_turn || FLAT(ASKS_ANY))) {
      cut_to_match(flat, t, b, box);
    }
    is_turn = is_turn && b->fate[box] == RETURNED;
  }
}

FUNCTION void return_unmatched(const i64 *flat, Table *t, Boxes *b, int answered) {
  int boxes = (int)FLAT(BOXES);
  for (int step = 0; step < boxes; step++) {
    int box = FLAT(ASKS_RIGHT) ? boxes - 1 - step : step;
    if (!is_waiting(b, box, answered)) continue;
    if (t->bank_left == 0) {
      b->fate[box] = RETURNED;
      t->bank_short = 1;
    } else if (FLAT(BANK) != COVERED) {
      return;
    } else {
      cut_to_match(flat, t, b, box);
      if (!FLAT(ASKS_ANY) && b->fate[box] != RETURNED) return;
    }
  }
}

FUNCTION void choose_wars(const i64 *flat, Table *t, Boxes *b) {
  int boxes = (int)FLAT(BOXES), answered = 0;
  t->wars = 0;
  for (int step = 0; step < boxes; step++) {
    int box = FLAT(ASKS_RIGHT) ? boxes - 1 - step : step;
    i64 amount;
    if (!is_waiting(b, box, answered)) continue;
    answered |= 1 << box;
    amount = b->stake[box] * FLAT(STAKE_NUMERATOR) / FLAT(STAKE_DENOMINATOR);
    if (b->fate[box] == SURRENDERED || amount == 0) {
      b->fate[box] = SURRENDERED;
      b->net[8 * box] = settle_one(flat, t, CELL_INITIAL, -1, b->stake[box], 0, 0);
    } else {
      if (amount > t->bank_left) {
        t->bank_short = 1;
        amount = b->stake[box] = b->match[box] = t->bank_left;
      } else {
        b->match[box] = FLAT(MATCHES) ? amount : 0;
      }
      b->war[box] = amount;
      t->bank_left -= b->match[box];
      t->wars++;
    }
    return_unmatched(flat, t, b, answered);
  }
}

FUNCTION void settle_first_deal(const i64 *flat, Table *t, Boxes *b) {
  t->bank_left = FLAT(BANK_STAKE);
  t->bank_short = 0;
  for (int place = 0; place < 8 * MOST_BOXES; place++) b->net[place] = 0;
  for (int box = 0; box < FLAT(BOXES); box++) {
    b->stake[box] = flat[AT_AMOUNT + CELL_INITIAL];
    b->war[box] = b->match[box] = 0;
  }
  for (int count = 0; count < flat[AT_PASS]; count++) {
    i64 form = flat[AT_PASS + 1 + count];
    if (form & 2) {
      settle_pass(flat, t, b, form, 1);
      settle_pass(flat, t, b, form, 2);
    } else {
      settle_pass(flat, t, b, form, 0);
    }
  }
  if (t->wars) {
    offer_wars(flat, t, b);
    choose_wars(flat, t, b);
  }
}

FUNCTION void settle_war_deal(const i64 *flat, Table *t, Boxes *b) {
  int boxes = (int)FLAT(BOXES), dealer = b->second[boxes];
  for (int step = 0; step < boxes; step++) {
    int box = FLAT(SETTLES_WAR_RIGHT) ? boxes - 1 - step : step, card, place;
    i64 *net = b->net + 8 * box, match = b->match[box];
    if (b->fate[box] != AT_WAR) continue;
    card = b->second[box];
    place = card >> 2 > dealer >> 2 ? 0 : card >> 2 == dealer >> 2 ? 1 : 2;
    net[CELL_INITIAL] = settle_one(flat, t, CELL_INITIAL, INITIAL_WAR_WIN + place, b->stake[box], 0, 1);
    net[CELL_INITIAL] += settle_one(flat, t, WAR_WAGER, WAR_WIN + place, b->war[box], match, match > 0);
    if (is_placed(flat, CELL_WAR_TIE_WAGER, t->bits)) {
      int situation = place == 1 ? WAR_TIE_WIN : WAR_TIE_LOSS;
      i64 amount = flat[AT_AMOUNT + CELL_WAR_TIE_WAGER];
      net[CELL_WAR_TIE_WAGER] = settle_one(flat, t, CELL_WAR_TIE_WAGER, situation, amount, 0, 0);
    }
    if (is_placed(flat, CELL_WAR_PAIRS, t->bits)) {
      int situation = WAR_PAIR + pair_place(card, dealer);
      net[CELL_WAR_PAIRS] = settle_one(flat, t, CELL_WAR_PAIRS, situation, flat[AT_AMOUNT + CELL_WAR_PAIRS], 0, 0);
    }
  }
}
