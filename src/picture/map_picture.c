/* The plane is an image: every cell mixes the colours of the regions there, as the source itself weighs them.
 * Where a hysteretic boundary makes it depend on where one comes from, both colours are hatched. */
#include "base/text.h"
#include "picture/gnuplot.h"
#include "picture/picture.h"
#include "source/behaviour.h"
#include "source/map.h"

#include <math.h>
#include <string.h>

enum { CELLS = 360 };

typedef struct drawing {
  const ct_source_def *source;
  ct_outline outlines[CT_REGIONS_MOST];
  ct_map map;
} drawing;

typedef struct colour {
  double red, green, blue;
} colour;

/* Warm for what squeaks, cool for what sings, grey for noise and silence. */
static colour behaviour_colour(ct_behaviour b) {
  static const colour colours[CT_BEHAVIOURS] = {
      [CT_CREAKY_DOOR] = {0.80, 0.52, 0.32},   [CT_SQUEAKY_PLATE] = {0.93, 0.60, 0.45},
      [CT_SQUEAKY_GLASS] = {0.95, 0.75, 0.45}, [CT_SINGING_GLASS] = {0.45, 0.70, 0.85},
      [CT_BOWED_STRING] = {0.48, 0.72, 0.58},  [CT_SCRATCHING] = {0.68, 0.66, 0.64},
      [CT_RUBBING] = {0.80, 0.79, 0.77},       [CT_SILENT] = {0.96, 0.96, 0.94}};
  return colours[b];
}

/* Neighbours of one behaviour differ a little. */
static colour region_colour(const ct_region_def *r, uint32_t index) {
  colour a = behaviour_colour(r->behaviour), b = behaviour_colour(r->morph_to);
  double shade = 1 - 0.06 * (index % 3);
  return (colour){shade * (a.red + r->morph * (b.red - a.red)),
                  shade * (a.green + r->morph * (b.green - a.green)),
                  shade * (a.blue + r->morph * (b.blue - a.blue))};
}

/* ---- words ---- */

static void pitch_words(const ct_region_def *r, char *text, size_t room) {
  double lock = r->pitch == CT_PITCH_LOCKED  ? 1
                : r->pitch == CT_PITCH_USUAL ? ct_behaviour_voice(r->behaviour).part[CT_VOICE_LOCK]
                                             : 0;
  double hz = r->hz > 0 ? r->hz : exp2(ct_behaviour_voice(r->behaviour).part[CT_VOICE_PITCH]);
  size_t used = 0;
  if (lock > 0) {
    ct_format(text, room, "mode %u", r->mode);
    return;
  }
  if (r->table_hz_count) {
    double low = INFINITY, high = 0;
    for (uint32_t i = 0; i < r->table_hz_count; i++) {
      low = fmin(low, r->table_hz[i]);
      high = fmax(high, r->table_hz[i]);
    }
    used += ct_format(text + used, room - used, "table of %u, %g to %g Hz", r->table_hz_count, low, high);
  } else
    used += ct_format(text + used, room - used, "%g Hz", hz);
  if (r->x_power != 0 && used < room)
    used += ct_format(text + used, room - used, " x^%g", r->x_power);
  if (r->y_power != 0 && used < room)
    used += ct_format(text + used, room - used, " y^%g", r->y_power);
  if (r->pitch == CT_PITCH_SCALE && used < room)
    ct_format(text + used, room - used, ", in a scale");
}

enum { WORDS = 64 };

/* What rules, and how high it is; no pitch where nothing sounds. */
static void two_words(const ct_region_def *r, char behaviour[WORDS], char pitch[WORDS]) {
  ct_format(behaviour, WORDS, "%s%s%s", ct_behaviour_name(r->behaviour), r->morph > 0 ? " to " : "",
            r->morph > 0 ? ct_behaviour_name(r->morph_to) : "");
  *pitch = 0;
  if (ct_behaviour_voice(r->behaviour).part[CT_VOICE_HARMONICS] > 0)
    pitch_words(r, pitch, WORDS);
}

void ct_region_words(const ct_region_def *r, char *text, size_t room) {
  char behaviour[WORDS], pitch[WORDS];
  two_words(r, behaviour, pitch);
  ct_format(text, room, "%s%s%s", behaviour, *pitch ? ", " : "", pitch);
}

/* ---- the plane ---- */

/* On hatched cells the region of the other side shows through. */
static void weigh_cell(drawing *d, int row, int column, double *weights) {
  const double place[2] = {(column + 0.5) / CELLS, (row + 0.5) / CELLS};
  d->map.now = d->map.region_count;
  ct_map_weigh(&d->map, place, weights);
  bool hatched = (row + column) / 4 % 2 == 0;
  if (d->map.boundary != CT_HYSTERETIC || !hatched)
    return;
  for (uint32_t i = 0; i < d->map.region_count; i++)
    if (weights[i] == 0 && ct_outline_depth(&d->map.outlines[i], place) > -d->map.width) {
      memset(weights, 0, d->map.region_count * sizeof *weights);
      weights[i] = 1;
      return;
    }
}

static unsigned char level(double share) { return (unsigned char)(255 * fmin(fmax(share, 0), 1) + 0.5); }

static void put_cells(FILE *out, drawing *d) {
  double weights[CT_REGIONS_MOST];
  for (int row = 0; row < CELLS; row++)
    for (int column = 0; column < CELLS; column++) {
      colour mix = {0};
      weigh_cell(d, row, column, weights);
      for (uint32_t i = 0; i < d->map.region_count; i++) {
        colour c = region_colour(&d->source->regions[i], i);
        mix.red += weights[i] * c.red;
        mix.green += weights[i] * c.green;
        mix.blue += weights[i] * c.blue;
      }
      const unsigned char cell[3] = {level(mix.red), level(mix.green), level(mix.blue)};
      fwrite(cell, sizeof cell, 1, out);
    }
}

static void put_outlines(FILE *out, const drawing *d) {
  for (uint32_t i = 0; i < d->map.region_count; i++) {
    const ct_outline *o = &d->map.outlines[i];
    fprintf(out, "set object %u polygon from ", i + 1);
    for (uint32_t k = 0; k <= o->count; k++)
      fprintf(out, "%s%.6f,%.6f", k ? " to " : "", o->corner[k % o->count][0], o->corner[k % o->count][1]);
    fputs(" front fillstyle empty border lc rgb '#444444' lw 1.2\n", out);
  }
}

enum { LOOKS = 60 };

/* The middle of the deepest cells of a region is where its name has most room. */
static void find_middle(const ct_outline *o, double place[2]) {
  double most = 0, count = 0, sum[2] = {0};
  for (int pass = 0; pass < 2; pass++)
    for (int cell = 0; cell < LOOKS * LOOKS; cell++) {
      int row = cell / LOOKS, column = cell % LOOKS;
      const double at[2] = {(column + 0.5) / LOOKS, (row + 0.5) / LOOKS};
      double depth = ct_outline_depth(o, at);
      if (pass == 0)
        most = fmax(most, depth);
      else if (depth >= 0.97 * most) {
        sum[0] += at[0];
        sum[1] += at[1];
        count++;
      }
    }
  place[0] = sum[0] / count;
  place[1] = sum[1] / count;
}

static void put_label(FILE *out, uint32_t number, const char *text, const double place[2], int line) {
  fprintf(out, "set label %u ", number);
  ct_gnuplot_quote(out, text);
  fprintf(out, " at %.4f,%.4f center front font 'DejaVu Sans,%d' offset 0,%g\n", place[0], place[1],
          line ? 9 : 13, 1 - 1.1 * line);
}

static void put_labels(FILE *out, const drawing *d) {
  for (uint32_t i = 0; i < d->map.region_count; i++) {
    const ct_region_def *r = &d->source->regions[i];
    double place[2];
    char behaviour[WORDS], pitch[WORDS];
    find_middle(&d->map.outlines[i], place);
    two_words(r, behaviour, pitch);
    put_label(out, 3 * i + 1, r->name, place, 0);
    put_label(out, 3 * i + 2, behaviour, place, 1);
    put_label(out, 3 * i + 3, pitch, place, 2);
  }
}

static void put_axis(FILE *out, char letter, const ct_axis_def *axis) {
  const char *unit = ct_signal_unit(axis->signal), *comma = "";
  fprintf(out, "set %clabel '%s%s%s'\nset %ctics nomirror out (", letter, ct_signal_name(axis->signal),
          *unit ? ", " : "", unit, letter);
  for (int decade = -4; axis->scale == CT_LOG && decade <= 3; decade++)
    for (int k = 0; k < 3; k++) {
      const double steps[] = {1, 2, 5};
      double value = steps[k] * pow(10, decade);
      if (value < axis->min * 0.999 || value > axis->max * 1.001)
        continue;
      fprintf(out, "%s'%g' %.6f", comma, value, ct_axis_place(axis, value));
      comma = ", ";
    }
  for (int i = 0; axis->scale == CT_LINEAR && i <= 5; i++)
    fprintf(out, "%s'%g' %.6f", i ? ", " : "", ct_axis_value(axis, i / 5.0), i / 5.0);
  fputs(")\n", out);
}

static ct_result write_script(FILE *script, const char *png, const void *context, ct_error *error) {
  drawing d = *(const drawing *)context;
  static const char *const boundaries[] = {"sudden", "hysteretic", "blended"};
  (void)error;
  d.map.outlines = d.outlines;
  ct_gnuplot_begin(script, png, 820, 760, 11);
  fprintf(script, "set title '%s: %s boundaries'\nset size square\nset border 3\n", d.source->name,
          boundaries[d.source->boundary]);
  put_axis(script, 'x', &d.source->x);
  put_axis(script, 'y', &d.source->y);
  put_outlines(script, &d);
  put_labels(script, &d);
  fprintf(script,
          "set xrange [0:1]\nset yrange [0:1]\n"
          "plot '-' binary array=(%d,%d) format='%%uchar%%uchar%%uchar' dx=%.9g dy=%.9g origin=(%.9g,%.9g) "
          "with rgbimage\n",
          CELLS, CELLS, 1.0 / CELLS, 1.0 / CELLS, 0.5 / CELLS, 0.5 / CELLS);
  put_cells(script, &d);
  fputs("\nset output\n", script);
  return CT_OK;
}

ct_result ct_map_picture_draw(const char *png, const ct_source_def *source, ct_error *error) {
  drawing d = {.source = source};
  if (!source || source->region_count == 0 || source->region_count > CT_REGIONS_MOST)
    return ct_fail(error, CT_BAD_SCENE, "map: no regions to draw");
  d.map = (ct_map){.axis = {source->x, source->y},
                   .boundary = source->boundary,
                   .width = source->width,
                   .region_count = source->region_count,
                   .outlines = d.outlines,
                   .now = source->region_count};
  CT_TRY(ct_map_fill(&d.map, source->regions, source->name, error));
  return ct_gnuplot_draw(png, write_script, &d, error);
}
