#!/bin/sh
# docs/pictures/pd.sh BUILD OUT.png PATCH [SECONDS] [WINDOW]: opens a patch of build/pd/contatto on a screen of its own, waits,
# sends ct-start, and takes a picture of the patch's window, or of the one whose title holds WINDOW ("root": the screen).
# Wants Xvfb, Pd with its window, xdotool and ImageMagick's import.
set -eu
build=$1 out=$2 patch=$3 seconds=${4:-3} window=${5:-$(basename "$3")}
folder=$build/pd/contatto
scratch=$(mktemp -d)
number=$((90 + $$ % 100))
Xvfb ":$number" -screen 0 1280x960x24 >/dev/null 2>&1 &
screen=$!
trap 'kill "$pd" "$screen" 2>/dev/null || :; rm -rf "$scratch"' EXIT
DISPLAY=:$number
export DISPLAY LIBGL_ALWAYS_SOFTWARE=1
sleep 1
printf '#N canvas 0 700 300 100 12;\n#X obj 20 20 loadbang;\n#X obj 20 50 delay 1500;\n#X msg 20 80 \\; ct-start bang;\n#X connect 0 0 1 0;\n#X connect 1 0 2 0;\n' >"$scratch/starter.pd"
pd -noprefs -noaudio -nomidi -r 48000 -path "$folder" -path /usr/lib/pd/extra/Gem -lib contatto -open "$scratch/starter.pd" -open "$folder/$patch" >"$scratch/log" 2>&1 &
pd=$!
sleep "$seconds"
case $window in
root) import -window root "$out" ;;
*) import -window "$(xdotool search --name "$window" | head -n 1)" "$out" ;;
esac
grep -iE "error|couldn't" "$scratch/log" || :
