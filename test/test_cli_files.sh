# Nobody's files are harmed: an output that is an input or another output is refused, however it is spelled or linked;
# files are replaced whole; what a killed run leaves is removed by the next.
. "$ROOT/test/cli.sh"
write_scene good.json
printf 'time_s,hardness\n0,0.2\n0.05,0.8\n' >g.csv

render() { "$CONTATTO" render "$@"; }

# ---- an output that is an input
mkdir sub
ln -s good.json link.json
ln good.json hard.json
ln -s ../sub sub/again
for name in good.json ./good.json sub/../good.json "$PWD/good.json" sub/again/again/../good.json link.json hard.json; do
  refused 1 "$name: is .*an input" render good.json -o "$name"
  refused 1 "$name: is .*an input" render link.json --motion "$name"
  refused 1 "$name: is .*an input" render hard.json -o a.wav --energy "$name"
done
ln -s g.csv g.link
refused 1 'g.csv: is an output and also an input' render good.json -g g.csv -o g.csv
refused 1 'g.link: is the same file as an input, g.csv' render good.json -g g.csv --motion g.link
refused 1 'good.json: is the same file as an input, link.json' "$CONTATTO" describe link.json --body bar --picture good.json

# ... a scan that the scene names
printf '0\n1e-6\n0\n2e-6\n0\n1e-6\n0\n1e-6\n' >ground.csv
cat >roll.json <<'END'
{"contatto": 1, "seconds": 0.01,
 "bodies": {"ball": {"modes": [{"hz": 0, "mass_kg": 0.01}], "points": {"p": {"gains": [1]}}}, "floor": {"kind": "wall"}},
 "contacts": {"touch": {"a": "ball.p", "b": "floor.at"}},
 "surfaces": {"ground": {"kind": "scan", "file": "ground.csv", "step_m": 1e-4}},
 "drives": {"roll": {"contact": "touch", "surface": "ground", "radius_m": 0.01}},
 "pickups": {"out": {"at": "ball.p"}}}
END
works "$CONTATTO" render roll.json -o roll.wav
refused 1 './ground.csv: is the same file as an input, ground.csv' render roll.json --motion ./ground.csv
refused 1 'sub/../ground.csv: is the same' render "$PWD/roll.json" -o a.wav --energy sub/../ground.csv

# ... a scan that --set names instead: it is read, and neither it nor the scene's own is written to
sed 's/"radius_m": 0.01/"radius_m": 0.01, "throw_m_s": 1/; s/"ground.csv"/"ground.csv", "depth_m": 1e-5/' roll.json >thrown.json
printf '0\n2e-6\n0\n0\n1e-6\n1e-6\n0\n1e-6\n' >other.csv
works "$CONTATTO" render thrown.json -o roll.wav
works "$CONTATTO" render thrown.json --set surfaces.ground.file=other.csv -o other.wav
! cmp -s roll.wav other.wav || wrong "--set of a scan changes nothing"
for name in ground.csv other.csv; do
  refused 1 "$name: is an output and also an input" render roll.json --set surfaces.ground.file=other.csv --motion "$name"
  refused 1 "$name: is an output and also an input" "$CONTATTO" describe roll.json --body ball --set surfaces.ground.file=other.csv --picture "$name"
done
refused 1 "surface 'ground': none.csv: cannot be read" render roll.json --set surfaces.ground.file=none.csv -o a.wav

# ... strokes
works "$CONTATTO" guide --example smooth -o strokes.csv
refused 1 'strokes.csv: is an output and also an input' "$CONTATTO" guide strokes.csv -o strokes.csv
refused 1 './strokes.csv: is the same' "$CONTATTO" guide strokes.csv -o a.wav --log ./strokes.csv
refused 2 'no STROKES.csv, --scene or --log' "$CONTATTO" guide --example smooth --scene good.json -o good.json
refused 2 'no STROKES.csv, --scene or --log' "$CONTATTO" guide --example smooth --log log.json -o a.csv

# ---- two outputs that are one file, there or not yet
refused 2 'a.wav: two outputs have the same name' render good.json -o a.wav --motion a.wav
refused 2 './a.wav: is the same file as another output, a.wav' render good.json -o a.wav --energy ./a.wav
refused 2 'sub/again/../a.csv: is the same file as another output' render good.json --motion a.csv --energy sub/again/../a.csv
ln -s later.csv dangling.csv
refused 2 'dangling.csv: is the same file as another output, later.csv' render good.json --motion later.csv --energy dangling.csv
echo one >one.csv
ln one.csv two.csv
refused 2 'two.csv: is the same file as another output' render good.json --motion one.csv --energy two.csv
refused 2 './a.wav: is the same file as another output, a.wav' "$CONTATTO" guide strokes.csv -o a.wav --log ./a.wav
mkdir gallery
ln -s glass.wav gallery/hammer.wav
refused 1 'gallery/hammer.wav: is the same file as another output, gallery/glass.wav' "$CONTATTO" gallery -o gallery
works "$CONTATTO" render good.json -o /dev/null --motion /dev/null

# ---- standard output is not a place for sound
refused 2 "out: '-' is standard output, which is not written to" render good.json -o -
refused 2 "motion: '-' is standard output" render good.json --motion -
refused 2 "picture: '-' is standard output" "$CONTATTO" describe glass --body glass --picture -
refused 2 "out: '' is no name" render good.json -o ''
works "$CONTATTO" render good.json --motion ./-
[ -s ./- ] || wrong "./- is not a file called -"

# ---- a file that is replaced keeps its name, links to it and its permissions; one that is not keeps its bytes
echo old >kept.csv && chmod 640 kept.csv && ln -s kept.csv kept.link && ln kept.csv old.csv
works "$CONTATTO" render good.json --motion kept.link
[ -L kept.link ] || wrong "the link was replaced, not what it leads to"
head -1 kept.csv | grep -q time_s || wrong "what the link leads to was not replaced"
[ "$(cat old.csv)" = old ] || wrong "another name of the old file was written to"
[ "$(ls -l kept.csv | cut -c 1-10)" = -rw-r----- ] || wrong "permissions changed: $(ls -l kept.csv)"
works "$CONTATTO" render good.json --motion dangling.csv
[ -L dangling.csv ] && [ -s later.csv ] || wrong "a link to a file that is not there yet"

# ---- leftovers: the next run that writes there removes them, but not what somebody still writes, nor other files
started() { # until the job has its two files
  tries=0
  while [ "$(find "$1" -name '.contatto-[0-9]*-[0-9]*.part' | wc -l)" -lt 2 ] && [ "$tries" -lt 600 ]; do
    sleep 0.1
    tries=$((tries + 1))
  done
}
mkdir busy
echo mine >busy/.contatto-notes.part
: >busy/.contatto-12-x.part
"$CONTATTO" render good.json --seconds 86400 -o busy/a.wav --motion busy/a.npy &
killed=$!
started busy
kill -KILL "$killed"
wait "$killed" 2>/dev/null
[ "$(find busy -name '.contatto-[0-9]*-[0-9]*.part' | wc -l)" -eq 2 ] || wrong "a killed run: $(ls -A busy)"
"$CONTATTO" render good.json --seconds 86400 -o busy/b.wav --motion busy/b.npy 2>/dev/null &
going=$!
tries=0
while ls busy/.contatto-"$killed"-*.part >/dev/null 2>&1 && [ "$tries" -lt 600 ]; do
  sleep 0.1
  tries=$((tries + 1))
done
started busy
works "$CONTATTO" render good.json -o busy/c.wav
left=$(cd busy && ls -A | sed "s/-$going-/-GOING-/" | LC_ALL=C sort | tr '\n' ' ')
[ "$left" = ".contatto-12-x.part .contatto-GOING-0.part .contatto-GOING-1.part .contatto-notes.part c.wav " ] ||
  wrong "leftovers: $left"
kill "$going"
wait "$going"
left=$(cd busy && ls -A | LC_ALL=C sort | tr '\n' ' ')
[ "$left" = ".contatto-12-x.part .contatto-notes.part c.wav " ] || wrong "after the last: $left"

# ---- lab --export: not into its own folder, not below it, all or nothing
mkdir -p page/sub/deep
echo '<p>' >page/index.html && echo a >page/sub/a.js && echo b >page/sub/deep/b.js
CONTATTO_LAB=$PWD/page
export CONTATTO_LAB
lab() { "$CONTATTO" lab "$@"; }
ln -s page page.link
for name in page ./page page/. "$PWD/sub/../page" page.link; do
  refused 1 'is the lab.s own folder; wants another' lab --export "$name"
done
for name in page/new page/new/ page/sub/new page/sub/new// page.link/new page.link/new/ page/sub/deep; do
  refused 1 'lies in the lab.s own folder' lab --export "$name"
done
mkdir back && ln -s ../page/sub back/sub
refused 1 'back/sub/a.js: is the same file as an input' lab --export back
mkdir back2 && ln page/index.html back2/index.html
refused 1 'back2/index.html: is the same file as an input' lab --export back2
refused 1 'nowhere/x: No such file' lab --export nowhere/x
refused 1 'good.json: Not a directory' lab --export good.json
mkdir -p part/sub && echo old >part/index.html && mkdir part/sub/a.js
refused 1 'part/sub/a.js: cannot be written: Is a directory' lab --export part
[ ! -e part/sub/deep ] || wrong "a failed export leaves a folder"
works "$CONTATTO" lab --export copy
works "$CONTATTO" lab --export copy
diff -r page copy || wrong "the export is not a copy"
[ "$(find . -name '.contatto-[0-9]*-[0-9]*.part')" = "" ] || wrong "leftovers: $(find . -name '.contatto-*.part')"
finish
