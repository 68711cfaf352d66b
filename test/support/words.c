/* See words.h. */
#include "support/words.h"
#include "base/text.h"
#include "file/json.h"
#include "file/render.h"

#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MOST = 8192 };

static const double rate_hz = 48000;

static void must(ct_result result, const ct_error *error) {
  if (result != CT_OK)
    fail_msg("%s", error->text);
}

static void spell(char text[TEXT_MOST], const char *format, va_list arguments) {
  int length = vsnprintf(text, TEXT_MOST, format, arguments);
  assert_true(length < TEXT_MOST);
  for (char *c = text; *c; c++)
    *c = *c == '\'' ? '"' : *c;
}

static ct_result read_doc(const char *text, ct_doc **doc, ct_error *error) {
  *doc = ct_doc_create();
  assert_non_null(*doc);
  return ct_doc_read_json(*doc, "words", text, strlen(text), NULL, NULL, error);
}

static ct_doc *doc_of(const char *format, va_list arguments) {
  char text[TEXT_MOST];
  ct_error error = {0};
  ct_doc *doc;
  spell(text, format, arguments);
  must(read_doc(text, &doc, &error), &error);
  return doc;
}

ct_doc *words_doc(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  ct_doc *doc = doc_of(format, arguments);
  va_end(arguments);
  return doc;
}

static ct_build_def build_def(void) {
  ct_build_def def = ct_default_build_def();
  def.rate_hz = rate_hz;
  def.ledger = true;
  return def;
}

ct_scene *words_scene(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  ct_doc *doc = doc_of(format, arguments);
  va_end(arguments);
  ct_error error = {0};
  ct_scene *scene = NULL;
  ct_build_def def = build_def();
  must(ct_doc_build(doc, &def, &scene, NULL, NULL, &error), &error);
  ct_doc_destroy(doc);
  return scene;
}

typedef struct kept_warning {
  char *text;
  size_t room;
} kept_warning;

static void keep_warning(void *context, const char *line) {
  kept_warning *kept = context;
  if (kept->text && !*kept->text)
    snprintf(kept->text, kept->room, "%s", line);
}

const char *words_complaint(ct_error *error, char *warned, size_t room, const char *format, ...) {
  char text[TEXT_MOST];
  va_list arguments;
  va_start(arguments, format);
  spell(text, format, arguments);
  va_end(arguments);
  if (warned)
    *warned = 0;
  ct_doc *doc;
  ct_scene *scene = NULL;
  ct_build_def def = build_def();
  *error = (ct_error){.text = ""};
  if (read_doc(text, &doc, error) == CT_OK)
    ct_doc_build(doc, &def, &scene, keep_warning, &(kept_warning){warned, room}, error);
  ct_scene_destroy(scene);
  ct_doc_destroy(doc);
  return error->text;
}

/* ---- sound ---- */

static words_sound render(ct_doc *doc, double seconds) {
  ct_error error = {0};
  ct_render *r = NULL;
  ct_render_def def = {.rate_hz = rate_hz, .seconds = seconds, .ledger = true, .raw = true};
  must(ct_render_open(doc, &def, &r, &error), &error);
  words_sound s = {.samples = calloc(ct_render_frames(r), sizeof(double))};
  assert_non_null(s.samples);
  ct_render_block b = {.frames = 1};
  while (b.frames) {
    must(ct_render_next(r, &b, &error), &error);
    for (uint32_t i = 0; i < b.frames; i++)
      s.samples[s.count++] = b.raw[0][i];
  }
  s.ledger = ct_scene_ledger(ct_render_scene(r));
  ct_render_close(r);
  ct_doc_destroy(doc);
  return s;
}

words_sound words_rendered(double seconds, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  ct_doc *doc = doc_of(format, arguments);
  va_end(arguments);
  return render(doc, seconds);
}

words_sound words_struck(const words_strike *s) {
  double at = WORDS_STRIKE_SAMPLE / rate_hz, sample = 1 / rate_hz;
  double from = s->moves ? s->from_s : 0.1, to = s->moves ? s->to_s : 0.2;
  char moves[200] = "";
  if (s->moves)
    snprintf(moves, sizeof moves, ", '%s': [%.17g, %.17g, %.17g, %.17g, %.17g, %.17g]", s->moves, s->start,
             s->start, s->start, s->start, s->start, s->end);
  return words_rendered(
      s->seconds,
      "{'contatto': 1, 'bodies': {'b': {'modes': %s, 'points': {"
      "'hit': {'place_u': %.17g, 'place_v': %.17g}, 'ear': {'place_u': %.17g, 'place_v': %.17g}}}},"
      "'pickups': {'out': {'at': 'b.ear', 'listen': 'velocity'}},"
      "'gesture': {'time_s': [0, %.17g, %.17g, %.17g, %.17g, %.17g], 'b.hit.force_n': [0, 0, 1000, 0, 0, 0] "
      "%s}}",
      s->modes, s->hit[0], s->hit[1], s->ear[0], s->ear[1], at - sample, at, at + sample, from, to, moves);
}

double words_mode(ct_scene *scene, const char *body, uint32_t mode, const char *field) {
  char path[96];
  ct_error error = {0};
  ct_handle handle;
  snprintf(path, sizeof path, "%s.modes.%u.%s", body, mode, field);
  must(ct_scene_resolve(scene, path, &handle, &error), &error);
  return ct_scene_get(scene, handle);
}

bool words_ledger_closes(const ct_ledger *l) { return ct_ledger_kept(l); }
