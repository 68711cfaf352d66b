/* Parts of a document added to a scene that sounds: the same sound as built with them, refused where they
 * lean on nothing, and nothing changes for those who were there. */
#include <contatto/contatto.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { FRAMES = 4800 };

#define JSON(...) #__VA_ARGS__
static const char bodies[] = JSON({
  "contatto" : 1,
  "bodies" : {
    "bar" : {"modes" : [ {"hz" : 440, "t60_s" : 1, "mass_kg" : 0.05} ], "points" : {"hit" : {"gains" : [1]}}},
    "hammer" : {
      "modes" : [ {"hz" : 0, "mass_kg" : 0.05, "x_m" : -0.01, "v_m_s" : 1} ],
      "points" : {"tip" : {"gains" : [1]}}
    }
  },
  "pickups" : {"out" : {"at" : "bar.hit"}}
});
static const char contact[] =
    JSON({"contatto" : 1, "contacts" : {"strike" : {"a" : "hammer.tip", "b" : "bar.hit"}}});

static ct_doc *read_text(const char *text) {
  ct_error error = {CT_OK, ""};
  ct_doc *doc = ct_doc_create();
  assert_non_null(doc);
  assert_int_equal(ct_doc_read_json(doc, "test", text, strlen(text), NULL, NULL, &error), CT_OK);
  return doc;
}

static ct_scene *build(ct_doc *doc, uint32_t more_contacts) {
  ct_error error = {CT_OK, ""};
  ct_build_def def = ct_default_build_def();
  ct_scene *scene = NULL;
  def.more_contacts = more_contacts;
  assert_int_equal(ct_doc_build(doc, &def, &scene, NULL, NULL, &error), CT_OK);
  return scene;
}

static void play(ct_scene *scene, float *sound) {
  ct_scene_process(scene, &(ct_io){.frames = FRAMES, .outputs = (float *[]){sound}});
}

/* Heard at all, and as when both texts are one document. */
static void sounds_as_built_with_it(void **state) {
  static float added[FRAMES], built[FRAMES];
  ct_error error = {CT_OK, ""};
  ct_doc *both = read_text(bodies), *part = read_text(contact), *first = read_text(bodies);
  (void)state;
  assert_int_equal(ct_doc_read_json(both, "test", contact, strlen(contact), NULL, NULL, &error), CT_OK);
  ct_scene *whole = build(both, 1), *scene = build(first, 1);
  assert_int_equal(ct_doc_add_to(part, scene, NULL, NULL, &error), CT_OK);
  play(whole, built);
  play(scene, added);
  assert_memory_equal(added, built, sizeof added);
  assert_true(ct_scene_level(scene, 0) > 0);
  ct_scene_destroy(whole);
  ct_scene_destroy(scene);
  ct_doc_destroy(both);
  ct_doc_destroy(part);
  ct_doc_destroy(first);
}

static void refuses(void **state) {
  static const char lost[] =
      JSON({"contatto" : 1, "contacts" : {"strike" : {"a" : "nobody.tip", "b" : "bar.hit"}}});
  ct_error error = {CT_OK, ""};
  ct_handle handle;
  ct_doc *first = read_text(bodies), *part = read_text(contact), *astray = read_text(lost);
  (void)state;
  ct_scene *full = build(first, 0), *scene = build(first, 1);
  assert_int_equal(ct_doc_add_to(part, full, NULL, NULL, &error), CT_FULL);
  assert_int_not_equal(ct_doc_add_to(astray, scene, NULL, NULL, &error), CT_OK);
  assert_non_null(strstr(error.text, "nobody"));
  assert_int_not_equal(ct_scene_resolve(scene, "strike.force_n", &handle, &error), CT_OK);
  assert_int_equal(ct_doc_add_to(NULL, scene, NULL, NULL, &error), CT_BAD_ARGUMENT);
  assert_int_equal(ct_doc_add_to(part, NULL, NULL, NULL, &error), CT_BAD_ARGUMENT);
  assert_int_equal(ct_doc_add_to(part, scene, NULL, NULL, &error), CT_OK);
  ct_scene_destroy(full);
  ct_scene_destroy(scene);
  ct_doc_destroy(first);
  ct_doc_destroy(part);
  ct_doc_destroy(astray);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sounds_as_built_with_it), cmocka_unit_test(refuses)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
