# ctest: slow timeout=900
# gallery: every scene's sound, picture and row; and without gnuplot.
. "$ROOT/test/cli.sh"

works "$CONTATTO" gallery --out deep/er
for scene in "$ROOT"/scenes/*.json; do
  name=$(basename "$scene" .json)
  [ -s "deep/er/$name.wav" ] || wrong "no $name.wav"
  ! command -v gnuplot >/dev/null || [ "$(head -c 4 "deep/er/$name.png" | tail -c 3)" = PNG ] || wrong "no $name.png"
  grep -q "^$name .*[0-9]" .stdout || wrong "no row for $name"
done
mkdir nothing
# two rows are enough: nobody reads the third, and it ends
head=$(command -v head)
PATH=$PWD/nothing "$CONTATTO" gallery --out bare 2>.stderr | "$head" -n 3 >.stdout
[ "$(wc -l <.stdout)" -eq 3 ] && [ -s bare/ball.wav ] && [ -s bare/barrel.wav ] || wrong "gallery fails without gnuplot"
grep -qx 'contatto: warning: no pictures: gnuplot is not installed' .stderr || wrong "without gnuplot: $(cat .stderr)"
finish
