/* Masses and springs: chain (a row, any masses and springs), mesh (a rectangle of equal ones, closed form),
 * network (any springs between any nodes). All move in one direction, so a spring k between i and j adds k
 * (x_i - x_j)^2 / 2. With y = sqrt(m) x the problem is symmetric: (K_ij / sqrt(m_i m_j)) y = w^2 y. */
#include "body/shape.h"

#include "base/eigen.h"
#include "base/special.h"

#include <math.h>

static double node_mass(const ct_shape_def *def, uint32_t i) {
  return def->masses_kg ? def->masses_kg[i] : def->node_mass_kg;
}

static double nodes_mass(const ct_shape_def *def) {
  double sum = 0.0;
  for (uint32_t i = 0; i < def->columns; i++)
    sum += node_mass(def, i);
  return sum;
}

/* The spring left of mass i; i = columns is the one to the right wall. */
static double chain_spring(const ct_shape_def *def, uint32_t i) {
  if (def->edge == CT_EDGE_FREE && (i == 0 || i == def->columns))
    return 0.0;
  return def->springs_n_m ? def->springs_n_m[i] : def->spring_n_m;
}

size_t ct_shape_lattice_memory(const ct_shape_def *def) {
  size_t n = def->columns;
  if (def->kind == CT_SHAPE_CHAIN)
    return n * n + 2 * n;
  return def->kind == CT_SHAPE_NETWORK ? 2 * n * n + n : 0;
}

/* Turns the eigenvector y into a mode shape over the masses, mean square 1 by mass, its first moving node
 * upwards (so that a small change of a mass cannot flip it). */
static void finish_vector(const ct_shape_def *def, double *row, double total) {
  double largest = 0.0, sign = 1.0;
  for (uint32_t i = 0; i < def->columns; i++) {
    row[i] *= sqrt(total / node_mass(def, i));
    largest = fmax(largest, fabs(row[i]));
  }
  uint32_t first = 0;
  while (fabs(row[first]) < 1e-6 * largest)
    first++;
  if (row[first] < 0.0)
    sign = -1.0;
  for (uint32_t i = 0; i < def->columns; i++)
    row[i] *= sign;
}

/* Eigenvalues below rounding beside the largest one are rigid motion. */
static void offer_vectors(const ct_shape_def *def, ct_shape_list *list, const double *squares,
                          double *vectors) {
  uint32_t n = def->columns;
  double total = nodes_mass(def), largest = 0.0;
  for (uint32_t k = 0; k < n; k++)
    largest = fmax(largest, squares[k]);
  for (uint32_t k = 0; k < n; k++) {
    double *row = vectors + (size_t)k * n;
    finish_vector(def, row, total);
    double square = squares[k] < 4e-16 * n * largest ? 0.0 : squares[k];
    ct_shape_list_offer(
        list, &(ct_shape_mode){
                  .hz = sqrt(square) / (2.0 * CT_PI), .mass_kg = total, .table = row, .table_count = n});
  }
}

/* Nodes are numbered by frequency once the list is sorted. */
static void number_modes(ct_shape_list *list) {
  for (uint32_t i = 0; i < list->count; i++)
    list->modes[i].m = (int16_t)(i + 1);
}

static ct_result chain_modes(const ct_shape_def *def, ct_shape_list *list) {
  uint32_t n = def->columns;
  double *squares = list->memory, *off = squares + n, *vectors = off + n;
  for (uint32_t i = 0; i < n; i++) {
    double right = chain_spring(def, i + 1);
    squares[i] = (chain_spring(def, i) + right) / node_mass(def, i);
    off[i] = i + 1 < n ? -right / sqrt(node_mass(def, i) * node_mass(def, i + 1)) : 0.0;
  }
  if (!ct_eigen_tridiagonal(n, squares, off, vectors))
    return CT_BAD_VALUE;
  offer_vectors(def, list, squares, vectors);
  number_modes(list);
  return CT_OK;
}

static void add_link(const ct_shape_def *def, const ct_shape_link *link, double *matrix) {
  uint32_t n = def->columns, i = link->from, j = link->to;
  if (i != CT_LINK_GROUND)
    matrix[(size_t)i * n + i] += link->spring_n_m / node_mass(def, i);
  if (j != CT_LINK_GROUND)
    matrix[(size_t)j * n + j] += link->spring_n_m / node_mass(def, j);
  if (i == CT_LINK_GROUND || j == CT_LINK_GROUND)
    return;
  double across = link->spring_n_m / sqrt(node_mass(def, i) * node_mass(def, j));
  matrix[(size_t)i * n + j] -= across;
  matrix[(size_t)j * n + i] -= across;
}

static ct_result network_modes(const ct_shape_def *def, ct_shape_list *list) {
  size_t n = def->columns;
  double *squares = list->memory, *matrix = squares + n, *vectors = matrix + n * n;
  for (size_t i = 0; i < n * n; i++)
    matrix[i] = 0.0;
  for (uint32_t i = 0; i < def->link_count; i++)
    add_link(def, &def->links[i], matrix);
  if (!ct_eigen_symmetric(def->columns, matrix, squares, vectors))
    return CT_BAD_VALUE;
  offer_vectors(def, list, squares, vectors);
  number_modes(list);
  return CT_OK;
}

/* Straight lines between the values at the nodes. */
static double table_factor(const ct_shape_def *def, const ct_shape_mode *mode, ct_shape_axis axis, double u) {
  (void)def;
  if (axis != CT_AXIS_FIRST || mode->table_count == 1)
    return axis == CT_AXIS_FIRST ? mode->table[0] : 1.0;
  double place = u * (mode->table_count - 1);
  uint32_t left = (uint32_t)place;
  if (left > mode->table_count - 2)
    left = mode->table_count - 2;
  double t = place - left;
  return (1.0 - t) * mode->table[left] + t * mode->table[left + 1];
}

static double mesh_mass(const ct_shape_def *def) { return def->node_mass_kg * def->columns * def->rows; }

/* One direction of an even mesh: w^2 m/k = 4 sin^2(angle/2), shape sin(angle (i+1)) between walls, cos(angle
 * (i+1/2)) free. */
static double mesh_angle(const ct_shape_def *def, uint32_t nodes, int order) {
  return CT_PI * order / (def->edge == CT_EDGE_FREE ? nodes : nodes + 1.0);
}

static double mesh_node(const ct_shape_def *def, uint32_t nodes, int order, uint32_t i) {
  double angle = mesh_angle(def, nodes, order);
  if (def->edge != CT_EDGE_FREE)
    return sqrt(2.0 * nodes / (nodes + 1.0)) * sin(angle * (i + 1.0));
  return order == 0 ? 1.0 : sqrt(2.0) * cos(angle * (i + 0.5));
}

static double mesh_factor(const ct_shape_def *def, const ct_shape_mode *mode, ct_shape_axis axis,
                          double coordinate) {
  bool second = axis == CT_AXIS_SECOND;
  uint32_t nodes = second ? def->rows : def->columns;
  int order = second ? mode->n : mode->m;
  double place = coordinate * (nodes - 1);
  uint32_t left = (uint32_t)place, right = left + 1 < nodes ? left + 1 : left;
  double t = place - left;
  return (1.0 - t) * mesh_node(def, nodes, order, left) + t * mesh_node(def, nodes, order, right);
}

static double mesh_hz(const ct_shape_def *def, int p, int q) {
  double x = sin(0.5 * mesh_angle(def, def->columns, p)), y = sin(0.5 * mesh_angle(def, def->rows, q));
  return sqrt(def->spring_n_m / def->node_mass_kg) * hypot(x, y) / CT_PI;
}

static ct_result mesh_modes(const ct_shape_def *def, ct_shape_list *list) {
  int first = def->edge == CT_EDGE_FREE ? 0 : 1;
  for (int p = first; p < (int)def->columns + first; p++)
    for (int q = first; q < (int)def->rows + first; q++) {
      ct_shape_mode mode = {
          .hz = mesh_hz(def, p, q), .mass_kg = mesh_mass(def), .m = (int16_t)p, .n = (int16_t)q};
      bool out = mode.hz > ct_shape_list_limit(list);
      ct_shape_list_offer(list, &mode);
      if (out)
        break;
    }
  return CT_OK;
}

const ct_shape_family ct_shape_chain = {chain_modes, table_factor, nodes_mass};
const ct_shape_family ct_shape_mesh = {mesh_modes, mesh_factor, mesh_mass};
const ct_shape_family ct_shape_network = {network_modes, table_factor, nodes_mass};
