# Bad input of every kind: one clear line, a failing exit code, no file.
. "$ROOT/test/cli.sh"
write_scene good.json

render() { "$CONTATTO" render "$@"; }

# ---- scene files
refused 1 'hamer: no such scene or file; did you mean hammer\?' render hamer -o a.wav
refused 1 'zzzzzz: no such scene or file; .contatto list. ' render zzzzzz -o a.wav
refused 1 'nowhere/x.json: cannot be read: No such file' render nowhere/x.json -o a.wav
refused 1 'cannot be read: Is a directory' render . -o a.wav
printf '{"contatto": 1,\n "title": oops}\n' >syntax.json
refused 1 'syntax.json:2:[0-9]+: ' render syntax.json -o a.wav
: >empty.json
refused 1 'empty.json:1:0: ' render empty.json -o a.wav
printf 'RIFF\001\002\377\376' >binary.json
refused 1 'binary.json:1:[0-9]+: ' render binary.json -o a.wav
echo '{"title": "x"}' >plain.json
refused 1 'plain.json: not a contatto scene file' render plain.json -o a.wav
echo '[1, 2]' >list.json
refused 1 'list.json: not a contatto scene file' render list.json -o a.wav
echo '{"contatto": 2}' >future.json
refused 1 'future.json: written for another version' render future.json -o a.wav
echo '{"contatto": 1, "title": "a", "title": "b"}' >twice.json
refused 1 'twice.json:1:[0-9]+: duplicate' render twice.json -o a.wav
echo '{"contatto": 1, "bodies": {"floor": {}}}' >hollow.json
refused 1 'hollow.json: bodies.floor: \{\} holds nothing' render hollow.json -o a.wav
echo '{"contatto": 1, "colour": "red"}' >unknown.json
refused 1 'unknown.json: colour' render unknown.json -o a.wav
echo '{"contatto": 1, "title": 3}' >type.json
refused 1 'type.json: title: wants text' render type.json -o a.wav
echo '{"contatto": 1, "seconds": "long"}' >type.json
refused 1 'type.json: seconds: .*not a number' render type.json -o a.wav
echo '{"contatto": 1, "seconds": null}' >null.json
refused 1 'null.json: seconds: ' render null.json -o a.wav
echo '{"contatto": 1, "seconds": 1e999}' >huge.json
refused 1 'huge.json:1:[0-9]+: ' render huge.json -o a.wav
printf '%0300d' 0 | sed 's/0/[/g; s/^/{"contatto": 1, "a": /' >deep.json
refused 1 'deep.json' render deep.json -o a.wav

{ cat good.json; printf '\000\000'; } >zeros.json
refused 1 'zeros.json: not a text file: byte [0-9]+ of [0-9]+ is zero' render zeros.json -o a.wav
{ printf '\377\376'; sed 's/./&\n/g' good.json; } >wide.json
refused 1 'wide.json: is UTF-16 text; wants UTF-8' render wide.json -o a.wav
{ printf '\357\273\277'; cat good.json; } >mark.json # a byte order mark does no harm
works "$CONTATTO" render mark.json --ledger
echo '{"contatto": 1}' >nothing.json
refused 1 'nothing.json: holds no bodies; a scene wants at least one' render nothing.json -o a.wav
refused 1 'nothing.json: holds no bodies' "$CONTATTO" describe nothing.json
sed 's/"seconds": 0.1/"seconds": true/' good.json >flag.json
refused 1 'flag.json: seconds: true is not a number; wants .* to .* s' render flag.json -o a.wav
sed 's/"title": "Test"/"title": false/' good.json >flag.json
refused 1 'flag.json: title: wants text .*, not false' render flag.json -o a.wav
sed 's/"kind": "impact"/"kind": true/' good.json >flag.json
refused 1 'flag.json: contacts.strike.kind: wants one of impact.*, not true' render flag.json -o a.wav

# ---- names and lists without end
long() { printf "n%0${1}d" 1; }
for size in 47 48 100 190; do
  sed "s/\"bar\"/\"$(long $size)\"/" good.json >name.json
  refused 1 "name.json: bodies.n0.*: the name 'n0+...' is too long; wants at most 47 letters" render name.json -o a.wav
done
sed "s/\"bar\"/\"$(long 400)\"/" good.json >name.json
refused 1 "name.json: 'bodies.n0+...': this path is too long; wants at most 255 letters" render name.json -o a.wav
sed "s/\"bar\"/\"$(long 3000)\"/" good.json >name.json
refused 1 'name.json: bodies.n0+....*: this path is too long' render name.json -o a.wav
sed "s/\"hit\"/\"$(long 60)\"/" good.json >name.json
refused 1 'name.json: bodies.bar.points.n0+.*: the name .* is too long' render name.json -o a.wav
sed "s/\"soft\"/\"$(long 60)\"/" good.json >name.json
refused 1 'name.json: presets.n0+.*: the name .* is too long' render name.json -o a.wav
refused 1 'this path is too long; wants at most 255 letters' render good.json --set "$(long 400)=1" -o a.wav
many() { # how many, of what; # stands for the number (mawk's gsub with ever other words takes a quarter of a minute here)
  awk -v n="$1" -v what="$2" 'BEGIN {
    at = index(what, "#")
    for (i = 0; i < n; i++) printf "%s%s", i ? "," : "", at ? substr(what, 1, at - 1) i substr(what, at + 1) : what
  }'
}
most_kb=1000000 # instrumented builds need more address space than that by themselves
sh -c "ulimit -v $most_kb && '$CONTATTO' --version" >/dev/null 2>&1 || most_kb=unlimited
limited_memory() { (ulimit -v "$most_kb" && "$@"); }
echo "{\"contatto\": 1, \"bodies\": {$(many 1030 '"b#": {"modes": [{"hz": 100}]}')}}" >many.json
refused 1 'many.json: bodies.b1024.modes.0.hz: too many: 1025 bodies are wanted; at most 1024' render many.json -o a.wav
echo "{\"contatto\": 1, \"bodies\": {\"b\": {\"modes\": [{\"hz\": 1}], \"points\": {$(many 20000 '"p#": {"gains": [1]}')}}}}" >many.json
refused 1 'many.json: bodies.b.points.p1000.gains.0: too many: 1001 points of a body are wanted; at most 1000' limited_memory "$CONTATTO" render many.json -o a.wav
echo "{\"contatto\": 1, \"bodies\": {\"b\": {\"modes\": [$(many 65001 '{"hz":1}')]}}}" >many.json
refused 1 'many.json: bodies.b.modes.65000.hz: too many: 65001 modes of a body are wanted; at most 65000' limited_memory "$CONTATTO" render many.json -o a.wav
echo "{\"contatto\": 1, \"gesture\": {\"time_s\": [$(many 65537 1)]}}" >many.json
refused 1 'many.json: gesture.time_s: a list of more than 65536 items' render many.json -o a.wav
{ echo '{"contatto": 1, "x": ['; yes 1, | head -n 4200000 | tr -d '\n'; echo '1]}'; } >many.json
refused 1 'many.json: more than 4194304 values' limited_memory "$CONTATTO" render many.json -o a.wav
rm many.json

# ---- parts that do not fit
write_scene heavy.json '{"hz": 400, "t60_s": 1, "mass_kg": 0}'
refused 1 'heavy.json: bodies.bar.modes.0.mass_kg: 0 kg is out of range; wants .* kg' render heavy.json -o a.wav
write_scene heavy.json '{"hz": 400, "t60_s": 1, "mass_kg": -1}'
refused 1 'mass_kg: -1 kg is out of range' render heavy.json -o a.wav
write_scene gains.json '{"hz": 400}' '"a": "hammer.tip", "b": "bar.hit"' '[1, 1, 1]'
refused 1 '3 gains for 2 modes' render gains.json -o a.wav
write_scene missing.json '{"hz": 400}' '"a": "hammer.tip", "b": "gong.hit"'
refused 1 'gong' render missing.json -o a.wav
write_scene missing.json '{"hz": 400}' '"a": "hammer.tip", "b": "bar.edge"'
refused 1 'edge' render missing.json -o a.wav
refused 1 'missing.json: .*edge' render missing.json -o a.wav # an error of building names the file
refused 1 'missing.json: .*edge' "$CONTATTO" describe missing.json --body bar
write_scene self.json '{"hz": 400}' '"a": "bar.hit", "b": "bar.hit"'
refused 1 "self.json: contact 'strike': both ends are 'bar.hit', and no point touches itself" render self.json -o a.wav
write_scene nyquist.json '{"hz": 30000, "t60_s": 1, "mass_kg": 0.05}'
refused 1 'bar.modes.0: 30000 Hz .*--strict' render nyquist.json --strict -o a.wav

# ---- options
refused 2 'nothing to write' render good.json
refused 2 'wants FILE.wav' render good.json -o
refused 2 'something is missing' render -o a.wav
refused 2 'one argument too many' render good.json good.json -o a.wav
refused 2 'unknown option --seeed, did you mean --seed' render good.json -o a.wav --seeed 3
refused 2 'unknown option -x' render good.json -o a.wav -x
refused 2 "rate: '4000' is out of range, wants 8000 to 384000" render good.json -o a.wav --rate 4000
refused 2 "rate: 'fast' is not a number" render good.json -o a.wav --rate fast
refused 2 "rate: 'nan' is not a number" render good.json -o a.wav --rate nan
refused 2 "seconds: '0' is out of range" render good.json -o a.wav --seconds 0
refused 2 "seed: '-1' is not a whole number" render good.json -o a.wav --seed -1
refused 2 'takes none' render good.json -o a.wav --raw=yes
refused 2 'two outputs have the same name' render good.json -o a.wav --motion a.wav
refused 2 "unknown command 'rendr', did you mean render" "$CONTATTO" rendr
refused 2 'one argument too many' "$CONTATTO" list hammer
refused 2 'stands alone' "$CONTATTO" describe hammer --markdown
refused 1 'no such scene' "$CONTATTO" describe gong-bong
refused 1 "no preset called 'loud'; the scene has soft, hard" render good.json -o a.wav --preset loud

# ---- --set
refused 2 "'bar.modes.0.hz' is not of the form PATH=VALUE" render good.json -o a.wav --set bar.modes.0.hz
refused 2 "'=3' is not of the form PATH=VALUE" render good.json -o a.wav --set =3
refused 1 "called 'ba'; did you mean 'bar'" render good.json -o a.wav --set ba.modes.0.hz=3
refused 1 'no such parameter' render good.json -o a.wav --set bar.modes.0.colour=3
refused 1 'bar.*(modes.9|no such part)' render good.json -o a.wav --set bar.modes.9.hz=300
refused 1 'bar.modes.0.hz: -5 Hz is out of range; wants 0 to .* Hz' render good.json -o a.wav --set bar.modes.0.hz=-5
refused 1 'bar.modes.0.hz: not a finite number' render good.json -o a.wav --set bar.modes.0.hz=nan
refused 1 'bar.modes.0.hz: not a finite number' render good.json -o a.wav --set bar.modes.0.hz=inf
refused 1 'bar.modes.0.hz: .high. is not a number' render good.json -o a.wav --set bar.modes.0.hz=high
refused 1 'hardness: 7 is out of range; wants 0 to 1' render good.json -o a.wav --set hardness=7
refused 1 'hardness: -1 is out of range; wants 0 to 1' "$CONTATTO" describe good.json --set hardness=-1
refused 1 'read only' render good.json -o a.wav --set strike.force_n=3
refused 1 "'soft' is not known; wants one of draft" render good.json -o a.wav --set strike.quality=soft

# ---- gestures
gesture() { # text, pattern
  printf '%b' "$1" >g.csv
  refused 1 "$2" render good.json -o a.wav --gesture g.csv
}
refused 1 'none.csv: cannot be read' render good.json -o a.wav --gesture none.csv
gesture '' 'g.csv: empty'
gesture 'time_s;hardness\n0;0,2\n' 'g.csv:1: semicolons between cells; wants commas, and points in numbers'
gesture 'time_s\thardness\n0\t1\n' 'g.csv:1: tabs between cells; wants commas'
gesture 'time_s,hardness\r0,0.2\r0.1,0.3\r' 'g.csv: lines end with carriage returns alone; wants line feeds'
gesture 'time_s,hardness\n0,0.2\n\0000\0000' 'g.csv: not a text file: byte 23 of 24 is zero'
gesture "$(printf 'time_s%02000d' 0 | sed 's/0/,a/g')\\n0\\n" 'g.csv:1: 2001 columns; wants at most 1024'
printf '\357\273\277time_s,hardness\r\n0,0.2\r\n' >marked.csv
works "$CONTATTO" render good.json --ledger --gesture marked.csv
gesture 'time_s,hardness\n' 'g.csv: has a header but no rows'
gesture 'when,hardness\n0,1\n' 'g.csv:1: no column is called time_s'
gesture 'time_s,,hardness\n0,1,1\n' 'g.csv:1: column 2: has no name'
gesture 'time_s,hardness,hardness\n0,1,1\n' 'g.csv:1: column 3: has the name of an earlier'
gesture 'time_s,hardness\n0,0.1\n0.1\n' 'g.csv:3: has 1 cells; the header has 2'
gesture 'time_s,hardness\n0,soft\n' "g.csv:2: column 2 .hardness.: 'soft' is not a finite number"
gesture 'time_s,hardness\n0,nan\n' "g.csv:2: column 2 .hardness.: 'nan' is not a finite number"
gesture 'time_s,hardness\n-1,0.1\n' 'g.csv:2: column 1 .time_s.: .* is not a time'
gesture 'time_s,hardness\n0,0.1\n\n0.2,0.1\n0.1,0.2\n' 'g.csv:5: column 1 .time_s.: .0.1. does not come after'
gesture 'time_s,hardness\n0,0.1\n0,0.2\n' 'g.csv:3: column 1 .time_s.: .* does not come after'
gesture 'time_s,softness\n0,0.1\n' 'g.csv: .*softness'
gesture 'time_s,hardness\n0,7\n' 'g.csv: .*hardness.*out of range'

# ---- places that cannot be written
refused 1 'nowhere/a.wav: cannot be written: No such file' render good.json -o nowhere/a.wav
refused 1 'cannot be written: Is a directory' render good.json -o .
refused 1 'm.csv: cannot be written: No such file' render good.json -o a.wav --motion nowhere/m.csv
refused 1 '/dev/full: cannot be written: No space left' render good.json -o /dev/full
refused 1 '/dev/full: cannot be written: No space left' render good.json -o a.wav --motion /dev/full
refused 1 '/dev/full: cannot be written: No space left' render good.json -o a.wav --energy /dev/full
[ -c /dev/full ] || wrong "/dev/full was replaced"
mkfifo pipe
refused 1 'pipe: cannot be written: a WAV file cannot go into a pipe' render good.json -o pipe
# the disk is full half-way: files of more than 8 or 16 blocks are not allowed here
limited() { (ulimit -f 8 && "$CONTATTO" render "$@"); }
refused 1 'a.wav: cannot be written: File too large' limited good.json -o a.wav
refused 1 'm.csv: cannot be written: File too large' limited good.json --motion m.csv
refused 1 'm.npy: cannot be written: File too large' limited good.json --seconds 1 --motion m.npy
echo precious >a.wav
refused 1 'a.wav: cannot be written: File too large' limited good.json -o a.wav
if [ "$(id -u)" -ne 0 ]; then
  mkdir locked && chmod a-w locked
  refused 1 'locked/a.wav: cannot be written: Permission denied' render good.json -o locked/a.wav
  chmod a-w a.wav
  refused 1 'a.wav: cannot be written: Permission denied' render good.json -o a.wav
fi
refused 1 'cannot print: No space left' sh -c "'$CONTATTO' list >/dev/full"
refused 1 'good.json/out: cannot be made' "$CONTATTO" gallery --out good.json/out

# ---- a file name with a line break still gives one line
refused 1 'no such scene' render "$(printf 'a\nb')" -o a.wav
finish
