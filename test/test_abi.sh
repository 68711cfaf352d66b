#!/bin/sh
# The shared libraries show the names that test/data/symbols.txt lists, and nothing else. The core says which version it is,
# and needs the C library only.
# ctest: plain
set -u
library=$BUILD/libcontatto.so
archive=$BUILD/libcontatto.a
failed=0

fail() {
  echo "FAIL: $*"
  failed=1
}

skip() {
  echo "skipped: $*"
  exit 77
}

[ -e "$library" ] || skip "$library is not built"
for tool in nm readelf; do
  command -v "$tool" >/dev/null 2>&1 || skip "needs $tool"
done
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

# ---- what it shows
nm -D --defined-only "$library" | awk '{ print $3 }' | sed 's/@.*//' | sort -u >"$scratch/shown"
strangers=$(grep -v '^ct_' "$scratch/shown" | tr '\n' ' ')
[ -z "$strangers" ] || fail "shows names that are not its own: $strangers"

# every function that a public header marks for a library, and no other
compare() { # library mark fewest
  [ -e "$BUILD/$1.so" ] || { fail "$1.so is not built" && return; }
  nm -D --defined-only "$BUILD/$1.so" | awk '{ print $3 }' | sed 's/@.*//' | sort -u >"$scratch/shows"
  sed -n "s/^$2 .*[ *]\(ct_[a-z0-9_]*\)(.*/\1/p" "$ROOT"/include/contatto/*.h | sort -u >"$scratch/promised"
  missing=$(comm -13 "$scratch/shows" "$scratch/promised" | tr '\n' ' ')
  extra=$(comm -23 "$scratch/shows" "$scratch/promised" | tr '\n' ' ')
  [ -z "$missing" ] || fail "the headers promise, but $1 does not show: $missing"
  [ -z "$extra" ] || fail "$1 shows what no header promises: $extra"
  [ "$(wc -l <"$scratch/promised")" -ge "$3" ] || fail "found only $(wc -l <"$scratch/promised") functions of $1 in the headers"
}
compare libcontatto_measure CT_MEASURE_API 20
compare libcontatto_file CT_FILE_API 5
compare libcontatto CT_API 40

# all names are written down: none goes or comes unseen
sh "$ROOT/tools/symbols" "$BUILD" >"$scratch/symbols" || fail "tools/symbols fails"
differs() { diff "$1" "$2" | sed -n 's/^</gone:/p; s/^>/new: /p'; }
differences=$(differs "$ROOT/test/data/symbols.txt" "$scratch/symbols")
[ -z "$differences" ] || {
  echo "$differences"
  fail "other names than in test/data/symbols.txt; a name that goes breaks programs. If it is meant: tools/symbols --write"
}
sed 1d "$scratch/symbols" >"$scratch/fewer"
[ -n "$(differs "$scratch/symbols" "$scratch/fewer")" ] || fail "a name that goes is not seen"

# visibility is what hides the rest: the archive of the same objects has far more names
nm -g --defined-only "$archive" 2>/dev/null | awk 'NF == 3 && $3 ~ /^ct_/ { print $3 }' | sort -u >"$scratch/inside"
grep -q '^ct_groups_find$' "$scratch/inside" || fail "the archive has no ct_groups_find: nothing to hide"
! grep -q '^ct_groups_find$' "$scratch/shown" || fail "ct_groups_find is shown"

# ---- what it is called and what it needs
readelf -d "$library" >"$scratch/dynamic"
soname=$(sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p' "$scratch/dynamic")
case $soname in
libcontatto.so.[0-9]*) ;;
*) fail "SONAME is '$soname'; wants libcontatto.so.N" ;;
esac
[ -e "$BUILD/$soname" ] || fail "there is no $soname beside it"
needs=$(sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' "$scratch/dynamic" | grep -vE '^lib[cm]\.so\.[0-9]+$|^ld-linux' | tr '\n' ' ')
[ -z "$needs" ] || fail "needs more than libc and libm: $needs"
! grep -q TEXTREL "$scratch/dynamic" || fail "has text relocations"
! readelf -lW "$library" | grep 'GNU_STACK' | grep -q 'RWE' || fail "wants an executable stack"

# ---- what it asks the C library for: memory at set-up, and nothing that talks, waits or looks around
nm -D --undefined-only "$library" | awk '{ print $NF }' | sed 's/@.*//' | sort -u >"$scratch/asked"
talk=$(grep -xE 'std(in|out|err)|.*printf(_chk)?|puts|putchar|fputs|fwrite|fopen|open|read|write|time|clock.*|nanosleep|getenv|s?rand|signal|system|dl.*|pthread_.*|exit|setlocale' "$scratch/asked" | tr '\n' ' ')
[ -z "$talk" ] || fail "asks the C library for $talk"

# ---- the checks above can fail: a library that does all of it wrong
cat >"$scratch/wrong.c" <<'C'
#include <stdio.h>
int stranger(void);
int stranger(void) { return puts("hello"); }
C
if "${CC:-cc}" -shared -fPIC -o "$scratch/wrong.so" "$scratch/wrong.c" 2>/dev/null; then
  nm -D --defined-only "$scratch/wrong.so" | awk '{ print $3 }' | grep -v '^ct_' | grep -q stranger || fail "a stranger is not seen"
  nm -D --undefined-only "$scratch/wrong.so" | awk '{ print $NF }' | sed 's/@.*//' | grep -qx puts || fail "talking is not seen"
  ! readelf -d "$scratch/wrong.so" | grep -q SONAME || fail "a missing name is not seen"
fi

# ---- a program that links it runs
cat >"$scratch/embed.c" <<'C'
#include <contatto/contatto.h>
int main(void) {
  ct_scene_def def = ct_default_scene_def();
  ct_scene *scene;
  if (ct_scene_create(&def, &scene, 0) != CT_OK)
    return 1;
  ct_scene_process(scene, &(ct_io){.frames = 64});
  int wrong = ct_scene_sample(scene) != 64;
  ct_scene_destroy(scene);
  return wrong;
}
C
if "${CC:-cc}" -std=c17 -Wall -Werror -I"$ROOT/include" -o "$scratch/embed" "$scratch/embed.c" -L"$BUILD" -lcontatto \
  -Wl,-rpath,"$BUILD"; then
  "$scratch/embed" || fail "a program that links it does not run"
else
  fail "a program cannot link it"
fi

echo "shows $(wc -l <"$scratch/shown") of $(wc -l <"$scratch/inside") names, SONAME $soname, asks for $(wc -l <"$scratch/asked") names of libc and libm"
exit $failed
