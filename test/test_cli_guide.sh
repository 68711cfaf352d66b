# contatto guide: examples, scores, the log, and strokes that are refused.
. "$ROOT/test/cli.sh"

# ---- examples and scores
for name in smooth jerky word; do
  works "$CONTATTO" guide --example $name -o $name.csv
  [ "$(head -n 1 $name.csv)" = time_s,x_m,y_m,pressure ] || wrong "header of $name: $(head -n 1 $name.csv)"
done
works "$CONTATTO" guide smooth.csv -o smooth.wav --level 4 --log smooth.json --participant P07 --seed 9 --set reward=0.75
grep -q '^  score  *[0-9.]* of 100' .stdout || wrong "no score: $(cat .stdout)"
grep -q 'log dimensionless jerk  *-[0-9.]*' .stdout || wrong "no jerk: $(cat .stdout)"
grep -q 'spectral arc length  *-[0-9.]*' .stdout || wrong "no arc length: $(cat .stdout)"
grep -qE 'pen to sound  +([0-9]|1[0-9])\.[0-9] ms' .stdout || wrong "no latency under 20 ms: $(cat .stdout)"
[ "$(head -c 4 smooth.wav)" = RIFF ] || wrong "no sound"
for word in '"participant": "P07"' '"level": 4' '"seed": 9' '"events"' '"samples"' '"fluidity"' '"log_jerk"' '"arc_length"' \
  '"level_about": "strict: sings from a fluidity of 0.6 on"' '"reward=0.75"' '"curvature_1_m"' '"acceleration_m_s2"' '"pen_down"' '"latency_s"'; do
  grep -qF "$word" smooth.json || wrong "the log lacks $word"
done
[ "$(grep -c '"x_m"' smooth.json)" -eq "$(($(wc -l <smooth.csv) - 1))" ] || wrong "not every sample is in the log"
score() {
  "$CONTATTO" guide "$1.csv" --level "$2" --json | sed -n 's/^ *"score": \([0-9.e+-]*\),*$/\1/p'
}
for level in 1 3 5; do
  awk -v a="$(score smooth $level)" -v b="$(score jerky $level)" 'BEGIN { exit !(a != "" && b != "" && a > b + 50) }' ||
    wrong "level $level: smooth does not score above jerky"
done

# ---- other columns: millimetres, no pressure
awk -F, 'NR == 1 { print "time_s,x_mm,y_mm"; next } { printf "%s,%.9g,%.9g\n", $1, $2 * 1000, $3 * 1000 }' smooth.csv >mm.csv
works "$CONTATTO" guide mm.csv -o mm.wav
grep -q '357 mm' .stdout || wrong "millimetres are not millimetres: $(cat .stdout)"

# ---- refused: by file, line or sample, and what would be right
printf 'time_s,x_m,y_m,pressure\n0,0,0,0.5\n0.01,0.001,0,0.5\n0.01,0.002,0,0.5\n' >twice.csv
refused 1 "twice.csv:4: column 1 \(time_s\): '0.01' does not come after" "$CONTATTO" guide twice.csv -o a.wav
printf 'time_s,x_m,y_m,pressure\n0,0,0,0.5\n0.02,0.001,0,0.5\n0.01,0.002,0,0.5\n' >back.csv
refused 1 'back.csv:4: .*times must rise' "$CONTATTO" guide back.csv -o a.wav
printf 'time_s,x_m,y_m,pressure\n0,0,0,0.5\n0.01,0.001,0,1.5\n' >hard.csv
refused 1 'hard.csv: sample 2 \(at 0.01 s\): pressure 1.5 is out of range; wants 0 to 1' "$CONTATTO" guide hard.csv -o a.wav
printf 'time_s,x_m,y_m,pressure\n0,0,0,0.5\n0.01,,0,0.5\n' >hole.csv
refused 1 'hole.csv: sample 2 \(at 0.01 s\) lacks a number' "$CONTATTO" guide hole.csv -o a.wav
printf 'time_s,x_m,y_m,tilt\n0,0,0,0.5\n' >tilt.csv
refused 1 "column 'tilt' is not known; wants time_s, x_m and y_m" "$CONTATTO" guide tilt.csv -o a.wav
printf 'time_s,x_m,y_mm,y_m\n0,0,0,0\n' >both.csv
refused 1 "'y_m' says the same" "$CONTATTO" guide both.csv -o a.wav
printf 'time_s,x_m\n0,0\n' >flat.csv
refused 1 'wants columns x_m and y_m' "$CONTATTO" guide flat.csv -o a.wav
# one sample, a pen that never moves, one that never comes down after the first touch: no stroke
printf 'time_s,x_m,y_m,pressure\n0,0,0,0.5\n' >one.csv
refused 1 'no stroke to play: wants 4 samples or more over 0.1 s' "$CONTATTO" guide one.csv -o a.wav
awk 'BEGIN { print "time_s,x_m,y_m"; for (i = 0; i < 99; i++) print i / 100 ",0.01,0.01" }' >still.csv
refused 1 'no stroke to play' "$CONTATTO" guide still.csv -o a.wav
printf 'time_s,x_m,y_m\n0,0,0\n0.01,nan,0\n' >nan.csv
refused 1 "nan.csv:3: column 2 \(x_m\): 'nan' is not a finite number" "$CONTATTO" guide nan.csv -o a.wav
printf 'time_s,x_m,y_m\n0,0,0\n0.01,wide,0\n' >word2.csv
refused 1 "word2.csv:3: column 2 \(x_m\): 'wide' is not a finite number" "$CONTATTO" guide word2.csv -o a.wav
printf 'time_s,x_m,y_m\n0,0,0\n0.01,0\n' >short.csv
refused 1 'short.csv:3: has 2 cells; the header has 3' "$CONTATTO" guide short.csv -o a.wav
: >empty.csv
refused 1 'empty.csv: empty' "$CONTATTO" guide empty.csv -o a.wav
echo time_s,x_m,y_m >header.csv
refused 1 'header.csv: has a header but no rows' "$CONTATTO" guide header.csv -o a.wav
printf 'x_m,y_m\n0,0\n' >timeless.csv
refused 1 'no column is called time_s' "$CONTATTO" guide timeless.csv -o a.wav
printf 'time_s,x_m,y_m\n0,0,0\n0.01,640,0\n' >pixels.csv
refused 1 'pixels.csv: sample 2 \(at 0.01 s\) is 640 m away; wants places within 10 m' "$CONTATTO" guide pixels.csv -o a.wav
printf 'time_s,x_m,y_m\n0,0,0\n0.01,0.001,0\n1e9,0.002,0\n' >years.csv
refused 1 'years.csv: sample 3 .* wants recordings within 3600 s' "$CONTATTO" guide years.csv -o a.wav
printf 'time_s,x_m,y_m,pressure\n0,0,0,0.5\n0.01,0.001,0,-0.1\n' >lifted.csv
refused 1 'lifted.csv: sample 2 .*: pressure -0.1 is out of range; wants 0 to 1' "$CONTATTO" guide lifted.csv -o a.wav
refused 1 'nobody.csv' "$CONTATTO" guide nobody.csv -o a.wav
refused 2 'out of range, wants 1 \(easy\) to 5' "$CONTATTO" guide smooth.csv -o a.wav --level 6
refused 2 'wants STROKES.csv' "$CONTATTO" guide -o a.wav
refused 2 "'zigzag' is not known, wants smooth, jerky or word" "$CONTATTO" guide --example zigzag -o a.csv
refused 2 'same name' "$CONTATTO" guide smooth.csv -o a.wav --log a.wav
refused 1 "no preset called 'level_3'" "$CONTATTO" guide smooth.csv -o a.wav --scene hammer
mkdir shut && chmod 555 shut
[ "$(id -u)" -eq 0 ] || refused 1 'shut' "$CONTATTO" guide smooth.csv -o a.wav --log shut/a.json

# a pressure that is 0 throughout is none: as without the column
awk -F, 'NR == 1 { print; next } { print $1 "," $2 "," $3 ",0" }' smooth.csv >light.csv
works "$CONTATTO" guide light.csv -o light.wav
cut -d, -f1-3 smooth.csv >bare.csv
works "$CONTATTO" guide bare.csv -o bare.wav
cmp -s light.wav bare.wav || wrong "a pressure of nothing but 0 is not as no pressure"

# a gap is a lifted pen, not an error
awk -F, 'NR == 1 { print; next } NR < 300 { print; next } { print $1 + 0.5 "," $2 "," $3 "," $4 }' smooth.csv >gap.csv
works "$CONTATTO" guide gap.csv -o gap.wav
grep -q '2 strokes' .stdout || wrong "a gap does not make two strokes: $(cat .stdout)"
finish
