# Numbers of docs/models/friction.md: what test_friction prints.
"$BUILD/test/test_friction" >friction.txt 2>&1
awk 'function cell(x, d) { x = sprintf("%." d "e", x); sub(/e-0/, "e-", x); return x }
  /^rub_(slow|string), *[0-9]+ substeps/ { split($1, n, ","); k[n[1]]++; row[n[1]] = row[n[1]] " " cell($NF, k[n[1]] == 1 ? 2 : 1) " |" }
  /^rub_(slow|string): fitted/ { split($1, n, ":"); order[n[1]] = $9 + 0 }
  /below breakaway/ { gsub(/[(,)]/, ""); for (i = 1; i <= NF; i++) { if ($i == "elasto-plastic") print "presliding/ours," ($(i + 1) < 0 ? -$(i + 1) : $(i + 1)); if ($i == "to") print "presliding/most," $(i + 1); if ($i == "LuGre") print "presliding/lugre," $(i + 1); if ($i == "Dahl") print "presliding/dahl," $(i + 1) } }
  /^thermal: sweep/ { print "thermal/slow percent," $7; print "thermal/quick loop," $NF }
  / evaluations/ && !/0\.40 m/ { for (i = 2; i <= NF; i++) if ($i ~ /^evaluations/) { e = $(i - 1) + 0; if (!seen++ || e < low) low = e; if (e > high) high = e } }
  /^three modes/ { print "three/1 N/hz," $5; for (i = 6; i <= NF; i++) if ($i == "20") print "three/20 N/hz," $(i + 2) }
  /^glass at/ { gsub(/,/, ""); print "glass/" $3 "/" $5 "/hz," $7; print "glass/" $3 "/" $5 "/cents," 1200 * log($7 / 529.3) / log(2); print "glass/" $3 "/" $5 "/evaluations," $(NF - 3) }
  END {
    print "evaluations/least," low; print "evaluations/most," high
    print "| substeps per sample, 44.1 kHz | 1 | 2 | 4 | 8 | 16 | order, 2 to 16 |\n| --- | --- | --- | --- | --- | --- | --- |" >"convergence.md"
    printf "| slow rub, three modes |%s %.2f |\n", row["rub_slow"], order["rub_slow"] >"convergence.md"
    printf "| string-like, sticks and slips |%s %.2f |\n", row["rub_string"], order["rub_string"] >"convergence.md"
  }' friction.txt
