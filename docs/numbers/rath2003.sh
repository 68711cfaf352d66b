# Numbers of docs/studies/rath2003.md that its study does not print as such; table.csv and made/ are here.

# how much rougher than the floor the path is, above the profile's band and at its lowest
awk -F, 'NR > 1 && $1 == 100 { print "below the band," $3 - $2 }
  NR > 1 && $1 > 2400 { d = $3 - $2; if (!n++ || d < low) low = d; if (n == 1 || d > high) high = d }
  NR > 1 && $1 > 2400 { if (last) { steps++; fall += ($3 - last) / log($1 / from) * log(2) } last = $3; from = $1 }
  END { print "above the band least," low; print "above the band most," high; print "dB per octave," fall / steps }' made/spectra.csv
awk -F, '$1 == "cost" && $3 == "search" && $2 == 1 { print "search at 1 m," $4 }
  $1 == "cost" && $3 ~ /^queue/ { if (!n++ || $4 > most) most = $4 } END { print "queue at most," most }' table.csv
awk -F, '$1 == "force" { v[$2 $3] = $4; if ($3 == "expected_n") { d = 100 * (v[$2 "swing_n"] / $4 - 1); d = d < 0 ? -d : d; if (d > worst) worst = d } }
  END { print "equation 4 worst percent," worst }' table.csv
awk -F, '$1 == "slowing" && $3 == "level_db" { v[$2] = $4 } END { print "quieter," v[0.9] - v[0.2] }' table.csv
awk -F, 'NR > 1 { n++; d = $3 - $6; same += d < 1e-6; if (d > worst) worst = d } END { print "falling ball right percent," 100 * same / n }' made/fig1_path.csv

awk -F, 'BEGIN { print "| v, m/s | half the swing of the force, mN | M A (v/r)², mN |\n| --- | --- | --- |" }
  $1 == "force" && $3 == "swing_n" { swing = $4 }
  $1 == "force" && $3 == "expected_n" { printf "| %s | %.3f | %.3f |\n", $2, 1e3 * swing, 1e3 * $4 }' table.csv >force.md

awk -F, 'function row(who, a) { return who " | " v[a, who "_at_turn"] " of " v[a, "tables"] " | " sprintf("%.2f | %.2f | %.2f |", v[a, who "_least"], v[a, who "_median"], v[a, who "_most"]) }
  $1 == "turning" { if (!($2 in seen)) { order[++n] = $2; seen[$2] = 1 } v[$2, $3] = $4 }
  END {
    print "| off the middle | | largest line at the rate of turning | depth: least | median | most |\n| --- | --- | --- | --- | --- | --- |"
    for (i = 1; i <= n; i++) {
      a = order[i]
      print "| " 1e3 * a " mm" (i == 1 ? ", the scene\047s own" : "") " | " row("rolled", a)
      print "| | " row("slid", a)
    } }' table.csv >turning.md
