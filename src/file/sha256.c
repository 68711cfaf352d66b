/* SHA-256. The constants are what the standard says they are, the fractional parts of the square roots and
 * cube roots of the first primes, 32 bits each. */
#include "file/sha256.h"
#include "base/text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const uint32_t round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotated(uint32_t x, int by) { return x >> by | x << (32 - by); }

ct_sha256 ct_sha256_start(void) {
  return (ct_sha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c,
                               0x1f83d9ab, 0x5be0cd19}};
}

/* Equations of section 6.2.2, with the standard's letters. */
static void mix_block(uint32_t state[8], const uint8_t *block) {
  uint32_t w[64], v[8];
  for (int t = 0; t < 16; t++)
    w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 | (uint32_t)block[4 * t + 2] << 8 |
           block[4 * t + 3];
  for (int t = 16; t < 64; t++) {
    uint32_t s0 = rotated(w[t - 15], 7) ^ rotated(w[t - 15], 18) ^ w[t - 15] >> 3;
    uint32_t s1 = rotated(w[t - 2], 17) ^ rotated(w[t - 2], 19) ^ w[t - 2] >> 10;
    w[t] = w[t - 16] + s0 + w[t - 7] + s1;
  }
  memcpy(v, state, sizeof v);
  for (int t = 0; t < 64; t++) {
    uint32_t a = v[0], e = v[4];
    uint32_t t1 = v[7] + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + ((e & v[5]) ^ (~e & v[6])) +
                  round_constants[t] + w[t];
    uint32_t t2 =
        (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
    memmove(v + 1, v, 7 * sizeof *v);
    v[4] += t1;
    v[0] = t1 + t2;
  }
  for (int i = 0; i < 8; i++)
    state[i] += v[i];
}

void ct_sha256_add(ct_sha256 *h, const void *bytes, size_t count) {
  const uint8_t *from = bytes;
  while (count) {
    size_t filled = h->length % sizeof h->block, room = sizeof h->block - filled;
    size_t taken = count < room ? count : room;
    memcpy(h->block + filled, from, taken);
    h->length += taken;
    from += taken;
    count -= taken;
    if (taken == room)
      mix_block(h->state, h->block);
  }
}

void ct_sha256_end(ct_sha256 *h, uint8_t digest[CT_SHA256_BYTES]) {
  static const uint8_t padding[64] = {0x80};
  uint64_t bits = h->length * 8;
  uint8_t length[8];
  for (int i = 0; i < 8; i++)
    length[i] = (uint8_t)(bits >> (56 - 8 * i));
  size_t filled = h->length % 64;
  ct_sha256_add(h, padding, filled < 56 ? 56 - filled : 120 - filled);
  ct_sha256_add(h, length, sizeof length);
  for (int i = 0; i < CT_SHA256_BYTES; i++)
    digest[i] = (uint8_t)(h->state[i / 4] >> (24 - 8 * (i % 4)));
}

void ct_sha256_print(const uint8_t digest[CT_SHA256_BYTES], char text[CT_SHA256_TEXT]) {
  for (int i = 0; i < CT_SHA256_BYTES; i++)
    snprintf(text + 2 * i, 3, "%02x", digest[i]);
}

ct_result ct_sha256_file(const char *file, uint8_t digest[CT_SHA256_BYTES], uint64_t *bytes,
                         ct_error *error) {
  char chunk[1 << 14];
  size_t got;
  FILE *in = fopen(file, "rb");
  if (!in)
    return ct_fail(error, CT_BAD_FILE, "%.200s: %s", file, strerror(errno));
  ct_sha256 hash = ct_sha256_start();
  while ((got = fread(chunk, 1, sizeof chunk, in)) > 0)
    ct_sha256_add(&hash, chunk, got);
  bool failed = ferror(in) != 0;
  fclose(in);
  if (failed)
    return ct_fail(error, CT_BAD_FILE, "%.200s: cannot be read", file);
  if (bytes)
    *bytes = hash.length;
  ct_sha256_end(&hash, digest);
  return CT_OK;
}
