#!/bin/sh
# ctest: plain
# The C program in docs/embed.md is docs/embed.c, builds with libcontatto and libm alone, and makes the sound of a struck
# bar: its strongest partial is the one that beam theory gives. What README.md shows of it are lines of it, in a row.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "test_embed: $1" >&2
  exit 1
}

c_block() { awk '/^```c$/ { on = 1; next } /^```/ { if (on) exit } on' "$1"; }
c_block "$ROOT/docs/embed.md" >"$work/embed.c"
cmp "$work/embed.c" "$ROOT/docs/embed.c" || fail "docs/embed.md does not show docs/embed.c as it is"
c_block "$ROOT/README.md" >"$work/heart.c"
awk 'NR == FNR { want[++n] = $0; next }
  { at = $0 == want[at + 1] ? at + 1 : $0 == want[1]; if (n && at == n) found = 1 }
  END { exit !(n >= 3 && found) }' "$work/heart.c" "$ROOT/docs/embed.c" || fail "README.md shows other lines than docs/embed.c has"
lines=$(wc -l <"$work/embed.c")
[ "$lines" -le 40 ] || fail "$lines lines are too many to read in a hurry"

"$CC" -std=c17 -Wall -Wextra -Wshadow -Wconversion -Werror -I"$ROOT/include" -o "$work/embed" "$work/embed.c" \
  "$BUILD/libcontatto.a" -lm
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
