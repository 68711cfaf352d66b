#!/bin/sh
# ctest: plain timeout=1500
# Numbers, tables and pictures of the documentation are what the program gives (docs/writing.md); those of studies are
# compared by the studies' own tests. No number with a unit is left without somebody who vouches for it. Stale numbers,
# planted, are found.
set -u
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failures=0
wrong() {
  echo "wrong: $*"
  failures=$((failures + 1))
}
docs() { sh "$ROOT/tools/docs" --build "$BUILD" "$@"; }

# ---- as the program gives them
scripts=$(for file in "$ROOT"/docs/numbers/*.sh; do basename "$file" .sh; done)
studies=$("$CONTATTO" study | awk '/^[a-z]/ { print $1 }')
sources=$(for name in $scripts pictures; do echo "$studies" | grep -qx "$name" || echo "$name"; done)
# shellcheck disable=SC2086 # a list
docs --check $sources || wrong "the documentation says other numbers than the program"

# ---- nothing unmarked
docs --unmarked >"$work/unmarked"
[ ! -s "$work/unmarked" ] || wrong "numbers that nothing vouches for, see docs/writing.md:
$(cat "$work/unmarked")"

# ---- tables of parameters say what the schema says
cd "$ROOT" || exit 1
"$CONTATTO" describe --markdown >"$work/schema.md"
awk -f tools/docs-parameters.awk "$work/schema.md" docs/models/*.md >"$work/parameters"
[ ! -s "$work/parameters" ] || wrong "$(cat "$work/parameters")"
sed 's/^\(| `contacts.\*.stiffness`.*| \)1 to 1e16 | 1e7 |/\11 to 1e15 | 2e7 |/' docs/models/impact.md >"$work/impact.md"
[ "$(awk -f tools/docs-parameters.awk "$work/schema.md" "$work/impact.md" docs/models/[a-hj-z]*.md | grep -c stiffness)" -eq 2 ] || wrong "not found: another range and default"

# ---- every mark names a source that is there
cd "$ROOT" || exit 1
for page in README.md CHANGELOG.md docs/*.md docs/models/*.md docs/studies/*.md; do
  home=$(basename "$page" .md)
  awk '/^```/ { on = !on } !on' "$page" | sed 's/`[^`]*`//g' | grep -o '<!--= [^>]*-->' | while IFS= read -r mark; do
    source=$(printf '%s\n' "$mark" | sed -n 's/^<!--= \(table \)\{0,1\}\([a-z0-9_-]*\): .*/\2/p')
    printf '%s\n' $studies $scripts | grep -qx "${source:-$home}" || echo "$page: no source ${source:-$home}: $mark"
  done
done >"$work/homeless"
[ ! -s "$work/homeless" ] || wrong "$(cat "$work/homeless")"

# ---- planted: a copy of the documentation, with a source of its own
mkdir -p "$work/copy/docs/numbers" "$work/copy/docs/models" "$work/copy/docs/studies" "$work/copy/docs/pictures"
cd "$work/copy" || exit 1
cp "$ROOT"/README.md "$ROOT"/CHANGELOG.md "$ROOT"/CONTRIBUTING.md .
cat >docs/numbers/planted.sh <<'END'
printf 'a/level,-7.4583\nsize,20001\nsmall,-1.2494e-7\n'
printf '| a | b, dB |\n| --- | --- |\n| one | 3.14 |\n| two | 12 of 32 |\n' >both.md
END
write_page() { # level, size, small, cell, count
  cat >docs/models/planted.md <<END
It is $1<!--= a/level --> dB, $2<!--= size --> of them, $3<!--= small * 1e3 --> m, within 10<!--= a/level * -1 ~ 40% -->.

<!--= table both -->
| a | b, dB |
| --- | --- |
| one | $4 |
| two | $5 |

After it.
END
}
found() { # how many lines, what
  docs --root . --check planted >out 2>&1 && wrong "not found: $2"
  [ "$(grep -c '^docs/' out)" -eq "$1" ] || wrong "$2: $(cat out)"
}
for page in docs docs/studies docs/models; do : >$page/empty.md; done
write_page '−7.46' '20 001' -1.25e-4 3.14 '12 of 32'
docs --root . --check planted >out 2>&1 || wrong "right numbers are called stale: $(cat out)"
cp docs/models/planted.md right.md
docs --root . planted >out 2>&1 || wrong "fails: $(cat out)"
cmp right.md docs/models/planted.md || wrong "right numbers are written anew"
write_page '−7.40' '20 001' -1.25e-4 3.14 '12 of 32' && found 1 "a stale number"
write_page '−7.46' '20 011' -1.25e-4 3.14 '12 of 32' && found 1 "a stale count"
write_page '−7.46' '20 001' -1.35e-4 3.14 '12 of 32' && found 1 "a stale power of ten"
write_page '−7.46' '20 001' -1.25e-4 3.24 '12 of 32' && found 1 "a stale cell"
write_page '−7.46' '20 001' -1.25e-4 3.14 '11 of 32' && found 1 "a stale count in a table"
write_page '−6' 7 -3e-2 9 '1 of 1' && found 5 "everything stale"
docs --root . planted >out 2>&1 || wrong "fails: $(cat out)"
docs --root . --check planted >out 2>&1 || wrong "written anew, and still stale: $(cat out)"
grep -q '^It is −7<!--= a/level --> dB, 20001<!--= size --> of them, -1e-4<!--=' docs/models/planted.md || wrong "written otherwise: $(cat docs/models/planted.md)"
printf 'It is 3<!--= b/level --> dB.\n' >docs/models/planted.md && found 1 "a mark of nothing"
docs --root . --check nowhere >out 2>&1 && wrong "a source that is not there passes"

# a picture whose numbers, or whose bytes, are others
mkdir -p docs/pictures/papetti2009
awk 'BEGIN { print "x,y"; for (i = 0; i < 100; i++) print i "," i * i }' >made.csv
mkdir study study/made && cp made.csv study/made/curve.csv && echo 'plot D("curve")' >study/made/curve.gp
echo png >docs/pictures/papetti2009/curve.png && echo png >study/made/curve.png
echo 'case,method,quantity,error_pct_eq7,error_pct_exact' >study/table.csv
docs --root . --made study papetti2009 >out 2>&1 || wrong "fails: $(cat out)"
docs --root . --made study --check papetti2009 >out 2>&1 || wrong "a fresh picture is called stale: $(cat out)"
sed 's/^50,.*/50,20000/' made.csv >study/made/curve.csv
docs --root . --made study --check papetti2009 >out 2>&1 && wrong "not found: a picture's number"
cp made.csv study/made/curve.csv && echo 'plot D("curve") with dots' >study/made/curve.gp
docs --root . --made study --check papetti2009 >out 2>&1 && wrong "not found: a picture's script"
echo 'plot D("curve")' >study/made/curve.gp && echo other >docs/pictures/papetti2009/curve.png
docs --root . --made study --check papetti2009 >out 2>&1 && wrong "not found: another picture"

# a measurement typed into a page, in every guise
unmarked() { # how many, page
  printf '%s\n' "$2" >docs/models/planted.md
  docs --root . --unmarked docs/models/planted.md >out
  [ "$(wc -l <out)" -eq "$1" ] || wrong "$(wc -l <out) found, not $1, in: $2: $(cat out)"
}
unmarked 1 'It sounds 2.8 cents lower.'
unmarked 2 'Within 20 to 40 ns a sample.'
unmarked 2 'From −1.07 to +1.30 %, `1 dB`.'
unmarked 1 'It is 3<!--= key --> dB, or 4 dB.'
unmarked 0 'It is 3<!--= key --> dB, 4<!-- timed --> ns, 5 Hz<!-- was c1557ba -->.'
unmarked 0 'It is 3 dB (`test/test_action.c`).'
unmarked 0 'It is 3 dB and 4 to 5 ms.

<!-- given: 3 dB; 4 to 5 ms -->'
unmarked 2 '| a | b |
| --- | --- |
| 1 | 2 |'
unmarked 0 '<!--= table x -->
| a | b |
| --- | --- |
| 1 | 2 |'
unmarked 0 '```sh
sleep 3 s
```'
[ "$failures" -eq 0 ]
