# list, describe; and that man page and completion say what the program does.
. "$ROOT/test/cli.sh"
write_scene good.json

# ---- list and describe
works "$CONTATTO" list
for scene in "$ROOT"/scenes/*.json; do
  grep -q "^$(basename "$scene" .json) " .stdout || wrong "list lacks $scene"
done
works "$CONTATTO" describe good.json
for words in 'hardness .*0 to 1' 'moves strike.stiffness from 1e+06 to 1e+09' 'soft .*felt' 'bar .*modal, 2 modes, points hit' \
  'strike .*impact of hammer.tip on bar.hit' 'out .*velocity of bar.hit' 'bodies.bar.modes.0.hz = 400 Hz'; do
  grep -q "$words" .stdout || wrong "describe lacks '$words'"
done
works "$CONTATTO" describe
grep -q '^bodies.\*.modes\[\].hz' .stdout || wrong "describe lacks the schema"
python=/usr/bin/python3
if "$python" -c 'import json' 2>/dev/null; then
  works "$CONTATTO" describe --json
  "$python" -m json.tool .stdout >/dev/null || wrong "describe --json is not JSON"
  works "$CONTATTO" list --json
  "$python" -m json.tool .stdout >/dev/null || wrong "list --json is not JSON"
  works "$CONTATTO" describe good.json --json
  "$python" -c 'import json, sys
described = json.load(open(".stdout"))["scene"]
assert described == json.load(open("good.json")), described' || wrong "describe --json does not give the scene back"
fi
works "$CONTATTO" --version
grep -qE '^contatto [0-9]+\.[0-9]+\.[0-9]+$' .stdout || wrong "version: $(cat .stdout)"

# ---- the written pages follow the program
for command in lab list describe render gallery guide measure fit study bench; do
  works "$CONTATTO" "$command" --help
  grep -oE -- '--[a-z-]+' .stdout | sort -u | while read -r option; do
    grep -qF -- "$(printf '%s' "$option" | sed 's/-/\\-/g')" "$ROOT/docs/contatto.1" || echo "man page: $command $option"
    grep -qE -- "$option( |'|\"|\$)" "$ROOT/tools/completion/contatto.bash" || echo "completion: $command $option"
  done >missing
  [ ! -s missing ] || wrong "$(cat missing)"
  rm -f missing
done
# every state that --motion writes is named in the man page and, as printed, in docs/motion.md
works "$CONTATTO" describe
awk '/^[a-z]/ { path = $1 } /^    .*state$/ && path !~ /^energy/ { print path }' .stdout | while read -r path; do
  grep -qE "[ .(\"]${path##*.}([ .;,\"]|\$)" "$ROOT/docs/contatto.1" || echo "man page: state $path"
  grep -qF -- "$path" "$ROOT/docs/motion.md" || echo "docs/motion.md: state $path"
done >missing
[ ! -s missing ] || wrong "$(cat missing)"
rm -f missing
if command -v mandoc >/dev/null; then
  mandoc -Tlint -Wwarning "$ROOT/docs/contatto.1" >.stdout || wrong "mandoc: $(cat .stdout)"
elif command -v man >/dev/null; then
  LC_ALL=C.UTF-8 MANWIDTH=100 man --warnings -l "$ROOT/docs/contatto.1" >/dev/null 2>.stderr || wrong "man fails"
  [ ! -s .stderr ] || wrong "man: $(cat .stderr)"
fi
rm -f .stderr .stdout
if command -v bash >/dev/null; then
  cat >complete.sh <<'END'
. "$1"
contatto() { "$CONTATTO" "$@"; }
complete_words() { COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); COMPREPLY=(); _contatto; echo "${COMPREPLY[*]}"; }
complete_words contatto re
complete_words contatto render ham
complete_words contatto render hammer --pre
complete_words contatto render --raw good.json -r 8000 --preset ""
complete_words contatto render good.json --set bar.modes.0.h
complete_words contatto render good.json --set h
complete_words contatto bench --quick friction-12
END
  CONTATTO=$CONTATTO bash complete.sh "$ROOT/tools/completion/contatto.bash" >completed
  sed -n 1p completed | grep -qx render || wrong "completes 're' to '$(sed -n 1p completed)'"
  sed -n 2p completed | grep -q hammer || wrong "completes 'ham' to '$(sed -n 2p completed)'"
  sed -n 3p completed | grep -qx -- --preset || wrong "completes '--pre' to '$(sed -n 3p completed)'"
  sed -n 4p completed | grep -qx 'soft hard' || wrong "completes a preset to '$(sed -n 4p completed)'"
  sed -n 5p completed | grep -qx 'bar.modes.0.hz=' || wrong "completes a path to '$(sed -n 5p completed)'"
  sed -n 6p completed | grep -q '^hardness= hammer' || wrong "completes 'h' to '$(sed -n 6p completed)'"
  sed -n 7p completed | grep -qx 'friction-128 friction-128-rough' || wrong "completes 'friction-12' to '$(sed -n 7p completed)'"
fi

finish
