#!/bin/sh
# docs/pictures/make.sh DIR: draws the pictures of the documentation that are not a study's into DIR, with the numbers
# they are drawn from (*.csv, *.txt) and the scripts that draw them (*.gp). tools/docs runs it; it sets BUILD, and puts
# `contatto` into the path. Without gnuplot, or with DRAW=no, everything but the pictures is made.
set -eu
cd "${1:?usage: make.sh DIR}"
draw=${DRAW:-yes}
command -v gnuplot >/dev/null || draw=no

style="set terminal pngcairo noenhanced size 1000,SIZE font 'DejaVu Sans,11'
set datafile separator ','
set border 3 lc rgb '#555555'
set tics nomirror out scale 0.6
set grid lc rgb '#dddddd' lw 0.7
set key top right samplen 2"

plot() { # name, height; the rest of the script on standard input
  { printf '%s\n' "$style" | sed "s/SIZE/$2/" && echo "set output '$1.png'" && cat; } >"$1.gp"
  [ "$draw" = no ] || gnuplot "$1.gp"
}

# ---- README: the hammer scene's demo ------------------------------------------------------------------------------

contatto render hammer --motion hammer.csv --motion-of bar.end.v_m_s
if [ "$draw" != no ]; then
  contatto gallery --out gallery >/dev/null
  mv gallery/hammer.png .
  rm -r gallery
fi

# ---- README: three sounds ---------------------------------------------------------------------------------------------

"$CC" -std=c17 -I"$ROOT/include" -I"$ROOT/src" -o spectrogram "$ROOT/docs/pictures/spectrogram.c" "$BUILD/libcontatto_picture.a" "$BUILD/libcontatto_io.a" "$BUILD/libcontatto_file.a" \
  "$BUILD/libcontatto_measure.a" "$BUILD/libcontatto.a" -ljansson -lsndfile -lm
heard() { # scene, seconds as in docs/sounds/make.sh
  contatto render "$1" --seconds "$2" -o "$1.wav"
  ./spectrogram "$1.wav" 280 120 >"sound-$1.csv"
  plot "sound-$1" 10 <<END
set terminal pngcairo noenhanced size 560,400 font 'DejaVu Sans,17' background '#0c0e11'
set output 'sound-$1.png'
set margins 8.5,1.2,2.8,0.6
set border 3 lc rgb '#8a9098'
set tics textcolor rgb '#b6bcc4'
unset grid
unset key
unset colorbox
set xrange [0:$2]
set yrange [log10(40):log10(16000)]
set xtics 1
set xlabel 'seconds' textcolor rgb '#b6bcc4' offset 0,0.6
set ytics ('100 Hz' 2, '1 kHz' 3, '10 kHz' 4)
set cbrange [-90:-12]
set palette defined (0 '#0c0e11', 1 '#1b0c41', 2 '#4a0c6b', 3 '#781c6d', 4 '#a52c60', 5 '#cf4446', 6 '#ed6925', 7 '#fb9b06', 8 '#f7d13d', 9 '#fcffa4')
plot 'sound-$1.csv' using 1:2:3 with image
END
  rm "$1.wav"
}
heard glass 8
heard hammer 6.5
heard wheel 5.4
rm spectrogram

# ---- tour: one strike -----------------------------------------------------------------------------------------------

printf 'time_s,strike_speed\n0.01,1\n' >one.csv
contatto render hammer --gesture one.csv --seconds 0.02 --motion motion.csv --motion-of strike.force_n --motion-of '*.v_m_s' --energy energy.csv
plot strike 640 <<'END'
set multiplot layout 3,1 margins 0.08,0.97,0.09,0.97 spacing 0.05
set xrange [11.8:14]
set format x ''
set ylabel 'force, N' offset 1
plot 'motion.csv' using (1e3*column('time_s')):(column('strike.force_n')) with lines lw 2 lc rgb '#cf4446' title 'contact'
set ylabel 'velocity, m/s' offset 1
set yrange [-1.1:1.3]
plot 'motion.csv' using (1e3*column('time_s')):(column('hammer.tip.v_m_s')) with lines lw 2 lc rgb '#1f5f8b' title 'hammer', \
  '' using (1e3*column('time_s')):(column('bar.hit.v_m_s')) with lines lw 2 lc rgb '#ed9b25' title 'bar, where it is hit', \
  '' using (1e3*column('time_s')):(column('bar.end.v_m_s')) with lines lw 1.5 lc rgb '#781c6d' title 'bar, at its end (heard)'
set format x '%g'
set xlabel 'time, ms'
set ylabel 'energy, mJ' offset 1
set yrange [0:27]
set ytics 5
plot 'energy.csv' using (1e3*column('time_s')):(1e3*column('stored_j')) with lines lw 2 lc rgb '#1f5f8b' title 'stored in bodies and contact', \
  '' using (1e3*column('time_s')):(1e3*column('lost_contacts_j')) with lines lw 2 lc rgb '#cf4446' title 'lost in the contact', \
  '' using (1e3*column('time_s')):(1e3*(column('stored_j')+column('lost_contacts_j')+column('lost_bodies_j'))) with lines lw 1 dt 2 lc rgb '#555555' title 'sum with what the bar lost'
END

# ---- impact: the loop of force over compression, and convergence --------------------------------------------------

for hardness in 0.3 0.4 0.5; do
  contatto render hammer --set hardness=$hardness --gesture one.csv --seconds 0.02 --rate 192000 --motion "loop$hardness.csv" --motion-of strike.force_n --motion-of '*.x_m' 
done
"$BUILD/test/test_reference" >reference.txt 2>&1
for hit in soft hard; do
  sed -n "s/^hit_$hit, *\([0-9]*\) substeps: relative rms error of x \(.*\)/\1,\2/p" reference.txt >"$hit.csv"
done
plot impact 420 <<'END'
set multiplot layout 1,2 margins 0.07,0.98,0.14,0.93 spacing 0.09
set xlabel 'compression, mm'
set ylabel 'force, N' offset 1
set xrange [0:0.8]
set key top right
x(c) = 1e3*(column('hammer.tip.x_m')-column('bar.hit.x_m'))
plot 'loop0.5.csv' using (x(0)):(column('strike.force_n')) with lines lw 2 lc rgb '#cf4446' title 'hardness 0.5', \
  'loop0.4.csv' using (x(0)):(column('strike.force_n')) with lines lw 2 lc rgb '#ed9b25' title '0.4', \
  'loop0.3.csv' using (x(0)):(column('strike.force_n')) with lines lw 2 lc rgb '#1f5f8b' title '0.3'
set logscale xy
set xrange [0.8:40]
set yrange [1e-6:1]
set format y '%.0e'
set xtics (1,2,4,8,16,32)
set xlabel 'substeps per sample, 44.1 kHz'
set ylabel 'relative error of the displacement' offset 1
plot 'hard.csv' using 1:2 with linespoints pt 7 ps 1 lw 1.5 lc rgb '#cf4446' title 'hard hit', \
  'soft.csv' using 1:2 with linespoints pt 7 ps 1 lw 1.5 lc rgb '#1f5f8b' title 'soft hit', \
  5.4e-3/x**2 with lines dt 2 lc rgb '#555555' title 'second order'
END

# ---- islands: the blow through the cradle, in turn and at once ------------------------------------------------------

printf 'time_s,pull\n0.01,0.8\n' >pull.csv
for gap in 0.0001 0; do
  contatto render cradle --set gap=$gap --gesture pull.csv --seconds 0.05 --rate 192000 --motion "gap$gap.csv" --motion-of '*.force_n' 
done
plot islands 420 <<'END'
set multiplot layout 1,2 margins 0.07,0.98,0.14,0.9 spacing 0.07
set xlabel 'time, ms'
set ylabel 'contact force, N' offset 1
set yrange [0:850]
set key horizontal
array names[4] = ['touch12', 'touch23', 'touch34', 'touch45']
array tints[4] = ['#1f5f8b', '#781c6d', '#cf4446', '#ed9b25']
set title 'a hair apart (0.1 mm): in turn'
set xrange [10:11.2]
plot for [i=1:4] 'gap0.0001.csv' using (1e3*column('time_s')):(column(names[i].'.force_n')) with lines lw 2 lc rgb tints[i] title names[i]
set title 'touching: at once'
set xrange [9.9:11.1]
plot for [i=1:4] 'gap0.csv' using (1e3*column('time_s')):(column(names[i].'.force_n')) with lines lw 2 lc rgb tints[i] title names[i]
END

# ---- ledger: where the energy of a dropped ball goes -----------------------------------------------------------------

contatto render drop --seconds 1.6 --energy drop.csv
plot ledger 380 <<'END'
set xrange [0:1.6]
set yrange [0:15]
set ytics 5
set xlabel 'time, s'
set ylabel 'energy, mJ' offset 1
set lmargin 8
set key top right horizontal
t(c) = column('time_s')
plot 'drop.csv' using (t(0)):(1e3*(column('stored_j')+column('lost_bodies_j')+column('lost_contacts_j'))) every 8 with filledcurves x1 lc rgb '#cf4446' title 'lost in contacts', \
  '' using (t(0)):(1e3*(column('stored_j')+column('lost_bodies_j'))) every 8 with filledcurves x1 lc rgb '#ed9b25' title 'lost in bodies', \
  '' using (t(0)):(1e3*column('stored_j')) every 8 with filledcurves x1 lc rgb '#1f5f8b' title 'stored', \
  '' using (t(0)):(1e3*column('force_j')) every 8 with lines lw 1.5 dt 2 lc rgb '#222222' title 'work of gravity'
END

# ---- string: stretched partials, and the string under the bow -----------------------------------------------------------

awk '/^```json$/ { on = 1; next } /^```$/ { on = 0 } on' "$ROOT/docs/models/string.md" >bowed.json
contatto render bowed.json --seconds 1 --motion bowed.csv --motion-of d.bow.v_m_s
for b in 0 0.0001 0.0003 0.001; do
  printf '{"contatto": 1, "bodies": {"s": {"kind": "string", "string": {"hz": 147, "inharmonicity": %s}}}}' "$b" >stiff.json
  contatto describe stiff.json --body s | awk '$1 ~ /^[0-9]+$/ && $1 < 30 { print $1 + 1 "," $2 }' >"stiff$b.csv"
done
plot string 420 <<'END'
set multiplot layout 1,2 margins 0.07,0.98,0.14,0.95 spacing 0.09
set xlabel 'partial n'
set ylabel 'cents above n f0' offset 1
set key top left
c(f,n) = 1200*log(f/(147*n))/log(2)
s(b,n) = 600*log(1+b*n*n)/log(2)
set xrange [0:31]
plot 'stiff0.001.csv' using 1:(c($2,$1)) with points pt 7 ps 0.8 lc rgb '#cf4446' title 'B = 1e-3', s(0.001,x) lc rgb '#cf4446' notitle, \
  'stiff0.0003.csv' using 1:(c($2,$1)) with points pt 7 ps 0.8 lc rgb '#ed9b25' title '3e-4', s(0.0003,x) lc rgb '#ed9b25' notitle, \
  'stiff0.0001.csv' using 1:(c($2,$1)) with points pt 7 ps 0.8 lc rgb '#1f5f8b' title '1e-4', s(0.0001,x) lc rgb '#1f5f8b' notitle, \
  'stiff0.csv' using 1:(c($2,$1)) with points pt 7 ps 0.8 lc rgb '#781c6d' title '0', 0 lc rgb '#781c6d' notitle
set xlabel 'time, ms'
set ylabel 'velocity, m/s' offset 1
set xrange [0:27]
set yrange [-1.4:0.3]
set key off
plot 'bowed.csv' using (1e3*(column('time_s')-0.95)):(column('d.bow.v_m_s')) with lines lw 2 lc rgb '#1f5f8b', 0.1 dt 2 lc rgb '#555555', -1.15 dt 2 lc rgb '#555555'
END

# ---- string: two laws under the bow -------------------------------------------------------------------------------------

for preset in rosin thermal; do # the last tenth of a second is drawn
  contatto render cello --preset $preset --seconds 2 --rate 192000 --motion all.csv --motion-of d.bow.v_m_s --motion-of rub.force_n
  awk -F, 'NR == 1 || $1 > 1.9' all.csv >"cello-$preset.csv"
done
plot bow 700 <<'END'
set multiplot layout 2,2 margins 0.07,0.98,0.09,0.95 spacing 0.09,0.17
set key off
ep(v) = 0.507+0.514*exp(-(v/0.228)**2)
th(v) = 0.4*exp(-v/0.01)+0.45*exp(-v/0.1)+0.35
do for [k=1:2] {
  file = k == 1 ? 'cello-rosin.csv' : 'cello-thermal.csv'
  tint = k == 1 ? '#1f5f8b' : '#cf4446'
  set title k == 1 ? 'bristles' : 'temperature'
  set xlabel 'time, ms'
  set ylabel 'velocity, m/s' offset 1
  set xrange [0:22]
  set yrange [-1.4:0.3]
  plot file using (1e3*(column('time_s')-1.9)):(column('d.bow.v_m_s')) with lines lw 2 lc rgb tint
  set xlabel 'slip velocity, m/s'
  set ylabel 'friction over normal force' offset 1
  set xrange [-0.1:1.5]
  set yrange [0:1.1]
  plot file using (column('time_s')>1.9 ? 0.1-column('d.bow.v_m_s') : 1/0):(column('rub.force_n')/1.1) with lines lw 1.5 lc rgb tint, \
    (x > 0 ? (k == 1 ? ep(x) : th(x)) : 1/0) with lines dt 2 lc rgb '#222222'
}
END

# ---- objects: bodies from words ------------------------------------------------------------------------------------

body() { # name, definition
  contatto describe --body "$2" >"$1.txt"
  [ "$draw" = no ] || contatto describe --body "$2" --picture "$1.png" >/dev/null
}
body body-plate '{"shape": "plate", "size_m": [0.3, 0.2], "thickness_m": 0.003, "material": "glass", "count": 40}'
body body-glass '{"shape": "glass", "count": 12}'

# ---- recordings: a bell of Debian's sonic-pi-samples (CC0) and its modes ------------------------------------------------

bell=/usr/share/sonic-pi/samples/perc_bell.flac
if [ -e $bell ]; then
  contatto modes $bell --mass 0.1 --band 500:16000 | awk '/^ *[0-9]/ { printf "%.0f\n", $1 }' >recordings-bell.txt
  [ "$draw" = no ] || contatto modes $bell --mass 0.1 --band 500:16000 --plot recordings-bell.png >/dev/null
fi

# ---- recordings: a rubbed glass of the same, and the scene that `contatto fit` found for it ---------------------------------

rub=/usr/share/sonic-pi/samples/ambi_glass_rub.flac
if [ -e $rub ]; then
  contatto fit $rub --scene "$ROOT/docs/numbers/glass-rub.json" --compare | awk '/^  (pitch  |harmonic|noise)/ { printf "%.0f\n", $(NF - 3) }' >recordings-fit.txt
  [ "$draw" = no ] || contatto fit $rub --scene "$ROOT/docs/numbers/glass-rub.json" --compare --plot recordings-fit.png >/dev/null
fi

# ---- sweeps: a contact sheet, and a friction phase map from the table --------------------------------------------------

mkdir plans
sed 's/"count": 10000/"count": 24/; s/"write": "flac"/"write": "flac", "measures": ["level"]/' "$ROOT/examples/sweeps/bars.json" >plans/bars.json
sed 's/"steps": 20/"steps": 16/g; s/"seconds": 1,/"seconds": 0.4,/; s/"level", "tone", "colour"/"tone"/' "$ROOT/study/friction-map.json" >plans/friction.json
if [ "$draw" != no ]; then
  contatto sweep plans/bars.json -o bars >/dev/null
  mv bars/contact.png sweeps-contact.png
  rm -r bars
fi
contatto sweep plans/friction.json -o friction >/dev/null
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; print "speed_m_s,force_n,rms_db,strongest_hz"; next }
  { print $at["set.hand.tangential_v_m_s"] "," $at["set.rub.normal_n"] "," $at["rms_db"] "," $at["strongest_hz"] }' friction/table.csv >sweeps-map.csv
rm -r plans friction
plot sweeps-map 460 <<'END'
set multiplot layout 1,2
unset key
unset grid
set logscale x
set logscale y
set xlabel 'speed, m/s'
set ylabel 'force, N' offset 1
set xrange [0.0042:1.19]
set yrange [0.04:63]
set format x '%g'
set format y '%g'
set palette defined (0 '#000004', 1 '#1b0c41', 2 '#4a0c6b', 3 '#781c6d', 4 '#a52c60', 5 '#cf4446', 6 '#ed6925', 7 '#fb9b06', 8 '#f7d13d', 9 '#fcffa4')
set title 'level, dB'
set cbrange [-75:-15]
plot 'sweeps-map.csv' using 1:2:($1/1.195):($1*1.195):($2/1.262):($2*1.262):3 skip 1 with boxxyerror fs solid noborder lc palette
set title 'strongest partial, Hz'
set cbrange [150:1300]
set logscale cb
set cbtics (220, 607, 1189)
plot 'sweeps-map.csv' using 1:2:($1/1.195):($1*1.195):($2/1.262):($2*1.262):4 skip 1 with boxxyerror fs solid noborder lc palette
unset multiplot
END

# ---- action: Schelleng's wedge as a map -------------------------------------------------------------------------------

contatto describe viola --map bow >map-viola.txt
[ "$draw" = no ] || contatto describe viola --map bow --picture map-viola.png >/dev/null
rm -f all.csv one.csv pull.csv bowed.json stiff.json reference.txt
