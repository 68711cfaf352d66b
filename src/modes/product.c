/* Tiles of four rows and eight columns stay in registers while all their products are added up, each number's
 * in the order of `inner`: the sums are the same whatever the registers' width. */
#include "modes/product.h"
#include "base/inline.h"
#include "modes/lanes.h"

#include <stdbool.h>

enum { ROWS = 4, COLUMNS = 8 };

typedef double quad __attribute__((vector_size(32), aligned(8)));

typedef struct product {
  uint32_t rows, inner, columns;
  const double *a, *b;
  size_t row, column;
  double *to, factor;
  bool is_symmetric;
} product;

CT_INLINE quad load(const double *from) {
  quad x;
  memcpy(&x, from, sizeof x);
  return x;
}

/* sums[i][l] = the products of row i of a with column l of b. Where registers do not hold four numbers gcc
 * keeps such vectors in memory: then it makes its own of plain loops. */
CT_INLINE void multiply_tile(const product *p, size_t from_row, size_t from, size_t columns, bool quads,
                             double sums[ROWS][COLUMNS]) {
  const double *restrict a = p->a + from_row * p->row, *restrict b = p->b + from;
  quad q[ROWS][2] = {{{0}}};
  double s[ROWS][COLUMNS] = {{0}};
  for (uint32_t k = 0; k < p->inner; k++, a += p->column, b += p->columns)
    for (size_t i = 0; i < ROWS; i++) {
      double x = a[i * p->row];
      for (size_t l = 0; quads && l < columns / 4; l++)
        q[i][l] += (quad){x, x, x, x} * load(b + 4 * l);
      for (size_t l = 0; !quads && l < columns; l++)
        s[i][l] += x * b[l];
    }
  memcpy(sums, quads ? (const void *)q : s, sizeof s);
}

/* Below the diagonal of a symmetric product is the tile's mirror. */
CT_INLINE void add_tile(const product *p, size_t i, size_t l, size_t columns, double sums[ROWS][COLUMNS]) {
  double *restrict to = p->to + i * p->columns + l;
  for (size_t r = 0; r < ROWS; r++)
    for (size_t c = 0; c < columns; c++)
      to[r * p->columns + c] += p->factor * sums[r][c];
  for (size_t c = l > i ? 0 : ROWS; p->is_symmetric && c < columns; c++)
    for (size_t r = 0; r < ROWS; r++)
      p->to[(l + c) * p->columns + i + r] = to[r * p->columns + c];
}

CT_INLINE void multiply(const product *p, bool quads) {
  double sums[ROWS][COLUMNS];
  for (size_t i = 0; i < p->rows; i += ROWS) {
    size_t l = p->is_symmetric ? i : 0;
    for (; l + COLUMNS <= p->columns; l += COLUMNS) {
      multiply_tile(p, i, l, COLUMNS, quads, sums);
      add_tile(p, i, l, COLUMNS, sums);
    }
    if (l < p->columns) {
      multiply_tile(p, i, l, COLUMNS / 2, quads, sums);
      add_tile(p, i, l, COLUMNS / 2, sums);
    }
  }
}

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
__attribute__((target("avx2"))) static void multiply_wide(const product *p) { multiply(p, true); }
static bool has_wide(void) { return __builtin_cpu_supports("avx2"); }
#else
static void multiply_wide(const product *p) { multiply(p, true); }
static bool has_wide(void) {
#ifdef __clang__
  return true;
#else
  return false;
#endif
}
#endif

static void multiply_any(const product *p) {
  if (has_wide())
    multiply_wide(p);
  else
    multiply(p, false);
}

void ct_add_product(uint32_t rows, uint32_t inner, uint32_t columns, const double *a, size_t row,
                    size_t column, const double *b, double *to) {
  product p = {rows, inner, columns, a, b, row, column, NULL, 1, false};
  p.to = to; /* in the list above, clang-tidy asks for a const pointer */
  multiply_any(&p);
}

void ct_add_symmetric(uint32_t n, uint32_t inner, double factor, const double *a, const double *b,
                      double *to) {
  product p = {n, inner, n, a, b, 1, n, NULL, factor, true};
  p.to = to;
  multiply_any(&p);
}
