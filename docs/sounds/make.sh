#!/bin/sh
# docs/sounds/make.sh CONTATTO: renders the sounds of README.md anew, as the program CONTATTO gives them. Needs lame and
# sndfile-convert (Debian's packages lame and sndfile-programs); nothing else does: test/test_docs_sounds.sh compares the
# files with the program and needs neither.
set -eu
contatto=$(realpath "${1:?usage: docs/sounds/make.sh CONTATTO}")
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

sound() { # scene, seconds
  "$contatto" render "$1" --seconds "$2" -o "$work/$1.wav"
  sndfile-convert -pcm16 "$work/$1.wav" "$work/$1-16.wav" # lame changes the level of 32-bit floats
  lame --quiet -V 4 "$work/$1-16.wav" "$1.mp3"
}
sound glass 8
sound hammer 6.5
sound wheel 5.4
