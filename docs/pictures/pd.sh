#!/bin/sh
# docs/pictures/pd.sh BUILD OUT.png PATCH [SECONDS] [WINDOW]: opens a patch of build/pd/contatto on a screen of its own, starts
# it (ct-start; ct-window for ^Gem$; for panel a scene beside it opens one), waits, and takes a picture of the patch's window, or of the one whose title holds WINDOW.
# Wants Xvfb, Pd with its window, xdotool and ImageMagick's import.
set -eu
build=$1 out=$2 patch=$3 seconds=${4:-4} window=${5:-$(basename "$3")}
folder=$build/pd/contatto
scratch=$(mktemp -d)
number=$((90 + $$ % 100))
Xvfb ":$number" -screen 0 1280x960x24 +extension GLX >/dev/null 2>&1 &
screen=$!
pd=
trap 'kill $pd "$screen" 2>/dev/null || :; rm -rf "$scratch"' EXIT
DISPLAY=:$number LIBGL_ALWAYS_SOFTWARE=1
export DISPLAY LIBGL_ALWAYS_SOFTWARE
sleep 1
more=
case $window in
panel) more=' \; ct-panel bang' ;;
*Gem*) more=' \; ct-window bang' ;;
esac
cat >"$scratch/starter.pd" <<END
#N canvas 0 800 300 100 12;
#X obj 20 20 loadbang;
#X obj 20 50 delay 1500;
#X msg 20 80 \; ct-start bang$more;
#X obj 200 20 r ct-panel;
#X msg 200 50 panel;
#X obj 200 80 ct.scene~ hammer;
#X connect 0 0 1 0;
#X connect 1 0 2 0;
#X connect 3 0 4 0;
#X connect 4 0 5 0;
END
pd -noprefs -noaudio -nomidi -r 48000 -path "$folder" -path /usr/lib/pd/extra/Gem -lib contatto -open "$scratch/starter.pd" \
  -open "$folder/$patch" >"$scratch/log" 2>&1 &
pd=$!
sleep "$seconds"
id=$(xdotool search --name "$window" | head -n 1)
[ -n "$id" ] || { echo "pd.sh: no window called $window" >&2 && cat "$scratch/log" && xdotool search --name "." getwindowname %@ && exit 1; }
import -window "$id" "$out"
grep -iE "error|couldn't" "$scratch/log" || :
