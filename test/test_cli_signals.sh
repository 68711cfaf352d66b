# SIGINT and SIGTERM end every command, whatever it is doing, with 128 + the signal: nothing is left half-written, no
# input is changed, no child goes on.
# ctest: timeout=900
. "$ROOT/test/cli.sh"
write_scene good.json
"$CONTATTO" guide --example word -o strokes.csv || wrong "no strokes"
"$CONTATTO" render hammer --seconds 60 -o long.wav || wrong "no sound"
mkfifo pipe
mkdir -p page/sub
echo '<p>' >page/index.html && head -c 3000000 /dev/zero >page/sub/a.js
CONTATTO_LAB=$PWD/page
export CONTATTO_LAB
inputs=$(cksum good.json strokes.csv long.wav page/index.html page/sub/a.js)

number_of() {
  case $1 in INT) echo 2 ;; TERM) echo 15 ;; esac
}

# ends SIGNAL SECONDS COMMAND...: run, interrupted after that time. Whoever was done before that is fine. A shell starts
# jobs with SIGINT ignored: one that comes before the program has begun is lost, so it is sent until it works.
ends() {
  signal=$1 delay=$2
  shift 2
  mkdir out
  : >.stderr
  "$CONTATTO" "$@" >.stdout 2>.stderr &
  job=$!
  (
    sleep "$delay"
    while kill -s "$signal" "$job" 2>/dev/null; do sleep 1; done
  ) &
  killer=$!
  wait "$job" 2>/dev/null
  code=$?
  kill "$killer" 2>/dev/null
  wait "$killer" 2>/dev/null
  case $code in
  0) ;;
  $((128 + $(number_of "$signal"))))
    [ ! -s .stderr ] || grep -qx "contatto $1: interrupted by SIG$signal" .stderr ||
      [ "$1" = lab ] || [ "$(wc -l <.stderr)" -gt 1 ] || wrong "$*: $(cat .stderr)" ;;
  *) wrong "$* after $delay s of life: exit code $code, $(cat .stderr)" ;;
  esac
  left=$(find . -name '.contatto-*')
  [ -z "$left" ] || wrong "$*: leaves $left"
  [ "$inputs" = "$(cksum good.json strokes.csv long.wav page/index.html page/sub/a.js)" ] || wrong "$*: changes an input"
  last_code=$code
}

# What is there is whole: a sound, a table with as many cells in the last row as in the first, a picture, a log.
whole() {
  for file in $(find out -type f); do
    case $file in
    *.wav) "$CONTATTO" measure "$file" --json >/dev/null 2>&1 & measured=$!; wait "$measured" || wrong "half a sound: $file" ;;
    *.csv) [ "$(head -1 "$file" | tr -cd , | wc -c)" -eq "$(tail -1 "$file" | tr -cd , | wc -c)" ] || wrong "half a table: $file" ;;
    *.png) [ "$(tail -c 8 "$file" | head -c 4)" = IEND ] || wrong "half a picture: $file" ;;
    *.json) tail -1 "$file" | grep -q '}$' || wrong "half a log: $file" ;;
    esac
  done
  rm -rf out
}

# After each time one of the signals in turn; in a long run both, and later too.
moments='0:INT 0.02:TERM 0.1:INT 0.3:TERM'
[ -z "${CT_LONG:-}" ] || moments="$moments 0:TERM 0.02:INT 0.1:TERM 0.3:INT 0.7:INT 0.7:TERM"
for moment in $moments; do
  delay=${moment%:*} signal=${moment#*:}
  ends "$signal" "$delay" render good.json --seconds 86400 -o out/a.wav --motion out/m.csv --energy out/e.npy
  [ "$last_code" -ne 0 ] && [ -z "$(ls -A out)" ] || wrong "an interrupted render leaves $(ls -A out), code $last_code"
  whole
  ends "$signal" "$delay" render ./pipe -o out/a.wav # nobody ever writes to it
  [ "$last_code" -ne 0 ] || wrong "a pipe nobody writes to was rendered"
  whole
  ends "$signal" "$delay" render good.json --gesture pipe -o out/a.wav
  whole
  ends "$signal" "$delay" measure pipe
  whole
  ends "$signal" "$delay" measure long.wav
  whole
  ends "$signal" "$delay" guide strokes.csv -r 192000 -o out/a.wav --log out/log.json
  whole
  ends "$signal" "$delay" gallery -o out
  whole
  ends "$signal" "$delay" study papetti2009 -o out
  whole
  ends "$signal" "$delay" describe glass --body glass --picture out/glass.png
  whole
  ends "$signal" "$delay" bench
  whole
  ends "$signal" "$delay" lab --no-open --port 0
  [ "$last_code" -ne 0 ] || wrong "the lab ends by itself"
  whole
  ends "$signal" "$delay" lab --export out/lab
  [ ! -e out/lab ] || diff -r page out/lab || wrong "half an export"
  whole
done

# ---- nohup stays; a reader that goes away is a silent end
(trap '' HUP && exec "$CONTATTO" render good.json --seconds 86400 -o a.wav) 2>/dev/null &
job=$!
while [ -z "$(find . -name '.contatto-*')" ]; do sleep 0.1; done
kill -s HUP "$job"
sleep 0.3
kill -0 "$job" || wrong "nohup does not help"
kill -s TERM "$job"
wait "$job"
{ "$CONTATTO" describe; echo $? >code; } 2>err | true
[ "$(cat code)" -eq 141 ] || [ "$(cat code)" -eq 0 ] || wrong "nobody reads: exit code $(cat code)"
[ ! -s err ] || wrong "nobody reads: $(cat err)"
finish
