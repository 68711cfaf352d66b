/* The bank's loops, included by one .c file per instruction set (the only difference is how it is compiled).
 *
 *   dx = a12 v - jj x + ii a;  dv = b22 v - kk x + a12 a;  free(next) = sum gain (a12' v - jj' x)
 *
 * GCC/Clang vector extensions lower to two SSE2 or NEON or WASM registers where there is no wider one. */
#include "base/inline.h"
#include "body/bank.h"

#include <stdbool.h>
#include <string.h>
#ifdef __FMA__
#include <immintrin.h>
#endif

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi" /* all inlined: no vector crosses a call */
#endif

typedef double lanes4 __attribute__((vector_size(32)));

static inline lanes4 load4(const double *p) {
  lanes4 r;
  memcpy(&r, p, sizeof r);
  return r;
}

static inline void store4(double *p, lanes4 r) { memcpy(p, &r, sizeof r); }

static inline lanes4 all4(double v) { return (lanes4){v, v, v, v}; }

/* a b - c d. Which of the two products is rounded is not left to the compiler, so that all loops make the
 * same numbers of it. */
static inline lanes4 cross4(lanes4 a, lanes4 b, lanes4 c, lanes4 d) {
#ifdef __FMA__
  return (lanes4)_mm256_fmsub_pd((__m256d)a, (__m256d)b, (__m256d)(c * d));
#else
  return a * b - c * d;
#endif
}

/* a b + c, in the same way. */
static inline lanes4 onto4(lanes4 a, lanes4 b, lanes4 c) {
#ifdef __FMA__
  return (lanes4)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
#else
  return a * b + c;
#endif
}

/* Halves first: the machine adds two at once. */
static inline double sum4(lanes4 r) { return (r[0] + r[2]) + (r[1] + r[3]); }

/* Coefficients of one vector of modes, and its acceleration. */
typedef struct rule4 {
  lanes4 a12, jj, b22, kk, ii, a;
} rule4;

CT_INLINE rule4 load_rule4(const ct_bank *b, uint32_t i, unsigned forcing, double push_n) {
  rule4 r = {.a12 = load4(b->rule->a12 + i),
             .jj = load4(b->rule->jj + i),
             .b22 = load4(b->rule->b22 + i),
             .kk = load4(b->rule->kk + i)};
  if (!forcing)
    return r;
  r.ii = load4(b->rule->ii + i);
  r.a = forcing & CT_ACCELERATED ? load4(b->acceleration + i) : all4(0);
  if (forcing == CT_PUSHED)
    r.a = all4(push_n) * load4(b->push_gain_over_mass + i);
  else if (forcing & CT_PUSHED)
    r.a += all4(push_n) * load4(b->push_gain_over_mass + i);
  return r;
}

/* One vector of modes, one step. Increments are summed before they are added: one rounding at the size of x.
 */
CT_INLINE void step4(const rule4 *r, unsigned forcing, lanes4 *x, lanes4 *v) {
  lanes4 dx = cross4(r->a12, *v, r->jj, *x);
  lanes4 dv = cross4(r->b22, *v, r->kk, *x);
  if (forcing) {
    dx = onto4(r->ii, r->a, dx);
    dv = onto4(r->a12, r->a, dv);
  }
  *x += dx;
  *v += dv;
}

/* Which pass: sums wanted, forcing, and whether the next step is as long as this one. A constant wherever it
 * is used, so that sums live in registers, inner loops vanish and nothing is loaded twice. */
typedef struct pass_case {
  uint32_t frees, speeds;
  unsigned forcing;
  int same;
} pass_case;

/* The sums of a port that glides, over the modes so far. */
typedef struct glide4 {
  lanes4 slide, compliance;
} glide4;

/* One vector of modes; its gains. */
CT_INLINE lanes4 glide_on4(const ct_bank_glide *g, uint32_t lanes, uint32_t i, lanes4 ii, lanes4 x,
                           glide4 *sums) {
  const double *rows = g->rows + i;
  lanes4 back = all4(-(double)g->left), step = load4(rows + (size_t)CT_STEP * lanes);
  lanes4 gain = onto4(back, step, load4(rows + (size_t)CT_AIM * lanes)),
         over = onto4(back, load4(rows + (size_t)CT_STEP_OVER_MASS * lanes),
                      load4(rows + (size_t)CT_AIM_OVER_MASS * lanes));
  store4(g->gain + i, gain);
  store4(g->over_mass + i, over);
  sums->slide = onto4(step, x, sums->slide);
  sums->compliance = onto4(over * gain, ii, sums->compliance);
  return gain;
}

CT_INLINE double pass(const ct_bank *b, const ct_bank_sums *s, double push_n, uint32_t lanes, pass_case k,
                      ct_bank_glide *glide) {
  lanes4 free[CT_SUMS] = {all4(0), all4(0)}, speed[CT_SUMS] = {all4(0), all4(0)};
  glide4 glided = {all4(0), all4(0)};
  for (uint32_t i = 0; i < lanes; i += 4) {
    lanes4 x = load4(b->x + i), v = load4(b->v + i);
    rule4 r = {0};
    if (k.forcing != CT_STILL) {
      r = load_rule4(b, i, k.forcing, push_n);
      step4(&r, k.forcing, &x, &v);
      store4(b->x + i, x);
      store4(b->v + i, v);
    }
    lanes4 gain = all4(0);
    if (glide)
      gain = glide_on4(glide, lanes, i, load4(b->rule->ii + i), x, &glided);
    for (uint32_t p = 0; p < k.speeds; p++)
      speed[p] = onto4(load4(s->v_gain[p] + i), v, speed[p]);
    if (k.frees == 0)
      continue;
    lanes4 alone =
        k.same ? cross4(r.a12, v, r.jj, x) : cross4(load4(b->next->a12 + i), v, load4(b->next->jj + i), x);
    for (uint32_t p = 0; p < k.frees; p++)
      free[p] = onto4(glide ? gain : load4(s->free_gain[p] + i), alone, free[p]);
  }
  if (glide) {
    glide->slide_m = sum4(glided.slide);
    glide->compliance_m_n = sum4(glided.compliance);
  }
  for (uint32_t p = 0; p < k.speeds; p++)
    *s->v_to[p] = sum4(speed[p]);
  double first = 0;
  for (uint32_t p = 0; p < k.frees; p++) {
    double sum = sum4(free[p]);
    *s->free_to[p] = sum;
    first = p == 0 ? sum : first;
  }
  return first;
}

/* Many modes: from copies, because a store to x might else be one to a pointer, for all the compiler knows.
 */
CT_INLINE double long_pass(const ct_bank *bank, const ct_bank_sums *sums, double push_n, pass_case k) {
  ct_bank b = *bank;
  const ct_bank_sums s = *sums;
  const ct_coefficients rule = k.forcing != CT_STILL ? *bank->rule : (ct_coefficients){0};
  const ct_coefficients next = k.frees && !k.same ? *bank->next : (ct_coefficients){0};
  b.rule = &rule;
  b.next = &next;
  return pass(&b, &s, push_n, b.lanes, k, NULL);
}

#define GLIDE_PASS(speeds, forcing)                                                                          \
  static double glide_pass_##speeds##forcing(const ct_bank *bank, const ct_bank_sums *sums, double push_n,   \
                                             ct_bank_glide *glide) {                                         \
    ct_bank b = *bank;                                                                                       \
    const ct_bank_sums s = *sums;                                                                            \
    const ct_coefficients rule = *bank->rule;                                                                \
    ct_bank_glide g = *glide;                                                                                \
    b.rule = &rule;                                                                                          \
    double first = pass(&b, &s, push_n, b.lanes, (pass_case){1, speeds, forcing, 1}, &g);                    \
    glide->slide_m = g.slide_m;                                                                              \
    glide->compliance_m_n = g.compliance_m_n;                                                                \
    return first;                                                                                            \
  }
#define GLIDE_PASSES(speeds)                                                                                 \
  GLIDE_PASS(speeds, 0) GLIDE_PASS(speeds, 1) GLIDE_PASS(speeds, 2) GLIDE_PASS(speeds, 3)
GLIDE_PASSES(0)
GLIDE_PASSES(1)
GLIDE_PASSES(2)
#define GLIDE_ROW(speeds)                                                                                    \
  { glide_pass_##speeds##0, glide_pass_##speeds##1, glide_pass_##speeds##2, glide_pass_##speeds##3 }
#define GLIDE_TABLE                                                                                          \
  { GLIDE_ROW(0), GLIDE_ROW(1), GLIDE_ROW(2) }

/* One function per case, in a table; four modes or fewer are no loop. */
#define PASS(frees, speeds, forcing, same)                                                                   \
  CT_OUTLINE double long_pass_##frees##speeds##forcing##same(const ct_bank *b, const ct_bank_sums *s,        \
                                                             double push_n) {                                \
    return long_pass(b, s, push_n, (pass_case){frees, speeds, forcing, same});                               \
  }                                                                                                          \
  static double pass_##frees##speeds##forcing##same(const ct_bank *b, const ct_bank_sums *s,                 \
                                                    double push_n) {                                         \
    return b->lanes == CT_LANES                                                                              \
               ? pass(b, s, push_n, CT_LANES, (pass_case){frees, speeds, forcing, same}, NULL)               \
               : long_pass_##frees##speeds##forcing##same(b, s, push_n);                                     \
  }
#define PASSES(frees, speeds)                                                                                \
  PASS(frees, speeds, 0, 0)                                                                                  \
  PASS(frees, speeds, 0, 1)                                                                                  \
  PASS(frees, speeds, 1, 0)                                                                                  \
  PASS(frees, speeds, 1, 1)                                                                                  \
  PASS(frees, speeds, 2, 0)                                                                                  \
  PASS(frees, speeds, 2, 1)                                                                                  \
  PASS(frees, speeds, 3, 0)                                                                                  \
  PASS(frees, speeds, 3, 1)                                                                                  \
  PASS(frees, speeds, 4, 0)
PASSES(0, 0)
PASSES(0, 1)
PASSES(0, 2)
PASSES(1, 0)
PASSES(1, 1)
PASSES(1, 2)
PASSES(2, 0)
PASSES(2, 1)
PASSES(2, 2)

#define PAIR(name)                                                                                           \
  { name##0, name##1 }
#define TABLED(frees, speeds)                                                                                \
  {                                                                                                          \
    PAIR(pass_##frees##speeds##0), PAIR(pass_##frees##speeds##1), PAIR(pass_##frees##speeds##2),             \
        PAIR(pass_##frees##speeds##3), {                                                                     \
      pass_##frees##speeds##40, 0                                                                            \
    }                                                                                                        \
  }
#define PASS_TABLE                                                                                           \
  {                                                                                                          \
    {TABLED(0, 0), TABLED(0, 1), TABLED(0, 2)}, {TABLED(1, 0), TABLED(1, 1), TABLED(1, 2)}, {                \
      TABLED(2, 0), TABLED(2, 1), TABLED(2, 2)                                                               \
    }                                                                                                        \
  }

/* Several steps as long as one another, in which nothing but a steady acceleration acts: to the bit what so
 * many passes make of them. A vector of modes goes through all of them before the next one, in registers; one
 * step waits for the one before, so some vectors go abreast. */
#ifdef __AVX2__
enum { ABREAST = 4 };
#else
enum { ABREAST = 1 }; /* their numbers would not stay in registers */
#endif

CT_INLINE void coast_vectors(const ct_bank *b, const ct_bank_sums *s, uint32_t first, uint32_t vectors,
                             uint32_t count, pass_case k, lanes4 *free, lanes4 speed[][CT_TICK]) {
  lanes4 x[ABREAST], v[ABREAST];
  rule4 r[ABREAST];
  for (uint32_t i = 0; i < vectors; i++) {
    x[i] = load4(b->x + first + 4 * i);
    v[i] = load4(b->v + first + 4 * i);
    r[i] = load_rule4(b, first + 4 * i, k.forcing, 0);
  }
  for (uint32_t n = 0; n < count; n++)
    for (uint32_t i = 0; i < vectors; i++) {
      step4(&r[i], k.forcing, &x[i], &v[i]);
      for (uint32_t p = 0; p < k.speeds; p++)
        speed[p][n] = onto4(load4(s->v_gain[p] + first + 4 * i), v[i], speed[p][n]);
    }
  for (uint32_t i = 0; i < vectors; i++) {
    store4(b->x + first + 4 * i, x[i]);
    store4(b->v + first + 4 * i, v[i]);
    if (k.frees)
      *free = onto4(load4(s->free_gain[0] + first + 4 * i), cross4(r[i].a12, v[i], r[i].jj, x[i]), *free);
  }
}

/* `many`: there are enough vectors to go abreast. */
CT_INLINE void coast(const ct_bank *b, const ct_bank_sums *s, uint32_t count, double *const v_m_s[CT_SUMS],
                     pass_case k, bool many) {
  lanes4 free = all4(0), speed[CT_SUMS][CT_TICK];
  uint32_t i = 0;
  for (uint32_t p = 0; p < k.speeds; p++)
    for (uint32_t n = 0; n < count; n++)
      speed[p][n] = all4(0);
  for (; many && i + 4 * ABREAST <= b->lanes; i += 4 * ABREAST)
    coast_vectors(b, s, i, ABREAST, count, k, &free, speed);
  for (; i < b->lanes; i += 4)
    coast_vectors(b, s, i, 1, count, k, &free, speed);
  for (uint32_t p = 0; p < k.speeds; p++)
    for (uint32_t n = 0; n < count; n++)
      v_m_s[p][n] = sum4(speed[p][n]);
  for (uint32_t p = 0; p < k.speeds; p++)
    *s->v_to[p] = v_m_s[p][count - 1];
  if (k.frees)
    *s->free_to[0] = sum4(free);
}

/* Mostly of a whole tick: then the sums of its samples stay in registers. */
#define COAST(frees, speeds, forcing)                                                                        \
  static void coast_##frees##speeds##forcing(const ct_bank *b, const ct_bank_sums *s, uint32_t count,        \
                                             double *const v_m_s[CT_SUMS]) {                                 \
    const ct_bank_sums sums = *s;                                                                            \
    const ct_coefficients rule = *b->rule;                                                                   \
    ct_bank bank = *b;                                                                                       \
    bank.rule = &rule;                                                                                       \
    const pass_case k = {frees, speeds, forcing, 1};                                                         \
    if (count == CT_TICK && ABREAST > 1 && bank.lanes >= 4 * ABREAST)                                        \
      coast(&bank, &sums, CT_TICK, v_m_s, k, true);                                                          \
    else if (count == CT_TICK)                                                                               \
      coast(&bank, &sums, CT_TICK, v_m_s, k, false);                                                         \
    else                                                                                                     \
      coast(&bank, &sums, count, v_m_s, k, false);                                                           \
  }
COAST(0, 0, 0)
COAST(0, 0, 2)
COAST(0, 1, 0)
COAST(0, 1, 2)
COAST(0, 2, 0)
COAST(0, 2, 2)
COAST(1, 0, 0)
COAST(1, 0, 2)
COAST(1, 1, 0)
COAST(1, 1, 2)
COAST(1, 2, 0)
COAST(1, 2, 2)

#define COASTS(frees, speeds)                                                                                \
  { coast_##frees##speeds##0, coast_##frees##speeds##2 }
#define COAST_TABLE                                                                                          \
  {                                                                                                          \
    {COASTS(0, 0), COASTS(0, 1), COASTS(0, 2)}, { COASTS(1, 0), COASTS(1, 1), COASTS(1, 2) }                 \
  }

static void kernel_push(uint32_t lanes, double *acceleration, const double *gain_over_mass, double force) {
  for (uint32_t i = 0; i < lanes; i += 4)
    store4(acceleration + i, load4(acceleration + i) + all4(force) * load4(gain_over_mass + i));
}

static void kernel_over(uint32_t lanes, double *over, const double *row, const double *mass) {
  for (uint32_t i = 0; i < lanes; i += 4)
    store4(over + i, load4(row + i) / load4(mass + i));
}

static double kernel_dot(uint32_t lanes, const double *p, const double *q) {
  lanes4 sum = all4(0);
  for (uint32_t i = 0; i < lanes; i += 4)
    sum += load4(p + i) * load4(q + i);
  return sum4(sum);
}

static double kernel_dot3(uint32_t lanes, const double *p, const double *q, const double *r) {
  lanes4 sum = all4(0);
  for (uint32_t i = 0; i < lanes; i += 4)
    sum = onto4(load4(p + i) * load4(q + i), load4(r + i), sum);
  return sum4(sum);
}

static double kernel_glide(uint32_t lanes, const ct_bank_glide *glide, const double *x) {
  ct_bank_glide g = *glide;
  glide4 sums = {all4(0), all4(0)};
  for (uint32_t i = 0; i < lanes; i += 4)
    glide_on4(&g, lanes, i, all4(0), load4(x + i), &sums);
  return sum4(sums.slide);
}

static void kernel_blend(uint32_t lanes, double *out, const double *rows[4], const double weights[4]) {
  for (uint32_t i = 0; i < lanes; i += 4) {
    lanes4 sum = all4(weights[0]) * load4(rows[0] + i);
    for (int k = 1; k < 4; k++)
      sum += all4(weights[k]) * load4(rows[k] + i);
    store4(out + i, sum);
  }
}

/* As wide as one register, for sums that must stay in them. */
#ifdef __AVX2__
enum { WIDTH = 4 };
#else
enum { WIDTH = 2 };
#endif
typedef double wide __attribute__((vector_size(WIDTH * sizeof(double))));

/* Where there are masks as wide as numbers, without a choice for each mode. */
static double kernel_settle(uint32_t lanes, double *x, double *v, const double *stiffness, double least) {
#ifdef __AVX2__
  typedef long long bits4 __attribute__((vector_size(32)));
  lanes4 sum = all4(0);
  for (uint32_t i = 0; i < lanes; i += 4) {
    lanes4 here = load4(x + i), speed = load4(v + i), k = load4(stiffness + i);
    lanes4 size = speed * speed + k * here * here;
    bits4 stops = size<all4(least), bent = k> all4(0);
    sum += size;
    if (!_mm256_movemask_pd((__m256d)stops))
      continue; /* mostly */
    store4(v + i, (lanes4)((bits4)speed & ~stops));
    store4(x + i, (lanes4)((bits4)here & ~(stops & bent)));
  }
  return sum4(sum);
#else
  double sum = 0;
  for (uint32_t i = 0; i < lanes; i++) {
    double size = v[i] * v[i] + stiffness[i] * x[i] * x[i];
    sum += size;
    if (!(size < least))
      continue;
    v[i] = 0;
    x[i] = stiffness[i] > 0 ? 0 : x[i];
  }
  return sum;
#endif
}

/* Rows of a symmetric matrix are its columns: so many sums run at once, and none is added up in the end. */
CT_INLINE void multiply_columns(uint32_t n, const double *column, const double *v, double *out,
                                uint32_t registers) {
  wide sum[8] = {0}, part;
  for (uint32_t j = 0; j < n; j++, column += n)
    for (uint32_t k = 0; k < registers; k++) {
      memcpy(&part, column + WIDTH * k, sizeof part);
      sum[k] += part * v[j];
    }
  memcpy(out, sum, registers * sizeof *sum);
}

static void kernel_multiply(uint32_t n, const double *matrix, const double *v, double *out) {
  uint32_t i = 0;
  for (; i + 8 * WIDTH <= n; i += 8 * WIDTH)
    multiply_columns(n, matrix + i, v, out + i, 8);
  for (; i + 2 * WIDTH <= n; i += 2 * WIDTH)
    multiply_columns(n, matrix + i, v, out + i, 2);
  for (; i < n; i++) {
    double sum = 0;
    for (uint32_t j = 0; j < n; j++)
      sum += matrix[j * n + i] * v[j];
    out[i] = sum;
  }
}
