// The yardstick of bench/sim_gpu.py: one box with initial and tie wager in plain CUDA C++, one thread for each table.
//
// The same words, draws and counts as the kernel's, with the rules as arguments. It is a program of its own: it plays
// a number of chunks several times over and prints the seconds of the best run, and the counts.

#include <cstdint>
#include <cstdio>
#include <cstdlib>

typedef unsigned long long Count;
constexpr int THREADS = 128;
constexpr int TABLE_ROUNDS = 1 << 12;
constexpr int CHUNK_TABLES = (1 << 20) / TABLE_ROUNDS;
enum { ROUNDS, SHOES, SHOE_ROUNDS, SHOE_ROUNDS_SQUARED, SHOE_CARDS, SHOE_CARDS_SQUARED, LOSS, WIN, CELL, COUNTS = CELL + 8 };

struct Rules {
  int size, cut, burns, step, opening;
  unsigned war_ranks, burn_value[13];
};

struct Stream {
  uint32_t key0, key1, chunk0, chunk1, table;
};

__device__ __forceinline__ void make_block(const Stream &s, uint32_t c0, uint32_t c1, uint32_t (&out)[4]) {
  uint32_t c2 = s.chunk0, c3 = s.chunk1, k0 = s.key0, k1 = s.key1;
#pragma unroll
  for (int step = 0; step < 10; step++) {
    uint32_t h0 = __umulhi(0xD2511F53u, c0), l0 = 0xD2511F53u * c0, h1 = __umulhi(0xCD9E8D57u, c2), l1 = 0xCD9E8D57u * c2;
    c0 = h1 ^ c1 ^ k0, c1 = l1, c2 = h0 ^ c3 ^ k1, c3 = l0;
    k0 += 0x9E3779B9u, k1 += 0xBB67AE85u;
  }
  out[0] = c0, out[1] = c1, out[2] = c2, out[3] = c3;
}

__device__ __forceinline__ uint32_t pick(const uint32_t (&words)[4], int place) {
  uint32_t low = place & 1 ? words[1] : words[0], high = place & 1 ? words[3] : words[2];
  return place & 2 ? high : low;
}

__device__ __forceinline__ uint32_t reserve_word(const Stream &s, int number, int &taken) {
  uint32_t words[4];
  make_block(s, number, s.table + (uint32_t(taken / 4 + 1) << 24), words);
  return pick(words, taken++ & 3);
}

// The decks of a block lie side by side, so that no two threads meet in a bank of the shared memory.
__device__ __forceinline__ uint8_t &card(uint8_t *deck, uint32_t place) { return deck[(place >> 2) * 4 * THREADS + (place & 3)]; }

__device__ __forceinline__ void draw_two(const Stream &s, uint8_t *deck, uint32_t pool, uint32_t word, int number,
                                         int &taken, int &mine, int &theirs) {
  uint32_t pairs = pool * (pool - 1), one, two, low;
  for (;;) {
    one = __umulhi(word, pool);
    low = word * pool;
    two = __umulhi(low, pool - 1);
    low *= pool - 1;
    if (low >= pairs || low >= (0u - pairs) % pairs) break;
    word = reserve_word(s, number, taken);
  }
  mine = card(deck, one), card(deck, one) = card(deck, pool - 1), card(deck, pool - 1) = mine;
  theirs = card(deck, two), card(deck, two) = card(deck, pool - 2), card(deck, pool - 2) = theirs;
}

__device__ int open_shoe(const Rules &r, const Stream &s, uint8_t *deck, int number, int &taken) {
  if (r.opening < 2) return r.opening;
  uint32_t size = r.size, word;
  do word = reserve_word(s, number, taken);
  while (word * size < (0u - size) % size);
  uint32_t place = __umulhi(word, size);
  uint8_t rank = card(deck, place);
  card(deck, place) = card(deck, size - 1), card(deck, size - 1) = rank;
  return 1 + r.burn_value[rank];
}

__global__ void __launch_bounds__(THREADS) play(Rules r, uint64_t seed, uint64_t first_chunk, Count *counts) {
  extern __shared__ uint32_t shared[];
  uint8_t *deck = (uint8_t *)(shared + threadIdx.x);
  unsigned table = blockIdx.x * THREADS + threadIdx.x;
  uint64_t chunk = first_chunk + table / CHUNK_TABLES;
  Stream s = {uint32_t(seed), uint32_t(seed >> 32), uint32_t(chunk), uint32_t(chunk >> 32), table % CHUNK_TABLES};
  uint32_t words[4] = {0, 0, 0, 0}, full = r.size - (r.opening == 2), pool = full;
  int position = r.cut, rounds = 0;
  Count sums[5] = {0, 0, 0, 0, 0};
  unsigned wins = 0, ties = 0, cell[4] = {0, 0, 0, 0};
  for (int place = 0; place < r.size; place++) card(deck, place) = place % 52 >> 2;
  for (int number = 0; number < TABLE_ROUNDS; number++) {
    int taken = 0, mine, theirs;
    if (position >= r.cut) {
      if (number) {
        sums[0]++, sums[1] += rounds, sums[2] += rounds * rounds;
        sums[3] += position, sums[4] += position * position;
      }
      position = open_shoe(r, s, deck, number, taken);
      pool = full, rounds = 0;
    }
    rounds++;
    if ((number & 3) == 0) make_block(s, number >> 2, s.table, words);
    draw_two(s, deck, pool, pick(words, number & 3), number, taken, mine, theirs);
    pool -= 2, position += r.step;
    wins += mine > theirs;
    if (mine == theirs) {
      ties++;
      if (r.war_ranks >> mine & 1) {
        draw_two(s, deck, pool, reserve_word(s, number, taken), number, taken, mine, theirs);
        cell[1] += mine < theirs, cell[2] += mine > theirs, cell[3] += mine == theirs;
        pool -= 2, position += r.burns + 2;
      } else {
        cell[0]++;
      }
    }
  }
  atomicAdd(counts + ROUNDS, Count(TABLE_ROUNDS));
  for (int place = 0; place < 5; place++) atomicAdd(counts + SHOES + place, sums[place]);
  atomicAdd(counts + WIN, Count(wins));
  atomicAdd(counts + LOSS, Count(TABLE_ROUNDS - wins - ties));
  atomicAdd(counts + CELL, Count(cell[0])), atomicAdd(counts + CELL + 1, Count(cell[1]));
  atomicAdd(counts + CELL + 2, Count(cell[2])), atomicAdd(counts + CELL + 4, Count(cell[3]));
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
  int shared = THREADS * ((rules.size + 3) / 4 * 4);
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
