/* Figure 10, not in the paper: what its contact time is good for. A 10 g hammer strikes a free steel bar; its
 * hardness is given as the time a contact at 1 m/s would last, and the sound's spectral centroid is measured
 * for three speeds of the hammer. */
#include "base/text.h"
#include "study/figure.h"
#include "study/papetti2009.h"
#include <contatto/doc.h>
#include <contatto/measure.h>

#include <math.h>
#include <stdlib.h>

enum { TIMES = 25, SPEEDS = 3, SAMPLES = 22050 };

static const double shortest_s = 0.1e-3, longest_s = 10e-3, speeds_m_s[SPEEDS] = {0.3, 1, 3};

static double contact_time_s(int i) {
  return shortest_s * pow(longest_s / shortest_s, (double)i / (TIMES - 1));
}

/* ---- the scene
 * ------------------------------------------------------------------------------------------------ */

typedef struct strike {
  double time_s, speed_m_s;
} strike;

static ct_result write_words(ct_doc *doc, ct_error *error) {
  static const char *const words[][2] = {{"bodies.bar.modes.shape", "bar"},
                                         {"bodies.bar.modes.edge", "free"},
                                         {"bodies.bar.modes.material", "steel"},
                                         {"contacts.strike.a", "hammer.tip"},
                                         {"contacts.strike.b", "bar.hit"}};
  ct_result result = CT_OK;
  for (size_t i = 0; i < sizeof words / sizeof words[0] && result == CT_OK; i++)
    result = ct_doc_set_text(doc, words[i][0], words[i][1], error);
  return result;
}

static ct_result write_numbers(ct_doc *doc, const strike *s, ct_error *error) {
  const struct {
    const char *path;
    double value;
  } numbers[] = {{"contatto", 1},
                 {"bodies.hammer.modes[0].hz", 0},
                 {"bodies.hammer.modes[0].t60_s", 0},
                 {"bodies.hammer.modes[0].mass_kg", 0.01},
                 {"bodies.hammer.modes[0].x_m", -1e-4},
                 {"bodies.hammer.modes[0].v_m_s", s->speed_m_s},
                 {"bodies.hammer.points.tip.gains[0]", 1},
                 {"bodies.bar.modes.size_m[0]", 0.36},
                 {"bodies.bar.modes.size_m[1]", 0.03},
                 {"bodies.bar.modes.thickness_m", 0.006},
                 {"bodies.bar.modes.count", 12},
                 {"bodies.bar.points.hit.place_u", 0.37},
                 {"bodies.bar.points.end.place_u", 0},
                 {"contacts.strike.damping_s_m", 0.3},
                 {"contacts.strike.contact_time_s", s->time_s}};
  ct_result result = CT_OK;
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0] && result == CT_OK; i++)
    result = ct_doc_set_number(doc, numbers[i].path, numbers[i].value, error);
  return result;
}

static ct_result build(const strike *s, ct_scene **scene, ct_error *error) {
  ct_doc *doc = ct_doc_create();
  ct_build_def def = ct_default_build_def();
  def.rate_hz = PAPETTI_RATE_HZ;
  ct_result result = doc ? write_words(doc, error) : ct_fail(error, CT_NO_MEMORY, "no memory for a scene");
  if (result == CT_OK)
    result = write_numbers(doc, s, error);
  if (result == CT_OK)
    result = ct_doc_build(doc, &def, scene, NULL, NULL, error);
  ct_doc_destroy(doc);
  return result;
}

/* ---- measuring
 * ------------------------------------------------------------------------------------------------ */

typedef struct heard {
  double stiffness, centroid_hz;
} heard;

/* The end's velocity over half a second; below 100 Hz there is no partial, only the push of a long contact.
 */
static ct_result listen(ct_scene *scene, heard *h, ct_error *error) {
  static const char *const paths[] = {"bar.end.v_m_s", "strike.stiffness"};
  ct_handle handles[2];
  double *v = malloc(SAMPLES * sizeof *v);
  ct_result result = v ? CT_OK : ct_fail(error, CT_NO_MEMORY, "no memory for %d samples", SAMPLES);
  for (int i = 0; i < 2 && result == CT_OK; i++)
    result = ct_scene_resolve(scene, paths[i], &handles[i], error);
  if (result == CT_OK) {
    ct_tap tap = {handles[0], v};
    ct_scene_process(scene, &(ct_io){.frames = SAMPLES, .taps = &tap, .tap_count = 1});
    h->stiffness = ct_scene_get(scene, handles[1]);
    h->centroid_hz = ct_measure_spectrum(v, SAMPLES, PAPETTI_RATE_HZ, 100, 20000).centroid_hz;
    result = ct_scene_judge(scene, error);
  }
  free(v);
  return result;
}

static ct_result hear(const strike *s, heard *h, ct_error *error) {
  ct_scene *scene = NULL;
  ct_result result = build(s, &scene, error);
  if (result == CT_OK)
    result = listen(scene, h, error);
  ct_scene_destroy(scene);
  return result;
}

static ct_result write_row(figure_table *t, double time_s, ct_error *error) {
  double row[2 + SPEEDS] = {time_s};
  ct_result result = CT_OK;
  for (int i = 0; i < SPEEDS && result == CT_OK; i++) {
    heard h = {0};
    result = hear(&(strike){time_s, speeds_m_s[i]}, &h, error);
    row[1] = h.stiffness;
    row[2 + i] = h.centroid_hz;
  }
  return result == CT_OK ? figure_table_row(t, row, error) : result;
}

static const char plot[] =
    "set logscale xy\nset xlabel 'contact time at 1 m/s, ms'\nset ylabel 'spectral centroid, Hz'\n"
    "set xrange [0.09:11]\nset yrange [200:4000]\nset format y '%g'\nset xtics (0.1, 0.2, 0.5, 1, 2, 5, "
    "10)\nset ytics (200, 500, 1000, 2000, 4000)\nset key top right\n"
    "array name[3] = ['slow_hz', 'middle_hz', 'fast_hz']\n"
    "array shown[3] = ['0.3 m/s', '1 m/s', '3 m/s']\n"
    "array tint[3] = [am1, ours, heun]\narray mark[3] = [6, 7, 8]\n"
    "plot for [i=1:3] D('fig10') using (1e3 * C('contact_time_s')):(C(name[i])) with linespoints pt mark[i] "
    "ps 0.7 lw 1.3 lc rgb tint[i] title shown[i], "
    "250.0 / x with lines dt 2 lc rgb '#777777' title '1 / (4 contact time)'\n";

ct_result papetti_draw_hardness(const ct_study_run *run, ct_error *error) {
  figure_table *t;
  ct_result result =
      figure_table_begin(run, "fig10", "contact_time_s,stiffness,slow_hz,middle_hz,fast_hz", &t, error);
  for (int i = 0; i < TIMES && result == CT_OK; i++)
    result = write_row(t, contact_time_s(i), error);
  result = figure_table_end(t, result, error);
  return result == CT_OK ? figure_draw(run, "fig10", 700, 460, "", plot, error) : result;
}
