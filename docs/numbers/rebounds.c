/* 10 g against a wall at 44.1 kHz: "band,quality,worst error in percent,most substeps in a sample" for
 * contact times from 64 samples to a thirtieth of one, and "case,quality,error" for the two cases of Papetti
 * et al. 2009. For docs/numbers/impact.sh. */
#include "file/render.h"

#include <contatto/contatto.h>
#include <math.h>
#include <stdio.h>

static const char *const qualities[] = {"draft", "normal", "high", "best"};

typedef struct outcome {
  double error_pct; /* of the rebound, against the exact root */
  uint32_t substeps;
} outcome;

static outcome strike(const ct_impact_case *c, const char *quality, int substeps, double moment) {
  const double rate_hz = 44100, wait = 2 + moment;
  if (c->stiffness > 1e16) /* out of range */
    return (outcome){0, 0};
  ct_error error = {.text = ""};
  ct_doc *doc = ct_doc_create();
  ct_render *render = NULL;
  ct_render_block block;
  outcome o = {NAN, 0};
  const char *tap = "m.tip.v_m_s";
  const struct {
    const char *path;
    double number;
  } leaves[] = {{"bodies.m.modes[0].t60_s", 0},
                {"bodies.m.modes[0].hz", 0},
                {"bodies.m.modes[0].mass_kg", c->mass_kg},
                {"bodies.m.modes[0].x_m", -wait * c->speed_m_s / rate_hz},
                {"bodies.m.modes[0].v_m_s", c->speed_m_s},
                {"bodies.m.points.tip.gains[0]", 1},
                {"contacts.hit.stiffness", c->stiffness},
                {"contacts.hit.exponent", c->exponent},
                {"contacts.hit.damping_s_m", c->damping_s_m},
                {"contacts.hit.substeps", substeps}};
  for (size_t i = 0; i < sizeof leaves / sizeof *leaves; i++)
    if (ct_doc_set_number(doc, leaves[i].path, leaves[i].number, &error) != CT_OK)
      fprintf(stderr, "%s\n", error.text);
  ct_doc_set_text(doc, "bodies.w.kind", "wall", &error);
  ct_doc_set_text(doc, "contacts.hit.a", "m.tip", &error);
  ct_doc_set_text(doc, "contacts.hit.b", "w.at", &error);
  ct_doc_set_text(doc, "contacts.hit.quality", quality, &error);
  ct_doc_set_text(doc, "pickups.out.at", "m.tip", &error);
  double samples = ct_impact_contact_time_s(c) * rate_hz;
  const ct_render_def def = {
      .rate_hz = rate_hz, .seconds = (3 * samples + 12) / rate_hz, .taps = &tap, .tap_count = 1};
  if (ct_render_open(doc, &def, &render, &error) != CT_OK)
    fprintf(stderr, "rebounds: %s\n", error.text);
  double v = 0;
  while (render && ct_render_next(render, &block, &error) == CT_OK && block.frames)
    v = block.taps[0][block.frames - 1];
  o.error_pct = 100 * (v / ct_impact_rebound_m_s(c->speed_m_s, c->damping_s_m) - 1);
  o.substeps = render ? ct_scene_counters(ct_render_scene(render)).most_substeps : 0;
  ct_render_close(render);
  ct_doc_destroy(doc);
  return o;
}

static void sweep(const char *band, double low, double high) {
  const double exponents[] = {1.1, 1.5, 2.5}, speeds[] = {0.05, 0.5, 5};
  for (int q = 0; q < 4; q++) {
    outcome worst = {0, 0};
    for (int i = 0; i < 9 * 6 * 4; i++) {
      ct_impact_case c = {
          .mass_kg = 0.01, .damping_s_m = 0.3, .exponent = exponents[i % 3], .speed_m_s = speeds[i / 3 % 3]};
      c.stiffness = ct_impact_stiffness_for(&c, low * pow(high / low, (i / 9 % 6 + 0.5) / 6) / 44100);
      outcome o = strike(&c, qualities[q], 0, (i / 54) / 4.0);
      worst.error_pct = fmax(worst.error_pct, fabs(o.error_pct));
      worst.substeps = o.substeps > worst.substeps ? o.substeps : worst.substeps;
    }
    printf("%s,%s,%.6g,%u\n", band, qualities[q], worst.error_pct, worst.substeps);
  }
}

int main(void) {
  const ct_impact_case cases[] = {
      {.mass_kg = 0.01, .stiffness = 1e7, .exponent = 1.1, .damping_s_m = 0.1, .speed_m_s = 0.3},
      {.mass_kg = 0.01, .stiffness = 1e9, .exponent = 1.5, .damping_s_m = 0.5, .speed_m_s = 1}};
  for (int i = 0; i < 2; i++) {
    printf("case %d,one,%.6g,1\n", i + 1, strike(&cases[i], "normal", 1, 0).error_pct);
    for (int q = 1; q < 4; q++)
      printf("case %d,%s,%.6g,0\n", i + 1, qualities[q], strike(&cases[i], qualities[q], 0, 0).error_pct);
  }
  sweep("16 to 64", 16, 64);
  sweep("4 to 16", 4, 16);
  sweep("1 to 4", 1, 4);
  sweep("1/16 to 1", 1.0 / 16, 1);
  sweep("1/32 to 1/16", 1.0 / 32, 1.0 / 16);
}
