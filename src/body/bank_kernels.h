/* The bank's loops, included by one .c file per instruction set (the only difference is how it is compiled).
 *
 *   acc = a - w^2 x;  dx = a12 v + ii acc;  dv = b22 v + a12 acc
 *   dx_free(next) = sum gain (a12' v+ - ii' w^2 x+)
 *
 * GCC/Clang vector extensions lower to two SSE2 or NEON or WASM registers where there is no wider one. */
#include "body/bank.h"

#include <string.h>

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

static inline double sum4(lanes4 r) { return (r[0] + r[1]) + (r[2] + r[3]); }

/* One vector of modes, one step. */
static inline void step4(const ct_bank *b, uint32_t i, lanes4 *x, lanes4 *v, lanes4 stiffness) {
  lanes4 acceleration = -(stiffness * *x);
  if (b->acceleration)
    acceleration += load4(b->acceleration + i);
  lanes4 a12 = load4(b->rule.a12 + i);
  *x += a12 * *v + load4(b->rule.ii + i) * acceleration;
  *v += load4(b->rule.b22 + i) * *v + a12 * acceleration;
  store4(b->x + i, *x);
  store4(b->v + i, *v);
}

/* `count` ports at once, their sums in registers; `moving` says whether to step first. Inlined for each
 * constant count, so the port loops vanish. */
static inline __attribute__((always_inline)) void pass(const ct_bank *b, ct_bank_port *ports, uint32_t count,
                                                       int moving) {
  lanes4 sx[4], sv[4], sd[4];
  for (uint32_t p = 0; p < count; p++)
    sx[p] = sv[p] = sd[p] = all4(0);
  for (uint32_t i = 0; i < b->lanes; i += 4) {
    lanes4 x = load4(b->x + i), v = load4(b->v + i), stiffness = load4(b->stiffness_over_mass + i);
    if (moving)
      step4(b, i, &x, &v, stiffness);
    if (!count)
      continue;
    lanes4 free = load4(b->next.a12 + i) * v - load4(b->next.ii + i) * (stiffness * x);
    for (uint32_t p = 0; p < count; p++) {
      lanes4 gain = load4(ports[p].gain + i);
      sx[p] += gain * x;
      sv[p] += gain * v;
      sd[p] += gain * free;
    }
  }
  for (uint32_t p = 0; p < count; p++) {
    ports[p].x = sum4(sx[p]);
    ports[p].v = sum4(sv[p]);
    ports[p].dx_free = sum4(sd[p]);
  }
}

static void pass_any(const ct_bank *b, ct_bank_port *ports, uint32_t count, int moving) {
  switch (count) {
  case 0:
    pass(b, ports, 0, moving);
    return;
  case 1:
    pass(b, ports, 1, moving);
    return;
  case 2:
    pass(b, ports, 2, moving);
    return;
  case 3:
    pass(b, ports, 3, moving);
    return;
  default:
    pass(b, ports, 4, moving);
    return;
  }
}

static void kernel_read(const ct_bank *b, ct_bank_port *ports, uint32_t count) {
  for (uint32_t done = 0; done < count; done += 4)
    pass_any(b, ports + done, count - done < 4 ? count - done : 4, 0);
}

static void kernel_step(const ct_bank *b, ct_bank_port *ports, uint32_t count) {
  pass_any(b, ports, count < 4 ? count : 4, 1);
  if (count > 4)
    kernel_read(b, ports + 4, count - 4);
}

static void kernel_push(uint32_t lanes, double *acceleration, const double *gain_over_mass, double force) {
  for (uint32_t i = 0; i < lanes; i += 4)
    store4(acceleration + i, load4(acceleration + i) + all4(force) * load4(gain_over_mass + i));
}

static double kernel_dot3(uint32_t lanes, const double *p, const double *q, const double *r) {
  lanes4 sum = all4(0);
  for (uint32_t i = 0; i < lanes; i += 4)
    sum += load4(p + i) * load4(q + i) * load4(r + i);
  return sum4(sum);
}

static void kernel_blend(uint32_t lanes, double *out, const double *rows[4], const double weights[4]) {
  for (uint32_t i = 0; i < lanes; i += 4) {
    lanes4 sum = all4(weights[0]) * load4(rows[0] + i);
    for (int k = 1; k < 4; k++)
      sum += all4(weights[k]) * load4(rows[k] + i);
    store4(out + i, sum);
  }
}
