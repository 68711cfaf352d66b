# Numbers of docs/models/impact.md.
"$BUILD/test/test_reference" >reference.txt 2>&1
awk 'function cell(x) { x = sprintf("%.1e", x); sub(/e-0/, "e-", x); return x + 0 >= 0.1 ? sprintf("%.2f", x) : x }
  /^hit_(soft|hard), *[0-9]+ substeps: relative/ { split($1, n, ","); row[n[1]] = row[n[1]] " " cell($NF) " |" }
  /^hit_(soft|hard): fitted/ { split($1, n, ":"); order[n[1]] = $NF }
  /^substeps chosen/ { gsub(/,/, ""); chosen["hit_soft"] = $(NF - 2); chosen["hit_hard"] = $NF }
  END {
    print "| substeps per sample, 44.1 kHz | 1 | 2 | 4 | 8 | 16 | 32 | order | chosen (`normal`) |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    printf "| soft hit |%s %.2f | %s |\n", row["hit_soft"], order["hit_soft"], cell(chosen["hit_soft"])
    printf "| hard hit, rebounds several times |%s %.2f | %s |\n", row["hit_hard"], order["hit_hard"], cell(chosen["hit_hard"])
  }' reference.txt >convergence.md

"$CC" -std=c17 -I"$ROOT/include" -I"$ROOT/src" -o rebounds "$ROOT/docs/numbers/rebounds.c" "$BUILD/libcontatto_io.a" "$BUILD/libcontatto_file.a" "$BUILD/libcontatto.a" -ljansson -lsndfile -lm
./rebounds >rebounds.csv
awk -F, 'function pct(x) { return x < 0.01 ? sprintf("%.4f %%", x) : x < 0.02 ? sprintf("%.3f %%", x) : x < 1 ? sprintf("%.3f %%", x) : sprintf("%.2f %%", x) }
  BEGIN {
    print "| | AM1 | Verlet | Heun | RK4 | one step | `normal` | `high` | `best` |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    head["case 1"] = "| case 1: k 1e7, µ 0.1, α 1.1, 0.3 m/s | +1.293 % | +1.660 % | +1.467 % | −0.125 % |"
    head["case 2"] = "| case 2: k 1e9, µ 0.5, α 1.5, 1 m/s | +2.551 % | +0.839 % | −4.692 % | −0.105 % |"
  }
  /^case/ { row[$1] = row[$1] " " pct($3) " |" }
  END { print head["case 1"] row["case 1"]; print head["case 2"] row["case 2"] }' rebounds.csv >cases.md
awk -F, 'BEGIN { print "| contact lasts, samples | `draft` | `normal` | `high` | `best` |\n| --- | --- | --- | --- | --- |" }
  !/^case/ { if ($1 != last) { if (last != "") print row; row = "| " $1 " |"; last = $1 }
    row = row " " ($3 >= 10 ? sprintf("%.0f", $3) : $3 < 0.1 ? sprintf("%.2f", $3) : sprintf("%.1f", $3)) " %, " $4 " |" }
  END { print row }' rebounds.csv >times.md
awk -F, '/^case/ { print $1 "/" $2 "," $3 }' rebounds.csv
