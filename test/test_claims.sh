#!/bin/sh
# ctest: plain
# A scene that says something is published or printed says by whom, and where; so does every preset that is named after a paper.
set -u
failed=0
wrong() {
  echo "wrong: $*"
  failed=1
}
cited='[A-Z][a-z]+ (20(02|03|05|09|13)).*(section [IVX0-9]|eq\. [0-9]|fig\. [0-9]|Table [I0-9])|(section [IVX0-9]|eq\. [0-9]|fig\. [0-9]|Table [I0-9]).*20(02|03|05|09|13)'
claims=0
for scene in "$ROOT"/scenes/*.json; do
  grep -E '"about": "[^"]*(publish|printed|the paper)' "$scene" >/dev/null || continue
  bad=$(grep -E '"about": "[^"]*(publish|printed)' "$scene" | grep -vE "$cited")
  [ -z "$bad" ] || wrong "$(basename "$scene"): does not say who printed it and where: $bad"
  claims=$((claims + 1))
done
[ "$claims" -gt 2 ] || wrong "found hardly any claims to look at"
for scene in "$ROOT"/scenes/*.json; do
  about=$(awk '/^    "(paper|printed)":/ { on = 1 } on && /"about":/ { print; exit }' "$scene")
  [ -z "$about" ] || printf '%s\n' "$about" | grep -qE "$cited" || wrong "$(basename "$scene"): its preset of a paper names no place in it: $about"
done
exit "$failed"
