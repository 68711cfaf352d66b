/* A body for people, with its mode shapes drawn in letters, and for programs. */
#include "file/json.h"
#include "hosts/cli/describe.h"
#include "picture/picture.h"

#include <math.h>
#include <string.h>

enum {
  LINE = 32,
  MAP_ACROSS = 21,
  MAP_DOWN = 9,
  MAPS_IN_ROW = 4,
  MAPS_MOST = 12,
  POINTS_MOST = 4,
  SAMPLES = 33
};

/* ---- words ---- */

/* "A4 +12": the nearest note of equal temperament, and cents. */
static void note_of(double hz, char *text, size_t room) {
  static const char *const names[] = {"C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"};
  *text = 0;
  if (hz < 16)
    return;
  double semitones = 69 + 12 * log2(hz / 440);
  int note = (int)lround(semitones);
  snprintf(text, room, "%s%d %+.0f", names[note % 12], note / 12 - 1, 100 * (semitones - note));
}

/* Every leaf the document has about the body's shape, as it was given. */
static void show_words(const cli_body *b) {
  char prefix[CT_NAME_MAX + 24];
  const char *separator = "; ";
  size_t length = (size_t)snprintf(prefix, sizeof prefix, "bodies.%s.", b->name);
  printf("%s: %u mode%s", b->name, b->count, b->count == 1 ? "" : "s");
  for (uint32_t i = 0; i < ct_doc_leaf_count(b->doc); i++) {
    ct_leaf leaf = ct_doc_leaf(b->doc, i);
    const char *part = strncmp(leaf.path, prefix, length) == 0 ? leaf.path + length : "";
    bool shape = b->object && strncmp(part, "modes.", 6) == 0, string = strncmp(part, "string.", 7) == 0;
    if (!shape && !string)
      continue;
    printf("%s%s ", separator, part + (shape ? 6 : 7));
    if (leaf.text)
      printf("%s", leaf.text);
    else
      printf("%.6g", leaf.number);
    separator = ", ";
  }
  puts("");
}

/* ---- pictures in letters ---- */

/* Motion from -1 to 1 as the height of a block; 0 is in the middle. */
static const char *block_of(double motion) {
  static const char *const blocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  int height = (int)floor((motion + 1) * 4);
  return blocks[height < 0 ? 0 : height > 7 ? 7 : height];
}

static void show_line(const ct_shape_table *shape, uint32_t mode) {
  double most = 1e-300;
  for (int k = 0; k < LINE; k++)
    most = fmax(most, fabs(ct_mode_along(shape, mode, (k + 0.5) / LINE)));
  for (int k = 0; k < LINE; k++)
    fputs(block_of(ct_mode_along(shape, mode, (k + 0.5) / LINE) / most), stdout);
}

/* Up and down, strong and weak; a blank where it hardly moves, which draws the nodal lines. */
static char letter_of(double motion) {
  if (fabs(motion) < 0.12)
    return ' ';
  return motion > 0.5 ? '#' : motion > 0 ? '+' : motion < -0.5 ? '=' : '-';
}

static double map_value(const cli_body *b, uint32_t mode, double x, double y) {
  if (ct_mode_view_of(&b->shape) != CT_VIEW_DISC)
    return ct_mode_along(&b->shape, mode, x) * ct_mode_across(&b->shape, mode, y);
  double r = hypot(2 * x - 1, 2 * y - 1), turns = atan2(2 * y - 1, 2 * x - 1) / (2 * M_PI);
  return r > 1 ? (double)NAN : ct_mode_along(&b->shape, mode, r) * ct_mode_across(&b->shape, mode, turns);
}

static double map_most(const cli_body *b, uint32_t mode) {
  double most = 1e-300;
  for (int row = 0; row < MAP_DOWN; row++)
    for (int column = 0; column < MAP_ACROSS; column++)
      most = fmax(most, fabs(map_value(b, mode, (column + 0.5) / MAP_ACROSS, (row + 0.5) / MAP_DOWN)));
  return most;
}

/* The top row is v = 1. */
static void show_map_row(const cli_body *b, uint32_t mode, int row) {
  double most = map_most(b, mode);
  for (int column = 0; column < MAP_ACROSS; column++) {
    double value = map_value(b, mode, (column + 0.5) / MAP_ACROSS, 1 - (row + 0.5) / MAP_DOWN);
    putchar(isnan(value) ? ' ' : letter_of(value / most));
  }
  fputs("   ", stdout);
}

static void show_map_strip(const cli_body *b, uint32_t first, uint32_t end) {
  char order[24], label[48];
  for (uint32_t i = first; i < end; i++) {
    cli_mode_order(b, i, order, sizeof order);
    snprintf(label, sizeof label, "%u: %.6g Hz %s", i, b->modes[i].hz, order);
    printf("%-*s   ", MAP_ACROSS, label);
  }
  for (int row = 0; row < MAP_DOWN; row++) {
    putchar('\n');
    for (uint32_t i = first; i < end; i++)
      show_map_row(b, i, row);
  }
  puts("\n");
}

static void show_maps(const cli_body *b) {
  static const char *const axes[] = {[CT_VIEW_FLAT] = "u to the right, v upwards",
                                     [CT_VIEW_DISC] = "seen from above, v = 0 to the right",
                                     [CT_VIEW_CUP] =
                                         "the wall unrolled: u to the right, v upwards to the rim"};
  ct_mode_view view = ct_mode_view_of(&b->shape);
  if (view != CT_VIEW_FLAT && view != CT_VIEW_DISC && view != CT_VIEW_CUP)
    return;
  uint32_t count = b->count < MAPS_MOST ? b->count : MAPS_MOST;
  printf("\n%s; # and = move against each other, blanks hardly at all\n\n", axes[view]);
  for (uint32_t first = 0; first < count; first += MAPS_IN_ROW)
    show_map_strip(b, first, first + MAPS_IN_ROW < count ? first + MAPS_IN_ROW : count);
}

/* ---- for people ---- */

static uint32_t points_shown(const cli_body *b) {
  uint32_t count = ct_doc_point_count(b->doc, b->number);
  return count < POINTS_MOST ? count : POINTS_MOST;
}

static void show_head(const cli_body *b) {
  printf("%4s %10s %8s  %-9s %8s %10s  %-9s", "mode", "Hz", "ratio", "note", "t60 s", "mass kg",
         b->object ? "order" : "");
  for (uint32_t p = 0; p < points_shown(b); p++)
    printf(" %8.8s", ct_doc_point_name(b->doc, b->number, p));
  puts(b->object ? "  along u" : "");
}

static void show_mode(const cli_body *b, uint32_t mode) {
  char note[16], order[24], ratio[24], t60[24];
  note_of(b->modes[mode].hz, note, sizeof note);
  cli_mode_order(b, mode, order, sizeof order);
  snprintf(ratio, sizeof ratio, "%.4f", cli_mode_ratio(b, mode));
  snprintf(t60, sizeof t60, b->modes[mode].t60_s > 0 ? "%.4g" : "no loss", b->modes[mode].t60_s);
  printf("%4u %10.3f %8s  %-9s %8s %10.4g  %-9s", mode, b->modes[mode].hz,
         isnan(cli_mode_ratio(b, mode)) ? "" : ratio, note, t60, b->modes[mode].mass_kg, order);
  for (uint32_t p = 0; p < points_shown(b); p++)
    printf(" %8.3f", cli_mode_gain(b, p, mode));
  if (b->object) {
    fputs("  ", stdout);
    show_line(&b->shape, mode);
  }
  putchar('\n');
}

void cli_body_show(const cli_body *b) {
  show_words(b);
  puts("");
  show_head(b);
  for (uint32_t i = 0; i < b->count; i++)
    show_mode(b, i);
  show_maps(b);
}

/* ---- for programs ---- */

typedef double factor(const ct_shape_table *shape, uint32_t mode, double place);

static json_t *samples_json(const cli_body *b, uint32_t mode, factor *read) {
  json_t *list = json_array();
  for (int k = 0; k < SAMPLES; k++)
    json_array_append_new(list, json_real(read(&b->shape, mode, (double)k / (SAMPLES - 1))));
  return list;
}

static json_t *gains_json(const cli_body *b, uint32_t mode) {
  json_t *gains = json_object();
  for (uint32_t p = 0; p < ct_doc_point_count(b->doc, b->number); p++)
    json_object_set_new(gains, ct_doc_point_name(b->doc, b->number, p), json_real(cli_mode_gain(b, p, mode)));
  return gains;
}

/* Numbers that do not exist are left out. */
static json_t *mode_json(const cli_body *b, uint32_t mode) {
  const ct_mode_def *m = &b->modes[mode];
  json_t *row = json_pack("{s:f, s:f, s:f}", "hz", m->hz, "t60_s", m->t60_s, "mass_kg", m->mass_kg);
  if (!isnan(cli_mode_ratio(b, mode)))
    json_object_set_new(row, "ratio", json_real(cli_mode_ratio(b, mode)));
  if (b->object && mode >= b->hung) {
    const ct_shape_mode *order = &b->orders[mode - b->hung];
    json_object_set_new(row, "order", json_pack("[i, i]", order->m, order->n));
    json_object_set_new(row, "turned", json_boolean(order->turned));
  }
  if (ct_doc_point_count(b->doc, b->number))
    json_object_set_new(row, "gains", gains_json(b, mode));
  if (b->shape.u)
    json_object_set_new(row, "along_u", samples_json(b, mode, ct_mode_along));
  if (b->shape.v)
    json_object_set_new(row, "along_v", samples_json(b, mode, ct_mode_across));
  return row;
}

json_t *cli_body_json(const cli_body *b) {
  json_t *modes = json_array(), *tree = ct_doc_to_json(b->doc);
  for (uint32_t i = 0; i < b->count; i++)
    json_array_append_new(modes, mode_json(b, i));
  json_t *given = json_object_get(json_object_get(tree, "bodies"), b->name);
  json_t *body = json_pack("{s:s, s:O?, s:o}", "body", b->name, "given", given, "modes", modes);
  json_decref(tree);
  return body;
}
