/* The kernel for a device: one thread plays one table. THREADS, LEAST_BLOCKS and the numbers
   SHARED_... are those of the launch. */

extern "C" __global__ void __launch_bounds__(THREADS, LEAST_BLOCKS)
play(const i64 *__restrict__ flat, u64 seed, u64 first_chunk, i64 rounds, i64 chunk_rounds, i64 *out) {
  extern __shared__ u32 shared[];
  u32 *counts = shared;
  u32 *table_nets = shared + SHARED_INDEXES + SHARED_NETS, *room = table_nets + SHARED_TABLE;
  u32 mine = kept(room + threadIdx.x, 4 * threadIdx.x);
  u32 *words = (u32 *)((unsigned char *)room + mine);
  unsigned char *decks = (unsigned char *)(room + AHEAD * THREADS);
  i64 tables = (chunk_rounds + FLAT(TABLE_ROUNDS) - 1) / FLAT(TABLE_ROUNDS);
  i64 number = (i64)blockIdx.x * THREADS + threadIdx.x, chunk = number / tables, table = number % tables;
  i64 done = chunk * chunk_rounds + table * FLAT(TABLE_ROUNDS);
  i64 wanted = least(least(FLAT(TABLE_ROUNDS), chunk_rounds - table * FLAT(TABLE_ROUNDS)), rounds - done);
  for (int index = threadIdx.x; index < SHARED_INDEXES + SHARED_NETS; index += THREADS) counts[index] = 0;
  for (int place = threadIdx.x; place < SHARED_TABLE; place += THREADS) {
    i64 at = flat[AT_KIND + place / FLAT(INDEXES)] * FLAT(INDEXES) + place % FLAT(INDEXES);
    table_nets[place] = (u32)(flat[FLAT(NET_AT) + 7 * FLAT(INDEXES) + at] ? flat[FLAT(NET_AT) + at] : UNSETTLED);
  }
  __syncthreads();
  if (wanted > 0)
    play_rounds(flat, seed, first_chunk + (u64)chunk, (int)table, (int)wanted, words, decks, mine, out, counts);
  __syncthreads();
  for (int index = threadIdx.x; index < SHARED_INDEXES; index += THREADS)
    if (counts[index]) ADD(TALLY_HIGH + index, counts[index]);
#if SHARED_NETS
  for (int index = threadIdx.x; index < SHARED_NETS; index += THREADS) {
    i64 kind = flat[AT_KIND + index / FLAT(NET_BINS)], number = counts[SHARED_INDEXES + index];
    if (number) ADD(bank_place(flat) + kind * FLAT(NET_BINS) + index % FLAT(NET_BINS), number);
  }
#endif
}
