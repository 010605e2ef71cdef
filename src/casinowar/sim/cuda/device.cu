/* The kernel for a device: one thread plays one table. THREADS and SHARED_INDEXES are numbers of the launch. */

extern "C" __global__ void __launch_bounds__(THREADS)
play(const i64 *__restrict__ flat, u64 seed, u64 first_chunk, i64 rounds, i64 chunk_rounds, i64 *out) {
  extern __shared__ u32 shared[];
  u32 *counts = shared;
  unsigned char *deck = (unsigned char *)(shared + SHARED_INDEXES + threadIdx.x);
  i64 tables = (chunk_rounds + FLAT(TABLE_ROUNDS) - 1) / FLAT(TABLE_ROUNDS);
  i64 number = (i64)blockIdx.x * THREADS + threadIdx.x, chunk = number / tables, table = number % tables;
  i64 done = chunk * chunk_rounds + table * FLAT(TABLE_ROUNDS);
  i64 wanted = least(least(FLAT(TABLE_ROUNDS), chunk_rounds - table * FLAT(TABLE_ROUNDS)), rounds - done);
  for (int index = threadIdx.x; index < SHARED_INDEXES; index += THREADS) counts[index] = 0;
  __syncthreads();
  if (wanted > 0) play_table(flat, seed, first_chunk + (u64)chunk, (int)table, (int)wanted, deck, out, counts);
  __syncthreads();
  for (int index = threadIdx.x; index < SHARED_INDEXES; index += THREADS)
    if (counts[index]) ADD(TALLY_HIGH + index, counts[index]);
}
