# Numbers of docs/tour.md, and of other pages that speak of the hammer's bar.
contatto describe hammer --body bar >bar.txt
awk '$1 ~ /^[0-9]+$/ && NF > 8 { print "bar/" $1 "/hz," $2; print "bar/" $1 "/t60," $(NF - 5); print "bar/" $1 "/mass," $(NF - 4) }' bar.txt
awk 'function gain(x) { x = sprintf("%.3f", x); sub(/\.?0+$/, "", x); if (x == "-0" || x == "") x = "0"; sub(/^-/, "−", x); return x }
  BEGIN { print "| mode | Hz | t60, s | gain at `hit`, the middle | gain at `end` |\n| --- | --- | --- | --- | --- |" }
  $1 ~ /^[0-9]+$/ && NF > 8 && ($1 < 4 || $1 == 7) {
    if ($1 == 7) print "| … | | | | |"
    printf "| %d | %.2f | %.2f | %s | %s |\n", $1, $2, $(NF - 5), gain($(NF - 2)), gain($(NF - 1)) }' bar.txt >bar.md

printf 'time_s,strike_speed\n0.01,1\n' >strike.csv
contatto render hammer --gesture strike.csv --seconds 0.02 --energy energy.csv --motion motion.csv \
  --motion-of strike.force_n --motion-of strike.compression_m --motion-of hammer.tip.v_m_s
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } $c["strike.force_n"] > 1e-6 { v = $c["hammer.tip.v_m_s"] }
  NR == 593 { print "in/um," 1e6 * $c["strike.compression_m"]; print "in/n," $c["strike.force_n"] }
  NR == 598 { print "out/um," 1e6 * $c["strike.compression_m"]; print "out/n," $c["strike.force_n"] }
  NR == 618 { v = $c["hammer.tip.v_m_s"]; print "hammer/mj," 1e3 * 0.015 * v * v; kept = 1e3 * 0.015 * v * v; print "hammer/v," v }' motion.csv
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } NR == 618 { print "stored/mj," 1e3 * $c["stored_j"]; print "sum/mj," 1e3 * ($c["stored_j"] + $c["lost_bodies_j"] + $c["lost_contacts_j"]) }' energy.csv
awk -F, 'FNR == NR { if (FNR == 618) v = $2; next } FNR == 618 { print "bar/mj," 1e3 * ($2 - 0.015 * v * v) }' motion.csv energy.csv

"$CC" -std=c17 -I"$ROOT/include" -I"$ROOT/src" -o steps "$ROOT/docs/numbers/steps.c" "$BUILD/libcontatto_io.a" "$BUILD/libcontatto_file.a" "$BUILD/libcontatto.a" -ljansson -lsndfile -lm
./steps "$ROOT/scenes/hammer.json" - 1 | awk -F, '$3 > 0 && $4 > 0 { n[$4]++ } END { for (k in n) if (n[k] > most) { most = n[k]; rule = k } print "evaluations as a rule," rule }'
./steps "$ROOT/scenes/hammer.json" pin 1 | awk -F, 'BEGIN { print "| step from sample | substeps | solves | evaluations | mean force, N |\n| --- | --- | --- | --- | --- |" }
  $1 != "bound" { if (row != "") { printf "%s %.1f |\n", row, $5; row = "" } if ($3 > 0) row = "| " $1 " | " $2 " | " $3 " | " $4 " |" }' | sed 's/ 0\.0 |$/ 0 |/' >pin.md
./steps "$ROOT/scenes/hammer.json" pin 5 | awk -F, '$1 != "bound" { if ($2 > most) most = $2; if ($5 > force) force = $5 } END { print "pin 5/substeps," most; print "pin 5/n," force }'
