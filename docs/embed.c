/* A hammer strikes a steel bar: one second of raw 32-bit floats at 48 kHz on standard output. */
#include <contatto/contatto.h>
#include <stdio.h>

static const struct {
  const char *path, *text;
  double number;
} leaves[] = {{"bodies.bar.modes.shape", "bar", 0},
              {"bodies.bar.modes.material", "steel", 0},
              {"bodies.bar.points.hit.place_u", NULL, 0.3}, /* 30 % along the bar */
              {"bodies.hammer.modes[0].hz", NULL, 0},       /* a free mass, 50 g, */
              {"bodies.hammer.modes[0].v_m_s", NULL, 1},    /* at 1 m/s */
              {"bodies.hammer.points.tip.gains[0]", NULL, 1},
              {"contacts.strike.a", "hammer.tip", 0},
              {"contacts.strike.b", "bar.hit", 0},
              {"pickups.out.at", "bar.hit", 0}}; /* 1 m/s there is full scale */

int main(void) {
  ct_error error = {.text = ""};
  ct_doc *doc = ct_doc_create();
  ct_scene *scene = NULL;
  ct_result result = CT_OK;
  for (size_t i = 0; i < sizeof leaves / sizeof *leaves && result == CT_OK; i++)
    result = leaves[i].text ? ct_doc_set_text(doc, leaves[i].path, leaves[i].text, &error)
                            : ct_doc_set_number(doc, leaves[i].path, leaves[i].number, &error);
  ct_build_def def = ct_default_build_def(); /* 48 kHz */
  if (result != CT_OK || ct_doc_build(doc, &def, &scene, NULL, NULL, &error) != CT_OK)
    return fprintf(stderr, "%s\n", error.text), 1;
  for (int block = 0; block < 750; block++) {
    float sound[64];
    ct_scene_process(scene, &(ct_io){.frames = 64, .outputs = (float *[]){sound}}); /* real-time safe */
    fwrite(sound, sizeof *sound, 64, stdout);
  }
  ct_scene_destroy(scene);
  ct_doc_destroy(doc);
}
