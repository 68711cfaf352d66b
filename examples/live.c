/* live: click into the window to knock on a panel. Across is where, up is harder; Escape ends it.
 * live COUNT knocks that often by itself, four times a second of sound, and ends.
 * The main thread sets, SDL's audio thread plays. */
#include <SDL.h>
#include <contatto/contatto.h>
#include <contatto/file.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 640, HEIGHT = 320, RATE = 48000, BLOCK = 256 };

typedef struct live {
  ct_scene *scene;
  ct_limiter *limiter;
  ct_handle knock, position;
  SDL_atomic_t played; /* frames so far, written by the audio thread */
} live;

/* The audio thread. */
static void play(void *context, Uint8 *bytes, int length) {
  live *l = context;
  float *sound = (float *)(void *)bytes;
  uint32_t frames = (uint32_t)length / (uint32_t)sizeof *sound;
  ct_scene_process(l->scene, &(ct_io){.frames = frames, .outputs = &sound});
  ct_limiter_process(l->limiter, &sound, frames);
  SDL_AtomicAdd(&l->played, (int)frames);
}

/* The main thread. */
static ct_result build(live *l, ct_error *error) {
  ct_doc *doc = NULL;
  ct_build_def def = ct_default_build_def();
  ct_limiter_def limiter = ct_default_limiter_def();
  def.rate_hz = limiter.rate_hz = RATE;
  limiter.channels = 1;
  ct_result result = ct_doc_load("knock", &doc, error);
  if (result == CT_OK)
    result = ct_doc_build(doc, &def, &l->scene, NULL, NULL, error);
  if (result == CT_OK)
    result = ct_scene_resolve(l->scene, "knock_speed", &l->knock, error);
  if (result == CT_OK)
    result = ct_scene_resolve(l->scene, "position", &l->position, error);
  if (result == CT_OK)
    result = ct_limiter_create(&limiter, &l->limiter, error);
  ct_doc_destroy(doc);
  return result;
}

/* Both changes take effect at the next block, in this order. */
static void hit(live *l, int x, int y) {
  double across = 0.05 + 0.9 * SDL_clamp(x, 0, WIDTH) / WIDTH;
  double speed = 0.1 + 2.9 * SDL_clamp(HEIGHT - y, 0, HEIGHT) / HEIGHT;
  ct_error error = {CT_OK, ""};
  if (ct_scene_set(l->scene, l->position, across, 0, 0, &error) != CT_OK ||
      ct_scene_set(l->scene, l->knock, speed, 0, 0, &error) != CT_OK)
    fprintf(stderr, "%s\n", error.text);
}

static void click(int x, int y) {
  SDL_Event event;
  SDL_zero(event);
  event.type = SDL_MOUSEBUTTONDOWN;
  event.button.x = x;
  event.button.y = y;
  SDL_PushEvent(&event);
}

/* Until Escape, or until `knocks` of its own were heard (-1: none of its own). Returns how many there were.
 */
static int listen(live *l, int knocks) {
  int heard = 0, sent = 0, last = 0; /* frame of the last one */
  for (SDL_Event event;;) {
    bool waited = SDL_AtomicGet(&l->played) - last >= RATE / 4;
    if (knocks >= 0 && waited && heard == knocks)
      return heard;
    if (sent < knocks && waited && sent == heard)
      sent++, click(WIDTH * sent / (knocks + 1), HEIGHT / 2);
    if (!SDL_WaitEventTimeout(&event, 10))
      continue;
    if (event.type == SDL_QUIT || (event.type == SDL_KEYDOWN && event.key.keysym.sym == SDLK_ESCAPE))
      return heard;
    if (event.type == SDL_MOUSEBUTTONDOWN) {
      hit(l, event.button.x, event.button.y);
      last = SDL_AtomicGet(&l->played);
      heard++;
    }
  }
}

int main(int count, char **words) {
  static live l;
  ct_error error = {CT_OK, ""};
  if (build(&l, &error) != CT_OK)
    return fprintf(stderr, "%s\n", error.text), 1;
  SDL_AudioSpec wanted = {.freq = RATE,
                          .format = AUDIO_F32SYS,
                          .channels = 1,
                          .samples = BLOCK,
                          .callback = play,
                          .userdata = &l};
  SDL_AudioDeviceID device = 0;
  SDL_Window *window = NULL;
  if (SDL_Init(SDL_INIT_VIDEO | SDL_INIT_AUDIO) == 0 &&
      (device = SDL_OpenAudioDevice(NULL, 0, &wanted, NULL, 0)))
    window = SDL_CreateWindow("contatto: click to knock", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED,
                              WIDTH, HEIGHT, 0);
  if (window) {
    SDL_PauseAudioDevice(device, 0);
    printf("%d knocks\n", listen(&l, count > 1 ? atoi(words[1]) : -1));
  } else {
    fprintf(stderr, "%s\n", SDL_GetError());
  }
  if (device)
    SDL_CloseAudioDevice(device); /* from here on nobody plays */
  SDL_Quit();
  ct_limiter_destroy(l.limiter);
  ct_scene_destroy(l.scene);
  return !window;
}
