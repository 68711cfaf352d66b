/* A hammer strikes a steel bar: one second of raw 32-bit floats at 48 kHz on standard output. */
#include <contatto/contatto.h>
#include <stdio.h>

#define JSON(...) #__VA_ARGS__
static const char text[] = JSON({
  "contatto": 1,
  "bodies": {
    "bar": {"modes": {"shape": "bar", "material": "steel"}, "points": {"hit": {"place_u": 0.3}}},
    "hammer": {"modes": [{"hz": 0, "mass_kg": 0.05, "v_m_s": 1}], "points": {"tip": {"gains": [1]}}}
  },
  "contacts": {"strike": {"a": "hammer.tip", "b": "bar.hit"}},
  "pickups": {"out": {"at": "bar.hit", "full_scale": 1}}
});

int main(void) {
  ct_error error = {CT_OK, ""};
  ct_scene *scene = NULL;
  ct_doc *doc = ct_doc_create();
  ct_build_def def = ct_default_build_def(); /* 48 kHz */
  if (ct_doc_read_json(doc, "bar", text, sizeof text - 1, NULL, NULL, &error) != CT_OK ||
      ct_doc_build(doc, &def, &scene, NULL, NULL, &error) != CT_OK)
    return fprintf(stderr, "%s\n", error.text), 1; /* one line: what, where, what would be right */
  for (int block = 0; block < 750; block++) {
    float sound[64];
    ct_scene_process(scene, &(ct_io){.frames = 64, .outputs = (float *[]){sound}}); /* real-time safe */
    fwrite(sound, sizeof *sound, 64, stdout);
  }
  ct_scene_destroy(scene);
  ct_doc_destroy(doc);
}
