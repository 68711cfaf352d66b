# A sweep that is killed goes on where it was: at random moments, by SIGTERM and SIGKILL, and the folder that comes out is
# that of an undisturbed run, byte by byte. What was made is not made again: its file stays the same file.
# ctest: slow timeout=900
. "$ROOT/test/cli.sh"
write_scene good.json
kills=10 sounds=120
[ "${CT_LONG:-}" != 1 ] || kills=60 sounds=2000
cat >plan.json <<END
{"contatto_sweep": 1, "title": "Killed", "scene": "good.json", "seconds": 0.5, "rate_hz": 16000, "gesture": "none",
 "measures": ["level", "tone"], "seed": "each", "sample": "random", "count": $sounds,
 "vary": {"hardness": true, "preset": ["soft", "hard"]}}
END
cp plan.json many.json
# The long run takes long enough for a line that tells how far it is.
"$CONTATTO" sweep many.json -o undisturbed -j 2 >/dev/null 2>.stderr || wrong "fails: $(cat .stderr)"
! grep -v '^contatto sweep: [0-9]* of [0-9]* sounds, .* left$' .stderr || wrong "complains: $(cat .stderr)"

count() { find "$1" -name '*.wav' 2>/dev/null | wc -l; }
random() { # below
  seed=$(((seed * 1103515245 + 12345) % 2147483648))
  echo $((seed / 65536 % $1))
}
seed=$(date +%s)
[ "${CT_LONG:-}" = 1 ] || seed=17
echo "seed $seed"

# kill_at SIGNAL FILES: ends the next run once there are so many sounds, somewhat later.
kill_at() {
  "$CONTATTO" sweep many.json -o killed -j 2 >.stdout 2>.stderr &
  job=$!
  while [ "$(count killed)" -lt "$2" ] && kill -0 $job 2>/dev/null; do sleep 0.01; done
  sleep "0.0$(random 10)"
  kill -s "$1" $job 2>/dev/null
  wait $job 2>/dev/null
  code=$?
}
inodes() { find killed -name '*.wav' -exec stat -c '%i %Y %n' {} + 2>/dev/null | sort; }

interrupted=0 again=0 at=0
for round in $(seq $kills); do
  signal=TERM
  [ $((round % 2)) -eq 0 ] || signal=KILL
  at=$((at + 1 + $(random $((sounds / kills)))))
  inodes >.before
  kill_at $signal $at
  [ "$code" -eq 0 ] || interrupted=$((interrupted + 1))
  case $code in 0 | 137 | 143) ;; *) wrong "exit code $code: $(cat .stderr)" ;; esac
  [ $signal = KILL ] || [ -z "$(find killed -name '*.part')" ] || wrong "SIGTERM leaves $(find killed -name '*.part')"
  inodes >.after
  again=$((again + $(comm -23 .before .after | wc -l)))
done
[ "$interrupted" -ge $((kills / 2)) ] || wrong "only $interrupted of $kills kills met a run at work"
# only what was on its way: a file that was in place, and its row not yet, when the run before was killed
[ "$again" -le $((2 * kills)) ] || wrong "$again sounds were made again in $kills runs of two jobs"

# ---- while the table is written
"$CONTATTO" sweep many.json -o killed -j 2 >.stdout 2>.stderr &
job=$!
while [ ! -e killed/table.csv ] && kill -0 $job 2>/dev/null; do sleep 0.01; done
kill -s KILL $job 2>/dev/null
wait $job 2>/dev/null
"$CONTATTO" sweep many.json -o killed -j 2 >.stdout 2>.stderr || wrong "does not go on: $(cat .stderr)"
diff -r undisturbed killed >.stdout || wrong "not the folder of an undisturbed run: $(head -n 5 .stdout)"
works "$CONTATTO" sweep --check killed

# ---- after a power cut a file may be empty that a row knows of
"$CONTATTO" sweep many.json -o cut -j 2 >.stdout 2>.stderr &
job=$!
while [ "$(count cut)" -lt 6 ] && kill -0 $job 2>/dev/null; do sleep 0.01; done
kill -s KILL $job 2>/dev/null
wait $job 2>/dev/null
: >cut/sounds/000/000001.wav
"$CONTATTO" sweep many.json -o cut -j 2 >.stdout 2>.stderr || wrong "does not go on: $(cat .stderr)"
diff -r undisturbed cut >.stdout || wrong "an empty file is taken for a sound: $(head -n 5 .stdout)"

# ---- two at once do not meet
"$CONTATTO" sweep many.json -o twice -j 1 >.stdout 2>.stderr &
job=$!
while [ "$(count twice)" -lt 2 ] && kill -0 $job 2>/dev/null; do sleep 0.01; done
"$CONTATTO" sweep many.json -o twice -j 1 >.stdout2 2>.stderr2 && wrong "two at once in one folder"
grep -q 'another contatto is at work' .stderr2 || wrong "two at once: $(cat .stderr2)"
kill -s TERM $job
wait $job 2>/dev/null
finish
