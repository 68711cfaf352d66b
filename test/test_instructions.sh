# ctest: plain timeout=900
# The works of test/data/instructions.txt take no more than 10 % more instructions per sample than the table says; and a
# table that says less, names an unknown work or was written by another compiler is told apart.
. "$ROOT/test/cli.sh"

count() { sh "$ROOT/tools/instructions" --build "$BUILD" "$@"; }

count >counted 2>&1
status=$?
cat counted
[ "$status" -ne 77 ] || exit 77
[ "$status" -eq 0 ] || wrong "instructions: exit code $status"

# differs CODE PATTERN: what is said of small.txt
differs() {
  count --table small.txt >said 2>&1
  code=$?
  [ "$code" -eq "$1" ] || wrong "exit code $code, not $1: $(cat said)"
  grep -qE -- "$2" said || wrong "lacks '$2': $(cat said)"
}

works count --table small.txt --write struck-3 ringing-16
[ "$(grep -cE '^(struck-3|ringing-16) [0-9]+$' small.txt)" -eq 2 ] || wrong "writes $(cat small.txt)"
differs 0 '^struck-3 .* 1\.000$'
cp small.txt good.txt
awk '$1 == "struck-3" { $2 = int($2 / 1.11) } { print }' good.txt >small.txt
differs 1 '^struck-3 .*grown$'
grep -q '^1 grown by more than 10 %.*tools/instructions --write$' said || wrong "does not say how to renew it: $(cat said)"
! grep -q '^ringing-16 .*grown' said || wrong "says that all have grown: $(cat said)"
awk '$1 == "struck-3" { $2 = int($2 / 1.09) } { print }' good.txt >small.txt
differs 0 '^struck-3 .* 1\.09'
awk '$1 == "struck-3" { $2 = int($2 * 1.2) } { print }' good.txt >small.txt
differs 0 '^1 fell by more than 10 %'
sed 's/^struck-3 .*/struck-0 100/' good.txt >small.txt
differs 1 "no work is called 'struck-0'"
sed 's/^# compiler: .*/# compiler: gcc 99/' good.txt >small.txt
differs 77 '^skipped: counts were written by gcc 99'
finish
