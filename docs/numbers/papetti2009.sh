# Numbers of docs/studies/papetti2009.md that its study does not print as such; table.csv and made/ are here.
awk -F, 'BEGIN { split("am1 verlet heun rk4 contatto", name, " ") }
  NR > 1 { key = "moments/" $1 "/" name[$2 + 1]; print key "/least," $3; print key "/most," $4 }' made/moments.csv
awk -F, 'NR == 1 { for (i = 4; i <= NF; i++) name[i] = $i; next } { for (i = 4; i <= NF; i++) { last[i] = $i; size = $i < 0 ? -$i : $i; if (size > most[i]) most[i] = size } }
  END { for (i = 4; i <= NF; i++) { print "rebound/" name[i] "," last[i]; print "rebound/" name[i] "/most," most[i] } print "rebound/exact_s," $2 }' made/fig8_rebounds.csv
awk -F, 'NR > 1 { if ($2 > most) { most = $2; at = $1 } if (NR > 2 && last < 0 && $2 >= 0) zero = $1; last = $2 }
  END { print "eq7/most," most; print "eq7/most at," at; print "eq7/zero," zero }' made/fig3.csv
for n in 1 2; do
  awk -F, -v n=$n 'NR > 1 && $7 > most { most = $7 } END { print "short/" n "/most," most }' made/fig9_case$n.csv
  awk -F, -v n=$n 'NR > 1 && $1 < 4 { for (i = 3; i <= 6; i++) if (!least || $i < least) least = $i } END { print "short/" n "/methods least," least }' made/fig9_case$n.csv
done
awk -F, 'NR > 1 { print "hardness/" sprintf("%.3g", 1e3 * $1) " ms/stiffness," $2; print "hardness/" sprintf("%.3g", 1e3 * $1) " ms/hz," $4 }' made/fig10.csv
# the largest force of Verlet in case 2 against the exact one, percent; samples that the soft impact lasts
awk -F, 'FNR == 1 { for (i = 1; i <= NF; i++) if ($i == "verlet_force_n" || $i == "exact_force_n") c = i; next } { if ($c > most[FILENAME]) most[FILENAME] = $c }
  END { print "verlet peak," 100 * (most["made/fig6.csv"] / most["made/fig6_exact.csv"] - 1) }' made/fig6.csv made/fig6_exact.csv
awk -F, 'NR > 1 && $3 < 0 && $2 > 0 { end = $1 } END { printf "soft samples,%.1f\n", end * 44100 }' made/fig4_exact.csv
contatto study papetti2009 --out words | sed -n 's/^case \([12]\):.* lasts \([0-9.]*\) samples$/case \1 samples,\2/p; s/^ *against exact .* \([-+][0-9.]*e[-+][0-9]*\)$/eq7 \1/p' |
  awk '/^case/ { print; split($2, n, ":"); c = substr($0, 6, 1); next } /^eq7/ { print "eq7/case " c "," $2 }'
