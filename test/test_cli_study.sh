# ctest: slow
# contatto study: the list, refusals, table 1 as CSV, and figures whose numbers say what their captions say.
. "$ROOT/test/cli.sh"

# ---- the list, and what is refused
works "$CONTATTO" study
grep -q '^papetti2009 ' .stdout || wrong "study does not list papetti2009"
refused 2 "no study 'papeti2009', did you mean papetti2009" "$CONTATTO" study papeti2009
refused 2 "no study 'fourier', 'contatto study' lists them" "$CONTATTO" study fourier --csv
refused 2 'which one' "$CONTATTO" study --csv
refused 2 'one argument too many' "$CONTATTO" study papetti2009 again
: >plain
refused 1 'plain' "$CONTATTO" study papetti2009 --out plain/deeper

# ---- the table: nothing but CSV on stdout, and no files
before=$(list_files)
"$CONTATTO" study papetti2009 --csv >table.out 2>.stderr || wrong "study --csv fails: $(cat .stderr)"
[ ! -s .stderr ] || wrong "study --csv complains: $(cat .stderr)"
mv table.out .stdout
[ "$before" = "$(list_files)" ] || wrong "study --csv leaves files"
[ "$(head -n 1 .stdout)" = case,method,quantity,error_pct_eq7,error_pct_exact ] || wrong "header: $(head -n 1 .stdout)"
for row in 1 2; do
  for method in am1 verlet heun rk4 contatto; do
    for quantity in x_max v_out h_tau; do
      [ "$(grep -cE "^$row,$method,$quantity,[+-][0-9.]+,[+-][0-9.]+$" .stdout)" -eq 1 ] || wrong "no row $row,$method,$quantity"
    done
  done
done
[ "$(wc -l <.stdout)" -eq 31 ] || wrong "$(wc -l <.stdout) lines"
awk -F, 'NR == FNR { split("am1 verlet heun rk4", name, " ")
    for (i = 1; i <= 4 && FNR > 1; i++) printed[$1 "," name[i] "," $2] = $(i + 2); next }
  { key = $1 "," $2 "," $3 }
  !(key in printed) { next }
  printed[key] == "not exceeded" { if ($4 > 0) bad = 1; next }
  { seen++; off = $4 - printed[key]; if (off > 0.001 || off < -0.001) bad = 1 }
  END { exit bad || seen != 18 }' "$ROOT/test/data/papetti2009_table1.csv" .stdout || wrong "not the published figures: $(cat .stdout)"

# ---- figures
cp .stdout table.csv
works "$CONTATTO" study papetti2009 --out deep/er
grep -q '^v_out  published *+2.551 *+0.839 *-4.692 *-0.105 .*~ -1e-4$' .stdout || wrong "the table lacks a row: $(cat .stdout)"
for n in 1 2 3 4 5 6 7 8 9 10; do
  [ "$(find deep/er -name "fig$n*.csv" -size +0 | wc -l)" -gt 0 ] || wrong "no numbers behind figure $n"
  ! command -v gnuplot >/dev/null || [ "$(head -c 4 "deep/er/fig$n.png" | tail -c 3)" = PNG ] || wrong "no fig$n.png"
  ! command -v gnuplot >/dev/null || grep -q '</svg>' "deep/er/fig$n.svg" || wrong "no fig$n.svg"
  [ -s "deep/er/fig$n.gp" ] || wrong "no script of figure $n"
done
# the script beside a picture draws it again from the numbers beside it, wherever they are moved
mkdir moved && cp deep/er/fig1.gp deep/er/fig1.csv moved
! command -v gnuplot >/dev/null || { (cd moved && gnuplot fig1.gp) && cmp moved/fig1.png deep/er/fig1.png; } || wrong "fig1.gp draws another picture"

# column FILE NAME ROW: one number of a table
column() {
  awk -F, -v name="$2" -v row="$3" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i } NR == row + 1 { print $c }' "$1"
}
within() { # value, low, high
  awk -v x="$1" -v low="$2" -v high="$3" 'BEGIN { exit !(x != "" && x + 0 >= low && x + 0 <= high) }'
}
# after twenty rebounds: milliseconds for the methods, a third of one for the engine, a fiftieth at its best
rebounds=deep/er/fig8_rebounds.csv
[ "$(wc -l <$rebounds)" -eq 21 ] || wrong "not twenty rebounds"
within "$(column $rebounds am1_late_s 20)" 0.010 0.015 || wrong "AM1 is late by $(column $rebounds am1_late_s 20)"
within "$(column $rebounds rk4_late_s 20)" -0.006 -0.003 || wrong "RK4 is late by $(column $rebounds rk4_late_s 20)"
within "$(column $rebounds contatto_late_s 20)" -0.0004 0.0004 || wrong "late by $(column $rebounds contatto_late_s 20)"
within "$(column $rebounds best_late_s 20)" -0.00003 0.00003 || wrong "at best late by $(column $rebounds best_late_s 20)"
# below four samples every method of the paper is off by more than 1 % and soon by more than the speed itself; the engine is not
for n in 1 2; do
  awk -F, 'NR == 1 { next } $1 < 4 { short++; for (i = 3; i <= 6; i++) { if ($i < 0.9) bad = 1; if ($i > worst[i]) worst[i] = $i } }
    $7 > 0.25 { bad = 1 } END { for (i = 3; i <= 6; i++) if (worst[i] < 99) bad = 1; exit bad || short < 20 }' \
    deep/er/fig9_case$n.csv || wrong "figure 9, case $n: $(cat deep/er/fig9_case$n.csv)"
done
# a harder hammer makes a brighter bar: from its lowest partial alone to nine times that; a faster one too
hardness=deep/er/fig10.csv
within "$(column $hardness middle_hz 1)" 2000 2250 || wrong "0.1 ms: centroid $(column $hardness middle_hz 1)"
within "$(column $hardness middle_hz 13)" 390 440 || wrong "1 ms: centroid $(column $hardness middle_hz 13)"
within "$(column $hardness middle_hz 25)" 235 255 || wrong "10 ms: centroid $(column $hardness middle_hz 25)"
awk -F, 'NR > 1 && $1 < 2e-3 { rows++; if (!($3 < $4 && $4 < $5) || (before && $4 > before)) bad = 1; before = $4 }
  END { exit bad || rows < 15 }' $hardness || wrong "figure 10: $(cat $hardness)"
ln -s deep/er made
pages_agree papetti2009
mkdir nothing
PATH=$PWD/nothing "$CONTATTO" study papetti2009 --out bare >.stdout 2>.stderr || wrong "study fails without gnuplot"
grep -qx 'contatto: warning: no pictures: gnuplot is not installed' .stderr || wrong "without gnuplot: $(cat .stderr)"
[ -s bare/fig1.csv ] && [ -s bare/fig1.gp ] && [ ! -e bare/fig1.png ] || wrong "without gnuplot: $(ls bare)"
finish
