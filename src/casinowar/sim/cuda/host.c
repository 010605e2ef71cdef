/* The kernel for the host, so that it is held to the same counts where there is no device. */

#include <stdlib.h>

/* Play so many rounds of a chunk; 0 where all is well. */
int play_chunk(const i64 *flat, u64 seed, u64 chunk, i64 rounds, i64 *out) {
  unsigned char *deck;
  u32 words[AHEAD];
  if (flat[AT_FORMAT] != FORMAT_NUMBER) return 1;
  if (!(deck = malloc((size_t)flat[AT_SIZE]))) return 2;
  for (i64 done = 0, table = 0; done < rounds; table++) {
    i64 wanted = least(FLAT(TABLE_ROUNDS), rounds - done);
    play_rounds(flat, seed, chunk, (int)table, (int)wanted, words, deck, 0, out, 0);
    done += wanted;
  }
  free(deck);
  return 0;
}
