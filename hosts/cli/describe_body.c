/* One body: the document is built into a scene as for sounding, and what is shown is read back from it, so
 * presets, controls and the sample rate have had their say. */
#include "base/text.h"
#include "document/json.h"
#include "file/json.h"
#include "hosts/cli/describe.h"
#include "picture/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the document ---- */

static bool is_words(const char *body) {
  char first = body[strspn(body, " \t\n")];
  return first == '{' || first == '[';
}

/* A list of modes without one says nothing; the text is known to be JSON. */
static bool is_hollow(const ct_json_text *words) {
  uint32_t at = ct_json_skip_blanks(words, 0);
  return words->bytes[at] == '[' && words->bytes[ct_json_skip_blanks(words, at + 1)] == ']';
}

/* A document with nothing in it but this body, through the same reader as every scene file. The words alone
 * must be JSON, so that they cannot say more than a body's modes. */
static ct_result read_words(const char *words, ct_doc *doc, ct_error *error) {
  static const char before[] = "{\"contatto\": %d, \"bodies\": {\"body\": {\"modes\": %s}}}";
  ct_json_text alone = {"--body", words, (uint32_t)strlen(words)};
  uint32_t ignored;
  ct_result result = ct_json_check(&alone, &ignored, error);
  if (result != CT_OK)
    return result;
  if (is_hollow(&alone))
    return ct_fail(error, CT_BAD_SCENE, "--body: [] holds no modes");
  size_t length = ct_format(NULL, 0, before, CT_FILE_VERSION, words);
  char *text = malloc(length + 1);
  if (!text)
    return ct_fail(error, CT_NO_MEMORY, "no memory for the body");
  ct_format(text, length + 1, before, CT_FILE_VERSION, words);
  result = ct_doc_read_json(doc, "--body", text, length, NULL, NULL, error);
  free(text);
  return result;
}

static ct_result load(const describe_job *j, cli_body *b, ct_error *error) {
  if (!is_words(j->body))
    return cli_describe_load(j, &b->doc, error);
  b->doc = ct_doc_create();
  return b->doc ? read_words(j->body, b->doc, error) : ct_fail(error, CT_NO_MEMORY, "no memory for the body");
}

static ct_result unknown_body(const cli_body *b, ct_error *error) {
  char names[200] = "";
  for (uint32_t i = 0; i < ct_doc_body_count(b->doc); i++) {
    size_t used = strlen(names);
    ct_format(names + used, sizeof names - used, "%s%s", i ? ", " : "", ct_doc_body_name(b->doc, i));
  }
  return ct_fail(error, CT_BAD_PATH, "there is no body called '%.48s'; the scene has %s", b->name,
                 *names ? names : "none");
}

static ct_result find_body(const describe_job *j, cli_body *b, ct_error *error) {
  b->name = is_words(j->body) ? "body" : j->body;
  for (b->number = 0; b->number < ct_doc_body_count(b->doc); b->number++)
    if (strcmp(ct_doc_body_name(b->doc, b->number), b->name) == 0)
      return CT_OK;
  return unknown_body(b, error);
}

/* ---- the modes ---- */

static bool read_number(const cli_body *b, const char *path, double *value) {
  ct_handle handle;
  if (ct_scene_resolve(b->scene, path, &handle, NULL) != CT_OK)
    return false;
  *value = ct_scene_get(b->scene, handle);
  return true;
}

/* False beyond the last mode. */
static bool read_mode(const cli_body *b, uint32_t index, ct_mode_def *mode) {
  static const char *const fields[] = {"hz", "t60_s", "mass_kg"};
  double *const numbers[] = {&mode->hz, &mode->t60_s, &mode->mass_kg};
  char path[CT_NAME_MAX + 32];
  bool good = true;
  for (int i = 0; i < 3 && good; i++) {
    snprintf(path, sizeof path, "%s.modes.%u.%s", b->name, index, fields[i]);
    good = read_number(b, path, numbers[i]);
  }
  return good;
}

enum { PARTIALS = 40 };

/* A string has no modes but partials: each as its filters make it, with the mass a mode of it would have, rho
 * L / 2 = Z / (4 f0). False beyond the last. */
static bool read_partial(const cli_body *b, uint32_t index, ct_mode_def *mode) {
  char path[CT_NAME_MAX + 32];
  double impedance = 0, hz = 1;
  if (index >= PARTIALS ||
      ct_scene_string_partial(b->scene, b->name, index + 1, &mode->hz, &mode->t60_s, NULL) != CT_OK)
    return false;
  snprintf(path, sizeof path, "%s.string.impedance_kg_s", b->name);
  read_number(b, path, &impedance);
  snprintf(path, sizeof path, "%s.string.hz", b->name);
  read_number(b, path, &hz);
  mode->mass_kg = impedance / (4 * hz);
  return mode->hz > 0;
}

static ct_result read_modes(cli_body *b, ct_error *error) {
  ct_mode_def mode = {0};
  for (b->count = 0; read_mode(b, b->count, &mode) || read_partial(b, b->count, &mode); b->count++) {
    ct_mode_def *modes = realloc(b->modes, (b->count + 1) * sizeof *modes);
    if (!modes)
      return ct_fail(error, CT_NO_MEMORY, "no memory for the modes");
    b->modes = modes;
    modes[b->count] = mode;
  }
  return b->count ? CT_OK
                  : ct_fail(error, CT_BAD_SCENE, "body '%s' is a hand or wall: it has no modes", b->name);
}

static ct_result build(const describe_job *j, cli_body *b, ct_error *error) {
  cli_warnings warnings = {.strict = j->strict};
  ct_build_def def = ct_default_build_def();
  def.rate_hz = j->rate_hz;
  ct_error inner = {.text = ""};
  ct_result result = ct_doc_build(b->doc, &def, &b->scene, cli_warn, &warnings, &inner);
  if (result != CT_OK) /* words have no file to name */
    ct_fail(error, result, "%.100s%s%.200s", j->scene ? j->scene : "", j->scene ? ": " : "", inner.text);
  if (result == CT_OK && j->strict && warnings.count)
    result = ct_fail(error, CT_BAD_SCENE, "%.280s (--strict)", warnings.first);
  if (result == CT_OK)
    result = ct_doc_body_object(b->doc, b->name, j->rate_hz, &b->object, error);
  if (result != CT_OK)
    return result;
  ct_scene_process(b->scene, &(ct_io){.frames = 1}); /* what controls move follows with the first sample */
  result = ct_scene_judge(b->scene, error);
  return result == CT_OK ? read_modes(b, error) : result;
}

static void take_shape(cli_body *b) {
  if (!b->object)
    return;
  uint32_t shaped;
  b->orders = ct_object_modes(b->object, &shaped);
  b->hung = b->count - shaped;
  b->shape = ct_object_modal_def(b->object).shape;
}

/* ---- reading it ---- */

void cli_mode_order(const cli_body *b, uint32_t mode, char *text, size_t room) {
  *text = 0;
  if (b->object && mode < b->hung)
    snprintf(text, room, "swing");
  else if (b->object)
    snprintf(text, room, "(%d,%d)%s", b->orders[mode - b->hung].m, b->orders[mode - b->hung].n,
             b->orders[mode - b->hung].turned ? "'" : "");
}

double cli_mode_ratio(const cli_body *b, uint32_t mode) {
  for (uint32_t i = b->hung; i < b->count; i++)
    if (b->modes[i].hz > 0)
      return b->modes[mode].hz / b->modes[i].hz;
  return (double)NAN;
}

double cli_mode_gain(const cli_body *b, uint32_t point, uint32_t mode) {
  char path[2 * CT_NAME_MAX + 32];
  const char *name = ct_doc_point_name(b->doc, b->number, point);
  double gain = (double)NAN, place;
  snprintf(path, sizeof path, "%s.%s.gains.%u", b->name, name, mode);
  if (read_number(b, path, &gain))
    return gain;
  snprintf(path, sizeof path, "%s.%s.place_u", b->name, name);
  return read_number(b, path, &place) ? sin((mode + 1) * M_PI * place) : gain; /* a string's */
}

/* ---- the picture ---- */

enum { LABEL = 48 };

static ct_result draw_labelled(const describe_job *j, const cli_body *b, char (*texts)[LABEL],
                               const char **labels, ct_error *error) {
  char title[160], order[24];
  for (uint32_t i = 0; i < b->count; i++) {
    cli_mode_order(b, i, order, sizeof order);
    snprintf(texts[i], LABEL, "%.6g Hz %s", b->modes[i].hz, order);
    labels[i] = texts[i];
  }
  snprintf(title, sizeof title, "%.120s", is_words(j->body) ? j->body : b->name);
  ct_mode_picture picture = {
      .title = title, .modes = b->modes, .count = b->count, .shape = b->shape, .labels = labels};
  return ct_mode_picture_draw(j->picture, &picture, error);
}

static ct_result draw(const describe_job *j, const cli_body *b, ct_error *error) {
  char(*texts)[LABEL] = calloc(b->count + 1u, sizeof *texts);
  const char **labels = calloc(b->count + 1u, sizeof *labels);
  ct_result result;
  if (texts && labels)
    result = draw_labelled(j, b, texts, labels, error);
  else
    result = ct_fail(error, CT_NO_MEMORY, "no memory for the picture");
  free(texts);
  free(labels);
  return result;
}

/* ---- all of it ---- */

static ct_result work(const describe_job *j, cli_body *b, ct_error *error) {
  ct_result result = load(j, b, error);
  if (result == CT_OK)
    result = find_body(j, b, error);
  if (result == CT_OK)
    result = build(j, b, error);
  if (result == CT_OK)
    take_shape(b);
  return result == CT_OK && j->picture ? draw(j, b, error) : result;
}

int cli_body_describe(const describe_job *j) {
  if (is_words(j->body) && j->scene)
    return cli_misuse("describe", "--body: words stand alone; a body of %.80s is called by its name",
                      j->scene);
  if (!is_words(j->body) && !j->scene)
    return cli_misuse("describe",
                      "--body: '%.80s' is a body of which SCENE? Or words: '{\"shape\": \"bar\"}'", j->body);
  cli_body body = {0};
  ct_error error = {.text = ""};
  int code = CLI_OK;
  if (work(j, &body, &error) != CT_OK)
    code = cli_fail("describe", "%s", error.text);
  else if (j->json)
    code = cli_print_json("describe", cli_body_json(&body));
  else
    cli_body_show(&body);
  free(body.modes);
  ct_object_destroy(body.object);
  ct_scene_destroy(body.scene);
  ct_doc_destroy(body.doc);
  return code;
}
