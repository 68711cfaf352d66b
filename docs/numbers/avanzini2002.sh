# Numbers of docs/studies/avanzini2002.md that its study does not print as such; table.csv and made/ are here.

# ---- single numbers: "of/quantity", the edges' extremes
awk -F, '$1 == "loop" { print "loop/" $2 "/" $3 "," $5; if ($3 == "slip_share") print "loop/" $2 "/slip_percent," 100 * $5; if ($3 == "on_curve_share") print "loop/" $2 "/on_curve_percent," 100 * $5 }
  $1 == "schelleng" && $4 == "" { print "schelleng/" $2 "/" $3 "," $5 }
  $1 == "guettler" { print "guettler/" $2 "/" $3 "," $5 }
  $3 == "over_f_max" && $5 !~ /nan/ { if (!u++ || $5 < ul) ul = $5; if ($5 > uh) uh = $5 }
  $3 == "over_f_min" && $5 !~ /nan/ { if (!l++ || $5 < ll) ll = $5; if ($5 > lh) lh = $5 }
  $1 == "adhesion" { print "adhesion/" $3 "," $5 }
  END { print "upper/least," ul; print "upper/most," uh; print "lower/least," ll; print "lower/most," lh }' table.csv

# ---- figures 6 and 7
awk -F, 'function minus(x) { sub(/^-/, "−", x); return x }
  BEGIN { print "| bowed at β = 0.1 with 1.1 N | slip share | beyond half speed | cents | slip, m/s (ideal: 0.9) | µ, all | µ, slip | width of the loop | on the curve | longest way |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    name["thermal"] = "thermal"; name["stiff 0.4"] = "bristles, stiff, µ 0.4/0.2"; name["stiff 0.5"] = "bristles, stiff, µ 0.5/0.2"
    name["soft 0.4"] = "bristles, soft, µ 0.4/0.2"; name["soft 0.5"] = "bristles, soft, µ 0.5/0.2"; name["rosin"] = "bristles, stiff, our µ" }
  $1 == "loop" { v[$3] = $5 }
  $1 == "loop" && $3 == "on_curve_longest" {
    printf "| %s | %.3f | %.3f | %s | %.2f | %.2f to %.2f | %.2f to %.2f | %.3f | %.0f %% | %.2f |\n", name[$2], v["slip_share"], v["half_share"], minus(sprintf("%.1f", v["cents"])),
      v["slip_m_s"], v["least_mu"], v["greatest_mu"], v["least_slip_mu"], v["greatest_slip_mu"], v["width_mu"], 100 * v["on_curve_share"], $5 }' table.csv >loops.md

# ---- film and patch
awk -F, 'function minus(x) { sub(/^-/, "−", x); return x }
  $1 == "heat" { sub(/patch /, "", $2); if (!($2 in seen)) { seen[$2] = 1; patch[++np] = $2 } if (!($4 in film)) { film[$4] = 1; f[++nf] = $4 } v[$2, $4, $3] = $5 }
  END {
    printf "| patch, film |"; for (j = 1; j <= nf; j++) printf " %g µm |", 1e6 * f[j]
    printf "\n| --- |"; for (j = 1; j <= nf; j++) printf " --- |"; print ""
    for (i = 1; i <= np; i++) {
      printf "| %s |", patch[i]
      for (j = 1; j <= nf; j++) {
        c = v[patch[i], f[j], "cents"]
        if (c ~ /nan/) cell = "no pitch"
        else cell = minus(sprintf("%.0f", c)) ", " sprintf("%.2f, %.0f %%", v[patch[i], f[j], "slip_over_ideal"], 100 * v[patch[i], f[j], "on_curve_share"])
        if (v[patch[i], f[j], "as_figure_6"] == 1) { cell = "**" cell "**"; n++ }
        printf " %s |", cell }
      print "" }
  }' table.csv >heat.md
awk -F, '$1 == "heat" && $3 == "as_figure_6" { n += $5 } END { print "heat/cells," n }' table.csv

# ---- regimes, slopes, attacks
awk -F, 'BEGIN { print "| regime | | cells, moved there | from rest |\n| --- | --- | --- | --- |"
    text["helmholtz"] = "Helmholtz | periodic, one slip per period, at pitch (a semitone), for at least ¾ β of it, its median velocity within 10 % of the bow'"'"'s"
    text["multiple"] = "multiple slips | periodic, more than 1.5 per period"
    text["other"] = "other periodic | a pitch lower by a tritone or more (anomalous low frequencies); or one slip that is too short (S motion)"
    text["raucous"] = "raucous | not periodic"; text["none"] = "none | slides on, sticks, or rings down by itself" }
  $1 == "schelleng" && $3 == "kept_cells" { kept[$2] = $5 } $1 == "schelleng" && $3 == "begun_cells" { begun[$2] = $5 }
  END { n = split("helmholtz multiple other raucous none", r, " "); for (i = 1; i <= n; i++) printf "| %s | %d | %d |\n", text[r[i]], kept[r[i]], begun[r[i]] }' table.csv >regimes.md
awk -F, 'function minus(x) { sub(/^-/, "−", x); return x }
  BEGIN { print "| | edge | exponent | Schelleng |\n| --- | --- | --- | --- |" }
  $1 == "schelleng" && $3 == "exponent" { e[$2] = $5 } $1 == "schelleng" && $3 == "exponent_error" { printf "| the map, 20 positions | %s | %s ± %.2f | %s |\n", $2 ~ /upper/ ? "upper" : "lower", minus(sprintf("%.2f", e[$2])), $5, $2 ~ /upper/ ? "−1" : "−2" }
  $1 ~ / slope$/ && $3 == "exponent" { x = $5 }
  $1 ~ / slope$/ && $3 == "error" { printf "| %s | %s | %s ± %.2f | %s |\n", $2, $1 ~ /upper/ ? "upper" : "lower", minus(sprintf("%.2f", x)), $5, $1 ~ /upper/ ? "−1" : "−2" }' table.csv >slopes.md
awk -F, '$1 == "guettler" && $2 == "attacks" { v[$3] = $5 }
  END { print "| right from the first slip | accepted | later, after multiple slips | later, after late slips | not within 0.45 s |\n| --- | --- | --- | --- | --- |"
    printf "| %d | %d | %d | %d | %d |\n", v["perfect"], v["accepted"], v["multiple_slips"], v["prolonged"], v["never"] }' table.csv >attacks.md
