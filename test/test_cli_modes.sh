# ctest: slow timeout=900
# contatto modes: real recordings (Debian's sonic-pi-samples, CC0), bodies that scenes use, and what is refused.
. "$ROOT/test/cli.sh"
samples=/usr/share/sonic-pi/samples
python=$(command -v /usr/bin/python3 || command -v python3) || { echo "needs python3" && exit 77; }

# number FIELD: of the JSON printed last
number() { "$python" -c "import json; print(json.load(open('.stdout'))['$1'])"; }
# below A B: A < B
below() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a < b) }'; }

# tone FILE SECONDS CODE: a mono WAV at 44100 Hz; CODE gives sample n at time t
tone() {
  "$python" - "$@" <<'END'
import math, random, struct, sys, wave
random.seed(5)
name, seconds, code = sys.argv[1], float(sys.argv[2]), compile(sys.argv[3], "code", "eval")
count = round(44100 * seconds)
values = [eval(code, {"math": math, "random": random, "n": n, "t": n / 44100}) for n in range(count)]
with wave.open(name, "wb") as out:
    out.setnchannels(1), out.setsampwidth(2), out.setframerate(44100)
    out.writeframes(struct.pack(f"<{count}h", *(max(-32768, min(32767, round(32767 * v))) for v in values)))
END
}

# ---- a body that a scene uses
strike='(t > 0.1) * sum(a * math.sin(2 * math.pi * f * (t - 0.1)) * 1000 ** (-(t - 0.1) / d) for f, d, a in ((440, 1.2, 0.3), (1130, 0.7, 0.2), (2210, 0.4, 0.1))) + 1e-3 * random.gauss(0, 1)'
tone knock.wav 2 "$strike"
works "$CONTATTO" modes knock.wav -o body.json --mass 0.4 --wav again.wav --residual rest.wav
grep -q '440\.0' .stdout || wrong "440 Hz is not among: $(cat .stdout)"
for file in body.json again.wav rest.wav; do [ -s $file ] || wrong "no $file"; done
grep -q 'half of the object.s 0.4 kg: a rule' body.json || wrong "the body does not say where its masses come from"
# a hammer so hard that the blow is sudden to all modes: a soft one's is not a sum of them from one instant on
cat >scene.json <<END
{"contatto": 1, "seconds": 2,
 "bodies": {"thing": {"modes": {"from": "body.json"}},
            "hammer": {"modes": [{"hz": 0, "t60_s": 0, "mass_kg": 0.01, "v_m_s": -1, "x_m": 0.0005}], "points": {"tip": {"gains": [1]}}}},
 "contacts": {"hit": {"kind": "impact", "a": "hammer.tip", "b": "thing.hit", "stiffness": 1e9}},
 "pickups": {"out": {"at": "thing.hit", "full_scale": 0.2}}}
END
works "$CONTATTO" render scene.json -o struck.wav
works "$CONTATTO" modes struck.wav --band 100:5000 --json
"$python" - <<'END' || wrong "what is struck is not what was recorded"
import json
found = json.load(open(".stdout"))["modes"]
for hz, t60 in ((440, 1.2), (1130, 0.7), (2210, 0.4)):
    near = min(found, key=lambda m: abs(m["hz"] - hz))
    assert abs(near["hz"] / hz - 1) < 1e-3 and abs(near["t60_s"] / t60 - 1) < 0.01, (hz, near)
END
works "$CONTATTO" render scene.json --set thing.modes.0.hz=300 -o other.wav
# what the modes leave is kept, and heard only by pickups that ask for it
grep -q '"thump": \[' body.json || wrong "the body keeps no thump"
works "$CONTATTO" render scene.json --set out.thump=1 -o thump.wav
cmp -s struck.wav thump.wav && wrong "the thump is not heard"
works "$CONTATTO" modes knock.wav -o bare.json --mass 0.4 --thump 0
! grep -q thump bare.json || wrong "--thump 0 keeps one"
sed 's/body.json/bare.json/' scene.json >bare-scene.json
works "$CONTATTO" render bare-scene.json -o bare.wav
cmp -s struck.wav bare.wav || wrong "a thump that nobody asks for changes the sound"
refused 2 "thump.*0 to 0.1" "$CONTATTO" modes knock.wav --thump 0.2
refused 1 "heard as velocity or acceleration" "$CONTATTO" render scene.json --set out.thump=1 --set out.listen=displacement -o thump.wav
works "$CONTATTO" describe scene.json --json
grep -q '"from": "body.json"' .stdout || wrong "a scene does not say where its body comes from"
refused 1 "body.json: is an output and also an input|is the same file as an input" "$CONTATTO" render scene.json -o body.json
works "$CONTATTO" modes --place rim=knock.wav --place foot=knock.wav -o two.json
grep -q '"rim"' two.json && grep -q '"foot"' two.json || wrong "two places are not two points"
sed 's/body.json/none.json/' scene.json >lost.json
refused 1 "body 'thing': .*none.json" "$CONTATTO" render lost.json -o lost.wav
echo '{"contatto": 1, "bodies": {"a": {"kind": "hand"}}}' >none.json
refused 1 "wants one body with a list of modes" "$CONTATTO" render lost.json -o lost.wav

# ---- what is refused, each with a sentence
tone silence.wav 1 '0'
refused 1 "is silent" "$CONTATTO" modes silence.wav -o x.json
tone clipped.wav 1 '1.8 * math.sin(2 * math.pi * 440 * t) * 1000 ** -t'
refused 1 "clipped" "$CONTATTO" modes clipped.wav -o x.json
tone short.wav 0.05 'math.sin(2 * math.pi * 440 * t) * 0.5'
refused 1 "lasts 0.05 s; modes want at least 0.1 s" "$CONTATTO" modes short.wav -o x.json
tone noise.wav 2 '0.1 * random.gauss(0, 1)'
refused 1 "noise" "$CONTATTO" modes noise.wav -o x.json
# a voice: pulses whose pitch glides, in syllables
tone speech.wav 1 '0.3 * (0.5 + 0.5 * math.sin(2 * math.pi * 4 * t)) ** 2 * sum(math.sin(2 * math.pi * k * (120 * t + 4 * math.sin(2 * math.pi * 1.3 * t))) / (1 + abs(k - 5 - 3 * math.sin(9 * t))) for k in range(1, 25)) / 2 + 1e-3 * random.gauss(0, 1)'
refused 1 "not one struck body|no strike" "$CONTATTO" modes speech.wav -o x.json
head -c 60000 knock.wav >cut.wav
"$CONTATTO" modes cut.wav -o x.json >.stdout 2>.stderr && wrong "takes half a file"
[ "$(wc -l <.stderr)" -eq 1 ] || wrong "half a file: $(cat .stderr)"
rm -f .stdout .stderr x.json
refused 1 "none.wav" "$CONTATTO" modes none.wav -o x.json
refused 2 "wants a recording" "$CONTATTO" modes
refused 2 "wants LO:HI" "$CONTATTO" modes knock.wav --band 3
refused 2 "wants NAME=FILE" "$CONTATTO" modes --place knock.wav
refused 2 "give one" "$CONTATTO" modes knock.wav --mass 1 --hammer-mass 1
refused 1 "same name|is the same file|is an output" "$CONTATTO" modes knock.wav -o knock.wav

# ---- real recordings: log-spectral distance of what the modes make of them
[ -d $samples ] || { echo "skipped: needs the package sonic-pi-samples" && finish && exit 77; }
distance() { # recording, modes, field, dB
  works "$CONTATTO" modes "$samples/$1.flac" --modes "$2" --json
  d=$(number "$3")
  echo "$1, $2 modes: $3 $d"
  below "$d" "$4" || wrong "$1 with $2 modes: $3 $d, not below $4"
}
distance drum_cowbell 20 distance_db 3
distance elec_triangle 20 distance_db 3
distance perc_bell 40 distance_db 3

# ---- docs/recordings.md: the bell it makes, struck, rubbed, rolled on and struck with its thump, sounds each time and goes on sounding
awk '/^```json$/ { on = 1; file = "tutorial" ++n ".json"; next } /^```$/ { on = 0 } on { print >file }' "$ROOT/docs/recordings.md"
works "$CONTATTO" modes "$samples/perc_bell.flac" -o bell.json --mass 0.1 --band 500:16000
for scene in 1 2 3 4; do
  works "$CONTATTO" render tutorial$scene.json --strict -o tutorial$scene.wav
  works "$CONTATTO" measure tutorial$scene.wav --json
  "$python" - $scene <<'END' || wrong "scene $scene of docs/recordings.md is not heard"
import json, sys
level = json.load(open(".stdout"))
print("tutorial", sys.argv[1], {k: v for k, v in level.items() if "lufs" in k or "peak" in k})
assert -50 < level["integrated_lufs"] < -5, level["integrated_lufs"]
END
done
cmp -s tutorial1.wav tutorial4.wav && wrong "the thump of docs/recordings.md is not heard"
[ ! -e tutorial5.json ] || wrong "docs/recordings.md has another scene, which nobody looks at"
for voice in misc_crow mehackit_robot1 vinyl_hiss ${CT_LONG:+loop_amen}; do # the drums take long to refuse
  refused 1 "not one struck body|no strike|no modes" "$CONTATTO" modes "$samples/$voice.flac" -o x.json
done
finish
