# contatto sweep: states that are watched, things that vary together, and the plans of studies by name.
. "$ROOT/test/cli.sh"

cat >plan.json <<'EOF'
{
  "contatto_sweep": 1, "scene": "rub", "seconds": 0.05, "write": "watched",
  "watch": {"slide": {"path": "rub.force_n"}, "end": {"path": "rub.force_n", "last_s": 0.01}},
  "vary": {
    "dynamic_friction": [0.2, 0.3, 0.4],
    "static_friction": {"with": "dynamic_friction", "values": [0.4, 0.6, 0.8]},
    "stribeck": {"with": "dynamic_friction"},
    "seed": [1, 2]
  }
}
EOF
"$CONTATTO" sweep plan.json -o made >said 2>&1 || wrong "fails: $(cat said)"
cell() { # row, column
  awk -F, -v row="$1" -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i } NR == row + 2 { print $c }' made/table.csv
}

# ---- what goes with another is no axis of the grid
[ "$(wc -l <made/table.csv)" = 7 ] || wrong "not six sounds: $(wc -l <made/table.csv)"
for row in 0 1 2 3 4 5; do
  mu=$(cell $row set.dynamic_friction)
  awk "BEGIN { x = 2 * $mu - $(cell $row set.static_friction); exit !(x * x < 1e-20) }" || wrong "row $row: not with $mu"
  [ "$(cell $row set.stribeck)" = "$mu" ] || wrong "row $row: not the same number"
done
[ "$(cell 5 seed)" = 2 ] || wrong "the last that varies is not the fastest"
! head -n 1 made/table.csv | grep -q 'rms_db' || wrong "measures of sounds nobody asked for"

# ---- what is watched is what --motion writes
"$CONTATTO" render rub --seconds 0.05 --set dynamic_friction=0.3 --set static_friction=0.6 --set stribeck=0.3 --seed 1 \
  --motion motion.csv -o sound.wav >/dev/null 2>&1 || wrong "no motion to compare with"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "rub.force_n") c = i; next }
  { x = $c; s += x; q += x * x; n++; if (n == 1 || x < low) low = x; if (n == 1 || x > high) high = x }
  END { printf "%.9g %.9g %.9g %.9g\n", low, high, s / n, sqrt(q / n) }' motion.csv >wanted
for column in least most mean rms; do cell 2 slide.$column; done | awk '{ printf "%s%.9g", (NR > 1 ? " " : ""), $1 } END { print "" }' >found
cmp -s wanted found || wrong "watched: $(cat found), moved: $(cat wanted)"
[ "$(cell 2 end.rms)" != "$(cell 2 slide.rms)" ] || wrong "last_s looks at all of it"

# ---- one line for each that cannot be
changed() { # what is said, from, to
  sed "s/$2/$3/" plan.json >bad.json
  ! cmp -s plan.json bad.json || wrong "nothing changed: $1"
  refused 1 "$1" "$CONTATTO" sweep bad.json -o bad
}
changed 'watch: .*no_such' 'rub.force_n"}, "end"' 'rub.no_such"}, "end"'
changed 'watch.end.last_s: wants a time' '"last_s": 0.01' '"last_s": -1'
changed 'watch.end.measure: wants one of' '"last_s": 0.01' '"measure": "bowing"'
changed 'watch.end.string_hz: wants a number' '"last_s": 0.01' '"measure": "bowed"'
changed 'watch.end.last: no such key' '"last_s": 0.01' '"last": 1'
changed 'as many values' '0.4, 0.6, 0.8' '0.4, 0.6'
changed 'with: wants the name' '"with": "dynamic_friction"}' '"with": "friction"}'
changed 'nothing is watched' '"watch".*$' ''

# ---- plans of studies, by name; they are in no list of scenes
"$CONTATTO" sweep guettler --dry-run | grep -q '576 sounds' || wrong "guettler: $("$CONTATTO" sweep guettler --dry-run 2>&1)"
"$CONTATTO" sweep schelleng --dry-run | grep -q '960 sounds' || wrong "schelleng: $("$CONTATTO" sweep schelleng --dry-run 2>&1)"
"$CONTATTO" sweep friction-map --dry-run | grep -q '400 sounds' || wrong "friction-map: $("$CONTATTO" sweep friction-map --dry-run 2>&1)"
! "$CONTATTO" list | grep -q bowed-string || wrong "the list of scenes has the study's"
finish
