# Numbers of docs/studies/thoret2013.md that its study does not print as such; table.csv and made/ are here.
awk -F, '{ gsub(/"/, "") }
  $1 == "belt" && $3 == "slip_share" { print "slip percent," 100 * $4 }
  $1 == "belt" && $3 == "harmonic_2_db" { print "second below 1/k," (-20 * log(2) / log(10) - $4) }
  $1 == "belt" && $3 == "harmonic_10_db" { print "tenth below 1/k," (-20 - $4) }
  $1 == "inharmonicity" && $3 == "slope" { s = 1e4 * ($4 < 0 ? -$4 : $4); if ($2 ~ /struck/) print "bar slope," s; else if (s > most) most = s }
  END { print "largest slope," most }' table.csv
# where the creaking door enters and leaves its highest region, and how far its pitch goes while it creaks
awk -F, 'NR > 1 && $3 >= 1 { if (!low || $2 < low) low = $2; if ($2 > high) high = $2 }
  NR > 2 && $3 == 2 && last == 1 { print "creak up," $1 } NR > 2 && $3 == 1 && last == 2 { print "creak down," $1 } { last = $3 }
  END { print "creak low," low; print "creak high," high; print "creak octaves," log(high / low) / log(2) }' made/fig4_creak_f0.csv
awk -F, 'NR > 20 { if (!low || $2 < low) low = $2; if ($2 > high) high = $2; sum += $2; n++ }
  END { print "plate low," low; print "plate high," high; print "plate mean," sum / n }' made/fig5_squeak_f0.csv
# the goblet: where its region changes, over time (figure 6) and over speed (figure 7)
awk -F, 'NR > 2 && $3 != last { print "goblet " last " to " $3 "," $1 } { last = $3 }' made/fig6_goblet_f0.csv
awk -F, 'function at(f) { return f > 529.2 && f < 529.4 } NR > 2 && at($3) != at(last) { print ($4 == 1 ? "up " : "down ") (at($3) ? "into" : "out of") " singing," $2 } { last = $3 }' made/fig7_pitch.csv

awk -F, 'function tell(x, like) { x = sprintf(1e4 * like < 10 ? "%.2f" : "%.0f", 1e4 * x); sub(/^-/, "−", x); return x }
  function short(x) { x *= 1e4; return sprintf(x < 10 ? "%.1f" : "%.0f", x) }
  function range(a, b) { a = sprintf("%.0f", a); b = sprintf("%.0f", b); return a == b ? a : a " to " b }
  BEGIN { print "| sound | frames | partials | f0, Hz | slope, 10⁻⁴ | rms, 10⁻⁴ |\n| --- | --- | --- | --- | --- | --- |" }
  { gsub(/"/, "") }
  $1 == "inharmonicity" { v[$3] = $4 }
  $1 == "inharmonicity" && $3 == "rms" {
    name = $2; sub(/ \(comparison\)/, ", for comparison", name)
    print "| " name " | " v["frames"] " | " v["partials"] " | " range(v["f0_low_hz"], v["f0_high_hz"]) " | " tell(v["slope"], v["slope"]) " ± " tell(v["slope_error"], v["slope"]) " | " short($4) " |" }' table.csv >inharmonicity.md

awk -F, 'function minus(text) { sub(/^-/, "−", text); return text }
  BEGIN { print "| at 0.12 m/s | partial, Hz | cents | pulses, Hz | expected | attack, s | next partial |\n| --- | --- | --- | --- | --- | --- | --- |"
    name["friction"] = "friction (`glass --preset told`)"; name["source (printed beats)"] = "source, printed beats"; name["source (physical beats)"] = "source, physical beats"
    law["friction"] = "2n v/(πD) = "; law["source (printed beats)"] = "2 v/(πD) = " }
  { gsub(/"/, "") }
  $1 == "glass" { v[$3] = $4 }
  $1 == "glass" && $3 == "second_db" {
    cents = sprintf("%.1f", v["cents"]); if (cents + 0 == 0) cents = "0.0"
    printf "| %s | %.2f | %s | %.2f | %s%.2f | %.2f | %s dB |\n", name[$2], v["hz"], minus(cents), v["pulses_hz"], law[$2], v["expected_hz"], v["attack_s"], minus(sprintf("%.0f", $4)) }' table.csv >glass.md

# recorded squeaks, where they are installed: the glass's longest song
if [ -e made/recorded2_regimes.csv ]; then
  awk -F, '$3 == 3 && $2 - $1 > long { long = $2 - $1; hz = $4; spread = $5 }
    END { print "glass sings at," hz; print "glass wanders," 100 * spread }' made/recorded2_regimes.csv
else
  for key in "glass sings at" "glass wanders" recorded/ambi_glass_rub/sings recorded/perc_door/pitched; do echo "$key,absent"; done
fi
awk -F, 'function minus(text) { sub(/^-/, "−", text); return text }
  function slope(s, e) { return s == "nan" ? "–" : minus(sprintf("%.1f", 1e4 * s)) sprintf(" ± %.1f", 1e4 * e) }
  BEGIN { print "| sound | f0, Hz | octaves | pitched | sings | changes a second | slope, 10⁻⁴ |\n| --- | --- | --- | --- | --- | --- | --- |" }
  { gsub(/"/, "") }
  $1 == "recorded" { v[$3] = $4 }
  $1 == "recorded" && $3 == "rms" {
    name = $2; if (!/\(/) name = "`" name "`, recorded"
    printf "| %s | %.0f to %.0f | %.1f | %.0f %% | %.0f %% | %.1f | %s |\n", name, v["f0_low_hz"], v["f0_high_hz"], v["octaves"], 100 * v["pitched"], 100 * v["sings"], v["changes_per_s"], slope(v["slope"], v["slope_error"]) }' table.csv >recorded.md
