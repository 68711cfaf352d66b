#!/bin/sh
# Programs that were compiled with older headers, whose structs lack their last fields, work with this library and make the
# same sound; none of their memory is overrun. Newer ones are told that they ask for too much, if they do.
# ctest: plain
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "test_old_callers: $1" >&2
  exit 1
}

# Every struct that may grow, without its last `count` declarations: nobody who wrote his program then knew of them.
older() { # folder count
  mkdir -p "$1/contatto"
  for header in "$ROOT"/include/contatto/*.h; do
    awk -v cut="$2" '
      function closes(line,   name) { match(line, /ct_[a-z_]+/); name = substr(line, RSTART, RLENGTH)
        return name ~ /^ct_(modal|hand|string|impact|friction|surface|drive|pickup|control|source|region|scene|build|limiter|shape|mode|point|target)_def$/ || name ~ /^ct_(io|ledger|counters|fault|bound|control_info|leaf)$/ }
      /^typedef struct/ && /{$/ { on = 1; n = 0; last = 0 }
      on { line[++n] = $0; if (/;/ && !/^}/) end[++last] = n
        if (/^}/) { on = 0
          keep = closes($0) ? last - (/ct_target_def/ ? 1 : cut) : last # of a target little is left without two
          if (keep < 1) keep = 1
          for (i = 1; i <= end[keep]; i++) print line[i]
          print $0 }
        next }
      { print }' "$header" >"$1/contatto/${header##*/}"
  done
}

build() { # name flags...
  name=$1
  shift
  "$CC" -std=c11 -g -Wall -Wextra -Wpedantic -Werror "$@" -o "$work/$name" "$ROOT/test/data/old_caller.c" "$BUILD/libcontatto.a" -lm
}

build now -I"$ROOT/include"
"$work/now" >"$work/now.f64" || fail "the program fails with the headers of today"
[ "$(wc -c <"$work/now.f64")" -gt 100000 ] || fail "it makes no sound"
for count in 1 2; do
  older "$work/headers$count" "$count"
  ! cmp -s "$work/headers$count/contatto/defs.h" "$ROOT/include/contatto/defs.h" || fail "nothing was cut from the headers"
  build "old$count" -fsanitize=address,undefined -fno-sanitize-recover=all -I"$work/headers$count"
  "$work/old$count" >"$work/old.f64" || fail "a program without the last $count fields fails"
  cmp "$work/now.f64" "$work/old.f64" || fail "a program without the last $count fields sounds otherwise"
done

# ---- one that is newer
mkdir -p "$work/newer/contatto"
for header in "$ROOT"/include/contatto/*.h; do
  sed '/^} ct_axis_def/!s/^} \(ct_[a-z]*_def\|ct_io\|ct_ledger\|ct_counters\);/  double new_field;\n} \1;/' "$header" >"$work/newer/contatto/${header##*/}"
done
build new -fsanitize=address,undefined -fno-sanitize-recover=all -I"$work/newer"
"$work/new" >"$work/new.f64" || fail "a program with fields that this library does not know fails, though it leaves them alone"
cmp "$work/now.f64" "$work/new.f64" || fail "a newer program sounds otherwise"
build asks -I"$work/newer" -DASKS_FOR_MORE
said=$("$work/asks" 2>&1 >/dev/null) && fail "a newer program that asks for what is not there is not told"
case $said in *"knows more than this library"*) ;; *) fail "it is told: $said" ;; esac
echo "older by one field and by two, and newer: the same $(($(wc -c <"$work/now.f64") / 8)) samples"
