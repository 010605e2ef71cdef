// The yardstick of bench/sim_gpu.py: one box with initial and tie wager in plain CUDA C++, one thread for each table.
//
// The same words, draws and counts as the kernel's, and by the same steps, with the rules as arguments: a thread that needs
// a word of the reserve waits for the next block of words that all threads make. It is a program of its own: it plays a
// number of chunks several times over and prints the seconds of the best run, and the counts.

#include <cstdint>
#include <cstdio>
#include <cstdlib>

typedef unsigned long long Count;
constexpr int THREADS = 128;
constexpr uint32_t TABLE_ROUNDS = 1 << 12;
constexpr uint32_t CHUNK_TABLES = (1 << 20) / TABLE_ROUNDS;
constexpr int STEPS = 3;
constexpr uint32_t AHEAD = 8;
constexpr int ABOVE = 16;
enum { ROUNDS, SHOES, SHOE_ROUNDS, SHOE_ROUNDS_SQUARED, SHOE_CARDS, SHOE_CARDS_SQUARED, LOSS, WIN, CELL, COUNTS = CELL + 8 };
enum { FIRST_DEAL, NEW_SHOE, FIRST_DEAL_AGAIN, WAR_DEAL };

struct Rules {
  int size, cut, burns, step, opening;
  unsigned war_ranks, burn_value[13];
};

struct Pair {
  uint32_t one, two, last, low;
  int mine, theirs, lower, upper;
};

// Both words of a product: one instruction, which the compiler does not find by itself.
__device__ __forceinline__ uint32_t wide(uint32_t one, uint32_t two, uint32_t &lower) {
  uint32_t upper;
  asm("{ .reg .b64 both; mul.wide.u32 both, %2, %3; mov.b64 {%0, %1}, both; }" : "=r"(lower), "=r"(upper) : "r"(one), "r"(two));
  return upper;
}

// A number that the compiler shall keep in a register.
__device__ __forceinline__ uint32_t kept(uint32_t *room, uint32_t number) {
  *(volatile uint32_t *)room = number;
  return *(volatile uint32_t *)room;
}

__device__ __forceinline__ uint32_t pick(const uint32_t (&words)[4], uint32_t place) {
  uint32_t low = place & 1 ? words[1] : words[0], high = place & 1 ? words[3] : words[2];
  return place & 2 ? high : low;
}

// A table. `at` is the number of its round, and above it what it waits for; words are made ahead as far as `ahead`. A shoe is
// dealt until no more than `floor` cards are left in its pool, whose lower end card lies at `top`, the next one `down` below.
struct Table {
  const Rules &rules;
  uint32_t chunk0, chunk1, table, mine;
  uint32_t *words;
  uint8_t *decks;
  uint32_t pool, floor, top, down, begun, at, ahead, limit, taken_at, taken, reserve, sums[5];
  unsigned wins, ties, cell[4];
  uint32_t key[20];

  __device__ __forceinline__ uint32_t full() const { return rules.size - (rules.opening == 2); }
  __device__ __forceinline__ uint32_t number() const { return at & ((1u << ABOVE) - 1); }

  // The decks of a block lie side by side, so that no two threads meet in a bank of the shared memory.
  __device__ __forceinline__ uint32_t find_place(uint32_t place) const {
    return place * THREADS + mine - (place & 3) * (THREADS - 1);
  }

  __device__ __forceinline__ void make_block(uint32_t c0, uint32_t c1, uint32_t (&out)[4]) {
    uint32_t c2 = chunk0, c3 = chunk1;
#pragma unroll
    for (int step = 0; step < 10; step++) {
      uint32_t lower0, lower1, upper0 = wide(0xD2511F53u, c0, lower0), upper1 = wide(0xCD9E8D57u, c2, lower1);
      c0 = upper1 ^ c1 ^ key[2 * step], c1 = lower1;
      c2 = upper0 ^ c3 ^ key[2 * step + 1], c3 = lower0;
    }
    out[0] = c0, out[1] = c1, out[2] = c2, out[3] = c3;
  }

  __device__ __forceinline__ void open_shoe() {
    uint32_t burned = rules.opening != 0, last = find_place(rules.size - 1), least = full() - rules.cut;
    if (rules.opening == 2) {
      uint32_t low, size = rules.size, place = wide(reserve, size, low);
      if (low < (0u - size) % size) return;
      place = find_place(place);
      uint8_t rank = decks[place];
      decks[place] = decks[last], decks[last] = rank;
      burned += rules.burn_value[rank];
    }
    if (number()) {
      uint32_t rounds = number() - begun, cards = full() - pool + floor - least;
      sums[0]++, sums[1] += rounds, sums[2] += rounds * rounds, sums[3] += cards, sums[4] += cards * cards;
    }
    at = begun = number(), pool = full(), floor = least + burned;
    top = find_place(full() - 2), down = (full() - 2) & 2 ? 2 : 4 * THREADS - 2;
  }

  // A block of the reserve for a table that waits for one, and of words of first deals for the others.
  __device__ __forceinline__ void make_words() {
    if (rules.opening != 2 && at >> ABOVE == NEW_SHOE) open_shoe();
    bool waits = at >> ABOVE != FIRST_DEAL;
    uint32_t block[4], stream = table;
    if (taken_at != number()) taken = 0;
    if (waits) stream += ((taken >> 2) + 1) << 24;
    make_block(waits ? number() : ahead >> 2, stream, block);
    if (waits) {
      reserve = block[0];
      if (taken) reserve = pick(block, taken & 3);
      taken++, taken_at = number();
      if (at >> ABOVE == NEW_SHOE) open_shoe();
    } else if (ahead - number() <= AHEAD - 4) {
#pragma unroll
      for (int place = 0; place < 4; place++) words[((ahead & (AHEAD - 4)) + place) * THREADS] = block[place];
      ahead += 4, limit = min(ahead, TABLE_ROUNDS);
    }
  }

  // Two cards by a word, and whether it may be refused, as one of some ten thousand may. Nothing is changed.
  __device__ __forceinline__ bool find_two(uint32_t word, Pair &p) {
    uint32_t one = wide(word, pool, p.low), two = wide(p.low, pool - 1, p.low);
    p.one = find_place(one), p.two = find_place(two), p.last = full() & 1 ? top + 4 * THREADS - 1 - down : top + 1;
    p.mine = decks[p.one], p.theirs = decks[p.two], p.lower = decks[top], p.upper = decks[p.last];
    if (two == one) p.theirs = p.upper;
    if (p.one == top) p.lower = p.upper;
    return p.low < uint32_t(rules.size * rules.size);
  }

  __device__ __forceinline__ void swap_two(const Pair &p) {
    decks[p.last] = p.mine, decks[p.one] = p.upper, decks[top] = p.theirs, decks[p.two] = p.lower;
    pool -= 2, top -= down, down = 4 * THREADS - down;
  }

  __device__ __forceinline__ void end_round(uint32_t round) {
    at = round + 1;
    if (pool <= floor) at += NEW_SHOE << ABOVE;
  }

  __device__ __forceinline__ void count_first(uint32_t round, const Pair &p) {
    floor += rules.step - 2;
    wins += uint32_t(p.theirs - p.mine) >> 31;
    end_round(round);
    if (p.mine != p.theirs) return;
    ties++;
    if (rules.war_ranks >> p.mine & 1)
      at = round + (WAR_DEAL << ABOVE);
    else
      cell[0]++;
  }

  __device__ __forceinline__ void take_first_step() {
    uint32_t round = number(), pairs = pool * (pool - 1);
    bool waits = at >> ABOVE != FIRST_DEAL, is_war = at >> ABOVE == WAR_DEAL;
    Pair p;
    if (at >= limit && at < FIRST_DEAL_AGAIN << ABOVE) return;
    if (find_two(waits ? reserve : words[(round & (AHEAD - 1)) * THREADS], p) && p.low < (0u - pairs) % pairs) {
      if (!waits) at += FIRST_DEAL_AGAIN << ABOVE;
      return;
    }
    swap_two(p);
    if (is_war) {
      cell[1] += p.mine < p.theirs, cell[2] += p.mine > p.theirs, cell[3] += p.mine == p.theirs;
      floor += rules.burns;
      end_round(round);
    } else {
      count_first(round, p);
    }
  }

  __device__ __forceinline__ void take_step() {
    Pair p;
    bool is_doubtful = find_two(words[(at & (AHEAD - 1)) * THREADS], p);
    if (at >= limit || is_doubtful) return;
    swap_two(p);
    count_first(at, p);
  }
};

__global__ void __launch_bounds__(THREADS)
play(const __grid_constant__ Rules rules, uint64_t seed, uint64_t first_chunk, Count *counts) {
  extern __shared__ uint32_t shared[];
  unsigned number = blockIdx.x * THREADS + threadIdx.x;
  uint64_t chunk = first_chunk + number / CHUNK_TABLES;
  uint32_t mine = kept(shared + threadIdx.x, 4 * threadIdx.x);
  Table t = {rules, uint32_t(chunk), uint32_t(chunk >> 32), number % CHUNK_TABLES, mine,
             (uint32_t *)((uint8_t *)shared + mine), (uint8_t *)(shared + AHEAD * THREADS), 2};
#pragma unroll
  for (uint32_t step = 0; step < 10; step++) {
    t.key[2 * step] = kept(t.words, uint32_t(seed) + step * 0x9E3779B9u);
    t.key[2 * step + 1] = kept(t.words, uint32_t(seed >> 32) + step * 0xBB67AE85u);
  }
  t.top = mine;
  t.at = NEW_SHOE << ABOVE;
  for (int place = 0; place < rules.size; place++) t.decks[t.find_place(place)] = place % 52 >> 2;
  while (t.number() < TABLE_ROUNDS) {
    t.make_words();
    t.take_first_step();
#pragma unroll
    for (int step = 1; step < STEPS; step++) t.take_step();
  }
  atomicAdd(counts + ROUNDS, Count(TABLE_ROUNDS));
  for (int place = 0; place < 5; place++) atomicAdd(counts + SHOES + place, Count(t.sums[place]));
  atomicAdd(counts + WIN, Count(t.wins));
  atomicAdd(counts + LOSS, Count(TABLE_ROUNDS - t.wins - t.ties));
  atomicAdd(counts + CELL, Count(t.cell[0])), atomicAdd(counts + CELL + 1, Count(t.cell[1]));
  atomicAdd(counts + CELL + 2, Count(t.cell[2])), atomicAdd(counts + CELL + 4, Count(t.cell[3]));
}

static void must(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "no GPU: %s\n", cudaGetErrorString(status));
  std::exit(1);
}

// Arguments: seed, first chunk, chunks, turns, then size, cut, burns, step, opening, ranks that go to war, 13 burn values.
int main(int count, char **told) {
  if (count != 24) return 2;
  uint64_t seed = std::strtoull(told[1], nullptr, 10), first = std::strtoull(told[2], nullptr, 10);
  int chunks = std::atoi(told[3]), turns = std::atoi(told[4]);
  Rules rules = {std::atoi(told[5]), std::atoi(told[6]), std::atoi(told[7]), std::atoi(told[8]), std::atoi(told[9]),
                 unsigned(std::atoi(told[10])), {}};
  for (int rank = 0; rank < 13; rank++) rules.burn_value[rank] = unsigned(std::atoi(told[11 + rank]));
  int shared = THREADS * (4 * AHEAD + (rules.size + 3) / 4 * 4);
  Count *counts, found[COUNTS];
  cudaEvent_t begin, end;
  float best = 1e30f;
  must(cudaMalloc(&counts, sizeof found));
  must(cudaEventCreate(&begin));
  must(cudaEventCreate(&end));
  for (int turn = 0; turn <= turns; turn++) {
    float elapsed;
    must(cudaMemset(counts, 0, sizeof found));
    must(cudaEventRecord(begin));
    play<<<chunks * CHUNK_TABLES / THREADS, THREADS, shared>>>(rules, seed, first, counts);
    must(cudaGetLastError());
    must(cudaEventRecord(end));
    must(cudaEventSynchronize(end));
    must(cudaEventElapsedTime(&elapsed, begin, end));
    if (turn && elapsed < best) best = elapsed;
  }
  must(cudaMemcpy(found, counts, sizeof found, cudaMemcpyDeviceToHost));
  std::printf("%.9f", best / 1e3);
  for (Count one : found) std::printf(" %llu", one);
  std::printf("\n");
  return 0;
}
