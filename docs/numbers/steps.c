/* steps SCENE.json PRESET SPEED: the scene's work at each sample around a strike at 0.01 s, as
 * "sample,substeps, solves,evaluations,force" rows, and the bounds that hold for it. For docs/numbers/tour.sh
 * and islands.sh. */
#include "file/json.h"
#include "file/render.h"

#include <contatto/contatto.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ct_result load(const char *file, const char *preset, ct_doc *doc, ct_error *error) {
  static char text[1 << 20];
  FILE *in = fopen(file, "r");
  size_t length = in ? fread(text, 1, sizeof text, in) : 0;
  if (in)
    fclose(in);
  ct_result result = ct_doc_read_json(doc, file, text, length, NULL, NULL, error);
  return result == CT_OK && strcmp(preset, "-") != 0 ? ct_doc_apply_preset(doc, preset, error) : result;
}

static void print_rows(ct_render *render) {
  ct_counters before = {0};
  ct_render_block block;
  ct_error error = {.text = ""};
  while (ct_render_next(render, &block, &error) == CT_OK && block.frames) {
    ct_counters now = ct_scene_counters(ct_render_scene(render));
    printf("%llu,%llu,%llu,%llu,%.17g\n", (unsigned long long)block.start,
           (unsigned long long)(now.substeps - before.substeps),
           (unsigned long long)(now.solves - before.solves),
           (unsigned long long)(now.evaluations - before.evaluations), block.taps[0][0]);
    before = now;
  }
}

int main(int argc, char **argv) {
  ct_error error = {.text = ""};
  ct_doc *doc = ct_doc_create();
  ct_render *render = NULL;
  double time_s = 0.01, speed = argc > 3 ? atof(argv[3]) : 1;
  const char *path = "strike_speed", *tap = "strike.force_n";
  const double *column = &speed;
  const ct_gesture gesture = {1, 1, &time_s, &path, &column};
  const ct_render_def def = {
      .seconds = 0.013, .block_frames = 1, .ledger = true, .gesture = &gesture, .taps = &tap, .tap_count = 1};
  if (argc < 3 || load(argv[1], argv[2], doc, &error) != CT_OK ||
      ct_render_open(doc, &def, &render, &error) != CT_OK)
    return fprintf(stderr, "steps: %s\n", error.text), 1;
  ct_bound bound = ct_scene_bound(ct_render_scene(render));
  printf("bound,%u,%u,0,0\n", bound.evaluations_per_solve, bound.substeps_per_sample);
  print_rows(render);
  ct_render_close(render);
  ct_doc_destroy(doc);
}
