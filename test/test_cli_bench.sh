# ctest: slow timeout=900
# bench: the works are what they are called; choosing, writing, comparing and drawing them.
. "$ROOT/test/cli.sh"

bench() { "$CONTATTO" bench "$@"; }

# field KEY [FILE]: lines "WORK NUMBER" of the works that have it
field() {
  awk -v key="\"$1\":" '/"name":/ { gsub(/[",]/, ""); name = $2 } $1 == key { sub(/,$/, ""); print name, $2 }' "${2:-.stdout}"
}

# every KEY CONDITION COUNT WORDS: an awk condition on the number $2 that holds for so many works, and all that have it
every() {
  field "$1" >rows
  awk "{ rows++; if (!($2)) bad = 1 } END { exit bad || rows != $3 }" rows || wrong "$4: $(cat rows)"
  rm -f rows
}

# ---- the works are there, one per scene among them
works bench --list
for name in struck-3 friction-3 friction-8 friction-32 friction-128 friction-3-rough friction-8-rough friction-32-rough \
  friction-128-rough string-bowed marble-rolling-3 bodies-100-ringing bodies-100-silent masses-40-awake; do
  grep -q "^$name " .stdout || wrong "no work $name"
done
for scene in "$ROOT"/scenes/*.json; do
  grep -q "^scene-$(basename "$scene" .json) " .stdout || wrong "no work for $scene"
done

# ---- and do what they are called
works bench --quick --json 'struck-*' 'ringing-*'
every difference_from_plain '$2 < 1e-9' 12 "the plain reference plays something else"
every solves_per_sample '$2 == ($1 ~ /^struck/)' 12 "struck bodies touch, ringing ones do not"
works bench --quick --json 'string-*'
every slips_per_second '$2 > 140 && $2 < 150' 2 "the bowed string does not sing"
works bench --quick --json 'friction-*'
every solves_per_sample '$2 == 1' 8 "friction is solved at every sample"
works bench --quick --json 'marble-*'
every solves_per_sample '$1 ~ /resting/ ? $2 == 0 : $2 >= 0.5' 6 "marbles at rest sleep, rolling ones touch mostly"
works bench --quick --json 'bodies-*'
every bytes '$2 > 1e5' 2 "many bodies take room"
works bench --quick --json 'source-*' 'harmonics-*' 'plain-*'
every ns_per_sample '$2 > 0' 12 "there is a time for each"
works bench --quick 'scene-*'
for scene in "$ROOT"/scenes/*.json; do
  grep -qE "^scene-$(basename "$scene" .json) +[0-9.]+ +[0-9.]+ +[0-9.]+ %" .stdout || wrong "no row for $scene"
done
grep -q 'multiply-add peak' .stdout || wrong "bench shows no peak"
works bench --once 128 masses-40-awake struck-3
grep -qE '^masses-40-awake +128$' .stdout || wrong "--once prints $(cat .stdout)"

# ---- a file, and compared with it: times are invented, so that the machine's own do not matter
works bench --quick struck-3 friction-3 ringing-3 --out new.json
grep -q '"instruction_set": "' new.json && grep -q '"version": "' new.json || wrong "does not say what ran: $(cat new.json)"
[ "$(field evaluations_per_sample new.json | wc -l)" -eq 3 ] || wrong "no evaluations in $(cat new.json)"
invent() { # work, ns
  awk -v work="$1" -v ns="$2" '/"name":/ { here = index($0, "\"" work "\"") }
    here && /"ns_per_sample":/ { sub(/[0-9.e+-]+,$/, ns ",") } { print }' old.json >edited.json && mv edited.json old.json
}
cp new.json old.json
invent struck-3 0.001
invent friction-3 1e9
works bench --quick struck-3 friction-3 struck-8 --compare old.json
grep -qE '^struck-3 +0\.0 .* slower$' .stdout || wrong "does not say that struck-3 is slower: $(cat .stdout)"
grep -qE '^friction-3 +1000000000\.0 .* faster$' .stdout || wrong "does not say that friction-3 is faster: $(cat .stdout)"
grep -qx 'grown by more than 10 %: struck-3' .stdout || wrong "does not name what has grown: $(cat .stdout)"
grep -qx 'not in the old file: struck-8' .stdout || wrong "does not name what is new: $(cat .stdout)"
grep -qx 'only in the old file: ringing-3' .stdout || wrong "does not name what is missing: $(cat .stdout)"
! grep -q 'another processor' .stdout || wrong "takes this machine for another one"
sed 's/"rate_hz": .*/"rate_hz": 8000.0,/; s/"bytes": [0-9]*/"bytes": 100/' new.json >old.json
works bench --quick struck-3 --compare old.json
grep -q 'at another rate' .stdout || wrong "does not say that the rates differ: $(cat .stdout)"
grep -qE '^struck-3 .*larger$' .stdout || wrong "does not say that it has become larger: $(cat .stdout)"
sed 's/"quick": true/"quick": false/' new.json >old.json
works bench --quick struck-3 --compare old.json
grep -q 'runs of other length' .stdout || wrong "does not say that the runs were longer: $(cat .stdout)"
works bench --quick struck-3 --compare new.json --json
field ratio | awk '{ rows++; if (!($2 > 0)) bad = 1 } END { exit bad || rows != 1 }' || wrong "no ratio: $(cat .stdout)"
sed -n '/"only_in_old"/,/]/p' .stdout | grep -q ringing-3 || wrong "JSON does not name what is missing: $(cat .stdout)"

# ---- another instruction set
works bench --quick struck-3 --portable --json
grep -q '"instruction_set": "plain"' .stdout || wrong "--portable runs $(grep instruction_set .stdout)"

# ---- bars
if command -v gnuplot >/dev/null; then
  works bench --quick struck-3 friction-3 --plot bars.png
  [ "$(head -c 4 bars.png | tail -c 3)" = PNG ] || wrong "no picture"
  works bench --quick struck-3 friction-3 struck-8 --compare new.json --plot pairs.png
  ! cmp -s bars.png pairs.png || wrong "the picture does not show the old numbers"
fi

# ---- one clear line otherwise
refused 2 "no work is called 'struck-33', did you mean struck-3\\?" bench struck-33
refused 2 "no work is called 'nothing-like-it'; --list names them all" bench struck-3 nothing-like-it
refused 2 "rate: '7' is out of range" bench --rate 7
refused 2 'once times nothing' bench --once 64 --json
refused 1 'none.json: cannot be read' bench struck-3 --compare none.json
refused 1 'new.json: is an output and also an input' bench struck-3 --compare new.json -o new.json
refused 1 './new.json: is the same file as an input' bench struck-3 --compare new.json --plot ./new.json
refused 2 'a.png: two outputs have the same name' bench struck-3 -o a.png --plot a.png
refused 2 "plot: '-' is standard output" bench struck-3 --plot -
refused 1 'absent/a.json: ' bench --quick struck-3 -o absent/a.json
echo '{"works": 3}' >bad.json
refused 1 "bad.json: is not what 'contatto bench --json' writes" bench struck-3 --compare bad.json
echo '{"works": [' >bad.json
refused 1 'bad.json:[0-9]*:[0-9]*: ' bench struck-3 --compare bad.json
sed 's/"ns_per_sample": .*/"ns_per_sample": -1,/' new.json >bad.json
refused 1 "bad.json: is not what 'contatto bench --json' writes" bench struck-3 --compare bad.json
finish
