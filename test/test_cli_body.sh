# describe --body: a body of a scene, a body in words, its picture, and what is refused.
. "$ROOT/test/cli.sh"
write_scene good.json
plate='{"shape": "plate", "size_m": [0.3, 0.2], "thickness_m": 0.003, "material": "glass", "count": 14}'

# shown PATTERN: the last thing printed has it
shown() {
  grep -qE -- "$1" .stdout || wrong "not shown: '$1' in: $(head -n 6 .stdout)"
}

# ---- for people
works "$CONTATTO" describe --body "$plate"
shown '^body: 14 modes; shape plate, size_m.0 0.3, size_m.1 0.2, thickness_m 0.003, material glass, count 14$'
shown '^ +0 +250\.778 +1\.0000 +B3 \+27 +2\.372 +0\.45 +\(1,1\) '
shown '^ +4 +1003\.113 +4\.0000 .*\(2,2\) '
shown '^u to the right, v upwards'
shown '^4: 1003.11 Hz \(2,2\)'
works "$CONTATTO" describe --body ' {"shape": "ring", "count": 4}'
shown "\(2,0\)' "
! grep -q 'upwards' .stdout || wrong "a ring has no height, but a map"
works "$CONTATTO" describe --body '{"shape": "drum", "count": 4}'
shown '^seen from above'
works "$CONTATTO" describe --body '[{"hz": 440, "t60_s": 0.5, "lev": 8}, {"hz": 0}]'
shown '^ +0 +440\.000 +1\.0000 +A4 \+0 +0\.5 +0\.125'
shown '^ +1 +0\.000 '
works "$CONTATTO" describe good.json --body bar
shown '^bar: 2 modes$'
shown 'mass kg +hit'
shown '^ +1 +1000\.000 +2\.5000 .* 1\.000$'
works "$CONTATTO" describe good.json --body bar --preset soft --set bar.hit.gains.0=0.25
shown '^ +0 +380\.000 .* 0\.250$'
works "$CONTATTO" describe good.json --preset soft
shown 'bodies.bar.modes.0.hz = 380 Hz'

works "$CONTATTO" describe drop
shown '^  plate +modal, shape plate, points spot, ear$'

# ---- what is shown is what the scene has: controls, size and swing included
hz() { awk -v mode="$1" '$1 == mode && NF > 4 { print $2 }' .stdout | head -n 1; }
works "$CONTATTO" describe hammer --body bar
first=$(hz 0)
works "$CONTATTO" describe hammer --body bar --set size=2
awk "BEGIN { exit !($first / $(hz 0) > 1.9999 && $first / $(hz 0) < 2.0001) }" || wrong "size=2: $first to $(hz 0) Hz"
works "$CONTATTO" describe --body '{"shape": "tube", "count": 2, "hung_hz": 0.5}'
shown '^ +0 +0\.500 .*swing'
shown '^ +1 .*\(2,0\)'

# ---- modes that do not fit
"$CONTATTO" describe --body '{"shape": "bar", "count": 40}' >.stdout 2>.stderr || wrong "too many modes fail"
grep -qx "contatto: warning: body 'body': 40 modes were asked for; 12 lie below 23976 Hz" .stderr || wrong "$(cat .stderr)"
shown '^body: 12 modes'
rm -f .stderr
refused 1 '40 modes were asked for; 12 lie below 23976 Hz \(--strict\)' "$CONTATTO" describe --body '{"shape": "bar", "count": 40}' --strict
works "$CONTATTO" describe --body '{"shape": "bar", "count": 15}' --rate 96000 --strict
shown '^body: 15 modes'
printf '{"contatto": 1, "seconds": 0.1, "bodies": {"bar": {"modes": {"shape": "bar", "count": 40}, "points": {"p": {"place_u": 0}}}}, "pickups": {"out": {"at": "bar.p"}}}' >many.json
refused 1 '40 modes were asked for; 12 lie below .*--strict' "$CONTATTO" render many.json --strict -o many.wav

# ---- for programs
python=/usr/bin/python3
if "$python" -c 'import json' 2>/dev/null; then
  works "$CONTATTO" describe --body "$plate" --json
  "$python" -c 'import json, math
body = json.load(open(".stdout"))
modes = body["modes"]
assert body["given"]["modes"]["material"] == "glass", body["given"]
assert len(modes) == 14 and modes[0]["order"] == [1, 1] and modes[4]["ratio"] == modes[4]["hz"] / modes[0]["hz"]
d = 6.2e10 * 0.003 ** 3 / (12 * (1 - 0.22 ** 2))
assert abs(modes[0]["hz"] / (math.pi / 2 * math.sqrt(d / 7.5) * (1 / 0.09 + 1 / 0.04)) - 1) < 1e-12
assert modes[0]["mass_kg"] == 0.45 and not modes[0]["turned"]
along, across = modes[1]["along_u"], modes[1]["along_v"]
assert len(along) == len(across) == 33 and abs(along[16]) < 1e-9
assert abs(along[8] * across[16] - 2) < 1e-3' || wrong "JSON of a plate"
  works "$CONTATTO" describe good.json --body bar --json
  "$python" -c 'import json
modes = json.load(open(".stdout"))["modes"]
assert [m["hz"] for m in modes] == [400, 1000] and modes[0]["gains"] == {"hit": 1}, modes
assert "order" not in modes[0] and "along_u" not in modes[0]' || wrong "JSON of a list"
fi

# ---- picture
if command -v gnuplot >/dev/null; then
  for body in "$plate" '{"shape": "bar"}' '{"shape": "glass", "count": 9}' '{"shape": "disc", "count": 3}' '[{"hz": 300}]'; do
    works "$CONTATTO" describe --body "$body" --rate 192000 --picture "it's.png"
    [ "$(head -c 4 "it's.png" | tail -c 3)" = PNG ] || wrong "no picture of $body"
    rm -f "it's.png"
  done
  refused 1 'nothing to draw' "$CONTATTO" describe --body '[{"hz": 0}]' --picture no.png
  refused 1 'no/where.png' "$CONTATTO" describe --body "$plate" --picture no/where.png
fi
mkdir nothing
refused 1 'gnuplot is not installed' env "PATH=$PWD/nothing" "$CONTATTO" describe --body "$plate" --picture no.png

# ---- completion
if command -v bash >/dev/null; then
  cat >complete.sh <<'END'
. "$1"
contatto() { "$CONTATTO" "$@"; }
complete_words() { COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); COMPREPLY=(); _contatto; echo "${COMPREPLY[*]}"; }
complete_words contatto describe good.json --body ""
complete_words contatto describe good.json --pic
END
  CONTATTO=$CONTATTO bash complete.sh "$ROOT/tools/completion/contatto.bash" >completed
  [ "$(cat completed)" = "hammer bar
--picture" ] || wrong "completes to '$(cat completed)'"
fi

# ---- refused
refused 1 "bodies.body.modes.shape: 'plat' is not known; wants one of none\|string\|bar" "$CONTATTO" describe --body '{"shape": "plat"}'
refused 1 'bodies.body.modes.thickness_m: 0 m is out of range; wants 1e-06 to 10 m' "$CONTATTO" describe --body '{"shape": "plate", "thickness_m": 0}'
refused 1 'plate: thickness_m = 0.5 m, must be below 0.2 m' "$CONTATTO" describe --body '{"shape": "plate", "thickness_m": 0.5}'
refused 1 'bodies.body.modes.size_m.1: -1 m is out of range' "$CONTATTO" describe --body '{"shape": "plate", "size_m": [1, -1]}'
refused 1 'no material "glas"; did you mean "glass" or "brass"\?' "$CONTATTO" describe --body '{"shape": "plate", "material": "glas"}'
refused 1 'bodies.body.modes.matter: no such parameter' "$CONTATTO" describe --body '{"shape": "plate", "matter": "glass"}'
refused 1 '^contatto describe: --body:1:19: ' "$CONTATTO" describe --body '{"shape": "plate" "x"}'
refused 1 'duplicate' "$CONTATTO" describe --body '{"shape": "plate", "shape": "bar"}'
refused 1 '\{\} holds nothing' "$CONTATTO" describe --body '{}'
refused 1 '\[\] holds no modes' "$CONTATTO" describe --body '[]'
refused 1 'wants a shape or a list' "$CONTATTO" describe --body '{"material": "wood"}'
refused 1 'lev and mass_kg say the same thing; give one' "$CONTATTO" describe --body '[{"hz": 300, "lev": 2, "mass_kg": 1}]'
refused 1 "no body called 'bra'; the scene has hammer, bar" "$CONTATTO" describe good.json --body bra
refused 1 'no such scene' "$CONTATTO" describe nowhere --body bar
refused 1 'no preset called' "$CONTATTO" describe good.json --body bar --preset loud
printf '{"contatto": 1, "bodies": {"wall": {"kind": "wall", "x_m": 0}}}' >wall.json
refused 1 "'wall' is a hand or wall" "$CONTATTO" describe wall.json --body wall
refused 2 'of which SCENE' "$CONTATTO" describe --body bar
refused 2 'words stand alone' "$CONTATTO" describe good.json --body "$plate"
refused 2 'wants --body' "$CONTATTO" describe good.json --picture no.png
refused 2 'wants SCENE' "$CONTATTO" describe --body "$plate" --set size=2
refused 2 'PATH=VALUE' "$CONTATTO" describe good.json --body bar --set size
refused 2 'stands alone' "$CONTATTO" describe --body "$plate" --markdown
finish
