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
        return name ~ /^ct_(modal|hand|string|impact|friction|surface|drive|pickup|control|source|region|scene|build|preset|limiter|shape|mode|point|target)_def$/ || name ~ /^ct_(io|ledger|counters|fault|bound|control_info|leaf)$/ }
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

# The examples in C11 and C++17, shared and static: the same samples as with the headers of today.
examples() { # headers
  for link in "$BUILD/libcontatto.a" "-L$BUILD -lcontatto -Wl,-rpath,$BUILD"; do
    # shellcheck disable=SC2086 # a list of flags
    {
      "$CC" -std=c11 -Wall -Wextra -Wpedantic -Werror -I"$1" -o "$work/plain" "$ROOT/examples/plain.c" $link -lm
      ! command -v c++ >/dev/null 2>&1 ||
        c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -I"$1" -o "$work/cpp" "$ROOT/examples/cpp.cpp" $link -lm
    }
    for program in plain cpp; do
      [ -e "$work/$program" ] || continue
      "$work/$program" >"$work/$program.f32" || fail "examples/$program fails with the headers in $1"
      [ -e "$work/example.f32" ] || cp "$work/$program.f32" "$work/example.f32"
      cmp "$work/$program.f32" "$work/example.f32" || fail "examples/$program sounds otherwise with the headers in $1"
    done
  done
}

build now -I"$ROOT/include"
examples "$ROOT/include"
"$work/now" >"$work/now.f64" || fail "the program fails with the headers of today"
[ "$(wc -c <"$work/now.f64")" -gt 100000 ] || fail "it makes no sound"
for count in 1 2; do
  older "$work/headers$count" "$count"
  ! cmp -s "$work/headers$count/contatto/defs.h" "$ROOT/include/contatto/defs.h" || fail "nothing was cut from the headers"
  build "old$count" -fsanitize=address,undefined -fno-sanitize-recover=all -I"$work/headers$count"
  "$work/old$count" >"$work/old.f64" || fail "a program without the last $count fields fails"
  cmp "$work/now.f64" "$work/old.f64" || fail "a program without the last $count fields sounds otherwise"
  examples "$work/headers$count"
done

# ---- one that is newer
mkdir -p "$work/newer/contatto"
for header in "$ROOT"/include/contatto/*.h; do
  sed '/^} ct_axis_def/!s/^} \(ct_[a-z]*_def\|ct_io\|ct_ledger\|ct_counters\);/  double new_field;\n} \1;/' "$header" >"$work/newer/contatto/${header##*/}"
done
build new -fsanitize=address,undefined -fno-sanitize-recover=all -I"$work/newer"
"$work/new" >"$work/new.f64" || fail "a program with fields that this library does not know fails, though it leaves them alone"
cmp "$work/now.f64" "$work/new.f64" || fail "a newer program sounds otherwise"
examples "$work/newer"
build asks -I"$work/newer" -DASKS_FOR_MORE
said=$("$work/asks" 2>&1 >/dev/null) && fail "a newer program that asks for what is not there is not told"
case $said in *"knows more than this library"*) ;; *) fail "it is told: $said" ;; esac
echo "older by one field and by two, and newer: the same $(($(wc -c <"$work/now.f64") / 8)) samples"
