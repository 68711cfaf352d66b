# A sample that is not finite ends a command with exit status 1 and one line that says when and where. No sound is left;
# tables end before it.
. "$ROOT/test/cli.sh"

# Every number in its range, and still more than a 32-bit float can hold: 600 modes of a nanogram, pushed by a meganewton
# from 0.01 s on, heard in units of 1e-12 m/s^2.
awk 'BEGIN {
  printf "{\"contatto\": 1, \"title\": \"Too loud\", \"seconds\": 0.05, \"bodies\": {\"dust\": {\"modes\": ["
  for (i = 0; i < 600; i++) printf "%s{\"hz\": %d, \"t60_s\": 1, \"mass_kg\": 1e-12}", i ? ", " : "", 100 + i
  printf "], \"points\": {\"at\": {\"gains\": ["
  for (i = 0; i < 600; i++) printf "%s1000", i ? ", " : ""
  print "]}}}},"
  print " \"pickups\": {\"ear\": {\"at\": \"dust.at\", \"listen\": \"acceleration\", \"full_scale\": 1e-12}},"
  print " \"gesture\": {\"time_s\": [0, 0.01, 0.0101], \"dust.at.force_n\": [0.000001, 0.000001, 1000000]}}"
}' >loud.json
works "$CONTATTO" render loud.json --seconds 0.009 -o fine.wav
rm fine.wav .stdout
refused 1 "^contatto render: loud.json: pickup 'ear' stopped being finite at 0.01[0-9]* s; no sound was written\$" \
  "$CONTATTO" render loud.json -o loud.wav
refused 1 "pickup 'ear' stopped being finite" "$CONTATTO" render loud.json --raw -o loud.wav
refused 1 "pickup 'ear' stopped being finite" "$CONTATTO" render loud.json --strict -o loud.wav
echo old >loud.wav
refused 1 "no sound was written" "$CONTATTO" render loud.json -o loud.wav
[ "$(cat loud.wav)" = old ] || wrong "an older file was touched"
rm loud.wav

# ---- tables show how it came to that, and hold numbers only
"$CONTATTO" render loud.json -o loud.wav --motion m.csv --energy e.csv --ledger >.stdout 2>.stderr
code=$?
[ "$code" -eq 1 ] || wrong "exit code $code with tables"
[ ! -e loud.wav ] || wrong "a sound was left"
[ "$(wc -l <.stderr)" -eq 1 ] || wrong "stderr: $(cat .stderr)"
grep -q '^  account  *\(kept\|broken\)$' .stdout || wrong "the account is not judged: $(cat .stdout)"
for table in m.csv e.csv; do
  rows=$(wc -l <$table)
  [ "$rows" -gt 480 ] && [ "$rows" -lt 500 ] || wrong "$table has $rows lines"
  ! grep -qi 'nan\|inf' $table || wrong "$table holds what is not finite"
done
[ -z "$(find . -name '*.part')" ] || wrong "leaves files behind: $(find . -name '*.part')"
rm -f m.csv e.csv

# ---- the account is judged by one word
write_scene good.json
works "$CONTATTO" render good.json --ledger
grep -qx '  rounding allows   [0-9.e-]*' .stdout || wrong "the allowance is not printed: $(cat .stdout)"
grep -qx '  account           kept' .stdout || wrong "the account is not judged: $(cat .stdout)"

# ---- measuring a file with samples that are no numbers says so
works "$CONTATTO" render good.json -o good.wav
head -c 10000 good.wav >bad.wav
printf '\000\000\300\177\000\000\200\377' >>bad.wav # NaN, -infinity
tail -c +10009 good.wav >>bad.wav
"$CONTATTO" measure bad.wav >.stdout 2>.stderr
code=$?
[ "$code" -eq 1 ] || wrong "measure of a file with NaN: exit code $code"
grep -qx 'contatto measure: bad.wav: 2 samples are not finite and were measured as 0' .stderr || wrong "$(cat .stderr)"
grep -q 'samples that are no number  *2$' .stdout || wrong "measure does not count them: $(cat .stdout)"
works "$CONTATTO" measure good.wav
finish
