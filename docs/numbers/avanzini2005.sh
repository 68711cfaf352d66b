# Numbers of docs/studies/avanzini2005.md that its study does not print as such; table.csv and made/ are here.

# ---- iterations
awk -F, 'function cell(q) { return v[r, q] }
  $1 == "iterations" { v[$2, $3] = $5 }
  END {
    print "| region | runs | Newton: mean | most | steps over 7 | runs over 7 | runs that do not converge | runs that blow up | contatto: mean | most |"
    print "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    n = split("typical wide", name, " ")
    for (i = 1; i <= n; i++) {
      r = name[i]
      printf "| %s | %d | %.2f | %d | %.3f %% | %d | %d | %d | %.2f | %d |\n", r, cell("runs"), cell("newton_mean"), cell("newton_most"), cell("newton_steps_over_7_pct"),
        cell("newton_runs_over_7"), cell("newton_runs_not_converging"), cell("newton_runs_blown_up"), cell("contatto_mean"), cell("contatto_most")
    } }' table.csv >iterations.md

# ---- a late force: the howl, the wrong mode, the worst of each where it still sounds
awk -F, 'function size(x) { return x < 0 ? -x : x }
  $1 == "delay" && $3 == "held_db" && $2 == "delayed" { if (!n++ || $5 > loud) loud = $5 }
  $1 == "delay" && $3 == "rubbed_cents" && $2 == "delayed" && $5 > 100 { mode = $5 }
  $1 == "delay" && $3 == "rubbed_cents" && $2 == "delayed" && $4 < 2e4 && size($5) > low { low = size($5) }
  $1 == "delay" && $3 == "rubbed_cents" && $2 == "delayed" && $4 > 3e6 && size($5) > late { late = size($5) }
  $1 == "delay" && $3 == "rubbed_cents" && $2 == "newton" && $4 < 2e4 && size($5) > newton { newton = size($5) }
  $1 == "delay" && $3 == "rubbed_cents" && $2 == "contatto" && size($5) > ours { ours = size($5) }
  END { print "late/howl," loud; print "late/octaves," mode / 1200; print "late/below," low; print "late/stiff," late; print "newton/below," newton; print "ours/worst," ours }' table.csv

# ---- figures 2 and 4, the loop, presliding
worst() { # file, one column, another, smallest second column: the largest difference
  awk -F, -v a="$2" -v b="$3" -v from="$4" 'NR > 1 && (from == "" || $2 > from) { d = $a - $b; d = d < 0 ? -d : d; if (d > most) most = d } END { print most }' "made/$1.csv"
}
echo "figure 2/force,$(worst fig2_steady 4 2 '')"
echo "figure 2/alpha,$(worst fig2_adhesion 3 2 '')"
echo "loop/glass,$(worst loop_glass 3 4 0.03)"
echo "loop/stiff,$(worst loop_stiff 3 4 0.02)"
# the glass: when it has half of its level, how fast the finger is at most, the swell over the level before it
awk -F, 'NR > 1 { t[NR] = $1; y[NR] = $3; if ($1 > 1 && $1 < 1.6 && $3 > level) level = $3; if ($3 > most) most = $3; if ($4 > fast) fast = $4 }
  END { for (i = 2; i <= NR; i++) if (y[i] > level / 2) { print "glass/sings after," t[i]; break } print "glass/fast," fast; print "glass/swell dB," 20 * log(most / level) / log(10) }' made/fig4b_glass.csv
# the left shutter: frequencies that stay within 2 % for a tenth of a second, in turn
awk -F, 'NR > 1 && $7 ~ /^[0-9]/ && $1 < 2.4 {
    if (n && ($7 / mean > 1.02 || $7 / mean < 0.98)) { if ($1 - from > 0.1) { k++; print "door/" k "/hz," mean; print "door/" k "/speed," speed } n = 0 }
    if (!n) { from = $1; sum = 0; speed = $4 }
    n++; sum += $7; mean = sum / n; if ($7 < 100 && !low) { low = 1; print "door/100 Hz/speed," $4 } }' made/fig4c_door_left.csv
awk -F, 'NR > 1 && $4 > most { most = $4 } END { print "presliding/most," most; print "presliding/ours," ($2 < 0 ? -$2 : $2); print "presliding/ours each," ($2 < 0 ? -$2 : $2) / $1; print "presliding/lugre," $3; print "presliding/lugre each," $3 / $1 }' made/presliding_drift.csv

# ---- Table I
awk -F, '$1 ~ /^effect/ && $4 == "steps" { sub(/^effect /, "", $1); v[$1, $2, $3] = $5 }
  END {
    p = split("sigma_0 sigma_1 sigma_2 sigma_3 mu_d mu_s v_S f_N", parameter, " "); split("σ0 σ1 σ2 σ3 µd µs v_S f_N", shown, " ")
    m = split("loudness_lufs roughness noise_db centroid_hz bandwidth_hz attack_s pitch_hz lock_s timbre_oct_s", measure, " ")
    split("sigma_0 lock_s,sigma_1 bandwidth_hz,sigma_2 timbre_oct_s,sigma_2 pitch_hz,sigma_3 noise_db,sigma_3 roughness,mu_d bandwidth_hz,mu_s attack_s,v_S attack_s,f_N roughness,f_N loudness_lufs", named, ",")
    for (i in named) bold[named[i]] = "**"
    print "| | loudness | roughness | noise | centroid | bandwidth | attack | pitch | locking | timbre |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    for (i = 1; i <= p; i++) {
      printf "| %s |", shown[i]
      for (j = 1; j <= m; j++) { b = bold[parameter[i] " " measure[j]]; printf " %s%.0f / %.0f%s |", b, v["reference", parameter[i], measure[j]], v["glass", parameter[i], measure[j]], b }
      print ""
    } }' table.csv >matrix.md

# ---- the braking wheel, once the study has it
awk -F, '$1 == "wheel" { v[$2, $3] = $5; if (!($2 in seen)) { order[++n] = $2; seen[$2] = 1 } }
  END {
    if (!n) exit
    print "wheel/sliding above rolling," v["slides", "loudness_lufs"] - v["rolls", "loudness_lufs"]
    when["rolls"] = "1.4 to 2.4 s"; when["slides"] = "2.6 to 3.6 s"; when["squeals"] = "4.15 to 4.65 s"
    print "| stage | cart | tread | most slip | joints | heard | strongest partial |\n| --- | --- | --- | --- | --- | --- | --- |" >"wheel.md"
    for (i = 1; i <= n; i++) {
      s = order[i]
      printf "| %s%s | %.2f m/s | %.2f m/s | %.3f m/s | %.2f µm | %.1f LUFS | %.0f Hz |\n", s, when[s] ? ", " when[s] : "", v[s, "cart_m_s"], v[s, "tread_m_s"], v[s, "slip_m_s"], v[s, "joints_um"], v[s, "loudness_lufs"], v[s, "partial_hz"] >"wheel.md"
    } }' table.csv

# ---- how it starts, and who paid for its motion
printf 'time_s,push\n0,0\n1,0\n' >nobody.csv
for preset in paper toy; do
  contatto render wheel --preset $preset --gesture nobody.csv --seconds 0.05 -o start_$preset.wav --motion start_$preset.csv --motion-of tread.force_n
done
awk -F, 'NR == 2 { print "wheel/load/first," $2 }' start_paper.csv
awk -F, 'NR == 2 { print "wheel/load/toy," $2 }' start_toy.csv
contatto measure start_paper.wav --json | sed -n 's/^ *"peak_db": *\([-0-9.e]*\).*/wheel\/first 50 ms,\1/p'
contatto render wheel --preset paper -o paid.wav --energy paid.csv
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "motion_j") c = i } END { print "wheel/motion," $c }' paid.csv
