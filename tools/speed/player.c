/* Plays a scene's demo block by block, several times, and prints what a sample takes: the mean of every block
 * at its shortest, and the slowest of these, ns. For tools/speed-beside, which compiles it with two versions
 * of the engine: what both have is all it may use. */
#include "file/load.h"
#include "file/render.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BLOCK = 64, RATE_HZ = 44100 };

static double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* False: it could not be played. */
static bool play(ct_doc *doc, double seconds, uint32_t blocks, double *best_ns, ct_error *error) {
  ct_render_def def = {.rate_hz = RATE_HZ, .seconds = seconds, .seed = 1, .block_frames = BLOCK};
  ct_render *render = NULL;
  ct_render_block block = {.frames = 1};
  bool played = ct_render_open(doc, &def, &render, error) == CT_OK;
  for (uint32_t b = 0; b < blocks && played; b++) {
    double start = now_ns();
    played = ct_render_next(render, &block, error) == CT_OK;
    double took = now_ns() - start;
    best_ns[b] = took < best_ns[b] ? took : best_ns[b];
  }
  ct_render_close(render);
  return played;
}

int main(int argc, char **argv) {
  if (argc != 4)
    return fprintf(stderr, "usage: player SCENE.json SECONDS ROUNDS\n"), 2;
  double seconds = strtod(argv[2], NULL), sum = 0, slowest = 0;
  uint32_t blocks = (uint32_t)(seconds * RATE_HZ / BLOCK);
  double *best_ns = malloc((blocks + 1) * sizeof *best_ns);
  ct_error error = {.text = ""};
  ct_doc *doc = NULL;
  bool played = best_ns && ct_doc_load(argv[1], &doc, &error) == CT_OK;
  for (uint32_t b = 0; b < blocks && played; b++)
    best_ns[b] = 1e18;
  for (long round = strtol(argv[3], NULL, 10); round > 0 && played; round--)
    played = play(doc, seconds, blocks, best_ns, &error);
  for (uint32_t b = 0; b < blocks && played; b++) {
    sum += best_ns[b];
    slowest = best_ns[b] > slowest ? best_ns[b] : slowest;
  }
  if (played)
    printf("%.1f %.1f\n", sum / blocks / BLOCK, slowest / BLOCK);
  else
    fprintf(stderr, "player: %s\n", error.text);
  ct_doc_destroy(doc);
  free(best_ns);
  return !played;
}
