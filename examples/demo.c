/* demo SCENE: a built-in scene or a scene file, played by its own gesture: raw 32-bit floats at 48 kHz on
 * standard output, channels interleaved, and how loud it was on standard error. Uses all three libraries. */
#include <contatto/contatto.h>
#include <contatto/file.h>
#include <contatto/measure.h>
#include <stdio.h>
#include <stdlib.h>

enum { BLOCK = 64 };

/* Writes what sounds and keeps it for the measure. */
static ct_result play(ct_scene *scene, ct_player *player, size_t frames, double *all, ct_error *error) {
  float buffers[CT_OUTPUTS_MOST][BLOCK], *outputs[CT_OUTPUTS_MOST];
  uint32_t channels = ct_scene_channels(scene);
  for (uint32_t c = 0; c < channels; c++)
    outputs[c] = buffers[c];
  for (size_t done = 0; done < frames;) {
    uint32_t count = frames - done < BLOCK ? (uint32_t)(frames - done) : BLOCK;
    ct_result result = player ? ct_player_send(player, done + count, error) : CT_OK;
    if (result != CT_OK)
      return result;
    ct_scene_process(scene, &(ct_io){.frames = count, .outputs = outputs});
    for (uint32_t i = 0; i < count; i++)
      for (uint32_t c = 0; c < channels; c++) {
        fwrite(&buffers[c][i], sizeof(float), 1, stdout);
        all[(done + i) * channels + c] = (double)buffers[c][i];
      }
    done += count;
  }
  return CT_OK;
}

int main(int count, char **words) {
  ct_error error = {CT_OK, ""};
  ct_doc *doc = NULL;
  ct_scene *scene = NULL;
  ct_gesture gesture = {0, 0, NULL, NULL, NULL};
  ct_player *player = NULL;
  double *all = NULL;
  ct_build_def def = ct_default_build_def();
  ct_result result = ct_doc_load(count > 1 ? words[1] : "hammer", &doc, &error);
  if (result == CT_OK)
    result = ct_doc_build(doc, &def, &scene, NULL, NULL, &error);
  if (result == CT_OK)
    result = ct_doc_gesture(doc, &gesture, &error);
  if (result == CT_OK && gesture.rows)
    result = ct_player_create(&gesture, scene, &player, &error);
  if (result == CT_OK) {
    size_t frames = (size_t)(ct_doc_seconds(doc) * def.rate_hz + 0.5);
    if (!(all = calloc(frames * ct_scene_channels(scene), sizeof *all)))
      return 1;
    result = play(scene, player, frames, all, &error);
    if (result == CT_OK)
      fprintf(stderr, "%.1f LUFS\n",
              ct_measure_loudness(all, frames, ct_scene_channels(scene), def.rate_hz).integrated_lufs);
  }
  if (result != CT_OK)
    fprintf(stderr, "%s\n", error.text);
  free(all);
  ct_player_destroy(player);
  ct_scene_destroy(scene);
  ct_doc_destroy(doc);
  return result != CT_OK;
}
