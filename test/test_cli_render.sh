# What `contatto render` writes, and that it appears only when it is complete.
. "$ROOT/test/cli.sh"
write_scene good.json

# ---- sound
works "$CONTATTO" render good.json -o a.wav
works "$CONTATTO" render good.json -o b.wav
cmp -s a.wav b.wav || wrong "the same render gives different files"
[ "$(head -c 4 a.wav)" = RIFF ] || wrong "a.wav is not a WAV file"
[ "$(wc -c <a.wav)" -ge 19200 ] || wrong "a.wav is shorter than 0.1 s of 32-bit mono"
[ "$(wc -c <a.wav)" -le 19400 ] || wrong "a.wav is longer than 0.1 s of 32-bit mono"
works "$CONTATTO" render good.json --raw -o raw.wav
[ "$(wc -c <raw.wav)" -ge 38400 ] || wrong "raw.wav is not 64-bit"
works "$CONTATTO" render good.json --rate 96000 --seconds 0.2 -o fast.wav
[ "$(wc -c <fast.wav)" -ge 76800 ] || wrong "rate and length are not as asked"
works "$CONTATTO" render good.json --preset soft -o soft.wav
! cmp -s a.wav soft.wav || wrong "the preset changes nothing"
works "$CONTATTO" render good.json --preset soft --set hardness=0.5 --set bar.modes.0.hz=400 -o again.wav
cmp -s a.wav again.wav || wrong "--set does not come after --preset"
umask 077
works "$CONTATTO" render good.json -o private.wav
umask 022
works "$CONTATTO" render good.json -o public.wav
[ "$(stat -c %a private.wav public.wav | tr '\n' ' ')" = '600 644 ' ] || wrong "the umask is not respected"
ln -s public.wav link.wav
works "$CONTATTO" render good.json --preset soft -o link.wav
[ -L link.wav ] || wrong "a link was replaced instead of its file"
cmp -s soft.wav public.wav || wrong "the file behind a link was not written"

# ---- motion: row n is time n / rate, row 0 the initial state; all states of all parts
works "$CONTATTO" render good.json --motion m.csv --rate 8000
point() { printf ',%s.x_m,%s.v_m_s,%s.tangential_x_m,%s.tangential_v_m_s' "$1" "$1" "$1" "$1"; }
head -n 1 m.csv | grep -qx "time_s$(point bar.hit)$(point hammer.tip),strike.force_n,strike.compression_m,strike.stored_j,strike.relative_m_s" ||
  wrong "columns: $(head -n 1 m.csv)"
sed -n 2p m.csv | grep -qxE '0,0,0,0,0,-0.0001(0*[0-9]*)?,1,-0.0001(0*[0-9]*)?,1,0,-0.0001(0*[0-9]*)?,0,1' || wrong "row 0: $(sed -n 2p m.csv)"
sed -n 3p m.csv | grep -q '^0.00012[45]' || wrong "row 1: $(sed -n 3p m.csv)"
[ "$(wc -l <m.csv)" -eq 801 ] || wrong "$(wc -l <m.csv) lines for 800 samples and a header"
awk -F, 'NR > 1 && $10 > 0 { touched = 1; if ($11 > 0 && $12 <= 0) bad = 1 } END { exit bad || !touched }' m.csv ||
  wrong "the hammer never touches the bar, or stores nothing"

# ---- motion-of: columns by pattern, in the same order whatever the order of patterns
columns() { # wanted, options
  wanted=$1
  shift
  works "$CONTATTO" render good.json --rate 8000 --motion some.csv "$@"
  [ "$(head -n 1 some.csv)" = "$wanted" ] || wrong "$*: $(head -n 1 some.csv), not $wanted"
}
columns time_s,strike.force_n --motion-of strike.force_n
columns time_s,bar.hit.x_m,hammer.tip.x_m,strike.force_n --motion-of 'strike.f*' --motion-of '*.*.x_m'
columns "time_s$(point bar.hit)" --motion-of 'bodies.bar.*'
columns time_s,strike.force_n,strike.compression_m,strike.stored_j,strike.relative_m_s --motion-of 'contacts.*'
columns time_s,bar.modes.0.x_m,bar.modes.1.x_m --motion-of 'bar.modes.?.x_m'
columns time_s,strike.force_n,hardness --motion-of hardness --motion-of 'strike.force*'
columns time_s,strike.stiffness --motion-of 'strike.stiff*'
awk -F, 'NR == FNR { force[FNR] = $10; next } $2 != force[FNR] { bad = 1 } END { exit bad }' m.csv - <<END || wrong "a chosen column has other numbers"
$("$CONTATTO" render good.json --rate 8000 --motion some.csv --motion-of strike.force_n && cat some.csv)
END
refused 1 "motion-of 'strick\.\*'.*describe" "$CONTATTO" render good.json --motion x.csv --motion-of 'strick.*'
refused 1 "motion-of 'energy\.\*'.*--energy" "$CONTATTO" render good.json --motion x.csv --motion-of 'energy.*'
refused 2 'motion-of .*--motion' "$CONTATTO" render good.json -o x.wav --motion-of 'strike.*'

# hands, both directions; friction; drives; sources
works "$CONTATTO" render wheel --seconds 0.001 --motion w.csv
for column in arm.at.tangential_v_m_s roll.deflection_m roll.slip roll.temperature_k roll.pressed_n tread.compression_m rolling.turns rolling.v_m_s; do
  head -n 1 w.csv | tr , '\n' | grep -qx "$column" || wrong "the motion of wheel lacks $column"
done
works "$CONTATTO" render goblet --seconds 0.001 --motion w.csv --motion-of 'sources.*'
for column in finger.f0_hz finger.region finger.push_n finger.song.share; do
  head -n 1 w.csv | tr , '\n' | grep -qx "$column" || wrong "the motion of goblet lacks $column"
done

# ---- energy: what is stored is what came in less what was lost
works "$CONTATTO" render good.json --energy e.csv
head -n 1 e.csv | grep -q '^time_s,stored_j,force_j,motion_j,parameter_j,noise_j,lost_bodies_j,lost_contacts_j,error_j' ||
  wrong "columns: $(head -n 1 e.csv)"
awk -F, 'NR == 2 { start = $2 }
  NR > 1 { off = $2 - (start + $3 + $4 + $5 + $6 - $7 - $8 + $9); if (off < 0) off = -off; if (off > 1e-12 * start) bad = 1 }
  END { exit bad || start < 0.004 }' e.csv || wrong "the account does not add up"
works "$CONTATTO" render good.json --ledger
grep -q 'closing error' .stdout || wrong "no ledger printed"

# ---- up to 64 outputs: one WAV file with a channel each; measures take all of them
"$CONTATTO" render good.json --set channels=64 --set out.output=64 -o many.wav 2>.stderr || wrong "64 outputs: $(cat .stderr)"
works "$CONTATTO" measure many.wav --json
grep -q '"channels": 64' .stdout || wrong "not 64 channels: $(cat .stdout)"
refused 1 "goes to output 3, but the scene has 2" "$CONTATTO" render good.json --set channels=2 --set out.output=3 -o no.wav
refused 1 "channels.*65" "$CONTATTO" render good.json --set channels=65 -o no.wav

# ---- .npy holds the same numbers
works "$CONTATTO" render good.json --rate 8000 --motion m.npy
[ "$(head -c 6 m.npy | tail -c 5)" = NUMPY ] || wrong "m.npy has no magic"
python=/usr/bin/python3
if "$python" -c 'import numpy' 2>/dev/null; then
  "$python" - <<'END' || wrong "numpy reads other numbers from m.npy"
import csv, numpy
table = numpy.load("m.npy")
rows = list(csv.reader(open("m.csv")))
assert list(table.dtype.names) == rows[0]
assert table.shape == (800,)
assert [tuple(map(float, row)) for row in rows[1:]] == [tuple(row) for row in table.tolist()]
assert table["time_s"][1] == 1 / 8000
END
fi

# ---- gestures: a table that says what the preset's own demo says sounds the same
printf 'time_s , hardness, bar.modes.0.hz\r\n0,0.9,\r\n0.05,0.8,\r\n' >g.csv
works "$CONTATTO" render good.json --preset hard -o own.wav
works "$CONTATTO" render good.json --preset hard --gesture g.csv -o given.wav
cmp -s own.wav given.wav || wrong "the gesture file sounds unlike the same gesture in the scene"
printf 'time_s,bar.modes.0.hz\n0,400\n0.02,500\n' >g.csv
works "$CONTATTO" render good.json --preset hard --gesture g.csv -o given.wav
! cmp -s own.wav given.wav || wrong "the gesture file is not played"

# ---- warnings
write_scene nyquist.json '{"hz": 30000, "t60_s": 1, "mass_kg": 0.05}'
"$CONTATTO" render nyquist.json -o n.wav 2>.stderr || wrong "a mode above Nyquist stops the render"
grep -qE '^contatto: warning: bar.modes.0: 30000 Hz' .stderr || wrong "warning: $(cat .stderr)"
[ "$(wc -l <.stderr)" -eq 1 ] || wrong "one dropped mode, several lines: $(cat .stderr)"
works "$CONTATTO" render nyquist.json --rate 96000 --strict -o n.wav
"$CONTATTO" render glass --set glass.modes.residual=1 --seconds 0.01 -o warned.wav 2>.stderr || wrong "a residual stops the render"
grep -qx "contatto: warning: body 'glass': residual: none is known of a wineglass; it yields by its modes only" .stderr ||
  wrong "warning: $(cat .stderr)"

# ---- interrupted: no file, 128 + the signal
for signal in INT TERM HUP; do
  case $signal in INT) number=2 ;; TERM) number=15 ;; HUP) number=1 ;; esac
  "$CONTATTO" render good.json --seconds 86400 -o long.wav --motion long.npy 2>.stderr &
  job=$!
  tries=0
  while ! ls .contatto-*.part >/dev/null 2>&1 && [ "$tries" -lt 600 ]; do
    sleep 0.1
    tries=$((tries + 1))
  done
  sleep 0.2
  kill -s "$signal" "$job"
  wait "$job"
  code=$?
  [ "$code" -eq $((128 + number)) ] || wrong "interrupted by $signal: exit code $code"
  grep -qx "contatto render: interrupted by SIG$signal" .stderr || wrong "interrupted: $(cat .stderr)"
done
rm -f .stderr .stdout
[ -z "$(find . -name '*.part' -o -name 'long.*')" ] || wrong "an interrupted run leaves files"
finish
