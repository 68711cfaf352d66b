/* What the machine can do: clock, name, and the most multiply-adds per second, from independent chains long
 * enough to hide the latency of one. */
#include "hosts/cli/bench.h"
#include "body/bank.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

double bench_now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

void bench_cpu_name(char *name, size_t room) {
  char line[256];
  FILE *in = fopen("/proc/cpuinfo", "r");
  snprintf(name, room, "unknown processor");
  while (in && fgets(line, sizeof line, in)) {
    char *colon = strchr(line, ':');
    if (strncmp(line, "model name", 10) != 0 || !colon)
      continue;
    line[strcspn(line, "\n")] = 0;
    snprintf(name, room, "%s", colon + 2);
    break;
  }
  if (in)
    fclose(in);
}

/* ---- multiply-adds ---- */

enum { TURNS = 20000, CHAINS = 12, PLAIN_LANES = 32 };

/* Twelve chains of four lanes: more than latency (4 or 5) times two units, fewer than the registers. */
#if defined(__x86_64__)
__attribute__((target("avx2,fma"), noinline)) static double chains_fma(double seed) {
  __m256d sums[CHAINS], factor = _mm256_set1_pd(0.999), term = _mm256_set1_pd(1e-3);
  for (int k = 0; k < CHAINS; k++)
    sums[k] = _mm256_set1_pd(seed + k);
  for (int turn = 0; turn < TURNS; turn++)
    for (int k = 0; k < CHAINS; k++)
      sums[k] = _mm256_fmadd_pd(sums[k], factor, term);
  double total = 0;
  for (int k = 0; k < CHAINS; k++)
    total += sums[k][0] + sums[k][1] + sums[k][2] + sums[k][3];
  return total;
}
#endif

__attribute__((noinline)) static double chains_plain(double seed) {
  double sums[PLAIN_LANES], total = 0;
  for (int k = 0; k < PLAIN_LANES; k++)
    sums[k] = seed + k;
  for (int turn = 0; turn < TURNS; turn++)
    for (int k = 0; k < PLAIN_LANES; k++)
#if defined(__FP_FAST_FMA)
      sums[k] = __builtin_fma(sums[k], 0.999, 1e-3);
#else
      sums[k] = sums[k] * 0.999 + 1e-3;
#endif
  for (int k = 0; k < PLAIN_LANES; k++)
    total += sums[k];
  return total;
}

static double fastest(double (*chains)(double), double operations) {
  double best = 0;
  volatile double sink = 0;
  for (int round = 0; round < 40; round++) {
    double start = bench_now_ns();
    sink = chains(sink * 1e-9);
    double gflops = operations * TURNS / (bench_now_ns() - start);
    best = gflops > best ? gflops : best;
  }
  return best;
}

double bench_peak_gflops(const char **with) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    *with = "AVX2 FMA, double";
    return fastest(chains_fma, CHAINS * 4 * 2);
  }
#endif
  *with = "baseline instructions, double";
  return fastest(chains_plain, PLAIN_LANES * 2);
}

/* ---- instruction sets ---- */

/* What __builtin_cpu_supports() reads, filled in before main(): the compiler's own table of what the
 * processor can do. With no features in it the engine picks the kernels that run everywhere. */
#if defined(__x86_64__)
extern struct { unsigned int vendor, type, subtype, features[1]; } __cpu_model;

void bench_be_portable(void) {
  __builtin_cpu_init();
  __cpu_model.features[0] = 0;
}
#else
void bench_be_portable(void) {}
#endif

const char *bench_instruction_set(void) { return ct_bank_choose()->name; }
