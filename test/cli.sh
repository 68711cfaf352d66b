# Sourced by the tests of the command line. Each works in an empty folder of its own.
set -u
: "${CONTATTO:?the program to test}"
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failures=0

wrong() {
  echo "wrong: $*"
  failures=$((failures + 1))
}

finish() {
  [ "$failures" -eq 0 ] || exit 1
}

# refused CODE PATTERN COMMAND...: exit code, exactly one line on stderr that says so, nothing on stdout, no file made,
# removed or changed.
refused() {
  wanted_code=$1 pattern=$2
  shift 2
  before=$(list_files)
  "$@" >.stdout 2>.stderr
  code=$?
  after=$(list_files)
  [ "$code" -eq "$wanted_code" ] || wrong "exit code $code, not $wanted_code: $*"
  [ "$(wc -l <.stderr)" -eq 1 ] || wrong "$(wc -l <.stderr) lines on stderr: $*: $(cat .stderr)"
  grep -q '^contatto' .stderr || wrong "the message does not say who speaks: $*: $(cat .stderr)"
  grep -qE -- "$pattern" .stderr || wrong "the message lacks '$pattern': $*: $(cat .stderr)"
  [ ! -s .stdout ] || wrong "prints a result and fails: $*"
  [ "$before" = "$after" ] || wrong "leaves files changed: $*: before $before, after $after"
  rm -f .stdout .stderr
}

list_files() {
  find . -type f ! -name .stdout ! -name .stderr -exec cksum {} + | sort
}

works() {
  "$@" >.stdout 2>.stderr || wrong "fails: $*: $(cat .stderr)"
  [ ! -s .stderr ] || wrong "complains: $*: $(cat .stderr)"
  rm -f .stderr
}

# pages_agree STUDY: numbers and pictures of the documentation are those of table.csv and made/, which the study has just
# made here. Instrumented builds only run it.
pages_agree() {
  case $BUILD in *-asan | *-asan-long | *-tsan) return ;; esac
  sh "$ROOT/tools/docs" --build "$BUILD" --made . --check "$1" >.stdout 2>&1 || wrong "$(cat .stdout)"
}

# A hammer and a bar with two modes; what is given takes the place of the bar's first mode, the contact's ends, the gains.
write_scene() { # file, mode, ends, gains
  mode='{"hz": 400, "t60_s": 1, "mass_kg": 0.05}'
  ends='"a": "hammer.tip", "b": "bar.hit"'
  gains='[1, 1]'
  cat >"$1" <<END
{"contatto": 1, "title": "Test", "seconds": 0.1,
 "bodies": {
  "hammer": {"modes": [{"hz": 0, "t60_s": 0, "mass_kg": 0.01, "x_m": -0.0001, "v_m_s": 1}], "points": {"tip": {"gains": [1]}}},
  "bar": {"modes": [${2:-$mode}, {"hz": 1000, "t60_s": 0.5, "mass_kg": 0.05}],
          "points": {"hit": {"gains": ${4:-$gains}}}}},
 "contacts": {"strike": {"kind": "impact", ${3:-$ends}, "stiffness": 1e7}},
 "pickups": {"out": {"at": "bar.hit", "full_scale": 1}},
 "controls": {"hardness": {"min": 0, "max": 1, "value": 0.5,
                           "targets": [{"path": "strike.stiffness", "from": 1e6, "to": 1e9, "scale": "log"}]}},
 "presets": {"soft": {"about": "felt", "set": {"hardness": 0.1, "bar.modes.0.hz": 380}},
             "hard": {"about": "steel", "set": {"hardness": 0.9}, "gesture": {"time_s": [0, 0.05], "hardness": [0.9, 0.8]}}}}
END
}
