/* The map of one source of a scene: its regions in words, as JSON, as a picture. */
#include "hosts/cli/describe.h"
#include "picture/picture.h"

#include <stdio.h>

typedef struct map_view {
  ct_source_def source;
  ct_region_def regions[CT_REGIONS_MOST];
} map_view;

static const char *const boundaries[] = {"sudden", "hysteretic", "blended"};

static void show_axis(const char *letter, const ct_axis_def *axis) {
  const char *unit = ct_signal_unit(axis->signal);
  printf("  %-14s %s, %g to %g%s%s%s\n", letter, ct_signal_name(axis->signal), axis->min, axis->max,
         *unit ? " " : "", unit, axis->scale == CT_LOG ? ", log" : "");
}

static void show(const map_view *v) {
  printf("%s: feeds %s\n\nmap\n", v->source.name, v->source.at);
  show_axis("x", &v->source.x);
  show_axis("y", &v->source.y);
  printf("  %-14s %s", "boundary", boundaries[v->source.boundary]);
  if (v->source.boundary != CT_SUDDEN)
    printf(", width %g", v->source.width);
  puts("\n\nregions");
  for (uint32_t i = 0; i < v->source.region_count; i++) {
    char words[160];
    ct_region_words(&v->regions[i], words, sizeof words);
    printf("  %-14s %s\n", v->regions[i].name, words);
  }
}

static json_t *axis_json(const ct_axis_def *axis) {
  return json_pack("{s:s, s:f, s:f, s:s}", "signal", ct_signal_name(axis->signal), "min", axis->min, "max",
                   axis->max, "scale", axis->scale == CT_LOG ? "log" : "linear");
}

static json_t *region_json(const ct_region_def *r) {
  char words[160];
  json_t *x = json_array(), *y = json_array();
  for (uint32_t i = 0; i < r->corner_count; i++) {
    json_array_append_new(x, json_real(r->x[i]));
    json_array_append_new(y, json_real(r->y[i]));
  }
  ct_region_words(r, words, sizeof words);
  return json_pack("{s:s, s:s, s:s, s:o, s:o}", "name", r->name, "behaviour", ct_behaviour_name(r->behaviour),
                   "words", words, "x", x, "y", y);
}

static json_t *map_json(const map_view *v) {
  json_t *regions = json_array();
  for (uint32_t i = 0; i < v->source.region_count; i++)
    json_array_append_new(regions, region_json(&v->regions[i]));
  return json_pack("{s:s, s:s, s:o, s:o, s:s, s:f, s:o}", "name", v->source.name, "at", v->source.at, "x",
                   axis_json(&v->source.x), "y", axis_json(&v->source.y), "boundary",
                   boundaries[v->source.boundary], "width", v->source.width, "regions", regions);
}

int cli_map_describe(const describe_job *j) {
  if (!j->scene)
    return cli_misuse("describe", "--map: '%.80s' is a source of which SCENE?", j->map);
  map_view v;
  ct_error error = {.text = ""};
  ct_doc *doc = NULL;
  int code = CLI_OK;
  ct_result result = cli_describe_load(j, &doc, &error);
  if (result == CT_OK)
    result = ct_doc_source(doc, j->map, &v.source, v.regions, &error);
  if (result == CT_OK && j->picture)
    result = ct_map_picture_draw(j->picture, &v.source, &error);
  if (result != CT_OK)
    code = cli_fail("describe", "%s", error.text);
  else if (j->json)
    code = cli_print_json("describe", map_json(&v));
  else
    show(&v);
  ct_doc_destroy(doc);
  return code;
}
