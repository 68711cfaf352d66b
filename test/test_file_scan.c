/* Scans of surfaces: read from tables and sound files, refused with the line when something is missing, and
 * handed to the surface that names them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "document/doc.h"
#include "file/load.h"
#include "file/wav.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void write_file(const char *name, const char *text) {
  FILE *out = fopen(name, "wb");
  assert_non_null(out);
  fputs(text, out);
  fclose(out);
}

static void tables(void **state) {
  (void)state;
  static const char *const texts[] = {"1e-6\n2e-6\n-3e-6\n4e-6\n",
                                      "height_m\r\n1e-6\r\n2e-6\r\n-3e-6\r\n4e-6\r\n",
                                      "x_m,height_m\n0,1e-6\n1e-4,2e-6\n2e-4,-3e-6\n3e-4,4e-6\n\n",
                                      "0 , 1e-6\n1e-4 , 2e-6\n2e-4,-3e-6\n3e-4,4e-6"};
  for (int i = 0; i < 4; i++) {
    ct_scan_table scan;
    ct_error error = {.text = ""};
    if (ct_scan_table_read("scan.csv", texts[i], strlen(texts[i]), &scan, &error) != CT_OK)
      fail_msg("%s", error.text);
    assert_int_equal(scan.count, 4);
    assert_true(scan.heights[0] == 1e-6 && scan.heights[2] == -3e-6);
    assert_true(scan.step_m == (i < 2 ? 0 : 1e-4));
    free(scan.heights);
  }
}

static void gaps(void **state) {
  (void)state;
  static const struct {
    const char *text, *words;
  } cases[] = {
      {"height_m\n1\n2\n\n4\n", "scan.csv:4: wants a height, a finite number each"},
      {"height_m\n1\nnan\n", "scan.csv:3: wants a height, a finite number each"},
      {"height_m\n1\ninf\n", "scan.csv:3: wants a height, a finite number each"},
      {"1\n2\nthree\n", "scan.csv:3: wants a height, a finite number each"},
      {"x_m,height_m\n0,1\n1,\n", "scan.csv:3: wants x_m and height_m, a finite number each"},
      {"x_m,height_m\n0,1\n1,2\n3,2\n",
       "scan.csv:4: x_m is 3 m after a step of 1 m; a scan wants even steps"},
      {"x_m,height_m\n0,1\n0,2\n", "scan.csv:3: x_m does not rise"},
      {"1,2,3\n", "scan.csv:1: wants one column of heights, or x_m and height_m"},
      {"a\nb\n", "scan.csv:2: wants one column of heights, or x_m and height_m"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    ct_scan_table scan;
    ct_error error = {.text = ""};
    const char *text = cases[i].text;
    assert_int_not_equal(ct_scan_table_read("scan.csv", text, strlen(text), &scan, &error), CT_OK);
    if (!strstr(error.text, cases[i].words))
      fail_msg("'%s' lacks '%s'", error.text, cases[i].words);
  }
}

/* ---- in a scene ---- */

static const char scene[] =
    "{\"contatto\": 1, \"gravity_m_s2\": 9.81,"
    "\"bodies\": {\"ball\": {\"modes\": [{\"hz\": 0, \"t60_s\": 0, \"mass_kg\": 0.01}], \"points\": {\"at\": "
    "{\"gains\": [1]}}}, \"floor\": {\"kind\": \"wall\"}},"
    "\"contacts\": {\"touch\": {\"a\": \"ball.at\", \"b\": \"floor.at\", \"from\": \"above\"}},"
    "\"surfaces\": {\"scanned\": {\"kind\": \"scan\", %s}},"
    "\"drives\": {\"roll\": {\"contact\": \"touch\", \"surface\": \"scanned\", \"motion\": \"imposed\", "
    "\"speed_m_s\": 0.1, \"radius_m\": 1e-6}}}";

static ct_result build(const char *fields, ct_scene **made, ct_error *error) {
  char text[2000];
  snprintf(text, sizeof text, scene, fields);
  write_file("scanned.json", text);
  ct_doc *doc = NULL;
  ct_result result = ct_doc_load("./scanned.json", &doc, error);
  ct_build_def def = ct_default_build_def();
  if (result == CT_OK)
    result = ct_doc_build(doc, &def, made, NULL, NULL, error);
  ct_doc_destroy(doc);
  unlink("scanned.json");
  return result;
}

static double rms_offset(ct_scene *s) {
  enum { FRAMES = 48000 };
  static double x[FRAMES];
  ct_handle handle;
  ct_error error;
  assert_int_equal(ct_scene_resolve(s, "roll.offset_m", &handle, &error), CT_OK);
  ct_tap tap = {handle, x};
  ct_scene_process(s, &(ct_io){.frames = FRAMES, .taps = &tap, .tap_count = 1});
  double mean = 0, power = 0;
  for (int n = 0; n < FRAMES; n++)
    mean += x[n] / FRAMES;
  for (int n = 0; n < FRAMES; n++)
    power += (x[n] - mean) * (x[n] - mean) / FRAMES;
  return sqrt(power);
}

/* A wave of 1 mm and 5 um, every 50 um: measured, it is itself; told another depth, it is that deep. */
static void in_a_scene(void **state) {
  (void)state;
  FILE *out = fopen("wave.csv", "wb");
  assert_non_null(out);
  fputs("x_m,height_m\n", out);
  for (int i = 0; i <= 400; i++)
    fprintf(out, "%.9g,%.9g\n", i * 5e-5, 0.3 + 5e-6 * cos(2 * M_PI * i / 20));
  fclose(out);
  static const struct {
    const char *fields;
    double rms;
  } cases[] = {{"\"file\": \"wave.csv\"", 5e-6 * M_SQRT1_2},
               {"\"file\": \"wave.csv\", \"depth_m\": 2e-6", 2e-6}};
  for (int i = 0; i < 2; i++) {
    ct_scene *s = NULL;
    ct_error error = {.text = ""};
    if (build(cases[i].fields, &s, &error) != CT_OK)
      fail_msg("%s", error.text);
    double rms = rms_offset(s);
    printf("%s: rms %.4g m, expected %.4g m\n", cases[i].fields, rms, cases[i].rms);
    assert_true(fabs(rms / cases[i].rms - 1) < 0.02);
    ct_scene_destroy(s);
  }
  unlink("wave.csv");
}

static void from_sound(void **state) {
  (void)state;
  float samples[2000];
  for (int i = 0; i < 2000; i++)
    samples[i] = (float)sin(i * 0.1);
  ct_wav *wav;
  ct_error error = {.text = ""};
  const float *channels[] = {samples};
  assert_int_equal(ct_wav_open("scan.wav", 48000, 1, false, 2000, &wav, &error), CT_OK);
  assert_int_equal(ct_wav_write(wav, channels, 2000, &error), CT_OK);
  assert_int_equal(ct_wav_close(wav, &error), CT_OK);
  assert_int_equal(ct_staged_keep(ct_wav_staged(wav), &error), CT_OK);
  ct_wav_drop(wav);
  ct_scene *s = NULL;
  assert_int_not_equal(build("\"file\": \"scan.wav\"", &s, &error), CT_OK);
  assert_string_equal(error.text, "surface 'scanned': a sound file has no scale; give depth_m, its rms");
  if (build("\"file\": \"scan.wav\", \"depth_m\": 1e-6, \"step_m\": 2e-5", &s, &error) != CT_OK)
    fail_msg("%s", error.text);
  assert_true(fabs(rms_offset(s) / 1e-6 - 1) < 0.03);
  ct_scene_destroy(s);
  unlink("scan.wav");
}

static void refused(void **state) {
  (void)state;
  static const struct {
    const char *fields, *words;
  } cases[] = {
      {"\"file\": \"nowhere.csv\"", "surface 'scanned': ./nowhere.csv: cannot be read"},
      {"\"file\": \"nowhere.wav\"", "surface 'scanned': ./nowhere.wav: cannot be read as a scan"},
      {"\"depth_m\": 1e-6", "surface 'scanned': a scan wants heights_m or a file"},
      {"\"heights_m\": [0, 1e-6, null, 0, 0, 0, 0, 0, 0]", "surfaces.scanned.heights_m.2"},
      {"\"heights_m\": [0, 1e-6]", "surface 'scanned': a scan wants at least 8 heights; there are 2"},
      {"\"grid_m\": 0, \"heights_m\": [0, 1, 2, 3, 4, 5, 6, 7]",
       "surfaces.scanned.grid_m: 0 m is out of range; wants 1e-06 to 0.01 m"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    ct_scene *s = NULL;
    ct_error error = {.text = ""};
    assert_int_not_equal(build(cases[i].fields, &s, &error), CT_OK);
    if (!strstr(error.text, cases[i].words))
      fail_msg("'%s' lacks '%s'", error.text, cases[i].words);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(tables), cmocka_unit_test(gaps),
                                     cmocka_unit_test(in_a_scene), cmocka_unit_test(from_sound),
                                     cmocka_unit_test(refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
