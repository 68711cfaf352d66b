# ctest: slow
# contatto study rath2003: every file is made, and the numbers say what docs/studies/rath2003.md says of them.
. "$ROOT/test/cli.sh"

"$CONTATTO" study rath2003 --csv --out made >table.csv 2>.stderr || wrong "fails: $(cat .stderr)"
[ ! -s .stderr ] || wrong "complains: $(cat .stderr)"
[ "$(head -n 1 table.csv)" = table,at,quantity,value ] || wrong "header: $(head -n 1 table.csv)"

for name in fig1_path fig1_balls fig4_ride fig4_force spectra cost slowing slowing_speed rolled slid turning turning_lines; do
  [ "$(wc -l <"made/$name.csv")" -gt 3 ] || wrong "no numbers in $name.csv"
done
for name in fig1 fig2 fig3 fig4 spectra cost slowing turning; do
  ! command -v gnuplot >/dev/null || [ "$(head -c 4 "made/$name.png" | tail -c 3)" = PNG ] || wrong "no $name.png"
  ! command -v gnuplot >/dev/null || grep -q '</svg>' "made/$name.svg" || wrong "no $name.svg"
done

# figures 1 to 3: the path is never under the profile, and the one that only looks back never over it
awk -F, 'NR > 1 && ($3 < $2 - 1e-9 || $6 > $3 + 1e-9) { bad = 1 } END { exit bad || NR < 900 }' made/fig1_path.csv ||
  wrong "the path leaves its profile"
# equation 4 within 1 %
awk -F, '$1 == "force" { v[$2 $3] = $4; if ($3 == "expected_n") { seen++; r = v[$2 "swing_n"] / $4; if (r < 0.99 || r > 1.01) bad = 1 } }
  END { exit bad || seen != 4 }' table.csv || wrong "equation 4: $(grep ^force table.csv)"
# as rough as the path in all, yet above the profile's band the path stands 30 dB over it and the low-passed profile below it
awk -F, 'NR > 1 && $1 > 2400 { seen++; if ($3 < $2 + 30 || $4 > $2) bad = 1 } END { exit bad || seen < 8 }' made/spectra.csv ||
  wrong "rolling is a low-pass filter: $(cat made/spectra.csv)"
# three comparisons at any radius, where direct search needs thousands
awk -F, '$1 == "cost" && $3 == "search" && $2 > 0.99 && $4 < 20000 { bad = 1 } $1 == "cost" && $3 ~ /^queue/ { seen++; if ($4 > 3.1) bad = 1 }
  END { exit bad || seen != 39 }' table.csv || wrong "cost"
# duller and quieter as it slows
awk -F, '$1 == "slowing" { v[$3 $2] = $4 }
  END { exit !(v["level_db0.9"] > v["level_db0.2"] + 3 && v["centroid_hz0.9"] > v["centroid_hz0.2"]) }' table.csv ||
  wrong "slowing: $(grep ^slowing table.csv)"
# once per turn when rolled, on nearly every table; by chance when slid
awk -F, '$1 == "turning" { if (own == "") own = $2; if ($2 == own) v[$3] = $4; else if ($3 == "rolled_at_turn" && $4 > less) less = $4 }
  END { n = v["tables"]; exit !(n == 32 && v["rolled_at_turn"] >= n - 1 && v["slid_at_turn"] <= n / 4 &&
    v["rolled_larger"] >= n - 1 && v["rolled_median"] > 1.5 * v["slid_median"] && less < n) }' table.csv ||
  wrong "turning: $(grep ^turning table.csv)"
pages_agree rath2003
finish
