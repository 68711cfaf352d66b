# ctest: slow
# contatto study avanzini2005: every file is made, and the numbers say what docs/studies/avanzini2005.md says of them.
. "$ROOT/test/cli.sh"

"$CONTATTO" study avanzini2005 --csv --out made >table.csv 2>.stderr || wrong "fails: $(cat .stderr)"
[ ! -s .stderr ] || wrong "complains: $(cat .stderr)"

# ---- files
pictures="fig2 fig4 newton delay loop presliding wheel"
tables="fig2_steady fig2_adhesion fig4a_wheel fig4b_glass fig4c_door_left fig4c_door_right
  newton_shares newton_typical newton_wide delay delay_held loop_soft loop_glass loop_stiff
  presliding_start presliding_drift wheel wheel_spectrogram"
for parameter in sigma_0 sigma_1 sigma_2 sigma_3 mu_d mu_s v_S f_N; do
  pictures="$pictures table1_$parameter"
  tables="$tables table1_${parameter}_reference table1_${parameter}_glass"
done
for name in $tables; do
  [ "$(wc -l <"made/$name.csv")" -gt 9 ] || wrong "no numbers in $name.csv"
done
for name in $pictures; do
  ! command -v gnuplot >/dev/null || [ "$(head -c 4 "made/$name.png" | tail -c 3)" = PNG ] || wrong "no $name.png"
  ! command -v gnuplot >/dev/null || grep -q '</svg>' "made/$name.svg" || wrong "no $name.svg"
done

# ---- the table
[ "$(head -n 1 table.csv)" = table,of,quantity,at,value ] || wrong "header: $(head -n 1 table.csv)"
awk -F, 'NF != 5 { exit 1 }' table.csv || wrong "not five columns everywhere"
of() { # table, of, quantity
  awk -F, -v t="$1" -v o="$2" -v q="$3" '$1 == t && $2 == o && $3 == q { print $5 }' table.csv
}
within() { # value, low, high
  awk -v x="$1" -v low="$2" -v high="$3" 'BEGIN { exit !(x != "" && x + 0 >= low && x + 0 <= high) }'
}
for region in typical wide; do
  within "$(of iterations $region contatto_mean)" 1 7 || wrong "$region: our mean $(of iterations $region contatto_mean)"
  within "$(of iterations $region contatto_most)" 1 80 || wrong "$region: our most $(of iterations $region contatto_most)"
  within "$(of iterations $region newton_runs_not_converging)" 1 299 || wrong "$region: Newton always converges"
done
# a late force: from sigma_1 Fs = 4.4e4 N/m on, a body held still howls; ours is within a cent everywhere
awk -F, '$1 == "delay" && $3 == "held_db" && $2 == "delayed" && $4 > 6e4 { if ($5 < -60) bad = 1; seen++ }
  $1 == "delay" && $3 == "held_db" && ($2 != "delayed" || $4 < 3e4) { if ($5 > -150) bad = 1; seen++ }
  $1 == "delay" && $3 == "rubbed_cents" && $2 == "contatto" { if ($5 > 1 || $5 < -1 || $5 == "nan") bad = 1; seen++ }
  END { exit bad || seen < 60 - 3 }' table.csv || wrong "delay: $(grep ^delay table.csv)"
# the wheel: rolls without slip, stands while the cart slides, its joints silent, sliding above rolling, then one line
within "$(of wheel rolls slip_m_s)" 0 0.03 || wrong "wheel slips: $(grep ^wheel table.csv)"
within "$(of wheel rolls cart_m_s)" 2 3 && within "$(of wheel slides cart_m_s)" 1 2.5 || wrong "wheel: $(grep ^wheel table.csv)"
within "$(of wheel slides tread_m_s)" -0.001 0.001 && within "$(of wheel slides joints_um)" 0 1 || wrong "wheel turns: $(grep ^wheel table.csv)"
awk -v r="$(of wheel rolls loudness_lufs)" -v s="$(of wheel slides loudness_lufs)" -v q="$(of wheel squeals loudness_lufs)" \
  'BEGIN { exit !(s > r + 3 && q > s + 10) }' || wrong "wheel, levels: $(grep ^wheel table.csv)"
within "$(of wheel squeals partial_hz)" 1850 1890 && within "$(of wheel squeals partial_db)" -3 4 || wrong "wheel squeals: $(grep ^wheel table.csv)"
# Table I, where the trend cannot be doubted: roughness makes noise, stiction hurries the attack, pressure hurries and lifts
trend() { # body, parameter, measure, sign: between the lowest and the highest value that sound
  awk -F, -v t="table1 $1" -v o="$2" -v q="$3" -v s="$4" '$1 == t && $2 == o && $3 == q && $5 !~ /nan/ { if (!n++) first = $5; last = $5 }
    END { exit !(n > 4 && s * (last - first) > 0) }' table.csv || wrong "$1: $3 does not follow $2"
}
for body in reference glass; do
  trend $body sigma_3 noise_db 1
  trend $body sigma_3 roughness 1
  trend $body mu_s attack_s -1
  trend $body mu_d attack_s 1
  trend $body mu_d bandwidth_hz -1
  trend $body f_N attack_s -1
  trend $body f_N loudness_lufs 1
done
[ "$(grep -c '^verdict,[a-zA-Z_0-9]*,\(agree\|partly\|not\),,$' table.csv)" -eq 8 ] || wrong "verdicts: $(grep ^verdict table.csv)"
for parameter in sigma_3 mu_s v_S; do
  grep -qx "verdict,$parameter,agree,," table.csv || wrong "$parameter: $(grep "^verdict,$parameter" table.csv)"
done

# ---- figures 2 and 4, the loop, presliding
column() { # file, name: its numbers
  awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next } { print $c }' "made/$1.csv"
}
awk -F, 'NR > 1 { d = $2 - $4; if (d > 1e-4 || d < -1e-4) bad = 1 } END { exit bad || NR != 61 }' made/fig2_steady.csv ||
  wrong "figure 2 is not eq. 4"
column fig4c_door_left partial_hz | awk '$1 + 0 > 0 { if (!n++) first = $1; if (NR < 1100) last = $1 } END { exit !(first / last > 2.5) }' ||
  wrong "the door does not glide by more than an octave"
column fig4a_wheel highest_m_s | awk 'NR < 900 { if ($1 > early) early = $1 } { if ($1 > all) all = $1 } END { exit !(all > 6 * early) }' ||
  wrong "the wheel does not squeal at the end"
awk -F, 'NR == 1 { next } $2 > 0.05 { d = $3 - $4; if (d < 0) d = -d; if (d > worst[FILENAME]) worst[FILENAME] = d }
  END { exit !(worst["made/loop_soft.csv"] > 0.015 && worst["made/loop_stiff.csv"] < 0.003) }' made/loop_soft.csv made/loop_stiff.csv ||
  wrong "the loop does not close on the steady curve as bristles stiffen"
# below breakaway: elasto-plastic comes back, bristles never beyond z_ba; LuGre goes on by about as much at every push
awk -F, 'NR > 1 && ($2 > 1e-9 || $2 < -1e-9 || $3 < 0.1 * $1 || $4 < 0.8 || $4 >= 1) { bad = 1 } { pushes = $1 }
  END { exit bad || pushes != 100000 }' made/presliding_drift.csv || wrong "presliding: $(cat made/presliding_drift.csv)"
awk -F, 'NR > 1 && ($5 >= 1 || $5 <= -1) { bad = 1 } $3 > 0.8 { moved = 1 } END { exit bad || !moved }' made/presliding_start.csv ||
  wrong "elasto-plastic bristles leave the elastic range, or are not loaded"
pages_agree avanzini2005
finish
