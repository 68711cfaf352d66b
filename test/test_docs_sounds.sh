#!/bin/sh
# ctest: plain timeout=1500
# The sounds that README.md offers (docs/sounds/SCENE.mp3) are what the program renders: as long, and as loud as a whole
# and in every octave that can be heard. Packing costs up to 0.03 dB in octaves down to 60 dB under the loudest; 0.2 LU and 1 dB
# are allowed, for scenes that another processor renders a little otherwise. A changed scene is told apart. Each is small, and
# README.md shows its spectrogram as the link to it.
set -u
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failures=0
wrong() {
  echo "wrong: $*"
  failures=$((failures + 1))
}

numbers() { # file: seconds, loudness, strongest partial and levels of octaves, one a line
  "$CONTATTO" measure "$1" | awk '
    /^duration/ { print "seconds", $2 }
    /^loudness/ { print "lufs", $2 }
    /^strongest partial/ { print "hz", $3 }
    /octave Hz/ { on = 1; next }
    on && NF != 2 { exit }
    on { print "octave" $1, $2 }'
}
alike() { # numbers of the file, numbers of the program; says what differs
  awk 'function size(x) { return x < 0 ? -x : x }
    NR == FNR { kept[$1] = $2; if ($1 ~ /^octave/ && (top == "" || $2 > top)) top = $2; next }
    !($1 in kept) || ($1 ~ /^octave/ && kept[$1] < top - 60) { next }
    { within = $1 == "seconds" ? 0.03 : $1 == "lufs" ? 0.2 : $1 == "hz" ? 0.002 * $2 : 1
      count++
      if (size(kept[$1] - $2) > within) { print "  " $1 ": " kept[$1] ", the program gives " $2; bad = 1 } }
    END { exit bad || count < 5 }' "$1" "$2"
}

sounds=0
for file in "$ROOT"/docs/sounds/*.mp3; do
  scene=$(basename "$file" .mp3)
  sounds=$((sounds + 1))
  kept=$work/kept-$scene
  numbers "$file" >"$kept"
  seconds=$(awk '$1 == "seconds" { print $2 }' "$kept")
  [ -n "$seconds" ] || { wrong "$file cannot be read" && continue; }
  "$CONTATTO" render "$scene" --seconds "$seconds" -o "$work/now.wav" >/dev/null || wrong "$scene does not render"
  numbers "$work/now.wav" >"$work/now"
  alike "$kept" "$work/now" || wrong "docs/sounds/$scene.mp3 is not what the program renders; docs/sounds/make.sh makes it anew"
  [ "$(wc -c <"$file")" -lt 100000 ] || wrong "$file: larger than 100 kB"
  grep -qF "](docs/pictures/sound-$scene.png)](docs/sounds/$scene.mp3)" "$ROOT/README.md" || wrong "README.md does not show $scene with its spectrogram"
done
[ "$sounds" -ge 3 ] || wrong "only $sounds sounds"

# ---- planted: a glass 2 % larger, a glass a little rougher, another scene
for change in size=1.02 roughness=0.05; do
  "$CONTATTO" render glass --set "$change" -o "$work/now.wav" >/dev/null
  numbers "$work/now.wav" >"$work/now"
  ! alike "$work/kept-glass" "$work/now" >/dev/null || wrong "not found: a glass with $change"
done
! alike "$work/kept-glass" "$work/kept-hammer" >/dev/null || wrong "not found: another scene"
echo "$sounds sounds, $failures failures"
[ "$failures" -eq 0 ]
