# What `contatto sweep` makes of a plan: the sounds of `contatto render`, the measures of `contatto measure`, the same
# bytes whatever the number of jobs and shards; and what it refuses, before anything is written.
# ctest: timeout=900
. "$ROOT/test/cli.sh"
write_scene good.json

# Pictures take most of a small sweep's time: only those that look at them have a gnuplot.
mkdir bin
printf '#!/bin/sh\nexit 1\n' >bin/gnuplot
chmod +x bin/gnuplot
drawn=$PATH
undrawn=$PWD/bin:$PATH
PATH=$undrawn

# plan FILE 'KEY: VALUE, ...': a plan of strikes on a bar.
plan() {
  printf '{"contatto_sweep": 1, "scene": "good.json", "seconds": 0.1, "rate_hz": 8000, "gesture": "none", %s}\n' "$2" >"$1"
}
few='"measures": ["level"]'
same() { # folder, folder, what it is about
  diff -r "$1" "$2" >.stdout 2>&1 || wrong "$3: $(head -n 5 .stdout)"
}

# ---- the table's measures are those of contatto measure on the files, its sounds those of contatto render
cat >compare.py <<'END'
import csv, json, math, subprocess, sys
folder, contatto = sys.argv[1:]
wrong = 0

def check(row, column, value):
    global wrong
    number = float(row[column])
    if (math.isfinite(number) if value is None else number != value):
        wrong += 1
        print(f"row {row['index']}: {column} is {row[column]}, contatto measure says {value}")

rows = list(csv.DictReader(open(folder + "/table.csv")))
open("still.csv", "w").write("time_s,hardness\n0,\n")
for row in rows:
    said = json.loads(subprocess.run([contatto, "measure", "--json", folder + "/" + row["sound"]], capture_output=True, check=True).stdout)
    octaves = [name for name in row if name.startswith("octave_")]
    for key, value in said.items():
        if not isinstance(value, list) and key != "file":
            check(row, key, value)
    for i, mode in enumerate(said["modes"]):
        for key, value in mode.items():
            check(row, f"mode_{i + 1}_{key}", value)
    for i, band in enumerate(said["bands"]):
        check(row, octaves[i], band["level_db"])
    for name in "onset", "click":
        for i, event in enumerate(said[name + "s"][:8]):
            check(row, f"{name}_{i + 1}_s", event["time_s"])
            check(row, f"{name}_{i + 1}_db", event["strength_db"])
    words = [word for name in row if name.startswith("set.") for word in ("--set", f"{name[4:]}={row[name]}")]
    words += ["--preset", row["preset"]] if row["preset"] else []
    subprocess.run([contatto, "render", row["scene"], "-o", "again.wav", "--seconds", "0.1", "--rate", "8000",
                    "--gesture", "still.csv", "--seed", row["seed"], *words], check=True)
    if row["sound"].endswith(".wav") and open("again.wav", "rb").read() != open(folder + "/" + row["sound"], "rb").read():
        wrong += 1
        print(f"row {row['index']}: not what contatto render makes")
sys.exit(wrong != 0 or not rows)
END
plan all.json '"sample": "random", "count": 4, "seed": "each", "vary": {"preset": ["soft", "hard"], "bar.modes.0.t60_s": {"min": 0.1, "max": 1}, "hardness": true}'
works "$CONTATTO" sweep all.json -o all
/usr/bin/python3 compare.py all "$CONTATTO" >.stdout || wrong "$(cat .stdout)"
plan flac.json '"write": "flac", "set": {"out.full_scale": 0.05}, "vary": {"hardness": [0.1, 0.9]}'
works "$CONTATTO" sweep flac.json -o flac
/usr/bin/python3 compare.py flac "$CONTATTO" >.stdout || wrong "$(cat .stdout)"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "peak_db") at = i } NR > 1 && $at > -1e-6 { clips++ } END { exit !clips }' flac/table.csv ||
  wrong "no sound at full scale: the rounding of FLAC is not tried there"

# ---- one scene for many gestures: used again, and the same to the bit, also where lengths are no whole ticks
cat >again.json <<'END'
{"contatto_sweep": 1, "scene": "good.json", "seconds": 0.0333, "rate_hz": 8000, "measures": ["level"],
 "gesture": {"time_s": [0, 0.005], "hardness": [0.5, 0.2], "bar.hit.force_n": [1, null]},
 "vary": {"bar.modes.0.hz": [300, 500], "gesture.hardness.1": {"steps": 4}, "gesture.bar.hit.force_n": [0, 2]}}
END
"$CONTATTO" sweep again.json -o again-one -j 1 | grep -q '2 scenes built, 14 used again' || wrong "scenes are not used again"
works "$CONTATTO" sweep again.json -o again -j 3
same again again-one "jobs with scenes used again"
/usr/bin/python3 - "$CONTATTO" <<'END' >.stdout || wrong "$(cat .stdout)"
import csv, subprocess, sys
bad = 0
for row in csv.DictReader(open("again/table.csv")):
    force = row["set.gesture.bar.hit.force_n"]
    open("played.csv", "w").write(f"time_s,hardness,bar.hit.force_n\n0,0.5,{force}\n0.005,{row['set.gesture.hardness.1']},\n")
    subprocess.run([sys.argv[1], "render", "good.json", "--set", "bar.modes.0.hz=" + row["set.bar.modes.0.hz"],
                    "--gesture", "played.csv", "--seconds", "0.0333", "--rate", "8000", "-o", "again.wav"], check=True)
    bad += open("again.wav", "rb").read() != open("again/" + row["sound"], "rb").read()
print(bad, "sounds of scenes used again differ from contatto render")
sys.exit(bad != 0)
END

# ---- the same bytes: jobs, shards, the portable instruction set; pictures too
plan same.json "$few"', "sample": "halton", "count": 20, "vary": {"hardness": true, "strike.exponent": {"values": [1.5, 2], "labels": ["ball", "cone, \"blunt\""]}}'
PATH=$drawn
works "$CONTATTO" sweep same.json -o one -j 1
works "$CONTATTO" sweep same.json -o three -j 3
PATH=$undrawn
same one three "one job and three"
for shard in 1 2 3; do
  works "$CONTATTO" sweep same.json -o "shard$shard" --shard $shard/3 -j 2
  works "$CONTATTO" sweep --check "shard$shard"
done
refused 1 'shard 2 of 3 is missing' "$CONTATTO" sweep --merge shard1 shard3 -o merged
refused 1 'shard 1 of 3 is there more than once' "$CONTATTO" sweep --merge shard1 shard2 shard1 shard3 -o merged
PATH=$drawn
works "$CONTATTO" sweep --merge shard3 shard1 shard2 -o merged
pictures=$(command -v gnuplot >/dev/null && echo histograms.png contact.png)
PATH=$undrawn
same one merged "one run and three shards"
works "$CONTATTO" sweep --check one
(cd one && sha256sum -c --quiet SHA256SUMS >../.stdout 2>&1) || wrong "sha256sum: $(cat .stdout)"
for file in plan.json good.json README.md about.json columns.csv table.csv table.npy $pictures SHA256SUMS sounds/000/000019.wav; do
  [ -s "one/$file" ] || wrong "no $file in a data set"
done
[ "$(wc -l <one/table.csv)" -eq 21 ] || wrong "$(wc -l <one/table.csv) lines in the table of 20 sounds"
[ "$(head -n 1 one/table.csv | tr , '\n' | wc -l)" -eq $(($(wc -l <one/columns.csv) - 1)) ] || wrong "columns.csv and the table differ"
/usr/bin/python3 - <<'END' 2>.stderr || wrong "table.npy: $(tail -n 1 .stderr)"
try:
    import numpy
except ImportError:
    raise SystemExit(0)
import csv
table, rows = numpy.load("one/table.npy"), list(csv.DictReader(open("one/table.csv")))
assert table.shape == (20,) and list(table.dtype.names) == list(rows[0])
for name in table.dtype.names:
    for cell, row in zip(table[name], rows):
        same = str(cell) == row[name] if table.dtype[name].kind == "U" else str(float(cell)) == str(float(row[name]))
        assert same, (name, cell, row[name])
assert set(table["label.strike.exponent"]) == {"ball", 'cone, "blunt"'}
END
works "$CONTATTO" sweep same.json -o portable --portable
grep -q '"instructions": "portable"' portable/about.json || wrong "the instruction set is not told: $(cat portable/about.json)"
works "$CONTATTO" sweep same.json -o portable --portable
grep -q 'all there' .stdout || wrong "what is complete is made again: $(cat .stdout)"
[ ! -e portable/rows.bin ] || wrong "rows are left in a complete folder"

# ---- what was damaged is found
cp -r one bent && printf x >>bent/sounds/000/000003.wav
refused 1 'bent/sounds/000/000003.wav: is not as it was made' "$CONTATTO" sweep --check bent
rm bent/sounds/000/000003.wav
refused 1 'bent/sounds/000/000003.wav' "$CONTATTO" sweep --check bent
cp -r one fewer && sed -i '$d' fewer/table.csv && (cd fewer && sed -i "s/^.*  table.csv\$/$(sha256sum table.csv)/" SHA256SUMS)
refused 1 'its table has 19 rows, about.json says 20' "$CONTATTO" sweep --check fewer
cp -r shard1 bad1 && printf x >>bad1/sounds/000/000000.wav
! "$CONTATTO" sweep --merge bad1 shard2 shard3 -o from-bad >.stdout 2>.stderr || wrong "a damaged sound is merged"
grep -q 'bad1/sounds/000/000000.wav: is not as it was made' .stderr || wrong "a damaged shard: $(cat .stderr)"

# ---- a sound that fails is a row that says why
awk 'BEGIN {
  printf "{\"contatto\": 1, \"seconds\": 0.05, \"bodies\": {\"dust\": {\"modes\": ["
  for (i = 0; i < 600; i++) printf "%s{\"hz\": %d, \"t60_s\": 1, \"mass_kg\": 1e-12}", i ? ", " : "", 100 + i
  printf "], \"points\": {\"at\": {\"gains\": ["
  for (i = 0; i < 600; i++) printf "%s1000", i ? ", " : ""
  print "]}}}},"
  print " \"pickups\": {\"ear\": {\"at\": \"dust.at\", \"listen\": \"acceleration\", \"full_scale\": 1}},"
  print " \"gesture\": {\"time_s\": [0, 0.01, 0.0101], \"dust.at.force_n\": [0.000001, 0.000001, 1000000]}}"
}' >loud.json
printf '{"contatto_sweep": 1, "scene": "loud.json", "measures": ["level"], "vary": {"ear.full_scale": [1e8, 1e-12, 1e9]}}\n' >fails.json
"$CONTATTO" sweep fails.json -o fails >.stdout 2>.stderr
code=$?
[ "$code" -eq 3 ] || wrong "exit code $code when a sound fails"
grep -q '^contatto sweep: 1 of 3 sounds failed' .stderr || wrong "what failed is not told: $(cat .stderr)"
[ "$(grep -c "pickup 'ear' stopped being finite" fails/table.csv)" -eq 1 ] || wrong "no row says why"
[ -e fails/sounds/000/000002.wav ] && [ ! -e fails/sounds/000/000001.wav ] || wrong "files of a sweep with a failure"
works "$CONTATTO" sweep --check fails

# ---- what cannot be is refused in one line, and nothing is written
bad() { # pattern, the plan's keys
  plan bad.json "$2"
  refused 1 "$1" "$CONTATTO" sweep bad.json -o out
  rm bad.json
  [ ! -e out ] || wrong "a folder was made: $1"
}
bad "bar.modes.0.weight: no such parameter" '"vary": {"bar.modes.0.weight": [1, 2]}'
bad "no body.*called 'bra'.*'bar'" '"vary": {"bra.modes.0.hz": [1, 2]}'
bad 'vary.hardness: an empty range, 0.5 to 0.5' '"sample": "random", "count": 3, "vary": {"hardness": {"min": 0.5, "max": 0.5}}'
bad 'vary.hardness: an empty range, 0.7 to 0.2' '"vary": {"hardness": {"min": 0.7, "max": 0.2, "steps": 3}}'
bad 'hardness.*: 2 is out of range; wants 0 to 1' '"vary": {"hardness": {"max": 2, "steps": 3}}'
bad 'vary.hardness: a grid wants steps' '"vary": {"hardness": true}'
bad 'a log scale wants a min above 0' '"vary": {"hardness": {"scale": "log", "steps": 3}}'
bad "there is no preset called 'mild'" '"vary": {"preset": ["soft", "mild"]}'
bad "there is no gesture 'wave'" '"vary": {"gesture": ["none", "wave"]}'
bad 'count: wants how many' '"sample": "random", "vary": {"hardness": true}'
bad "varry: no such key; did you mean 'vary'" '"varry": {"hardness": true}'
bad 'write: wants one of wav|flac|measures' '"write": "mp3", "vary": {"hardness": [0.1]}'
bad 'the gesture .hard. moves it; vary gesture.hardness' '"gestures": {"hard": {"time_s": [0, 1], "hardness": [0, 1]}}, "vary": {"gesture": ["hard"], "controls.hardness.value": [0.1, 0.2]}'
bad "the control 'hardness' moves it; vary hardness" '"vary": {"strike.stiffness": [1e6, 1e7]}'
bad "gesture 'hard' has no such column" '"gestures": {"hard": {"time_s": [0, 1], "hardness": [0, 1]}}, "vary": {"gesture": ["hard"], "gesture.bar.hit.force_n": [0.1, 0.2]}'
bad 'more than 100000000 sounds' '"vary": {"hardness": {"steps": 1000000}, "bar.modes.0.hz": {"min": 100, "max": 200, "steps": 1000000}}'
printf '{"contatto_sweep": 1, "scene": "good.json", "gesture": "none", "seconds": 3600, "sample": "random", "count": 90000000, "vary": {"hardness": true}}\n' >big.json
refused 1 'no room for 90000000 sounds: they may take' "$CONTATTO" sweep big.json -o out
printf '{"contatto_sweep": 1,\n "scene": "good.json"\n "vary": {}}\n' >syntax.json
refused 1 'syntax.json: line 3, column 7' "$CONTATTO" sweep syntax.json -o out
printf '{"contatto_sweep": 1, "scene": "good.json", "scene": "x"}\n' >twice.json
refused 1 'twice.json: line 1, column [0-9]*: duplicate' "$CONTATTO" sweep twice.json -o out
refused 1 'wants 1: this tells a plan' "$CONTATTO" sweep good.json -o out
refused 1 'nothere.json' "$CONTATTO" sweep nothere.json -o out
mkdir inner && sed 's|"good.json"|"../good.json"|' same.json >inner/outside.json
refused 1 'lies elsewhere' "$CONTATTO" sweep inner/outside.json -o out
[ ! -e out ] || wrong "a folder was made"
refused 1 'holds another plan' "$CONTATTO" sweep all.json -o one
refused 1 'holds other files' "$CONTATTO" sweep all.json -o inner
refused 1 'is a file; wants a folder' "$CONTATTO" sweep all.json -o good.json
refused 1 'was made with shard 1/1, not 1/2' "$CONTATTO" sweep same.json -o one --shard 1/2
[ "$(sed -n 's/.*"instructions": "\(.*\)".*/\1/p' one/about.json)" = plain ] ||
  refused 1 'instructions portable' "$CONTATTO" sweep same.json -o portable
refused 2 'shard: 9 is out of range, wants 1 to 8' "$CONTATTO" sweep same.json -o out --shard 9/8
refused 2 'shard: 0 is out of range' "$CONTATTO" sweep same.json -o out --shard 0/8
refused 2 "shard: '3' wants I/N" "$CONTATTO" sweep same.json -o out --shard 3
refused 1 '21 shards are too many, the plan has 20 sounds' "$CONTATTO" sweep same.json -o out --shard 1/21
refused 2 'wants -o DIR' "$CONTATTO" sweep same.json
refused 1 'is not complete, or no sweep' "$CONTATTO" sweep --check inner

# ---- what a plan would make, and job files
before=$(list_files)
works "$CONTATTO" sweep same.json --dry-run
grep -q '^20 sounds, WAV' .stdout && grep -q 'hardness  *: 0 to 1, linear' .stdout || wrong "--dry-run: $(cat .stdout)"
[ "$before" = "$(list_files)" ] || wrong "--dry-run writes"
for example in bars rolling; do
  works "$CONTATTO" sweep "$ROOT/examples/sweeps/$example.json" --dry-run
done
works "$CONTATTO" sweep same.json -o jobs --slurm --shards 4
grep -q 'sbatch jobs.slurm.sh' .stdout && grep -q -- '--array=1-4' jobs.slurm.sh && sh -n jobs.slurm.sh || wrong "--slurm: $(cat .stdout jobs.slurm.sh)"
SLURM_SUBMIT_DIR=$PWD SLURM_ARRAY_TASK_ID=3 CONTATTO=$CONTATTO sh jobs.slurm.sh >.stdout 2>&1 && [ -e jobs.shard-3-of-4/SHA256SUMS ] ||
  wrong "a task of the array: $(cat .stdout)"
works "$CONTATTO" sweep same.json -o jobs --parallel one,user@two
grep -q 'sh jobs.parallel.sh' .stdout && grep -q "one,user@two" jobs.parallel.sh && sh -n jobs.parallel.sh || wrong "--parallel: $(cat .stdout jobs.parallel.sh)"
refused 2 'wants ssh hosts' "$CONTATTO" sweep same.json -o jobs --parallel :
finish
