#!/bin/sh
# ctest: plain
# docs/embedding.md: its first program is examples/plain.c, builds with libcontatto and libm alone, and makes the sound of a
# struck bar: its strongest partial is the one that beam theory gives. Every other C block compiles without a warning and
# works; what C# calls is there. What README.md shows are lines of examples/plain.c.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
page=$ROOT/docs/embedding.md

fail() {
  echo "test_embed: $1" >&2
  exit 1
}

block() { # page language which
  awk -v mark="\`\`\`$2" -v which="$3" '$0 == mark { n++; on = n == which; next } /^```/ { on = 0 } on' "$1"
}
block "$page" c 1 >"$work/embed.c"
cmp "$work/embed.c" "$ROOT/examples/plain.c" || fail "docs/embedding.md does not show examples/plain.c as it is"
block "$ROOT/README.md" c 1 >"$work/heart.c"
awk 'NR == FNR { want[++n] = $0; next }
  { at = $0 == want[at + 1] ? at + 1 : $0 == want[1]; if (n && at == n) found = 1 }
  END { exit !(n >= 3 && found) }' "$work/heart.c" "$ROOT/examples/plain.c" || fail "README.md shows other lines than examples/plain.c has"
[ "$(wc -l <"$work/heart.c")" -le 12 ] || fail "README.md shows more than a person in a hurry reads"
lines=$(wc -l <"$work/embed.c")
[ "$lines" -le 40 ] || fail "$lines lines are too many to read in a hurry"

build() { # out source...
  out=$1
  shift
  "$CC" -std=c17 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -Wno-missing-prototypes -I"$ROOT/include" -o "$work/$out" "$@" \
    "$BUILD/libcontatto.a" -lm || fail "$out does not build"
}

# ---- the first program
build embed "$work/embed.c"
strangers=$(readelf -d "$work/embed" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -vE '^lib[cm]\.so|^ld-' || true)
[ -z "$strangers" ] || fail "it needs $strangers"

"$work/embed" >"$work/sound.f32"
[ "$(wc -c <"$work/sound.f32")" -eq $((48000 * 4)) ] || fail "not one second of 32-bit floats"

# Lowest mode of a free steel bar of 0.3 m, 6 mm thick: (4.73004^2 / 2 pi L^2) (h / sqrt 12) sqrt(E / rho), by
# Goertzel's recursion against its neighbourhood and against the loudest sample.
od -An -v -t f4 -w4 "$work/sound.f32" | awk '
  { if ($1 !~ /^-?[0-9.]+(e[-+]?[0-9]+)?$/) { print "sample " NR " is " $1; bad = 1; exit }
    x[NR] = $1; size = $1 < 0 ? -$1 : $1; if (size > peak) peak = size }
  function level(hz,   w, a, b, c, i) {
    w = 2 * cos(2 * pi * hz / 48000); a = b = 0
    for (i = 1; i <= NR; i++) { c = x[i] + w * a - b; b = a; a = c }
    return 10 * log((a * a + b * b - w * a * b) * 4 / NR / NR) / log(10) }
  END {
    if (bad) exit 1
    pi = atan2(0, -1)
    hz = 4.73004 ^ 2 / (2 * pi * 0.3 ^ 2) * 0.006 / sqrt(12) * sqrt(200e9 / 7800)
    at = level(hz); below = level(hz - 15); above = level(hz + 15)
    printf "peak %.3f, %.1f Hz at %.1f dB, 15 Hz below %.1f dB, above %.1f dB\n", peak, hz, at, below, above
    exit !(peak > 0.01 && peak < 1 && at > -60 && at > below + 20 && at > above + 20) }' || fail "that is not a struck bar"

# ---- the others, each with a few lines around it that use it
[ "$(grep -c '^```c$' "$page")" -eq 6 ] || fail "the page has $(grep -c '^```c$' "$page") C blocks; this test knows 6"

# How the driver below begins: the scene's text, and the loudest sample of a buffer.
cat >"$work/driver.h" <<'C'
#include <math.h>
#include <stdio.h>
static char scene_text[65536];
static const char *read_scene(const char *file) {
  FILE *stream = fopen(file, "rb");
  scene_text[stream ? fread(scene_text, 1, sizeof scene_text - 1, stream) : 0] = 0;
  if (stream)
    fclose(stream);
  return scene_text;
}
static float loudest(const float *samples, size_t count) {
  float most = 0;
  for (size_t i = 0; i < count; i++)
    most = fmaxf(most, fabsf(samples[i]));
  return most;
}
C

try() { # name block: the driver is read from standard input
  block "$page" c "$2" >"$work/$1.c"
  "$CC" -std=c11 -Wall -Wextra -Wpedantic -Werror -I"$ROOT/include" -c -o "$work/$1-c11.o" "$work/$1.c" || fail "$1 is not C11"
  { cat "$work/$1.c" "$work/driver.h" - ; } >"$work/$1-driven.c"
  build "$1" "$work/$1-driven.c"
  "$work/$1" "$ROOT/scenes/knock.json" || fail "the block '$1' does not do what it says"
}

try small 2 <<'C'
int main(void) {
  void *memory;
  ct_error error = {CT_OK, ""};
  float out[480], *outputs[] = {out};
  ct_scene *scene = small_scene(&memory, &error);
  if (!scene || *read_scene("/dev/null"))
    return fprintf(stderr, "%s\n", error.text), 1;
  ct_scene_process(scene, &(ct_io){.frames = 480, .outputs = outputs});
  printf("one mode in %zu bytes, %g\n", ct_scene_bytes(scene), (double)loudest(out, 480));
  int wrong = ct_scene_bytes(scene) > 8192 || loudest(out, 480) < 0.09f || loudest(out, 480) > 0.11f; /* 0.1 m/s of 1 */
  free(memory);
  return wrong;
}
C

# A note in the middle of a block: silence before it, sound after it, the same for other block lengths; a hard knock differs.
try plugin 3 <<'C'
enum { FRAMES = 4800, NOTE = 1000 };
static void play(const char *text, uint32_t block, double hardness, float *out) {
  ct_error error = {CT_OK, ""};
  plugin *p = plugin_open(text, 48000, &error);
  if (!p)
    fprintf(stderr, "%s\n", error.text), exit(1);
  for (uint32_t done = 0; done < FRAMES; done += block) {
    uint32_t frames = FRAMES - done < block ? FRAMES - done : block;
    plugin_run(p, out + done, frames, done ? hardness : 0.5, NOTE >= done ? NOTE - done : frames, 1);
  }
  printf("latency %u\n", (unsigned)plugin_latency(p));
  if (plugin_latency(p) + NOTE >= FRAMES || loudest(out, NOTE + plugin_latency(p)) > 0)
    fprintf(stderr, "sounds before the note\n"), exit(1);
  plugin_close(p);
}
int main(int count, char **words) {
  static float one[FRAMES], two[FRAMES], hard[FRAMES];
  ct_error error = {CT_OK, ""};
  const char *text = count > 1 ? read_scene(words[1]) : "";
  play(text, 480, 0.5, one);
  play(text, 100, 0.5, two);
  play(text, 480, 0.9, hard);
  return plugin_open("{", 48000, &error) || !*error.text || loudest(one, FRAMES) < 1e-4f ||
         memcmp(one, two, sizeof one) != 0 || memcmp(one, hard, sizeof one) == 0;
}
C

# Things sound when they are hit, differently, and not before.
try game 4 <<'C'
int main(int count, char **words) {
  static game_sound game;
  static float first[4096], second[4096];
  ct_error error = {CT_OK, ""};
  const char *text = count > 1 ? read_scene(words[1]) : "";
  for (int run = 0; run < 2; run++) {
    float *out = run ? second : first;
    if (game_start(&game, text, 48000, &error) != CT_OK)
      return fprintf(stderr, "%s\n", error.text), 1;
    for (uint32_t done = 0; done < 4096; done += MOST) {
      if (done == 1024 && game_hit(&game, run ? 7 : 0, 1) != CT_OK)
        return 1;
      game_mix(&game, out + done, MOST);
    }
    game_end(&game);
    if (loudest(out, 1024) > 0 || loudest(out, 4096) < 1e-4f)
      return fprintf(stderr, "hit %d: %g before, %g after\n", run, (double)loudest(out, 1024), (double)loudest(out, 4096)), 1;
  }
  int same = memcmp(first, second, sizeof first) == 0;
  int refused = game_start(&game, "{", 48000, &error) != CT_OK;
  game_end(&game);
  return same || !refused;
}
C

# Coins fall, ring and are taken away; their ids die with them. A knock sounds as well.
try coins 5 <<'C'
int main(void) {
  ct_error error = {CT_OK, ""};
  static float out[48000];
  float *outputs[] = {out};
  ct_scene_def def = ct_default_scene_def();
  def.gravity_m_s2 = 9.81;
  ct_scene *scene = NULL;
  const ct_mode_def modes[] = {{.hz = 180, .t60_s = 0.3, .mass_kg = 2}, {.hz = 410, .t60_s = 0.2, .mass_kg = 2}};
  ct_point_def top = {0};
  ct_modal_def board = ct_default_modal_def();
  ct_pickup_def ear = ct_default_pickup_def();
  board.modes = modes, board.mode_count = 2, board.points = &top, board.point_count = 1;
  if (ct_scene_create(&def, &scene, &error) != CT_OK)
    return 1;
  ct_id table = ct_scene_add_modal(scene, &board, &error);
  ear.at_id = (ct_point_id){table, 0}, ear.full_scale = 0.01;
  ct_id coin = drop_coin(scene, table, 0.05, out, &error);
  ct_handle strike, speed;
  if (ct_id_is_none(coin) || ct_id_is_none(ct_scene_add_pickup(scene, &ear, &error)) || *read_scene("/dev/null") ||
      ct_scene_resolve_in(scene, table, "points.#0.strike_n_s", &strike, &error) != CT_OK ||
      ct_scene_resolve_in(scene, table, "points.#0.strike_m_s", &speed, &error) != CT_OK)
    return fprintf(stderr, "%s\n", error.text), 1;
  ct_scene_process(scene, &(ct_io){.frames = 48000, .outputs = outputs});
  float fallen = loudest(out, 48000);
  for (int i = 0; i < 4; i++) /* until it lies still */
    ct_scene_process(scene, &(ct_io){.frames = 48000, .outputs = outputs});
  if (ct_scene_user_data(scene, coin) != out || take_coin(scene, coin, &error) != CT_OK || ct_scene_has(scene, coin) ||
      take_coin(scene, coin, &error) == CT_OK)
    return 1;
  ct_scene_process(scene, &(ct_io){.frames = 48000, .outputs = outputs});
  float taken = loudest(out, 48000);
  if (knock(scene, strike, speed, 0.02, 1, &error) != CT_OK)
    return 1;
  ct_scene_process(scene, &(ct_io){.frames = 48000, .outputs = outputs});
  printf("a coin falls: %g, is taken: %g; a knock: %g\n", (double)fallen, (double)taken, (double)loudest(out, 48000));
  int wrong = fallen < 0.01f || taken > fallen / 100 || loudest(out, 48000) < 0.1f || take_coin(scene, table, &error) != CT_OK;
  ct_scene_destroy(scene);
  return wrong;
}
C

try flat 6 <<'C'
int main(int count, char **words) {
  static float out[4096];
  char problem[CT_TEXT_MAX] = "";
  void *scene = flat_open(count > 1 ? read_scene(words[1]) : "", 48000, problem);
  if (!scene)
    return fprintf(stderr, "%s\n", problem), 1;
  int wrong = flat_set(scene, "knock_speed", 1) != CT_OK || flat_set(scene, "nothing", 1) == CT_OK;
  flat_process(scene, out, 4096);
  flat_close(scene);
  return wrong || loudest(out, 4096) < 1e-4f || flat_open("{", 48000, problem) || !*problem;
}
C

# What C# calls is there. (No compiler of it is asked for.)
block "$page" csharp 1 | sed -n 's/.*DllImport.* \(flat_[a-z]*\)(.*/\1/p' | sort >"$work/called"
sed -n 's/^FLAT .*[ *]\(flat_[a-z]*\)(.*/\1/p' "$work/flat.c" | sort >"$work/there"
[ -s "$work/there" ] && cmp "$work/called" "$work/there" || fail "C# calls other functions than there are"

# Every name of ours that the page mentions is in a header.
sed 's/ct_default_\.\.\._def//g; s/ct_\.\.\._pool_bytes//g' "$page" | grep -oE '\bct_[a-z0-9_]+' | sort -u >"$work/mentioned"
cat "$ROOT"/include/contatto/*.h | grep -oE '\bct_[a-z0-9_]+' | sort -u >"$work/known"
unknown=$(comm -23 "$work/mentioned" "$work/known" | tr '\n' ' ')
[ -z "$unknown" ] || fail "the page mentions what no header knows: $unknown"
